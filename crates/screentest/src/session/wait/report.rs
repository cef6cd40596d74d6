//! What was there instead of what somebody waited for.
//!
//! A failure that explains itself saves a second run: the last screen, what came close, whether it was shown and went
//! away, what the program was given last, what it asked the terminal without getting an answer, and whether it still
//! lives, or is stopped.
//!
//! Elsewhere: what came close (`miss.rs`), and the log of inputs (`inputs.rs`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Condition, Match, NearMiss, Paint, Screen};

use crate::format_duration::Elapsed;
use crate::session::exit_status::Outcome;
use crate::session::input::log::Input;
use crate::session::reader::Intake;
use crate::session::wait::diagnosis;
use crate::session::wait::diagnosis::{Miss, Unmet};
use crate::session::wait::enter_baseline::Entered;

/// What was there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The screen when the wait ended.
    pub last: Screen,
    /// How long that screen has been there; `None` where the program never showed anything.
    pub unchanged: Option<Duration>,
    /// What did not hold, and what came close to it.
    pub unmet: Vec<Unmet>,
    /// Questions of the program that the terminal did not answer.
    pub unanswered: Vec<String>,
    /// How the program ended; `None` while it runs.
    pub outcome: Option<Outcome>,
    /// Whether it is stopped, as SIGSTOP or Ctrl+Z does, and shows nothing until it is continued.
    pub stopped: bool,
    /// How many bytes of input the program has not read.
    pub unread_input: usize,
    /// What the program was given last, oldest first.
    pub inputs: Vec<Input>,
}

/// How many cells above the screen are searched: the 10,000 rows that a session keeps unless told otherwise, as far as
/// they are not much wider than usual. Those of the widest would take longer than all the rest.
const MOST_CELLS_ABOVE: usize = 4 << 20;

impl Report {
    pub(crate) fn new(intake: &Arc<Intake>, condition: &Condition) -> Report {
        Report::since(intake, condition, None)
    }

    /// The same of a wait for what is new since Enter.
    pub(crate) fn since(
        intake: &Arc<Intake>,
        condition: &Condition,
        entered: Option<&Entered>,
    ) -> Report {
        let now = intake.clock.now();
        let (frames, outcome) = {
            let known = intake.board.lock();
            let frames: Vec<_> = known.history.all().cloned().collect();
            (frames, known.outcome)
        };
        let last = frames.last().expect("a history is never empty");
        let above = || match &last.screen {
            // What is above the other screen is not above this one.
            screen if screen.modes.alternate_screen => Vec::new(),
            screen => {
                let rows = MOST_CELLS_ABOVE / usize::from(screen.size.cols);
                let rows = intake.emulator().scrollback(rows);
                intake.veil.above(rows, screen)
            }
        };
        let unanswered = intake.emulator().notes().unanswered().to_vec();
        Report {
            last: last.screen.clone(),
            unchanged: (last.revision > 0).then(|| now.saturating_sub(last.time)),
            // Asked without a lock: a question may take its time, or look at the session itself.
            unmet: diagnosis::unmet(condition, &frames, above, intake.started, entered),
            unanswered,
            outcome,
            stopped: outcome.is_none() && intake.pty.is_stopped(),
            unread_input: intake.outbox.queued(),
            inputs: intake.inputs.last(),
        }
    }

    /// What was waited for, where it was on the screen before Enter and did not appear again.
    pub fn before_enter(&self) -> Option<&Match> {
        let mut misses = self.unmet.iter().flat_map(|unmet| &unmet.misses);
        misses.find_map(|miss| match miss {
            Miss::Near(NearMiss::BeforeEnter(found)) => Some(found),
            _ => None,
        })
    }

    /// For people: the last screen in a frame, then what else is known, a line each. In colour the screen stands there as it
    /// was; without, `|` marks the cursor.
    pub fn told(&self, paint: Paint) -> String {
        let screen = match paint {
            Paint::Ansi => self.last.painted(paint),
            _ => self.last.picture(),
        };
        let size = self.last.size;
        let details = self.details();
        format!("the last screen ({size}):\n{}{details}", frame(&screen))
    }

    /// What is known besides the screen, a line each.
    pub fn details(&self) -> Details<'_> {
        Details(self)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(Paint::Plain))
    }
}

/// The text of a screen, with a bar before each line.
pub(crate) fn frame(screen: &str) -> String {
    let screen = if screen.is_empty() { "(blank)" } else { screen };
    let lines = screen.lines().map(|line| format!("  │ {line}\n"));
    lines.collect()
}

/// What a report knows besides the screen; made by [`Report::details`].
#[derive(Debug, Clone, Copy)]
pub struct Details<'a>(&'a Report);

impl fmt::Display for Details<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details(report) = self;
        let state = match report.stopped {
            true => "stopped, as by SIGSTOP or Ctrl+Z: SIGCONT continues it",
            false => "running",
        };
        match (report.outcome, report.unchanged) {
            (Some(outcome), _) => writeln!(f, "the program has ended: {outcome}")?,
            (None, None) if report.stopped => {
                writeln!(f, "the program is {state}")?;
                writeln!(f, "it has not shown anything")?;
            }
            (None, None) => writeln!(f, "the program is {state}, and has not shown anything")?,
            (None, Some(unchanged)) => {
                writeln!(f, "the program is {state}")?;
                writeln!(f, "the screen last changed {} ago", Elapsed(unchanged))?;
            }
        }
        for Unmet { part, misses } in &report.unmet {
            if let Some(part) = part {
                writeln!(f, "did not hold: {part}")?;
            }
            for miss in misses {
                writeln!(f, "near miss: {miss}")?;
            }
        }
        for query in &report.unanswered {
            writeln!(f, "the program asked {query} and got no answer")?;
        }
        if report.unread_input > 0 {
            writeln!(f, "{} bytes of input were not read", report.unread_input)?;
        }
        if !report.inputs.is_empty() {
            writeln!(f, "the last inputs:")?;
        }
        for input in &report.inputs {
            writeln!(f, "  {input}")?;
        }
        Ok(())
    }
}
