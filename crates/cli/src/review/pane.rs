//! Draws a screen in a box: its cells in their own colours, with marks below those that differ.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as RatPosition, Rect};
use ratatui::style::{Color as RatColor, Modifier, Style as RatStyle};
use ratatui::text::Span;
use ratatui::widgets::{Block, Borders, Widget};
use screentest::core::{Attributes, CellView, Color, Position, Screen, Style, Underline, Width};

use super::comparison::{ComparisonView, ViewLine};

/// Width and height that the border adds.
pub(crate) const BORDER: u16 = 2;

/// Whether a box has left and right sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sides {
    Drawn,
    /// Left out for lack of space.
    Open,
}

impl Sides {
    /// Returns the inner width of a box.
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
    pub(crate) view: &'a ComparisonView,
    /// The selected difference.
    pub(crate) difference: usize,
    /// The first visible line and column.
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
            .border_style(RatStyle::new().dim())
            .title(Span::styled(title, RatStyle::new().bold().not_dim()));
        let inner = block.inner(area);
        if let Some(part) = self.visible_part(inner) {
            block = block.title_bottom(part);
        }
        block.render(area, buffer);
        let lines = self.view.lines.iter().skip(self.start.0);
        for (y, line) in (inner.top()..inner.bottom()).zip(lines) {
            let strip = Rect {
                y,
                height: 1,
                ..inner
            };
            match line {
                ViewLine::Row(row) => self.draw_row(*row, strip, buffer),
                ViewLine::Marks(differences) => self.draw_marks(differences.clone(), strip, buffer),
            }
        }
    }
}

impl Pane<'_> {
    /// Describes which rows and columns are visible, unless all are.
    fn visible_part(&self, inner: Rect) -> Option<String> {
        let visible = self.view.lines.iter().skip(self.start.0);
        let mut rows = visible
            .take(inner.height.into())
            .filter_map(|line| match line {
                ViewLine::Row(row) => Some(row + 1),
                ViewLine::Marks(_) => None,
            });
        let size = self.view.comparison.size();
        let mut parts = Vec::new();
        let first = rows.next()?;
        let last = rows.next_back().unwrap_or(first);
        if self.view.lines.len() > usize::from(inner.height) {
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
            let Some(target) = buffer.cell_mut(RatPosition { x, y: strip.y }) else {
                continue;
            };
            if row >= usize::from(size.rows) || col >= usize::from(size.cols) {
                // The other screen is larger.
                target.set_char('·').set_style(RatStyle::new().dim());
                continue;
            }
            let position = Position { row, col };
            let cell = self.screen.cell(position);
            let mut style = rat_style(cell.style);
            let cursor = self.screen.cursor;
            if self.view.cursor.is_some() && cursor.visible && cursor.position == position {
                style.add_modifier ^= Modifier::REVERSED;
            }
            let space = strip.right() - x;
            target
                .set_symbol(&symbol(&cell, space.into()))
                .set_style(style);
        }
    }

    fn draw_marks(&self, differences: Range<usize>, strip: Rect, buffer: &mut Buffer) {
        for index in differences {
            let Some(difference) = self.view.differences.get(index) else {
                continue;
            };
            let mut style = RatStyle::new().fg(RatColor::Yellow).bold();
            if index == self.difference {
                style = style.reversed();
            }
            for (x, col) in (strip.left()..strip.right()).zip(self.start.1..) {
                if difference.cols.contains(&col)
                    && let Some(target) = buffer.cell_mut(RatPosition { x, y: strip.y })
                {
                    target.set_symbol(difference.mark()).set_style(style);
                }
            }
        }
    }
}

/// Returns the text to draw for a cell, with `space` columns left to the edge.
fn symbol(cell: &CellView<'_>, space: usize) -> String {
    let cols = match cell.width {
        // The first half of a wide character draws both halves, unless it is scrolled out.
        Width::Spacer => return " ".to_owned(),
        Width::Narrow => 1,
        Width::Wide => 2,
    };
    let mut text = String::new();
    cell.push_to(&mut text);
    // A character whose width the real terminal measures differently would shift the rest of the
    // row.
    match Span::raw(&text).width() {
        _ if text.contains(char::is_control) => " ".to_owned(),
        0 => " ".to_owned(),
        width if width > space => " ".to_owned(),
        width if width > cols => char::REPLACEMENT_CHARACTER.to_string(),
        _ => text,
    }
}

fn rat_style(style: &Style) -> RatStyle {
    let mut result = RatStyle::new()
        .fg(rat_color(style.fg))
        .bg(rat_color(style.bg));
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
            result = result.add_modifier(modifier);
        }
    }
    // ratatui has a single underline style and no overline. The description names the exact style.
    match style.underline {
        Underline::None => result,
        _ => result.underlined(),
    }
}

fn rat_color(color: Color) -> RatColor {
    match color {
        Color::Default => RatColor::Reset,
        Color::Indexed(index) => RatColor::Indexed(index),
        Color::Rgb(rgb) => RatColor::Rgb(rgb.r, rgb.g, rgb.b),
    }
}
