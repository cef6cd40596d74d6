//! Records a session while it runs.
//!
//! The session sends events to a queue (`recorder/event_queue.rs`), which costs one copy each. A
//! recorder thread redacts secrets and writes the files. An error there is reported when the
//! recording ends, and does not affect the session.
//!
//! See also: `recorder/event_queue.rs` (the queue), `recorder/writer.rs` (turns events into lines
//! of files), `recorder/input_redaction.rs` (typed input), `recorder/frame_sampling.rs` (which
//! screens become frames), `cassette/directory/partial.rs` (the directory until it is published),
//! `recorder/publish.rs` (publishing).

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
use crate::file_limit::with_file_limit_as_error;
use crate::pty::environment;
use crate::recording::cassette::CassetteError;
use crate::recording::cassette::directory::access::CassetteAccess;
use crate::recording::cassette::directory::partial::{
    PartialCassette, PartialCassetteError, RecordingMetadata,
};
use crate::recording::cassette::directory::{partial, paths};

mod event_queue;
mod final_scan;
mod frame_sampling;
mod input_lines;
mod input_redaction;
mod metadata;
mod on_screen_secrets;
mod publish;
#[cfg(feature = "cassette-tools")]
mod rescrub;
mod stretches;
mod writer;

pub(crate) use event_queue::EventQueue;
use metadata::redact;
pub(crate) use metadata::texts as manifest_texts;
#[cfg(feature = "cassette-tools")]
pub(crate) use publish::publish_cassette;
#[cfg(feature = "cassette-tools")]
pub(crate) use rescrub::{ExistingRecording, rescrub};
use writer::RecordingWriter;

/// Options of a recording.
#[derive(Debug, Clone)]
pub struct RecordOptions {
    path: PathBuf,
    names: Vec<String>,
    values: Vec<(String, SecretValue)>,
    unechoed_input: UnechoedInput,
    existing: ExistingCassette,
    access: CassetteAccess,
}

/// A value that `Debug` does not print.
#[derive(Clone)]
struct SecretValue(Vec<u8>);

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue")
    }
}

/// Whether to store input that the terminal does not echo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnechoedInput {
    Withhold,
    KeepInCharacterMode,
}

/// What to do if the cassette exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingCassette {
    /// Keep it and return an error.
    Keep,
    /// Replace it, in one step if the system supports that.
    Replace,
}

impl RecordOptions {
    /// Records into a cassette, a directory that must not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> RecordOptions {
        RecordOptions {
            path: path.into(),
            names: Vec::new(),
            values: Vec::new(),
            unechoed_input: UnechoedInput::Withhold,
            existing: ExistingCassette::Keep,
            access: CassetteAccess::Umask,
        }
    }

    /// Lets no other user read the cassette, whatever the umask is.
    #[must_use]
    pub fn owner_only(mut self) -> RecordOptions {
        self.access = CassetteAccess::OwnerOnly;
        self
    }

    /// Redacts the value that an environment variable of the program has, in all files and in
    /// common encodings such as base64.
    #[must_use]
    pub fn secret(mut self, name: impl Into<String>) -> RecordOptions {
        self.names.push(name.into());
        self
    }

    /// Redacts a value, in all files and in common encodings such as base64. The report lists it as
    /// `name`.
    #[must_use]
    pub fn secret_value(mut self, name: impl Into<String>, value: &[u8]) -> RecordOptions {
        self.values.push((name.into(), SecretValue(value.to_vec())));
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
        self.unechoed_input = UnechoedInput::KeepInCharacterMode;
        self
    }

    /// Replaces an existing cassette when the recording ends, in one step if the system supports
    /// that.
    #[must_use]
    pub fn replace(mut self) -> RecordOptions {
        self.existing = ExistingCassette::Replace;
        self
    }

    /// Checks whether a recording could start now, so that an error is reported before the program
    /// runs. Writes nothing.
    pub fn check(&self) -> Result<(), RecordError> {
        partial::check_target(&self.path, self.existing)?;
        paths::check_parent_writable(&self.path).map_err(|source| RecordError::Write {
            path: self.path.clone(),
            source,
        })?;
        let partial = paths::partial_path(&self.path);
        match partial.symlink_metadata() {
            Err(_) => Ok(()),
            Ok(_) => Err(partial::existing_error(&partial, &self.path).into()),
        }
    }

    /// Like [`RecordOptions::check`], and also checks that the environment of this program has the
    /// secrets.
    pub fn check_for(&self, app: &App) -> Result<(), RecordError> {
        self.check()?;
        self.redaction_rules(&environment_of(Some(app))).map(drop)
    }

    /// The redaction rules for a program with these variables.
    fn redaction_rules(&self, variables: &[(OsString, OsString)]) -> Result<Rules, RecordError> {
        let mut secrets = redaction_rules_for(&self.names, variables)?;
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
    InterruptedReplace {
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

impl From<PartialCassetteError> for RecordError {
    fn from(error: PartialCassetteError) -> RecordError {
        match error {
            PartialCassetteError::Exists { path } => RecordError::Exists { path },
            PartialCassetteError::NotReplaced { path, source } => {
                RecordError::NotReplaced { path, source }
            }
            PartialCassetteError::InUse { path } => RecordError::InUse { path },
            PartialCassetteError::Unfinished { path } => RecordError::Unfinished { path },
            PartialCassetteError::InterruptedReplace { path, target } => {
                RecordError::InterruptedReplace { path, target }
            }
            PartialCassetteError::Write { path, source } => RecordError::Write { path, source },
        }
    }
}

/// The starting point of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordingStart {
    /// The recording starts with the session.
    WithSession,
    /// The recording starts later, with escape sequences that redraw the current screen.
    MidSession,
}

/// The state of the terminal when a recording begins.
#[derive(Debug, Clone)]
pub(crate) struct TerminalInfo {
    pub(crate) size: Size,
    pub(crate) scrollback: usize,
    pub(crate) identity: Identity,
    pub(crate) hostname: String,
}

/// A recording in progress.
#[derive(Debug)]
pub(crate) struct Recorder {
    queue: Arc<EventQueue>,
    /// `None` once it has been joined.
    thread: Option<JoinHandle<Result<PathBuf, RecordError>>>,
    partial_path: PathBuf,
    start_point: RecordingStart,
}

impl Recorder {
    /// Starts a recording. Without an `App`, for example on an existing terminal, the manifest has
    /// no command.
    pub(crate) fn start(
        options: &RecordOptions,
        start_point: RecordingStart,
        app: Option<&App>,
        terminal_info: &TerminalInfo,
        clock: &Clock,
    ) -> Result<Recorder, RecordError> {
        let variables = environment_of(app);
        let secrets = Arc::new(options.redaction_rules(&variables)?);
        let metadata = RecordingMetadata {
            id: new_cassette_id(),
            command: app.map(metadata::command).unwrap_or_default(),
            environment: app
                .map(|app| metadata::environment(app, &options.names))
                .unwrap_or_default(),
            terminal: metadata::terminal(terminal_info, &variables),
            provenance: Provenance {
                recorder: concat!("screentest ", env!("CARGO_PKG_VERSION")).to_owned(),
                os: std::env::consts::OS.to_owned(),
                arch: std::env::consts::ARCH.to_owned(),
                recorded_at: Some(clock.date().as_secs()),
                // The number of bytes that redraw the starting screen. It is set when their line is
                // added.
                portrait_bytes: (start_point == RecordingStart::MidSession).then_some(0),
            },
            secrets: options.secrets().map(str::to_owned).collect(),
        };
        let mut metadata = metadata::redacted(metadata, &secrets);
        let partial = with_file_limit_as_error(|| {
            PartialCassette::create(&options.path, options.existing, options.access, &metadata)
        })?;
        let path = partial.path().to_owned();
        // Recovery needs the host name. A published cassette has it only if the output names a
        // host.
        let hostname = metadata.terminal.hostname.take().unwrap_or_default();
        let queue = Arc::new(EventQueue::new(
            clock.clone(),
            options.unechoed_input == UnechoedInput::KeepInCharacterMode,
        ));
        let waker = Arc::downgrade(&queue);
        clock.on_advance(move || waker.upgrade().map(|queue| queue.wake()).is_some());
        let thread = {
            let queue = Arc::clone(&queue);
            let writer = RecordingWriter::new(partial, metadata, secrets, hostname);
            std::thread::Builder::new()
                .name("screentest-recorder".to_owned())
                .spawn(move || {
                    // Senders that wait for room in the queue continue, however this thread ends.
                    let _close = event_queue::CloseOnDrop(&queue);
                    with_file_limit_as_error(|| writer.run(&queue))
                })
                .map_err(|source| RecordError::Write {
                    path: path.clone(),
                    source,
                })?
        };
        Ok(Recorder {
            queue,
            thread: Some(thread),
            partial_path: path,
            start_point,
        })
    }

    /// The directory that is written until it is published.
    pub(crate) fn partial_path(&self) -> &Path {
        &self.partial_path
    }

    pub(crate) fn start_point(&self) -> RecordingStart {
        self.start_point
    }

    /// The queue that receives events of the session.
    pub(crate) fn event_queue(&self) -> Arc<EventQueue> {
        Arc::clone(&self.queue)
    }

    /// Ends the recording and publishes the cassette.
    pub(crate) fn finish(mut self) -> Result<PathBuf, RecordError> {
        self.queue.finish();
        let joined = self.thread.take().map(JoinHandle::join);
        match joined {
            Some(Ok(result)) => result,
            _ => Err(RecordError::Failed {
                path: self.partial_path.clone(),
            }),
        }
    }
}

impl Drop for Recorder {
    /// Finishes a recording that was not finished explicitly, for example because the session did
    /// not start.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.queue.finish();
            // There is no caller to report the result to.
            let _ = thread.join();
        }
    }
}

/// The environment of the program; without one, the environment of this process.
fn environment_of(app: Option<&App>) -> Vec<(OsString, OsString)> {
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
pub(crate) fn redaction_rules_for(
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
pub(crate) fn new_cassette_id() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Each `RandomState` has its own keys, derived from random numbers of the system.
    let number = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number())
}
