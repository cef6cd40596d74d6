//! The output of commands: formats, files and pictures.
//!
//! See also: `output/format.rs` (formats and file extensions), `output/target.rs` (stdout, devices
//! and files), `output/atomic_file.rs` (files that are complete or absent),
//! `output/screen_format.rs` (screens as text and data), `output/picture.rs` (screens and
//! recordings as pictures), `output/convert_recording.rs` (recordings in other formats).

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::{Size, Theme};
use tempfile::NamedTempFile;

use crate::args::picture_args::{PictureArgs, TimingArgs};
use crate::failure::{self, Exit, Failure};
use crate::input::{Content, InputFile};
pub(crate) use atomic_file::AtomicFile;
use cleanup::RemoveOnSignal;
pub(crate) use file::OutputFile;
use format::OutputFormat;
use picture::PictureRenderer;
use picture_format::PictureFormat;
use screen_format::ScreenFormat;
use target::Target;
pub(crate) use target::{print, print_exact};

mod atomic_file;
mod cleanup;
pub(crate) mod convert_recording;
mod file;
pub(crate) mod format;
pub(crate) mod picture;
pub(crate) mod picture_format;
mod progress;
pub(crate) mod sanitize;
pub(crate) mod screen_format;
mod target;

/// The options for the output file.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Output format [default: by the extension of FILE, else text]
    #[arg(long, value_enum, value_name = "F")]
    pub(crate) format: Option<OutputFormat>,
    /// Write to FILE; its extension selects the format: .txt, .json, .vt2, .ansi.txt or .ansi (both
    /// with the size in a .meta.json file), .png, .svg, .html, .gif, .apng, .webp, .mp4 or .webm;
    /// `-` is stdout
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl OutputArgs {
    /// Determines target and format, and checks them before anything is captured.
    pub(crate) fn destination(
        &self,
        allowed: AllowedFormats,
        picture: &PictureArgs,
        timing: &TimingArgs,
    ) -> Result<Destination, Failure> {
        let target = Target::new(self.output.as_deref())?;
        let format = match (self.format, &target) {
            (Some(format), _) => format,
            (None, Target::File(path)) => format_of_path(path, allowed)?,
            (None, _) => OutputFormat::Screen(ScreenFormat::Text),
        };
        let destination = Destination::new(target, format, picture, timing)?;
        note_contradicting_name(self.output.as_deref(), format);
        Ok(destination)
    }
}

/// The options for the output file of commands that only draw.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct PictureOutputArgs {
    /// Picture format [default: by the extension of OUT, else png, or gif for a recording]
    #[arg(long, value_enum, value_name = "F")]
    format: Option<PictureFormat>,
    /// Write to OUT instead of next to FILE; its extension selects the format: .png, .svg, .html,
    /// .gif, .apng, .webp, .mp4 or .webm; `-` is stdout
    #[arg(short, long = "output", value_name = "OUT")]
    output: Option<PathBuf>,
}

impl PictureOutputArgs {
    /// Creates the options in code.
    pub(crate) fn new(format: Option<PictureFormat>, output: Option<PathBuf>) -> PictureOutputArgs {
        PictureOutputArgs { format, output }
    }

    /// Determines target and format. By default, a `default` picture is written next to the input.
    pub(crate) fn destination(
        &self,
        input: &InputFile,
        default: PictureFormat,
        picture: &PictureArgs,
        timing: &TimingArgs,
    ) -> Result<Destination, Failure> {
        let next_to_input = |extension: &str| input.with_extension(extension);
        self.destination_with(next_to_input, default, picture, timing)
    }

    /// Same as `destination`, but the default is a file of this name in the current directory.
    pub(crate) fn destination_named(
        &self,
        name: &str,
        default: PictureFormat,
        picture: &PictureArgs,
        timing: &TimingArgs,
    ) -> Result<Destination, Failure> {
        let called = |extension: &str| Some(PathBuf::from(format!("{name}.{extension}")));
        self.destination_with(called, default, picture, timing)
    }

    fn destination_with(
        &self,
        default_path: impl FnOnce(&str) -> Option<PathBuf>,
        default: PictureFormat,
        picture: &PictureArgs,
        timing: &TimingArgs,
    ) -> Result<Destination, Failure> {
        let format = self.format.unwrap_or(default);
        let default_path = || default_path(&OutputFormat::Picture(format).to_string());
        let path = self.output.clone().or_else(default_path);
        let target = Target::new(path.as_deref())?;
        let format = match (self.format, &target) {
            (None, Target::File(path)) => format_of_path(path, AllowedFormats::Pictures(default))?,
            _ => OutputFormat::Picture(format),
        };
        let destination = Destination::new(target, format, picture, timing)?;
        note_contradicting_name(self.output.as_deref(), format);
        Ok(destination)
    }
}

/// Prints a note if the file name indicates another format than the one that is written.
fn note_contradicting_name(path: Option<&Path>, format: OutputFormat) {
    let indicated = path.and_then(|path| Some((path, OutputFormat::from_path(path)?)));
    if let Some((path, indicated)) = indicated
        && !indicated.accepts(format)
    {
        failure::note(&format!(
            "`--format {format}` overrides the extension of `{}`, which means {indicated}",
            path.display()
        ));
    }
}

/// The formats that a file name may select.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AllowedFormats {
    /// One screen, in any format.
    Screens,
    /// One screen, in any format, and recordings, which the caller has handled already.
    ScreensAndRecordings,
    /// Only pictures. The value is the default for a name without an extension.
    Pictures(PictureFormat),
}

fn format_of_path(path: &Path, allowed: AllowedFormats) -> Result<OutputFormat, Failure> {
    // A name without an extension selects the default.
    let (default, known) = match allowed {
        AllowedFormats::Screens => (
            OutputFormat::Screen(ScreenFormat::Text),
            OutputFormat::extensions(|_| true),
        ),
        AllowedFormats::ScreensAndRecordings => {
            let known = OutputFormat::extensions(|_| true);
            (
                OutputFormat::Screen(ScreenFormat::Text),
                format!("{known}, `.cassette`, `.cast`, `.tape`"),
            )
        }
        AllowedFormats::Pictures(default) => (
            OutputFormat::Picture(default),
            OutputFormat::extensions(|format| matches!(format, OutputFormat::Picture(_))),
        ),
    };
    let hint = format!("`--format` selects a format; known extensions are {known}");
    match (OutputFormat::from_path(path), allowed, path.extension()) {
        (Some(format @ OutputFormat::Screen(_)), AllowedFormats::Pictures(_), _) => {
            Err(Failure::usage(anyhow!(
                "the extension of `{}` means {format}, which is not a picture format",
                path.display()
            ))
            .hint(format!("`screentest convert` writes {format}; {hint}")))
        }
        (Some(format), _, _) => Ok(format),
        (None, _, None) => Ok(default),
        (None, _, Some(extension)) => Err(Failure::usage(anyhow!(
            "unknown extension `.{}` in `{}`",
            extension.display(),
            path.display()
        ))
        .hint(hint)),
    }
}

/// Where to write, and in which format.
#[derive(Debug)]
pub(crate) struct Destination {
    target: Target,
    encoder: Encoder,
}

#[derive(Debug)]
enum Encoder {
    Screen(ScreenFormat),
    Picture(Box<PictureRenderer>),
}

impl Destination {
    fn new(
        target: Target,
        format: OutputFormat,
        picture: &PictureArgs,
        timing: &TimingArgs,
    ) -> Result<Destination, Failure> {
        if format.is_binary() && matches!(target, Target::Stdout) && io::stdout().is_terminal() {
            return Err(
                Failure::usage(anyhow!("{format} is binary, and stdout is a terminal"))
                    .hint("write it to a file with `-o FILE`, or pipe it"),
            );
        }
        let encoder = match (format, picture.first_given()) {
            (OutputFormat::Picture(format), _) => {
                Encoder::Picture(picture.renderer(format, timing)?.into())
            }
            (OutputFormat::Screen(format), None) => Encoder::Screen(format),
            (OutputFormat::Screen(_), Some(option)) => {
                return Err(Failure::usage(anyhow!(
                    "`{option}` applies to pictures only, and {format} is not one"
                ))
                .hint("`-o FILE.png` or `--format png` draws a picture"));
            }
        };
        target.check(format)?;
        Ok(Destination { target, encoder })
    }

    /// Returns the format.
    pub(crate) fn format(&self) -> OutputFormat {
        match &self.encoder {
            Encoder::Screen(format) => OutputFormat::Screen(*format),
            Encoder::Picture(renderer) => OutputFormat::Picture(renderer.format()),
        }
    }

    /// Checks that a screen of this size can be written, before there is one.
    pub(crate) fn check(&self, size: Size) -> Result<(), Failure> {
        match &self.encoder {
            Encoder::Screen(_) => Ok(()),
            Encoder::Picture(renderer) => renderer.check(size),
        }
    }

    /// Returns the path of the file if the caller did not name it.
    pub(crate) fn default_path(&self, output: &PictureOutputArgs) -> Option<&Path> {
        match (&output.output, &self.target) {
            (None, Target::File(path)) => Some(path),
            _ => None,
        }
    }

    /// Writes a screen, or as much of a recording as the format can show.
    pub(crate) fn write(&self, content: &Content, theme: &Theme) -> Result<(), Failure> {
        match &self.encoder {
            Encoder::Screen(format) => {
                let written = format.write(&*content.last()?, theme);
                let losses = written.losses;
                self.target.write(written)?;
                if losses.any() {
                    failure::note(&format!(
                        "{} cannot represent everything on the screen; lost: {losses}",
                        self.format()
                    ));
                }
                Ok(())
            }
            Encoder::Picture(renderer) if renderer.needs_file() => {
                self.write_animation(renderer, content, theme)
            }
            Encoder::Picture(renderer) => self.target.write(renderer.draw(content, theme)?.into()),
        }
    }

    /// Writes an animation or a video. ffmpeg and WebP need a file to write to.
    fn write_animation(
        &self,
        renderer: &PictureRenderer,
        content: &Content,
        theme: &Theme,
    ) -> Result<(), Failure> {
        let internal = |error| Failure::new(Exit::Internal, error);
        let write = |file: &Path, path: &Path| {
            let watched = RemoveOnSignal::new(file).context("could not register signal handlers");
            let _watched = watched.map_err(internal)?;
            renderer.write(content, theme, file, path)
        };
        if let Target::File(path) = &self.target {
            let temporary = AtomicFile::new(path, b"").map_err(Failure::usage)?;
            write(temporary.temporary_path(), path)?;
            return temporary.persist().map_err(Failure::usage);
        }
        let file = NamedTempFile::new().context("could not create a temporary file");
        let file = file.map_err(internal)?;
        write(file.path(), file.path())?;
        // ffmpeg may have replaced the file, so the open descriptor is of no use.
        let written = File::open(file.path()).context("could not read the temporary file");
        self.target.copy(written.map_err(internal)?)
    }
}
