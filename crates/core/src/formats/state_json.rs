//! State JSON: a screen and its scrollback as text that people and tests read.
//!
//! The text stands alone in two fields, and again in spans with styles, which are the differences from the default one,
//! numbered in the order of their first use. Colours are the theme's. `docs/formats/state-json.md` gives the fields.
//!
//! Elsewhere: writing (`write.rs`), reading (`read.rs`), places in a JSON value (`place.rs`).

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::screen::row::LinkId;
use crate::screen::text_width;
use crate::screen::text_width::Found;
use crate::{
    Attributes, Color, Cursor, Modes, Rgb, Row, RowBuilder, Screen, State, Style, Theme, Underline,
    Width,
};

mod place;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::ParseError;

/// The most rows of scrollback that are written and read. A file that only claims them costs 800 KB.
pub const MAX_SCROLLBACK: usize = 100_000;

/// How a state is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The colours.
    pub theme: Theme,
    /// How many of the newest rows above the viewport belong to the written state; 0 for none.
    pub scrollback: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            theme: Theme::default(),
            scrollback: 10_000,
        }
    }
}

/// A state as it stands in the file. [`StateJson::from_state`] makes it, `to_string` writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StateJson {
    /// Columns and rows.
    pub size: [u16; 2],
    /// The rows of the viewport and those above it.
    pub total_rows: usize,
    /// The rows above the viewport.
    pub scrollback_rows: usize,
    /// The window's title.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Where the program says it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub working_directory: String,
    /// The cursor.
    pub cursor: CursorJson,
    /// What a plain string looks like.
    pub default_style: DefaultStyle,
    /// What the numbers in spans mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub styles: Vec<StyleJson>,
    /// The text of the viewport without blank rows at its end; each row ends in a newline.
    pub viewport_text: String,
    /// The text above the viewport, likewise.
    pub scrollback_text: String,
    /// The rows of the viewport without blank ones at its end.
    pub viewport: Vec<Vec<Span>>,
    /// The rows above the viewport, oldest first, likewise.
    pub scrollback: Vec<Vec<Span>>,
}

/// The cursor, counted from 0 within the viewport.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CursorJson {
    /// Its column.
    pub x: usize,
    /// Its row.
    pub y: usize,
    /// Whether it is shown.
    pub visible: bool,
}

/// The theme's own colours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DefaultStyle {
    /// Text.
    #[serde(serialize_with = "hex")]
    pub fg: Rgb,
    /// Background.
    #[serde(serialize_with = "hex")]
    pub bg: Rgb,
}

/// How a style differs from the default one. Of an inverse style the colours are those that are seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StyleJson {
    /// Text.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_hex")]
    pub fg: Option<Rgb>,
    /// Background.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_hex")]
    pub bg: Option<Rgb>,
    /// Bold.
    #[serde(skip_serializing_if = "is_false")]
    pub bold: bool,
    /// Italic.
    #[serde(skip_serializing_if = "is_false")]
    pub italic: bool,
    /// Faint.
    #[serde(skip_serializing_if = "is_false")]
    pub faint: bool,
    /// Blinking, slowly or fast.
    #[serde(skip_serializing_if = "is_false")]
    pub blink: bool,
    /// Text and background have changed places, here too.
    #[serde(skip_serializing_if = "is_false")]
    pub inverse: bool,
    /// Not drawn.
    #[serde(skip_serializing_if = "is_false")]
    pub invisible: bool,
    /// A line through the middle.
    #[serde(skip_serializing_if = "is_false")]
    pub strikethrough: bool,
    /// A line above.
    #[serde(skip_serializing_if = "is_false")]
    pub overline: bool,
    /// The line under it; [`Underline::None`] is left out.
    #[serde(skip_serializing_if = "is_none", serialize_with = "underline")]
    pub underline: Underline,
}

/// A piece of a row in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    /// In the default style: `"text"`.
    Plain(String),
    /// In `styles[1]`: `["text", 1]`.
    Styled(String, usize),
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Span::Plain(text) => text.serialize(serializer),
            Span::Styled(text, style) => (text, style).serialize(serializer),
        }
    }
}

/// Writes the file: indented by two spaces, no newline at the end.
impl fmt::Display for StateJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

/// The underlines by their names in the file.
const UNDERLINES: [(&str, Underline); 6] = [
    ("none", Underline::None),
    ("single", Underline::Single),
    ("double", Underline::Double),
    ("curly", Underline::Curly),
    ("dotted", Underline::Dotted),
    ("dashed", Underline::Dashed),
];

fn hex<S: Serializer>(color: &Rgb, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(color)
}

fn some_hex<S: Serializer>(color: &Option<Rgb>, serializer: S) -> Result<S::Ok, S::Error> {
    match color {
        Some(color) => hex(color, serializer),
        None => serializer.serialize_none(),
    }
}

fn underline<S: Serializer>(kind: &Underline, serializer: S) -> Result<S::Ok, S::Error> {
    let known = UNDERLINES.iter().find(|(_, known)| known == kind);
    serializer.serialize_str(known.map_or("none", |(name, _)| name))
}

// Serde hands over references.
fn is_false(value: &bool) -> bool {
    !value
}

fn is_none(kind: &Underline) -> bool {
    *kind == Underline::None
}

/// What is left of a state once this format has held it.
///
/// Lost are: how a colour was named, since colours are written as the theme shows them and read as exact ones, or as the
/// default where they equal it; the colour of an underline; the difference between slow and fast blinking; links; whether
/// a row wrapped; zones; the styles of blanks at the end of a row that do not show; the cursor's shape and pending wrap; modes,
/// and on the alternate screen what is above it; rows above beyond [`Options::scrollback`]. Characters whose width is not
/// the one in the tables, and controls, become what `docs/formats/state-json.md` says.
pub fn reduce(state: &State, options: &Options) -> State {
    let screen = &state.screen;
    let mut builder = RowBuilder::new();
    let mut reduced = |row: &Arc<Row>| {
        let cols = usize::from(screen.size.cols);
        Arc::new(reduce_row(row, cols, &options.theme, &mut builder))
    };
    let scrollback: Vec<Arc<Row>> = written_scrollback(state, options)
        .iter()
        .map(&mut reduced)
        .collect();
    State {
        screen: Screen {
            size: screen.size,
            rows: screen.rows.iter().map(&mut reduced).collect(),
            cursor: Cursor {
                position: screen.cursor.position,
                visible: screen.cursor.visible,
                ..Cursor::default()
            },
            title: Arc::clone(&screen.title),
            working_directory: Arc::clone(&screen.working_directory),
            modes: Modes::default(),
            scrollback_rows: scrollback.len(),
        },
        scrollback,
    }
}

/// The rows above the viewport that belong to the file.
fn written_scrollback<'a>(state: &'a State, options: &Options) -> &'a [Arc<Row>] {
    if state.screen.modes.alternate_screen {
        return &[];
    }
    let kept = options.scrollback.min(MAX_SCROLLBACK);
    let first = state.scrollback.len().saturating_sub(kept);
    &state.scrollback[first..]
}

fn reduce_row(row: &Row, cols: usize, theme: &Theme, builder: &mut RowBuilder) -> Row {
    let mut cells = Vec::new();
    for cell in text_width::cells(row, cols) {
        let style = reduce_style(cell.style, theme);
        let mut text = String::new();
        match text_width::push(&cell, &mut text) {
            Found::Narrow => cells.push((text, Width::Narrow, style)),
            Found::Wide => cells.push((text, Width::Wide, style)),
            Found::NarrowAndBlank => {
                cells.push((text, Width::Narrow, style));
                cells.push((" ".to_owned(), Width::Narrow, style));
            }
        }
    }
    while cells
        .last()
        .is_some_and(|(text, _, style)| text == " " && !style.shows_on_blank())
    {
        cells.pop();
    }
    for (text, width, style) in cells {
        let style = builder.style(&style);
        builder.push_cluster(&text, width, style, LinkId::NONE);
    }
    builder.finish()
}

fn reduce_style(style: &Style, theme: &Theme) -> Style {
    let exact = |seen: Rgb, default: Rgb| match seen == default {
        true => Color::Default,
        false => Color::Rgb(seen),
    };
    let mut attributes = style.attributes - Attributes::RAPID_BLINK;
    if style.is(Attributes::RAPID_BLINK) {
        attributes |= Attributes::BLINK;
    }
    Style {
        fg: exact(theme.foreground(style.fg), theme.fg),
        bg: exact(theme.background(style.bg), theme.bg),
        underline: style.underline,
        underline_color: Color::Default,
        attributes,
    }
}
