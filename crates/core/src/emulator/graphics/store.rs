//! The images of a terminal, with a bound on their memory.
//!
//! An image is stored until nothing refers to it and its memory is needed, or until it is the
//! oldest one and the bound is reached. What refers to an image keeps only its key, so that an
//! image can be dropped although a cell or a placement still refers to it.
//!
//! The order in which images are dropped depends only on the program's bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::screen::image::ImageContent;

/// Maximum memory of all images of a terminal: a dozen screens of 1920×1080 as pixels would be
/// more, but as PNG they are much smaller.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// Names an image of the store. A key is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ImageKey(u64);

/// The images.
#[derive(Debug, Default)]
pub(crate) struct ImageStore {
    /// Oldest first, so their keys are ascending.
    entries: VecDeque<(ImageKey, Arc<ImageContent>)>,
    bytes: usize,
    next: u64,
    /// Number of images dropped although something referred to them.
    pub(crate) dropped: u64,
}

impl ImageStore {
    /// Maximum number of images, however small: adding one compares it with all others.
    const MAX_ENTRIES: usize = 4096;

    /// Adds an image. The same content is stored once, however often it is added.
    pub(crate) fn add(&mut self, content: Arc<ImageContent>) -> ImageKey {
        let known = self.entries.iter().find(|(_, known)| **known == *content);
        let content = match known {
            Some((_, known)) => Arc::clone(known),
            None => {
                self.bytes += content.bytes();
                content
            }
        };
        let key = ImageKey(self.next);
        self.next += 1;
        self.entries.push_back((key, content));
        key
    }

    /// Returns an image; `None` if it was dropped.
    pub(crate) fn get(&self, key: ImageKey) -> Option<&Arc<ImageContent>> {
        let index = self.entries.binary_search_by_key(&key, |(key, _)| *key);
        Some(&self.entries[index.ok()?].1)
    }

    /// Removes an image.
    pub(crate) fn remove(&mut self, key: ImageKey) {
        let index = self.entries.binary_search_by_key(&key, |(key, _)| *key);
        let Some((_, content)) = index.ok().and_then(|index| self.entries.remove(index)) else {
            return;
        };
        if !self.entries.iter().any(|(_, other)| *other == content) {
            self.bytes -= content.bytes();
        }
    }

    /// Returns the number of images.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether images must be dropped.
    pub(crate) fn is_over(&self) -> bool {
        self.bytes > MAX_BYTES || self.entries.len() > ImageStore::MAX_ENTRIES
    }

    /// Drops images until the bound is kept: first those for which `is_used` returns false, then
    /// the oldest; never the newest one. Returns the keys of dropped images that were in use.
    pub(crate) fn shrink(&mut self, is_used: impl Fn(ImageKey) -> bool) -> Vec<ImageKey> {
        let mut lost = Vec::new();
        if !self.is_over() {
            return lost;
        }
        let newest = self.entries.back().map(|(key, _)| *key);
        let keys: Vec<ImageKey> = self.entries.iter().map(|(key, _)| *key).collect();
        let (used, unused): (Vec<ImageKey>, Vec<ImageKey>) =
            keys.into_iter().partition(|key| is_used(*key));
        for key in &unused {
            if !self.is_over() {
                return lost;
            }
            if Some(*key) != newest {
                self.remove(*key);
            }
        }
        for key in used {
            if !self.is_over() {
                break;
            }
            if Some(key) != newest {
                self.remove(key);
                self.dropped += 1;
                lost.push(key);
            }
        }
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::image::ImageSize;

    /// An image of four megabytes in one colour.
    fn image(color: u8) -> Arc<ImageContent> {
        let size = ImageSize::new(1024, 1024);
        let pixels = vec![color; 4 << 20];
        Arc::new(ImageContent::rgba(size, pixels).expect("it fits"))
    }

    #[test]
    fn unused_images_are_dropped_before_the_oldest() {
        let mut store = ImageStore::default();
        let keys: Vec<ImageKey> = (0..15).map(|color| store.add(image(color))).collect();
        assert_eq!(store.shrink(|_| true), []);
        store.add(image(15));
        // The records take more than nothing, so 16 images are over the bound.
        assert_eq!(store.shrink(|key| key != keys[3]), []);
        assert!(store.get(keys[3]).is_none() && store.get(keys[0]).is_some());
        store.add(image(16));
        assert_eq!(store.shrink(|_| true), [keys[0]]);
        assert_eq!(store.dropped, 1);
        assert!(store.bytes <= MAX_BYTES);
    }

    #[test]
    fn equal_images_take_memory_once() {
        let mut store = ImageStore::default();
        let keys: Vec<ImageKey> = (0..100).map(|_| store.add(image(1))).collect();
        assert!(!store.is_over());
        for key in &keys[1..] {
            store.remove(*key);
        }
        assert!(store.get(keys[0]).is_some() && store.get(keys[1]).is_none());
        store.remove(keys[0]);
        assert_eq!((store.bytes, store.entries.len()), (0, 0));
    }
}
