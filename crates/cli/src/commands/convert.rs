//! `screentest convert`: writes a saved screen or a recording in another format.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use screentest::core::Theme;

use crate::args::picture_args::{PictureArgs, TimingArgs};
use crate::args::theme;
use crate::commands::record::TapeOutput;
use crate::failure::{self, Failure};
use crate::input::recording::Recording;
use crate::input::{Content, EmptyText, InputFile, LoadedInput};
use crate::output::convert_recording::{
    ConvertFormat, ConvertedRecording, RecordingArgs, RecordingFormat,
};
use crate::output::format::OutputFormat;
use crate::output::{AllowedFormats, OutputArgs};

const AFTER_HELP: &str = "\
The format of FILE is detected from its content: VT2 begins with the letters VT, State
JSON is an object with certain fields, an asciicast begins with its header, a cassette is
a directory, and other text is ANSI. If that is ambiguous, the extension decides: .json,
.vt2, .cast, .ansi.txt, .ansi and .txt. --from overrides the detection.

If FILE is a recording, the last screen is written, or the one that --at selects, unless
the output format is an animation or a recording. Recordings can be converted too: a
cassette to an asciicast (.cast, version 3 or 2), an asciicast to a cassette, and a
cassette to a tape (.tape) for `screentest run`. An asciicast has the output, marks,
sizes and the exit code; typed input may be private and is included only with
--capture-input.

The size of ANSI text is that of --cols and --rows, else that in `x.meta.json` next to
`x.ansi.txt` or `x.ansi`, else 134x40. A note says if the text does not fit, or leaves
most of a picture empty.

A theme is a name that `screentest themes` lists, `auto` (dark or light, by COLORFGBG),
JSON, or a JSON file such as ./mine.json. The exact colours of State JSON do not change.

Not every format can represent everything: text has no colours, VT2 no title, and only
State JSON has the scrollback. For VT2 and State JSON, a note counts the cells that look
different.

Examples:
  screentest convert top.json                        print it as text
  screentest convert top.json -o top.vt2             as a binary snapshot
  screentest convert top.json -o top.svg             draw it
  screentest convert --format ansi top.vt2           print it in colour
  screentest convert demo.cassette -o demo.cast      for asciinema players
  screentest convert --format asciicast-v2 demo.cassette -o demo.cast
  screentest convert demo.cast -o demo.cassette      for `screentest cassette`
  screentest convert demo.cassette -o demo.tape      for `screentest run`
  screentest convert --cols 80 --rows 24 raw.txt --format sketch
      print what an 80x24 terminal shows after these bytes, with the cursor
  ssh host cat top.vt2 | screentest convert -        read stdin";

/// Convert a saved screen or a recording to another format.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    input: InputFile,
    /// Output format [default: by the extension of -o, else text]
    #[arg(long, value_enum, value_name = "F", help_heading = "Output")]
    format: Option<ConvertFormat>,
    /// Write to FILE; its extension selects the format: .txt, .json, .vt2, .ansi.txt or .ansi (both
    /// with the size in a .meta.json file), .cassette, .cast (version 3), .tape (the input of a
    /// cassette), .png, .svg, .html, .gif, .apng, .webp, .mp4 or .webm; `-` is stdout
    #[arg(short, long = "output", value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    recording_args: RecordingArgs,
    /// Colours of json and pictures: theme name, `auto`, JSON, or file [default: those of the
    /// input, else screentest]
    #[arg(long, value_parser = theme::theme, value_name = "T", help_heading = "Output")]
    theme: Option<Theme>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    timing: TimingArgs,
}

/// Converts a saved screen or a recording.
pub(crate) fn run(convert: &Convert) -> Result<(), Failure> {
    if let (None, Some(path)) = (convert.format, convert.output.as_deref())
        && TapeOutput::is_tape_path(path)
    {
        return write_tape(convert, path);
    }
    let indicated = convert
        .output
        .as_deref()
        .and_then(RecordingFormat::from_path);
    match (convert.format, indicated) {
        (Some(ConvertFormat::Recording(format)), _) | (None, Some(format)) => {
            write_recording(convert, format)
        }
        (Some(ConvertFormat::Screen(format)), _) => write_content(convert, Some(format)),
        (None, None) => write_content(convert, None),
    }
}

/// Writes a screen, an animation or a video.
fn write_content(convert: &Convert, format: Option<OutputFormat>) -> Result<(), Failure> {
    let Convert { input, timing, .. } = convert;
    if let Some(option) = convert.recording_args.first_given() {
        return Err(
            Failure::usage(anyhow!("`{option}` applies only if a recording is written"))
                .hint("`-o X.cast` or `-o X.cassette` writes one"),
        );
    }
    let output = OutputArgs {
        format,
        output: convert.output.clone(),
    };
    let destination = output.destination(
        AllowedFormats::ScreensAndRecordings,
        &convert.picture,
        timing,
    )?;
    let loaded = input.read(EmptyText::Blank)?;
    let theme = loaded.theme(convert.theme.as_ref()).unwrap_or_default();
    let LoadedInput { content, guess, .. } = loaded;
    let content = content.at(timing.moment.at, &input.name())?;
    timing.check(&content, destination.format(), &input.name())?;
    destination.write(&content, &theme)?;
    if let (OutputFormat::Picture(_), Some(guess)) = (destination.format(), guess) {
        guess.print_note(&input.name());
    }
    if let Some(path) = convert.output.as_deref()
        && let Some(indicated) = recording_extension(path)
    {
        note_overridden(&destination.format().to_string(), path, &indicated);
    }
    Ok(())
}

/// Returns the format that an extension of recordings and tapes means.
fn recording_extension(path: &Path) -> Option<String> {
    match RecordingFormat::from_path(path) {
        Some(format) => Some(format.to_string()),
        None => TapeOutput::is_tape_path(path).then(|| "tape".to_owned()),
    }
}

/// Prints that `--format` overrides an extension.
fn note_overridden(format: &str, path: &Path, indicated: &str) {
    failure::note(&format!(
        "`--format {format}` overrides the extension of `{}`, which means {indicated}",
        path.display()
    ));
}

/// Writes a tape of the input in a cassette.
fn write_tape(convert: &Convert, path: &Path) -> Result<(), Failure> {
    let Convert {
        input,
        recording_args,
        ..
    } = convert;
    refuse_appearance_options(convert, "a tape")?;
    recording_args.check(RecordingFormat::Cassette)?;
    let tape = TapeOutput::to(path, recording_args.existing())?;
    match input.read(EmptyText::Refused)?.content {
        Content::Recording(Recording::Cassette(opened)) => tape.write(&opened.cassette),
        Content::Recording(Recording::Cast(_)) | Content::Screen(_) => {
            Err(Failure::usage(anyhow!(
                "{} does not contain the input that a tape repeats",
                input.name()
            ))
            .hint("only a cassette can be converted to a tape; `screentest record` makes one"))
        }
    }
}

/// Refuses options about the appearance if a whole recording is written.
fn refuse_appearance_options(convert: &Convert, what: &str) -> Result<(), Failure> {
    let timing = &convert.timing;
    let at = timing.moment.at.map(|_| "--at");
    let theme = convert.theme.as_ref().map(|_| "--theme");
    let option = convert
        .picture
        .first_given()
        .or(at)
        .or(timing.first_given());
    match option.or(theme) {
        None => Ok(()),
        Some(option) => Err(Failure::usage(anyhow!(
            "`{option}` applies to screens and pictures, and {what} is a whole recording"
        ))
        .hint("`-o FILE.gif` or `--format gif` writes a picture")),
    }
}

/// Writes a recording.
fn write_recording(convert: &Convert, format: RecordingFormat) -> Result<(), Failure> {
    let Convert { input, .. } = convert;
    refuse_appearance_options(convert, &format.to_string())?;
    let writer =
        ConvertedRecording::new(format, convert.output.as_deref(), &convert.recording_args)?;
    if let Some(path) = convert.output.as_deref()
        && TapeOutput::is_tape_path(path)
    {
        note_overridden(&format.to_string(), path, "tape");
    }
    match input.read(EmptyText::Refused)?.content {
        Content::Recording(recording) => writer.write(&recording, &input.name()),
        Content::Screen(_) => Err(Failure::usage(anyhow!(
            "{} is one screen, and {format} needs a recording",
            input.name()
        ))
        .hint("`screentest record` makes one")),
    }
}
