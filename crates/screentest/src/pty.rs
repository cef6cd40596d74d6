//! The terminal's end of a program: bytes out, bytes in, a size, and an end.
//!
//! [`Pty`] is where the outside is swapped: the system's own ([`native`], or [`direct`] on other
//! systems than Linux), the same with a recording in place of a program ([`double`]), or a scripted one in memory ([`scripted`]).
//! Every method takes `&self`, as one thread reads while another writes. Nothing here knows what the bytes mean.

use std::fmt::Debug;
use std::io;
use std::time::Duration;

use screentest_core::Size;

use crate::app::App;
use crate::clock::Clock;
use crate::pty::signal::Signal;
use crate::recording::fake_program::Impersonator;
use crate::session::exit_status::Outcome;

pub mod descriptors;
pub mod direct;
pub mod environment;
#[cfg(target_os = "linux")]
mod guardian;
#[cfg(target_os = "linux")]
mod idle;
mod launch;
mod master;
#[cfg(target_os = "linux")]
pub mod native;
pub mod replayed;
pub mod scripted;
pub mod signal;
pub mod termios;
mod waker;

pub use launch::SpawnError;
pub use termios::{Line, LineFlags, LineSettings};

/// How long a program may take to leave when its handle is dropped. Most leave within a millisecond of being asked; a
/// test that panicked should not wait long for the others.
const DROP_GRACE: Duration = Duration::from_millis(100);

/// Starts a program in the best terminal that this system has, of this size.
pub fn spawn(app: &App, size: Size) -> Result<Box<dyn Pty>, SpawnError> {
    if let Some(impersonation) = app.impersonation() {
        let impersonator = Impersonator::open(impersonation, Some(size), None)?;
        return Ok(Box::new(replayed::play(
            impersonator,
            size,
            &Clock::system(),
        )?));
    }
    #[cfg(target_os = "linux")]
    return Ok(Box::new(native::spawn(app, size)?));
    #[cfg(not(target_os = "linux"))]
    return Ok(Box::new(direct::spawn(app, size)?));
}

/// Whether a program could be started, as far as can be told without starting it.
#[cfg(feature = "render")]
pub(crate) fn check(app: &App) -> Result<(), SpawnError> {
    launch::Launch::of(app).map(drop)
}

/// This machine's name, as programs that say where they are call it.
pub(crate) fn hostname() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// A program's terminal.
pub trait Pty: Debug + Send + Sync {
    /// Blocks until there is something to read, room to write (if `interest` asks), the program has ended, somebody
    /// called [`Pty::wake`], or `timeout` has passed. Spurious returns are allowed.
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<Ready>;
    /// Takes what the program wrote, without blocking.
    fn read(&self, buffer: &mut [u8]) -> io::Result<Read>;
    /// Gives the program input, without blocking. Returns how much was taken: 0 when the program is not reading.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Tells the program that its terminal has another size.
    fn resize(&self, size: Size) -> io::Result<()>;
    /// Sends a signal to the program's process group. Does nothing once the program has ended.
    fn signal(&self, signal: Signal) -> io::Result<()>;
    /// How the terminal treats input and output on their way; `None` where that is not known.
    fn line(&self) -> Option<Line> {
        None
    }
    /// Whether it has such settings at all, known or not.
    fn has_line(&self) -> bool {
        false
    }
    /// What the program is doing, where the system tells.
    fn activity(&self) -> Activity {
        Activity::Unknown
    }
    /// Whether it is stopped, as SIGSTOP or Ctrl+Z does, and does nothing until it is continued; false where nobody can tell.
    fn is_stopped(&self) -> bool {
        false
    }
    /// How the program ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Makes a [`Pty::wait`] in another thread return.
    fn wake(&self);
    /// Ends every process that the program started: asked first, forced when `grace` has passed. Returns when none is
    /// left. Closing again does nothing.
    fn close(&self, grace: Duration) -> io::Result<()>;
}

/// What a [`Pty::wait`] waits for besides output and the program's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Output only.
    Read,
    /// Output, and room for input.
    ReadWrite,
}

/// Why a [`Pty::wait`] returned; all false after a timeout or a wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ready {
    /// There is output, or its end.
    pub readable: bool,
    /// There is room for input.
    pub writable: bool,
    /// The program has ended, as [`Pty::outcome`] now says.
    pub ended: bool,
}

/// What a program is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// Input that was sent to it is still in the terminal.
    Unread,
    /// It works, or sleeps without looking for input.
    Busy,
    /// It waits for input, and there is none for it.
    Waiting(Waiting),
    /// The system does not say.
    Unknown,
}

/// How a program waits for input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waiting {
    /// After how long its threads go on by themselves, counted from when each began to wait.
    pub timers: Vec<Duration>,
    /// It is not blocked in a call that returns with input: it sleeps for this long, and may ask for
    /// input in between.
    pub nap: Option<Duration>,
    /// Grows each time that a thread which sleeps has been awake.
    pub naps: u64,
    /// Differs where the program was seen to wait in another way, so that it has done something in between.
    pub state: u64,
    /// What is known of the programs behind it, where it only hands input on.
    pub relay: Option<Relay>,
    /// Whether a text may arrive all at once: the terminal edits lines, or those behind a relay do. A
    /// program that reads keys may take what arrives together for one.
    pub text_at_once: bool,
}

/// What the programs do that a relay, such as tmux or ssh, hands input to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relay {
    /// All of them wait for input.
    Waiting,
    /// Some wait for input, and others work: input may be for one of the others.
    Working,
    /// The same, and one that works has just been started, such as the shell in a new pane of tmux.
    Starting,
    /// All of them work, and a server between them and the terminal, such as tmux's, takes keys itself.
    Busy,
    /// They cannot be seen from here, for example on another machine.
    Hidden,
}

/// What a [`Pty::read`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// This many bytes.
    Bytes(usize),
    /// Nothing now; there may be more.
    Nothing,
    /// Nothing ever again: no process holds the terminal open.
    End,
}
