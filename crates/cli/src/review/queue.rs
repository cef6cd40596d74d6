//! Queue of pending snapshots, and the decisions on them.
//!
//! Snapshots are decided in order, so the position is the number of decisions, and undo removes the
//! last one.

use screentest::test::pending_snapshots::FileStamps;

/// Decision on a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The displayed capture becomes the baseline.
    Accept(FileStamps),
    /// The baseline stays.
    Reject,
    /// The snapshot stays pending.
    Skip,
}

/// Number of decisions of each type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DecisionCounts {
    pub(crate) accepted: usize,
    pub(crate) rejected: usize,
    pub(crate) skipped: usize,
}

/// The position in the queue, and the decisions so far.
#[derive(Debug)]
pub(crate) struct ReviewQueue {
    total: usize,
    decisions: Vec<Decision>,
}

impl ReviewQueue {
    /// Creates a queue with `total` snapshots.
    pub(crate) fn new(total: usize) -> ReviewQueue {
        ReviewQueue {
            total,
            decisions: Vec::new(),
        }
    }

    /// Returns the number of snapshots.
    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// Returns the index of the snapshot to decide on; `None` after the last.
    pub(crate) fn current(&self) -> Option<usize> {
        Some(self.decisions.len()).filter(|current| *current < self.total)
    }

    /// Returns the decisions, in order.
    pub(crate) fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Decides on the current snapshot and moves to the next.
    pub(crate) fn decide(&mut self, decision: Decision) {
        if self.current().is_some() {
            self.decisions.push(decision);
        }
    }

    /// Moves to the previous snapshot and removes its decision, if there is one.
    pub(crate) fn undo(&mut self) -> Option<Decision> {
        self.decisions.pop()
    }

    /// Counts the decisions of each type.
    pub(crate) fn counts(&self) -> DecisionCounts {
        let mut counts = DecisionCounts::default();
        for decision in &self.decisions {
            *match decision {
                Decision::Accept(_) => &mut counts.accepted,
                Decision::Reject => &mut counts.rejected,
                Decision::Skip => &mut counts.skipped,
            } += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_advance_and_undo_goes_back() {
        let mut queue = ReviewQueue::new(2);
        assert_eq!((queue.current(), queue.undo()), (Some(0), None));
        queue.decide(Decision::Reject);
        queue.decide(Decision::Skip);
        assert_eq!(queue.current(), None);
        queue.decide(Decision::Skip);
        assert_eq!(queue.decisions(), [Decision::Reject, Decision::Skip]);
        assert_eq!(queue.undo(), Some(Decision::Skip));
        assert_eq!(queue.current(), Some(1));
        let counts = DecisionCounts {
            rejected: 1,
            ..DecisionCounts::default()
        };
        assert_eq!(queue.counts(), counts);
    }
}
