//! A program that follows a script, on a manual clock that advances only while a test's thread
//! waits.
//!
//! Waits of the driving thread take no real time: each time there is nothing to read, the clock
//! advances by a millisecond, and the output that is due is printed. So the end of a wait can be
//! asserted to the millisecond, even on a busy machine.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::Size;
use screentest::pty::scripted::ScriptedPty;
use screentest::pty::{Interest, Pty, PtyReady, Read};
use screentest::session::SessionOptions;
use screentest::{ExitStatus, Session, Signal};

use super::SIZE;

/// A script on a clock. Clones share their state.
#[derive(Debug, Clone)]
pub(super) struct Timeline {
    pub(super) pty: ScriptedPty,
    pub(super) clock: Clock,
    script: Arc<Mutex<Script>>,
}

#[derive(Debug)]
struct Script {
    /// Output that is still to be printed, with its time.
    due: VecDeque<(Duration, Vec<u8>)>,
    driver: Option<ThreadId>,
    /// Output never ends.
    for_ever: bool,
}

impl Timeline {
    /// Returns a program that prints each text at its millisecond.
    pub(super) fn new(script: &[(u64, &str)]) -> Timeline {
        let due = script
            .iter()
            .map(|(millis, text)| (Duration::from_millis(*millis), text.as_bytes().to_vec()))
            .collect();
        Timeline {
            pty: ScriptedPty::new(SIZE),
            clock: Clock::manual(),
            script: Arc::new(Mutex::new(Script {
                due,
                driver: None,
                for_ever: false,
            })),
        }
    }

    /// Makes the program's output endless, without a pause.
    pub(super) fn printing_for_ever(self) -> Timeline {
        self.script.lock().unwrap().for_ever = true;
        self
    }

    /// Starts a session with this program.
    pub(super) fn session(&self, options: SessionOptions) -> Session {
        let options = SessionOptions {
            clock: self.clock.clone(),
            ..options
        };
        Session::over(Arc::new(self.clone()), options).unwrap()
    }

    /// From now on, this thread's waits advance the clock. Those of the background reader never do,
    /// because they happen at any time.
    pub(super) fn drive(&self) {
        self.script.lock().unwrap().driver = Some(std::thread::current().id());
    }

    fn tick(&self) {
        self.clock.advance(Duration::from_millis(1));
        let now = self.clock.now();
        let mut script = self.script.lock().unwrap();
        while script.due.front().is_some_and(|(time, _)| *time <= now) {
            if let Some((_, text)) = script.due.pop_front() {
                self.pty.print(&text);
            }
        }
    }

    fn is_driven_here(&self) -> bool {
        self.script.lock().unwrap().driver == Some(std::thread::current().id())
    }
}

impl Pty for Timeline {
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<PtyReady> {
        if !self.is_driven_here() {
            return self.pty.wait(interest, timeout);
        }
        let ready = self.pty.wait(interest, Some(Duration::ZERO))?;
        if ready != PtyReady::default() || timeout == Some(Duration::ZERO) {
            return Ok(ready);
        }
        self.tick();
        self.pty.wait(interest, Some(Duration::ZERO))
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<Read> {
        match self.pty.read(buffer)? {
            Read::Nothing if self.script.lock().unwrap().for_ever => {
                buffer.fill(b'~');
                Ok(Read::Bytes(buffer.len()))
            }
            read => Ok(read),
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.pty.write(bytes)
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.pty.resize(size)
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        self.pty.signal(signal)
    }

    fn exit_status(&self) -> Option<ExitStatus> {
        self.pty.exit_status()
    }

    fn wake(&self) {
        self.pty.wake();
    }

    fn close(&self, grace: Duration) -> io::Result<()> {
        self.pty.close(grace)
    }
}
