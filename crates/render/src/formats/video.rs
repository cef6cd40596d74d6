//! Video: the frames that ffmpeg encodes as MP4 or WebM, and ffmpeg's arguments.
//!
//! Frames have a constant rate. Each is sent to ffmpeg's standard input as red, green and blue from
//! the upper left. An animation's frame is repeated for as long as it is shown, so a pause stays a
//! pause.
//!
//! This module starts no program; running ffmpeg is left to the caller.

use std::ffi::{OsStr, OsString};

use screentest_core::Screen;

use crate::Pixels;
use crate::animation::frame_delta::extent;
use crate::animation::{Animation, DrawError, FRAME_RATES, Painter, PixelSize};

/// The program that encodes videos.
pub const PROGRAM: &str = "ffmpeg";

/// A video format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// H.264, which every player supports.
    Mp4,
    /// VP9, which is royalty-free.
    Webm,
}

/// Reasons why an animation cannot become a video.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VideoError {
    /// The animation cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// The rate is outside [`FRAME_RATES`].
    #[error(
        "frame rate `{0}` is out of range: {min} to {max} frames per second",
        min = FRAME_RATES.start(),
        max = FRAME_RATES.end()
    )]
    Rate(u32),
}

/// The frames of an animation at a constant rate.
#[derive(Debug)]
pub struct VideoFrames<'a, P> {
    animation: &'a Animation,
    painter: P,
    extent: PixelSize,
    rate: u32,
    pixels: Pixels,
    /// The screen that the pixels show.
    shown: Option<&'a Screen>,
    /// The pixels as red, green and blue.
    bytes: Vec<u8>,
    /// Index of the next frame of the animation.
    next: usize,
    /// Start of that frame in nanoseconds.
    start: u128,
    /// Number of times that the current frame is still to be returned.
    left: u64,
}

impl<'a, P: Painter> VideoFrames<'a, P> {
    /// Converts an animation to this number of frames per second.
    pub fn new(
        animation: &'a Animation,
        painter: &P,
        rate: u32,
    ) -> Result<VideoFrames<'a, P>, VideoError> {
        if !FRAME_RATES.contains(&rate) {
            return Err(VideoError::Rate(rate));
        }
        let extent = extent(animation, painter)?;
        Ok(VideoFrames {
            animation,
            painter: painter.clone(),
            extent,
            rate,
            pixels: Pixels::filled(extent.width, extent.height, [0, 0, 0, 255]),
            shown: None,
            bytes: Vec::with_capacity(extent.pixels() * 3),
            next: 0,
            start: 0,
            left: 0,
        })
    }

    /// Returns the number of frames; at least one.
    pub fn frame_count(&self) -> u64 {
        self.ticks(self.animation.duration().as_nanos()).max(1)
    }

    /// Returns the next frame as red, green and blue of each pixel; `None` at the end.
    pub fn next_frame(&mut self) -> Option<&[u8]> {
        while self.left == 0 {
            let frame = self.animation.frames().get(self.next)?;
            let first = self.ticks(self.start);
            self.start += frame.duration.as_nanos();
            self.next += 1;
            self.left = self.ticks(self.start) - first;
            // An animation that is shorter than one video frame becomes one frame.
            if self.next == self.animation.frames().len() && self.ticks(self.start) == 0 {
                self.left = 1;
            }
            if self.left > 0 {
                self.draw(&frame.screen);
            }
        }
        self.left -= 1;
        Some(&self.bytes)
    }

    /// Returns the arguments for ffmpeg. It reads frames from its standard input and overwrites
    /// `output`.
    pub fn arguments(&self, container: Container, output: &OsStr) -> Vec<OsString> {
        let PixelSize { width, height } = self.extent;
        let input = format!(
            "-hide_banner -loglevel error -y -f rawvideo -pixel_format rgb24 -video_size {width}x{height} \
             -framerate {rate} -i pipe:0",
            rate = self.rate
        );
        // Colour is stored once per two pixels in each direction, so both sides must be even.
        let common = "-an -vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -pix_fmt yuv420p";
        let format = match container {
            Container::Mp4 => "-c:v libx264 -crf 20 -movflags +faststart -f mp4",
            Container::Webm => "-c:v libvpx-vp9 -b:v 0 -crf 30 -row-mt 1 -f webm",
        };
        let words = [&input, common, format].map(str::split_ascii_whitespace);
        let words = words.into_iter().flatten().map(OsString::from);
        words.chain([output.to_owned()]).collect()
    }

    /// Returns the index of the video frame at a time.
    fn ticks(&self, nanos: u128) -> u64 {
        const SECOND: u128 = 1_000_000_000;
        ((nanos * u128::from(self.rate) + SECOND / 2) / SECOND) as u64
    }

    fn draw(&mut self, screen: &'a Screen) {
        self.painter.paint(screen, self.shown, &mut self.pixels);
        self.shown = Some(screen);
        self.bytes.clear();
        let pixels = self.pixels.data().iter();
        self.bytes
            .extend(pixels.flat_map(|[r, g, b, _]| [*r, *g, *b]));
    }
}
