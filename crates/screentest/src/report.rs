//! What was there instead of what somebody waited for.
//!
//! A failure that explains itself saves a second run: the last screen, the nearest miss, whether the text was shown
//! and went away, what the program asked the terminal without getting an answer, and whether it still lives.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Condition, Position, Screen, Selector};

use crate::intake::Intake;
use crate::outcome::Outcome;

/// What was there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The screen when the wait ended.
    pub last: Screen,
    /// What came close, the closest first.
    pub misses: Vec<Miss>,
    /// Questions of the program that the terminal did not answer.
    pub unanswered: Vec<String>,
    /// How the program ended; `None` while it runs.
    pub outcome: Option<Outcome>,
    /// Input that the program has not read.
    pub unread_input: usize,
}

/// Something that came close.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Miss {
    /// It was shown, and is gone.
    Vanished {
        /// When it was first seen, by the session's clock.
        from: Duration,
        /// When it was no longer seen.
        to: Duration,
    },
    /// The same letters stand there in another case.
    OtherCase {
        /// Where.
        position: Position,
        /// As they stand there.
        found: String,
    },
    /// It scrolled out above the screen.
    ScrolledOut {
        /// How many rows above the top one.
        rows_above: usize,
    },
}

impl Report {
    pub(crate) fn new(intake: &Arc<Intake>, condition: &Condition) -> Report {
        let mut misses = Vec::new();
        let (frames, outcome) = {
            let known = intake.board.lock();
            let frames: Vec<_> = known.history.all().cloned().collect();
            (frames, known.outcome)
        };
        // Asked without the lock: a question may take its time, or look at the session itself.
        misses.extend(vanished(frames.iter().map(Arc::as_ref), condition));
        let last = frames.last().map(|frame| frame.screen.clone());
        let last = last.expect("a history is never empty");
        let mut emulator = intake.emulator();
        if let Condition::Visible(Selector::Exact(text)) = condition {
            misses.extend(other_case(&last, text));
            let scrollback = emulator.scrollback(usize::MAX);
            misses.extend(
                scrollback
                    .iter()
                    .rev()
                    .position(|row| row.text().contains(text.as_str()))
                    .map(|above| Miss::ScrolledOut {
                        rows_above: above + 1,
                    }),
            );
        }
        Report {
            last,
            misses,
            unanswered: emulator.notes().unanswered().to_vec(),
            outcome,
            unread_input: intake.outbox.queued(),
        }
    }
}

/// The last time that a condition held and stopped to.
fn vanished<'a>(
    frames: impl Iterator<Item = &'a crate::Frame>,
    condition: &Condition,
) -> Option<Miss> {
    let mut shown: Option<Duration> = None;
    let mut miss = None;
    for frame in frames {
        match (condition.holds(&frame.screen), shown) {
            (true, None) => shown = Some(frame.time),
            (false, Some(from)) => {
                miss = Some(Miss::Vanished {
                    from,
                    to: frame.time,
                });
                shown = None;
            }
            _ => {}
        }
    }
    miss
}

fn other_case(screen: &Screen, text: &str) -> Option<Miss> {
    let wanted = text.to_lowercase();
    screen.rows.iter().enumerate().find_map(|(row, cells)| {
        let text = cells.text();
        let starts = text.char_indices().map(|(byte, _)| byte);
        starts.filter_map(|byte| text.get(byte..)).find_map(|rest| {
            let mut lower = String::new();
            for (end, c) in rest.char_indices() {
                lower.extend(c.to_lowercase());
                if !wanted.starts_with(&lower) {
                    return None;
                }
                if lower == wanted {
                    return Some(Miss::OtherCase {
                        position: Position {
                            row,
                            col: cells.col_of_byte(text.len() - rest.len()),
                        },
                        found: rest.get(..end + c.len_utf8())?.to_owned(),
                    });
                }
            }
            None
        })
    })
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Miss::Vanished { from, to } => {
                write!(f, "it was shown from {from:.3?} to {to:.3?} and is gone")
            }
            Miss::OtherCase { position, found } => {
                write!(f, "{found:?} stands at {}", position.to_wire())
            }
            Miss::ScrolledOut { rows_above } => {
                write!(f, "it scrolled out, {rows_above} rows above the top")
            }
        }
    }
}

/// A screen in a frame, each line with a bar before it.
pub(crate) fn framed(screen: &Screen) -> String {
    let picture = screen.picture();
    let picture = if picture.is_empty() {
        "(blank)\n"
    } else {
        &picture
    };
    let lines = picture.lines().map(|line| format!("  │ {line}\n"));
    lines.collect()
}

/// For people: the last screen in a frame, then what else is known, a line each.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the last screen ({}):", self.last.size)?;
        f.write_str(&framed(&self.last))?;
        match self.outcome {
            Some(outcome) => writeln!(f, "the program has ended: {outcome}")?,
            None => writeln!(f, "the program is running")?,
        }
        for miss in &self.misses {
            writeln!(f, "near miss: {miss}")?;
        }
        for query in &self.unanswered {
            writeln!(f, "the program asked {query} and got no answer")?;
        }
        if self.unread_input > 0 {
            writeln!(f, "{} bytes of input were not read", self.unread_input)?;
        }
        Ok(())
    }
}
