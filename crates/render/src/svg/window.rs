//! What surrounds the cells, as SVG.
//!
//! Elsewhere: where everything is (`window.rs`).

use std::fmt::Write;

use screentest_core::Theme;

use crate::span::escape;
use crate::window::{Frame, TITLE_OPACITY, Window};
use crate::{Grid, Options};

/// The beginning of the file, up to what is drawn.
pub(super) fn open(
    out: &mut String,
    frame: &Frame,
    grid: Grid,
    options: &Options,
    theme: &Theme,
    title: &str,
) {
    let (width, height) = (frame.width(), frame.height());
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"screentest\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"",
        options.scale.times(width),
        options.scale.times(height)
    );
    escape::push(out, &options.font_family);
    let _ = write!(out, "\" font-size=\"{}\"", options.font_size);
    // Text is stretched to its columns; for readers that cannot, most fonts come close with this.
    let apart = (grid.cell_width as f32 - 0.6 * options.font_size) * 100.0;
    if apart.round() != 0.0 {
        let _ = write!(out, " letter-spacing=\"{}\"", apart.round() / 100.0);
    }
    let _ = writeln!(
        out,
        " fill=\"{}\" shape-rendering=\"crispEdges\" xml:space=\"preserve\">",
        theme.fg
    );
    if !title.is_empty() {
        out.push_str("<title>");
        escape::push(out, title);
        out.push_str("</title>\n");
    }
}

/// Draws the window and begins the group of the cells.
pub(super) fn surround(
    out: &mut String,
    frame: &Frame,
    window: &Window,
    theme: &Theme,
    grid: Grid,
) {
    let (x, y, radius) = (frame.x.start, frame.y.start, frame.radius);
    let (width, height) = (frame.x.len(), frame.y.len());
    let place =
        format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\"");
    let ground = theme.bg;
    let alone = (x, radius) == (0, 0);
    let whole = match alone {
        true => Some(ground),
        false => window.margin_fill.color(theme),
    };
    if let Some(color) = whole {
        let _ = writeln!(
            out,
            "<rect width=\"100%\" height=\"100%\" fill=\"{color}\"/>"
        );
    }
    if whole != Some(ground) {
        let _ = writeln!(
            out,
            "<rect {place} fill=\"{ground}\" shape-rendering=\"auto\"/>"
        );
    }
    bar(out, frame, window, grid);
    let (x, y) = (frame.cells_left, frame.cells_top);
    let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
}

/// The end of the file. Cells that reach into a round corner are covered there: to cut them off would take an id, and ids
/// of two pictures in one page would be the same.
pub(super) fn close(out: &mut String, frame: &Frame, window: &Window, theme: &Theme) {
    out.push_str("</g>\n");
    let radius = frame.radius;
    let reaches = radius > window.padding;
    if let Some(color) = window.margin_fill.color(theme).filter(|_| reaches) {
        let (left, right) = (frame.x.start, frame.x.end);
        let (top, bottom) = (frame.y.start, frame.y.end);
        let arc = |sweep: u8, x: &str, y: &str| {
            format!("a{radius} {radius} 0 0 {sweep} {x}{radius} {y}{radius}z")
        };
        let _ = writeln!(
            out,
            "<path fill=\"{color}\" shape-rendering=\"auto\" d=\"M{left} {top}h{radius}{}M{right} {top}h-{radius}{}\
             M{right} {bottom}h-{radius}{}M{left} {bottom}h{radius}{}\"/>",
            arc(0, "-", ""),
            arc(1, "", ""),
            arc(0, "", "-"),
            arc(1, "-", "-"),
        );
    }
    out.push_str("</svg>\n");
}

fn bar(out: &mut String, frame: &Frame, window: &Window, grid: Grid) {
    for button in frame.buttons(window.bar) {
        let thick = button.radius - button.hole;
        let color = button.color;
        let (radius, paint) = match button.hole > 0.0 {
            true => (
                button.radius - thick / 2.0,
                format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{thick}\""),
            ),
            false => (button.radius, format!("fill=\"{color}\"")),
        };
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\" {paint} shape-rendering=\"auto\"/>",
            button.x, button.y
        );
    }
    let Some(title) = frame.title(&window.title, grid.cell_width, grid.cell_height) else {
        return;
    };
    let x = frame.x.start + frame.x.len() / 2;
    let y = frame.y.start + (frame.bar_size - grid.cell_height) / 2 + grid.baseline;
    let opacity = (f32::from(TITLE_OPACITY) / 255.0 * 100.0).round() / 100.0;
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill-opacity=\"{opacity}\">"
    );
    escape::push(out, &title);
    out.push_str("</text>\n");
}
