//! `events.jsonl`: what the caller said while it happened.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Millis;

/// Something that the caller said: a place with a name, anything else, or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventLine {
    /// Its number among everything that happened.
    pub seq: u64,
    /// When it was said.
    pub t_ms: Millis,
    /// How much of `output.raw` had come.
    pub at: u64,
    /// A name by which a player finds the moment again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Whatever the caller attached.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}
