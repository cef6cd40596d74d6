//! A minimal MCP client over pipes.

use std::process::ExitStatus;

use serde_json::{Value, json};

use crate::harness::cli::Folder;
use crate::harness::server_pipes::{Pipes, SOON};

/// An MCP client and the server that it started.
#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) folder: Folder,
    pipes: Pipes,
}

/// The result of a tool call.
#[derive(Debug)]
pub(crate) struct ToolResult {
    pub(crate) text: String,
    pub(crate) data: Value,
    pub(crate) is_error: bool,
    /// The whole `result` object.
    pub(crate) result: Value,
}

impl Agent {
    /// Starts a server and initializes the connection.
    pub(crate) fn start() -> Agent {
        Agent::start_with(&["--timeout-seconds", "60"], &[])
    }

    /// Starts a server with these options and variables and initializes the connection.
    pub(crate) fn start_with(options: &[&str], variables: &[(&str, &str)]) -> Agent {
        let mut agent = Agent::start_uninitialized(&[&["mcp"], options].concat(), variables);
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}});
        let answer = agent.ask("initialize", &hello);
        assert_eq!(
            answer["result"]["serverInfo"]["name"], "screentest",
            "{answer:#}"
        );
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        agent
    }

    /// Starts `screentest` with these arguments, without initializing the connection.
    pub(crate) fn start_uninitialized(words: &[&str], variables: &[(&str, &str)]) -> Agent {
        let folder = Folder::new();
        Agent {
            pipes: Pipes::start(words, folder.path(), variables),
            folder,
        }
    }

    /// Writes raw bytes.
    #[track_caller]
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.pipes.write(bytes);
    }

    /// Sends a message.
    #[track_caller]
    pub(crate) fn send(&mut self, message: &Value) {
        self.pipes.send(message);
    }

    /// Reads a message.
    #[track_caller]
    pub(crate) fn message(&mut self) -> Value {
        self.pipes.message()
    }

    /// Sends a request without waiting for the response. Returns the request id.
    #[track_caller]
    pub(crate) fn begin(&mut self, method: &str, params: &Value) -> u64 {
        self.pipes.begin(method, params)
    }

    /// Sends a request and returns the response.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.pipes.ask(method, params)
    }

    /// Calls a tool.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> ToolResult {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        ToolResult::from_response(&answer)
    }

    /// Calls a tool that must succeed.
    #[track_caller]
    pub(crate) fn done(&mut self, tool: &str, arguments: &Value) -> ToolResult {
        let answer = self.call(tool, arguments);
        assert!(!answer.is_error, "{tool}: {}", answer.text);
        answer
    }

    /// Calls a tool that must fail, and returns the error text.
    #[track_caller]
    pub(crate) fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let answer = self.call(tool, arguments);
        assert!(answer.is_error, "{tool}: {}", answer.text);
        assert!(answer.text.contains("\nnext: "), "{}", answer.text);
        answer.text
    }

    /// Launches a shell script that prints "ready", on a small screen.
    #[track_caller]
    pub(crate) fn launch(&mut self, script: &str) -> ToolResult {
        self.done(
            "tui_launch",
            &json!({"command": "sh", "args": ["-c", script], "cols": 40, "rows": 6, "until": {"text": "ready"}}),
        )
    }

    /// Waits until a file exists in the folder.
    #[track_caller]
    pub(crate) fn wait_for_file(&self, name: &str) {
        let clock = screentest::clock::Clock::system();
        while !self.folder.path().join(name).exists() {
            assert!(clock.now() < SOON, "`{name}` does not exist");
            std::thread::yield_now();
        }
    }

    /// Returns the process id of the server.
    pub(crate) fn pid(&self) -> u32 {
        self.pipes.pid()
    }

    /// Closes stdin and returns the server's exit status and the folder.
    #[track_caller]
    pub(crate) fn end(mut self) -> (ExitStatus, Folder) {
        self.pipes.hang_up();
        self.ended()
    }

    /// Waits until the server exits by itself, and returns its exit status and the folder.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (ExitStatus, Folder) {
        self.pipes.rest();
        (self.pipes.ended(), self.folder)
    }
}

impl ToolResult {
    #[track_caller]
    pub(crate) fn from_response(message: &Value) -> ToolResult {
        let result = &message["result"];
        let text = result["content"][0]["text"].as_str();
        ToolResult {
            text: text
                .unwrap_or_else(|| panic!("no text: {message:#}"))
                .to_owned(),
            data: result["structuredContent"].clone(),
            is_error: result["isError"] == true,
            result: result.clone(),
        }
    }

    /// Returns the reported rows with their numbers.
    pub(crate) fn rows(&self) -> Vec<(i64, String)> {
        let rows = self.data["rows"].as_array().unwrap().iter();
        rows.map(|row| {
            (
                row["row"].as_i64().unwrap(),
                row["text"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
    }

    /// Returns the reported revision.
    #[track_caller]
    pub(crate) fn revision(&self) -> u64 {
        self.data["revision"].as_u64().unwrap()
    }
}

/// Converts expected rows for a comparison.
pub(crate) fn rows(rows: &[(i64, &str)]) -> Vec<(i64, String)> {
    rows.iter()
        .map(|(row, text)| (*row, (*text).to_owned()))
        .collect()
}
