//! Annotations in a recording for the pictures made of it: hidden parts, captions, pressed keys.
//!
//! Annotations are events of the cassette, so their times are times of the recording. A cassette
//! without annotations is shown unchanged.

use std::time::Duration;

use serde_json::{Value, json};

use screentest::recording::cassette::{Cassette, CassetteError};
use screentest::session::Session;

/// An annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Annotation {
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

impl Annotation {
    /// Adds the annotation to the recording of a session.
    pub(super) fn record(&self, session: &Session) {
        session.record_event(None, json!({ TAPE: self.to_json() }));
    }

    fn to_json(&self) -> Value {
        match self {
            Annotation::Hide => json!("hide"),
            Annotation::Show => json!("show"),
            Annotation::Caption(text) => json!({ "caption": text }),
            Annotation::Key(name) => json!({ "key": name }),
            Annotation::Typed(text) => json!({ "typed": text }),
            Annotation::View(rows) => json!({ "view": rows }),
        }
    }

    fn from_json(data: &Value) -> Option<Annotation> {
        let annotation = data.get(TAPE)?;
        let text = |name: &str| annotation.get(name)?.as_str().map(str::to_owned);
        match annotation.as_str() {
            Some("hide") => return Some(Annotation::Hide),
            Some("show") => return Some(Annotation::Show),
            _ => {}
        }
        let named = text("caption").map(Annotation::Caption);
        let named = named.or_else(|| text("key").map(Annotation::Key));
        let named = named.or_else(|| text("typed").map(Annotation::Typed));
        let view = || {
            Some(Annotation::View(
                annotation.get("view")?.as_u64()?.try_into().ok()?,
            ))
        };
        named.or_else(view)
    }

    /// All annotations of a cassette, with their times.
    pub(super) fn of(cassette: &Cassette) -> Result<Vec<(Duration, Annotation)>, CassetteError> {
        let events = cassette.events()?.into_iter();
        let annotations = events
            .filter_map(|event| Some((event.t_ms.time(), Annotation::from_json(&event.data)?)));
        Ok(annotations.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_survive_a_round_trip() {
        for annotation in [
            Annotation::Hide,
            Annotation::Show,
            Annotation::Caption("a \"b\"".to_owned()),
            Annotation::Key("Ctrl+C".to_owned()),
            Annotation::Typed("é".to_owned()),
            Annotation::View(12),
        ] {
            let data = json!({ TAPE: annotation.to_json() });
            assert_eq!(Annotation::from_json(&data), Some(annotation));
        }
    }

    #[test]
    fn other_events_are_not_annotations() {
        for data in [
            json!(null),
            json!("hide"),
            json!({ TAPE: 3 }),
            json!({ TAPE: { "view": -1 } }),
            json!({ TAPE: "mask" }),
        ] {
            assert_eq!(Annotation::from_json(&data), None, "{data}");
        }
    }
}
