//! A screen as SVG, in which text stays text.
//!
//! Every row is a group, and only the group's first line contains the row's position. So in a diff,
//! a changed row changes only its own lines, and a scrolled row only that first line. Text is
//! positioned by columns, independent of the viewer's font; lines and blocks are drawn, since they
//! must meet. The same screen gives the same bytes.
//!
//! See also: `formats/span.rs` (cells of one style), `formats/svg/classes.rs` (CSS classes),
//! `glyph/shape.rs` (lines and blocks), `formats/svg/images.rs` (images), `formats/svg/window.rs`
//! (the window around the cells).

use std::fmt::Write;

use screentest_core::{
    CursorShape, ImagePlacement, Rgb, Screen, ScreenColors, Text, Theme, Underline, Width,
};

use crate::formats::span::{self, StyledSpan, escape};
use crate::glyph::shape::{self, ShapePart, decorations};
use crate::image::ImageCache;
use crate::layout::is_placeholder;
use crate::layout::window::WindowLayout;
use crate::{Grid, RenderOptions, RenderOptionsError, Scale};
use classes::Classes;
use drawing::Drawing;

mod classes;
mod drawing;
mod images;
#[cfg(test)]
mod tests;
mod window;

/// Writes a screen.
///
/// ```
/// use screentest_core::{Screen, Size, Theme};
/// use screentest_render::{RenderOptions, svg};
///
/// let screen = Screen::blank(Size { cols: 80, rows: 24 });
/// let picture = svg::write(&screen, &Theme::DARK, &RenderOptions::default())?;
/// assert!(picture.starts_with("<svg xmlns="));
/// # Ok::<(), screentest_render::RenderOptionsError>(())
/// ```
pub fn write(
    screen: &Screen,
    theme: &Theme,
    options: &RenderOptions,
) -> Result<String, RenderOptionsError> {
    options.check()?;
    let colors = screen.colors(theme);
    let grid = Grid::nominal(options);
    let mut classes = Classes::default();
    let cells = cells(screen, &colors, options, grid, &mut classes);
    let width = grid.cell_width * usize::from(screen.size.cols);
    let height = grid.cell_height * usize::from(screen.size.rows);
    // The viewer scales: inside the file, lengths are not scaled.
    let layout = WindowLayout::around(width, height, &options.window, Scale::One);
    let mut out = String::new();
    window::open(&mut out, &layout, grid, options, &colors, &screen.title);
    let _ = writeln!(
        out,
        "<style>\n.screentest text{{white-space:pre;unicode-bidi:bidi-override}}\n{classes}</style>"
    );
    window::surround(&mut out, &layout, &options.window, &colors, grid);
    out.push_str(&cells);
    window::close(&mut out, &layout, &options.window, &colors);
    Ok(out)
}

/// Writes the rows and the images of a screen.
fn cells(
    screen: &Screen,
    colors: &ScreenColors,
    options: &RenderOptions,
    grid: Grid,
    classes: &mut Classes,
) -> String {
    let mut out = String::new();
    let cache = ImageCache::default();
    let images =
        |below: fn(&ImagePlacement) -> bool| screen.images.iter().filter(move |i| below(i));
    let is_lowest = |image: &ImagePlacement| image.z < ImagePlacement::BELOW_BACKGROUNDS;
    let mut rows = |out: &mut String, part: RowPart| {
        for row in 0..screen.rows.len() {
            let spans = span::spans(screen, row, colors, options);
            let mut lines = RowWriter {
                grid,
                classes,
                out: String::new(),
            };
            lines.row(&spans, colors, part);
            if !lines.out.is_empty() {
                let y = grid.cell_height * row;
                let _ = match y {
                    0 => writeln!(out, "<g>\n{}</g>", lines.out),
                    _ => writeln!(out, "<g transform=\"translate(0 {y})\">\n{}</g>", lines.out),
                };
            }
        }
    };
    if screen.images.iter().any(ImagePlacement::is_below_text) {
        images::write(&mut out, images(is_lowest), grid, &cache);
        rows(&mut out, RowPart::Backgrounds);
        let below = |image: &ImagePlacement| {
            image.is_below_text() && image.z >= ImagePlacement::BELOW_BACKGROUNDS
        };
        images::write(&mut out, images(below), grid, &cache);
        rows(&mut out, RowPart::Text);
    } else {
        rows(&mut out, RowPart::All);
    }
    images::write(
        &mut out,
        images(|image| !image.is_below_text()),
        grid,
        &cache,
    );
    out
}

/// Which part of a row is written. Both parts are written together unless images are between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowPart {
    All,
    Backgrounds,
    Text,
}

/// Writes one row in drawing order: backgrounds, shapes, text, decorations.
struct RowWriter<'a> {
    grid: Grid,
    classes: &'a mut Classes,
    out: String,
}

impl RowWriter<'_> {
    fn row(&mut self, spans: &[StyledSpan<'_>], colors: &ScreenColors, part: RowPart) {
        if part != RowPart::Text {
            self.backgrounds(spans);
        }
        if part == RowPart::Backgrounds {
            return;
        }
        for span in spans.iter().filter(|span| !span.is_blank()) {
            if span.paint.visible {
                if let Some(link) = span.link {
                    self.out.push_str("<a href=\"");
                    escape::push(&mut self.out, link);
                    self.out.push_str("\">\n");
                }
                self.lines_below(span);
                self.shapes(span);
                self.text(span, colors);
                self.line_through(span);
                if span.link.is_some() {
                    self.out.push_str("</a>\n");
                }
            }
            self.cursor(span);
        }
    }

    /// Adjacent backgrounds of one colour become one rectangle.
    fn backgrounds(&mut self, spans: &[StyledSpan<'_>]) {
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

    /// Draws lines, blocks and other drawn characters.
    fn shapes(&mut self, span: &StyledSpan<'_>) {
        let cell = self.grid.cell(1);
        let mut drawing = Drawing::default();
        for (col, shown) in span.cells() {
            if let Some(parts) = drawable(&shown).and_then(|c| shape::parts(c, cell)) {
                drawing.add(&parts, col * cell.width, cell.width, cell.height);
            }
        }
        self.draw(&drawing, span.paint.fg);
    }

    /// Draws underlines and overlines. They are not left to the viewer's font: their colour, style
    /// and position are the terminal's, and they continue under spaces.
    fn lines_below(&mut self, span: &StyledSpan<'_>) {
        if span.paint.underline != Underline::None {
            let parts = decorations::underline(span.paint.underline, self.grid);
            self.every_cell(span, &parts, span.paint.underline_color);
        }
        if span.paint.overline {
            self.every_cell(span, &[decorations::overline(self.grid)], span.paint.fg);
        }
    }

    fn line_through(&mut self, span: &StyledSpan<'_>) {
        if span.paint.strikethrough {
            self.every_cell(
                span,
                &[decorations::strikethrough(self.grid)],
                span.paint.fg,
            );
        }
    }

    /// Draws a line-shaped cursor.
    fn cursor(&mut self, span: &StyledSpan<'_>) {
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

    /// Draws the same parts in every cell of a span.
    fn every_cell(&mut self, span: &StyledSpan<'_>, parts: &[ShapePart], color: Rgb) {
        let cell = self.grid.cell(1);
        let mut drawing = Drawing::default();
        for col in span.cols.clone() {
            drawing.add(parts, col * cell.width, cell.width, cell.height);
        }
        self.draw(&drawing, color);
    }

    fn draw(&mut self, drawing: &Drawing, color: Rgb) {
        self.path(format!("fill:{color}"), &drawing.filled());
        // Slanted and round parts are antialiased.
        let soft = format!("fill:{color};shape-rendering:auto");
        self.path(soft, drawing.outlined());
        for (opacity, data) in drawing.shaded() {
            self.path(format!("fill:{color};fill-opacity:{opacity}"), &data);
        }
        for (opacity, data) in drawing.shaded_outlines() {
            let style = format!("fill:{color};fill-opacity:{opacity};shape-rendering:auto");
            self.path(style, data);
        }
        let width = match self.grid.stroke {
            1 => String::new(),
            width => format!(";stroke-width:{width}"),
        };
        let style =
            format!("fill:none;stroke:{color}{width};stroke-linecap:square;shape-rendering:auto");
        self.path(style, drawing.stroked());
    }

    /// Writes a path, unless it is empty.
    fn path(&mut self, style: String, data: &str) {
        if !data.is_empty() {
            let class = self.classes.named(style);
            let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{data}\"/>");
        }
    }

    /// Writes text in pieces that start at their own column.
    fn text(&mut self, span: &StyledSpan<'_>, colors: &ScreenColors) {
        let mut style = Vec::new();
        if span.paint.fg != colors.fg {
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
            // A single letter has no gaps to stretch.
            if piece.cells > 1 {
                let _ = write!(self.out, " textLength=\"{}\"", piece.cols * width);
            }
            // Some viewers stretch the gaps between letters, others ignore `textLength`: with this
            // letter spacing no stretching is needed.
            if piece.cells > 1 && piece.kind == SvgPieceKind::Wide {
                let apart = (2 * width) as f32 - self.grid.size();
                let _ = write!(self.out, " letter-spacing=\"{apart}\"");
            }
            self.out.push('>');
            escape::push(&mut self.out, &piece.text);
            self.out.push_str("</text>\n");
        }
    }
}

/// Returns the character of a cell if it is drawn as a shape.
fn drawable(cell: &screentest_core::CellView<'_>) -> Option<char> {
    match (cell.text, cell.width) {
        (Text::Char(c), Width::Narrow) => shape::is_drawn_shape(c).then_some(c),
        _ => None,
    }
}

/// Text that a font spaces evenly.
#[derive(Debug)]
struct SvgPiece {
    col: usize,
    cols: usize,
    cells: usize,
    kind: SvgPieceKind,
    text: String,
}

/// How wide a font draws a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SvgPieceKind {
    /// Letters, symbols and spaces that any font for terminals has.
    Plain,
    /// East Asian characters, which are as wide as they are high.
    Wide,
    /// A character that may come from any other font: it is a separate piece.
    Other,
}

/// Splits the text of a span where columns could become misaligned. Spaces at both ends of a piece
/// are dropped.
fn pieces(span: &StyledSpan<'_>) -> Vec<SvgPiece> {
    let mut pieces: Vec<SvgPiece> = Vec::new();
    // Spaces after the last piece, which are part of it if a piece of the same kind follows.
    let mut blanks = 0;
    let mut open = false;
    for (col, cell) in span.cells() {
        let mut text = String::new();
        cell.push_to(&mut text);
        // A control character in a cell is invisible, and so is the placeholder of an image.
        if text == " " || text.chars().all(char::is_control) || is_placeholder(&cell) {
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
            SvgPieceKind::Plain => open,
            SvgPieceKind::Wide => open && blanks == 0,
            SvgPieceKind::Other => false,
        };
        match pieces.last_mut() {
            Some(last) if joins && last.kind == kind => {
                last.text.extend(std::iter::repeat_n(' ', blanks));
                last.text.push_str(&text);
                last.cells += blanks + 1;
                last.cols += blanks + cols;
            }
            _ => pieces.push(SvgPiece {
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

fn kind(text: &str, width: Width) -> SvgPieceKind {
    let mut chars = text.chars();
    match (width, chars.next(), chars.next()) {
        // Characters above and below this range are symbols and pictures, with different widths.
        (Width::Wide, Some('\u{2e80}'..='\u{ff60}'), None) => SvgPieceKind::Wide,
        (Width::Narrow, ..) if text.chars().all(span::fits_one_cell) => SvgPieceKind::Plain,
        _ => SvgPieceKind::Other,
    }
}
