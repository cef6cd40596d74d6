//! How tests run: times, retries, the terminal, and what becomes of snapshots.
//!
//! Options are written in the test, and the environment has the last word (`run_options/overrides.rs`).

use std::path::PathBuf;
use std::time::Duration;

use screentest_core::{Ambiguity, Backend, Normaliser, Secrets, Size, Theme};

use crate::session::{AutoWait, InputOptions};

mod input_overrides;
mod overrides;

pub use input_overrides::InputOverrides;
pub use overrides::OptionError;
pub(crate) use overrides::{Runner, Variables, environment};

/// How a test or a session runs.
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
    /// How long a wait may take, and a test as a whole: 5 seconds. `SCREENTEST_TIMEOUT_SECONDS`.
    pub timeout: Duration,
    /// How often a failed test is tried again: never. `SCREENTEST_RETRIES`.
    pub retries: u32,
    /// How often a failed step is tried again unless its own options say so: never. `SCREENTEST_STEP_RETRIES`.
    pub step_retries: u32,
    /// The terminal's size: 134 columns, 40 rows. `SCREENTEST_TERMINAL_COLS`, `SCREENTEST_TERMINAL_ROWS`.
    pub size: Size,
    /// Where artifacts go, counted from the project's root: `artifacts`. `SCREENTEST_ARTIFACTS_DIR`.
    pub artifacts_dir: PathBuf,
    /// What happens when a selector finds more than one match: it is an error. `SCREENTEST_AMBIGUITY_MODE`.
    pub ambiguity: Ambiguity,
    /// Which baselines are written: those that are missing. `SCREENTEST_UPDATE_SNAPSHOTS`.
    pub update_snapshots: Update,
    /// The terminal's colours, which a program may ask for: `auto`. `SCREENTEST_SNAPSHOT_THEME`.
    pub snapshot_theme: SnapshotTheme,
    /// What is evened out before any snapshot is compared: nothing.
    pub normalisers: Vec<Normaliser>,
    /// Values that are covered in all that is kept or told, snapshots and the bundle of a failure: none.
    pub secrets: Secrets,
    /// Whether who asks is kept from seeing the secrets too, screens and waits included: no.
    pub unseen_secrets: bool,
    /// Whether a program that ended by itself must leave the terminal as it found it: it must.
    pub exit_check: ExitCheck,
    /// Which emulator understands the output.
    pub backend: Backend,
    /// How many rows are kept once they scroll out: 10,000.
    pub scrollback: usize,
    /// How input is sent: each waits up to 5 seconds for a program that is not ready for it.
    /// `SCREENTEST_AUTO_WAIT`, `SCREENTEST_INPUT_DELAY_MS`.
    pub input: InputOptions,
    /// What wins over the environment and over `input`, as a command line says it: nothing.
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
            unseen_secrets: false,
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
    /// Every one that it comes across, and nothing is compared.
    All,
    /// Those that are missing or differ.
    Changed,
    /// Those that are missing; the others are compared.
    #[default]
    Missing,
    /// None: a missing baseline is a failure. What a test uses where `CI` is set.
    None,
}

/// Where the terminal's colours come from.
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
    /// Dark or light, as `COLORFGBG` says; dark where it says nothing.
    #[default]
    Auto,
    /// These.
    Theme(Theme),
}

impl From<Theme> for SnapshotTheme {
    fn from(theme: Theme) -> SnapshotTheme {
        SnapshotTheme::Theme(theme)
    }
}

/// Whether a program that ended by itself must leave the terminal as it found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ExitCheck {
    /// What it leaves behind fails the test.
    #[default]
    On,
    /// Whatever it leaves behind is fine.
    Off,
}

/// Changing one thing after another.
impl RunOptions {
    /// How long a wait may take, and a test as a whole.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> RunOptions {
        self.timeout = timeout;
        self
    }

    /// How often a failed test is tried again.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> RunOptions {
        self.retries = retries;
        self
    }

    /// How often a failed step is tried again unless its own options say so.
    #[must_use]
    pub fn step_retries(mut self, retries: u32) -> RunOptions {
        self.step_retries = retries;
        self
    }

    /// The terminal's size.
    #[must_use]
    pub fn size(mut self, size: Size) -> RunOptions {
        self.size = size;
        self
    }

    /// Where artifacts go, counted from the project's root.
    #[must_use]
    pub fn artifacts_dir(mut self, folder: impl Into<PathBuf>) -> RunOptions {
        self.artifacts_dir = folder.into();
        self
    }

    /// What happens when a selector finds more than one match.
    #[must_use]
    pub fn ambiguity(mut self, ambiguity: Ambiguity) -> RunOptions {
        self.ambiguity = ambiguity;
        self
    }

    /// Which baselines are written.
    #[must_use]
    pub fn update_snapshots(mut self, update: Update) -> RunOptions {
        self.update_snapshots = update;
        self
    }

    /// The terminal's colours.
    #[must_use]
    pub fn snapshot_theme(mut self, theme: impl Into<SnapshotTheme>) -> RunOptions {
        self.snapshot_theme = theme.into();
        self
    }

    /// Evens this out as well before any snapshot is compared.
    #[must_use]
    pub fn normalise(mut self, normaliser: impl Into<Normaliser>) -> RunOptions {
        self.normalisers.push(normaliser.into());
        self
    }

    /// Values that are covered in all that is kept or told. What a test is given as a [`Screen`](crate::Screen) has them.
    #[must_use]
    pub fn secrets(mut self, secrets: Secrets) -> RunOptions {
        self.secrets = secrets;
        self
    }

    /// Keeps the secrets from whoever asks as well: screens are given, and conditions asked, without them. For who acts on behalf of somebody
    /// that must not learn them, nor guess them letter by letter.
    #[must_use]
    pub fn unseen_secrets(mut self, secrets: Secrets) -> RunOptions {
        self.secrets = secrets;
        self.unseen_secrets = true;
        self
    }

    /// Whether a program that ended by itself must leave the terminal as it found it.
    #[must_use]
    pub fn exit_check(mut self, check: ExitCheck) -> RunOptions {
        self.exit_check = check;
        self
    }

    /// Whether input waits until the program is ready for it.
    #[must_use]
    pub fn auto_wait(mut self, auto_wait: AutoWait) -> RunOptions {
        self.input.auto_wait = auto_wait;
        self
    }

    /// The least time between two inputs. With one, a text is typed character by character.
    #[must_use]
    pub fn input_delay(mut self, delay: Duration) -> RunOptions {
        self.input.delay = delay;
        self
    }

    /// How input is sent whatever the environment says, for a program that has options of its own for it.
    #[must_use]
    pub fn input_overrides(mut self, overrides: InputOverrides) -> RunOptions {
        self.input_overrides = overrides;
        self
    }

    /// Which emulator understands the output.
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> RunOptions {
        self.backend = backend;
        self
    }

    /// How many rows are kept once they scroll out.
    #[must_use]
    pub fn scrollback(mut self, rows: usize) -> RunOptions {
        self.scrollback = rows;
        self
    }
}
