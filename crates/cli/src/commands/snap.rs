//! `screentest snap`: runs a program and writes its screen.
//!
//! If the last step is a wait, the screen is the one on which it succeeded, not the current one:
//! `--wait Loading` shows `Loading`, however briefly it was visible.

use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::Session;
use screentest::core::formats::state_json;
use screentest::core::{Screen, Secrets, State, Theme};
use screentest::session::SessionOptions;

use self::steps::{Step, StepArgs};
use self::wait_idle::Waiter;
use crate::args::duration_arg;
use crate::args::input_args::InputArgs;
use crate::args::picture_args::{PictureArgs, TimingArgs};
use crate::args::program::ProgramArgs;
use crate::args::secrets::secrets;
use crate::args::theme;
use crate::failure::{self, Exit, Failure};
use crate::input::Content;
use crate::output::{AllowedFormats, OutputArgs};

mod steps;
mod wait_idle;

/// How long a screen must stay unchanged to count as finished, if no step says otherwise. Programs
/// that draw in several writes pause for less time, and users accept the wait.
const STABLE_FOR: Duration = Duration::from_millis(500);

const AFTER_HELP: &str = "\
Steps are performed in the given order. Without steps, or after a last --key or --type,
the screen is captured when the program exits, or when it has printed something and then
nothing new for 500 ms. Then the program is ended.

The program reads from its terminal, not from the stdin of snap: use --type and --key.

Keys: Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp,
PageDown, Insert, Delete, F1 to F35, KP0 to KP9, KPEnter, KPAdd, KPSubtract,
KPMultiply, KPDivide, KPDecimal, KPEqual, and any single character, after any of
Ctrl+, Alt+, Shift+ and Super+.

The program's environment is that of snap, with TERM=xterm-256color,
COLORTERM=truecolor, LANG=C.UTF-8 and PWD set, and without LC_ALL, LC_CTYPE, LINES,
COLUMNS, NO_COLOR, CLICOLOR*, FORCE_COLOR, TERM_PROGRAM*, TMUX, STY, KITTY_*,
WEZTERM_*, GHOSTTY_* and VTE_VERSION. --env is applied last.

A theme is a name that `screentest themes` lists, `auto` (dark or light, by COLORFGBG),
JSON, or a JSON file such as ./mine.json. It sets the default colours and the 16 named
ones, in json and in pictures, and in the terminal's answers to the program.

Exit codes, whatever the program's own: 0 if the screen was written, 1 if a step failed
(the reason and the last screen go to stderr), 2 for wrong usage, such as a program that
does not exist.

Examples:
  screentest snap -- ls -la --color=always
      print the screen after `ls`, as text
  screentest snap --type 'echo $((6 * 7))' --key Enter --wait 42 -- sh
      type a line, wait for its output
  screentest snap --stable 300 --key q -- top
      wait until top has drawn, quit it, print the screen
  screentest snap --cols 120 --rows 40 --stable 300 -o top.json -- top
      save the screen with its colours, as State JSON
  screentest snap --stable 300 --theme nord --window-bar colorful -o top.png -- top
      draw it as a window; `screentest help render` has more options";

/// Run a program and capture its screen.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Snap {
    #[command(flatten)]
    steps: StepArgs,
    /// Redact the value of this environment variable of the program in everything that is written;
    /// well-known tokens are always redacted
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
    /// Timeout of each step in seconds, such as 2.5
    #[arg(long, value_name = "S", default_value = "30", value_parser = duration_arg::positive_seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// Rows of scrollback to keep
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = scrollback, allow_negative_numbers = true)]
    scrollback: usize,
    #[command(flatten)]
    output: OutputArgs,
    /// Colours of the terminal: theme name, `auto`, JSON, or file
    #[arg(
        long,
        value_parser = theme::theme,
        value_name = "T",
        default_value = "screentest",
        help_heading = "Output"
    )]
    theme: Theme,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    program: ProgramArgs,
}

fn scrollback(text: &str) -> Result<usize, String> {
    let max = state_json::MAX_SCROLLBACK;
    match text.parse() {
        Ok(rows) if rows <= max => Ok(rows),
        _ => Err(format!("expected a number of rows from 0 to {max}")),
    }
}

/// Runs a program and writes its screen.
pub(crate) fn run(snap: &Snap) -> Result<(), Failure> {
    // All mistakes of the command line are reported before the program runs.
    let size = snap.program.size();
    let steps = snap.steps.parse()?;
    check_timeouts(&steps, snap.timeout)?;
    let app = snap.program.app()?;
    let secrets = secrets("snap", &snap.secret, |name| snap.program.variable(name))?;
    let secrets = secrets.with_known_tokens();
    let destination = snap.output.destination(
        AllowedFormats::Screens,
        &snap.picture,
        &TimingArgs::default(),
    )?;
    destination.check(size)?;

    let options = SessionOptions {
        size,
        scrollback: snap.scrollback,
        theme: snap.theme.clone(),
        input: snap.input.options()?,
        ..SessionOptions::default()
    };
    let clock = options.clock.clone();
    let redacted = |failure: Failure| failure.redacted(&secrets);
    let session = Session::start(&app, options).map_err(Failure::from);
    let session = session.map_err(redacted)?;
    let waiter = Waiter::new(&session, &clock, snap.timeout);
    let screen = perform(&waiter, &steps, &secrets).map_err(redacted)?;
    let state = secrets.state(&with_scrollback(&session, screen, snap.scrollback));
    // End the program before writing: a slow reader of our output must not keep it running.
    session
        .close()
        .context("could not end the program")
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    destination.write(&Content::Screen(state), &snap.theme)
}

/// Checks that every step can succeed within its timeout.
fn check_timeouts(steps: &[(Step, String)], timeout: Duration) -> Result<(), Failure> {
    let exceeds =
        |(step, _): &&(Step, String)| step.stable_for().is_some_and(|still| still > timeout);
    match steps.iter().find(exceeds) {
        Some((_, text)) => Err(Failure::usage(anyhow!(
            "`{text}` is longer than the step timeout of `{timeout:?}`"
        ))
        .hint("`--stable` takes milliseconds and `--timeout` seconds")),
        None => Ok(()),
    }
}

/// Performs the steps and returns the screen to write.
fn perform(
    waiter: &Waiter<'_>,
    steps: &[(Step, String)],
    secrets: &Secrets,
) -> Result<Screen, Failure> {
    let mut screen = None;
    for (index, (step, text)) in steps.iter().enumerate() {
        let step_name = format!("step {} (`{text}`)", index + 1);
        if let Some(note) = step.unsupported_modifiers(waiter.session) {
            failure::note(&secrets.text(&format!("{step_name}: {note}")));
        }
        screen = step
            .run(waiter)
            .map_err(|failure| failure.within(step_name))?;
    }
    match screen {
        Some(screen) => Ok(screen),
        None => waiter.wait_for_stable(STABLE_FOR).map_err(|failure| {
            failure.hint("`--wait TEXT` as the last step captures the screen with TEXT; `--timeout S` waits longer")
        }),
    }
}

/// Returns a screen with the scrollback at the time when it was shown.
fn with_scrollback(session: &Session, screen: Screen, max_rows: usize) -> State {
    let now = session.state(max_rows);
    if now.screen == screen {
        return now;
    }
    // Rows that scrolled out since then are the last ones. Once the oldest rows were dropped or
    // erased, it is unknown which of the others existed; no scrollback is better than a wrong one.
    let above = screen.scrollback_rows;
    let is_complete = now.screen.scrollback_rows < max_rows && above <= now.scrollback.len();
    let mut scrollback = now.scrollback;
    scrollback.truncate(if is_complete { above } else { 0 });
    State { screen, scrollback }
}
