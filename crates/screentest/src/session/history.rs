//! History of the screens that were shown.
//!
//! Screens share their unchanged rows and images, so a history of hundreds costs little. It is
//! bounded by the memory of what is not shared. The oldest frames are dropped first, and the
//! history records that: "never" cannot be answered for a period that is incomplete.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::emulator::Counts;
use screentest_core::{ImagePlacement, Row, Screen};

/// A screen with the time at which it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFrame {
    /// Increased with every change.
    pub revision: u64,
    /// When it was read, by the session's clock.
    pub time: Duration,
    /// The screen.
    pub screen: Screen,
    /// Counts of the program's effects so far that are not in the cells.
    pub counts: Counts,
    /// The session's number.
    pub(crate) session: u64,
}

impl SessionFrame {
    /// Returns a mark of this frame, to iterate over the frames after it.
    pub fn mark(&self) -> Mark {
        Mark {
            session: self.session,
            revision: self.revision,
            counts: self.counts,
        }
    }
}

/// A moment, for later queries about everything since. Marks are ordered by the screens shown; two
/// marks of one screen are equal, even if something happened in between that is not in the cells.
/// Marks of a session precede those of sessions that were started later.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// Numbered from 1; 0 matches any session.
    pub(crate) session: u64,
    pub(crate) revision: u64,
    pub(crate) counts: Counts,
}

impl Mark {
    /// The start of the session, before anything was shown.
    pub const START: Mark = Mark {
        session: 0,
        revision: 0,
        counts: Counts::NONE,
    };

    /// Returns the revision that was shown at the moment.
    pub fn revision(self) -> u64 {
        self.revision
    }

    /// Returns the counts of the program's effects until then that are not in the cells.
    pub fn counts(self) -> Counts {
        self.counts
    }
}

impl PartialEq for Mark {
    fn eq(&self, other: &Mark) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Mark {}

impl PartialOrd for Mark {
    fn partial_cmp(&self, other: &Mark) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mark {
    fn cmp(&self, other: &Mark) -> Ordering {
        (self.session, self.revision).cmp(&(other.session, other.revision))
    }
}

/// Why a query about the past has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Forgotten {
    /// The mark is so old that not every screen since then is stored.
    #[error("not every screen since the mark is still stored: set a later mark")]
    TooLong,
    /// The mark belongs to a program that was replaced. Its screens are no longer stored.
    #[error("the mark belongs to a program that has been replaced: set one after `launch`")]
    OtherProgram,
}

/// The stored frames.
#[derive(Debug)]
pub(crate) struct History {
    frames: VecDeque<Arc<SessionFrame>>,
    bytes: usize,
    session: u64,
    /// No frame from this revision on is missing.
    complete_from: u64,
}

impl History {
    /// Maximum memory of the frames: minutes of a busy screen.
    const MAX_BYTES: usize = 16 << 20;
    /// Maximum number of frames, however small: a search visits each.
    const MAX_FRAMES: usize = 4096;

    pub(crate) fn new(first: SessionFrame) -> History {
        let mut history = History {
            frames: VecDeque::new(),
            bytes: 0,
            session: first.session,
            complete_from: 0,
        };
        history.push(first);
        history
    }

    /// Appends the current frame.
    pub(crate) fn push(&mut self, frame: SessionFrame) {
        let before = self.frames.back().map(|last| last.revision);
        debug_assert!(before.is_none_or(|before| frame.revision == before + 1));
        self.bytes += cost(&frame, self.frames.back());
        self.frames.push_back(Arc::new(frame));
        while self.frames.len() > 1
            && (self.bytes > History::MAX_BYTES || self.frames.len() > History::MAX_FRAMES)
        {
            let gone = self.frames.pop_front();
            if let Some(gone) = gone {
                // What the removed frame shared with the next one remains in memory, so its size is
                // added again.
                let next = self.frames.front();
                let kept = next.map_or(0, |next| cost(next, None) - cost(next, Some(&gone)));
                self.bytes = (self.bytes + kept).saturating_sub(cost(&gone, None));
            }
        }
    }

    /// Returns whether a mark belongs to an earlier session: all frames here came after it.
    pub(crate) fn follows(&self, mark: Mark) -> bool {
        mark.session < self.session
    }

    /// Records that screens between the last frame and the next one were not stored.
    pub(crate) fn skip(&mut self) {
        self.complete_from = self.last().revision + 1;
    }

    /// Returns the current frame.
    pub(crate) fn last(&self) -> &Arc<SessionFrame> {
        self.frames.back().expect("a history begins with a frame")
    }

    /// Returns the frames after a revision, oldest first.
    pub(crate) fn since(
        &self,
        revision: u64,
    ) -> impl DoubleEndedIterator<Item = &Arc<SessionFrame>> {
        self.frames.range(self.index_of(revision + 1)..)
    }

    /// Returns the stored frames from a mark on, including the marked one.
    pub(crate) fn from(&self, mark: Mark) -> impl DoubleEndedIterator<Item = &Arc<SessionFrame>> {
        let first = self.index_of(self.revision_at(mark));
        self.frames.range(first.min(self.frames.len() - 1)..)
    }

    /// Returns the frame of a revision, if it is stored.
    pub(crate) fn at(&self, revision: u64) -> Option<&Arc<SessionFrame>> {
        let frame = self.frames.get(self.index_of(revision));
        frame.filter(|frame| frame.revision == revision)
    }

    /// Returns the index of the first frame of a revision or a later one. Revisions increase by
    /// one, so no frame needs to be visited: a wait calls this after every read, and old frames are
    /// no longer in a CPU cache.
    fn index_of(&self, revision: u64) -> usize {
        let oldest = self.frames.front().map_or(0, |frame| frame.revision);
        let index = usize::try_from(revision.saturating_sub(oldest)).unwrap_or(usize::MAX);
        index.min(self.frames.len())
    }

    /// Returns the revision at a mark, or 0 if this session began later.
    pub(crate) fn revision_at(&self, mark: Mark) -> u64 {
        if self.follows(mark) { 0 } else { mark.revision }
    }

    /// Returns all frames, oldest first.
    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &Arc<SessionFrame>> {
        self.frames.iter()
    }

    /// Returns an error if a frame since the mark is missing.
    pub(crate) fn reaches(&self, mark: Mark) -> Result<(), Forgotten> {
        let oldest = self.frames.front().map_or(0, |first| first.revision);
        if mark.session != self.session && mark != Mark::START {
            Err(Forgotten::OtherProgram)
        } else if oldest.max(self.complete_from) > mark.revision {
            Err(Forgotten::TooLong)
        } else {
            Ok(())
        }
    }
}

/// Images count only this fraction of their memory. Otherwise a single picture of a large screen,
/// which takes more than the limit, would leave no room for other frames.
const IMAGE_SHARE: usize = 8;

/// Returns the memory of a frame that it does not share with another.
fn cost(frame: &SessionFrame, other: Option<&Arc<SessionFrame>>) -> usize {
    let rows = &frame.screen.rows;
    let own: usize = rows
        .iter()
        .enumerate()
        .filter(|(index, row)| {
            !other
                .and_then(|other| other.screen.rows.get(*index))
                .is_some_and(|shared| Arc::ptr_eq(shared, row))
        })
        .map(|(_, row)| row.bytes())
        .sum();
    let images = &frame.screen.images;
    let content: usize = images
        .iter()
        .filter(|placed| {
            let mut others = other
                .into_iter()
                .flat_map(|other| other.screen.images.iter());
            !others.any(|other| Arc::ptr_eq(&other.image, &placed.image))
        })
        .map(|placed| placed.image.bytes() / IMAGE_SHARE + size_of::<ImagePlacement>())
        .sum();
    own + content + rows.len() * size_of::<Arc<Row>>() + size_of::<SessionFrame>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest_core::screen::image::ImageRect;
    use screentest_core::screen::row::{LinkId, RowBuilder, StyleId};
    use screentest_core::{ImageContent, ImageKind, ImageSize, Size};

    fn frame(revision: u64, text: &str) -> SessionFrame {
        let mut screen = Screen::blank(Size {
            cols: 2000,
            rows: 3,
        });
        let mut builder = RowBuilder::new();
        for c in text.chars() {
            builder.push(c, StyleId::PLAIN, LinkId::NONE);
        }
        screen.rows[0] = Arc::new(builder.finish());
        SessionFrame {
            revision,
            time: Duration::ZERO,
            screen,
            counts: Counts::NONE,
            session: 1,
        }
    }

    #[test]
    fn old_marks_are_forgotten_when_the_memory_limit_drops_frames() {
        let mut history = History::new(frame(0, "start"));
        assert!(history.reaches(Mark::START).is_ok());
        for revision in 1..4000 {
            history.push(frame(revision, &"x".repeat(1900)));
        }
        assert!(history.bytes <= History::MAX_BYTES);
        assert!(history.all().count() > 400);
        assert_eq!(history.reaches(Mark::START), Err(Forgotten::TooLong));
        assert_eq!(history.last().revision, 3999);
        assert_eq!(history.since(3997).count(), 2);
    }

    #[test]
    fn images_count_unless_frames_share_them() {
        let size = ImageSize::new(2048, 2048);
        let image = |color: u8| {
            let pixels = vec![color; 16 << 20];
            let image = ImageContent::rgba(size, pixels).expect("it fits");
            let rect = ImageRect::of(size);
            ImagePlacement {
                image: Arc::new(image),
                kind: ImageKind::Kitty,
                row: 0,
                col: 0,
                cols: 256,
                rows: 128,
                source: rect,
                drawn: rect,
                z: 0,
                visible: Arc::default(),
            }
        };
        let mut history = History::new(frame(0, "start"));
        let one = image(0);
        let mut push = |revision, image: &ImagePlacement| {
            let mut frame = frame(revision, "x");
            frame.screen.images = Arc::new([image.clone()]);
            history.push(frame);
            history.all().count()
        };
        // The same image in a hundred frames takes its memory once.
        assert_eq!(
            (1..=100).map(|revision| push(revision, &one)).last(),
            Some(101)
        );
        let counts: Vec<usize> = (101..=112)
            .map(|revision| push(revision, &image(revision as u8)))
            .collect();
        assert!(counts[11] < 9, "{counts:?}");
    }

    #[test]
    fn small_frames_are_bounded_in_number() {
        let mut history = History::new(frame(0, ""));
        for revision in 1..10_000 {
            history.push(frame(revision, "x"));
        }
        assert_eq!(history.all().count(), History::MAX_FRAMES);
    }
}
