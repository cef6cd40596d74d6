//! Converts the wrapped grid to [`Row`](crate::Row)s.
//!
//! Rows that the grid reports as undamaged keep their `Arc`, so that the cost of a screen depends
//! only on its changes.

use std::sync::Arc;

use alacritty_terminal::Term;
use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Line;
use alacritty_terminal::term::TermDamage;
use alacritty_terminal::term::cell::{Cell, Flags, Hyperlink as TermLink};
use alacritty_terminal::vte::ansi::Color as TermColor;

use super::scrollback::compressed::CompressedScrollback;
use super::terminal::extra_attrs::ExtraAttrs;
use crate::screen::row::{Hyperlink, LinkId, Row, RowBuilder, StyleId, Width, Zone};
use crate::screen::style::{Attributes, Color, Rgb, Style, Underline};

/// Reads rows from the grid, and keeps the rows of the last read.
#[derive(Debug, Default)]
pub(super) struct GridReader {
    rows: Vec<Arc<Row>>,
    /// Number of rows that the last read converted.
    pub(super) updated: usize,
    builder: RowBuilder,
}

impl GridReader {
    /// Reads the current rows.
    pub(super) fn rows(&mut self, term: &mut Term<VoidListener>) -> Vec<Arc<Row>> {
        let lines = term.screen_lines();
        let damaged: Option<Vec<usize>> = match term.damage() {
            TermDamage::Full => None,
            TermDamage::Partial(rows) => Some(rows.map(|row| row.line).collect()),
        };
        term.reset_damage();
        match damaged {
            Some(damaged) if self.rows.len() == lines => {
                self.updated = damaged.len();
                for line in damaged {
                    self.update(term, line);
                }
            }
            _ => {
                self.updated = lines;
                // All blank rows share one `Arc`.
                self.rows.resize(lines, Arc::default());
                for line in 0..lines {
                    self.update(term, line);
                }
            }
        }
        self.rows.clone()
    }

    /// Reads a row again. If it looks the same as before, its `Arc` is kept: damage is an upper
    /// bound, and always includes the cursor's row.
    fn update(&mut self, term: &Term<VoidListener>, line: usize) {
        let row = read(&mut self.builder, &term.grid()[Line(line as i32)][..]);
        if *self.rows[line] != row {
            self.rows[line] = Arc::new(row);
        }
    }

    /// Converts cells of the grid to a row.
    pub(super) fn row(&mut self, cells: &[Cell], wrapped: bool) -> Row {
        read_cells(&mut self.builder, cells, wrapped)
    }

    /// Returns the newest `count` rows of the scrollback, oldest first.
    pub(super) fn scrollback(
        &mut self,
        term: &Term<VoidListener>,
        compressed: &CompressedScrollback,
        count: usize,
    ) -> Vec<Arc<Row>> {
        let mut decompressed = Vec::new();
        let whole = |line| {
            let cells = cells_of(term, compressed, line, &mut decompressed);
            Arc::new(read(&mut self.builder, cells))
        };
        (-(count as i32)..0).map(whole).collect()
    }
}

/// Returns the cells of a line, from the grid or decompressed.
fn cells_of<'a>(
    term: &'a Term<VoidListener>,
    compressed: &CompressedScrollback,
    line: i32,
    decompressed: &'a mut Vec<Cell>,
) -> &'a [Cell] {
    let topmost = term.topmost_line().0;
    if line >= topmost {
        return &term.grid()[Line(line)][..];
    }
    let newer = (topmost - 1 - line) as usize;
    compressed.decompress(newer, term.columns(), decompressed);
    decompressed
}

/// The fields of a cell that decide its style. Compared with the previous cell, since most cells
/// have the style of their neighbour.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CellStyle {
    fg: TermColor,
    bg: TermColor,
    flags: Flags,
}

const PLACE: Flags = Flags::WRAPLINE
    .union(Flags::WIDE_CHAR)
    .union(Flags::WIDE_CHAR_SPACER)
    .union(Flags::LEADING_WIDE_CHAR_SPACER);

fn read(builder: &mut RowBuilder, cells: &[Cell]) -> Row {
    let wrapped = cells
        .last()
        .is_some_and(|cell| cell.flags.contains(Flags::WRAPLINE));
    read_cells(builder, cells, wrapped)
}

fn read_cells(builder: &mut RowBuilder, cells: &[Cell], wrapped: bool) -> Row {
    builder.wrapped(wrapped);
    let plain = Cell::default();
    let kept = cells
        .iter()
        .rposition(|cell| *cell != plain)
        .map_or(0, |last| last + 1);

    let mut known: Option<(CellStyle, StyleId)> = None;
    let mut cells = cells[..kept].iter().peekable();
    while let Some(cell) = cells.next() {
        let cell_style = CellStyle {
            fg: cell.fg,
            bg: cell.bg,
            flags: cell.flags.difference(PLACE),
        };
        // A half of a wide character whose other half was erased is blank, as in other terminals.
        let wide = cell.flags.contains(Flags::WIDE_CHAR)
            && cells
                .peek()
                .is_some_and(|next| next.flags.contains(Flags::WIDE_CHAR_SPACER));
        let char = match cell.c {
            _ if cell.flags.contains(Flags::WIDE_CHAR) && !wide => ' ',
            '\t' => ' ',
            c => c,
        };
        if cell.extra.is_none() {
            let style = match known {
                Some((same, id)) if same == cell_style => id,
                _ => {
                    let id = builder.style(&style(cell_style, ExtraAttrs::NONE, None));
                    known = Some((cell_style, id));
                    id
                }
            };
            builder.zone(Zone::None);
            if wide {
                builder.push_wide(char, style, LinkId::NONE);
            } else {
                builder.push(char, style, LinkId::NONE);
            }
        } else {
            push_with_extra(builder, cell, cell_style, char, wide);
        }
        if wide {
            cells.next();
        }
    }
    builder.finish()
}

/// Returns the style and link of a cell; for a pen, those of the next character.
pub(super) fn style_and_link(cell: &Cell) -> (Style, Option<Hyperlink>) {
    let cell_style = CellStyle {
        fg: cell.fg,
        bg: cell.bg,
        flags: cell.flags.difference(PLACE),
    };
    (
        style(cell_style, ExtraAttrs::of(cell), cell.underline_color()),
        cell.hyperlink().map(|link| link_of(&link)),
    )
}

fn push_with_extra(
    builder: &mut RowBuilder,
    cell: &Cell,
    cell_style: CellStyle,
    char: char,
    wide: bool,
) {
    let extra = ExtraAttrs::of(cell);
    let style = builder.style(&style(cell_style, extra, cell.underline_color()));
    let link = match cell.hyperlink() {
        None => LinkId::NONE,
        Some(link) => builder.link(&link_of(&link)),
    };
    builder.zone(extra.zone);
    let width = if wide { Width::Wide } else { Width::Narrow };
    let marks = cell.zerowidth().unwrap_or_default();
    let cluster: String = std::iter::once(char)
        .chain(
            marks
                .iter()
                .copied()
                .filter(|mark| !ExtraAttrs::is_marker(*mark)),
        )
        .collect();
    builder.push_cluster(&cluster, width, style, link);
}

fn link_of(link: &TermLink) -> Hyperlink {
    Hyperlink {
        // The crate numbers links without an id from a counter of the whole process.
        id: Some(link.id())
            .filter(|id| !id.ends_with("_alacritty"))
            .map(Arc::from),
        uri: Arc::from(link.uri()),
    }
}

fn style(cell_style: CellStyle, extra: ExtraAttrs, underline_color: Option<TermColor>) -> Style {
    let flags = cell_style.flags;
    let mut attributes = extra.attributes;
    for (flag, attribute) in [
        (Flags::BOLD, Attributes::BOLD),
        (Flags::DIM, Attributes::FAINT),
        (Flags::ITALIC, Attributes::ITALIC),
        (Flags::INVERSE, Attributes::INVERSE),
        (Flags::HIDDEN, Attributes::INVISIBLE),
        (Flags::STRIKEOUT, Attributes::STRIKETHROUGH),
    ] {
        attributes.set(attribute, flags.contains(flag));
    }
    let underline = if !flags.intersects(Flags::ALL_UNDERLINES) {
        Underline::None
    } else if flags.contains(Flags::UNDERLINE) {
        Underline::Single
    } else if flags.contains(Flags::DOUBLE_UNDERLINE) {
        Underline::Double
    } else if flags.contains(Flags::UNDERCURL) {
        Underline::Curly
    } else if flags.contains(Flags::DOTTED_UNDERLINE) {
        Underline::Dotted
    } else {
        Underline::Dashed
    };
    Style {
        fg: color(cell_style.fg),
        bg: color(cell_style.bg),
        underline,
        underline_color: underline_color.map_or(Color::Default, color),
        attributes,
    }
}

fn color(color: TermColor) -> Color {
    match color {
        TermColor::Named(name) => {
            u8::try_from(name as usize).map_or(Color::Default, Color::Indexed)
        }
        TermColor::Indexed(index) => Color::Indexed(index),
        TermColor::Spec(rgb) => Color::Rgb(Rgb::new(rgb.r, rgb.g, rgb.b)),
    }
}
