//! Options for pictures: fonts, window, timing.
//!
//! The options are checked and the fonts are loaded when a [`PictureRenderer`] is created, before a
//! program runs.
//!
//! See also: `picture_args/font_args.rs`, `picture_args/window_args.rs`,
//! `picture_args/timing_args.rs` (recordings), `output/picture.rs` (drawing).

use clap::{Args, ValueEnum};
use screentest::render::{CursorVisibility, Fonts, RenderOptions, SystemFonts};
use screentest_tape::video;

use self::font_args::FontArgs;
use self::window_args::WindowArgs;
use crate::failure::Failure;
use crate::output::picture::{self, PictureRenderer};
use crate::output::picture_format::PictureFormat;
pub(crate) use timing_args::{MomentArgs, TimingArgs};

pub(crate) mod font_args;
mod timing_args;
mod window_args;

/// The options for pictures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    #[command(flatten)]
    font: FontArgs,
    #[command(flatten)]
    window: WindowArgs,
    /// Whether to draw the cursor
    #[arg(long, value_enum, value_name = "C")]
    cursor: Option<Cursor>,
}

/// Whether the cursor is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Cursor {
    /// Where the program shows it
    Shown,
    /// Never
    Hidden,
}

impl PictureArgs {
    /// Returns the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let cursor = self.cursor.map(|_| "--cursor");
        self.font
            .first_given()
            .or(self.window.first_given())
            .or(cursor)
    }

    /// Checks the options and loads the fonts.
    pub(crate) fn renderer(
        &self,
        format: PictureFormat,
        timing: &TimingArgs,
    ) -> Result<PictureRenderer, Failure> {
        if format.is_video() {
            video::check().map_err(picture::video_failure)?;
        }
        self.font.check(format)?;
        let fonts = if format.is_text() {
            Fonts::bundled(SystemFonts::Forbidden)
        } else {
            self.font.fonts()?
        };
        let mut options = RenderOptions {
            window: self.window.window(),
            cursor: match self.cursor {
                Some(Cursor::Hidden) => CursorVisibility::Hidden,
                Some(Cursor::Shown) | None => CursorVisibility::Shown,
            },
            ..RenderOptions::default()
        };
        self.font.apply(&mut options);
        options.check().map_err(Failure::usage)?;
        Ok(PictureRenderer::new(format, fonts, options, timing.clone()))
    }
}
