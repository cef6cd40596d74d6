//! Copies of a row with some cells replaced.
//!
//! Every cell keeps its column. If only one half of a wide character is replaced or inserted, the
//! other half becomes a blank cell in the character's style, as when a program overwrites one half.

use super::{CellView, LinkId, Row, RowBuilder, Text, Width, Zone};

impl Row {
    /// Returns the row with `over` laid on top from column `col`, in a screen `width` columns wide.
    #[must_use]
    pub fn overlaid(&self, col: usize, over: &Row, width: usize) -> Row {
        self.replaced(width, false, |at| {
            let inside = at.checked_sub(col).filter(|at| *at < over.len());
            inside.map(|at| over.cell(at))
        })
    }

    /// Returns the row with the cells that `new` returns, in a screen `width` columns wide. Shell
    /// zones are kept only for cells that are not replaced. The caller decides whether the row is
    /// wrapped.
    pub(crate) fn replaced<'a>(
        &'a self,
        width: usize,
        wrapped: bool,
        new: impl Fn(usize) -> Option<CellView<'a>>,
    ) -> Row {
        let mut builder = RowBuilder::new();
        let mut zones = self.zones().iter().peekable();
        let mut zone = Zone::None;
        for col in 0..self.len().max(width) {
            while let Some(start) = zones.next_if(|start| usize::from(start.col) <= col) {
                zone = start.zone;
            }
            let other = new(col);
            if other.is_none() {
                builder.zone(zone);
            }
            let cell = other.unwrap_or_else(|| self.cell(col));
            match cell.width {
                // The spacer was added with its character, unless that character was replaced.
                Width::Spacer if builder.col() > col => {}
                Width::Wide if new(col + 1).is_some() == other.is_some() => {
                    push(&mut builder, cell);
                }
                Width::Narrow => push(&mut builder, cell),
                Width::Spacer | Width::Wide => push(&mut builder, half(cell)),
            }
        }
        builder.wrapped(wrapped);
        builder.finish()
    }
}

fn push(builder: &mut RowBuilder, cell: CellView<'_>) {
    let style = builder.style(cell.style);
    let link = cell.link.map_or(LinkId::NONE, |link| builder.link(link));
    match (cell.text, cell.width) {
        (Text::Char(c), Width::Narrow) => builder.push(c, style, link),
        (Text::Char(c), _) => builder.push_wide(c, style, link),
        (Text::Cluster(text), width) => builder.push_cluster(text, width, style, link),
    }
}

/// Returns the blank cell that remains of a wide character after its other half was replaced.
fn half(cell: CellView<'_>) -> CellView<'_> {
    CellView {
        text: Text::Char(' '),
        width: Width::Narrow,
        ..cell
    }
}
