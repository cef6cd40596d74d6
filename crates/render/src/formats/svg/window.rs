//! Writes the window around the cells as SVG.
//!
//! See also: `layout/window.rs` (positions of its parts).

use std::fmt::Write;

use screentest_core::ScreenColors;

use crate::formats::span::escape;
use crate::layout::window::{TITLE_OPACITY, Window, WindowLayout};
use crate::{Fill, Grid, RenderOptions};

/// Writes the beginning of the file, up to the first shape.
pub(super) fn open(
    out: &mut String,
    layout: &WindowLayout,
    grid: Grid,
    options: &RenderOptions,
    colors: &ScreenColors,
    title: &str,
) {
    let (width, height) = (layout.width(), layout.height());
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"screentest\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"",
        options.scale.times(width),
        options.scale.times(height)
    );
    escape::push(out, &options.font_family);
    let _ = write!(out, "\" font-size=\"{}\"", options.font_size);
    // `textLength` stretches text to its columns. In viewers that do not support it, letter spacing
    // gives nearly the same width with most fonts.
    let apart = (grid.cell_width as f32 - 0.6 * options.font_size) * 100.0;
    if apart.round() != 0.0 {
        let _ = write!(out, " letter-spacing=\"{}\"", apart.round() / 100.0);
    }
    let _ = writeln!(
        out,
        " fill=\"{}\" shape-rendering=\"crispEdges\" xml:space=\"preserve\">",
        colors.fg
    );
    if !title.is_empty() {
        out.push_str("<title>");
        escape::push(out, title);
        out.push_str("</title>\n");
    }
}

/// Draws the window and opens the group of the cells.
pub(super) fn surround(
    out: &mut String,
    layout: &WindowLayout,
    window: &Window,
    colors: &ScreenColors,
    grid: Grid,
) {
    let (x, y, radius) = (layout.x.start, layout.y.start, layout.radius);
    let (width, height) = (layout.x.len(), layout.y.len());
    let place =
        format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\"");
    let ground = colors.bg;
    let alone = (x, radius) == (0, 0);
    let whole = if alone {
        Some(ground)
    } else {
        window.margin_fill.color(colors)
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
    bar(out, layout, window, grid);
    if is_cut(layout, window) {
        // The second declaration is exact, but newer; the first uses the extent of the drawn
        // shapes. Neither needs an id, and the ids of two pictures in one page would collide.
        let _ = writeln!(
            out,
            "<g style=\"clip-path:inset(0 round {radius}px);clip-path:inset({margin}px round {radius}px) view-box\">\n\
             <rect {place} fill=\"{ground}\" shape-rendering=\"auto\"/>",
            margin = layout.x.start,
        );
    }
    let (x, y) = (layout.cells_left, layout.cells_top);
    let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
}

/// Whether cells that reach into a round corner are clipped, because the corner is transparent.
fn is_cut(layout: &WindowLayout, window: &Window) -> bool {
    layout.radius > window.padding && window.margin_fill == Fill::Clear
}

/// Writes the end of the file. Cells that reach into a round corner are covered with the colour of
/// the margin: viewers other than browsers can only clip with an id.
pub(super) fn close(
    out: &mut String,
    layout: &WindowLayout,
    window: &Window,
    colors: &ScreenColors,
) {
    out.push_str("</g>\n");
    if is_cut(layout, window) {
        out.push_str("</g>\n");
    }
    let radius = layout.radius;
    let reaches = radius > window.padding;
    if let Some(color) = window.margin_fill.color(colors).filter(|_| reaches) {
        let (left, right) = (layout.x.start, layout.x.end);
        let (top, bottom) = (layout.y.start, layout.y.end);
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

fn bar(out: &mut String, layout: &WindowLayout, window: &Window, grid: Grid) {
    for button in layout.buttons(window.bar) {
        let thick = button.radius - button.hole;
        let color = button.color;
        let (radius, paint) = if button.hole > 0.0 {
            (
                button.radius - thick / 2.0,
                format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{thick}\""),
            )
        } else {
            (button.radius, format!("fill=\"{color}\""))
        };
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\" {paint} shape-rendering=\"auto\"/>",
            button.x, button.y
        );
    }
    let Some(title) = layout.title(&window.title, grid.cell_width, grid.cell_height) else {
        return;
    };
    let x = layout.x.start + layout.x.len() / 2;
    let y = layout.y.start + (layout.bar_size - grid.cell_height) / 2 + grid.baseline;
    let opacity = (f32::from(TITLE_OPACITY) / 255.0 * 100.0).round() / 100.0;
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill-opacity=\"{opacity}\""
    );
    // As wide as its cells in any font, so that it does not overlap the buttons.
    if title.cells() > 1 {
        let width = title.cells() * grid.cell_width;
        let _ = write!(
            out,
            " textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\""
        );
    }
    out.push('>');
    escape::push(out, &title.text);
    out.push_str("</text>\n");
}
