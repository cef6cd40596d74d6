//! `record`: through pipes, in a terminal, with invalid arguments, and interrupted.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;

use screentest::core::Size;
use screentest::core::formats::cassette::InputLineKind;
use screentest::recording::Cassette;
use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Session};

use crate::harness::cli::{
    Folder, TOOL, assert_absent, run, run_after_setup, run_with, run_with_env, start, wait_until,
};

const SOON: Duration = Duration::from_secs(20);

/// Checks the note about a successful recording and the path in it.
#[track_caller]
fn assert_recorded(said: &str, name: &str) {
    assert!(said.starts_with("note: recorded "), "{said}");
    assert!(said.contains(name), "{said}");
}

#[test]
fn stdin_is_typed_and_all_output_is_recorded() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let words = ["record", "-o", &path, "--cols", "40", "--rows", "5", "--"];
    let words = words
        .into_iter()
        .chain(["sh", "-c", "read a; echo got $a; exit 3"]);
    let run = run_with(words, b"hi\r");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(String::from_utf8_lossy(&run.stdout), "hi\r\ngot hi\r\n");
    assert_recorded(&run.stderr, "x.cassette: ");
    let verified = crate::harness::cli::run(["cassette", "verify", &path]).text();
    assert!(
        verified.contains("x.cassette: complete, 12 bytes of output, "),
        "{verified}"
    );
    let output = crate::harness::cli::run(["cassette", "inspect", &path]).text();
    for line in [
        "status    complete\n",
        "command   sh -c read a; echo got $a; exit 3\n",
        "terminal  40x5, xterm-256color\n",
        "ended     exit code 3\n",
    ] {
        assert!(output.contains(line), "{output}");
    }
    let shown = crate::harness::cli::run(["render-text", &path]).text();
    assert_eq!(shown, "hi\ngot hi\n");
    assert_eq!(folder.names(), ["x.cassette"]);
}

#[test]
fn end_of_stdin_is_sent_to_the_program() {
    let folder = Folder::new();
    for (name, typed, shown) in [
        ("none", &b""[..], "end\r\n"),
        ("lines", b"hi\n", "hi\r\nhi\r\nend\r\n"),
        ("begun", b"hi", "hihiend\r\n"),
    ] {
        let path = folder.join(&format!("{name}.cassette"));
        let words = ["record", "-o", &path, "--", "sh", "-c", "cat; echo end"];
        let run = run_with(words, typed);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(String::from_utf8_lossy(&run.stdout), shown, "{name}");
    }
}

#[test]
fn end_of_stdin_ends_a_shell_that_edits_its_line() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let script = "PS1='> ' exec bash --norc --noprofile -i";
    let words = ["record", "-o", &path, "--", "sh", "-c", script];
    let run = run_with(words, b"echo $((6 * 7))\n");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let shown = crate::harness::cli::run(["render-text", &path]).text();
    assert!(shown.contains("\n42\n"), "{shown}");
}

#[test]
fn terminal_without_a_size_uses_the_size_options() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let script = format!("stty rows 0 cols 0; '{TOOL}' record -o '{path}' --cols 50 -- true");
    let app = App::new("sh").args(["-c", &script]);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let output = run(["cassette", "inspect", &path]).text();
    assert!(output.contains("terminal  50x24, "), "{output}");
}

#[test]
fn recording_in_a_terminal_passes_input_output_and_resizes_through() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let app = App::new(TOOL)
        .args(["record", "-o", &path, "--", "sh", "-c"])
        // The signal can end a `read` without a line, so the loop continues.
        .arg("stty size; trap 'stty size' WINCH; until [ \"$a\" = end ]; do read a && echo \"got $a\"; done");
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for("24 80", SOON).unwrap();
    session.type_text("one\r").unwrap();
    session.wait_for("got one", SOON).unwrap();
    session.resize(Size { cols: 60, rows: 20 }).unwrap();
    session.wait_for("20 60", SOON).unwrap();
    session.type_text("two\r").unwrap();
    session.wait_for("got two", SOON).unwrap();
    session.type_text("end\r").unwrap();
    session.wait_for_exit(SOON).unwrap();
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
    assert_recorded(
        session
            .screen()
            .text()
            .lines()
            .find(|line| line.starts_with("note"))
            .unwrap(),
        "",
    );
    let cassette = Cassette::open(&path).unwrap();
    cassette.verify().unwrap();
    let inputs = cassette.inputs().unwrap();
    let resized = |line: &screentest::core::formats::cassette::InputLine| {
        matches!(line.kind, InputLineKind::Resize { cols: 60, rows: 20 })
    };
    assert!(inputs.iter().any(resized), "{inputs:?}");
    let typed: Vec<u8> = inputs
        .iter()
        .filter_map(|line| line.kind.bytes())
        .flatten()
        .copied()
        .collect();
    assert_eq!(typed, b"one\rtwo\rend\r", "{inputs:?}");
}

#[test]
fn outer_terminal_answers_queries() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let app = App::new(TOOL)
        .args(["record", "-o", &path, "--", "sh", "-c"])
        .arg("stty raw -echo; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c; stty sane");
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let inputs = Cassette::open(&path).unwrap().inputs().unwrap();
    // One reply, recorded as such although echo is off, and none from our own emulator.
    let kinds: Vec<&InputLineKind> = inputs.iter().map(|line| &line.kind).collect();
    let [InputLineKind::Reply { bytes }] = kinds[..] else {
        panic!("{inputs:?}");
    };
    assert_eq!(bytes.0, b"\x1b[1;1R");
}

#[test]
fn invalid_recordings_are_rejected_before_the_program_starts() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let started = folder.join("started");
    let record = |options: &[&str]| {
        let program = ["--", "touch", &started];
        let words = ["record"].iter().chain(options).chain(&program);
        folder.masked(&run(words).failed(2))
    };
    fs::create_dir(&path).unwrap();
    assert_eq!(
        record(&["-o", &path]),
        "error: `FOLDER/x.cassette` exists already: choose another name or replace it explicitly\n\
         hint: `--force` replaces it\n"
    );
    assert_eq!(
        record(&["-o", &folder.join("x.mp4")]),
        "error: `-o FOLDER/x.mp4`: expected the extension .cassette (a cassette) or .cast (an asciicast)\n\
         hint: `-o FOLDER/x.mp4.cassette`\n"
    );
    fs::create_dir(folder.join("y.cassette.part")).unwrap();
    assert_eq!(
        record(&["-o", &folder.join("y.cassette")]),
        "error: `FOLDER/y.cassette.part` is left over from an interrupted recording: run `screentest cassette recover` on it, \
         or remove it\n"
    );
    assert_eq!(
        record(&["-o", &folder.join("no/x.cassette")]),
        "error: could not write `FOLDER/no/x.cassette`: No such file or directory (os error 2)\n"
    );
    let z = folder.join("z.cassette");
    assert_eq!(
        record(&["-o", &z, "--secret", "NOPE"]),
        "error: the secret `NOPE` is not set in the program's environment: set it, or leave it out\n\
         hint: `--env NAME=value` sets it\n"
    );
    assert_eq!(
        record(&["-o", &z, "--secret", "PIN", "--env", "PIN=123"]),
        "error: the value of `PIN` is too short to redact: at least 4 characters are needed; use a longer value, or leave `PIN` out\n"
    );
    assert_eq!(folder.names(), ["x.cassette", "y.cassette.part"]);
}

#[test]
fn secret_is_in_no_file_of_the_cassette() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let words = [
        "record",
        "-o",
        &path,
        "--secret",
        "WORD",
        "--env",
        "WORD=open sesame",
        "--",
    ];
    let words = words
        .into_iter()
        .chain(["sh", "-c", "read a; echo \"$WORD: $a\""]);
    let run = run_with(words, b"open sesame\r");
    assert!(
        run.stderr.contains(", 4 secrets redacted"),
        "{}",
        run.stderr
    );
    // Only the recording is redacted, not the live output.
    assert!(String::from_utf8_lossy(&run.stdout).contains("open sesame: open sesame"));
    assert_absent(&path, "sesame");
}

/// Number of times that a recorder is killed: few by default, many with `SCREENTEST_FULL`.
fn rounds() -> u64 {
    match std::env::var_os("SCREENTEST_FULL") {
        Some(_) => 200,
        None => 12,
    }
}

#[test]
fn recorder_killed_at_any_time_leaves_a_recoverable_cassette() {
    let folder = Folder::new();
    for round in 0..rounds() {
        let path = folder.join(&format!("{round}.cassette"));
        let part = folder.join(&format!("{round}.cassette.part"));
        let words = ["record", "-o", &path, "--", "sh", "-c"];
        let busy = "while :; do echo \"line $((n=n+1)) of many\"; done";
        let mut recorder = start(words.into_iter().chain([busy]));
        // Varies from before the first line to thousands of lines.
        let enough = (round * round * 97) % 40_000;
        wait_until("enough output is recorded", || {
            let written = fs::metadata(Path::new(&part).join("output.raw"));
            written.is_ok_and(|file| file.len() >= enough)
                && Path::new(&part).join("start.json").exists()
        });
        recorder.kill().unwrap();
        recorder.wait().unwrap();
        let recovered = run(["cassette", "recover", &part]).text();
        assert!(recovered.contains(".cassette: recovered, "), "{recovered}");
        let verified = run(["cassette", "verify", &path]).text();
        assert!(
            verified.contains("without the program's exit"),
            "{verified}"
        );
        let raw = fs::read_to_string(Path::new(&path).join("output.raw")).unwrap();
        assert!(
            raw.is_empty() || raw.starts_with("line 1 of many\r\n"),
            "{raw}"
        );
        assert!(raw.len() as u64 + 100_000 > enough);
    }
}

#[test]
fn recorder_killed_while_publishing_leaves_a_recoverable_cassette() {
    let folder = Folder::new();
    let script =
        "read a; echo \"got $a $WORD\"; printf 'open se\\033[20;1Hx\\033[1;8Hsame'; seq 400";
    let signs = [
        "final.json.new",
        "final.json",
        "scrub-report.json",
        "manifest.json.new",
        "manifest.json",
    ];
    for round in 0..rounds() / 4 {
        let path = folder.join(&format!("{round}.cassette"));
        let part = folder.join(&format!("{round}.cassette.part"));
        let words = ["record", "-o", &path, "--env", "WORD=open sesame"];
        let words = words
            .into_iter()
            .chain(["--secret", "WORD", "--", "sh", "-c", script]);
        let mut recorder = start(words);
        let mut input = recorder.stdin.take().unwrap();
        input.write_all(b"word\r").unwrap();
        let sign = signs[round as usize % signs.len()];
        let (sign, published) = (Path::new(&part).join(sign), Path::new(&path));
        wait_until("the recorder publishes", || {
            sign.exists() || published.exists()
        });
        recorder.kill().unwrap();
        recorder.wait().unwrap();
        if !published.exists() {
            let words = ["cassette", "recover", "--secret", "WORD", &part];
            let recovered = run_with_env(&[("WORD", "open sesame")], words).text();
            // The cassette is complete if only the final rename was missing.
            assert!(recovered.contains(".cassette: "), "{recovered}");
        }
        run(["cassette", "verify", &path]).text();
        assert_absent(&path, "sesame");
    }
}

#[test]
fn terminated_recorder_publishes_the_cassette() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let words = ["record", "-o", &path, "--", "sh", "-c", "echo ready; cat"];
    let app = App::new(TOOL).args(words);
    let session = Session::start(&app, SessionOptions::default()).unwrap();
    session.wait_for("ready", SOON).unwrap();
    session.signal(screentest::Signal::TERM).unwrap();
    let exit_status = session.wait_for_exit(SOON).unwrap();
    assert_eq!(exit_status, ExitStatus::Signaled(screentest::Signal::TERM));
    let cassette = Cassette::open(&path).unwrap();
    cassette.verify().unwrap();
    assert!(cassette.ending().ended());
}

#[test]
fn closed_stdout_ends_the_recording() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let mut child = start(["record", "-o", &path, "--", "yes"]);
    let mut two = [0; 6];
    child.stdout.take().unwrap().read_exact(&mut two).unwrap();
    assert_eq!(&two, b"y\r\ny\r\n");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.signal(), Some(13), "{ended:?}");
    assert_recorded(&String::from_utf8_lossy(&ended.stderr), "x.cassette");
    Cassette::open(&path).unwrap().verify().unwrap();
}

#[test]
fn leftover_beside_a_cassette_is_recovered_under_another_name() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    run(["record", "-o", &path, "--", "echo", "old"]);
    let mut recorder = start([
        "record",
        "--force",
        "-o",
        &path,
        "--",
        "sh",
        "-c",
        "echo new; read x",
    ]);
    let part = folder.join("x.cassette.part");
    wait_until("a time is recorded", || {
        let times = fs::read_to_string(Path::new(&part).join("output.jsonl"));
        times.is_ok_and(|times| times.ends_with('\n'))
    });
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let output = run(["cassette", "recover", &part]).failed(2);
    assert!(
        folder
            .masked(&output)
            .contains("`mv FOLDER/x.cassette.part other.cassette.part`"),
        "{output}"
    );
    let other = folder.join("other.cassette.part");
    fs::rename(&part, &other).unwrap();
    let output = run(["cassette", "recover", &other]).text();
    assert!(output.contains("other.cassette: recovered, "), "{output}");
    assert!(output.ends_with(" s, 5 bytes of output\n"), "{output}");
}

#[test]
fn file_size_limit_is_reported_and_the_recording_is_recoverable() {
    let folder = Folder::new();
    let (path, part) = (folder.join("x.cassette"), folder.join("x.cassette.part"));
    let large = folder.join("large");
    // Writing beyond the limit ends `seq`, as it does without a recorder.
    let script = "echo first; until [ -s \"$0/output.jsonl\" ]; do :; done; seq 9000; seq 9000 >\"$1\"; echo \"ended $?\"";
    let words = [
        "record", "-o", &path, "--", "sh", "-c", script, &part, &large,
    ];
    let recorded = run_after_setup("ulimit -f 16", words);
    assert_eq!(recorded.code, Some(2), "{}", recorded.stderr);
    let shown = String::from_utf8_lossy(&recorded.stdout);
    assert!(shown.contains("ended 153"), "{shown}");
    let output = folder.masked(&recorded.stderr);
    let file = "error: could not write `FOLDER/x.cassette.part/";
    let rest = "`: File too large (os error 27)\n\
         hint: the recording so far is in `FOLDER/x.cassette.part`: \
         recover it with `screentest cassette recover FOLDER/x.cassette.part`, or remove it\n";
    assert!(
        output.starts_with(file) && output.ends_with(rest),
        "{output}"
    );
    run(["cassette", "recover", &part]).text();
    run(["cassette", "verify", &path]).text();
    let raw = fs::read_to_string(Path::new(&path).join("output.raw")).unwrap();
    assert!(raw.starts_with("first\r\n"), "{raw}");
    // Other files are written completely or not at all.
    let words = [
        "convert",
        &large,
        "--from",
        "ansi",
        "-o",
        &folder.join("x.json"),
    ];
    let output = folder.masked(&run_after_setup("ulimit -f 1", words).failed(2));
    let rest = "error: could not write `FOLDER/x.json`: File too large (os error 27)\n";
    assert!(output.ends_with(rest), "{output}");
    // No folder is left if not even its first file could be written.
    let cast = folder.file("x.cast", "{\"version\":2,\"width\":80,\"height\":24}\n");
    let words = ["convert", &cast, "-o", &folder.join("y.cassette")];
    let output = folder.masked(&run_after_setup("ulimit -f 0", words).failed(2));
    let rest = "error: could not write `FOLDER/y.cassette.part/start.json`: File too large (os error 27)\n";
    assert_eq!(output, rest);
    assert_eq!(folder.names(), ["large", "x.cassette", "x.cast"]);
}

#[test]
fn damaged_cassettes_and_other_files_are_reported() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    run([
        "record",
        "-o",
        &path,
        "--",
        "printf",
        "\\033[1mhello\\033[0m",
    ]);
    let agree = run(["cassette", "compare-backends", &path, "--with", "vt"]);
    assert_eq!(agree.code, Some(0), "{}", agree.stderr);
    let raw = Path::new(&path).join("output.raw");
    fs::write(&raw, fs::read(&raw).unwrap().to_ascii_uppercase()).unwrap();
    let output = folder.masked(&run(["cassette", "verify", &path]).failed(2));
    assert!(
        output.contains("`FOLDER/x.cassette/output.raw` was changed: its digest is `"),
        "{output}"
    );
    let output = run(["cassette", "inspect", &folder.join("no.cassette")]).failed(2);
    assert!(
        output.contains("is not a cassette: there is no such directory"),
        "{output}"
    );
    let file = folder.file("x.cast", "");
    assert_eq!(
        folder.masked(&run(["cassette", "inspect", &file]).failed(2)),
        "error: `FOLDER/x.cast` is not a cassette: not a directory\nhint: `screentest convert` converts an asciicast to a cassette\n"
    );
    let output = run(["cassette", "inspect", &path, "--mark", "x"]).failed(2);
    assert_eq!(output, "error: the cassette has no mark `x`; it has none\n");
}
