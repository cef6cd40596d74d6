//! Lines of any bytes, each of a bounded length.
//!
//! What is longer is passed over up to the next line end, so that one line that cannot be held does not spoil those behind it.

use std::io::{self, Read};

/// A line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its bytes, without the end.
    Bytes(Vec<u8>),
    /// It had more than [`Lines::MOST`].
    TooLong,
    /// There are no more.
    End,
}

/// The lines of an input.
pub(super) struct Lines<R> {
    input: R,
    buffer: Box<[u8]>,
    /// What of the buffer is not taken yet.
    start: usize,
    end: usize,
}

impl<R: Read> Lines<R> {
    /// The most bytes of a line: four times the most that a program takes as input at once, as JSON may escape it.
    pub(super) const MOST: usize = 16 << 20;

    pub(super) fn new(input: R) -> Lines<R> {
        Lines {
            input,
            // What a pipe holds on Linux.
            buffer: vec![0; 64 << 10].into_boxed_slice(),
            start: 0,
            end: 0,
        }
    }

    /// The next line. The last one needs no end.
    pub(super) fn next(&mut self) -> io::Result<Line> {
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
                        (true, true) => Line::End,
                        (true, false) => Line::Bytes(line),
                        (false, _) => Line::TooLong,
                    });
                }
            }
            let rest = &self.buffer[self.start..self.end];
            let newline = rest.iter().position(|byte| *byte == b'\n');
            let part = &rest[..newline.unwrap_or(rest.len())];
            if fits && line.len() + part.len() <= Self::MOST {
                line.extend_from_slice(part);
            } else {
                fits = false;
                line = Vec::new();
            }
            self.start += part.len() + usize::from(newline.is_some());
            if newline.is_some() {
                return Ok(match fits {
                    true => Line::Bytes(line),
                    false => Line::TooLong,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(input);
        let mut read = Vec::new();
        loop {
            match lines.next().unwrap() {
                Line::End => return read,
                line => read.push(line),
            }
        }
    }

    #[test]
    fn lines_end_with_a_newline_or_with_the_input() {
        let bytes = |text: &[u8]| Line::Bytes(text.to_vec());
        assert_eq!(lines(b""), []);
        assert_eq!(
            lines(b"a\n\nb\r\nc"),
            [bytes(b"a"), bytes(b""), bytes(b"b\r"), bytes(b"c")]
        );
    }

    #[test]
    fn a_line_that_is_too_long_spoils_no_other() {
        let mut input = vec![b'x'; Lines::<io::Empty>::MOST];
        input.push(b'\n');
        input.extend(vec![b'y'; 4 * Lines::<io::Empty>::MOST]);
        input.extend(b"\nz");
        let lines = lines(&input);
        assert_eq!(lines.len(), 3);
        assert!(matches!(&lines[0], Line::Bytes(bytes) if bytes.len() == Lines::<io::Empty>::MOST));
        assert_eq!(lines[1], Line::TooLong);
        assert_eq!(lines[2], Line::Bytes(b"z".to_vec()));
        assert_eq!(
            self::lines(&vec![b'y'; Lines::<io::Empty>::MOST + 1]),
            [Line::TooLong]
        );
    }
}
