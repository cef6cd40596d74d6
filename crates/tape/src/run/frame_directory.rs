//! Writes a directory of frames: one picture for every tick of the frame rate, so that the files
//! represent the times too.
//!
//! All files are first written to a temporary directory, so that an interrupted run leaves existing
//! files alone. Only files with consecutive numbers (`00000.png` and up) are replaced or removed.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use screentest_core::Screen;
use screentest_render::animation::Painter;
use screentest_render::{self as render, Animation, Pixels, ScreenPainter};

use super::outputs::OutputError;
use super::paths::Scratch;

/// The most pictures that a directory may have: half an hour at 50 frames per second.
const MOST: u64 = 100_000;

/// The number of pictures is over the limit.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} pictures are over the limit of {MOST} for a directory of frames: use a lower `Framerate`"
)]
pub(super) struct TooMany(u64);

/// Writes the pictures of a video, `rate` per second.
pub(super) fn write(
    film: &Animation,
    mut camera: ScreenPainter,
    rate: u32,
    folder: &Path,
    stopped: impl Fn() -> bool,
) -> Result<(), OutputError> {
    let rate = u128::from(rate);
    let ticks = |time: Duration| (time.as_nanos() * rate).div_ceil(1_000_000_000) as u64;
    let all = ticks(film.duration()).max(1);
    if all > MOST {
        return Err(TooMany(all).into());
    }
    let scratch = Scratch::near(folder)?;
    let extent = camera.extent(film.size());
    let mut pixels = Pixels::filled(extent.width, extent.height, [0, 0, 0, 255]);
    let mut before: Option<&Screen> = None;
    let (mut time, mut number) = (Duration::ZERO, 0);
    for shot in film.frames() {
        time += shot.duration;
        let end = ticks(time).max(u64::from(film.frames().len() == 1));
        if number < end {
            camera.paint(&shot.screen, before, &mut pixels);
            before = Some(&shot.screen);
            let picture = render::png::encode(&pixels)?;
            while number < end {
                if stopped() {
                    return Err(OutputError::Stopped);
                }
                fs::write(scratch.path().join(name(number)), &picture)?;
                number += 1;
            }
        }
    }
    Ok(settle(scratch.path(), number, folder)?)
}

/// Moves the pictures to their directory, and removes further pictures of an earlier, longer video.
fn settle(made: &Path, count: u64, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for name in (0..count).map(name) {
        fs::rename(made.join(&name), folder.join(&name))?;
    }
    let left = (count..).map(|number| folder.join(name(number)));
    let is_file = |path: &std::path::PathBuf| path.symlink_metadata().is_ok_and(|it| it.is_file());
    left.take_while(is_file).try_for_each(fs::remove_file)
}

fn name(number: u64) -> String {
    format!("{number:05}.png")
}
