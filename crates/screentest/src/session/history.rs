//! What was shown, for a while.
//!
//! Screens share their unchanged rows, so a history of hundreds costs little; it is bounded by the memory of what they
//! do not share. The oldest go first, and the history remembers that they went: "never" cannot be answered for a time
//! that is forgotten.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::emulator::Counts;
use screentest_core::{Row, Screen};

/// A screen with the time at which it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Counts up with every change.
    pub revision: u64,
    /// When it was seen, by the session's clock.
    pub time: Duration,
    /// What was shown.
    pub screen: Screen,
    /// What the program had done by then that no cell shows.
    pub counts: Counts,
    /// Whose it is.
    pub(crate) session: u64,
}

impl Frame {
    /// The moment when it was shown, so that the frames after it can be walked one by one.
    pub fn mark(&self) -> Mark {
        Mark {
            session: self.session,
            revision: self.revision,
            counts: self.counts,
        }
    }
}

/// A moment to ask about later: "since then". Marks are ordered by what was shown; those of one screen are equal, whatever
/// happened meanwhile that no cell shows. Those of a session are before those of the sessions that were started later.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// Counts from 1; 0 stands for whichever is asked.
    pub(crate) session: u64,
    pub(crate) revision: u64,
    pub(crate) counts: Counts,
}

impl Mark {
    /// The moment when the session began, before anything was shown.
    pub const START: Mark = Mark {
        session: 0,
        revision: 0,
        counts: Counts::NONE,
    };

    /// The revision that was shown at the moment.
    pub fn revision(self) -> u64 {
        self.revision
    }

    /// What the program had done by then that no cell shows.
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

/// Why a question about the past has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Forgotten {
    /// The mark is so long ago that not every screen since is still known.
    #[error("too much was shown since the mark to remember all of it: set a later one")]
    TooLong,
    /// The mark is of a program that was replaced; what that one showed since is not known here.
    #[error("the mark is of a program that has been replaced: set one after `launch`")]
    OtherProgram,
}

/// The frames that are still known.
#[derive(Debug)]
pub(crate) struct History {
    frames: VecDeque<Arc<Frame>>,
    bytes: usize,
    session: u64,
    /// From this revision on, nothing that was shown is missing.
    complete_from: u64,
}

impl History {
    /// How much memory the frames may take: minutes of a busy screen.
    const MOST_BYTES: usize = 16 << 20;
    /// How many there may be, however small: a search looks at each.
    const MOST_FRAMES: usize = 4096;

    pub(crate) fn new(first: Frame) -> History {
        let mut history = History {
            frames: VecDeque::new(),
            bytes: 0,
            session: first.session,
            complete_from: 0,
        };
        history.push(first);
        history
    }

    /// Adds what is shown now.
    pub(crate) fn push(&mut self, frame: Frame) {
        let before = self.frames.back().map(|last| last.revision);
        debug_assert!(before.is_none_or(|before| frame.revision == before + 1));
        self.bytes += cost(&frame, self.frames.back());
        self.frames.push_back(Arc::new(frame));
        while self.frames.len() > 1
            && (self.bytes > History::MOST_BYTES || self.frames.len() > History::MOST_FRAMES)
        {
            let gone = self.frames.pop_front();
            if let Some(gone) = gone {
                // The next one now holds alone what it shared with this one; counting that again keeps the sum right.
                let next = self.frames.front();
                let kept = next.map_or(0, |next| cost(next, None) - cost(next, Some(&gone)));
                self.bytes = (self.bytes + kept).saturating_sub(cost(&gone, None));
            }
        }
    }

    /// Whether a mark is of an earlier session: all that was shown here came after it.
    pub(crate) fn follows(&self, mark: Mark) -> bool {
        mark.session < self.session
    }

    /// Between what is shown now and the next frame, others were shown that nobody kept.
    pub(crate) fn skip(&mut self) {
        self.complete_from = self.last().revision + 1;
    }

    /// What is shown now.
    pub(crate) fn last(&self) -> &Arc<Frame> {
        self.frames.back().expect("a history begins with a frame")
    }

    /// The frames after a revision, oldest first.
    pub(crate) fn since(&self, revision: u64) -> impl DoubleEndedIterator<Item = &Arc<Frame>> {
        self.frames.range(self.place(revision + 1)..)
    }

    /// What was shown at a mark, and everything after it, as far as it is still known.
    pub(crate) fn from(&self, mark: Mark) -> impl DoubleEndedIterator<Item = &Arc<Frame>> {
        let first = self.place(self.since_mark(mark));
        self.frames.range(first.min(self.frames.len() - 1)..)
    }

    /// The frame of a revision, if it is still known.
    pub(crate) fn at(&self, revision: u64) -> Option<&Arc<Frame>> {
        let frame = self.frames.get(self.place(revision));
        frame.filter(|frame| frame.revision == revision)
    }

    /// Where the first frame of a revision, or of a later one, stands. Revisions count up one by one, so that no frame needs to be
    /// looked at: a wait asks after every read, and what was shown long ago is in no cache any more.
    fn place(&self, revision: u64) -> usize {
        let oldest = self.frames.front().map_or(0, |frame| frame.revision);
        let place = usize::try_from(revision.saturating_sub(oldest)).unwrap_or(usize::MAX);
        place.min(self.frames.len())
    }

    /// The revision that was shown at a mark, or when this session began, if that was later.
    pub(crate) fn since_mark(&self, mark: Mark) -> u64 {
        if self.follows(mark) { 0 } else { mark.revision }
    }

    /// All of them, oldest first.
    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &Arc<Frame>> {
        self.frames.iter()
    }

    /// Whether every frame since a mark is still known.
    pub(crate) fn reaches(&self, mark: Mark) -> Result<(), Forgotten> {
        let known = self.frames.front().map_or(0, |first| first.revision);
        if mark.session != self.session && mark != Mark::START {
            Err(Forgotten::OtherProgram)
        } else if known.max(self.complete_from) > mark.revision {
            Err(Forgotten::TooLong)
        } else {
            Ok(())
        }
    }
}

/// The memory of a frame that it does not share with another.
fn cost(frame: &Frame, other: Option<&Arc<Frame>>) -> usize {
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
    own + rows.len() * size_of::<Arc<Row>>() + size_of::<Frame>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest_core::Size;
    use screentest_core::screen::row::{LinkId, RowBuilder, StyleId};

    fn frame(revision: u64, text: &str) -> Frame {
        let mut screen = Screen::blank(Size {
            cols: 2000,
            rows: 3,
        });
        let mut builder = RowBuilder::new();
        for c in text.chars() {
            builder.push(c, StyleId::PLAIN, LinkId::NONE);
        }
        screen.rows[0] = Arc::new(builder.finish());
        Frame {
            revision,
            time: Duration::ZERO,
            screen,
            counts: Counts::NONE,
            session: 1,
        }
    }

    #[test]
    fn the_oldest_go_when_memory_is_used_up_and_a_mark_knows_it() {
        let mut history = History::new(frame(0, "start"));
        assert!(history.reaches(Mark::START).is_ok());
        for revision in 1..4000 {
            history.push(frame(revision, &"x".repeat(1900)));
        }
        assert!(history.bytes <= History::MOST_BYTES);
        assert!(history.all().count() > 400);
        assert_eq!(history.reaches(Mark::START), Err(Forgotten::TooLong));
        assert_eq!(history.last().revision, 3999);
        assert_eq!(history.since(3997).count(), 2);
    }

    #[test]
    fn small_frames_are_bounded_in_number() {
        let mut history = History::new(frame(0, ""));
        for revision in 1..10_000 {
            history.push(frame(revision, "x"));
        }
        assert_eq!(history.all().count(), History::MOST_FRAMES);
    }
}
