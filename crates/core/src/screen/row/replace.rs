//! A row in which some cells are others.
//!
//! Every cell keeps its column. A wide character of which only one half is replaced, or of which only one half was put
//! in, leaves a blank in its own style for the other, as when a program writes over one half.

use super::{CellView, LinkId, Row, RowBuilder, Text, Width, Zone};

impl Row {
    /// The row with another one laid over it from a column on, in a screen `width` columns wide.
    #[must_use]
    pub fn overlaid(&self, col: usize, over: &Row, width: usize) -> Row {
        self.replaced(width, false, |at| {
            let inside = at.checked_sub(col).filter(|at| *at < over.len());
            inside.map(|at| over.cell(at))
        })
    }

    /// The row with the cells that `new` gives, in a screen `width` columns wide. What a shell said of a cell holds only
    /// where the cell is still there; whether the text goes on in the next row is for the caller to say.
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
                // The spacer comes with its character, unless that one is gone.
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

/// What is left of a wide character whose other half is gone.
fn half(cell: CellView<'_>) -> CellView<'_> {
    CellView {
        text: Text::Char(' '),
        width: Width::Narrow,
        ..cell
    }
}
