//! State JSON: a screen and its scrollback as text that people and tests read.
//!
//! The text is stored twice: plain in two fields, and as spans with styles. A style lists only the
//! differences from the default one; styles are numbered in the order of their first use. Colours
//! are RGB, as they are displayed: those of the theme, except where the program has changed them.
//! `docs/formats/state-json.md` gives the fields.
//!
//! See also: `write.rs`, `read.rs`, `json_path.rs` (paths in a JSON value, for errors).

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::screen::row::LinkId;
use crate::screen::text_width;
use crate::screen::text_width::WrittenCell;
use crate::{
    Attributes, Color, Cursor, Modes, Rgb, Row, RowBuilder, Screen, ScreenColors, State, Style,
    Theme, Underline, Width,
};

mod json_path;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use crate::formats::palette_json::PaletteJson;
pub use read::StateJsonError;

/// Limit on scrollback rows, for writing and reading. A file that only claims to have them costs
/// 800 KB of memory.
pub const MAX_SCROLLBACK: usize = 100_000;

/// Options for writing a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateJsonOptions {
    /// The theme that gives the colours.
    pub theme: Theme,
    /// The number of scrollback rows to write, counted from the newest; 0 for none.
    pub scrollback: usize,
}

impl Default for StateJsonOptions {
    fn default() -> StateJsonOptions {
        StateJsonOptions {
            theme: Theme::default(),
            scrollback: 10_000,
        }
    }
}

/// The content of a State JSON file. [`StateJson::from_state`] creates it, `to_string` serializes
/// it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StateJson {
    /// Columns and rows.
    pub size: [u16; 2],
    /// Number of rows of the viewport and the scrollback.
    pub total_rows: usize,
    /// Number of rows of the scrollback.
    pub scrollback_rows: usize,
    /// The window's title.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The working directory that the program reported.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub working_directory: String,
    /// The cursor.
    pub cursor: CursorJson,
    /// The style of spans that are plain strings.
    pub default_style: DefaultStyle,
    /// The colours that the program has changed. Not needed to show the state: all other colours in
    /// the file are those that are displayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette: Option<PaletteJson>,
    /// The styles that spans refer to by index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub styles: Vec<StyleJson>,
    /// The text of the viewport without blank rows at its end; each row ends with a newline.
    pub viewport_text: String,
    /// The text of the scrollback, in the same form.
    pub scrollback_text: String,
    /// The rows of the viewport without blank rows at its end.
    pub viewport: Vec<Vec<StateSpan>>,
    /// The rows of the scrollback, oldest first, in the same form.
    pub scrollback: Vec<Vec<StateSpan>>,
    /// The images of the viewport, in drawing order. An addition to the format: it is absent if
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ImageJson>,
}

/// An image of the viewport. Rows and columns count from 0; they are negative if a part of the
/// image has scrolled out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImageJson {
    /// The protocol: `sixel`, `kitty` or `iterm`.
    pub kind: &'static str,
    /// The hash of its content, 64 hexadecimal digits.
    pub hash: String,
    /// Width and height in pixels.
    pub pixels: [u32; 2],
    /// The column of its first cell.
    pub x: i32,
    /// The row of its first cell.
    pub y: i32,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Drawing order; negative below the text.
    #[serde(skip_serializing_if = "is_zero")]
    pub z: i32,
}

/// The cursor, counted from 0 within the viewport.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CursorJson {
    /// Its column.
    pub x: usize,
    /// Its row.
    pub y: usize,
    /// Whether it is visible.
    pub visible: bool,
}

/// The default colours: those of the theme, or those to which the program has changed them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DefaultStyle {
    /// Foreground.
    #[serde(serialize_with = "hex")]
    pub fg: Rgb,
    /// Background.
    #[serde(serialize_with = "hex")]
    pub bg: Rgb,
}

/// The differences of a style from the default one. The colours of an inverse style are stored as
/// displayed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StyleJson {
    /// Foreground.
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
    /// Inverse. `fg` and `bg` are already swapped.
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
    /// Underline; [`Underline::None`] is omitted.
    #[serde(skip_serializing_if = "is_none", serialize_with = "underline")]
    pub underline: Underline,
}

/// A part of a row with one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateSpan {
    /// With the default style: `"text"`.
    Plain(String),
    /// With `styles[1]`: `["text", 1]`.
    Styled(String, usize),
}

impl Serialize for StateSpan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            StateSpan::Plain(text) => text.serialize(serializer),
            StateSpan::Styled(text, style) => (text, style).serialize(serializer),
        }
    }
}

/// Serializes the file: indented by two spaces, without a newline at the end.
impl fmt::Display for StateJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

/// The names of the underlines in the file.
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

fn is_zero(z: &i32) -> bool {
    *z == 0
}

// Serde passes a reference.
fn is_false(value: &bool) -> bool {
    !value
}

fn is_none(kind: &Underline) -> bool {
    *kind == Underline::None
}

/// Returns the part of a state that this format can store.
///
/// These are lost:
///
/// - the kind of each colour: colours are written as they are displayed and read as RGB, or as the
///   default if they equal it;
/// - underline colours, the difference between slow and fast blinking, and links;
/// - styles of spaces at the end of a row if they do not show there, wrap flags, and zones;
/// - the cursor's shape and pending wrap, and the modes;
/// - the images, which are listed, but not read;
/// - the scrollback of the alternate screen, and rows beyond [`StateJsonOptions::scrollback`].
///
/// Control characters, and characters whose width differs from the tables, become the replacements
/// that `docs/formats/state-json.md` lists.
pub fn reduce(state: &State, options: &StateJsonOptions) -> State {
    let screen = &state.screen;
    let colors = screen.colors(&options.theme);
    let mut builder = RowBuilder::new();
    let mut reduced = |row: &Arc<Row>| {
        let cols = usize::from(screen.size.cols);
        Arc::new(reduce_row(row, cols, &colors, &mut builder))
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
            palette: screen.palette.clone(),
            scrollback_rows: scrollback.len(),
            images: Arc::default(),
        },
        scrollback,
    }
}

/// Returns the scrollback rows that the file contains.
fn written_scrollback<'a>(state: &'a State, options: &StateJsonOptions) -> &'a [Arc<Row>] {
    if state.screen.modes.alternate_screen {
        return &[];
    }
    let kept = options.scrollback.min(MAX_SCROLLBACK);
    let first = state.scrollback.len().saturating_sub(kept);
    &state.scrollback[first..]
}

fn reduce_row(row: &Row, cols: usize, colors: &ScreenColors, builder: &mut RowBuilder) -> Row {
    let mut cells = Vec::new();
    for cell in text_width::cells(row, cols) {
        let style = reduce_style(cell.style, colors);
        let mut text = String::new();
        match text_width::push(&cell, &mut text) {
            WrittenCell::Narrow => cells.push((text, Width::Narrow, style)),
            WrittenCell::Wide => cells.push((text, Width::Wide, style)),
            WrittenCell::NarrowAndBlank => {
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

fn reduce_style(style: &Style, colors: &ScreenColors) -> Style {
    let exact = |seen: Rgb, default: Rgb| {
        if seen == default {
            Color::Default
        } else {
            Color::Rgb(seen)
        }
    };
    let mut attributes = style.attributes - Attributes::RAPID_BLINK;
    if style.is(Attributes::RAPID_BLINK) {
        attributes |= Attributes::BLINK;
    }
    Style {
        fg: exact(colors.foreground(style.fg), colors.fg),
        bg: exact(colors.background(style.bg), colors.bg),
        underline: style.underline,
        underline_color: Color::Default,
        attributes,
    }
}
