//! Description of a program to start: arguments, environment and directory.
//!
//! An [`App`] is a value and can be started many times. Except for [`App::cargo_bin`], nothing is
//! searched or checked before a start. `pty/environment.rs` computes the rest of the environment.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod cargo_bin;
pub(crate) mod sandbox_home;

pub use cargo_bin::CargoBinError;

use crate::environment::environment;
use crate::pty::ProgramSubstitute;

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
    // `None` unsets. Sorted, so that equal apps have equal environments.
    env: BTreeMap<OsString, Option<OsString>>,
    cwd: Option<PathBuf>,
    inherit: Inherit,
    /// The environment that the program inherits from, if not that of this process.
    parent: Option<BTreeMap<OsString, OsString>>,
    /// Started in place of the program.
    substitute: Option<Substitute>,
}

/// A shared substitute that is compared by its contents.
#[derive(Debug, Clone)]
struct Substitute(Arc<dyn ProgramSubstitute>);

impl PartialEq for Substitute {
    fn eq(&self, other: &Substitute) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for Substitute {}

/// The part of the environment that a program inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Inherit {
    /// Everything except variables that describe the terminal.
    #[default]
    Most,
    /// Only what a program needs to start.
    Least,
}

impl App {
    /// A program by name, searched in its own `PATH`, or by a path with a slash, relative to its
    /// working directory.
    pub fn new(program: impl Into<OsString>) -> App {
        App {
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            inherit: Inherit::default(),
            parent: None,
            substitute: None,
        }
    }

    /// A binary of the package under test. Cargo builds the binaries of a package for its
    /// integration tests.
    ///
    /// For other tests, such as a library's unit tests, cargo does not build binaries. Then this
    /// returns the binary that was built last, if there is one.
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

    /// Sets an environment variable. This value always takes precedence.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> App {
        self.env.insert(name.into(), Some(value.into()));
        self
    }

    /// Removes an environment variable.
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

    /// Isolates the program from the user's settings: it inherits only variables needed to start,
    /// and its home and temporary files are in its own empty directory, which is removed with the
    /// session. Its time zone is UTC and its shell `/bin/sh`. Variables that the caller sets still
    /// apply.
    #[must_use]
    pub fn hermetic(mut self) -> App {
        self.inherit = Inherit::Least;
        self
    }

    /// Replaces the environment that the program inherits from: for servers that start programs on
    /// behalf of a client.
    #[must_use]
    pub fn inherit_from(mut self, parent: impl IntoIterator<Item = (OsString, OsString)>) -> App {
        self.parent = Some(parent.into_iter().collect());
        self
    }

    /// Returns the environment that the program inherits from.
    pub(crate) fn parent(&self) -> Vec<(OsString, OsString)> {
        match &self.parent {
            Some(parent) => parent.clone().into_iter().collect(),
            None => std::env::vars_os().collect(),
        }
    }

    /// Returns the program as it was given.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Returns the arguments after the program's name.
    pub fn arguments(&self) -> &[OsString] {
        &self.args
    }

    /// Returns the caller's environment variables, sorted by name; `None` unsets.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, Option<&OsStr>)> {
        self.env
            .iter()
            .map(|(name, value)| (name.as_os_str(), value.as_deref()))
    }

    /// Returns the working directory, if the caller set one.
    pub fn directory(&self) -> Option<&Path> {
        self.cwd.as_deref()
    }

    /// Returns the part of the environment that the program inherits.
    pub(crate) fn inherit(&self) -> Inherit {
        self.inherit
    }

    /// Starts `substitute` in place of the program.
    pub(crate) fn with_substitute(mut self, substitute: impl ProgramSubstitute) -> App {
        self.substitute = Some(Substitute(Arc::new(substitute)));
        self
    }

    /// Returns what is started in place of the program.
    pub(crate) fn substitute(&self) -> Option<&dyn ProgramSubstitute> {
        self.substitute.as_ref().map(|substitute| &*substitute.0)
    }

    /// Sets a variable that the caller neither set nor unset.
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

impl From<&App> for App {
    fn from(app: &App) -> App {
        app.clone()
    }
}
