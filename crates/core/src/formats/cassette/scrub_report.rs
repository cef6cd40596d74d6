//! `scrub-report.json`: how many secrets were covered, never which.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What was looked for and how often it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScrubReport {
    /// Every rule by its name, with how often it was hit; those that never were have 0.
    pub rules: BTreeMap<String, u64>,
    /// Stretches of `output.raw` that were covered, in the order of the bytes.
    #[serde(default)]
    pub covered: Vec<Covered>,
    /// Whether there were more stretches than are listed.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub more: bool,
    /// How often input was not stored, as nothing that was typed would have been shown.
    #[serde(default)]
    pub withheld_inputs: u64,
    /// Whether the recorder was cut off, so that what it covered itself is not counted; only what was found when it was recovered.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub of_recovery: bool,
}

impl ScrubReport {
    /// How many stretches are listed: a cassette full of secrets should not be a report as well.
    pub const MAX_COVERED: usize = 10_000;

    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.rules.values().all(|hits| *hits == 0)
    }
}

/// A stretch of `output.raw` in which other characters stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Covered {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u64,
    /// The rule that was hit.
    pub rule: String,
}
