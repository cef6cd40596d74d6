//! Background reader: reads a program's PTY while no thread waits.
//!
//! Without it, the program would be blocked as soon as the kernel's buffer is full, and its queries
//! would get no reply. It becomes the reader whenever no waiting thread is. A thread that has
//! waited usually waits again soon, so the background reader first lets a moment pass: otherwise
//! every wait of a test would begin and end with a thread switch. While waits follow each other
//! closely, the background reader is not woken at all (`deferred_wake.rs`).
//!
//! See also: `state/reader_role.rs` (when it becomes the reader).

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use crate::session::reader::PtyReader;

mod thread_cache;

/// Handle of the background reader.
#[derive(Debug)]
pub(crate) struct BackgroundReader {
    // Never receives anything: the sender is dropped when the thread is done.
    done: Receiver<()>,
}

impl BackgroundReader {
    /// Starts the background reader. It reads until the session is closed or nothing more can be
    /// read.
    pub(crate) fn start(reader: Arc<PtyReader>) -> io::Result<BackgroundReader> {
        let (running, done) = mpsc::channel();
        // A caller that starts a program usually waits for it soon, so the background reader first
        // blocks. This call wakes it after a delay if no thread waits by then.
        reader.state.call_background_reader();
        thread_cache::run(Box::new(move || {
            // Dropping this ends `join`. Without a panic, it is dropped after `reader`, so that
            // the thread no longer uses the session when `join` returns.
            let _running = running;
            run(&reader);
            drop(reader);
        }))?;
        Ok(BackgroundReader { done })
    }

    /// Waits until the background reader is done. Its panic, if any, was already printed.
    pub(crate) fn join(self) {
        let _ = self.done.recv();
    }
}

fn run(reader: &Arc<PtyReader>) {
    let state = &reader.state;
    let mut shared = state.sleep_background_reader();
    while let Some(role) = state.become_background_reader(shared) {
        let read = reader.read_once(None);
        drop(role);
        if let Err(error) = read {
            state.set_failed(error);
        }
        shared = state.lock();
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;

    use super::*;
    use crate::pty::scripted::ScriptedPty;
    use crate::session::exit_status::ExitStatus;
    use crate::session::reader::panicking_emulator::PanickingEmulator;
    use crate::session::state::SessionState;

    fn reader() -> (Arc<ScriptedPty>, Arc<PtyReader>) {
        let pty = Arc::new(ScriptedPty::new(Size { cols: 80, rows: 24 }));
        let reader = PanickingEmulator::reader(&pty, thread_cache::THREAD_NAME);
        (pty, reader)
    }

    #[test]
    fn the_background_reader_ends_with_the_session_without_being_called_before() {
        let ends: [fn(&SessionState); 3] = [
            SessionState::set_closed,
            |state| {
                state.set_output_ended();
                state.set_exit_status(Some(ExitStatus::Exited(0)));
            },
            |state| state.set_failed(io::ErrorKind::Other.into()),
        ];
        for end in ends {
            let (_pty, reader) = reader();
            let background = BackgroundReader::start(Arc::clone(&reader)).unwrap();
            end(&reader.state);
            background.join();
        }
    }

    #[test]
    fn a_panic_of_the_background_reader_does_not_block_other_threads() {
        let (pty, reader) = reader();
        let background = BackgroundReader::start(Arc::clone(&reader)).unwrap();
        pty.print(b"x");
        background.join();
        let shared = reader.state.lock();
        assert!(shared.snapshot().failure.is_some());
        assert!(!shared.has_reader());
    }
}
