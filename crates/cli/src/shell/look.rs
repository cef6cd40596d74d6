//! What a session shows: `view` as text, `state` as JSON, `shot` as a picture.
//!
//! All of them are made here of the State JSON that the daemon gives, as the other commands make them of a file: so a picture looks as `render` draws it.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::state_json::{MAX_SCROLLBACK, StateJson};
use screentest::core::{State as Shown, Theme};
use serde_json::json;

use super::remote::Remote;
use super::{Ask, Which, written};
use crate::args::picture_args::{PictureArgs as Drawing, TimingArgs as Motion};
use crate::failure::{self, Exit, Failure};
use crate::input::Content;
use crate::output::picture_format::PictureFormat as Medium;
use crate::output::screen_format::ScreenFormat as Notation;
use crate::output::{PictureOutputArgs as PictureOutput, print};

/// Print what a session shows, as text.
#[derive(Debug, Args)]
#[command(after_help = "\
The rows up to the last that is not blank, without blanks at their ends.

Examples:
  screentest view
  screentest view --scrollback 1000 | grep -c warning")]
pub(crate) struct View {
    #[command(flatten)]
    pub(super) ask: Ask,
    /// And so many rows of what scrolled out, above it
    #[arg(long, value_name = "N", default_value = "0", value_parser = scrollback, allow_negative_numbers = true)]
    scrollback: usize,
}

/// Print what a session shows, as State JSON.
#[derive(Debug, Args)]
#[command(after_help = "\
docs/formats/state-json.md has the format; `screentest convert -` reads it.

Examples:
  screentest state > before.json
  screentest state | screentest convert - --format ansi")]
pub(crate) struct State {
    #[command(flatten)]
    which: Which,
    /// And so many rows of what scrolled out
    #[arg(long, value_name = "N", default_value = "0", value_parser = scrollback, allow_negative_numbers = true)]
    scrollback: usize,
}

/// Draw what a session shows.
#[derive(Debug, Args)]
#[command(after_help = "\
Without -o the picture is in the directory that you are in, called after the session.

Examples:
  screentest shot
  screentest shot -o menu.svg --window-bar colorful")]
pub(crate) struct Shot {
    #[command(flatten)]
    pub(super) ask: Ask,
    /// What to draw: png, unless the name of the file says otherwise
    #[arg(long, value_enum, value_name = "F")]
    format: Option<Medium>,
    /// Write to this file, whose ending picks the format: .png, .svg, .html, .gif, .apng, .webp, .mp4 or .webm; `-` is
    /// stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    drawing: Drawing,
}

fn scrollback(text: &str) -> Result<usize, String> {
    let rows = text.parse().ok().filter(|rows| *rows <= MAX_SCROLLBACK);
    rows.ok_or_else(|| format!("not a number of rows from 0 to {MAX_SCROLLBACK}"))
}

pub(super) fn view(asked: &View) -> Result<(), Failure> {
    let (shown, _) = shown(&mut asked.ask.remote()?, asked.scrollback)?;
    let above = shown.scrollback.iter().map(|row| row.text());
    let mut text: String = above.flat_map(|row| [row, "\n"]).collect();
    text.push_str(&shown.screen.text());
    match asked.ask.json {
        true => asked.ask.done(&json!({ "text": text })),
        false => written(&text),
    }
}

pub(super) fn state(asked: &State) -> Result<(), Failure> {
    let (shown, theme) = shown(&mut asked.which.remote()?, asked.scrollback)?;
    print(&Notation::Json.write(&shown, &theme).bytes)
        .context("could not write to stdout")
        .map_err(Failure::usage)
}

pub(super) fn shot(asked: &Shot) -> Result<(), Failure> {
    if asked.ask.json && asked.output.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage(anyhow!(
            "`--json` and `-o -` both want stdout"
        )));
    }
    let mut remote = asked.ask.remote()?;
    let name = remote.chosen()?;
    let output = PictureOutput::new(asked.format, asked.output.clone());
    let motion = Motion::default();
    let destination = output.destination_called(&name, Medium::Png, &asked.drawing, &motion)?;
    let (shown, theme) = shown(&mut remote, 0)?;
    destination.check(shown.screen.size)?;
    destination.write(&Content::Screen(shown), &theme)?;
    let unasked = destination.unasked(&output);
    if asked.ask.json {
        let path = unasked.or(asked.output.as_deref());
        return asked.ask.done(&json!({ "path": path }));
    }
    if let Some(path) = unasked {
        failure::note(&format!("the picture is in `{}`", path.display()));
    }
    Ok(())
}

/// What is shown, and the colours of what is plain in it.
fn shown(remote: &mut Remote, scrollback: usize) -> Result<(Shown, Theme), Failure> {
    let state = remote.call("currentState", json!({ "scrollback": scrollback }))?;
    let (shown, colors) = StateJson::parse_with_default_style(state.to_string())
        .context("the daemon did not answer with State JSON")
        .map_err(|error| Failure::new(Exit::Transport, error))?;
    let theme = Theme {
        fg: colors.fg,
        bg: colors.bg,
        cursor: colors.fg,
        ..Theme::default()
    };
    Ok((shown, theme))
}
