//! Catalogue of named themes.
//!
//! The colours are copied from the terminal themes that each theme's authors publish. Our own
//! themes and those of tuispec (`github.com/Tritlo/tuispec`) come first, then the others by name.
//! `docs/themes.md` lists them for users; a test compares the two lists.

use std::borrow::Cow;

use super::Theme;
use crate::query::suggest::nearest;
use crate::screen::style::Rgb;

/// Error for a name that no theme has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown theme `{name}`{}", hint(*nearest))]
#[non_exhaustive]
pub struct UnknownTheme {
    /// The unknown name.
    pub name: String,
    /// The most similar known name.
    pub nearest: Option<&'static str>,
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(", did you mean `{name}`?"))
}

impl Theme {
    /// Returns the theme with this name. Case, spaces, hyphens and underscores are ignored.
    ///
    /// ```
    /// use screentest_core::Theme;
    ///
    /// assert_eq!(Theme::named("tokyonight-storm")?.name, "Tokyo Night Storm");
    /// assert_eq!(Theme::named("Draclua").unwrap_err().nearest, Some("Dracula"));
    /// # Ok::<(), screentest_core::screen::theme::UnknownTheme>(())
    /// ```
    pub fn named(name: &str) -> Result<Theme, UnknownTheme> {
        let folded = fold(name);
        let meant = ALIASES
            .iter()
            .find(|(alias, _)| fold(alias) == folded)
            .map_or_else(|| folded.clone(), |(_, theme)| fold(theme));
        let known = ALL.iter().find(|theme| fold(&theme.name) == meant);
        known.cloned().ok_or_else(|| UnknownTheme {
            name: name.to_owned(),
            nearest: suggestion(name, &folded),
        })
    }

    /// Returns every named theme, always in the same order.
    pub fn all() -> &'static [Theme] {
        &ALL
    }

    /// Returns the other names of this theme.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> {
        let own = ALIASES.iter().filter(|(_, theme)| *theme == self.name);
        own.map(|(alias, _)| *alias)
    }
}

/// Returns the name that was probably meant: the one most similar to a misspelt name, or the first
/// theme of a family if only the family was named.
fn suggestion(name: &str, folded: &str) -> Option<&'static str> {
    let names = || {
        let all = ALL.iter().map(|theme| theme.name.as_ref());
        all.chain(ALIASES.iter().map(|(alias, _)| *alias))
    };
    let family = || names().find(|known| folded.len() > 2 && fold(known).starts_with(folded));
    nearest(name.trim(), names()).or_else(family)
}

/// Normalises a name for comparison: `Rosé Pine`, `rose-pine` and `rose_pine` are the same.
fn fold(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let lower = letters.flat_map(char::to_lowercase);
    lower.map(|c| if c == 'é' { 'e' } else { c }).collect()
}

/// Other names: those of tuispec, those of theme collections that other tools bundle, and family
/// names for the most common theme of the family.
const ALIASES: [(&str, &str); 14] = [
    ("github-dark-high-contrast", "pty-default-dark"),
    ("github-light-high-contrast", "pty-default-light"),
    ("Ayu", "Ayu Dark"),
    ("Catppuccin", "Catppuccin Mocha"),
    ("Everforest", "Everforest Dark"),
    ("GitHub Dark Default", "GitHub Dark"),
    ("GitHub Light Default", "GitHub Light"),
    ("Gruvbox", "Gruvbox Dark"),
    ("Kanagawa", "Kanagawa Wave"),
    ("Atom One Dark", "One Dark"),
    ("Atom One Light", "One Light"),
    ("Builtin Solarized Dark", "Solarized Dark"),
    ("Builtin Solarized Light", "Solarized Light"),
    ("Tokyo Night Night", "Tokyo Night"),
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

static ALL: [Theme; 44] = [
    Theme::DARK,
    Theme::LIGHT,
    theme(
        "pty-default-dark",
        [0xe5e5e5, 0x000000, 0xe5e5e5, 0x4d4d4d],
        [
            0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
        ],
        [
            0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
        ],
    ),
    theme(
        "pty-default-light",
        [0x000000, 0xffffff, 0x000000, 0xadd6ff],
        [
            0x000000, 0xcd3131, 0x00bc00, 0x949800, 0x0451a5, 0xbc05bc, 0x0598bc, 0x555555,
        ],
        [
            0x666666, 0xcd3131, 0x149e14, 0x9e9800, 0x0451a5, 0xbc05bc, 0x0598bc, 0xa5a5a5,
        ],
    ),
    theme(
        "Aardvark Blue",
        [0xdddddd, 0x102040, 0x007acc, 0xbfdbfe],
        [
            0x191919, 0xaa342e, 0x4b8c0f, 0xdbba00, 0x1370d3, 0xc43ac3, 0x008eb0, 0xbebebe,
        ],
        [
            0x525252, 0xf05b50, 0x95dc55, 0xffe763, 0x60a4ec, 0xe26be2, 0x60b6cb, 0xf7f7f7,
        ],
    ),
    theme(
        "Ayu Dark",
        [0xbfbdb6, 0x0b0e14, 0xe6b450, 0x409fff],
        [
            0x11151c, 0xea6c73, 0x7fd962, 0xf9af4f, 0x53bdfa, 0xcda1fa, 0x90e1c6, 0xc7c7c7,
        ],
        [
            0x686868, 0xf07178, 0xaad94c, 0xffb454, 0x59c2ff, 0xd2a6ff, 0x95e6cb, 0xffffff,
        ],
    ),
    theme(
        "Ayu Light",
        [0x5c6166, 0xf8f9fa, 0xffaa33, 0x035bd6],
        [
            0x000000, 0xea6c6d, 0x6cbf43, 0xeca944, 0x3199e1, 0x9e75c7, 0x46ba94, 0xc7c7c7,
        ],
        [
            0x686868, 0xf07171, 0x86b300, 0xf2ae49, 0x399ee6, 0xa37acc, 0x4cbf99, 0xd1d1d1,
        ],
    ),
    theme(
        "Ayu Mirage",
        [0xcccac2, 0x1f2430, 0xffcc66, 0x409fff],
        [
            0x171b24, 0xed8274, 0x87d96c, 0xfacc6e, 0x6dcbfa, 0xdabafa, 0x90e1c6, 0xc7c7c7,
        ],
        [
            0x686868, 0xf28779, 0xd5ff80, 0xffd173, 0x73d0ff, 0xdfbfff, 0x95e6cb, 0xffffff,
        ],
    ),
    theme(
        "Catppuccin Frappe",
        [0xc6d0f5, 0x303446, 0xf2d5cf, 0xf2d5cf],
        [
            0x51576d, 0xe78284, 0xa6d189, 0xe5c890, 0x8caaee, 0xf4b8e4, 0x81c8be, 0xb5bfe2,
        ],
        [
            0x626880, 0xe78284, 0xa6d189, 0xe5c890, 0x8caaee, 0xf4b8e4, 0x81c8be, 0xa5adce,
        ],
    ),
    theme(
        "Catppuccin Latte",
        [0x4c4f69, 0xeff1f5, 0xdc8a78, 0xdc8a78],
        [
            0x5c5f77, 0xd20f39, 0x40a02b, 0xdf8e1d, 0x1e66f5, 0xea76cb, 0x179299, 0xacb0be,
        ],
        [
            0x6c6f85, 0xd20f39, 0x40a02b, 0xdf8e1d, 0x1e66f5, 0xea76cb, 0x179299, 0xbcc0cc,
        ],
    ),
    theme(
        "Catppuccin Macchiato",
        [0xcad3f5, 0x24273a, 0xf4dbd6, 0xf4dbd6],
        [
            0x494d64, 0xed8796, 0xa6da95, 0xeed49f, 0x8aadf4, 0xf5bde6, 0x8bd5ca, 0xb8c0e0,
        ],
        [
            0x5b6078, 0xed8796, 0xa6da95, 0xeed49f, 0x8aadf4, 0xf5bde6, 0x8bd5ca, 0xa5adcb,
        ],
    ),
    theme(
        "Catppuccin Mocha",
        [0xcdd6f4, 0x1e1e2e, 0xf5e0dc, 0xf5e0dc],
        [
            0x45475a, 0xf38ba8, 0xa6e3a1, 0xf9e2af, 0x89b4fa, 0xf5c2e7, 0x94e2d5, 0xbac2de,
        ],
        [
            0x585b70, 0xf38ba8, 0xa6e3a1, 0xf9e2af, 0x89b4fa, 0xf5c2e7, 0x94e2d5, 0xa6adc8,
        ],
    ),
    theme(
        "Dracula",
        [0xf8f8f2, 0x282a36, 0xf8f8f2, 0x44475a],
        [
            0x21222c, 0xff5555, 0x50fa7b, 0xf1fa8c, 0xbd93f9, 0xff79c6, 0x8be9fd, 0xf8f8f2,
        ],
        [
            0x6272a4, 0xff6e6e, 0x69ff94, 0xffffa5, 0xd6acff, 0xff92df, 0xa4ffff, 0xffffff,
        ],
    ),
    theme(
        "Everforest Dark",
        [0xd3c6aa, 0x2d353b, 0xd3c6aa, 0x543a48],
        [
            0x475258, 0xe67e80, 0xa7c080, 0xdbbc7f, 0x7fbbb3, 0xd699b6, 0x83c092, 0xd3c6aa,
        ],
        [
            0x475258, 0xe67e80, 0xa7c080, 0xdbbc7f, 0x7fbbb3, 0xd699b6, 0x83c092, 0xd3c6aa,
        ],
    ),
    theme(
        "Everforest Light",
        [0x5c6a72, 0xfdf6e3, 0x5c6a72, 0xeaedc8],
        [
            0x5c6a72, 0xf85552, 0x8da101, 0xdfa000, 0x3a94c5, 0xdf69ba, 0x35a77c, 0xe0dcc7,
        ],
        [
            0x5c6a72, 0xf85552, 0x8da101, 0xdfa000, 0x3a94c5, 0xdf69ba, 0x35a77c, 0xe0dcc7,
        ],
    ),
    theme(
        "Flexoki Dark",
        [0xcecdc3, 0x100f0f, 0xcecdc3, 0x403e3c],
        [
            0x100f0f, 0xd14d41, 0x879a39, 0xd0a215, 0x4385be, 0xce5d97, 0x3aa99f, 0x878580,
        ],
        [
            0x575653, 0xaf3029, 0x66800b, 0xad8301, 0x205ea6, 0xa02f6f, 0x24837b, 0xcecdc3,
        ],
    ),
    theme(
        "Flexoki Light",
        [0x100f0f, 0xfffcf0, 0x100f0f, 0xcecdc3],
        [
            0x100f0f, 0xaf3029, 0x66800b, 0xad8301, 0x205ea6, 0xa02f6f, 0x24837b, 0x6f6e69,
        ],
        [
            0xb7b5ac, 0xd14d41, 0x879a39, 0xd0a215, 0x4385be, 0xce5d97, 0x3aa99f, 0xcecdc3,
        ],
    ),
    theme(
        "GitHub Dark",
        [0xe6edf3, 0x0d1117, 0x2f81f7, 0x264f78],
        [
            0x484f58, 0xff7b72, 0x3fb950, 0xd29922, 0x58a6ff, 0xbc8cff, 0x39c5cf, 0xb1bac4,
        ],
        [
            0x6e7681, 0xffa198, 0x56d364, 0xe3b341, 0x79c0ff, 0xd2a8ff, 0x56d4dd, 0xffffff,
        ],
    ),
    theme(
        "GitHub Light",
        [0x1f2328, 0xffffff, 0x0969da, 0xadd6ff],
        [
            0x24292f, 0xcf222e, 0x116329, 0x4d2d00, 0x0969da, 0x8250df, 0x1b7c83, 0x6e7781,
        ],
        [
            0x57606a, 0xa40e26, 0x1a7f37, 0x633c01, 0x218bff, 0xa475f9, 0x3192aa, 0x8c959f,
        ],
    ),
    theme(
        "Gruvbox Dark",
        [0xebdbb2, 0x282828, 0xebdbb2, 0x504945],
        [
            0x282828, 0xcc241d, 0x98971a, 0xd79921, 0x458588, 0xb16286, 0x689d6a, 0xa89984,
        ],
        [
            0x928374, 0xfb4934, 0xb8bb26, 0xfabd2f, 0x83a598, 0xd3869b, 0x8ec07c, 0xebdbb2,
        ],
    ),
    theme(
        "Gruvbox Light",
        [0x3c3836, 0xfbf1c7, 0x3c3836, 0xd5c4a1],
        [
            0xfbf1c7, 0xcc241d, 0x98971a, 0xd79921, 0x458588, 0xb16286, 0x689d6a, 0x7c6f64,
        ],
        [
            0x928374, 0x9d0006, 0x79740e, 0xb57614, 0x076678, 0x8f3f71, 0x427b58, 0x3c3836,
        ],
    ),
    theme(
        "Kanagawa Dragon",
        [0xc5c9c5, 0x181616, 0xc8c093, 0x2d4f67],
        [
            0x0d0c0c, 0xc4746e, 0x8a9a7b, 0xc4b28a, 0x8ba4b0, 0xa292a3, 0x8ea4a2, 0xc8c093,
        ],
        [
            0xa6a69c, 0xe46876, 0x87a987, 0xe6c384, 0x7fb4ca, 0x938aa9, 0x7aa89f, 0xc5c9c5,
        ],
    ),
    theme(
        "Kanagawa Lotus",
        [0x545464, 0xf2ecbc, 0x43436c, 0xc9cbd1],
        [
            0x1f1f28, 0xc84053, 0x6f894e, 0x77713f, 0x4d699b, 0xb35b79, 0x597b75, 0x545464,
        ],
        [
            0x8a8980, 0xd7474b, 0x6e915f, 0x836f4a, 0x6693bf, 0x624c83, 0x5e857a, 0x43436c,
        ],
    ),
    theme(
        "Kanagawa Wave",
        [0xdcd7ba, 0x1f1f28, 0xc8c093, 0x2d4f67],
        [
            0x090618, 0xc34043, 0x76946a, 0xc0a36e, 0x7e9cd8, 0x957fb8, 0x6a9589, 0xc8c093,
        ],
        [
            0x727169, 0xe82424, 0x98bb6c, 0xe6c384, 0x7fb4ca, 0x938aa9, 0x7aa89f, 0xdcd7ba,
        ],
    ),
    theme(
        "Material",
        [0xeeffff, 0x263238, 0xffcc00, 0x546e7a],
        [
            0x546e7a, 0xff5370, 0xc3e88d, 0xffcb6b, 0x82aaff, 0xc792ea, 0x89ddff, 0xffffff,
        ],
        [
            0x546e7a, 0xff5370, 0xc3e88d, 0xffcb6b, 0x82aaff, 0xc792ea, 0x89ddff, 0xffffff,
        ],
    ),
    theme(
        "Monokai",
        [0xf8f8f2, 0x272822, 0xf8f8f0, 0x49483e],
        [
            0x272822, 0xf92672, 0xa6e22e, 0xf4bf75, 0x66d9ef, 0xae81ff, 0xa1efe4, 0xf8f8f2,
        ],
        [
            0x75715e, 0xf92672, 0xa6e22e, 0xf4bf75, 0x66d9ef, 0xae81ff, 0xa1efe4, 0xf9f8f5,
        ],
    ),
    theme(
        "Monokai Pro",
        [0xfcfcfa, 0x2d2a2e, 0xc1c0c0, 0x5b595c],
        [
            0x2d2a2e, 0xff6188, 0xa9dc76, 0xffd866, 0xfc9867, 0xab9df2, 0x78dce8, 0xfcfcfa,
        ],
        [
            0x727072, 0xff6188, 0xa9dc76, 0xffd866, 0xfc9867, 0xab9df2, 0x78dce8, 0xfcfcfa,
        ],
    ),
    theme(
        "Night Owl",
        [0xd6deeb, 0x011627, 0x80a4c2, 0x1d3b53],
        [
            0x011627, 0xef5350, 0x22da6e, 0xaddb67, 0x82aaff, 0xc792ea, 0x21c7a8, 0xffffff,
        ],
        [
            0x575656, 0xef5350, 0x22da6e, 0xffeb95, 0x82aaff, 0xc792ea, 0x7fdbca, 0xffffff,
        ],
    ),
    theme(
        "Nightfox",
        [0xcdcecf, 0x192330, 0xcdcecf, 0x2b3b51],
        [
            0x393b44, 0xc94f6d, 0x81b29a, 0xdbc074, 0x719cd6, 0x9d79d6, 0x63cdcf, 0xdfdfe0,
        ],
        [
            0x575860, 0xd16983, 0x8ebaa4, 0xe0c989, 0x86abdc, 0xbaa1e2, 0x7ad5d6, 0xe4e4e5,
        ],
    ),
    theme(
        "Nord",
        [0xd8dee9, 0x2e3440, 0xd8dee9, 0x434c5e],
        [
            0x3b4252, 0xbf616a, 0xa3be8c, 0xebcb8b, 0x81a1c1, 0xb48ead, 0x88c0d0, 0xe5e9f0,
        ],
        [
            0x4c566a, 0xbf616a, 0xa3be8c, 0xebcb8b, 0x81a1c1, 0xb48ead, 0x8fbcbb, 0xeceff4,
        ],
    ),
    theme(
        "One Dark",
        [0xabb2bf, 0x282c34, 0x528bff, 0x3e4451],
        [
            0x282c34, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xabb2bf,
        ],
        [
            0x5c6370, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xffffff,
        ],
    ),
    theme(
        "One Half Dark",
        [0xdcdfe4, 0x282c34, 0xa3b3cc, 0x474e5d],
        [
            0x282c34, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xdcdfe4,
        ],
        [
            0x5d677a, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xdcdfe4,
        ],
    ),
    theme(
        "One Half Light",
        [0x383a42, 0xfafafa, 0xbfceff, 0xbfceff],
        [
            0x383a42, 0xe45649, 0x50a14f, 0xc18401, 0x0184bc, 0xa626a4, 0x0997b3, 0xfafafa,
        ],
        [
            0x4f525e, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xffffff,
        ],
    ),
    theme(
        "One Light",
        [0x383a42, 0xfafafa, 0x526fff, 0xe5e5e6],
        [
            0x383a42, 0xe45649, 0x50a14f, 0xc18401, 0x4078f2, 0xa626a4, 0x0184bc, 0xa0a1a7,
        ],
        [
            0x696c77, 0xe45649, 0x50a14f, 0xc18401, 0x4078f2, 0xa626a4, 0x0184bc, 0xfafafa,
        ],
    ),
    theme(
        "Rose Pine",
        [0xe0def4, 0x191724, 0x524f67, 0x403d52],
        [
            0x26233a, 0xeb6f92, 0x31748f, 0xf6c177, 0x9ccfd8, 0xc4a7e7, 0xebbcba, 0xe0def4,
        ],
        [
            0x6e6a86, 0xeb6f92, 0x31748f, 0xf6c177, 0x9ccfd8, 0xc4a7e7, 0xebbcba, 0xe0def4,
        ],
    ),
    theme(
        "Rose Pine Dawn",
        [0x575279, 0xfaf4ed, 0xcecacd, 0xdfdad9],
        [
            0xf2e9e1, 0xb4637a, 0x286983, 0xea9d34, 0x56949f, 0x907aa9, 0xd7827e, 0x575279,
        ],
        [
            0x9893a5, 0xb4637a, 0x286983, 0xea9d34, 0x56949f, 0x907aa9, 0xd7827e, 0x575279,
        ],
    ),
    theme(
        "Rose Pine Moon",
        [0xe0def4, 0x232136, 0x56526e, 0x44415a],
        [
            0x393552, 0xeb6f92, 0x3e8fb0, 0xf6c177, 0x9ccfd8, 0xc4a7e7, 0xea9a97, 0xe0def4,
        ],
        [
            0x6e6a86, 0xeb6f92, 0x3e8fb0, 0xf6c177, 0x9ccfd8, 0xc4a7e7, 0xea9a97, 0xe0def4,
        ],
    ),
    theme(
        "Solarized Dark",
        [0x839496, 0x002b36, 0x839496, 0x073642],
        [
            0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5,
        ],
        [
            0x002b36, 0xcb4b16, 0x586e75, 0x657b83, 0x839496, 0x6c71c4, 0x93a1a1, 0xfdf6e3,
        ],
    ),
    theme(
        "Solarized Light",
        [0x657b83, 0xfdf6e3, 0x657b83, 0xeee8d5],
        [
            0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5,
        ],
        [
            0x002b36, 0xcb4b16, 0x586e75, 0x657b83, 0x839496, 0x6c71c4, 0x93a1a1, 0xfdf6e3,
        ],
    ),
    theme(
        "Tokyo Night",
        [0xc0caf5, 0x1a1b26, 0xc0caf5, 0x283457],
        [
            0x15161e, 0xf7768e, 0x9ece6a, 0xe0af68, 0x7aa2f7, 0xbb9af7, 0x7dcfff, 0xa9b1d6,
        ],
        [
            0x414868, 0xff899d, 0x9fe044, 0xfaba4a, 0x8db0ff, 0xc7a9ff, 0xa4daff, 0xc0caf5,
        ],
    ),
    theme(
        "Tokyo Night Day",
        [0x3760bf, 0xe1e2e7, 0x3760bf, 0xb7c1e3],
        [
            0xb4b5b9, 0xf52a65, 0x587539, 0x8c6c3e, 0x2e7de9, 0x9854f1, 0x007197, 0x6172b0,
        ],
        [
            0xa1a6c5, 0xff4774, 0x5c8524, 0xa27629, 0x358aff, 0xa463ff, 0x007ea8, 0x3760bf,
        ],
    ),
    theme(
        "Tokyo Night Moon",
        [0xc8d3f5, 0x222436, 0xc8d3f5, 0x2d3f76],
        [
            0x1b1d2b, 0xff757f, 0xc3e88d, 0xffc777, 0x82aaff, 0xc099ff, 0x86e1fc, 0x828bb8,
        ],
        [
            0x444a73, 0xff8d94, 0xc7fb6d, 0xffd8ab, 0x9ab8ff, 0xcaabff, 0xb2ebff, 0xc8d3f5,
        ],
    ),
    theme(
        "Tokyo Night Storm",
        [0xc0caf5, 0x24283b, 0xc0caf5, 0x2e3c64],
        [
            0x1d202f, 0xf7768e, 0x9ece6a, 0xe0af68, 0x7aa2f7, 0xbb9af7, 0x7dcfff, 0xa9b1d6,
        ],
        [
            0x414868, 0xff899d, 0x9fe044, 0xfaba4a, 0x8db0ff, 0xc7a9ff, 0xa4daff, 0xc0caf5,
        ],
    ),
    theme(
        "Zenburn",
        [0xdcdccc, 0x3f3f3f, 0x73635a, 0x21322f],
        [
            0x4d4d4d, 0x7d5d5d, 0x60b48a, 0xf0dfaf, 0x5d6d7d, 0xdc8cc3, 0x8cd0d3, 0xdcdccc,
        ],
        [
            0x709080, 0xdca3a3, 0xc3bf9f, 0xe0cf9f, 0x94bff3, 0xec93d3, 0x93e0e3, 0xffffff,
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::theme::luminance;

    #[track_caller]
    fn check(written: &str, name: &str) {
        let found = Theme::named(written).map(|theme| theme.name.into_owned());
        assert_eq!(found.as_deref(), Ok(name), "{written:?}");
    }

    #[test]
    fn names_ignore_case_spaces_hyphens_and_underscores() {
        for theme in Theme::all() {
            check(&theme.name, &theme.name);
            check(&theme.name.to_uppercase().replace(' ', "_"), &theme.name);
            check(&theme.name.replace([' ', '-'], ""), &theme.name);
        }
        check("Rosé Pine", "Rose Pine");
        check("catppuccin-frappé", "Catppuccin Frappe");
    }

    #[test]
    fn no_two_themes_and_no_alias_share_a_name() {
        let names = Theme::all().iter().map(|theme| theme.name.as_ref());
        let mut folded: Vec<String> = names.chain(ALIASES.map(|a| a.0)).map(fold).collect();
        folded.sort();
        let count = folded.len();
        folded.dedup();
        assert_eq!(folded.len(), count);
    }

    #[test]
    fn an_alias_names_its_theme() {
        for (alias, name) in ALIASES {
            check(alias, name);
            assert!(Theme::named(name).unwrap().aliases().any(|a| a == alias));
        }
    }

    #[test]
    fn themes_of_others_are_sorted_by_name() {
        let names = Theme::all().iter().skip(4).map(|theme| &theme.name);
        assert!(names.is_sorted_by_key(|name| name.to_lowercase()));
    }

    #[test]
    fn pty_default_themes_have_the_colours_of_tuispec() {
        let dark = Theme::named("pty-default-dark").unwrap();
        assert_eq!((dark.fg, dark.bg), (Rgb::new(229, 229, 229), Rgb::hex(0)));
        assert_eq!(dark.ansi[12], Rgb::new(92, 92, 255));
        let light = Theme::named("GitHub-Light-High-Contrast").unwrap();
        assert_eq!(light.ansi[11], Rgb::new(158, 152, 0));
    }

    #[test]
    fn text_is_readable_in_every_theme() {
        for theme in Theme::all() {
            let distance = luminance(theme.fg).abs_diff(luminance(theme.bg));
            assert!(distance > 80, "{} has {distance}", theme.name);
        }
    }

    #[test]
    fn an_unknown_name_is_an_error_with_a_suggestion() {
        for (written, message) in [
            (
                "Draclua",
                "unknown theme `Draclua`, did you mean `Dracula`?",
            ),
            (
                "solarized",
                "unknown theme `solarized`, did you mean `Solarized Dark`?",
            ),
            ("drak", "unknown theme `drak`, did you mean `dark`?"),
            ("xyzzy plugh", "unknown theme `xyzzy plugh`"),
            ("", "unknown theme ``"),
            ("-", "unknown theme `-`"),
        ] {
            assert_eq!(Theme::named(written).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn the_documentation_lists_every_theme() {
        let page = include_str!("../../../../../docs/themes.md");
        let (_, rest) = page
            .split_once("|---|---|---|---|\n")
            .expect("the page has a table");
        let table: String = rest
            .lines()
            .take_while(|line| !line.is_empty())
            .map(|line| format!("{line}\n"))
            .collect();
        let rows = Theme::all().iter().map(|theme| {
            let Theme { name, fg, bg, .. } = theme;
            let kind = if theme.is_light() { "light" } else { "dark" };
            let aliases: Vec<String> = theme.aliases().map(|alias| format!("`{alias}`")).collect();
            format!(
                "| `{name}` | {kind} | `{fg}` on `{bg}` | {} |\n",
                aliases.join(", ")
            )
        });
        assert_eq!(table, rows.collect::<String>());
    }
}
