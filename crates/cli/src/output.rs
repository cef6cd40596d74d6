//! Where a screen goes, and in which format.
//!
//! Elsewhere: what a path leads to (`output/place.rs`), files that are whole or not there (`output/draft.rs`).

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::{Size, Theme};
use tempfile::NamedTempFile;

use crate::failure::{self, Exit, Failure};
use crate::format::Format;
use crate::input::{Content, Input};
use crate::notation::Notation;
use crate::picture::{Drawing, Look, Medium, Motion};
use draft::Draft;
use place::Place;
pub(crate) use place::print;
pub(crate) use stream::Stream;
use sweep::Sweep;

mod draft;
mod place;
mod stream;
mod sweep;

/// What a command may be told about its output.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// What to write: text, unless the name of the file says otherwise
    #[arg(long, value_enum, value_name = "F")]
    pub(crate) format: Option<Format>,
    /// Write to a file, whose ending picks the format: .txt, .json, .vt2, .ansi.txt and .ansi (which get a .meta.json
    /// beside them), .png, .svg, .html, .gif, .apng, .webp, .mp4 or .webm; `-` is stdout
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Output {
    /// Settles where to write and what, before there is anything to write.
    pub(crate) fn destination(
        &self,
        offer: Offer,
        drawing: &Drawing,
        motion: &Motion,
    ) -> Result<Destination, Failure> {
        let place = Place::of(self.output.as_deref())?;
        let format = match (self.format, &place) {
            (Some(format), _) => format,
            (None, Place::File(path)) => by_name(path, offer)?,
            (None, _) => Format::Written(Notation::Text),
        };
        let destination = Destination::new(place, format, drawing, motion)?;
        tell_promise(self.output.as_deref(), format);
        Ok(destination)
    }
}

/// What a command that only draws may be told about its output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct PictureOutput {
    /// What to draw: png, of a recording gif, unless the name of the file says otherwise
    #[arg(long, value_enum, value_name = "F")]
    format: Option<Medium>,
    /// Write to this file instead of beside FILE; its ending picks the format: .png, .svg, .html, .gif, .apng, .webp,
    /// .mp4 or .webm; `-` is stdout
    #[arg(short, long = "output", value_name = "OUT")]
    output: Option<PathBuf>,
}

impl PictureOutput {
    /// As a command line says it.
    pub(crate) fn new(format: Option<Medium>, output: Option<PathBuf>) -> PictureOutput {
        PictureOutput { format, output }
    }

    /// Settles where to write and what, which is a `usual` picture beside the input where nothing else was said.
    pub(crate) fn destination(
        &self,
        input: &Input,
        usual: Medium,
        drawing: &Drawing,
        motion: &Motion,
    ) -> Result<Destination, Failure> {
        let beside = |ending: &str| input.beside(ending);
        self.destination_or(beside, usual, drawing, motion)
    }

    /// The same, where what was said of no file means one of this name in the directory that we are in.
    pub(crate) fn destination_called(
        &self,
        name: &str,
        usual: Medium,
        drawing: &Drawing,
        motion: &Motion,
    ) -> Result<Destination, Failure> {
        let called = |ending: &str| Some(PathBuf::from(format!("{name}.{ending}")));
        self.destination_or(called, usual, drawing, motion)
    }

    fn destination_or(
        &self,
        otherwise: impl FnOnce(&str) -> Option<PathBuf>,
        usual: Medium,
        drawing: &Drawing,
        motion: &Motion,
    ) -> Result<Destination, Failure> {
        let medium = self.format.unwrap_or(usual);
        let otherwise = || otherwise(&Format::Drawn(medium).to_string());
        let path = self.output.clone().or_else(otherwise);
        let place = Place::of(path.as_deref())?;
        let format = match (self.format, &place) {
            (None, Place::File(path)) => by_name(path, Offer::Pictures(usual))?,
            _ => Format::Drawn(medium),
        };
        let destination = Destination::new(place, format, drawing, motion)?;
        tell_promise(self.output.as_deref(), format);
        Ok(destination)
    }
}

/// Says so where a name that was given promises another format than the one that is written.
fn tell_promise(path: Option<&Path>, format: Format) {
    let promised = path.and_then(|path| Some((path, Format::promised(path)?)));
    if let Some((path, promised)) = promised
        && !promised.may_hold(format)
    {
        failure::note(&format!(
            "`--format {format}` is written, although the name `{}` promises {promised}",
            path.display()
        ));
    }
}

/// What a file's name may ask for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Offer {
    /// One screen, in any format.
    All,
    /// The same, and recordings, which somebody else has looked for already.
    AllAndRecordings,
    /// Pictures alone; a name that says nothing means the one of these.
    Pictures(Medium),
}

fn by_name(path: &Path, offer: Offer) -> Result<Format, Failure> {
    // A plain name promises nothing, and neither does a device.
    let (usual, known) = match offer {
        Offer::All => (Format::Written(Notation::Text), Format::endings(|_| true)),
        Offer::AllAndRecordings => {
            let known = Format::endings(|_| true);
            (
                Format::Written(Notation::Text),
                format!("{known}, `.cassette`, `.cast`, `.tape`"),
            )
        }
        Offer::Pictures(usual) => (
            Format::Drawn(usual),
            Format::endings(|format| matches!(format, Format::Drawn(_))),
        ),
    };
    let hint = format!("`--format` picks one for any name; known endings are {known}");
    match (Format::promised(path), offer, path.extension()) {
        (Some(format @ Format::Written(_)), Offer::Pictures(_), _) => Err(Failure::usage(anyhow!(
            "`{}` promises {format}, which is no picture",
            path.display()
        ))
        .hint(format!("`screentest convert` writes {format}; {hint}"))),
        (Some(format), _, _) => Ok(format),
        (None, _, None) => Ok(usual),
        (None, _, Some(ending)) => Err(Failure::usage(anyhow!(
            "no format is known by the ending `.{}` of `{}`",
            ending.display(),
            path.display()
        ))
        .hint(hint)),
    }
}

/// Where to write, and what.
#[derive(Debug)]
pub(crate) struct Destination {
    place: Place,
    means: Means,
}

#[derive(Debug)]
enum Means {
    Written(Notation),
    Drawn(Box<Look>),
}

impl Destination {
    fn new(
        place: Place,
        format: Format,
        drawing: &Drawing,
        motion: &Motion,
    ) -> Result<Destination, Failure> {
        if format.is_binary() && matches!(place, Place::Stdout) && io::stdout().is_terminal() {
            return Err(
                Failure::usage(anyhow!("{format} is binary, and stdout is a terminal"))
                    .hint("`-o FILE` writes it to a file; a pipe takes it too"),
            );
        }
        let means = match (format, drawing.given()) {
            (Format::Drawn(medium), _) => Means::Drawn(drawing.look(medium, motion)?.into()),
            (Format::Written(notation), None) => Means::Written(notation),
            (Format::Written(_), Some(option)) => {
                return Err(Failure::usage(anyhow!(
                    "`{option}` is for pictures, and {format} is none"
                ))
                .hint("`-o FILE.png` and `--format png` draw one"));
            }
        };
        place.check(format)?;
        Ok(Destination { place, means })
    }

    /// What is written.
    pub(crate) fn format(&self) -> Format {
        match &self.means {
            Means::Written(notation) => Format::Written(*notation),
            Means::Drawn(look) => Format::Drawn(look.medium()),
        }
    }

    /// Whether a screen of this size can be written, before it is there.
    pub(crate) fn check(&self, size: Size) -> Result<(), Failure> {
        match &self.means {
            Means::Written(_) => Ok(()),
            Means::Drawn(look) => look.check(size),
        }
    }

    /// The file that is written, if it was not asked for by its name.
    pub(crate) fn unasked(&self, output: &PictureOutput) -> Option<&Path> {
        match (&output.output, &self.place) {
            (None, Place::File(path)) => Some(path),
            _ => None,
        }
    }

    /// Writes a screen, or as much of a recording as the format shows.
    pub(crate) fn write(&self, content: &Content, theme: &Theme) -> Result<(), Failure> {
        match &self.means {
            Means::Written(notation) => {
                let written = notation.write(&*content.last()?, theme);
                let losses = written.losses;
                self.place.put(written)?;
                if losses.any() {
                    failure::note(&format!(
                        "{} does not hold all that is shown; lost: {losses}",
                        self.format()
                    ));
                }
                Ok(())
            }
            Means::Drawn(look) if look.is_video() => self.film(look, content, theme),
            Means::Drawn(look) => self.place.put(look.draw(content, theme)?.into()),
        }
    }

    /// Writes a video: its program needs a file to write to.
    fn film(&self, look: &Look, content: &Content, theme: &Theme) -> Result<(), Failure> {
        let internal = |error| Failure::new(Exit::Internal, error);
        let film = |file: &Path| {
            let watched = Sweep::over(file).context("could not watch for signals");
            let _watched = watched.map_err(internal)?;
            look.film(content, theme, file)
        };
        if let Place::File(path) = &self.place {
            let draft = Draft::new(path, b"").map_err(Failure::usage)?;
            film(draft.path())?;
            return draft.settle().map_err(Failure::usage);
        }
        let file = NamedTempFile::new().context("could not make a file for the video");
        let file = file.map_err(internal)?;
        film(file.path())?;
        let bytes = fs::read(file.path()).context("could not read the video again");
        self.place.put(bytes.map_err(internal)?.into())
    }
}
