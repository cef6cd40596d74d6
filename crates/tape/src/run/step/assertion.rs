//! Assertions about the current screen, evaluated once.

use screentest_core::formats::state_json::{self, StateJson, StyleJson};
use screentest_core::{
    Attributes, Condition, Diff, Position, Screen, ScreenColors, State, Style, Theme, Underline,
    Width,
};

/// Why an assertion does not hold: the expected and the actual value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(in crate::run) enum AssertionError {
    #[error("{0} is not on the screen")]
    Missing(String),
    #[error("{0} is on the screen")]
    Present(String),
    #[error(
        "column {col}, row {row} shows {actual}, expected {expected}",
        col = at.col,
        row = at.row
    )]
    Cell {
        at: Position,
        actual: String,
        expected: String,
    },
    #[error(
        "column {col}, row {row} is drawn with {actual}, expected {expected}",
        col = at.col,
        row = at.row
    )]
    Style {
        at: Position,
        actual: String,
        expected: String,
    },
    #[error("column {col}, row {row} is outside the screen of {size}", col = at.col, row = at.row)]
    Outside { at: Position, size: String },
    #[error("the screen differs from `{path}`")]
    State { path: String, differences: String },
}

impl AssertionError {
    /// Details that are too long for one line.
    pub(super) fn details(&self) -> &str {
        match self {
            AssertionError::State { differences, .. } => differences,
            _ => "",
        }
    }
}

/// Checks that a text is on the screen.
pub(super) fn text(screen: &Screen, text: &str) -> Result<(), AssertionError> {
    if screen.contains(text) {
        Ok(())
    } else {
        Err(AssertionError::Missing(Condition::text(text).to_string()))
    }
}

/// Checks that a text is not on the screen.
pub(super) fn absent(screen: &Screen, text: &str) -> Result<(), AssertionError> {
    if screen.contains(text) {
        Err(AssertionError::Present(Condition::text(text).to_string()))
    } else {
        Ok(())
    }
}

/// Checks the texts of cells, from a position on.
pub(super) fn cells(screen: &Screen, at: Position, cells: &[String]) -> Result<(), AssertionError> {
    for (offset, expected) in cells.iter().enumerate() {
        let at = inside(screen, at, offset)?;
        let cell = screen.cell(at);
        let mut actual = String::new();
        match cell.width {
            // The second half of a wide character has no text.
            Width::Spacer => actual.push(' '),
            _ => cell.push_to(&mut actual),
        }
        if actual != *expected {
            return Err(AssertionError::Cell {
                at,
                actual: format!("{actual:?}"),
                expected: format!("{expected:?}"),
            });
        }
    }
    Ok(())
}

/// Checks the style of `width` cells, from a position on. A colour that `expected` omits is not
/// compared; everything else must be equal.
pub(super) fn style(
    screen: &Screen,
    theme: &Theme,
    at: Position,
    width: u16,
    expected: &StyleJson,
) -> Result<(), AssertionError> {
    let colors = screen.colors(theme);
    for offset in 0..width.into() {
        let at = inside(screen, at, offset)?;
        let actual = to_style_json(screen.cell(at).style, &colors);
        let expected_style = StyleJson {
            fg: expected.fg.or(actual.fg),
            bg: expected.bg.or(actual.bg),
            ..expected.clone()
        };
        if actual != expected_style {
            return Err(AssertionError::Style {
                at,
                actual: describe_style(&actual, expected),
                expected: describe_style(expected, expected),
            });
        }
    }
    Ok(())
}

/// Compares the screen with a State JSON file.
pub(super) fn state(
    state: &State,
    theme: &Theme,
    path: &str,
    expected: &State,
) -> Result<(), AssertionError> {
    let options = state_json::StateJsonOptions {
        theme: theme.clone(),
        scrollback: state_json::MAX_SCROLLBACK,
    };
    let written = StateJson::from_state(state, &options).to_string();
    // The expected state was read from a file. The actual one is written and parsed as well, so
    // that properties that the format cannot represent do not count as differences.
    let actual = StateJson::parse(&written).unwrap_or_else(|_| state.clone());
    let diff = Diff::between(&expected.screen, &actual.screen);
    let mut differences = if diff.is_empty() {
        String::new()
    } else {
        diff.to_string()
    };
    let texts = |state: &State| -> Vec<String> {
        let rows = state.scrollback.iter();
        rows.map(|row| row.text().to_owned()).collect()
    };
    if texts(expected) != texts(&actual) {
        differences.push_str("the scrollback differs\n");
    }
    if differences.is_empty() {
        Ok(())
    } else {
        Err(AssertionError::State {
            path: path.to_owned(),
            differences,
        })
    }
}

/// Returns the position `offset` columns to the right; an error if it is outside the screen.
fn inside(screen: &Screen, at: Position, offset: usize) -> Result<Position, AssertionError> {
    let at = Position {
        col: at.col.saturating_add(offset),
        ..at
    };
    let size = screen.size;
    if at.col < usize::from(size.cols) && at.row < usize::from(size.rows) {
        Ok(at)
    } else {
        Err(AssertionError::Outside {
            at,
            size: format!("{} columns and {} rows", size.cols, size.rows),
        })
    }
}

/// Converts a style to State JSON. Both colours are set, even if they are the defaults.
fn to_style_json(style: &Style, colors: &ScreenColors) -> StyleJson {
    let is = |attribute| style.is(attribute);
    let (fg, bg) = (colors.foreground(style.fg), colors.background(style.bg));
    // State JSON stores the colours of an inverse style as displayed.
    let (fg, bg) = if is(Attributes::INVERSE) {
        (bg, fg)
    } else {
        (fg, bg)
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

/// Describes a style in words. A colour is included only if `requested` has it.
fn describe_style(style: &StyleJson, requested: &StyleJson) -> String {
    let mut words = Vec::new();
    if let Some(color) = style.fg.filter(|_| requested.fg.is_some()) {
        words.push(format!("fg {color}"));
    }
    if let Some(color) = style.bg.filter(|_| requested.bg.is_some()) {
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
    ];
    words.extend(
        flags
            .iter()
            .filter(|(on, _)| *on)
            .map(|(_, name)| (*name).to_owned()),
    );
    words.extend(match style.underline {
        Underline::None => None,
        Underline::Single => Some("single underline".to_owned()),
        Underline::Double => Some("double underline".to_owned()),
        Underline::Curly => Some("curly underline".to_owned()),
        Underline::Dotted => Some("dotted underline".to_owned()),
        Underline::Dashed => Some("dashed underline".to_owned()),
    });
    if words.is_empty() {
        "no attribute".to_owned()
    } else {
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::{Backend, Size, emulator};

    use super::*;

    fn screen(bytes: &str) -> Screen {
        let size = Size { cols: 10, rows: 2 };
        let mut emulator = Backend::default().emulator(size, emulator::EmulatorOptions::default());
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
            "column 2, row 0 shows \" \", expected \"x\""
        );
        let outside = cells(&screen, at(9, 1), &texts(&[" ", " "])).unwrap_err();
        assert_eq!(
            outside.to_string(),
            "column 10, row 1 is outside the screen of 10 columns and 2 rows"
        );
    }

    #[test]
    fn styles_are_compared_exactly_except_colours_not_given() {
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
        let expected = format!(
            "column 2, row 0 is drawn with fg {fg}, expected fg {}, bold",
            theme.indexed(1)
        );
        assert_eq!(wrong.to_string(), expected);
        style(&screen, &theme, at(0, 0), 1, &StyleJson::default()).unwrap_err();
    }

    #[test]
    fn a_difference_between_underlines_names_their_kinds() {
        let screen = screen("\x1b[4:3mcurly\x1b[m");
        let single = StyleJson {
            underline: Underline::Single,
            ..StyleJson::default()
        };
        let wrong = style(&screen, &Theme::DARK, at(0, 0), 1, &single).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "column 0, row 0 is drawn with curly underline, expected single underline"
        );
    }

    #[test]
    fn states_are_compared_as_state_json() {
        let theme = Theme::default();
        let now = State {
            screen: screen("\x1b[31mred\x1b[0m"),
            scrollback: Vec::new(),
        };
        let options = state_json::StateJsonOptions::default();
        let json = StateJson::from_state(&now, &options).to_string();
        let expected = StateJson::parse(json).unwrap();
        state(&now, &theme, "x.json", &expected).unwrap();
        let other = State {
            screen: screen("\x1b[32mred\x1b[0m"),
            ..now
        };
        let wrong = state(&other, &theme, "x.json", &expected).unwrap_err();
        assert!(!wrong.details().is_empty());
    }

    #[test]
    fn texts_are_present_or_absent() {
        let screen = screen("Ready");
        text(&screen, "Ready").unwrap();
        absent(&screen, "Error").unwrap();
        let message = text(&screen, "Error").unwrap_err().to_string();
        assert_eq!(message, "text \"Error\" is not on the screen");
        absent(&screen, "Ready").unwrap_err();
    }
}
