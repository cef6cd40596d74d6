//! The printer command of xterm: prints the buffer into a FIFO.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};

use super::tty::{now, timespec};

/// Written after the text, because the FIFO itself is never closed.
const END: &[u8] = b"\x01END";

/// The reading end.
#[derive(Debug)]
pub(super) struct Printer {
    fifo: File,
    script: PathBuf,
}

impl Printer {
    /// Creates the FIFO and the script that writes to it.
    pub(super) fn new(folder: &Path) -> Result<Printer> {
        let path = folder.join("printed");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        // Open for writing too, so that reading waits for the next print.
        let fifo = File::options()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NONBLOCK.bits() as i32)
            .open(&path)?;
        let script = folder.join("print.sh");
        let text = format!("{{ cat; printf '\\001END'; }} > '{}'\n", path.display());
        std::fs::write(&script, text)?;
        Ok(Printer { fifo, script })
    }

    /// Returns the command for xterm's `printerCommand`.
    pub(super) fn command(&self) -> String {
        format!("sh {}", self.script.display())
    }

    /// Reads what one print wrote.
    pub(super) fn read(&mut self, patience: Duration) -> Result<String> {
        let deadline = now() + patience;
        let mut printed = Vec::new();
        while !printed.ends_with(END) {
            let left = deadline.saturating_duration_since(now());
            let mut fds = [PollFd::new(&self.fifo, PollFlags::IN)];
            if left.is_zero() || poll(&mut fds, Some(&timespec(left)))? == 0 {
                bail!("xterm did not print");
            }
            let mut buffer = [0; 65536];
            match self.fifo.read(&mut buffer) {
                Ok(count) => printed.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
        printed.truncate(printed.len() - END.len());
        Ok(decode(&printed))
    }
}

/// Decodes UTF-8. xterm also prints code points that do not exist, in up to six bytes; each is one
/// replacement character.
fn decode(mut bytes: &[u8]) -> String {
    let mut text = String::new();
    while let Some((first, rest)) = bytes.split_first() {
        let most = match first {
            0xc0..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf7 => 3,
            0xf8..=0xfb => 4,
            0xfc..=0xfd => 5,
            _ => 0,
        };
        let more = rest.iter().take(most);
        let more = more.take_while(|byte| matches!(byte, 0x80..=0xbf)).count();
        let (one, rest) = bytes.split_at(1 + more);
        text.push_str(std::str::from_utf8(one).unwrap_or("\u{fffd}"));
        bytes = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn code_points_that_do_not_exist_are_one_character_each() {
        assert_eq!(decode("aé界\u{1f600}".as_bytes()), "aé界\u{1f600}");
        assert_eq!(
            decode(b"a\xf8\x88\x80\x80\x80b\xed\xa0\x80c\x80"),
            "a\u{fffd}b\u{fffd}c\u{fffd}"
        );
    }
}
