//! Running the tool, and looking at all it says.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// The tool that was built with these tests.
pub(crate) const TOOL: &str = env!("CARGO_BIN_EXE_screentest");

/// What a run left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Runs the tool with these words.
pub(crate) fn run<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Run {
    run_with(words, b"")
}

/// Runs the tool with these words and this on its stdin.
pub(crate) fn run_with<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>, stdin: &[u8]) -> Run {
    finished(start(words), stdin)
}

/// Runs the tool with these words, and with these variables in its environment.
pub(crate) fn run_under<W: AsRef<OsStr>>(
    variables: &[(&str, &str)],
    words: impl IntoIterator<Item = W>,
) -> Run {
    finished(start_under(variables, words), b"")
}

/// Starts the tool with these variables in its environment, with pipes to all its ends.
pub(crate) fn start_under<W: AsRef<OsStr>>(
    variables: &[(&str, &str)],
    words: impl IntoIterator<Item = W>,
) -> Child {
    let mut command = tool(words);
    command.envs(variables.iter().copied());
    command.spawn().unwrap()
}

/// Starts the tool in a folder, which is also its project.
pub(crate) fn start_in(folder: &Folder, variables: &[(&str, &str)], words: &[&str]) -> Child {
    let mut command = tool(words);
    command
        .current_dir(folder.path())
        .env("SCREENTEST_PROJECT_ROOT", folder.path())
        .env_remove("CI")
        .env_remove("GITHUB_WORKSPACE")
        .envs(variables.iter().copied());
    command.spawn().unwrap()
}

/// Runs the tool in a folder, which is also its project.
pub(crate) fn run_in(folder: &Folder, words: &[&str]) -> Run {
    finished(start_in(folder, &[], words), b"")
}

/// The same with these variables in its environment.
pub(crate) fn run_in_under(folder: &Folder, variables: &[(&str, &str)], words: &[&str]) -> Run {
    finished(start_in(folder, variables, words), b"")
}

/// Runs the tool where it can have no more than so many MiB of memory, mapped or not.
pub(crate) fn run_within<W: AsRef<OsStr>>(
    mebibytes: usize,
    words: impl IntoIterator<Item = W>,
) -> Run {
    run_limited(&format!("ulimit -v {}", mebibytes << 10), words)
}

/// Runs the tool where a shell said this first.
pub(crate) fn run_limited<W: AsRef<OsStr>>(limit: &str, words: impl IntoIterator<Item = W>) -> Run {
    let script = format!("{limit}; exec \"$@\"");
    let mut command = piped("sh");
    command.args(["-c", &script, "sh", TOOL]).args(words);
    finished(command.spawn().unwrap(), b"")
}

/// Runs a script behind these words, in which the tool is `$0`.
pub(crate) fn run_script(behind: &[&str], script: &str, words: &[&str]) -> Run {
    let mut line = behind.iter().copied().chain(["sh", "-c", script, TOOL]);
    let mut command = piped(line.next().expect("there is always a shell"));
    command.args(line).args(words);
    finished(command.spawn().unwrap(), b"")
}

/// Starts the tool in a folder, which is also its project, where a shell said this first.
pub(crate) fn start_limited_in(folder: &Folder, first: &str, words: &[&str]) -> Child {
    let script = format!("{first} exec \"$@\"");
    let mut command = piped("sh");
    command
        .args(["-c", &script, "sh", TOOL])
        .args(words)
        .current_dir(folder.path())
        .env("SCREENTEST_PROJECT_ROOT", folder.path())
        .env_remove("CI");
    command.spawn().unwrap()
}

fn finished(mut child: Child, stdin: &[u8]) -> Run {
    let mut input = child.stdin.take().unwrap();
    // Who does not read its input leaves before it is written.
    let _ = input.write_all(stdin);
    drop(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Starts the tool, with pipes to all its ends.
pub(crate) fn start<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Child {
    tool(words).spawn().unwrap()
}

/// The tool with these words.
fn tool<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> Command {
    let mut command = piped(TOOL);
    command.args(words);
    command
}

/// A program with pipes to all its ends, and without what a person may have set for pictures.
#[expect(
    clippy::disallowed_methods,
    reason = "what a script sees of the tool is seen through pipes, not through a terminal"
)]
fn piped(program: &str) -> Command {
    let mut command = Command::new(program);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for variable in ["SCREENTEST_FONT_PATH", "TUISPEC_FONT_PATH", "COLORFGBG"] {
        command.env_remove(variable);
    }
    command
}

/// Runs another program, which must succeed, and returns what it wrote.
#[track_caller]
pub(crate) fn command<W: AsRef<OsStr>>(
    program: &str,
    words: impl IntoIterator<Item = W>,
) -> String {
    command_in(Path::new("."), program, words)
}

/// The path of something that `cargo xtask test` installs below the project's folder.
#[track_caller]
pub(crate) fn installed(path: &str, what: &str) -> String {
    let found = project_path(path);
    assert!(
        Path::new(&found).exists(),
        "{what} is missing, in {path}: `cargo xtask test` installs it"
    );
    found
}

/// The same in a folder.
#[track_caller]
pub(crate) fn command_in<W: AsRef<OsStr>>(
    folder: &Path,
    program: &str,
    words: impl IntoIterator<Item = W>,
) -> String {
    command_in_under(folder, &[], program, words)
}

/// The same with these variables in its environment.
#[track_caller]
#[expect(
    clippy::disallowed_methods,
    reason = "what a person would type beside the tool"
)]
pub(crate) fn command_in_under<W: AsRef<OsStr>>(
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
    /// What was written, of a run that went well and had nothing to say.
    #[track_caller]
    pub(crate) fn done(self) -> Vec<u8> {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// The same as text.
    #[track_caller]
    pub(crate) fn text(self) -> String {
        String::from_utf8(self.done()).unwrap()
    }

    /// What was said, of a run that went well and wrote nothing to stdout.
    #[track_caller]
    pub(crate) fn noted(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert_eq!(String::from_utf8_lossy(&self.stdout), "");
        self.stderr
    }

    /// What was said, of a run that failed with this code and wrote nothing.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        assert_eq!(String::from_utf8_lossy(&self.stdout), "");
        masked(&self.stderr)
    }
}

/// What was said, without the times that a busy machine changes.
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

/// A directory for one test, removed behind it.
#[derive(Debug)]
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A place in it, as a word for the command line.
    pub(crate) fn join(&self, name: &str) -> String {
        self.path().join(name).to_str().unwrap().to_owned()
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// What a file in it holds.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap()
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// What it says without the path of this directory, which is another in every run.
    pub(crate) fn masked(&self, said: &str) -> String {
        said.replace(self.path().to_str().unwrap(), "FOLDER")
    }
}

/// No file of a folder holds this.
#[track_caller]
pub(crate) fn nowhere(folder: &str, secret: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(secret), "{}:\n{text}", path.display());
    }
}

/// Looks again and again, at what no wait can be asked for.
#[track_caller]
pub(crate) fn until(what: &str, done: impl Fn() -> bool) {
    let clock = screentest::Clock::system();
    while !done() {
        assert!(clock.now() < Duration::from_secs(20), "{what}: not in time");
        std::thread::yield_now();
    }
}

/// The file of the project at this path.
pub(crate) fn project(path: &str) -> String {
    std::fs::read_to_string(project_path(path)).unwrap()
}

/// Where that file is.
pub(crate) fn project_path(path: &str) -> String {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", path]
        .iter()
        .collect();
    root.to_str().unwrap().to_owned()
}
