//! Playing a recorded program to whoever drives it: what it wrote, when it is given what it was given.
//!
//! A test of what drives a program then needs no program, no network and no credentials. An [`Impersonation`] says which cassette is
//! played and how; an [`Impersonator`] plays it. It touches no terminal itself: it is told what came ([`Heard`]) and says what to do
//! next ([`Cue`]), so that every rule of it can be tested without one.
//!
//! | | |
//! |---|---|
//! | `options.rs` | which cassette, and how |
//! | `script.rs` | what was recorded, in the order in which it must happen again |
//! | `expected.rs`, `pattern.rs` | whether what came is what was recorded |
//! | `mismatch.rs` | what is said where it is not |
//! | `chunks.rs` | in which pieces the output is written |
//! | `stage.rs` | from cue to cue, until the end |
//!
//! Elsewhere: keys and the terminal's own answers in what comes (`token.rs`), the terminal of a test whose program this is (`pty/double.rs`), and of
//! `screentest impersonate` (the command-line tool).

use std::collections::VecDeque;
use std::time::Duration;

use screentest_core::{Identity, Size};

use crate::pty::signal::Signal;
use crate::recording::player::Pace;
use crate::session::exit_status::Outcome;
use screentest_core::input::token;

mod chunks;
mod expected;
mod mismatch;
mod options;
mod pattern;
mod script;
mod stage;
#[cfg(test)]
mod tests;

pub use mismatch::Mismatch;
pub(crate) use mismatch::painted;
pub use options::{Chunks, ImpersonateError, Impersonation, Matching};
pub use stage::{Ended, Stage};

use chunks::Chunker;
use expected::{Expected, Fit, Open};
use mismatch::Came;
use options::{Replies, Sizes};
use script::{Script, Step, Wanted};

/// How long it waits for what must be on its way: a terminal's answer, the rest of a sequence, the resize before a key.
///
/// They come within microseconds of what they belong to, and a second passes on a busy machine only.
const PATIENCE: Duration = Duration::from_secs(1);

/// How much input may wait beyond what is expected: twice the largest that a session gives at once.
const MOST_HEARD: usize = 8 << 20;

/// The exit code where something else came than was recorded. Programs hardly ever have it, so that it is not taken for theirs.
pub const MISMATCH: i32 = 125;

/// Something that came.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Heard {
    /// Input.
    Bytes(Vec<u8>),
    /// The terminal has another size.
    Resize(Size),
    /// A signal was sent.
    Signal(Signal),
    /// There will be no more input.
    Closed,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cue {
    /// Write this, at once.
    Say(Vec<u8>),
    /// Wait until something comes, or until this moment.
    Wait {
        /// The moment, by the clock that gives the time; `None` is no moment.
        until: Option<Duration>,
    },
    /// End like this.
    End(Outcome),
}

/// Plays a recorded program.
#[derive(Debug)]
pub struct Impersonator {
    how: Impersonation,
    script: Script,
    chunker: Chunker,
    /// Input that was not taken yet, without the terminal's own answers.
    heard: Vec<u8>,
    /// How much of it is whole keys. What follows may be the beginning of an answer, and has been there since.
    whole: usize,
    unsure: Option<Duration>,
    /// Answers of the terminal that came and were not waited for yet.
    answers: usize,
    /// Since when the next step has been waited for.
    begun: Option<Duration>,
    /// A terminal that did not answer once is not waited for again.
    mute: bool,
    /// Resizes and signals that came, and when.
    happened: VecDeque<(Duration, Event)>,
    size: Option<Size>,
    closed: bool,
    /// What the last input was taken for, while more of the same may follow.
    open: Option<Open>,
    /// When the last input was taken, and when it was recorded.
    anchor: Option<(Duration, Duration)>,
    mismatch: Option<Mismatch>,
    told: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Resize(Size),
    Signal(Signal),
}

impl Event {
    /// Whether a step that waits for the one looks at the other: all sizes are alike, and each signal is like itself.
    fn is_like(self, other: Event) -> bool {
        match (self, other) {
            (Event::Resize(_), Event::Resize(_)) => true,
            (Event::Signal(one), Event::Signal(other)) => one == other,
            (Event::Resize(_), Event::Signal(_)) | (Event::Signal(_), Event::Resize(_)) => false,
        }
    }
}

/// What became of a step.
enum Taken {
    /// It happened again.
    Yes,
    /// It did not happen yet.
    NotYet(Option<Duration>),
    /// Something else happened.
    Other(Came),
}

impl Impersonator {
    /// Opens the cassette. `size` is that of the terminal, and `emulator` what shows it, where they are known.
    pub fn open(
        how: &Impersonation,
        size: Option<Size>,
        emulator: Option<Identity>,
    ) -> Result<Impersonator, ImpersonateError> {
        let script = Script::open(how, size, emulator)?;
        Ok(Impersonator {
            chunker: Chunker::new(how.chunks),
            how: how.clone(),
            script,
            heard: Vec::new(),
            whole: 0,
            unsure: None,
            answers: 0,
            begun: None,
            mute: how.replies == Replies::Ignored,
            happened: VecDeque::new(),
            size,
            closed: false,
            open: None,
            anchor: None,
            mismatch: None,
            told: false,
        })
    }

    /// Takes note of something that came.
    pub fn hear(&mut self, heard: Heard, now: Duration) {
        match heard {
            Heard::Bytes(bytes) => {
                self.heard.extend_from_slice(&bytes);
                self.sort(now);
            }
            Heard::Resize(size) => self.note(Event::Resize(size), now),
            Heard::Signal(signal) => self.note(Event::Signal(signal), now),
            Heard::Closed => self.closed = true,
        }
    }

    /// Keeps a resize or a signal for the step that waits for it. Of what no step will wait for, one is kept to be told of; more of the
    /// same, for as long as somebody drags the edge of a window, would only take memory.
    fn note(&mut self, event: Event, now: Duration) {
        if let Event::Resize(size) = event {
            let mut happened = self.happened.iter().rev();
            let newest = happened.find_map(|(_, event)| match event {
                Event::Resize(size) => Some(*size),
                Event::Signal(_) => None,
            });
            if !self.minds_sizes() || newest.or(self.size) == Some(size) {
                return;
            }
        }
        let happened = self.happened.iter();
        let kept = happened.filter(|(_, other)| event.is_like(*other)).count();
        if kept <= self.script.waits_for(event) {
            self.happened.push_back((now, event));
        }
    }

    /// Whether it matters which size the terminal has.
    fn minds_sizes(&self) -> bool {
        self.how.sizes == Sizes::Recorded && self.size.is_some()
    }

    /// What to do now. Each thing that is to be said is said once.
    pub fn cue(&mut self, now: Duration) -> Result<Cue, ImpersonateError> {
        loop {
            if let Some(mismatch) = &self.mismatch {
                if self.told {
                    return Ok(Cue::End(Outcome::Exited(MISMATCH)));
                }
                self.told = true;
                return Ok(Cue::Say(mismatch.painted()));
            }
            if self.heard.len() > MOST_HEARD.saturating_add(self.script.next_len()) {
                self.differs(Came::Bytes(self.heard.clone()));
                continue;
            }
            let cue = match self.output(now)? {
                Some(cue) => Some(cue),
                None => self.input(now),
            };
            match cue {
                None => {}
                Some(end @ Cue::End(_)) => return Ok(end),
                Some(cue) => {
                    // What came before the signal was taken; nothing that would come after it happens any more.
                    return Ok(match self.deadly() {
                        Some(signal) => Cue::End(Outcome::Signaled(signal)),
                        None => cue,
                    });
                }
            }
        }
    }

    /// What must come next, and whether it has; `None` where there is more to do.
    fn input(&mut self, now: Duration) -> Option<Cue> {
        let Some(step) = self.script.next().cloned() else {
            return self.last_cue();
        };
        let begun = *self.begun.get_or_insert(now);
        match self.take(&step, begun, now) {
            Taken::Yes => {
                self.anchor = Some((now, step.time));
                self.begun = None;
                self.script.pass();
                None
            }
            Taken::NotYet(until) => Some(Cue::Wait { until }),
            Taken::Other(came) => {
                self.differs(came);
                None
            }
        }
    }

    /// What was expected and what came instead, once that has happened.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        self.mismatch.as_ref()
    }

    /// What comes before the next input: the output, when it is due.
    fn output(&mut self, now: Duration) -> Result<Option<Cue>, ImpersonateError> {
        let timed = self.how.pace != Pace::Collapsed;
        let in_pieces = timed || self.how.chunks == Chunks::Original;
        let Some((length, time)) = self.script.ahead(in_pieces)? else {
            return Ok(None);
        };
        let (since, recorded) = *self.anchor.get_or_insert((now, Duration::ZERO));
        let passed = time.saturating_sub(recorded);
        let due = since.saturating_add(self.how.pace.of(passed));
        if timed && now < due {
            return Ok(Some(Cue::Wait { until: Some(due) }));
        }
        let length = self.chunker.next(length);
        Ok(Some(Cue::Say(self.script.say(length)?)))
    }

    /// What is left when everything was said.
    fn last_cue(&mut self) -> Option<Cue> {
        if self.script.ends_by_itself() {
            return Some(Cue::End(self.script.outcome()));
        }
        // What ends a program from outside is waited for: whoever drives it may want to look at its last screen.
        if self.extends() {
            return None;
        }
        match (self.whole, self.closed) {
            (0, true) => Some(Cue::End(self.script.outcome())),
            (0, false) => Some(Cue::Wait { until: None }),
            _ => {
                self.differs(Came::Bytes(self.heard.clone()));
                None
            }
        }
    }

    /// A signal that kills whoever does not expect it.
    fn deadly(&self) -> Option<Signal> {
        let signals = self.happened.iter().filter_map(|(_, event)| match event {
            Event::Signal(signal) => Some(*signal),
            Event::Resize(_) => None,
        });
        let mut deadly = signals.filter(|signal| match *signal {
            Signal::KILL => true,
            Signal::HUP => !self.script.expects_signal(*signal),
            // Whoever closes a terminal also asks in this way; what is said because of the hangup is what was recorded.
            Signal::TERM => {
                !self.script.expects_signal(*signal) && !self.script.was_sent(Signal::HUP)
            }
            _ => false,
        });
        deadly.next()
    }

    fn take(&mut self, step: &Step, begun: Duration, now: Duration) -> Taken {
        match &step.what {
            Wanted::Given(expected) => self.take_input(expected, begun, now),
            Wanted::Answers(count) => self.take_answers(*count, begun, now),
            Wanted::Resize(size) => self.take_resize(*size, begun, now),
            Wanted::Signal(signal) => self.take_signal(*signal, begun, now),
        }
    }

    fn take_input(&mut self, expected: &Expected, begun: Duration, now: Duration) -> Taken {
        loop {
            match expected.fit(&self.heard, self.whole) {
                Fit::Whole(count) => {
                    let taken = self.remove(count);
                    self.open = Open::new(expected, taken);
                    return Taken::Yes;
                }
                Fit::Part if self.closed => return Taken::Other(Came::End(self.heard.clone())),
                Fit::Part => return self.unless_other(false, begun, now),
                Fit::Unfit if self.extends() => {}
                Fit::Unfit => return self.unless_answer(expected, now),
            }
        }
    }

    /// What came is not it, unless it is the beginning of an answer that is not all there.
    fn unless_answer(&self, expected: &Expected, now: Duration) -> Taken {
        let sure = expected.fit(&self.heard[..self.whole], self.whole);
        if let (Fit::Part, Some(since), false) = (sure, self.unsure, self.closed) {
            let until = since.saturating_add(PATIENCE);
            if now < until {
                return Taken::NotYet(Some(until));
            }
        }
        Taken::Other(Came::Bytes(self.heard.clone()))
    }

    /// Takes what more belongs to the input before; says whether there was any.
    fn extends(&mut self) -> bool {
        let open = self.open.as_ref();
        let more = open.map_or(0, |open| open.more(&self.heard));
        if more == 0 {
            return false;
        }
        let taken = self.remove(more);
        if let Some(open) = &mut self.open {
            open.take(taken);
        }
        true
    }

    fn take_answers(&mut self, count: usize, begun: Duration, now: Duration) -> Taken {
        if self.mute || self.answers >= count {
            self.answers = self.answers.saturating_sub(count);
            return Taken::Yes;
        }
        let until = begun.saturating_add(PATIENCE);
        if now < until && !self.closed {
            return Taken::NotYet(Some(until));
        }
        self.mute = true;
        Taken::Yes
    }

    fn take_resize(&mut self, size: Size, begun: Duration, now: Duration) -> Taken {
        let Some(known) = self.size.filter(|_| self.minds_sizes()) else {
            return Taken::Yes;
        };
        let mut happened = self.happened.iter().enumerate();
        let resized = happened.find_map(|(place, (_, event))| match event {
            Event::Resize(came) => Some((place, *came)),
            Event::Signal(_) => None,
        });
        match resized {
            Some((place, came)) if came == size => {
                self.happened.remove(place);
                self.size = Some(size);
                Taken::Yes
            }
            // Two sizes that follow each other at once may be heard of as one.
            Some((_, came)) if self.script.soon_resizes_to(came) => Taken::Yes,
            Some((_, came)) => Taken::Other(Came::Resize(came)),
            None if known == size => Taken::Yes,
            None => self.unless_other(true, begun, now),
        }
    }

    fn take_signal(&mut self, signal: Signal, begun: Duration, now: Duration) -> Taken {
        let mut happened = self.happened.iter().enumerate();
        let sent = happened.find_map(|(place, (_, event))| match event {
            Event::Signal(came) if *came == signal || !is_ignorable(*came) => Some((place, *came)),
            Event::Signal(_) | Event::Resize(_) => None,
        });
        match sent {
            Some((place, came)) if came == signal => {
                self.happened.remove(place);
                Taken::Yes
            }
            Some((_, came)) => Taken::Other(Came::Signal(came)),
            // Nobody hears of being stopped, only of going on.
            None if signal == Signal::STOP => Taken::Yes,
            None if self.closed => Taken::Other(Came::End(self.heard.clone())),
            None => self.unless_other(true, begun, now),
        }
    }

    /// Waits on, unless something came that is not what is waited for and has been there for a second: bytes, sizes and signals that
    /// are given one after the other may arrive in another order, but all arrive.
    fn unless_other(&self, or_bytes: bool, begun: Duration, now: Duration) -> Taken {
        let sizes = self.minds_sizes();
        let mut happened = self.happened.iter();
        let event = happened.find_map(|(since, event)| match *event {
            Event::Resize(size) => {
                (sizes && Some(size) != self.size).then_some((*since, Came::Resize(size)))
            }
            Event::Signal(signal) => (!is_ignorable(signal) && self.deadly() != Some(signal))
                .then_some((*since, Came::Signal(signal))),
        });
        let bytes =
            (or_bytes && !self.heard.is_empty()).then(|| (begun, Came::Bytes(self.heard.clone())));
        let Some((since, came)) = event.or(bytes) else {
            return Taken::NotYet(None);
        };
        let until = since.max(begun).saturating_add(PATIENCE);
        match now < until {
            true => Taken::NotYet(Some(until)),
            false => Taken::Other(came),
        }
    }

    /// Takes the terminal's answers out of what came, and finds where the last whole key ends.
    fn sort(&mut self, now: Duration) {
        let before = self.heard.len() - self.whole;
        while let Some(token) = token::first(&self.heard[self.whole..]) {
            let end = self.whole + token.length;
            let is_key = self.script.is_key(&self.heard[self.whole..end]);
            match token.kind {
                token::Kind::Answer if !is_key => {
                    self.heard.drain(self.whole..end);
                    self.answers += 1;
                }
                token::Kind::Answer | token::Kind::Key => self.whole = end,
                token::Kind::Part => break,
            }
        }
        let left = self.heard.len() - self.whole;
        if left == 0 {
            self.unsure = None;
        } else if self.unsure.is_none() || left != before {
            self.unsure = Some(now);
        }
    }

    fn remove(&mut self, count: usize) -> Vec<u8> {
        self.whole = self.whole.saturating_sub(count);
        let taken = self.heard.drain(..count).collect();
        if self.whole == self.heard.len() {
            self.unsure = None;
        }
        taken
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "who says what came has no more use for it"
    )]
    fn differs(&mut self, came: Came) {
        self.mismatch = Some(self.script.mismatch(&came));
    }
}

/// A signal that does nothing to who does not care.
fn is_ignorable(signal: Signal) -> bool {
    [Signal::CHLD, Signal::CONT, Signal::URG, Signal::WINCH].contains(&signal)
}
