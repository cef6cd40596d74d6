//! Images that a program sends: the protocols, as far as they do not depend on the grid.
//!
//! | | |
//! |---|---|
//! | `graphics/sixel.rs`, `graphics/iterm.rs`, `graphics/kitty.rs` | the protocols |
//! | `graphics/cells.rs` | sixels and inline files, which belong to cells |
//! | `graphics/store.rs` | the images, with a bound on their memory |
//! | `graphics/base64.rs`, `graphics/inflate.rs` | encodings of data |
//! | `graphics/dump.rs` | strings that restore the images in another terminal |
//!
//! The terminal passes strings to the decoders, writes images into cells, moves the cursor, and
//! tells [`Graphics`] when lines scroll.
//!
//! See also: `crate::screen::image` (images on a screen).

use std::sync::{Arc, Weak};

use crate::screen::geometry::Size;
use crate::screen::image::{CELL_HEIGHT, CELL_WIDTH, ImageContent, ImageKind, ImagePlacement};
use crate::screen::row::Row;
use cells::{CellGeometry, CellImage, CellImages};
use kitty::{KittyContext, KittyOutcome, KittyReader, KittyScreen};
use store::{ImageKey, ImageStore};

mod base64;
pub(crate) mod cells;
pub(crate) mod dump;
mod inflate;
pub(crate) mod iterm;
pub(crate) mod kitty;
pub(crate) mod sixel;
mod store;

/// The images of a terminal.
#[derive(Debug, Default)]
pub(crate) struct Graphics {
    store: ImageStore,
    /// The kitty images of the main and the alternate screen.
    screens: [KittyScreen; 2],
    /// The images in cells, oldest first. A cell keeps its image alive.
    in_cells: Vec<(ImageKey, Weak<CellImage>)>,
    next: u64,
    /// The image that a dump restores next.
    restored: Option<Arc<ImageContent>>,
    /// The images that a dump restored for the screen from before a synchronized update.
    frozen: Vec<ImagePlacement>,
}

impl Graphics {
    /// Performs a kitty command. `None` if it is malformed.
    pub(crate) fn kitty(
        &mut self,
        reader: KittyReader,
        is_alternate: bool,
        context: KittyContext,
    ) -> Option<KittyOutcome> {
        let command = reader.finish()?;
        let screen = &mut self.screens[usize::from(is_alternate)];
        let outcome = screen.perform(command, context, &mut self.store);
        self.release();
        self.shrink();
        Some(outcome)
    }

    /// Returns the number of images and placements, as a measure of the work of a command.
    pub(crate) fn records(&self) -> usize {
        let screens = self.screens.iter().map(KittyScreen::records);
        self.store.len() + screens.sum::<usize>()
    }

    /// Returns whether a screen has kitty placements.
    #[inline]
    pub(crate) fn has_placements(&self, is_alternate: bool) -> bool {
        !self.screens[usize::from(is_alternate)].is_empty()
    }

    /// Removes the kitty images of the alternate screen, because it is entered or left.
    pub(crate) fn clear_alternate(&mut self) {
        self.change(true, KittyScreen::clear);
    }

    /// Changes the placements of a screen, and frees images that are not used any more.
    pub(crate) fn change(&mut self, is_alternate: bool, change: impl FnOnce(&mut KittyScreen)) {
        change(&mut self.screens[usize::from(is_alternate)]);
        self.release();
    }

    fn release(&mut self) {
        for screen in &mut self.screens {
            for key in screen.take_removed() {
                self.store.remove(key);
            }
        }
    }

    /// Stores an image for cells. The cells must keep the result.
    pub(crate) fn place_in_cells(
        &mut self,
        content: Arc<ImageContent>,
        kind: ImageKind,
        geometry: CellGeometry,
    ) -> Arc<CellImage> {
        let image = Arc::new(CellImage {
            number: self.next,
            key: self.store.add(content),
            kind,
            geometry,
        });
        self.next += 1;
        self.release_cells();
        self.in_cells.push((image.key, Arc::downgrade(&image)));
        self.shrink();
        image
    }

    /// Drops images until the bound on memory is kept.
    fn shrink(&mut self) {
        if !self.store.is_over() {
            return;
        }
        let mut used: Vec<ImageKey> = self
            .in_cells
            .iter()
            .filter(|(_, image)| image.strong_count() > 0)
            .map(|(key, _)| *key)
            .collect();
        used.extend(self.screens.iter().flat_map(KittyScreen::placed));
        used.sort_unstable();
        let gone = self.store.shrink(|key| used.binary_search(&key).is_ok());
        let store = &self.store;
        for screen in &mut self.screens {
            screen.forget_missing(|key| store.get(key).is_some());
        }
        self.release();
        self.in_cells.retain(|(key, _)| !gone.contains(key));
    }

    /// Returns whether any cell may have an image.
    pub(crate) fn has_cells(&mut self) -> bool {
        self.release_cells();
        !self.in_cells.is_empty()
    }

    /// Frees images whose last cell was replaced.
    fn release_cells(&mut self) {
        let store = &mut self.store;
        self.in_cells.retain(|(key, image)| {
            let is_used = image.strong_count() > 0;
            if !is_used {
                store.remove(*key);
            }
            is_used
        });
    }

    /// Returns the images on a screen, in drawing order.
    pub(crate) fn visible(
        &self,
        is_alternate: bool,
        size: Size,
        rows: &[Arc<Row>],
        in_cells: CellImages<'_>,
    ) -> Arc<[ImagePlacement]> {
        let mut images = in_cells.finish(&self.store);
        images.extend(self.screens[usize::from(is_alternate)].visible(size, rows, &self.store));
        // Stable: images in cells are below placements of the same z.
        images.sort_by_key(|image| image.z);
        images.into()
    }
}

/// Answers XTSMGRAPHICS, `CSI ? item ; action ; value S`: the number of colour registers (1) and
/// the size of sixel images (2).
pub(crate) fn answer_settings(item: u16, action: u16, value: u16, size: Size) -> String {
    let registers = sixel::REGISTERS;
    match (item, action) {
        (1, 1 | 2 | 4) => format!("\x1b[?1;0;{registers}S"),
        // Every image has all registers, so fewer can be promised.
        (1, 3) if (1..=registers).contains(&usize::from(value)) => format!("\x1b[?1;0;{value}S"),
        (2, 1 | 2) => {
            let width = u32::from(size.cols) * CELL_WIDTH;
            let height = u32::from(size.rows) * CELL_HEIGHT;
            format!("\x1b[?2;0;{width};{height}S")
        }
        (2, 4) => {
            let most = crate::screen::image::MAX_SIDE;
            format!("\x1b[?2;0;{most};{most}S")
        }
        // A value that cannot be set.
        (1 | 2, 3) => format!("\x1b[?{item};3;0S"),
        (1 | 2, _) => format!("\x1b[?{item};2;0S"),
        _ => format!("\x1b[?{item};1;0S"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_answered_as_in_xterm() {
        let size = Size { cols: 80, rows: 24 };
        for (item, action, value, answer) in [
            (1, 1, 0, "?1;0;1024S"),
            (1, 4, 0, "?1;0;1024S"),
            (1, 3, 256, "?1;0;256S"),
            (1, 3, 2000, "?1;3;0S"),
            (2, 1, 0, "?2;0;640;384S"),
            (2, 4, 0, "?2;0;10000;10000S"),
            (2, 3, 5, "?2;3;0S"),
            (2, 9, 0, "?2;2;0S"),
            (3, 1, 0, "?3;1;0S"),
        ] {
            let sent = answer_settings(item, action, value, size);
            assert_eq!(sent, format!("\x1b[{answer}"));
        }
    }
}
