//! A program has the directory and the environment of the `open` command, not those of the daemon.

use super::sandbox::SandboxHome;

#[test]
fn program_has_cwd_and_environment_of_open() {
    let mut home = SandboxHome::new();
    home.set("GREETING", "hello");
    home.set("ONLY_FIRST", "x");
    home.set("TERM", "dumb");
    home.set("TMUX", "x");
    let script = "echo $GREETING/$ONLY_FIRST/$TERM/$TMUX/; pwd; echo ready; exec cat";
    home.open(script, "ready");
    let here = home.folder.path().display().to_string();
    // A path can wrap to the next row.
    let shown = |name: &str| home.run(&["view", "-s", name]).text().replace('\n', "");
    assert_eq!(shown("sh"), format!("hello/x/xterm-256color//{here}ready"));

    // The next program has another environment. The daemon keeps no variable of the first.
    home.set("ONLY_FIRST", "");
    home.set("GREETING", "bye");
    std::fs::create_dir(home.folder.path().join("below")).unwrap();
    let words = [
        "open",
        "--name",
        "second",
        "--cwd",
        "below",
        "--env",
        "TERM=vt100",
        "--env",
        "HOME",
        "--",
        "sh",
        "-c",
        "echo $GREETING/${HOME-none}/$TERM/; pwd; echo ready; exec cat",
    ];
    assert_eq!(home.run(&words).text(), "second\n");
    home.done(&["wait", "-s", "second", "ready"]);
    let text = home.run(&["view", "-s", "second"]).text().replace('\n', "");
    assert_eq!(text, format!("bye/none/vt100/{here}/belowready"));
}

#[test]
fn invalid_program_is_reported_to_the_caller() {
    let home = SandboxHome::new();
    assert_eq!(
        home.run(&["open", "--", "no-such-program"]).failed(2),
        "\
error: could not launch the program: `no-such-program` was not found in PATH
hint: use the path of the program, such as `./no-such-program`, or set another PATH: `--env PATH=…`
"
    );
    let said = home
        .run(&["open", "--cwd", "/nowhere", "--", "cat"])
        .failed(2);
    assert!(said.contains("`/nowhere`"), "{said}");
    let said = home.run(&["open", "--name", "a/b", "--", "cat"]).failed(2);
    assert!(said.contains("invalid name `a/b`"), "{said}");
    home.run(&["open", "--name", "a", "--", "cat"]).text();
    let said = home.run(&["open", "--name", "a", "--", "cat"]).failed(2);
    assert!(
        said.starts_with("error: session `a` already exists"),
        "{said}"
    );
    assert_eq!(home.sessions().len(), 1, "failed opens leave no session");
}
