//! Writes the window around the cells as HTML.
//!
//! A window with a margin, a bar or round corners with a fill is a `pre` in boxes (`div`); any
//! other window is only the `pre`.

use std::fmt::Write;

use screentest_core::ScreenColors;

use crate::formats::span::escape;
use crate::layout::window::{Bar, TITLE_OPACITY, Window, WindowLayout};
use crate::{Fill, Grid, RenderOptions, Scale};

/// Opens the elements around the rows. Images are positioned relative to the rows.
pub(super) fn open(
    out: &mut String,
    cols: usize,
    colors: &ScreenColors,
    options: &RenderOptions,
    has_images: bool,
) {
    let ScreenColors { fg, bg, .. } = colors;
    let times = |length: usize| options.scale.times(length);
    let window = &options.window;
    let radius = match window.radius {
        0 => String::new(),
        radius => format!(";border-radius:{}px", times(radius)),
    };
    if is_boxed(window) {
        let _ = write!(
            out,
            "<div style=\"width:fit-content;padding:{}px",
            times(window.margin)
        );
        if let Some(fill) = window.margin_fill.color(colors) {
            let _ = write!(out, ";background:{fill}");
        }
        let _ = writeln!(
            out,
            "\">\n<div style=\"overflow:hidden;background:{bg}{radius}\">"
        );
        bar(out, colors, options);
    }
    let _ = write!(
        out,
        "<pre style=\"margin:0;padding:{}px;box-sizing:content-box;width:{};overflow-x:auto;font:{}px/{}px ",
        times(window.padding),
        super::columns(cols, options),
        options.font_size * options.scale.factor(),
        options.scale.times(Grid::nominal(options).cell_height),
    );
    escape::push(out, &options.font_family);
    if options.letter_spacing != 0.0 {
        let spacing = options.letter_spacing * options.scale.factor();
        let _ = write!(out, ";letter-spacing:{spacing}px");
    }
    if has_images {
        // Images below the text have a negative z-index and stay above the background.
        out.push_str(";position:relative;z-index:0");
    }
    let radius = if is_boxed(window) { "" } else { &radius };
    // HTML ignores a newline directly after the tag. Without this one, it would ignore the newline
    // of an empty first row.
    let _ = writeln!(out, ";color:{fg};background:{bg}{radius}\">");
}

/// Closes the elements.
pub(super) fn close(out: &mut String, options: &RenderOptions) {
    out.push_str("</pre>\n");
    if is_boxed(&options.window) {
        out.push_str("</div>\n</div>\n");
    }
}

fn is_boxed(window: &Window) -> bool {
    let corners = window.radius > 0 && window.margin_fill != Fill::Clear;
    window.margin > 0 || window.bar != Bar::None || corners
}

/// Writes the bar, with buttons on one side and the title in the middle, if the window has one.
fn bar(out: &mut String, colors: &ScreenColors, options: &RenderOptions) {
    let Window { bar, title, .. } = &options.window;
    // Only the sizes of the buttons are used: CSS determines their positions.
    let bare = Window {
        padding: 0,
        margin: 0,
        ..options.window.clone()
    };
    let layout = WindowLayout::around(0, 0, &bare, Scale::One);
    let buttons = layout.buttons(*bar);
    let Some(first) = buttons.first() else {
        return;
    };
    let factor = options.scale.factor();
    let (size, radius) = (layout.bar_size as f32 * factor, first.radius * factor);
    let side = if bar.is_right() {
        "flex-end"
    } else {
        "flex-start"
    };
    let _ = write!(
        out,
        "<div style=\"position:relative;display:flex;align-items:center;justify-content:{side};gap:{0}px;height:{size}px;\
         padding:0 {1}px\">",
        hundredths(radius),
        hundredths(2.0 * radius),
    );
    for button in &buttons {
        let ring = (button.radius - button.hole) * factor;
        let paint = if button.hole > 0.0 {
            format!("border:{}px solid {}", hundredths(ring), button.color)
        } else {
            format!("background:{}", button.color)
        };
        let _ = write!(
            out,
            "<span style=\"box-sizing:border-box;width:{0}px;height:{0}px;border-radius:50%;{paint}\"></span>",
            hundredths(2.0 * radius),
        );
    }
    if !title.trim().is_empty() {
        let opacity = hundredths(f32::from(TITLE_OPACITY) / 255.0);
        let _ = write!(
            out,
            "<span style=\"position:absolute;left:{0}px;right:{0}px;text-align:center;white-space:nowrap;overflow:hidden;\
             text-overflow:ellipsis;color:{fg};opacity:{opacity};font:{1}px ",
            2.0 * size,
            options.font_size * factor,
            fg = colors.fg,
        );
        escape::push(out, &options.font_family);
        out.push_str("\">");
        escape::push(out, title.trim());
        out.push_str("</span>");
    }
    out.push_str("</div>\n");
}

/// Rounds to two decimals.
fn hundredths(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}
