//! Records a session while it runs.
//!
//! The session sends events to a queue (`recorder/tap.rs`), which costs one copy each. A recorder
//! thread redacts secrets and writes the files. An error there is reported when the recording ends,
//! and does not affect the session.
//!
//! See also: `recorder/tap.rs` (the queue), `recorder/writer.rs` (turns events into lines of
//! files), `recorder/typing.rs` (typed input), `recorder/flood.rs` (which screens become frames),
//! `cassette/part.rs` (the directory until it is published), `recorder/publish.rs` (publishing).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::{fmt, io};

use screentest_core::formats::cassette::Millis;
use screentest_core::formats::cassette::manifest::Provenance;
use screentest_core::redact::scrub::{Rules, RulesError};
use screentest_core::{Identity, Size};

use crate::app::App;
use crate::clock::Clock;
use crate::file_limit::heeded;
use crate::pty::environment;
use crate::recording::cassette::partial::{Part, PartError, Start};
use crate::recording::cassette::{CassetteError, partial, paths};

mod backspaced_secrets;
mod event_queue;
mod final_scan;
mod frame_sampling;
mod lines;
mod on_screen_secrets;
mod publish;
mod rescrub;
mod start;
mod typing;
mod writer;

pub(crate) use event_queue::Tap;
pub(crate) use publish::seal;
pub(crate) use rescrub::{Kept, again};
use start::cover;
use writer::Writer;

/// Options of a recording.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    path: PathBuf,
    names: Vec<String>,
    values: Vec<(String, Hidden)>,
    keys: Keys,
    existing: Existing,
}

/// A value that `Debug` does not print.
#[derive(Clone)]
struct Hidden(Vec<u8>);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden")
    }
}

/// Whether to store input that the terminal does not echo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    Withheld,
    KeptWhereTheProgramReadsKeys,
}

/// What to do if the cassette exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Keep it and return an error.
    Kept,
    /// Replace it, in one step.
    Replaced,
}

impl RecordOptions {
    /// Records into a cassette, a directory that must not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> RecordOptions {
        RecordOptions {
            path: path.into(),
            names: Vec::new(),
            values: Vec::new(),
            keys: Keys::Withheld,
            existing: Existing::Kept,
        }
    }

    /// Redacts the value that an environment variable of the program has, wherever it shows up and
    /// however it is encoded.
    #[must_use]
    pub fn secret(mut self, name: impl Into<String>) -> RecordOptions {
        self.names.push(name.into());
        self
    }

    /// Redacts a value, wherever it shows up and however it is encoded. The report calls it `name`.
    #[must_use]
    pub fn secret_value(mut self, name: impl Into<String>, value: &[u8]) -> RecordOptions {
        self.values.push((name.into(), Hidden(value.to_vec())));
        self
    }

    /// Redacts several values.
    #[must_use]
    #[doc(hidden)]
    pub fn secret_values(self, values: &screentest_core::Secrets) -> RecordOptions {
        values.names().fold(self, |options, name| {
            let value = values.value(name).unwrap_or_default();
            options.secret_value(name, value.as_bytes())
        })
    }

    /// Stores what is typed to programs that read single keys, such as editors: they turn the
    /// terminal's echo off and draw by themselves. Input at a line prompt without echo, such as a
    /// password prompt, is never stored.
    ///
    /// Without this option, no input is stored while echo is off, because such a program may ask
    /// for a password too.
    #[must_use]
    pub fn keep_keys(mut self) -> RecordOptions {
        self.keys = Keys::KeptWhereTheProgramReadsKeys;
        self
    }

    /// Replaces an existing cassette, in one step, when the recording ends.
    #[must_use]
    pub fn replace(mut self) -> RecordOptions {
        self.existing = Existing::Replaced;
        self
    }

    /// Checks whether a recording could start now, so that an error is reported before the program
    /// runs. Writes nothing.
    pub fn check(&self) -> Result<(), RecordError> {
        partial::may_take(&self.path, self.existing)?;
        paths::is_writable_beside(&self.path).map_err(|source| RecordError::Write {
            path: self.path.clone(),
            source,
        })?;
        let part = paths::part_of(&self.path);
        match part.symlink_metadata() {
            Err(_) => Ok(()),
            Ok(_) => Err(partial::taken(&part, &self.path).into()),
        }
    }

    /// Like [`RecordOptions::check`], and also checks that the environment of this program has the
    /// secrets.
    pub fn check_for(&self, app: &App) -> Result<(), RecordError> {
        self.check()?;
        self.looked_for(&variables(Some(app))).map(drop)
    }

    /// The redaction rules for a program with these variables.
    fn looked_for(&self, variables: &[(OsString, OsString)]) -> Result<Rules, RecordError> {
        let mut secrets = secrets(&self.names, variables)?;
        for (name, value) in &self.values {
            secrets = secrets.and_value(name, &value.0)?;
        }
        Ok(secrets)
    }

    /// The names of the secrets.
    fn secrets(&self) -> impl Iterator<Item = &str> {
        let values = self.values.iter().map(|(name, _)| name);
        self.names.iter().chain(values).map(String::as_str)
    }

    /// The path of the cassette.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Why a recording did not start or failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The path exists already.
    #[error(
        "`{path}` exists already: choose another name or replace it explicitly",
        path = path.display()
    )]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The path that would be replaced is not a cassette, or holds other files too.
    #[error(
        "`{path}` was not replaced, because it is not only a cassette: choose another name or remove it yourself",
        path = path.display()
    )]
    NotReplaced {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: CassetteError,
    },
    /// Another recorder writes this cassette.
    #[error(
        "`{path}` is in use by another recorder: wait or choose another name",
        path = path.display()
    )]
    InUse {
        /// The unpublished directory.
        path: PathBuf,
    },
    /// An earlier recording was interrupted.
    #[error(
        "`{path}` is left over from an interrupted recording: run `screentest cassette recover` on it, or remove it",
        path = path.display()
    )]
    Unfinished {
        /// The unpublished directory.
        path: PathBuf,
    },
    /// An earlier recording was interrupted while it replaced another cassette.
    #[error(
        "`{path}` is a complete cassette, left by a recorder that was interrupted while replacing `{target}`: compare the two, then rename or remove it",
        path = path.display(),
        target = target.display()
    )]
    Aside {
        /// The cassette with the temporary name.
        path: PathBuf,
        /// The cassette with the final name.
        target: PathBuf,
    },
    /// The environment variable is not set.
    #[error("the secret `{name}` is not set in the program's environment: set it, or leave it out")]
    NotSet {
        /// The variable.
        name: String,
    },
    /// The value cannot be used as a redaction rule.
    #[error(transparent)]
    Secret(#[from] RulesError),
    /// A file could not be written.
    #[error("could not write `{path}`", path = path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A secret was found in the bytes of a file before publishing.
    #[error(
        "the cassette was not published: the secret `{rule}` is still in `{file}`; remove `{path}`",
        path = path.display()
    )]
    SecretLeft {
        /// The name of the secret.
        rule: String,
        /// The name of the file.
        file: String,
        /// The unpublished directory.
        path: PathBuf,
    },
    /// A secret was found on a screen before publishing.
    #[error(
        "the cassette was not published: at {time} the screen shows a secret written with cursor movements, and `{emulator}` does not report which bytes wrote it; remove `{path}`, or record with another emulator",
        path = path.display()
    )]
    SecretShown {
        /// When it is shown.
        time: Millis,
        /// The emulator that shows it.
        emulator: String,
        /// The unpublished directory.
        path: PathBuf,
    },
    /// The session is being recorded already.
    #[error(
        "this session is already being recorded to `{path}`: finish that recording first",
        path = path.display()
    )]
    Running {
        /// The unpublished directory.
        path: PathBuf,
    },
    /// The session is closed.
    #[error("cannot record: the session is closed")]
    Closed,
    /// The recorder thread panicked.
    #[error("the recorder failed; what it wrote is in `{path}`", path = path.display())]
    Failed {
        /// The unpublished directory.
        path: PathBuf,
    },
}

impl From<PartError> for RecordError {
    fn from(error: PartError) -> RecordError {
        match error {
            PartError::Exists { path } => RecordError::Exists { path },
            PartError::NotReplaced { path, source } => RecordError::NotReplaced { path, source },
            PartError::InUse { path } => RecordError::InUse { path },
            PartError::Unfinished { path } => RecordError::Unfinished { path },
            PartError::Aside { path, target } => RecordError::Aside { path, target },
            PartError::Write { path, source } => RecordError::Write { path, source },
        }
    }
}

/// The starting point of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begins {
    /// The recording starts with the session.
    AtTheStart,
    /// The recording starts later, with escape sequences that redraw the current screen.
    InTheMiddle,
}

/// The state of the terminal when a recording begins.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) size: Size,
    pub(crate) scrollback: usize,
    pub(crate) identity: Identity,
    pub(crate) hostname: String,
}

/// A recording in progress.
#[derive(Debug)]
pub(crate) struct Recorder {
    tap: Arc<Tap>,
    /// `None` once it has been joined.
    thread: Option<JoinHandle<Result<PathBuf, RecordError>>>,
    part: PathBuf,
    begins: Begins,
}

impl Recorder {
    /// Starts a recording. Without an `App`, for example on an existing terminal, the manifest has
    /// no command.
    pub(crate) fn start(
        options: &RecordOptions,
        begins: Begins,
        app: Option<&App>,
        setting: &Setting,
        clock: &Clock,
    ) -> Result<Recorder, RecordError> {
        let variables = variables(app);
        let secrets = Arc::new(options.looked_for(&variables)?);
        let start = Start {
            id: id(),
            command: app.map(start::command).unwrap_or_default(),
            environment: app
                .map(|app| start::environment(app, &options.names))
                .unwrap_or_default(),
            terminal: start::terminal(setting, &variables),
            provenance: Provenance {
                recorder: concat!("screentest ", env!("CARGO_PKG_VERSION")).to_owned(),
                os: std::env::consts::OS.to_owned(),
                arch: std::env::consts::ARCH.to_owned(),
                recorded_at: Some(clock.date().as_secs()),
                // The number is set when these bytes have been written.
                portrait_bytes: (begins == Begins::InTheMiddle).then_some(0),
            },
            secrets: options.secrets().map(str::to_owned).collect(),
        };
        let mut start = start::covered(start, &secrets);
        let part = heeded(|| Part::create(&options.path, options.existing, &start))?;
        let path = part.path().to_owned();
        // Recovery needs the host name. A published cassette has it only if the output names a
        // host.
        let hostname = start.terminal.hostname.take().unwrap_or_default();
        let tap = Arc::new(Tap::new(
            clock.clone(),
            options.keys == Keys::KeptWhereTheProgramReadsKeys,
        ));
        let waker = Arc::downgrade(&tap);
        clock.on_advance(move || waker.upgrade().map(|tap| tap.wake()).is_some());
        let thread = {
            let tap = Arc::clone(&tap);
            let writer = Writer::new(part, start, secrets, hostname);
            std::thread::Builder::new()
                .name("screentest-recorder".to_owned())
                .spawn(move || {
                    // Senders that wait for room in the queue continue, however this thread ends.
                    let _closing = event_queue::Closing(&tap);
                    heeded(|| writer.run(&tap))
                })
                .map_err(|source| RecordError::Write {
                    path: path.clone(),
                    source,
                })?
        };
        Ok(Recorder {
            tap,
            thread: Some(thread),
            part: path,
            begins,
        })
    }

    /// The directory that is written until it is published.
    pub(crate) fn part(&self) -> &Path {
        &self.part
    }

    pub(crate) fn begins(&self) -> Begins {
        self.begins
    }

    /// The queue that receives events of the session.
    pub(crate) fn tap(&self) -> Arc<Tap> {
        Arc::clone(&self.tap)
    }

    /// Ends the recording and publishes the cassette.
    pub(crate) fn finish(mut self) -> Result<PathBuf, RecordError> {
        self.tap.finish();
        let joined = self.thread.take().map(JoinHandle::join);
        match joined {
            Some(Ok(result)) => result,
            _ => Err(RecordError::Failed {
                path: self.part.clone(),
            }),
        }
    }
}

impl Drop for Recorder {
    /// Joins the thread of a recording that was never finished, for example because the session did
    /// not start.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.tap.finish();
            // There is no caller to report the result to.
            let _ = thread.join();
        }
    }
}

/// The environment of the program; without one, the environment of this process.
fn variables(app: Option<&App>) -> Vec<(OsString, OsString)> {
    match app {
        Some(app) => environment::of_child(
            app.parent(),
            app.inherit(),
            app.variables(),
            app.directory().unwrap_or(Path::new("")),
        ),
        None => std::env::vars_os().collect(),
    }
}

/// The redaction rules: built-in token patterns and the values of the given variables.
pub(crate) fn secrets(
    names: &[String],
    variables: &[(OsString, OsString)],
) -> Result<Rules, RecordError> {
    let mut secrets = Rules::known_tokens();
    for name in names {
        let value = variables.iter().find(|(known, _)| *known == **name);
        let (_, value) = value.ok_or_else(|| RecordError::NotSet { name: name.clone() })?;
        secrets = secrets.and_value(name, value.as_encoded_bytes())?;
    }
    Ok(secrets)
}

/// Returns a new unique id for a cassette.
pub(crate) fn id() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Each `RandomState` has its own keys, derived from random numbers of the system.
    let number = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number())
}
