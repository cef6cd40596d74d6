//! MCP: a long-lived `screentest mcp`. One call contains all inputs up to the next wait.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::program::Step;
use super::{Driver, Group, groups};
use crate::mcp::agent::Agent;

pub(super) struct Mcp {
    agent: Agent,
    patience: Duration,
}

impl Mcp {
    pub(super) fn start(patience: Duration) -> Mcp {
        Mcp {
            agent: Agent::start(),
            patience,
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<(), String> {
        let answer = self.agent.call(tool, arguments);
        if answer.is_error {
            return Err(format!("{tool} {arguments}: {}", answer.text));
        }
        Ok(())
    }

    fn group(&mut self, group: &Group<'_>) -> Result<(), String> {
        let actions = group.inputs.iter().map(|step| match *step {
            Step::Press(key) => json!({"press": key}),
            Step::Type(text) => json!({"type": text}),
            Step::WaitFor(_) => unreachable!("a group ends with a wait"),
        });
        let actions: Vec<Value> = actions.collect();
        let until = match group.wait_for {
            Some(text) => json!({"text": text}),
            None => json!({"exit": true}),
        };
        let milliseconds = self.patience.as_millis() as u64;
        let arguments = json!({"actions": actions, "until": until, "timeout_ms": milliseconds});
        self.call("tui_act", &arguments)
    }

    fn launch_and_act(
        &mut self,
        command: &[String],
        steps: &[Step],
        directory: &Path,
    ) -> Result<(), String> {
        let groups = groups(steps);
        let (first, rest) = groups.split_first().expect("a script has a wait");
        let arguments = json!({
            "command": command[0], "args": command[1..], "cwd": directory, "cols": 80, "rows": 24,
            "until": {"text": first.wait_for}, "timeout_ms": self.patience.as_millis() as u64,
        });
        assert!(
            first.inputs.is_empty(),
            "a script starts with a wait, which is part of the launch"
        );
        self.call("tui_launch", &arguments)?;
        rest.iter().try_for_each(|group| self.group(group))
    }
}

impl Driver for Mcp {
    fn play(&mut self, command: &[String], steps: &[Step], directory: &Path) -> Result<(), String> {
        let played = self.launch_and_act(command, steps, directory);
        let closed = self.call("tui_close", &json!({"session": "main"}));
        played.and(closed)
    }
}
