//! The kitty graphics protocol (APC G): images, their placements, and answers.
//!
//! Answers and their texts are those of kitty itself. Three things differ:
//!
//! - Only data inside the command is accepted (`t=d`). A terminal that reads files or shared memory
//!   would depend on the machine, so those commands fail as in kitty if it cannot read the file.
//! - Of a PNG only the header is read; a file that is damaged further on is accepted, and drawn
//!   empty.
//! - Of an animation only the first frame is shown; further frames are accepted and dropped.
//!
//! See also: `kitty/command.rs` (reads a command), `kitty/transfer.rs` (image data in chunks),
//! `kitty/placement.rs` (places an image), `kitty/delete.rs`, `kitty/scroll.rs` (moves placements),
//! `kitty/placeholder.rs` (images in text), `kitty/restore.rs` (dumps).

use std::fmt;
use std::sync::Arc;

use super::store::{ImageKey, ImageStore};
use crate::screen::geometry::Size;
use crate::screen::image::ImageContent;
use command::ReceivedCommand;
use placement::KittyPlacement;
use transfer::Transfer;

pub(crate) mod command;
mod delete;
mod diacritics;
pub(crate) mod placeholder;
pub(crate) mod placement;
mod restore;
mod scroll;
#[cfg(test)]
mod tests;
mod transfer;

pub(crate) use command::{KittyCommand, KittyReader};

/// Maximum size of the data of one image, decoded from base64: the largest image as RGBA, and room
/// for data that compression made longer.
pub(crate) const MAX_DATA: usize = 33 << 20;

/// Maximum number of images of a screen, and of placements: their records take memory, too, however
/// small the images are.
const MAX_IMAGES: usize = 1024;

/// An error in an answer: a code and a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KittyError {
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl KittyError {
    fn new(code: &'static str, message: impl Into<String>) -> KittyError {
        KittyError {
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for KittyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.code, self.message)
    }
}

/// An image with the names by which commands refer to it.
#[derive(Debug)]
pub(super) struct KittyImage {
    pub(super) key: ImageKey,
    /// The client's id; 0 for none.
    id: u32,
    /// The client's number; 0 for none.
    number: u32,
}

/// The images and placements of the main or the alternate screen.
#[derive(Debug, Default)]
pub(crate) struct KittyScreen {
    /// Oldest first.
    pub(super) images: Vec<KittyImage>,
    /// In ascending order of their numbers.
    pub(super) placements: Vec<KittyPlacement>,
    transfer: Option<Transfer>,
    /// Number of the next placement.
    next: u64,
    /// By how many rows the whole screen has scrolled up. Rows of placements count from the row
    /// that was the first one before, so that scrolling does not visit the placements.
    scrolled: i64,
    /// When `scrolled` is this large, placements above the scrollback are removed.
    prune_at: i64,
    /// Images removed since the last call of [`KittyScreen::take_removed`].
    removed: Vec<ImageKey>,
}

/// The place of a command: the cursor's cell and the screen's size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KittyContext {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) size: Size,
}

/// An image that arrived completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReceivedImage {
    pub(crate) content: Arc<ImageContent>,
    /// The requested columns and rows; 0 if not given.
    pub(crate) cells: (u32, u32),
    /// Size of its data in base64.
    pub(crate) encoded: u64,
}

/// What a command asks of the terminal, besides the images.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KittyOutcome {
    /// The answer to send.
    pub(crate) answer: Option<String>,
    /// By how many columns and rows the cursor moves.
    pub(crate) cursor: Option<(u32, u32)>,
    /// A complete image arrived.
    pub(crate) received: Option<ReceivedImage>,
    /// Size of the data that was decoded, as a measure of the work.
    pub(crate) decoded: usize,
    /// Something about the command is not supported.
    pub(crate) is_unsupported: bool,
}

impl KittyScreen {
    /// Performs a command.
    pub(crate) fn perform(
        &mut self,
        received: ReceivedCommand,
        context: KittyContext,
        store: &mut ImageStore,
    ) -> KittyOutcome {
        let mut outcome = KittyOutcome::default();
        let command = &received.command;
        if command.id != 0 && command.number != 0 {
            let message = "Must not specify both image id and image number";
            outcome.answer = command.answer(Err(KittyError::new("EINVAL", message)));
            self.transfer = None;
            return outcome;
        }
        match command.action {
            b't' | b'T' | b'q' | b'f' => {
                self.transmit(received, context, store, &mut outcome);
            }
            b'p' => {
                // Without an image there is nobody to answer.
                if command.id != 0 || command.number != 0 {
                    let mut command = command.clone();
                    let placed = self.put(&mut command, context, store);
                    outcome.cursor = placed.as_ref().ok().copied().flatten();
                    outcome.answer = command.answer(placed.map(|_| ()));
                }
            }
            b'd' => self.delete(command, context),
            // Control and composition of animations: only the first frame is shown.
            _ => {
                outcome.is_unsupported = true;
                if self.image(command).is_none() {
                    let message = "Animation command refers to non-existent image";
                    let error = KittyError::new("ENOENT", message);
                    outcome.answer = command.answer(Err(error));
                } else if command.action == b'c' {
                    outcome.answer = command.answer(Ok(()));
                }
            }
        }
        outcome
    }

    /// Removes everything: on a reset, and when the alternate screen is entered.
    pub(crate) fn clear(&mut self) {
        self.transfer = None;
        self.placements.clear();
        self.remove_images(|_| true);
    }

    /// Returns the images that were removed since the last call. The store may drop them.
    pub(super) fn take_removed(&mut self) -> Vec<ImageKey> {
        std::mem::take(&mut self.removed)
    }

    /// Removes the images for which `gone` returns true. They must not be placed.
    fn remove_images(&mut self, gone: impl Fn(&KittyImage) -> bool) {
        let KittyScreen {
            images, removed, ..
        } = self;
        images.retain(|image| {
            let gone = gone(image);
            if gone {
                removed.push(image.key);
            }
            !gone
        });
    }

    /// Returns the number of images and placements.
    pub(super) fn records(&self) -> usize {
        self.images.len() + self.placements.len()
    }

    /// Returns the images that are placed.
    pub(super) fn placed(&self) -> impl Iterator<Item = ImageKey> {
        self.placements.iter().map(|placed| placed.image)
    }

    /// Removes images that the store has dropped.
    pub(super) fn forget_missing(&mut self, exists: impl Fn(ImageKey) -> bool) {
        self.remove_placements(|placed| !exists(placed.image));
        self.remove_images(|image| !exists(image.key));
    }

    /// Returns the image that a command names: by its id or, if it has a number, the newest one
    /// with that number.
    fn image(&self, command: &KittyCommand) -> Option<&KittyImage> {
        let named = |image: &&KittyImage| match command.id {
            0 => command.number != 0 && image.number == command.number,
            id => image.id == id,
        };
        self.images.iter().rev().find(named)
    }

    /// Returns the smallest id that no image has.
    fn free_id(&self) -> u32 {
        let mut ids: Vec<u32> = self.images.iter().map(|image| image.id).collect();
        ids.sort_unstable();
        let mut free = 1;
        for id in ids {
            if id == free {
                free += 1;
            }
        }
        free
    }

    /// Stores an image under the id and number of its command. Returns the id.
    fn store(
        &mut self,
        command: &KittyCommand,
        content: Arc<ImageContent>,
        store: &mut ImageStore,
    ) -> (u32, ImageKey) {
        let id = match (command.id, command.number) {
            (0, 0) => 0,
            (0, _) => self.free_id(),
            (id, _) => id,
        };
        if id != 0 {
            // A new image replaces the old one with all of its placements.
            self.replace_image(id);
        }
        self.limit_images();
        let key = store.add(content);
        self.images.push(KittyImage {
            key,
            id,
            number: command.number,
        });
        (id, key)
    }
}
