//! Videos, with the feature `render`: pipes pictures to ffmpeg.
//!
//! ffmpeg may be missing, fail or hang. It never outlives this process: it exits when its input is
//! closed, and a drop guard kills it on errors.
//!
//! See also: `screentest_render::video` (the pictures and the arguments for ffmpeg).

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

/// How many bytes of ffmpeg's messages are kept. The reason of a failure is short and at the end.
const HEARD: usize = 4096;

/// Why a video could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VideoError {
    /// ffmpeg was not found.
    #[error("mp4 and webm are written by `{PROGRAM}`, which was not found in PATH")]
    Missing,
    /// ffmpeg could not be started.
    #[error("could not start `{PROGRAM}`")]
    Start(#[source] io::Error),
    /// The caller stopped it.
    #[error("the video was not finished")]
    Stopped,
    /// The frames cannot be made into a video.
    #[error(transparent)]
    Film(#[from] video::VideoError),
    /// The exit status of ffmpeg is unknown.
    #[error("could not wait for `{PROGRAM}`")]
    Wait(#[source] io::Error),
    /// ffmpeg failed.
    #[error("`{PROGRAM}` failed ({ended}): {said}")]
    Failed {
        /// Its exit status.
        ended: ExitStatus,
        /// Its messages.
        said: String,
    },
    /// ffmpeg succeeded but wrote no video.
    #[error("`{PROGRAM}` wrote nothing{said}")]
    Empty {
        /// Its messages.
        said: String,
    },
}

/// Checks whether ffmpeg is available, so that an error is reported before anything is drawn.
pub fn check() -> Result<(), VideoError> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|folder| is_program(&folder.join(PROGRAM)));
    if found {
        Ok(())
    } else {
        Err(VideoError::Missing)
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let about = path.metadata();
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Writes a video file with `rate` frames per second. Calls `watch` with the number of finished
/// frames and the total; `watch` may stop it.
pub fn write<P: Painter>(
    film: &Animation,
    painter: &P,
    container: Container,
    rate: u32,
    file: &Path,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), VideoError> {
    let mut reel = VideoFrames::new(film, painter, rate)?;
    // The prefix is for names that begin with a hyphen or contain a colon.
    let mut output = OsString::from("file:");
    output.push(file);
    let mut running = Running::start(&reel.arguments(container, &output))?;
    let pictures = reel.frame_count();
    let mut step = 0;
    let mut going = watch(step, pictures);
    while going.is_continue()
        && let Some(picture) = reel.next_frame()
    {
        // If ffmpeg closes its input, it has failed and reports the reason when it exits.
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
    // A successful exit does not mean that a video was written: `ffmpeg` may be a wrapper script,
    // or a filter may drop every frame.
    if fs::metadata(file).is_ok_and(|about| about.len() > 0) {
        Ok(())
    } else {
        Err(VideoError::Empty {
            said: if said.is_empty() {
                " and reported no error".to_owned()
            } else {
                format!(": {said}")
            },
        })
    }
}

/// A running ffmpeg; killed on drop.
struct Running {
    child: Child,
    said: Option<JoinHandle<Vec<u8>>>,
}

impl Running {
    #[expect(
        clippy::disallowed_methods,
        reason = "ffmpeg reads pictures from a pipe and needs no terminal"
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
        // Read while ffmpeg runs: a full pipe would block it.
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

    /// Waits for the exit. Returns an error if ffmpeg failed, else its messages.
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
                said: "no error message".to_owned(),
            }),
            (false, false) => Err(VideoError::Failed { ended, said }),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if it has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads all messages, and returns the last bytes of them.
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
