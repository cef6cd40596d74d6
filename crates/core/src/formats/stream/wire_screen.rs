//! The screen as viewers receive it: limited to what the format can represent, with a count of
//! bells.
//!
//! All losses happen here, for each row and text by itself. The result therefore does not depend on
//! the messages that transmitted it, and decoding a message returns exactly this value.

use std::sync::Arc;

use super::{MAX_NUMBER, MAX_ROW_BYTES, MAX_TEXT, image_list};
use crate::screen::row::{LinkId, StyleId};
use crate::{Row, RowBuilder, Screen, Size, Text, Width};

/// The most bytes of a cell: a piece with its own style.
const CELL: usize = 25;
/// The most bytes of a zone.
const ZONE: usize = 2;
/// The most bytes of a row without its cells: its index, its head and the number of its zones.
const HEAD: usize = 16;

/// The screen and the bells as a viewer receives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireScreen {
    screen: Screen,
    bells: u64,
}

impl WireScreen {
    /// Limits a screen and a number of bells to what the format can represent.
    ///
    /// Almost every screen remains unchanged. A title or a working directory of more than
    /// [`MAX_TEXT`] bytes is truncated, a row that could take more than [`MAX_ROW_BYTES`] bytes
    /// becomes unstyled text, cells outside the screen are dropped, and so are images after the
    /// first 300.
    pub fn new(mut screen: Screen, bells: u64) -> WireScreen {
        let size = screen.size.clamped();
        screen.size = size;
        screen.rows.resize_with(size.rows.into(), Arc::default);
        let cols = usize::from(size.cols);
        for row in &mut screen.rows {
            if row.len() > cols || last_zone(row) > cols {
                *row = Arc::new(cut(row, cols));
            }
            if weight(row) > MAX_ROW_BYTES {
                *row = Arc::new(text_alone(row));
            }
        }
        image_list::limit(&mut screen);
        let cursor = &mut screen.cursor.position;
        cursor.row = cursor.row.min(usize::from(size.rows) - 1);
        cursor.col = cursor.col.min(cols - 1);
        shorten(&mut screen.title);
        shorten(&mut screen.working_directory);
        let most = usize::try_from(MAX_NUMBER).unwrap_or(usize::MAX);
        screen.scrollback_rows = screen.scrollback_rows.min(most);
        WireScreen {
            screen,
            bells: bells.min(MAX_NUMBER),
        }
    }

    /// A blank screen without bells.
    pub(super) fn blank(size: Size) -> WireScreen {
        WireScreen {
            screen: Screen::blank(size),
            bells: 0,
        }
    }

    /// Returns the screen.
    pub fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Returns the number of bells so far.
    pub fn bells(&self) -> u64 {
        self.bells
    }

    pub(super) fn parts(&mut self) -> (&mut Screen, &mut u64) {
        (&mut self.screen, &mut self.bells)
    }
}

fn last_zone(row: &Row) -> usize {
    row.zones().last().map_or(0, |zone| zone.col.into())
}

/// Returns an upper bound of the bytes that a row adds to a message.
fn weight(row: &Row) -> usize {
    let links = row.links().iter();
    let links: usize = links
        .map(|link| link.uri.len() + link.id.as_ref().map_or(0, |id| id.len()) + 8)
        .sum();
    let joined: usize = if row.clusters().is_empty() {
        0
    } else {
        row.cells()
            .map(|cell| match cell.text {
                Text::Char(_) => 0,
                Text::Cluster(text) => text.len() + 3,
            })
            .sum()
    };
    HEAD + row.len() * CELL + row.zones().len() * ZONE + links + joined
}

/// Cuts a row to the screen's width. A wide character across the edge becomes a space.
fn cut(row: &Row, cols: usize) -> Row {
    let mut builder = RowBuilder::new();
    let mut zones = row.zones().iter().peekable();
    for col in 0..cols {
        while let Some(start) = zones.next_if(|start| usize::from(start.col) <= col) {
            builder.zone(start.zone);
        }
        let cell = row.cell(col);
        let style = builder.style(cell.style);
        let link = cell.link.map_or(LinkId::NONE, |link| builder.link(link));
        match (cell.width, cell.text) {
            // Already written together with the first half.
            (Width::Spacer, _) if builder.col() > col => {}
            (Width::Spacer, _) => builder.push_spacer(style, link),
            (Width::Wide, _) if col + 1 == cols => builder.push(' ', style, link),
            (Width::Wide, Text::Char(c)) => builder.push_wide(c, style, link),
            (Width::Narrow, Text::Char(c)) => builder.push(c, style, link),
            (width, Text::Cluster(text)) => builder.push_cluster(text, width, style, link),
        }
    }
    builder.wrapped(row.wrapped());
    builder.finish()
}

/// Returns the row with only the first code point of each cell, without styles, links and zones.
fn text_alone(row: &Row) -> Row {
    let mut builder = RowBuilder::new();
    let (style, link) = (StyleId::PLAIN, LinkId::NONE);
    for (col, cell) in row.cells().enumerate() {
        match cell.width {
            Width::Spacer if builder.col() > col => {}
            Width::Spacer => builder.push_spacer(style, link),
            Width::Narrow => builder.push(cell.char(), style, link),
            Width::Wide => builder.push_wide(cell.char(), style, link),
        }
    }
    builder.wrapped(row.wrapped());
    builder.finish()
}

fn shorten(text: &mut Arc<str>) {
    if text.len() > MAX_TEXT {
        let fits = |(at, c): &(usize, char)| at + c.len_utf8() <= MAX_TEXT;
        let kept: String = text
            .char_indices()
            .take_while(fits)
            .map(|(_, c)| c)
            .collect();
        *text = kept.into();
    }
}
