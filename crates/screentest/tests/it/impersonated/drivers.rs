//! The same driver, and no program: it passes with all pieces, and one that does something else is told what.

use super::*;

/// Opens a file in vim, changes it, looks around, and leaves.
fn drive_vim(session: &Session) {
    let cursor = |row, col| Condition::CursorAt(Position { row, col });
    session.wait_for("three", SOON).unwrap();
    let opened = Condition::all([Condition::text("3L, 14B"), cursor(0, 0)]);
    session.wait_for(opened, SOON).unwrap();
    session.press(Key::Down).unwrap();
    session.wait_for(cursor(1, 0), SOON).unwrap();
    session.type_text("otwo and a half").unwrap();
    let typed = Condition::all([Condition::text("two and a half"), cursor(2, 14)]);
    session.wait_for(typed, SOON).unwrap();
    session.press(Key::Esc).unwrap();
    session.wait_for(cursor(2, 13), SOON).unwrap();
    session.resize(Size { cols: 50, rows: 9 }).unwrap();
    let small = Condition::new("9 rows, drawn", |screen| {
        screen.size.rows == 9 && screen.text().contains("two and a half")
    });
    session.wait_for(small, SOON).unwrap();
    session.type_text(":q!\r").unwrap();
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

fn vim(desk: &Desk) -> App {
    desk.app("vim").args([
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
    let desk = Desk::new().with("words.txt", "one\ntwo\nthree\n");
    let path = record(&vim(&desk), &desk.path().join("vim.cassette"), drive_vim);
    for chunks in all_chunks() {
        drive_vim(&play(Impersonation::of(&path).chunks(chunks)));
    }
}

#[test]
fn what_is_shown_is_what_was_shown() {
    let desk = Desk::new().with("words.txt", "one\ntwo\nthree\n");
    let mut shown = Vec::new();
    let path = desk.path().join("vim.cassette");
    record(&vim(&desk), &path, |session| {
        drive_vim(session);
        shown.push(session.screen());
    });
    let session = play(App::cassette(&path));
    drive_vim(&session);
    shown.push(session.screen());
    assert_eq!(shown[0], shown[1]);
}

/// Works in a shell that edits its lines itself, makes mistakes, and interrupts.
fn drive_bash(session: &Session) {
    let shows = |text: &'static str| {
        Condition::new(text, move |screen| screen.text().trim_end().ends_with(text))
    };
    session.wait_for(shows(">"), SOON).unwrap();
    session.type_text("echo $((6*7))").unwrap();
    session.wait_for(shows("6*7))"), SOON).unwrap();
    for _ in 0..3 {
        session.press(Key::Backspace).unwrap();
    }
    session.type_text("8))").unwrap();
    session.press("Enter").unwrap();
    session.wait_for(shows("48\n>"), SOON).unwrap();
    // A program of its own, which says when the terminal is as it should be: a shell shows what was typed before that.
    session.type_text("sh -c 'echo $((2*3)); cat'\r").unwrap();
    session.wait_for(shows("cat'\n6"), SOON).unwrap();
    session.paste("mirror").unwrap();
    session.press("Enter").unwrap();
    session.wait_for(shows("mirror\nmirror"), SOON).unwrap();
    session.press("Ctrl+C").unwrap();
    session.wait_for(shows("^C\n>"), SOON).unwrap();
    session.press(Key::Up).unwrap();
    session.press(Key::Up).unwrap();
    session.wait_for(shows("> echo $((6*8))"), SOON).unwrap();
    session.press("Ctrl+U").unwrap();
    session.wait_for(shows("^C\n>"), SOON).unwrap();
    session.type_text("exit 7\r").unwrap();
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(7));
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn bash_is_driven_without_bash() {
    let desk = Desk::new();
    let bash = desk.app("bash").args(["--norc", "-i"]).env("PS1", "> ");
    let path = record(&bash, &desk.path().join("bash.cassette"), drive_bash);
    for chunks in all_chunks() {
        drive_bash(&play(Impersonation::of(&path).chunks(chunks)));
    }
}

const GREETING: &str = "printf 'name? '; read a; echo \"hello $a\"; read b; exit 3";

fn greeting(scratch: &Scratch) -> PathBuf {
    let path = scratch.path().join("greeting.cassette");
    record(&sh(GREETING), &path, |session| {
        session.wait_for("name?", SOON).unwrap();
        session.type_text("Bob\r").unwrap();
        session.wait_for("hello Bob", SOON).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(SOON).unwrap();
    })
}

#[test]
fn a_driver_that_types_something_else_is_told_what_was_expected() {
    let scratch = Scratch::new();
    let session = play(App::cassette(greeting(&scratch)));
    session.wait_for("name?", SOON).unwrap();
    session.type_text("Bill").unwrap();
    let failed = session.wait_for("hello", SOON).unwrap_err();
    assert!(matches!(failed, WaitError::Ended { .. }), "{failed}");
    let told = failed.report().unwrap().to_string();
    for words in [
        "screentest: the input differs from the recording",
        "greeting.cassette, input 1 of 3, at 0.",
        "expected  \"Bob\"",
        "received  \"Bill\"",
    ] {
        assert!(told.contains(words), "{told}");
    }
    assert_eq!(session.outcome(), Some(ExitStatus::Exited(MISMATCH)));
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn what_is_told_stands_on_a_terminal_as_new() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let turn_on = "printf '\\033[?1049h\\033[?25l\\033[?1003;1006;2004;1004;1h\\033[2;4r\\033[?7l\\033[?2026h\\033[31mready\\033[?2026l\\033]2;cut'; read a";
    record(&sh(turn_on), &path, |session| {
        session.wait_for("ready", SOON).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(SOON).unwrap();
    });
    let session = play(App::cassette(&path));
    session.wait_for("ready", SOON).unwrap();
    session.press("F5").unwrap();
    session.wait_for_exit(SOON).unwrap();
    let screen = session.screen();
    assert!(screen.text().contains("expected  Enter (\\r)"), "{screen}");
    assert!(
        screen.text().contains("received  F5 (\\x1b[15~)"),
        "{screen}"
    );
    assert!(session.leftovers().is_empty(), "{:?}", session.leftovers());
}

#[test]
fn a_driver_may_type_something_else_where_it_may() {
    let scratch = Scratch::new();
    let path = greeting(&scratch);
    let types = |how: Impersonation, name: &str| {
        let session = play(how);
        session.wait_for("name?", SOON).unwrap();
        session.type_text(name).unwrap();
        session.wait_for("hello Bob", SOON).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(SOON).unwrap()
    };
    let pattern = Impersonation::of(&path).pattern("[A-Z][a-z]+");
    assert_eq!(types(pattern, "Wilhelmina\r"), ExitStatus::Exited(3));
    let any = Impersonation::of(&path).matching(Matching::Any);
    assert_eq!(types(any, "tom\r"), ExitStatus::Exited(3));
}

#[test]
fn passwords_are_not_needed() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let asks = "stty -echo; printf 'password: '; read p; stty echo; echo; [ \"$p\" = sesame ] && echo welcome; read q; exit 4";
    let drive = |session: &Session, password: &str| {
        session.wait_for("password:", SOON).unwrap();
        session.type_text(password).unwrap();
        session.press("Enter").unwrap();
        session.wait_for("welcome", SOON).unwrap();
        session.type_text("bye\r").unwrap();
        assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(4));
    };
    record(&sh(asks), &path, |session| drive(session, "sesame"));
    for chunks in all_chunks() {
        let session = play(Impersonation::of(&path).chunks(chunks));
        drive(&session, "no idea");
    }
}

#[test]
fn sizes_and_signals_are_answered() {
    let scratch = Scratch::new();
    let path = scratch.path().join("x.cassette");
    let script = "trap 'stty size' WINCH; trap 'echo signalled' USR1; echo ready; until [ \"$a\" = end ]; do read a; done";
    let other = Size { cols: 50, rows: 9 };
    let drive = |session: &Session| {
        session.wait_for("ready", SOON).unwrap();
        session.resize(other).unwrap();
        session.wait_for("9 50", SOON).unwrap();
        session.signal(Signal::USR1).unwrap();
        session.wait_for("signalled", SOON).unwrap();
        session.type_text("end\r").unwrap();
        session.wait_for_exit(SOON).unwrap();
    };
    record(&sh(script), &path, drive);
    for chunks in all_chunks() {
        drive(&play(Impersonation::of(&path).chunks(chunks)));
    }
    let session = play(App::cassette(&path));
    session.resize(Size { cols: 33, rows: 9 }).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let told = session.screen().text();
    assert!(told.contains("expected  a resize to 50x9"), "{told}");
    assert!(told.contains("received  a resize to 33x9"), "{told}");
}

#[test]
fn a_recording_of_a_recording_is_the_same() {
    let scratch = Scratch::new();
    let first = greeting(&scratch);
    let second = scratch.path().join("second.cassette");
    record(&App::cassette(&first), &second, |session| {
        session.wait_for("name?", SOON).unwrap();
        session.type_text("Bob\r").unwrap();
        session.wait_for("hello Bob", SOON).unwrap();
        session.press("Enter").unwrap();
        session.wait_for_exit(SOON).unwrap();
    });
    let raw = |path: &Path| std::fs::read(path.join("output.raw")).unwrap();
    assert_eq!(raw(&first), raw(&second));
    screentest::Cassette::open(&second)
        .unwrap()
        .verify()
        .unwrap();
}
