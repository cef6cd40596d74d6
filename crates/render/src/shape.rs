//! Characters that are drawn by us, since they must meet their neighbours at the very edge of the cell.
//!
//! A font draws its lines for cells of its own size; at any other they leave seams. Here each is drawn for the cell at
//! hand: straight edges on whole pixels, soft ones only where something is slanted or round.

mod block;
mod braille;
mod lines;
mod media;
mod powerline;
mod stencil;

pub(crate) use stencil::Stencil;

/// The room a shape has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellBox {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// How thick a thin line is.
    pub(crate) stroke: usize,
}

/// Draws a character, if it is one of ours.
pub(crate) fn draw(c: char, cell: CellBox) -> Option<Stencil> {
    match c {
        '\u{2500}'..='\u{257f}' => lines::draw(c, cell),
        '\u{2580}'..='\u{259f}' | '\u{1fb00}'..='\u{1fb3b}' | '\u{1fb70}'..='\u{1fb8b}' => {
            block::draw(c, cell)
        }
        '\u{2800}'..='\u{28ff}' => Some(braille::draw(c, cell)),
        '\u{e0b0}'..='\u{e0bf}' | '\u{25e2}'..='\u{25e5}' => powerline::draw(c, cell),
        '\u{23bf}' | '\u{23f4}'..='\u{23fa}' => media::draw(c, cell),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
