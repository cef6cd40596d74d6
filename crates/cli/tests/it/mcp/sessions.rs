//! Several sessions, and their bounds.

use serde_json::json;

use super::agent::{Agent, rows};
use crate::gone::assert_goes;

#[test]
fn several_sessions_are_told_apart() {
    let mut agent = Agent::start();
    for name in ["left", "right"] {
        let script = format!("printf '{name} '; exec cat");
        let launch = json!({"command": "sh", "args": ["-c", script], "session": name, "until": {"text": name}});
        agent.done("tui_launch", &launch);
    }
    let said = agent.refused("tui_look", &json!({}));
    assert_eq!(
        said,
        "several sessions are open: left, right\nnext: select one with `session`"
    );
    let act = json!({"session": "right", "actions": [{"type": "x"}], "until": {"text": "right x"}});
    assert_eq!(agent.done("tui_act", &act).rows(), rows(&[(1, "right x")]));
    assert_eq!(
        agent.done("tui_look", &json!({"session": "left"})).rows(),
        []
    );
    let list = agent.done("tui_sessions", &json!({})).data;
    assert_eq!(list["sessions"][0]["session"], "left");
    assert_eq!(list["sessions"][1]["program"], "running");
    let closed = agent.done("tui_close", &json!({"session": "left"}));
    assert_eq!(closed.text, "closed left; its program was: running");
    // There is only one left to mean.
    agent.done("tui_look", &json!({}));
}

#[test]
fn there_is_a_most_of_sessions() {
    let mut agent = Agent::start();
    let launch = |number: usize| json!({"command": "cat", "session": format!("s{number:02}"), "until": {"still_ms": 0}});
    for number in 0..16 {
        agent.done("tui_launch", &launch(number));
    }
    let said = agent.refused("tui_launch", &launch(16));
    assert!(
        said.starts_with("16 sessions are open, which is the maximum: s00, s01, "),
        "{said}"
    );
    agent.done("tui_close", &json!({"session": "s03"}));
    agent.done("tui_launch", &launch(16));
}

#[test]
fn a_session_of_which_nothing_is_asked_ends() {
    let mut agent = Agent::start_with(&["--idle-seconds", "0.2"], &[]);
    let launch = json!({"command": "sh", "args": ["-c", "echo $$ > pid; printf ready; read x"], "until": {"text": "ready"}});
    agent.done("tui_launch", &launch);
    let pid = String::from_utf8(agent.folder.read("pid")).unwrap();
    assert_goes(pid.trim());
    let said = agent.refused("tui_look", &json!({}));
    assert_eq!(
        said,
        "session `main` was closed after 200ms without a call\nnext: tui_launch starts a program"
    );
    agent.done("tui_launch", &launch);
}

#[test]
fn a_program_gets_its_folder_its_variables_and_its_size() {
    let mut agent = Agent::start();
    let script = "cd ..; printf '%s %s %s ' \"$COLOUR\" \"${HOME-none}\" \"$(stty size)\"; basename \"$OLDPWD\"; echo ready; read x";
    std::fs::create_dir(agent.folder.path().join("inner")).unwrap();
    let launch = json!({
        "command": "sh", "args": ["-c", script], "cwd": "inner", "env": {"COLOUR": "red", "HOME": null},
        "cols": 50, "rows": 9, "until": {"text": "ready"},
    });
    let answer = agent.done("tui_launch", &launch);
    assert_eq!(answer.rows()[0], (1, "red none 9 50 inner".to_owned()));
}

#[test]
fn a_program_is_started_while_another_session_waits() {
    let mut agent = Agent::start();
    let other = json!({"command": "sh", "args": ["-c", "printf ready; read x; touch begun; read y"], "session": "other", "until": {"text": "ready"}});
    agent.done("tui_launch", &other);
    let never =
        json!({"actions": [{"press": "Enter"}], "until": {"text": "never"}, "timeout_ms": 300_000});
    agent.begin(
        "tools/call",
        &json!({"name": "tui_act", "arguments": never}),
    );
    agent.wait_for_file("begun");
    // Without a name: it is a session of its own, and not the only one there is.
    agent.launch("printf ready; read x");
}

#[test]
fn a_session_has_a_name() {
    let mut agent = Agent::start();
    let said = agent.refused("tui_launch", &json!({"command": "cat", "session": " "}));
    assert!(said.starts_with("`session` is empty"), "{said}");
}
