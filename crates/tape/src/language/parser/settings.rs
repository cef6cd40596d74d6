//! Parser for `Set`: the name determines how the value is read.

use std::ops::RangeInclusive;

use super::{AlreadyReported, ParseResult, TapeParser};
use crate::language::Severity;
use crate::language::lexer::{Lexer, Lookahead, Token, TokenKind};
use crate::language::setting::{
    ButtonSide, KeyboardOverlay, LoopOffset, MarginFill, NAMES, OverlayLocation, Shell, ShellName,
    TapeSetting, WindowBar, WindowButtons,
};
use crate::language::{Dialect, time};
use screentest_core::query::suggest::nearest;
use screentest_core::query::truncate;
use screentest_core::screen::theme::{Theme, ThemeError};
use screentest_core::{Rgb, Size};

/// Width and height of a picture: limits of encoders and memory.
const PICTURE: RangeInclusive<f64> = 1.0..=16_384.0;
/// Padding, margin and bar sizes.
const AROUND: RangeInclusive<f64> = 0.0..=4_096.0;

impl TapeParser<'_> {
    pub(super) fn set(&mut self, head: &Token) -> ParseResult<TapeSetting> {
        let token = self.lexer.peek(self.lookahead());
        if token.kind == TokenKind::End || token.first_on_line {
            return Err(self.missing(head, "a name and a value", "Set Width 1200"));
        }
        let name = token.value.as_str();
        if token.kind != TokenKind::Word || !NAMES.contains(&name) {
            let end = self
                .lexer
                .word(Lookahead::Line)
                .range
                .end
                .max(token.range.end);
            let range = match token.kind {
                TokenKind::Word => token.range.clone(),
                _ => token.range.start..end,
            };
            let shown = self.source.text().get(range.clone()).unwrap_or_default();
            let found = self.unknown(range, "setting", shown, NAMES);
            if found.nearest.is_none() {
                found.hint = Some(format!("known settings are {}", NAMES.join(", ")));
            }
            return Err(AlreadyReported);
        }
        self.take(&token);
        // Messages name the setting and not just `Set`.
        let head = Token {
            value: format!("Set {name}"),
            ..token.clone()
        };
        self.setting(&head, name)
    }

    fn setting(&mut self, head: &Token, name: &str) -> ParseResult<TapeSetting> {
        Ok(match name {
            "Shell" => TapeSetting::Shell(self.shell(head)?),
            "FontFamily" => TapeSetting::FontFamily(self.name(
                head,
                "a font",
                "Set FontFamily \"DejaVu Sans Mono\"",
            )?),
            "FontSize" => TapeSetting::FontSize(self.decimal(head, 1.0..=500.0)?),
            "LetterSpacing" => TapeSetting::LetterSpacing(self.decimal(head, 0.0..=100.0)?),
            "LineHeight" => TapeSetting::LineHeight(self.decimal(head, 0.1..=10.0)?),
            "Width" => TapeSetting::Width(self.whole(head, PICTURE)?),
            "Height" => TapeSetting::Height(self.whole(head, PICTURE)?),
            "Columns" => TapeSetting::Columns(self.cells(head, Size::COLS)?),
            "Rows" => TapeSetting::Rows(self.cells(head, Size::ROWS)?),
            "Padding" => TapeSetting::Padding(self.whole(head, AROUND)?),
            "Margin" => TapeSetting::Margin(self.whole(head, AROUND)?),
            "MarginFill" => TapeSetting::MarginFill(self.margin_fill(head)?),
            "WindowBar" => TapeSetting::WindowBar(self.window_bar(head)?),
            "WindowBarSize" => TapeSetting::WindowBarSize(self.whole(head, AROUND)?),
            "BorderRadius" => TapeSetting::BorderRadius(self.whole(head, AROUND)?),
            "Framerate" => TapeSetting::Framerate(self.whole(head, 1.0..=240.0)?),
            "PlaybackSpeed" => TapeSetting::PlaybackSpeed(self.decimal(head, 0.01..=100.0)?),
            "LoopOffset" => TapeSetting::LoopOffset(self.loop_offset(head)?),
            "TypingSpeed" => TapeSetting::TypingSpeed(self.time(head)?.0),
            "Theme" => TapeSetting::Theme(Box::new(self.theme(head)?)),
            "CursorBlink" => TapeSetting::CursorBlink(self.boolean(head)?),
            "AutoWait" => TapeSetting::AutoWait(self.boolean(head)?),
            "WaitTimeout" => {
                let (time, range) = self.time(head)?;
                if time.is_zero() {
                    return Err(self.error(range, "a timeout cannot be zero"));
                }
                TapeSetting::WaitTimeout(time)
            }
            "WaitPattern" => {
                let token = self.value(head, "an expression", "Set WaitPattern /> $/")?;
                let text = token.value.as_str();
                let inner = text
                    .strip_prefix('/')
                    .and_then(|text| text.strip_suffix('/'));
                let source = inner
                    .filter(|_| token.kind != TokenKind::Regex)
                    .unwrap_or(text);
                TapeSetting::WaitPattern(self.regex(&token, source)?)
            }
            "KeyboardOverlay" => {
                TapeSetting::KeyboardOverlay(self.choice(head, "a mode", &KeyboardOverlay::ALL)?)
            }
            _ => TapeSetting::KeyboardOverlayLocation(self.choice(
                head,
                "a location",
                &OverlayLocation::ALL,
            )?),
        })
    }

    /// Reads a value of any form.
    fn value(&mut self, head: &Token, what: &str, example: &str) -> ParseResult<Token> {
        let token = self.lexer.peek(self.lookahead());
        match token.kind {
            TokenKind::Character('{') => {
                let json = self.lexer.json(self.lookahead());
                if let TokenKind::Unclosed(sign) = json.kind {
                    return Err(self.unclosed(json.range, sign));
                }
                self.take(&json);
                Ok(json)
            }
            TokenKind::Regex if head.value == "Set WaitPattern" => {
                self.take(&token);
                Ok(token)
            }
            TokenKind::Unclosed('/') if head.value == "Set WaitPattern" => {
                Err(self.unclosed(token.range, '/'))
            }
            _ => {
                // A colour without quotes is a common mistake.
                if token.kind == TokenKind::End || token.first_on_line {
                    let after = self.source.text().get(head.range.end..);
                    let line = after.unwrap_or_default().lines().next();
                    let first = line.unwrap_or_default().split_whitespace().next();
                    if let Some(color) = first.and_then(Rgb::parse) {
                        let message =
                            format!("`{}` needs {what}, but `#` begins a comment", head.value);
                        let hint = format!("put it in quotes: `{} \"{color}\"`", head.value);
                        return Err(self.error_with_hint(head.range.clone(), message, hint));
                    }
                }
                self.argument(head, what, example)
            }
        }
    }

    fn decimal(&mut self, head: &Token, range: RangeInclusive<f64>) -> ParseResult<f64> {
        let example = format!("{} {}", head.value, range.start().max(1.0));
        let token = self.value(head, "a number", &example)?;
        let text = token.value.trim_end_matches("px");
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let number = text.parse::<f64>().ok().filter(|_| plain);
        match number.filter(|number| range.contains(number)) {
            Some(number) => Ok(number),
            None => {
                let shown = truncate::start(&token.value);
                let message = format!(
                    "`{}` takes a number from {} to {}, not `{shown}`",
                    head.value,
                    range.start(),
                    range.end(),
                );
                Err(self.error(token.range, message))
            }
        }
    }

    fn whole(&mut self, head: &Token, range: RangeInclusive<f64>) -> ParseResult<u32> {
        let number = self.decimal(head, range)?;
        if number.fract() != 0.0 {
            let range = head.range.end..self.lexer.at();
            let message = format!("`{}` takes a whole number, not `{number}`", head.value);
            return Err(self.error(range, message));
        }
        Ok(number as u32)
    }

    fn cells(&mut self, head: &Token, range: RangeInclusive<u16>) -> ParseResult<u16> {
        let range = f64::from(*range.start())..=f64::from(*range.end());
        Ok(self.whole(head, range)? as u16)
    }

    fn boolean(&mut self, head: &Token) -> ParseResult<bool> {
        let known = [("true", true), ("false", false)];
        self.choice(head, "`true` or `false`", &known)
    }

    /// Reads a word from a list, ignoring case and any `-` and `_` in it.
    fn choice<T: Copy>(
        &mut self,
        head: &Token,
        what: &str,
        known: &[(&'static str, T)],
    ) -> ParseResult<T> {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let example = format!("{} {}", head.value, names.last().unwrap_or(&""));
        let token = self.value(head, what, &example)?;
        let folded = token.value.replace(['-', '_'], "");
        let found = known
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(&folded));
        if let Some((_, value)) = found {
            return Ok(*value);
        }
        Err(self.no_choice(head, &token, &names))
    }

    fn no_choice(&mut self, head: &Token, token: &Token, names: &[&str]) -> AlreadyReported {
        let shown = truncate::start(&token.value);
        let near = nearest(&shown, names.iter().copied()).map(str::to_owned);
        let list: Vec<String> = names
            .iter()
            .map(|name| match *name {
                "" => "`\"\"`".to_owned(),
                name => format!("`{name}`"),
            })
            .collect();
        let message = format!("`{}` cannot be `{shown}`", head.value);
        let found = self.report_diagnostic(Severity::Error, token.range.clone(), message);
        found.nearest = near;
        found.hint = Some(format!("it can be {}", list.join(", ")));
        AlreadyReported
    }

    fn shell(&mut self, head: &Token) -> ParseResult<Shell> {
        let token = self.value(head, "a shell", "Set Shell bash")?;
        let mut lexer = Lexer::new(&token.value, Dialect::Betamax);
        let mut words = Vec::new();
        loop {
            let word = lexer.shell_word();
            match word.kind {
                TokenKind::End => break,
                TokenKind::Unclosed(sign) => {
                    let message = format!("the shell's command has no closing `{sign}`");
                    return Err(self.error(token.range, message));
                }
                _ => {}
            }
            lexer.move_to(word.range.end);
            words.push(word.value);
        }
        let names = ShellName::ALL.map(|(name, _)| name);
        match words.as_slice() {
            [] => Err(self.missing(head, "a shell", "Set Shell bash")),
            [name] => match ShellName::named(name) {
                Some(shell) => Ok(Shell::Named(shell)),
                None if self.dialect.rejects_unknown_shells() && !name.contains('/') => {
                    let reported = self.no_choice(head, &token, &names);
                    if let Some(found) = self.report.diagnostics.last_mut() {
                        let hint = found.hint.take().unwrap_or_default();
                        found.hint = Some(format!(
                            "{hint}, a path or a command with arguments; `Launch` runs any program"
                        ));
                    }
                    Err(reported)
                }
                None => Ok(Shell::Command(words)),
            },
            _ => Ok(Shell::Command(words)),
        }
    }

    fn margin_fill(&mut self, head: &Token) -> ParseResult<MarginFill> {
        let token = self.value(head, "a colour or a picture", "Set MarginFill \"#1a2b3c\"")?;
        let text = token.value.as_str();
        if text.is_empty() {
            return Ok(MarginFill::Nothing);
        }
        if !text.starts_with('#') {
            return Ok(MarginFill::Image(text.to_owned()));
        }
        match Rgb::parse(text) {
            Some(color) => Ok(MarginFill::Color(color)),
            None => {
                let message = format!(
                    "`{}` is not a colour as in `#1a2b3c`",
                    truncate::start(text)
                );
                Err(self.error(token.range, message))
            }
        }
    }

    fn window_bar(&mut self, head: &Token) -> ParseResult<WindowBar> {
        let token = self.value(head, "a bar", "Set WindowBar Colorful")?;
        let known = WindowBar::ALL.iter().find(|(name, _)| *name == token.value);
        if let Some((_, bar)) = known {
            return Ok(*bar);
        }
        if self.dialect.rejects_unknown_bars() {
            let names = WindowBar::ALL.map(|(name, _)| name);
            return Err(self.no_choice(head, &token, &names));
        }
        let side = if token.value.ends_with("Right") {
            ButtonSide::Right
        } else {
            ButtonSide::Left
        };
        Ok(WindowBar::Bar {
            buttons: WindowButtons::Colorful,
            side,
        })
    }

    fn loop_offset(&mut self, head: &Token) -> ParseResult<LoopOffset> {
        let token = self.value(head, "a percentage", "Set LoopOffset 20%")?;
        let mut text = token.value.clone();
        let after = self.lexer.peek(Lookahead::Line);
        if after.kind == TokenKind::Character('%') {
            self.take_attached(&after);
            text.push('%');
        }
        let number = text.trim_end_matches('%');
        let plain = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let value = number.parse::<f64>().ok().filter(|_| plain);
        let percent = text.ends_with('%') || self.dialect.loop_offset_is_a_percentage();
        let offset = match value {
            Some(value) if percent => {
                (value <= 100.0).then_some(LoopOffset::Fraction(value / 100.0))
            }
            Some(value) if value <= 1.0 => Some(LoopOffset::Fraction(value)),
            // A time has a unit, or is a number of seconds greater than 1.
            _ => time::parse(&text).ok().map(LoopOffset::Time),
        };
        offset.ok_or_else(|| {
            let message = format!("`{}` is not a loop offset", truncate::start(&text));
            let hint = "write a percentage up to `100%`, or a time such as `2s`";
            self.error_with_hint(token.range, message, hint)
        })
    }

    fn theme(&mut self, head: &Token) -> ParseResult<Theme> {
        let token = self.value(head, "a theme", "Set Theme \"Dracula\"")?;
        if token.value.trim().is_empty() {
            return Ok(self.dialect.default_theme());
        }
        let theme = Theme::parse_in(&token.value, self.dialect.themes());
        theme.map_err(|error: ThemeError| {
            let close = match &error {
                ThemeError::Unknown(unknown) => &unknown.close[..],
                ThemeError::Json(_) => &[],
            };
            let others: Vec<String> = close.iter().skip(1).map(|name| format!("`{name}`")).collect();
            let others = if others.is_empty() {
                String::new()
            } else {
                format!("other similar names: {}; ", others.join(", "))
            };
            let message = match &error {
                ThemeError::Unknown(_) => format!("unknown theme `{}`", truncate::start(&token.value)),
                ThemeError::Json(error) => format!("invalid theme: {error}"),
            };
            let unknown = matches!(error, ThemeError::Unknown(_));
            let found = self.report_diagnostic(Severity::Error, token.range, message);
            found.nearest = close.first().map(|name| (*name).to_owned());
            found.hint = unknown.then(|| {
                format!("{others}`screentest themes` lists all themes; write custom colours as JSON: `Set Theme {{ \"background\": \"#171717\" }}`")
            });
            AlreadyReported
        })
    }
}
