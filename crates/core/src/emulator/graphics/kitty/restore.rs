//! Writes and restores the state of a screen's images: see `graphics/dump.rs`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::cells::CellGeometry;
use super::super::dump::{RestorableImage, geometry_text, read_geometry};
use super::super::store::ImageKey;
use super::placement::{Anchor, Geometry, KittyPlacement, MAX_PLACEMENTS};
use super::{KittyImage, KittyScreen, MAX_IMAGES};
use crate::screen::image::ImageSize;

impl KittyScreen {
    /// Returns its images with their placements, oldest first.
    pub(in crate::emulator::graphics) fn restorable(&self) -> Vec<RestorableImage> {
        let images = self.images.iter().map(|image| {
            let placements = self.placements.iter();
            let own = placements.filter(|placed| placed.image == image.key);
            RestorableImage {
                key: image.key,
                text: format!("k;{};{}", image.id, image.number),
                placements: own.map(|placed| self.placement_text(placed)).collect(),
            }
        });
        images.collect()
    }

    fn placement_text(&self, placed: &KittyPlacement) -> String {
        let anchor = match placed.anchor {
            Anchor::Cell { row, col } => format!("c,{},{col}", row - self.scrolled),
            Anchor::Placeholders => "v".to_owned(),
            Anchor::Relative { to, rows, cols } => format!("r,{to},{rows},{cols}"),
        };
        let Geometry {
            cols,
            rows,
            source,
            drawn,
        } = placed.geometry;
        let geometry = geometry_text(&CellGeometry {
            cols,
            rows,
            source,
            drawn,
        });
        format!(
            "p;{};{};{anchor};{geometry};{};{};{}",
            placed.number, placed.id, placed.z, placed.hidden_top, placed.hidden_bottom
        )
    }

    /// Writes the transfer in progress.
    pub(in crate::emulator::graphics) fn dump_transfer(&self, out: &mut String) {
        let Some(transfer) = &self.transfer else {
            return;
        };
        out.push_str("\x1b_G");
        out.push_str(&String::from_utf8_lossy(&transfer.keys));
        if let Some(quiet) = transfer.command.quiet {
            out.push_str(&format!(",q={quiet}"));
        }
        out.push_str(",m=1;");
        STANDARD.encode_string(&transfer.data, out);
        out.push_str("\x1b\\");
    }

    /// Adds an image with its names. An older one with the same id is removed.
    pub(in crate::emulator::graphics) fn restore_image(
        &mut self,
        key: ImageKey,
        id: u32,
        number: u32,
    ) {
        if id != 0 {
            self.replace_image(id);
        }
        self.limit_images();
        self.images.push(KittyImage { key, id, number });
    }

    /// Returns the newest image.
    pub(in crate::emulator::graphics) fn newest(&self) -> Option<ImageKey> {
        self.images.last().map(|image| image.key)
    }

    /// Adds a placement. `None` if the text is not valid.
    pub(in crate::emulator::graphics) fn restore_placement<'a>(
        &mut self,
        image: ImageKey,
        mut next: impl FnMut() -> Option<&'a str>,
        size: ImageSize,
    ) -> Option<()> {
        fn number<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
            text?.parse().ok()
        }
        let own: u64 = number(next())?;
        let id: u32 = number(next())?;
        let mut anchor = next()?.split(',');
        let anchor = match anchor.next()? {
            "c" => Anchor::Cell {
                row: i64::from(number::<i32>(anchor.next())?) + self.scrolled,
                col: i64::from(number::<i32>(anchor.next())?),
            },
            "v" => Anchor::Placeholders,
            "r" => Anchor::Relative {
                to: number(anchor.next())?,
                rows: number(anchor.next())?,
                cols: number(anchor.next())?,
            },
            _ => return None,
        };
        let CellGeometry {
            cols,
            rows,
            source,
            drawn,
        } = read_geometry(next()?, size)?;
        let z: i32 = number(next())?;
        let hidden_top = number::<u32>(next())?.min(rows);
        let hidden_bottom = number::<u32>(next())?.min(rows);
        let image_id = self.images.iter().find(|known| known.key == image)?.id;
        // Numbers ascend in the order of the placements, but a dump lists them image by image.
        let index = self
            .placements
            .partition_point(|placed| placed.number < own);
        let is_taken = self
            .placements
            .get(index)
            .is_some_and(|placed| placed.number == own);
        if is_taken || self.placements.len() >= MAX_PLACEMENTS || own >= 1 << 53 {
            return None;
        }
        self.next = self.next.max(own + 1);
        let geometry = Geometry {
            cols,
            rows,
            source,
            drawn,
        };
        self.placements.insert(
            index,
            KittyPlacement {
                number: own,
                image,
                image_id,
                id,
                anchor,
                geometry,
                z,
                hidden_top,
                hidden_bottom,
            },
        );
        Some(())
    }

    /// Removes the oldest images until there is room for one more.
    pub(super) fn limit_images(&mut self) {
        while self.images.len() >= MAX_IMAGES {
            let oldest = self.images[0].key;
            self.remove_placements(|placed| placed.image == oldest);
            self.remove_images(|image| image.key == oldest);
        }
    }

    /// Removes the image with an id, and its placements.
    pub(super) fn replace_image(&mut self, id: u32) {
        let old = self.images.iter().find(|image| image.id == id);
        if let Some(old) = old.map(|image| image.key) {
            self.remove_placements(|placed| placed.image == old);
            self.remove_images(|image| image.key == old);
        }
    }
}
