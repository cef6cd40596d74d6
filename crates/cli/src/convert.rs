//! `screentest convert`: a kept screen in another format.

use clap::Args;
use screentest::core::Theme;

use crate::failure::Failure;
use crate::format::Format;
use crate::input::{Empty, Input, Kept};
use crate::output::Output;
use crate::picture::{Drawing, Motion};
use crate::theme;

const AFTER_HELP: &str = "\
The format of FILE is told by its content: VT2 begins with the letters VT, State
JSON is an object with its fields, an asciicast begins with its header, and other text
is ANSI. Where that leaves a doubt, the name decides: .json, .vt2, .cast, .ansi.txt,
.ansi and .txt. --from ends any. Of a recording it is the last screen that is written,
or the one that --at picks, unless the format can move.

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
  screentest convert --cols 80 --rows 24 raw.txt --format sketch
      what a terminal of 80x24 shows after these bytes, and where its cursor is
  ssh host cat top.vt2 | screentest convert -        read stdin";

/// Write a kept screen in another format.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
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

/// Writes a kept screen in another format.
pub(crate) fn run(convert: &Convert) -> Result<(), Failure> {
    let Convert { input, motion, .. } = convert;
    let destination = convert.output.destination(&convert.drawing, motion)?;
    let kept = input.read(Empty::Blank)?;
    let theme = kept.theme(convert.theme.as_ref());
    let Kept { content, guess, .. } = kept;
    let content = content.at(motion.moment.at, &input.name())?;
    motion.check(&content, destination.format(), &input.name())?;
    destination.write(&content, &theme)?;
    if let (Format::Drawn(_), Some(guess)) = (destination.format(), guess) {
        guess.tell(&input.name());
    }
    Ok(())
}
