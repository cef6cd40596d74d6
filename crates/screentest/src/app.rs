//! What to start: a program, its arguments, its environment and its directory.
//!
//! An [`App`] only says; nothing is looked up or checked before it is started, so that one value can be started many
//! times. What the environment holds besides the caller's words is decided in `environment.rs`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

mod cargo_bin;

pub use cargo_bin::CargoBinError;

use crate::recording::fake_program::Impersonation;
use crate::test::run_options::environment;

/// A program to start in a terminal.
///
/// ```
/// use screentest::App;
///
/// let editor = App::new("vim").arg("-u").arg("NONE").env("LANG", "en_GB.UTF-8").cwd("/tmp");
/// assert_eq!(editor.program(), "vim");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct App {
    program: OsString,
    args: Vec<OsString>,
    // `None` unsets. Sorted, so that the same app is the same environment.
    env: BTreeMap<OsString, Option<OsString>>,
    cwd: Option<PathBuf>,
    inherit: Inherit,
    /// What it inherits from, where that is not this process.
    parent: Option<BTreeMap<OsString, OsString>>,
    /// The recording that is played in place of a program.
    impersonation: Option<Box<Impersonation>>,
}

/// What a program inherits of our environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Inherit {
    /// All of it, but for what describes our terminal.
    #[default]
    Most,
    /// What it takes to start, and nothing of ours.
    Least,
}

impl App {
    /// A program by name, looked for in the `PATH` that it will have itself, or by a path with a slash, relative to
    /// the directory it will start in.
    pub fn new(program: impl Into<OsString>) -> App {
        App {
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            inherit: Inherit::default(),
            parent: None,
            impersonation: None,
        }
    }

    /// The program that was recorded in this cassette, played by this process: it writes what it wrote, when it is given what it
    /// was given, and ends as it ended. Neither the program nor what it spoke to is needed; arguments, environment and directory mean
    /// nothing to it. [`Impersonation`] says how it is played.
    ///
    /// Something else that is typed ends it with exit code [125](crate::recording::fake_program::MISMATCH), and its last screen says what was
    /// expected and what came.
    ///
    /// ```no_run
    /// use screentest::App;
    ///
    /// let deploy = App::cassette("tests/deploy.cassette");
    /// ```
    pub fn cassette(path: impl Into<PathBuf>) -> App {
        App::from(Impersonation::of(path))
    }

    /// A binary of the package whose integration tests these are, which cargo has built for them.
    ///
    /// Elsewhere, such as in a library's own tests, cargo does not build it: then it is the one that was built last.
    pub fn cargo_bin(name: &str) -> Result<App, CargoBinError> {
        let exe = std::env::current_exe().unwrap_or_default();
        cargo_bin::find(name, environment, &exe).map(App::new)
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> App {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> App {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets an environment variable, whatever it would be otherwise.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> App {
        self.env.insert(name.into(), Some(value.into()));
        self
    }

    /// Keeps an environment variable from the program.
    #[must_use]
    pub fn unset_env(mut self, name: impl Into<OsString>) -> App {
        self.env.insert(name.into(), None);
        self
    }

    /// Starts the program in this directory instead of the current one.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> App {
        self.cwd = Some(cwd.into());
        self
    }

    /// Keeps our world from the program: of our environment it inherits what it takes to start, and its home and its
    /// temporary files are in an empty folder of its own, which goes with the session. Its time zone is UTC and its shell
    /// `/bin/sh`. What the caller sets stays set.
    #[must_use]
    pub fn hermetic(mut self) -> App {
        self.inherit = Inherit::Least;
        self
    }

    /// Has it inherit from this environment in place of ours: for who starts programs on behalf of somebody else.
    #[must_use]
    pub fn inherit_from(mut self, parent: impl IntoIterator<Item = (OsString, OsString)>) -> App {
        self.parent = Some(parent.into_iter().collect());
        self
    }

    /// The environment of which it inherits.
    pub(crate) fn parent(&self) -> Vec<(OsString, OsString)> {
        match &self.parent {
            Some(parent) => parent.clone().into_iter().collect(),
            None => std::env::vars_os().collect(),
        }
    }

    /// The program, as it was named.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// The arguments after the program's name.
    pub fn arguments(&self) -> &[OsString] {
        &self.args
    }

    /// What the caller said about environment variables, sorted by name; `None` unsets.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, Option<&OsStr>)> {
        self.env
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_deref()))
    }

    /// The directory it starts in, where the caller named one.
    pub fn directory(&self) -> Option<&Path> {
        self.cwd.as_deref()
    }

    /// What the program inherits.
    pub(crate) fn inherit(&self) -> Inherit {
        self.inherit
    }

    /// The recording that is played in place of a program.
    pub(crate) fn impersonation(&self) -> Option<&Impersonation> {
        self.impersonation.as_deref()
    }

    /// Sets a variable that the caller did not mention.
    pub(crate) fn env_unless_set(&mut self, name: &str, value: impl Into<OsString>) {
        let entry = self.env.entry(name.into());
        entry.or_insert_with(|| Some(value.into()));
    }
}

/// A program by name.
impl From<&str> for App {
    fn from(program: &str) -> App {
        App::new(program)
    }
}

/// A recorded program; its cassette is its name.
impl From<Impersonation> for App {
    fn from(impersonation: Impersonation) -> App {
        App {
            impersonation: Some(Box::new(impersonation.clone())),
            ..App::new(impersonation.path)
        }
    }
}

impl From<&App> for App {
    fn from(app: &App) -> App {
        app.clone()
    }
}
