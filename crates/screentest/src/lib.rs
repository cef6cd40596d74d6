//! Start, drive, watch and test terminal programs.
//!
//! A test gets a terminal, starts a program in it, types and clicks like a person, and waits for what the screen should say:
//!
//! ```
//! use screentest::{App, RunOptions, tui_test};
//!
//! // With `#[test]` above it, in a file below `tests/`.
//! fn a_shell_calculates() {
//!     let options = RunOptions::default();
//!     # let options = options.artifacts_dir("target/doc-artifacts");
//!     tui_test(options, "a shell calculates", |tui| {
//!         tui.launch_and_wait(App::new("sh").env("PS1", "> "), ">")?;
//!         tui.submit("echo $((6 * 7))")?;
//!         tui.expect_visible("42")?;
//!         tui.send_line("exit 3")?;
//!         assert_eq!(tui.wait_for_exit()?, screentest::Outcome::Exited(3));
//!         Ok(())
//!     });
//! }
//! # a_shell_calculates();
//! ```
//!
//! [`App::cargo_bin`] starts a binary of the package itself, [`App::hermetic`] any program without the settings of whoever
//! runs the tests. Tests run beside each other, under `cargo test` and under nextest. Nothing that a program starts outlives
//! its test.
//!
//! # Waiting
//!
//! Nothing here sleeps. Input waits until the program has read what came before and waits for input again ([`AutoWait`]).
//! [`Tui::wait_for_text`], [`Tui::expect_visible`], [`Tui::expect_snapshot`] and their like are woken by what
//! the program writes, and end when the screen says it, when the program ends, or when 5 seconds are over
//! ([`RunOptions::timeout`], which is the time of the whole test as well; [`Tui::with`] gives one wait less). What was shown for a moment only is not missed:
//! [`Tui::saw`] and [`Tui::never`] look at every screen since a [`Tui::mark`].
//!
//! # Selectors
//!
//! A text is looked for letter for letter. A [`Selector`] also knows patterns, regular expressions, styles,
//! places, and how one text stands to another:
//!
//! ```no_run
//! use screentest::{Color, Selector, Styled};
//! # use screentest::{Failure, Tui};
//! # fn body(tui: &Tui) -> Result<(), Failure> {
//! tui.wait_for_text(Selector::regex(r"\d+ tests passed")?)?;
//! let red = Styled::new().fg(Color::Indexed(1));
//! tui.expect_not_visible(Selector::exact("error").and(red))?;
//! tui.click_selector(Selector::exact("[ ]").right_of("Notify me"))?;
//! # Ok(())
//! # }
//! ```
//!
//! More than one match is an error where one is meant, unless [`RunOptions::ambiguity`] says otherwise.
//!
//! # Snapshots
//!
//! [`Tui::expect_snapshot`] keeps the screen below `artifacts/snapshots` the first time, to be committed, and compares all later
//! ones with it: characters, colours and attributes. Where `CI` is set, a snapshot that was not kept is a failure.
//! `SCREENTEST_UPDATE_SNAPSHOTS=changed` keeps what differs. Who uses insta can use it here: a [`Screen`] is
//! shown as its text, and [`StateJson`](core::formats::state_json::StateJson), which has the styles too, can be serialised.
//!
//! ```ignore
//! // examples/tests/insta.rs has these, with all that they need.
//! insta::assert_snapshot!(tui.current_view()?, @"hello");
//! let state = tui.session()?.state(0);
//! insta::assert_json_snapshot!(StateJson::from_state(&state, &Options::default()));
//! ```
//!
//! What varies by nature is evened out before screens are compared: [`RunOptions::normalise`] for all snapshots of a test,
//! [`Tui::expect_snapshot_with`] for one.
//!
//! ```no_run
//! use screentest::{Normaliser, Reach, Rect};
//! # use screentest::{Failure, Tui};
//! # fn body(tui: &Tui) -> Result<(), Failure> {
//! tui.expect_snapshot_with("status", [
//!     Normaliser::clocks(),
//!     Normaliser::durations().reaching(Reach::Blanks),
//!     Normaliser::regex("build ([0-9a-f]{7})")?,
//!     Normaliser::mask(Rect { row: 0, col: 60, rows: 1, cols: 20 }),
//! ])?;
//! # Ok(())
//! # }
//! ```
//!
//! # Reading a screen
//!
//! [`Tui::current_view`] is a [`Screen`]: a value that can be asked for what is not known yet.
//!
//! ```no_run
//! # use screentest::{Failure, Tui};
//! # fn body(tui: &Tui) -> Result<(), Failure> {
//! let screen = tui.current_view()?;
//! assert_eq!(screen.value_of("Status").unwrap().text(), "running");
//! let table = screen.table(["PID", "COMMAND"]).unwrap();
//! let pid = table.row_where("COMMAND", "vim").unwrap().text("PID");
//! let chosen = screen.choices().into_iter().find(|choice| choice.selected);
//! let highlighted = screen.highlighted_row();
//! # let _ = (pid, chosen, highlighted);
//! # Ok(())
//! # }
//! ```
//!
//! What no cell shows can be asked and waited for too: title, working directory and modes are parts of the screen; bells,
//! clipboard, pictures, repaints and unknown sequences are [`Tui::notes`], [`Tui::counts_since`] and [`Tui::wait_for_notes`].
//!
//! # Failures
//!
//! `?` takes every error in the body of a test. What it prints is for people: what was waited for, the last screen, what came
//! close, and whether the program still runs. `artifacts/tests/<test>/failure-bundles` has the same with the screen as ANSI text
//! and as State JSON, and the bytes that the program wrote; with the feature `render`, also a picture of it.
//!
//! # Environment
//!
//! Whoever runs the tests has the last word:
//!
//! | Variable | |
//! |---|---|
//! | `SCREENTEST_TIMEOUT_SECONDS` | how long a wait, and a test, may take |
//! | `SCREENTEST_RETRIES`, `SCREENTEST_STEP_RETRIES` | how often a test, or a step of it, is tried again |
//! | `SCREENTEST_TERMINAL_COLS`, `SCREENTEST_TERMINAL_ROWS` | the terminal's size |
//! | `SCREENTEST_UPDATE_SNAPSHOTS` | which baselines are written: `all`, `changed`, `missing`, `none` |
//! | `SCREENTEST_ARTIFACTS_DIR` | where artifacts go, counted from the project's root |
//! | `SCREENTEST_PROJECT_ROOT` | where that root is, if not at the nearest `.git` or workspace |
//! | `SCREENTEST_AMBIGUITY_MODE` | what more than one match means: `fail`, `first`, `last` |
//! | `SCREENTEST_AUTO_WAIT` | whether input waits until the program is ready for it: `on`, `off`, or the seconds to wait at most |
//! | `SCREENTEST_INPUT_DELAY_MS` | the least time between two inputs |
//! | `SCREENTEST_FONT_PATH` | with the feature `render`, the font of pictures, as a file |
//! | `SCREENTEST_SNAPSHOT_THEME` | the terminal's colours: `auto`, or a theme by name or as JSON (`screentest themes`) |
//!
//! # Without the program
//!
//! [`App::cassette`] starts a program that was recorded ([`Options::record`]): a test of what drives it then needs no program, no
//! network and no credentials. [`Impersonation`] says how it is played: to which input, at which pace, in which pieces.
//!
//! # Below a test
//!
//! [`with_session`] gives a script the same terminal, and [`open_session`] gives it to who is told step by step what to do. A [`Session`] is the running program itself, for who wants neither
//! artifacts nor options: its screen, its history, its input.
#![warn(missing_docs)]

// Whoever copies an example from this page has one that works.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/test-library.md")]
#[doc = include_str!("../../../docs/waiting.md")]
struct TestLibraryPage;

pub mod app;
pub mod clock;
mod file_limit;
mod format_duration;
pub mod pty;
pub mod recording;
pub mod session;
#[cfg(feature = "render")]
pub mod tape;
pub mod test;
#[cfg(feature = "render")]
pub mod video;

pub use app::{App, CargoBinError};
pub use clock::Clock;
pub use pty::SpawnError;
pub use recording::cassette::{Cassette, CassetteError};
pub use recording::fake_program::{Impersonation, Impersonator};
pub use recording::player::{Moment, Pace, PlayError, Player};
pub use recording::recorder::{RecordError, RecordOptions};
pub use screentest_core as core;
#[cfg(feature = "render")]
pub use screentest_render as render;
pub use session::exit_status::Outcome;
pub use session::history::{Forgotten, Frame, Mark};
pub use session::input::log::{Input, InputKind, Late};
pub use session::input::queue::InputError;
pub use session::terminal_leaks::Leftover;
pub use session::wait::diagnosis::{Miss, Unmet};
pub use session::wait::limits::{Interrupt, Patience};
pub use session::wait::report::Report;
pub use test::artifacts::ArtifactError;
pub use test::failure::Failure;
pub use test::pending_snapshots::Pending;
pub use test::run_options::{
    ExitCheck, InputOverrides, OptionError, RunOptions, SnapshotTheme, Update,
};
pub use test::runner::{open_session, tui_test, with_session};
// The words of a test, so that one `use` has them all.
pub use pty::signal::Signal;
pub use screentest_core::Appeared;
pub use screentest_core::input::focus::Focus;
pub use screentest_core::input::mouse::{Button, Wheel};
pub use screentest_core::query::normaliser::Reach;
pub use screentest_core::query::selector::Styled;
pub use screentest_core::{
    Ambiguity, Attributes, Color, Condition, Key, Match, Modifiers, Normaliser, Position, Rect,
    Screen, Selector, Size,
};
pub use session::output_tail::OutputTail;
pub use session::wait::WaitError;
pub use session::watcher::Watcher;
pub use session::{Answers, AutoWait, InputOptions, InputSender, Options, Session, Unready};
pub use test::snapshot::{Baseline, Mismatch, SnapshotError, SnapshotFiles};
pub use test::tui::{StepOptions, Tui, TuiError, WaitOptions};
