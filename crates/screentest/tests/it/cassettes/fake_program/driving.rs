//! The driver of the recording also drives the fake program, however its output is split. Different
//! input is reported.

use super::*;

/// Opens a file in vim, edits it, resizes it, and quits.
fn drive_vim(session: &Session) {
    let cursor = |row, col| Condition::CursorAt(Position { row, col });
    session.wait_for("three", TIMEOUT).unwrap();
    let opened = Condition::all([Condition::text("3L, 14B"), cursor(0, 0)]);
    session.wait_for(opened, TIMEOUT).unwrap();
    session.press(Key::Down).unwrap();
    session.wait_for(cursor(1, 0), TIMEOUT).unwrap();
    session.type_text("otwo and a half").unwrap();
    let typed = Condition::all([Condition::text("two and a half"), cursor(2, 14)]);
    session.wait_for(typed, TIMEOUT).unwrap();
    session.press(Key::Esc).unwrap();
    session.wait_for(cursor(2, 13), TIMEOUT).unwrap();
    session.resize(Size { cols: 50, rows: 9 }).unwrap();
    let small = Condition::new("9 rows, drawn", |screen| {
        screen.size.rows == 9 && screen.text().contains("two and a half")
    });
    session.wait_for(small, TIMEOUT).unwrap();
    session.type_text(":q!\r").unwrap();
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(0)
    );
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

fn vim(sandbox: &Sandbox) -> App {
    sandbox.app("vim").args([
        "-u",
        "NONE",
        "-N",
        "-i",
        "NONE",
        "-n",
        "--cmd",
        "set ttimeout ttimeoutlen=50",
        "words.txt",
    ])
}

#[test]
fn vim_is_driven_without_vim() {
    let sandbox = Sandbox::new().with("words.txt", "one\ntwo\nthree\n");
    let path = record(
        &vim(&sandbox),
        &sandbox.path().join("vim.cassette"),
        drive_vim,
    );
    for chunks in all_chunkings() {
        drive_vim(&play(FakeProgramOptions::of(&path).chunks(chunks)));
    }
}

#[test]
fn the_final_screen_equals_the_recorded_one() {
    let sandbox = Sandbox::new().with("words.txt", "one\ntwo\nthree\n");
    let mut shown = Vec::new();
    let path = sandbox.path().join("vim.cassette");
    record(&vim(&sandbox), &path, |session| {
        drive_vim(session);
        shown.push(session.screen());
    });
    let session = play(App::cassette(&path));
    drive_vim(&session);
    shown.push(session.screen());
    assert_eq!(shown[0], shown[1]);
}

/// Works in a shell with line editing: corrects mistakes, starts a program, and interrupts it.
fn drive_bash(session: &Session) {
    let shows = |text: &'static str| {
        Condition::new(text, move |screen| screen.text().trim_end().ends_with(text))
    };
    session.wait_for(shows(">"), TIMEOUT).unwrap();
    session.type_text("echo $((6*7))").unwrap();
    session.wait_for(shows("6*7))"), TIMEOUT).unwrap();
    for _ in 0..3 {
        session.press(Key::Backspace).unwrap();
    }
    session.type_text("8))").unwrap();
    session.press("Enter").unwrap();
    session.wait_for(shows("48\n>"), TIMEOUT).unwrap();
    // When this program prints, the shell has reset the terminal for it. Text typed earlier would
    // be echoed by the shell.
    session.type_text("sh -c 'echo $((2*3)); cat'\r").unwrap();
    session.wait_for(shows("cat'\n6"), TIMEOUT).unwrap();
    session.paste("mirror").unwrap();
    session.press("Enter").unwrap();
    session.wait_for(shows("mirror\nmirror"), TIMEOUT).unwrap();
    session.press("Ctrl+C").unwrap();
    session.wait_for(shows("^C\n>"), TIMEOUT).unwrap();
    session.press(Key::Up).unwrap();
    session.press(Key::Up).unwrap();
    session.wait_for(shows("> echo $((6*8))"), TIMEOUT).unwrap();
    session.press("Ctrl+U").unwrap();
    session.wait_for(shows("^C\n>"), TIMEOUT).unwrap();
    session.type_text("exit 7\r").unwrap();
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(7)
    );
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn bash_is_driven_without_bash() {
    let sandbox = Sandbox::new();
    let bash = sandbox.app("bash").args(["--norc", "-i"]).env("PS1", "> ");
    let path = record(&bash, &sandbox.path().join("bash.cassette"), drive_bash);
    for chunks in all_chunkings() {
        drive_bash(&play(FakeProgramOptions::of(&path).chunks(chunks)));
    }
}

const GREETING: &str = "printf 'name? '; read a; echo \"hello $a\"; read b; exit 3";

fn greeting(scratch: &Scratch) -> PathBuf {
    let path = scratch.path().join("greeting.cassette");
    record(&sh(GREETING), &path, |session| {
        session.wait_for("name?", TIMEOUT).unwrap();
        session.type_text("Bob\r").unwrap();
        session.wait_for("hello Bob", TIMEOUT).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
    })
}

#[test]
fn different_input_is_reported_with_the_expected_input() {
    let scratch = Scratch::new();
    let session = play(App::cassette(greeting(&scratch)));
    session.wait_for("name?", TIMEOUT).unwrap();
    session.type_text("Bill").unwrap();
    let failed = session.wait_for("hello", TIMEOUT).unwrap_err();
    assert!(matches!(failed, WaitError::Ended { .. }), "{failed}");
    let message = failed.report().unwrap().to_string();
    for words in [
        "screentest: the input differs from the recording",
        "greeting.cassette, input 1 of 3, at 0.",
        "expected  \"Bob\"",
        "received  \"Bill\"",
    ] {
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(session.exit_status(), Some(ExitStatus::Exited(MISMATCH)));
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn the_mismatch_message_is_shown_on_a_reset_terminal() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let turn_on = "printf '\\033[?1049h\\033[?25l\\033[?1003;1006;2004;1004;1h\\033[2;4r\\033[?7l\\033[?2026h\\033[31mready\\033[?2026l\\033]2;cut'; read a";
    record(&sh(turn_on), &path, |session| {
        session.wait_for("ready", TIMEOUT).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
    });
    let session = play(App::cassette(&path));
    session.wait_for("ready", TIMEOUT).unwrap();
    session.press("F5").unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    let screen = session.screen();
    assert!(screen.text().contains("expected  Enter (\\r)"), "{screen}");
    assert!(
        screen.text().contains("received  F5 (\\x1b[15~)"),
        "{screen}"
    );
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn patterns_and_any_input_accept_different_input() {
    let scratch = Scratch::new();
    let path = greeting(&scratch);
    let types = |how: FakeProgramOptions, name: &str| {
        let session = play(how);
        session.wait_for("name?", TIMEOUT).unwrap();
        session.type_text(name).unwrap();
        session.wait_for("hello Bob", TIMEOUT).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap()
    };
    let pattern = FakeProgramOptions::of(&path).pattern("[A-Z][a-z]+");
    assert_eq!(types(pattern, "Wilhelmina\r"), ExitStatus::Exited(3));
    let any = FakeProgramOptions::of(&path).matching(Matching::Any);
    assert_eq!(types(any, "tom\r"), ExitStatus::Exited(3));
}

#[test]
fn unrecorded_passwords_match_any_input() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let asks = "stty -echo; printf 'password: '; read p; stty echo; echo; [ \"$p\" = sesame ] && echo welcome; read q; exit 4";
    let drive = |session: &Session, password: &str| {
        session.wait_for("password:", TIMEOUT).unwrap();
        session.type_text(password).unwrap();
        session.press("Enter").unwrap();
        session.wait_for("welcome", TIMEOUT).unwrap();
        session.type_text("bye\r").unwrap();
        assert_eq!(
            session.wait_for_exit(TIMEOUT).unwrap(),
            ExitStatus::Exited(4)
        );
    };
    record(&sh(asks), &path, |session| drive(session, "sesame"));
    for chunks in all_chunkings() {
        let session = play(FakeProgramOptions::of(&path).chunks(chunks));
        drive(&session, "no idea");
    }
}

#[test]
fn resizes_and_signals_are_matched() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let script = "trap 'stty size' WINCH; trap 'echo signalled' USR1; echo ready; until [ \"$a\" = end ]; do read a; done";
    let other = Size { cols: 50, rows: 9 };
    let drive = |session: &Session| {
        session.wait_for("ready", TIMEOUT).unwrap();
        session.resize(other).unwrap();
        session.wait_for("9 50", TIMEOUT).unwrap();
        session.signal(Signal::USR1).unwrap();
        session.wait_for("signalled", TIMEOUT).unwrap();
        session.type_text("end\r").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
    };
    record(&sh(script), &path, drive);
    for chunks in all_chunkings() {
        drive(&play(FakeProgramOptions::of(&path).chunks(chunks)));
    }
    let session = play(App::cassette(&path));
    session.resize(Size { cols: 33, rows: 9 }).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    let message = session.screen().text();
    assert!(message.contains("expected  a resize to 50x9"), "{message}");
    assert!(message.contains("received  a resize to 33x9"), "{message}");
}

#[test]
fn a_recording_of_a_fake_program_is_the_same() {
    let scratch = Scratch::new();
    let first = greeting(&scratch);
    let second = scratch.path().join("second.cassette");
    record(&App::cassette(&first), &second, |session| {
        session.wait_for("name?", TIMEOUT).unwrap();
        session.type_text("Bob\r").unwrap();
        session.wait_for("hello Bob", TIMEOUT).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(TIMEOUT).unwrap();
    });
    let raw = |path: &Path| std::fs::read(path.join("output.raw")).unwrap();
    assert_eq!(raw(&first), raw(&second));
    screentest::recording::Cassette::open(&second)
        .unwrap()
        .verify()
        .unwrap();
}
