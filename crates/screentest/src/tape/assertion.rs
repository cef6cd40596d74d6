//! Questions that are asked once, of the screen as it is.

use screentest_core::formats::state_json::{self, StateJson, StyleJson};
use screentest_core::{
    Attributes, Condition, Diff, Position, Screen, State, Style, Theme, Underline, Width,
};

/// Why an assertion does not hold: what was expected, and what is there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Untrue {
    #[error("{0} is not on the screen")]
    NotThere(String),
    #[error("{0} is on the screen")]
    There(String),
    #[error("column {col}, row {row} shows {shown}, and not {expected}", col = at.col, row = at.row)]
    Cell {
        at: Position,
        shown: String,
        expected: String,
    },
    #[error("column {col}, row {row} is drawn with {shown}, and not with {expected}", col = at.col, row = at.row)]
    Style {
        at: Position,
        shown: String,
        expected: String,
    },
    #[error("column {col}, row {row} is outside of the screen, which has {size}", col = at.col, row = at.row)]
    Outside { at: Position, size: String },
    #[error("the screen is not the one in `{path}`")]
    State { path: String, differences: String },
}

impl Untrue {
    /// What is too long for a line.
    pub(super) fn details(&self) -> &str {
        match self {
            Untrue::State { differences, .. } => differences,
            _ => "",
        }
    }
}

/// Whether a text is on the screen.
pub(super) fn text(screen: &Screen, text: &str) -> Result<(), Untrue> {
    match screen.contains(text) {
        true => Ok(()),
        false => Err(Untrue::NotThere(Condition::text(text).to_string())),
    }
}

/// Whether a text is not.
pub(super) fn absent(screen: &Screen, text: &str) -> Result<(), Untrue> {
    match screen.contains(text) {
        true => Err(Untrue::There(Condition::text(text).to_string())),
        false => Ok(()),
    }
}

/// Whether cells show these texts, from a place on.
pub(super) fn cells(screen: &Screen, at: Position, cells: &[String]) -> Result<(), Untrue> {
    for (offset, expected) in cells.iter().enumerate() {
        let at = inside(screen, at, offset)?;
        let cell = screen.cell(at);
        let mut shown = String::new();
        match cell.width {
            // The second half of a wide character has no text of its own.
            Width::Spacer => shown.push(' '),
            _ => cell.push_to(&mut shown),
        }
        if shown != *expected {
            return Err(Untrue::Cell {
                at,
                shown: format!("{shown:?}"),
                expected: format!("{expected:?}"),
            });
        }
    }
    Ok(())
}

/// Whether so many cells are drawn like this, from a place on. Colours that are not named may be any; the rest is exact.
pub(super) fn style(
    screen: &Screen,
    theme: &Theme,
    at: Position,
    width: u16,
    expected: &StyleJson,
) -> Result<(), Untrue> {
    for offset in 0..width.into() {
        let at = inside(screen, at, offset)?;
        let shown = seen(screen.cell(at).style, theme);
        let wanted = StyleJson {
            fg: expected.fg.or(shown.fg),
            bg: expected.bg.or(shown.bg),
            ..expected.clone()
        };
        if shown != wanted {
            return Err(Untrue::Style {
                at,
                shown: named(&shown, expected),
                expected: named(expected, expected),
            });
        }
    }
    Ok(())
}

/// Whether the screen is the one of a State JSON file, in what such a file holds.
pub(super) fn state(
    state: &State,
    theme: &Theme,
    path: &str,
    expected: &State,
) -> Result<(), Untrue> {
    let options = state_json::Options {
        theme: theme.clone(),
        scrollback: state_json::MAX_SCROLLBACK,
    };
    let written = StateJson::from_state(state, &options).to_string();
    // What was written and read is compared, so that what the format cannot hold makes no difference.
    let shown = StateJson::parse(&written).unwrap_or_else(|_| state.clone());
    let diff = Diff::between(&expected.screen, &shown.screen);
    let mut differences = match diff.is_empty() {
        true => String::new(),
        false => diff.to_string(),
    };
    let texts = |state: &State| -> Vec<String> {
        let rows = state.scrollback.iter();
        rows.map(|row| row.text().to_owned()).collect()
    };
    if texts(expected) != texts(&shown) {
        differences.push_str("what has scrolled out differs\n");
    }
    match differences.is_empty() {
        true => Ok(()),
        false => Err(Untrue::State {
            path: path.to_owned(),
            differences,
        }),
    }
}

/// The cell that stands so far behind another, in the same row.
fn inside(screen: &Screen, at: Position, offset: usize) -> Result<Position, Untrue> {
    let at = Position {
        col: at.col.saturating_add(offset),
        ..at
    };
    let size = screen.size;
    match at.col < usize::from(size.cols) && at.row < usize::from(size.rows) {
        true => Ok(at),
        false => Err(Untrue::Outside {
            at,
            size: format!("{} columns and {} rows", size.cols, size.rows),
        }),
    }
}

/// A style as State JSON has it, with both colours.
fn seen(style: &Style, theme: &Theme) -> StyleJson {
    let is = |attribute| style.is(attribute);
    let (fg, bg) = (theme.foreground(style.fg), theme.background(style.bg));
    // Of an inverse style the colours are those that are seen.
    let (fg, bg) = match is(Attributes::INVERSE) {
        true => (bg, fg),
        false => (fg, bg),
    };
    StyleJson {
        fg: Some(fg),
        bg: Some(bg),
        bold: is(Attributes::BOLD),
        italic: is(Attributes::ITALIC),
        faint: is(Attributes::FAINT),
        blink: is(Attributes::BLINK | Attributes::RAPID_BLINK),
        inverse: is(Attributes::INVERSE),
        invisible: is(Attributes::INVISIBLE),
        strikethrough: is(Attributes::STRIKETHROUGH),
        overline: is(Attributes::OVERLINE),
        underline: style.underline,
    }
}

/// A style in words, with the colours that were asked for.
fn named(style: &StyleJson, asked: &StyleJson) -> String {
    let mut words = Vec::new();
    if let Some(color) = style.fg.filter(|_| asked.fg.is_some()) {
        words.push(format!("fg {color}"));
    }
    if let Some(color) = style.bg.filter(|_| asked.bg.is_some()) {
        words.push(format!("bg {color}"));
    }
    let flags = [
        (style.bold, "bold"),
        (style.italic, "italic"),
        (style.faint, "faint"),
        (style.blink, "blink"),
        (style.inverse, "inverse"),
        (style.invisible, "invisible"),
        (style.strikethrough, "strikethrough"),
        (style.overline, "overline"),
        (style.underline != Underline::None, "underline"),
    ];
    words.extend(
        flags
            .iter()
            .filter(|(on, _)| *on)
            .map(|(_, name)| (*name).to_owned()),
    );
    match words.is_empty() {
        true => "no attribute".to_owned(),
        false => words.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::{Backend, Size, emulator};

    use super::*;

    fn screen(bytes: &str) -> Screen {
        let size = Size { cols: 10, rows: 2 };
        let mut emulator = Backend::default().emulator(size, emulator::Options::default());
        emulator.feed(bytes.as_bytes());
        emulator.screen()
    }

    fn at(col: usize, row: usize) -> Position {
        Position { row, col }
    }

    fn texts(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn cells_are_compared_one_by_one() {
        let screen = screen("A界é");
        cells(&screen, at(0, 0), &texts(&["A", "界", " ", "é", " "])).unwrap();
        let wrong = cells(&screen, at(1, 0), &texts(&["界", "x"])).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "column 2, row 0 shows \" \", and not \"x\""
        );
        let far = cells(&screen, at(9, 1), &texts(&[" ", " "])).unwrap_err();
        assert_eq!(
            far.to_string(),
            "column 10, row 1 is outside of the screen, which has 10 columns and 2 rows"
        );
    }

    #[test]
    fn a_style_is_exact_but_for_colours_that_are_not_named() {
        let screen = screen("\x1b[1;31mab\x1b[0mc");
        let theme = Theme::DARK;
        let bold = StyleJson {
            bold: true,
            ..StyleJson::default()
        };
        style(&screen, &theme, at(0, 0), 2, &bold).unwrap();
        let red = StyleJson {
            fg: Some(theme.indexed(1)),
            ..bold
        };
        style(&screen, &theme, at(0, 0), 2, &red).unwrap();
        let wrong = style(&screen, &theme, at(0, 0), 3, &red).unwrap_err();
        let fg = theme.fg;
        let named = format!(
            "column 2, row 0 is drawn with fg {fg}, and not with fg {}, bold",
            theme.indexed(1)
        );
        assert_eq!(wrong.to_string(), named);
        style(&screen, &theme, at(0, 0), 1, &StyleJson::default()).unwrap_err();
    }

    #[test]
    fn a_state_is_compared_as_the_format_holds_it() {
        let theme = Theme::DARK;
        let now = State {
            screen: screen("\x1b[31mred\x1b[0m"),
            scrollback: Vec::new(),
        };
        let options = state_json::Options::default();
        let json = StateJson::from_state(&now, &options).to_string();
        let kept = StateJson::parse(json).unwrap();
        state(&now, &theme, "x.json", &kept).unwrap();
        let other = State {
            screen: screen("\x1b[32mred\x1b[0m"),
            ..now
        };
        let wrong = state(&other, &theme, "x.json", &kept).unwrap_err();
        assert!(!wrong.details().is_empty());
    }

    #[test]
    fn a_text_is_there_or_it_is_not() {
        let screen = screen("Ready");
        text(&screen, "Ready").unwrap();
        absent(&screen, "Error").unwrap();
        let message = text(&screen, "Error").unwrap_err().to_string();
        assert_eq!(message, "text \"Error\" is not on the screen");
        absent(&screen, "Ready").unwrap_err();
    }
}
