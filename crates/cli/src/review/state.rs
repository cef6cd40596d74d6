//! State of an interactive review: the current snapshot, the decisions, and the viewport.

use screentest::test::Pending;
use screentest::test::pending_snapshots::PendingError;

use super::comparison::ComparisonView;
use super::keys::KeyAction;
use super::queue::{Decision, ReviewQueue};
use super::viewport::{ViewMode, Viewport};

/// State of a review.
#[derive(Debug)]
pub(crate) struct ReviewState {
    pending: Vec<Pending>,
    queue: ReviewQueue,
    /// The current comparison; `None` after the last decision.
    comparison: Option<Result<ComparisonView, PendingError>>,
    /// The visible part of it.
    pub(crate) viewport: Viewport,
    help: bool,
    message: Option<&'static str>,
}

/// How a review ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewEnd {
    /// Apply the decisions.
    Apply,
    /// Change nothing.
    Discard,
}

impl ReviewState {
    /// Starts a review. `pending` must not be empty.
    pub(crate) fn new(pending: Vec<Pending>) -> ReviewState {
        let mut review_state = ReviewState {
            queue: ReviewQueue::new(pending.len()),
            pending,
            comparison: None,
            viewport: Viewport::new(ViewMode::Both),
            help: false,
            message: None,
        };
        review_state.load_current();
        review_state
    }

    /// Performs an action. Returns how the review ends, if it does.
    pub(crate) fn act(&mut self, action: KeyAction) -> Option<ReviewEnd> {
        self.message = None;
        match action {
            KeyAction::Quit => return Some(ReviewEnd::Apply),
            KeyAction::Confirm if self.queue.current().is_none() => return Some(ReviewEnd::Apply),
            KeyAction::Abandon => return Some(ReviewEnd::Discard),
            KeyAction::Help => self.help = !self.help,
            // Any other key closes the help. It must not decide on a snapshot that is not visible.
            _ if self.help => self.help = false,
            KeyAction::Confirm => {}
            KeyAction::Accept => match &self.comparison {
                Some(Ok(view)) => {
                    let stamps = view.comparison.stamps;
                    self.decide(Decision::Accept(stamps));
                }
                Some(Err(_)) => self.message = Some("a broken snapshot cannot be accepted"),
                None => {}
            },
            KeyAction::Reject => self.decide(Decision::Reject),
            KeyAction::Skip => self.decide(Decision::Skip),
            KeyAction::Undo => match self.queue.undo() {
                Some(_) => self.load_current(),
                None => self.message = Some("nothing to undo"),
            },
            KeyAction::NextDifference => self.viewport.go_to_difference(1, self.differences()),
            KeyAction::PreviousDifference => self.viewport.go_to_difference(-1, self.differences()),
            KeyAction::NextView => self.viewport.next_view(),
            KeyAction::OtherScreen => self.viewport.other_screen(),
            KeyAction::Scroll(scroll) => self.viewport.scroll(scroll),
        }
        None
    }

    /// Returns the decision on each snapshot; undecided ones are skipped.
    pub(crate) fn decisions(&self) -> impl Iterator<Item = (&Pending, Decision)> {
        let decisions = self.queue.decisions().iter().copied();
        let undecided = std::iter::repeat(Decision::Skip);
        self.pending.iter().zip(decisions.chain(undecided))
    }

    /// The position and the decisions.
    pub(crate) fn queue(&self) -> &ReviewQueue {
        &self.queue
    }

    /// Returns the snapshot to decide on; `None` after the last.
    pub(crate) fn current(&self) -> Option<&Pending> {
        self.pending.get(self.queue.current()?)
    }

    /// Returns the current comparison and the viewport on it.
    pub(crate) fn comparison_and_viewport(
        &mut self,
    ) -> (Option<&Result<ComparisonView, PendingError>>, &mut Viewport) {
        (self.comparison.as_ref(), &mut self.viewport)
    }

    /// Whether the help is open.
    pub(crate) fn shows_help(&self) -> bool {
        self.help
    }

    /// The message about the last key.
    pub(crate) fn message(&self) -> Option<&'static str> {
        self.message
    }

    fn differences(&self) -> usize {
        match &self.comparison {
            Some(Ok(view)) => view.differences.len(),
            _ => 0,
        }
    }

    fn decide(&mut self, decision: Decision) {
        self.queue.decide(decision);
        self.load_current();
    }

    /// Reads the current snapshot and resets the viewport, but keeps the view.
    fn load_current(&mut self) {
        self.viewport = Viewport::new(self.viewport.view);
        self.comparison = self
            .current()
            .map(|pending| pending.read().map(ComparisonView::new));
    }
}
