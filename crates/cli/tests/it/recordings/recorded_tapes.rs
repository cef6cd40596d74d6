//! Tapes made from recordings pass when they are run.

use std::fs;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::session::SessionOptions;
use screentest::{App, Key, Session};
use screentest_tape::language;

use crate::harness::cli::{Folder, Run, TOOL, run, run_in, run_with};

const SOON: Duration = Duration::from_secs(20);

/// Number of times that a tape is run: few by default, many with `SCREENTEST_FULL`.
fn rounds() -> usize {
    match std::env::var_os("SCREENTEST_FULL") {
        Some(_) => 20,
        None => 3,
    }
}

/// A shell that does not depend on the user's configuration.
const SHELL: [&str; 6] = [
    "--env",
    "PS1=ann@box:~/src 12$ ",
    "--",
    "bash",
    "--norc",
    "--noprofile",
];

/// Runs a tape several times. Each run must pass.
#[track_caller]
fn assert_passes(folder: &Folder, name: &str) {
    assert_passes_after(folder, name, || {});
}

/// Runs a tape several times. `before` is called before each run.
#[track_caller]
fn assert_passes_after(folder: &Folder, name: &str, before: impl Fn()) {
    let text = String::from_utf8(folder.read(name)).unwrap();
    let (_, report) = language::parse(&text, name, None);
    assert!(report.is_empty(), "{report}");
    let path = folder.join(name);
    for round in 0..rounds() {
        before();
        // The first run is without `--fast`, with the default typing speed.
        let words = match round {
            0 => vec!["run", &path],
            _ => vec!["run", "--fast", &path],
        };
        let ran = run(words);
        assert_eq!(ran.code, Some(0), "round {round}\n{text}\n{}", ran.stderr);
    }
}

/// Records while `script` is typed, and returns the tape.
#[track_caller]
fn record_script(folder: &Folder, words: &[&str], script: &[u8]) -> (String, Run) {
    let path = folder.join("out.tape");
    let first = ["record", "--tape", &path, "--cols", "60", "--rows", "12"];
    let ran = run_with(first.iter().chain(words), script);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    (fs::read_to_string(&path).unwrap(), ran)
}

#[test]
fn tape_of_a_shell_session_waits_for_prompt_and_output() {
    let folder = Folder::new();
    let script = b"echo hello $((6*7))\r\x7fsleep 0.2; echo done\rexit\r";
    let (text, ran) = record_script(&folder, &SHELL, script);
    assert_eq!(
        text,
        "# Made from a recording: `screentest run` repeats its actions and waits for their results.\n\
         Set Columns 60\n\
         Set Rows 12\n\
         Env PS1 \"ann@box:~/src 12$ \"\n\
         Launch bash --norc --noprofile\n\
         \n\
         Wait+Line /^.*:.* .*\\$$/\n\
         Type \"echo hello $((6*7))\"\n\
         Enter\n\
         Wait+Line /^.*:.* .*\\$$/\n\
         Wait+Screen /(?m)^hello 42$/\n\
         Backspace\n\
         Type \"sleep 0.2; echo done\"\n\
         Enter\n\
         Wait+Line /^.*:.* .*\\$$/\n\
         Wait+Screen /(?m)^done$/\n\
         Type \"exit\"\n\
         Enter\n"
    );
    let output = folder.masked(&ran.stderr);
    assert_eq!(
        output,
        "note: wrote FOLDER/out.tape: `screentest run FOLDER/out.tape` repeats the session\n"
    );
    assert_eq!(folder.names(), ["out.tape"]);
    assert_passes(&folder, "out.tape");
}

#[test]
fn command_that_runs_the_tape_is_quoted_for_a_shell() {
    let folder = Folder::new();
    let path = folder.join("my out.tape");
    let ran = run_with(["record", "--tape", &path, "--", "true"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let output = folder.masked(&ran.stderr);
    let command = "`screentest run 'FOLDER/my out.tape'`";
    assert!(output.contains(command), "{output}");
}

#[test]
fn recorded_tape_fails_when_the_output_differs() {
    let folder = Folder::new();
    folder.file("sum.txt", "42\n");
    let cwd = folder.join("");
    let words: Vec<&str> = ["--cwd", &cwd].into_iter().chain(SHELL).collect();
    let (text, _) = record_script(&folder, &words, b"cat sum.txt\rexit\r");
    assert!(text.contains("Wait+Screen /(?m)^42$/\n"), "{text}");
    folder.file("sum.txt", "41\n");
    let quick = text.replace("Wait+Screen", "Wait+Screen@1s");
    folder.file("out.tape", quick);
    let output = run_in(&folder, &["run", "--fast", "out.tape"]).failed(1);
    assert!(output.contains("regex `(?m)^42$`"), "{output}");
}

#[test]
fn program_that_never_waits_does_not_delay_a_script() {
    let folder = Folder::new();
    // Polls for keys and sleeps in between, as a clock does. It never blocks on input.
    let clock = "stty -icanon -echo min 0; echo ready; while :; do key=$(dd bs=1 count=1 2>/dev/null); case $key in q) exit;; ?) echo \"got $key\";; esac; sleep 0.05; done";
    let began = Clock::system();
    let (text, _) = record_script(&folder, &["--", "sh", "-c", clock], b"abcdq");
    assert!(began.now() < SOON, "{:?}", began.now());
    assert!(
        text.ends_with("Wait+Screen /(?m)^ready$/\nType \"abcdq\"\n"),
        "{text}"
    );
}

#[test]
fn tape_of_an_editor_session_writes_the_same_file() {
    let folder = Folder::new();
    let file = folder.join("notes.txt");
    let words = ["--", "vim", "-u", "NONE", "-N", &file];
    let (text, _) = record_script(&folder, &words, b"ihello there\x1bothe end\x1b:wq\r");
    assert!(text.contains("Escape\n"), "{text}");
    assert!(text.contains("Type \":wq\"\nEnter\n"), "{text}");
    let written = || fs::read_to_string(&file).unwrap();
    assert_passes_after(&folder, "out.tape", || {
        assert_eq!(written(), "hello there\nthe end\n");
        fs::remove_file(&file).unwrap();
    });
    assert_eq!(written(), "hello there\nthe end\n");
}

#[test]
fn recording_in_a_terminal_writes_a_tape_and_a_cassette() {
    let folder = Folder::new();
    let lines: String = (0..200)
        .map(|line| format!("line {line} of it\n"))
        .collect();
    let file = folder.file("long.txt", lines + "here it ends\n");
    let tape = folder.join("less.tape");
    let cassette = folder.join("less.cassette");
    let words = [
        "record", "--tape", &tape, "-o", &cassette, "--", "less", &file,
    ];
    let session = Session::start(&App::new(TOOL).args(words), SessionOptions::default()).unwrap();
    session.wait_for("line 0 of it", SOON).unwrap();
    session.press(Key::PageDown).unwrap();
    session.wait_for("line 30 of it", SOON).unwrap();
    session.press('G').unwrap();
    session.wait_for("here it ends", SOON).unwrap();
    session.type_text("/line 7 \r").unwrap();
    session.press('q').unwrap();
    session.wait_for_exit(SOON).unwrap();
    let output = session.screen().text();
    assert!(
        output.contains("recorded ") && output.contains("wrote "),
        "{output}"
    );
    let text = String::from_utf8(folder.read("less.tape")).unwrap();
    assert!(text.contains("PageDown\n"), "{text}");
    assert!(
        text.contains("Type \"G\"\nWait+Screen /(?m)^here it ends$/\n"),
        "{text}"
    );
    assert_passes(&folder, "less.tape");
    // Converting the cassette gives the same tape.
    let again = folder.join("again.tape");
    run(["convert", &cassette, "-o", &again]).noted();
    assert_eq!(folder.read("again.tape"), folder.read("less.tape"));
}

#[test]
fn recording_of_a_dialog_writes_a_tape() {
    let folder = Folder::new();
    let tape = folder.join("menu.tape");
    let words = [
        "record",
        "--tape",
        &tape,
        "--",
        "dialog",
        "--menu",
        "Choose a colour",
    ];
    let items = [
        "12", "40", "3", "red", "warm", "blue", "cold", "green", "between",
    ];
    let app = App::new(TOOL).args(words).args(items);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for("between", SOON).unwrap();
    session.press(Key::Down).unwrap();
    session.press(Key::Down).unwrap();
    session.press(Key::Tab).unwrap();
    session.press(Key::Enter).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let text = String::from_utf8(folder.read("menu.tape")).unwrap();
    assert!(text.contains("Down 2\nTab\nEnter\n"), "{text}");
    assert_passes(&folder, "menu.tape");
}

#[test]
fn hidden_input_is_left_out_of_the_tape() {
    let folder = Folder::new();
    let line = "read -sp 'Password: ' word; echo; echo welcome; read -p 'More? ' x";
    let words = ["--", "bash", "-c", line];
    let (text, ran) = record_script(&folder, &words, b"sesame\ry\r");
    assert!(!text.contains("sesame"), "{text}");
    let mut lines = text.lines().enumerate();
    let (number, comment) = lines
        .find(|(_, line)| line.starts_with("# hidden input, such as a password, was typed here"))
        .unwrap();
    assert!(
        comment.ends_with("insert `Type \"…\"` and `Enter`"),
        "{comment}"
    );
    let warning = format!(
        "warning: FOLDER/out.tape:{}: hidden input, such as a password, was typed here",
        number + 1
    );
    let output = folder.masked(&ran.stderr);
    assert!(output.contains(&warning), "{output}");
    assert!(
        output.contains("repeats the session, after you fill in the missing input"),
        "{output}"
    );
    // With the missing input filled in, the tape passes.
    let filled = text.replace(comment, "Type \"sesame\" Enter");
    fs::write(folder.join("out.tape"), filled).unwrap();
    assert_passes(&folder, "out.tape");
}

#[test]
fn invalid_tape_output_is_rejected_before_the_program_starts() {
    let folder = Folder::new();
    let there = folder.file("there.tape", "Type 'mine'\n");
    let mark = folder.join("ran");
    for (tape, command, expected) in [
        (
            there.as_str(),
            ["touch", &mark],
            "error: `FOLDER/there.tape` exists already\nhint: `--force` replaces it\n",
        ),
        (
            "demo",
            ["touch", &mark],
            "error: `--tape demo`: expected the extension .tape\nhint: `--tape demo.tape`\n",
        ),
        (
            &folder.join("x.tape"),
            ["touch", "a\nb"],
            "error: a tape cannot start `a\nb`: a word of its command contains a line break\nhint: put it into a script, and record the script\n",
        ),
    ] {
        let words = ["record", "--tape", tape, "--"];
        let failed = run(words.into_iter().chain(command)).failed(2);
        assert_eq!(folder.masked(&failed), expected);
    }
    assert_eq!(folder.names(), ["there.tape"]);
    assert_eq!(folder.read("there.tape"), b"Type 'mine'\n");
    let cast = folder.file(
        "x.cast",
        "{\"version\": 2, \"width\": 80, \"height\": 24}\n[0, \"o\", \"hi\"]\n",
    );
    let output = run(["convert", &cast, "-o", &folder.join("x.tape")]).failed(2);
    assert!(
        output.contains("does not contain the input that a tape repeats"),
        "{output}"
    );
}
