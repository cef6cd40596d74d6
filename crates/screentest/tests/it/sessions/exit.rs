//! Exits of programs, and their last output.

use std::sync::Arc;

use screentest::clock::Clock;
use screentest::pty::scripted::ScriptedPty;
use screentest::session::{InputError, SessionOptions};
use screentest::{ExitStatus, Session, Signal};

use super::timeline::Timeline;
use super::{SIZE, TIMEOUT, patient, scripted, sh, sh_with};
use screentest_fixtures::random::quick_or_full;

#[test]
fn the_last_output_is_kept() {
    for round in quick_or_full(200, 2000) {
        let session = sh("printf 'last words'");
        assert_eq!(
            session.wait_for_exit(TIMEOUT).unwrap(),
            ExitStatus::Exited(0)
        );
        assert_eq!(session.screen().text(), "last words\n", "round {round}");
    }
}

#[test]
fn the_last_output_of_a_flood_is_kept_and_the_exit_reported_at_once() {
    for round in quick_or_full(10, 100) {
        let clock = Clock::system();
        let session = sh("seq 1 30000; printf 'last words'");
        let exit_status = session.wait_for_exit(2 * TIMEOUT).unwrap();
        assert_eq!(exit_status, ExitStatus::Exited(0));
        // A missed exit would be noticed only at the timeout.
        assert!(clock.now() < TIMEOUT, "round {round}");
        let screen = session.screen();
        assert!(
            screen.contains("30000\nlast words"),
            "round {round}:\n{screen}"
        );
    }
}

#[test]
fn all_output_is_shown_before_the_exit_is_reported() {
    let check = |first: &str, end: fn(&ScriptedPty, ExitStatus)| {
        let pty = ScriptedPty::new(SIZE);
        for chunk in [first, "two ", "last words"] {
            pty.print(chunk.as_bytes());
        }
        end(&pty, ExitStatus::Exited(0));
        let session = Session::over(Arc::new(pty), SessionOptions::default()).unwrap();
        session.wait_for("two last words", TIMEOUT).unwrap();
    };
    // The program has exited before the session starts to read, so the exit may be noticed while
    // part of the output is still buffered or in another thread.
    for kilobytes in [0, 1, 60, 63, 64, 65, 100, 127, 128, 129, 1000] {
        let first = "x".repeat(kilobytes << 10);
        check(&first, ScriptedPty::end);
        check(&first, ScriptedPty::end_leaving_terminal_open);
    }
}

#[test]
fn the_exit_code_and_the_signal_are_reported() {
    let check = |script: &str, exit_status| {
        let session = sh(script);
        assert_eq!(
            session.wait_for_exit(TIMEOUT).unwrap(),
            exit_status,
            "{script}"
        );
        assert_eq!(session.exit_status(), Some(exit_status), "{script}");
    };
    check("exit 0", ExitStatus::Exited(0));
    check("exit 7", ExitStatus::Exited(7));
    check("exit 255", ExitStatus::Exited(255));
    check("kill -TERM $$", ExitStatus::Signaled(Signal::TERM));
    check("kill -KILL $$", ExitStatus::Signaled(Signal::KILL));
}

#[test]
fn a_running_program_has_no_exit_status() {
    let session = sh("echo ready; read end");
    session.wait_for("ready", TIMEOUT).unwrap();
    assert_eq!(session.exit_status(), None);
}

#[test]
fn the_exit_status_of_a_closed_program_is_known() {
    for round in quick_or_full(50, 500) {
        let session = sh("echo ready; exec sleep 1000");
        session.wait_for("ready", TIMEOUT).unwrap();
        session.close().unwrap();
        let exit_status = Some(ExitStatus::Signaled(Signal::HUP));
        assert_eq!(session.exit_status(), exit_status, "round {round}");
    }
}

#[test]
fn output_during_close_is_shown() {
    let session = sh_with(
        "trap 'printf goodbye; exit 3' HUP TERM; echo ready; while :; do sleep 0.01; done",
        patient(),
    );
    session.wait_for("ready", TIMEOUT).unwrap();
    session.close().unwrap();
    assert_eq!(session.exit_status(), Some(ExitStatus::Exited(3)));
    // The shell may first have printed a message that SIGHUP ended its `sleep`.
    assert!(session.screen().text().ends_with("goodbye\n"));
}

#[test]
fn closing_again_does_nothing() {
    let session = sh("echo ready; read end");
    session.wait_for("ready", TIMEOUT).unwrap();
    session.close().unwrap();
    session.close().unwrap();
    assert_eq!(session.screen().text(), "ready\n");
}

#[test]
fn input_after_the_exit_is_refused_with_the_reason() {
    let session = sh("exit 7");
    session.wait_for_exit(TIMEOUT).unwrap();
    let error = session.type_text("x").unwrap_err();
    assert!(
        matches!(error, InputError::Ended(ExitStatus::Exited(7))),
        "{error:?}"
    );
    assert_eq!(error.to_string(), "the program has ended (exit code 7)");
}

#[test]
fn an_exit_is_reported_while_another_process_still_prints() {
    // A process that the program left behind prints without end. Linux would hang up the terminal
    // when the program exits, so a scripted PTY takes its place.
    let timeline = Timeline::new(&[]).printing_for_ever();
    let session = timeline.session(SessionOptions::default());
    timeline
        .pty
        .end_leaving_terminal_open(ExitStatus::Exited(3));
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(3)
    );
}

#[test]
fn output_of_other_processes_after_the_exit_is_shown() {
    let (pty, session) = scripted();
    pty.end_leaving_terminal_open(ExitStatus::Exited(0));
    assert_eq!(
        session.wait_for_exit(TIMEOUT).unwrap(),
        ExitStatus::Exited(0)
    );
    pty.print(b"a late word");
    assert_eq!(session.screen().text(), "a late word\n");
}
