//! An in-memory PTY whose program is the test itself.
//!
//! For tests of code that uses a PTY: no process, no kernel, and nothing nondeterministic. Reads
//! never join two chunks, so a test decides how output is divided. As with the native PTY, output
//! stays readable after the exit, and a wait blocks until it is woken.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::Size;

use super::{Activity, Interest, LineSettings, LineState, Pty, PtyReady, Read, Waiting};
use crate::pty::signal::Signal;
use crate::session::exit_status::ExitStatus;

/// An in-memory PTY. Clones share one state: one for the code under test, one for the script.
///
/// ```
/// use screentest::pty::scripted::ScriptedPty;
/// use screentest::pty::{Pty, Read};
/// use screentest_core::Size;
///
/// let pty = ScriptedPty::new(Size { cols: 80, rows: 24 });
/// pty.print(b"hello");
/// let mut buffer = [0; 16];
/// assert_eq!(pty.read(&mut buffer).unwrap(), Read::Bytes(5));
/// ```
#[derive(Debug, Clone)]
pub struct ScriptedPty {
    shared: Arc<ScriptedShared>,
}

#[derive(Debug)]
struct ScriptedShared {
    state: Mutex<ScriptedState>,
    changed: Condvar,
}

#[derive(Debug)]
struct ScriptedState {
    output: VecDeque<Vec<u8>>,
    input: Vec<u8>,
    // How many more bytes of input are accepted; `None` means no limit.
    room: Option<usize>,
    size: Size,
    signals: Vec<Signal>,
    exit_status: Option<ExitStatus>,
    // The exit wakes one wait. After that, only output counts, as with the native PTY.
    exit_unreported: bool,
    terminal: TerminalHold,
    settings: LineSettings,
    /// The program's activity at each query; the last entry is repeated.
    activities: VecDeque<Activity>,
    /// How much input there was at each query.
    activity_queries: Vec<usize>,
    woken: bool,
    closed: Option<Duration>,
}

/// Whether a process has the program's end of the terminal open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TerminalHold {
    /// At least one process has.
    Held,
    /// None has; the reader has not read the end yet.
    HungUp,
    /// None has, and the reader has read the end.
    Over,
}

/// The script's side.
impl ScriptedPty {
    /// Creates a PTY with a program that has not written anything yet and accepts any input.
    pub fn new(size: Size) -> ScriptedPty {
        ScriptedPty {
            shared: Arc::new(ScriptedShared {
                state: Mutex::new(ScriptedState {
                    output: VecDeque::new(),
                    input: Vec::new(),
                    room: None,
                    size,
                    signals: Vec::new(),
                    exit_status: None,
                    exit_unreported: false,
                    terminal: TerminalHold::Held,
                    settings: LineSettings::COOKED,
                    activities: VecDeque::new(),
                    activity_queries: Vec::new(),
                    woken: false,
                    closed: None,
                }),
                changed: Condvar::new(),
            }),
        }
    }

    /// Prints a chunk, which no read joins with another.
    pub fn print(&self, chunk: &[u8]) {
        if !chunk.is_empty() {
            self.change(|state| state.output.push_back(chunk.to_vec()));
        }
    }

    /// Ends the program, and closes its end of the terminal.
    pub fn end(&self, exit_status: ExitStatus) {
        self.change(|state| state.end(exit_status));
    }

    /// Ends the program, but not the terminal: a process that it started has it open, and may
    /// continue to print.
    pub fn end_leaving_terminal_open(&self, exit_status: ExitStatus) {
        self.change(|state| {
            state.end(exit_status);
            state.terminal = TerminalHold::Held;
        });
    }

    /// Limits the input that the program accepts to this many more bytes: 0 is a program that does
    /// not read.
    pub fn limit_input(&self, room: usize) {
        self.change(|state| state.room = Some(room));
    }

    /// Sets the activities that the program reports, one per query; the last is repeated. By
    /// default, the program waits for input.
    pub fn set_activities(&self, activities: impl IntoIterator<Item = Activity>) {
        self.change(|state| {
            state.activities = activities.into_iter().collect();
            state.activity_queries.clear();
        });
    }

    /// Returns how many bytes of input had arrived at each query of the activity since
    /// [`ScriptedPty::set_activities`].
    pub fn activity_queries(&self) -> Vec<usize> {
        self.lock().activity_queries.clone()
    }

    /// Makes the program accept any input again.
    pub fn accept_input(&self) {
        self.change(|state| state.room = None);
    }

    /// Sets the terminal's settings, as a program does with `tcsetattr`.
    pub fn set_line(&self, settings: LineSettings) {
        self.change(|state| state.settings = settings);
    }

    /// Returns all input so far.
    pub fn input(&self) -> Vec<u8> {
        self.lock().input.clone()
    }

    /// Blocks until `enough` returns true for all input so far, and returns the input. After
    /// `timeout`, returns the input so far.
    pub fn wait_for_input(&self, timeout: Duration, enough: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let missing = |state: &mut ScriptedState| !enough(&state.input);
        let waited = self
            .shared
            .changed
            .wait_timeout_while(self.lock(), timeout, missing);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.input.clone()
    }

    /// Returns the size that the program would see.
    pub fn size(&self) -> Size {
        self.lock().size
    }

    /// Returns the signals that were sent to the program, in order.
    pub fn signals(&self) -> Vec<Signal> {
        self.lock().signals.clone()
    }

    /// Returns the grace period of the first close, if there was one.
    pub fn closed(&self) -> Option<Duration> {
        self.lock().closed
    }

    fn lock(&self) -> MutexGuard<'_, ScriptedState> {
        self.shared
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut ScriptedState) -> T) -> T {
        let changed = change(&mut self.lock());
        self.shared.changed.notify_all();
        changed
    }
}

impl ScriptedState {
    fn end(&mut self, exit_status: ExitStatus) {
        if self.exit_status.is_none() {
            self.exit_status = Some(exit_status);
            self.exit_unreported = true;
            self.terminal = TerminalHold::HungUp;
        }
    }

    fn ready(&self, interest: Interest) -> PtyReady {
        PtyReady {
            readable: !self.output.is_empty() || self.terminal == TerminalHold::HungUp,
            writable: interest == Interest::ReadWrite && self.room != Some(0),
            ended: self.exit_status.is_some(),
        }
    }

    fn must_wait(&self, interest: Interest) -> bool {
        let ready = self.ready(interest);
        !(ready.readable || ready.writable || self.exit_unreported || self.woken)
    }
}

impl Pty for ScriptedPty {
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<PtyReady> {
        let changed = &self.shared.changed;
        let must_wait = |state: &mut ScriptedState| state.must_wait(interest);
        let mut state = match timeout {
            Some(timeout) => {
                changed
                    .wait_timeout_while(self.lock(), timeout, must_wait)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0
            }
            None => changed
                .wait_while(self.lock(), must_wait)
                .unwrap_or_else(PoisonError::into_inner),
        };
        state.exit_unreported = false;
        state.woken = false;
        Ok(state.ready(interest))
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<Read> {
        let mut state = self.lock();
        let Some(mut chunk) = state.output.pop_front() else {
            return Ok(match state.terminal {
                TerminalHold::Held => Read::Nothing,
                TerminalHold::HungUp | TerminalHold::Over => {
                    state.terminal = TerminalHold::Over;
                    Read::End
                }
            });
        };
        let count = chunk.len().min(buffer.len());
        let rest = chunk.split_off(count);
        buffer[..count].copy_from_slice(&chunk);
        if !rest.is_empty() {
            state.output.push_front(rest);
        }
        Ok(match count {
            0 => Read::Nothing,
            count => Read::Bytes(count),
        })
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(self.change(|state| {
            let count = state.room.map_or(bytes.len(), |room| room.min(bytes.len()));
            state.input.extend_from_slice(&bytes[..count]);
            state.room = state.room.map(|room| room - count);
            count
        }))
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.change(|state| state.size = size);
        Ok(())
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        self.change(|state| {
            if state.exit_status.is_none() {
                state.signals.push(signal);
            }
        });
        Ok(())
    }

    fn line(&self) -> Option<LineState> {
        Some(LineState {
            first: LineSettings::COOKED,
            now: self.lock().settings,
        })
    }

    fn activity(&self) -> Activity {
        self.change(|state| {
            state.activity_queries.push(state.input.len());
            let next = match state.activities.len() {
                0 | 1 => state.activities.front().cloned(),
                _ => state.activities.pop_front(),
            };
            next.unwrap_or(Activity::Waiting(Waiting {
                text_at_once: true,
                ..Waiting::default()
            }))
        })
    }

    fn exit_status(&self) -> Option<ExitStatus> {
        self.lock().exit_status
    }

    fn wake(&self) {
        self.change(|state| state.woken = true);
    }

    fn close(&self, grace: Duration) -> io::Result<()> {
        self.change(|state| {
            state.closed.get_or_insert(grace);
            state.end(ExitStatus::Signaled(Signal::HUP));
            // Closing also ends other processes that have the terminal open.
            if state.terminal == TerminalHold::Held {
                state.terminal = TerminalHold::HungUp;
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { cols: 80, rows: 24 };
    const PATIENCE: Option<Duration> = Some(Duration::from_secs(20));
    const AT_ONCE: Option<Duration> = Some(Duration::ZERO);

    fn read(pty: &ScriptedPty) -> (Read, String) {
        let mut buffer = [0; 4];
        let found = pty.read(&mut buffer).unwrap();
        let count = match found {
            Read::Bytes(count) => count,
            Read::Nothing | Read::End => 0,
        };
        let text = String::from_utf8_lossy(&buffer[..count]).into_owned();
        (found, text)
    }

    #[test]
    fn chunks_are_read_separately_and_the_end_comes_last() {
        let pty = ScriptedPty::new(SIZE);
        assert_eq!(read(&pty).0, Read::Nothing);
        pty.print(b"abcdef");
        pty.print(b"g");
        pty.end(ExitStatus::Exited(0));
        let texts: Vec<String> = (0..3).map(|_| read(&pty).1).collect();
        assert_eq!(texts, ["abcd", "ef", "g"]);
        assert_eq!(read(&pty).0, Read::End);
        assert_eq!(read(&pty).0, Read::End);
    }

    #[test]
    fn a_wait_is_woken_by_output_and_by_a_call() {
        let pty = ScriptedPty::new(SIZE);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pty.wait(Interest::Read, PATIENCE).unwrap());
            pty.print(b"x");
            assert!(waiting.join().unwrap().readable);
            read(&pty);
            let waiting = scope.spawn(|| pty.wait(Interest::Read, None).unwrap());
            pty.wake();
            assert_eq!(waiting.join().unwrap(), PtyReady::default());
        });
        assert_eq!(
            pty.wait(Interest::Read, AT_ONCE).unwrap(),
            PtyReady::default()
        );
    }

    #[test]
    fn the_exit_wakes_one_wait_and_stays_visible() {
        let pty = ScriptedPty::new(SIZE);
        pty.end_leaving_terminal_open(ExitStatus::Exited(1));
        let ended = PtyReady {
            ended: true,
            ..PtyReady::default()
        };
        assert_eq!(pty.wait(Interest::Read, None).unwrap(), ended);
        assert!(pty.lock().must_wait(Interest::Read));
        assert_eq!(pty.wait(Interest::Read, AT_ONCE).unwrap(), ended);
        assert_eq!(read(&pty).0, Read::Nothing);
        assert_eq!(pty.exit_status(), Some(ExitStatus::Exited(1)));
        pty.close(Duration::ZERO).unwrap();
        assert_eq!(read(&pty).0, Read::End);
    }

    #[test]
    fn a_program_that_does_not_read_refuses_input() {
        let pty = ScriptedPty::new(SIZE);
        pty.limit_input(2);
        assert_eq!(pty.write(b"abc").unwrap(), 2);
        assert_eq!(pty.write(b"c").unwrap(), 0);
        assert!(!pty.wait(Interest::ReadWrite, AT_ONCE).unwrap().writable);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pty.wait(Interest::ReadWrite, PATIENCE).unwrap());
            pty.accept_input();
            assert!(waiting.join().unwrap().writable);
            let writing = scope.spawn(|| pty.write(b"c"));
            let seen = pty.wait_for_input(Duration::from_secs(20), |input| input.ends_with(b"c"));
            assert_eq!(seen, b"abc");
            writing.join().unwrap().unwrap();
        });
    }

    #[test]
    fn the_script_sees_resizes_signals_and_the_first_close() {
        let pty = ScriptedPty::new(SIZE);
        let size = Size { cols: 10, rows: 5 };
        pty.resize(size).unwrap();
        pty.signal(Signal::INT).unwrap();
        pty.close(Duration::from_secs(1)).unwrap();
        pty.signal(Signal::TERM).unwrap();
        pty.close(Duration::from_secs(2)).unwrap();
        assert_eq!(pty.size(), size);
        assert_eq!(pty.signals(), [Signal::INT]);
        assert_eq!(pty.closed(), Some(Duration::from_secs(1)));
        assert_eq!(pty.exit_status(), Some(ExitStatus::Signaled(Signal::HUP)));
    }
}
