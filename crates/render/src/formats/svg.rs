//! A screen as SVG: text stays text.
//!
//! Every row is a group whose lines do not say where the row stands, so that a changed row is a changed line in a diff and a
//! scrolled one is the same. Text is placed by its columns, whatever font the reader has; lines and blocks are drawn, since
//! they must meet. The same screen gives the same bytes.
//!
//! Elsewhere: what a cell looks like (`span.rs`), classes (`svg/classes.rs`), lines and blocks (`shape.rs`), what surrounds the cells (`svg/window.rs`).

use std::fmt::Write;

use screentest_core::{CursorShape, Rgb, Screen, Text, Theme, Underline, Width};

use crate::formats::span::{self, Span, escape};
use crate::glyph::shape::{self, ShapePart, decorations};
use crate::layout::window::WindowLayout;
use crate::{Grid, Options, OptionsError, Scale};
use classes::Classes;
use drawing::Drawing;

mod classes;
mod drawing;
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
    let grid = Grid::nominal(options);
    let mut classes = Classes::default();
    let mut rows = String::new();
    for row in 0..screen.rows.len() {
        let spans = span::spans(screen, row, theme, options);
        let mut lines = RowWriter {
            grid,
            classes: &mut classes,
            out: String::new(),
        };
        lines.row(&spans, theme);
        if !lines.out.is_empty() {
            let y = grid.cell_height * row;
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
    let width = grid.cell_width * usize::from(screen.size.cols);
    let height = grid.cell_height * usize::from(screen.size.rows);
    // The reader scales: inside, everything has the size that was asked.
    let layout = WindowLayout::around(width, height, &options.window, Scale::One);
    let mut out = String::new();
    window::open(&mut out, &layout, grid, options, theme, &screen.title);
    let _ = writeln!(
        out,
        "<style>\n.screentest text{{white-space:pre;unicode-bidi:bidi-override}}\n{classes}</style>"
    );
    window::surround(&mut out, &layout, &options.window, theme, grid);
    out.push_str(&rows);
    window::close(&mut out, &layout, &options.window, theme);
    Ok(out)
}

/// The lines of one row, from the ground up: backgrounds, what is drawn, text, lines at text.
struct RowWriter<'a> {
    grid: Grid,
    classes: &'a mut Classes,
    out: String,
}

impl RowWriter<'_> {
    fn row(&mut self, spans: &[Span<'_>], theme: &Theme) {
        self.backgrounds(spans);
        for span in spans.iter().filter(|span| !span.is_blank()) {
            if span.paint.visible {
                if let Some(link) = span.link {
                    self.out.push_str("<a href=\"");
                    escape::push(&mut self.out, link);
                    self.out.push_str("\">\n");
                }
                self.lines_below(span);
                self.shapes(span);
                self.text(span, theme);
                self.line_through(span);
                if span.link.is_some() {
                    self.out.push_str("</a>\n");
                }
            }
            self.cursor(span);
        }
    }

    /// Backgrounds of one colour side by side are one rectangle.
    fn backgrounds(&mut self, spans: &[Span<'_>]) {
        for run in spans.chunk_by(|one, next| one.bg == next.bg) {
            if let ([first, ..], [.., last]) = (run, run)
                && let Some(bg) = first.bg
            {
                let class = self.classes.named(format!("fill:{bg}"));
                let (width, height) = (self.grid.cell_width, self.grid.cell_height);
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
    fn shapes(&mut self, span: &Span<'_>) {
        let cell = self.grid.cell(1);
        let mut drawing = Drawing::default();
        for (col, shown) in span.cells() {
            if let Some(parts) = drawable(&shown).and_then(|c| shape::parts(c, cell)) {
                drawing.add(&parts, col * cell.width, cell.width, cell.height);
            }
        }
        self.draw(&drawing, span.paint.fg);
    }

    /// Lines under and over text. They are drawn and not left to the reader's font: their colour, kind and place are the
    /// terminal's, and they go on under blanks.
    fn lines_below(&mut self, span: &Span<'_>) {
        if span.paint.underline != Underline::None {
            let parts = decorations::underline(span.paint.underline, self.grid);
            self.every_cell(span, &parts, span.paint.underline_color);
        }
        if span.paint.overline {
            self.every_cell(span, &[decorations::overline(self.grid)], span.paint.fg);
        }
    }

    fn line_through(&mut self, span: &Span<'_>) {
        if span.paint.strikethrough {
            self.every_cell(
                span,
                &[decorations::strikethrough(self.grid)],
                span.paint.fg,
            );
        }
    }

    /// A cursor that is a line.
    fn cursor(&mut self, span: &Span<'_>) {
        let Some((shape, color)) = span.cursor else {
            return;
        };
        match shape {
            CursorShape::Bar => {
                let cell = self.grid.cell(1);
                let mut drawing = Drawing::default();
                let (x, bar) = (
                    span.cols.start * cell.width,
                    decorations::cursor_bar(self.grid),
                );
                drawing.add(&[bar], x, cell.width, cell.height);
                self.draw(&drawing, color);
            }
            CursorShape::Underline | CursorShape::Block => {
                self.every_cell(span, &[decorations::cursor_under(self.grid)], color);
            }
        }
    }

    /// Draws the same in every cell of a span.
    fn every_cell(&mut self, span: &Span<'_>, parts: &[ShapePart], color: Rgb) {
        let cell = self.grid.cell(1);
        let mut drawing = Drawing::default();
        for col in span.cols.clone() {
            drawing.add(parts, col * cell.width, cell.width, cell.height);
        }
        self.draw(&drawing, color);
    }

    fn draw(&mut self, drawing: &Drawing, color: Rgb) {
        self.path(format!("fill:{color}"), &drawing.filled());
        // What is slanted or round has soft edges.
        let soft = format!("fill:{color};shape-rendering:auto");
        self.path(soft, drawing.outlined());
        for (opacity, data) in drawing.shaded() {
            self.path(format!("fill:{color};fill-opacity:{opacity}"), &data);
        }
        let width = match self.grid.stroke {
            1 => String::new(),
            width => format!(";stroke-width:{width}"),
        };
        let style =
            format!("fill:none;stroke:{color}{width};stroke-linecap:square;shape-rendering:auto");
        self.path(style, drawing.stroked());
    }

    /// A path, unless it is empty.
    fn path(&mut self, style: String, data: &str) {
        if !data.is_empty() {
            let class = self.classes.named(style);
            let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{data}\"/>");
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
            let (width, baseline) = (self.grid.cell_width, self.grid.baseline);
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
            if piece.cells > 1 && piece.kind == PieceKind::Wide {
                let apart = (2 * width) as f32 - self.grid.size();
                let _ = write!(self.out, " letter-spacing=\"{apart}\"");
            }
            self.out.push('>');
            escape::push(&mut self.out, &piece.text);
            self.out.push_str("</text>\n");
        }
    }
}

/// The character of a cell that is drawn and not written.
fn drawable(cell: &screentest_core::CellView<'_>) -> Option<char> {
    match (cell.text, cell.width) {
        (Text::Char(c), Width::Narrow) => shape::is_drawn_shape(c).then_some(c),
        _ => None,
    }
}

/// Text that a font spaces evenly.
#[derive(Debug)]
struct Piece {
    col: usize,
    cols: usize,
    cells: usize,
    kind: PieceKind,
    text: String,
}

/// What decides how wide a font draws a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceKind {
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
            PieceKind::Plain => open,
            PieceKind::Wide => open && blanks == 0,
            PieceKind::Other => false,
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

fn kind(text: &str, width: Width) -> PieceKind {
    let mut chars = text.chars();
    match (width, chars.next(), chars.next()) {
        // Above and below these are signs and pictures, which differ.
        (Width::Wide, Some('\u{2e80}'..='\u{ff60}'), None) => PieceKind::Wide,
        (Width::Narrow, ..) if text.chars().all(span::fits_one_cell) => PieceKind::Plain,
        _ => PieceKind::Other,
    }
}
