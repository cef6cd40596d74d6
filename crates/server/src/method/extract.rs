//! `extract`: returns data from the screen.

use screentest::core::query::selector::Regex;
use screentest::core::{CommandProgress, ImagePlacement, Match, Screen, Selector};
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::limits::MAX_EXTRACTED;
use crate::service::MethodContext;
use crate::wire::RpcError;
use crate::wire::coordinates::{WireCells, WireMatch, WirePixels};

/// Extracts a value, a table, choices, highlighted text, commands, images, or the groups of a
/// regular expression.
#[derive(Debug, Deserialize)]
pub(crate) struct Extract {
    kind: String,
    label: Option<String>,
    names: Option<Vec<String>>,
    header: Option<String>,
    pattern: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ExtractResponse {
    Value {
        value: Option<WireMatch>,
    },
    Table {
        table: Option<ExtractedTable>,
    },
    Choices {
        choices: Vec<ExtractedChoice>,
    },
    Highlighted {
        highlighted: Vec<WireMatch>,
    },
    Matches {
        matches: Vec<Vec<Option<WireMatch>>>,
    },
    Commands {
        commands: Vec<ExtractedCommand>,
    },
    Images {
        images: Vec<ExtractedImage>,
    },
}

/// An image. Row and column count from 1; they are less than 1 if a part has scrolled out.
#[derive(Debug, Serialize)]
pub(crate) struct ExtractedImage {
    kind: &'static str,
    hash: String,
    pixels: WirePixels,
    col: i64,
    row: i64,
    cells: WireCells,
    z: i32,
}

#[derive(Debug, Serialize)]
pub(crate) struct ExtractedTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ExtractedChoice {
    label: WireMatch,
    number: u32,
    selected: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct ExtractedCommand {
    line: String,
    output: String,
    stage: &'static str,
}

/// Number of scrollback rows that are searched for commands.
const SCROLLBACK: usize = 10_000;

impl Perform for Extract {
    type Response = ExtractResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<ExtractResponse, RpcError> {
        let session = context.session()?;
        let missing = |field: &str| {
            RpcError::invalid_params(format!("extract of kind {} needs `{field}`", self.kind))
        };
        match self.kind.to_lowercase().as_str() {
            "value" => {
                let label = self.label.as_deref().ok_or_else(|| missing("label"))?;
                let value = session.screen()?.value_of(label);
                Ok(ExtractResponse::Value {
                    value: value.as_ref().map(WireMatch::from),
                })
            }
            "table" => Ok(ExtractResponse::Table {
                table: self.table(&session.screen()?)?,
            }),
            "choices" => {
                let choices = session.screen()?.choices();
                let choices = choices.iter().map(|choice| ExtractedChoice {
                    label: (&choice.label).into(),
                    number: choice.number,
                    selected: choice.selected,
                });
                Ok(ExtractResponse::Choices {
                    choices: choices.collect(),
                })
            }
            "highlighted" => {
                let found = session.screen()?.highlighted();
                Ok(ExtractResponse::Highlighted {
                    highlighted: found.iter().map(WireMatch::from).collect(),
                })
            }
            "regex" => {
                let pattern = self.pattern.as_deref().ok_or_else(|| missing("pattern"))?;
                let regex = Regex::new(pattern);
                let regex = regex.map_err(|error| RpcError::invalid_params(error.to_string()))?;
                let found = session.screen()?.captures_up_to(&regex, MAX_EXTRACTED);
                let found = found.ok_or_else(|| {
                    RpcError::failed(format!(
                        "the pattern has more than {MAX_EXTRACTED} matches and groups: use a longer one"
                    ))
                })?;
                let group = |group: &Option<Match>| group.as_ref().map(WireMatch::from);
                let groups = found
                    .iter()
                    .map(|one| one.groups().iter().map(group).collect());
                Ok(ExtractResponse::Matches {
                    matches: groups.collect(),
                })
            }
            "commands" => {
                let (state, _memory) = context.state(SCROLLBACK)?;
                let commands = state.commands().into_iter();
                let commands = commands.map(|command| ExtractedCommand {
                    line: command.line,
                    output: command.output,
                    stage: match command.progress {
                        CommandProgress::Typed => "typed",
                        CommandProgress::Running => "running",
                        CommandProgress::Finished => "finished",
                    },
                });
                Ok(ExtractResponse::Commands {
                    commands: commands.collect(),
                })
            }
            "images" => {
                let screen = session.screen()?;
                Ok(ExtractResponse::Images {
                    images: screen.images.iter().map(ExtractedImage::of).collect(),
                })
            }
            _ => Err(RpcError::invalid_params(format!(
                "kind must be one of: value, table, choices, highlighted, regex, commands, images; not {}",
                self.kind
            ))),
        }
    }
}

impl ExtractedImage {
    fn of(placed: &ImagePlacement) -> ExtractedImage {
        let size = placed.image.size();
        ExtractedImage {
            kind: placed.kind.name(),
            hash: placed.image.hash().to_hex(),
            pixels: WirePixels {
                width: size.width,
                height: size.height,
            },
            col: i64::from(placed.col) + 1,
            row: i64::from(placed.row) + 1,
            cells: WireCells {
                cols: placed.cols,
                rows: placed.rows,
            },
            z: placed.z,
        }
    }
}

impl Extract {
    fn table(&self, screen: &Screen) -> Result<Option<ExtractedTable>, RpcError> {
        let table = match (&self.names, &self.header) {
            (Some(names), None) => screen.table(names.iter().map(String::as_str)),
            (None, Some(header)) => screen.table_under(Selector::exact(header)),
            _ => {
                return Err(RpcError::invalid_params(
                    "extract of kind table needs `names` of columns, or `header`, a text in the header's line",
                ));
            }
        };
        Ok(table.map(|table| ExtractedTable {
            rows: table
                .rows
                .iter()
                .map(|row| {
                    let cells = table.columns.iter().map(|column| row.text(&column.name));
                    cells.map(str::to_owned).collect()
                })
                .collect(),
            columns: table
                .columns
                .into_iter()
                .map(|column| column.name)
                .collect(),
        }))
    }
}
