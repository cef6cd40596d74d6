//! Parser for commands: maps their names to their arguments.

use std::time::Duration;

use super::keys::{KEYS, MODIFIERS, key_named, probable_key};
use super::{AlreadyReported, ParseResult, TapeParser};
use crate::language::command::{
    ActionStep, Assertion, Command, Expectation, HistoryCheck, LaunchCommand, ScrollDirection,
    ScrollStep, TapeStep, Variable,
};
use crate::language::lexer::{Lookahead, Token, TokenKind};
use crate::language::output::{self, EXTENSIONS, Output, OutputKind, OutputPathError};
use screentest_core::action::{
    Action, MouseAction, MouseActionKind, MousePlace, WaitTarget, WheelTurn,
};
use screentest_core::input::mouse::{Button, Wheel};
use screentest_core::query::suggest::nearest;
use screentest_core::query::truncate;
use screentest_core::{Appeared, Modifiers, Size};

/// The names of all commands except keys and modifiers.
pub(in crate::language) const COMMANDS: [&str; 38] = [
    "Output",
    "Require",
    "Set",
    "Env",
    "Source",
    "Launch",
    "Type",
    "Submit",
    "Sleep",
    "Wait",
    "Stable",
    "Hide",
    "Show",
    "Copy",
    "Paste",
    "Caption",
    "Subtitle",
    "Screenshot",
    "State",
    "Snapshot",
    "Mask",
    "Mark",
    "Expect",
    "ExpectNot",
    "Saw",
    "Never",
    "Resize",
    "ScrollUp",
    "ScrollDown",
    "MouseMove",
    "MouseDown",
    "MouseUp",
    "MouseScroll",
    "AssertText",
    "AssertAbsent",
    "AssertCells",
    "AssertStyle",
    "AssertState",
];

/// The commands, other than keys, that take a time after `@`.
const TIMED: [&str; 9] = [
    "Type",
    "Submit",
    "Wait",
    "Stable",
    "Expect",
    "ExpectNot",
    "ScrollUp",
    "ScrollDown",
    "AssertAbsent",
];

pub(super) fn is_mouse(name: &str) -> bool {
    matches!(name, "MouseMove" | "MouseDown" | "MouseUp" | "MouseScroll")
}

pub(super) fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name)
        || key_named(name).is_some()
        || MODIFIERS.iter().any(|(known, _)| *known == name)
}

fn step(step: TapeStep) -> ParseResult<Command> {
    Ok(Command::Step(step))
}

/// Returns the step of one action with the time after `@`, if any.
pub(super) fn action(action: Action, time: Option<Duration>) -> ParseResult<Command> {
    step(TapeStep::Action(ActionStep {
        time,
        ..ActionStep::from(action)
    }))
}

impl TapeParser<'_> {
    pub(super) fn named(&mut self, head: &Token) -> ParseResult<Command> {
        let name = head.value.as_str();
        if !is_command(name) {
            return Err(self.unknown_command(head));
        }
        self.take(head);
        if let Some(key) = key_named(name) {
            return self.press(head, key);
        }
        if !TIMED.contains(&name) && self.lexer.has('@') {
            let at = self.lexer.character();
            let message = format!("`{name}` does not take a time after `@`");
            return Err(self.error(at.range, message));
        }
        match name {
            "Output" => self.output(head),
            "Require" => Ok(Command::Require(self.name(
                head,
                "a program",
                "Require git",
            )?)),
            "Set" => self.set(head).map(Command::Set),
            "Env" => self.env(head),
            "Source" => self.source(head),
            "Launch" => self.launch(head),
            "Type" => self.typed(head, Action::Type),
            "Submit" => self.typed(head, Action::SendLine),
            "Sleep" => step(TapeStep::Sleep(self.time(head)?.0)),
            "Wait" => self.wait(head),
            "Stable" => {
                let timeout = self.at_time(head)?;
                let quiet = self.time(head)?.0;
                action(Action::WaitStable(quiet), timeout)
            }
            "Hide" => step(TapeStep::Hide),
            "Show" => step(TapeStep::Show),
            "Copy" => step(TapeStep::Copy(self.texts(head)?)),
            "Paste" => step(TapeStep::Paste),
            "Caption" | "Subtitle" => step(TapeStep::Caption(self.texts(head)?)),
            "Screenshot" => step(TapeStep::Screenshot(self.file(head, "png")?)),
            "State" => step(TapeStep::State(self.file(head, "json")?)),
            "Snapshot" => step(TapeStep::Snapshot(self.name(
                head,
                "a name",
                "Snapshot menu",
            )?)),
            "Mask" => step(TapeStep::Mask(self.cover(head)?)),
            "Mark" => {
                let word = self.lexer.word(Lookahead::Line);
                let named = word.kind != TokenKind::End;
                let name = named.then(|| self.name(head, "a name", "Mark saved"));
                step(TapeStep::Mark(name.transpose()?))
            }
            "Expect" => {
                let Expectation {
                    selector,
                    timeout,
                    appeared,
                } = self.expectation(head)?;
                action(Action::Wait(WaitTarget::Match(selector), appeared), timeout)
            }
            "ExpectNot" => self
                .expectation(head)
                .and_then(|it| step(TapeStep::ExpectNot(it))),
            "Saw" => self.seen(head).and_then(|seen| step(TapeStep::Saw(seen))),
            "Never" => self.seen(head).and_then(|seen| step(TapeStep::Never(seen))),
            "Resize" => self.resize(head),
            "ScrollUp" => self.scroll(head, ScrollDirection::Up),
            "ScrollDown" => self.scroll(head, ScrollDirection::Down),
            name if is_mouse(name) => self.mouse(head, Modifiers::empty()),
            "AssertText" => {
                let text = self.name(head, "a text", "AssertText \"Ready\"")?;
                step(TapeStep::Assert(Assertion::Text(text)))
            }
            "AssertAbsent" => {
                let lasting = self.at_time(head)?.unwrap_or_default();
                let text = self.name(head, "a text", "AssertAbsent@1s \"Error\"")?;
                step(TapeStep::Assert(Assertion::Absent { text, lasting }))
            }
            "AssertCells" => self.assert_cells(head),
            "AssertStyle" => self.assert_style(head),
            "AssertState" => {
                let path = self.file(head, "json")?;
                step(TapeStep::Assert(Assertion::State(path)))
            }
            name => Err(self.held(head, name)),
        }
    }

    /// Reports a modifier without a key.
    fn held(&mut self, head: &Token, name: &str) -> AlreadyReported {
        let message = format!("`{name}` alone presses nothing");
        self.error_with_hint(head.range.clone(), message, format!("as in `{name}+C`"))
    }

    fn unknown_command(&mut self, head: &Token) -> AlreadyReported {
        let surplus_hint = self.surplus_hint();
        self.resume = Some(head.range.end);
        let keys = KEYS.iter().map(|(name, _)| *name);
        let modifiers = MODIFIERS.iter().map(|(name, _)| *name);
        let known = COMMANDS.into_iter().chain(keys).chain(modifiers);
        let press_hint = self.press_hint(head);
        let found = self.unknown(head.range.clone(), "command", &head.value, known);
        if press_hint.is_some() {
            (found.nearest, found.hint) = (None, press_hint);
        } else if found.nearest.is_none() {
            found.nearest = probable_key(&head.value).map(str::to_owned);
            found.hint = surplus_hint.filter(|_| found.nearest.is_none());
        }
        AlreadyReported
    }

    /// Returns a hint for `Press Enter`: tapes have no command for keys, each key is one.
    fn press_hint(&self, head: &Token) -> Option<String> {
        const VERBS: [&str; 4] = ["Press", "Key", "Keys", "SendKey"];
        if !VERBS
            .iter()
            .any(|verb| verb.eq_ignore_ascii_case(&head.value))
        {
            return None;
        }
        let rest = self.source.text().get(head.range.end..).unwrap_or_default();
        let key = rest
            .lines()
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .next();
        let key = key.filter(|key| key_named(key).is_some());
        Some(format!(
            "a key is a command of its own: write `{}`",
            key.unwrap_or("Enter")
        ))
    }

    fn typed(
        &mut self,
        head: &Token,
        to_action: impl FnOnce(String) -> Action,
    ) -> ParseResult<Command> {
        let speed = self.at_time(head)?;
        let text = self.texts(head)?;
        action(to_action(text), speed)
    }

    fn output(&mut self, head: &Token) -> ParseResult<Command> {
        let token = self.argument(head, "a path", "Output demo.gif")?;
        let known = EXTENSIONS.map(|(extension, _)| extension);
        match Output::new(&token.value, self.dialect) {
            Ok(output) => {
                let png =
                    output::extension(&output.path).is_some_and(|e| e.eq_ignore_ascii_case("png"));
                if png && output.kind == OutputKind::Frames {
                    let message =
                        format!("`{}` becomes a folder of frames, as with VHS", output.path);
                    let hint = "end its name with `/` to make this explicit; for a single picture write `Screenshot`, or `# dialect: betamax` as the first line";
                    self.warn(token.range, message, hint);
                }
                Ok(Command::Output(output))
            }
            Err(OutputPathError::Empty) => {
                Err(self.error(token.range, "`Output` needs a path, but this is empty"))
            }
            Err(OutputPathError::NoExtension) => {
                let path = truncate::start(&token.value);
                let message = format!("`{path}` has no extension");
                let hint = format!("write a folder of frames as `{path}/`");
                Err(self.error_with_hint(token.range, message, hint))
            }
            Err(OutputPathError::Unknown(extension)) => {
                let list = known.map(|extension| match extension {
                    "/" => "`/` for a folder of frames".to_owned(),
                    extension => format!("`.{extension}`"),
                });
                let near = nearest(&extension, known.into_iter().filter(|known| *known != "/"));
                let near = near.map(|extension| format!(".{extension}"));
                let extension = truncate::start(&extension);
                let message = format!("unknown output extension `.{extension}`");
                let hint = format!("known extensions are {}", list.join(", "));
                let found =
                    self.report_diagnostic(crate::language::Severity::Error, token.range, message);
                found.hint = Some(hint);
                found.nearest = near;
                Err(AlreadyReported)
            }
        }
    }

    fn env(&mut self, head: &Token) -> ParseResult<Command> {
        let example = "Env GREETING \"hello\"";
        let token = self.argument(head, "a name and a value", example)?;
        let name = token.value;
        if name.is_empty() || name.contains(['=', '\0']) {
            let message = format!("`{}` is not a variable name", truncate::start(&name));
            return Err(self.error_with_hint(token.range, message, format!("as in `{example}`")));
        }
        let value = self.argument(head, "a value", example)?;
        if value.value.contains('\0') {
            return Err(self.error(value.range, "a variable's value cannot contain NUL"));
        }
        let value = value.value;
        Ok(Command::Env(Variable { name, value }))
    }

    fn source(&mut self, head: &Token) -> ParseResult<Command> {
        let example = "Source common.tape";
        let token = self.argument(head, "a path", example)?;
        let path = token.value;
        let is_tape = output::extension(&path) == Some("tape");
        if path.trim().is_empty() || (self.dialect.requires_tape_extension() && !is_tape) {
            let message = format!("`{}` does not end with `.tape`", truncate::start(&path));
            return Err(self.error_with_hint(token.range, message, format!("as in `{example}`")));
        }
        Ok(Command::Source(path))
    }

    fn launch(&mut self, head: &Token) -> ParseResult<Command> {
        let mut words = Vec::new();
        loop {
            let token = self.lexer.shell_word();
            match token.kind {
                TokenKind::End => break,
                TokenKind::Unclosed(sign) => {
                    let message = format!("the text has no closing `{sign}`");
                    return Err(self.error(token.range, message));
                }
                _ => {}
            }
            self.take(&token);
            words.push(token.value);
        }
        if words.first().is_none_or(|program| program.is_empty()) {
            return Err(self.missing(head, "a program", "Launch vim notes.txt"));
        }
        let program = words.remove(0);
        Ok(Command::Launch(LaunchCommand {
            program,
            args: words,
        }))
    }

    /// Reads a path with the one extension that the command writes.
    fn file(&mut self, head: &Token, extension: &str) -> ParseResult<String> {
        let example = format!("{} screen.{extension}", head.value);
        let token = self.argument(head, "a path", &example)?;
        let path = token.value;
        let ends = output::extension(&path).is_some_and(|own| own.eq_ignore_ascii_case(extension));
        if !ends {
            let message = format!(
                "`{}` does not end with `.{extension}`",
                truncate::start(&path)
            );
            return Err(self.error_with_hint(token.range, message, format!("as in `{example}`")));
        }
        Ok(path)
    }

    fn expectation(&mut self, head: &Token) -> ParseResult<Expectation> {
        let appeared = self.appeared(head)?;
        let timeout = self.at_time(head)?;
        let selector = self.selector(head)?;
        Ok(Expectation {
            selector,
            timeout,
            appeared,
        })
    }

    /// Reads `+Anytime` after a command's name.
    fn appeared(&mut self, head: &Token) -> ParseResult<Appeared> {
        if !self.lexer.has('+') {
            return Ok(Appeared::AfterEnter);
        }
        let plus = self.lexer.character();
        self.take_attached(&plus);
        let token = self.lexer.chord_part();
        if token.value != "Anytime" {
            let message = format!("expected `Anytime` after `{}+`", head.value);
            let range = match token.value.as_str() {
                "" => plus.range,
                _ => token.range,
            };
            return Err(self.error(range, message));
        }
        self.take_attached(&token);
        Ok(Appeared::Anytime)
    }

    fn seen(&mut self, head: &Token) -> ParseResult<HistoryCheck> {
        let word = self.lexer.peek(Lookahead::Line);
        let since = word.kind == TokenKind::Word && word.value == "since";
        let since = since.then(|| {
            self.take(&word);
            self.name(
                head,
                "the name of a mark",
                &format!("{} since saved \"text\"", head.value),
            )
        });
        let since = since.transpose()?;
        let selector = self.selector(head)?;
        Ok(HistoryCheck { selector, since })
    }

    fn resize(&mut self, head: &Token) -> ParseResult<Command> {
        let example = "Resize 80 24";
        let start = self.lexer.at();
        let cols = self.number(head, "a number of columns", example, u16::MAX)?;
        let rows = self.number(head, "a number of rows", example, u16::MAX)?;
        match Size::checked(cols.into(), rows.into()) {
            Ok(size) => action(Action::Resize(size), None),
            Err(error) => {
                let mut lexer = self.lexer;
                lexer.move_to(start);
                lexer.skip(Lookahead::Line);
                let range = lexer.at()..self.lexer.at();
                Err(self.error(range, error.to_string()))
            }
        }
    }

    fn scroll(&mut self, head: &Token, direction: ScrollDirection) -> ParseResult<Command> {
        let speed = self.at_time(head)?;
        let rows = self.times(head)?;
        step(TapeStep::Scroll(ScrollStep {
            direction,
            rows,
            speed,
        }))
    }

    pub(super) fn mouse(&mut self, head: &Token, modifiers: Modifiers) -> ParseResult<Command> {
        let (kind, at) = match head.value.as_str() {
            "MouseMove" => {
                let cell = self.cell(head, "MouseMove 10 4")?;
                (MouseActionKind::Move, MousePlace::Cell(cell))
            }
            "MouseDown" => (
                MouseActionKind::Press(self.button(head)?),
                MousePlace::Pointer,
            ),
            "MouseUp" => (
                MouseActionKind::Release(self.button(head)?),
                MousePlace::Pointer,
            ),
            _ => {
                let wheels = [
                    ("Up", Wheel::Up),
                    ("Down", Wheel::Down),
                    ("Left", Wheel::Left),
                    ("Right", Wheel::Right),
                ];
                let example = "MouseScroll Down 3";
                let wheel = self.one_of(head, "a direction", example, &wheels)?;
                let notches = self.number(head, "a number of notches", example, u16::MAX)?;
                let turn = WheelTurn {
                    at: MousePlace::Pointer,
                    wheel,
                    notches: notches.into(),
                    modifiers,
                };
                return action(Action::Wheel(turn), None);
            }
        };
        let mouse = MouseAction {
            kind,
            at,
            modifiers,
        };
        action(Action::Mouse(mouse), None)
    }

    fn button(&mut self, head: &Token) -> ParseResult<Button> {
        let buttons = [
            ("Left", Button::Left),
            ("Middle", Button::Middle),
            ("Right", Button::Right),
        ];
        self.one_of(head, "a button", "MouseDown Left", &buttons)
    }

    /// Reads a word from a list.
    fn one_of<T: Copy>(
        &mut self,
        head: &Token,
        what: &str,
        example: &str,
        known: &[(&'static str, T)],
    ) -> ParseResult<T> {
        let token = self.lexer.word(Lookahead::Line);
        if token.kind == TokenKind::End {
            return Err(self.missing(head, what, example));
        }
        let found = known.iter().find(|(name, _)| *name == token.value);
        let Some((_, value)) = found else {
            let message = format!("`{}` is not {what}", truncate::start(&token.value));
            let names: Vec<String> = known.iter().map(|(name, _)| format!("`{name}`")).collect();
            let near = nearest(&token.value, known.iter().map(|(name, _)| *name));
            let found =
                self.report_diagnostic(crate::language::Severity::Error, token.range, message);
            found.nearest = near.map(str::to_owned);
            found.hint = Some(format!("use {}", names.join(", ")));
            return Err(AlreadyReported);
        };
        self.take(&token);
        Ok(*value)
    }
}
