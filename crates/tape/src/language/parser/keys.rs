//! Parser for keys, alone and with modifiers.

use super::{AlreadyReported, ParseResult, TapeParser};
use crate::language::command::{ActionStep, Command, TapeStep};
use crate::language::lexer::{Lookahead, Token, TokenKind};
use screentest_core::query::suggest::nearest;
use screentest_core::{Action, Chord, Key, Modifiers};

/// The keys that have a name, in addition to `F1` to `F35`.
pub(super) const KEYS: [(&str, Key); 16] = [
    ("Enter", Key::Enter),
    ("Escape", Key::Esc),
    ("Esc", Key::Esc),
    ("Tab", Key::Tab),
    ("Space", Key::Space),
    ("Backspace", Key::Backspace),
    ("Delete", Key::Delete),
    ("Insert", Key::Insert),
    ("Up", Key::Up),
    ("Down", Key::Down),
    ("Left", Key::Left),
    ("Right", Key::Right),
    ("Home", Key::Home),
    ("End", Key::End),
    ("PageUp", Key::PageUp),
    ("PageDown", Key::PageDown),
];

/// Names that other tools use for these keys. They are not accepted, only recognised for hints.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("Return", "Enter"),
    ("Del", "Delete"),
    ("Ins", "Insert"),
    ("PgUp", "PageUp"),
    ("PgDn", "PageDown"),
    ("PgDown", "PageDown"),
];

/// Returns the name of the key that an unknown name probably means: `Enter` for `Retrun`.
pub(super) fn probable_key(name: &str) -> Option<&'static str> {
    let known = KEYS.iter().map(|(name, _)| *name);
    let found = nearest(name, known.chain(OTHER_NAMES.map(|(name, _)| name)))?;
    let ours = OTHER_NAMES.iter().find(|(other, _)| *other == found);
    Some(ours.map_or(found, |(_, ours)| ours))
}

pub(super) const MODIFIERS: [(&str, Modifiers); 4] = [
    ("Ctrl", Modifiers::CTRL),
    ("Alt", Modifiers::ALT),
    ("Shift", Modifiers::SHIFT),
    ("Super", Modifiers::SUPER),
];

pub(super) fn key_named(name: &str) -> Option<Key> {
    let named = KEYS.iter().find(|(known, _)| *known == name);
    named.map(|(_, key)| *key).or_else(|| {
        let number = name.strip_prefix('F')?;
        let number: u8 = number
            .parse()
            .ok()
            .filter(|_| !number.starts_with(['0', '+']))?;
        (1..=Key::LAST_F)
            .contains(&number)
            .then_some(Key::F(number))
    })
}

fn modifier_named(name: &str) -> Option<Modifiers> {
    let named = MODIFIERS.iter().find(|(known, _)| *known == name);
    named.map(|(_, modifier)| *modifier)
}

impl TapeParser<'_> {
    /// Parses a key by its name, with a time and a count.
    pub(super) fn press(&mut self, head: &Token, key: Key) -> ParseResult<Command> {
        self.pressed(head, vec![key.into()])
    }

    fn pressed(&mut self, head: &Token, chords: Vec<Chord>) -> ParseResult<Command> {
        let time = self.at_time(head)?;
        let times = self.times(head)?;
        Ok(Command::Step(TapeStep::Action(ActionStep {
            actions: chords.into_iter().map(Action::Press).collect(),
            times,
            time,
        })))
    }

    /// Returns the single character that is a command by itself. It must be the first on its line
    /// or follow another key, so that leftovers of another command are never pressed.
    pub(super) fn character_key(&self, head: &Token) -> Option<Token> {
        if !self.dialect.characters_are_keys() || head.is_quoted() {
            return None;
        }
        let behind_key = self
            .before
            .as_deref()
            .is_some_and(|name| key_named(name).is_some());
        if !head.first_on_line && !behind_key {
            return None;
        }
        let mut lexer = self.lexer;
        lexer.skip(Lookahead::Tape);
        let rest = lexer.rest();
        let mut chars = rest.chars();
        let c = chars.next().filter(|c| !c.is_control())?;
        let alone = match chars.next() {
            None => true,
            Some('@') => c != '@',
            Some(next) => crate::language::lexer::is_blank(next),
        };
        alone.then(|| lexer.character())
    }

    pub(super) fn press_character(&mut self, key: &Token) -> ParseResult<Command> {
        let c = key.value.chars().next().unwrap_or(' ');
        self.pressed(key, vec![Chord::from(c)])
    }

    /// Parses keys with modifiers: `Ctrl+Alt+Delete`, `Ctrl+C@500ms 3`, `Shift+MouseDown Left`.
    pub(super) fn chord(&mut self, head: &Token) -> ParseResult<Command> {
        let Some(mut modifiers) = modifier_named(&head.value) else {
            let known = MODIFIERS.map(|(name, _)| name);
            self.unknown(head.range.clone(), "modifier", &head.value, known);
            return Err(AlreadyReported);
        };
        self.take(head);
        let mut chords = Vec::new();
        let mut end = head.range.end;
        while self.lexer.has('+') {
            let plus = self.lexer.character();
            let part = {
                let mut after = self.lexer;
                after.move_to(plus.range.end);
                after.chord_part()
            };
            if part.kind == TokenKind::End {
                let range = head.range.start..plus.range.end;
                let hint = "as in `Ctrl+C`; write the key `+` as `Ctrl++`";
                return Err(self.error_with_hint(range, "expected a key after `+`", hint));
            }
            self.take_attached(&plus);
            self.take_attached(&part);
            end = part.range.end;
            if let Some(modifier) = modifier_named(&part.value) {
                if !chords.is_empty() {
                    let hint = "modifiers come first";
                    let message = format!("modifier `{}` comes after a key", part.value);
                    return Err(self.error_with_hint(part.range, message, hint));
                }
                modifiers |= modifier;
                continue;
            }
            if chords.is_empty() && super::steps::is_mouse(&part.value) {
                self.before = Some(part.value.clone());
                return self.mouse(&part, modifiers);
            }
            chords.extend(self.keys(&part, modifiers)?);
        }
        if chords.is_empty() {
            let range = head.range.start..end;
            return Err(self.error(range, "expected a key after the modifiers"));
        }
        self.before = Some("Enter".to_owned());
        let whole = Token {
            value: self
                .source
                .text()
                .get(head.range.start..end)
                .unwrap_or_default()
                .to_owned(),
            ..head.clone()
        };
        self.pressed(&whole, chords)
    }

    /// Returns the keys that one part of a chord names.
    fn keys(&mut self, part: &Token, modifiers: Modifiers) -> ParseResult<Vec<Chord>> {
        let name = part.value.as_str();
        let one = |key: Key| vec![key.with(modifiers)];
        if let TokenKind::Unclosed(sign) = part.kind {
            return Err(self.unclosed(part.range.clone(), sign));
        }
        if let Some(key) = key_named(name).filter(|_| part.kind == TokenKind::Word) {
            return Ok(one(key));
        }
        let mut chars = name.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            if c.is_control() {
                let message = format!("`U+{:04X}` is not a key", u32::from(c));
                return Err(self.error(part.range.clone(), message));
            }
            return Ok(one(Key::Char(c)));
        }
        let spelled = self.dialect.spells_out_chords() && !modifiers.contains(Modifiers::CTRL);
        if spelled && !name.is_empty() {
            if let Some(meant) = probable_key(name).filter(|_| part.kind == TokenKind::Word) {
                let message = format!("`{name}` is pressed letter by letter");
                let hint = format!("did you mean the key `{meant}`?");
                self.warn(part.range.clone(), message, hint);
            }
            return Ok(name.chars().map(|c| Key::Char(c).with(modifiers)).collect());
        }
        let known = KEYS.iter().map(|(name, _)| *name);
        let found = self.unknown(part.range.clone(), "key", name, known);
        found.nearest = probable_key(name).map(str::to_owned);
        Err(AlreadyReported)
    }
}
