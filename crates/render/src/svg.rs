//! A screen as SVG: text stays text.
//!
//! Every row is a group whose lines do not say where the row stands, so that a changed row is a changed line in a diff and a
//! scrolled one is the same. Text is placed by its columns, whatever font the reader has; lines and blocks are drawn, since
//! they must meet. The same screen gives the same bytes.
//!
//! Elsewhere: what a cell looks like (`span.rs`), classes (`svg/classes.rs`), characters that are drawn (`svg/shape.rs`), lines under
//! and over text (`svg/mark.rs`), what surrounds the cells (`svg/window.rs`).

use std::fmt::Write;

use screentest_core::{CursorShape, Screen, Text, Theme, Width};

use crate::span::{self, Span, escape};
use crate::window::Frame;
use crate::{Options, OptionsError, Scale};
use classes::Classes;
use shape::{Cell, Drawing};

mod classes;
mod mark;
mod shape;
#[cfg(test)]
mod tests;
mod window;

/// Writes a screen.
///
/// ```
/// use screentest_core::{Screen, Size, Theme};
/// use screentest_render::{Options, svg};
///
/// let screen = Screen::blank(Size { cols: 80, rows: 24 });
/// let picture = svg::write(&screen, &Theme::DARK, &Options::default())?;
/// assert!(picture.starts_with("<svg xmlns="));
/// # Ok::<(), screentest_render::OptionsError>(())
/// ```
pub fn write(screen: &Screen, theme: &Theme, options: &Options) -> Result<String, OptionsError> {
    options.check()?;
    let cell = Cell::new(options);
    let mut classes = Classes::default();
    let mut rows = String::new();
    for row in 0..screen.rows.len() {
        let spans = span::spans(screen, row, theme, options.caret);
        let mut lines = Lines {
            cell,
            classes: &mut classes,
            out: String::new(),
        };
        lines.row(&spans, theme);
        if !lines.out.is_empty() {
            let y = cell.height * row;
            let _ = match y {
                0 => writeln!(rows, "<g>\n{}</g>", lines.out),
                _ => writeln!(
                    rows,
                    "<g transform=\"translate(0 {y})\">\n{}</g>",
                    lines.out
                ),
            };
        }
    }
    let width = cell.width * usize::from(screen.size.cols);
    let height = cell.height * usize::from(screen.size.rows);
    // The reader scales: inside, everything has the size that was asked.
    let frame = Frame::around(width, height, &options.window, Scale::One);
    let mut out = String::new();
    window::open(&mut out, &frame, options, &screen.title);
    let _ = writeln!(
        out,
        "<style>\n\
         text{{fill:{};white-space:pre;unicode-bidi:bidi-override}}\n\
         rect,path{{shape-rendering:crispEdges}}\n\
         {classes}</style>",
        theme.fg
    );
    window::surround(&mut out, &frame, &options.window, theme, cell);
    out.push_str(&rows);
    window::close(&mut out, &frame, &options.window, theme);
    Ok(out)
}

/// The lines of one row, from the ground up: backgrounds, what is drawn, text, lines at text.
struct Lines<'a> {
    cell: Cell,
    classes: &'a mut Classes,
    out: String,
}

impl Lines<'_> {
    fn row(&mut self, spans: &[Span<'_>], theme: &Theme) {
        self.backgrounds(spans);
        for span in spans.iter().filter(|span| !span.is_blank()) {
            if span.paint.visible {
                if let Some(link) = span.link {
                    self.out.push_str("<a href=\"");
                    escape::push(&mut self.out, link);
                    self.out.push_str("\">\n");
                }
                self.drawn(span);
                self.text(span, theme);
                self.marks(span);
                if span.link.is_some() {
                    self.out.push_str("</a>\n");
                }
            }
            self.caret(span);
        }
    }

    /// Backgrounds of one colour side by side are one rectangle.
    fn backgrounds(&mut self, spans: &[Span<'_>]) {
        for run in spans.chunk_by(|one, next| one.bg == next.bg) {
            if let ([first, ..], [.., last]) = (run, run)
                && let Some(bg) = first.bg
            {
                let class = self.classes.named(format!("fill:{bg}"));
                let Cell { width, height, .. } = self.cell;
                let (x, w) = (
                    first.cols.start * width,
                    (last.cols.end - first.cols.start) * width,
                );
                let _ = writeln!(
                    self.out,
                    "<rect class=\"{class}\" x=\"{x}\" width=\"{w}\" height=\"{height}\"/>"
                );
            }
        }
    }

    /// Lines, blocks and the like.
    fn drawn(&mut self, span: &Span<'_>) {
        let mut drawing = Drawing::default();
        for (col, cell) in span.cells() {
            if let Some(c) = drawable(&cell) {
                drawing.add(c, col * self.cell.width, self.cell);
            }
        }
        let fg = span.paint.fg;
        if !drawing.areas.is_empty() || !drawing.paths.is_empty() {
            let d = format!("{}{}", drawing.areas, drawing.paths);
            self.path(format!("fill:{fg}"), &d);
        }
        for (quarters, areas) in drawing.shades.iter().enumerate() {
            if !areas.is_empty() {
                let opacity = quarters as f32 * 0.25;
                self.path(
                    format!("fill:{fg};fill-opacity:{opacity}"),
                    &areas.to_string(),
                );
            }
        }
        if !drawing.strokes.is_empty() {
            let width = self.cell.stroke;
            self.path(mark::stroke(fg, width), &drawing.strokes);
        }
    }

    /// Text, in pieces that start at their own column.
    fn text(&mut self, span: &Span<'_>, theme: &Theme) {
        let mut style = Vec::new();
        if span.paint.fg != theme.fg {
            style.push(format!("fill:{}", span.paint.fg));
        }
        if span.paint.bold {
            style.push("font-weight:bold".to_owned());
        }
        if span.paint.italic {
            style.push("font-style:italic".to_owned());
        }
        for piece in pieces(span) {
            let (width, baseline) = (self.cell.width, self.cell.baseline);
            self.out.push_str("<text");
            if !style.is_empty() {
                let class = self.classes.named(style.join(";"));
                let _ = write!(self.out, " class=\"{class}\"");
            }
            let _ = write!(self.out, " x=\"{}\" y=\"{baseline}\"", piece.col * width);
            // One letter has no spaces to stretch.
            if piece.cells > 1 {
                let _ = write!(self.out, " textLength=\"{}\"", piece.cols * width);
            }
            // Readers stretch what is between letters, and some nothing at all: with this there is nothing left to do.
            if piece.cells > 1 && piece.kind == Kind::Wide {
                let apart = (2 * width) as f32 - self.cell.font_size;
                let _ = write!(self.out, " letter-spacing=\"{apart}\"");
            }
            self.out.push('>');
            escape::push(&mut self.out, &piece.text);
            self.out.push_str("</text>\n");
        }
    }

    /// Lines under, over and through text.
    fn marks(&mut self, span: &Span<'_>) {
        let x = span.cols.start * self.cell.width;
        let width = span.cols.len() * self.cell.width;
        for (style, d) in mark::lines(&span.paint, x, width, self.cell) {
            self.path(style, &d);
        }
    }

    fn caret(&mut self, span: &Span<'_>) {
        let Some((shape, color)) = span.caret else {
            return;
        };
        let Cell {
            width,
            height,
            stroke,
            ..
        } = self.cell;
        let thick = 2 * stroke;
        let (x, long) = (span.cols.start * width, span.cols.len() * width);
        let class = self.classes.named(format!("fill:{color}"));
        let _ = match shape {
            CursorShape::Bar => writeln!(
                self.out,
                "<rect class=\"{class}\" x=\"{x}\" width=\"{thick}\" height=\"{height}\"/>"
            ),
            CursorShape::Underline | CursorShape::Block => writeln!(
                self.out,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{long}\" height=\"{thick}\"/>",
                height - thick.min(height)
            ),
        };
    }

    fn path(&mut self, style: String, d: &str) {
        let class = self.classes.named(style);
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{d}\"/>");
    }
}

/// The character of a cell that is drawn and not written.
fn drawable(cell: &screentest_core::CellView<'_>) -> Option<char> {
    match (cell.text, cell.width) {
        (Text::Char(c), Width::Narrow) => shape::is_drawn(c).then_some(c),
        _ => None,
    }
}

/// Text that a font spaces evenly.
#[derive(Debug)]
struct Piece {
    col: usize,
    cols: usize,
    cells: usize,
    kind: Kind,
    text: String,
}

/// What decides how wide a font draws a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Letters, signs and blanks that any font for terminals has.
    Plain,
    /// Characters of East Asia, which are as wide as they are high.
    Wide,
    /// Something that may come from any other font: it stands alone.
    Other,
}

/// Cuts the text of a span where columns could go out of step. Blanks at either end of a piece are left out.
fn pieces(span: &Span<'_>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // Blanks that follow the last piece and belong to it if more of its kind comes.
    let mut blanks = 0;
    let mut open = false;
    for (col, cell) in span.cells() {
        let mut text = String::new();
        cell.push_to(&mut text);
        // A control character that came into a cell shows nothing.
        if text == " " || text.chars().all(char::is_control) {
            blanks += 1;
            continue;
        }
        if drawable(&cell).is_some() {
            open = false;
            continue;
        }
        let cols = if cell.width == Width::Wide { 2 } else { 1 };
        let kind = kind(&text, cell.width);
        let joins = match kind {
            Kind::Plain => open,
            Kind::Wide => open && blanks == 0,
            Kind::Other => false,
        };
        match pieces.last_mut() {
            Some(last) if joins && last.kind == kind => {
                last.text.extend(std::iter::repeat_n(' ', blanks));
                last.text.push_str(&text);
                last.cells += blanks + 1;
                last.cols += blanks + cols;
            }
            _ => pieces.push(Piece {
                col,
                cols,
                cells: 1,
                kind,
                text,
            }),
        }
        (blanks, open) = (0, true);
    }
    pieces
}

fn kind(text: &str, width: Width) -> Kind {
    let mut chars = text.chars();
    match (width, chars.next(), chars.next()) {
        // Above and below these are signs and pictures, which differ.
        (Width::Wide, Some('\u{2e80}'..='\u{ff60}'), None) => Kind::Wide,
        (Width::Narrow, ..) if text.chars().all(span::is_even) => Kind::Plain,
        _ => Kind::Other,
    }
}
