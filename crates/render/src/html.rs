//! A screen as a fragment of HTML: a `pre` with every style inline, to be put into any page.
//!
//! Elsewhere: what a cell looks like (`span.rs`).

use std::fmt::Write;

use screentest_core::{CursorShape, Screen, Theme, Underline, Width};

use crate::span::{self, Caret, Look, Span, escape};

/// Writes a screen.
///
/// ```
/// use screentest_core::{Screen, Size, Theme};
/// use screentest_render::html;
///
/// let page = html::fragment(&Screen::blank(Size { cols: 80, rows: 24 }), &Theme::DARK);
/// assert!(page.starts_with("<pre style="));
/// ```
pub fn fragment(screen: &Screen, theme: &Theme) -> String {
    let Theme { fg, bg, .. } = theme;
    // The newline after the tag is no part of the text: without it, an empty first row would be taken for that one.
    let mut out = format!(
        "<pre style=\"margin:0;padding:1ch;width:{}ch;overflow-x:auto;line-height:1.15;font-family:ui-monospace,monospace;\
         color:{fg};background:{bg}\">\n",
        screen.size.cols
    );
    for row in 0..screen.rows.len() {
        let spans = span::spans(screen, row, theme, Caret::Shown);
        let end = spans.iter().rposition(|span| !span.is_blank());
        let shown = end.map_or(&[][..], |end| &spans[..=end]);
        shown.iter().for_each(|span| push(&mut out, span, theme));
        out.push('\n');
    }
    out.push_str("</pre>\n");
    out
}

fn push(out: &mut String, span: &Span<'_>, theme: &Theme) {
    if let Some(link) = span.link {
        out.push_str("<a style=\"color:inherit;text-decoration:none\" href=\"");
        escape::push(out, link);
        out.push_str("\">");
    }
    let style = style(&span.look, theme);
    if !style.is_empty() {
        let _ = write!(out, "<span style=\"{style}\">");
    }
    text(out, span);
    if !style.is_empty() {
        out.push_str("</span>");
    }
    if span.link.is_some() {
        out.push_str("</a>");
    }
}

/// The text of a span. What may not be as wide as its cells gets a box that is.
fn text(out: &mut String, span: &Span<'_>) {
    if span.look.hidden {
        out.extend(std::iter::repeat_n(' ', span.cols.len()));
        return;
    }
    // Lines at text do not go on into a box by themselves.
    let inherited = match lines(&span.look).is_empty() {
        true => "",
        false => ";text-decoration:inherit",
    };
    for (_, cell) in span.cells() {
        let mut text = String::new();
        cell.push_to(&mut text);
        let cols = match cell.width {
            Width::Wide => 2,
            Width::Narrow | Width::Spacer => 1,
        };
        let plain = cols == 1 && text.chars().all(span::is_even);
        if !plain {
            let _ = write!(
                out,
                "<span style=\"display:inline-block;width:{cols}ch{inherited}\">"
            );
        }
        escape::push(out, &text);
        if !plain {
            out.push_str("</span>");
        }
    }
}

fn style(look: &Look, theme: &Theme) -> String {
    let mut style = Vec::new();
    if look.fg != theme.fg {
        style.push(format!("color:{}", look.fg));
    }
    if let Some(bg) = look.bg {
        style.push(format!("background:{bg}"));
    }
    if look.bold {
        style.push("font-weight:bold".to_owned());
    }
    if look.italic {
        style.push("font-style:italic".to_owned());
    }
    if !look.hidden {
        style.extend(lines(look));
    }
    match look.caret {
        Some((CursorShape::Bar, color)) => style.push(format!("box-shadow:inset 2px 0 {color}")),
        Some((_, color)) => style.push(format!("box-shadow:inset 0 -2px {color}")),
        None => {}
    }
    style.join(";")
}

/// The lines at text. CSS has one kind and one colour for all of them.
fn lines(look: &Look) -> Vec<String> {
    let underlined = look.underline != Underline::None;
    let lines = [
        (underlined, "underline"),
        (look.overline, "overline"),
        (look.strikethrough, "line-through"),
    ];
    let on = lines.into_iter().filter(|(on, _)| *on);
    let on: Vec<&str> = on.map(|(_, line)| line).collect();
    let mut style = Vec::new();
    if !on.is_empty() {
        style.push(format!("text-decoration:{}", on.join(" ")));
    }
    let kind = match look.underline {
        Underline::None | Underline::Single => None,
        Underline::Double => Some("double"),
        Underline::Curly => Some("wavy"),
        Underline::Dotted => Some("dotted"),
        Underline::Dashed => Some("dashed"),
    };
    style.extend(kind.map(|kind| format!("text-decoration-style:{kind}")));
    if underlined && look.underline_color != look.fg {
        style.push(format!("text-decoration-color:{}", look.underline_color));
    }
    style
}

#[cfg(test)]
mod tests;
