//! Steps that look at the screen: waits, expectations, assertions, snapshots.

use std::sync::Arc;
use std::time::Duration;

use crate::language::{Assertion, DefaultWait, Expectation, HistoryCheck};
use screentest_core::action::{Action, WaitTarget};
use screentest_core::query::condition::{MatchElsewhere, WaitPattern, WaitScope};
use screentest_core::{Appeared, Changes, Condition, Screen, SelectError};

use super::assertion;
use super::error::{NoMatchInLine, WaitFailure};
use super::{MAX_FINISHING, StepError, StepRunner};
use screentest::internals::{GiveUp, Snapshot};
use screentest::session::WaitError;
use screentest::session::WaitLimits;
use screentest::session::history::{Mark, SessionFrame};
use screentest::test::snapshot::Baseline;
use screentest::test::terminal::TuiError;

/// The timeout of a snapshot, as in tests.
const SNAPSHOT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a differing screen must be unchanged, while the program waits for input, before the
/// snapshot fails early: far longer than drawing takes.
const UNCHANGED_FOR_FAILURE: Duration = Duration::from_millis(500);

impl StepRunner<'_> {
    /// Waits for the pattern of the setting `WaitPattern`.
    pub(super) fn default_wait(&mut self, wait: &DefaultWait) -> Result<(), StepError> {
        let pattern = WaitPattern::Regex(self.settings().wait_pattern.clone());
        let target = WaitTarget::Line(wait.scope, pattern);
        self.perform_action(&Action::Wait(target, wait.appeared), wait.timeout)
    }

    pub(super) fn wait(
        &mut self,
        target: &WaitTarget,
        appeared: Appeared,
        timeout: Duration,
    ) -> Result<(), StepError> {
        let condition = target.condition();
        self.check_inside(&condition)?;
        let limits = self.wait_limits(timeout, appeared);
        match (self.session.wait_for(condition, limits), target) {
            (Ok(_), _) => {}
            (Err(error), WaitTarget::Line(WaitScope::Line, pattern)) => {
                return Err(self.no_match_in_line(error, pattern, appeared));
            }
            (Err(error), _) => return Err(error.into()),
        }
        self.scheduler.resync();
        Ok(())
    }

    /// Returns the error of a wait for the cursor's line.
    fn no_match_in_line(
        &self,
        error: WaitError,
        pattern: &WaitPattern,
        appeared: Appeared,
    ) -> StepError {
        let (why, report) = match error {
            WaitError::TimedOut { waited, report, .. } => (WaitFailure::TimedOut(waited), report),
            WaitError::Ended {
                exit_status,
                report,
                ..
            } => (WaitFailure::Ended(exit_status), report),
            error => return error.into(),
        };
        StepError::NoMatchInLine(NoMatchInLine {
            why,
            before_enter: pattern.matches_cursor_line(&report.last),
            elsewhere: self.elsewhere(pattern, appeared, &report.last),
            pattern: pattern.clone(),
            report,
        })
    }

    /// Finds a match of the pattern elsewhere on the last screen of a wait.
    fn elsewhere(
        &self,
        pattern: &WaitPattern,
        appeared: Appeared,
        last: &Screen,
    ) -> Option<MatchElsewhere> {
        let frame = self.session.frame();
        match self.session.enter_baseline(appeared) {
            // If the program has drawn since, the frame differs, and it is no longer known which
            // text was new.
            Some(entered) if frame.screen == *last => pattern.elsewhere(&entered.changes(&frame)),
            Some(_) => {
                let all = pattern.elsewhere(&Changes::all(last));
                all.map(|all| MatchElsewhere {
                    is_new: false,
                    ..all
                })
            }
            None => pattern.elsewhere(&Changes::all(last)),
        }
    }

    fn wait_limits(&self, timeout: Duration, appeared: Appeared) -> WaitLimits {
        let limits = self.scheduler.wait_limits(timeout);
        match appeared {
            Appeared::AfterEnter => limits,
            Appeared::Anytime => limits.anytime(),
        }
    }

    pub(super) fn expect_not(&mut self, expectation: &Expectation) -> Result<(), StepError> {
        let timeout = expectation.timeout.unwrap_or(self.settings().wait_timeout);
        let condition = !Condition::visible(expectation.selector.clone());
        self.check_inside(&condition)?;
        let limits = self.wait_limits(timeout, expectation.appeared);
        self.session.wait_for(condition, limits)?;
        self.scheduler.resync();
        Ok(())
    }

    /// Rejects positions outside of the screen: nothing could ever be found there, so neither
    /// presence nor absence would mean anything.
    pub(super) fn check_inside(&self, condition: &Condition) -> Result<(), StepError> {
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

    pub(super) fn saw(&mut self, check: &HistoryCheck) -> Result<(), StepError> {
        let condition = Condition::visible(check.selector.clone());
        match self.first_match_since(&condition, check)? {
            Some(_) => Ok(()),
            None => Err(StepError::Terminal(TuiError::NotSeen {
                report: Box::new(self.session.report(&condition)),
                condition: condition.to_string(),
            })),
        }
    }

    pub(super) fn never(&mut self, check: &HistoryCheck) -> Result<(), StepError> {
        let condition = Condition::visible(check.selector.clone());
        match self.first_match_since(&condition, check)? {
            None => Ok(()),
            Some(frame) => Err(StepError::Terminal(TuiError::Seen {
                condition: condition.to_string(),
                after: self.session.since_start(&frame),
                report: Box::new(self.session.report_now()),
                frame,
            })),
        }
    }

    /// Returns the first screen that met the condition since a mark.
    fn first_match_since(
        &mut self,
        condition: &Condition,
        check: &HistoryCheck,
    ) -> Result<Option<Arc<SessionFrame>>, StepError> {
        self.scheduler.settle(MAX_FINISHING)?;
        self.check_inside(condition)?;
        let found = self
            .session
            .saw(condition, self.since(check.since.as_ref()));
        Ok(found.map_err(TuiError::from)?)
    }

    pub(super) fn assert(&mut self, number: usize, assertion: &Assertion) -> Result<(), StepError> {
        self.scheduler.settle(MAX_FINISHING)?;
        let screen = self.visible_screen();
        match assertion {
            Assertion::Text(text) => assertion::text(&screen, text)?,
            Assertion::Absent { text, lasting } => {
                assertion::absent(&screen, text)?;
                if !lasting.is_zero() {
                    self.check_stays_absent(text, *lasting)?;
                }
            }
            Assertion::Cells { at, cells } => assertion::cells(&screen, *at, cells)?,
            Assertion::Style { at, width, style } => {
                let theme = &self.ready.prepared.appearance.theme;
                assertion::style(&screen, theme, *at, *width, style)?;
            }
            Assertion::State(path) => {
                let expected = &self.ready.prepared.states[&number];
                let state = self.visible_state();
                assertion::state(
                    &state,
                    &self.ready.prepared.appearance.theme,
                    path,
                    expected,
                )?;
            }
        }
        Ok(())
    }

    fn check_stays_absent(&mut self, text: &str, lasting: Duration) -> Result<(), StepError> {
        let limits = self.scheduler.wait_limits(lasting).anytime();
        let appeared = self.session.wait_for(Condition::text(text), limits);
        self.scheduler.resync();
        match appeared {
            Ok(screen) => Ok(assertion::absent(&screen, text)?),
            // A program that has exited shows nothing new.
            Err(WaitError::TimedOut { .. } | WaitError::Ended { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn snapshot(&mut self, name: &str) -> Result<(), StepError> {
        self.scheduler.settle(MAX_FINISHING)?;
        let Some(artifacts) = self.artifacts else {
            return Ok(());
        };
        let options = &self.ready.options.run;
        let mut masks = options.normalisers.clone();
        masks.extend(self.masks.iter().cloned());
        let snapshot = Snapshot::new(artifacts, &masks, name).map_err(TuiError::from)?;
        let limits = self
            .scheduler
            .wait_limits(SNAPSHOT_TIMEOUT.min(self.settings().wait_timeout));
        let give_up = GiveUp::AtRest(UNCHANGED_FOR_FAILURE);
        let result = snapshot.expect(self.session, options.update_snapshots, &limits, give_up);
        let result = result.map_err(TuiError::from)?;
        self.snapshots.push(result.capture);
        if result.baseline != Baseline::Kept {
            self.baselines.push((name.to_owned(), result.baseline));
        }
        self.scheduler.resync();
        Ok(())
    }
}
