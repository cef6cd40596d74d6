//! What is settled before a program starts: which file, which words, which environment, which directory.
//!
//! All of it is found out by us, not by the child: an error found after the fork could say little more than a number. The
//! search uses the `PATH` and the directory that the *program* will have, as a person would expect who set them.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::process::{Resource, getrlimit};

use super::descriptors;
use crate::app::App;
use crate::pty::environment;

/// Where programs are looked for when there is no `PATH` at all, as `execvp` does.
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
    /// Where it starts, absolute.
    pub(super) cwd: CString,
}

impl Launch {
    /// Settles how `app` would start now.
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

    /// The file to execute, as errors name it.
    pub(super) fn path(&self) -> PathBuf {
        OsStr::from_bytes(self.path.as_bytes()).into()
    }

    /// The directory it starts in, as errors name it.
    pub(super) fn cwd(&self) -> PathBuf {
        OsStr::from_bytes(self.cwd.as_bytes()).into()
    }

    /// What it means that the kernel refused to execute the file that was found.
    pub(super) fn refused(&self, source: io::Error) -> SpawnError {
        let path = self.path();
        match source.kind() {
            // The file was there a moment ago, so this is about the one that its first line or its header names.
            io::ErrorKind::NotFound if path.exists() => SpawnError::NoInterpreter { path },
            _ => SpawnError::Exec { path, source },
        }
    }
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// No screen has such a size.
    #[error(transparent)]
    Size(#[from] screentest_core::SizeError),
    /// No directory of the program's `PATH` has it.
    #[error("`{program}` was not found in PATH (`{path}`)", program = program.display(), path = path.display())]
    NotInPath {
        /// The program, as it was named.
        program: OsString,
        /// The `PATH` that was searched: the one the program would have had.
        path: OsString,
    },
    /// The program was named by a path, and nothing is there.
    #[error("`{path}` does not exist", path = path.display())]
    NoSuchFile {
        /// The path, made absolute from the directory the program would have started in.
        path: PathBuf,
    },
    /// The program is a directory.
    #[error("`{path}` is a directory, not a program", path = path.display())]
    IsDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// The file is there, but may not be executed.
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
    /// The kernel would not execute the file.
    #[error("`{path}` could not be executed", path = path.display())]
    Exec {
        /// The file.
        path: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// The directory to start in does not exist.
    #[error("the directory `{cwd}` to start in does not exist", cwd = cwd.display())]
    CwdMissing {
        /// The directory.
        cwd: PathBuf,
    },
    /// The directory to start in is something else.
    #[error("`{cwd}` to start in is not a directory", cwd = cwd.display())]
    CwdNotDirectory {
        /// What was named as a directory.
        cwd: PathBuf,
    },
    /// The directory to start in may not be entered.
    #[error("the directory `{cwd}` to start in could not be entered", cwd = cwd.display())]
    CwdRefused {
        /// The directory.
        cwd: PathBuf,
        /// What the kernel said.
        source: io::Error,
    },
    /// An argument or a variable contains a NUL byte, which no program can be given.
    #[error("{what} contains a NUL byte: `{value}`", value = value.escape_debug())]
    Nul {
        /// Which one.
        what: String,
        /// What it was.
        value: String,
    },
    /// A variable has no name, or a `=` in it.
    #[error("`{name}` cannot be the name of an environment variable", name = name.display())]
    VariableName {
        /// The name.
        name: OsString,
    },
    /// The cassette cannot be played as a program.
    #[error(transparent)]
    Impersonate(#[from] crate::recording::fake_program::ImpersonateError),
    /// The empty home of a hermetic program could not be made.
    #[error("could not make an empty home for the program in `{}`", std::env::temp_dir().display())]
    Home(#[source] io::Error),
    /// This process has as many files open as it may have.
    #[error(
        "this process may have {limit} files open, and a terminal for the program would be one too many: close other sessions, or raise the limit (`ulimit -n`)"
    )]
    Descriptors {
        /// How many it may have.
        limit: u64,
        /// What the kernel said.
        source: io::Error,
    },
    /// What the program is given does not fit into a file that this process may write: it travels in one, which is in memory.
    #[error(
        "this process may write files of {limit} bytes, and the words and variables of the program take more: raise the limit (`ulimit -f`)"
    )]
    FileLimit {
        /// How large a file may be.
        limit: u64,
        /// What the kernel said.
        source: io::Error,
    },
    /// Every terminal that there may be is in use.
    #[error(
        "the system has no terminal left: close some that are in use, or raise their number (`sysctl kernel.pty.max`, and `max=` where `/dev/pts` is mounted)"
    )]
    NoTerminalLeft(#[source] io::Error),
    /// The system gave no terminal.
    #[error("could not open a terminal")]
    Terminal(#[source] io::Error),
    /// Nobody could be had to read the terminal.
    #[error(
        "could not start the thread that reads the program's terminal: memory or processes are short, or limited (`ulimit -v`, `ulimit -u`)"
    )]
    Thread(#[source] io::Error),
    /// The processes that see to the program's end could not be started.
    #[error("could not start the guardian of the program")]
    Guardian(#[source] io::Error),
}

impl SpawnError {
    /// What it means that no terminal could be had.
    pub(crate) fn terminal(source: io::Error) -> SpawnError {
        match source.raw_os_error() {
            Some(libc::EMFILE) => SpawnError::descriptors(source),
            // No disk is meant; POSIX would have the second.
            Some(libc::ENOSPC | libc::EAGAIN) => SpawnError::NoTerminalLeft(source),
            _ => SpawnError::Terminal(source),
        }
    }

    /// What it means that nobody could be had who reads what the program writes.
    pub(crate) fn thread(source: io::Error) -> SpawnError {
        match source.raw_os_error() {
            Some(libc::EMFILE) => SpawnError::descriptors(source),
            _ => SpawnError::Thread(source),
        }
    }

    /// What it means that nobody could be had who sees to the program's end.
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
    without_nul(cwd_bytes, || "the directory to start in".to_owned())?;
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
        // An empty entry means the current directory, which is what joining nothing gives.
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
