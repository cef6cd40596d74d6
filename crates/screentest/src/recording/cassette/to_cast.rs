//! A cassette as an asciicast: what the program wrote, the marks, the sizes and the end, with their times.
//!
//! What is written follows from the bytes alone, so that it does not matter which emulator derived the frames. What was typed may be
//! private, so that it goes along only where asked for. Everything is read and written in stretches, however large it is.
//!
//! Elsewhere: the other way (`from_cast.rs`), the format (`screentest_core::formats::asciicast`).

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use screentest_core::Size;
use screentest_core::formats::asciicast::{
    Cast, Decoder, Encoder, Event, EventKind, Header, Version,
};
use screentest_core::formats::cassette::manifest::Command;
use screentest_core::formats::cassette::{
    self as format, Ending, EventLine, InputKind, InputLine, LineError, OtherEmulator, OutputLine,
};

use super::error::CassetteError;
use super::from_cast::HEADER;
use super::open::{Cassette, unread, wrong};
use crate::pty::signal::Signal;

/// How much is read at once; what came in one go becomes one event up to this.
const CHUNK: u64 = 1 << 20;

/// How a cassette becomes an asciicast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CastOptions {
    /// The version of the file.
    pub version: Version,
    /// Whether it has what was typed.
    pub typed: Typed,
}

/// Whether what was typed is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Typed {
    /// It is not: it may be private.
    #[default]
    LeftOut,
    /// It is, and so is what the terminal answered.
    Included,
}

/// What a cassette has and its asciicast has not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Things that were typed or answered.
    pub inputs: u64,
    /// Things that the caller said without giving them a name.
    pub events: u64,
}

/// Why there is no asciicast.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CastError {
    /// The cassette is not one that can be read.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// It could not be written.
    #[error("could not write the asciicast")]
    Write(#[source] io::Error),
}

impl Cassette {
    /// Writes it as an asciicast, and says what did not go along. Every digest is compared first: an asciicast has none, so that
    /// a byte that was changed would never be noticed again.
    pub fn write_cast(
        &self,
        options: CastOptions,
        out: &mut dyn Write,
    ) -> Result<LeftOut, CastError> {
        self.verify_digests()?;
        let inputs = self.inputs()?;
        let events = self.events()?;
        let header = self.header(&events)?;
        let (said, left_out) = said(inputs, events, options.typed)?;
        let mut sheet = Sheet {
            encoder: Encoder::new(options.version),
            decoder: Decoder::default(),
            out,
            time: Duration::ZERO,
        };
        let first = sheet.encoder.header(&header);
        sheet.out.write_all(&first).map_err(CastError::Write)?;
        self.write_events(said, &mut sheet)?;
        sheet.end(self.ending())?;
        Ok(left_out)
    }

    /// What its asciicast says of all of it; of one that was made of an asciicast, what that said.
    pub fn cast_header(&self) -> Result<Header, CassetteError> {
        self.header(&self.events()?)
    }

    fn header(&self, events: &[EventLine]) -> Result<Header, CassetteError> {
        let manifest = self.manifest();
        let size = manifest.terminal.size();
        let size = size.map_err(|error| CassetteError::Emulator(OtherEmulator::Size(error)))?;
        // What an asciicast said of itself goes back into one.
        let kept = events.iter().find_map(|event| event.data.get(HEADER));
        let kept = kept.and_then(|kept| Cast::parse(kept.to_string()).ok());
        let kept = kept.map_or_else(|| Header::new(size), |cast| cast.header);
        Ok(Header {
            size,
            command: command_line(&manifest.command),
            term: manifest.terminal.term.clone(),
            recorded_at: manifest.provenance.recorded_at,
            ..kept
        })
    }

    /// Writes what the program wrote, and between it what happened meanwhile, each where it belongs: a size that comes too early or too
    /// late breaks lines elsewhere.
    fn write_events(
        &self,
        mut said: VecDeque<Said>,
        sheet: &mut Sheet<'_>,
    ) -> Result<(), CastError> {
        let raw = self.output()?;
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let mut lines = self.stream::<OutputLine>(format::OUTPUT)?;
        let mut buffer = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.next()? {
            if line.offset != at {
                let problem = format!("output from {} on, where {at} follows", line.offset);
                return Err(lines.wrong(problem).into());
            }
            while at < line.end() {
                while said.front().is_some_and(|next| next.at <= at)
                    && let Some(next) = said.pop_front()
                {
                    sheet.event(next.time, next.kind)?;
                }
                let next = said.front().map_or(u64::MAX, |next| next.at);
                let until = line.end().min(next).min(at + CHUNK);
                buffer.resize((until - at) as usize, 0);
                let read = raw.read_exact_at(&mut buffer, at);
                read.map_err(unread(&raw_path))?;
                sheet.output(line.t_ms.time(), &buffer)?;
                at = until;
            }
        }
        for last in said {
            sheet.event(last.time, last.kind)?;
        }
        Ok(())
    }
}

/// Something that happened besides output.
struct Said {
    at: u64,
    seq: u64,
    time: Duration,
    kind: EventKind,
}

/// What happened besides output, in its order.
fn said(
    inputs: Vec<InputLine>,
    events: Vec<EventLine>,
    typed: Typed,
) -> Result<(VecDeque<Said>, LeftOut), CassetteError> {
    let mut said = Vec::new();
    let mut left_out = LeftOut::default();
    let mut decoder = Decoder::default();
    for (line, input) in (1..).zip(inputs) {
        let kind = match (&input.kind, input.kind.bytes()) {
            (InputKind::Resize { cols, rows }, _) => {
                let size = Size::checked((*cols).into(), (*rows).into());
                EventKind::Resize(size.map_err(|error| {
                    let problem = error.to_string();
                    wrong(format::INPUT)(LineError { line, problem })
                })?)
            }
            (_, Some(bytes)) if typed == Typed::Included => EventKind::Input(decoder.push(bytes)),
            (_, Some(_)) => {
                left_out.inputs += 1;
                continue;
            }
            _ => continue,
        };
        said.push(Said {
            at: input.at,
            seq: input.seq,
            time: input.t_ms.time(),
            kind,
        });
    }
    for event in events {
        let Some(mark) = event.mark else {
            left_out.events += u64::from(event.data.get(HEADER).is_none());
            continue;
        };
        said.push(Said {
            at: event.at,
            seq: event.seq,
            time: event.t_ms.time(),
            kind: EventKind::Marker(mark),
        });
    }
    said.sort_by_key(|said| (said.at, said.seq));
    Ok((said.into(), left_out))
}

/// The file as far as it is written.
struct Sheet<'a> {
    encoder: Encoder,
    decoder: Decoder,
    out: &'a mut dyn Write,
    /// The time of the last event.
    time: Duration,
}

impl Sheet<'_> {
    fn output(&mut self, time: Duration, bytes: &[u8]) -> Result<(), CastError> {
        match self.decoder.push(bytes) {
            // All of it waits for the rest of its character.
            text if text.is_empty() => Ok(()),
            text => self.event(time, EventKind::Output(text)),
        }
    }

    fn event(&mut self, time: Duration, kind: EventKind) -> Result<(), CastError> {
        self.time = self.time.max(time);
        let line = self.encoder.event(&Event { time, kind });
        self.out.write_all(&line).map_err(CastError::Write)
    }

    fn end(&mut self, ending: &Ending) -> Result<(), CastError> {
        let time = ending.t_ms.time();
        match (ending.exit_code, ending.signal.as_deref()) {
            (Some(code), _) => self.event(time, EventKind::Exit(code)),
            (None, Some(name)) => self.event(time, EventKind::Exit(shell_code(name))),
            // Nothing is known of the end but that it was later than all else.
            (None, None) if time > self.time => self.event(time, EventKind::Output(String::new())),
            (None, None) => Ok(()),
        }
    }
}

/// The code that a shell gives for a program that a signal killed.
fn shell_code(signal: &str) -> i32 {
    let signal = signal.strip_prefix("signal ").unwrap_or(signal);
    let number = signal.parse::<Signal>().map_or(0, Signal::number);
    128 + number
}

/// A command as a line for a shell. What a shell was given as a line is that line.
fn command_line(command: &Command) -> String {
    match (command.program.as_str(), command.args.as_slice()) {
        ("sh", [option, line]) if option == "-c" => line.clone(),
        (program, args) => {
            let words = [program].into_iter().chain(args.iter().map(String::as_str));
            words.map(shell_word).collect::<Vec<_>>().join(" ")
        }
    }
}

/// A word as a shell takes it. Nothing is no word, but what is not known.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_the_line_that_a_shell_takes() {
        for (words, line) in [
            (&["vim", "-u", "NONE"][..], "vim -u NONE"),
            (&["sh", "-c", "ls | wc"], "ls | wc"),
            (&["echo", "it's $1"], r"echo 'it'\''s $1'"),
            (&[""], ""),
        ] {
            let command = Command {
                program: words[0].to_owned(),
                args: words[1..].iter().map(|word| (*word).to_owned()).collect(),
                cwd: None,
            };
            assert_eq!(command_line(&command), line);
        }
    }

    #[test]
    fn a_signal_is_the_code_that_a_shell_gives() {
        assert_eq!(shell_code("SIGTERM"), 143);
        assert_eq!(shell_code("signal 34"), 162);
        assert_eq!(shell_code("of another system"), 128);
    }
}
