//! Help and version output.

use crate::harness::cli::run;

#[test]
fn help_of_each_command_has_examples() {
    for (words, example) in [
        (&["--help"][..], "screentest snap -- ls --color=always"),
        (
            &["snap", "--help"],
            "screentest snap --type 'echo $((6 * 7))' --key Enter --wait 42 -- sh",
        ),
        (
            &["help", "convert"],
            "screentest convert top.json -o top.vt2",
        ),
        (
            &["render", "--help"],
            "screentest render demo.cast --speed 2 --idle-limit 1 -o demo.mp4",
        ),
        (
            &["render-text", "--help"],
            "screentest render-text menu.ansi.txt",
        ),
        (&["snap", "--help"], "-o top.png -- top"),
        (
            &["convert", "--help"],
            "screentest convert top.json -o top.svg",
        ),
        (&["review", "--help"], "screentest review --accept-all menu"),
        (
            &["run", "--help"],
            "screentest run --fast -o demo.gif demo.tape",
        ),
        (
            &["themes", "--help"],
            "screentest snap --theme nord -o ls.json -- ls --color=always",
        ),
        (
            &["server", "--help"],
            "screentest server --artifact-dir /tmp/artifacts --cols 40 --rows 3",
        ),
        (
            &["mcp", "--help"],
            "claude mcp add screentest -- screentest mcp",
        ),
        (
            &["impersonate", "--help"],
            "screentest impersonate --chunks bytes vim.cassette",
        ),
        (
            &["run", "--help"],
            "screentest run --retries 2 --reporter junit=report.xml tests/*.tape",
        ),
        (
            &["validate", "--help"],
            "screentest validate --json demo.tape",
        ),
        (&["fmt", "--help"], "screentest fmt --check tests/*.tape"),
        (&["new", "--help"], "screentest new tests/login"),
        (
            &["completions", "--help"],
            "screentest completions zsh > ~/.zfunc/_screentest",
        ),
        (
            &["record", "--help"],
            "screentest record --tape demo.tape -- bash",
        ),
        (
            &["replay", "--help"],
            "screentest replay --speed 4x --show-input demo.cassette",
        ),
        (&["open", "--help"], "screentest open -- vim notes.txt"),
        (&["type", "--help"], "screentest type ':wq'"),
        (&["press", "--help"], "screentest press Down Down Enter"),
        (&["paste", "--help"], "screentest paste < notes.txt"),
        (&["click", "--help"], "screentest click Save"),
        (&["wait", "--help"], "code=$(screentest wait --exit)"),
        (&["expect", "--help"], "screentest expect '3 items'"),
        (&["view", "--help"], "screentest view --scrollback 1000"),
        (&["state", "--help"], "screentest state > before.json"),
        (&["shot", "--help"], "screentest shot -o menu.svg"),
        (&["resize", "--help"], "screentest resize 120 40"),
        (&["signal", "--help"], "screentest signal INT"),
        (&["sessions", "--help"], "screentest sessions --link"),
        (
            &["attach", "--help"],
            "screentest attach -s vim --read-only",
        ),
        (&["close", "--help"], "screentest close --all"),
        (
            &["snap", "-h"],
            "Exit codes, whatever the program's own: 0 if the screen was written",
        ),
    ] {
        let help = run(words).text();
        assert!(help.contains("Examples:"), "{help}");
        assert!(help.contains(example), "{help}");
    }
}

#[test]
fn help_names_no_file_of_the_repository() {
    let commands = run(["--help"]).text();
    let names = commands
        .lines()
        .skip_while(|line| !line.ends_with(':'))
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let mut count = 0;
    for name in names.filter(|name| *name != "help") {
        let help = run([name, "--help"]).text();
        assert!(!help.contains("docs/"), "{help}");
        count += 1;
    }
    assert!(count > 20, "{count} commands");
}

#[test]
fn an_unknown_command_suggests_the_nearest_one() {
    let said = run(["snpa"]).failed(2);
    assert!(
        said.contains("a similar subcommand exists: 'snap'\n"),
        "{said}"
    );
    let said = run(["cassette", "verfy"]).failed(2);
    assert!(
        said.contains("a similar subcommand exists: 'verify'\n"),
        "{said}"
    );
}

#[test]
fn version_matches_the_package() {
    assert_eq!(
        run(["--version"]).text(),
        format!("screentest {}\n", env!("CARGO_PKG_VERSION"))
    );
}
