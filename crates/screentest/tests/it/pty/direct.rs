//! `DirectPty`, the PTY for systems without a guardian: the guarantees that it also gives.

use std::time::Duration;

use screentest::pty::direct::{self, DirectPty};
use screentest::pty::{Pty, SpawnError};
use screentest::{App, ExitStatus, Signal};
use screentest_core::Size;

use super::driver::{SIZE, TIMEOUT, exit_status, read_to_end, read_until, write_all};

#[track_caller]
fn sh(script: &str) -> DirectPty {
    let app = App::new("sh").arg("-c").arg(script).env("MINE", "a=b");
    direct::spawn(&app, SIZE).unwrap()
}

#[test]
fn input_is_echoed_and_read_before_the_exit() {
    let pty = sh(
        "read name; echo \"hello $name $MINE\"; stty size; tty < /dev/tty > /dev/null && exit 7",
    );
    write_all(&pty, "world\n");
    let (text, exit_status) = read_to_end(&pty);
    assert_eq!(text, "world\r\nhello world a=b\r\n24 80\r\n");
    assert_eq!(exit_status, ExitStatus::Exited(7));
}

#[test]
fn signals_and_resizes_reach_the_program() {
    let pty = sh("trap 'stty size' WINCH; echo ready; while :; do sleep 0.01; done");
    read_until(&pty, |text| text.contains("ready"));
    pty.resize(Size {
        cols: 132,
        rows: 43,
    })
    .unwrap();
    read_until(&pty, |text| text.contains("43 132"));
    pty.signal(Signal::USR1).unwrap();
    assert_eq!(exit_status(&pty), ExitStatus::Signaled(Signal::USR1));
    pty.signal(Signal::KILL).unwrap();
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait that was not woken shows only in the time it took"
)]
fn a_wait_returns_at_exit_although_a_job_holds_the_terminal() {
    let start = std::time::Instant::now();
    let pty = sh("trap '' HUP; sleep 300 & exit 3");
    assert_eq!(exit_status(&pty), ExitStatus::Exited(3));
    assert!(start.elapsed() < TIMEOUT);
}

#[test]
fn close_asks_first_and_then_kills_the_group() {
    let asked = sh(
        "trap 'echo goodbye; exit 5' TERM; trap '' HUP; echo ready; while :; do sleep 0.01; done",
    );
    read_until(&asked, |text| text.contains("ready"));
    asked.close(TIMEOUT).unwrap();
    assert_eq!(asked.exit_status(), Some(ExitStatus::Exited(5)));
    // No process of the group holds the terminal any more, so its end can be read.
    assert!(read_until(&asked, |_| false).contains("goodbye"));

    let stubborn = sh("trap '' TERM HUP; sleep 300 & echo ready; wait; sleep 300");
    read_until(&stubborn, |text| text.contains("ready"));
    stubborn.close(Duration::from_millis(10)).unwrap();
    assert_eq!(
        stubborn.exit_status(),
        Some(ExitStatus::Signaled(Signal::KILL))
    );
    stubborn.close(Duration::from_millis(10)).unwrap();
}

#[test]
fn spawn_errors_name_the_reason() {
    let refusal = |app: &App| direct::spawn(app, SIZE).map(drop).unwrap_err();
    assert!(matches!(
        refusal(&App::new("no-such-program")),
        SpawnError::NotInPath { .. }
    ));
    let long = App::new("sh").arg("x".repeat(200_000));
    assert!(matches!(refusal(&long), SpawnError::Exec { .. }));
}
