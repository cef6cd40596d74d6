//! `screentest render`: draws a saved screen or a recording.

use clap::Args;
use screentest::core::Theme;

use crate::args::picture_args::{PictureArgs, TimingArgs};
use crate::args::theme;
use crate::failure::{self, Failure};
use crate::input::{Content, EmptyText, InputFile, LoadedInput};
use crate::output::PictureOutputArgs;
use crate::output::picture_format::PictureFormat;

const AFTER_HELP: &str = "\
The picture is written next to FILE: `.png` for a screen, `.gif` for a recording (asciicast
or cassette). If FILE is `-`, the picture goes to stdout. -o names another file, and its
extension selects the format. A format without animation shows the last screen of a
recording, or the one that --at selects.

The size of ANSI text is that of --cols and --rows, else that in `x.meta.json` next to
`x.ansi.txt` or `x.ansi`, else 134x40. A note says if the text does not fit, or leaves
most of the picture empty.

Fonts: --font, else SCREENTEST_FONT_PATH, else TUISPEC_FONT_PATH, else the bundled
DejaVu Sans Mono. Missing characters, such as Chinese ones and emoji, come from the
system's fonts, with a note. --no-system-fonts makes the picture the same everywhere.

A theme is a name that `screentest themes` lists, `auto` (dark or light, by COLORFGBG),
JSON, or a JSON file such as ./mine.json. The exact colours of State JSON do not change.
Without --theme it is that of the file, if it has one, else that of the variable
SCREENTEST_SNAPSHOT_THEME or TUISPEC_SNAPSHOT_THEME, else `auto`.

html is a fragment for a page in UTF-8. mp4 and webm need ffmpeg in PATH.

Examples:
  screentest render menu.ansi.txt                    writes menu.png
  screentest render menu.ansi.txt -o menu.svg --theme nord
  screentest render demo.cast                        writes demo.gif
  screentest render demo.cast --speed 2 --idle-limit 1 -o demo.mp4
  screentest render demo.cassette                    writes demo.gif
  screentest render demo.cast --at 12.5 -o demo.png  the screen at 12.5 seconds
  screentest render menu.vt2 --scale 2 --window-bar colorful --margin 20 \\
      --margin-fill '#6b50ff' --border-radius 8
      a window on a coloured background, for high-resolution displays
  cat top.vt2 | screentest render - > top.png";

/// Draw a saved screen or a recording.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Render {
    #[command(flatten)]
    input: InputFile,
    #[command(flatten)]
    output: PictureOutputArgs,
    /// Colours: theme name, `auto`, JSON, or file [default: those of the input, else
    /// SCREENTEST_SNAPSHOT_THEME, else auto]
    #[arg(long, value_parser = theme::theme, value_name = "T", help_heading = "Output")]
    theme: Option<Theme>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    timing: TimingArgs,
}

/// Draws a saved screen or a recording.
pub(crate) fn run(render: &Render) -> Result<(), Failure> {
    let Render {
        input,
        picture,
        timing,
        ..
    } = render;
    let loaded = input.read(EmptyText::Refused)?;
    let theme = match loaded.theme(render.theme.as_ref()) {
        Some(theme) => theme,
        None => theme::from_environment()?,
    };
    let LoadedInput { content, guess, .. } = loaded;
    let content = content.at(timing.moment.at, &input.name())?;
    let default = match content {
        Content::Screen(_) => PictureFormat::Png,
        Content::Recording(_) => PictureFormat::Gif,
    };
    let output = &render.output;
    let destination = output.destination(input, default, picture, timing)?;
    timing.check(&content, destination.format(), &input.name())?;
    destination.write(&content, &theme)?;
    if let Some(guess) = guess {
        guess.print_note(&input.name());
    }
    if let Some(path) = destination.default_path(output) {
        failure::note(&format!("the picture is in `{}`", path.display()));
    }
    Ok(())
}
