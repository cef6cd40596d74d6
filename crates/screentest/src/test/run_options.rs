//! Options of test runs: timeouts, retries, the terminal, and snapshots.
//!
//! Options are set in the test; environment variables override them (`run_options/overrides.rs`).

use std::path::PathBuf;
use std::time::Duration;

use screentest_core::{Ambiguity, Backend, Normaliser, Secrets, Size, Theme};

use crate::session::{AutoWait, InputOptions};

mod input_overrides;
mod overrides;

pub use input_overrides::InputOverrides;
pub use overrides::OptionError;
#[doc(hidden)]
pub use overrides::Runner;

/// Options of a test or a session.
///
/// ```
/// use std::time::Duration;
/// use screentest::RunOptions;
///
/// let options = RunOptions::default().timeout(Duration::from_secs(20)).retries(1);
/// assert_eq!(options.retries, 1);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunOptions {
    /// Timeout of a wait, and of a [`tui_test`](crate::tui_test) as a whole: 5 seconds.
    /// `SCREENTEST_TIMEOUT_SECONDS`.
    pub timeout: Duration,
    /// How often a failed [`tui_test`](crate::tui_test) is tried again: 0. `SCREENTEST_RETRIES`.
    pub retries: u32,
    /// How often a failed step is tried again, if its own options do not say: 0.
    /// `SCREENTEST_STEP_RETRIES`.
    pub step_retries: u32,
    /// The terminal's size: 134 columns, 40 rows. `SCREENTEST_TERMINAL_COLS`,
    /// `SCREENTEST_TERMINAL_ROWS`.
    pub size: Size,
    /// Directory of the artifacts, relative to the project's root: `artifacts`.
    /// `SCREENTEST_ARTIFACTS_DIR`.
    pub artifacts_dir: PathBuf,
    /// Behaviour if a selector finds more than one match: an error. `SCREENTEST_AMBIGUITY_MODE`.
    pub ambiguity: Ambiguity,
    /// Which baselines are written: the missing ones. If `CI` is set, a test ignores this option.
    /// `SCREENTEST_UPDATE_SNAPSHOTS`.
    pub update_snapshots: Update,
    /// The terminal's colours, which a program may query: `auto`. `SCREENTEST_SNAPSHOT_THEME`.
    pub snapshot_theme: SnapshotTheme,
    /// Normalisers that apply to every snapshot before it is compared: none.
    pub normalisers: Vec<Normaliser>,
    /// Values that are redacted in everything that is stored or printed, such as snapshots and
    /// failure bundles: none.
    pub secrets: Secrets,
    /// Whether the secrets are also masked for the caller, in screens and waits: no.
    pub masked_secrets: bool,
    /// Whether a program that exited by itself must have restored the terminal: yes.
    pub exit_check: ExitCheck,
    /// The emulator that interprets the output.
    pub backend: Backend,
    /// Maximum number of scrollback rows: 10,000.
    pub scrollback: usize,
    /// Options of input: each input waits up to 5 seconds for a program that is not ready for it.
    /// `SCREENTEST_AUTO_WAIT`, `SCREENTEST_INPUT_DELAY_MS`.
    pub input: InputOptions,
    /// Overrides both the environment and `input`, for command-line flags: none.
    pub input_overrides: InputOverrides,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            timeout: Duration::from_secs(5),
            retries: 0,
            step_retries: 0,
            size: Size {
                cols: 134,
                rows: 40,
            },
            artifacts_dir: "artifacts".into(),
            ambiguity: Ambiguity::Fail,
            update_snapshots: Update::Missing,
            snapshot_theme: SnapshotTheme::Auto,
            normalisers: Vec::new(),
            secrets: Secrets::default(),
            masked_secrets: false,
            exit_check: ExitCheck::On,
            backend: Backend::default(),
            scrollback: 10_000,
            input: InputOptions::default(),
            input_overrides: InputOverrides::default(),
        }
    }
}

/// Which baselines a run writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Update {
    /// Every one that the run reaches; nothing is compared.
    All,
    /// Those that are missing or differ.
    Changed,
    /// Those that are missing; the others are compared.
    #[default]
    Missing,
    /// None: a missing baseline is a failure. If `CI` is set, tests and tapes use this unless
    /// `SCREENTEST_UPDATE_SNAPSHOTS` is set.
    None,
}

/// The terminal's colours.
///
/// ```
/// use screentest::RunOptions;
/// use screentest::core::Theme;
///
/// let options = RunOptions::default().snapshot_theme(Theme::named("Nord")?);
/// # Ok::<(), screentest::core::screen::theme::UnknownTheme>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SnapshotTheme {
    /// `pty-default-light` if `COLORFGBG` names a light background, otherwise `pty-default-dark`.
    #[default]
    Auto,
    /// This theme.
    Theme(Theme),
}

impl From<Theme> for SnapshotTheme {
    fn from(theme: Theme) -> SnapshotTheme {
        SnapshotTheme::Theme(theme)
    }
}

/// Whether a program that exited by itself must have restored the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ExitCheck {
    /// State that was not restored fails the test.
    #[default]
    On,
    /// Not checked.
    Off,
}

/// Setters.
impl RunOptions {
    /// Sets the timeout of a wait, and of a [`tui_test`](crate::tui_test) as a whole.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> RunOptions {
        self.timeout = timeout;
        self
    }

    /// Sets how often a failed [`tui_test`](crate::tui_test) is tried again.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> RunOptions {
        self.retries = retries;
        self
    }

    /// Sets how often a failed step is tried again, if its own options do not say.
    #[must_use]
    pub fn step_retries(mut self, retries: u32) -> RunOptions {
        self.step_retries = retries;
        self
    }

    /// Sets the terminal's size: columns, rows.
    ///
    /// ```
    /// use screentest::{RunOptions, Size};
    ///
    /// let options = RunOptions::default().size(100, 30);
    /// assert_eq!(options.size, Size { cols: 100, rows: 30 });
    /// ```
    #[must_use]
    pub fn size(mut self, cols: u16, rows: u16) -> RunOptions {
        self.size = Size { cols, rows };
        self
    }

    /// Sets the directory of the artifacts, relative to the project's root.
    #[must_use]
    pub fn artifacts_dir(mut self, folder: impl Into<PathBuf>) -> RunOptions {
        self.artifacts_dir = folder.into();
        self
    }

    /// Sets the behaviour if a selector finds more than one match.
    #[must_use]
    pub fn ambiguity(mut self, ambiguity: Ambiguity) -> RunOptions {
        self.ambiguity = ambiguity;
        self
    }

    /// Sets which baselines are written.
    #[must_use]
    pub fn update_snapshots(mut self, update: Update) -> RunOptions {
        self.update_snapshots = update;
        self
    }

    /// Sets the terminal's colours.
    #[must_use]
    pub fn snapshot_theme(mut self, theme: impl Into<SnapshotTheme>) -> RunOptions {
        self.snapshot_theme = theme.into();
        self
    }

    /// Adds a normaliser that applies to every snapshot before it is compared.
    #[must_use]
    pub fn normalise(mut self, normaliser: impl Into<Normaliser>) -> RunOptions {
        self.normalisers.push(normaliser.into());
        self
    }

    /// Sets values that are redacted in everything that is stored or printed. A
    /// [`Screen`](crate::Screen) that a test receives still contains them.
    #[must_use]
    pub fn secrets(mut self, secrets: Secrets) -> RunOptions {
        self.secrets = secrets;
        self
    }

    /// Sets secrets that are also masked for the caller: screens have masked cells, and conditions
    /// are evaluated on them. For agents and other callers that must not be able to read the
    /// secrets or to guess them character by character.
    #[must_use]
    pub fn masked_secrets(mut self, secrets: Secrets) -> RunOptions {
        self.secrets = secrets;
        self.masked_secrets = true;
        self
    }

    /// Sets whether a program that exited by itself must have restored the terminal.
    #[must_use]
    pub fn exit_check(mut self, check: ExitCheck) -> RunOptions {
        self.exit_check = check;
        self
    }

    /// Sets whether input waits until the program is ready for it.
    #[must_use]
    pub fn auto_wait(mut self, auto_wait: AutoWait) -> RunOptions {
        self.input.auto_wait = auto_wait;
        self
    }

    /// Sets the minimum time between two inputs. With a delay, text is typed character by
    /// character.
    #[must_use]
    pub fn input_delay(mut self, delay: Duration) -> RunOptions {
        self.input.delay = delay;
        self
    }

    /// Sets input options that override the environment, for programs with their own options for
    /// input.
    #[must_use]
    pub fn input_overrides(mut self, overrides: InputOverrides) -> RunOptions {
        self.input_overrides = overrides;
        self
    }

    /// Sets the emulator that interprets the output.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> RunOptions {
        self.backend = backend;
        self
    }

    /// Sets the maximum number of scrollback rows.
    #[must_use]
    pub fn scrollback(mut self, rows: usize) -> RunOptions {
        self.scrollback = rows;
        self
    }
}
