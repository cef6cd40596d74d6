//! Helpers for the tests of PTYs: starting a program, reading until some output appears, and
//! writing.

use std::time::Duration;

use screentest::pty::native::{self, NativePty};
use screentest::pty::{Interest, Pty, Read};
use screentest::{App, ExitStatus};
use screentest_core::Size;

/// Long enough for any machine; a wait that takes this long is a failure.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) const SIZE: Size = Size { cols: 80, rows: 24 };

/// Runs a shell script in a terminal.
#[track_caller]
pub(crate) fn sh(script: &str) -> NativePty {
    start(&App::new("sh").arg("-c").arg(script))
}

#[track_caller]
pub(crate) fn start(app: &App) -> NativePty {
    native::spawn(app, SIZE).unwrap()
}

/// Reads until `enough` accepts everything read so far, or until the end.
#[track_caller]
pub(crate) fn read_until(pty: &dyn Pty, enough: impl Fn(&str) -> bool) -> String {
    let mut output = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&output).into_owned();
        if enough(&text) {
            return text;
        }
        match pty.read(&mut buffer).unwrap() {
            Read::Bytes(count) => output.extend_from_slice(&buffer[..count]),
            Read::End => return text,
            Read::Nothing => {
                let ready = pty.wait(Interest::Read, Some(TIMEOUT)).unwrap();
                assert!(ready.readable || ready.ended, "nothing more after {text:?}");
                // After the exit, all remaining output is pending, so a read that finds nothing is
                // the end.
                if ready.ended && !ready.readable && pty.read(&mut buffer).unwrap() == Read::Nothing
                {
                    return text;
                }
            }
        }
    }
}

/// Reads everything and waits for the exit.
#[track_caller]
pub(crate) fn read_to_end(pty: &dyn Pty) -> (String, ExitStatus) {
    let text = read_until(pty, |_| false);
    (text, exit_status(pty))
}

#[track_caller]
pub(crate) fn exit_status(pty: &dyn Pty) -> ExitStatus {
    loop {
        if let Some(exit_status) = pty.exit_status() {
            return exit_status;
        }
        let ready = pty.wait(Interest::Read, Some(TIMEOUT)).unwrap();
        assert!(ready.readable || ready.ended, "the program does not end");
        // Unread output would make every wait return at once.
        let _ = pty.read(&mut [0; 4096]).unwrap();
    }
}

/// Writes everything, as fast as the program reads.
#[track_caller]
pub(crate) fn write_all(pty: &dyn Pty, text: &str) {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match pty.write(rest).unwrap() {
            0 => {
                let ready = pty.wait(Interest::ReadWrite, Some(TIMEOUT)).unwrap();
                assert!(ready.writable || ready.readable, "{text:?} is not read");
            }
            count => rest = &rest[count..],
        }
    }
}
