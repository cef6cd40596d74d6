//! A failed assertion and the screen that was shown instead.

use std::fmt;
use std::time::Duration;

use screentest_core::formats::assertions::{CassetteAssertion, ExpectedExit};
use screentest_core::formats::cassette::RecordingEnd;
use screentest_core::{Condition, Screen};

use crate::format_duration::Elapsed;
use crate::session::wait::report;

/// A failed assertion. Its [`Display`](fmt::Display) is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedAssertion {
    /// The line of the assertions file on which it begins.
    pub line: usize,
    /// The name of the assertion.
    pub name: Option<String>,
    /// When it should hold: ``at mark `ready` ``.
    pub when: String,
    /// The part that does not hold.
    pub problem: String,
    /// The closest matches.
    pub near_misses: Vec<String>,
    /// A frame that fails the assertion, with its time.
    pub shown: Option<(Duration, Screen)>,
    /// When the assertion held: `it held from 1.2s to 3s`.
    pub(super) held: Option<String>,
    cause: FailureCause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailureCause {
    /// Something that must be visible is not.
    NotShown,
    Other,
}

impl FailedAssertion {
    fn new(assertion: &CassetteAssertion, problem: String) -> FailedAssertion {
        FailedAssertion {
            line: assertion.line,
            name: assertion.name.clone(),
            when: assertion.frames.to_string(),
            problem,
            near_misses: Vec::new(),
            shown: None,
            held: None,
            cause: FailureCause::Other,
        }
    }

    /// A failure because there was no frame in the time range.
    pub(super) fn nothing_shown(assertion: &CassetteAssertion) -> FailedAssertion {
        FailedAssertion::new(assertion, "nothing was shown yet".to_owned())
    }

    /// A failure because the program ended differently or later than expected; `None` if it ended
    /// as expected.
    pub(super) fn ended(
        assertion: &CassetteAssertion,
        expected: &ExpectedExit,
        ending: &RecordingEnd,
        by: Option<Duration>,
    ) -> Option<FailedAssertion> {
        let found = match (ending.exit_code, &ending.signal) {
            (Some(code), _) => Some(ExpectedExit::Code(code)),
            (None, Some(signal)) => Some(ExpectedExit::Signal(signal.clone())),
            (None, None) => None,
        };
        let problem = match found {
            None => format!("not {expected}: the recording does not say how the program ended"),
            Some(found) if found != *expected => {
                format!("not {expected}: the program ended with {found}")
            }
            Some(_) if by.is_some_and(|by| by < ending.t_ms.time()) => {
                format!("{expected} came at {}", ending.t_ms)
            }
            Some(_) => return None,
        };
        Some(FailedAssertion::new(assertion, problem))
    }

    /// A failure because something is visible that must not be.
    pub(super) fn forbidden_shown(
        assertion: &CassetteAssertion,
        time: Duration,
        screen: &Screen,
    ) -> FailedAssertion {
        let mut parts = Vec::new();
        let mut near_misses = Vec::new();
        for selector in &assertion.not_visible {
            if let Err(outside) = selector.check(screen.size) {
                parts.push(selector.to_string());
                near_misses.push(outside.to_string());
            } else if selector.is_visible(screen) {
                parts.push(selector.to_string());
                let is_absent = !Condition::from(selector);
                let near = is_absent.near_misses(screen, &[]);
                near_misses.extend(near.iter().map(ToString::to_string));
            }
        }
        FailedAssertion {
            near_misses,
            shown: Some((time, screen.clone())),
            ..FailedAssertion::new(
                assertion,
                format!("shown, but must not be: {}", parts.join(", ")),
            )
        }
    }

    /// A failure because something is not visible that must be.
    pub(super) fn not_shown(
        assertion: &CassetteAssertion,
        time: Duration,
        screen: &Screen,
    ) -> FailedAssertion {
        let mut parts = Vec::new();
        let mut near_misses = Vec::new();
        for selector in &assertion.visible {
            if !selector.is_visible(screen) {
                parts.push(selector.to_string());
                let near = Condition::from(selector).near_misses(screen, &[]);
                near_misses.extend(near.iter().map(ToString::to_string));
            }
        }
        for fact in assertion
            .properties
            .iter()
            .filter(|fact| !fact.holds(screen))
        {
            parts.push(fact.to_string());
            near_misses.push(fact.instead(screen));
        }
        near_misses.dedup();
        FailedAssertion {
            near_misses,
            shown: Some((time, screen.clone())),
            cause: FailureCause::NotShown,
            ..FailedAssertion::new(assertion, format!("not shown: {}", parts.join(", ")))
        }
    }

    pub(super) fn is_not_shown(&self) -> bool {
        self.cause == FailureCause::NotShown
    }

    /// Returns when the assertion held, if it ever did.
    pub fn held(&self) -> Option<&str> {
        self.held.as_deref()
    }

    /// Details for people: when the assertion held, the closest matches and the frame.
    pub fn details(&self) -> String {
        let mut text = String::new();
        if let Some(held) = self.held() {
            text.push_str(&format!("{held}\n"));
        }
        for near_miss in &self.near_misses {
            text.push_str(&format!("closest match: {near_miss}\n"));
        }
        if let Some((time, screen)) = &self.shown {
            let frame = report::frame(&screen.picture());
            let (size, time) = (screen.size, Elapsed(*time));
            text.push_str(&format!("the screen from {time} on ({size}):\n{frame}"));
        }
        text
    }
}

/// `line 12 (the menu), at 1500 ms: not shown: text "File"`.
impl fmt::Display for FailedAssertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(name) = &self.name {
            write!(f, " ({name})")?;
        }
        write!(f, ", {}: {}", self.when, self.problem)
    }
}

/// Records when a condition held, during the pass through all frames.
#[derive(Debug, Clone, Default)]
pub(super) struct HeldTimes {
    since: Option<Duration>,
    first: Option<(Duration, Option<Duration>)>,
    count: usize,
}

impl HeldTimes {
    /// Adds the next frame.
    pub(super) fn record(&mut self, holds: bool, time: Duration) {
        match (holds, self.since) {
            (true, None) => {
                self.since = Some(time);
                self.count += 1;
                self.first.get_or_insert((time, None));
            }
            (false, Some(_)) => {
                self.since = None;
                if let Some((_, end @ None)) = &mut self.first {
                    *end = Some(time);
                }
            }
            _ => {}
        }
    }

    /// Returns the times as text; `None` if the condition never held.
    pub(super) fn summary(&self) -> Option<String> {
        let (from, to) = self.first?;
        let from = Elapsed(from);
        let period = match to {
            Some(to) => format!("from {from} to {}", Elapsed(to)),
            None => format!("from {from} to the end"),
        };
        Some(match self.count {
            1 => format!("it held {period}"),
            count => format!("it held {count} times, first {period}"),
        })
    }
}
