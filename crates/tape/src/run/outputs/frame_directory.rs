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

use super::OutputError;
use crate::run::paths;

/// The most pictures that a directory may have: half an hour at 50 frames per second.
const MAX_PICTURES: u64 = 100_000;

/// The number of pictures is over the limit.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} pictures are over the limit of {MAX_PICTURES} for a directory of frames: use a lower `Framerate`"
)]
pub(in crate::run) struct TooManyPictures(u64);

/// Writes the pictures of a video, `rate` per second.
pub(super) fn write(
    animation: &Animation,
    mut painter: ScreenPainter,
    rate: u32,
    directory: &Path,
    is_interrupted: impl Fn() -> bool,
) -> Result<(), OutputError> {
    let rate = u128::from(rate);
    let ticks = |time: Duration| (time.as_nanos() * rate).div_ceil(1_000_000_000) as u64;
    let count = ticks(animation.duration()).max(1);
    if count > MAX_PICTURES {
        return Err(TooManyPictures(count).into());
    }
    let temp = paths::temp_dir_near(directory)?;
    let extent = painter.extent(animation.size());
    let mut pixels = Pixels::filled(extent.width, extent.height, [0, 0, 0, 255]);
    let mut before: Option<&Screen> = None;
    let (mut time, mut number) = (Duration::ZERO, 0);
    for frame in animation.frames() {
        time += frame.duration;
        let end = ticks(time).max(u64::from(animation.frames().len() == 1));
        if number < end {
            painter.paint(&frame.screen, before, &mut pixels);
            before = Some(&frame.screen);
            let picture = render::png::encode(&pixels)?;
            while number < end {
                if is_interrupted() {
                    return Err(OutputError::Interrupted);
                }
                fs::write(temp.path().join(name(number)), &picture)?;
                number += 1;
            }
        }
    }
    Ok(move_into_place(temp.path(), number, directory)?)
}

/// Moves the pictures to their directory, and removes further pictures of an earlier, longer video.
fn move_into_place(from: &Path, count: u64, directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    for name in (0..count).map(name) {
        fs::rename(from.join(&name), directory.join(&name))?;
    }
    let left = (count..).map(|number| directory.join(name(number)));
    let is_file = |path: &std::path::PathBuf| path.symlink_metadata().is_ok_and(|it| it.is_file());
    left.take_while(is_file).try_for_each(fs::remove_file)
}

fn name(number: u64) -> String {
    format!("{number:05}.png")
}
