//! Waits of `tui_act`, `tui_launch` and `tui_expect`.

use serde_json::{Value, json};

use super::agent::{Agent, ToolResult, rows};

/// Enables mouse input and bracketed paste, and prints all input, size changes and SIGUSR1.
const PRINTS_EVENTS: &str = r"
import os, signal, tty
tty.setraw(0)
say = lambda text: os.write(1, text.encode())
signal.signal(signal.SIGUSR1, lambda *_: say('interrupted'))
signal.signal(signal.SIGWINCH, lambda *_: say('now %d by %d' % os.get_terminal_size()))
say('\x1b[?1000h\x1b[?1006h\x1b[?2004hready\r\n')
while True: say(repr(os.read(0, 99))[2:-1])
";

#[test]
fn each_action_reaches_the_program() {
    let mut agent = Agent::start();
    agent.done(
        "tui_launch",
        &json!({"command": "python3", "args": ["-c", PRINTS_EVENTS], "cols": 40, "rows": 6, "until": {"text": "ready"}}),
    );
    for (action, shown) in [
        (json!({"type": "one\ntwo"}), r"one\rtwo"),
        (json!({"press": "Up Ctrl+A"}), r"\x1b[A\x01"),
        (json!({"paste": "p"}), r"\x1b[200~p\x1b[201~"),
        (json!({"click": "ready"}), r"\x1b[<0;3;1M\x1b[<0;3;1m"),
        (
            json!({"click_at": [2, 1], "button": "right"}),
            r"\x1b[<2;1;2M\x1b[<2;1;2m",
        ),
        (json!({"wheel": -1}), r"\x1b[<64;21;4M"),
        (json!({"signal": "USR1"}), "interrupted"),
        (json!({"resize": [50, 7]}), "now 50 by 7"),
    ] {
        let act =
            json!({"actions": [action, {"wait": shown}], "until": {"text": shown}, "view": "text"});
        agent.done("tui_act", &act);
    }
}

#[test]
fn text_from_before_the_actions_does_not_satisfy_a_wait() {
    let mut agent = Agent::start();
    agent.launch("printf 'ready'; read x; printf 'still ready'; read x; read x; read x");
    let act = json!({"actions": [{"press": "Enter"}], "until": {"text": "ready"}});
    let answer = agent.done("tui_act", &act);
    assert_eq!(answer.rows(), rows(&[(2, "still ready")]));
    // The text appeared again after Enter, so there is no note.
    assert_eq!(answer.data.get("note"), None);
    let act =
        |until: Value| json!({"actions": [{"press": "Enter"}], "until": until, "timeout_ms": 300});
    let error = agent.refused("tui_act", &act(json!({"text": "ready"})));
    assert!(error.contains("before Enter (row 2)"), "{error}");
    let answer = agent.done("tui_act", &act(json!({"text": "ready", "anytime": true})));
    let note = answer.data["note"].as_str().unwrap();
    assert!(
        note.contains("was already there before the actions"),
        "{note}"
    );
}

#[test]
fn vanished_text_is_found_and_a_note_says_so() {
    let mut agent = Agent::start();
    agent.launch(
        "printf 'ready'; read x; printf 'brief'; read y; printf '\\033[2J\\033[Hafter'; read z",
    );
    let act = json!({
        "actions": [{"press": "Enter"}, {"wait": "brief"}, {"press": "Enter"}, {"wait": "after"}],
        "until": {"text": "brief"},
    });
    let answer = agent.done("tui_act", &act);
    let note = answer.data["note"].as_str().unwrap();
    assert_eq!(note, "text \"brief\" was shown, but is no longer there");
    let saw = agent.done("tui_expect", &json!({"text": "brief", "is": "saw"}));
    assert!(saw.revision() < answer.revision());
    agent.done(
        "tui_expect",
        &json!({"text": "brief", "is": "never", "since": answer.revision()}),
    );
    let error = agent.refused("tui_expect", &json!({"text": "brief", "is": "never"}));
    assert!(error.starts_with("text \"brief\" was shown, "), "{error}");
}

#[test]
fn call_without_until_waits_for_a_stable_screen() {
    let mut agent = Agent::start();
    agent.launch("printf ready; read x; printf 'one\\n'; printf 'two\\n'; read x");
    let answer = agent.done("tui_act", &json!({"actions": [{"press": "Enter"}]}));
    assert_eq!(answer.rows(), rows(&[(2, "one"), (3, "two")]));
    assert_eq!(answer.data.get("note"), None);
    agent.done("tui_act", &json!({"until": {"still_ms": 1}}));
}

#[test]
fn launch_waits_for_the_text_of_a_slow_program() {
    let mut agent = Agent::start();
    // The pause is longer than the time after which an unchanged screen counts as stable.
    let script = "printf '\\033[?1049h\\033[H'; sleep 0.3; printf 'here I am'; read x";
    let answer = agent.done(
        "tui_launch",
        &json!({"command": "sh", "args": ["-c", script]}),
    );
    assert_eq!(answer.rows(), rows(&[(1, "here I am")]));
}

#[test]
fn action_without_effect_gives_a_note() {
    let mut agent = Agent::start();
    agent.launch("stty -echo; printf ready; read x; read y");
    let answer = agent.done("tui_act", &json!({"actions": [{"type": "x"}]}));
    assert_eq!(answer.data["note"], "nothing changed within 1s");
}

#[test]
fn waits_for_visible_and_gone_text() {
    let mut agent = Agent::start();
    agent.launch("printf ready; read x; printf '\\033[2J\\033[Hother'; read x");
    agent.done("tui_expect", &json!({"text": "ready"}));
    let act = json!({"actions": [{"press": "Enter"}], "until": {"gone": "ready", "regex": "^o.h"}});
    agent.done("tui_act", &act);
    agent.done("tui_expect", &json!({"text": "ready", "is": "gone"}));
}

#[test]
fn cancelled_call_does_not_block_others() {
    let mut agent = Agent::start();
    agent.launch("printf ready; read x");
    let never = json!({"name": "tui_act", "arguments": {"until": {"text": "never"}, "timeout_ms": 300_000}});
    let id = agent.begin("tools/call", &never);
    // Another session does not wait for this call.
    let other = json!({"command": "sh", "args": ["-c", "printf here; read x"], "session": "other", "until": {"text": "here"}});
    agent.done("tui_launch", &other);
    agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    agent.done("tui_look", &json!({"session": "main"}));
}

#[test]
fn call_cancelled_in_the_queue_does_nothing() {
    let mut agent = Agent::start();
    agent.launch("stty -echo; printf 'ready\\n'; read x; touch begun; exec cat");
    let call = |agent: &mut Agent, arguments: Value| {
        agent.begin(
            "tools/call",
            &json!({"name": "tui_act", "arguments": arguments}),
        )
    };
    let cancel = |agent: &mut Agent, id: u64| {
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    };
    let never =
        json!({"actions": [{"press": "Enter"}], "until": {"text": "never"}, "timeout_ms": 300_000});
    let first = call(&mut agent, never);
    agent.wait_for_file("begun");
    let second = call(&mut agent, json!({"actions": [{"type": "oops\n"}]}));
    cancel(&mut agent, second);
    cancel(&mut agent, first);
    // Calls are performed in order: without the cancellation, `oops` would be typed before `after`.
    let act = json!({"actions": [{"type": "after\n"}, {"wait": "after"}], "view": "text"});
    let answer = agent.done("tui_act", &act);
    assert_eq!(answer.rows(), rows(&[(1, "ready"), (2, "after")]));
}

#[test]
fn calls_of_a_session_run_in_order() {
    let mut agent = Agent::start();
    agent.launch("printf 'ready\\n'; exec cat");
    let mut ids = Vec::new();
    for letter in ["a", "b", "c", "d", "e", "f"] {
        let arguments =
            json!({"actions": [{"type": letter}, {"wait": letter}], "until": {"text": letter}});
        ids.push(agent.begin(
            "tools/call",
            &json!({"name": "tui_act", "arguments": arguments}),
        ));
    }
    for id in ids {
        let message = agent.message();
        assert_eq!(message["id"], id);
        assert!(!ToolResult::from_response(&message).is_error, "{message}");
    }
    let look = agent.done("tui_look", &json!({"view": "text"}));
    assert_eq!(look.rows(), rows(&[(1, "ready"), (2, "abcdef")]));
}

#[test]
fn waiting_session_can_be_listed_and_closed() {
    let mut agent = Agent::start();
    agent.launch("printf ready; read x; touch begun; read y");
    let never =
        json!({"actions": [{"press": "Enter"}], "until": {"text": "never"}, "timeout_ms": 300_000});
    let never = json!({"name": "tui_act", "arguments": never});
    let id = agent.begin("tools/call", &never);
    // Wait until the call has performed its actions. If the session were closed earlier, the call
    // would report a closed session instead of an unfinished wait.
    agent.wait_for_file("begun");
    let list = agent.done("tui_sessions", &json!({}));
    assert_eq!(list.data["sessions"][0]["program"], "running");
    let close = agent.begin("tools/call", &json!({"name": "tui_close", "arguments": {}}));
    // The two responses arrive in any order.
    let mut answers = [agent.message(), agent.message()];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let [waited, closed] = &answers;
    assert_eq!((&waited["id"], &closed["id"]), (&json!(id), &json!(close)));
    let waited = ToolResult::from_response(waited);
    assert!(waited.is_error);
    assert!(
        waited
            .text
            .contains("the session was closed before text \"never\" appeared"),
        "{}",
        waited.text
    );
    assert!(!ToolResult::from_response(closed).is_error);
    // The name can be reused immediately, even while a call still refers to the old session.
    agent.launch("printf 'ready again'; read x");
}
