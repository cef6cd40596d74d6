//! `screentest run` with few tapes: outputs, errors, dialects, interruption.

use std::process::{Child, Command, Stdio};

use crate::harness::cli::{Folder, Run, TOOL, command, project_file, run, run_with};

/// Starts `run` in a folder, where it writes all files.
#[expect(
    clippy::disallowed_methods,
    reason = "checks the output to pipes, not to a terminal"
)]
fn start(folder: &Folder, words: &[&str]) -> Child {
    Command::new(TOOL)
        .arg("run")
        .args(words)
        .current_dir(folder.path())
        .env("SCREENTEST_PROJECT_ROOT", folder.path())
        .env_remove("CI")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn run_in(folder: &Folder, words: &[&str]) -> Run {
    let output = start(folder, words).wait_with_output().unwrap();
    Run {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn quick_start_writes_gif_png_and_state() {
    let folder = Folder::new();
    folder.file("quickstart.tape", project_file("examples/quickstart.tape"));
    let said = run_in(&folder, &["--fast", "quickstart.tape"]).noted();
    assert!(
        said.starts_with("passed: quickstart.tape: 12 steps, "),
        "{said}"
    );
    assert!(
        said.ends_with("; wrote quickstart.gif, quickstart.json, quickstart.png\n"),
        "{said}"
    );
    assert!(folder.read("quickstart.gif").starts_with(b"GIF89a"));
    assert!(folder.read("quickstart.png").starts_with(b"\x89PNG"));
    assert!(folder.read("quickstart.json").starts_with(b"{"));
    let names = [
        "quickstart.gif",
        "quickstart.json",
        "quickstart.png",
        "quickstart.tape",
    ];
    assert_eq!(folder.names(), names);
}

#[test]
fn failed_tape_is_reported_with_its_position_and_others_run() {
    let folder = Folder::new();
    folder.file("bad.tape", "Type 'a'\nExpect@100ms \"nothing\"\n");
    folder.file("good.tape", "Output good.json\nType 'a'\n");
    let said = run_in(&folder, &["bad.tape", "good.tape"]).failed(1);
    for part in [
        "failed: bad.tape: 1 of 2 steps, ",
        " --> bad.tape:2:1\n  |\n2 | Expect@100ms \"nothing\"\n  | ^^^^^^^^^^^^^^^^^^^^^^\n",
        "artifacts: artifacts/tapes/bad-tape/failure-bundles\n",
        "passed: good.tape: 1 step, ",
        "error: 1 of 2 tapes failed\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(
        folder
            .read("artifacts/tapes/bad-tape/failure-bundles/failure.txt")
            .starts_with(b"error: ")
    );
    assert!(folder.names().contains(&"good.json".to_owned()));
}

#[test]
fn no_tape_runs_if_any_is_invalid() {
    let folder = Folder::new();
    folder.file("good.tape", "Type 'touch ran' Enter Sleep 1s\n");
    folder.file("bad.tape", "Slep 1\nOutput a.exe\n");
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    let words = ["good.tape", "bad.tape", "folder", "none.tape"];
    let said = run_in(&folder, &words).failed(2);
    for part in [
        "error: unknown command `Slep`\n --> bad.tape:1:1\n",
        "error: unknown output extension `.exe`",
        "error: `folder` cannot be read: it is a directory\n",
        "error: `none.tape` cannot be read: No such file or directory",
        "error: nothing was run: 4 errors\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!folder.names().contains(&"ran".to_owned()));
}

#[test]
fn warnings_are_errors_with_strict() {
    let folder = Folder::new();
    folder.file("late.tape", "Type 'a'\nSet FontSize 10\n");
    let said = run_in(&folder, &["--fast", "late.tape"]).noted();
    assert!(
        said.contains("warning: this is set after the tape has begun"),
        "{said}"
    );
    let said = run_in(&folder, &["--fast", "--strict", "late.tape"]).failed(2);
    assert!(
        said.contains("error: this is set after the tape has begun"),
        "{said}"
    );
}

#[test]
fn output_option_selects_the_format_by_extension() {
    let folder = Folder::new();
    folder.file("a.tape", "Output own.gif\nType 'a'\n");
    let words = ["--fast", "-o", "mine.gif", "-o", "last.png", "a.tape"];
    run_in(&folder, &words).noted();
    assert_eq!(folder.names(), ["a.tape", "last.png", "mine.gif"]);
    let said = run_in(&folder, &["-o", "x.exe", "a.tape"]).failed(2);
    assert!(said.contains("`x.exe` has no known extension"), "{said}");
    let said = run_in(&folder, &["-o", "x.gif", "a.tape", "a.tape"]).failed(2);
    assert!(
        said.contains("`-o` needs exactly one tape, got 2"),
        "{said}"
    );
    // The limit also applies to tapes of the project configuration.
    folder.file("b.tape", "Type 'b'\n");
    folder.file("screentest.toml", "[run]\ntapes = [\"*.tape\"]\n");
    let said = run_in(&folder, &["-o", "x.gif"]).failed(2);
    assert!(
        said.contains("`-o` needs exactly one tape, got 2"),
        "{said}"
    );
}

#[test]
fn stdin_tape_uses_the_given_dialect() {
    let said = run_with(
        ["run", "--fast", "--dialect", "betamax", "-"],
        b"Set Shell bash\nx\n",
    )
    .noted();
    assert!(said.starts_with("passed: stdin: 1 step, "), "{said}");
    let said = run_with(["run", "--fast", "-"], b"x\n").failed(2);
    assert!(said.contains(" --> stdin:1:1\n"), "{said}");
    let said = run(["run", "--dialect", "latin", "-"]).failed(2);
    assert!(said.contains("unknown dialect `latin`"), "{said}");
}

#[test]
fn signal_ends_the_run_and_leaves_no_file() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::new();
    folder.file(
        "long.tape",
        "Output long.gif\nType 'touch begun' Enter Sleep 60m\n",
    );
    let mut child = start(&folder, &["long.tape"]);
    while !folder.names().contains(&"begun".to_owned()) {
        assert!(child.try_wait().unwrap().is_none(), "the run ended");
        std::thread::yield_now();
    }
    command("kill", ["-INT", &child.id().to_string()]);
    let ended = child.wait().unwrap();
    assert!(
        ended.signal() == Some(2) || ended.code() == Some(1),
        "{ended:?}"
    );
    assert_eq!(folder.names(), ["begun", "long.tape"]);
    let prefix = format!(".screentest-tape-{}-", child.id());
    let left = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix));
    assert_eq!(left.count(), 0);
}
