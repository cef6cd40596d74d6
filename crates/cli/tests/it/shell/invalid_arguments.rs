//! Invalid commands: one clear error and the right exit code.

use super::sandbox::SandboxHome;
use crate::harness::cli::run_with_env;

#[test]
fn invalid_arguments_are_rejected_before_a_daemon_starts() {
    let home = SandboxHome::new();
    for (words, expected) in [
        (&["open"][..], "<CMD>"),
        (&["open", "--cols", "1", "--", "cat"], "2 to 2000 columns"),
        (
            &["open", "--env", "=x", "--", "cat"],
            "the variable has no name",
        ),
        (&["open", "--", ""], "the name of the program is empty"),
        (&["press"], "<KEY>"),
        (
            &["press", "a", "Entre"],
            "unknown key `Entre`, did you mean `Enter`?",
        ),
        (
            &["press", "hello"],
            "`screentest type \"hello\"` types text",
        ),
        (&["wait"], "TEXT"),
        (&["wait", ""], "TEXT is empty"),
        (&["wait", "x", "--exit"], "cannot be used with"),
        (
            &["wait", "x", "--timeout", "-1"],
            "expected a number of seconds",
        ),
        (
            &["wait", "--stable", "abc"],
            "expected a whole number of milliseconds, such as 300",
        ),
        (
            &["wait", "--stable", "-3"],
            "expected a whole number of milliseconds, such as 300",
        ),
        (&["wait", "--gone", "--stable", "3"], "cannot be used with"),
        (&["wait", "--regex", "--exit"], "`--regex` needs TEXT"),
        (&["expect"], "TEXT"),
        (&["click"], "<TEXT|--at <COL,ROW>>"),
        (&["click", "--at", "0,1"], "not a column and a row from 1"),
        (&["resize", "80"], "<ROWS>"),
        (&["resize", "1", "1"], "2 to 2000 columns"),
        (&["signal", "NOPE"], "NOPE"),
        (&["view", "--scrollback", "-1"], "not a number of rows"),
        (&["sessions", "--read-only"], "--link"),
        (&["attach"], "attach needs a terminal on stdin and stdout"),
    ] {
        let said = home.run(words).failed(2);
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    assert!(!home.daemon_path("").exists());
}

#[test]
fn commands_without_a_session_report_that() {
    let home = SandboxHome::new();
    let check = |words: &[&str]| {
        assert_eq!(
            home.run(words).failed(3),
            "error: no session is open\nhint: open one with `screentest open -- CMD`\n",
            "{words:?}"
        );
    };
    let verbs = [
        &["type", "x"][..],
        &["press", "a"],
        &["paste", "x"],
        &["click", "x"],
        &["wait", "x"],
        &["expect", "x"],
        &["view"],
        &["state"],
        &["shot"],
        &["resize", "80", "24"],
        &["signal", "TERM"],
        &["close"],
    ];
    for words in verbs {
        check(words);
    }
    check(&["sessions", "--link"]);
    home.done(&["close", "--all"]);
    assert_eq!(home.sessions().len(), 0);
    // A running daemon does not change the result.
    home.run(&["open", "--", "cat"]).text();
    home.done(&["close"]);
    for words in verbs {
        check(words);
    }
}

#[test]
fn errors_of_the_daemon_are_reported() {
    let home = SandboxHome::new();
    home.open("echo ready; exec cat", "ready");
    let said = home.run(&["wait", "--regex", "("]).failed(2);
    assert!(said.contains("regular expression"), "{said}");
    // A file can be longer than any argument.
    let mut child = home.start(&["paste"]);
    let mut stdin = child.stdin.take().unwrap();
    let _ = std::io::Write::write_all(&mut stdin, &vec![b'x'; 2 << 20]);
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: the request is larger than 1 MiB\n"
    );
}

#[test]
fn invalid_settings_are_reported() {
    let mut home = SandboxHome::new();
    home.set("SCREENTEST_LINGER", "soon");
    assert_eq!(
        home.run(&["open", "--", "cat"]).failed(2),
        "error: SCREENTEST_LINGER is `soon`: expected a number of seconds above 0\n"
    );
    let said = run_with_env(&[("XDG_RUNTIME_DIR", "here")], ["view"]).failed(2);
    assert!(said.contains("is not an absolute path"), "{said}");
    let said = run_with_env(&[("XDG_RUNTIME_DIR", "/nowhere")], ["open", "--", "cat"]).failed(2);
    assert!(
        said.contains("`/nowhere/screentest`: could not be created"),
        "{said}"
    );
}
