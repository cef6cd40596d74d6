//! `attach`, in a terminal.

use std::time::Duration;

use rustix::process::Signal as Raw;
use screentest::core::input::mouse::{MouseEvent, MouseKind};
use screentest::core::{MouseTracking, Size};
use screentest::session::SessionOptions;
use screentest::{App, Button, Condition, ExitStatus, Modifiers, Position, Session, Signal};

use super::sandbox::SandboxHome;
use crate::harness::cli::{TOOL, wait_until};

const SOON: Duration = Duration::from_secs(60);

/// Attaches in a new terminal.
fn attach(home: &SandboxHome, more: &[&str]) -> Session {
    let mut app = App::new(TOOL)
        .args(["attach"])
        .args(more)
        .env("USER", "ada");
    for (name, value) in home.variables() {
        app = app.env(name, value);
    }
    let options = SessionOptions {
        size: Size { cols: 60, rows: 10 },
        ..SessionOptions::default()
    };
    let session = Session::start(&app, options).unwrap();
    session.wait_for("Ctrl+] to leave", SOON).unwrap();
    session
}

/// Returns columns and rows of the only session.
fn size(home: &SandboxHome) -> (u64, u64) {
    let session = home.session();
    (
        session["cols"].as_u64().unwrap(),
        session["rows"].as_u64().unwrap(),
    )
}

/// Checks that the terminal is restored.
#[track_caller]
fn assert_restored(terminal: &Session) {
    let screen = terminal.screen();
    assert!(!screen.modes.alternate_screen, "{screen}");
    assert!(!screen.modes.bracketed_paste && screen.modes.autowrap);
    assert_eq!(screen.modes.mouse, MouseTracking::Off);
    assert!(screen.cursor.visible);
}

#[test]
fn attached_terminal_drives_the_session_until_it_detaches() {
    let home = SandboxHome::new();
    home.open(
        "printf 'name? '; read name; echo hello $name; exec cat",
        "name?",
    );
    let terminal = attach(&home, &[]);
    terminal.wait_for("name?", SOON).unwrap();
    terminal.type_text("wörld").unwrap();
    terminal.press("Enter").unwrap();
    terminal.wait_for("hello wörld", SOON).unwrap();
    // The last row is the status line.
    assert_eq!(size(&home), (60, 9));
    assert_eq!(home.session()["driver"], "ada in a terminal");
    let said = home.run(&["type", "x"]).failed(1);
    assert!(
        said.contains("ada in a terminal has control of the session"),
        "{said}"
    );
    terminal.press("Ctrl+]").unwrap();
    assert_eq!(terminal.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert_restored(&terminal);
    assert_eq!(
        terminal.screen().text(),
        "note: left `sh`, which is still open; return with `screentes\nt attach -s sh`\n"
    );
    // The session has its old size again, and other clients can type.
    assert_eq!(size(&home), (80, 24));
    home.done(&["type", "again"]);
    home.done(&["wait", "again"]);
}

#[test]
fn keys_reach_the_program_in_its_encoding() {
    let home = SandboxHome::new();
    let words = [
        "open",
        "--",
        "vim",
        "-u",
        "NONE",
        "-N",
        "-c",
        "set showmode",
        "notes.txt",
    ];
    home.run(&words).text();
    let terminal = attach(&home, &[]);
    terminal.type_text("ione").unwrap();
    terminal.wait_for("-- INSERT --", SOON).unwrap();
    terminal.press("Enter").unwrap();
    terminal.type_text("two").unwrap();
    terminal.press("Up").unwrap();
    terminal.type_text("!").unwrap();
    terminal.wait_for("one!", SOON).unwrap();
    // A lone Escape is a key.
    terminal.press("Esc").unwrap();
    terminal
        .wait_for(
            Condition::new("no insert mode", |screen| !screen.contains("INSERT")),
            SOON,
        )
        .unwrap();
    terminal.type_text(":wq").unwrap();
    terminal.press("Enter").unwrap();
    assert_eq!(terminal.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert_eq!(home.folder.read("notes.txt"), b"one!\ntwo\n");
    assert_restored(&terminal);
    let said = terminal.screen().text();
    assert_eq!(said, "note: the program of `vim` has ended (exit code 0)\n");
}

#[test]
fn pastes_and_mouse_reach_the_program() {
    let home = SandboxHome::new();
    let script = "stty raw -echo; printf '\\033[?1002h\\033[?2004hready\\r\\n'; exec cat -v";
    home.open(script, "ready");
    let terminal = attach(&home, &[]);
    terminal.wait_for("ready", SOON).unwrap();
    terminal
        .wait_for(
            Condition::new("a mouse that is wanted", |screen| {
                screen.modes.mouse == MouseTracking::Drags
            }),
            SOON,
        )
        .unwrap();
    let position = Position { row: 0, col: 2 };
    for kind in [
        MouseKind::Press(Button::Left),
        MouseKind::Release(Button::Left),
    ] {
        let modifiers = Modifiers::empty();
        terminal
            .mouse(MouseEvent {
                kind,
                position,
                modifiers,
            })
            .unwrap();
    }
    // Column 3, row 1, in the legacy encoding: the program enabled no other.
    terminal.wait_for("^[[M #!", SOON).unwrap();
    terminal.paste("two words").unwrap();
    terminal.wait_for("^[[200~two words^[[201~", SOON).unwrap();
}

#[test]
fn session_size_follows_the_terminal() {
    let home = SandboxHome::new();
    home.open("echo ready; exec cat", "ready");
    let terminal = attach(&home, &[]);
    terminal.wait_for("ready", SOON).unwrap();
    terminal.resize(Size { cols: 44, rows: 7 }).unwrap();
    wait_until("the size", || size(&home) == (44, 6));
    terminal.type_text("still here").unwrap();
    terminal.wait_for("still here", SOON).unwrap();
}

#[test]
fn read_only_attach_changes_nothing() {
    let home = SandboxHome::new();
    home.open("echo ready; exec cat", "ready");
    let terminal = attach(&home, &["--read-only"]);
    terminal.wait_for("ready", SOON).unwrap();
    terminal.type_text("x").unwrap();
    terminal.wait_for("input is not sent", SOON).unwrap();
    assert_eq!(home.run(&["view"]).text(), "ready\n");
    assert_eq!(size(&home), (80, 24));
    home.done(&["type", "others type"]);
    terminal.wait_for("others type", SOON).unwrap();
}

#[test]
fn terminal_is_restored_after_any_exit() {
    let home = SandboxHome::new();
    home.open("echo ready; exec cat", "ready");
    let terminal = attach(&home, &[]);
    terminal.signal(Signal::TERM).unwrap();
    assert!(matches!(
        terminal.wait_for_exit(SOON).unwrap(),
        ExitStatus::Signaled(_)
    ));
    assert_restored(&terminal);

    let terminal = attach(&home, &[]);
    home.done(&["close"]);
    assert_eq!(terminal.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert_restored(&terminal);
    assert_eq!(terminal.screen().text(), "note: `sh` was closed\n");

    home.open("echo ready; exec cat", "ready");
    let terminal = attach(&home, &[]);
    home.end(Raw::KILL);
    assert_eq!(terminal.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(4));
    assert_restored(&terminal);
    let said = terminal.screen().text();
    assert!(said.starts_with("error: the "), "{said}");
}
