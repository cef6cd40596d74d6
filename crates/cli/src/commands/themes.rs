//! `screentest themes`: lists the themes.
//!
//! On a terminal, each theme is shown in its colours. Otherwise the output has one name per line,
//! or JSON.

use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{RgbColor, Style};
use anyhow::Context;
use clap::Args;
use screentest::core::{Rgb, Theme};

use crate::failure::Failure;
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  screentest themes                                  in their colours
  screentest themes --json | jq '.[] | select(.name == \"Nord\")'
  screentest snap --theme nord -o ls.json -- ls --color=always";

/// List the colour themes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Themes {
    /// Print all colours as JSON, in the form that `--theme` accepts
    #[arg(long)]
    json: bool,
}

/// Lists the themes.
pub(crate) fn run(themes: &Themes) -> Result<(), Failure> {
    let all = Theme::all();
    let list = if themes.json {
        let objects: Vec<String> = all.iter().map(Theme::to_json).collect();
        format!("[\n  {}\n]\n", objects.join(",\n  "))
    } else if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        all.iter()
            .map(|theme| format!("{}\n", theme.name))
            .collect()
    } else {
        all.iter().map(preview).collect()
    };
    output::print_exact(list.as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)
}

/// Formats a line with the name, in the theme's foreground and background, and the 16 colours.
fn preview(theme: &Theme) -> String {
    let plain = Style::new()
        .fg_color(color(theme.fg))
        .bg_color(color(theme.bg));
    let swatches: String = theme
        .ansi
        .iter()
        .map(|rgb| Style::new().bg_color(color(*rgb)))
        .map(|swatch| format!("{swatch}  {swatch:#}"))
        .collect();
    // The longest name has 20 characters.
    format!("{plain} {:<21}{plain:#}{swatches}\n", theme.name)
}

fn color(Rgb { r, g, b }: Rgb) -> Option<anstyle::Color> {
    Some(RgbColor(r, g, b).into())
}
