//! Everything that is determined before a program starts: file, arguments, environment, directory.
//!
//! This process checks all of it, not the child: after the fork, an error could report little more
//! than a number. The search uses the `PATH` and the directory that the *program* will have, so
//! that it obeys a caller who sets them.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::process::{Resource, getrlimit};

use super::descriptors;
use crate::app::App;
use crate::pty::environment;

/// The search path if there is no `PATH` at all, as in `execvp`.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// A program ready to be started.
#[derive(Debug)]
pub(super) struct Launch {
    /// The file to execute, absolute.
    pub(super) path: CString,
    /// The program's name as the caller gave it, then the arguments.
    pub(super) argv: Vec<CString>,
    /// `NAME=value`, sorted.
    pub(super) envp: Vec<CString>,
    /// The working directory, absolute.
    pub(super) cwd: CString,
}

impl Launch {
    /// Determines how `app` would start now.
    pub(super) fn of(app: &App) -> Result<Launch, SpawnError> {
        let cwd = directory(app.directory())?;
        let variables = environment::of_child(app.parent(), app.inherit(), app.variables(), &cwd);
        let envp = variables
            .iter()
            .map(|(name, value)| variable(name, value))
            .collect::<Result<_, _>>()?;
        let argv = std::iter::once(app.program())
            .chain(app.arguments().iter().map(OsString::as_os_str))
            .enumerate()
            .map(|(index, word)| without_nul(word, || format!("argument {index}")))
            .collect::<Result<_, _>>()?;
        let search = variables
            .iter()
            .find(|(name, _)| name == "PATH")
            .map_or(OsStr::new(DEFAULT_PATH), |(_, value)| value);
        let path = find(app.program(), search, &cwd)?;
        Ok(Launch {
            path: c_path(path),
            argv,
            envp,
            cwd: c_path(cwd),
        })
    }

    /// Returns the file to execute, for errors.
    pub(super) fn path(&self) -> PathBuf {
        OsStr::from_bytes(self.path.as_bytes()).into()
    }

    /// Returns the working directory, for errors.
    pub(super) fn cwd(&self) -> PathBuf {
        OsStr::from_bytes(self.cwd.as_bytes()).into()
    }

    /// Converts the error of `execve`.
    pub(super) fn refused(&self, source: io::Error) -> SpawnError {
        let path = self.path();
        match source.kind() {
            // The file was there a moment ago, so its interpreter is missing.
            io::ErrorKind::NotFound if path.exists() => SpawnError::NoInterpreter { path },
            _ => SpawnError::Exec { path, source },
        }
    }
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The size is out of range.
    #[error(transparent)]
    Size(#[from] screentest_core::SizeError),
    /// The program is in no directory of its `PATH`.
    #[error("`{program}` was not found in PATH", program = program.display())]
    NotInPath {
        /// The program's name.
        program: OsString,
        /// The searched `PATH`: the one that the program would have had.
        path: OsString,
    },
    /// The program is given as a path that does not exist.
    #[error("`{path}` does not exist", path = path.display())]
    NoSuchFile {
        /// The path, made absolute from the program's working directory.
        path: PathBuf,
    },
    /// The program is a directory.
    #[error("`{path}` is a directory, not a program", path = path.display())]
    IsDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// The file is not executable, or its directory may not be searched.
    #[error("`{path}` is not executable", path = path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// The file is a script or a dynamic program whose interpreter does not exist.
    #[error("`{path}` needs an interpreter that does not exist", path = path.display())]
    NoInterpreter {
        /// The file.
        path: PathBuf,
    },
    /// The kernel refused to execute the file.
    #[error("`{path}` could not be executed", path = path.display())]
    Exec {
        /// The file.
        path: PathBuf,
        /// The error of the system call.
        source: io::Error,
    },
    /// The working directory does not exist.
    #[error("the working directory `{cwd}` does not exist", cwd = cwd.display())]
    CwdMissing {
        /// The directory.
        cwd: PathBuf,
    },
    /// The working directory is not a directory.
    #[error("the working directory `{cwd}` is not a directory", cwd = cwd.display())]
    CwdNotDirectory {
        /// The path.
        cwd: PathBuf,
    },
    /// The working directory may not be entered.
    #[error("could not enter the working directory `{cwd}`", cwd = cwd.display())]
    CwdRefused {
        /// The directory.
        cwd: PathBuf,
        /// The error of the system call.
        source: io::Error,
    },
    /// An argument, a variable or the working directory contains a NUL byte, which cannot be passed
    /// to a program.
    #[error("{what} contains a NUL byte: `{value}`", value = value.escape_debug())]
    Nul {
        /// Describes the argument, the variable or the working directory.
        what: String,
        /// Its value.
        value: String,
    },
    /// A variable's name is empty or contains `=`.
    #[error("`{name}` cannot be the name of an environment variable", name = name.display())]
    VariableName {
        /// The name.
        name: OsString,
    },
    /// The substitute for the program ([`App::cassette`]) could not be started.
    #[error(transparent)]
    Substitute(Box<dyn std::error::Error + Send + Sync>),
    /// The empty home directory of a hermetic program could not be created.
    #[error(
        "could not create an empty home directory for the program in `{}`",
        std::env::temp_dir().display()
    )]
    Home(#[source] io::Error),
    /// The descriptor limit of this process is reached.
    #[error(
        "could not open a terminal: this process may have at most {limit} files open; close other sessions, or raise the limit (`ulimit -n`)"
    )]
    Descriptors {
        /// The limit.
        limit: u64,
        /// The error of the system call.
        source: io::Error,
    },
    /// The arguments and variables exceed this process's file size limit: they are passed in a file
    /// in memory.
    #[error(
        "the program's arguments and environment do not fit into a file of {limit} bytes, the limit of this process: raise it (`ulimit -f`)"
    )]
    FileLimit {
        /// The limit.
        limit: u64,
        /// The error of the system call.
        source: io::Error,
    },
    /// All terminals of the system are in use.
    #[error(
        "the system has no terminal left: close some that are in use, or raise their number (`sysctl kernel.pty.max`, and `max=` where `/dev/pts` is mounted)"
    )]
    NoTerminalLeft(#[source] io::Error),
    /// No terminal could be opened.
    #[error("could not open a terminal")]
    Terminal(#[source] io::Error),
    /// The thread that reads the terminal could not be started.
    #[error(
        "could not start the thread that reads the program's terminal: out of memory or processes, or limited by `ulimit -v` or `ulimit -u`"
    )]
    Thread(#[source] io::Error),
    /// The processes that supervise the program could not be started.
    #[error("could not start the guardian of the program")]
    Guardian(#[source] io::Error),
}

impl SpawnError {
    /// Converts an error of opening a terminal.
    pub(crate) fn terminal(source: io::Error) -> SpawnError {
        match source.raw_os_error() {
            Some(libc::EMFILE) => SpawnError::descriptors(source),
            // ENOSPC does not refer to a disk here; POSIX specifies EAGAIN.
            Some(libc::ENOSPC | libc::EAGAIN) => SpawnError::NoTerminalLeft(source),
            _ => SpawnError::Terminal(source),
        }
    }

    /// Converts an error of starting the reader, which needs a thread and a timer descriptor.
    pub(crate) fn thread(source: io::Error) -> SpawnError {
        match source.raw_os_error() {
            Some(libc::EMFILE) => SpawnError::descriptors(source),
            _ => SpawnError::Thread(source),
        }
    }

    /// Converts an error of starting a supervisor.
    pub(super) fn guardian(source: io::Error) -> SpawnError {
        match source.raw_os_error() {
            Some(libc::EMFILE) => SpawnError::descriptors(source),
            Some(libc::EFBIG) => SpawnError::FileLimit {
                limit: getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX),
                source,
            },
            _ => SpawnError::Guardian(source),
        }
    }

    fn descriptors(source: io::Error) -> SpawnError {
        SpawnError::Descriptors {
            limit: descriptors::limit(),
            source,
        }
    }
}

fn directory(asked: Option<&Path>) -> Result<PathBuf, SpawnError> {
    let cwd = match asked {
        Some(cwd) => std::path::absolute(cwd),
        None => std::env::current_dir(),
    };
    let refused = |cwd: &Path, source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => SpawnError::CwdMissing { cwd: cwd.into() },
        io::ErrorKind::NotADirectory => SpawnError::CwdNotDirectory { cwd: cwd.into() },
        _ => SpawnError::CwdRefused {
            cwd: cwd.into(),
            source,
        },
    };
    let cwd = cwd.map_err(|source| refused(asked.unwrap_or(Path::new(".")), source))?;
    let cwd_bytes = cwd.as_os_str();
    without_nul(cwd_bytes, || "the working directory".to_owned())?;
    match cwd.metadata() {
        Ok(found) if !found.is_dir() => return Err(SpawnError::CwdNotDirectory { cwd }),
        Ok(_) => {}
        Err(source) => return Err(refused(&cwd, source)),
    }
    match accessat(CWD, &cwd, Access::EXEC_OK, AtFlags::EACCESS) {
        Ok(()) => Ok(cwd),
        Err(source) => Err(refused(&cwd, source.into())),
    }
}

fn find(program: &OsStr, search: &OsStr, cwd: &Path) -> Result<PathBuf, SpawnError> {
    if program.as_bytes().contains(&b'/') {
        let path = cwd.join(program);
        return match candidate(&path) {
            Candidate::Program => Ok(path),
            Candidate::Directory => Err(SpawnError::IsDirectory { path }),
            Candidate::NotExecutable => Err(SpawnError::NotExecutable { path }),
            Candidate::Absent => Err(SpawnError::NoSuchFile { path }),
        };
    }
    let mut not_executable = None;
    // An empty name would join to the directory itself.
    let directories = search.as_bytes().split(|byte| *byte == b':');
    for directory in directories.filter(|_| !program.is_empty()) {
        // An empty entry means the current directory, which is the result of joining an empty path.
        let path = cwd.join(OsStr::from_bytes(directory)).join(program);
        match candidate(&path) {
            Candidate::Program => return Ok(path),
            Candidate::NotExecutable => not_executable = not_executable.or(Some(path)),
            Candidate::Directory | Candidate::Absent => {}
        }
    }
    Err(match not_executable {
        Some(path) => SpawnError::NotExecutable { path },
        None => SpawnError::NotInPath {
            program: program.into(),
            path: search.into(),
        },
    })
}

enum Candidate {
    Program,
    Directory,
    NotExecutable,
    Absent,
}

fn candidate(path: &Path) -> Candidate {
    match path.metadata() {
        Ok(found) if found.is_dir() => Candidate::Directory,
        Ok(_) => match accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS) {
            Ok(()) => Candidate::Program,
            Err(_) => Candidate::NotExecutable,
        },
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Candidate::NotExecutable,
        Err(_) => Candidate::Absent,
    }
}

fn variable(name: &OsStr, value: &OsStr) -> Result<CString, SpawnError> {
    if name.is_empty() || name.as_bytes().contains(&b'=') {
        return Err(SpawnError::VariableName { name: name.into() });
    }
    let mut text = name.to_owned();
    text.push("=");
    text.push(value);
    without_nul(&text, || format!("the variable `{}`", name.display()))
}

fn without_nul(text: &OsStr, what: impl FnOnce() -> String) -> Result<CString, SpawnError> {
    CString::new(text.as_bytes()).map_err(|_| SpawnError::Nul {
        what: what(),
        value: text.to_string_lossy().into_owned(),
    })
}

fn c_path(path: PathBuf) -> CString {
    CString::new(path.into_os_string().into_vec())
        .expect("the file system just found this path, so it has no NUL byte")
}
