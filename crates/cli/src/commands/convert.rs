//! `screentest convert`: a kept screen or a recording in another format.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use screentest::core::Theme;

use crate::dub::{Carrier, Dub, Dubbing, Target};
use crate::failure::{self, Failure};
use crate::format::Format;
use crate::input::{Content, Empty, Input, Kept};
use crate::output::{Offer, Output};
use crate::picture::{Drawing, Motion};
use crate::record::Tape;
use crate::recording::Recording;
use crate::theme;

const AFTER_HELP: &str = "\
The format of FILE is told by its content: VT2 begins with the letters VT, State
JSON is an object with its fields, an asciicast begins with its header, a cassette is a
directory, and other text is ANSI. Where that leaves a doubt, the name decides: .json,
.vt2, .cast, .ansi.txt, .ansi and .txt. --from ends any. Of a recording it is the last
screen that is written, or the one that --at picks, unless the format can move or is that
of a recording.

Recordings become others: a cassette an asciicast of version 3 (.cast) or 2, an asciicast
a cassette. An asciicast has what the program wrote, marks, sizes and the exit code; what
was typed is in it only with --capture-input, as it may be private. A recording that is
there already is replaced only with --force. A cassette becomes a tape (.tape) of what was
done in it, for `screentest run`.

ANSI text does not say how large its screen was. The size is what --cols and --rows
say, else what stands in `x.meta.json` beside `x.ansi.txt` or `x.ansi`, else 134x40;
a note on stderr says when it does not fit, or leaves most of a picture empty.

A format may not hold all that another does: text has no colours, VT2 no title,
and only State JSON has what scrolled out. A note on stderr counts the cells of VT2 and
State JSON that look different for it.

Examples:
  screentest convert top.json                        print it as text
  screentest convert top.json -o top.vt2             keep it as a binary snapshot
  screentest convert top.json -o top.svg             draw it
  screentest convert --format ansi top.vt2           print it in colour
  screentest convert demo.cassette -o demo.cast      for players of asciinema
  screentest convert --format asciicast-v2 demo.cassette -o demo.cast
  screentest convert demo.cast -o demo.cassette      for `screentest cassette`
  screentest convert demo.cassette -o demo.tape      to do it again
  screentest convert --cols 80 --rows 24 raw.txt --format sketch
      what a terminal of 80x24 shows after these bytes, and where its cursor is
  ssh host cat top.vt2 | screentest convert -        read stdin";

/// Write a kept screen or a recording in another format.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    input: Input,
    /// What to write: text, unless the name of the file says otherwise
    #[arg(long, value_enum, value_name = "F", help_heading = "Output")]
    format: Option<Target>,
    /// Write to a file, whose ending picks the format: .txt, .json, .vt2, .ansi.txt and .ansi (which get a .meta.json
    /// beside them), .cassette, .cast (version 3), .tape (what was done in a cassette), .png, .svg, .html, .gif, .apng, .webp, .mp4 or .webm; `-` is stdout
    #[arg(short, long = "output", value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    dubbing: Dubbing,
    /// The colours that json gives to plain text and to the 16 that a program names by number, dark unless told
    /// otherwise. State JSON keeps its own; with --theme its plain text gets the theme's, and all other colours stay.
    /// A name of which `screentest themes` lists all, `auto` for dark or light as COLORFGBG says, a theme as
    /// JSON, or a file with one, such as ./mine.json
    #[arg(long, value_parser = theme::theme, value_name = "T", help_heading = "Output")]
    theme: Option<Theme>,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    motion: Motion,
}

/// Writes a kept screen or a recording in another format.
pub(crate) fn run(convert: &Convert) -> Result<(), Failure> {
    if let (None, Some(path)) = (convert.format, convert.output.as_deref())
        && Tape::is_promised(path)
    {
        return tape(convert, path);
    }
    let promised = convert.output.as_deref().and_then(Carrier::promised);
    match (convert.format, promised) {
        (Some(Target::Carried(carrier)), _) | (None, Some(carrier)) => dub(convert, carrier),
        (Some(Target::Kept(format)), _) => keep(convert, Some(format)),
        (None, None) => keep(convert, None),
    }
}

/// Writes a screen, or a film.
fn keep(convert: &Convert, format: Option<Format>) -> Result<(), Failure> {
    let Convert { input, motion, .. } = convert;
    if let Some(option) = convert.dubbing.given() {
        return Err(
            Failure::usage(anyhow!("`{option}` is for recordings that are written"))
                .hint("`-o X.cast` and `-o X.cassette` write one"),
        );
    }
    let output = Output {
        format,
        output: convert.output.clone(),
    };
    let destination = output.destination(Offer::AllAndRecordings, &convert.drawing, motion)?;
    let kept = input.read(Empty::Blank)?;
    let theme = kept.theme(convert.theme.as_ref());
    let Kept { content, guess, .. } = kept;
    let content = content.at(motion.moment.at, &input.name())?;
    motion.check(&content, destination.format(), &input.name())?;
    destination.write(&content, &theme)?;
    if let (Format::Drawn(_), Some(guess)) = (destination.format(), guess) {
        guess.tell(&input.name());
    }
    if let Some(path) = convert.output.as_deref()
        && let Some(promised) = Carrier::promised(path)
    {
        failure::note(&format!(
            "`--format {}` is written, although the name `{}` promises {promised}",
            destination.format(),
            path.display()
        ));
    }
    Ok(())
}

/// Writes what was done in a recording.
fn tape(convert: &Convert, path: &Path) -> Result<(), Failure> {
    let Convert { input, dubbing, .. } = convert;
    refuse_looks(convert, "a tape")?;
    dubbing.check(Carrier::Cassette)?;
    let tape = Tape::to(path, dubbing.existing())?;
    match input.read(Empty::Refused)?.content {
        Content::Recording(Recording::Cassette(opened)) => tape.write(&opened.cassette),
        Content::Recording(Recording::Cast(_)) | Content::Screen(_) => {
            Err(Failure::usage(anyhow!(
                "{} does not say what was done, and a tape does it again",
                input.name()
            ))
            .hint("a tape is made of a cassette: `screentest record` makes one"))
        }
    }
}

/// Refuses options that are about what is shown, where something else is written.
fn refuse_looks(convert: &Convert, what: &str) -> Result<(), Failure> {
    let motion = &convert.motion;
    let at = motion.moment.at.map(|_| "--at");
    let theme = convert.theme.as_ref().map(|_| "--theme");
    let drawn = convert.drawing.given().or(at).or(motion.first());
    match drawn.or(theme) {
        None => Ok(()),
        Some(option) => Err(Failure::usage(anyhow!(
            "`{option}` is for what is shown of a recording, and {what} keeps all of it"
        ))
        .hint("`-o FILE.gif` and `--format gif` show it")),
    }
}

/// Writes a recording.
fn dub(convert: &Convert, carrier: Carrier) -> Result<(), Failure> {
    let Convert { input, .. } = convert;
    refuse_looks(convert, &carrier.to_string())?;
    let dub = Dub::new(carrier, convert.output.as_deref(), &convert.dubbing)?;
    match input.read(Empty::Refused)?.content {
        Content::Recording(recording) => dub.write(&recording, &input.name()),
        Content::Screen(_) => Err(Failure::usage(anyhow!(
            "{} is one screen, and {carrier} keeps recordings",
            input.name()
        ))
        .hint("`screentest record` makes one; asciicasts and cassettes are read")),
    }
}
