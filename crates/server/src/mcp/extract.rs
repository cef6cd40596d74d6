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

impl Extract {
    /// Whether there is what its kind needs, under the names that it has here.
    fn check(&self) -> Result<(), Trouble> {
        let needs = match self.kind {
            Kind::Value if self.label.is_none() => "`label`",
            Kind::Table if self.columns.is_some() == self.header.is_some() => {
                "either `columns` or `header`"
            }
            Kind::Regex if self.regex.is_none() => "`regex`",
            _ => return Ok(()),
        };
        Err(Trouble::new(
            format!(
                "kind {} needs {needs}",
                json!(self.kind).as_str().unwrap_or_default()
            ),
            "value needs `label`, table needs `columns` or `header`, regex needs `regex`",
        ))
    }
}

impl Perform for Extract {
    type Answer = Extracted;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let held = call.desk.hold(self.session.as_deref())?;
        self.check()?;
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
        let data = done
            .map_err(|failure| Trouble::of_failure(&failure, "mend the argument that it names"))?;
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
