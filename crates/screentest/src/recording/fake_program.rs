//! Replays a recorded program as a fake program: it writes the recorded output when it receives the
//! recorded input.
//!
//! This lets a test of a program's driver run without the program, the network or credentials. An
//! [`Impersonation`] names the cassette and the options; an [`Impersonator`] replays it. The
//! `Impersonator` does no terminal I/O: its caller passes in events ([`Heard`]) and carries out the
//! returned actions ([`Cue`]), so all of its rules can be tested without a terminal.
//!
//! | | |
//! |---|---|
//! | `options.rs` | which cassette, and with which options |
//! | `script.rs` | the recorded events, in the order in which they must happen again |
//! | `expected.rs`, `pattern.rs` | compare the received input with the recorded input |
//! | `mismatch.rs` | the report of a difference |
//! | `chunks.rs` | the sizes of the writes |
//! | `stage.rs` | the main loop |
//!
//! See also: `token.rs` (splits input into keys and terminal answers), `pty/double.rs` (the PTY of
//! a test with a fake program), `screentest impersonate` (the command).

use std::collections::VecDeque;
use std::time::Duration;

use screentest_core::{Identity, Size};

use crate::pty::signal::Signal;
use crate::recording::player::Pace;
use crate::session::exit_status::ExitStatus;
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

/// How long to wait for something that must be on its way: a terminal's answer, the rest of a
/// sequence, the resize before a key.
///
/// These normally arrive within microseconds; only a busy machine needs up to a second.
const PATIENCE: Duration = Duration::from_secs(1);

/// How much input may be buffered beyond the expected input: twice the largest amount that a
/// session sends at once.
const MOST_HEARD: usize = 8 << 20;

/// The exit code after a mismatch. Programs hardly ever use it, so it is not mistaken for theirs.
pub const MISMATCH: i32 = 125;

/// An event from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Heard {
    /// Input was received.
    Bytes(Vec<u8>),
    /// The terminal was resized.
    Resize(Size),
    /// A signal was received.
    Signal(Signal),
    /// There will be no more input.
    Closed,
}

/// The next action for the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cue {
    /// Write these bytes now.
    Say(Vec<u8>),
    /// Wait for an event, or until this time.
    Wait {
        /// The time, on the clock of `now`; `None` means no limit.
        until: Option<Duration>,
    },
    /// Exit with this status.
    End(ExitStatus),
}

/// Replays a recorded program.
#[derive(Debug)]
pub struct Impersonator {
    how: Impersonation,
    script: Script,
    chunker: Chunker,
    /// Input that was not consumed yet, without answers of the terminal.
    heard: Vec<u8>,
    /// How many bytes of it are complete keys. The rest may be the beginning of an answer; `unsure`
    /// is the time at which it arrived.
    whole: usize,
    unsure: Option<Duration>,
    /// The number of unconsumed answers of the terminal.
    answers: usize,
    /// When waiting for the next step began.
    begun: Option<Duration>,
    /// After a terminal failed to answer once, do not wait for its answers again.
    mute: bool,
    /// Resizes and signals that were received, with their times.
    happened: VecDeque<(Duration, Event)>,
    size: Option<Size>,
    closed: bool,
    /// The last matched input, if more bytes may still belong to it.
    open: Option<Open>,
    /// When the last input was received, and its time in the recording.
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
    /// Returns whether a step that waits for one of the two is affected by the other: all resizes
    /// are alike, but each signal only equals itself.
    fn is_like(self, other: Event) -> bool {
        match (self, other) {
            (Event::Resize(_), Event::Resize(_)) => true,
            (Event::Signal(one), Event::Signal(other)) => one == other,
            (Event::Resize(_), Event::Signal(_)) | (Event::Signal(_), Event::Resize(_)) => false,
        }
    }
}

/// The result of trying a step.
enum Taken {
    /// The step happened.
    Yes,
    /// The step has not happened yet. Try again at this time or at the next event.
    NotYet(Option<Duration>),
    /// Something else happened.
    Other(Came),
}

impl Impersonator {
    /// Opens the cassette. `size` and `emulator` are those of the terminal, if known; they are
    /// compared with the recording.
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

    /// Records an event from outside.
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

    /// Stores a resize or a signal for the step that waits for it. Of events that no step waits
    /// for, one is stored for the mismatch report; storing all of them would only use memory, for
    /// example while a user drags the edge of a window.
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

    /// Returns whether the size of the terminal matters.
    fn minds_sizes(&self) -> bool {
        self.how.sizes == Sizes::Recorded && self.size.is_some()
    }

    /// Returns the next action. Output is returned once.
    pub fn cue(&mut self, now: Duration) -> Result<Cue, ImpersonateError> {
        loop {
            if let Some(mismatch) = &self.mismatch {
                if self.told {
                    return Ok(Cue::End(ExitStatus::Exited(MISMATCH)));
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
                    // All input before the signal was consumed; nothing after it can happen.
                    return Ok(match self.deadly() {
                        Some(signal) => Cue::End(ExitStatus::Signaled(signal)),
                        None => cue,
                    });
                }
            }
        }
    }

    /// Processes the next step; `None` if it is done and there is more to do.
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

    /// The difference between expected and actual input, once there is one.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        self.mismatch.as_ref()
    }

    /// Returns the output before the next input, when it is due.
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

    /// Returns the action after all output was written and all steps are done.
    fn last_cue(&mut self) -> Option<Cue> {
        if self.script.ends_by_itself() {
            return Some(Cue::End(self.script.outcome()));
        }
        // If the program was ended from outside, wait for that: the driver may want to look at its
        // last screen.
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

    /// Returns a received signal that kills the program, if it was not recorded.
    fn deadly(&self) -> Option<Signal> {
        let signals = self.happened.iter().filter_map(|(_, event)| match event {
            Event::Signal(signal) => Some(*signal),
            Event::Resize(_) => None,
        });
        let mut deadly = signals.filter(|signal| match *signal {
            Signal::KILL => true,
            Signal::HUP => !self.script.expects_signal(*signal),
            // A driver that closes a terminal may send SIGTERM as well. The output that follows is
            // the recorded reaction to the hangup.
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

    /// The input does not match, unless it ends with an incomplete answer.
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

    /// Consumes input that still belongs to the previous step; returns whether there was any.
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
            // Two sizes in quick succession may be received as one.
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
            // A process is not notified when it is stopped, only when it continues.
            None if signal == Signal::STOP => Taken::Yes,
            None if self.closed => Taken::Other(Came::End(self.heard.clone())),
            None => self.unless_other(true, begun, now),
        }
    }

    /// Continues to wait, unless something unexpected arrived at least a second ago. Bytes, resizes
    /// and signals may arrive in another order than they were sent, but all of them arrive.
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
        if now < until {
            Taken::NotYet(Some(until))
        } else {
            Taken::Other(came)
        }
    }

    /// Removes the terminal's answers from the input, and finds the end of the last complete key.
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
        reason = "the caller does not need it afterwards"
    )]
    fn differs(&mut self, came: Came) {
        self.mismatch = Some(self.script.mismatch(&came));
    }
}

/// Returns whether the default action of a signal is to do nothing.
fn is_ignorable(signal: Signal) -> bool {
    [Signal::CHLD, Signal::CONT, Signal::URG, Signal::WINCH].contains(&signal)
}
