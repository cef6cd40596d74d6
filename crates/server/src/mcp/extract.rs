//! `tui_extract`: what a screen says, as data.
//!
//! Elsewhere: how it is read (`method/extract.rs`, which every door asks).

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::observation;
use super::tool::{Call, Perform, Reply};
use super::trouble::Trouble;

/// Reads the screen.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Extract {
    session: Option<String>,
    /// value: text behind `label`; table: under `columns` or a `header` text; choices: of a menu; highlighted; regex: groups of `regex`; commands: of a shell that marks them
    kind: Kind,
    label: Option<String>,
    columns: Option<Vec<String>>,
    header: Option<String>,
    regex: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum Kind {
    Value,
    Table,
    Choices,
    Highlighted,
    Regex,
    Commands,
}

/// Under the name of what was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Extracted {}

impl Perform for Extract {
    type Answer = Extracted;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let held = call.desk.hold(self.session.as_deref())?;
        let mut asked = json!({"session": held.stage.name(), "kind": self.kind});
        // One that was left out must not be there at all.
        for (field, value) in [
            ("label", self.label.map(Into::into)),
            ("names", self.columns.map(Into::into)),
            ("header", self.header.map(Into::into)),
            ("pattern", self.regex.map(Into::into)),
        ] {
            let value: Option<serde_json::Value> = value;
            if let Some(value) = value {
                asked[field] = value;
            }
        }
        let done = call.desk.service().call("extract", asked, call.interrupt);
        let data = done.map_err(|failure| {
            let next =
                "value needs `label`, table needs `columns` or `header`, regex needs `regex`";
            Trouble::of_failure(&failure, next)
        })?;
        let text = data.to_string();
        let (length, most) = (text.chars().count(), observation::MOST_CHARS);
        match length > most {
            true => Err(Trouble::new(
                format!("what was found has {length} characters, which is more than {most}"),
                "narrow it: name fewer columns, or a longer regex",
            )),
            false => Ok(Reply::new(text, &data)),
        }
    }
}
