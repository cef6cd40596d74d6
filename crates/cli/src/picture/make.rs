//! A screen or a recording, drawn.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use screentest::core::{Frame, Screen, Size, Theme};
use screentest::render::animation::{
    self, Animation, AnimationError, EncodeError, EncodeOptions, Extent, Painter, Threads,
};
use screentest::render::picture;
use screentest::render::{self as render, ScreenPainter, apng, draw, html, svg, webp};
use screentest_tape::video::{self, VideoError};

use super::progress::Progress;
use super::{Look, Medium, letters};
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::input::Content;
use crate::recording::Recording;

/// Writes within this time of each other are one picture: programs draw a screen in several goes, and no eye sees them
/// apart.
const CLOSE: Duration = Duration::from_millis(10);

impl Look {
    /// Whether a screen of this size can be drawn: better known before it is there.
    pub(crate) fn check(&self, size: Size) -> Result<(), Failure> {
        if self.medium.is_text() {
            return Ok(());
        }
        let camera = self.camera(&Theme::default())?;
        let Extent { width, height } = camera.extent(size);
        // A film keeps several pictures at once.
        let most = match self.medium {
            Medium::Png => picture::MAX_PIXELS,
            _ => animation::MAX_FRAME_PIXELS,
        };
        let fault = match self.medium.longest_side() {
            _ if width.saturating_mul(height) > most => format!("the most are {most} in all"),
            Some(side) if width.max(height) > side => {
                format!(
                    "{} has at most {side} on a side",
                    Format::Drawn(self.medium)
                )
            }
            _ => return Ok(()),
        };
        Err(Failure::usage(anyhow!(
            "a screen of {size} makes a picture of {width}x{height} pixels, and {fault}"
        ))
        .hint("a smaller `--font-size`, `--scale 1` or fewer columns and rows make it smaller; svg has no such limit"))
    }

    /// Draws it: the bytes of a file.
    pub(crate) fn draw(&self, content: &Content, theme: &Theme) -> Result<Vec<u8>, Failure> {
        let bytes = match self.medium {
            Medium::Png | Medium::Svg | Medium::Html => {
                self.still(&content.last()?.screen, theme)?
            }
            _ => self.moving(content, theme)?,
        };
        letters::tell(&self.fonts);
        Ok(bytes)
    }

    /// Films it: a video in a file that is there for it.
    pub(crate) fn film(
        &self,
        content: &Content,
        theme: &Theme,
        file: &Path,
    ) -> Result<(), Failure> {
        let progress = Progress::start();
        let film = self.shots(content, &progress)?;
        let camera = self.camera(theme)?;
        let rate = self.motion.frame_rate();
        if let Some(container) = self.medium.container() {
            let watch = |step, pictures| {
                match step {
                    0 => progress.part("filming", pictures),
                    step => progress.reached(step),
                }
                ControlFlow::Continue(())
            };
            video::write(&film, &camera, container, rate, file, watch).map_err(unfilmed)?;
        }
        drop(progress);
        letters::tell(&self.fonts);
        Ok(())
    }

    fn still(&self, screen: &Screen, theme: &Theme) -> Result<Vec<u8>, Failure> {
        self.check(screen.size)?;
        let Look { fonts, options, .. } = self;
        match self.medium {
            Medium::Svg => svg::write(screen, theme, options)
                .map(String::into_bytes)
                .map_err(Failure::usage),
            Medium::Html => html::fragment(screen, theme, options)
                .map(String::into_bytes)
                .map_err(Failure::usage),
            _ => {
                let pixels = draw(screen, theme, fonts, options).map_err(Failure::usage)?;
                render::png::encode(&pixels).map_err(Failure::usage)
            }
        }
    }

    fn moving(&self, content: &Content, theme: &Theme) -> Result<Vec<u8>, Failure> {
        let progress = Progress::start();
        let film = self.shots(content, &progress)?;
        let camera = self.camera(theme)?;
        let writing = EncodeOptions {
            repeat: self.motion.repeat(),
            threads: Threads::available(),
            progress: progress.listener("writing"),
        };
        let written = match self.medium {
            Medium::Apng => apng::encode(&film, &camera, &writing),
            Medium::Webp => webp::encode(&film, &camera, &writing),
            _ => render::gif::encode(&film, &camera, &writing),
        };
        written.map_err(|error| match error {
            EncodeError::Encode { .. } => Failure::new(Exit::Internal, error),
            _ => Failure::usage(error),
        })
    }

    fn camera(&self, theme: &Theme) -> Result<ScreenPainter, Failure> {
        ScreenPainter::new(theme, &self.fonts, &self.options).map_err(Failure::usage)
    }

    /// What is shown for how long.
    fn shots(&self, content: &Content, progress: &Progress) -> Result<Animation, Failure> {
        match content {
            Content::Screen(state) => {
                self.check(state.screen.size)?;
                let screen = state.screen.clone();
                match self.is_video() {
                    // Whoever plays it wants to see it for a while.
                    true => self.cut(
                        [Frame {
                            time: Duration::ZERO,
                            screen,
                        }],
                        None,
                    ),
                    false => Ok(Animation::still(screen)),
                }
            }
            Content::Recording(recording) => {
                // Before it is played, which takes time and memory where screens are large.
                self.check(recording.room()?)?;
                self.played(recording, progress)
            }
        }
    }

    fn played(&self, recording: &Recording, progress: &Progress) -> Result<Animation, Failure> {
        let millis = |time: Duration| time.as_millis() as u64;
        progress.part("playing", millis(recording.duration()));
        let limit = recording.header().idle_limit;
        let film = recording.play(CLOSE, |frames| {
            let frames = frames.inspect(|frame| progress.reached(millis(frame.time)));
            self.cut(frames, limit)
        })?;
        self.motion.check_offset(film.duration())?;
        Ok(film)
    }

    /// Makes a film of frames. A recording may have a limit for pauses of its own.
    fn cut(
        &self,
        frames: impl IntoIterator<Item = Frame>,
        own_limit: Option<Duration>,
    ) -> Result<Animation, Failure> {
        let options = self.motion.film(self.medium, own_limit);
        Animation::new(frames, &options).map_err(|error| match error {
            AnimationError::TooLong => Failure::usage(error)
                .hint("`--idle-limit`, `--speed` and a smaller `--hold` shorten it"),
            _ => Failure::usage(error),
        })
    }
}

/// A video that was not made.
pub(super) fn unfilmed(error: VideoError) -> Failure {
    match error {
        VideoError::Missing => Failure::usage(error).hint(
            "`apt install ffmpeg` or `brew install ffmpeg` gets it; gif, apng and webp need no other program",
        ),
        VideoError::Start(_) | VideoError::Frames(_) => Failure::usage(error),
        VideoError::Wait(_) => Failure::new(Exit::Internal, error),
        error => Failure::new(Exit::Internal, error).hint("gif, apng and webp need no other program"),
    }
}
