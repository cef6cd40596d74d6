//! A recording in another format: cassettes and asciicasts.
//!
//! Elsewhere: the conversion itself (`screentest::recording::cassette`), screens and pictures of a recording (`format.rs`), where an asciicast
//! goes (`output/stream.rs`).

use std::fmt;
use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use screentest::core::formats::asciicast::{Cast, Encoder, EventKind, Version};
use screentest::recording::cassette::{
    CastError, CastInput, CastOmissions, CastOptions, ExistingCassette,
};
use screentest::{Cassette, RecordError};

use crate::failure::{self, Failure};
use crate::format::Format;
use crate::output::Stream;
use crate::recording::{self, Recording};

/// What a recording is kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Carrier {
    /// Recording with all that happened, a directory
    Cassette,
    /// Recording of asciinema, version 3
    #[value(name = "asciicast-v3", alias = "asciicast", alias = "cast")]
    CastV3,
    /// The same, version 2, which older players know
    #[value(name = "asciicast-v2")]
    CastV2,
}

impl Carrier {
    /// The one that a file's name promises.
    pub(crate) fn promised(path: &Path) -> Option<Carrier> {
        let ending = path.extension()?.to_ascii_lowercase();
        match ending.to_str()? {
            "cassette" => Some(Carrier::Cassette),
            "cast" => Some(Carrier::CastV3),
            _ => None,
        }
    }

    /// Whether a name promises another one. An asciicast is called the same in every version.
    pub(crate) fn contradicts(self, path: &Path) -> bool {
        let is_cast = |carrier| carrier != Carrier::Cassette;
        Carrier::promised(path).is_some_and(|promised| is_cast(promised) != is_cast(self))
    }

    /// The version of an asciicast.
    pub(crate) fn version(self) -> Option<Version> {
        match self {
            Carrier::Cassette => None,
            Carrier::CastV3 => Some(Version::Three),
            Carrier::CastV2 => Some(Version::Two),
        }
    }
}

/// The name that `--format` takes.
impl fmt::Display for Carrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", PossibleValue::get_name))
    }
}

/// What may be asked for: a screen of it, or all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Kept(Format),
    Carried(Carrier),
}

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Target] {
        static ALL: std::sync::LazyLock<Vec<Target>> = std::sync::LazyLock::new(|| {
            let kept = Format::value_variants().iter().copied().map(Target::Kept);
            let carried = Carrier::value_variants().iter().copied();
            kept.chain(carried.map(Target::Carried)).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Target::Kept(format) => format.to_possible_value(),
            Target::Carried(carrier) => carrier.to_possible_value(),
        }
    }
}

/// What a command may be told about a recording that it writes.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Dubbing {
    /// Write what was typed into an asciicast too; without this it has none of it, as it may be private
    #[arg(long, short = 'I', alias = "stdin")]
    capture_input: bool,
    /// Replace a recording that is there already
    #[arg(long, alias = "overwrite")]
    force: bool,
}

impl Dubbing {
    /// The first option that was given, if any was.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let force = self.force.then_some("--force");
        self.capture_input.then_some("--capture-input").or(force)
    }

    /// What becomes of a recording that is there already.
    pub(crate) fn existing(&self) -> ExistingCassette {
        match self.force {
            true => ExistingCassette::Replace,
            false => ExistingCassette::Keep,
        }
    }

    pub(crate) fn typed(&self) -> CastInput {
        match self.capture_input {
            true => CastInput::Included,
            false => CastInput::Omitted,
        }
    }

    /// Whether what was asked goes with this.
    pub(crate) fn check(&self, carrier: Carrier) -> Result<(), Failure> {
        match (carrier, self.typed()) {
            (Carrier::Cassette, CastInput::Included) => Err(Failure::usage(anyhow!(
                "`--capture-input` is for asciicasts: a cassette has what was typed anyway"
            ))),
            _ => Ok(()),
        }
    }
}

/// Where a recording goes, and in what.
#[derive(Debug)]
pub(crate) enum Dub<'a> {
    Cassette(&'a Path, ExistingCassette),
    Cast(Stream, CastOptions),
}

impl<'a> Dub<'a> {
    /// Settles where to write and what, before there is anything to write.
    pub(crate) fn new(
        carrier: Carrier,
        path: Option<&'a Path>,
        dubbing: &Dubbing,
    ) -> Result<Dub<'a>, Failure> {
        dubbing.check(carrier)?;
        let existing = dubbing.existing();
        if let Some(path) = path.filter(|path| carrier.contradicts(path)) {
            failure::note(&format!(
                "`--format {carrier}` is written, although the name `{}` promises another",
                path.display()
            ));
        }
        if let Some(version) = carrier.version() {
            let typed = dubbing.typed();
            let stream = Stream::to(path, existing)?;
            return Ok(Dub::Cast(
                stream,
                CastOptions {
                    version,
                    input: typed,
                },
            ));
        }
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Err(Failure::usage(anyhow!(
                "a cassette is a directory, and cannot go to stdout"
            ))
            .hint("`-o X.cassette` says where it goes"));
        };
        if existing == ExistingCassette::Keep && path.symlink_metadata().is_ok() {
            let path = path.to_owned();
            return Err(unrecorded(RecordError::Exists { path }));
        }
        Ok(Dub::Cassette(path, existing))
    }

    /// Writes a recording; `name` is what it is called.
    pub(crate) fn write(&self, recording: &Recording, name: &str) -> Result<(), Failure> {
        let left_out = match (recording, self) {
            (Recording::Cassette(_), Dub::Cassette(..)) => {
                return Err(Failure::usage(anyhow!("{name} is a cassette already"))
                    .hint("a copy of its directory is one too"));
            }
            (Recording::Cast(cast), Dub::Cassette(path, existing)) => {
                Cassette::from_cast(cast, path, *existing).map_err(unrecorded)?;
                return Ok(());
            }
            (Recording::Cassette(opened), Dub::Cast(stream, options)) => {
                stream.write(|out| dub(&opened.cassette, *options, out))?
            }
            (Recording::Cast(cast), Dub::Cast(stream, options)) => {
                stream.write(|out| again(cast, *options, out))?
            }
        };
        tell(left_out);
        Ok(())
    }
}

/// Writes a cassette as an asciicast.
pub(crate) fn dub(
    cassette: &Cassette,
    options: CastOptions,
    out: &mut dyn Write,
) -> Result<CastOmissions, Failure> {
    let written = cassette.write_cast(options, out);
    written.map_err(|error| match error {
        CastError::Cassette(error) => recording::refused(error),
        error => Failure::usage(error),
    })
}

/// Writes an asciicast as one of another version.
fn again(cast: &Cast, options: CastOptions, out: &mut dyn Write) -> Result<CastOmissions, Failure> {
    let mut left_out = CastOmissions::default();
    let mut encoder = Encoder::new(options.version);
    let mut write = |line: Vec<u8>| {
        let written = out.write_all(&line);
        written.map_err(|error| Failure::usage(CastError::Write(error)))
    };
    write(encoder.header(&cast.header))?;
    for event in &cast.events {
        if matches!(event.kind, EventKind::Input(_)) && options.input == CastInput::Omitted {
            left_out.inputs += 1;
            continue;
        }
        write(encoder.event(event))?;
    }
    Ok(left_out)
}

/// Says what an asciicast has not.
fn tell(left_out: CastOmissions) {
    let count = |count: u64, one: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    };
    if left_out.inputs > 0 {
        failure::note(&format!(
            "{} left out, as what was typed may be private: `--capture-input` writes it too",
            count(left_out.inputs, "input")
        ));
    }
    if left_out.events > 0 {
        failure::note(&format!(
            "{} left out: an asciicast has only marks",
            count(left_out.events, "event")
        ));
    }
}

/// A cassette that was not made.
fn unrecorded(error: RecordError) -> Failure {
    match error {
        RecordError::Exists { .. } => Failure::usage(error).hint("`--force` replaces it"),
        error => Failure::usage(error),
    }
}
