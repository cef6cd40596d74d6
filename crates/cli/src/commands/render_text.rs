//! `screentest render-text`: prints a saved screen as text.

use anyhow::Context;
use clap::Args;

use crate::args::picture_args::MomentArgs;
use crate::failure::Failure;
use crate::input::{EmptyText, InputFile};
use crate::output;

const AFTER_HELP: &str = "\
Prints the rows of the screen as plain text, without trailing spaces. If FILE is a
recording (asciicast or cassette), it prints the last screen, or the one that --at
selects.
`screentest convert` writes other formats.

The size of ANSI text is that of --cols and --rows, else that in `x.meta.json` next to
`x.ansi.txt` or `x.ansi`, else 134x40.

Examples:
  screentest render-text menu.ansi.txt
  screentest render-text --cols 80 --rows 24 raw.ansi
  screentest render-text demo.cast --at 12.5
  screentest render-text demo.cassette";

/// Print a saved screen as plain text.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RenderText {
    #[command(flatten)]
    input: InputFile,
    #[command(flatten)]
    moment: MomentArgs,
}

/// Prints a saved screen as plain text.
pub(crate) fn run(render: &RenderText) -> Result<(), Failure> {
    let RenderText { input, moment } = render;
    let loaded = input.read(EmptyText::Refused)?;
    let content = loaded.content.at(moment.at, &input.name())?;
    output::print(content.last()?.screen.text().as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)
}
