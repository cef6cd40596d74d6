//! Runs the examples of docs/agents.md and SKILL.md.

use serde_json::{Value, json};

use super::agent::Agent;
use crate::harness::cli::project_file;

const PAGES: [&str; 2] = ["docs/agents.md", "SKILL.md"];

/// A code block of a page.
struct Block {
    /// Page and line, for failure messages.
    location: String,
    language: String,
    lines: Vec<String>,
}

fn blocks() -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for page in PAGES {
        let mut inside = false;
        for (number, line) in (1..).zip(project_file(page).lines()) {
            match line.strip_prefix("```") {
                Some(language) if !inside => blocks.push(Block {
                    location: format!("{page}, line {number}"),
                    language: language.to_owned(),
                    lines: Vec::new(),
                }),
                None if inside => blocks.last_mut().unwrap().lines.push(line.to_owned()),
                _ => {}
            }
            inside ^= line.starts_with("```");
        }
    }
    blocks
}

/// Masks the parts that differ between runs: revisions and durations.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    if let Some(word) = words.get_mut(1)
        && let Some(digits) = word.strip_prefix('r')
        && digits.parse::<u64>().is_ok()
    {
        *word = "r…";
    }
    match words.as_mut_slice() {
        [.., "idle", "for", time, "s"] | [.., "changed", time, "ago"] => *time = "…",
        _ => {}
    }
    words.join(" ")
}

#[test]
fn each_code_block_has_a_tested_language() {
    for block in blocks() {
        let known = ["sh", "json", "mcp"].contains(&block.language.as_str());
        assert!(
            known,
            "{}: no test for `{}`",
            block.location, block.language
        );
    }
}

#[test]
fn each_transcript_matches_the_real_output() {
    let mut count = 0;
    for Block {
        location, lines, ..
    } in blocks().iter().filter(|block| block.language == "mcp")
    {
        let mut agent = Agent::start();
        let mut lines = lines.iter().peekable();
        while let Some(line) = lines.next() {
            let call = line
                .strip_prefix("→ ")
                .unwrap_or_else(|| panic!("{location}: {line}"));
            let (tool, arguments) = call.split_once(' ').unwrap();
            let arguments: Value = serde_json::from_str(arguments)
                .unwrap_or_else(|error| panic!("{location}: {line}: {error}"));
            let said = agent.call(tool, &arguments).text;
            let mut said = said.lines();
            while let Some(expected) = lines.next_if(|line| !line.starts_with("→ ")) {
                let now = said.next().unwrap_or("(no more lines)");
                assert_eq!(masked(now), masked(expected), "{location}: {call}");
            }
            assert_eq!(said.next(), None, "{location}: {call}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn each_tool_has_a_heading_and_a_transcript() {
    let page = project_file("docs/agents.md");
    let tools = Agent::start().ask("tools/list", &json!({}))["result"]["tools"].take();
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let heading = |line: &str| line.starts_with("### ") && line.contains(&format!("`{name}`"));
        assert!(page.lines().any(heading), "{name} has no heading");
        assert!(
            page.contains(&format!("\n→ {name} {{")),
            "{name} has no transcript"
        );
    }
}

/// Starts a server with the command line of a page and lists its tools.
#[track_caller]
fn assert_starts_server(location: &str, words: &[&str], variables: &[(&str, &str)]) {
    let [tool, "mcp", options @ ..] = words else {
        panic!("{location}: {words:?}");
    };
    assert_eq!(*tool, "screentest", "{location}");
    let mut agent = Agent::start_with(options, variables);
    let tools = agent.ask("tools/list", &json!({}));
    assert!(
        tools["result"]["tools"].as_array().unwrap().len() > 3,
        "{location}"
    );
}

#[test]
fn each_command_line_starts_a_server() {
    for Block {
        location, lines, ..
    } in blocks().iter().filter(|block| block.language == "sh")
    {
        for line in lines {
            // The words before ` -- ` belong to the client's own command line.
            let (_, server) = line
                .split_once(" -- ")
                .unwrap_or_else(|| panic!("{location}: {line}"));
            let words: Vec<&str> = server.split(' ').collect();
            assert_starts_server(location, &words, &[]);
        }
    }
}

#[test]
fn each_client_configuration_starts_a_server() {
    for Block {
        location, lines, ..
    } in blocks().iter().filter(|block| block.language == "json")
    {
        let settings: Value = serde_json::from_str(&lines.join("\n"))
            .unwrap_or_else(|error| panic!("{location}: {error}"));
        let servers = settings.as_object().unwrap().values().next().unwrap();
        let server = &servers["screentest"];
        if let Some(url) = server["url"].as_str() {
            // This configuration connects to a running server, which the tests of `screentest web`
            // cover.
            assert!(url.ends_with("/mcp"), "{location}: {url}");
            let token = server["headers"]["Authorization"].as_str().unwrap();
            assert!(token.starts_with("Bearer "), "{location}: {token}");
            continue;
        }
        let mut words = vec![server["command"].as_str().unwrap()];
        words.extend(
            server["args"]
                .as_array()
                .unwrap()
                .iter()
                .map(|word| word.as_str().unwrap()),
        );
        let variables: Vec<(&str, &str)> = server["env"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
            .collect();
        assert_starts_server(location, &words, &variables);
    }
}

/// Enables mouse input, shows the words that the pages use, and ignores SIGINT.
const RECEIVER: &str = r"
import os, signal, tty
tty.setraw(0)
signal.signal(signal.SIGINT, lambda *_: None)
os.write(1, b'\x1b[?1000h\x1b[?1006hready Save text')
while True: os.read(0, 99)
";

#[test]
fn each_action_in_the_prose_is_accepted() {
    let mut tried = 0;
    for page in PAGES {
        let text = project_file(page);
        let prose: Vec<&str> = text.split("```").step_by(2).collect();
        let prose = prose.join("\n");
        // Every second piece is between backticks.
        let pieces = prose.split('`').skip(1).step_by(2);
        for piece in pieces.filter(|piece| {
            piece.starts_with("{\"") || piece.starts_with('"') && piece.contains("\": ")
        }) {
            let whole = if piece.starts_with('{') {
                piece.to_owned()
            } else {
                format!("{{{piece}}}")
            };
            let value: Value = serde_json::from_str(&whole)
                .unwrap_or_else(|error| panic!("{page}: {piece}: {error}"));
            let mut agent = Agent::start_with(&["--secret", "NAME"], &[("NAME", "correct-horse")]);
            let launch = json!({"command": "python3", "args": ["-c", RECEIVER], "until": {"text": "Save text"}, "timeout_ms": 60000});
            agent.done("tui_launch", &launch);
            let call = match value {
                // The program does not exit by itself.
                value if value["exit"] == true => {
                    json!({"actions": [{"signal": "KILL"}], "until": value})
                }
                value if value.get("view").or(value.get("rows")).is_some() => {
                    agent.done("tui_look", &value);
                    tried += 1;
                    continue;
                }
                value => json!({"actions": [value], "until": {"still_ms": 0}}),
            };
            agent.done("tui_act", &call);
            tried += 1;
        }
    }
    assert!(tried > 12, "{tried}");
}
