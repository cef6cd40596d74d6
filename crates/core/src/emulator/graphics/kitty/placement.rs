//! Places images on the screen.

use super::super::store::{ImageKey, ImageStore};
use super::{KittyCommand, KittyContext, KittyError, KittyImage, KittyScreen};
use crate::screen::image::{CELL_HEIGHT, CELL_WIDTH, ImageRect, ImageSize, cells_for};

/// Maximum number of cells of a placement in each direction; more than any screen has.
const MAX_CELLS: u32 = 10_000;
/// Maximum number of placements of a screen.
pub(super) const MAX_PLACEMENTS: usize = 1024;
/// Maximum depth of placements that are relative to each other, as in kitty.
const MAX_DEPTH: usize = 8;

/// An image on the screen.
#[derive(Debug, Clone)]
pub(crate) struct KittyPlacement {
    /// Its number: those made later have larger ones.
    pub(super) number: u64,
    pub(crate) image: ImageKey,
    /// The client's id of the image, which decides the order of images with equal z; 0 for none.
    pub(super) image_id: u32,
    /// The client's id of the placement; 0 for none.
    pub(super) id: u32,
    pub(super) anchor: Anchor,
    pub(crate) geometry: Geometry,
    pub(crate) z: i32,
    /// Rows at its top and bottom that were scrolled over a margin and are not shown any more.
    pub(super) hidden_top: u32,
    pub(super) hidden_bottom: u32,
}

/// Where a placement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// At this cell. The row counts from [`KittyScreen::scrolled`].
    Cell { row: i64, col: i64 },
    /// At the placeholder characters in the text.
    Placeholders,
    /// This many rows and columns from another placement.
    Relative { to: u64, rows: i32, cols: i32 },
}

/// The cells and pixels of a placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) cols: u32,
    pub(crate) rows: u32,
    /// The part of the image.
    pub(crate) source: ImageRect,
    /// Where it is drawn, from the corner of the first cell.
    pub(crate) drawn: ImageRect,
}

impl Geometry {
    /// Computes the geometry that a command asks for. `None` if no part of the image is shown.
    fn of(command: &KittyCommand, image: ImageSize) -> Option<Geometry> {
        let side = |from: u32, wanted: u32, whole: u32| {
            let rest = whole.saturating_sub(from);
            if wanted == 0 { rest } else { wanted.min(rest) }
        };
        let source = ImageRect {
            x: command.x,
            y: command.y,
            width: side(command.x, command.w, image.width),
            height: side(command.y, command.h, image.height),
        };
        if source.width == 0 || source.height == 0 {
            return None;
        }
        let x = command.offset_x.min(CELL_WIDTH - 1);
        let y = command.offset_y.min(CELL_HEIGHT - 1);
        let (cols, rows) = (command.cols.min(MAX_CELLS), command.rows.min(MAX_CELLS));
        // The side that was not given follows from the shape of the image.
        let scaled = |length: u32, of: u32, to: u32| {
            let scaled = u64::from(length) * u64::from(to) / u64::from(of);
            u32::try_from(scaled.max(1)).unwrap_or(u32::MAX)
        };
        let (width, height) = match (cols, rows) {
            (0, 0) => (source.width, source.height),
            (0, _) => {
                let height = rows * CELL_HEIGHT - y;
                (scaled(height, source.height, source.width), height)
            }
            (_, 0) => {
                let width = cols * CELL_WIDTH - x;
                (width, scaled(width, source.width, source.height))
            }
            _ => (cols * CELL_WIDTH - x, rows * CELL_HEIGHT - y),
        };
        let width = width.min(MAX_CELLS * CELL_WIDTH);
        let height = height.min(MAX_CELLS * CELL_HEIGHT);
        Some(Geometry {
            cols: cells_for(x + width, CELL_WIDTH),
            rows: cells_for(y + height, CELL_HEIGHT),
            source,
            drawn: ImageRect {
                x,
                y,
                width,
                height,
            },
        })
    }

    /// Computes the geometry of a placement for placeholders: the whole image is fitted into the
    /// cells and centred, with its shape kept.
    fn fitted(command: &KittyCommand, image: ImageSize) -> Geometry {
        let or = |cells: u32, natural: u32| match cells {
            0 => natural,
            cells => cells.min(MAX_CELLS),
        };
        let cols = or(command.cols, cells_for(image.width, CELL_WIDTH));
        let rows = or(command.rows, cells_for(image.height, CELL_HEIGHT));
        let room = ImageSize::new(cols * CELL_WIDTH, rows * CELL_HEIGHT);
        let size = fit(image, room);
        Geometry {
            cols,
            rows,
            source: ImageRect::of(image),
            drawn: ImageRect {
                x: (room.width - size.width) / 2,
                y: (room.height - size.height) / 2,
                width: size.width,
                height: size.height,
            },
        }
    }
}

/// Returns the largest size of the shape of `image` that fits into `room`.
pub(crate) fn fit(image: ImageSize, room: ImageSize) -> ImageSize {
    let [width, height] = [image.width, image.height].map(u64::from);
    let [room_width, room_height] = [room.width, room.height].map(u64::from);
    // All of them fit: both sizes are limited.
    let (width, height) = if room_width * height <= room_height * width {
        (room_width, (room_width * height + width / 2) / width)
    } else {
        ((room_height * width + height / 2) / height, room_height)
    };
    ImageSize::new(width.max(1) as u32, height.max(1) as u32)
}

impl KittyPlacement {
    /// Returns whether it is on the screen on its own, not through placeholders.
    pub(super) fn is_virtual(&self) -> bool {
        self.anchor == Anchor::Placeholders
    }

    /// Returns the row below its last one, if it is at a cell. Counts as in [`Anchor::Cell`].
    pub(super) fn end(&self) -> Option<i64> {
        match self.anchor {
            Anchor::Cell { row, .. } => Some(row + i64::from(self.geometry.rows)),
            _ => None,
        }
    }
}

impl KittyScreen {
    /// Handles `a=p`. Sets the id of the command if it has a number, for the answer. Returns by how
    /// much the cursor moves.
    pub(super) fn put(
        &mut self,
        command: &mut KittyCommand,
        context: KittyContext,
        store: &ImageStore,
    ) -> Result<Option<(u32, u32)>, KittyError> {
        let found = self.image(command).map(|image| (image.key, image.id));
        let Some((key, id)) = found else {
            let message = format!(
                "Put command refers to non-existent image with id: {} and number: {}",
                command.id, command.number
            );
            return Err(KittyError::new("ENOENT", message));
        };
        command.id = id;
        self.put_image(command, key, context, store)
    }

    /// Places an image as the keys of a command say.
    pub(super) fn put_image(
        &mut self,
        command: &KittyCommand,
        image: ImageKey,
        context: KittyContext,
        store: &ImageStore,
    ) -> Result<Option<(u32, u32)>, KittyError> {
        let Some(size) = store.get(image).map(|content| content.size()) else {
            return Ok(None);
        };
        if command.is_virtual {
            if command.parent != 0 {
                let message = "Put command creating a virtual placement cannot refer to a parent";
                return Err(KittyError::new("EINVAL", message));
            }
            let geometry = Geometry::fitted(command, size);
            self.add_placement(command, image, Anchor::Placeholders, geometry);
            return Ok(None);
        }
        let anchor = match command.parent {
            0 => Anchor::Cell {
                row: context.row as i64 + self.scrolled,
                col: context.col as i64,
            },
            _ => self.relative_anchor(command, image)?,
        };
        let Some(geometry) = Geometry::of(command, size) else {
            return Ok(None);
        };
        self.add_placement(command, image, anchor, geometry);
        let moves = command.cursor != 1 && command.parent == 0;
        Ok(moves.then_some((geometry.cols, geometry.rows)))
    }

    /// Adds a placement. One with the same image and placement id is replaced.
    fn add_placement(
        &mut self,
        command: &KittyCommand,
        image: ImageKey,
        anchor: Anchor,
        geometry: Geometry,
    ) {
        let id = if command.id == 0 {
            0
        } else {
            command.placement
        };
        let old = (id != 0)
            .then(|| self.placement_of(image, id))
            .flatten()
            .map(|placed| placed.number);
        // The number stays, so that placements relative to this one follow it.
        let number = old.unwrap_or(self.next);
        let placement = KittyPlacement {
            number,
            image,
            image_id: command.id,
            id,
            anchor,
            geometry,
            z: command.z,
            hidden_top: 0,
            hidden_bottom: 0,
        };
        if let Some(old) = self.numbered_mut(number) {
            *old = placement;
            return;
        }
        while self.placements.len() >= MAX_PLACEMENTS {
            let oldest = self.placements[0].number;
            self.remove_placements(|placed| placed.number == oldest);
        }
        self.next += 1;
        self.placements.push(placement);
    }

    /// Returns the placement with a number.
    pub(super) fn numbered(&self, number: u64) -> Option<&KittyPlacement> {
        let index = self.index_of(number)?;
        Some(&self.placements[index])
    }

    fn numbered_mut(&mut self, number: u64) -> Option<&mut KittyPlacement> {
        let index = self.index_of(number)?;
        Some(&mut self.placements[index])
    }

    fn index_of(&self, number: u64) -> Option<usize> {
        let found = self
            .placements
            .binary_search_by_key(&number, |placed| placed.number);
        found.ok()
    }

    fn placement_of(&self, image: ImageKey, id: u32) -> Option<&KittyPlacement> {
        let mut placements = self.placements.iter();
        placements.find(|placed| placed.image == image && placed.id == id)
    }

    /// Returns the anchor of a placement that is relative to another one, which must exist.
    fn relative_anchor(
        &self,
        command: &KittyCommand,
        image: ImageKey,
    ) -> Result<Anchor, KittyError> {
        let (wanted, id) = (command.parent, command.parent_placement);
        let missing = |message: String| KittyError::new("ENOPARENT", message);
        let found = self.images.iter().find(|image| image.id == wanted);
        let Some(KittyImage { key, .. }) = found else {
            return Err(missing(format!(
                "Put command refers to a parent image with id: {wanted} that does not exist"
            )));
        };
        let mut of_image = self.placements.iter().filter(|placed| placed.image == *key);
        let parent = of_image.find(|placed| id == 0 || placed.id == id);
        let Some(parent) = parent else {
            return Err(missing(match id {
                0 => format!(
                    "Put command refers to a parent image with id: {wanted} that has no placements"
                ),
                _ => format!(
                    "Put command refers to a parent image placement with id: {id} and placement id: {wanted} that does not exist"
                ),
            }));
        };
        let own = (command.id != 0 && command.placement != 0)
            .then(|| self.placement_of(image, command.placement))
            .flatten()
            .map(|placed| placed.number);
        let mut at = parent;
        for _ in 0..MAX_DEPTH {
            if Some(at.number) == own {
                let message = "This parent reference creates a cycle";
                return Err(KittyError::new("ECYCLE", message));
            }
            let Anchor::Relative { to, .. } = at.anchor else {
                return Ok(Anchor::Relative {
                    to: parent.number,
                    rows: command.parent_rows,
                    cols: command.parent_cols,
                });
            };
            match self.numbered(to) {
                Some(next) => at = next,
                None => return Err(KittyError::new("ENOENT", "An ancestor does not exist")),
            }
        }
        let message = "Too many levels of parent references";
        Err(KittyError::new("ETOODEEP", message))
    }

    /// Removes the placements for which `gone` returns true, those relative to them, and images
    /// that nothing can name any more.
    pub(super) fn remove_placements(&mut self, gone: impl Fn(&KittyPlacement) -> bool) {
        let before = self.placements.len();
        let mut removed: Vec<u64> = Vec::new();
        self.placements.retain(|placed| {
            let gone = gone(placed);
            if gone {
                removed.push(placed.number);
            }
            !gone
        });
        // The children of removed placements, and theirs.
        let mut next = 0;
        while next < removed.len() {
            let parent = removed[next];
            self.placements.retain(|placed| {
                let child = matches!(placed.anchor, Anchor::Relative { to, .. } if to == parent);
                if child {
                    removed.push(placed.number);
                }
                !child
            });
            next += 1;
        }
        if self.placements.len() == before {
            return;
        }
        let mut placed: Vec<ImageKey> = self.placed().collect();
        placed.sort_unstable();
        self.remove_images(|image| {
            (image.id, image.number) == (0, 0) && placed.binary_search(&image.key).is_err()
        });
    }
}
