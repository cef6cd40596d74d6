//! Draws screens and recordings: pictures, animations and videos.

use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow};
use screentest::core::{RecordingFrame, Screen, Size, Theme};
use screentest::render::animation::{
    self, Animation, AnimationError, EncodeError, EncodeOptions, Painter, PixelSize, Threads,
};
use screentest::render::picture;
use screentest::render::{
    self as render, Fonts, RenderOptions, ScreenPainter, apng, draw, html, svg, webp,
};
use screentest_tape::video::{self, TapeVideoError};

use super::atomic_file::write_error;
use super::picture_format::PictureFormat;
use super::progress::Progress;
use crate::args::picture_args::{TimingArgs, font_args};
use crate::failure::{Exit, Failure};
use crate::input::Content;
use crate::input::recording::Recording;
use crate::output::format::OutputFormat;

/// Writes of an asciicast within this time after the first of a group become one frame: programs
/// draw a screen in several writes, and the eye cannot see the steps.
const MERGE_WITHIN: Duration = Duration::from_millis(10);

/// Draws in one format, with loaded fonts.
#[derive(Debug)]
pub(crate) struct PictureRenderer {
    format: PictureFormat,
    fonts: Fonts,
    options: RenderOptions,
    timing: TimingArgs,
}

impl PictureRenderer {
    /// Creates a renderer. The caller has checked the options.
    pub(crate) fn new(
        format: PictureFormat,
        fonts: Fonts,
        options: RenderOptions,
        timing: TimingArgs,
    ) -> PictureRenderer {
        PictureRenderer {
            format,
            fonts,
            options,
            timing,
        }
    }

    /// Returns the format.
    pub(crate) fn format(&self) -> PictureFormat {
        self.format
    }

    /// Returns whether the format is written with [`PictureRenderer::write`], not drawn in memory.
    pub(crate) fn needs_file(&self) -> bool {
        self.format.is_animated()
    }

    /// Checks that a screen of this size can be drawn, before there is one.
    pub(crate) fn check(&self, size: Size) -> Result<(), Failure> {
        if self.format.is_text() {
            return Ok(());
        }
        let painter = self.painter(&Theme::default())?;
        let PixelSize { width, height } = painter.extent(size);
        // An animation keeps several frames in memory.
        let max_pixels = match self.format {
            PictureFormat::Png => picture::MAX_PIXELS,
            _ => animation::MAX_FRAME_PIXELS,
        };
        let limit = match self.format.longest_side() {
            _ if width.saturating_mul(height) > max_pixels => {
                format!("the maximum is {max_pixels} in total")
            }
            Some(side) if width.max(height) > side => {
                format!(
                    "{} allows at most {side} per side",
                    OutputFormat::Picture(self.format)
                )
            }
            _ => return Ok(()),
        };
        Err(Failure::usage(anyhow!(
            "a screen of {size} needs a picture of {width}x{height} pixels, and {limit}"
        ))
        .hint("use a smaller `--font-size`, `--scale 1`, or fewer columns and rows; svg has no such limit"))
    }

    /// Draws a screen and returns the bytes of the file.
    pub(crate) fn draw(&self, content: &Content, theme: &Theme) -> Result<Vec<u8>, Failure> {
        let bytes = self.encode_still(&content.last()?.screen, theme)?;
        font_args::print_notes(&self.fonts);
        Ok(bytes)
    }

    /// Writes an animation or a video to an existing file. Long ones do not fit into memory. `path`
    /// is the name of the file in errors.
    pub(crate) fn write(
        &self,
        content: &Content,
        theme: &Theme,
        file: &Path,
        path: &Path,
    ) -> Result<(), Failure> {
        let progress = Progress::start();
        let animation = self.animation(content, &progress)?;
        let painter = self.painter(theme)?;
        match self.format.container() {
            Some(container) => {
                let rate = self.timing.frame_rate();
                let on_step = |step, pictures| {
                    match step {
                        0 => progress.begin("drawing", pictures),
                        step => progress.advance_to(step),
                    }
                    ControlFlow::Continue(())
                };
                video::write(&animation, &painter, container, rate, file, on_step)
                    .map_err(video_failure)?;
            }
            None => {
                let file = File::options().write(true).open(file);
                let file = file.with_context(|| write_error(path));
                let file = BufWriter::new(file.map_err(Failure::usage)?);
                self.encode_animation(&animation, &painter, &progress, file)
                    .map_err(|error| match error {
                        EncodeError::Write { source, .. } => {
                            Failure::usage(anyhow::Error::new(source).context(write_error(path)))
                        }
                        EncodeError::Encode { .. } => Failure::new(Exit::Internal, error),
                        _ => Failure::usage(error),
                    })?;
            }
        }
        drop(progress);
        font_args::print_notes(&self.fonts);
        Ok(())
    }

    fn encode_still(&self, screen: &Screen, theme: &Theme) -> Result<Vec<u8>, Failure> {
        self.check(screen.size)?;
        let PictureRenderer { fonts, options, .. } = self;
        match self.format {
            PictureFormat::Svg => svg::write(screen, theme, options)
                .map(String::into_bytes)
                .map_err(Failure::usage),
            PictureFormat::Html => html::fragment(screen, theme, options)
                .map(String::into_bytes)
                .map_err(Failure::usage),
            _ => {
                let pixels = draw(screen, theme, fonts, options).map_err(Failure::usage)?;
                render::png::encode(&pixels).map_err(Failure::usage)
            }
        }
    }

    fn encode_animation(
        &self,
        animation: &Animation,
        painter: &ScreenPainter,
        progress: &Progress,
        file: BufWriter<File>,
    ) -> Result<(), EncodeError> {
        let options = EncodeOptions {
            repeat: self.timing.repeat(),
            threads: Threads::available(),
            progress: progress.encoder_progress("writing"),
        };
        match self.format {
            PictureFormat::Apng => apng::write(animation, painter, &options, file),
            PictureFormat::Webp => webp::write(animation, painter, &options, file),
            _ => render::gif::write(animation, painter, &options, file),
        }
    }

    fn painter(&self, theme: &Theme) -> Result<ScreenPainter, Failure> {
        ScreenPainter::new(theme, &self.fonts, &self.options).map_err(Failure::usage)
    }

    /// Returns the frames and their durations.
    fn animation(&self, content: &Content, progress: &Progress) -> Result<Animation, Failure> {
        match content {
            Content::Screen(state) => {
                self.check(state.screen.size)?;
                let screen = state.screen.clone();
                if self.format.is_video() {
                    // A video of one screen must last long enough to be seen.
                    self.animate(
                        [RecordingFrame {
                            time: Duration::ZERO,
                            screen,
                        }],
                        None,
                    )
                } else {
                    Ok(Animation::still(screen))
                }
            }
            Content::Recording(recording) => {
                // Check first: playing large screens takes time and memory.
                self.check(recording.max_size()?)?;
                self.animate_recording(recording, progress)
            }
        }
    }

    fn animate_recording(
        &self,
        recording: &Recording,
        progress: &Progress,
    ) -> Result<Animation, Failure> {
        let millis = |time: Duration| time.as_millis() as u64;
        progress.begin("playing", millis(recording.duration()));
        let limit = recording.header().idle_limit;
        let animation = recording.play(MERGE_WITHIN, |frames| {
            let frames = frames.inspect(|frame| progress.advance_to(millis(frame.time)));
            self.animate(frames, limit)
        })?;
        self.timing.check_offset(animation.duration())?;
        Ok(animation)
    }

    /// Makes an animation of frames. A recording may have its own limit for pauses.
    fn animate(
        &self,
        frames: impl IntoIterator<Item = RecordingFrame>,
        own_limit: Option<Duration>,
    ) -> Result<Animation, Failure> {
        let options = self.timing.animation_options(self.format, own_limit);
        Animation::new(frames, &options).map_err(|error| match error {
            AnimationError::TooLong => Failure::usage(error)
                .hint("`--idle-limit`, `--speed` and a smaller `--hold` shorten it"),
            _ => Failure::usage(error),
        })
    }
}

/// Converts the error into a failure.
pub(crate) fn video_failure(error: TapeVideoError) -> Failure {
    match error {
        TapeVideoError::Missing => Failure::usage(error).hint(
            "install it with `apt install ffmpeg` or `brew install ffmpeg`; gif, apng and webp do not need it",
        ),
        TapeVideoError::Start(_) | TapeVideoError::Frames(_) => Failure::usage(error),
        TapeVideoError::Wait(_) => Failure::new(Exit::Internal, error),
        error => Failure::new(Exit::Internal, error).hint("gif, apng and webp do not need ffmpeg"),
    }
}
