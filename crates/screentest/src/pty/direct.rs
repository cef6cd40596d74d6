//! A program in a PTY of any Unix, as a plain child of this process.
//!
//! For systems without the guardian. Closing ends the program's process group; jobs in other
//! process groups may keep running. If this process is killed, the kernel only sends SIGHUP to the
//! program and to the terminal's foreground. This file is built and tested on Linux as well, so
//! that it keeps working.

#![expect(
    unsafe_code,
    reason = "sets the program's controlling terminal between fork and exec"
)]

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal as Kill, WaitId, WaitIdOptions, ioctl_tiocsctty, kill_process_group, setsid, waitid,
};
use screentest_core::Size;

use super::launch::{Launch, SpawnError};
use super::master::Master;
use super::waker::Waker;
use super::{DROP_GRACE, Interest, LineState, Pty, PtyReady, Read, descriptors};
use crate::app::App;
use crate::pty::signal::Signal;
use crate::session::exit_status::ExitStatus;

/// Starts a program in a terminal of this size.
pub fn spawn(app: &App, size: Size) -> Result<DirectPty, SpawnError> {
    let launch = Launch::of(app)?;
    let (master, slave) = Master::open(size).map_err(SpawnError::terminal)?;
    let waker = Waker::new().map_err(SpawnError::terminal)?;
    let child = start(&launch, slave)?;
    let group = Pid::from_child(&child);
    let shared = Arc::new(DirectShared {
        waker,
        exit_status: Mutex::new(None),
        ended: Condvar::new(),
    });
    let watched = Arc::clone(&shared);
    let watcher = std::thread::Builder::new()
        .name("screentest-child".to_owned())
        .spawn(move || watched.watch(group));
    let pty = |watcher| DirectPty {
        master,
        shared,
        group,
        running: Mutex::new(Some(RunningChild { child, watcher })),
    };
    match watcher {
        Ok(watcher) => Ok(pty(Some(watcher))),
        Err(error) => {
            // Without a watcher the exit would not be noticed; dropping kills the program.
            drop(pty(None));
            Err(SpawnError::guardian(error))
        }
    }
}

fn start(launch: &Launch, slave: OwnedFd) -> Result<Child, SpawnError> {
    let text = |c: &std::ffi::CString| OsStr::from_bytes(c.as_bytes()).to_owned();
    let mut words = launch.argv.iter().map(text);
    #[expect(
        clippy::disallowed_methods,
        reason = "one of the two places that start programs in terminals"
    )]
    let mut command = Command::new(launch.path());
    if let Some(name) = words.next() {
        command.arg0(name);
    }
    command.args(words).current_dir(launch.cwd()).env_clear();
    for variable in &launch.envp {
        let mut parts = variable.as_bytes().splitn(2, |byte| *byte == b'=');
        if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            command.env(OsStr::from_bytes(name), OsStr::from_bytes(value));
        }
    }
    let copy = || slave.try_clone().map_err(SpawnError::terminal);
    command.stdin(copy()?).stdout(copy()?).stderr(slave);
    // SAFETY: a few system calls, which neither allocate nor lock. Descriptor 0 is the terminal by
    // then.
    unsafe {
        command.pre_exec(|| {
            setsid()?;
            descriptors::put_limit_back();
            Ok(ioctl_tiocsctty(rustix::stdio::stdin())?)
        });
    }
    command.spawn().map_err(|error| launch.refused(error))
}

/// A program that runs in a terminal; created by [`spawn`]. Dropping it closes it.
#[derive(Debug)]
pub struct DirectPty {
    master: Master,
    shared: Arc<DirectShared>,
    group: Pid,
    // Taken by the first close.
    running: Mutex<Option<RunningChild>>,
}

#[derive(Debug)]
struct RunningChild {
    child: Child,
    watcher: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct DirectShared {
    waker: Waker,
    exit_status: Mutex<Option<ExitStatus>>,
    ended: Condvar,
}

impl DirectShared {
    /// Waits for the program's exit without reaping it; closing does that. Until then its id, which
    /// is also the group's, cannot be reused.
    fn watch(&self, program: Pid) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let status = loop {
            match waitid(WaitId::Pid(program), options) {
                Err(Errno::INTR) | Ok(None) => {}
                Ok(Some(status)) => break Some(status),
                // Other code in this process reaped the child; its exit status is unknown.
                Err(_) => break None,
            }
        };
        let signal =
            |number| ExitStatus::Signaled(Signal::from_number(number).unwrap_or(Signal::KILL));
        let exit_status = match status {
            Some(status) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => ExitStatus::Exited(code),
                (None, Some(number)) => signal(number),
                (None, None) => ExitStatus::Exited(-1),
            },
            None => ExitStatus::Exited(-1),
        };
        *self.exit_status() = Some(exit_status);
        self.ended.notify_all();
        self.waker.wake();
    }

    fn exit_status(&self) -> MutexGuard<'_, Option<ExitStatus>> {
        self.exit_status
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_end(&self, timeout: Duration) {
        let running = |exit_status: &mut Option<ExitStatus>| exit_status.is_none();
        let _ = self
            .ended
            .wait_timeout_while(self.exit_status(), timeout, running);
    }
}

impl Pty for DirectPty {
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<PtyReady> {
        // The watcher wakes the reader at the exit, so no descriptor for it is needed.
        let mut ready = self
            .master
            .wait(interest, None, &self.shared.waker, timeout)?;
        ready.ended = self.exit_status().is_some();
        Ok(ready)
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<Read> {
        self.master.read(buffer)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.master.write(bytes)
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.master.resize(size)
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        if self.exit_status().is_some() {
            return Ok(());
        }
        match Kill::from_named_raw(signal.number()) {
            Some(signal) => Ok(kill_process_group(self.group, signal)?),
            None => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn line(&self) -> Option<LineState> {
        self.master.line()
    }

    fn has_line(&self) -> bool {
        true
    }

    fn exit_status(&self) -> Option<ExitStatus> {
        *self.shared.exit_status()
    }

    fn wake(&self) {
        self.shared.waker.wake();
    }

    fn close(&self, grace: Duration) -> io::Result<()> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(RunningChild { mut child, watcher }) = running.take() else {
            return Ok(());
        };
        for signal in [Kill::HUP, Kill::TERM, Kill::CONT] {
            // The group may contain only the program, which may have exited.
            let _ = kill_process_group(self.group, signal);
        }
        if watcher.is_some() {
            self.shared.wait_for_end(grace);
        }
        let _ = kill_process_group(self.group, Kill::KILL);
        if let Some(watcher) = watcher {
            let _ = watcher.join();
        }
        child.wait()?;
        Ok(())
    }
}

impl Drop for DirectPty {
    fn drop(&mut self) {
        let _ = self.close(DROP_GRACE);
    }
}
