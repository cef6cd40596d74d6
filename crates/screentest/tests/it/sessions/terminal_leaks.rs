//! Terminal modes and settings that a program leaves changed.

use screentest::pty::{LineFlags, LineSettings};
use screentest::session::{SessionOptions, TerminalLeak};
use screentest::{ExitStatus, Session, Signal};

use super::timeline::Timeline;
use super::{TIMEOUT, scripted, sh};

/// Returns the leaks, one phrase each.
fn left(session: &Session) -> Vec<String> {
    let leftovers = session.leftovers();
    leftovers.iter().map(TerminalLeak::to_string).collect()
}

/// Checks the leaks of a program that prints this.
#[track_caller]
fn check(printed: &str, phrases: &[&str]) {
    let (pty, session) = scripted();
    pty.print(printed.as_bytes());
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(TIMEOUT).unwrap();
    assert_eq!(left(&session), phrases, "{printed:?}");
}

#[test]
fn a_program_that_changed_nothing_leaks_nothing() {
    check("hello\r\n", &[]);
    check("\x1b]2;title\x07\x1b[1;31mred", &[]);
}

#[test]
fn each_mode_is_named() {
    check("\x1b[?1049h", &["the alternate screen is still shown"]);
    check("\x1b[?25l", &["the cursor is hidden"]);
    check("\x1b[?1000h", &["mouse tracking is on, for clicks"]);
    check(
        "\x1b[?1003;1006h",
        &[
            "mouse tracking is on, for all motion",
            "the mouse encoding is SGR (?1006)",
        ],
    );
    check("\x1b[?2004h", &["bracketed paste is on"]);
    check("\x1b[?1004h", &["focus events are on"]);
    check("\x1b[>3u", &["kitty keyboard flags are on: 3"]);
    check("\x1b[?1h", &["application cursor keys are on"]);
    check("\x1b=", &["the application keypad is on"]);
    check("\x1b[?7l", &["autowrap is off"]);
    check("\x1b[?6h", &["origin mode is on"]);
    check("\x1b[4h", &["insert mode is on"]);
    check("\x1b[20h", &["newline mode is on"]);
}

#[test]
fn modes_that_were_turned_off_again_are_not_leaks() {
    check(
        "\x1b[?1049;1003;1006;2004;1004;1h\x1b[?25l\x1b[>1u\x1b=\
         \x1b[<u\x1b>\x1b[?25h\x1b[?1049;1003;1006;2004;1004;1l",
        &[],
    );
    check("\x1b[?1049h\x1b[?25l\x1b[?1000h\x1bc", &[]);
}

#[test]
fn an_unfinished_update_is_a_leak_with_the_modes_it_holds_back() {
    let left_open = "\x1b[?2026h\x1b[?25l";
    let phrases = [
        "the cursor is hidden",
        "a synchronized update was not ended",
    ];
    check(left_open, &phrases);
    check(&format!("{left_open}\x1b[?2026l"), &phrases[..1]);

    // The same leaks are reported after the update was shown because it took too long.
    let timeline = Timeline::new(&[(10, left_open)]);
    let session = timeline.session(SessionOptions::default());
    timeline.drive();
    let hidden = screentest::core::Condition::new("no cursor", |screen| !screen.cursor.visible);
    session.wait_for(hidden, TIMEOUT).unwrap();
    assert_eq!(left(&session), phrases);
}

#[test]
fn changed_terminal_settings_are_named() {
    let (pty, session) = scripted();
    let raw = LineFlags::ECHO | LineFlags::ICANON;
    pty.set_line(LineSettings {
        flags: LineSettings::COOKED.flags.difference(raw) | LineFlags::TOSTOP,
        min: 0,
        time: 5,
    });
    assert_eq!(
        left(&session),
        [
            "the terminal's settings differ: ECHO is off, ICANON is off, TOSTOP is on, VMIN is 0, VTIME is 5"
        ]
    );
    // VMIN and VTIME have no effect in canonical mode.
    pty.set_line(LineSettings {
        min: 0,
        ..LineSettings::COOKED
    });
    assert_eq!(session.leftovers(), []);
}

#[test]
fn every_leak_of_a_real_program_is_reported() {
    let session = sh("printf '\\033[?1049h\\033[?25l\\033[?1000h'; stty raw -echo");
    session.wait_for_exit(TIMEOUT).unwrap();
    let left = left(&session);
    assert_eq!(
        left[..3],
        [
            "the alternate screen is still shown",
            "the cursor is hidden",
            "mouse tracking is on, for clicks",
        ]
    );
    for setting in ["ICRNL", "IXON", "OPOST", "ECHO", "ICANON", "ISIG"] {
        let off = format!("{setting} is off");
        assert!(left[3].contains(&off), "{off}: {left:?}");
    }
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn settings_restored_by_a_shell_are_not_leaks() {
    let session = sh("old=$(stty -g); stty raw -echo; stty $old");
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(0)
    );
    assert_eq!(session.leftovers(), []);
}

#[test]
fn leaks_of_a_killed_program_are_reported() {
    let session = sh("stty -echo; echo ready; exec sleep 1000");
    session.wait_for("ready", TIMEOUT).unwrap();
    session.signal(Signal::KILL).unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    let phrase = "the terminal's settings differ: ECHO is off";
    assert_eq!(left(&session), [phrase]);
    // The terminal can still be queried after the session was closed.
    session.close().unwrap();
    assert_eq!(left(&session), [phrase]);
}
