//! A library to start, drive, watch and test terminal programs.
//!
//! A test gets a terminal, starts a program in it, types and clicks like a person, and waits for
//! the expected text:
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
//!         assert_eq!(tui.wait_for_exit()?, screentest::ExitStatus::Exited(3));
//!         Ok(())
//!     });
//! }
//! # a_shell_calculates();
//! ```
//!
//! [`App::cargo_bin`] starts a binary of the package itself. [`App::hermetic`] starts any program
//! without the user's own settings. Tests run in parallel, under `cargo test` and under nextest. No
//! process that a program starts outlives its test.
//!
//! # Waiting
//!
//! A test needs no sleeps. Input waits until the program has read the earlier input and waits for
//! more ([`AutoWait`]). [`Tui::wait_for_text`], [`Tui::expect_visible`], [`Tui::expect_snapshot`]
//! and similar calls are woken by the program's output. They end when the condition holds, when the
//! program ends, or after 5 seconds ([`RunOptions::timeout`], which also limits the whole test;
//! [`Tui::with`] shortens a single wait). Text that was shown only briefly is not missed:
//! [`Tui::saw`] and [`Tui::never`] search every screen since a [`Tui::mark`].
//!
//! # Selectors
//!
//! A plain text is matched exactly. A [`Selector`] can also match patterns, regular expressions,
//! styles and regions, and text relative to other text:
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
//! If a selector that should find one match finds several, that is an error, unless
//! [`RunOptions::ambiguity`] says otherwise.
//!
//! # Snapshots
//!
//! The first call of [`Tui::expect_snapshot`] saves the screen below `artifacts/snapshots`, to be
//! committed. Later calls compare the screen with that baseline: characters, colours and
//! attributes. If `CI` is set, a missing baseline is a failure.
//! `SCREENTEST_UPDATE_SNAPSHOTS=changed` overwrites the baselines that differ. insta works as well:
//! a [`Screen`] is displayed as its text, and [`StateJson`](core::formats::state_json::StateJson),
//! which includes the styles, can be serialised.
//!
//! ```ignore
//! // examples/tests/insta.rs has these, with all that they need.
//! insta::assert_snapshot!(tui.current_view()?, @"hello");
//! let state = tui.session()?.state(0);
//! insta::assert_json_snapshot!(StateJson::from_state(&state, &Options::default()));
//! ```
//!
//! Normalisers replace the parts of a screen that vary between runs before screens are compared:
//! [`RunOptions::normalise`] for all snapshots of a test, [`Tui::expect_snapshot_with`] for one.
//!
//! ```no_run
//! use screentest::{Normaliser, Extent, Rect};
//! # use screentest::{Failure, Tui};
//! # fn body(tui: &Tui) -> Result<(), Failure> {
//! tui.expect_snapshot_with("status", [
//!     Normaliser::clocks(),
//!     Normaliser::durations().reaching(Extent::Blanks),
//!     Normaliser::regex("build ([0-9a-f]{7})")?,
//!     Normaliser::mask(Rect { row: 0, col: 60, rows: 1, cols: 20 }),
//! ])?;
//! # Ok(())
//! # }
//! ```
//!
//! # Reading a screen
//!
//! [`Tui::current_view`] returns a [`Screen`], a value with methods that extract content not known
//! in advance.
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
//! State that is not in the cells is available too. Title, working directory and modes are parts of
//! the screen. [`Tui::notes`], [`Tui::counts_since`] and [`Tui::wait_for_notes`] cover bells,
//! clipboard, pictures, repaints and unknown sequences.
//!
//! # Failures
//!
//! In the body of a test, `?` accepts every error. The message is made for people: the condition,
//! the last screen, the closest matches, and whether the program still runs.
//! `artifacts/tests/<test>/failure-bundles` holds the same, with the screen as ANSI text and as
//! State JSON, and the bytes that the program wrote. With the feature `render` it also holds a
//! picture of the screen.
//!
//! # Environment
//!
//! Environment variables override the options in the code:
//!
//! | Variable | Meaning |
//! |---|---|
//! | `SCREENTEST_TIMEOUT_SECONDS` | maximum duration of a wait, and of a test |
//! | `SCREENTEST_RETRIES`, `SCREENTEST_STEP_RETRIES` | retries of a failed test, or step |
//! | `SCREENTEST_TERMINAL_COLS`, `SCREENTEST_TERMINAL_ROWS` | the terminal's size |
//! | `SCREENTEST_UPDATE_SNAPSHOTS` | baselines to write: `all`, `changed`, `missing`, `none` |
//! | `SCREENTEST_ARTIFACTS_DIR` | directory of the artifacts, relative to the project's root |
//! | `SCREENTEST_PROJECT_ROOT` | that root, if not at the nearest `.git` or workspace |
//! | `SCREENTEST_AMBIGUITY_MODE` | what happens on more than one match: `fail`, `first`, `last` |
//! | `SCREENTEST_AUTO_WAIT` | whether input waits for the program: `on`, `off`, or seconds |
//! | `SCREENTEST_INPUT_DELAY_MS` | minimum time between two inputs |
//! | `SCREENTEST_FONT_PATH` | with the feature `render`, the font file of pictures |
//! | `SCREENTEST_SNAPSHOT_THEME` | colours: `auto`, a theme (`screentest themes`), or JSON |
//!
//! # Replaying a recorded program
//!
//! [`App::cassette`] starts a recorded program ([`Options::record`]). A test of a driver then needs
//! no program, no network and no credentials. [`FakeProgramOptions`] configure the replay: which
//! input it expects, at which pace it writes, and in pieces of which size.
//!
//! # Without a test
//!
//! [`with_session`] gives a script the same terminal. [`open_session`] does so for callers that
//! receive their steps one by one. A [`Session`] is the running program alone, without artifacts
//! and test options: its screen, its history, its input.
#![warn(missing_docs)]

// Runs the examples of these pages as doc tests, so that copied examples work.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/test-library.md")]
#[doc = include_str!("../../../docs/waiting.md")]
struct TestLibraryPage;

pub mod app;
pub mod clock;
mod file_limit;
mod format_duration;
#[doc(hidden)]
pub mod internals;
mod lock;
pub mod pty;
pub mod recording;
pub mod session;
pub mod test;

/// Result of a test: any error ends it with `?`.
pub type Result<T = (), E = Failure> = std::result::Result<T, E>;

pub use app::{App, CargoBinError};
pub use clock::Clock;
pub use pty::SpawnError;
pub use recording::cassette::{Cassette, CassetteError};
pub use recording::fake_program::{FakeProgram, FakeProgramOptions};
pub use recording::player::{Moment, Pace, PlayError, Player};
pub use recording::recorder::{RecordError, RecordOptions};
pub use screentest_core as core;
#[cfg(feature = "render")]
pub use screentest_render as render;
pub use session::exit_status::ExitStatus;
pub use session::history::{Forgotten, Frame, Mark};
pub use session::input::log::{AutoWaitTimeout, Input, InputKind};
pub use session::input::queue::InputError;
pub use session::terminal_leaks::TerminalLeak;
pub use session::wait::diagnosis::{Unmet, WaitDiagnosis};
pub use session::wait::limits::{Interrupt, WaitLimits};
pub use session::wait::report::Report;
pub use test::artifacts::ArtifactError;
pub use test::failure::Failure;
pub use test::pending_snapshots::Pending;
pub use test::run_options::{
    ExitCheck, InputOverrides, OptionError, RunOptions, SnapshotTheme, Update,
};
pub use test::runner::{open_session, tui_test, with_session};
// Types that tests use, re-exported so that one `use` imports them all.
pub use pty::signal::Signal;
pub use screentest_core::Appeared;
pub use screentest_core::action::{Action, ClickTarget};
pub use screentest_core::input::focus::Focus;
pub use screentest_core::input::mouse::{Button, Wheel};
pub use screentest_core::query::normaliser::Extent;
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
pub use test::terminal::{StepOptions, Terminal, TuiError, WaitOptions};
pub use test::tui::Tui;
