//! Converts a state to State JSON.
//!
//! Spans are trimmed before their styles are numbered, so that the style of removed trailing spaces
//! gets no number.

use std::collections::HashMap;
use std::sync::Arc;

use super::{
    CursorJson, DefaultStyle, ImageJson, PaletteJson, StateJson, StateJsonOptions, StateSpan,
    StyleJson, written_scrollback,
};
use crate::screen::text_width;
use crate::screen::text_width::WrittenCell;
use crate::{Attributes, ImagePlacement, Rgb, Row, ScreenColors, State, Style, Underline};

impl StateJson {
    /// Converts a state, with the theme and the scrollback limit of `options`.
    pub fn from_state(state: &State, options: &StateJsonOptions) -> StateJson {
        let screen = &state.screen;
        let above = written_scrollback(state, options);
        let colors = screen.colors(&options.theme);
        let mut writer = StateWriter {
            colors: &colors,
            cols: screen.size.cols.into(),
            styles: Vec::new(),
            numbers: HashMap::new(),
        };
        // The viewport's styles get the first numbers.
        let viewport = writer.region(&screen.rows);
        let scrollback = writer.region(above);
        StateJson {
            size: [screen.size.cols, screen.size.rows],
            total_rows: above.len() + usize::from(screen.size.rows),
            scrollback_rows: above.len(),
            title: screen.title.to_string(),
            working_directory: screen.working_directory.to_string(),
            cursor: CursorJson {
                x: screen.cursor.position.col,
                y: screen.cursor.position.row,
                visible: screen.cursor.visible,
            },
            default_style: DefaultStyle {
                fg: colors.fg,
                bg: colors.bg,
            },
            palette: PaletteJson::of(&screen.palette),
            viewport_text: text(&viewport),
            scrollback_text: text(&scrollback),
            styles: writer.styles,
            viewport,
            scrollback,
            images: screen.images.iter().map(image).collect(),
        }
    }
}

fn image(placed: &ImagePlacement) -> ImageJson {
    let pixels = placed.image.size();
    ImageJson {
        kind: placed.kind.name(),
        hash: placed.image.hash().to_hex(),
        pixels: [pixels.width, pixels.height],
        x: placed.col,
        y: placed.row,
        size: [placed.cols, placed.rows],
        z: placed.z,
    }
}

/// Returns the text of some rows without blank rows at the end. Spaces that are visible only by
/// their style are not text.
fn text(rows: &[Vec<StateSpan>]) -> String {
    let mut text = String::new();
    let mut end = 0;
    for row in rows {
        let start = text.len();
        for span in row {
            let (StateSpan::Plain(piece) | StateSpan::Styled(piece, _)) = span;
            text.push_str(piece);
        }
        text.truncate(text.trim_end_matches(' ').len().max(start));
        let blank = text.len() == start;
        text.push('\n');
        if !blank {
            end = text.len();
        }
    }
    text.truncate(end);
    text
}

struct StateWriter<'a> {
    colors: &'a ScreenColors,
    cols: usize,
    styles: Vec<StyleJson>,
    numbers: HashMap<DisplayedStyle, usize>,
}

impl StateWriter<'_> {
    fn region(&mut self, rows: &[Arc<Row>]) -> Vec<Vec<StateSpan>> {
        let mut region: Vec<Vec<StateSpan>> = rows.iter().map(|row| self.row(row)).collect();
        let shown = region.iter().rposition(|row| !row.is_empty());
        region.truncate(shown.map_or(0, |last| last + 1));
        region
    }

    fn row(&mut self, row: &Row) -> Vec<StateSpan> {
        let mut pieces: Vec<(DisplayedStyle, String)> = Vec::new();
        // Adjacent cells mostly share their style; resolve it once.
        let mut resolved: Option<(&Style, DisplayedStyle)> = None;
        for cell in text_width::cells(row, self.cols) {
            let seen = match resolved {
                Some((style, seen)) if style == cell.style => seen,
                _ => DisplayedStyle::new(cell.style, self.colors),
            };
            resolved = Some((cell.style, seen));
            if pieces.last().is_none_or(|(last, _)| *last != seen) {
                pieces.push((seen, String::new()));
            }
            let Some((_, text)) = pieces.last_mut() else {
                continue;
            };
            if text_width::push(&cell, text) == WrittenCell::NarrowAndBlank {
                text.push(' ');
            }
        }
        while let Some((seen, text)) = pieces.last_mut()
            && !seen.shows_on_blank(self.colors)
        {
            text.truncate(text.trim_end_matches(' ').len());
            if !text.is_empty() {
                break;
            }
            pieces.pop();
        }
        pieces
            .into_iter()
            .map(|(seen, text)| self.span(seen, text))
            .collect()
    }

    fn span(&mut self, seen: DisplayedStyle, text: String) -> StateSpan {
        let delta = seen.delta(self.colors);
        if delta == StyleJson::default() {
            return StateSpan::Plain(text);
        }
        let number = *self.numbers.entry(seen).or_insert_with(|| {
            self.styles.push(delta);
            self.styles.len() - 1
        });
        StateSpan::Styled(text, number)
    }
}

/// A style as displayed: RGB colours, swapped if it is inverse.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DisplayedStyle {
    fg: Rgb,
    bg: Rgb,
    underline: Underline,
    attributes: Attributes,
}

impl DisplayedStyle {
    fn new(style: &Style, colors: &ScreenColors) -> DisplayedStyle {
        let (fg, bg) = (colors.foreground(style.fg), colors.background(style.bg));
        let mut attributes = style.attributes - Attributes::RAPID_BLINK;
        if style.is(Attributes::RAPID_BLINK) {
            attributes |= Attributes::BLINK;
        }
        let (fg, bg) = if style.is(Attributes::INVERSE) {
            (bg, fg)
        } else {
            (fg, bg)
        };
        DisplayedStyle {
            fg,
            bg,
            underline: style.underline,
            attributes,
        }
    }

    fn shows_on_blank(&self, colors: &ScreenColors) -> bool {
        self.bg != colors.bg
            || self.underline != Underline::None
            || self
                .attributes
                .intersects(Attributes::INVERSE | Attributes::STRIKETHROUGH | Attributes::OVERLINE)
    }

    fn delta(&self, colors: &ScreenColors) -> StyleJson {
        let is = |attribute| self.attributes.contains(attribute);
        StyleJson {
            fg: (self.fg != colors.fg).then_some(self.fg),
            bg: (self.bg != colors.bg).then_some(self.bg),
            bold: is(Attributes::BOLD),
            italic: is(Attributes::ITALIC),
            faint: is(Attributes::FAINT),
            blink: is(Attributes::BLINK),
            inverse: is(Attributes::INVERSE),
            invisible: is(Attributes::INVISIBLE),
            strikethrough: is(Attributes::STRIKETHROUGH),
            overline: is(Attributes::OVERLINE),
            underline: self.underline,
        }
    }
}
