//! A real xterm as the oracle.
//!
//! xterm runs under Xvfb in slave mode (`-S`): it reads a pseudo-terminal that this process opened,
//! and no program runs in it. What it holds is read back with its own sequences, which read the
//! buffer and not the picture, so fonts do not matter:
//!
//! | what | how |
//! |---|---|
//! | text, widths, scrollback | media copy (`CSI ? 11 i`) to a printer command that writes to a FIFO; the second half of a wide character is U+FFFF |
//! | colours, attributes | `CSI … # \|` (XTREPORTSGR) for each cell |
//! | cursor, pending wrap | `CSI 1 $ w` (DECCIR), whose flags include the pending wrap |
//! | shape of the cursor | DECRQSS |
//! | modes | DECRQM |
//! | title, size | `CSI 21 t`, `CSI 18 t` |
//!
//! A checksum request (DECRQCRA) with a fresh number ends each exchange. Its reply shows that xterm
//! has processed everything before it; what came earlier are the replies to the probe.
//!
//! One xterm serves many probes. Before each, it is reset and resized. It is replaced by a new one
//! if it then reports another state than a new one, if it does not answer, or if its answer cannot be
//! understood.

use std::time::Duration;

use anyhow::{Context, Result};
use screentest_core::Size;

use crate::emulator::END;
use crate::observation::Observation;

mod printer;
mod process;
mod readout;
mod scrolling;
mod sequences;
mod sgr;
mod tty;

use printer::Printer;
use process::Process;
use sequences::Reply;
use tty::Tty;

/// Time limit of one exchange. The slowest take a tenth of a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// Undoes what probes do and RIS keeps: 8-bit replies, another encoding, the scrollback, modes, the
/// content of the alternate screen, colours, the title, and the stacks of titles, styles and
/// colours, which have ten entries each.
const RESET: &str = "\x18\x1b\\\x1b F\x1b%G\x1bc\x1b[3J\x1b[?40l\x1b[?42l\x1b[?1007h\x1b[>1;0T\x1b[>2;3t\
    \x1b[?47h\x1b[2J\x1b[?47l\
    \x1b[23t\x1b[23t\x1b[23t\x1b[23t\x1b[23t\x1b[23t\x1b[23t\x1b[23t\x1b[23t\x1b[23t\
    \x1b[#}\x1b[#}\x1b[#}\x1b[#}\x1b[#}\x1b[#}\x1b[#}\x1b[#}\x1b[#}\x1b[#}\
    \x1b[#Q\x1b[#Q\x1b[#Q\x1b[#Q\x1b[#Q\x1b[#Q\x1b[#Q\x1b[#Q\x1b[#Q\x1b[#Q\
    \x1b]104\x1b\\\x1b]105\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\\x1b]113\x1b\\\
    \x1b]114\x1b\\\x1b]115\x1b\\\x1b]117\x1b\\\x1b]118\x1b\\\x1b]119\x1b\\\x1b]2;(unset)\x1b\\";

/// Stands for a title that no program has set. xterm itself always has one.
const UNSET_TITLE: &str = "(unset)";

/// A running xterm.
#[derive(Debug)]
pub struct Xterm {
    parts: Option<Parts>,
}

#[derive(Debug)]
struct Parts {
    tty: Tty,
    printer: Printer,
    /// The state of a new xterm, as it reports it.
    plain: Vec<Reply>,
    /// Ends when dropped, after the terminal has closed.
    _process: Process,
}

impl Xterm {
    /// Creates an oracle. xterm is started when it is first used.
    pub fn new() -> Xterm {
        Xterm { parts: None }
    }

    /// Replaces the running xterm by a new one before the next use.
    pub fn restart(&mut self) {
        self.parts = None;
    }

    /// Returns the version, such as `XTerm(379)`.
    pub fn version(&mut self) -> Result<String> {
        let parts = self.parts()?;
        let replies = parts.tty.ask(b"\x1b[>0q", PATIENCE)?;
        let text = String::from_utf8_lossy(&replies).into_owned();
        let name = text.trim_start_matches("\x1bP>|");
        Ok(name.trim_end_matches("\x1b\\").to_owned())
    }

    /// Returns the state of a reset xterm after some output.
    pub fn observe(&mut self, size: Size, bytes: &[u8]) -> Result<Observation> {
        match self.try_observe(size, bytes) {
            Ok(observation) => Ok(observation),
            Err(_) => {
                // An earlier probe may have left a state that a reset does not undo.
                self.restart();
                self.try_observe(size, bytes)
                    .inspect_err(|_| self.restart())
            }
        }
    }

    fn try_observe(&mut self, size: Size, bytes: &[u8]) -> Result<Observation> {
        let parts = self.parts()?;
        parts.reset(size).context("reset")?;
        let mut probe = scrolling::flush_before_erasing(bytes);
        probe.push(END);
        let replies = parts.tty.ask(&probe, PATIENCE)?;
        let observation = readout::read(&mut parts.tty, &mut parts.printer, replies)?;
        Ok(observation)
    }

    fn parts(&mut self) -> Result<&mut Parts> {
        let parts = match self.parts.take() {
            Some(parts) => parts,
            None => Parts::start()?,
        };
        Ok(self.parts.insert(parts))
    }
}

impl Default for Xterm {
    fn default() -> Xterm {
        Xterm::new()
    }
}

impl Parts {
    fn start() -> Result<Parts> {
        let folder = tempfile::tempdir()?;
        let printer = Printer::new(folder.path())?;
        let (mut tty, terminal) = Tty::open()?;
        let process = Process::start(folder, &tty.name()?, &terminal, &printer.command())?;
        drop(terminal);
        // xterm first writes the number of its window.
        tty.read_line(PATIENCE).context("xterm did not start")?;
        let mut parts = Parts {
            tty,
            printer,
            plain: Vec::new(),
            _process: process,
        };
        parts.reset_to(Size::new(80, 24))?;
        parts.plain = parts.state()?;
        Ok(parts)
    }

    /// Returns what xterm reports about itself, except its size. Includes how far UTF-8 moves the
    /// cursor.
    fn state(&mut self) -> Result<Vec<Reply>> {
        let mut replies = readout::ask_state(&mut self.tty)?;
        let text = "\u{e9}\x1b[6n\r\x1b[K".as_bytes();
        let moved = sequences::split(&self.tty.ask(text, PATIENCE)?);
        replies.extend(moved.unwrap_or_default());
        replies.retain(|reply| !matches!(reply, Reply::Csi(_, 't')));
        Ok(replies)
    }

    /// Brings xterm into the state of a new one of this size. An error if this is impossible.
    fn reset(&mut self, size: Size) -> Result<()> {
        self.reset_to(size)?;
        let state = self.state()?;
        anyhow::ensure!(state == self.plain, "{state:?} after a reset");
        Ok(())
    }

    fn reset_to(&mut self, size: Size) -> Result<()> {
        let Size { cols, rows } = size;
        let resize = format!("{RESET}\x1b[8;{rows};{cols}t\x1bc\x1b[3J");
        self.tty.ask(resize.as_bytes(), PATIENCE)?;
        // The window changes its size asynchronously. A second resize is only needed if a probe's
        // own resize was late.
        let expected = format!("\x1b[8;{rows};{cols}t");
        for _ in 0..1000 {
            let reply = self.tty.ask(b"\x1b[18t", PATIENCE)?;
            if reply == expected.as_bytes() {
                return Ok(());
            }
            self.tty.ask(expected.as_bytes(), PATIENCE)?;
        }
        anyhow::bail!("xterm does not take the size {size}")
    }
}
