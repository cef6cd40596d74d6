//! Annotations in a recording for the pictures made of it: hidden parts, captions, pressed keys.
//!
//! They are events of the cassette, so they have its times. A cassette without them is shown as it
//! is.

use std::time::Duration;

use serde_json::{Value, json};

use crate::recording::cassette::{Cassette, CassetteError};
use crate::session::Session;

/// An annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cue {
    /// The following part is hidden.
    Hide,
    /// The hidden part ends.
    Show,
    /// The caption below the picture; blank for none.
    Caption(String),
    /// A named key was pressed.
    Key(String),
    /// A character was typed.
    Typed(String),
    /// The view is scrolled up by this number of rows.
    View(usize),
}

/// The JSON member that identifies these events.
const TAPE: &str = "tape";

impl Cue {
    /// Adds the annotation to the recording of a session.
    pub(super) fn give(&self, session: &Session) {
        session.record_event(None, json!({ TAPE: self.to_json() }));
    }

    fn to_json(&self) -> Value {
        match self {
            Cue::Hide => json!("hide"),
            Cue::Show => json!("show"),
            Cue::Caption(text) => json!({ "caption": text }),
            Cue::Key(name) => json!({ "key": name }),
            Cue::Typed(text) => json!({ "typed": text }),
            Cue::View(rows) => json!({ "view": rows }),
        }
    }

    fn from_json(data: &Value) -> Option<Cue> {
        let cue = data.get(TAPE)?;
        let text = |name: &str| cue.get(name)?.as_str().map(str::to_owned);
        match cue.as_str() {
            Some("hide") => return Some(Cue::Hide),
            Some("show") => return Some(Cue::Show),
            _ => {}
        }
        let named = text("caption").map(Cue::Caption);
        let named = named.or_else(|| text("key").map(Cue::Key));
        let named = named.or_else(|| text("typed").map(Cue::Typed));
        let view = || Some(Cue::View(cue.get("view")?.as_u64()?.try_into().ok()?));
        named.or_else(view)
    }

    /// All annotations of a cassette, with their times.
    pub(super) fn of(cassette: &Cassette) -> Result<Vec<(Duration, Cue)>, CassetteError> {
        let events = cassette.events()?.into_iter();
        let cues =
            events.filter_map(|event| Some((event.t_ms.time(), Cue::from_json(&event.data)?)));
        Ok(cues.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_survive_a_round_trip() {
        for cue in [
            Cue::Hide,
            Cue::Show,
            Cue::Caption("a \"b\"".to_owned()),
            Cue::Key("Ctrl+C".to_owned()),
            Cue::Typed("é".to_owned()),
            Cue::View(12),
        ] {
            let data = json!({ TAPE: cue.to_json() });
            assert_eq!(Cue::from_json(&data), Some(cue));
        }
    }

    #[test]
    fn other_events_are_not_cues() {
        for data in [
            json!(null),
            json!("hide"),
            json!({ TAPE: 3 }),
            json!({ TAPE: { "view": -1 } }),
            json!({ TAPE: "mask" }),
        ] {
            assert_eq!(Cue::from_json(&data), None, "{data}");
        }
    }
}
