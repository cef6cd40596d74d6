//! Converts the settings of a tape to options of drawing, and computes the size of its terminal.

use std::path::PathBuf;
use std::time::Duration;

use crate::language::{
    ButtonSide, LoopOffset, MarginFill, OutputKind, TapeSettings, WindowBar, WindowButtons,
};
use screentest_core::{Rgb, Size, SizeError, Theme};
use screentest_render::animation::{self, AnimationError, Timing};
use screentest_render::picture::grid;
use screentest_render::{
    Bar, Bold, Fill, Fonts, RenderOptions, RenderOptionsError, SystemFonts, Window,
};

use screentest::test::picture;
use screentest::test::picture::PictureError;

/// The appearance of a tape.
#[derive(Debug, Clone)]
pub(super) struct Appearance {
    pub(super) fonts: Fonts,
    pub(super) options: RenderOptions,
    pub(super) theme: Theme,
    /// The size of the terminal at the start.
    pub(super) size: Size,
    framerate: u32,
    speed: f64,
    offset: animation::LoopOffset,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum AppearanceError {
    #[error(transparent)]
    Fonts(#[from] PictureError),
    #[error(transparent)]
    Options(#[from] RenderOptionsError),
    #[error(
        "a picture of `{width}x{height}` has room for {cols} columns and {rows} rows of this font"
    )]
    Room {
        width: u32,
        height: u32,
        cols: usize,
        rows: usize,
        source: SizeError,
    },
    #[error("`{}` cannot fill the margin: images are not supported there", .0.display())]
    MarginPicture(PathBuf),
}

impl Appearance {
    /// Converts the settings. Also returns the requested font if it is not available.
    pub(super) fn of(
        settings: &TapeSettings,
    ) -> Result<(Appearance, Option<String>), AppearanceError> {
        let (fonts, missing) = fonts(settings.font_family.as_deref())?;
        let theme = settings.theme.clone();
        let (margin, fill) = match &settings.margin_fill {
            MarginFill::Nothing => (0, Fill::Theme),
            MarginFill::Theme => (settings.margin, Fill::Color(theme.bg)),
            MarginFill::Color(color) => (settings.margin, Fill::Color(*color)),
            MarginFill::Image(_) if settings.margin == 0 => (0, Fill::Theme),
            MarginFill::Image(path) => return Err(AppearanceError::MarginPicture(path.into())),
        };
        let mut options = RenderOptions {
            font_size: settings.font_size as f32,
            letter_spacing: settings.letter_spacing as f32,
            line_height: settings.line_height as f32,
            // As in VHS, whose terminal is xterm.js.
            bold: Bold::Brightens,
            window: Window {
                padding: settings.padding as usize,
                margin: margin as usize,
                margin_fill: fill,
                radius: settings.border_radius as usize,
                bar: bar(settings.window_bar),
                bar_size: settings.window_bar_size as usize,
                ..Window::default()
            },
            ..RenderOptions::default()
        };
        if let Some(family) = &settings.font_family {
            options.font_family = format!("{family}, {}", options.font_family);
        }
        let size = terminal_size(settings, &fonts, &mut options)?;
        let appearance = Appearance {
            fonts,
            options,
            theme,
            size,
            framerate: settings.framerate,
            speed: settings.playback_speed,
            offset: match settings.loop_offset {
                LoopOffset::Fraction(share) => animation::LoopOffset::Share(share),
                LoopOffset::Time(time) => animation::LoopOffset::Time(time),
            },
        };
        Ok((appearance, missing))
    }

    /// The options of a video or animation.
    pub(super) fn animation_options(&self, kind: OutputKind) -> animation::AnimationOptions {
        let video = matches!(kind, OutputKind::Mp4 | OutputKind::Webm);
        animation::AnimationOptions {
            idle_limit: None,
            speed: self.speed,
            frame_rate: Some(self.framerate),
            loop_offset: if video || kind == OutputKind::Frames {
                // These do not loop.
                animation::LoopOffset::None
            } else {
                self.offset
            },
            hold: Duration::ZERO,
            timing: match kind {
                OutputKind::Gif => Timing::GIF,
                _ => Timing::FINE,
            },
        }
    }

    /// Screens within this time of the recording count as one: a fraction of the duration of a
    /// video frame.
    pub(super) fn frame_tolerance(&self) -> Duration {
        Duration::from_secs_f64(self.speed.max(0.01) / f64::from(self.framerate.max(1)) / 4.0)
    }

    /// Frames per second.
    pub(super) fn framerate(&self) -> u32 {
        self.framerate
    }

    /// Checks that the playback speed is supported.
    pub(super) fn check_speed(&self) -> Result<(), AnimationError> {
        if animation::SPEEDS.contains(&self.speed) {
            Ok(())
        } else {
            Err(AnimationError::Speed(self.speed))
        }
    }

    /// A colour between text and background, for captions.
    pub(super) fn caption_color(&self) -> Rgb {
        let Theme { fg, bg, .. } = &self.theme;
        let part = |fg: u8, bg: u8| fg.midpoint(fg.midpoint(bg));
        Rgb::new(part(fg.r, bg.r), part(fg.g, bg.g), part(fg.b, bg.b))
    }
}

/// The fonts, and the name of the requested font if it is not available.
fn fonts(family: Option<&str>) -> Result<(Fonts, Option<String>), PictureError> {
    let Some(family) = family else {
        return Ok((picture::usual_fonts()?.clone(), None));
    };
    match Fonts::named(family, SystemFonts::Allowed) {
        Some(fonts) => Ok((fonts, None)),
        None => Ok((picture::usual_fonts()?.clone(), Some(family.to_owned()))),
    }
}

fn bar(bar: WindowBar) -> Bar {
    let WindowBar::Bar { buttons, side } = bar else {
        return Bar::None;
    };
    match (buttons, side) {
        (WindowButtons::Colorful, ButtonSide::Left) => Bar::Colorful,
        (WindowButtons::Colorful, ButtonSide::Right) => Bar::ColorfulRight,
        (WindowButtons::Rings, ButtonSide::Left) => Bar::Rings,
        (WindowButtons::Rings, ButtonSide::Right) => Bar::RingsRight,
    }
}

/// Computes the size in cells: the `Columns` and `Rows` of the tape, or as many cells as fit into a
/// picture of its `Width` and `Height`. In the second case the picture gets exactly this width and
/// height.
fn terminal_size(
    settings: &TapeSettings,
    fonts: &Fonts,
    options: &mut RenderOptions,
) -> Result<Size, AppearanceError> {
    let grid = grid(fonts, options)?;
    let window = &options.window;
    let surround = 2 * (window.padding + window.margin);
    let bar = match window.bar {
        Bar::None => 0,
        _ => window.bar_size,
    };
    let cells = |length: u32, surround: usize, cell: usize| {
        (length as usize).saturating_sub(surround) / cell.max(1)
    };
    let cols = match settings.columns {
        Some(columns) => columns.into(),
        None => cells(settings.width, surround, grid.cell_width),
    };
    let rows = match settings.rows {
        Some(rows) => rows.into(),
        None => cells(settings.height, surround + bar, grid.cell_height),
    };
    let size = Size::checked(cols as u64, rows as u64).map_err(|source| AppearanceError::Room {
        width: settings.width,
        height: settings.height,
        cols,
        rows,
        source,
    })?;
    if settings.columns.is_none() {
        options.window.min_width = settings.width as usize;
    }
    if settings.rows.is_none() {
        options.window.min_height = settings.height as usize;
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use crate::language::Dialect;

    use super::*;

    fn appearance(change: impl FnOnce(&mut TapeSettings)) -> Appearance {
        let mut settings = TapeSettings::defaults(Dialect::Vhs);
        change(&mut settings);
        Appearance::of(&settings).unwrap().0
    }

    #[test]
    fn columns_and_rows_take_precedence_over_pixels() {
        let usual = appearance(|_| {});
        // A cell is 13 pixels wide, plus one pixel of spacing, and 26 high; the padding is
        // subtracted from 1200x600.
        assert_eq!(usual.size, Size { cols: 77, rows: 18 });
        let window = &usual.options.window;
        assert_eq!((window.min_width, window.min_height), (1200, 600));
        let cells = appearance(|settings| {
            settings.columns = Some(80);
            settings.rows = Some(24);
        });
        assert_eq!(cells.size, Size { cols: 80, rows: 24 });
        assert_eq!(cells.options.window.min_width, 0);
    }

    #[test]
    fn window_bar_and_margin_reduce_the_size() {
        let bare = appearance(|settings| settings.height = 400).size;
        let framed = appearance(|settings| {
            settings.height = 400;
            settings.window_bar = WindowBar::Bar {
                buttons: WindowButtons::Rings,
                side: ButtonSide::Right,
            };
            settings.margin = 20;
        });
        assert!(framed.size.rows < bare.rows && framed.size.cols < bare.cols);
        assert_eq!(framed.options.window.bar, Bar::RingsRight);
    }

    #[test]
    fn a_picture_that_is_too_small_is_an_error() {
        let mut settings = TapeSettings::defaults(Dialect::Vhs);
        settings.width = 130;
        let error = Appearance::of(&settings).unwrap_err().to_string();
        assert!(error.contains("has room for 0 columns"), "{error}");
    }

    #[test]
    fn a_missing_font_is_reported() {
        let mut settings = TapeSettings::defaults(Dialect::Vhs);
        settings.font_family = Some("No Such Font At All".to_owned());
        let (_, missing) = Appearance::of(&settings).unwrap();
        assert_eq!(missing.as_deref(), Some("No Such Font At All"));
        settings.font_family = Some("No Such Font At All, DejaVu Sans Mono".to_owned());
        assert_eq!(Appearance::of(&settings).unwrap().1, None);
    }
}
