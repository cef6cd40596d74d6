//! The themes of this project, those of tuispec, and the default theme of VHS.

use std::borrow::Cow;

use super::Theme;
use crate::screen::style::Rgb;

impl Theme {
    /// `screentest`: the default theme where no other document prescribes one.
    ///
    /// It is [`Theme::VHS`] with a bright black that is readable, because programs use it for hints
    /// and comments. Its contrast with the background is 4.5:1, which WCAG 2 requires for text;
    /// that of VHS is 2.1:1. Bright white is readable on it too (3.2:1), as in a highlighted line.
    pub const SCREENTEST: Theme = theme("screentest", VHS_GROUND, VHS_NORMAL, {
        let mut bright = VHS_BRIGHT;
        bright[0] = 0x808080;
        bright
    });

    /// `screentest-light`: the light counterpart of [`Theme::SCREENTEST`].
    pub const SCREENTEST_LIGHT: Theme = theme(
        "screentest-light",
        [0x24292f, 0xffffff, 0x24292f, 0xb6d7fb],
        [
            0x24292f, 0xc4262e, 0x116329, 0x8a5a00, 0x0a57c2, 0x8036b8, 0x13707a, 0x6e7781,
        ],
        [
            0x57606a, 0xa40e26, 0x1a7f37, 0x633c01, 0x218bff, 0xa475f9, 0x3192aa, 0x8c959f,
        ],
    );

    /// `pty-default-dark`, or `dark`: the dark theme of tuispec (`github.com/Tritlo/tuispec`),
    /// which `auto` selects.
    pub const DARK: Theme = theme(
        "pty-default-dark",
        [0xe5e5e5, 0x000000, 0xe5e5e5, 0x4d4d4d],
        [
            0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
        ],
        [
            0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
        ],
    );

    /// `pty-default-light`, or `light`: the light theme of tuispec, which `auto` selects on a light
    /// background.
    pub const LIGHT: Theme = theme(
        "pty-default-light",
        [0x000000, 0xffffff, 0x000000, 0xadd6ff],
        [
            0x000000, 0xcd3131, 0x00bc00, 0x949800, 0x0451a5, 0xbc05bc, 0x0598bc, 0x555555,
        ],
        [
            0x666666, 0xcd3131, 0x149e14, 0x9e9800, 0x0451a5, 0xbc05bc, 0x0598bc, 0xa5a5a5,
        ],
    );

    /// `vhs`: the colours of VHS (`github.com/charmbracelet/vhs`) for tapes that set no theme.
    pub const VHS: Theme = theme("vhs", VHS_GROUND, VHS_NORMAL, VHS_BRIGHT);

    /// The default colours of xterm.js 5.5 (`src/browser/services/ThemeService.ts`), in which VHS
    /// shows what a theme leaves out. The selection is white with an opacity of 0.3 on black.
    pub(super) const XTERM_JS: Theme = theme(
        "xterm.js",
        [0xffffff, 0x000000, 0xffffff, 0x4d4d4d],
        [
            0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf,
        ],
        [
            0x555753, 0xef2929, 0x8ae234, 0xfce94f, 0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec,
        ],
    );
}

const VHS_GROUND: [u32; 4] = [0xdddddd, 0x171717, 0xdddddd, 0x44475a];
const VHS_NORMAL: [u32; 8] = [
    0x282a2e, 0xd74e6f, 0x31bb71, 0xd3e561, 0x8056ff, 0xed61d7, 0x04d7d7, 0xbfbfbf,
];
const VHS_BRIGHT: [u32; 8] = [
    0x4d4d4d, 0xfe5f86, 0x00d787, 0xebff71, 0x9b79ff, 0xff7aea, 0x00fefe, 0xe6e6e6,
];

/// Returns a theme. `ground` has the colours of text, background, cursor and selection.
const fn theme(name: &'static str, ground: [u32; 4], normal: [u32; 8], bright: [u32; 8]) -> Theme {
    let [fg, bg, cursor, selection] = ground;
    let mut ansi = [Rgb::hex(0); 16];
    let mut i = 0;
    while i < 8 {
        ansi[i] = Rgb::hex(normal[i]);
        ansi[i + 8] = Rgb::hex(bright[i]);
        i += 1;
    }
    Theme {
        name: Cow::Borrowed(name),
        fg: Rgb::hex(fg),
        bg: Rgb::hex(bg),
        cursor: Rgb::hex(cursor),
        selection: Rgb::hex(selection),
        ansi,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contrast ratio of WCAG 2 between two colours, from 1 to 21.
    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        let luminance =
            |Rgb { r, g, b }| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
        let (one, other) = (luminance(one), luminance(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn bright_black_and_text_are_readable_in_the_default_themes() {
        for theme in [
            Theme::SCREENTEST,
            Theme::SCREENTEST_LIGHT,
            Theme::DARK,
            Theme::LIGHT,
        ] {
            let (text, hint) = (theme.fg, theme.ansi[8]);
            let (text, hint) = (contrast(text, theme.bg), contrast(hint, theme.bg));
            // The levels AAA and AA of WCAG 2.
            assert!(text >= 7.0 && hint >= 4.5, "{}: {text} {hint}", theme.name);
        }
        let ansi = Theme::SCREENTEST.ansi;
        assert!(contrast(ansi[15], ansi[8]) >= 3.0);
    }

    #[test]
    fn screentest_differs_from_vhs_only_in_bright_black() {
        let Theme { name, mut ansi, .. } = Theme::SCREENTEST;
        ansi[8] = Theme::VHS.ansi[8];
        let with = Theme { name, ..Theme::VHS };
        assert_eq!(
            Theme {
                ansi,
                ..Theme::SCREENTEST
            },
            with
        );
    }

    #[test]
    fn pty_default_themes_have_the_colours_of_tuispec() {
        let dark = Theme::named("pty-default-dark").unwrap();
        assert_eq!((dark.fg, dark.bg), (Rgb::new(229, 229, 229), Rgb::hex(0)));
        assert_eq!(dark.ansi[12], Rgb::new(92, 92, 255));
        let light = Theme::named("GitHub-Light-High-Contrast").unwrap();
        assert_eq!(light.ansi[11], Rgb::new(158, 152, 0));
    }
}
