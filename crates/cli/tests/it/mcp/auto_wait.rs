//! Auto-wait in MCP calls, and Escape characters in typed texts.

use serde_json::{Value, json};

use super::agent::Agent;
use crate::commands::auto_wait::{BUSY_SCRIPT, READ_LOGGER, last_input_was_late, total_wait_ms};

#[track_caller]
fn launch_busy(agent: &mut Agent, auto_wait: &Value) {
    let launch = json!({"command": "sh", "args": ["-c", BUSY_SCRIPT], "auto_wait": auto_wait, "until": {"text": "ready"}});
    agent.done("tui_launch", &launch);
}

#[test]
fn call_overrides_flag_overrides_environment_overrides_launch() {
    let unset = Value::Null;
    for (flag, variable, session, call, late) in [
        (None, "", &unset, &unset, true),
        (None, "", &json!(false), &unset, false),
        (None, "", &json!(false), &json!(true), true),
        (None, "", &unset, &json!(false), false),
        (None, "0.2", &json!(false), &unset, true),
        (Some("--no-auto-wait"), "0.2", &json!(true), &unset, false),
        (Some("--no-auto-wait"), "", &unset, &json!(true), true),
    ] {
        let options: Vec<&str> = flag.into_iter().collect();
        let mut agent = Agent::start_with(&options, &[("SCREENTEST_AUTO_WAIT", variable)]);
        launch_busy(&mut agent, session);
        let act = json!({"actions": [{"press": "x"}], "until": {"text": "never"}, "auto_wait": call, "timeout_ms": 300});
        let said = agent.refused("tui_act", &act);
        let case = format!("{flag:?} {variable:?} {session} {call}");
        assert_eq!(last_input_was_late(&said), late, "{case}: {said}");
    }
}

#[test]
fn late_input_is_noted() {
    let mut agent = Agent::start();
    launch_busy(&mut agent, &Value::Null);
    let act = json!({"actions": [{"press": "x"}], "until": {"text": "ready", "anytime": true}, "timeout_ms": 300});
    let said = agent.done("tui_act", &act);
    assert!(
        said.text.contains("input was sent after waiting 3"),
        "{}",
        said.text
    );
}

#[test]
fn call_timeout_bounds_the_sum_of_its_waits() {
    for action in [
        json!({"press": "a b c d e f g h"}),
        json!({"type": "a\nb\nc\nd"}),
    ] {
        let mut agent = Agent::start();
        launch_busy(&mut agent, &Value::Null);
        let act = json!({"actions": [action], "until": {"text": "never"}, "timeout_ms": 500});
        let said = agent.refused("tui_act", &act);
        assert!(last_input_was_late(&said), "{said}");
        // Separate timeouts would allow 500 ms per wait.
        assert!(total_wait_ms(&said) < 1000.0, "{said}");
    }
}

#[test]
fn delay_types_text_character_by_character() {
    for (delay, shown) in [(0, "ready<abc>"), (1, "ready<a><b><c>")] {
        let mut agent = Agent::start();
        launch_read_logger(&mut agent);
        let act = json!({"actions": [{"type": "abc"}, {"wait": shown}], "delay_ms": delay});
        agent.done("tui_act", &act);
    }
}

#[track_caller]
fn launch_read_logger(agent: &mut Agent) {
    let launch =
        json!({"command": "python3", "args": ["-c", READ_LOGGER], "until": {"text": "ready"}});
    agent.done("tui_launch", &launch);
}

#[test]
fn escape_in_text_is_a_key_unless_it_starts_a_sequence() {
    for (text, shown) in [
        ("ab\x1b:wq\n", r"ready<ab><\x1b><:wq><\r>"),
        ("\x1b\x1b[3~", r"ready<\x1b><\x1b[3~>"),
        ("a\x1b", r"ready<a><\x1b>"),
    ] {
        let mut agent = Agent::start();
        launch_read_logger(&mut agent);
        let act = json!({"actions": [{"type": text}, {"wait": shown}], "until": {"text": shown}});
        agent.done("tui_act", &act);
    }
}

#[test]
fn waits_after_enter_need_new_text_unless_anytime() {
    let mut agent = Agent::start();
    agent.launch("echo ready; read -r line; read -r x; echo \"$line\"; read -r x");
    agent.done("tui_act", &json!({"actions": [{"type": "done\n"}]}));
    let expect = |anytime: Value| json!({"text": "done", "anytime": anytime, "timeout_ms": 50});
    let wait = |anytime: Value| json!({"actions": [{"wait": "done", "anytime": anytime}], "timeout_ms": 50});
    for said in [
        agent.refused("tui_expect", &expect(Value::Null)),
        agent.refused("tui_act", &wait(Value::Null)),
    ] {
        assert!(
            said.contains("accept it with `\"anytime\": true`"),
            "{said}"
        );
    }
    agent.done("tui_expect", &expect(json!(true)));
    let act = json!({"actions": [{"wait": "done", "anytime": true}], "until": {"still_ms": 1}});
    agent.done("tui_act", &act);
    let act = json!({"actions": [{"press": "Enter"}, {"wait": "done"}]});
    agent.done("tui_act", &act);
    let found = agent.done("tui_expect", &json!({"text": "done", "nth": 1}));
    assert_eq!(found.data["count"], 1, "{}", found.text);
}
