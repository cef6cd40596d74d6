//! Writes recordings in other formats: cassettes and asciicasts.
//!
//! See also: `screentest::recording::cassette` (the conversion itself), `picture.rs` (screens and
//! videos of a recording), `file.rs` (output files).

use std::fmt;
use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use screentest::core::formats::asciicast::{Cast, CastEncoder, CastEventKind, CastVersion};
use screentest::recording::cassette::{
    CastError, CastInput, CastOmissions, CastOptions, ExistingCassette,
};
use screentest::recording::{Cassette, RecordError};

use crate::failure::{self, Failure};
use crate::input::cassette_failure::read_failure;
use crate::input::recording::Recording;
use crate::output::OutputFile;
use crate::output::format::OutputFormat;

/// The format of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordingFormat {
    /// Complete recording (a directory)
    Cassette,
    /// asciinema recording, version 3
    #[value(name = "asciicast-v3", alias = "asciicast", alias = "cast")]
    CastV3,
    /// asciinema recording, version 2, for older players
    #[value(name = "asciicast-v2")]
    CastV2,
}

impl RecordingFormat {
    /// Returns the format that the file name indicates.
    pub(crate) fn from_path(path: &Path) -> Option<RecordingFormat> {
        let extension = path.extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "cassette" => Some(RecordingFormat::Cassette),
            "cast" => Some(RecordingFormat::CastV3),
            _ => None,
        }
    }

    /// Returns whether the file name indicates the other kind of recording. Asciicasts of all
    /// versions have the same extension.
    pub(crate) fn contradicts(self, path: &Path) -> bool {
        let is_cast = |format| format != RecordingFormat::Cassette;
        RecordingFormat::from_path(path).is_some_and(|other| is_cast(other) != is_cast(self))
    }

    /// Returns the version of an asciicast.
    pub(crate) fn version(self) -> Option<CastVersion> {
        match self {
            RecordingFormat::Cassette => None,
            RecordingFormat::CastV3 => Some(CastVersion::Three),
            RecordingFormat::CastV2 => Some(CastVersion::Two),
        }
    }
}

/// The name for `--format`.
impl fmt::Display for RecordingFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", PossibleValue::get_name))
    }
}

/// All formats that `convert` can write: of screens and of recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConvertFormat {
    Screen(OutputFormat),
    Recording(RecordingFormat),
}

impl ValueEnum for ConvertFormat {
    fn value_variants<'a>() -> &'a [ConvertFormat] {
        static ALL: std::sync::LazyLock<Vec<ConvertFormat>> = std::sync::LazyLock::new(|| {
            let screens = OutputFormat::value_variants()
                .iter()
                .copied()
                .map(ConvertFormat::Screen);
            let recordings = RecordingFormat::value_variants().iter().copied();
            screens
                .chain(recordings.map(ConvertFormat::Recording))
                .collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            ConvertFormat::Screen(format) => format.to_possible_value(),
            ConvertFormat::Recording(format) => format.to_possible_value(),
        }
    }
}

/// The options for writing a recording.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct RecordingArgs {
    /// Include typed input in an asciicast [default: left out, since it may be private]
    #[arg(long, short = 'I', alias = "stdin")]
    capture_input: bool,
    /// Replace an existing recording
    #[arg(long, alias = "overwrite")]
    force: bool,
}

impl RecordingArgs {
    /// Returns the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let force = self.force.then_some("--force");
        self.capture_input.then_some("--capture-input").or(force)
    }

    /// Returns what to do with an existing recording.
    pub(crate) fn existing(&self) -> ExistingCassette {
        if self.force {
            ExistingCassette::Replace
        } else {
            ExistingCassette::Keep
        }
    }

    pub(crate) fn typed(&self) -> CastInput {
        if self.capture_input {
            CastInput::Included
        } else {
            CastInput::Omitted
        }
    }

    /// Checks the options for this format.
    pub(crate) fn check(&self, format: RecordingFormat) -> Result<(), Failure> {
        match (format, self.typed()) {
            (RecordingFormat::Cassette, CastInput::Included) => Err(Failure::usage(anyhow!(
                "`--capture-input` applies to asciicasts only; a cassette always contains the input"
            ))),
            _ => Ok(()),
        }
    }
}

/// Where and how a recording is written.
#[derive(Debug)]
pub(crate) enum ConvertedRecording<'a> {
    Cassette(&'a Path, ExistingCassette),
    Cast(OutputFile, CastOptions),
}

impl<'a> ConvertedRecording<'a> {
    /// Determines the target, and checks it before anything is read.
    pub(crate) fn new(
        format: RecordingFormat,
        path: Option<&'a Path>,
        args: &RecordingArgs,
    ) -> Result<ConvertedRecording<'a>, Failure> {
        args.check(format)?;
        let existing = args.existing();
        if let Some(path) = path.filter(|path| format.contradicts(path)) {
            failure::note(&format!(
                "`--format {format}` overrides the extension of `{}`, which means another format",
                path.display()
            ));
        }
        if let Some(version) = format.version() {
            let typed = args.typed();
            let file = OutputFile::to(path, existing)?;
            return Ok(ConvertedRecording::Cast(
                file,
                CastOptions {
                    version,
                    input: typed,
                },
            ));
        }
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Err(Failure::usage(anyhow!(
                "a cassette is a directory, and cannot be written to stdout"
            ))
            .hint("name it with `-o X.cassette`"));
        };
        if existing == ExistingCassette::Keep && path.symlink_metadata().is_ok() {
            let path = path.to_owned();
            return Err(record_failure(RecordError::Exists { path }));
        }
        Ok(ConvertedRecording::Cassette(path, existing))
    }

    /// Writes a recording; `name` is its name in messages.
    pub(crate) fn write(&self, recording: &Recording, name: &str) -> Result<(), Failure> {
        let left_out = match (recording, self) {
            (Recording::Cassette(_), ConvertedRecording::Cassette(..)) => {
                return Err(Failure::usage(anyhow!("{name} is already a cassette"))
                    .hint("copy its directory instead"));
            }
            (Recording::Cast(cast), ConvertedRecording::Cassette(path, existing)) => {
                Cassette::from_cast(cast, path, *existing).map_err(record_failure)?;
                return Ok(());
            }
            (Recording::Cassette(opened), ConvertedRecording::Cast(file, options)) => {
                file.write(|out| write_cast(&opened.cassette, *options, out))?
            }
            (Recording::Cast(cast), ConvertedRecording::Cast(file, options)) => {
                file.write(|out| rewrite_cast(cast, *options, out))?
            }
        };
        note_left_out(left_out);
        Ok(())
    }
}

/// Writes a cassette as an asciicast.
pub(crate) fn write_cast(
    cassette: &Cassette,
    options: CastOptions,
    out: &mut dyn Write,
) -> Result<CastOmissions, Failure> {
    let written = cassette.write_cast(options, out);
    written.map_err(|error| match error {
        CastError::Cassette(error) => read_failure(error),
        error => Failure::usage(error),
    })
}

/// Writes an asciicast in the requested version.
fn rewrite_cast(
    cast: &Cast,
    options: CastOptions,
    out: &mut dyn Write,
) -> Result<CastOmissions, Failure> {
    let mut left_out = CastOmissions::default();
    let mut encoder = CastEncoder::new(options.version);
    let mut write = |line: Vec<u8>| {
        let written = out.write_all(&line);
        written.map_err(|error| Failure::usage(CastError::Write(error)))
    };
    write(encoder.header(&cast.header))?;
    for event in &cast.events {
        if matches!(event.kind, CastEventKind::Input(_)) && options.input == CastInput::Omitted {
            left_out.inputs += 1;
            continue;
        }
        write(encoder.event(event))?;
    }
    Ok(left_out)
}

/// Prints notes about what the asciicast does not contain.
fn note_left_out(left_out: CastOmissions) {
    let count = |count: u64, one: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    };
    if left_out.inputs > 0 {
        failure::note(&format!(
            "{} left out, since typed input may be private; `--capture-input` includes it",
            count(left_out.inputs, "input")
        ));
    }
    if left_out.events > 0 {
        failure::note(&format!(
            "{} left out: an asciicast cannot store events other than marks",
            count(left_out.events, "event")
        ));
    }
}

/// Converts the error into a failure.
fn record_failure(error: RecordError) -> Failure {
    match error {
        RecordError::Exists { .. } => Failure::usage(error).hint("`--force` replaces it"),
        error => Failure::usage(error),
    }
}
