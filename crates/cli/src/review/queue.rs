//! A walk through pending snapshots: where one stands, and what was decided on the way.
//!
//! Each is decided on in turn, so that the place is the number of decisions, and going back is forgetting one.

use screentest::test::pending_snapshots::Seen;

/// What becomes of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// What was seen becomes the baseline.
    Accept(Seen),
    /// The baseline stays.
    Reject,
    /// It stays pending.
    Skip,
}

/// How often each was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub(crate) accepted: usize,
    pub(crate) rejected: usize,
    pub(crate) skipped: usize,
}

/// Where one stands, and what was decided on the way.
#[derive(Debug)]
pub(crate) struct Walk {
    total: usize,
    decisions: Vec<Decision>,
}

impl Walk {
    /// Stands before the first of so many.
    pub(crate) fn new(total: usize) -> Walk {
        Walk {
            total,
            decisions: Vec::new(),
        }
    }

    /// How many there are.
    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// Which one is to be decided on, from 0; `None` behind the last.
    pub(crate) fn place(&self) -> Option<usize> {
        Some(self.decisions.len()).filter(|place| *place < self.total)
    }

    /// What was decided, from the first on.
    pub(crate) fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Decides on the one where we stand, and goes on to the next.
    pub(crate) fn decide(&mut self, decision: Decision) {
        if self.place().is_some() {
            self.decisions.push(decision);
        }
    }

    /// Goes back to the one before and forgets what was decided on it, if there is one.
    pub(crate) fn undo(&mut self) -> Option<Decision> {
        self.decisions.pop()
    }

    /// How often each was decided.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for decision in &self.decisions {
            *match decision {
                Decision::Accept(_) => &mut tally.accepted,
                Decision::Reject => &mut tally.rejected,
                Decision::Skip => &mut tally.skipped,
            } += 1;
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_goes_on_and_every_undo_back() {
        let mut walk = Walk::new(2);
        assert_eq!((walk.place(), walk.undo()), (Some(0), None));
        walk.decide(Decision::Reject);
        walk.decide(Decision::Skip);
        assert_eq!(walk.place(), None);
        walk.decide(Decision::Skip);
        assert_eq!(walk.decisions(), [Decision::Reject, Decision::Skip]);
        assert_eq!(walk.undo(), Some(Decision::Skip));
        assert_eq!(walk.place(), Some(1));
        let tally = Tally {
            rejected: 1,
            ..Tally::default()
        };
        assert_eq!(walk.tally(), tally);
    }
}
