//! Finds the last keyframe before a moment, in a file of any size.
//!
//! The line of a keyframe is recognised by its first bytes, so the file can be searched by
//! bisection.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use memchr::memmem::Finder;
use screentest_core::formats::cassette::frames::KEY;
use screentest_core::formats::cassette::{FRAMES, FrameLine, LineError, MAX_LINE};

use crate::recording::cassette::CassetteError;
use crate::recording::cassette::error::line_error;

/// The number of bytes read at once: more than most keyframes have. For small screens, it is also
/// more than the distance between two keyframes.
const CHUNK: usize = 64 << 10;

/// `frames.jsonl`, with random access.
#[derive(Debug)]
pub(super) struct FrameFile {
    file: File,
    path: PathBuf,
    length: u64,
}

impl FrameFile {
    pub(super) fn new(file: File, path: PathBuf) -> Result<FrameFile, CassetteError> {
        let length = file.metadata().map(|there| there.len());
        let length = length.map_err(|source| CassetteError::Read {
            path: path.clone(),
            source,
        })?;
        Ok(FrameFile { file, path, length })
    }

    /// The line at this offset, and the offset of the next one.
    pub(super) fn line(&self, from: u64) -> Result<Option<(FrameLine, u64)>, CassetteError> {
        let mut text = Vec::new();
        loop {
            let read = self.read(from + text.len() as u64, &mut text)?;
            let searched = text.len() - read;
            if let Some(end) = memchr::memchr(b'\n', &text[searched..]) {
                text.truncate(searched + end);
                break;
            }
            if read == 0 || text.len() > MAX_LINE {
                break;
            }
        }
        if text.is_empty() {
            return Ok(None);
        }
        let next = from + text.len() as u64 + 1;
        match FrameLine::parse(&text, 0) {
            Ok(line) => Ok(Some((line, next))),
            Err(error) => Err(self.line_error(from, error.problem)),
        }
    }

    /// Returns the error for the line at this offset. Reads the file up to it, to count the lines.
    pub(super) fn line_error(&self, at: u64, problem: String) -> CassetteError {
        let mut text = Vec::new();
        let (mut line, mut counted) = (1, 0);
        while counted < at {
            text.clear();
            match self.read(counted, &mut text) {
                Ok(0) => break,
                Ok(read) => {
                    let before = read.min(usize::try_from(at - counted).unwrap_or(read));
                    line += memchr::memchr_iter(b'\n', &text[..before]).count();
                    counted += read as u64;
                }
                Err(error) => return error,
            }
        }
        line_error(FRAMES)(LineError { line, problem })
    }

    /// The offset of the last keyframe for which `until` returns true, or of the first line.
    pub(super) fn keyframe(
        &self,
        until: &dyn Fn(&FrameLine) -> bool,
    ) -> Result<u64, CassetteError> {
        let (mut low, mut high) = (0, self.length);
        // A matching keyframe begins at `low`. No matching keyframe begins at or after `high`.
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            let Some(key) = self.next_key(middle, high)? else {
                high = middle;
                continue;
            };
            match self.line(key)? {
                Some((line, _)) if until(&line) => low = key,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// The offset of the first keyframe at or after `from` and before `end`.
    fn next_key(&self, from: u64, end: u64) -> Result<Option<u64>, CassetteError> {
        let begins = [b"\n", KEY].concat();
        let finder = Finder::new(&begins);
        // Include the preceding line end in the search.
        let mut at = from.saturating_sub(1);
        let mut text = Vec::new();
        while at < end {
            text.clear();
            let read = self.read(at, &mut text)?;
            if let Some(found) = finder.find(&text) {
                let key = at + found as u64 + 1;
                return Ok((key < end).then_some(key));
            }
            if read <= begins.len() {
                break;
            }
            // Read the end of this piece again: a match may span two pieces.
            at += (read - begins.len()) as u64;
        }
        Ok(None)
    }

    /// Appends a piece of the file to `text`; returns its length.
    fn read(&self, at: u64, text: &mut Vec<u8>) -> Result<usize, CassetteError> {
        let from = text.len();
        text.resize(from + CHUNK, 0);
        let mut count = 0;
        while count < CHUNK {
            match self
                .file
                .read_at(&mut text[from + count..], at + count as u64)
            {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => {
                    let path = self.path.clone();
                    return Err(CassetteError::Read { path, source });
                }
            }
        }
        text.truncate(from + count);
        Ok(count)
    }
}
