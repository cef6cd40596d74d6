//! `scrub-report.json`: the number of redacted secrets, never the secrets themselves.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The number of matches per rule, and the ranges that were redacted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScrubReport {
    /// Number of matches by rule name; 0 for rules that never matched.
    pub rules: BTreeMap<String, u64>,
    /// Ranges of `output.raw` that were redacted, ordered by offset.
    #[serde(default)]
    pub covered: Vec<RedactedRange>,
    /// Whether more ranges were redacted than `covered` lists.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub more: bool,
    /// Number of inputs that were not stored because echo was off.
    #[serde(default)]
    pub withheld_inputs: u64,
    /// Whether the report is from the recovery of an interrupted recording. It then counts only
    /// what the recovery redacted, not what the recorder redacted before.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub of_recovery: bool,
}

impl ScrubReport {
    /// Limit on the number of listed ranges, so that a cassette full of secrets does not get an
    /// equally large report.
    pub const MAX_COVERED: usize = 10_000;

    /// Returns whether no rule matched.
    pub fn is_clean(&self) -> bool {
        self.rules.values().all(|hits| *hits == 0)
    }
}

/// A range of `output.raw` whose bytes were replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactedRange {
    /// Offset of its first byte.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// The rule that matched.
    pub rule: String,
}
