//! How a tape looks: its settings as options of drawing, and the size that its terminal has for that.

use std::path::PathBuf;
use std::time::Duration;

use screentest_core::tape::{
    Buttons, LoopOffset, MarginFill, OutputKind, Settings, Side, WindowBar,
};
use screentest_core::{Rgb, Size, SizeError, Theme};
use screentest_render::animation::{self, AnimationError, Timing};
use screentest_render::picture::grid;
use screentest_render::{Bar, Bold, Fill, Fonts, Options, OptionsError, SystemFonts, Window};

use crate::picture::{self, PictureError};

/// How a tape looks.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) fonts: Fonts,
    pub(super) options: Options,
    pub(super) theme: Theme,
    /// The terminal's size when it starts.
    pub(super) size: Size,
    framerate: u32,
    speed: f64,
    offset: animation::LoopOffset,
}

/// Why it cannot look as the tape says.
#[derive(Debug, thiserror::Error)]
pub(super) enum LookError {
    #[error(transparent)]
    Fonts(#[from] PictureError),
    #[error(transparent)]
    Options(#[from] OptionsError),
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
    #[error("`{}` cannot fill the margin: a picture there is not drawn", .0.display())]
    MarginPicture(PathBuf),
}

impl Look {
    /// How these settings look, and the font that was asked for and is not there.
    pub(super) fn of(settings: &Settings) -> Result<(Look, Option<String>), LookError> {
        let (fonts, missing) = fonts(settings.font_family.as_deref())?;
        let theme = settings.theme.clone();
        let (margin, fill) = match &settings.margin_fill {
            MarginFill::Nothing => (0, Fill::Theme),
            MarginFill::Theme => (settings.margin, Fill::Color(theme.bg)),
            MarginFill::Color(color) => (settings.margin, Fill::Color(*color)),
            MarginFill::Image(_) if settings.margin == 0 => (0, Fill::Theme),
            MarginFill::Image(path) => return Err(LookError::MarginPicture(path.into())),
        };
        let mut options = Options {
            font_size: settings.font_size as f32,
            letter_spacing: settings.letter_spacing as f32,
            line_height: settings.line_height as f32,
            // As in VHS, whose terminal is xterm's.
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
            ..Options::default()
        };
        if let Some(family) = &settings.font_family {
            options.font_family = format!("{family}, {}", options.font_family);
        }
        let size = fit(settings, &fonts, &mut options)?;
        let look = Look {
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
        Ok((look, missing))
    }

    /// How its frames become a film.
    pub(super) fn film(&self, kind: OutputKind) -> animation::AnimationOptions {
        let video = matches!(kind, OutputKind::Mp4 | OutputKind::Webm);
        animation::AnimationOptions {
            idle_limit: None,
            speed: self.speed,
            frame_rate: Some(self.framerate),
            loop_offset: match video || kind == OutputKind::Frames {
                // These do not begin again.
                true => animation::LoopOffset::None,
                false => self.offset,
            },
            hold: Duration::ZERO,
            timing: match kind {
                OutputKind::Gif => Timing::GIF,
                _ => Timing::FINE,
            },
        }
    }

    /// A time of the recording within which no two pictures are seen: a part of what a picture of the film takes.
    pub(super) fn moment(&self) -> Duration {
        Duration::from_secs_f64(self.speed.max(0.01) / f64::from(self.framerate.max(1)) / 4.0)
    }

    /// Pictures a second.
    pub(super) fn framerate(&self) -> u32 {
        self.framerate
    }

    /// Whether a film can be made like this.
    pub(super) fn check_film(&self) -> Result<(), AnimationError> {
        match animation::SPEEDS.contains(&self.speed) {
            true => Ok(()),
            false => Err(AnimationError::Speed(self.speed)),
        }
    }

    /// A colour between text and background, in which something is said besides the program.
    pub(super) fn quiet(&self) -> Rgb {
        let Theme { fg, bg, .. } = &self.theme;
        let part = |fg: u8, bg: u8| fg.midpoint(fg.midpoint(bg));
        Rgb::new(part(fg.r, bg.r), part(fg.g, bg.g), part(fg.b, bg.b))
    }
}

/// The fonts, and the name of the one that should be there and is not.
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
        (Buttons::Colorful, Side::Left) => Bar::Colorful,
        (Buttons::Colorful, Side::Right) => Bar::ColorfulRight,
        (Buttons::Rings, Side::Left) => Bar::Rings,
        (Buttons::Rings, Side::Right) => Bar::RingsRight,
    }
}

/// The size that the tape says, else the one for which the picture has room, which is then as large as the tape says.
fn fit(settings: &Settings, fonts: &Fonts, options: &mut Options) -> Result<Size, LookError> {
    let grid = grid(fonts, options)?;
    let window = &options.window;
    let around = 2 * (window.padding + window.margin);
    let bar = match window.bar {
        Bar::None => 0,
        _ => window.bar_size,
    };
    let room = |length: u32, around: usize, cell: usize| {
        (length as usize).saturating_sub(around) / cell.max(1)
    };
    let cols = match settings.columns {
        Some(columns) => columns.into(),
        None => room(settings.width, around, grid.cell_width),
    };
    let rows = match settings.rows {
        Some(rows) => rows.into(),
        None => room(settings.height, around + bar, grid.cell_height),
    };
    let size = Size::checked(cols as u64, rows as u64).map_err(|source| LookError::Room {
        width: settings.width,
        height: settings.height,
        cols,
        rows,
        source,
    })?;
    if settings.columns.is_none() {
        options.window.least_width = settings.width as usize;
    }
    if settings.rows.is_none() {
        options.window.least_height = settings.height as usize;
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use screentest_core::tape::Dialect;

    use super::*;

    fn look(change: impl FnOnce(&mut Settings)) -> Look {
        let mut settings = Settings::defaults(Dialect::Vhs);
        change(&mut settings);
        Look::of(&settings).unwrap().0
    }

    #[test]
    fn pixels_decide_the_size_and_columns_win() {
        let usual = look(|_| {});
        // 13 pixels and one between them, 26 high, in what the padding leaves of 1200x600.
        assert_eq!(usual.size, Size { cols: 77, rows: 18 });
        let window = &usual.options.window;
        assert_eq!((window.least_width, window.least_height), (1200, 600));
        let cells = look(|settings| {
            settings.columns = Some(80);
            settings.rows = Some(24);
        });
        assert_eq!(cells.size, Size { cols: 80, rows: 24 });
        assert_eq!(cells.options.window.least_width, 0);
    }

    #[test]
    fn a_bar_and_a_margin_take_their_room() {
        let bare = look(|settings| settings.height = 400).size;
        let framed = look(|settings| {
            settings.height = 400;
            settings.window_bar = WindowBar::Bar {
                buttons: Buttons::Rings,
                side: Side::Right,
            };
            settings.margin = 20;
        });
        assert!(framed.size.rows < bare.rows && framed.size.cols < bare.cols);
        assert_eq!(framed.options.window.bar, Bar::RingsRight);
    }

    #[test]
    fn what_is_too_small_says_how_small() {
        let mut settings = Settings::defaults(Dialect::Vhs);
        settings.width = 130;
        let error = Look::of(&settings).unwrap_err().to_string();
        assert!(error.contains("has room for 0 columns"), "{error}");
    }

    #[test]
    fn a_font_that_is_not_there_is_told() {
        let mut settings = Settings::defaults(Dialect::Vhs);
        settings.font_family = Some("No Such Font At All".to_owned());
        let (_, missing) = Look::of(&settings).unwrap();
        assert_eq!(missing.as_deref(), Some("No Such Font At All"));
        settings.font_family = Some("No Such Font At All, DejaVu Sans Mono".to_owned());
        assert_eq!(Look::of(&settings).unwrap().1, None);
    }
}
