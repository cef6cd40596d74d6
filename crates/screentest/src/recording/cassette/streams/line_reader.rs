//! Reads a stream line by line, so that large files need little memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Take};

use screentest_core::formats::cassette::MAX_LINE;

/// The lines of a file.
#[derive(Debug)]
pub(crate) struct LineReader {
    reader: BufReader<Take<File>>,
    buffer: Vec<u8>,
    number: usize,
    /// The offset of the next line.
    offset: u64,
}

/// A line, possibly without its line end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawLine<'a> {
    /// Its text, without the line end.
    pub(crate) text: &'a [u8],
    /// The line number, from 1.
    pub(crate) number: usize,
    /// The offset of its first byte.
    pub(crate) offset: u64,
    /// Whether it has a line end. The last line of a file may lack one. A line of more than
    /// [`MAX_LINE`] + 1 bytes is returned in parts, of which only the last has one.
    pub(crate) is_complete: bool,
}

impl LineReader {
    pub(crate) fn new(file: File) -> LineReader {
        LineReader::with_limit(file, u64::MAX)
    }

    /// Reads lines of the first `length` bytes only.
    pub(crate) fn with_limit(file: File, length: u64) -> LineReader {
        LineReader {
            reader: BufReader::with_capacity(256 << 10, file.take(length)),
            buffer: Vec::new(),
            number: 0,
            offset: 0,
        }
    }

    /// Returns the next line.
    pub(crate) fn next(&mut self) -> io::Result<Option<RawLine<'_>>> {
        self.buffer.clear();
        let limit = MAX_LINE as u64 + 2;
        let count = (&mut self.reader)
            .take(limit)
            .read_until(b'\n', &mut self.buffer)?;
        if count == 0 {
            return Ok(None);
        }
        self.number += 1;
        let offset = self.offset;
        self.offset += count as u64;
        let is_complete = self.buffer.last() == Some(&b'\n');
        if is_complete {
            self.buffer.pop();
        }
        Ok(Some(RawLine {
            text: &self.buffer,
            number: self.number,
            offset,
            is_complete,
        }))
    }
}
