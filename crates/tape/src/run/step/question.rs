//! Steps that look at the screen: waits, expectations, assertions, snapshots.

use std::sync::Arc;
use std::time::Duration;

use crate::language::{Assertion, Elsewhere, Expectation, Pattern, Scope, Seen, Wait};
use screentest_core::{Appeared, Changes, Condition, Screen, SelectError};

use super::super::assertion;
use super::error::{Missed, NotInLine};
use super::{FINISHING, StepError, StepRunner};
use screentest::WaitError;
use screentest::WaitLimits;
use screentest::internals::{GiveUp, Snapshot};
use screentest::session::history::{Frame, Mark};
use screentest::test::snapshot::Baseline;
use screentest::test::terminal::TuiError;

/// The timeout of a snapshot, as in tests.
const SNAPSHOT: Duration = Duration::from_secs(5);

/// How long a differing screen must be unchanged, while the program waits for input, before the
/// snapshot fails early: far longer than drawing takes.
const HOPELESS: Duration = Duration::from_millis(500);

impl StepRunner<'_> {
    pub(super) fn wait(&mut self, wait: &Wait) -> Result<(), StepError> {
        let timeout = wait.timeout.unwrap_or(self.settings().wait_timeout);
        let pattern = match &wait.pattern {
            Some(pattern) => pattern.clone(),
            None => Pattern::Regex(self.settings().wait_pattern.clone()),
        };
        let condition = wait.scope.asks(pattern.clone());
        let limits = self.limits(timeout, wait.appeared);
        match self.session.wait_for(condition, limits) {
            Ok(_) => {}
            Err(error) if wait.scope == Scope::Line => {
                let (why, report) = match error {
                    WaitError::TimedOut { waited, report, .. } => {
                        (Missed::TimedOut(waited), report)
                    }
                    WaitError::Ended {
                        outcome, report, ..
                    } => (Missed::Ended(outcome), report),
                    error => return Err(error.into()),
                };
                let elsewhere = self.elsewhere(&pattern, wait.appeared, &report.last);
                return Err(StepError::NotInLine(NotInLine {
                    why,
                    before_enter: pattern.is_in_cursor_line(&report.last),
                    elsewhere,
                    pattern,
                    report,
                }));
            }
            Err(error) => return Err(error.into()),
        }
        self.pace.waited();
        Ok(())
    }

    /// Finds a match of the pattern elsewhere on the last screen of a wait.
    fn elsewhere(&self, pattern: &Pattern, appeared: Appeared, last: &Screen) -> Option<Elsewhere> {
        let frame = self.session.frame();
        match self.session.enter_baseline(appeared) {
            // If the program has drawn since, the frame differs, and it is no longer known which
            // text was new.
            Some(entered) if frame.screen == *last => pattern.elsewhere(&entered.changes(&frame)),
            Some(_) => {
                let all = pattern.elsewhere(&Changes::all(last));
                all.map(|all| Elsewhere {
                    is_new: false,
                    ..all
                })
            }
            None => pattern.elsewhere(&Changes::all(last)),
        }
    }

    fn limits(&self, timeout: Duration, appeared: Appeared) -> WaitLimits {
        let limits = self.pace.limits(timeout);
        match appeared {
            Appeared::AfterEnter => limits,
            Appeared::Anytime => limits.anytime(),
        }
    }

    pub(super) fn expect(
        &mut self,
        expectation: &Expectation,
        asked: impl FnOnce(Condition) -> Condition,
    ) -> Result<(), StepError> {
        let timeout = expectation.timeout.unwrap_or(self.settings().wait_timeout);
        let condition = asked(Condition::visible(expectation.selector.clone()));
        self.inside(&condition)?;
        let limits = self.limits(timeout, expectation.appeared);
        self.session.wait_for(condition, limits)?;
        self.pace.waited();
        Ok(())
    }

    /// Rejects positions outside of the screen: nothing could ever be found there, so neither
    /// presence nor absence would mean anything.
    pub(super) fn inside(&self, condition: &Condition) -> Result<(), StepError> {
        let outside = |error: SelectError| TuiError::Select {
            error,
            report: Box::new(self.session.report_now()),
        };
        let size = self.session.screen().size;
        Ok(condition.check(size).map_err(outside)?)
    }

    fn since(&self, name: Option<&String>) -> Mark {
        let mut marks = self.marks.iter().rev();
        let mark = match name {
            None => marks.next(),
            Some(name) => marks.find(|(known, _)| known.as_ref() == Some(name)),
        };
        mark.map_or(Mark::START, |(_, mark)| *mark)
    }

    pub(super) fn saw(&mut self, seen: &Seen) -> Result<(), StepError> {
        let condition = Condition::visible(seen.selector.clone());
        match self.seen_since(&condition, seen)? {
            Some(_) => Ok(()),
            None => Err(StepError::Terminal(TuiError::NotSeen {
                report: Box::new(self.session.report(&condition)),
                condition: condition.to_string(),
            })),
        }
    }

    pub(super) fn never(&mut self, seen: &Seen) -> Result<(), StepError> {
        let condition = Condition::visible(seen.selector.clone());
        match self.seen_since(&condition, seen)? {
            None => Ok(()),
            Some(frame) => Err(StepError::Terminal(TuiError::Seen {
                condition: condition.to_string(),
                after: self.session.since_start(&frame),
                report: Box::new(self.session.report_now()),
                frame,
            })),
        }
    }

    /// The first screen since a mark that met the condition.
    fn seen_since(
        &mut self,
        condition: &Condition,
        seen: &Seen,
    ) -> Result<Option<Arc<Frame>>, StepError> {
        self.pace.settle(FINISHING)?;
        self.inside(condition)?;
        let found = self.session.saw(condition, self.since(seen.since.as_ref()));
        Ok(found.map_err(TuiError::from)?)
    }

    pub(super) fn assert(&mut self, number: usize, asked: &Assertion) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let screen = self.seen();
        match asked {
            Assertion::Text(text) => assertion::text(&screen, text)?,
            Assertion::Absent { text, lasting } => {
                assertion::absent(&screen, text)?;
                if !lasting.is_zero() {
                    self.stays_away(text, *lasting)?;
                }
            }
            Assertion::Cells { at, cells } => assertion::cells(&screen, *at, cells)?,
            Assertion::Style { at, width, style } => {
                let theme = &self.ready.found.look.theme;
                assertion::style(&screen, theme, *at, *width, style)?;
            }
            Assertion::State(path) => {
                let expected = &self.ready.found.states[&number];
                let state = self.seen_state();
                assertion::state(&state, &self.ready.found.look.theme, path, expected)?;
            }
        }
        Ok(())
    }

    fn stays_away(&mut self, text: &str, lasting: Duration) -> Result<(), StepError> {
        let limits = self.pace.limits(lasting).anytime();
        let shown = self.session.wait_for(Condition::text(text), limits);
        self.pace.waited();
        match shown {
            Ok(screen) => Ok(assertion::absent(&screen, text)?),
            // A program that has exited shows nothing new.
            Err(WaitError::TimedOut { .. } | WaitError::Ended { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn snapshot(&mut self, name: &str) -> Result<(), StepError> {
        self.pace.settle(FINISHING)?;
        let Some(artifacts) = self.artifacts else {
            return Ok(());
        };
        let options = &self.ready.options.run;
        let mut masks = options.normalisers.clone();
        masks.extend(self.masks.iter().cloned());
        if !options.secrets.is_empty() {
            masks.push(options.secrets.normaliser());
        }
        let snapshot = Snapshot::new(artifacts, &masks, name).map_err(TuiError::from)?;
        let limits = self.pace.limits(SNAPSHOT.min(self.settings().wait_timeout));
        let give_up = GiveUp::AtRest(HOPELESS);
        let fine = snapshot.expect(self.session, options.update_snapshots, &limits, give_up);
        let fine = fine.map_err(TuiError::from)?;
        self.snapshots.push(fine.capture);
        if fine.baseline != Baseline::Kept {
            self.baselines.push((name.to_owned(), fine.baseline));
        }
        self.pace.waited();
        Ok(())
    }
}
