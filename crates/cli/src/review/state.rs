//! What lies on the desk: the snapshot that is decided on, and what a person asks for.

use screentest::Pending;
use screentest::test::pending_snapshots::PendingError;

use super::comparison::Shown;
use super::keys::Action;
use super::queue::{Decision, Walk};
use super::viewport::{Sight, View};

/// A review that is going on.
#[derive(Debug)]
pub(crate) struct Desk {
    pending: Vec<Pending>,
    walk: Walk,
    /// What is decided on; `None` once everything is.
    shown: Option<Result<Shown, PendingError>>,
    /// Which part of it is looked at.
    pub(crate) sight: Sight,
    help: bool,
    said: Option<&'static str>,
}

/// How a review ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// What was decided is done.
    Apply,
    /// Nothing is.
    AsItWas,
}

impl Desk {
    /// A review of these, of which there is at least one.
    pub(crate) fn new(pending: Vec<Pending>) -> Desk {
        let mut desk = Desk {
            walk: Walk::new(pending.len()),
            pending,
            shown: None,
            sight: Sight::new(View::Both),
            help: false,
            said: None,
        };
        desk.look();
        desk
    }

    /// Does what was asked for; says whether that ends the review.
    pub(crate) fn act(&mut self, action: Action) -> Option<Leaving> {
        self.said = None;
        match action {
            Action::Quit => return Some(Leaving::Apply),
            Action::Confirm if self.walk.place().is_none() => return Some(Leaving::Apply),
            Action::Abandon => return Some(Leaving::AsItWas),
            Action::Help => self.help = !self.help,
            // Any other key ends the help, and nothing is decided on what cannot be seen.
            _ if self.help => self.help = false,
            Action::Confirm => {}
            Action::Accept => match &self.shown {
                Some(Ok(shown)) => {
                    let seen = shown.comparison.seen;
                    self.decide(Decision::Accept(seen));
                }
                Some(Err(_)) => self.said = Some("what cannot be read cannot be accepted"),
                None => {}
            },
            Action::Reject => self.decide(Decision::Reject),
            Action::Skip => self.decide(Decision::Skip),
            Action::Undo => match self.walk.undo() {
                Some(_) => self.look(),
                None => self.said = Some("there is nothing to undo"),
            },
            Action::NextDifference => self.sight.go(1, self.differences()),
            Action::DifferenceBefore => self.sight.go(-1, self.differences()),
            Action::NextView => self.sight.next_view(),
            Action::OtherScreen => self.sight.other_screen(),
            Action::Scroll(scroll) => self.sight.scroll(scroll),
        }
        None
    }

    /// What becomes of each: what was decided, or nothing yet.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&Pending, Decision)> {
        let decisions = self.walk.decisions().iter().copied();
        let undecided = std::iter::repeat(Decision::Skip);
        self.pending.iter().zip(decisions.chain(undecided))
    }

    /// Where one stands.
    pub(crate) fn walk(&self) -> &Walk {
        &self.walk
    }

    /// The one that is decided on; `None` once everything is.
    pub(crate) fn current(&self) -> Option<&Pending> {
        self.pending.get(self.walk.place()?)
    }

    /// What is to be seen of it, with the part that is looked at.
    pub(crate) fn shown(&mut self) -> (Option<&Result<Shown, PendingError>>, &mut Sight) {
        (self.shown.as_ref(), &mut self.sight)
    }

    /// Whether the help is shown.
    pub(crate) fn helps(&self) -> bool {
        self.help
    }

    /// What there is to say about the last key.
    pub(crate) fn said(&self) -> Option<&'static str> {
        self.said
    }

    fn differences(&self) -> usize {
        match &self.shown {
            Some(Ok(shown)) => shown.differences.len(),
            _ => 0,
        }
    }

    fn decide(&mut self, decision: Decision) {
        self.walk.decide(decision);
        self.look();
    }

    /// Reads what is decided on next, and looks at it in the same way.
    fn look(&mut self) {
        self.sight = Sight::new(self.sight.view);
        self.shown = self.current().map(|pending| pending.read().map(Shown::new));
    }
}
