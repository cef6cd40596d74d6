//! Replays a recorded program as a fake program: it writes the recorded output when it receives the
//! recorded input.
//!
//! This lets a test of a program's driver run without the program, the network or credentials.
//! [`FakeProgramOptions`] name the cassette and the options; a [`FakeProgram`] replays it. The
//! `FakeProgram` does no terminal I/O: its caller passes in events ([`FakeProgramEvent`]) and
//! carries out the returned actions ([`FakeProgramAction`]), so all of its rules can be tested
//! without a terminal.
//!
//! | | |
//! |---|---|
//! | `options.rs` | which cassette, and with which options |
//! | `script.rs` | the recorded events, in the order in which they must happen again |
//! | `expected.rs`, `pattern.rs` | compare the received input with the recorded input |
//! | `mismatch.rs` | the report of a difference |
//! | `chunks.rs` | the sizes of the writes |
//! | `main_loop.rs` | the main loop |
//! | `replayed_pty.rs`, `app.rs` | the PTY of a test with a fake program, and what starts it |
//!
//! See also: `screentest_core::input::token` (splits input into keys and terminal answers),
//! `screentest impersonate` (the command).

use std::collections::VecDeque;
use std::time::Duration;

use screentest_core::{Identity, Size};

use crate::pty::signal::Signal;
use crate::recording::player::Pace;
use crate::session::exit_status::ExitStatus;
use screentest_core::input::token;

mod app;
mod chunks;
mod expected;
mod main_loop;
mod mismatch;
mod options;
mod pattern;
mod replayed_pty;
mod script;
#[cfg(test)]
mod tests;

pub use main_loop::{FakeProgramExit, FakeProgramIo};
pub use mismatch::InputMismatch;
use mismatch::report_bytes;
pub use options::{Chunks, FakeProgramError, FakeProgramOptions, Matching};

use chunks::Chunker;
use expected::{ExpectedInput, InputMatch, OpenMatch};
use mismatch::ReceivedInput;
use options::{ReplyCheck, SizeCheck};
use script::{ExpectedEvent, ReplayScript, ReplayStep};

/// How long to wait for something that must be on its way: a terminal's answer, the rest of a
/// sequence, the resize before a key.
///
/// These normally arrive within microseconds; only a busy machine needs up to a second.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(1);

/// How much input may be buffered beyond the expected input: twice the largest amount that a
/// session sends at once.
const MAX_RECEIVED: usize = 8 << 20;

/// The exit code after a mismatch. Programs hardly ever use it, so it is not mistaken for theirs.
pub const MISMATCH: i32 = 125;

/// An event from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FakeProgramEvent {
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
pub enum FakeProgramAction {
    /// Write these bytes now.
    Write(Vec<u8>),
    /// Wait for an event, or until this time.
    Wait {
        /// The time, on the clock of `now`; `None` means no limit.
        until: Option<Duration>,
    },
    /// Exit with this status.
    Exit(ExitStatus),
}

/// Replays a recorded program.
#[derive(Debug)]
pub struct FakeProgram {
    options: FakeProgramOptions,
    script: ReplayScript,
    chunker: Chunker,
    /// Input that was not consumed yet, without answers of the terminal.
    received: Vec<u8>,
    /// How many bytes of `received` are complete keys. The rest may be the beginning of an answer;
    /// `incomplete_since` is the time at which the rest arrived.
    complete: usize,
    incomplete_since: Option<Duration>,
    /// The number of unconsumed answers of the terminal.
    answers: usize,
    /// When waiting for the next step began.
    step_started: Option<Duration>,
    /// After a terminal failed to answer once, do not wait for its answers again.
    ignores_answers: bool,
    /// Resizes and signals that were received, with their times.
    events: VecDeque<(Duration, TerminalEvent)>,
    size: Option<Size>,
    closed: bool,
    /// The last matched input, if more bytes may still belong to it.
    open_match: Option<OpenMatch>,
    /// When the last input was received, and its time in the recording.
    anchor: Option<(Duration, Duration)>,
    mismatch: Option<InputMismatch>,
    is_reported: bool,
}

/// A received resize or signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TerminalEvent {
    Resize(Size),
    Signal(Signal),
}

impl TerminalEvent {
    /// Returns whether both are resizes, to any size, or both are the same signal.
    fn is_like(self, other: TerminalEvent) -> bool {
        match (self, other) {
            (TerminalEvent::Resize(_), TerminalEvent::Resize(_)) => true,
            (TerminalEvent::Signal(one), TerminalEvent::Signal(other)) => one == other,
            (TerminalEvent::Resize(_), TerminalEvent::Signal(_))
            | (TerminalEvent::Signal(_), TerminalEvent::Resize(_)) => false,
        }
    }
}

/// The result of trying a step.
enum StepResult {
    /// The step happened.
    Done,
    /// The step has not happened yet. Try again at this time or at the next event.
    NotYet(Option<Duration>),
    /// Something else happened.
    Mismatch(ReceivedInput),
}

impl FakeProgram {
    /// Opens the cassette. `size` and `emulator` are those of the terminal, if known; they are
    /// compared with the recording.
    pub fn open(
        options: &FakeProgramOptions,
        size: Option<Size>,
        emulator: Option<Identity>,
    ) -> Result<FakeProgram, FakeProgramError> {
        let script = ReplayScript::open(options, size, emulator)?;
        Ok(FakeProgram {
            chunker: Chunker::new(options.chunks),
            options: options.clone(),
            script,
            received: Vec::new(),
            complete: 0,
            incomplete_since: None,
            answers: 0,
            step_started: None,
            ignores_answers: options.replies == ReplyCheck::Ignored,
            events: VecDeque::new(),
            size,
            closed: false,
            open_match: None,
            anchor: None,
            mismatch: None,
            is_reported: false,
        })
    }

    /// Records an event from outside.
    pub fn receive(&mut self, received: FakeProgramEvent, now: Duration) {
        match received {
            FakeProgramEvent::Bytes(bytes) => {
                self.received.extend_from_slice(&bytes);
                self.remove_answers(now);
            }
            FakeProgramEvent::Resize(size) => self.store_event(TerminalEvent::Resize(size), now),
            FakeProgramEvent::Signal(signal) => {
                self.store_event(TerminalEvent::Signal(signal), now);
            }
            FakeProgramEvent::Closed => self.closed = true,
        }
    }

    /// Stores a resize or a signal for the step that waits for it. One event that no step waits for
    /// is stored as well, for the mismatch report. Storing all of them would only use memory, for
    /// example while a user drags the edge of a window.
    fn store_event(&mut self, event: TerminalEvent, now: Duration) {
        if let TerminalEvent::Resize(size) = event {
            let mut events = self.events.iter().rev();
            let newest = events.find_map(|(_, event)| match event {
                TerminalEvent::Resize(size) => Some(*size),
                TerminalEvent::Signal(_) => None,
            });
            if !self.checks_size() || newest.or(self.size) == Some(size) {
                return;
            }
        }
        let events = self.events.iter();
        let stored = events.filter(|(_, other)| event.is_like(*other)).count();
        if stored <= self.script.waits_for(event) {
            self.events.push_back((now, event));
        }
    }

    /// Returns whether the size of the terminal matters.
    fn checks_size(&self) -> bool {
        self.options.sizes == SizeCheck::Recorded && self.size.is_some()
    }

    /// Returns the next action. Output is returned once.
    pub fn next_action(&mut self, now: Duration) -> Result<FakeProgramAction, FakeProgramError> {
        loop {
            if let Some(mismatch) = &self.mismatch {
                if self.is_reported {
                    return Ok(FakeProgramAction::Exit(ExitStatus::Exited(MISMATCH)));
                }
                self.is_reported = true;
                return Ok(FakeProgramAction::Write(mismatch.report_bytes()));
            }
            if self.received.len() > MAX_RECEIVED.saturating_add(self.script.next_len()) {
                self.set_mismatch(ReceivedInput::Bytes(self.received.clone()));
                continue;
            }
            let action = match self.output(now)? {
                Some(action) => Some(action),
                None => self.input(now),
            };
            match action {
                None => {}
                Some(end @ FakeProgramAction::Exit(_)) => return Ok(end),
                Some(action) => {
                    // All input before the signal was consumed; nothing after it can happen.
                    return Ok(match self.fatal_signal() {
                        Some(signal) => FakeProgramAction::Exit(ExitStatus::Signaled(signal)),
                        None => action,
                    });
                }
            }
        }
    }

    /// Processes the next step. Returns `None` if the caller must determine the next action again:
    /// the step is done, or a mismatch was found.
    fn input(&mut self, now: Duration) -> Option<FakeProgramAction> {
        let Some(step) = self.script.next().cloned() else {
            return self.final_action();
        };
        let step_started = *self.step_started.get_or_insert(now);
        match self.try_step(&step, step_started, now) {
            StepResult::Done => {
                self.anchor = Some((now, step.time));
                self.step_started = None;
                self.script.complete_step();
                None
            }
            StepResult::NotYet(until) => Some(FakeProgramAction::Wait { until }),
            StepResult::Mismatch(received_input) => {
                self.set_mismatch(received_input);
                None
            }
        }
    }

    /// The difference between expected and actual input, once there is one.
    pub fn mismatch(&self) -> Option<&InputMismatch> {
        self.mismatch.as_ref()
    }

    /// Returns the output before the next input, when it is due.
    fn output(&mut self, now: Duration) -> Result<Option<FakeProgramAction>, FakeProgramError> {
        let timed = self.options.pace != Pace::Collapsed;
        let in_pieces = timed || self.options.chunks == Chunks::Original;
        let Some((length, time)) = self.script.ready_output(in_pieces)? else {
            return Ok(None);
        };
        let (since, recorded) = *self.anchor.get_or_insert((now, Duration::ZERO));
        let passed = time.saturating_sub(recorded);
        let due = since.saturating_add(self.options.pace.of(passed));
        if timed && now < due {
            return Ok(Some(FakeProgramAction::Wait { until: Some(due) }));
        }
        let length = self.chunker.next(length);
        Ok(Some(FakeProgramAction::Write(
            self.script.read_output(length)?,
        )))
    }

    /// Returns the action after all output was written and all steps are done.
    fn final_action(&mut self) -> Option<FakeProgramAction> {
        if self.script.ends_by_itself() {
            return Some(FakeProgramAction::Exit(self.script.exit_status()));
        }
        // If the program was ended from outside, wait for that: the driver may want to look at its
        // last screen.
        if self.consume_continuation() {
            return None;
        }
        match (self.complete, self.closed) {
            (0, true) => Some(FakeProgramAction::Exit(self.script.exit_status())),
            (0, false) => Some(FakeProgramAction::Wait { until: None }),
            _ => {
                self.set_mismatch(ReceivedInput::Bytes(self.received.clone()));
                None
            }
        }
    }

    /// Returns a received signal that kills the fake program: SIGKILL, or a SIGHUP or SIGTERM that
    /// was not recorded.
    fn fatal_signal(&self) -> Option<Signal> {
        let signals = self.events.iter().filter_map(|(_, event)| match event {
            TerminalEvent::Signal(signal) => Some(*signal),
            TerminalEvent::Resize(_) => None,
        });
        let mut fatal = signals.filter(|signal| match *signal {
            Signal::KILL => true,
            Signal::HUP => !self.script.expects_signal(*signal),
            // A driver that closes a terminal may send SIGTERM as well. The output that follows is
            // the recorded reaction to the hangup.
            Signal::TERM => {
                !self.script.expects_signal(*signal) && !self.script.has_received(Signal::HUP)
            }
            _ => false,
        });
        fatal.next()
    }

    fn try_step(&mut self, step: &ReplayStep, step_started: Duration, now: Duration) -> StepResult {
        match &step.event {
            ExpectedEvent::Input(expected) => self.try_input(expected, step_started, now),
            ExpectedEvent::Answers(count) => self.try_answers(*count, step_started, now),
            ExpectedEvent::Resize(size) => self.try_resize(*size, step_started, now),
            ExpectedEvent::Signal(signal) => self.try_signal(*signal, step_started, now),
        }
    }

    fn try_input(
        &mut self,
        expected: &ExpectedInput,
        step_started: Duration,
        now: Duration,
    ) -> StepResult {
        loop {
            match expected.matches(&self.received, self.complete) {
                InputMatch::Full(count) => {
                    let bytes = self.remove(count);
                    self.open_match = OpenMatch::new(expected, bytes);
                    return StepResult::Done;
                }
                InputMatch::Partial if self.closed => {
                    return StepResult::Mismatch(ReceivedInput::End(self.received.clone()));
                }
                InputMatch::Partial => return self.wait_unless_mismatch(false, step_started, now),
                InputMatch::None if self.consume_continuation() => {}
                InputMatch::None => return self.wait_for_answer_end(expected, now),
            }
        }
    }

    /// The input does not match. Waits if it may end with an incomplete answer of the terminal.
    fn wait_for_answer_end(&self, expected: &ExpectedInput, now: Duration) -> StepResult {
        let result = expected.matches(&self.received[..self.complete], self.complete);
        if let (InputMatch::Partial, Some(since), false) =
            (result, self.incomplete_since, self.closed)
        {
            let until = since.saturating_add(ARRIVAL_TIMEOUT);
            if now < until {
                return StepResult::NotYet(Some(until));
            }
        }
        StepResult::Mismatch(ReceivedInput::Bytes(self.received.clone()))
    }

    /// Consumes input that still belongs to the previous step; returns whether there was any.
    fn consume_continuation(&mut self) -> bool {
        let open_match = self.open_match.as_ref();
        let more = open_match.map_or(0, |open| open.continuation_length(&self.received));
        if more == 0 {
            return false;
        }
        let bytes = self.remove(more);
        if let Some(open_match) = &mut self.open_match {
            open_match.consume(bytes);
        }
        true
    }

    fn try_answers(&mut self, count: usize, step_started: Duration, now: Duration) -> StepResult {
        if self.ignores_answers || self.answers >= count {
            self.answers = self.answers.saturating_sub(count);
            return StepResult::Done;
        }
        let until = step_started.saturating_add(ARRIVAL_TIMEOUT);
        if now < until && !self.closed {
            return StepResult::NotYet(Some(until));
        }
        self.ignores_answers = true;
        StepResult::Done
    }

    fn try_resize(&mut self, size: Size, step_started: Duration, now: Duration) -> StepResult {
        let Some(known) = self.size.filter(|_| self.checks_size()) else {
            return StepResult::Done;
        };
        let mut events = self.events.iter().enumerate();
        let resized = events.find_map(|(place, (_, event))| match event {
            TerminalEvent::Resize(other) => Some((place, *other)),
            TerminalEvent::Signal(_) => None,
        });
        match resized {
            Some((place, other)) if other == size => {
                self.events.remove(place);
                self.size = Some(size);
                StepResult::Done
            }
            // Two sizes in quick succession may be received as one.
            Some((_, other)) if self.script.soon_resizes_to(other) => StepResult::Done,
            Some((_, other)) => StepResult::Mismatch(ReceivedInput::Resize(other)),
            None if known == size => StepResult::Done,
            None => self.wait_unless_mismatch(true, step_started, now),
        }
    }

    fn try_signal(&mut self, signal: Signal, step_started: Duration, now: Duration) -> StepResult {
        let mut events = self.events.iter().enumerate();
        let sent = events.find_map(|(place, (_, event))| match event {
            TerminalEvent::Signal(other) if *other == signal || !is_ignorable(*other) => {
                Some((place, *other))
            }
            TerminalEvent::Signal(_) | TerminalEvent::Resize(_) => None,
        });
        match sent {
            Some((place, other)) if other == signal => {
                self.events.remove(place);
                StepResult::Done
            }
            Some((_, other)) => StepResult::Mismatch(ReceivedInput::Signal(other)),
            // A process is not notified when it is stopped, only when it continues.
            None if signal == Signal::STOP => StepResult::Done,
            None if self.closed => StepResult::Mismatch(ReceivedInput::End(self.received.clone())),
            None => self.wait_unless_mismatch(true, step_started, now),
        }
    }

    /// Continues to wait, unless something unexpected arrived at least a second ago. Bytes, resizes
    /// and signals may arrive in another order than they were sent, but all of them arrive.
    fn wait_unless_mismatch(
        &self,
        or_bytes: bool,
        step_started: Duration,
        now: Duration,
    ) -> StepResult {
        let sizes = self.checks_size();
        let mut events = self.events.iter();
        let event = events.find_map(|(since, event)| match *event {
            TerminalEvent::Resize(size) => {
                (sizes && Some(size) != self.size).then_some((*since, ReceivedInput::Resize(size)))
            }
            TerminalEvent::Signal(signal) => (!is_ignorable(signal)
                && self.fatal_signal() != Some(signal))
            .then_some((*since, ReceivedInput::Signal(signal))),
        });
        let bytes = (or_bytes && !self.received.is_empty())
            .then(|| (step_started, ReceivedInput::Bytes(self.received.clone())));
        let Some((since, received_input)) = event.or(bytes) else {
            return StepResult::NotYet(None);
        };
        let until = since.max(step_started).saturating_add(ARRIVAL_TIMEOUT);
        if now < until {
            StepResult::NotYet(Some(until))
        } else {
            StepResult::Mismatch(received_input)
        }
    }

    /// Removes the terminal's answers from the input, and finds the end of the last complete key.
    fn remove_answers(&mut self, now: Duration) {
        let before = self.received.len() - self.complete;
        while let Some(token) = token::first(&self.received[self.complete..]) {
            let end = self.complete + token.length;
            let is_key = self.script.is_key(&self.received[self.complete..end]);
            match token.kind {
                token::TokenKind::Answer if !is_key => {
                    self.received.drain(self.complete..end);
                    self.answers += 1;
                }
                token::TokenKind::Answer | token::TokenKind::Key => self.complete = end,
                token::TokenKind::Part => break,
            }
        }
        let left = self.received.len() - self.complete;
        if left == 0 {
            self.incomplete_since = None;
        } else if self.incomplete_since.is_none() || left != before {
            self.incomplete_since = Some(now);
        }
    }

    fn remove(&mut self, count: usize) -> Vec<u8> {
        self.complete = self.complete.saturating_sub(count);
        let bytes = self.received.drain(..count).collect();
        if self.complete == self.received.len() {
            self.incomplete_since = None;
        }
        bytes
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "the caller does not need it afterwards"
    )]
    fn set_mismatch(&mut self, received_input: ReceivedInput) {
        self.mismatch = Some(self.script.mismatch(&received_input));
    }
}

/// Returns whether the default action of a signal is to do nothing.
fn is_ignorable(signal: Signal) -> bool {
    [Signal::CHLD, Signal::CONT, Signal::URG, Signal::WINCH].contains(&signal)
}
