//! Auto-wait: blocks until the program is ready for the next input.
//!
//! A program is ready when it has read what was sent before, waits for input, and everything that
//! it wrote is shown; and when nothing more is due:
//!
//! - A program that waits with a short timer (up to 50 ms) is about to go on by itself. It must
//!   have waited in the same way, writing nothing, until the timer has run out. Frameworks draw
//!   the effect of a key in several such turns.
//! - After a lone Escape the program must have decided that no key sequence follows: it shows
//!   something new and a timer has run out, or all its timers of up to 1.1 s have run out (up to
//!   2.5 s for timers that it did not have before the Escape).
//! - If the input passes through a relay (tmux, ssh, script), the screen must also have been still
//!   for a moment, and for longer if the programs in the relay work or cannot be observed.
//! - If the system does not report the program's state, the screen must have been still.
//!
//! The wait is bounded. If it ends before the program is ready, [`Unready`] says why.
//!
//! ```text
//! press/type/paste/mouse ─► wait_ready ─► encode (the modes may have changed) ─► input queue
//!                              │ checks: Pty::activity, then all output is read
//!                              └ sleeps in between: reads output, woken by it
//! ```
//!
//! See also: `pty/idle.rs` (one check of the processes), `ready/check.rs` (its interpretation),
//! `ready/stillness.rs` (how long the program must be still), `input/pause.rs` (sleeping).

use std::fmt;
use std::time::Duration;

use super::Session;
use super::input::pause::PauseEnd;
use crate::clock::Clock;
use crate::session::wait::limits::{Interrupt, WaitLimits};
use check::{CheckResult, ReadinessWait};

mod check;
mod readiness_state;
mod stillness;

pub(super) use readiness_state::ReadinessState;

/// How many checks follow each other without a pause. Most programs answer a key within them.
const QUICK_CHECKS: u32 = 3;
/// The pause after those. It doubles with each check up to the longest pause.
const FIRST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);
/// How many times per wait new output makes checks quick again. Constantly checking a program that
/// writes without end would slow it down.
const MAX_SHOWN: u32 = 8;
/// Upper limit of the measured wake-up latency, which grows on a busy machine.
const MAX_WAKE_LATENCY: Duration = Duration::from_millis(20);
/// The lower limit of a bound that is halved each time it is reached.
const MIN_BOUND: Duration = Duration::from_millis(100);

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
        f.write_str(self.as_str())
    }
}

impl Unready {
    /// Completes "the program …".
    #[doc(hidden)]
    pub fn as_str(self) -> &'static str {
        match self {
            Unready::Unread => "had not read the input before",
            Unready::Busy => "was not waiting for input",
            Unready::Drawing => "was still drawing",
        }
    }
}

impl Session {
    /// Waits at most this long until the program waits for input and all that it wrote is shown, or
    /// until it has exited. Returns false if neither happened in time. See also
    /// [`AutoWait`](super::AutoWait), which waits before each input.
    pub fn wait_until_idle(&self, most: Duration) -> bool {
        matches!(self.wait_ready(&most.into()), Ready::Yes | Ready::Ended)
    }

    /// Like [`Session::wait_until_idle`], but returns how the wait ended.
    #[doc(hidden)]
    pub fn wait_ready(&self, limits: &WaitLimits) -> Ready {
        self.wait_ready_drawing(limits, Duration::ZERO)
    }

    /// Waits like [`Session::wait_ready`]. If the program waits for input by then and is only still
    /// drawing, the wait is extended by `more`.
    #[doc(hidden)]
    pub fn wait_ready_drawing(&self, limits: &WaitLimits, more: Duration) -> Ready {
        let clock = self.ready_clock();
        let until = clock.now().saturating_add(limits.timeout);
        let mut wait = ReadinessWait::new(self, clock);
        let mut checks = 0;
        let mut shown = 0;
        let mut pause = FIRST_PAUSE;
        loop {
            if self.exit_status().is_some() {
                return Ready::Ended;
            }
            let unready = match wait.check() {
                CheckResult::Ready => return Ready::Yes,
                CheckResult::GiveUp(unready) => return Ready::No(unready),
                CheckResult::NotYet(unready) => unready,
            };
            let until = match unready {
                Unready::Drawing => until.saturating_add(more),
                Unready::Unread | Unready::Busy => until,
            };
            let left = until.saturating_sub(clock.now());
            if left.is_zero() {
                return Ready::No(unready);
            }
            checks += 1;
            if checks < QUICK_CHECKS {
                std::thread::yield_now();
                continue;
            }
            let paused = clock.now();
            match self.pause_for_real(pause.min(left), limits) {
                PauseEnd::Over => {
                    let latency = clock.now().saturating_sub(paused).saturating_sub(pause);
                    wait.wake_latency = wait.wake_latency.max(latency.min(MAX_WAKE_LATENCY));
                }
                // Many programs wait for input right after they have drawn.
                PauseEnd::Shown if shown < MAX_SHOWN => {
                    shown += 1;
                    checks = 0;
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
    /// a program that was not ready for the last inputs probably does not read them.
    pub(super) fn wait_before_input(&self, limits: &WaitLimits, left: Duration) -> Ready {
        let (unready, line_open) = {
            let readiness = self.readiness();
            (readiness.unready, readiness.line_open)
        };
        if line_open && self.reads_lines() {
            // The program is blocked until the line ends, as it was when the line began.
            self.catch_up();
            return Ready::Yes;
        }
        let halved = (limits.timeout / 2_u32.saturating_pow(unready)).max(MIN_BOUND);
        let bound = halved.min(limits.timeout);
        let ready = self.wait_ready(&limits.with_timeout(bound.min(left)));
        self.readiness().unready = match ready {
            // A wait that was cut to less than half of its bound says nothing about the next.
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
        let clock = &self.real_time;
        let until = last.real_time.saturating_add(delay);
        loop {
            let left = until.saturating_sub(clock.now());
            let limits = WaitLimits {
                interrupt: interrupt.cloned(),
                ..WaitLimits::from(left)
            };
            if left.is_zero() || !self.pauses(left, &limits) {
                return;
            }
        }
    }

    /// Pauses, and returns whether to continue waiting.
    fn pauses(&self, time: Duration, limits: &WaitLimits) -> bool {
        match self.pause_for_real(time, limits) {
            PauseEnd::Over | PauseEnd::Shown => true,
            PauseEnd::Ended | PauseEnd::Interrupted => false,
        }
    }

    /// Returns the clock for these waits: real time, if the test's own clock is stopped.
    pub(super) fn ready_clock(&self) -> &Clock {
        if self.reader.clock.is_manual() {
            &self.real_time
        } else {
            &self.reader.clock
        }
    }
}
