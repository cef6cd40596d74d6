//! Whether a cassette shows what its assertions say, in collapsed time.
//!
//! All assertions are asked on one way through the frames; only for those that failed there is a second, which finds out when it was as they say.
//!
//! Elsewhere: what an assertion is (`screentest_core::formats::assertions`), their file (`cassette/sidecar.rs`), what a failure says
//! (`cassette/failed.rs`).

use std::time::Duration;

use screentest_core::Screen;
use screentest_core::formats::assertions::{Assertion, Assertions, Reach, Stretch, When};
use screentest_core::formats::cassette::frames::Shown;
use screentest_core::formats::cassette::{Digest, Ending};

use super::failed::{Elsewhere, Failed};
use super::{Cassette, CassetteError};
use crate::recording::player::{PlayError, Player};

/// For how many assertions that failed it is looked up when it was as they say: who has more will mend one after the other.
const MOST_EXPLAINED: usize = 8;

/// Which frames are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Believed {
    /// Those that the pinned emulator derives again, now.
    Derived,
    /// Those that are kept, whatever derived them.
    Kept,
}

/// What came of a check.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    /// How many assertions there are.
    pub assertions: usize,
    /// How many frames there are.
    pub frames: usize,
    /// Those that do not hold, in the order of their file.
    pub failed: Vec<Failed>,
}

/// Why nothing was checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// They are about another cassette.
    #[error(
        "the assertions are of another cassette: they are bound to `{bound}`, and this one is `{found}`"
    )]
    OtherCassette {
        /// The id of theirs.
        bound: String,
        /// The id of this one.
        found: String,
    },
    /// The cassette has the same id, and is not the same.
    #[error(
        "the cassette is not as it was when the assertions were bound to it: its manifest has the digest `{found}`, not `{bound}`"
    )]
    OtherManifest {
        /// The digest they are bound to.
        bound: Digest,
        /// The digest of the manifest.
        found: Digest,
    },
    /// An assertion names a mark that there is not.
    #[error("line {line}: the cassette has no mark `{name}`; it has {known}")]
    NoMark {
        /// The line of the assertion.
        line: usize,
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// An assertion names a time that the recording does not reach.
    #[error("line {line}: {time:?} is after the end of the cassette, at {end:?}")]
    BehindEnd {
        /// The line of the assertion.
        line: usize,
        /// The time.
        time: Duration,
        /// When it ended.
        end: Duration,
    },
    /// An assertion's stretch ends before it begins.
    #[error("line {line}: {stretch} ends before it begins")]
    Backwards {
        /// The line of the assertion.
        line: usize,
        /// The stretch.
        stretch: String,
    },
    /// The cassette is not one that can be believed.
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
    /// Whether it shows what the assertions say. Assertions that are bound to another cassette are refused.
    pub fn check(
        &self,
        assertions: &Assertions,
        believed: Believed,
    ) -> Result<Checked, CheckError> {
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
        let mut player = match believed {
            Believed::Derived => {
                self.verify()?;
                Player::new(self)?
            }
            Believed::Kept => {
                self.verify_digests()?;
                Player::of_any_emulator(self)?
            }
        };
        let ending = self.ending();
        let placed = assertions.assertions.iter();
        let placed = placed.map(|assertion| Placed::new(assertion, &player, ending));
        let mut placed = placed.collect::<Result<Vec<_>, _>>()?;
        let frames = each_frame(&mut player, |frame, screen| {
            for placed in &mut placed {
                placed.look(frame, screen);
            }
        })?;
        let mut failed: Vec<(usize, Failed)> = Vec::new();
        for (index, placed) in placed.iter().enumerate() {
            failed.extend(placed.verdict(ending).map(|verdict| (index, verdict)));
        }
        if !failed.is_empty() {
            let mut again = match believed {
                Believed::Derived => Player::new(self)?,
                Believed::Kept => Player::of_any_emulator(self)?,
            };
            let explained = &mut failed[..];
            let most = explained.len().min(MOST_EXPLAINED);
            let mut elsewhere = vec![Elsewhere::default(); most];
            each_frame(&mut again, |frame, screen| {
                for (known, (index, _)) in elsewhere.iter_mut().zip(explained.iter()) {
                    let assertion = placed[*index].assertion;
                    known.look(assertion.met(screen), frame.shown.time.time());
                }
            })?;
            for (known, (index, failed)) in elsewhere.into_iter().zip(explained) {
                if placed[*index].assertion.wants() && failed.is_unmet() {
                    failed.elsewhere = known.told();
                }
            }
        }
        Ok(Checked {
            assertions: assertions.assertions.len(),
            frames,
            failed: failed.into_iter().map(|(_, failed)| failed).collect(),
        })
    }
}

/// A frame, and what comes after it.
#[derive(Clone, Copy)]
struct Frame {
    shown: Shown,
    next: Option<Shown>,
}

/// Tells of every frame, from the first to the last.
fn each_frame(
    player: &mut Player<'_>,
    mut tell: impl FnMut(Frame, &Screen),
) -> Result<usize, PlayError> {
    let mut last: Option<(Shown, Screen)> = None;
    let mut count = 0;
    while player.forward()?.is_some() {
        let (Some(next), Some(screen)) = (player.shown(), player.screen()) else {
            break;
        };
        count += 1;
        if let Some((shown, screen)) = last.replace((next, screen.clone())) {
            let next = Some(next);
            tell(Frame { shown, next }, &screen);
        }
    }
    if let Some((shown, screen)) = last {
        tell(Frame { shown, next: None }, &screen);
    }
    Ok(count)
}

/// A moment that is known to be in the cassette.
#[derive(Debug, Clone, Copy)]
enum Bound {
    Time(Duration),
    /// A mark, by its number: what happened in the same microsecond is before it or after it.
    Seq(u64, Duration),
}

impl Bound {
    fn time(self) -> Duration {
        match self {
            Bound::Time(time) | Bound::Seq(_, time) => time,
        }
    }

    /// Whether a frame was there by then.
    fn has(self, shown: &Shown) -> bool {
        match self {
            Bound::Time(time) => shown.time.time() <= time,
            Bound::Seq(seq, _) => shown.seq <= seq,
        }
    }
}

/// An assertion with its place in the cassette, and what was seen of it so far.
struct Placed<'a> {
    assertion: &'a Assertion,
    from: Option<Bound>,
    to: Option<Bound>,
    /// How many frames were looked at.
    frames: usize,
    /// A frame on which all was as it says.
    met: bool,
    /// The last frame on which it was not or, where all must be so, the first.
    unmet: Option<(Shown, Screen)>,
    /// The first frame on which something was that must not be.
    unclean: Option<(Shown, Screen)>,
}

impl<'a> Placed<'a> {
    fn new(
        assertion: &'a Assertion,
        player: &Player<'_>,
        ending: &Ending,
    ) -> Result<Placed<'a>, CheckError> {
        let bound = |when: &When| bound(when, assertion.line, player, ending);
        let (from, to) = match &assertion.stretch {
            Stretch::End => (None, None),
            Stretch::At(when) => {
                let bound = bound(when)?;
                (Some(bound), Some(bound))
            }
            Stretch::After(when, within) => {
                let from = bound(when)?;
                let to = within.map(|within| Bound::Time(from.time().saturating_add(within)));
                (Some(from), to)
            }
            Stretch::By(when) => (None, Some(bound(when)?)),
            Stretch::Between(from, by) => (Some(bound(from)?), Some(bound(by)?)),
        };
        if let (Some(from), Some(to)) = (from, to)
            && to.time() < from.time()
        {
            return Err(CheckError::Backwards {
                line: assertion.line,
                stretch: assertion.stretch.to_string(),
            });
        }
        Ok(Placed {
            assertion,
            from,
            to,
            frames: 0,
            met: false,
            unmet: None,
            unclean: None,
        })
    }

    /// Whether a frame was shown in the stretch.
    fn covers(&self, frame: Frame) -> bool {
        if self.assertion.stretch == Stretch::End {
            return frame.next.is_none();
        }
        let begun = self.to.is_none_or(|to| to.has(&frame.shown));
        let gone = |next: &Shown| self.from.is_some_and(|from| from.has(next));
        begun && !frame.next.is_some_and(|next| gone(&next))
    }

    fn look(&mut self, frame: Frame, screen: &Screen) {
        if !self.covers(frame) {
            return;
        }
        self.frames += 1;
        let here = || (frame.shown, screen.clone());
        if self.unclean.is_none() && !self.assertion.clean(screen) {
            self.unclean = Some(here());
        }
        let every = self.assertion.reach == Reach::Every;
        // What is decided already is not asked again.
        let decided = if every {
            self.unmet.is_some()
        } else {
            self.met
        };
        if decided || !self.assertion.wants() {
            return;
        }
        match self.assertion.met(screen) {
            true => self.met = true,
            false => self.unmet = Some(here()),
        }
    }

    /// What is wrong, if anything is.
    fn verdict(&self, ending: &Ending) -> Option<Failed> {
        let assertion = self.assertion;
        if let Some(exit) = &assertion.exit
            && let Some(failed) = Failed::ended(assertion, exit, ending, self.to.map(Bound::time))
        {
            return Some(failed);
        }
        let asks = assertion.wants() || !assertion.not_visible.is_empty();
        if asks && self.frames == 0 {
            return Some(Failed::nothing(assertion));
        }
        if let Some((shown, screen)) = &self.unclean {
            return Some(Failed::unclean(assertion, shown.time.time(), screen));
        }
        let met = match assertion.reach {
            Reach::Some => self.met,
            Reach::Every => self.unmet.is_none(),
        };
        let (shown, screen) = self.unmet.as_ref().filter(|_| !met)?;
        Some(Failed::unmet(assertion, shown.time.time(), screen))
    }
}

fn bound(
    when: &When,
    line: usize,
    player: &Player<'_>,
    ending: &Ending,
) -> Result<Bound, CheckError> {
    match when {
        When::Time(time) if *time > ending.t_ms => Err(CheckError::BehindEnd {
            line,
            time: time.time(),
            end: ending.t_ms.time(),
        }),
        When::Time(time) => Ok(Bound::Time(time.time())),
        When::Mark(name) => match player.mark(name) {
            Some((seq, time)) => Ok(Bound::Seq(seq, time)),
            None => Err(CheckError::NoMark {
                line,
                name: name.clone(),
                known: player.known_marks(),
            }),
        },
    }
}
