//! Video: the pictures that ffmpeg turns into MP4 or WebM, and how it is asked to.
//!
//! Pictures come at a constant rate, each as red, green and blue from the top left on, for ffmpeg's standard input. A shot is
//! repeated as often as it is seen, so a pause stays a pause.
//!
//! Elsewhere: running ffmpeg. Nothing here starts a program.

use std::ffi::{OsStr, OsString};

use screentest_core::Screen;

use crate::Pixels;
use crate::animation::frame_delta::extent;
use crate::animation::{Animation, DrawError, Extent, FRAME_RATES, Painter};

/// The program that writes videos.
pub const PROGRAM: &str = "ffmpeg";

/// A kind of video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Container {
    /// H.264, which everything plays.
    Mp4,
    /// VP9, which is free.
    Webm,
}

/// Why a film is not a video.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VideoError {
    /// It cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A rate outside [`FRAME_RATES`].
    #[error("`{0}` frames a second: there are {min} to {max}", min = FRAME_RATES.start(), max = FRAME_RATES.end())]
    Rate(u32),
}

/// The pictures of a film at a constant rate.
#[derive(Debug)]
pub struct VideoFrames<'a, P> {
    animation: &'a Animation,
    painter: P,
    extent: Extent,
    rate: u32,
    pixels: Pixels,
    /// What the pixels show.
    shown: Option<&'a Screen>,
    /// The same as bytes.
    bytes: Vec<u8>,
    /// The next shot.
    next: usize,
    /// When it begins, in nanoseconds.
    start: u128,
    /// How often the picture is still to be given.
    left: u64,
}

impl<'a, P: Painter> VideoFrames<'a, P> {
    /// A film at so many pictures a second.
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

    /// How many pictures there are: at least one.
    pub fn frame_count(&self) -> u64 {
        self.ticks(self.animation.duration().as_nanos()).max(1)
    }

    /// The next picture: red, green and blue of each pixel. Nothing at the end.
    pub fn next_frame(&mut self) -> Option<&[u8]> {
        while self.left == 0 {
            let frame = self.animation.frames().get(self.next)?;
            let first = self.ticks(self.start);
            self.start += frame.duration.as_nanos();
            self.next += 1;
            self.left = self.ticks(self.start) - first;
            // A film that is shorter than a picture is one picture.
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

    /// How ffmpeg is called: it reads the pictures from its standard input and writes `output`, over what is there.
    pub fn arguments(&self, container: Container, output: &OsStr) -> Vec<OsString> {
        let Extent { width, height } = self.extent;
        let input = format!(
            "-hide_banner -loglevel error -y -f rawvideo -pixel_format rgb24 -video_size {width}x{height} \
             -framerate {rate} -i pipe:0",
            rate = self.rate
        );
        // Colours are kept for every two pixels, so both sides must be even.
        let common = "-an -vf pad=ceil(iw/2)*2:ceil(ih/2)*2 -pix_fmt yuv420p";
        let format = match container {
            Container::Mp4 => "-c:v libx264 -crf 20 -movflags +faststart -f mp4",
            Container::Webm => "-c:v libvpx-vp9 -b:v 0 -crf 30 -row-mt 1 -f webm",
        };
        let words = [&input, common, format].map(str::split_ascii_whitespace);
        let words = words.into_iter().flatten().map(OsString::from);
        words.chain([output.to_owned()]).collect()
    }

    /// The number of the picture that is shown at a time.
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
