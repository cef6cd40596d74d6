//! A program's PTY: output, input, resizing and exit.
//!
//! The trait [`Pty`] has three implementations here: the system's PTY with a guardian ([`native`])
//! or without one, on other systems than Linux ([`direct`]), and a scripted one in memory
//! ([`scripted`]). A `ProgramSubstitute` brings its own, such as the replay of a recording. Every
//! method takes `&self`, because one thread reads while another writes. Nothing here interprets
//! the bytes.

use std::any::Any;
use std::fmt::Debug;
use std::io;
use std::time::Duration;

use screentest_core::{Identity, Size};

use crate::app::App;
use crate::clock::Clock;
use crate::pty::signal::Signal;
use crate::session::exit_status::ExitStatus;

pub mod descriptors;
pub mod direct;
pub mod environment;
#[cfg(target_os = "linux")]
mod guardian;
#[cfg(target_os = "linux")]
mod idle;
mod launch;
pub(crate) mod master;
#[cfg(target_os = "linux")]
pub mod native;
pub mod scripted;
pub mod signal;
pub mod termios;
pub(crate) mod waker;

pub use launch::SpawnError;
pub use termios::{LineFlags, LineSettings, LineState};

/// How long a program may take to exit when its handle is dropped. Most exit within a millisecond
/// of SIGHUP; a test that panicked should not wait long for the others.
pub(crate) const DROP_GRACE: Duration = Duration::from_millis(100);

/// Starts a program in a terminal of this size, with the best implementation for this system.
pub fn spawn(app: &App, size: Size) -> Result<Box<dyn Pty>, SpawnError> {
    spawn_with(app, size, &Clock::system(), || None)
}

/// Like [`spawn`]. A substitute of the program uses this clock. It must have been made for the
/// emulator that `identity` returns.
pub(crate) fn spawn_with(
    app: &App,
    size: Size,
    clock: &Clock,
    identity: impl FnOnce() -> Option<Identity>,
) -> Result<Box<dyn Pty>, SpawnError> {
    if let Some(substitute) = app.substitute() {
        return substitute.spawn(size, clock, identity());
    }
    #[cfg(target_os = "linux")]
    return Ok(Box::new(native::spawn(app, size)?));
    #[cfg(not(target_os = "linux"))]
    return Ok(Box::new(direct::spawn(app, size)?));
}

/// Checks, without starting the program, whether it could be started.
#[doc(hidden)]
pub fn check(app: &App) -> Result<(), SpawnError> {
    launch::Launch::of(app).map(drop)
}

/// Returns this machine's host name, as programs report it.
#[doc(hidden)]
pub fn hostname() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Something that an [`App`] starts in place of a program, such as the replay of a recording.
///
/// `Any` lets two substitutes be compared.
pub(crate) trait ProgramSubstitute: Any + Debug + Send + Sync {
    /// Starts it in a terminal of this size. If the emulator is known, a substitute that was made
    /// for another one is an error.
    fn spawn(
        &self,
        size: Size,
        clock: &Clock,
        emulator: Option<Identity>,
    ) -> Result<Box<dyn Pty>, SpawnError>;

    /// Returns whether `other` is the same substitute with the same options.
    fn equals(&self, other: &dyn ProgramSubstitute) -> bool;
}

/// The terminal of a program.
pub trait Pty: Debug + Send + Sync {
    /// Blocks until there is something to read, room to write (if `interest` asks), the program has
    /// exited, another thread called [`Pty::wake`], or `timeout` has passed. Spurious returns are
    /// allowed.
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<PtyReady>;
    /// Reads the program's output without blocking.
    fn read(&self, buffer: &mut [u8]) -> io::Result<Read>;
    /// Writes input without blocking. Returns how many bytes were accepted: 0 if the program is not
    /// reading.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Resizes the terminal and notifies the program.
    fn resize(&self, size: Size) -> io::Result<()>;
    /// Sends a signal to the program's process group. Does nothing once the program has exited.
    fn signal(&self, signal: Signal) -> io::Result<()>;
    /// Returns the terminal's settings (termios); `None` if unknown.
    fn line(&self) -> Option<LineState> {
        None
    }
    /// Returns whether the terminal has termios settings, even if [`Pty::line`] returns `None`.
    fn has_line(&self) -> bool {
        false
    }
    /// Returns the program's activity, if the system reports it.
    fn activity(&self) -> Activity {
        Activity::Unknown
    }
    /// Returns whether the program is stopped, by SIGSTOP or Ctrl+Z, and does nothing until
    /// SIGCONT; false if unknown.
    fn is_stopped(&self) -> bool {
        false
    }
    /// Returns the exit status, once the program has exited.
    fn exit_status(&self) -> Option<ExitStatus>;
    /// Makes a [`Pty::wait`] in another thread return.
    fn wake(&self);
    /// Ends every process that the program started: asks them to exit, and kills them when `grace`
    /// has passed. Returns when none is left. Closing again does nothing.
    fn close(&self, grace: Duration) -> io::Result<()>;
}

/// Events that a [`Pty::wait`] waits for besides output and the program's exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Output only.
    Read,
    /// Output, and room for input.
    ReadWrite,
}

/// Why a [`Pty::wait`] returned; all false after a timeout or a wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PtyReady {
    /// There is output, or its end was reached.
    pub readable: bool,
    /// There is room for input.
    pub writable: bool,
    /// The program has exited; see [`Pty::exit_status`].
    pub ended: bool,
}

/// The activity of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// Input for it is still in the terminal, unread.
    Unread,
    /// It works, or sleeps without polling for input.
    Busy,
    /// It waits for input, and none is available.
    Waiting(Waiting),
    /// The system does not report it.
    Unknown,
}

/// How a program waits for input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Times after which its threads continue by themselves, measured from when each began to wait.
    pub timers: Vec<Duration>,
    /// If set, the program is not blocked in a call that returns with input: it sleeps for this
    /// long, and may poll for input in between.
    pub nap: Option<Duration>,
    /// Increases each time a sleeping thread has run.
    pub naps: u64,
    /// Increases each time one of its threads has run; `None` if unknown. While it stays the same,
    /// no timer has woken a thread, even if its time has passed: on a busy machine timers are late.
    pub runs: Option<u64>,
    /// Hash of how the program waits. If it differs from an earlier one, the program has done
    /// something in between.
    pub state: u64,
    /// The state of the programs behind it, if it is a relay that only hands input on.
    pub relay: Option<Relay>,
    /// Whether a text may arrive all at once: this terminal, or every terminal behind a relay, is
    /// in canonical mode. A program that reads keys may take bytes that arrive together for one
    /// key.
    pub text_at_once: bool,
}

/// The state of the programs that a relay, such as tmux or ssh, hands input to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relay {
    /// All of them wait for input.
    Waiting,
    /// Some wait for input, and others work: input may be for one of the others.
    Working,
    /// Like `Working`, and one that works has just been started, such as the shell in a new pane of
    /// tmux.
    Starting,
    /// All of them work, and a server between them and the terminal, such as tmux's, takes keys
    /// itself.
    Busy,
    /// They cannot be seen from here, for example on another machine.
    Hidden,
}

/// The result of a [`Pty::read`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// This many bytes.
    Bytes(usize),
    /// Nothing for now; there may be more.
    Nothing,
    /// The end: no process has the terminal open.
    End,
}
