//! `screentest convert`: a kept screen in another format.

use std::path::PathBuf;

use clap::Args;
use screentest::core::Size;

use crate::failure::Failure;
use crate::input::Source;
use crate::output::Output;

const AFTER_HELP: &str = "\
The format of FILE is told by its content: VT2 begins with the letters VT, State
JSON with `{`, and other text is ANSI. The size of ANSI text comes from the file
`x.meta.json` beside `x.ansi.txt`, else from --cols and --rows, else it is 134x40.

A format may not hold all that another does: text has no colours, VT2 no title,
and only State JSON has what scrolled out.

Examples:
  screentest convert top.json                        print it as text
  screentest convert top.json -o top.vt2             keep it as a binary snapshot
  screentest convert --format ansi top.vt2           print it in colour
  screentest convert --cols 80 --rows 24 raw.txt --format picture
      what a terminal of 80x24 shows after these bytes, and where its cursor is
  ssh host cat top.vt2 | screentest convert -        read stdin";

/// Write a kept screen in another format.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Convert {
    /// State JSON, VT2 or ANSI; `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many columns ANSI text without a .meta.json has
    #[arg(
        long,
        value_name = "N",
        default_value_t = 134,
        allow_negative_numbers = true
    )]
    cols: u64,
    /// How many rows it has
    #[arg(
        long,
        value_name = "N",
        default_value_t = 40,
        allow_negative_numbers = true
    )]
    rows: u64,
    #[command(flatten)]
    output: Output,
}

/// Writes a kept screen in another format.
pub(crate) fn run(convert: &Convert) -> Result<(), Failure> {
    let size = Size::checked(convert.cols, convert.rows).map_err(Failure::usage)?;
    let destination = convert.output.destination()?;
    let state = Source::named(&convert.file).read(size)?;
    destination.write(&state)
}
