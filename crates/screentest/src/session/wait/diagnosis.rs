//! Why a condition was not seen, part by part.
//!
//! What is on the last screen is one half of it; the other is time: what was waited for may have been shown, and be gone.
//!
//! Elsewhere: what comes close on one screen (`screentest_core::NearMiss`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Changes, Condition, NearMiss, Row};

use crate::format_duration::Elapsed;
use crate::session::history::Frame;
use crate::session::wait::enter_baseline::Entered;

/// A part of what was waited for that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmet {
    /// Which part; `None` where it is the whole.
    pub part: Option<String>,
    /// What came close, the closest first.
    pub misses: Vec<Miss>,
}

/// Something that came close.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Miss {
    /// It was shown, and is gone.
    Vanished {
        /// When it was first seen the last time, since the session's start.
        from: Duration,
        /// When it was no longer seen.
        to: Duration,
        /// How often it was shown, as far as is still known.
        times: usize,
    },
    /// Something like it is there.
    Near(NearMiss),
}

/// How many parts are explained: who asks for more at once will look for one after the other.
const MOST_PARTS: usize = 8;

/// How many cells are looked at in what was shown before, newest first: every screen that a history holds of a usual
/// size, and a few of the largest.
const MOST_CELLS: usize = 64 << 20;

/// What keeps a condition from holding on the last of some frames. `above` gives what scrolled out, which takes its time
/// and is not always asked for; `started` is when the session began.
pub(crate) fn unmet(
    condition: &Condition,
    frames: &[Arc<Frame>],
    above: impl FnOnce() -> Vec<Arc<Row>>,
    started: Duration,
    entered: Option<&Entered>,
) -> Vec<Unmet> {
    let Some(last) = frames.last() else {
        return Vec::new();
    };
    let whole = condition.to_string();
    let changes = match entered {
        Some(entered) => entered.changes(last),
        None => Changes::all(&last.screen),
    };
    let mut parts = condition.unmet_in(&changes);
    parts.truncate(MOST_PARTS);
    let is_sought = |part: &Condition| matches!(part, Condition::Visible(_));
    let above = if parts.iter().any(is_sought) {
        above()
    } else {
        Vec::new()
    };
    let recent = recent(frames, MOST_CELLS / parts.len().max(1));
    let explained = parts.iter().map(|part| {
        let near = part.near_misses_in(&changes, &above);
        let vanished = vanished(recent, part, started);
        Unmet {
            part: Some(part.to_string()).filter(|part| *part != whole),
            misses: vanished
                .into_iter()
                .chain(near.into_iter().map(Miss::Near))
                .collect(),
        }
    });
    explained.collect()
}

/// The newest frames that have no more cells than that together.
fn recent(frames: &[Arc<Frame>], cells: usize) -> &[Arc<Frame>] {
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

/// The last time that a condition held and stopped to.
fn vanished(frames: &[Arc<Frame>], condition: &Condition, started: Duration) -> Option<Miss> {
    // Of course it was not there before it came; and what a function costs, nobody knows.
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
    Some(Miss::Vanished {
        from: from.saturating_sub(started),
        to: to.saturating_sub(started),
        times,
    })
}

/// Completes “near miss: …”.
impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Miss::Vanished { from, to, times } => {
                let (from, to) = (Elapsed(*from), Elapsed(*to));
                match times {
                    0 | 1 => write!(f, "it was shown from {from} to {to} and is gone"),
                    times => write!(
                        f,
                        "it was shown {times} times, the last time from {from} to {to}, and is gone"
                    ),
                }
            }
            Miss::Near(miss) => write!(f, "{miss}"),
        }
    }
}
