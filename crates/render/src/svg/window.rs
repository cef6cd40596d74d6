//! What surrounds the cells: padding, a bar with buttons and a title, round corners, a margin.
//!
//! From the inside out: cells, padding, the bar above, the corners, the margin. Lengths are in pixels.

use std::fmt::Write;

use screentest_core::{Rgb, Theme};

use super::shape::Cell;
use crate::span::escape;

/// The colours of the three buttons, from the left, as VHS has them.
const BUTTONS: [Rgb; 3] = [Rgb::hex(0xff4f4d), Rgb::hex(0xfebb00), Rgb::hex(0x00cc1d)];
/// The colour of rings.
const RING: Rgb = Rgb::hex(0x333333);

/// What surrounds the cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Space around the cells, in the theme's background.
    pub padding: usize,
    /// Space around the window.
    pub margin: usize,
    /// What the margin and the corners outside of the window are filled with.
    pub margin_fill: Fill,
    /// How round the corners of the window are.
    pub radius: usize,
    /// The bar above the cells.
    pub bar: Bar,
    /// How high the bar is, if there is one.
    pub bar_size: usize,
    /// What stands in the middle of the bar.
    pub title: String,
}

impl Default for Window {
    fn default() -> Window {
        Window {
            padding: 8,
            margin: 0,
            margin_fill: Fill::Theme,
            radius: 0,
            bar: Bar::None,
            bar_size: 30,
            title: String::new(),
        }
    }
}

/// What a margin is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fill {
    /// The theme's background.
    #[default]
    Theme,
    /// A colour.
    Color(Rgb),
    /// Nothing: what is behind the picture shows.
    Clear,
}

/// The bar of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Bar {
    /// No bar.
    #[default]
    None,
    /// Red, yellow and green buttons on the left.
    Colorful,
    /// The same on the right.
    ColorfulRight,
    /// Three rings on the left.
    Rings,
    /// The same on the right.
    RingsRight,
}

/// Where everything of a window is in the picture.
#[derive(Debug)]
pub(super) struct Frame {
    margin: usize,
    padding: usize,
    bar: usize,
    /// The window with its bar, without the margin.
    width: usize,
    height: usize,
    radius: usize,
}

impl Frame {
    /// The frame around cells that take this many pixels.
    pub(super) fn around(width: usize, height: usize, window: &Window) -> Frame {
        let bar = match window.bar {
            Bar::None => 0,
            _ => window.bar_size,
        };
        let around = |length: usize| length.saturating_add(window.padding.saturating_mul(2));
        let (width, height) = (around(width), around(height).saturating_add(bar));
        Frame {
            margin: window.margin,
            padding: window.padding,
            bar,
            width,
            height,
            radius: window.radius.min(width / 2).min(height / 2),
        }
    }

    /// The beginning of the file, up to what is drawn.
    pub(super) fn open(&self, out: &mut String, font_family: &str, cell: Cell, title: &str) {
        let whole = |length: usize| length.saturating_add(self.margin.saturating_mul(2));
        let (width, height) = (whole(self.width), whole(self.height));
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"",
        );
        escape::push(out, font_family);
        let _ = writeln!(
            out,
            "\" font-size=\"{}\" xml:space=\"preserve\">",
            cell.font_size
        );
        if !title.is_empty() {
            out.push_str("<title>");
            escape::push(out, title);
            out.push_str("</title>\n");
        }
    }

    /// Draws the window and begins the group of the cells.
    pub(super) fn surround(&self, out: &mut String, window: &Window, theme: &Theme, cell: Cell) {
        let Frame {
            margin,
            width,
            height,
            radius,
            ..
        } = *self;
        let outside = match window.margin_fill {
            Fill::Theme => Some(theme.bg),
            Fill::Color(color) => Some(color),
            Fill::Clear => None,
        };
        let place = format!(
            "x=\"{margin}\" y=\"{margin}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\""
        );
        let ground = theme.bg;
        let alone = (margin, radius) == (0, 0);
        let whole = if alone { Some(ground) } else { outside };
        if let Some(color) = whole {
            let _ = writeln!(
                out,
                "<rect width=\"100%\" height=\"100%\" fill=\"{color}\"/>"
            );
        }
        if whole != Some(ground) {
            let _ = writeln!(
                out,
                "<rect {place} fill=\"{ground}\" style=\"shape-rendering:auto\"/>"
            );
        }
        self.bar(out, window, theme, cell);
        let clip = match radius {
            0 => "",
            _ => {
                let _ = writeln!(out, "<clipPath id=\"window\"><rect {place}/></clipPath>");
                "<g clip-path=\"url(#window)\">\n"
            }
        };
        let (x, y) = (
            margin.saturating_add(self.padding),
            margin.saturating_add(self.padding).saturating_add(self.bar),
        );
        let _ = writeln!(out, "{clip}<g transform=\"translate({x} {y})\">");
    }

    /// The end of the file.
    pub(super) fn close(&self, out: &mut String) {
        if self.radius > 0 {
            out.push_str("</g>\n");
        }
        out.push_str("</g>\n</svg>\n");
    }

    fn bar(&self, out: &mut String, window: &Window, theme: &Theme, cell: Cell) {
        let (colors, ring) = match window.bar {
            Bar::None => return,
            Bar::Colorful | Bar::ColorfulRight => (BUTTONS, false),
            Bar::Rings | Bar::RingsRight => ([RING; 3], true),
        };
        // Sixths of a bar: a button is two of them wide, with one between it and the next.
        let sixth = self.bar as f32 / 6.0;
        let middle = self.margin as f32 + 3.0 * sixth;
        for (index, color) in colors.into_iter().enumerate() {
            let x = match window.bar {
                Bar::ColorfulRight | Bar::RingsRight => {
                    (self.margin + self.width) as f32
                        - 3.0 * sixth
                        - (2 - index) as f32 * 3.0 * sixth
                }
                _ => self.margin as f32 + 3.0 * sixth + index as f32 * 3.0 * sixth,
            };
            let (radius, paint) = match ring {
                true => (
                    sixth * 0.85,
                    format!(
                        "fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\"",
                        sixth * 0.3
                    ),
                ),
                false => (sixth, format!("fill=\"{color}\"")),
            };
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{middle}\" r=\"{radius}\" {paint}/>"
            );
        }
        // Three buttons take two bars' width; as much is left free on the other side.
        let most = self.width.saturating_sub(4 * self.bar) / cell.width;
        let title = window.title.trim();
        if most < 2 || title.is_empty() || self.bar < cell.height {
            return;
        }
        let shown: String = match title.chars().count() > most {
            true => title.chars().take(most - 1).chain(['…']).collect(),
            false => title.to_owned(),
        };
        let x = self.margin + self.width / 2;
        let y = self.margin + (self.bar - cell.height) / 2 + cell.baseline;
        let fill = theme.fg;
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{fill}\" fill-opacity=\"0.67\">"
        );
        escape::push(out, &shown);
        out.push_str("</text>\n");
    }
}
