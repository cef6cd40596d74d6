//! Reads lines of arbitrary bytes with a maximum length.
//!
//! A longer line is skipped up to its end, so that it does not affect the lines after it.

use std::io::{self, Read};

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StdioLine {
    /// The bytes without the line end.
    Bytes(Vec<u8>),
    /// The line was longer than [`StdioLineReader::MAX_BYTES`].
    TooLong,
    /// The input has ended.
    End,
}

/// Reads the lines of an input.
pub(super) struct StdioLineReader<R> {
    input: R,
    buffer: Box<[u8]>,
    /// `start..end` is the unread part of the buffer.
    start: usize,
    end: usize,
}

impl<R: Read> StdioLineReader<R> {
    /// Maximum length of a line: four times the largest input of a program, because JSON may escape
    /// it.
    pub(super) const MAX_BYTES: usize = 16 << 20;

    pub(super) fn new(input: R) -> StdioLineReader<R> {
        StdioLineReader {
            input,
            // The capacity of a pipe on Linux.
            buffer: vec![0; 64 << 10].into_boxed_slice(),
            start: 0,
            end: 0,
        }
    }

    /// Returns the next line. The last line needs no line end.
    pub(super) fn next(&mut self) -> io::Result<StdioLine> {
        let mut line = Vec::new();
        let mut fits = true;
        loop {
            if self.start == self.end {
                (self.start, self.end) = (0, 0);
                self.end = match self.input.read(&mut self.buffer) {
                    Ok(count) => count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(error),
                };
                if self.end == 0 {
                    return Ok(match (fits, line.is_empty()) {
                        (true, true) => StdioLine::End,
                        (true, false) => StdioLine::Bytes(line),
                        (false, _) => StdioLine::TooLong,
                    });
                }
            }
            let rest = &self.buffer[self.start..self.end];
            let newline = rest.iter().position(|byte| *byte == b'\n');
            let part = &rest[..newline.unwrap_or(rest.len())];
            if fits && line.len() + part.len() <= Self::MAX_BYTES {
                line.extend_from_slice(part);
            } else {
                fits = false;
                line = Vec::new();
            }
            self.start += part.len() + usize::from(newline.is_some());
            if newline.is_some() {
                return Ok(if fits {
                    StdioLine::Bytes(line)
                } else {
                    StdioLine::TooLong
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<StdioLine> {
        let mut lines = StdioLineReader::new(input);
        let mut read = Vec::new();
        loop {
            match lines.next().unwrap() {
                StdioLine::End => return read,
                line => read.push(line),
            }
        }
    }

    #[test]
    fn lines_end_with_a_newline_or_with_the_input() {
        let bytes = |text: &[u8]| StdioLine::Bytes(text.to_vec());
        assert_eq!(lines(b""), []);
        assert_eq!(
            lines(b"a\n\nb\r\nc"),
            [bytes(b"a"), bytes(b""), bytes(b"b\r"), bytes(b"c")]
        );
    }

    #[test]
    fn too_long_line_does_not_affect_other_lines() {
        let mut input = vec![b'x'; StdioLineReader::<io::Empty>::MAX_BYTES];
        input.push(b'\n');
        input.extend(vec![b'y'; 4 * StdioLineReader::<io::Empty>::MAX_BYTES]);
        input.extend(b"\nz");
        let lines = lines(&input);
        assert_eq!(lines.len(), 3);
        assert!(
            matches!(&lines[0], StdioLine::Bytes(bytes) if bytes.len() == StdioLineReader::<io::Empty>::MAX_BYTES)
        );
        assert_eq!(lines[1], StdioLine::TooLong);
        assert_eq!(lines[2], StdioLine::Bytes(b"z".to_vec()));
        assert_eq!(
            self::lines(&vec![b'y'; StdioLineReader::<io::Empty>::MAX_BYTES + 1]),
            [StdioLine::TooLong]
        );
    }
}
