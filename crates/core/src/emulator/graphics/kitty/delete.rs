//! Deletes placements and images (`a=d`).

use super::super::store::ImageKey;
use super::scroll::Area;
use super::{KittyCommand, KittyContext, KittyScreen};

impl KittyScreen {
    /// Handles a delete command. It is never answered, and ends a transfer in progress. Lower-case
    /// letters delete placements only, upper-case letters also images without placements.
    pub(super) fn delete(&mut self, command: &KittyCommand, context: KittyContext) {
        self.transfer = None;
        let frees = command.delete.is_ascii_uppercase();
        let (x, y) = (i64::from(command.x) - 1, i64::from(command.y) - 1);
        let rows = i64::from(context.size.rows);
        let placed_before: Vec<ImageKey> = self.placed().collect();
        let mut named: Vec<ImageKey> = Vec::new();
        match command.delete.to_ascii_lowercase() {
            b'i' | b'n' => {
                let by_number = command.delete.eq_ignore_ascii_case(&b'n');
                let wanted = KittyCommand {
                    id: if by_number { 0 } else { command.id },
                    number: if by_number { command.number } else { 0 },
                    ..KittyCommand::default()
                };
                let Some(key) = self.image(&wanted).map(|image| image.key) else {
                    return;
                };
                named.push(key);
                let id = command.placement;
                self.remove_placements(|placed| {
                    placed.image == key && (id == 0 || placed.id == id)
                });
            }
            b'r' => {
                let range = command.x..=command.y;
                let images = self.images.iter();
                named.extend(
                    images
                        .filter(|image| image.id != 0 && range.contains(&image.id))
                        .map(|image| image.key),
                );
                let keys = named.clone();
                self.remove_placements(|placed| keys.contains(&placed.image));
            }
            // Frames of animations are not stored.
            b'f' => return,
            kind => {
                let cell = match kind {
                    b'c' => Some((context.row as i64, context.col as i64)),
                    b'p' | b'q' => Some((y, x)),
                    _ => None,
                };
                let is_hit = |area: &Area| {
                    let hits = |(row, col)| area.rows.contains(&row) && area.cols.contains(&col);
                    let z = self.numbered(area.number).map(|placed| placed.z);
                    match kind {
                        b'a' => area.rows.end > 0 && area.rows.start < rows,
                        b'x' => area.cols.contains(&x),
                        b'y' => area.rows.contains(&y),
                        b'z' => z == Some(command.z),
                        b'q' => z == Some(command.z) && cell.is_some_and(hits),
                        _ => cell.is_some_and(hits),
                    }
                };
                let areas = self.areas(&[]);
                let hit: Vec<u64> = areas
                    .into_iter()
                    .filter(is_hit)
                    .map(|area| area.number)
                    .collect();
                self.remove_placements(|placed| hit.binary_search(&placed.number).is_ok());
            }
        }
        if frees {
            // Images that were named, and those that have just lost their last placement.
            let mut candidates = named;
            candidates.extend(placed_before);
            candidates.sort_unstable();
            let mut placed: Vec<ImageKey> = self.placed().collect();
            placed.sort_unstable();
            self.remove_images(|image| {
                candidates.binary_search(&image.key).is_ok()
                    && placed.binary_search(&image.key).is_err()
            });
        }
    }
}
