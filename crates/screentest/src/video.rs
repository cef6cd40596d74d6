//! Videos, with the feature `render`: ffmpeg, fed with pictures.
//!
//! It is a program of the system, which may be missing, fail or hang. Whatever happens, it does not outlive us: closed
//! input ends it, and a guard kills it where we fail first.
//!
//! Elsewhere: the pictures and the words for ffmpeg (`screentest_render::video`).

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use screentest_render::animation::{Animation, Painter};
use screentest_render::video::{self, Container, PROGRAM, VideoFrames};

/// How much of what ffmpeg says is kept: its reasons are short, and stand at the end.
const HEARD: usize = 4096;

/// Why there is no video.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VideoError {
    /// The program is not there.
    #[error("mp4 and webm are written by `{PROGRAM}`, which was not found in PATH")]
    Missing,
    /// The program is there, and cannot be started.
    #[error("could not start `{PROGRAM}`")]
    Start(#[source] io::Error),
    /// Whoever watched ended it.
    #[error("the video was not finished")]
    Stopped,
    /// The film is none that a video can be made of.
    #[error(transparent)]
    Film(#[from] video::VideoError),
    /// Nobody knows how it ended.
    #[error("could not wait for `{PROGRAM}`")]
    Wait(#[source] io::Error),
    /// It failed.
    #[error("`{PROGRAM}` failed ({ended}): {said}")]
    Failed {
        /// How it ended.
        ended: ExitStatus,
        /// What it said.
        said: String,
    },
    /// It ended well, and there is no video.
    #[error("`{PROGRAM}` wrote nothing{said}")]
    Empty {
        /// What it said.
        said: String,
    },
}

/// Whether ffmpeg is there: better known before anything is drawn.
pub fn check() -> Result<(), VideoError> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|folder| is_program(&folder.join(PROGRAM)));
    match found {
        true => Ok(()),
        false => Err(VideoError::Missing),
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let about = path.metadata();
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Writes a video to a file, with so many pictures a second. Whoever watches is told how many pictures are done, and of how many, and
/// may end it.
pub fn write<P: Painter>(
    film: &Animation,
    painter: &P,
    container: Container,
    rate: u32,
    file: &Path,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), VideoError> {
    let mut reel = VideoFrames::new(film, painter, rate)?;
    // A name that begins with a hyphen, or has a colon in it, is a file all the same.
    let mut output = OsString::from("file:");
    output.push(file);
    let mut running = Running::start(&reel.arguments(container, &output))?;
    let pictures = reel.frame_count();
    let mut step = 0;
    let mut going = watch(step, pictures);
    while going.is_continue()
        && let Some(picture) = reel.next_frame()
    {
        // Who closes its input has a reason, and says it when asked for its end.
        if running.feed(picture).is_err() {
            break;
        }
        step += 1;
        going = watch(step, pictures);
    }
    if going.is_break() {
        return Err(VideoError::Stopped);
    }
    let said = running.finish()?;
    // What ends well has not always done its work: a script in its place, or a filter that drops every picture.
    match fs::metadata(file).is_ok_and(|about| about.len() > 0) {
        true => Ok(()),
        false => Err(VideoError::Empty {
            said: match said.is_empty() {
                true => ", and did not say why".to_owned(),
                false => format!(": {said}"),
            },
        }),
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
    fn start(words: &[OsString]) -> Result<Running, VideoError> {
        let child = Command::new(PROGRAM)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => VideoError::Missing,
            _ => VideoError::Start(error),
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
    fn finish(mut self) -> Result<String, VideoError> {
        drop(self.child.stdin.take());
        let ended = self.child.wait().map_err(VideoError::Wait)?;
        let said = self.said.take().map(JoinHandle::join);
        let said = said.and_then(Result::ok).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).trim().to_owned();
        match (ended.success(), said.is_empty()) {
            (true, _) => Ok(said),
            (false, true) => Err(VideoError::Failed {
                ended,
                said: "it said nothing".to_owned(),
            }),
            (false, false) => Err(VideoError::Failed { ended, said }),
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
