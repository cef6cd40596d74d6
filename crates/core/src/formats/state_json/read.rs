//! Reading a state.
//!
//! The spans are read, not the texts. A code point takes the columns that the tables give it, and one that takes none
//! joins the cell before, in whatever span that was. The file is first read as any JSON value and then looked through, so that
//! an error names its place.
//!
//! Betamax writes a blank after each wide character, for its second column, and nothing tells these blanks from typed ones.
//! They are read as what they are in the text. Only where a row would then be wider than the screen, and every wide character
//! in it is followed by a blank or by the row's end, are they taken for second columns.

use std::sync::Arc;

use serde_json::Value;

use super::place::At;
use super::{DefaultStyle, MAX_SCROLLBACK, StateJson, UNDERLINES};
use crate::screen::row::LinkId;
use crate::screen::text_width::columns;
use crate::{
    Attributes, Color, Cursor, Position, Rgb, Row, RowBuilder, Screen, Size, SizeError, State,
    Style, Underline, Width,
};

/// Why a text is not a state.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Not JSON at all.
    #[error("the text is not JSON")]
    Syntax(#[from] serde_json::Error),
    /// A field is absent.
    #[error("`{place}` is missing")]
    Missing {
        /// Where it should be.
        place: String,
    },
    /// A value of another kind than belongs there.
    #[error("`{place}` is `{found}`, not {expected}")]
    Kind {
        /// Where it is.
        place: String,
        /// The value, shortened.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A size that no screen has.
    #[error("`size` is not a screen's")]
    Size(#[from] SizeError),
    /// More rows than there is room for.
    #[error("`{place}` has `{rows}` rows, more than the {max} there are")]
    Rows {
        /// Where they are.
        place: String,
        /// How many.
        rows: usize,
        /// How many there can be.
        max: usize,
    },
    /// A row that is wider than the screen.
    #[error("`{place}` is `{width}` columns wide, more than the {cols} of the screen")]
    Width {
        /// Which row.
        place: String,
        /// Its columns.
        width: usize,
        /// The screen's.
        cols: usize,
    },
    /// A number beyond its range.
    #[error("`{place}` is `{value}`, beyond {max}")]
    Beyond {
        /// Where it is.
        place: String,
        /// The number.
        value: u64,
        /// The largest there can be.
        max: u64,
    },
    /// The number of a style that is not in `styles`.
    #[error("`{place}` is style `{index}`, and there are {styles}")]
    Style {
        /// Where it is.
        place: String,
        /// The number.
        index: u64,
        /// How many styles there are.
        styles: usize,
    },
    /// A control character, which no cell holds.
    #[error("`{place}` holds the control character `{}`", char.escape_unicode())]
    Control {
        /// Which span.
        place: String,
        /// The character.
        char: char,
    },
}

impl StateJson {
    /// Reads a state; fields that are not known are passed over.
    pub fn parse(json: impl AsRef<[u8]>) -> Result<State, ParseError> {
        Ok(StateJson::parse_with_default_style(json)?.0)
    }

    /// Reads a state, and the colours of what is plain in it: with these the same file can be written again.
    pub fn parse_with_default_style(
        json: impl AsRef<[u8]>,
    ) -> Result<(State, DefaultStyle), ParseError> {
        let json = json.as_ref();
        // Some editors put a byte order mark before any text.
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let value: Value = serde_json::from_slice(json)?;
        let root = At::root(&value);
        let size = size(&root)?;
        let default = default_style(&root)?;
        let styles = Styles::read(&root, &default)?;
        let mut reader = Reader {
            cols: size.cols.into(),
            styles: &styles,
            builder: RowBuilder::new(),
            blank: Arc::default(),
        };

        let mut rows = reader.rows(&root.needed("viewport")?, size.rows.into())?;
        rows.resize(size.rows.into(), Arc::clone(&reader.blank));
        // Blank rows next to the viewport are left out above it too, and the number says how many they were. A file may
        // also hold more rows than it says.
        let claimed = match root.field("scrollback_rows")? {
            Some(rows) => bounded(&rows, MAX_SCROLLBACK as u64)? as usize,
            None => 0,
        };
        let mut scrollback = match root.field("scrollback")? {
            Some(above) => reader.rows(&above, MAX_SCROLLBACK)?,
            None => Vec::new(),
        };
        if scrollback.len() < claimed {
            scrollback.resize(claimed, Arc::clone(&reader.blank));
        }

        let state = State {
            screen: Screen {
                rows,
                cursor: cursor(&root, size)?,
                title: text(&root, "title")?,
                working_directory: text(&root, "working_directory")?,
                scrollback_rows: scrollback.len(),
                ..Screen::blank(size)
            },
            scrollback,
        };
        Ok((state, default))
    }
}

fn size(root: &At<'_>) -> Result<Size, ParseError> {
    let size = root.needed("size")?;
    let [cols, rows] = size.pair("columns and rows")?;
    Ok(Size::checked(cols.number()?, rows.number()?)?)
}

fn text(root: &At<'_>, name: &str) -> Result<Arc<str>, ParseError> {
    match root.field(name)? {
        Some(text) => Ok(Arc::from(text.text()?)),
        None => Ok(Arc::from("")),
    }
}

fn cursor(root: &At<'_>, size: Size) -> Result<Cursor, ParseError> {
    let cursor = root.needed("cursor")?;
    // A terminal whose wrap is pending may say that the cursor stands behind the last column.
    let x = bounded(&cursor.needed("x")?, size.cols.into())?;
    let y = bounded(&cursor.needed("y")?, u64::from(size.rows) - 1)?;
    Ok(Cursor {
        position: Position {
            row: y as usize,
            col: x.min(u64::from(size.cols) - 1) as usize,
        },
        visible: cursor.needed("visible")?.boolean()?,
        ..Cursor::default()
    })
}

fn bounded(number: &At<'_>, max: u64) -> Result<u64, ParseError> {
    match number.number()? {
        value if value <= max => Ok(value),
        value => Err(ParseError::Beyond {
            place: number.to_string(),
            value,
            max,
        }),
    }
}

fn default_style(root: &At<'_>) -> Result<DefaultStyle, ParseError> {
    let style = root.needed("default_style")?;
    Ok(DefaultStyle {
        fg: color(&style.needed("fg")?)?,
        bg: color(&style.needed("bg")?)?,
    })
}

/// The styles that spans name.
#[derive(Debug)]
struct Styles(Vec<Style>);

impl Styles {
    fn read(root: &At<'_>, default: &DefaultStyle) -> Result<Styles, ParseError> {
        let Some(list) = root.field("styles")? else {
            return Ok(Styles(Vec::new()));
        };
        let styles = list.items()?;
        let read = styles
            .iter()
            .map(|delta| style(delta, default.fg, default.bg));
        Ok(Styles(read.collect::<Result<_, _>>()?))
    }
}

fn style(delta: &At<'_>, default_fg: Rgb, default_bg: Rgb) -> Result<Style, ParseError> {
    let mut seen = [("fg", default_fg), ("bg", default_bg)];
    for (name, value) in &mut seen {
        if let Some(named) = delta.field(name)? {
            *value = color(&named)?;
        }
    }
    let [(_, mut fg), (_, mut bg)] = seen;
    let mut attributes = Attributes::empty();
    for (name, attribute) in [
        ("bold", Attributes::BOLD),
        ("italic", Attributes::ITALIC),
        ("faint", Attributes::FAINT),
        ("blink", Attributes::BLINK),
        ("inverse", Attributes::INVERSE),
        ("invisible", Attributes::INVISIBLE),
        ("strikethrough", Attributes::STRIKETHROUGH),
        ("overline", Attributes::OVERLINE),
    ] {
        if let Some(on) = delta.field(name)? {
            attributes.set(attribute, on.boolean()?);
        }
    }
    if attributes.contains(Attributes::INVERSE) {
        // The file has the colours as they are seen.
        (fg, bg) = (bg, fg);
    }
    let exact = |color: Rgb, default: Rgb| match color == default {
        true => Color::Default,
        false => Color::Rgb(color),
    };
    Ok(Style {
        fg: exact(fg, default_fg),
        bg: exact(bg, default_bg),
        underline: match delta.field("underline")? {
            Some(kind) => underline(&kind)?,
            None => Underline::None,
        },
        underline_color: Color::Default,
        attributes,
    })
}

fn color(at: &At<'_>) -> Result<Rgb, ParseError> {
    Rgb::parse(at.text()?).ok_or_else(|| at.not("a colour as `#rrggbb`"))
}

fn underline(at: &At<'_>) -> Result<Underline, ParseError> {
    let name = at.text()?;
    // Betamax says `unknown` of a line whose kind it does not know.
    if name == "unknown" {
        return Ok(Underline::Single);
    }
    UNDERLINES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, kind)| *kind)
        .ok_or_else(|| at.not("single, double, curly, dotted, dashed or none"))
}

/// What a blank after a wide character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blank {
    /// A blank.
    Typed,
    /// The character's second column.
    Filler,
}

#[derive(Debug)]
struct Reader<'a> {
    cols: usize,
    styles: &'a Styles,
    builder: RowBuilder,
    /// All blank rows are this one.
    blank: Arc<Row>,
}

impl Reader<'_> {
    /// Reads rows, at most `max`.
    fn rows(&mut self, at: &At<'_>, max: usize) -> Result<Vec<Arc<Row>>, ParseError> {
        let rows = at.items()?;
        if rows.len() > max {
            return Err(ParseError::Rows {
                place: at.to_string(),
                rows: rows.len(),
                max,
            });
        }
        rows.iter().map(|row| self.row(row)).collect()
    }

    fn row(&mut self, at: &At<'_>) -> Result<Arc<Row>, ParseError> {
        let spans = at.items()?;
        if spans.is_empty() {
            return Ok(Arc::clone(&self.blank));
        }
        let mut pieces = Vec::with_capacity(spans.len());
        for span in &spans {
            pieces.push(self.span(span)?);
        }
        let width = width(&pieces, Blank::Typed);
        let blank = match width {
            Some(width) if width <= self.cols => Blank::Typed,
            _ if self::width(&pieces, Blank::Filler).is_some_and(|w| w <= self.cols) => {
                Blank::Filler
            }
            _ => {
                return Err(ParseError::Width {
                    place: at.to_string(),
                    width: width.unwrap_or(usize::MAX),
                    cols: self.cols,
                });
            }
        };
        Ok(Arc::new(self.build(&pieces, blank)))
    }

    fn span<'s>(&self, at: &'s At<'s>) -> Result<(&'s str, Style), ParseError> {
        const EXPECTED: &str = "a string, or a string and the number of a style";
        if at.is_text() {
            return Ok((checked(at, at)?, Style::default()));
        }
        let Ok([text, number]) = at.pair(EXPECTED) else {
            return Err(at.not(EXPECTED));
        };
        let text = checked(&text, at)?;
        let index = number.number()?;
        let style = usize::try_from(index)
            .ok()
            .and_then(|index| self.styles.0.get(index));
        match style {
            Some(style) => Ok((text, *style)),
            None => Err(ParseError::Style {
                place: number.to_string(),
                index,
                styles: self.styles.0.len(),
            }),
        }
    }

    /// Makes the cells; the pieces are known to fit.
    fn build(&mut self, pieces: &[(&str, Style)], blank: Blank) -> Row {
        // A cell is finished when the next one begins, since marks may follow it.
        let mut cell = String::new();
        let mut cell_style = Style::default();
        let mut after_wide = false;
        for (text, style) in pieces {
            for c in text.chars() {
                match columns(c).unwrap_or(1) {
                    0 => {
                        if cell.is_empty() {
                            // Marks that begin a row have nothing to join.
                            cell.push(' ');
                            cell_style = *style;
                        }
                        cell.push(c);
                    }
                    _ if c == ' ' && after_wide && blank == Blank::Filler => after_wide = false,
                    columns => {
                        self.push(&cell, &cell_style);
                        cell.clear();
                        cell.push(c);
                        cell_style = *style;
                        after_wide = columns == 2;
                    }
                }
            }
        }
        self.push(&cell, &cell_style);
        self.builder.finish()
    }

    fn push(&mut self, cell: &str, style: &Style) {
        let Some(first) = cell.chars().next() else {
            return;
        };
        let width = match columns(first) {
            Some(2) => Width::Wide,
            _ => Width::Narrow,
        };
        let style = self.builder.style(style);
        self.builder.push_cluster(cell, width, style, LinkId::NONE);
    }
}

/// A text without control characters.
fn checked<'a>(text: &At<'a>, span: &At<'_>) -> Result<&'a str, ParseError> {
    let text = text.text()?;
    match text.chars().find(|c| c.is_control()) {
        None => Ok(text),
        Some(char) => Err(ParseError::Control {
            place: span.to_string(),
            char,
        }),
    }
}

/// The columns that a row takes; `None` where blanks cannot be fillers because one is missing.
fn width(pieces: &[(&str, Style)], blank: Blank) -> Option<usize> {
    let mut width = 0;
    let mut after_wide = false;
    for c in pieces.iter().flat_map(|(text, _)| text.chars()) {
        match columns(c).unwrap_or(1) {
            // Marks that begin a row get a blank to join.
            0 if width == 0 => width = 1,
            0 => {}
            _ if after_wide && blank == Blank::Filler => {
                if c != ' ' {
                    return None;
                }
                after_wide = false;
            }
            columns => {
                width += columns;
                after_wide = columns == 2;
            }
        }
    }
    Some(width)
}
