//! A stream of a cassette, line by line, as what each line says.
//!
//! Elsewhere: lines as they stand in a file, which may be broken off (`lines.rs`).

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use screentest_core::formats::cassette::{LineError, from_line};
use serde::de::DeserializeOwned;

use super::error::CassetteError;
use super::lines::Lines;
use super::open::{unread, wrong};

/// One of the files that hold a value on each line.
#[derive(Debug)]
pub(crate) struct Stream<T> {
    lines: Lines,
    name: &'static str,
    path: PathBuf,
    number: usize,
    values: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Stream<T> {
    /// What these lines of a file in a folder say.
    pub(crate) fn new(lines: Lines, folder: &Path, name: &'static str) -> Stream<T> {
        Stream {
            lines,
            name,
            path: folder.join(name),
            number: 0,
            values: PhantomData,
        }
    }

    /// What the next line says; `None` behind the last.
    pub(crate) fn next(&mut self) -> Result<Option<T>, CassetteError> {
        let Some(line) = self.lines.next().map_err(unread(&self.path))? else {
            return Ok(None);
        };
        self.number = line.number;
        let value = from_line(line.text, line.number);
        value.map(Some).map_err(wrong(self.name))
    }

    /// Which line was given last, from 1.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Something is wrong with the line that was given last.
    pub(crate) fn wrong(&self, problem: String) -> CassetteError {
        wrong(self.name)(LineError {
            line: self.number,
            problem,
        })
    }
}
