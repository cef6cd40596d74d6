//! Checks whether the program is ready for input.
//!
//! One check asks the system what the program does and reads all its output; several checks make
//! one wait. If the system does not report the program's state, the result depends on the screen.

use std::time::Duration;

use super::Unready;
use super::readiness_state::{LastInput, StillProgram};
use super::stillness::{LONGEST_ESCAPE, STILL, STILL_AND_BUSY};
use crate::clock::Clock;
use crate::pty::{Activity, Relay, Waiting};
use crate::session::Session;

/// Maximum time to wait for a program that keeps drawing by itself, after it was first seen waiting
/// for input. A wait that reaches the limit halves it for the next wait: an animation does not end.
const RESTLESS: Duration = Duration::from_secs(1);
const MIN_RESTLESS: Duration = Duration::from_millis(60);
/// How long a program in an unknown state may take to show anything before its first input.
const FIRST_OUTPUT: Duration = Duration::from_secs(1);

/// One wait, and the findings of its checks.
pub(super) struct ReadinessWait<'a> {
    pub(super) session: &'a Session,
    clock: &'a Clock,
    pub(super) last: Option<LastInput>,
    /// The finding of an earlier wait.
    still: Option<StillProgram>,
    /// How long a program may keep drawing.
    restless: Duration,
    /// When the program was first seen waiting for input.
    waiting_since: Option<Duration>,
    /// When the program was checked last.
    checked: Duration,
    /// How it waited at the last check.
    state: Option<u64>,
    /// Since when it has waited like that and written nothing.
    pub(super) still_since: Duration,
    /// How often its threads had run then.
    runs_before: Option<u64>,
    /// An earlier check of this wait determined the program's state.
    is_known: bool,
    /// The timers that the program had when it was ready for the last input.
    pub(super) timers_before: Vec<Duration>,
    /// The longest sleep seen, of a program that polls for input between sleeps. The maximum is
    /// stored because the remaining time of a sleep shrinks.
    pub(super) nap: Option<Duration>,
    /// How often sleeping threads had run when the program was first seen asleep. A program that
    /// has slept only once may not poll for input at all, such as `sleep 0.1` in a script.
    naps: Option<u64>,
    /// How late this thread woke up at worst; the program's threads on this machine are as late.
    pub(super) wake_latency: Duration,
}

/// The result of one check.
pub(super) enum CheckResult {
    Ready,
    /// More time would not help.
    GiveUp(Unready),
    NotYet(Unready),
}

impl<'a> ReadinessWait<'a> {
    pub(super) fn new(session: &'a Session, clock: &'a Clock) -> ReadinessWait<'a> {
        let readiness = session.readiness();
        let halved = RESTLESS / 2_u32.saturating_pow(readiness.restless);
        ReadinessWait {
            session,
            clock,
            last: readiness.last,
            still: readiness.still,
            timers_before: readiness.waiting.timers.clone(),
            restless: halved.max(MIN_RESTLESS),
            waiting_since: None,
            checked: clock.now(),
            is_known: false,
            state: None,
            still_since: clock.now(),
            runs_before: None,
            nap: None,
            naps: None,
            wake_latency: Duration::ZERO,
        }
    }

    pub(super) fn check(&mut self) -> CheckResult {
        let reader = &self.session.reader;
        let before = reader.output_tail.total();
        let activity = reader.pty.activity();
        // Reads all that the program wrote before it waited. That output may contain a query, whose
        // reply the program is about to get.
        self.session.catch_up();
        let wrote = reader.output_tail.total() != before || reader.input_queue.is_waiting();
        let half_shown = reader.state.lock().synchronized_until().is_some();
        let now = self.clock.now();
        let waiting = match activity {
            Activity::Unread => return self.not_waiting(Unready::Unread, now),
            Activity::Busy => return self.not_waiting(Unready::Busy, now),
            Activity::Unknown => return self.check_screen(wrote || half_shown, now),
            Activity::Waiting(waiting) => waiting,
        };
        self.is_known = true;
        self.session.readiness().is_relay = waiting.relay.is_some();
        let waiting_since = *self.waiting_since.get_or_insert(now);
        self.checked = now;
        if wrote || half_shown || self.state.is_some_and(|state| state != waiting.state) {
            self.still_since = now;
            self.runs_before = waiting.runs;
            self.nap = None;
        } else if self.state.is_none() {
            self.runs_before = waiting.runs;
        }
        let still = StillProgram {
            state: waiting.state,
            output: before,
            since: self.still_since,
            runs: self.runs_before,
        };
        if let Some(earlier) = self.still.take()
            && earlier.state == still.state
            && earlier.output == before
            && self.state.is_none()
            && !wrote
        {
            self.still_since = earlier.since;
            self.runs_before = earlier.runs;
        }
        self.nap = self.nap.max(waiting.nap);
        let slept_twice =
            waiting.nap.is_none() || *self.naps.get_or_insert(waiting.naps) != waiting.naps;
        self.state = Some(waiting.state);
        if wrote || half_shown {
            return CheckResult::NotYet(Unready::Drawing);
        }
        if self.escape_is_open(&waiting, now) {
            return CheckResult::NotYet(Unready::Busy);
        }
        let is_still = waiting.relay != Some(Relay::Starting)
            && slept_twice
            && !self.short_timer_is_pending(&waiting)
            && now.saturating_sub(self.still_since) >= self.needed_stillness(&waiting);
        // A multiplexer whose programs all work must be still for `STILL_AND_BUSY`. A shorter limit
        // would always end the wait before.
        let most = match waiting.relay {
            Some(Relay::Busy) => self.restless.max(STILL_AND_BUSY),
            _ => self.restless,
        };
        if !is_still && now.saturating_sub(waiting_since) < most {
            return CheckResult::NotYet(Unready::Drawing);
        }
        let mut readiness = self.session.readiness();
        readiness.restless = if is_still {
            0
        } else {
            readiness.restless.saturating_add(1)
        };
        readiness.still = is_still.then_some(StillProgram {
            since: self.still_since,
            runs: self.runs_before,
            ..still
        });
        // In the other states of a relay, programs behind it may still be at work.
        let is_seen = matches!(waiting.relay, None | Some(Relay::Waiting | Relay::Starting));
        readiness.waiting = waiting;
        if is_still || is_seen {
            CheckResult::Ready
        } else {
            CheckResult::GiveUp(Unready::Drawing)
        }
    }

    /// Returns whether no thread has run since the program was seen still. Then all timers that
    /// began before are still pending, however much time has passed.
    pub(super) fn has_not_run(&self, waiting: &Waiting) -> bool {
        waiting.runs.is_some() && waiting.runs == self.runs_before
    }

    fn not_waiting(&mut self, unready: Unready, now: Duration) -> CheckResult {
        self.session.readiness().waiting = Waiting::default();
        // The time in which it worked does not count as drawing: on a busy machine, the work that a
        // key causes takes long.
        let worked = now.saturating_sub(self.checked);
        self.waiting_since = match unready {
            Unready::Unread => None,
            Unready::Busy | Unready::Drawing => self.waiting_since.map(|since| since + worked),
        };
        self.checked = now;
        self.is_known = true;
        self.state = None;
        self.nap = None;
        self.naps = None;
        self.still_since = now;
        CheckResult::NotYet(unready)
    }

    /// Checks only the screen, if the system does not report the program's state.
    fn check_screen(&mut self, changing: bool, now: Duration) -> CheckResult {
        let session = self.session;
        let frame = session.shown();
        session.readiness().waiting = Waiting::default();
        let waiting_since = *self.waiting_since.get_or_insert(now);
        if now.saturating_sub(waiting_since) >= RESTLESS.max(LONGEST_ESCAPE) {
            return CheckResult::GiveUp(Unready::Drawing);
        }
        if changing {
            self.still_since = now;
            return CheckResult::NotYet(Unready::Drawing);
        }
        // A program that was seen working a moment ago has been still since then at the earliest.
        // Between the end of a job and the next prompt, for example, the terminal has no foreground
        // process group.
        let time = if session.reader.clock.is_manual() || self.is_known {
            self.still_since
        } else {
            frame.time
        };
        let (since, needed) = match self.last {
            Some(last) if last.escape && frame.revision == last.revision => {
                (last.time, LONGEST_ESCAPE)
            }
            Some(last) => (time.max(last.time), self.still_enough()),
            None if frame.revision == 0 => (time, FIRST_OUTPUT),
            None => (time, STILL),
        };
        if now.saturating_sub(since) >= needed {
            CheckResult::Ready
        } else {
            CheckResult::NotYet(Unready::Drawing)
        }
    }
}
