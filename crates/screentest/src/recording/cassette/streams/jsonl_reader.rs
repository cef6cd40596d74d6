//! Parses a stream of a cassette, one value per line.
//!
//! See also: `line_reader.rs` (unparsed lines, the last of which may be incomplete).

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use screentest_core::formats::cassette::{LineError, from_line};
use serde::de::DeserializeOwned;

use super::line_reader::LineReader;
use crate::recording::cassette::error::CassetteError;
use crate::recording::cassette::error::{line_error, read_error};

/// A file that holds one value per line.
#[derive(Debug)]
pub(crate) struct JsonlReader<T> {
    lines: LineReader,
    name: &'static str,
    path: PathBuf,
    number: usize,
    values: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> JsonlReader<T> {
    /// Creates a reader of these lines. `directory` and `name` identify the file in errors.
    pub(crate) fn new(lines: LineReader, directory: &Path, name: &'static str) -> JsonlReader<T> {
        JsonlReader {
            lines,
            name,
            path: directory.join(name),
            number: 0,
            values: PhantomData,
        }
    }

    /// Parses the next line; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<T>, CassetteError> {
        let Some(line) = self.lines.next().map_err(read_error(&self.path))? else {
            return Ok(None);
        };
        self.number = line.number;
        let value = from_line(line.text, line.number);
        value.map(Some).map_err(line_error(self.name))
    }

    /// Returns the number of the line that was read last, from 1; 0 before the first.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Makes an error about the line that was read last.
    pub(crate) fn error(&self, problem: String) -> CassetteError {
        line_error(self.name)(LineError {
            line: self.number,
            problem,
        })
    }
}
