//! Runs the tool and checks its output and exit code.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// Path of the built `screentest` binary.
pub(crate) const TOOL: &str = env!("CARGO_BIN_EXE_screentest");

/// Exit code and output of a finished run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Runs the tool with these arguments.
pub(crate) fn run<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Run {
    run_with(words, b"")
}

/// Runs the tool with these arguments and this stdin.
pub(crate) fn run_with<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>, stdin: &[u8]) -> Run {
    finish(start(words), stdin)
}

/// Runs the tool with these arguments and additional environment variables.
pub(crate) fn run_with_env<W: AsRef<OsStr>>(
    variables: &[(&str, &str)],
    words: impl IntoIterator<Item = W>,
) -> Run {
    finish(start_with_env(variables, words), b"")
}

/// Starts the tool with additional environment variables and pipes for stdin, stdout and stderr.
pub(crate) fn start_with_env<W: AsRef<OsStr>>(
    variables: &[(&str, &str)],
    words: impl IntoIterator<Item = W>,
) -> Child {
    let mut command = tool_command(words);
    command.envs(variables.iter().copied());
    command.spawn().unwrap()
}

/// Starts the tool in a folder, which is also its project root.
pub(crate) fn start_in(folder: &Folder, variables: &[(&str, &str)], words: &[&str]) -> Child {
    let mut command = tool_command(words);
    command
        .current_dir(folder.path())
        .env("SCREENTEST_PROJECT_ROOT", folder.path())
        .env_remove("CI")
        .env_remove("GITHUB_WORKSPACE")
        .envs(variables.iter().copied());
    command.spawn().unwrap()
}

/// Runs the tool in a folder, which is also its project root.
pub(crate) fn run_in(folder: &Folder, words: &[&str]) -> Run {
    finish(start_in(folder, &[], words), b"")
}

/// Runs the tool in a folder, which is also its project root, with additional environment
/// variables.
pub(crate) fn run_in_with_env(folder: &Folder, variables: &[(&str, &str)], words: &[&str]) -> Run {
    finish(start_in(folder, variables, words), b"")
}

/// Runs the tool with a limit on its address space, in MiB.
pub(crate) fn run_with_memory_limit<W: AsRef<OsStr>>(
    mebibytes: usize,
    words: impl IntoIterator<Item = W>,
) -> Run {
    run_after_setup(&format!("ulimit -v {}", mebibytes << 10), words)
}

/// Runs the tool in a shell, after this setup command.
pub(crate) fn run_after_setup<W: AsRef<OsStr>>(
    setup: &str,
    words: impl IntoIterator<Item = W>,
) -> Run {
    let script = format!("{setup}; exec \"$@\"");
    let mut command = piped("sh");
    command.args(["-c", &script, "sh", TOOL]).args(words);
    finish(command.spawn().unwrap(), b"")
}

/// Runs a shell script in which `$0` is the tool. The words of `wrapper` come before the shell.
pub(crate) fn run_script(wrapper: &[&str], script: &str, words: &[&str]) -> Run {
    let mut line = wrapper.iter().copied().chain(["sh", "-c", script, TOOL]);
    let mut command = piped(line.next().expect("the words contain `sh`"));
    command.args(line).args(words);
    finish(command.spawn().unwrap(), b"")
}

/// Starts the tool from a shell in a folder, which is also its project root. The shell runs `setup`
/// first, a command that ends with `;` or `&`.
pub(crate) fn start_in_after_setup(folder: &Folder, setup: &str, words: &[&str]) -> Child {
    let script = format!("{setup} exec \"$@\"");
    let mut command = piped("sh");
    command
        .args(["-c", &script, "sh", TOOL])
        .args(words)
        .current_dir(folder.path())
        .env("SCREENTEST_PROJECT_ROOT", folder.path())
        .env_remove("CI");
    command.spawn().unwrap()
}

fn finish(mut child: Child, stdin: &[u8]) -> Run {
    let mut input = child.stdin.take().unwrap();
    // The write fails if the program exits without reading its input.
    let _ = input.write_all(stdin);
    drop(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Starts the tool with pipes for stdin, stdout and stderr.
pub(crate) fn start<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Child {
    tool_command(words).spawn().unwrap()
}

/// Returns the command line of the tool with these arguments.
fn tool_command<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Command {
    let mut command = piped(TOOL);
    command.args(words);
    command
}

/// Returns a command with pipes for stdin, stdout and stderr, and without the user's variables for
/// pictures.
#[expect(
    clippy::disallowed_methods,
    reason = "checks the output to pipes, not to a terminal"
)]
fn piped(program: &str) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for variable in [
        "SCREENTEST_FONT_PATH",
        "TUISPEC_FONT_PATH",
        "SCREENTEST_SNAPSHOT_THEME",
        "TUISPEC_SNAPSHOT_THEME",
        "COLORFGBG",
    ] {
        command.env_remove(variable);
    }
    command
}

/// Runs another program, which must succeed, and returns its stdout.
#[track_caller]
pub(crate) fn command<W: AsRef<OsStr>>(
    program: &str,
    words: impl IntoIterator<Item = W>,
) -> String {
    command_in(Path::new("."), program, words)
}

/// Returns the path of something that `cargo xtask test` installs in the project.
#[track_caller]
pub(crate) fn installed(path: &str, what: &str) -> String {
    let found = project_path(path);
    assert!(
        Path::new(&found).exists(),
        "{what} is missing at {path}: `cargo xtask test` installs it"
    );
    found
}

/// Runs another program in a folder. It must succeed.
#[track_caller]
pub(crate) fn command_in<W: AsRef<OsStr>>(
    folder: &Path,
    program: &str,
    words: impl IntoIterator<Item = W>,
) -> String {
    command_in_with_env(folder, &[], program, words)
}

/// Runs another program in a folder with additional environment variables. It must succeed.
#[track_caller]
#[expect(
    clippy::disallowed_methods,
    reason = "runs programs other than the tool"
)]
pub(crate) fn command_in_with_env<W: AsRef<OsStr>>(
    folder: &Path,
    variables: &[(&str, &str)],
    program: &str,
    words: impl IntoIterator<Item = W>,
) -> String {
    let output = Command::new(program)
        .args(words)
        .current_dir(folder)
        .env("SCREENTEST_PROJECT_ROOT", folder)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
    assert!(output.status.success(), "{program}: {}", said.concat());
    String::from_utf8(output.stdout).unwrap()
}

impl Run {
    /// Returns stdout of a run that succeeded with empty stderr.
    #[track_caller]
    pub(crate) fn done(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// Returns stdout as text of a run that succeeded with empty stderr.
    #[track_caller]
    pub(crate) fn text(self) -> String {
        String::from_utf8(self.done()).unwrap()
    }

    /// Returns stderr of a run that succeeded with empty stdout.
    #[track_caller]
    pub(crate) fn noted(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert_eq!(String::from_utf8_lossy(&self.stdout), "");
        self.stderr
    }

    /// Returns stderr of a run that failed with this code and empty stdout. Times are masked.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        assert_eq!(String::from_utf8_lossy(&self.stdout), "");
        masked(&self.stderr)
    }
}

/// Masks the times, which differ between runs.
fn masked(said: &str) -> String {
    let lines = said.split_inclusive('\n').map(|line| {
        const CHANGED: &str = "the screen last changed ";
        match (line.strip_prefix(CHANGED), line.split_once(", ")) {
            (Some(_), _) => format!("{CHANGED}<time> ago\n"),
            (_, Some((time, input))) if time.starts_with("  at ") => {
                format!("  at <time>, {input}")
            }
            _ => line.to_owned(),
        }
    });
    lines.collect()
}

/// A temporary directory for one test.
#[derive(Debug)]
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns a path in it as a command-line argument.
    pub(crate) fn join(&self, name: &str) -> String {
        self.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file in it and returns the path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns the content of a file in it.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    /// Returns the sorted names of its entries.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Replaces the path of this directory by `FOLDER`.
    pub(crate) fn masked(&self, said: &str) -> String {
        said.replace(self.path().to_str().unwrap(), "FOLDER")
    }
}

/// Checks that no file of a folder contains this text.
#[track_caller]
pub(crate) fn assert_absent(folder: &str, secret: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(secret), "{}:\n{text}", path.display());
    }
}

/// Polls a condition for up to 20 seconds. For conditions that no session can wait for.
#[track_caller]
pub(crate) fn wait_until(what: &str, done: impl Fn() -> bool) {
    let clock = screentest::clock::Clock::system();
    while !done() {
        assert!(clock.now() < Duration::from_secs(20), "{what}: not in time");
        std::thread::yield_now();
    }
}

/// Returns the content of a file of the project.
pub(crate) fn project_file(path: &str) -> String {
    std::fs::read_to_string(project_path(path)).unwrap()
}

/// Returns the absolute path of a file of the project.
pub(crate) fn project_path(path: &str) -> String {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", path]
        .iter()
        .collect();
    root.to_str().unwrap().to_owned()
}
