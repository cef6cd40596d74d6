//! `tui_extract`: reads the screen as data.
//!
//! See also: `method/extract.rs` (the extraction, which all interfaces share).

use rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Call, Perform, Reply};
use crate::mcp::error::ToolError;
use crate::mcp::observation;

/// The arguments of `tui_extract`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ExtractArgs {
    session: Option<String>,
    /// value: text after `label`; table: under `columns` or a `header` text; choices: of a menu;
    /// highlighted; regex: groups of `regex`; commands: of a shell that marks them
    kind: ExtractKind,
    label: Option<String>,
    columns: Option<Vec<String>>,
    header: Option<String>,
    regex: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum ExtractKind {
    Value,
    Table,
    Choices,
    Highlighted,
    Regex,
    Commands,
}

/// The data, under the name of its kind.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ExtractOutput {}

impl ExtractArgs {
    /// Fails if an argument that the kind needs is missing, with the names of the tool's arguments.
    fn check(&self) -> Result<(), ToolError> {
        let needs = match self.kind {
            ExtractKind::Value if self.label.is_none() => "`label`",
            ExtractKind::Table if self.columns.is_some() == self.header.is_some() => {
                "either `columns` or `header`"
            }
            ExtractKind::Regex if self.regex.is_none() => "`regex`",
            _ => return Ok(()),
        };
        Err(ToolError::new(
            format!(
                "kind {} needs {needs}",
                json!(self.kind).as_str().unwrap_or_default()
            ),
            "value needs `label`, table needs `columns` or `header`, regex needs `regex`",
        ))
    }
}

impl Perform for ExtractArgs {
    type Output = ExtractOutput;

    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError> {
        let guard = call.sessions.find(self.session.as_deref())?;
        self.check()?;
        let mut params = json!({"session": guard.session.name(), "kind": self.kind});
        // Omitted arguments must be absent, not null.
        for (field, value) in [
            ("label", self.label.map(Into::into)),
            ("names", self.columns.map(Into::into)),
            ("header", self.header.map(Into::into)),
            ("pattern", self.regex.map(Into::into)),
        ] {
            let value: Option<serde_json::Value> = value;
            if let Some(value) = value {
                params[field] = value;
            }
        }
        let caller = call.caller.clone();
        let service = call.sessions.service();
        let done = service.call_as(caller, "extract", params, call.interrupt);
        let data = done
            .map_err(|error| ToolError::from_rpc(&error, "correct the argument that it names"))?;
        let text = data.text().to_owned();
        let (length, max) = (text.chars().count(), observation::MAX_CHARS);
        if length > max {
            Err(ToolError::new(
                format!("the result has {length} characters, more than the limit of {max}"),
                "narrow it: name fewer columns, or a longer regex",
            ))
        } else {
            Ok(Reply::new(text, &data.value()))
        }
    }
}
