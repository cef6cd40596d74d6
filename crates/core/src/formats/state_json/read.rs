//! Parser for State JSON.
//!
//! Reads the spans, not the text fields. `cluster.rs` decides which code points share a cell, even if
//! they are in different spans, and the cell's width. The
//! file is first parsed as generic JSON and then converted, so that errors can name the place.
//!
//! Betamax writes a space after each wide character, for its second column. Such a space cannot be
//! distinguished from a typed one, so it is read as text. There is one exception: if the row would
//! then be wider than the screen, and a space or the end of the row follows each of its wide
//! characters, these spaces are read as second columns.

use std::sync::Arc;

use serde_json::Value;

use super::json_path::JsonAt;
use super::{DefaultStyle, MAX_SCROLLBACK, StateJson, UNDERLINES};
use crate::screen::cluster::Cluster;
use crate::screen::row::LinkId;
use crate::{
    Attributes, Color, Cursor, Position, Rgb, Row, RowBuilder, Screen, Size, SizeError, State,
    Style, Underline, Width,
};

/// Reason why a text is not State JSON.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateJsonError {
    /// The text is not JSON.
    #[error("the text is not JSON")]
    Syntax(#[from] serde_json::Error),
    /// A required field is absent.
    #[error("`{place}` is missing")]
    Missing {
        /// The path of the field.
        place: String,
    },
    /// A value of the wrong type or form.
    #[error("`{place}` is `{found}`, not {expected}")]
    Kind {
        /// The path of the value.
        place: String,
        /// The value, shortened.
        found: String,
        /// A description of valid values.
        expected: &'static str,
    },
    /// A size that no screen can have.
    #[error("invalid `size`")]
    Size(#[from] SizeError),
    /// More rows than the screen or the scrollback can have.
    #[error("`{place}` has `{rows}` rows, but at most {max} are allowed")]
    Rows {
        /// The path of the rows.
        place: String,
        /// The number of rows.
        rows: usize,
        /// The largest allowed number.
        max: usize,
    },
    /// A row that is wider than the screen.
    #[error("`{place}` is `{width}` columns wide, but the screen has {cols} columns")]
    Width {
        /// The path of the row.
        place: String,
        /// Width of the row.
        width: usize,
        /// Width of the screen.
        cols: usize,
    },
    /// A number that is too large.
    #[error("`{place}` is `{value}`, more than the maximum of {max}")]
    TooLarge {
        /// The path of the number.
        place: String,
        /// The number.
        value: u64,
        /// The largest allowed value.
        max: u64,
    },
    /// A style index that is not in `styles`.
    #[error("`{place}` is style `{index}`, but there are {styles} styles")]
    Style {
        /// The path of the index.
        place: String,
        /// The index.
        index: u64,
        /// The number of styles.
        styles: usize,
    },
    /// A control character, which a cell cannot contain.
    #[error("`{place}` contains the control character `{}`", char.escape_unicode())]
    Control {
        /// The path of the span.
        place: String,
        /// The character.
        char: char,
    },
}

impl StateJson {
    /// Parses a state; unknown fields are ignored.
    pub fn parse(json: impl AsRef<[u8]>) -> Result<State, StateJsonError> {
        Ok(StateJson::parse_with_default_style(json)?.0)
    }

    /// Parses a state and its default style, which is needed to write the same file again.
    pub fn parse_with_default_style(
        json: impl AsRef<[u8]>,
    ) -> Result<(State, DefaultStyle), StateJsonError> {
        let json = json.as_ref();
        // Some editors start every text file with a byte order mark.
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let value: Value = serde_json::from_slice(json)?;
        let root = JsonAt::root(&value);
        let size = size(&root)?;
        let default = default_style(&root)?;
        let styles = StyleList::read(&root, &default)?;
        let mut reader = RowsReader {
            cols: size.cols.into(),
            styles: &styles,
            builder: RowBuilder::new(),
            blank: Arc::default(),
        };

        let mut rows = reader.rows(&root.needed("viewport")?, size.rows.into())?;
        rows.resize(size.rows.into(), Arc::clone(&reader.blank));
        // `scrollback_rows` also counts the blank rows next to the viewport, which `scrollback`
        // omits. A file may also contain more rows than `scrollback_rows` says.
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

fn size(root: &JsonAt<'_>) -> Result<Size, StateJsonError> {
    let size = root.needed("size")?;
    let [cols, rows] = size.pair("columns and rows")?;
    Ok(Size::checked(cols.number()?, rows.number()?)?)
}

fn text(root: &JsonAt<'_>, name: &str) -> Result<Arc<str>, StateJsonError> {
    match root.field(name)? {
        Some(text) => Ok(Arc::from(text.text()?)),
        None => Ok(Arc::from("")),
    }
}

fn cursor(root: &JsonAt<'_>, size: Size) -> Result<Cursor, StateJsonError> {
    let cursor = root.needed("cursor")?;
    // Some terminals report the column after the last one while a wrap is pending.
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

fn bounded(number: &JsonAt<'_>, max: u64) -> Result<u64, StateJsonError> {
    match number.number()? {
        value if value <= max => Ok(value),
        value => Err(StateJsonError::TooLarge {
            place: number.to_string(),
            value,
            max,
        }),
    }
}

fn default_style(root: &JsonAt<'_>) -> Result<DefaultStyle, StateJsonError> {
    let style = root.needed("default_style")?;
    Ok(DefaultStyle {
        fg: color(&style.needed("fg")?)?,
        bg: color(&style.needed("bg")?)?,
    })
}

/// The styles that spans refer to.
#[derive(Debug)]
struct StyleList(Vec<Style>);

impl StyleList {
    fn read(root: &JsonAt<'_>, default: &DefaultStyle) -> Result<StyleList, StateJsonError> {
        let Some(list) = root.field("styles")? else {
            return Ok(StyleList(Vec::new()));
        };
        let styles = list.items()?;
        let read = styles
            .iter()
            .map(|delta| style(delta, default.fg, default.bg));
        Ok(StyleList(read.collect::<Result<_, _>>()?))
    }
}

fn style(delta: &JsonAt<'_>, default_fg: Rgb, default_bg: Rgb) -> Result<Style, StateJsonError> {
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
        // The file has the colours as displayed.
        (fg, bg) = (bg, fg);
    }
    let or_default = |color: Rgb, default: Rgb| {
        if color == default {
            Color::Default
        } else {
            Color::Rgb(color)
        }
    };
    Ok(Style {
        fg: or_default(fg, default_fg),
        bg: or_default(bg, default_bg),
        underline: match delta.field("underline")? {
            Some(kind) => underline(&kind)?,
            None => Underline::None,
        },
        underline_color: Color::Default,
        attributes,
    })
}

fn color(at: &JsonAt<'_>) -> Result<Rgb, StateJsonError> {
    Rgb::parse(at.text()?).ok_or_else(|| at.not("a colour (`#rrggbb`)"))
}

fn underline(at: &JsonAt<'_>) -> Result<Underline, StateJsonError> {
    let name = at.text()?;
    // Betamax writes `unknown` for an underline of a kind that it does not know.
    if name == "unknown" {
        return Ok(Underline::Single);
    }
    UNDERLINES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, kind)| *kind)
        .ok_or_else(|| at.not("single, double, curly, dotted, dashed or none"))
}

/// The meaning of a space after a wide character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpaceMeaning {
    /// A space of the text.
    Typed,
    /// The character's second column.
    Filler,
}

#[derive(Debug)]
struct RowsReader<'a> {
    cols: usize,
    styles: &'a StyleList,
    builder: RowBuilder,
    /// Shared by all blank rows.
    blank: Arc<Row>,
}

impl RowsReader<'_> {
    /// Parses rows, at most `max`.
    fn rows(&mut self, at: &JsonAt<'_>, max: usize) -> Result<Vec<Arc<Row>>, StateJsonError> {
        let rows = at.items()?;
        if rows.len() > max {
            return Err(StateJsonError::Rows {
                place: at.to_string(),
                rows: rows.len(),
                max,
            });
        }
        rows.iter().map(|row| self.row(row)).collect()
    }

    fn row(&mut self, at: &JsonAt<'_>) -> Result<Arc<Row>, StateJsonError> {
        let spans = at.items()?;
        if spans.is_empty() {
            return Ok(Arc::clone(&self.blank));
        }
        let mut pieces = Vec::with_capacity(spans.len());
        for span in &spans {
            pieces.push(self.span(span)?);
        }
        let width = width(&pieces, SpaceMeaning::Typed);
        let meaning = match width {
            Some(width) if width <= self.cols => SpaceMeaning::Typed,
            _ if self::width(&pieces, SpaceMeaning::Filler).is_some_and(|w| w <= self.cols) => {
                SpaceMeaning::Filler
            }
            _ => {
                return Err(StateJsonError::Width {
                    place: at.to_string(),
                    width: width.unwrap_or(usize::MAX),
                    cols: self.cols,
                });
            }
        };
        Ok(Arc::new(self.build(&pieces, meaning)))
    }

    fn span<'s>(&self, at: &'s JsonAt<'s>) -> Result<(&'s str, Style), StateJsonError> {
        const EXPECTED: &str = "a string, or a string and a style number";
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
            None => Err(StateJsonError::Style {
                place: number.to_string(),
                index,
                styles: self.styles.0.len(),
            }),
        }
    }

    /// Builds the row from pieces that fit into the screen.
    fn build(&mut self, pieces: &[(&str, Style)], meaning: SpaceMeaning) -> Row {
        let builder = &mut self.builder;
        each_cell(pieces, meaning, |cell, style| {
            let width = if cell.columns == 2 {
                Width::Wide
            } else {
                Width::Narrow
            };
            let style = builder.style(style);
            builder.push_cluster(&cell.text, width, style, LinkId::NONE);
        });
        self.builder.finish()
    }
}

/// Calls `found` for each cell, with the style of its first character. Returns whether a space or the
/// end follows each wide character.
fn each_cell(
    pieces: &[(&str, Style)],
    meaning: SpaceMeaning,
    mut found: impl FnMut(&Cluster, &Style),
) -> bool {
    // A cell is complete when the next one starts, since characters of another span may join it.
    let mut cell = Cluster::default();
    let mut cell_style = Style::default();
    let mut after_wide = false;
    let mut spaced = true;
    for (text, style) in pieces {
        for c in text.chars() {
            if cell.add(c) {
                after_wide = cell.columns == 2;
                continue;
            }
            if after_wide {
                after_wide = false;
                spaced &= c == ' ';
                if c == ' ' && meaning == SpaceMeaning::Filler {
                    continue;
                }
            }
            if cell.columns > 0 {
                found(&cell, &cell_style);
            }
            cell.begin(c);
            cell_style = *style;
            after_wide = cell.columns == 2;
        }
    }
    if cell.columns > 0 {
        found(&cell, &cell_style);
    }
    spaced
}

/// Returns the text, or an error if it contains a control character.
fn checked<'a>(text: &JsonAt<'a>, span: &JsonAt<'_>) -> Result<&'a str, StateJsonError> {
    let text = text.text()?;
    match text.chars().find(|c| c.is_control()) {
        None => Ok(text),
        Some(char) => Err(StateJsonError::Control {
            place: span.to_string(),
            char,
        }),
    }
}

/// Returns the width of a row. Returns `None` for [`SpaceMeaning::Filler`] if a wide character is
/// followed by anything but a space, since spaces are then not fillers.
fn width(pieces: &[(&str, Style)], meaning: SpaceMeaning) -> Option<usize> {
    let mut width = 0;
    let spaced = each_cell(pieces, meaning, |cell, _| width += cell.columns);
    (spaced || meaning == SpaceMeaning::Typed).then_some(width)
}
