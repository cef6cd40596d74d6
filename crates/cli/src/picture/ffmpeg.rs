//! Videos: ffmpeg, fed with pictures.
//!
//! It is a program of the system, which may be missing, fail or hang. Whatever happens, it does not outlive us: closed
//! input ends it, and a guard kills it where we fail first. It writes to a file that is not yet the one that was asked for.
//!
//! Elsewhere: the pictures and the words for ffmpeg (`screentest_render::video`).

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context, anyhow};
use screentest::render::film::{Film, Painter};
use screentest::render::video::{Container, PROGRAM, Reel};

use super::progress::Progress;
use crate::failure::{Exit, Failure};

/// How much of what ffmpeg says is kept: its reasons are short, and stand at the end.
const HEARD: usize = 4096;

/// Whether ffmpeg is there: better known before anything is drawn.
pub(super) fn check() -> Result<(), Failure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|folder| is_program(&folder.join(PROGRAM)));
    match found {
        true => Ok(()),
        false => Err(missing()),
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let about = path.metadata();
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

fn missing() -> Failure {
    Failure::usage(anyhow!(
        "mp4 and webm are written by `{PROGRAM}`, which was not found in PATH"
    ))
    .hint(
        "`apt install ffmpeg` or `brew install ffmpeg` gets it; gif, apng and webp need no other program",
    )
}

/// Writes a video to a file.
pub(super) fn write<P: Painter>(
    film: &Film,
    painter: &P,
    container: Container,
    rate: u32,
    file: &Path,
    progress: &Progress,
) -> Result<(), Failure> {
    let mut reel = Reel::new(film, painter, rate).map_err(Failure::usage)?;
    progress.part("filming", reel.pictures());
    // A name that begins with a hyphen, or has a colon in it, is a file all the same.
    let mut output = OsString::from("file:");
    output.push(file);
    let mut running = Running::start(&reel.arguments(container, &output))?;
    let mut step = 0;
    while let Some(picture) = reel.next_picture() {
        // Who closes its input has a reason, and says it when asked for its end.
        if running.feed(picture).is_err() {
            break;
        }
        step += 1;
        progress.reached(step);
    }
    let said = running.finish()?;
    // What ends well has not always done its work: a script in its place, or a filter that drops every picture.
    match fs::metadata(file).is_ok_and(|about| about.len() > 0) {
        true => Ok(()),
        false => Err(empty(&said)),
    }
}

/// ffmpeg at work; dropped, it is killed.
struct Running {
    child: Child,
    said: Option<JoinHandle<Vec<u8>>>,
}

impl Running {
    #[expect(
        clippy::disallowed_methods,
        reason = "ffmpeg reads pictures from a pipe; it is no program of a terminal"
    )]
    fn start(words: &[OsString]) -> Result<Running, Failure> {
        let child = Command::new(PROGRAM)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => missing(),
            _ => Failure::usage(anyhow!(error).context(format!("could not start `{PROGRAM}`"))),
        })?;
        // Read while it works: a pipe that is full would stop it.
        let said = child
            .stderr
            .take()
            .map(|stderr| thread::spawn(|| heard(stderr)));
        Ok(Running { child, said })
    }

    fn feed(&mut self, picture: &[u8]) -> io::Result<()> {
        match &mut self.child.stdin {
            Some(stdin) => stdin.write_all(picture),
            None => Ok(()),
        }
    }

    /// Waits for its end, and tells what went wrong, else what it had to say.
    fn finish(mut self) -> Result<String, Failure> {
        drop(self.child.stdin.take());
        let ended = self.child.wait();
        let ended = ended
            .with_context(|| format!("could not wait for `{PROGRAM}`"))
            .map_err(|error| Failure::new(Exit::Internal, error))?;
        let said = self.said.take().map(JoinHandle::join);
        let said = said.and_then(Result::ok).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        match ended.success() {
            true => Ok(said),
            false => Err(refused(ended, &said)),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only where it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn refused(ended: ExitStatus, said: &str) -> Failure {
    let reason = match said {
        "" => "it said nothing",
        said => said,
    };
    failed(format!("`{PROGRAM}` failed ({ended}): {reason}"))
}

fn empty(said: &str) -> Failure {
    failed(match said {
        "" => format!("`{PROGRAM}` wrote nothing, and did not say why"),
        said => format!("`{PROGRAM}` wrote nothing: {said}"),
    })
}

fn failed(what: String) -> Failure {
    Failure::new(Exit::Internal, anyhow!(what)).hint("gif, apng and webp need no other program")
}

/// The end of what was said.
fn heard(mut stderr: impl Read) -> Vec<u8> {
    let mut all = Vec::new();
    let mut some = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut some) {
        all.extend(some.iter().take(count));
        let old = all.len().saturating_sub(HEARD);
        all.drain(..old);
    }
    all
}
