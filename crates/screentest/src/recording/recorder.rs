//! Recording a session while it happens.
//!
//! The session tells a tap (`recorder/tap.rs`) what happens, which takes no longer than a copy; a thread of the recorder's own covers secrets and writes. What
//! goes wrong there is told when the recording ends, and changes nothing about the session.
//!
//! Elsewhere: the queue between the two (`recorder/tap.rs`), what becomes lines in files (`recorder/writer.rs`), what of it is typed
//! (`recorder/typing.rs`), which screens become frames (`recorder/flood.rs`), the folder that they are in until they are published (`cassette/part.rs`), how that is done (`recorder/publish.rs`).

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

/// How a session is recorded.
///
/// ```
/// use screentest::RecordOptions;
///
/// let record = RecordOptions::new("vim.cassette").secret("API_TOKEN");
/// # let _ = record;
/// ```
#[derive(Debug, Clone)]
pub struct RecordOptions {
    path: PathBuf,
    names: Vec<String>,
    values: Vec<(String, Hidden)>,
    keys: Keys,
    existing: Existing,
}

/// A value that is not shown.
#[derive(Clone)]
struct Hidden(Vec<u8>);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden")
    }
}

/// What becomes of input that the terminal does not echo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    Withheld,
    KeptWhereTheProgramReadsKeys,
}

/// What becomes of a cassette that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and there is no other.
    Kept,
    /// Another takes its place, in one step.
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

    /// Covers the value that an environment variable of the program has, wherever it shows up, in whatever form.
    #[must_use]
    pub fn secret(mut self, name: impl Into<String>) -> RecordOptions {
        self.names.push(name.into());
        self
    }

    /// Covers a value, wherever it shows up, in whatever form. The report calls it `name`.
    #[must_use]
    pub fn secret_value(mut self, name: impl Into<String>, value: &[u8]) -> RecordOptions {
        self.values.push((name.into(), Hidden(value.to_vec())));
        self
    }

    /// Covers several values.
    #[must_use]
    pub(crate) fn secret_values(self, values: &screentest_core::Secrets) -> RecordOptions {
        values.names().fold(self, |options, name| {
            let value = values.value(name).unwrap_or_default();
            options.secret_value(name, value.as_bytes())
        })
    }

    /// Stores what is typed to programs that read single keys, such as editors: they turn the terminal's echo off and draw by
    /// themselves. What is typed at a prompt for a line that is not shown, as for a password, is never stored.
    ///
    /// Without this, nothing is stored while echo is off: such a program may ask for a password as well.
    #[must_use]
    pub fn keep_keys(mut self) -> RecordOptions {
        self.keys = Keys::KeptWhereTheProgramReadsKeys;
        self
    }

    /// Replaces a cassette that is there already, in one step, when the recording ends.
    #[must_use]
    pub fn replace(mut self) -> RecordOptions {
        self.existing = Existing::Replaced;
        self
    }

    /// Whether a recording could begin now, for who wants to know before a program runs for nothing. Nothing is written.
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

    /// The same for a program, whose environment must have the secrets.
    pub fn check_for(&self, app: &App) -> Result<(), RecordError> {
        self.check()?;
        self.looked_for(&variables(Some(app))).map(drop)
    }

    /// What is covered, in a program that has these variables.
    fn looked_for(&self, variables: &[(OsString, OsString)]) -> Result<Rules, RecordError> {
        let mut secrets = secrets(&self.names, variables)?;
        for (name, value) in &self.values {
            secrets = secrets.and_value(name, &value.0)?;
        }
        Ok(secrets)
    }

    /// The secrets that have a name and a value.
    fn secrets(&self) -> impl Iterator<Item = &str> {
        let values = self.values.iter().map(|(name, _)| name);
        self.names.iter().chain(values).map(String::as_str)
    }

    /// Where the cassette will be.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Why there is no cassette, or why it stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A cassette or something else is there.
    #[error("`{path}` exists already: choose another name, or replace it on purpose", path = path.display())]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// What is there is more than a cassette, or none.
    #[error("`{path}` is not a cassette alone, so that it is not replaced: choose another name, or remove it yourself", path = path.display())]
    NotReplaced {
        /// Where.
        path: PathBuf,
        /// What is there.
        source: CassetteError,
    },
    /// Somebody records it.
    #[error("`{path}` is being recorded by somebody else: wait, or choose another name", path = path.display())]
    InUse {
        /// The unpublished folder.
        path: PathBuf,
    },
    /// An earlier recording was cut off.
    #[error("`{path}` is left of a recording that was cut off: `screentest cassette recover` makes a cassette of it; or remove it", path = path.display())]
    Unfinished {
        /// The unpublished folder.
        path: PathBuf,
    },
    /// An earlier recording was cut off while it took the place of another.
    #[error("`{path}` is a whole cassette, left by who was cut off while putting one into the place of `{target}`: look at both, and rename or remove it", path = path.display(), target = target.display())]
    Aside {
        /// The one that has no place.
        path: PathBuf,
        /// The one that has it.
        target: PathBuf,
    },
    /// The variable has no value.
    #[error("the secret `{name}` is not set in the program's environment: set it, or leave it out")]
    NotSet {
        /// The variable.
        name: String,
    },
    /// The value cannot be looked for.
    #[error(transparent)]
    Secret(#[from] RulesError),
    /// Something could not be written.
    #[error("could not write `{path}`", path = path.display())]
    Write {
        /// What.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A secret would have been published.
    #[error("the secret `{rule}` is still in `{file}`, so that it is not published; remove `{path}`", path = path.display())]
    SecretLeft {
        /// Which rule.
        rule: String,
        /// In which file.
        file: String,
        /// The unpublished folder.
        path: PathBuf,
    },
    /// A secret would have been published in what is shown.
    #[error("a secret that a jumping cursor put together is still shown at {time}, so that it is not published: `{emulator}` does not tell which bytes it came of; remove `{path}`, or record with another emulator", path = path.display())]
    SecretShown {
        /// When.
        time: Millis,
        /// Which emulator shows it.
        emulator: String,
        /// The unpublished folder.
        path: PathBuf,
    },
    /// One at a time.
    #[error("this session is being recorded into `{path}`: finish that first", path = path.display())]
    Running {
        /// The unpublished folder.
        path: PathBuf,
    },
    /// Nothing happens any more.
    #[error("the session is closed, so that there is nothing to record")]
    Closed,
    /// The recorder itself failed.
    #[error("the recorder failed; what it wrote is in `{path}`", path = path.display())]
    Failed {
        /// The unpublished folder.
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

/// When a recording begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begins {
    /// With the session.
    AtTheStart,
    /// With bytes that draw what is shown by then.
    InTheMiddle,
}

/// What is known of the terminal when a recording begins.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) size: Size,
    pub(crate) scrollback: usize,
    pub(crate) identity: Identity,
    pub(crate) hostname: String,
}

/// A recording under way.
#[derive(Debug)]
pub(crate) struct Recorder {
    tap: Arc<Tap>,
    /// Taken when it is waited for.
    thread: Option<JoinHandle<Result<PathBuf, RecordError>>>,
    part: PathBuf,
    begins: Begins,
}

impl Recorder {
    /// Begins to record. Without a program, as over a terminal that is already there, nothing is known of the command.
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
                // How many they are is known once they have come.
                portrait_bytes: (begins == Begins::InTheMiddle).then_some(0),
            },
            secrets: options.secrets().map(str::to_owned).collect(),
        };
        let mut start = start::covered(start, &secrets);
        let part = heeded(|| Part::create(&options.path, options.existing, &start))?;
        let path = part.path().to_owned();
        // Whoever recovers the recording needs to know it; a cassette keeps it only where it matters.
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
                    // Whoever waits for room goes on, however this ends.
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

    /// The folder in which it is until it is published.
    pub(crate) fn part(&self) -> &Path {
        &self.part
    }

    pub(crate) fn begins(&self) -> Begins {
        self.begins
    }

    /// What is told what happens.
    pub(crate) fn tap(&self) -> Arc<Tap> {
        Arc::clone(&self.tap)
    }

    /// Ends the recording and publishes it.
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
    /// A session that never began has nothing to wait for, and leaves no thread.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.tap.finish();
            // What became of the recording was for who would have asked.
            let _ = thread.join();
        }
    }
}

/// The environment of a program; without one, ours.
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

/// What to look for: shapes, and the values that the variables have.
pub(crate) fn secrets(
    names: &[String],
    variables: &[(OsString, OsString)],
) -> Result<Rules, RecordError> {
    let mut secrets = Rules::shapes();
    for name in names {
        let value = variables.iter().find(|(known, _)| *known == **name);
        let (_, value) = value.ok_or_else(|| RecordError::NotSet { name: name.clone() })?;
        secrets = secrets.and_value(name, value.as_encoded_bytes())?;
    }
    Ok(secrets)
}

/// What tells a cassette from every other.
pub(crate) fn id() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Each state has keys of its own, which the system gave to this process at random.
    let number = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", number(), number())
}
