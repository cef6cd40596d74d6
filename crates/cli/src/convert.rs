//! `screentest convert`: a kept screen in another format.

use std::path::PathBuf;

use clap::Args;
use screentest::core::Theme;

use crate::failure::Failure;
use crate::input::{From, Source, Told};
use crate::output::{self, Output};
use crate::size;

const AFTER_HELP: &str = "\
The format of FILE is told by its content: VT2 begins with the letters VT, State
JSON is an object with its fields, and other text is ANSI. Where that leaves a
doubt, the name decides: .json, .vt2, .ansi.txt, .ansi and .txt. --from ends any.

ANSI text does not say how large its screen was. The size is what --cols and --rows
say, else what stands in `x.meta.json` beside `x.ansi.txt` or `x.ansi`, else 134x40;
a note on stderr says when a larger screen would have shown more.

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
    /// The format of FILE, whatever its content and its name say; ansi takes any bytes
    #[arg(long, value_enum, value_name = "F")]
    from: Option<From>,
    /// How many columns ANSI text has, from 2 to 2000
    #[arg(long, value_name = "N", value_parser = size::cols, allow_hyphen_values = true)]
    cols: Option<u16>,
    /// How many rows it has, from 1 to 2000
    #[arg(long, value_name = "N", value_parser = size::rows, allow_hyphen_values = true)]
    rows: Option<u16>,
    #[command(flatten)]
    output: Output,
    /// The colours that json gives to plain text and to the 16 that a program names by number, dark unless told
    /// otherwise. State JSON keeps its own; with --theme its plain text gets the theme's, and all other colours stay.
    /// A name of which `screentest themes` lists all, or a theme as JSON
    #[arg(long, value_parser = output::theme, value_name = "T", help_heading = "Output")]
    theme: Option<Theme>,
}

/// Writes a kept screen in another format.
pub(crate) fn run(convert: &Convert) -> Result<(), Failure> {
    let destination = convert.output.destination()?;
    let kept = Source::named(&convert.file).read(Told {
        from: convert.from,
        cols: convert.cols,
        rows: convert.rows,
    })?;
    let theme = match (&convert.theme, kept.colors) {
        (Some(theme), _) => theme.clone(),
        (None, Some(colors)) => Theme {
            fg: colors.fg,
            bg: colors.bg,
            ..Theme::default()
        },
        (None, None) => Theme::default(),
    };
    destination.write(&kept.state, &theme)
}
