//! Placeholders of images: characters that are not drawn themselves.

use screentest_core::CellView;
use screentest_core::screen::image::PLACEHOLDER;

/// Returns whether a cell has a placeholder of the kitty graphics protocol. Without its image, such
/// a cell is blank.
pub(crate) fn is_placeholder(cell: &CellView<'_>) -> bool {
    cell.char() == PLACEHOLDER
}
