//! Diagnosis of a failed wait.
//!
//! Holds everything needed to explain a failed wait without running the test again: the last
//! screen, the closest matches, text that appeared and vanished, the last inputs, unanswered
//! terminal queries, and whether the program runs or is stopped.
//!
//! See also: `wait/diagnosis.rs` (closest matches), `input/log.rs` (the log of inputs).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Condition, Match, NearMiss, Paint, Screen};

use crate::format_duration::Elapsed;
use crate::session::exit_status::ExitStatus;
use crate::session::input::log::Input;
use crate::session::reader::PtyReader;
use crate::session::wait::diagnosis;
use crate::session::wait::diagnosis::{Unmet, WaitDiagnosis};
use crate::session::wait::enter_baseline::EnterBaseline;

/// State of the session when a wait failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitReport {
    /// The screen when the wait ended.
    pub last: Screen,
    /// How long that screen has been unchanged; `None` if the program never drew anything.
    pub unchanged: Option<Duration>,
    /// The parts of the condition that did not hold, with their closest matches.
    pub unmet: Vec<Unmet>,
    /// Terminal queries of the program that were not answered.
    pub unanswered: Vec<String>,
    /// The program's exit status; `None` while it runs.
    pub exit_status: Option<ExitStatus>,
    /// Whether the program is stopped, by SIGSTOP or Ctrl+Z, and draws nothing until SIGCONT.
    pub stopped: bool,
    /// Number of queued input bytes. The terminal accepts them only when the program reads.
    pub unread_input: usize,
    /// The last inputs, oldest first.
    pub inputs: Vec<Input>,
}

/// Maximum number of scrollback cells to search: the default scrollback of 10,000 rows, up to about
/// 400 columns. Searching that many rows of the widest terminals would take longer than the rest of
/// the report.
const MAX_CELLS_ABOVE: usize = 4 << 20;

impl WaitReport {
    pub(crate) fn new(reader: &Arc<PtyReader>, condition: &Condition) -> WaitReport {
        WaitReport::since(reader, condition, None)
    }

    /// Like [`WaitReport::new`], for a wait that counts only text after Enter.
    pub(crate) fn since(
        reader: &Arc<PtyReader>,
        condition: &Condition,
        baseline: Option<&EnterBaseline>,
    ) -> WaitReport {
        let now = reader.clock.now();
        let (frames, exit_status) = {
            let shared = reader.state.lock();
            let frames: Vec<_> = shared.history().all().cloned().collect();
            (frames, shared.exit_status())
        };
        let last = frames.last().expect("a history is never empty");
        let above = || match &last.screen {
            // The scrollback belongs to the primary screen, not to the alternate one.
            screen if screen.modes.alternate_screen => Vec::new(),
            screen => {
                let rows = MAX_CELLS_ABOVE / usize::from(screen.size.cols);
                let rows = reader.emulator().scrollback(rows);
                reader.redactor.redact_scrollback(rows, screen)
            }
        };
        let unanswered = reader.emulator().notes().unanswered().to_vec();
        WaitReport {
            last: last.screen.clone(),
            unchanged: (last.revision > 0).then(|| now.saturating_sub(last.time)),
            // Evaluated without a lock: a condition may be slow, or use the session itself.
            unmet: diagnosis::unmet(condition, &frames, above, reader.started, baseline),
            unanswered,
            exit_status,
            stopped: exit_status.is_none() && reader.pty.is_stopped(),
            unread_input: reader.input_queue.queued(),
            inputs: reader.input_log.last(),
        }
    }

    /// Returns the match that was on the screen before Enter and did not appear again.
    pub fn before_enter(&self) -> Option<&Match> {
        let mut diagnoses = self.unmet.iter().flat_map(|unmet| &unmet.diagnoses);
        diagnoses.find_map(|diagnosis| match diagnosis {
            WaitDiagnosis::Near(NearMiss::BeforeEnter(found)) => Some(found),
            _ => None,
        })
    }

    /// Formats the report for people: the last screen with a bar before each line, then one line
    /// per detail. With colours the screen is painted as it was; without, `|` marks the cursor.
    pub fn to_text(&self, paint: Paint) -> String {
        let screen = match paint {
            Paint::Ansi => self.last.painted(paint),
            _ => self.last.picture(),
        };
        let size = self.last.size;
        let details = self.details();
        format!("the last screen ({size}):\n{}{details}", frame(&screen))
    }

    /// Formats the details without the screen, one per line.
    pub fn details(&self) -> WaitReportDetails<'_> {
        WaitReportDetails(self)
    }
}

impl fmt::Display for WaitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(Paint::Plain))
    }
}

/// Formats the text of a screen with a bar before each line.
pub(crate) fn frame(screen: &str) -> String {
    let screen = if screen.is_empty() { "(blank)" } else { screen };
    let lines = screen.lines().map(|line| format!("  │ {line}\n"));
    lines.collect()
}

/// The details of a report; created by [`WaitReport::details`].
#[derive(Debug, Clone, Copy)]
pub struct WaitReportDetails<'a>(&'a WaitReport);

impl fmt::Display for WaitReportDetails<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitReportDetails(report) = self;
        let state = if report.stopped {
            "stopped (by SIGSTOP or Ctrl+Z); SIGCONT continues it"
        } else {
            "running"
        };
        match (report.exit_status, report.unchanged) {
            (Some(exit_status), _) => writeln!(f, "the program has ended: {exit_status}")?,
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
        for Unmet { part, diagnoses } in &report.unmet {
            if let Some(part) = part {
                writeln!(f, "did not hold: {part}")?;
            }
            for diagnosis in diagnoses {
                writeln!(f, "closest match: {diagnosis}")?;
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
