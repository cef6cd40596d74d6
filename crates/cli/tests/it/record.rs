//! Recording with the tool: through pipes, in a terminal, refused, and cut off.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;

use screentest::core::Size;
use screentest::core::formats::cassette::InputKind;
use screentest::{App, Cassette, ExitStatus, Options, Session};

use crate::tool::{Folder, TOOL, nowhere, run, run_limited, run_under, run_with, start, until};

const SOON: Duration = Duration::from_secs(20);

/// Says that a recording went well, and where it is.
#[track_caller]
fn recorded(said: &str, name: &str) {
    assert!(said.starts_with("note: recorded "), "{said}");
    assert!(said.contains(name), "{said}");
}

#[test]
fn what_comes_from_stdin_is_typed_and_all_is_kept() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let words = ["record", "-o", &path, "--cols", "40", "--rows", "5", "--"];
    let words = words
        .into_iter()
        .chain(["sh", "-c", "read a; echo got $a; exit 3"]);
    let run = run_with(words, b"hi\r");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(String::from_utf8_lossy(&run.stdout), "hi\r\ngot hi\r\n");
    recorded(&run.stderr, "x.cassette: ");
    let verified = crate::tool::run(["cassette", "verify", &path]).text();
    assert!(
        verified.contains("x.cassette: complete, 12 bytes of output, "),
        "{verified}"
    );
    let told = crate::tool::run(["cassette", "inspect", &path]).text();
    for line in [
        "status    complete\n",
        "command   sh -c read a; echo got $a; exit 3\n",
        "terminal  40x5, xterm-256color\n",
        "ended     exit code 3\n",
    ] {
        assert!(told.contains(line), "{told}");
    }
    let shown = crate::tool::run(["render-text", &path]).text();
    assert_eq!(shown, "hi\ngot hi\n");
    assert_eq!(folder.names(), ["x.cassette"]);
}

#[test]
fn the_end_of_stdin_ends_who_reads_lines() {
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
fn a_terminal_that_does_not_say_its_size_has_that_of_the_options() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let script = format!("stty rows 0 cols 0; '{TOOL}' record -o '{path}' --cols 50 -- true");
    let app = App::new("sh").args(["-c", &script]);
    let session = Session::start(&app, Options::default()).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let told = run(["cassette", "inspect", &path]).text();
    assert!(told.contains("terminal  50x24, "), "{told}");
}

#[test]
fn a_person_does_not_see_that_it_is_recorded() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let app = App::new(TOOL)
        .args(["record", "-o", &path, "--", "sh", "-c"])
        // The signal may end a `read` without a line; it is not the end of all.
        .arg("stty size; trap 'stty size' WINCH; until [ \"$a\" = end ]; do read a && echo \"got $a\"; done");
    let session = Session::start(&app, Options::default()).unwrap();
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
    recorded(
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
        matches!(line.kind, InputKind::Resize { cols: 60, rows: 20 })
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
fn the_terminal_of_the_person_answers() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let app = App::new(TOOL)
        .args(["record", "-o", &path, "--", "sh", "-c"])
        .arg("stty raw -echo; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c; stty sane");
    let session = Session::start(&app, Options::default()).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let inputs = Cassette::open(&path).unwrap().inputs().unwrap();
    // One answer, which nobody typed, although nothing is shown that is typed; and none of our own.
    let kinds: Vec<&InputKind> = inputs.iter().map(|line| &line.kind).collect();
    let [InputKind::Reply { bytes }] = kinds[..] else {
        panic!("{inputs:?}");
    };
    assert_eq!(bytes.0, b"\x1b[1;1R");
}

#[test]
fn what_cannot_be_recorded_is_told_before_anything_runs() {
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
        "error: `-o FOLDER/x.mp4`: a recording is a cassette, whose name ends in .cassette, or an asciicast, whose name ends in .cast\n\
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
fn a_secret_is_nowhere() {
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
    assert!(run.stderr.contains(", 4 secrets covered"), "{}", run.stderr);
    // Only what is kept is covered.
    assert!(String::from_utf8_lossy(&run.stdout).contains("open sesame: open sesame"));
    nowhere(&path, "sesame");
}

/// How often a recorder is killed: few times while one works, many where `SCREENTEST_FULL` is set.
fn rounds() -> u64 {
    match std::env::var_os("SCREENTEST_FULL") {
        Some(_) => 200,
        None => 12,
    }
}

#[test]
fn a_recorder_that_is_killed_at_any_moment_leaves_a_cassette() {
    let folder = Folder::new();
    for round in 0..rounds() {
        let path = folder.join(&format!("{round}.cassette"));
        let part = folder.join(&format!("{round}.cassette.part"));
        let words = ["record", "-o", &path, "--", "sh", "-c"];
        let busy = "while :; do echo \"line $((n=n+1)) of many\"; done";
        let mut recorder = start(words.into_iter().chain([busy]));
        // As far as chance has it: before the first line, or thousands of them later.
        let enough = (round * round * 97) % 40_000;
        until("enough is recorded", || {
            let written = fs::metadata(Path::new(&part).join("output.raw"));
            written.is_ok_and(|file| file.len() >= enough)
                && Path::new(&part).join("start.json").exists()
        });
        recorder.kill().unwrap();
        recorder.wait().unwrap();
        let recovered = run(["cassette", "recover", &part]).text();
        assert!(recovered.contains(".cassette: recovered, "), "{recovered}");
        let verified = run(["cassette", "verify", &path]).text();
        assert!(verified.contains("without the program's end"), "{verified}");
        let raw = fs::read_to_string(Path::new(&path).join("output.raw")).unwrap();
        assert!(
            raw.is_empty() || raw.starts_with("line 1 of many\r\n"),
            "{raw}"
        );
        assert!(raw.len() as u64 + 100_000 > enough);
    }
}

#[test]
fn a_recorder_that_is_killed_while_it_publishes_leaves_a_cassette() {
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
        until("it publishes", || sign.exists() || published.exists());
        recorder.kill().unwrap();
        recorder.wait().unwrap();
        if !published.exists() {
            let words = ["cassette", "recover", "--secret", "WORD", &part];
            let recovered = run_under(&[("WORD", "open sesame")], words).text();
            // Whole, if nothing but the publication was left to do.
            assert!(recovered.contains(".cassette: "), "{recovered}");
        }
        run(["cassette", "verify", &path]).text();
        nowhere(&path, "sesame");
    }
}

#[test]
fn a_recorder_that_is_asked_to_end_publishes() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let words = ["record", "-o", &path, "--", "sh", "-c", "echo ready; cat"];
    let app = App::new(TOOL).args(words);
    let session = Session::start(&app, Options::default()).unwrap();
    session.wait_for("ready", SOON).unwrap();
    session.signal(screentest::Signal::TERM).unwrap();
    let outcome = session.wait_for_exit(SOON).unwrap();
    assert_eq!(outcome, ExitStatus::Signaled(screentest::Signal::TERM));
    let cassette = Cassette::open(&path).unwrap();
    cassette.verify().unwrap();
    assert!(cassette.ending().ended());
}

#[test]
fn a_pipe_that_nobody_reads_any_more_ends_a_recording() {
    let folder = Folder::new();
    let path = folder.join("x.cassette");
    let mut child = start(["record", "-o", &path, "--", "yes"]);
    let mut two = [0; 6];
    child.stdout.take().unwrap().read_exact(&mut two).unwrap();
    assert_eq!(&two, b"y\r\ny\r\n");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.signal(), Some(13), "{ended:?}");
    recorded(&String::from_utf8_lossy(&ended.stderr), "x.cassette");
    Cassette::open(&path).unwrap().verify().unwrap();
}

#[test]
fn what_is_left_beside_a_cassette_is_recovered_under_another_name() {
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
    until("something is recorded", || {
        let times = fs::read_to_string(Path::new(&part).join("output.jsonl"));
        times.is_ok_and(|times| times.ends_with('\n'))
    });
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let told = run(["cassette", "recover", &part]).failed(2);
    assert!(
        folder
            .masked(&told)
            .contains("`mv FOLDER/x.cassette.part other.cassette.part`"),
        "{told}"
    );
    let other = folder.join("other.cassette.part");
    fs::rename(&part, &other).unwrap();
    let told = run(["cassette", "recover", &other]).text();
    assert!(told.contains("other.cassette: recovered, "), "{told}");
    assert!(told.ends_with(" s, 5 bytes of output\n"), "{told}");
}

#[test]
fn a_file_that_may_not_grow_is_told_and_what_was_recorded_is_not_lost() {
    let folder = Folder::new();
    let (path, part) = (folder.join("x.cassette"), folder.join("x.cassette.part"));
    let large = folder.join("large");
    // What is written beyond the limit ends the program, as it would without us.
    let script = "echo first; until [ -s \"$0/output.jsonl\" ]; do :; done; seq 9000; seq 9000 >\"$1\"; echo \"ended $?\"";
    let words = [
        "record", "-o", &path, "--", "sh", "-c", script, &part, &large,
    ];
    let recorded = run_limited("ulimit -f 16", words);
    assert_eq!(recorded.code, Some(2), "{}", recorded.stderr);
    let shown = String::from_utf8_lossy(&recorded.stdout);
    assert!(shown.contains("ended 153"), "{shown}");
    let told = folder.masked(&recorded.stderr);
    let file = "error: could not write `FOLDER/x.cassette.part/";
    let rest = "`: File too large (os error 27)\n\
         hint: what was recorded before is in `FOLDER/x.cassette.part`: \
         `screentest cassette recover FOLDER/x.cassette.part` makes a cassette of it; or remove it\n";
    assert!(told.starts_with(file) && told.ends_with(rest), "{told}");
    run(["cassette", "recover", &part]).text();
    run(["cassette", "verify", &path]).text();
    let raw = fs::read_to_string(Path::new(&path).join("output.raw")).unwrap();
    assert!(raw.starts_with("first\r\n"), "{raw}");
    // Any other file is whole or not there.
    let words = [
        "convert",
        &large,
        "--from",
        "ansi",
        "-o",
        &folder.join("x.json"),
    ];
    let told = folder.masked(&run_limited("ulimit -f 1", words).failed(2));
    let rest = "error: could not write `FOLDER/x.json`: File too large (os error 27)\n";
    assert!(told.ends_with(rest), "{told}");
    // Nor is a folder left in which not even the first file could be written.
    let cast = folder.file("x.cast", "{\"version\":2,\"width\":80,\"height\":24}\n");
    let words = ["convert", &cast, "-o", &folder.join("y.cassette")];
    let told = folder.masked(&run_limited("ulimit -f 0", words).failed(2));
    let rest = "error: could not write `FOLDER/y.cassette.part/start.json`: File too large (os error 27)\n";
    assert_eq!(told, rest);
    assert_eq!(folder.names(), ["large", "x.cassette", "x.cast"]);
}

#[test]
fn damaged_and_foreign_cassettes_are_told() {
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
    let agree = run(["cassette", "compare-backends", &path, "--with", "alacritty"]);
    assert_eq!(agree.code, Some(0), "{}", agree.stderr);
    let raw = Path::new(&path).join("output.raw");
    fs::write(&raw, fs::read(&raw).unwrap().to_ascii_uppercase()).unwrap();
    let told = folder.masked(&run(["cassette", "verify", &path]).failed(2));
    assert!(
        told.contains("`FOLDER/x.cassette/output.raw` was changed: its digest is `"),
        "{told}"
    );
    let told = run(["cassette", "inspect", &folder.join("no.cassette")]).failed(2);
    assert!(
        told.contains("is not a cassette: there is no such directory"),
        "{told}"
    );
    let file = folder.file("x.cast", "");
    assert_eq!(
        folder.masked(&run(["cassette", "inspect", &file]).failed(2)),
        "error: `FOLDER/x.cast` is not a cassette: not a directory\nhint: `screentest convert` makes a cassette of an asciicast\n"
    );
    let told = run(["cassette", "inspect", &path, "--mark", "x"]).failed(2);
    assert_eq!(told, "error: the cassette has no mark `x`; it has none\n");
}
