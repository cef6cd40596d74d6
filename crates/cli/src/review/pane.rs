//! A screen in a box: its cells in their own colours, with marks below those that differ.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Place, Rect};
use ratatui::style::{Color as Ink, Modifier, Style as Look};
use ratatui::text::Span;
use ratatui::widgets::{Block, Borders, Widget};
use screentest::core::{Attributes, CellView, Color, Position, Screen, Style, Underline, Width};

use super::comparison::{Line, Shown};

/// What a box takes besides what is in it, in each direction.
pub(crate) const BORDER: u16 = 2;

/// Whether a box has sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sides {
    Drawn,
    /// Left out, for want of room.
    Open,
}

impl Sides {
    /// The columns inside of a box that is so wide.
    pub(crate) fn inside(self, width: u16) -> u16 {
        match self {
            Sides::Drawn => width.saturating_sub(BORDER),
            Sides::Open => width,
        }
    }
}

/// One of the two screens.
#[derive(Debug)]
pub(crate) struct Pane<'a> {
    pub(crate) title: &'a str,
    pub(crate) screen: &'a Screen,
    pub(crate) shown: &'a Shown,
    /// The difference that `d` has reached.
    pub(crate) difference: usize,
    /// The first line and column that are seen.
    pub(crate) start: (usize, usize),
    pub(crate) sides: Sides,
}

impl Widget for &Pane<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let title = format!(" {} {} ", self.title, self.screen.size);
        let borders = match self.sides {
            Sides::Drawn => Borders::ALL,
            Sides::Open => Borders::TOP | Borders::BOTTOM,
        };
        let mut block = Block::new()
            .borders(borders)
            .border_style(Look::new().dim())
            .title(Span::styled(title, Look::new().bold().not_dim()));
        let inner = block.inner(area);
        if let Some(part) = self.part(inner) {
            block = block.title_bottom(part);
        }
        block.render(area, buffer);
        let lines = self.shown.lines.iter().skip(self.start.0);
        for (y, line) in (inner.top()..inner.bottom()).zip(lines) {
            let strip = Rect {
                y,
                height: 1,
                ..inner
            };
            match line {
                Line::Row(row) => self.draw_row(*row, strip, buffer),
                Line::Marks(differences) => self.draw_marks(differences.clone(), strip, buffer),
            }
        }
    }
}

impl Pane<'_> {
    /// Which part is seen, where that is not all.
    fn part(&self, inner: Rect) -> Option<String> {
        let seen = self.shown.lines.iter().skip(self.start.0);
        let mut rows = seen
            .take(inner.height.into())
            .filter_map(|line| match line {
                Line::Row(row) => Some(row + 1),
                Line::Marks(_) => None,
            });
        let size = self.shown.comparison.size();
        let mut parts = Vec::new();
        let first = rows.next()?;
        let last = rows.next_back().unwrap_or(first);
        if self.shown.lines.len() > usize::from(inner.height) {
            parts.push(format!("rows {first} to {last} of {}", size.rows));
        }
        if size.cols > inner.width {
            let (first, last) = (self.start.1 + 1, self.start.1 + usize::from(inner.width));
            parts.push(format!("columns {first} to {last} of {}", size.cols));
        }
        (!parts.is_empty()).then(|| format!(" {} ", parts.join(", ")))
    }

    fn draw_row(&self, row: usize, strip: Rect, buffer: &mut Buffer) {
        let size = self.screen.size;
        for (x, col) in (strip.left()..strip.right()).zip(self.start.1..) {
            let Some(place) = buffer.cell_mut(Place { x, y: strip.y }) else {
                continue;
            };
            if row >= usize::from(size.rows) || col >= usize::from(size.cols) {
                // The other screen is larger.
                place.set_char('·').set_style(Look::new().dim());
                continue;
            }
            let position = Position { row, col };
            let cell = self.screen.cell(position);
            let mut look = look(cell.style);
            let cursor = self.screen.cursor;
            if self.shown.cursor.is_some() && cursor.visible && cursor.position == position {
                look.add_modifier ^= Modifier::REVERSED;
            }
            let room = strip.right() - x;
            place
                .set_symbol(&symbol(&cell, room.into()))
                .set_style(look);
        }
    }

    fn draw_marks(&self, differences: Range<usize>, strip: Rect, buffer: &mut Buffer) {
        for index in differences {
            let Some(difference) = self.shown.differences.get(index) else {
                continue;
            };
            let mut look = Look::new().fg(Ink::Yellow).bold();
            if index == self.difference {
                look = look.reversed();
            }
            for (x, col) in (strip.left()..strip.right()).zip(self.start.1..) {
                if difference.cols.contains(&col)
                    && let Some(place) = buffer.cell_mut(Place { x, y: strip.y })
                {
                    place.set_symbol(difference.mark()).set_style(look);
                }
            }
        }
    }
}

/// A cell's text as it can stand in a place with so many columns to the edge.
fn symbol(cell: &CellView<'_>, room: usize) -> String {
    let cols = match cell.width {
        // The first half has drawn both, unless it is out of sight.
        Width::Spacer => return " ".to_owned(),
        Width::Narrow => 1,
        Width::Wide => 2,
    };
    let mut text = String::new();
    cell.push_to(&mut text);
    // A character that the terminal around us would measure otherwise would push the rest of the row aside.
    match Span::raw(&text).width() {
        _ if text.contains(char::is_control) => " ".to_owned(),
        0 => " ".to_owned(),
        width if width > room => " ".to_owned(),
        width if width > cols => char::REPLACEMENT_CHARACTER.to_string(),
        _ => text,
    }
}

fn look(style: &Style) -> Look {
    let mut look = Look::new().fg(ink(style.fg)).bg(ink(style.bg));
    for (attribute, modifier) in [
        (Attributes::BOLD, Modifier::BOLD),
        (Attributes::FAINT, Modifier::DIM),
        (Attributes::ITALIC, Modifier::ITALIC),
        (Attributes::BLINK, Modifier::SLOW_BLINK),
        (Attributes::RAPID_BLINK, Modifier::RAPID_BLINK),
        (Attributes::INVERSE, Modifier::REVERSED),
        (Attributes::INVISIBLE, Modifier::HIDDEN),
        (Attributes::STRIKETHROUGH, Modifier::CROSSED_OUT),
    ] {
        if style.is(attribute) {
            look = look.add_modifier(modifier);
        }
    }
    // One kind of line has to do for all, and none stands above; the difference in words tells them apart.
    match style.underline {
        Underline::None => look,
        _ => look.underlined(),
    }
}

fn ink(color: Color) -> Ink {
    match color {
        Color::Default => Ink::Reset,
        Color::Indexed(index) => Ink::Indexed(index),
        Color::Rgb(rgb) => Ink::Rgb(rgb.r, rgb.g, rgb.b),
    }
}
