//! What a terminal shows and says after some output.
//!
//! Both terminals are reduced to this form before they are compared. Only what a person or a
//! program can notice is kept: a blank cell has no foreground colour unless a line or the inverse
//! attribute shows it, invisible text is blank (xterm does not even store it), and a row ends at
//! its last cell that is not blank.
//!
//! See also: `observation/stored.rs` (the form in files).

use screentest_core::{Attributes, Color, Size, Style, Underline, Width};

pub(crate) mod stored;

pub use stored::{parse_all, write_all};

/// The state of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// Size of the screen. A program can change it in xterm.
    pub size: Size,
    /// Rows from top to bottom, each without its trailing blank cells.
    pub rows: Vec<Vec<Cell>>,
    /// The cursor.
    pub cursor: CursorState,
    /// The window's title.
    pub title: String,
    /// The modes that are not as after a reset, such as `+origin` or `mouse=drags`.
    pub modes: Vec<String>,
    /// Everything that the terminal sent to the program.
    pub replies: Vec<u8>,
    /// Number of rows that were scrolled out.
    pub scrolled: usize,
    /// Text of the newest rows that were scrolled out, at most [`SCROLLBACK`], oldest first.
    pub scrollback: Vec<String>,
}

/// Number of rows of the scrollback whose text is compared.
pub const SCROLLBACK: usize = 8;
/// Maximum number of rows that both terminals keep.
pub const MAX_SCROLLBACK: usize = 1000;

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The text; empty for the second half of a wide character.
    pub text: String,
    /// Number of columns.
    pub width: Width,
    /// Colours and attributes. The second half of a wide character has those of the first.
    pub style: Style,
}

impl Cell {
    /// A cell that was never written.
    pub fn blank() -> Cell {
        Cell {
            text: " ".to_owned(),
            width: Width::Narrow,
            style: Style::default(),
        }
    }
}

/// The cursor, with coordinates from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorState {
    /// The row.
    pub row: usize,
    /// The column.
    pub col: usize,
    /// Whether the next character wraps.
    pub pending_wrap: bool,
    /// Whether the cursor is shown.
    pub visible: bool,
    /// The shape: `block`, `underline` or `bar`.
    pub shape: String,
    /// Whether the cursor blinks.
    pub blinking: bool,
}

/// Removes what no person can see: invisible text, styles of blank cells that show nothing, the
/// style of a wide character's second half, and trailing blank cells.
pub fn normalise(mut row: Vec<Cell>) -> Vec<Cell> {
    for cell in &mut row {
        if cell.style.is(Attributes::INVISIBLE) {
            (cell.text, cell.width) = (" ".to_owned(), Width::Narrow);
        }
    }
    for col in 0..row.len() {
        if row[col].width == Width::Spacer {
            let lead = col.checked_sub(1).map(|lead| row[lead].style);
            row[col].style = lead.unwrap_or_default();
        } else if row[col].text == " " {
            row[col].style = visible_on_blank(row[col].style);
        }
    }
    while row.last().is_some_and(|last| *last == Cell::blank()) {
        row.pop();
    }
    row
}

/// Returns the part of a style that shows on a blank cell.
fn visible_on_blank(style: Style) -> Style {
    let lines = Attributes::STRIKETHROUGH | Attributes::OVERLINE;
    let attributes = style.attributes & (Attributes::INVERSE | lines);
    let shows_foreground = style.underline != Underline::None || !attributes.is_empty();
    Style {
        fg: if shows_foreground {
            style.fg
        } else {
            Color::Default
        },
        attributes,
        ..style
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str, style: Style) -> Cell {
        Cell {
            text: text.to_owned(),
            style,
            ..Cell::blank()
        }
    }

    #[test]
    fn a_blank_keeps_only_what_shows() {
        let bold_red = Style {
            fg: Color::Indexed(1),
            attributes: Attributes::BOLD,
            ..Style::default()
        };
        assert_eq!(normalise(vec![cell(" ", bold_red)]), []);
        let inverse = Style {
            attributes: Attributes::BOLD | Attributes::INVERSE,
            ..bold_red
        };
        let kept = normalise(vec![cell(" ", inverse)]);
        assert_eq!(kept[0].style.fg, Color::Indexed(1));
        assert_eq!(kept[0].style.attributes, Attributes::INVERSE);
        assert_eq!(normalise(vec![cell("x", bold_red)])[0].style, bold_red);
    }

    #[test]
    fn invisible_text_is_blank() {
        let invisible = Style {
            bg: Color::Indexed(1),
            attributes: Attributes::INVISIBLE,
            ..Style::default()
        };
        let row = normalise(vec![cell("x", invisible), cell("y", Style::default())]);
        assert_eq!(
            (row[0].text.as_str(), row[0].style.bg),
            (" ", Color::Indexed(1))
        );
        assert_eq!(row[0].style.attributes, Attributes::empty());
        assert_eq!(row[1].text, "y");
    }

    #[test]
    fn a_spacer_has_the_style_of_its_character() {
        let red = Style {
            fg: Color::Indexed(1),
            ..Style::default()
        };
        let mut spacer = cell("", Style::default());
        spacer.width = Width::Spacer;
        let row = normalise(vec![cell("界", red), spacer]);
        assert_eq!(row[1].style, red);
    }
}
