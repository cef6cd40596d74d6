//! Counts visible properties that a format cannot represent.
//!
//! Formats drop much that is invisible, such as how a row was wrapped; their pages in docs/formats
//! list everything. This module counts, in cells, the visible losses, which users would ask about.

use std::fmt;

use screentest::core::formats::vt2;
use screentest::core::{Attributes, CellView, Row, Screen, State, Style, Text, Underline, Width};

/// Number of cells that lost a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Losses {
    marks: usize,
    colors: usize,
    underline_kinds: usize,
    underline_colors: usize,
    overlines: usize,
    blinking: usize,
}

impl Losses {
    /// Counts what VT2 loses. `marks` is the number of cells that lost combining marks.
    pub(super) fn of_vt2(screen: &Screen, marks: usize) -> Losses {
        let mut losses = Losses {
            marks,
            ..Losses::default()
        };
        let stored = vt2::reduce(screen);
        for (row, stored) in screen.rows.iter().zip(&stored.rows) {
            for (col, cell) in row.cells().enumerate() {
                // Colours that the program has changed are stored as RGB.
                let style = &screen.palette.resolve(cell.style);
                losses.count(&CellView { style, ..cell }, stored.cell(col).style);
            }
        }
        losses
    }

    /// Counts what State JSON loses. It stores colours differently, but shows the same ones.
    pub(super) fn of_json(state: &State) -> Losses {
        let mut losses = Losses::default();
        for row in state.screen.rows.iter().chain(&state.scrollback) {
            let row: &Row = row;
            for cell in row.cells() {
                let stored = Style {
                    underline_color: Default::default(),
                    ..*cell.style
                };
                losses.count(&cell, &stored);
            }
        }
        losses
    }

    /// Counts the visible difference of a cell that is stored with another style.
    fn count(&mut self, cell: &CellView<'_>, stored: &Style) {
        let style = cell.style;
        // A wide character counts once.
        if style == stored || cell.width == Width::Spacer {
            return;
        }
        let is_space = cell.text == Text::Char(' ');
        let inverse = style.is(Attributes::INVERSE);
        let lines = style.underline != Underline::None
            || style.is(Attributes::STRIKETHROUGH | Attributes::OVERLINE);
        // Underlines have the colour of the text, and an inverse space is filled with it.
        let shows_fg = !is_space || lines || inverse;
        let shows_bg = !is_space || lines || !inverse;
        let loses = |attributes: Attributes| style.is(attributes) && !stored.is(attributes);
        let colors = (shows_fg && style.fg != stored.fg) || (shows_bg && style.bg != stored.bg);
        self.colors += usize::from(colors);
        self.underline_kinds += usize::from(style.underline != stored.underline);
        self.underline_colors += usize::from(
            style.underline != Underline::None && style.underline_color != stored.underline_color,
        );
        self.overlines += usize::from(loses(Attributes::OVERLINE));
        self.blinking +=
            usize::from(!is_space && loses(Attributes::BLINK | Attributes::RAPID_BLINK));
    }

    /// Returns whether anything was lost.
    pub(crate) fn any(&self) -> bool {
        *self != Losses::default()
    }
}

/// A list for a sentence.
impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.marks, "combining marks"),
            (self.colors, "colours"),
            (self.underline_kinds, "kinds of underlines"),
            (self.underline_colors, "colours of underlines"),
            (self.overlines, "overlines"),
            (self.blinking, "blinking"),
        ];
        let mut separator = "";
        for (count, what) in all.into_iter().filter(|(count, _)| *count > 0) {
            let cells = if count == 1 { "cell" } else { "cells" };
            write!(f, "{separator}{what} ({count} {cells})")?;
            separator = ", ";
        }
        Ok(())
    }
}
