//! Checks a cassette against its assertions, without waiting in real time.
//!
//! All assertions are evaluated in one pass through the frames. If some fail, a second pass finds
//! the times at which they held.
//!
//! See also: `screentest_core::formats::assertions` (the assertions),
//! `assertions/assertions_file.rs` (their file), `assertions/failed_assertion.rs` (a failure).

use std::time::Duration;

use screentest_core::Screen;
use screentest_core::formats::assertions::{
    AssertionTime, Assertions, CassetteAssertion, FrameRange, Quantifier,
};
use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::{Digest, RecordingEnd};

use super::{Cassette, CassetteError};
use crate::recording::player::{PlayError, Player};

pub mod assertions_file;
pub(crate) mod failed_assertion;

use failed_assertion::{FailedAssertion, HeldTimes};

/// The number of failed assertions for which the second pass looks up when they held. A longer list
/// is fixed one by one anyway.
const MAX_EXPLAINED: usize = 8;

/// Which frames the assertions are checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameSource {
    /// Frames that the pinned emulator derives again, now.
    Derived,
    /// Frames stored in the cassette, whichever emulator derived them.
    Stored,
}

/// The result of a check.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CheckResult {
    /// The number of assertions.
    pub assertions: usize,
    /// The number of frames.
    pub frames: usize,
    /// The assertions that do not hold, in file order.
    pub failed: Vec<FailedAssertion>,
}

/// Why a check could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The assertions are bound to another cassette.
    #[error("the assertions are bound to another cassette, `{bound}`; this one is `{found}`")]
    OtherCassette {
        /// The id that the assertions name.
        bound: String,
        /// The id of this cassette.
        found: String,
    },
    /// The cassette has the right id, but its manifest has changed.
    #[error(
        "the cassette has changed since the assertions were bound to it: the digest of its manifest is `{found}`, not `{bound}`"
    )]
    OtherManifest {
        /// The digest that the assertions name.
        bound: Digest,
        /// The digest of the manifest.
        found: Digest,
    },
    /// An assertion names a mark that the cassette does not have.
    #[error("line {line}: the cassette has no mark `{name}`; it has {known}")]
    NoMark {
        /// The line of the assertion.
        line: usize,
        /// The name.
        name: String,
        /// The marks of the cassette.
        known: String,
    },
    /// An assertion names a time after the end of the recording.
    #[error("line {line}: {time:?} is after the end of the cassette, at {end:?}")]
    AfterEnd {
        /// The line of the assertion.
        line: usize,
        /// The time.
        time: Duration,
        /// The end of the recording.
        end: Duration,
    },
    /// The time range of an assertion ends before it begins.
    #[error("line {line}: {when} ends before it begins")]
    Backwards {
        /// The line of the assertion.
        line: usize,
        /// The time range.
        when: String,
    },
    /// The cassette could not be read or verified.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The cassette cannot be played.
    #[error(transparent)]
    Play(PlayError),
}

impl From<PlayError> for CheckError {
    fn from(error: PlayError) -> CheckError {
        match error {
            PlayError::Cassette(error) => CheckError::Cassette(error),
            other => CheckError::Play(other),
        }
    }
}

impl Cassette {
    /// Checks whether the cassette shows what the assertions say. Assertions that are bound to
    /// another cassette are an error.
    pub fn check(
        &self,
        assertions: &Assertions,
        frame_source: FrameSource,
    ) -> Result<CheckResult, CheckError> {
        let manifest = self.manifest();
        if assertions.cassette != manifest.id {
            return Err(CheckError::OtherCassette {
                bound: assertions.cassette.clone(),
                found: manifest.id.clone(),
            });
        }
        if assertions.manifest != manifest.digest() {
            return Err(CheckError::OtherManifest {
                bound: assertions.manifest,
                found: manifest.digest(),
            });
        }
        let mut player = match frame_source {
            FrameSource::Derived => {
                self.verify()?;
                Player::new(self)?
            }
            FrameSource::Stored => {
                self.verify_digests()?;
                Player::of_any_emulator(self)?
            }
        };
        let ending = self.ending();
        let checks = assertions.assertions.iter();
        let checks = checks.map(|assertion| AssertionCheck::new(assertion, &player, ending));
        let mut checks = checks.collect::<Result<Vec<_>, _>>()?;
        let frames = each_frame(&mut player, |frame, screen| {
            for check in &mut checks {
                check.add_frame(frame, screen);
            }
        })?;
        let mut failed: Vec<(usize, FailedAssertion)> = Vec::new();
        for (index, check) in checks.iter().enumerate() {
            failed.extend(check.failure(ending).map(|failure| (index, failure)));
        }
        if !failed.is_empty() {
            let mut second_pass = match frame_source {
                FrameSource::Derived => Player::new(self)?,
                FrameSource::Stored => Player::of_any_emulator(self)?,
            };
            let to_explain = &mut failed[..];
            let max = to_explain.len().min(MAX_EXPLAINED);
            let mut held_times = vec![HeldTimes::default(); max];
            each_frame(&mut second_pass, |frame, screen| {
                for (times, (index, _)) in held_times.iter_mut().zip(to_explain.iter()) {
                    let assertion = checks[*index].assertion;
                    times.record(assertion.met(screen), frame.shown.time.time());
                }
            })?;
            for (times, (index, failed)) in held_times.into_iter().zip(to_explain) {
                if checks[*index].assertion.wants() && failed.is_not_shown() {
                    failed.held = times.summary();
                }
            }
        }
        Ok(CheckResult {
            assertions: assertions.assertions.len(),
            frames,
            failed: failed.into_iter().map(|(_, failed)| failed).collect(),
        })
    }
}

/// A frame and its successor.
#[derive(Clone, Copy)]
struct FrameSpan {
    shown: FrameTime,
    next: Option<FrameTime>,
}

/// Calls `visit` with every frame, from first to last. Returns the number of frames.
fn each_frame(
    player: &mut Player<'_>,
    mut visit: impl FnMut(FrameSpan, &Screen),
) -> Result<usize, PlayError> {
    let mut last: Option<(FrameTime, Screen)> = None;
    let mut count = 0;
    while player.forward()?.is_some() {
        let (Some(next), Some(screen)) = (player.shown(), player.screen()) else {
            break;
        };
        count += 1;
        if let Some((shown, screen)) = last.replace((next, screen.clone())) {
            let next = Some(next);
            visit(FrameSpan { shown, next }, &screen);
        }
    }
    if let Some((shown, screen)) = last {
        visit(FrameSpan { shown, next: None }, &screen);
    }
    Ok(count)
}

/// A point in time that is known to be within the cassette.
#[derive(Debug, Clone, Copy)]
enum TimeBound {
    Time(Duration),
    /// A mark, by its `seq`. It orders things that happened in the same microsecond.
    Seq(u64, Duration),
}

impl TimeBound {
    fn time(self) -> Duration {
        match self {
            TimeBound::Time(time) | TimeBound::Seq(_, time) => time,
        }
    }

    /// Returns whether a frame was first shown at or before this point.
    fn has(self, shown: &FrameTime) -> bool {
        match self {
            TimeBound::Time(time) => shown.time.time() <= time,
            TimeBound::Seq(seq, _) => shown.seq <= seq,
        }
    }
}

/// An assertion, its time range, and the results so far.
struct AssertionCheck<'a> {
    assertion: &'a CassetteAssertion,
    from: Option<TimeBound>,
    to: Option<TimeBound>,
    /// The number of frames in the time range.
    frames: usize,
    /// Whether some frame met the assertion.
    met: bool,
    /// The last frame that did not meet the assertion; the first one if every frame must meet it.
    unmet: Option<(FrameTime, Screen)>,
    /// The first frame that showed something that must not be visible.
    forbidden: Option<(FrameTime, Screen)>,
}

impl<'a> AssertionCheck<'a> {
    fn new(
        assertion: &'a CassetteAssertion,
        player: &Player<'_>,
        ending: &RecordingEnd,
    ) -> Result<AssertionCheck<'a>, CheckError> {
        let bound = |when: &AssertionTime| bound(when, assertion.line, player, ending);
        let (from, to) = match &assertion.frames {
            FrameRange::End => (None, None),
            FrameRange::At(when) => {
                let bound = bound(when)?;
                (Some(bound), Some(bound))
            }
            FrameRange::After(when, within) => {
                let from = bound(when)?;
                let to = within.map(|within| TimeBound::Time(from.time().saturating_add(within)));
                (Some(from), to)
            }
            FrameRange::By(when) => (None, Some(bound(when)?)),
            FrameRange::Between(from, by) => (Some(bound(from)?), Some(bound(by)?)),
        };
        if let (Some(from), Some(to)) = (from, to)
            && to.time() < from.time()
        {
            return Err(CheckError::Backwards {
                line: assertion.line,
                when: assertion.frames.to_string(),
            });
        }
        Ok(AssertionCheck {
            assertion,
            from,
            to,
            frames: 0,
            met: false,
            unmet: None,
            forbidden: None,
        })
    }

    /// Returns whether a frame was shown within the time range.
    fn covers(&self, frame: FrameSpan) -> bool {
        if self.assertion.frames == FrameRange::End {
            return frame.next.is_none();
        }
        let has_begun = self.to.is_none_or(|to| to.has(&frame.shown));
        let has_ended = |next: &FrameTime| self.from.is_some_and(|from| from.has(next));
        has_begun && !frame.next.is_some_and(|next| has_ended(&next))
    }

    fn add_frame(&mut self, frame: FrameSpan, screen: &Screen) {
        if !self.covers(frame) {
            return;
        }
        self.frames += 1;
        let evidence = || (frame.shown, screen.clone());
        if self.forbidden.is_none() && !self.assertion.clean(screen) {
            self.forbidden = Some(evidence());
        }
        let every = self.assertion.quantifier == Quantifier::Every;
        // Do not evaluate the condition again once the result is certain.
        let is_decided = if every {
            self.unmet.is_some()
        } else {
            self.met
        };
        if is_decided || !self.assertion.wants() {
            return;
        }
        if self.assertion.met(screen) {
            self.met = true;
        } else {
            self.unmet = Some(evidence());
        }
    }

    /// Returns the failure, if there is one.
    fn failure(&self, ending: &RecordingEnd) -> Option<FailedAssertion> {
        let assertion = self.assertion;
        if let Some(exit) = &assertion.exit
            && let Some(failed) =
                FailedAssertion::ended(assertion, exit, ending, self.to.map(TimeBound::time))
        {
            return Some(failed);
        }
        let needs_frame = assertion.wants() || !assertion.not_visible.is_empty();
        if needs_frame && self.frames == 0 {
            return Some(FailedAssertion::nothing_shown(assertion));
        }
        if let Some((shown, screen)) = &self.forbidden {
            return Some(FailedAssertion::forbidden_shown(
                assertion,
                shown.time.time(),
                screen,
            ));
        }
        let met = match assertion.quantifier {
            Quantifier::Some => self.met,
            Quantifier::Every => self.unmet.is_none(),
        };
        let (shown, screen) = self.unmet.as_ref().filter(|_| !met)?;
        Some(FailedAssertion::not_shown(
            assertion,
            shown.time.time(),
            screen,
        ))
    }
}

fn bound(
    when: &AssertionTime,
    line: usize,
    player: &Player<'_>,
    ending: &RecordingEnd,
) -> Result<TimeBound, CheckError> {
    match when {
        AssertionTime::Time(time) if *time > ending.t_ms => Err(CheckError::AfterEnd {
            line,
            time: time.time(),
            end: ending.t_ms.time(),
        }),
        AssertionTime::Time(time) => Ok(TimeBound::Time(time.time())),
        AssertionTime::Mark(name) => match player.mark(name) {
            Some((seq, time)) => Ok(TimeBound::Seq(seq, time)),
            None => Err(CheckError::NoMark {
                line,
                name: name.clone(),
                known: player.known_marks(),
            }),
        },
    }
}
