//! Terminals that do not open, and one that fails.

use std::fs;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Resource};
use screentest::core::Size;
use screentest::pty::SpawnError;
use screentest::pty::{Interest, Pty, PtyReady, Read};
use screentest::session::{SessionOptions, WaitError};
use screentest::{App, ExitStatus, Session, Signal};
use screentest_fixtures::mounts;

use super::{TIMEOUT, limit};
use crate::harness::own_process::in_own_process_under;
use crate::harness::processes::{children, wait_until};

/// Mounts a devpts instance with terminals for two programs only.
const TWO_TERMINALS: &str =
    "mount -t devpts -o newinstance,ptmxmode=0666,max=2 devpts /dev/pts && exec \"$@\"";

/// If every terminal of the system is in use, the error says so and what to do; it does not say
/// that a disk is full. Nothing is started, running sessions continue, and a terminal that is free
/// again can be opened. Where mounting is not permitted, the descriptor limit takes the place of
/// the terminal limit.
#[test]
fn a_terminal_that_cannot_be_opened_is_an_error_and_leaves_nothing() {
    let own = mounts::unshare_command();
    let wrapper = own.map(|own| [own, &["sh", "-c", TWO_TERMINALS, "sh"]].concat());
    in_own_process_under(wrapper.as_deref().unwrap_or_default(), || {
        let start = || Session::start(&App::new("cat"), SessionOptions::default());
        let mut running = vec![start().unwrap(), start().unwrap()];
        let programs = programs();
        if mounts::unshare_command().is_none() {
            let held = fs::read_dir("/proc/self/fd").unwrap().count() as u64;
            // `held` includes the descriptor of the folder that is read.
            limit(Resource::Nofile, held - 1);
        }
        let refused = start().unwrap_err();
        match (mounts::unshare_command(), &refused) {
            (Some(_), SpawnError::NoTerminalLeft(_)) => assert_eq!(
                refused.to_string(),
                "the system has no terminal left: close some that are in use, or raise their number \
                 (`sysctl kernel.pty.max`, and `max=` where `/dev/pts` is mounted)"
            ),
            (None, SpawnError::Descriptors { .. }) => limit(Resource::Nofile, 256),
            (_, refused) => panic!("{refused}"),
        }
        assert_eq!(self::programs(), programs);
        for session in &running {
            session.type_text("still here").unwrap();
            session.wait_for("still here", TIMEOUT).unwrap();
        }
        drop(running.pop());
        start().unwrap();
    });
}

/// Counts the programs below this process, without the guardian and the supervisors.
fn programs() -> usize {
    let this = Pid::from_raw(std::process::id().cast_signed()).unwrap();
    let supervisors = children(this).into_iter().flat_map(children);
    supervisors.flat_map(children).count()
}

/// A terminal that cannot be read ends a wait at once, with the reason. The screen stays, closing
/// works, and no thread is left.
#[test]
fn a_terminal_that_fails_ends_waits_and_leaves_no_thread() {
    in_own_process_under(&[], || {
        let check = || {
            let session = Session::over(Arc::new(Broken), SessionOptions::default()).unwrap();
            let error = session.wait_for("never", Duration::MAX).unwrap_err();
            let WaitError::Read(reason) = &error else {
                panic!("{error}")
            };
            assert_eq!(error.to_string(), "could not read from the terminal");
            assert_eq!(reason.to_string(), "the terminal has failed");
            assert_eq!(session.screen().text(), "");
            let refused = session.type_text("x").unwrap_err();
            assert_eq!(refused.to_string(), "could not write to the terminal");
            session.close().unwrap();
        };
        let threads = || fs::read_dir("/proc/self/task").unwrap().count();
        // One thread is kept for the next session.
        check();
        wait_until(|| threads() <= 3);
        let before = threads();
        for _ in 0..20 {
            check();
        }
        wait_until(|| threads() <= before);
    });
}

/// A terminal in which only closing works.
#[derive(Debug)]
struct Broken;

fn fail<T>() -> io::Result<T> {
    Err(io::Error::other("the terminal has failed"))
}

impl Pty for Broken {
    fn wait(&self, _: Interest, _: Option<Duration>) -> io::Result<PtyReady> {
        fail()
    }

    fn read(&self, _: &mut [u8]) -> io::Result<Read> {
        fail()
    }

    fn write(&self, _: &[u8]) -> io::Result<usize> {
        fail()
    }

    fn resize(&self, _: Size) -> io::Result<()> {
        fail()
    }

    fn signal(&self, _: Signal) -> io::Result<()> {
        fail()
    }

    fn exit_status(&self) -> Option<ExitStatus> {
        None
    }

    fn wake(&self) {}

    fn close(&self, _: Duration) -> io::Result<()> {
        Ok(())
    }
}
