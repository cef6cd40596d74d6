//! Writes a cassette as an asciicast: output, marks, size changes and exit, with their times.
//!
//! The asciicast is made of the bytes alone, so it does not depend on the emulator that derived the
//! frames. Input may be private and is included only on request. The output is read and written in
//! chunks, however large it is; inputs and events are read into memory.
//!
//! See also: `from_cast.rs` (the other direction), `screentest_core::formats::asciicast` (the
//! format).

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use screentest_core::Size;
use screentest_core::formats::asciicast::{
    Cast, CastEncoder, CastEvent, CastEventKind, CastHeader, CastVersion, Utf8Decoder,
};
use screentest_core::formats::cassette::manifest::RecordedCommand;
use screentest_core::formats::cassette::{
    self as format, EventLine, InputLine, InputLineKind, LineError, OutputLine, RecordingEnd,
};

use super::from_cast::HEADER_KEY;
use crate::pty::signal::Signal;
use crate::recording::cassette::Cassette;
use crate::recording::cassette::error::CassetteError;
use crate::recording::cassette::error::{line_error, read_error};

/// The number of bytes read at once. A longer chunk of output becomes several events.
const CHUNK: u64 = 1 << 20;

/// Options of the conversion to an asciicast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CastOptions {
    /// The version of the asciicast format.
    pub version: CastVersion,
    /// Whether input is included.
    pub input: CastInput,
}

/// Whether input is included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CastInput {
    /// Input is left out, because it may be private.
    #[default]
    Omitted,
    /// Input is included, and so are the answers of the terminal.
    Included,
}

/// The things in a cassette that were not written to its asciicast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CastOmissions {
    /// Inputs whose bytes are stored, and answers of the terminal.
    pub inputs: u64,
    /// Events that are not marks.
    pub events: u64,
}

/// Why a cassette could not be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CastError {
    /// The cassette could not be read.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The asciicast could not be written.
    #[error("could not write the asciicast")]
    Write(#[source] io::Error),
}

impl Cassette {
    /// Writes the cassette as an asciicast and returns what was left out. Compares every digest
    /// first: an asciicast has none, so a changed byte would never be noticed later.
    pub fn write_cast(
        &self,
        options: CastOptions,
        out: &mut dyn Write,
    ) -> Result<CastOmissions, CastError> {
        self.verify_digests()?;
        let inputs = self.inputs()?;
        let events = self.events()?;
        let header = self.header(&events)?;
        let (events, omissions) = events_but_output(inputs, events, options.input)?;
        let mut writer = CastWriter {
            encoder: CastEncoder::new(options.version),
            decoder: Utf8Decoder::default(),
            out,
            time: Duration::ZERO,
        };
        let first = writer.encoder.header(&header);
        writer.out.write_all(&first).map_err(CastError::Write)?;
        self.write_events(events, &mut writer)?;
        writer.end(self.ending())?;
        Ok(omissions)
    }

    /// The header of the asciicast. A cassette that was made of an asciicast keeps the original
    /// header fields.
    pub fn cast_header(&self) -> Result<CastHeader, CassetteError> {
        self.header(&self.events()?)
    }

    fn header(&self, events: &[EventLine]) -> Result<CastHeader, CassetteError> {
        let manifest = self.manifest();
        let size = manifest.terminal.size();
        let size = size.map_err(CassetteError::from)?;
        // Restore the header fields of the original asciicast, if there was one.
        let original = events.iter().find_map(|event| event.data.get(HEADER_KEY));
        let original = original.and_then(|original| Cast::parse(original.to_string()).ok());
        let original = original.map_or_else(|| CastHeader::new(size), |cast| cast.header);
        Ok(CastHeader {
            size,
            command: command_line(&manifest.command),
            term: manifest.terminal.term.clone(),
            recorded_at: manifest.provenance.recorded_at,
            ..original
        })
    }

    /// Writes the output and, in between, the other events at their exact offsets: a size change
    /// that comes too early or too late wraps lines elsewhere.
    fn write_events(
        &self,
        mut events: VecDeque<TimedEvent>,
        writer: &mut CastWriter<'_>,
    ) -> Result<(), CastError> {
        let raw = self.output()?;
        let raw_path = self.path().join(format::OUTPUT_RAW);
        let mut lines = self.jsonl::<OutputLine>(format::OUTPUT)?;
        let mut buffer = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.next()? {
            if line.offset != at {
                let problem = format!(
                    "`offset` is {}, but the previous output ends at {at}",
                    line.offset
                );
                return Err(lines.error(problem).into());
            }
            while at < line.end() {
                while events.front().is_some_and(|next| next.at <= at)
                    && let Some(next) = events.pop_front()
                {
                    writer.event(next.time, next.kind)?;
                }
                let next = events.front().map_or(u64::MAX, |next| next.at);
                let until = line.end().min(next).min(at + CHUNK);
                buffer.resize((until - at) as usize, 0);
                let read = raw.read_exact_at(&mut buffer, at);
                read.map_err(read_error(&raw_path))?;
                writer.output(line.t_ms.time(), &buffer)?;
                at = until;
            }
        }
        for last in events {
            writer.event(last.time, last.kind)?;
        }
        Ok(())
    }
}

/// An event other than output.
struct TimedEvent {
    at: u64,
    seq: u64,
    time: Duration,
    kind: CastEventKind,
}

/// Returns the events other than output, in order.
fn events_but_output(
    inputs: Vec<InputLine>,
    caller_events: Vec<EventLine>,
    include: CastInput,
) -> Result<(VecDeque<TimedEvent>, CastOmissions), CassetteError> {
    let mut events = Vec::new();
    let mut omissions = CastOmissions::default();
    let mut decoder = Utf8Decoder::default();
    for (line, input) in (1..).zip(inputs) {
        let kind = match (&input.kind, input.kind.bytes()) {
            (InputLineKind::Resize { cols, rows }, _) => {
                let size = Size::checked((*cols).into(), (*rows).into());
                CastEventKind::Resize(size.map_err(|error| {
                    let problem = error.to_string();
                    line_error(format::INPUT)(LineError { line, problem })
                })?)
            }
            (_, Some(bytes)) if include == CastInput::Included => {
                let text = decoder.push(bytes);
                if text.is_empty() && !bytes.is_empty() {
                    // All of it is the beginning of a character that continues in a later input.
                    continue;
                }
                CastEventKind::Input(text)
            }
            (_, Some(_)) => {
                omissions.inputs += 1;
                continue;
            }
            _ => continue,
        };
        events.push(TimedEvent {
            at: input.at,
            seq: input.seq,
            time: input.t_ms.time(),
            kind,
        });
    }
    for event in caller_events {
        let Some(mark) = event.mark else {
            omissions.events += u64::from(event.data.get(HEADER_KEY).is_none());
            continue;
        };
        events.push(TimedEvent {
            at: event.at,
            seq: event.seq,
            time: event.t_ms.time(),
            kind: CastEventKind::Marker(mark),
        });
    }
    events.sort_by_key(|event| (event.at, event.seq));
    Ok((events.into(), omissions))
}

/// The asciicast while it is written.
struct CastWriter<'a> {
    encoder: CastEncoder,
    decoder: Utf8Decoder,
    out: &'a mut dyn Write,
    /// The latest time of an event so far.
    time: Duration,
}

impl CastWriter<'_> {
    fn output(&mut self, time: Duration, bytes: &[u8]) -> Result<(), CastError> {
        match self.decoder.push(bytes) {
            // All of it is the beginning of a character that continues later.
            text if text.is_empty() => Ok(()),
            text => self.event(time, CastEventKind::Output(text)),
        }
    }

    fn event(&mut self, time: Duration, kind: CastEventKind) -> Result<(), CastError> {
        self.time = self.time.max(time);
        let line = self.encoder.event(&CastEvent { time, kind });
        self.out.write_all(&line).map_err(CastError::Write)
    }

    fn end(&mut self, ending: &RecordingEnd) -> Result<(), CastError> {
        let time = ending.t_ms.time();
        match (ending.exit_code, ending.signal.as_deref()) {
            (Some(code), _) => self.event(time, CastEventKind::Exit(code)),
            (None, Some(name)) => self.event(time, CastEventKind::Exit(shell_code(name))),
            // The exit status is unknown; record only that the end was later than the last event.
            (None, None) if time > self.time => {
                self.event(time, CastEventKind::Output(String::new()))
            }
            (None, None) => Ok(()),
        }
    }
}

/// The exit code that a shell reports for a program killed by a signal.
fn shell_code(signal: &str) -> i32 {
    let signal = signal.strip_prefix("signal ").unwrap_or(signal);
    let number = signal.parse::<Signal>().map_or(0, Signal::number);
    128 + number
}

/// Formats a command as a shell command line. For `sh -c LINE`, this is the line itself. An empty
/// program, which stands for an unknown one, stays empty.
fn command_line(command: &RecordedCommand) -> String {
    match (command.program.as_str(), command.args.as_slice()) {
        ("sh", [option, line]) if option == "-c" => line.clone(),
        ("", []) => String::new(),
        (program, args) => {
            let words = [program].into_iter().chain(args.iter().map(String::as_str));
            words.map(shell_word).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Quotes a word for a shell.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_quotes_words_for_a_shell() {
        for (words, line) in [
            (&["vim", "-u", "NONE"][..], "vim -u NONE"),
            (&["sh", "-c", "ls | wc"], "ls | wc"),
            (&["echo", "it's $1"], r"echo 'it'\''s $1'"),
            (&["printf", ""], "printf ''"),
            (&[""], ""),
        ] {
            let command = RecordedCommand {
                program: words[0].to_owned(),
                args: words[1..].iter().map(|word| (*word).to_owned()).collect(),
                cwd: None,
            };
            assert_eq!(command_line(&command), line);
        }
    }

    #[test]
    fn signals_become_shell_exit_codes() {
        assert_eq!(shell_code("SIGTERM"), 143);
        assert_eq!(shell_code("signal 34"), 162);
        assert_eq!(shell_code("of another system"), 128);
    }
}
