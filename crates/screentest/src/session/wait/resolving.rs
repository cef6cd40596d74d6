//! Waits until a selector has one match.
//!
//! Two matches are often a moment of a redraw, in which the old one is about to disappear. But once
//! the program waits for input, or nothing has changed for a while, more time would change nothing,
//! and the ambiguity is reported at once.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Ambiguity, Match, SelectError, Selector};

use crate::session::Session;
use crate::session::history::SessionFrame;
use crate::session::wait;
use crate::session::wait::enter_baseline::EnterBaseline;
use crate::session::wait::limits::WaitLimits;
use crate::session::wait::{Evaluation, WaitEnd, WaitSubject};

/// How long an ambiguous screen must stay unchanged if the program does not become idle, or its
/// state is unknown: longer than any redraw.
const STILL: Duration = Duration::from_millis(500);

/// The first and the longest pause between two checks whether the program waits for input.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

impl Session {
    /// Resolves a selector on a frame and, while it is ambiguous, on later frames. `Err` inside
    /// `Ok` is the last ambiguity, or a missing match.
    pub(crate) fn resolve_from(
        &self,
        frame: &Arc<SessionFrame>,
        selector: &Selector,
        ambiguity: Ambiguity,
        baseline: Option<&EnterBaseline>,
        limits: &WaitLimits,
    ) -> Result<Result<Match, SelectError>, WaitEnd> {
        let resolve = |frame: &SessionFrame| match baseline {
            None => selector.resolve(&frame.screen, ambiguity),
            Some(baseline) => selector.resolve_in(&baseline.changes(frame), ambiguity),
        };
        let first = resolve(frame);
        if !matches!(first, Err(SelectError::Ambiguous { .. })) {
            return Ok(first);
        }
        let clock = self.clock();
        let start = clock.now();
        let end = start.saturating_add(limits.timeout);
        let mut mark = frame.mark();
        let mut pause = FIRST_PAUSE;
        loop {
            let left = end.saturating_sub(clock.now());
            let found = wait::wait(
                &self.reader,
                WaitSubject::ScreensSince(mark),
                &limits.with_timeout(pause.min(left)),
                |now| {
                    let mut found = now.frames.iter().filter_map(|frame| resolve(frame).ok());
                    found.next().map_or(Evaluation::Pending, Evaluation::Ready)
                },
            );
            let last = match found {
                Ok(found) => return Ok(Ok(found)),
                Err(WaitEnd::TimedOut) => left <= pause,
                Err(WaitEnd::Ended(_)) => true,
                Err(end) => return Err(end),
            };
            let last = last || self.wait_until_idle(pause.min(left)) || {
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
                pause = LONGEST_PAUSE.min(pause * 2);
            }
            mark = now.mark();
            if let Ok(found) = resolve(&now) {
                return Ok(Ok(found));
            }
        }
    }
}
