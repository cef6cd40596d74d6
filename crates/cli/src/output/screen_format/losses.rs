//! What a format does not keep of what a person sees.
//!
//! Formats lose much that no eye misses, such as how a row came to its end; their pages in docs/formats list all. Here is
//! counted, by cells, what makes people ask where it went.

use std::fmt;

use screentest::core::formats::vt2;
use screentest::core::{Attributes, CellView, Row, Screen, State, Style, Text, Underline, Width};

/// How many cells lost what.
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
    /// What VT2 loses of a screen, of which so many cells have lost the marks that join a character.
    pub(super) fn of_vt2(screen: &Screen, marks: usize) -> Losses {
        let mut losses = Losses {
            marks,
            ..Losses::default()
        };
        let kept = vt2::reduce(screen);
        for (row, kept) in screen.rows.iter().zip(&kept.rows) {
            for (col, cell) in row.cells().enumerate() {
                losses.count(&cell, kept.cell(col).style);
            }
        }
        losses
    }

    /// What State JSON loses of a state. It names colours in another way, and shows the same ones.
    pub(super) fn of_json(state: &State) -> Losses {
        let mut losses = Losses::default();
        for row in state.screen.rows.iter().chain(&state.scrollback) {
            let row: &Row = row;
            for cell in row.cells() {
                let kept = Style {
                    underline_color: Default::default(),
                    ..*cell.style
                };
                losses.count(&cell, &kept);
            }
        }
        losses
    }

    /// Counts what is no longer seen of a cell that is drawn in another style.
    fn count(&mut self, cell: &CellView<'_>, kept: &Style) {
        let style = cell.style;
        // A wide character is one thing to see.
        if style == kept || cell.width == Width::Spacer {
            return;
        }
        let blank = cell.text == Text::Char(' ');
        let inverse = style.is(Attributes::INVERSE);
        let lines = style.underline != Underline::None
            || style.is(Attributes::STRIKETHROUGH | Attributes::OVERLINE);
        // The colour of the text is that of its lines, and an inverse blank is filled with it.
        let ink = !blank || lines || inverse;
        let ground = !blank || lines || !inverse;
        let lost = |attributes: Attributes| style.is(attributes) && !kept.is(attributes);
        let colors = (ink && style.fg != kept.fg) || (ground && style.bg != kept.bg);
        self.colors += usize::from(colors);
        self.underline_kinds += usize::from(style.underline != kept.underline);
        self.underline_colors += usize::from(
            style.underline != Underline::None && style.underline_color != kept.underline_color,
        );
        self.overlines += usize::from(lost(Attributes::OVERLINE));
        self.blinking += usize::from(!blank && lost(Attributes::BLINK | Attributes::RAPID_BLINK));
    }

    /// Whether there are any.
    pub(crate) fn any(&self) -> bool {
        *self != Losses::default()
    }
}

/// What was lost, as a list for a sentence.
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
        let mut between = "";
        for (count, what) in all.into_iter().filter(|(count, _)| *count > 0) {
            let cells = if count == 1 { "cell" } else { "cells" };
            write!(f, "{between}{what} ({count} {cells})")?;
            between = ", ";
        }
        Ok(())
    }
}
