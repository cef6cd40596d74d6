//! `screentest themes`: lists the themes.
//!
//! On a terminal, each theme is shown in its colours, in groups. Otherwise the output has one name
//! per line, or JSON.

use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{RgbColor, Style};
use anyhow::{Context, anyhow};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use screentest::core::screen::theme::{CatalogueEntry, UnknownTheme, catalogue};
use screentest::core::{Rgb, Theme, ThemeCollection};
use serde_json::json;

use crate::failure::Failure;
use crate::output;

const AFTER_HELP: &str = "\
The themes are those of VHS, of Betamax, and a few of screentest. Some names have other
colours in Betamax than in VHS; --theme selects those of VHS, `Set Theme` in a tape those
of the tape's dialect.

Examples:
  screentest themes                                  in their colours
  screentest themes tokyo                            those whose name contains tokyo
  screentest themes --collection betamax             those of Betamax, with its colours
  screentest themes --json | jq '.[] | select(.name == \"Nord\")'
  screentest snap --theme nord -o ls.json -- ls --color=always";

/// List the colour themes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Themes {
    /// Only themes whose name contains every WORD, in any case
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Only the themes of this collection, with its colours
    #[arg(long, value_name = "NAME", value_parser = collection())]
    collection: Option<ThemeCollection>,
    /// Print all colours as JSON, in the form that `--theme` accepts
    #[arg(long)]
    json: bool,
}

fn collection() -> impl TypedValueParser<Value = ThemeCollection> {
    PossibleValuesParser::new(ThemeCollection::ALL.map(|(name, _)| name)).map(|text| {
        let known = ThemeCollection::ALL.into_iter();
        let mut named = known.filter(|(name, _)| *name == text);
        named
            .next()
            .map_or(ThemeCollection::Vhs, |(_, collection)| collection)
    })
}

/// Lists the themes.
pub(crate) fn run(themes: &Themes) -> Result<(), Failure> {
    let mut shown = match themes.collection {
        Some(collection) => collection.catalogue(),
        None => catalogue(),
    };
    shown.retain(|entry| themes.words.iter().all(|word| entry.matches(word)));
    if shown.is_empty() {
        return Err(nothing_found(&themes.words.join(" ")));
    }
    let list = if themes.json {
        let objects: Vec<String> = shown.iter().map(json).collect();
        format!("[\n  {}\n]\n", objects.join(",\n  "))
    } else if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        let names = shown.iter().map(|entry| format!("{}\n", entry.theme.name));
        names.collect()
    } else {
        preview(&shown)
    };
    output::print_exact(list.as_bytes())
        .context("could not write to stdout")
        .map_err(Failure::usage)
}

fn nothing_found(words: &str) -> Failure {
    let failure = Failure::usage(anyhow!("no theme has a name with `{words}`"));
    match Theme::named(words) {
        Err(UnknownTheme { close, .. }) if !close.is_empty() => {
            let names: Vec<String> = close.iter().map(|name| format!("`{name}`")).collect();
            failure.hint(format!("similar names: {}", names.join(", ")))
        }
        _ => failure.hint("`screentest themes` lists all"),
    }
}

/// Formats a theme with all of its colours. `--theme` ignores `meta`.
fn json(entry: &CatalogueEntry) -> String {
    let collections: Vec<&str> = entry.collections.iter().map(|of| of.name()).collect();
    let meta = json!({
        "isDark": !entry.theme.is_light(),
        "collections": collections,
        "aliases": entry.aliases,
    });
    let theme = entry.theme.to_json();
    let colors = theme.strip_suffix('}').unwrap_or(&theme);
    format!("{colors},\"meta\":{meta}}}")
}

/// Groups of a preview, in their order.
const GROUPS: [&str; 3] = ["screentest's own", "Dark", "Light"];

/// Returns the group of a theme, one of [`GROUPS`].
fn group(entry: &CatalogueEntry) -> &'static str {
    let [own, dark, light] = GROUPS;
    match entry.collections[..] {
        [ThemeCollection::Screentest] => own,
        _ if entry.theme.is_light() => light,
        _ => dark,
    }
}

/// Formats the themes in their colours, in groups.
fn preview(shown: &[CatalogueEntry]) -> String {
    let names = shown.iter().map(|entry| entry.theme.name.chars().count());
    let width = names.max().unwrap_or(0);
    let bold = Style::new().bold();
    let mut parts = Vec::new();
    for title in GROUPS {
        let members = shown.iter().filter(|entry| group(entry) == title);
        let lines: Vec<String> = members.map(|entry| line(entry, width)).collect();
        if !lines.is_empty() {
            let heading = format!("{bold}{title} ({}){bold:#}\n", lines.len());
            parts.push(heading + &lines.concat());
        }
    }
    parts.join("\n")
}

/// Formats a line: the name in the theme's foreground and background, the 16 colours, the aliases.
fn line(CatalogueEntry { theme, aliases, .. }: &CatalogueEntry, width: usize) -> String {
    let plain = Style::new()
        .fg_color(color(theme.fg))
        .bg_color(color(theme.bg));
    let swatches: String = theme
        .ansi
        .iter()
        .map(|rgb| Style::new().bg_color(color(*rgb)))
        .map(|swatch| format!("{swatch}  {swatch:#}"))
        .collect();
    let aliases = aliases.join(", ");
    let gap = if aliases.is_empty() { "" } else { " " };
    format!(
        "{plain} {:<width$} {plain:#}{swatches}{gap}{aliases}\n",
        theme.name
    )
}

fn color(Rgb { r, g, b }: Rgb) -> Option<anstyle::Color> {
    Some(RgbColor(r, g, b).into())
}
