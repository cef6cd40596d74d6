//! A library to start, drive, watch and test terminal programs.
//!
//! A test launches a program in a terminal, types and clicks like a person, and waits for the
//! expected text:
//!
//! ```no_run
//! use screentest::{App, Tui};
//!
//! // With `#[test]` above it, in a file below `tests/`.
//! fn greets() -> screentest::Result {
//!     let tui = Tui::launch(App::cargo_bin("hello")?)?;
//!     tui.expect("your name?")?;
//!     tui.submit("Ada")?;
//!     tui.expect("Hello, Ada!")?;
//!     tui.expect_snapshot("greeting")?;
//!     tui.expect_exit(0)
//! }
//! ```
//!
//! [`Tui`] owns the [`Terminal`] of one test, which has the methods for input, waits and
//! assertions. Dropping the [`Tui`] ends the program and all processes that it started.
//! [`App::cargo_bin`] starts a binary of the package itself. [`App::hermetic`] starts any program
//! without the user's own settings. Tests run in parallel, under `cargo test` and under nextest.
//!
//! # Tests as closures
//!
//! [`tui_test`] runs a closure as a test. It can retry the test ([`RunOptions::retries`]), and it
//! limits the time of the whole test ([`RunOptions::timeout`]); [`Tui::launch`] can do neither.
//!
//! ```
//! use screentest::{App, RunOptions, tui_test};
//!
//! fn a_shell_calculates() {
//!     let options = RunOptions::default().retries(1);
//!     # let options = options.artifacts_dir("target/doc-artifacts");
//!     tui_test(options, "a shell calculates", |tui| {
//!         tui.launch_and_wait(App::new("sh").env("PS1", "> "), ">")?;
//!         tui.submit("echo $((6 * 7))")?;
//!         tui.expect("42")?;
//!         tui.send_line("exit 3")?;
//!         tui.expect_exit(3)
//!     });
//! }
//! # a_shell_calculates();
//! ```
//!
//! # Waiting
//!
//! A test needs no sleeps. Input waits until the program has read the earlier input and waits for
//! more ([`AutoWait`]). [`Terminal::expect`], [`Terminal::expect_gone`],
//! [`Terminal::expect_snapshot`] and similar calls are woken by the program's output. They end when
//! the condition holds, when the program ends, or after 5 seconds ([`RunOptions::timeout`]).
//! [`Terminal::with`] sets the timeout of a single wait. Text that was shown only briefly is not
//! missed: [`Terminal::saw`] and [`Terminal::never`] search every screen since a
//! [`Terminal::mark`].
//!
//! # Selectors
//!
//! A plain text is matched exactly. A [`Selector`] can also match patterns, regular expressions,
//! styles and regions, and text relative to other text:
//!
//! ```no_run
//! use screentest::{Color, Selector, Styled};
//! # use screentest::{Failure, Terminal};
//! # fn body(tui: &Terminal) -> Result<(), Failure> {
//! tui.expect(Selector::regex(r"\d+ tests passed")?)?;
//! let red = Styled::new().fg(Color::Indexed(1));
//! tui.expect_gone(Selector::exact("error").and(red))?;
//! tui.click(Selector::exact("[ ]").left_of("Notify me"))?;
//! tui.click("OK")?;
//! # Ok(())
//! # }
//! ```
//!
//! If a selector that should find one match finds several, that is an error, unless
//! [`RunOptions::ambiguity`] says otherwise.
//!
//! # Snapshots
//!
//! The first call of [`Terminal::expect_snapshot`] saves the screen below `artifacts/snapshots`, to
//! be committed. The directory is named after the test binary and the test, or after the name given
//! to [`tui_test`]. Later calls compare the screen with that baseline: characters, colours and
//! attributes. If `CI` is set, a missing baseline is a failure.
//! `SCREENTEST_UPDATE_SNAPSHOTS=changed` overwrites the baselines that differ. insta works as well:
//! a [`Screen`] is displayed as its text, and
//! [`StateJson`](core::formats::state_json::StateJson), which includes the styles, can be
//! serialised.
//!
//! ```ignore
//! // The file examples/tests/insta.rs of the repository has complete examples.
//! insta::assert_snapshot!(tui.screen()?, @"hello");
//! let state = tui.session()?.state(0);
//! insta::assert_json_snapshot!(StateJson::from_state(&state, &StateJsonOptions::default()));
//! ```
//!
//! Normalisers replace the parts of a screen that vary between runs before screens are compared:
//! [`RunOptions::normalise`] for all snapshots of a test, [`Terminal::expect_snapshot_with`] for
//! one.
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
//! [`Terminal::screen`] returns a [`Screen`], a value with methods that extract content not known
//! in advance.
//!
//! ```no_run
//! # use screentest::{Failure, Terminal};
//! # fn body(tui: &Terminal) -> Result<(), Failure> {
//! let screen = tui.screen()?;
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
//! the screen. [`Terminal::notes`], [`Terminal::counts_since`] and [`Terminal::wait_for_notes`]
//! cover bells, clipboard, pictures, repaints and unknown sequences.
//!
//! # Failures
//!
//! In a test that returns [`screentest::Result`](Result), `?` accepts every error. The message is
//! made for people: the condition, the last screen, the closest matches, and whether the program
//! still runs. `artifacts/tests/<test>/failure-bundles` holds the same, with the screen as ANSI
//! text and as State JSON, and the last output of the program as bytes. With the feature `render`
//! it also holds a picture of the screen.
//!
//! # Environment
//!
//! Environment variables override the options in the code:
//!
//! | Variable | Meaning |
//! |---|---|
//! | `SCREENTEST_TIMEOUT_SECONDS` | maximum duration of a wait, and of a `tui_test` |
//! | `SCREENTEST_RETRIES`, `SCREENTEST_STEP_RETRIES` | retries of a failed `tui_test`, or step |
//! | `SCREENTEST_TERMINAL_COLS`, `SCREENTEST_TERMINAL_ROWS` | the terminal's size |
//! | `SCREENTEST_UPDATE_SNAPSHOTS` | baselines to write: `all`, `changed`, `missing`, `none` |
//! | `SCREENTEST_ARTIFACTS_DIR` | directory of the artifacts, relative to the project's root |
//! | `SCREENTEST_PROJECT_ROOT` | the project's root, if not at the nearest `.git` or workspace |
//! | `SCREENTEST_AMBIGUITY_MODE` | what happens on more than one match: `fail`, `first`, `last` |
//! | `SCREENTEST_AUTO_WAIT` | whether input waits for the program: `on`, `off`, or seconds |
//! | `SCREENTEST_INPUT_DELAY_MS` | minimum time between two inputs |
//! | `SCREENTEST_FONT_PATH` | with the feature `render`, the font file of pictures |
//! | `SCREENTEST_SNAPSHOT_THEME` | colours: `auto`, a theme (`screentest themes`), or JSON |
//!
//! # Replaying a recorded program
//!
//! [`App::cassette`] starts a recorded program ([`session::SessionOptions::record`]). A test of a
//! driver then needs no program, no network and no credentials. [`recording::FakeProgramOptions`]
//! configure the replay: the expected input, the pace of the output, and the size of its pieces.
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
mod environment;
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

pub use app::App;
pub use pty::signal::Signal;
pub use screentest_core as core;
#[cfg(feature = "render")]
pub use screentest_render as render;
pub use session::exit_status::ExitStatus;
pub use session::history::{Mark, SessionFrame};
pub use session::{AutoWait, Session};
pub use test::failure::Failure;
pub use test::run_options::{ExitCheck, RunOptions, SnapshotTheme, Update};
pub use test::runner::{open_session, tui_test, with_session};
pub use test::terminal::{StepOptions, Terminal, TuiError, WaitOptions};
pub use test::tui::Tui;
// Types of the core that tests use, so that one `use` imports them all.
pub use screentest_core::action::{Action, ClickTarget};
pub use screentest_core::input::focus::Focus;
pub use screentest_core::input::mouse::{Button, Wheel};
pub use screentest_core::query::normaliser::Extent;
pub use screentest_core::query::selector::Styled;
pub use screentest_core::{
    Ambiguity, Appeared, Attributes, Color, Condition, Key, Match, Modifiers, Normaliser, Position,
    Rect, Screen, Selector, Size,
};
