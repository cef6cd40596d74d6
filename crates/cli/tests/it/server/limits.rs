//! Limits on requests, answers, names and terminals.

use serde_json::{Value, json};

use super::client::Client;
use crate::harness::processes::peak_memory;

/// Maximum number of steps of a batch.
const MAX_STEPS: usize = 1000;

/// A step that needs no session.
fn ping() -> Value {
    json!({"method": "server.ping"})
}

#[test]
fn batch_has_at_most_a_thousand_steps() {
    let mut client = Client::start();
    let done = client.done("batch", &json!({"steps": vec![ping(); MAX_STEPS]}));
    assert_eq!(
        (&done["ok"], &done["completed"]),
        (&json!(true), &json!(MAX_STEPS))
    );
    let done = client.done("batch", &json!({"steps": vec![ping(); MAX_STEPS + 1]}));
    assert_eq!(done["completed"], MAX_STEPS);
    assert_eq!(done["errorStep"], MAX_STEPS + 1);
    let details = done["error"]["data"]["details"].as_str().unwrap();
    assert!(details.contains("at most 1000 steps"), "{details}");
    // The next request has its own limit.
    assert_eq!(
        client.done("batch", &json!({"steps": [ping()]}))["ok"],
        true
    );
}

#[test]
fn steps_of_nested_batches_count() {
    let mut client = Client::start();
    let inner = json!({"method": "batch", "params": {"steps": vec![ping(); 400]}});
    let done = client.done("batch", &json!({"steps": vec![inner; 3]}));
    // Two inner batches have 802 steps. The third is the 803rd and may have 197 more.
    assert_eq!(done["completed"], 3);
    let last = &done["results"][2];
    assert_eq!(
        (&last["ok"], &last["errorStep"]),
        (&json!(false), &json!(198))
    );
}

/// Prints 12,000 lines of 79 characters.
const LONG_OUTPUT: &str = "i=0; while [ $i -lt 12000 ]; do printf '%079d\\n' $i; i=$((i+1)); done; printf ready; exec cat";

/// Opens a terminal of 80 columns with 10,000 rows of scrollback.
fn open_with_scrollback(client: &mut Client) {
    client.done(
        "initialize",
        &json!({"terminalCols": 80, "terminalRows": 24, "timeoutSeconds": 120}),
    );
    let ready = json!({"type": "exact", "text": "ready"});
    client.done(
        "launch",
        &json!({"command": "sh", "args": ["-c", LONG_OUTPUT], "readySelector": ready}),
    );
}

#[test]
fn batch_stops_when_its_answer_is_too_large() {
    let mut client = Client::start();
    open_with_scrollback(&mut client);
    let one = client.done("currentState", &json!({"scrollback": 10_000}));
    let length = one.to_string().len();
    let step = json!({"method": "currentState", "params": {"scrollback": 10_000}});
    let done = client.done("batch", &json!({"steps": vec![step; 400]}));
    let completed = done["completed"].as_u64().unwrap() as usize;
    // The first state that exceeds 16 MiB together with the others is not part of the answer.
    assert_eq!(completed, (16 << 20) / length);
    assert_eq!(done["errorStep"], completed + 1);
    let details = done["error"]["data"]["details"].as_str().unwrap();
    assert!(details.contains("more than 16 MiB"), "{details}");
    assert_eq!(done["results"][completed - 1]["scrollback_rows"], 10_000);
    // Without the limit, the peak is above 2 GiB.
    let peak = peak_memory(client.pid());
    assert!(peak < 512 << 20, "{} MiB", peak >> 20);
}

#[test]
fn extract_has_a_limit_on_matches() {
    let mut client = Client::start();
    client.done(
        "initialize",
        &json!({"terminalCols": 400, "terminalRows": 300, "timeoutSeconds": 60}),
    );
    let script = "yes 0123456789 | tr -d '\\n' | head -c 119990; printf ready; exec cat";
    let ready = json!({"type": "exact", "text": "ready"});
    let launch = json!({"command": "sh", "args": ["-c", script], "readySelector": ready});
    client.done("launch", &launch);
    let matches = |client: &mut Client, pattern: &str| {
        client.ask("extract", &json!({"kind": "regex", "pattern": pattern}))
    };
    let answer = matches(&mut client, "[0-7]");
    let found = answer["result"]["matches"].as_array().unwrap();
    assert!(found.len() > 90_000, "{}", found.len());
    for pattern in ["[0-9]", "([0-7])", "(((([0-7]))))"] {
        let answer = matches(&mut client, pattern);
        let details = answer["error"]["data"]["details"].as_str().unwrap();
        assert!(details.contains("more than 100000 matches"), "{details}");
    }
}

#[test]
fn session_names_are_printable() {
    let mut client = Client::start();
    let long = "x".repeat(100_000);
    for key in [
        "",
        " ",
        ".",
        "..",
        "\u{1b}[2J",
        "a\r\nb",
        "\u{202e}a",
        &long,
    ] {
        for params in [json!({"session": key}), json!({"name": key})] {
            let answer = client.ask("initialize", &params);
            assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
            assert!(answer.to_string().len() < 500, "{answer}");
        }
    }
    let answer = client.ask("initialize", &json!({"session": "\u{1b}[2J"}));
    assert_eq!(
        answer["error"]["data"]["details"],
        "session: invalid name `\\u{1b}[2J`: expected 1 to 128 printable characters, not only spaces, and not `.` or `..`"
    );
    // A wrong name in another request is not quoted in full either.
    let answer = client.ask("cursor", &json!({"session": long}));
    assert_eq!(answer["error"]["code"], -32001);
    assert!(answer.to_string().len() < 500, "{answer}");
    let longest = "日".repeat(128);
    for key in ["My demo", "tests/login", "it's \"quoted\"", &longest] {
        client.done("initialize", &json!({"session": key}));
        client.done("close", &json!({"session": key}));
    }
}

#[test]
fn terminals_of_a_server_have_twenty_million_cells() {
    let mut client = Client::start();
    let open = |client: &mut Client, key: &str, cols: u32, rows: u32| {
        let params = json!({"session": key, "terminalCols": cols, "terminalRows": rows});
        client.ask("initialize", &params)
    };
    for key in ["a", "b", "c", "d"] {
        assert!(open(&mut client, key, 2000, 2000).get("result").is_some());
    }
    assert!(open(&mut client, "e", 2000, 1999).get("result").is_some());
    assert!(open(&mut client, "f", 40, 50).get("result").is_some());
    // 20,000,000 cells are used.
    let answer = open(&mut client, "g", 2, 1);
    assert_eq!(answer["error"]["code"], -32006, "{answer}");
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert_eq!(
        details,
        "a terminal of 2x1 needs 2 cells, but 0 of the 20000000 cells of all sessions are left: \
         close a session, or use smaller terminals"
    );
    client.done("launch", &json!({"session": "f", "command": "cat"}));
    let resize = |cols: u32| json!({"session": "f", "cols": cols, "rows": 50});
    assert_eq!(client.ask("resize", &resize(41))["error"]["code"], -32006);
    client.done("resize", &resize(39));
    client.done("resize", &resize(40));
    client.done("close", &json!({"session": "a"}));
    client.done("resize", &resize(41));
}

#[test]
fn error_for_a_wrong_key_does_not_quote_long_texts_or_secrets() {
    let variables = [("TOKEN", "correct-horse")];
    let mut client = Client::start_with(&["--secret", "TOKEN"], &variables);
    client.done("initialize", &json!({}));
    let mut details = |key: &str| {
        let answer = client.ask("sendKey", &json!({"key": key}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        answer["error"]["data"]["details"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        details("Entre"),
        "unknown key `Entre`, did you mean `Enter`?"
    );
    let password = "this is a long password that nobody declared";
    assert_eq!(
        details(password),
        "`key` has 44 characters, more than any key: `sendText` types text, `secret` of `sendText` types a secret"
    );
    assert!(!details("correct-horse").contains("horse"));
}

#[test]
fn wait_for_a_stable_screen_times_out_while_the_screen_changes_without_pause() {
    let mut client = Client::start();
    client.launch("yes \"$(seq 100) ready\"");
    let wait = json!({"debounceMs": 5000, "timeoutMs": 300});
    let answer = client.ask("waitForStable", &wait);
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert!(
        details.starts_with("waitForStable timed out: a screen unchanged for 5s"),
        "{details}"
    );
}
