//! JSON-RPC: a long-lived `screentest server`. Requests are pipelined.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::program::Step;
use super::{Driver, Group, groups};
use crate::server::client::Client;

pub(super) struct JsonRpc {
    client: Client,
    patience: Duration,
}

impl JsonRpc {
    pub(super) fn start(patience: Duration) -> JsonRpc {
        JsonRpc {
            client: Client::start(),
            patience,
        }
    }

    /// Sends all requests at once, then reads the responses.
    fn send_all(&mut self, requests: &[(&str, Value)]) -> Result<(), String> {
        let line = |(method, params): &(&str, Value)| {
            format!(
                "{}\n",
                json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
            )
        };
        let lines: String = requests.iter().map(line).collect();
        self.client.write(lines.as_bytes());
        let answers: Vec<Value> = requests.iter().map(|_| self.client.message()).collect();
        for (answer, (method, params)) in answers.iter().zip(requests) {
            if let Some(error) = answer.get("error") {
                let text = |name: &str| error["data"][name].as_str().unwrap_or_default().to_owned();
                let (details, report) = (text("details"), text("report"));
                return Err(format!("{method} {params}: {details}\n{report}"));
            }
            if answer["result"]["running"] == true {
                return Err("the program has not exited".to_owned());
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &Group<'_>) -> Result<(), String> {
        let milliseconds = self.patience.as_millis() as u64;
        let wait = match group.wait_for {
            Some(text) => {
                let selector = json!({"type": "exact", "text": text});
                let params = json!({"selector": selector, "timeoutMs": milliseconds, "ambiguityMode": "first"});
                ("waitForText", params)
            }
            None => ("exitStatus", json!({"timeoutMs": milliseconds})),
        };
        let inputs = group.inputs.iter().map(|step| match *step {
            Step::Press(key) => ("sendKey", json!({"key": key})),
            Step::Type(text) => ("sendText", json!({"text": text})),
            Step::WaitFor(_) => unreachable!("a group ends with a wait"),
        });
        let requests: Vec<(&str, Value)> = inputs.chain([wait]).collect();
        self.send_all(&requests)
    }
}

impl Driver for JsonRpc {
    fn play(&mut self, command: &[String], steps: &[Step], directory: &Path) -> Result<(), String> {
        let size = json!({"terminalCols": 80, "terminalRows": 24});
        let launch = json!({"command": command[0], "args": command[1..], "cwd": directory});
        let launched = self.send_all(&[("initialize", size), ("launch", launch)]);
        let played = launched.and_then(|()| {
            let mut groups = groups(steps).into_iter();
            groups.try_for_each(|group| self.group(&group))
        });
        let closed = self.send_all(&[("close", json!({}))]);
        played.and(closed)
    }
}
