//! Screens and recordings as pictures: what may be asked, and what is written.
//!
//! Everything that can be wrong with what was asked, such as a font that cannot be read, is found when a [`Look`] is
//! made: before a program runs for nothing.
//!
//! Elsewhere: letters and fonts (`picture/letters.rs`), what surrounds the screen (`picture/surround.rs`), time
//! (`picture/motion.rs`), making the bytes (`picture/make.rs`), videos (`screentest_tape::video`), the drawing itself
//! (`screentest_render`).

use clap::{Args, ValueEnum};
use screentest::render::video::Container;
use screentest::render::{self, CursorVisibility, Fonts, RenderOptions, SystemFonts};
use screentest_tape::video;

use crate::failure::Failure;
use letters::Letters;
pub(crate) use motion::{Moment, Motion};
use surround::Surround;

mod letters;
mod make;
mod motion;
mod number;
mod progress;
mod surround;

/// What a screen is drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Medium {
    /// A picture
    Png,
    /// A picture whose text stays text
    Svg,
    /// The same as a fragment, to paste into a page in UTF-8
    Html,
    /// A film of a recording, or a picture
    Gif,
    /// The same in all colours
    Apng,
    /// The same as WebP
    Webp,
    /// Video, by ffmpeg
    Mp4,
    /// Video, by ffmpeg
    Webm,
}

impl Medium {
    /// Whether a recording moves in it.
    pub(crate) fn moves(self) -> bool {
        !matches!(self, Medium::Png | Medium::Svg | Medium::Html)
    }

    /// Whether its text stays text, which whoever shows it draws.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Medium::Svg | Medium::Html)
    }

    /// Whether ffmpeg writes it.
    pub(crate) fn is_video(self) -> bool {
        self.container().is_some()
    }

    /// The most pixels that a side may have, where the format or its usual encoder has a limit.
    fn longest_side(self) -> Option<usize> {
        match self {
            Medium::Gif => Some(render::gif::MAX_SIDE),
            Medium::Webp => Some(render::webp::MAX_SIDE),
            // x264 takes no more, and neither does libvpx as most systems build it.
            Medium::Mp4 | Medium::Webm => Some(16384),
            Medium::Png | Medium::Svg | Medium::Html | Medium::Apng => None,
        }
    }

    /// What ffmpeg makes of it.
    fn container(self) -> Option<Container> {
        match self {
            Medium::Mp4 => Some(Container::Mp4),
            Medium::Webm => Some(Container::Webm),
            _ => None,
        }
    }
}

/// What a command may be told about pictures.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct Drawing {
    #[command(flatten)]
    letters: Letters,
    #[command(flatten)]
    surround: Surround,
    /// Whether the cursor is drawn where the program shows it
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

impl Drawing {
    /// The first option that was given, if any was.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let cursor = self.cursor.map(|_| "--cursor");
        self.letters.given().or(self.surround.given()).or(cursor)
    }

    /// What was asked, ready to draw with.
    pub(crate) fn look(&self, medium: Medium, motion: &Motion) -> Result<Look, Failure> {
        if medium.is_video() {
            video::check().map_err(make::unfilmed)?;
        }
        self.letters.check(medium)?;
        let fonts = match medium.is_text() {
            true => Fonts::bundled(SystemFonts::Forbidden),
            false => self.letters.fonts()?,
        };
        let mut options = RenderOptions {
            window: self.surround.window(),
            cursor: match self.cursor {
                Some(Cursor::Hidden) => CursorVisibility::Hidden,
                Some(Cursor::Shown) | None => CursorVisibility::Shown,
            },
            ..RenderOptions::default()
        };
        self.letters.set(&mut options);
        options.check().map_err(Failure::usage)?;
        Ok(Look {
            medium,
            fonts,
            options,
            motion: motion.clone(),
        })
    }
}

/// How a picture will look.
#[derive(Debug)]
pub(crate) struct Look {
    medium: Medium,
    fonts: Fonts,
    options: RenderOptions,
    motion: Motion,
}

impl Look {
    /// What it is drawn as.
    pub(crate) fn medium(&self) -> Medium {
        self.medium
    }

    /// Whether it is written by a program that needs a file to write to.
    pub(crate) fn is_video(&self) -> bool {
        self.medium.is_video()
    }
}
