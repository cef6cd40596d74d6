//! Several sessions, and their limits.

use serde_json::json;

use super::agent::{Agent, rows};
use crate::harness::processes::assert_exits;

#[test]
fn sessions_are_addressed_by_name() {
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
    // With one session left, the name is optional.
    agent.done("tui_look", &json!({}));
}

#[test]
fn number_of_sessions_is_limited() {
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
fn idle_session_is_closed() {
    let mut agent = Agent::start_with(&["--idle-seconds", "0.2"], &[]);
    let launch = json!({"command": "sh", "args": ["-c", "echo $$ > pid; printf ready; read x"], "until": {"text": "ready"}});
    agent.done("tui_launch", &launch);
    let pid = String::from_utf8(agent.folder.read("pid")).unwrap();
    assert_exits(pid.trim());
    let said = agent.refused("tui_look", &json!({}));
    assert_eq!(
        said,
        "session `main` was closed after 200ms without a call\nnext: tui_launch starts a program"
    );
    agent.done("tui_launch", &launch);
}

#[test]
fn launch_sets_cwd_environment_and_size() {
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
fn launch_does_not_wait_for_another_session() {
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
    // This launch names no session. It opens `main`, although another session is open.
    agent.launch("printf ready; read x");
}

#[test]
fn blank_session_name_is_rejected() {
    let mut agent = Agent::start();
    let said = agent.refused("tui_launch", &json!({"command": "cat", "session": " "}));
    assert!(said.starts_with("`session` is empty"), "{said}");
}
