//! The screen in tool results: changed rows by default, more on request.

use serde_json::json;

use super::agent::{Agent, rows};

/// Echoes input. The second line is a menu with one highlighted choice.
const MENU: &str = "printf 'ready\\n one \\033[7m two \\033[m three\\n'; exec cat";

#[test]
fn result_contains_only_changed_rows() {
    let mut agent = Agent::start();
    let first = agent.launch(MENU);
    assert_eq!(first.data["screen"], "40x6");
    assert_eq!(first.rows(), rows(&[(1, "ready"), (2, " one  two  three")]));
    assert_eq!(
        first.data["highlighted"],
        json!([{"row": 2, "col": 7, "text": "two"}])
    );
    let act = json!({"actions": [{"type": "hello"}], "until": {"text": "hello"}});
    let typed = agent.done("tui_act", &act);
    assert_eq!(typed.rows(), rows(&[(3, "hello")]));
    assert_eq!(typed.data["cursor"], json!([3, 6]));
    assert_eq!(typed.data.get("screen"), None);
    assert_eq!(typed.data.get("highlighted"), None);
    let revision = typed.revision();
    assert_eq!(
        typed.text,
        format!("main r{revision} running, cursor 3:6\n3|hello")
    );
    // Reported rows are not reported again, unless the agent passes an older revision.
    assert_eq!(agent.done("tui_look", &json!({})).rows(), []);
    let again = agent.done("tui_look", &json!({"since": first.revision()}));
    assert_eq!(again.rows(), rows(&[(3, "hello")]));
    let unknown = agent.done("tui_look", &json!({"since": 0}));
    assert_eq!(unknown.data["screen"], "40x6");
    assert_eq!(unknown.rows().len(), 3);
}

#[test]
fn look_returns_rows_styles_and_png_on_request() {
    let mut agent = Agent::start();
    agent.launch(MENU);
    let all = agent.done("tui_look", &json!({"view": "text"}));
    assert_eq!(all.rows(), rows(&[(1, "ready"), (2, " one  two  three")]));
    let one = agent.done("tui_look", &json!({"view": "text", "rows": [2, 2]}));
    assert_eq!(one.rows(), rows(&[(2, " one  two  three")]));
    let styles = agent.done("tui_look", &json!({"view": "styles"}));
    assert_eq!(
        styles.data["styles"],
        json!([{"row": 2, "col": 6, "text": " two ", "style": "inverse"}])
    );
    assert!(
        styles.text.ends_with("styled 2:6  two  [inverse]"),
        "{}",
        styles.text
    );
    let picture = agent.done("tui_look", &json!({"view": "png"}));
    let image = &picture.result["content"][1];
    assert_eq!(
        (&image["type"], &image["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    // The first bytes of every PNG, in base64.
    assert!(image["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
}

#[test]
fn long_results_are_cut_and_the_rest_is_counted() {
    let mut agent = Agent::start();
    agent.launch("seq 5; printf ready; read x");
    let cut = agent.done("tui_look", &json!({"view": "text", "max_chars": 11}));
    assert_eq!(cut.rows(), rows(&[(1, "1"), (2, "2")]));
    assert_eq!(cut.data["omitted"], 4);
    assert!(cut.text.contains("\n4 more rows left out"), "{}", cut.text);
    let one = agent.done(
        "tui_look",
        &json!({"view": "text", "rows": [6, 6], "max_chars": 2}),
    );
    assert_eq!(one.rows(), rows(&[(6, "re…")]));
}

#[test]
fn scrolled_screen_is_reported_as_moved_rows() {
    let mut agent = Agent::start();
    agent.launch("printf 'a\\nb\\nc\\nd\\ne\\nready'; read x; printf 'new'; read x");
    let act = json!({"actions": [{"press": "Enter"}], "until": {"text": "new"}});
    let moved = agent.done("tui_act", &act);
    assert_eq!(moved.data["scrolled"], 1);
    assert_eq!(moved.rows(), rows(&[(6, "new")]));
    assert!(
        moved
            .text
            .contains("\nall rows moved up by 1, then:\n6|new"),
        "{}",
        moved.text
    );
}

#[test]
fn last_screen_and_exit_status_remain_after_exit() {
    let mut agent = Agent::start();
    agent.launch("printf ready; read x; printf bye; exit 3");
    let act = json!({"actions": [{"press": "Enter"}], "until": {"exit": true}});
    let over = agent.done("tui_act", &act);
    assert_eq!(over.data["program"], "exit code 3");
    assert_eq!(over.rows(), rows(&[(2, "bye")]));
    let look = agent.done("tui_look", &json!({"view": "text"}));
    assert_eq!(look.rows(), rows(&[(1, "ready"), (2, "bye")]));
    assert_eq!(look.data["program"], "exit code 3");
    let refused = agent.refused("tui_act", &json!({"actions": [{"press": "Enter"}]}));
    assert!(
        refused.contains("exit code 3") && refused.contains("tui_launch"),
        "{refused}"
    );
    // The name can be reused, and revisions of the two programs are not confused.
    let next = agent.launch("printf 'ready again'; read x");
    assert!(next.revision() > look.revision());
    assert_eq!(next.rows(), rows(&[(1, "ready again")]));
    let since = agent.done("tui_look", &json!({"since": look.revision()}));
    assert_eq!(since.data["screen"], "40x6");
}

#[test]
fn scrollback_can_be_read_and_searched() {
    let mut agent = Agent::start();
    let first = agent.launch("seq 20; printf ready; read x");
    assert_eq!(first.data["above"], 15);
    assert!(
        first.text.contains("all of 40x6 (15 rows above)"),
        "{}",
        first.text
    );
    let look = |agent: &mut Agent, what| agent.done("tui_look", &what);
    let above = look(&mut agent, json!({"rows": [-2, 1]}));
    assert_eq!(above.rows(), rows(&[(-2, "14"), (-1, "15"), (1, "16")]));
    let ones = look(
        &mut agent,
        json!({"rows": [-100, -1], "regex": "^1.$", "max_chars": 12}),
    );
    assert_eq!(ones.rows(), rows(&[(-6, "10"), (-5, "11")]));
    assert_eq!(ones.data["omitted"], 4);
    let shown = look(&mut agent, json!({"regex": "^2"}));
    assert_eq!(shown.rows(), rows(&[(5, "20")]));
}

#[test]
fn found_text_has_its_position() {
    let mut agent = Agent::start();
    agent.launch("printf 'Name: Ada\\nName: Bob\\nAge: 36\\nready'; read x");
    let find = |agent: &mut Agent, what| agent.done("tui_expect", &what).data;
    let places = |data: serde_json::Value| -> Vec<(u64, u64, String)> {
        let matches = data["matches"].as_array().unwrap().iter();
        matches
            .map(|found| {
                let text = found["text"].as_str().unwrap().to_owned();
                (
                    found["row"].as_u64().unwrap(),
                    found["col"].as_u64().unwrap(),
                    text,
                )
            })
            .collect()
    };
    let place = |row, col, text: &str| (row, col, text.to_owned());
    assert_eq!(
        places(find(&mut agent, json!({"text": "Name"}))),
        [place(1, 1, "Name"), place(2, 1, "Name")]
    );
    assert_eq!(
        places(find(&mut agent, json!({"text": "Name", "nth": 1}))),
        [place(2, 1, "Name")]
    );
    assert_eq!(
        places(find(
            &mut agent,
            json!({"regex": "[A-Z]\\w+", "right_of": "Name:"})
        )),
        [place(1, 7, "Ada"), place(2, 7, "Bob")]
    );
    assert_eq!(
        places(find(
            &mut agent,
            json!({"regex": "\\d+", "rect": [3, 1, 1, 40]})
        )),
        [place(3, 6, "36")]
    );
    let said = agent.refused("tui_expect", &json!({"text": "name: ada", "timeout_ms": 0}));
    assert!(
        said.contains("closest match: ") && said.contains("Name: Ada"),
        "{said}"
    );
    let value = agent.done("tui_extract", &json!({"kind": "value", "label": "Age"}));
    assert_eq!(value.data["value"]["text"], "36");
    let groups = agent.done(
        "tui_extract",
        &json!({"kind": "regex", "regex": "Name: (\\w+)"}),
    );
    assert_eq!(groups.data["matches"][1][1]["text"], "Bob");
}

#[test]
fn blank_screen_is_reported_as_blank() {
    let mut agent = Agent::start();
    agent.launch("printf 'ready\\none\\ntwo\\nthree\\nfour'; read x; printf '\\033[2J\\033[H'; read x; printf back; read x");
    let act = json!({"actions": [{"press": "Enter"}], "until": {"gone": "ready"}});
    let answer = agent.done("tui_act", &act);
    assert!(
        answer.text.ends_with("all of 40x6, blank"),
        "{}",
        answer.text
    );
    assert_eq!(answer.rows(), []);
    let look = agent.done("tui_look", &json!({}));
    assert!(look.text.ends_with("no row changed"), "{}", look.text);
    let act = json!({"actions": [{"press": "Enter"}], "until": {"text": "back"}});
    let answer = agent.done("tui_act", &act);
    assert_eq!(answer.rows(), rows(&[(2, "back")]));
}

#[test]
fn missing_rows_are_not_reported_as_unchanged() {
    let mut agent = Agent::start();
    agent.launch("printf 'ready'; read x");
    for (arguments, note) in [
        (json!({"regex": "nothing"}), "none of 6 rows matches"),
        (
            json!({"rows": [1, 1], "regex": "x"}),
            "the one row does not match",
        ),
        (
            json!({"rows": [-5, -1]}),
            "no such rows: the screen has 6 rows and 0 rows of scrollback",
        ),
        (
            json!({"rows": [7, 9]}),
            "no such rows: the screen has 6 rows and 0 rows of scrollback",
        ),
    ] {
        let look = agent.done("tui_look", &arguments);
        assert_eq!(look.data["note"], note);
        assert!(!look.text.contains("no row changed"), "{}", look.text);
    }
}

#[test]
fn regex_of_rows_matches_wrapped_lines() {
    let mut agent = Agent::start();
    agent.launch("printf 'ready\\n'; printf '%060d\\n' 7; read x");
    let shown = agent.done("tui_look", &json!({"regex": "^0{59}7$"}));
    let (first, second) = ("0".repeat(40), format!("{}7", "0".repeat(19)));
    assert_eq!(shown.rows(), rows(&[(2, &first), (3, &second)]));
}
