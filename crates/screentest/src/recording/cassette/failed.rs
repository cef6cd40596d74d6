//! A failed assertion and the screen that was shown instead.

use std::fmt;
use std::time::Duration;

use screentest_core::formats::assertions::{Assertion, ExpectedExit};
use screentest_core::formats::cassette::RecordingEnd;
use screentest_core::{Condition, Screen};

use crate::format_duration::Elapsed;
use crate::session::wait::report;

/// A failed assertion. Its [`Display`](fmt::Display) is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failed {
    /// The line of the assertions file on which it begins.
    pub line: usize,
    /// The name of the assertion.
    pub name: Option<String>,
    /// When it should hold: ``at mark `ready` ``.
    pub stretch: String,
    /// The part that does not hold.
    pub problem: String,
    /// The closest matches.
    pub misses: Vec<String>,
    /// A frame that fails the assertion, with its time.
    pub shown: Option<(Duration, Screen)>,
    /// When the assertion held: `it held from 1.2s to 3s`.
    pub(super) elsewhere: Option<String>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unmet,
    Other,
}

impl Failed {
    fn new(assertion: &Assertion, problem: String) -> Failed {
        Failed {
            line: assertion.line,
            name: assertion.name.clone(),
            stretch: assertion.frames.to_string(),
            problem,
            misses: Vec::new(),
            shown: None,
            elsewhere: None,
            kind: Kind::Other,
        }
    }

    /// A failure because nothing had been shown yet.
    pub(super) fn nothing(assertion: &Assertion) -> Failed {
        Failed::new(assertion, "nothing was shown yet".to_owned())
    }

    /// A failure because the program ended differently or later than expected; `None` if it ended
    /// as expected.
    pub(super) fn ended(
        assertion: &Assertion,
        wanted: &ExpectedExit,
        ending: &RecordingEnd,
        by: Option<Duration>,
    ) -> Option<Failed> {
        let found = match (ending.exit_code, &ending.signal) {
            (Some(code), _) => Some(ExpectedExit::Code(code)),
            (None, Some(signal)) => Some(ExpectedExit::Signal(signal.clone())),
            (None, None) => None,
        };
        let problem = match found {
            None => format!("not {wanted}: the recording does not say how the program ended"),
            Some(found) if found != *wanted => {
                format!("not {wanted}: the program ended with {found}")
            }
            Some(_) if by.is_some_and(|by| by < ending.t_ms.time()) => {
                format!("{wanted} came at {}", ending.t_ms)
            }
            Some(_) => return None,
        };
        Some(Failed::new(assertion, problem))
    }

    /// A failure because something is visible that must not be.
    pub(super) fn unclean(assertion: &Assertion, time: Duration, screen: &Screen) -> Failed {
        let mut parts = Vec::new();
        let mut misses = Vec::new();
        for selector in &assertion.not_visible {
            if let Err(outside) = selector.check(screen.size) {
                parts.push(selector.to_string());
                misses.push(outside.to_string());
            } else if selector.is_visible(screen) {
                parts.push(selector.to_string());
                let gone = !Condition::from(selector);
                let near = gone.near_misses(screen, &[]);
                misses.extend(near.iter().map(ToString::to_string));
            }
        }
        Failed {
            misses,
            shown: Some((time, screen.clone())),
            ..Failed::new(
                assertion,
                format!("shown, but must not be: {}", parts.join(", ")),
            )
        }
    }

    /// A failure because something is not visible that must be.
    pub(super) fn unmet(assertion: &Assertion, time: Duration, screen: &Screen) -> Failed {
        let mut parts = Vec::new();
        let mut misses = Vec::new();
        for selector in &assertion.visible {
            if !selector.is_visible(screen) {
                parts.push(selector.to_string());
                let near = Condition::from(selector).near_misses(screen, &[]);
                misses.extend(near.iter().map(ToString::to_string));
            }
        }
        for fact in assertion
            .properties
            .iter()
            .filter(|fact| !fact.holds(screen))
        {
            parts.push(fact.to_string());
            misses.push(fact.instead(screen));
        }
        misses.dedup();
        Failed {
            misses,
            shown: Some((time, screen.clone())),
            kind: Kind::Unmet,
            ..Failed::new(assertion, format!("not shown: {}", parts.join(", ")))
        }
    }

    pub(super) fn is_unmet(&self) -> bool {
        self.kind == Kind::Unmet
    }

    /// When the assertion held, if it ever did.
    pub fn elsewhere(&self) -> Option<&str> {
        self.elsewhere.as_deref()
    }

    /// Details for people: the closest matches and the frame.
    pub fn details(&self) -> String {
        let mut told = String::new();
        let misses = self.misses.iter().map(String::as_str);
        for miss in self.elsewhere().into_iter().chain(misses) {
            told.push_str(&format!("closest match: {miss}\n"));
        }
        if let Some((time, screen)) = &self.shown {
            let frame = report::frame(&screen.picture());
            let (size, time) = (screen.size, Elapsed(*time));
            told.push_str(&format!("the screen from {time} on ({size}):\n{frame}"));
        }
        told
    }
}

/// `line 12 (the menu), at 1500 ms: not shown: text "File"`.
impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(name) = &self.name {
            write!(f, " ({name})")?;
        }
        write!(f, ", {}: {}", self.stretch, self.problem)
    }
}

/// Records when a condition held, during the pass through all frames.
#[derive(Debug, Clone, Default)]
pub(super) struct Elsewhere {
    since: Option<Duration>,
    first: Option<(Duration, Option<Duration>)>,
    times: usize,
}

impl Elsewhere {
    pub(super) fn look(&mut self, so: bool, time: Duration) {
        match (so, self.since) {
            (true, None) => {
                self.since = Some(time);
                self.times += 1;
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

    pub(super) fn told(&self) -> Option<String> {
        let (from, to) = self.first?;
        let from = Elapsed(from);
        let stretch = match to {
            Some(to) => format!("from {from} to {}", Elapsed(to)),
            None => format!("from {from} to the end"),
        };
        Some(match self.times {
            1 => format!("it held {stretch}"),
            times => format!("it held {times} times, first {stretch}"),
        })
    }
}
