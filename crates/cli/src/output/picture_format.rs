//! The formats of pictures and videos.

use clap::ValueEnum;
use screentest::render;
use screentest::render::video::Container;

/// A format of pictures and videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Picture
    Png,
    /// Picture with selectable text
    Svg,
    /// Same as svg, as a fragment for a page in UTF-8
    Html,
    /// Animation of a recording, or a picture
    Gif,
    /// Same as gif, in full colour
    Apng,
    /// Same as apng, as WebP
    Webp,
    /// Video (needs ffmpeg)
    Mp4,
    /// Video (needs ffmpeg)
    Webm,
}

impl PictureFormat {
    /// Returns whether it can show a recording as an animation.
    pub(crate) fn is_animated(self) -> bool {
        !matches!(
            self,
            PictureFormat::Png | PictureFormat::Svg | PictureFormat::Html
        )
    }

    /// Returns whether it contains text, which the viewer draws with its own fonts.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, PictureFormat::Svg | PictureFormat::Html)
    }

    /// Returns whether ffmpeg writes it.
    pub(crate) fn is_video(self) -> bool {
        self.container().is_some()
    }

    /// Returns the maximum side length in pixels, if the format or its usual encoder has one.
    pub(super) fn longest_side(self) -> Option<usize> {
        match self {
            PictureFormat::Gif => Some(render::gif::MAX_SIDE),
            PictureFormat::Webp => Some(render::webp::MAX_SIDE),
            // The limit of x264, and of libvpx as most systems build it.
            PictureFormat::Mp4 | PictureFormat::Webm => Some(16384),
            PictureFormat::Png | PictureFormat::Svg | PictureFormat::Html | PictureFormat::Apng => {
                None
            }
        }
    }

    /// Returns the video container.
    pub(super) fn container(self) -> Option<Container> {
        match self {
            PictureFormat::Mp4 => Some(Container::Mp4),
            PictureFormat::Webm => Some(Container::Webm),
            _ => None,
        }
    }
}
