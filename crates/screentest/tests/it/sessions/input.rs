//! Input is encoded for the modes that the program has set.

use std::time::Duration;

use screentest::core::input::focus::Focus;
use screentest::core::input::mouse::{Button, MouseEvent, MouseKind, NotReported};
use screentest::core::{Key, Modifiers, MouseTracking, Position, Size};
use screentest::session::MouseError;
use screentest::session::{InputError, InputOptions};
use screentest::{ExitStatus, Session, Signal};

use super::{TIMEOUT, scripted, sh};

/// Starts a program that sets modes and then prints its input, with control characters made
/// visible.
#[track_caller]
fn reader(modes: &str) -> Session {
    let session = sh(&format!(
        "stty raw -echo; printf '{modes}ready:'; exec cat -v"
    ));
    session.wait_for("ready:", TIMEOUT).unwrap();
    session
}

/// Checks the input that a program in these modes receives.
#[track_caller]
fn check(modes: &str, act: impl FnOnce(&Session), got: &str) {
    let session = reader(modes);
    act(&session);
    session.type_text("$").unwrap();
    let screen = session.wait_for("$", TIMEOUT).unwrap();
    assert_eq!(screen.text(), format!("ready:{got}$\n"));
}

#[test]
fn keys_obey_the_cursor_mode() {
    let up_and_home = |session: &Session| {
        session.press(Key::Up).unwrap();
        session.press(Key::Home).unwrap();
    };
    check("", up_and_home, "^[[A^[[H");
    check("\\033[?1h", up_and_home, "^[OA^[OH");
    check("\\033[?1h\\033[?1l", up_and_home, "^[[A^[[H");
}

#[test]
fn chords_and_text_reach_the_program() {
    let type_some = |session: &Session| {
        session.press(Key::Char('c').ctrl()).unwrap();
        session.press(Key::Char('x').alt()).unwrap();
        session.press(Key::Right.ctrl()).unwrap();
        session.type_text("abc\t").unwrap();
        session.press(Key::Enter).unwrap();
    };
    check(
        "",
        type_some,
        "^C^[x^[[1;5Cabc\t^M".replace('\t', "   ").as_str(),
    );
}

#[test]
fn a_key_can_be_a_value_or_a_name() {
    let press_some = |session: &Session| {
        session.press(Key::Up).unwrap();
        session.press('x').unwrap();
        session.press(Key::Left.alt()).unwrap();
        session.press("Ctrl+C").unwrap();
        session.press("shift+tab").unwrap();
    };
    check("", press_some, "^[[Ax^[[1;3D^C^[[Z");
}

#[test]
fn an_unknown_key_is_an_error_with_a_suggestion_and_sends_nothing() {
    let (pty, session) = scripted();
    let error = session.press("Ctlr+C").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown modifier `Ctlr`, did you mean `Ctrl`?"
    );
    assert!(matches!(error, InputError::Key(_)));
    assert_eq!(pty.input(), b"");
}

#[test]
fn a_paste_is_bracketed_if_the_program_enabled_it() {
    let paste = |session: &Session| session.paste("two\nlines").unwrap();
    check("", paste, "two^Mlines");
    // Within the brackets the line end is unchanged, and the terminal displays it as a line end.
    let session = reader("\\033[?2004h");
    paste(&session);
    let screen = session.wait_for("^[[201~", TIMEOUT).unwrap();
    assert_eq!(
        screen.text().split_whitespace().collect::<Vec<_>>(),
        ["ready:^[[200~two", "lines^[[201~"]
    );
}

const CLICK: MouseEvent = MouseEvent {
    kind: MouseKind::Press(Button::Left),
    position: Position { row: 2, col: 4 },
    modifiers: Modifiers::empty(),
};

#[test]
fn a_click_uses_the_enabled_mouse_encoding() {
    let click = |session: &Session| session.mouse(CLICK).unwrap();
    check("\\033[?1000h\\033[?1006h", click, "^[[<0;5;3M");
    check("\\033[?1000h", click, "^[[M %#");
}

#[test]
fn a_click_without_mouse_reporting_is_an_error_and_sends_nothing() {
    let session = reader("");
    let error = session.mouse(CLICK).unwrap_err();
    assert!(matches!(
        error,
        MouseError::NotReported(NotReported::NotAsked {
            tracking: MouseTracking::Off,
            ..
        })
    ));
    assert_eq!(
        error.to_string(),
        "the mouse click was not sent: the program has not turned on mouse reporting (modes 1000, 1002 and 1003 are off); try keys instead"
    );
    session.type_text("$").unwrap();
    let screen = session.wait_for("$", TIMEOUT).unwrap();
    assert_eq!(screen.text(), "ready:$\n");
}

#[test]
fn a_click_after_the_exit_reports_the_exit() {
    let (pty, session) = scripted();
    pty.end(ExitStatus::Exited(7));
    session.wait_for_exit(TIMEOUT).unwrap();
    let error = session.mouse(CLICK).unwrap_err();
    assert_eq!(error.to_string(), "the program has ended (exit code 7)");
}

#[test]
fn focus_is_reported_if_the_program_enabled_it() {
    let come_and_go = |session: &Session| {
        session.focus(Focus::Gained).unwrap();
        session.focus(Focus::Lost).unwrap();
    };
    check("\\033[?1004h", come_and_go, "^[[I^[[O");
    check("", come_and_go, "");
}

#[test]
fn modes_set_just_before_are_obeyed() {
    for _ in 0..100 {
        let (pty, session) = scripted();
        pty.print(b"\x1b[?1h");
        session.press(Key::Up).unwrap();
        assert_eq!(pty.input(), b"\x1bOA");
    }
}

#[test]
fn a_resize_reaches_program_and_screen() {
    let session = sh("trap 'stty size' WINCH; echo ready; while :; do sleep 0.01; done");
    session.wait_for("ready", TIMEOUT).unwrap();
    let size = Size { cols: 40, rows: 10 };
    session.resize(size).unwrap();
    assert_eq!(session.screen().size, size);
    let screen = session.wait_for("10 40", TIMEOUT).unwrap();
    assert_eq!(screen.size, size);
}

#[test]
fn a_signal_reaches_the_program() {
    let session = sh("trap 'echo caught; exit 4' USR1; echo ready; while :; do sleep 0.01; done");
    session.wait_for("ready", TIMEOUT).unwrap();
    session.signal(Signal::USR1).unwrap();
    session.wait_for("caught", TIMEOUT).unwrap();
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(4)
    );
}

#[test]
fn a_signal_ends_a_program_that_does_not_catch_it() {
    let session = sh("echo ready; exec sleep 1000");
    session.wait_for("ready", TIMEOUT).unwrap();
    session.signal(Signal::TERM).unwrap();
    let exit_status = session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(exit_status, ExitStatus::Signaled(Signal::TERM));
}

/// The limit of queued input.
const MAX_QUEUED: usize = 4 << 20;

#[test]
fn a_program_that_never_reads_stops_input_at_4_mib() {
    let session = sh("stty raw -echo; echo ready; exec sleep 1000");
    session.wait_for("ready", TIMEOUT).unwrap();
    let piece = [b'x'; 64 << 10];
    // The kernel holds a little in addition to the queue.
    let input = session.input_with(InputOptions::AT_ONCE);
    let refused = (0..128).find_map(|_| input.send(&piece).err()).unwrap();
    let InputError::NotRead { queued } = refused else {
        panic!("{refused}")
    };
    assert!(
        (MAX_QUEUED - piece.len()..=MAX_QUEUED).contains(&queued),
        "{queued}"
    );
    assert_eq!(
        refused.to_string(),
        format!("the program does not read its input: {queued} bytes are queued")
    );
    // A wait still works, and its report names the unread input.
    let error = session
        .wait_for("x", Duration::from_millis(20))
        .unwrap_err();
    let unread = error.report().unwrap().unread_input;
    // The kernel may have taken some more since.
    assert!((MAX_QUEUED / 2..=queued).contains(&unread), "{unread}");
}

#[test]
fn a_large_paste_arrives_completely() {
    let session = sh("stty raw -echo; echo ready; head -c 1000000 | cksum; read end");
    session.wait_for("ready", TIMEOUT).unwrap();
    let text: Vec<u8> = (0..1_000_000).map(|n| b'a' + (n % 23) as u8).collect();
    session.send(&text).unwrap();
    let screen = session.wait_for(" 1000000", TIMEOUT).unwrap();
    let sum = cksum(&text);
    assert!(
        screen.contains(&format!("{sum} 1000000")),
        "{sum}:\n{screen}"
    );
}

/// Returns the checksum that `cksum` prints: the POSIX CRC over the bytes and their number.
fn cksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: u8| {
        (0..8).rev().fold(crc, |crc, bit| {
            let carry = (crc >> 31) ^ u32::from(byte >> bit & 1);
            (crc << 1) ^ (carry * 0x04c1_1db7)
        })
    };
    let mut crc = bytes.iter().fold(0, |crc, byte| step(crc, *byte));
    let mut length = bytes.len();
    while length > 0 {
        crc = step(crc, (length & 0xff) as u8);
        length >>= 8;
    }
    !crc
}
