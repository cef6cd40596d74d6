//! `screentest render-text`: what a kept screen says.

use anyhow::Context;
use clap::Args;

use crate::failure::Failure;
use crate::input::{Empty, Input};
use crate::output;
use crate::picture::Moment;

const AFTER_HELP: &str = "\
Prints the rows of the screen as plain text, without blanks at their ends. ANSI text
has the size that --cols and --rows say, else the one in `x.meta.json` beside
`x.ansi.txt` or `x.ansi`, else 134x40. Of a recording, an asciicast or a cassette, it is
the last screen, or the one that --at picks. `screentest convert` writes other formats.

Examples:
  screentest render-text menu.ansi.txt
  screentest render-text --cols 80 --rows 24 raw.ansi
  screentest render-text demo.cast --at 12.5
  screentest render-text demo.cassette";

/// Print a kept screen as plain text.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RenderText {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    moment: Moment,
}

/// Prints a kept screen as plain text.
pub(crate) fn run(render: &RenderText) -> Result<(), Failure> {
    let RenderText { input, moment } = render;
    let kept = input.read(Empty::Refused)?;
    let content = kept.content.at(moment.at, &input.name())?;
    output::print(content.last()?.screen.text().as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)
}
