//! What a screen says, taken apart.

use screentest::core::query::selector::Regex;
use screentest::core::{CommandProgress, Match, Screen, Selector};
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::Job;
use crate::wire::Failure;
use crate::wire::place::WireMatch;

/// Returns values, tables, choices, commands, or what a regular expression takes.
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
pub(crate) enum Extracted {
    Value {
        value: Option<WireMatch>,
    },
    Table {
        table: Option<Table>,
    },
    Choices {
        choices: Vec<Choice>,
    },
    Highlighted {
        highlighted: Vec<WireMatch>,
    },
    Matches {
        matches: Vec<Vec<Option<WireMatch>>>,
    },
    Commands {
        commands: Vec<Command>,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Choice {
    label: WireMatch,
    number: u32,
    selected: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Command {
    line: String,
    output: String,
    stage: &'static str,
}

/// How much of what scrolled out is looked at for commands.
const SCROLLBACK: usize = 10_000;

impl Perform for Extract {
    type Answer = Extracted;

    fn perform(self, job: &Job<'_>) -> Result<Extracted, Failure> {
        let stage = job.stage()?;
        let missing =
            |field: &str| Failure::params(format!("extract of kind {} needs `{field}`", self.kind));
        match self.kind.to_lowercase().as_str() {
            "value" => {
                let label = self.label.as_deref().ok_or_else(|| missing("label"))?;
                let value = stage.screen()?.value_of(label);
                Ok(Extracted::Value {
                    value: value.as_ref().map(WireMatch::from),
                })
            }
            "table" => Ok(Extracted::Table {
                table: self.table(&stage.screen()?)?,
            }),
            "choices" => {
                let choices = stage.screen()?.choices();
                let choices = choices.iter().map(|choice| Choice {
                    label: (&choice.label).into(),
                    number: choice.number,
                    selected: choice.selected,
                });
                Ok(Extracted::Choices {
                    choices: choices.collect(),
                })
            }
            "highlighted" => {
                let found = stage.screen()?.highlighted();
                Ok(Extracted::Highlighted {
                    highlighted: found.iter().map(WireMatch::from).collect(),
                })
            }
            "regex" => {
                let pattern = self.pattern.as_deref().ok_or_else(|| missing("pattern"))?;
                let regex = Regex::new(pattern);
                let regex = regex.map_err(|error| Failure::params(error.to_string()))?;
                let found = stage.screen()?.captures(&regex);
                let group = |group: &Option<Match>| group.as_ref().map(WireMatch::from);
                let groups = found
                    .iter()
                    .map(|one| one.groups().iter().map(group).collect());
                Ok(Extracted::Matches {
                    matches: groups.collect(),
                })
            }
            "commands" => {
                let commands = stage.state(SCROLLBACK)?.commands().into_iter();
                let commands = commands.map(|command| Command {
                    line: command.line,
                    output: command.output,
                    stage: match command.progress {
                        CommandProgress::Typed => "typed",
                        CommandProgress::Running => "running",
                        CommandProgress::Finished => "finished",
                    },
                });
                Ok(Extracted::Commands {
                    commands: commands.collect(),
                })
            }
            _ => Err(Failure::params(format!(
                "kind must be one of: value, table, choices, highlighted, regex, commands; not {}",
                self.kind
            ))),
        }
    }
}

impl Extract {
    fn table(&self, screen: &Screen) -> Result<Option<Table>, Failure> {
        let table = match (&self.names, &self.header) {
            (Some(names), None) => screen.table(names.iter().map(String::as_str)),
            (None, Some(header)) => screen.table_under(Selector::exact(header)),
            _ => {
                return Err(Failure::params(
                    "extract of kind table needs `names` of columns, or `header`, a text in the header's line",
                ));
            }
        };
        Ok(table.map(|table| Table {
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
