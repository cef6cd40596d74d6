//! An error of a tool is a tool result that names the next step, and the server continues. An
//! unknown tool is a protocol error.

use serde_json::json;

use super::agent::Agent;

#[test]
fn failed_wait_reports_the_closest_match() {
    let mut agent = Agent::start();
    agent.launch("printf 'ready\\nSave changes?'; read x");
    let act = json!({"until": {"text": "save Changes?"}, "timeout_ms": 1});
    let said = agent.refused("tui_act", &act);
    assert!(
        said.starts_with("text \"save Changes?\" did not appear within "),
        "{said}"
    );
    assert!(said.contains("\nnext: check the screen below"), "{said}");
    assert!(
        said.contains("closest match: ") && said.contains("Save changes?"),
        "{said}"
    );
    assert!(
        said.ends_with("the screen:\n1|ready\n2|Save changes?"),
        "{said}"
    );
}

#[test]
fn each_invalid_argument_is_named_with_a_next_step() {
    let mut agent = Agent::start();
    let said = agent.refused("tui_look", &json!({}));
    assert_eq!(
        said,
        "no session is open\nnext: tui_launch starts a program"
    );
    let said = agent.refused("tui_launch", &json!({"command": "no-such-program"}));
    assert!(
        said.contains("`no-such-program` was not found in PATH"),
        "{said}"
    );
    let said = agent.refused("tui_launch", &json!({"command": "vim file.txt"}));
    assert!(
        said.contains("next: put the program's arguments in `args`"),
        "{said}"
    );
    let said = agent.refused("tui_launch", &json!({"command": "sh", "cols": 0}));
    assert!(said.contains("correct `cols`"), "{said}");
    agent.launch("printf 'ready ready'; read x");
    let said = agent.refused("tui_launch", &json!({"command": "sh"}));
    assert!(
        said.starts_with("session `main` is running `sh -c "),
        "{said}"
    );
    for (tool, arguments, start) in [
        (
            "tui_act",
            json!({"action": []}),
            "tui_act has no argument `action`\nnext: its arguments are actions, ",
        ),
        (
            "tui_act",
            json!({"actions": [{"press": "Entre"}]}),
            "actions[0]: press: unknown key `Entre`",
        ),
        (
            "tui_act",
            json!({"actions": [{}]}),
            "actions[0]: it has none of these fields\nnext: each action has one of type, ",
        ),
        (
            "tui_act",
            json!({"actions": [{"type": "x", "press": "y"}]}),
            "actions[0]: it has several of these fields",
        ),
        (
            "tui_act",
            json!({"actions": [{"secret": "TOKEN"}]}),
            "actions[0]: unknown secret `TOKEN`\nnext: ask the user to start `screentest mcp --secret TOKEN`",
        ),
        (
            "tui_act",
            json!({"actions": [{"resize": [0, 1]}]}),
            "actions[0]: ",
        ),
        (
            "tui_act",
            json!({"actions": [{"signal": "NOPE"}]}),
            "actions[0]: `NOPE` is not a signal",
        ),
        (
            "tui_act",
            json!({"actions": [{"click_at": [0, 1]}]}),
            "actions[0]: click_at [0, 1] is outside of any screen",
        ),
        (
            "tui_act",
            json!({"actions": [{"click": "ready"}], "timeout_ms": 1}),
            "actions[0] failed, nothing was done: ",
        ),
        (
            "tui_act",
            json!({"actions": "Enter"}),
            "invalid arguments: `actions`: ",
        ),
        (
            "tui_act",
            json!({"timeout_ms": 300_001}),
            "timeout_ms is 300001\nnext: give at most 300000",
        ),
        (
            "tui_act",
            json!({"until": {"regex": "("}}),
            "`until.regex`: ",
        ),
        (
            "tui_look",
            json!({"max_chars": 0}),
            "max_chars is 0\nnext: give a number from 1 to 60000",
        ),
        ("tui_look", json!({"rows": [3, 2]}), "invalid rows [3, 2]"),
        (
            "tui_look",
            json!({"session": "mian"}),
            "no session `mian`\nnext: the open sessions are main",
        ),
        (
            "tui_expect",
            json!({}),
            "the text to find is missing or ambiguous",
        ),
        ("tui_expect", json!({"text": ""}), "`text` is empty"),
        (
            "tui_expect",
            json!({"text": "x", "is": "saw", "since": 9999}),
            "unknown revision 9999: it is no longer in the history, or has not been reported",
        ),
        (
            "tui_extract",
            json!({"kind": "value"}),
            "kind value needs `label`",
        ),
        (
            "tui_extract",
            json!({"kind": "table"}),
            "kind table needs either `columns` or `header`",
        ),
        (
            "tui_expect",
            json!({"text": "nothing", "is": "saw"}),
            "text \"nothing\" was never shown\nnext: ",
        ),
        (
            "tui_expect",
            json!({"text": "nothing", "timeout_ms": 30}),
            "text \"nothing\" did not appear within 30ms\n",
        ),
        (
            "tui_act",
            json!({"actions": [{"press": "x"}, {"wait": "nothing"}], "timeout_ms": 30}),
            "actions[1] failed, the actions before it were done: text \"nothing\" did not appear within 30ms\n",
        ),
        (
            "tui_act",
            json!({"actions": [{"press": "x"}], "until": {"text": "nothing"}, "timeout_ms": 30}),
            "the actions were done: text \"nothing\" did not appear within 30ms\n",
        ),
        (
            "tui_launch",
            json!({"command": "sh", "cols": 70_000, "session": "large"}),
            "invalid arguments: `cols`: invalid value: integer `70000`, expected a whole number from 0 to 65535",
        ),
        (
            "tui_sessions",
            json!({"x": 1}),
            "tui_sessions has no argument `x`\nnext: call it without arguments",
        ),
    ] {
        let said = agent.refused(tool, &arguments);
        assert!(said.starts_with(start), "{tool} {arguments}: {said}");
    }
    let answer = agent.ask("tools/call", &json!({"name": "tui_lok", "arguments": {}}));
    let said = answer["error"]["message"].as_str().unwrap();
    assert!(
        said.starts_with("unknown tool `tui_lok`: the tools are tui_launch, "),
        "{said}"
    );
    // The server still answers.
    agent.done("tui_look", &json!({}));
}

#[test]
fn early_exit_reports_the_last_screen() {
    let mut agent = Agent::start();
    let launch = json!({"command": "sh", "args": ["-c", "echo cannot open display; exit 7"], "until": {"text": "ready"}});
    let said = agent.refused("tui_launch", &launch);
    assert!(said.starts_with("session `main` was started: the program ended (exit code 7) before text \"ready\" appeared"), "{said}");
    assert!(said.ends_with("1|cannot open display"), "{said}");
}
