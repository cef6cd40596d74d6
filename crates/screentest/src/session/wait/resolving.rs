//! Waits until a selector has one match.
//!
//! Two matches are often a moment of a redraw, in which the old one is about to disappear. But once
//! the program waits for input, or nothing has changed for a while, more time would change nothing,
//! and the ambiguity is reported at once.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Ambiguity, Match, SelectError, Selector};

use crate::session::Session;
use crate::session::history::Frame;
use crate::session::wait;
use crate::session::wait::enter_baseline::Entered;
use crate::session::wait::limits::WaitLimits;
use crate::session::wait::{Answer, Subject, Unanswered};

/// How long an ambiguous screen must stay unchanged if the program does not become idle, or its
/// state is unknown: longer than any redraw.
const STILL: Duration = Duration::from_millis(500);

/// The first and the longest pause between two checks whether the program waits for input.
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LAST_LOOK: Duration = Duration::from_millis(20);

impl Session {
    /// Resolves a selector on a frame and, while it is ambiguous, on later frames. `Err` inside
    /// `Ok` is the last ambiguity, or a missing match.
    pub(crate) fn resolve_from(
        &self,
        frame: &Arc<Frame>,
        selector: &Selector,
        ambiguity: Ambiguity,
        entered: Option<&Entered>,
        patience: &WaitLimits,
    ) -> Result<Result<Match, SelectError>, Unanswered> {
        let resolve = |frame: &Frame| match entered {
            None => selector.resolve(&frame.screen, ambiguity),
            Some(entered) => selector.resolve_in(&entered.changes(frame), ambiguity),
        };
        let first = resolve(frame);
        if !matches!(first, Err(SelectError::Ambiguous { .. })) {
            return Ok(first);
        }
        let clock = self.clock();
        let start = clock.now();
        let end = start.saturating_add(limits.timeout);
        let mut mark = frame.mark();
        let mut look = FIRST_LOOK;
        loop {
            let left = end.saturating_sub(clock.now());
            let one = wait::wait(
                &self.intake,
                Subject::ScreensSince(mark),
                &limits.with_timeout(look.min(left)),
                |now| {
                    let mut found = now.frames.iter().filter_map(|frame| resolve(frame).ok());
                    found.next().map_or(Answer::No, Answer::Yes)
                },
            );
            let last = match one {
                Ok(found) => return Ok(Ok(found)),
                Err(Unanswered::TimedOut) => left <= look,
                Err(Unanswered::Ended(_)) => true,
                Err(ending) => return Err(ending),
            };
            let last = last || self.wait_until_idle(look.min(left)) || {
                let changed = self.shown().time.max(start);
                clock.now() >= changed.saturating_add(STILL)
            };
            // Frames of the meantime have not been resolved yet.
            let now = self.frame();
            let unchanged = now.revision == mark.revision();
            if left.is_zero() || (unchanged && last) {
                return Ok(resolve(&now));
            }
            if unchanged {
                look = LAST_LOOK.min(look * 2);
            }
            mark = now.mark();
            if let Ok(found) = resolve(&now) {
                return Ok(Ok(found));
            }
        }
    }
}
