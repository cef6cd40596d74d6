//! Makes a cassette from an asciicast: the same bytes and times, with frames that the default
//! emulator derives from them.
//!
//! See also: `to_cast.rs` (the other direction), `screentest_core::formats::asciicast` (the
//! format).

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use screentest_core::formats::asciicast::{
    Cast, CastEncoder, CastEventKind, CastHeader, CastVersion,
};
use screentest_core::formats::cassette::frames::FrameTime;
use screentest_core::formats::cassette::input::InputBytes;
use screentest_core::formats::cassette::manifest::{
    PinnedEmulator, Provenance, RecordedCommand, RecordedEnvironment, RecordedTerminal,
    RecordingStatus,
};
use screentest_core::formats::cassette::{
    self as format, Deriver, EventLine, FrameWriter, InputLine, InputLineKind, Millis, OutputLine,
    RecordingEnd, ScrubReport, to_line,
};
use screentest_core::redact::scrub::Rules;
use screentest_core::{Backend, Screen, Size, emulator};
use serde_json::{Value, json};

use crate::recording::cassette::Cassette;
use crate::recording::cassette::directory::access::CassetteAccess;
use crate::recording::cassette::directory::partial::{
    PartialCassette, PartialCassetteError, RecordingMetadata, write_error,
};
use crate::recording::recorder::{
    ExistingCassette, RecordError, new_cassette_id, publish_cassette,
};

/// The key of the event that stores the header fields of an asciicast that the conversion back
/// restores.
pub(super) const HEADER_KEY: &str = "asciicast";

impl Cassette {
    /// Makes a cassette of an asciicast. Each write and each size change yields a frame if it
    /// changes the screen. If the recording ends within a synchronized update, the last frame shows
    /// the part of the update that was written.
    pub fn from_cast(
        cast: &Cast,
        path: impl AsRef<Path>,
        existing: ExistingCassette,
    ) -> Result<PathBuf, RecordError> {
        let metadata = metadata(cast);
        let partial =
            PartialCassette::create(path.as_ref(), existing, CassetteAccess::Umask, &metadata)?;
        let directory = partial.path().to_owned();
        // A failed conversion leaves nothing worth keeping, and its directory would block the next
        // attempt.
        let result = write_and_publish(cast, partial, metadata);
        result.inspect_err(|_| drop(fs::remove_dir_all(directory)))
    }
}

fn write_and_publish(
    cast: &Cast,
    partial: PartialCassette,
    metadata: RecordingMetadata,
) -> Result<PathBuf, RecordError> {
    let ending = CassetteWriter::new(&partial, &metadata)?.write(cast, &metadata.id)?;
    let status = RecordingStatus::Converted {
        from: format!("asciicast v{}", cast.version),
    };
    let report = ScrubReport::default();
    // An asciicast is converted as it is; use `Cassette::scrub` to redact secrets in it.
    publish_cassette(partial, metadata, status, &ending, &report, &Rules::none())
}

fn metadata(cast: &Cast) -> RecordingMetadata {
    let header = &cast.header;
    let Size { cols, rows } = header.size;
    let options = emulator::EmulatorOptions::default();
    let emulator = Backend::default().emulator(header.size, options.clone());
    let command = match header.command.as_str() {
        "" => RecordedCommand::default(),
        // An asciicast has a command line, which asciinema passes to a shell.
        line => RecordedCommand {
            program: "sh".to_owned(),
            args: vec!["-c".to_owned(), line.to_owned()],
            cwd: None,
        },
    };
    RecordingMetadata {
        id: new_cassette_id(),
        command,
        environment: RecordedEnvironment {
            set: header.env.clone(),
            ..RecordedEnvironment::default()
        },
        terminal: RecordedTerminal {
            cols,
            rows,
            term: header.term.clone(),
            locale: header.env.get("LANG").cloned().unwrap_or_default(),
            scrollback: options.scrollback,
            hostname: None,
            emulator: PinnedEmulator::of(emulator.identity()),
        },
        provenance: Provenance {
            recorder: concat!("screentest ", env!("CARGO_PKG_VERSION")).to_owned(),
            recorded_at: header.recorded_at,
            ..Provenance::default()
        },
        secrets: Vec::new(),
    }
}

/// The streams of a cassette while it is written.
struct CassetteWriter<'a> {
    raw: BufWriter<&'a File>,
    output: BufWriter<File>,
    input: BufWriter<File>,
    events: BufWriter<File>,
    frames: BufWriter<File>,
    writer: FrameWriter,
    deriver: Deriver,
    path: &'a Path,
    seq: u64,
    at: u64,
    time: Millis,
}

impl<'a> CassetteWriter<'a> {
    fn new(
        partial: &'a PartialCassette,
        metadata: &RecordingMetadata,
    ) -> Result<CassetteWriter<'a>, RecordError> {
        let stream = |name| partial.stream(name).map(BufWriter::new);
        let deriver = Deriver::pinned(&metadata.terminal);
        Ok(CassetteWriter {
            raw: BufWriter::new(&partial.raw),
            output: stream(format::OUTPUT)?,
            input: stream(format::INPUT)?,
            events: stream(format::EVENTS)?,
            frames: stream(format::FRAMES)?,
            writer: FrameWriter::new(),
            deriver: deriver
                .map_err(|error| write_error(partial.path())(io::Error::other(error)))?,
            path: partial.path(),
            seq: 0,
            at: 0,
            time: Millis::default(),
        })
    }

    /// Writes all streams and returns the ending.
    fn write(mut self, cast: &Cast, id: &str) -> Result<RecordingEnd, RecordError> {
        let path = self.path;
        let result = self.write_cast_events(cast).and_then(|exit| {
            let screen = self.last()?;
            for stream in [
                &mut self.output,
                &mut self.input,
                &mut self.events,
                &mut self.frames,
            ] {
                stream.flush()?;
            }
            self.raw.flush()?;
            Ok((exit, screen))
        });
        let (exit_code, screen) = result.map_err(|source| PartialCassetteError::Write {
            path: path.to_owned(),
            source,
        })?;
        let seq = self.seq + 1;
        let mut ending = RecordingEnd::new(id, seq, self.time, self.at, &screen);
        ending.exit_code = exit_code;
        Ok(ending)
    }

    /// Writes all events; returns the exit code.
    fn write_cast_events(&mut self, cast: &Cast) -> io::Result<Option<i32>> {
        self.frame(false)?;
        if let Some(data) = extra_header_fields(&cast.header) {
            self.event(None, data)?;
        }
        let mut exit = None;
        for event in &cast.events {
            self.time = Millis::new(event.time);
            match &event.kind {
                // An output line of a cassette has at least one byte. An empty event only
                // extends the recording.
                CastEventKind::Output(text) if text.is_empty() => {}
                CastEventKind::Output(text) => {
                    self.seq += 1;
                    let line = OutputLine {
                        seq: self.seq,
                        t_ms: self.time,
                        offset: self.at,
                        length: text.len() as u64,
                    };
                    self.output.write_all(&to_line(&line))?;
                    self.raw.write_all(text.as_bytes())?;
                    self.at = line.end();
                    self.deriver.feed(text.as_bytes());
                    self.frame(false)?;
                }
                CastEventKind::Resize(size) => {
                    let Size { cols, rows } = *size;
                    self.input(InputLineKind::Resize { cols, rows })?;
                    self.deriver.resize(*size);
                    self.frame(false)?;
                }
                CastEventKind::Input(text) => self.input(InputLineKind::Bytes {
                    bytes: InputBytes(text.clone().into_bytes()),
                })?,
                CastEventKind::Marker(name) => self.event(Some(name.clone()), Value::Null)?,
                CastEventKind::Exit(code) => exit = Some(*code),
                _ => {}
            }
        }
        Ok(exit)
    }

    /// Returns the last screen. A synchronized update that never ended is shown as far as it was
    /// written.
    fn last(&mut self) -> io::Result<Screen> {
        let before = self.deriver.screen();
        self.deriver.end_synchronized();
        if self.deriver.screen() != before {
            self.frame(true)?;
        }
        Ok(self.deriver.screen())
    }

    fn frame(&mut self, unfinished: bool) -> io::Result<()> {
        let shown = FrameTime {
            seq: self.seq + 1,
            time: self.time,
            at: self.at,
            unfinished,
        };
        let screen = self.deriver.screen();
        let Some(line) = self.writer.line(shown, &screen) else {
            return Ok(());
        };
        self.seq += 1;
        self.frames.write_all(&line)
    }

    fn input(&mut self, kind: InputLineKind) -> io::Result<()> {
        self.seq += 1;
        let line = InputLine {
            seq: self.seq,
            t_ms: self.time,
            at: self.at,
            kind,
        };
        self.input.write_all(&to_line(&line))
    }

    fn event(&mut self, mark: Option<String>, data: Value) -> io::Result<()> {
        self.seq += 1;
        let line = EventLine {
            seq: self.seq,
            t_ms: self.time,
            at: self.at,
            mark,
            data,
        };
        self.events.write_all(&to_line(&line))
    }
}

/// Returns the header fields that the conversion back restores, as a header of version 2; `None` if
/// the asciicast has none of them.
fn extra_header_fields(header: &CastHeader) -> Option<Value> {
    let extra = CastHeader {
        title: header.title.clone(),
        theme: header.theme.clone(),
        idle_limit: header.idle_limit,
        env: header.env.clone(),
        ..CastHeader::new(header.size)
    };
    if extra == CastHeader::new(header.size) {
        return None;
    }
    let line = CastEncoder::new(CastVersion::Two).header(&extra);
    let value: Value = serde_json::from_slice(&line).ok()?;
    Some(json!({ HEADER_KEY: value }))
}
