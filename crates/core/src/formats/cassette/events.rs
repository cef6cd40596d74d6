//! `events.jsonl`: marks and data that the caller attached during the recording, and notes about
//! input that was sent before the program was ready.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Millis;

/// A mark, other data, or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventLine {
    /// Its sequence number among all lines of the cassette.
    pub seq: u64,
    /// The time of the event.
    pub t_ms: Millis,
    /// Number of bytes of `output.raw` before it.
    pub at: u64,
    /// A name by which a player can find this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Data that the caller attached. After input that was sent before the program was ready, an
    /// object with the field `autoWait`.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}
