//! What programs leave behind in their terminal.

use screentest::pty::{LineFlags, LineSettings};
use screentest::{ExitStatus, Options, Session, Signal, TerminalLeak};

use super::timeline::Timeline;
use super::{SOON, scripted, sh};

/// What is left, a phrase each.
fn left(session: &Session) -> Vec<String> {
    let leftovers = session.leftovers();
    leftovers.iter().map(TerminalLeak::to_string).collect()
}

/// What a program leaves that printed this.
#[track_caller]
fn check(printed: &str, phrases: &[&str]) {
    let (pty, session) = scripted();
    pty.print(printed.as_bytes());
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(SOON).unwrap();
    assert_eq!(left(&session), phrases, "{printed:?}");
}

#[test]
fn a_program_that_turned_nothing_on_leaves_nothing() {
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
fn what_was_turned_off_again_is_not_left() {
    check(
        "\x1b[?1049;1003;1006;2004;1004;1h\x1b[?25l\x1b[>1u\x1b=\
         \x1b[<u\x1b>\x1b[?25h\x1b[?1049;1003;1006;2004;1004;1l",
        &[],
    );
    check("\x1b[?1049h\x1b[?25l\x1b[?1000h\x1bc", &[]);
}

#[test]
fn an_update_without_end_is_left_with_what_it_holds_back() {
    let left_open = "\x1b[?2026h\x1b[?25l";
    let phrases = [
        "the cursor is hidden",
        "a synchronized update was not ended",
    ];
    check(left_open, &phrases);
    check(&format!("{left_open}\x1b[?2026l"), &phrases[..1]);

    // Also when it was shown long ago, as it took too long.
    let timeline = Timeline::new(&[(10, left_open)]);
    let session = timeline.session(Options::default());
    timeline.drive();
    let hidden = screentest::core::Condition::new("no cursor", |screen| !screen.cursor.visible);
    session.wait_for(hidden, SOON).unwrap();
    assert_eq!(left(&session), phrases);
}

#[test]
fn settings_that_differ_are_named() {
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
    // How long a read would wait is nobody's business while lines are edited.
    pty.set_line(LineSettings {
        min: 0,
        ..LineSettings::COOKED
    });
    assert_eq!(session.leftovers(), []);
}

#[test]
fn a_real_program_that_leaves_a_mess_is_told_each_part() {
    let session = sh("printf '\\033[?1049h\\033[?25l\\033[?1000h'; stty raw -echo");
    session.wait_for_exit(SOON).unwrap();
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
fn what_a_shell_puts_back_is_not_left() {
    let session = sh("old=$(stty -g); stty raw -echo; stty $old");
    assert_eq!(session.wait_for_exit(SOON).unwrap(), ExitStatus::Exited(0));
    assert_eq!(session.leftovers(), []);
}

#[test]
fn what_a_killed_program_left_is_found_as_well() {
    let session = sh("stty -echo; echo ready; exec sleep 1000");
    session.wait_for("ready", SOON).unwrap();
    session.signal(Signal::KILL).unwrap();
    session.wait_for_exit(SOON).unwrap();
    let phrase = "the terminal's settings differ: ECHO is off";
    assert_eq!(left(&session), [phrase]);
    // The terminal is still there to be asked when everything else is gone.
    session.close().unwrap();
    assert_eq!(left(&session), [phrase]);
}
