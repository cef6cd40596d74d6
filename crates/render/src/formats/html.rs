//! A screen as a fragment of HTML: a `pre` with inline styles that can be put into any page.
//!
//! See also: `formats/span.rs` (cells of one style).

use std::fmt::Write;

use screentest_core::{CursorShape, Rgb, Screen, ScreenColors, Theme, Underline, Width};

use crate::formats::span::{self, StyledSpan, escape};
use crate::layout::{ResolvedStyle, is_placeholder};
use crate::{Grid, RenderOptions, RenderOptionsError};

mod images;
mod window;

/// Writes a screen.
///
/// ```
/// use screentest_core::{Screen, Size, Theme};
/// use screentest_render::{RenderOptions, html};
///
/// let screen = Screen::blank(Size { cols: 80, rows: 24 });
/// let page = html::fragment(&screen, &Theme::DARK, &RenderOptions::default())?;
/// assert!(page.starts_with("<pre style="));
/// # Ok::<(), screentest_render::RenderOptionsError>(())
/// ```
pub fn fragment(
    screen: &Screen,
    theme: &Theme,
    options: &RenderOptions,
) -> Result<String, RenderOptionsError> {
    options.check()?;
    let colors = screen.colors(theme);
    let mut out = String::new();
    let has_images = !screen.images.is_empty();
    window::open(
        &mut out,
        screen.size.cols.into(),
        &colors,
        options,
        has_images,
    );
    for row in 0..screen.rows.len() {
        let spans = span::spans(screen, row, &colors, options);
        let end = spans.iter().rposition(|span| !span.is_blank());
        let shown = end.map_or(&[][..], |end| &spans[..=end]);
        shown
            .iter()
            .for_each(|span| push(&mut out, span, &colors, options));
        out.push('\n');
    }
    images::write(&mut out, &screen.images, options);
    window::close(&mut out, options);
    Ok(out)
}

/// Returns the width of some columns in CSS.
fn columns(count: usize, options: &RenderOptions) -> String {
    let spacing = options.letter_spacing * options.scale.factor() * count as f32;
    if spacing == 0.0 {
        format!("{count}ch")
    } else {
        format!("calc({count}ch + {spacing}px)")
    }
}

fn push(out: &mut String, span: &StyledSpan<'_>, colors: &ScreenColors, options: &RenderOptions) {
    if let Some(link) = span.link {
        out.push_str("<a style=\"color:inherit;text-decoration:none\" href=\"");
        escape::push(out, link);
        out.push_str("\">");
    }
    let style = style(span, colors, options);
    if !style.is_empty() {
        let _ = write!(out, "<span style=\"{style}\">");
    }
    text(out, span, options);
    if !style.is_empty() {
        out.push_str("</span>");
    }
    if span.link.is_some() {
        out.push_str("</a>");
    }
}

/// Writes the text of a span. A character that may not be as wide as its cells is put into a box of
/// the width of the cells.
fn text(out: &mut String, span: &StyledSpan<'_>, options: &RenderOptions) {
    if !span.paint.visible {
        out.extend(std::iter::repeat_n(' ', span.cols.len()));
        return;
    }
    // Text decorations are not inherited by inline blocks on their own.
    let inherited = if lines(&span.paint).is_empty() {
        ""
    } else {
        ";text-decoration:inherit"
    };
    for (_, cell) in span.cells() {
        let mut text = String::new();
        if is_placeholder(&cell) {
            text.push(' ');
        } else {
            cell.push_to(&mut text);
        }
        let cols = match cell.width {
            Width::Wide => 2,
            Width::Narrow | Width::Spacer => 1,
        };
        let plain = cols == 1 && text.chars().all(span::fits_one_cell);
        if !plain {
            let width = columns(cols, options);
            let _ = write!(
                out,
                "<span style=\"display:inline-block;width:{width}{inherited}\">"
            );
        }
        escape::push(out, &text);
        if !plain {
            out.push_str("</span>");
        }
    }
}

fn style(span: &StyledSpan<'_>, colors: &ScreenColors, options: &RenderOptions) -> String {
    let paint = &span.paint;
    let mut style = Vec::new();
    if paint.fg != colors.fg {
        style.push(format!("color:{}", paint.fg));
    }
    let overline = (paint.visible && paint.overline).then(|| overline(paint.fg, options));
    match (overline, span.bg) {
        (Some(line), Some(bg)) => style.push(format!("background:{line} {bg}")),
        (Some(line), None) => style.push(format!("background:{line}")),
        (None, Some(bg)) => style.push(format!("background:{bg}")),
        (None, None) => {}
    }
    if paint.bold {
        style.push("font-weight:bold".to_owned());
    }
    if paint.italic {
        style.push("font-style:italic".to_owned());
    }
    if paint.visible {
        style.extend(lines(paint));
    }
    match span.cursor {
        Some((CursorShape::Bar, color)) => style.push(format!("box-shadow:inset 2px 0 {color}")),
        Some((_, color)) => style.push(format!("box-shadow:inset 0 -2px {color}")),
        None => {}
    }
    style.join(";")
}

/// Returns an overline as a background. A text decoration of CSS would be above the cell, in the
/// row before, and interrupted where it meets letters of that row.
fn overline(color: Rgb, options: &RenderOptions) -> String {
    let stroke = options.scale.times(Grid::nominal(options).stroke);
    format!("linear-gradient({color},{color}) 0 {stroke}px/100% {stroke}px no-repeat")
}

/// Returns the underline and the strikethrough. CSS has one style and one colour for both.
fn lines(paint: &ResolvedStyle) -> Vec<String> {
    let underlined = paint.underline != Underline::None;
    let lines = [
        (underlined, "underline"),
        (paint.strikethrough, "line-through"),
    ];
    let on = lines.into_iter().filter(|(on, _)| *on);
    let on: Vec<&str> = on.map(|(_, line)| line).collect();
    let mut style = Vec::new();
    if !on.is_empty() {
        style.push(format!("text-decoration:{}", on.join(" ")));
    }
    let kind = match paint.underline {
        Underline::None | Underline::Single => None,
        Underline::Double => Some("double"),
        Underline::Curly => Some("wavy"),
        Underline::Dotted => Some("dotted"),
        Underline::Dashed => Some("dashed"),
    };
    style.extend(kind.map(|kind| format!("text-decoration-style:{kind}")));
    if underlined && paint.underline_color != paint.fg {
        style.push(format!("text-decoration-color:{}", paint.underline_color));
    }
    style
}

#[cfg(test)]
mod tests;
