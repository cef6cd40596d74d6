//! Secrets are typed by name and never appear in results.

use serde_json::json;

use super::agent::Agent;

#[test]
fn secret_is_typed_and_never_reported() {
    let mut agent = Agent::start_with(&["--secret", "TOKEN"], &[("TOKEN", "correct-horse")]);
    let script =
        "printf 'ready\\n'; read word; printf 'got %s, %s letters' \"$word\" ${#word}; read x";
    agent.launch(script);
    assert_eq!(
        agent.done("tui_sessions", &json!({})).data["secrets"],
        json!(["TOKEN"])
    );
    let act =
        json!({"actions": [{"secret": "TOKEN"}, {"press": "Enter"}], "until": {"text": "letters"}});
    let answer = agent.done("tui_act", &act);
    assert!(answer.text.contains("13 letters"), "{}", answer.text);
    assert!(
        !answer.result.to_string().contains("correct-horse"),
        "{}",
        answer.text
    );
    for (tool, arguments) in [
        ("tui_look", json!({"view": "styles"})),
        ("tui_expect", json!({"regex": "got.*"})),
        (
            "tui_act",
            json!({"until": {"text": "never"}, "timeout_ms": 1}),
        ),
        (
            "tui_act",
            json!({"until": {"text": "correct-house"}, "timeout_ms": 1}),
        ),
    ] {
        let answer = agent.call(tool, &arguments);
        assert!(
            !answer.result.to_string().contains("correct-horse"),
            "{tool}: {}",
            answer.text
        );
    }
    // A secret cannot be guessed letter by letter either.
    let click = json!({"actions": [{"click": "correct"}], "timeout_ms": 0});
    let said = agent.refused("tui_act", &click);
    assert!(!said.contains("found"), "{said}");
    agent.refused("tui_expect", &json!({"regex": "got c", "timeout_ms": 0}));
    let said = agent.refused("tui_act", &json!({"actions": [{"secret": "OTHER"}]}));
    assert_eq!(
        said,
        "actions[0]: unknown secret `OTHER`\nnext: the secrets are TOKEN"
    );
}

#[test]
fn missing_secret_is_an_error_at_start() {
    let run = crate::harness::cli::run(["mcp", "--secret", "SCREENTEST_NO_SUCH"]);
    let said = run.failed(2);
    assert!(
        said.contains("the environment variable `SCREENTEST_NO_SUCH` is not set"),
        "{said}"
    );
    assert!(said.contains("screentest mcp"), "{said}");
}
