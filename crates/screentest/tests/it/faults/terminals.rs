//! Terminals that do not open, and one that breaks.

use std::fs;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Resource};
use screentest::core::Size;
use screentest::pty::{Interest, Pty, Read, Ready};
use screentest::{App, ExitStatus, Options, Session, Signal, SpawnError, WaitError};
use screentest_fixtures::mounts;

use super::{SOON, limit};
use crate::alone::alone_behind;
use crate::processes::{children, wait_until};

/// Terminals for two programs, and not for a third.
const TWO: &str =
    "mount -t devpts -o newinstance,ptmxmode=0666,max=2 devpts /dev/pts && exec \"$@\"";

/// Where every terminal of the system is in use, the error says so and what to do, and not that a disk is full. Nothing is started, what runs goes on, and
/// a terminal that is free again is had. Where no such system can be made, a terminal that no descriptor is left for is the fault.
#[test]
fn a_terminal_that_does_not_open_is_told_and_leaves_nothing() {
    let own = mounts::own();
    let behind = own.map(|own| [own, &["sh", "-c", TWO, "sh"]].concat());
    alone_behind(behind.as_deref().unwrap_or_default(), || {
        let start = || Session::start(&App::new("cat"), Options::default());
        let mut running = vec![start().unwrap(), start().unwrap()];
        let programs = programs();
        if mounts::own().is_none() {
            let held = fs::read_dir("/proc/self/fd").unwrap().count() as u64;
            // The last is the one that counted.
            limit(Resource::Nofile, held - 1);
        }
        let refused = start().unwrap_err();
        match (mounts::own(), &refused) {
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
            session.wait_for("still here", SOON).unwrap();
        }
        drop(running.pop());
        start().unwrap();
    });
}

/// How many processes there are below this one that are programs, not what sees to their end.
fn programs() -> usize {
    let this = Pid::from_raw(std::process::id().cast_signed()).unwrap();
    let supervisors = children(this).into_iter().flat_map(children);
    supervisors.flat_map(children).count()
}

/// A terminal that cannot be read ends a wait at once, with the reason. What was shown stays, closing works, and no thread stays behind.
#[test]
fn a_terminal_that_breaks_ends_waits_and_leaves_no_thread() {
    alone_behind(&[], || {
        let check = || {
            let session = Session::over(Arc::new(Broken), Options::default()).unwrap();
            let error = session.wait_for("never", Duration::MAX).unwrap_err();
            let WaitError::Read(reason) = &error else {
                panic!("{error}")
            };
            assert_eq!(error.to_string(), "could not read from the terminal");
            assert_eq!(reason.to_string(), "the line is cut");
            assert_eq!(session.screen().text(), "");
            let refused = session.type_text("x").unwrap_err();
            assert_eq!(refused.to_string(), "could not write to the terminal");
            session.close().unwrap();
        };
        let threads = || fs::read_dir("/proc/self/task").unwrap().count();
        // One waits for the next session.
        check();
        wait_until(|| threads() <= 3);
        let before = threads();
        for _ in 0..20 {
            check();
        }
        wait_until(|| threads() <= before);
    });
}

/// A terminal of which nothing works but its end.
#[derive(Debug)]
struct Broken;

fn cut<T>() -> io::Result<T> {
    Err(io::Error::other("the line is cut"))
}

impl Pty for Broken {
    fn wait(&self, _: Interest, _: Option<Duration>) -> io::Result<Ready> {
        cut()
    }

    fn read(&self, _: &mut [u8]) -> io::Result<Read> {
        cut()
    }

    fn write(&self, _: &[u8]) -> io::Result<usize> {
        cut()
    }

    fn resize(&self, _: Size) -> io::Result<()> {
        cut()
    }

    fn signal(&self, _: Signal) -> io::Result<()> {
        cut()
    }

    fn outcome(&self) -> Option<ExitStatus> {
        None
    }

    fn wake(&self) {}

    fn close(&self, _: Duration) -> io::Result<()> {
        Ok(())
    }
}
