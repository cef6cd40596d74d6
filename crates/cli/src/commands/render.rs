//! `screentest render`: a kept screen or a recording as a picture.

use clap::Args;
use screentest::core::Theme;

use crate::failure::{self, Failure};
use crate::input::{Content, Empty, Input, Kept};
use crate::output::PictureOutput;
use crate::picture::{Drawing, Medium, Motion};
use crate::theme;

const AFTER_HELP: &str = "\
The picture goes beside FILE, with `.png` in place of its ending, and that of a
recording, an asciicast or a cassette, with `.gif`; what comes from stdin goes to stdout. -o names another file,
and its ending picks the format. In a format that does not move, a recording is its
last screen, and --at picks another moment.

ANSI text does not say how large its screen was. The size is what --cols and --rows
say, else what stands in `x.meta.json` beside `x.ansi.txt` or `x.ansi`, else 134x40;
a note on stderr says when it does not fit, or leaves most of the picture empty.

Fonts: --font, else SCREENTEST_FONT_PATH, else TUISPEC_FONT_PATH, else the bundled
DejaVu Sans Mono. What it lacks, such as Chinese characters and emoji, comes from the
system's fonts, and a note on stderr says so; with --no-system-fonts the same input
gives the same picture everywhere.

html is a fragment to paste into a page, whose charset must be UTF-8. mp4 and webm need
ffmpeg in PATH, all other formats nothing.

Examples:
  screentest render menu.ansi.txt                    menu.png beside it
  screentest render menu.ansi.txt -o menu.svg --theme nord
  screentest render demo.cast                        demo.gif beside it
  screentest render demo.cast --speed 2 --idle-limit 1 -o demo.mp4
  screentest render demo.cassette                    the same of a cassette
  screentest render demo.cast --at 12.5 -o demo.png  what was shown then
  screentest render menu.vt2 --scale 2 --window-bar colorful --margin 20 \\
      --margin-fill '#6b50ff' --border-radius 8
      as a window on a coloured ground, sharp on fine screens
  cat top.vt2 | screentest render - > top.png";

/// Draw a kept screen or a recording.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Render {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: PictureOutput,
    /// The colours of plain text and of the 16 that a program names by number: the file's own where it has any, else
    /// dark. A name of which `screentest themes` lists all, `auto` for dark or light as COLORFGBG says, a theme as
    /// JSON, or a file with one, such as ./mine.json. State JSON has exact colours: only its plain text changes
    #[arg(long, value_parser = theme::theme, value_name = "T", help_heading = "Output")]
    theme: Option<Theme>,
    #[command(flatten)]
    drawing: Drawing,
    #[command(flatten)]
    motion: Motion,
}

/// Draws a kept screen or a recording.
pub(crate) fn run(render: &Render) -> Result<(), Failure> {
    let Render {
        input,
        drawing,
        motion,
        ..
    } = render;
    let kept = input.read(Empty::Refused)?;
    let theme = kept.theme(render.theme.as_ref());
    let Kept { content, guess, .. } = kept;
    let content = content.at(motion.moment.at, &input.name())?;
    let usual = match content {
        Content::Screen(_) => Medium::Png,
        Content::Recording(_) => Medium::Gif,
    };
    let output = &render.output;
    let destination = output.destination(input, usual, drawing, motion)?;
    motion.check(&content, destination.format(), &input.name())?;
    destination.write(&content, &theme)?;
    if let Some(guess) = guess {
        guess.tell(&input.name());
    }
    if let Some(path) = destination.unasked(output) {
        failure::note(&format!("the picture is in `{}`", path.display()));
    }
    Ok(())
}
