//! Finds out why a condition did not hold, part by part.
//!
//! Combines the closest matches on the last screen with the history: the text may have been shown
//! and removed.
//!
//! See also: `screentest_core::NearMiss` (closest matches on one screen).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Changes, Condition, NearMiss, Row};

use crate::format_duration::Elapsed;
use crate::session::history::SessionFrame;
use crate::session::wait::enter_baseline::EnterBaseline;

/// A part of a condition that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmet {
    /// The part; `None` if it is the whole condition.
    pub part: Option<String>,
    /// The closest matches, best first.
    pub diagnoses: Vec<WaitDiagnosis>,
}

/// Something close to the expected condition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WaitDiagnosis {
    /// The condition held for a while and holds no more.
    Vanished {
        /// When it began to hold the last time, since the session's start.
        from: Duration,
        /// When it ceased to hold.
        to: Duration,
        /// How often it held and ceased to hold, within the searched history.
        times: usize,
    },
    /// Something similar is on the screen.
    Near(NearMiss),
}

/// Maximum number of parts to explain; in a larger condition the rest can wait until these are
/// fixed.
const MAX_PARTS: usize = 8;

/// Maximum number of history cells to search, newest first: the whole history at usual sizes, and
/// two screens of the largest size.
const MAX_CELLS: usize = 8 << 20;

/// Returns the parts of `condition` that do not hold on the last of `frames`. `above` returns the
/// scrollback; it is slow and only called if needed. `started` is the session's start.
pub(crate) fn unmet(
    condition: &Condition,
    frames: &[Arc<SessionFrame>],
    above: impl FnOnce() -> Vec<Arc<Row>>,
    started: Duration,
    baseline: Option<&EnterBaseline>,
) -> Vec<Unmet> {
    let Some(last) = frames.last() else {
        return Vec::new();
    };
    let whole = condition.to_string();
    let changes = match baseline {
        Some(baseline) => baseline.changes(last),
        None => Changes::all(&last.screen),
    };
    let mut parts = condition.unmet_in(&changes);
    parts.truncate(MAX_PARTS);
    let is_sought = |part: &Condition| matches!(part, Condition::Visible(_));
    let above = if parts.iter().any(is_sought) {
        above()
    } else {
        Vec::new()
    };
    let recent = recent(frames, MAX_CELLS / parts.len().max(1));
    let explained = parts.iter().map(|part| {
        let near = part.near_misses_in(&changes, &above);
        let vanished = vanished(recent, part, started);
        Unmet {
            part: Some(part.to_string()).filter(|part| *part != whole),
            diagnoses: vanished
                .into_iter()
                .chain(near.into_iter().map(WaitDiagnosis::Near))
                .collect(),
        }
    });
    explained.collect()
}

/// Returns the newest frames that have at most `cells` cells together.
fn recent(frames: &[Arc<SessionFrame>], cells: usize) -> &[Arc<SessionFrame>] {
    let mut left = cells;
    let fitting = frames.iter().rev().take_while(|frame| {
        let size = frame.screen.size;
        let own = usize::from(size.cols) * usize::from(size.rows);
        let fits = own <= left;
        left = left.saturating_sub(own);
        fits
    });
    &frames[frames.len() - fitting.count()..]
}

/// Returns the last period in which a condition held.
fn vanished(
    frames: &[Arc<SessionFrame>],
    condition: &Condition,
    started: Duration,
) -> Option<WaitDiagnosis> {
    // A negated condition naturally held earlier, and the cost of a custom function is unknown.
    if matches!(condition, Condition::Not(_) | Condition::Custom(_)) {
        return None;
    }
    let mut since: Option<Duration> = None;
    let mut last = None;
    let mut times = 0;
    for frame in frames {
        match (condition.holds(&frame.screen), since) {
            (true, None) => since = Some(frame.time),
            (false, Some(from)) => {
                times += 1;
                last = Some((from, frame.time));
                since = None;
            }
            _ => {}
        }
    }
    let (from, to) = last?;
    Some(WaitDiagnosis::Vanished {
        from: from.saturating_sub(started),
        to: to.saturating_sub(started),
        times,
    })
}

/// Completes “closest match: …”.
impl fmt::Display for WaitDiagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaitDiagnosis::Vanished { from, to, times } => {
                let (from, to) = (Elapsed(*from), Elapsed(*to));
                match times {
                    0 | 1 => write!(f, "shown from {from} to {to}, then gone"),
                    times => write!(
                        f,
                        "shown {times} times, last from {from} to {to}, then gone"
                    ),
                }
            }
            WaitDiagnosis::Near(miss) => write!(f, "{miss}"),
        }
    }
}
