//! Auto-wait: blocks until the program is ready for the next input.
//!
//! A program is ready when it has read what was sent before, waits for input, and everything that
//! it wrote is shown; and when nothing more is due:
//!
//! - A program that waits with a short timer (up to 50 ms) is about to go on by itself. It must
//!   have waited in the same way, writing nothing, until the timer has run out. Frameworks draw
//!   what a key caused in several such turns.
//! - After a lone Escape the program must have decided that no key sequence follows: it shows
//!   something new and a timer has run out, or all its timers of up to 1.1 s have (2.5 s where it
//!   has set one since).
//! - Behind a relay (tmux, ssh, script), the screen must also have been still for a moment; a
//!   longer one where the programs behind it work or cannot be seen.
//! - Where the system does not say what the program does, the screen must have been still.
//!
//! The wait is bounded. If it ends before the program is ready, [`Unready`] says why.
//!
//! ```text
//! press/type/paste/mouse ─► wait_ready ─► encode (the modes may have changed) ─► input queue
//!                              │ looks: Pty::activity, then all output is read
//!                              └ sleeps in between: reads output, woken by it
//! ```
//!
//! See also: `pty/idle.rs` (one look at the processes), `pause.rs` (sleeping).

use std::fmt;
use std::time::Duration;

use super::Session;
use super::input::pause::PauseEnd;
use crate::clock::Clock;
use crate::pty::{Activity, Relay, Waiting};
use crate::session::history::Mark;
use crate::session::input::log::AutoWaitTimeout;
use crate::session::wait::limits::{Interrupt, WaitLimits};

/// How many looks follow each other without a pause. Most programs answer a key within them.
const QUICK_LOOKS: u32 = 3;
/// The pause after those, and the longest, which it doubles up to.
const FIRST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);
/// How often new output makes looks quick again: constant looking at a program that writes without
/// end would slow it down.
const MOST_SHOWN: u32 = 8;

/// The longest timer that is waited for. Measured: Textual draws after 2 to 23 ms, Ink after up to
/// 32 ms; timers that mean nothing here begin with 100 ms (polls for input, blinking cursors).
const SHORT_TIMER: Duration = Duration::from_millis(50);
/// The kernel wakes a thread a little after its timer.
const TIMER_SLACK: Duration = Duration::from_millis(1);

/// How long a program that keeps drawing by itself is waited for, once it was seen waiting for
/// input. Each time that this is reached, the next wait has half of it: an animation does not end.
const RESTLESS: Duration = Duration::from_secs(1);
const LEAST_RESTLESS: Duration = Duration::from_millis(60);

/// The longest time that programs wait for the rest of a key after an Escape: curses waits 1000 ms,
/// readline and prompt_toolkit 500 ms, vim 100 ms.
const LONGEST_ESCAPE: Duration = Duration::from_millis(1100);
/// The longest timer that counts as one for an Escape if the program had no such timer before.
const LONGEST_NEW_TIMER: Duration = Duration::from_millis(2500);
/// How much later than its timer a program may decide. Virtual machines that lose their processor
/// are late with their timers.
const ESCAPE_SLACK: Duration = Duration::from_millis(20);

/// How long the screen must be still behind a relay, half of it once it shows an effect of the last
/// input. Every program there was seen waiting for input, and only bytes between them may still be
/// in transit.
const RELAY_STILL: Duration = Duration::from_millis(20);
/// Upper limit of the measured lateness of threads on a busy machine.
const MOST_LATE: Duration = Duration::from_millis(20);
/// How long the screen must be still if it is the only evidence: once it shows an effect of the
/// last input, and if it shows none.
const STILL: Duration = Duration::from_millis(60);
const STILL_WITHOUT_EFFECT: Duration = Duration::from_millis(250);
/// How long it must be still if every program behind tmux or screen works. The multiplexer itself
/// takes keys, and its programs may discard them until they ask for some.
const STILL_AND_BUSY: Duration = Duration::from_secs(1);
/// How long a program in an unknown state may take to show anything before its first input.
const FIRST_OUTPUT: Duration = Duration::from_secs(1);

/// The lower limit of a bound that is halved each time it is reached.
const LEAST_BOUND: Duration = Duration::from_millis(100);

/// State that a session keeps between waits.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    last: Option<LastInput>,
    /// How the program waited when it was last ready.
    waiting: Waiting,
    /// A line was begun in a terminal in canonical mode, and its program waits for nothing but the
    /// line.
    line_open: bool,
    /// How many waits in a row have reached their bound.
    unready: u32,
    /// How many waits in a row have found a program that kept drawing.
    restless: u32,
    /// Whether the program was a relay, which hands input on to others, at the last look.
    relays: bool,
    /// The first input that was sent too early, for [`Session::take_auto_wait_timeout`].
    late: Option<AutoWaitTimeout>,
    /// How the last wait found the program still, if no input was sent since.
    still: Option<Still>,
    /// The screen that was shown when the last input call found the program ready.
    acted_on: Option<Mark>,
}

impl Readiness {
    /// Returns whether a text may be sent all at once, according to the last look.
    pub(super) fn takes_text_at_once(&self) -> bool {
        self.waiting.text_at_once
    }

    /// Returns whether there is another terminal behind this one, which turns keys such as Ctrl+C
    /// into signals.
    pub(super) fn relays(&self) -> bool {
        self.relays
    }
}

impl Waiting {
    /// Returns whether only a complete line makes the program continue.
    fn blocks_until_line_ends(&self) -> bool {
        self.text_at_once && self.relay.is_none() && self.timers.is_empty() && self.nap.is_none()
    }
}

/// A program that waits and writes nothing. A wait that finds the same state continues from there:
/// a tape waits after each key, and again before the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Still {
    /// How it waits.
    state: u64,
    /// How many bytes it has written.
    output: u64,
    since: Duration,
}

/// The last input.
#[derive(Debug, Clone, Copy)]
struct LastInput {
    time: Duration,
    /// The revision of the screen that was shown then.
    revision: u64,
    /// It was an Escape alone, which may be the beginning of a key.
    escape: bool,
}

/// How a wait for readiness ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// The program waits for input.
    Yes,
    /// The bound was reached.
    No(Unready),
    /// The program has ended, or the session was closed.
    Ended,
    /// The wait was interrupted.
    Interrupted,
}

/// Why a program was not ready when the bound was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unready {
    /// It had not read the input that was sent before.
    Unread,
    /// It was working and did not wait for input.
    Busy,
    /// It kept changing the screen.
    Drawing,
}

/// Completes "the program …".
impl fmt::Display for Unready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

impl Unready {
    /// Completes "the program …".
    #[doc(hidden)]
    pub fn words(self) -> &'static str {
        match self {
            Unready::Unread => "had not read the input before",
            Unready::Busy => "was not waiting for input",
            Unready::Drawing => "was still drawing",
        }
    }
}

impl Session {
    /// Waits at most this long until the program waits for input and all that it wrote is shown, or
    /// until it has exited.
    /// [`AutoWait`](super::AutoWait).
    pub fn wait_until_idle(&self, most: Duration) -> bool {
        matches!(self.wait_ready(&most.into()), Ready::Yes | Ready::Ended)
    }

    /// Like [`Session::wait_until_idle`], but returns how the wait ended.
    #[doc(hidden)]
    pub fn wait_ready(&self, patience: &WaitLimits) -> Ready {
        self.wait_ready_drawing(patience, Duration::ZERO)
    }

    /// Waits like [`Session::wait_ready`]. If the program waits for input by then and is only still
    /// drawing, the wait is extended by `more`.
    #[doc(hidden)]
    pub fn wait_ready_drawing(&self, patience: &WaitLimits, more: Duration) -> Ready {
        let clock = self.ready_clock();
        let until = clock.now().saturating_add(limits.timeout);
        let mut wait = ReadyWait::new(self, clock);
        let mut looks = 0;
        let mut shown = 0;
        let mut pause = FIRST_PAUSE;
        loop {
            if self.outcome().is_some() {
                return Ready::Ended;
            }
            let unready = match wait.look() {
                Look::Ready => return Ready::Yes,
                Look::GiveUp(unready) => return Ready::No(unready),
                Look::NotYet(unready) => unready,
            };
            let until = match unready {
                Unready::Drawing => until.saturating_add(more),
                Unready::Unread | Unready::Busy => until,
            };
            let left = until.saturating_sub(clock.now());
            if left.is_zero() {
                return Ready::No(unready);
            }
            looks += 1;
            if looks < QUICK_LOOKS {
                std::thread::yield_now();
                continue;
            }
            let asked = clock.now();
            match self.pause_for_real(pause.min(left), limits) {
                PauseEnd::Over => {
                    let late = clock.now().saturating_sub(asked).saturating_sub(pause);
                    wait.late = wait.late.max(late.min(MOST_LATE));
                }
                // Many programs wait for input right after they have drawn.
                PauseEnd::Shown if shown < MOST_SHOWN => {
                    shown += 1;
                    looks = 0;
                    pause = FIRST_PAUSE;
                    continue;
                }
                PauseEnd::Shown => {}
                PauseEnd::Ended => return Ready::Ended,
                PauseEnd::Interrupted => return Ready::Interrupted,
            }
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    /// Waits before an input, at most `left`, with a bound that is halved each time it is reached:
    /// a program that was not ready for the last inputs is probably not one that reads them.
    pub(super) fn wait_before_input(&self, patience: &WaitLimits, left: Duration) -> Ready {
        let (unready, line_open) = {
            let readiness = self.readiness();
            (readiness.unready, readiness.line_open)
        };
        if line_open && self.reads_lines() {
            // The program is blocked until the line ends, as it was when the line began.
            self.catch_up();
            return Ready::Yes;
        }
        let halved = (limits.timeout / 2_u32.saturating_pow(unready)).max(LEAST_BOUND);
        let bound = halved.min(limits.timeout);
        let ready = self.wait_ready(&limits.with_timeout(bound.min(left)));
        self.readiness().unready = match ready {
            // A wait that was cut to less than half says nothing about the next.
            Ready::No(_) if left < bound / 2 => unready,
            Ready::No(_) => unready.saturating_add(1),
            Ready::Interrupted => unready,
            Ready::Yes | Ready::Ended => 0,
        };
        ready
    }

    /// Waits until this much time has passed since the last input.
    pub(super) fn wait_delay(&self, delay: Duration, interrupt: Option<&Interrupt>) {
        let Some(last) = self.readiness().last.filter(|_| !delay.is_zero()) else {
            return;
        };
        let clock = self.ready_clock();
        let until = last.time.saturating_add(delay);
        loop {
            let left = until.saturating_sub(clock.now());
            let patience = WaitLimits {
                interrupt: interrupt.cloned(),
                ..WaitLimits::from(left)
            };
            if left.is_zero() || !self.pauses(left, &limits) {
                return;
            }
        }
    }

    /// Pauses, and returns whether to continue waiting.
    fn pauses(&self, time: Duration, patience: &WaitLimits) -> bool {
        match self.pause_for_real(time, patience) {
            PauseEnd::Over | PauseEnd::Shown => true,
            PauseEnd::Ended | PauseEnd::Interrupted => false,
        }
    }

    /// Stores the screen on which an input call begins to send.
    pub(super) fn note_acting(&self) {
        let mark = self.shown().mark();
        self.readiness().acted_on = Some(mark);
    }

    /// Returns a mark of the screen that was shown when the last key, text, paste or mouse event
    /// began to be sent. Every later screen may be its effect.
    pub fn mark_before_input(&self) -> Mark {
        self.readiness().acted_on.unwrap_or(Mark::START)
    }

    /// Stores the last input. `late` is set if the program was not ready for it.
    pub(super) fn note_sent(&self, bytes: &[u8], late: Option<AutoWaitTimeout>) {
        let last = LastInput {
            time: self.ready_clock().now(),
            revision: self.shown().revision,
            escape: bytes.last() == Some(&0x1b),
        };
        let mut readiness = self.readiness();
        // A terminal in canonical mode delivers characters only when the line ends.
        let is_part_of_line =
            late.is_none() && bytes.iter().all(|byte| *byte >= 0x20 && *byte != 0x7f);
        readiness.line_open = is_part_of_line && readiness.waiting.blocks_until_line_ends();
        readiness.last = Some(last);
        readiness.still = None;
        readiness.late = readiness.late.or(late);
    }

    /// Returns the first input since the last call that was sent to a program that was not ready,
    /// and resets it.
    pub fn take_auto_wait_timeout(&self) -> Option<AutoWaitTimeout> {
        self.readiness().late.take()
    }

    /// Returns the clock for these waits: real time, if the test's own clock is stopped.
    pub(super) fn ready_clock(&self) -> &Clock {
        if self.intake.clock.is_manual() {
            &self.real_time
        } else {
            &self.intake.clock
        }
    }
}

/// One wait, and the findings of its looks.
struct ReadyWait<'a> {
    session: &'a Session,
    clock: &'a Clock,
    last: Option<LastInput>,
    /// The finding of an earlier wait.
    still: Option<Still>,
    /// How long a program may keep drawing.
    restless: Duration,
    /// When the program was first seen waiting for input.
    waiting_since: Option<Duration>,
    /// When the program was looked at last.
    looked: Duration,
    /// How it waited at the last look.
    state: Option<u64>,
    /// Since when it has waited like that and written nothing.
    still_since: Duration,
    /// An earlier look of this wait found out what the program was doing.
    is_known: bool,
    /// The timers that the program had when it was ready for the last input.
    timers_before: Vec<Duration>,
    /// The longest sleep of a program that looks for input between sleeps: what is left of one
    /// shrinks.
    nap: Option<Duration>,
    /// How often sleeping threads had run when the program was first seen asleep. A program that
    /// has slept only once does not poll for input in between: it is `sleep 0.1` in a script.
    naps: Option<u64>,
    /// How late this thread woke up at worst; the program's threads on this machine are as late.
    late: Duration,
}

enum Look {
    Ready,
    /// More time would not help.
    GiveUp(Unready),
    NotYet(Unready),
}

impl<'a> ReadyWait<'a> {
    fn new(session: &'a Session, clock: &'a Clock) -> ReadyWait<'a> {
        let readiness = session.readiness();
        let halved = RESTLESS / 2_u32.saturating_pow(readiness.restless);
        ReadyWait {
            session,
            clock,
            last: readiness.last,
            still: readiness.still,
            timers_before: readiness.waiting.timers.clone(),
            restless: halved.max(LEAST_RESTLESS),
            waiting_since: None,
            looked: clock.now(),
            is_known: false,
            state: None,
            still_since: clock.now(),
            nap: None,
            naps: None,
            late: Duration::ZERO,
        }
    }

    fn look(&mut self) -> Look {
        let intake = &self.session.intake;
        let before = intake.tail.total();
        let activity = intake.pty.activity();
        // Reads all that the program wrote before it waited. That output may contain a query, whose
        // reply the program is about to get.
        self.session.catch_up();
        let wrote = intake.tail.total() != before || intake.outbox.is_waiting();
        let half_shown = intake.board.lock().synchronized_until.is_some();
        let now = self.clock.now();
        let waiting = match activity {
            Activity::Unread => return self.not_waiting(Unready::Unread, now),
            Activity::Busy => return self.not_waiting(Unready::Busy, now),
            Activity::Unknown => return self.look_at_screen(wrote || half_shown, now),
            Activity::Waiting(waiting) => waiting,
        };
        self.is_known = true;
        self.session.readiness().relays = waiting.relay.is_some();
        let waiting_since = *self.waiting_since.get_or_insert(now);
        self.looked = now;
        if wrote || half_shown || self.state.is_some_and(|state| state != waiting.state) {
            self.still_since = now;
            self.nap = None;
        }
        let still = Still {
            state: waiting.state,
            output: before,
            since: self.still_since,
        };
        if let Some(earlier) = self.still.take()
            && earlier.state == still.state
            && earlier.output == before
            && self.state.is_none()
            && !wrote
        {
            self.still_since = earlier.since;
        }
        self.nap = self.nap.max(waiting.nap);
        let slept_twice =
            waiting.nap.is_none() || *self.naps.get_or_insert(waiting.naps) != waiting.naps;
        self.state = Some(waiting.state);
        if wrote || half_shown {
            return Look::NotYet(Unready::Drawing);
        }
        if self.escape_is_open(&waiting, now) {
            return Look::NotYet(Unready::Busy);
        }
        let is_still = waiting.relay != Some(Relay::Starting)
            && slept_twice
            && now.saturating_sub(self.still_since) >= self.needed_stillness(&waiting);
        // A multiplexer whose programs all work is still for longer than a program that draws.
        let most = match waiting.relay {
            Some(Relay::Busy) => self.restless.max(STILL_AND_BUSY),
            _ => self.restless,
        };
        if !is_still && now.saturating_sub(waiting_since) < most {
            return Look::NotYet(Unready::Drawing);
        }
        let mut readiness = self.session.readiness();
        readiness.restless = if is_still {
            0
        } else {
            readiness.restless.saturating_add(1)
        };
        readiness.still = is_still.then_some(Still {
            since: self.still_since,
            ..still
        });
        // If the program behind a relay is hidden, it may still have been at work.
        let is_seen = matches!(waiting.relay, None | Some(Relay::Waiting | Relay::Starting));
        readiness.waiting = waiting;
        if is_still || is_seen {
            Look::Ready
        } else {
            Look::GiveUp(Unready::Drawing)
        }
    }

    fn not_waiting(&mut self, unready: Unready, now: Duration) -> Look {
        self.session.readiness().waiting = Waiting::default();
        // Only the time in which it could have become idle counts: on a busy machine, the work that
        // a key causes takes long.
        let worked = now.saturating_sub(self.looked);
        self.waiting_since = match unready {
            Unready::Unread => None,
            Unready::Busy | Unready::Drawing => self.waiting_since.map(|since| since + worked),
        };
        self.looked = now;
        self.is_known = true;
        self.state = None;
        self.nap = None;
        self.naps = None;
        self.still_since = now;
        Look::NotYet(unready)
    }

    /// Returns how long the program must have waited in this state without writing.
    fn needed_stillness(&self, waiting: &Waiting) -> Duration {
        let short = waiting.timers.iter().filter(|timer| **timer <= SHORT_TIMER);
        let timer = short
            .chain(&self.nap)
            .max()
            .map_or(Duration::ZERO, |timer| *timer + TIMER_SLACK + self.late);
        let relayed = match waiting.relay {
            None => Duration::ZERO,
            // On a busy machine, the kernel moves bytes between terminals as late as it wakes
            // threads.
            Some(Relay::Waiting) => {
                if self.has_effect() {
                    RELAY_STILL / 2 + self.late
                } else {
                    RELAY_STILL + 2 * self.late
                }
            }
            Some(Relay::Working | Relay::Starting | Relay::Hidden) => self.still_enough(),
            Some(Relay::Busy) => STILL_AND_BUSY,
        };
        timer.max(relayed)
    }

    /// Returns how long the screen must be still if there is no other evidence.
    fn still_enough(&self) -> Duration {
        if self.has_effect() {
            STILL + 2 * self.late
        } else {
            STILL_WITHOUT_EFFECT
        }
    }

    /// Returns whether the screen has changed since the last input; true if there was none.
    fn has_effect(&self) -> bool {
        let revision = self.session.shown().revision;
        self.last.is_none_or(|last| last.revision != revision)
    }

    /// Returns whether the program may still wait for the rest of a key that begins with the last
    /// Escape.
    fn escape_is_open(&mut self, waiting: &Waiting, now: Duration) -> bool {
        let Some(last) = self.last.filter(|last| last.escape) else {
            return false;
        };
        let counts = |timer: &&Duration| {
            let is_new = !self.timers_before.contains(timer);
            **timer <= LONGEST_ESCAPE || is_new && **timer <= LONGEST_NEW_TIMER
        };
        let timers: Vec<Duration> = waiting.timers.iter().filter(counts).copied().collect();
        let (Some(longest), Some(shortest)) = (timers.iter().max(), timers.iter().min()) else {
            // No timer runs, so waiting longer decides nothing.
            return false;
        };
        let timer = if self.session.shown().revision == last.revision {
            *longest
        } else {
            *shortest
        };
        // Counted from when the program was first seen in this wait: on a busy machine it may begin
        // long after the Escape was sent. A program with many timers never stays in one wait for
        // that long.
        let slack = ESCAPE_SLACK + self.late;
        let waits = now.saturating_sub(self.still_since) < timer + slack;
        let most = LONGEST_ESCAPE.max(timer) + slack;
        waits && now.saturating_sub(last.time) < most
    }

    /// Decides by the screen alone, if the system does not say what the program does.
    fn look_at_screen(&mut self, changing: bool, now: Duration) -> Look {
        let session = self.session;
        let frame = session.shown();
        session.readiness().waiting = Waiting::default();
        let waiting_since = *self.waiting_since.get_or_insert(now);
        if now.saturating_sub(waiting_since) >= RESTLESS.max(LONGEST_ESCAPE) {
            return Look::GiveUp(Unready::Drawing);
        }
        if changing {
            self.still_since = now;
            return Look::NotYet(Unready::Drawing);
        }
        // A program that was seen working a moment ago has been still since then at the earliest.
        // Between the end of a job and the next prompt, for example, the terminal has no foreground
        // process group.
        let time = if session.intake.clock.is_manual() || self.is_known {
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
            Look::Ready
        } else {
            Look::NotYet(Unready::Drawing)
        }
    }
}
