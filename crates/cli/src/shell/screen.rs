//! Commands that output the screen: `view` as text, `state` as JSON, `shot` as a picture.
//!
//! All are made from the daemon's State JSON by the same code as for files, so a shot looks like
//! the output of `render`.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::formats::state_json::{MAX_SCROLLBACK, StateJson};
use screentest::core::{State as ScreenState, Theme};
use serde_json::json;

use super::daemon_client::DaemonClient;
use super::{SessionName, TargetArgs, print_stdout};
use crate::args::picture_args::{PictureArgs, TimingArgs};
use crate::failure::{self, Exit, Failure};
use crate::input::Content;
use crate::output::picture_format::PictureFormat;
use crate::output::screen_format::ScreenFormat;
use crate::output::{PictureOutputArgs, print};

/// Print a session's screen as text
#[derive(Debug, Args)]
#[command(after_help = "\
Trailing empty rows and trailing spaces are removed.

Examples:
  screentest view
  screentest view --scrollback 1000 | grep -c warning")]
pub(crate) struct View {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    /// Include N rows of scrollback above the screen
    #[arg(long, value_name = "N", default_value = "0", value_parser = scrollback, allow_negative_numbers = true)]
    scrollback: usize,
}

/// Print a session's screen as State JSON
#[derive(Debug, Args)]
#[command(after_help = "\
State JSON has the text, the styles, the cursor and the title. `screentest convert -`
reads it.

Examples:
  screentest state > before.json
  screentest state | screentest convert - --format ansi")]
pub(crate) struct State {
    #[command(flatten)]
    session: SessionName,
    /// Include N rows of scrollback
    #[arg(long, value_name = "N", default_value = "0", value_parser = scrollback, allow_negative_numbers = true)]
    scrollback: usize,
}

/// Draw a session's screen as a picture
#[derive(Debug, Args)]
#[command(after_help = "\
Without -o, the picture is written to the current directory, named after the session.

Examples:
  screentest shot
  screentest shot -o menu.svg --window-bar colorful")]
pub(crate) struct Shot {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    /// Picture format [default: from the file extension, else png]
    #[arg(long, value_enum, value_name = "F")]
    format: Option<PictureFormat>,
    /// Output file; its extension selects the format: .png, .svg, .html, .gif, .apng, .webp, .mp4
    /// or .webm. `-` writes to stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    drawing: PictureArgs,
}

fn scrollback(text: &str) -> Result<usize, String> {
    let rows = text.parse().ok().filter(|rows| *rows <= MAX_SCROLLBACK);
    rows.ok_or_else(|| format!("not a number of rows from 0 to {MAX_SCROLLBACK}"))
}

pub(super) fn view(args: &View) -> Result<(), Failure> {
    let (screen_state, _) = fetch_state(&mut args.target.remote()?, args.scrollback)?;
    let above = screen_state.scrollback.iter().map(|row| row.text());
    let mut text: String = above.flat_map(|row| [row, "\n"]).collect();
    text.push_str(&screen_state.screen.text());
    if args.target.json {
        args.target.print_result(&json!({ "text": text }))
    } else {
        print_stdout(&text)
    }
}

pub(super) fn state(args: &State) -> Result<(), Failure> {
    let (screen_state, theme) = fetch_state(&mut args.session.remote()?, args.scrollback)?;
    print(&ScreenFormat::Json.write(&screen_state, &theme).bytes)
        .context("could not write to stdout")
        .map_err(Failure::usage)
}

pub(super) fn shot(args: &Shot) -> Result<(), Failure> {
    if args.target.json && args.output.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage(anyhow!(
            "`--json` and `-o -` both write to stdout"
        )));
    }
    let mut remote = args.target.remote()?;
    let name = remote.session_name()?;
    let output = PictureOutputArgs::new(args.format, args.output.clone());
    let motion = TimingArgs::default();
    let destination =
        output.destination_named(&name, PictureFormat::Png, &args.drawing, &motion)?;
    let (screen_state, theme) = fetch_state(&mut remote, 0)?;
    destination.check(screen_state.screen.size)?;
    destination.write(&Content::Screen(screen_state), &theme)?;
    let unasked = destination.default_path(&output);
    if args.target.json {
        let path = unasked.or(args.output.as_deref());
        return args.target.print_result(&json!({ "path": path }));
    }
    if let Some(path) = unasked {
        failure::note(&format!("the picture is in `{}`", path.display()));
    }
    Ok(())
}

/// Returns the state, and a theme with its default colours.
fn fetch_state(
    remote: &mut DaemonClient,
    scrollback: usize,
) -> Result<(ScreenState, Theme), Failure> {
    let state = remote.call("currentState", json!({ "scrollback": scrollback }))?;
    let (screen_state, colors) = StateJson::parse_with_default_style(state.to_string())
        .context("the response of the session daemon is not State JSON")
        .map_err(|error| Failure::new(Exit::Transport, error))?;
    let theme = Theme {
        fg: colors.fg,
        bg: colors.bg,
        cursor: colors.fg,
        ..Theme::default()
    };
    Ok((screen_state, theme))
}
