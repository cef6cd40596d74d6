//! Each command, with programs that show its effect.

use screentest::core::formats::state_json::StateJson;

use super::sandbox::SandboxHome;
use crate::harness::cli::run_with;

#[test]
fn consecutive_commands_edit_a_file() {
    let home = SandboxHome::new();
    let opened = home.run(&["open", "--", "vim", "-u", "NONE", "-N", "notes.txt"]);
    assert_eq!(opened.text(), "vim\n");
    home.done(&["type", "ihello"]);
    home.done(&["press", "Enter", "w", "o", "Esc"]);
    home.done(&["wait", "--regex", "^wo$"]);
    let view = home.run(&["view"]).text();
    assert!(view.starts_with("hello\nwo\n~\n"), "{view}");
    home.done(&["type", ":wq"]);
    home.done(&["press", "Enter"]);
    assert_eq!(home.run(&["wait", "--exit"]).text(), "0\n");
    assert_eq!(home.folder.read("notes.txt"), b"hello\nwo\n");
    // The last screen is kept until the session is closed.
    assert_eq!(home.sessions().len(), 1);
    home.done(&["close"]);
    assert_eq!(home.sessions().len(), 0);
}

#[test]
fn screen_is_available_as_text_json_and_picture() {
    let home = SandboxHome::new();
    home.open("printf '\\033[1;31mred\\033[m ok'; exec cat", "ok");
    assert_eq!(home.run(&["view"]).text(), "red ok\n");
    let json = home.run(&["state"]).text();
    let state = StateJson::parse(&json).unwrap();
    assert_eq!(state.screen.text(), "red ok\n");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["styles"][0]["bold"], true);
    let file = home.folder.file("state.json", &json);
    assert_eq!(
        home.run(&["convert", "--format", "json", &file]).text(),
        json
    );
    home.done(&["shot", "-o", "red.png"]);
    assert!(home.folder.read("red.png").starts_with(b"\x89PNG"));
    assert_eq!(
        home.run(&["shot", "--format", "svg"]).noted(),
        "note: the picture is in `sh.svg`\n"
    );
    assert!(home.folder.read("sh.svg").starts_with(b"<svg"));
}

#[test]
fn scrollback_is_shown_on_request() {
    let home = SandboxHome::new();
    let words = ["open", "--rows", "2", "--", "sh", "-c"];
    let script = "echo one; echo two; printf three; exec cat";
    home.run(&[&words[..], &[script]].concat());
    home.done(&["wait", "three"]);
    assert_eq!(home.run(&["view"]).text(), "two\nthree\n");
    assert_eq!(
        home.run(&["view", "--scrollback", "9"]).text(),
        "one\ntwo\nthree\n"
    );
    let state = home.run(&["state", "--scrollback", "9"]).text();
    assert_eq!(StateJson::parse(state).unwrap().scrollback.len(), 1);
}

/// Prints every byte that it receives.
const PRINTS_BYTES: &str = "stty raw -echo; printf 'ready\\033[?2004h\\r\\n'; exec cat -v";

#[test]
fn paste_is_bracketed() {
    let home = SandboxHome::new();
    home.open(PRINTS_BYTES, "ready");
    home.done(&["paste", "-one"]);
    home.done(&["wait", "^[[200~-one^[[201~"]);
    let mut words = vec!["paste"];
    let session = home.session()["id"].as_str().unwrap().to_owned();
    words.extend(["-s", &session]);
    let mut child = home.start(&words);
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"from a file").unwrap();
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    home.done(&["wait", "200~from a file"]);
}

#[test]
fn keys_are_sent_in_the_program_encoding() {
    let home = SandboxHome::new();
    home.open(PRINTS_BYTES, "ready");
    home.done(&["press", "Up", "Ctrl+A", "-"]);
    home.done(&["type", "--", "-s"]);
    home.done(&["expect", "^[[A^A--s"]);
}

#[test]
fn click_targets_text_or_a_cell() {
    let home = SandboxHome::new();
    let script =
        "stty raw -echo; printf 'File [Menu] File\\r\\n\\033[?1000h\\033[?1006h'; exec cat -v";
    home.open(script, "Menu");
    home.done(&["click", "Menu"]);
    home.done(&["expect", "<0;7;1M"]);
    home.done(&["click", "--at", "2,1", "--button", "right"]);
    home.done(&["expect", "<2;2;1M"]);
    home.done(&["click", "--regex", "F..e", "--nth", "1"]);
    home.done(&["expect", "<0;13;1M"]);
    let said = home.run(&["click", "File"]).failed(1);
    assert!(
        said.starts_with("error: text \"File\" found 2 times: "),
        "{said}"
    );
    // The options of this command, not the parameters of the protocol.
    assert!(said.contains("\nhint: select one with `--nth N`"), "{said}");
    assert!(!said.contains("ambiguityMode"), "{said}");
}

#[test]
fn a_click_that_is_not_sent_is_reported_as_click() {
    let home = SandboxHome::new();
    home.open("echo Menu; exec cat", "Menu");
    let said = home.run(&["click", "Menu"]).failed(1);
    assert!(
        said.starts_with("error: click: the mouse click was not sent: "),
        "{said}"
    );
}

#[test]
fn resize_is_seen_by_the_program() {
    let home = SandboxHome::new();
    let script = "trap 'stty size' WINCH; echo ready; while :; do read x; done";
    home.open(script, "ready");
    home.done(&["resize", "30", "5"]);
    home.done(&["wait", "5 30"]);
    let session = home.session();
    assert_eq!(
        (&session["cols"], &session["rows"]),
        (&30.into(), &5.into())
    );
}

#[test]
fn signal_ends_the_program_and_is_reported() {
    let home = SandboxHome::new();
    home.open("echo ready; exec cat", "ready");
    home.done(&["signal", "TERM"]);
    assert_eq!(home.run(&["wait", "--exit"]).text(), "SIGTERM\n");
    let answer = home.run(&["wait", "--exit", "--json"]).text();
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["signal"], "SIGTERM");
    let said = home.run(&["type", "x"]).failed(1);
    assert_eq!(said, "error: the program has ended (killed by SIGTERM)\n");
    let listed = home.run(&["sessions"]).text();
    assert!(listed.contains("killed by SIGTERM"), "{listed}");
}

#[test]
fn waits_end_when_the_condition_holds() {
    let home = SandboxHome::new();
    let script = "stty -echo; echo Loading; read x; printf '\\033[2J\\033[Hdone done'; exec cat";
    home.open(script, "Loading");
    home.done(&["press", "Enter"]);
    home.done(&["wait", "--gone", "Loading"]);
    // Two matches satisfy a wait.
    home.done(&["wait", "done"]);
    home.done(&["wait", "--stable", "50"]);
    home.done(&["expect", "--gone", "--regex", "L.ading", "--timeout", "0"]);
}

#[test]
fn failed_wait_reports_the_screen() {
    let home = SandboxHome::new();
    home.open("echo Ready; exec cat", "Ready");
    for words in [
        &["expect", "Redy", "--timeout", "0"][..],
        &["wait", "Redy", "--timeout", "0.05"],
        &["wait", "--gone", "Ready", "--timeout", "0.05"],
        &["wait", "--exit", "--timeout", "0.05"],
    ] {
        let said = home.run(words).failed(1);
        let first = said.lines().next().unwrap();
        assert!(
            first.starts_with("error: ") && first.contains(" within "),
            "{said}"
        );
        assert!(!first.contains("waitFor"), "{said}");
        assert!(
            said.contains("the last screen (80x24):\n  │ Ready\n"),
            "{said}"
        );
        assert!(
            said.ends_with("hint: set a longer timeout with `--timeout S`\n"),
            "{said}"
        );
    }
}

#[test]
fn state_can_be_piped_to_convert() {
    let home = SandboxHome::new();
    home.open("printf piped; exec cat", "piped");
    let json = home.run(&["state"]).done();
    assert_eq!(run_with(["convert", "-"], &json).text(), "piped\n");
}

#[test]
fn json_output_reports_success_and_errors() {
    let home = SandboxHome::new();
    home.run(&["open", "--", "sh", "-c", "echo ready; exec cat"])
        .done();
    let json = |words: &[&str]| {
        let run = home.run(words);
        let answer: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        (run.code, run.stderr, answer)
    };
    for words in [
        &["wait", "--json", "ready"][..],
        &["type", "--json", "more"],
        &["press", "--json", "Enter"],
        &["expect", "--json", "more"],
        &["resize", "--json", "60", "10"],
    ] {
        let (code, stderr, answer) = json(words);
        assert_eq!(
            (code, stderr.as_str()),
            (Some(0), ""),
            "{words:?}: {answer}"
        );
        assert!(answer.is_object(), "{words:?}: {answer}");
    }
    let (_, _, answer) = json(&["view", "--json"]);
    assert_eq!(answer["text"], "ready\nmore\nmore\n");
    let (_, _, answer) = json(&["shot", "--json"]);
    assert!(
        home.folder
            .path()
            .join(answer["path"].as_str().unwrap())
            .exists()
    );
    let (code, stderr, answer) = json(&["expect", "--json", "--timeout", "0", "never"]);
    assert_eq!((code, stderr.as_str()), (Some(1), ""));
    assert_eq!(answer["exit"], 1);
    assert!(
        answer["error"].as_str().unwrap().contains("never"),
        "{answer}"
    );
    assert!(
        answer["report"].as_str().unwrap().contains("ready"),
        "{answer}"
    );
    assert_eq!(json(&["close", "--json"]).0, Some(0));
    let (code, _, answer) = json(&["view", "--json"]);
    assert_eq!(code, Some(3));
    assert_eq!(answer["error"], "no session is open");
}

#[test]
fn waits_after_enter_need_new_text() {
    let home = SandboxHome::new();
    home.open(
        "echo ready; read -r line; read -r x; echo \"$line\"; exec cat",
        "ready",
    );
    home.done(&["type", "done"]);
    home.done(&["expect", "done"]);
    home.done(&["press", "Enter"]);
    let said = home.run(&["expect", "done", "--timeout", "0"]).failed(1);
    assert!(said.contains("accept it with `--anytime`"), "{said}");
    home.done(&["expect", "done", "--anytime"]);
    home.done(&["wait", "done", "--anytime"]);
    home.done(&["press", "Enter"]);
    home.done(&["wait", "done"]);
}
