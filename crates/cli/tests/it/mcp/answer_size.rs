//! Number of characters that an agent has to read: tool schemas and typical results.

use serde_json::{Value, json};

use super::agent::{Agent, ToolResult};

/// No colours, and a 50 ms timeout for Escape.
const VIM_OPTIONS: [&str; 8] = [
    "-u",
    "NONE",
    "-N",
    "-i",
    "NONE",
    "-n",
    "--cmd",
    "set ttimeout ttimeoutlen=50",
];

fn characters(value: &Value) -> usize {
    value.to_string().chars().count()
}

#[test]
fn tool_schemas_are_short() {
    let mut agent = Agent::start();
    let tools = agent.ask("tools/list", &json!({}))["result"]["tools"].take();
    assert!(
        characters(&tools) < 8000,
        "{} characters",
        characters(&tools)
    );
    let tools = tools.as_array().unwrap();
    assert!(tools.len() <= 12);
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        assert!(name.starts_with("tui_"), "{name}");
        assert!(
            name.chars().all(|c| c.is_ascii_lowercase() || c == '_'),
            "{name}"
        );
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
    }
}

#[test]
fn typical_results_are_short() {
    let mut agent = Agent::start();
    agent.folder.file(
        "poem.txt",
        (1..=200)
            .map(|line| format!("line {line} of a poem that goes on and on\n"))
            .collect::<String>(),
    );
    let args: Vec<&str> = VIM_OPTIONS.into_iter().chain(["poem.txt"]).collect();
    let launch = json!({"command": "vim", "args": args, "until": {"text": "line 39"}});
    let first = agent.done("tui_launch", &launch);
    assert_eq!(first.data["screen"], "134x40");
    let mut check = |what: &str, act: Value| -> ToolResult {
        let answer = agent.done("tui_act", &act);
        let count = characters(&answer.result);
        assert!(
            count < 1000,
            "{what}: {count} characters: {:#}",
            answer.result
        );
        answer
    };
    check(
        "typing",
        json!({
            "actions": [{"press": "o"}, {"type": "a new line, in which there stands a little more than nothing"}],
            "until": {"text": "more than nothing"},
        }),
    );
    check(
        "leaving",
        json!({"actions": [{"press": "Escape"}], "until": {"gone": "-- INSERT --"}}),
    );
    let moved = check(
        "scrolling",
        json!({"actions": [{"press": "Ctrl+E"}], "until": {"text": "line 39"}}),
    );
    assert_eq!(moved.data["scrolled"], 1, "{}", moved.text);
    check(
        "a command",
        json!({"actions": [{"type": ":set number?\n"}], "until": {"text": "nonumber"}}),
    );
}
