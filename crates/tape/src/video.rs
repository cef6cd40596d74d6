//! Videos: pipes pictures to ffmpeg.
//!
//! ffmpeg may be missing, fail or hang. It exits when its input is closed, as when this process
//! ends, and a drop guard kills it on errors.
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
const MAX_MESSAGES: usize = 4096;

/// Why a video could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeVideoError {
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
    Frames(#[from] video::VideoError),
    /// The exit status of ffmpeg is unknown.
    #[error("could not wait for `{PROGRAM}`")]
    Wait(#[source] io::Error),
    /// ffmpeg failed.
    #[error("`{PROGRAM}` failed ({status}): {messages}")]
    Failed {
        /// Its exit status.
        status: ExitStatus,
        /// Its messages.
        messages: String,
    },
    /// ffmpeg succeeded but wrote no video.
    #[error("`{PROGRAM}` wrote nothing{messages}")]
    Empty {
        /// Its messages.
        messages: String,
    },
}

/// Checks whether ffmpeg is available, so that an error is reported before anything is drawn.
pub fn check() -> Result<(), TapeVideoError> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|directory| is_program(&directory.join(PROGRAM)));
    if found {
        Ok(())
    } else {
        Err(TapeVideoError::Missing)
    }
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = path.metadata();
    metadata.is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Writes a video file with `rate` frames per second. Calls `watch` with the number of finished
/// frames and the total; `watch` may stop it.
pub fn write<P: Painter>(
    animation: &Animation,
    painter: &P,
    container: Container,
    rate: u32,
    file: &Path,
    mut watch: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), TapeVideoError> {
    let mut frames = VideoFrames::new(animation, painter, rate)?;
    // The prefix is for names that begin with a hyphen or contain a colon.
    let mut output = OsString::from("file:");
    output.push(file);
    let mut ffmpeg = Ffmpeg::start(&frames.arguments(container, &output))?;
    let total = frames.frame_count();
    let mut done = 0;
    let mut control = watch(done, total);
    while control.is_continue()
        && let Some(picture) = frames.next_frame()
    {
        // If ffmpeg closes its input, it has failed and reports the reason when it exits.
        if ffmpeg.feed(picture).is_err() {
            break;
        }
        done += 1;
        control = watch(done, total);
    }
    if control.is_break() {
        return Err(TapeVideoError::Stopped);
    }
    let messages = ffmpeg.finish()?;
    // A successful exit does not mean that a video was written: `ffmpeg` may be a wrapper script,
    // or a filter may drop every frame.
    if fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0) {
        Ok(())
    } else {
        Err(TapeVideoError::Empty {
            messages: if messages.is_empty() {
                " and reported no error".to_owned()
            } else {
                format!(": {messages}")
            },
        })
    }
}

/// A running ffmpeg; killed on drop.
struct Ffmpeg {
    child: Child,
    messages: Option<JoinHandle<Vec<u8>>>,
}

impl Ffmpeg {
    #[expect(
        clippy::disallowed_methods,
        reason = "ffmpeg reads pictures from a pipe and needs no terminal"
    )]
    fn start(arguments: &[OsString]) -> Result<Ffmpeg, TapeVideoError> {
        let child = Command::new(PROGRAM)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TapeVideoError::Missing,
            _ => TapeVideoError::Start(error),
        })?;
        // Read while ffmpeg runs: a full pipe would block it.
        let messages = child
            .stderr
            .take()
            .map(|stderr| thread::spawn(|| read_messages(stderr)));
        Ok(Ffmpeg { child, messages })
    }

    fn feed(&mut self, picture: &[u8]) -> io::Result<()> {
        match &mut self.child.stdin {
            Some(stdin) => stdin.write_all(picture),
            None => Ok(()),
        }
    }

    /// Waits for the exit. Returns an error if ffmpeg failed, else its messages.
    fn finish(mut self) -> Result<String, TapeVideoError> {
        drop(self.child.stdin.take());
        let status = self.child.wait().map_err(TapeVideoError::Wait)?;
        let messages = self.messages.take().map(JoinHandle::join);
        let messages = messages.and_then(Result::ok).unwrap_or_default();
        let messages = String::from_utf8_lossy(&messages).trim().to_owned();
        match (status.success(), messages.is_empty()) {
            (true, _) => Ok(messages),
            (false, true) => Err(TapeVideoError::Failed {
                status,
                messages: "no error message".to_owned(),
            }),
            (false, false) => Err(TapeVideoError::Failed { status, messages }),
        }
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // Both fail only if it has exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads all messages, and returns the last bytes of them.
fn read_messages(mut stderr: impl Read) -> Vec<u8> {
    let mut all = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        all.extend(buffer.iter().take(count));
        let old = all.len().saturating_sub(MAX_MESSAGES);
        all.drain(..old);
    }
    all
}
