//! Settings of a tape, and their defaults.
//!
//! The name of a setting determines how its value is parsed: in `Set Theme 3024`, `3024` is the
//! name of a theme and not a number.
//!
//! See also: the parser of settings (`parser/settings.rs`).

use std::sync::LazyLock;
use std::time::Duration;

use super::Dialect;
use screentest_core::query::selector::Regex;
use screentest_core::{Rgb, Theme};

/// A `Set` command of a tape.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TapeSetting {
    /// The shell to run in the terminal.
    Shell(Shell),
    /// The name of the font.
    FontFamily(String),
    /// The font size, in pixels.
    FontSize(f64),
    /// Additional pixels between characters.
    LetterSpacing(f64),
    /// The row height, as a factor of the font's own height.
    LineHeight(f64),
    /// The picture's width, in pixels.
    Width(u32),
    /// The picture's height, in pixels.
    Height(u32),
    /// The terminal's columns, instead of a width.
    Columns(u16),
    /// The terminal's rows, instead of a height.
    Rows(u16),
    /// The pixels between the text and the window's edge.
    Padding(u32),
    /// The pixels around the window.
    Margin(u32),
    /// The fill of the margin.
    MarginFill(MarginFill),
    /// The bar above the window.
    WindowBar(WindowBar),
    /// The height of the bar, in pixels.
    WindowBarSize(u32),
    /// The radius of the window's corners, in pixels.
    BorderRadius(u32),
    /// Frames per second.
    Framerate(u32),
    /// Playback speed of the animation, as a factor.
    PlaybackSpeed(f64),
    /// The moment at which the animation begins.
    LoopOffset(LoopOffset),
    /// Time per typed character.
    TypingSpeed(Duration),
    /// The colours.
    Theme(Box<Theme>),
    /// Whether the cursor blinks.
    CursorBlink(bool),
    /// The default timeout of waits.
    WaitTimeout(Duration),
    /// The default pattern of waits.
    WaitPattern(Regex),
    /// Which keys are shown in the picture.
    KeyboardOverlay(KeyboardOverlay),
    /// Where the keys are shown.
    KeyboardOverlayLocation(OverlayLocation),
    /// Whether input waits until the program is ready for it.
    AutoWait(bool),
}

/// The names of all settings.
pub(super) const NAMES: [&str; 26] = [
    "Shell",
    "FontFamily",
    "FontSize",
    "LetterSpacing",
    "LineHeight",
    "Width",
    "Height",
    "Columns",
    "Rows",
    "Padding",
    "Margin",
    "MarginFill",
    "WindowBar",
    "WindowBarSize",
    "BorderRadius",
    "Framerate",
    "PlaybackSpeed",
    "LoopOffset",
    "TypingSpeed",
    "Theme",
    "CursorBlink",
    "WaitTimeout",
    "WaitPattern",
    "KeyboardOverlay",
    "KeyboardOverlayLocation",
    "AutoWait",
];

/// The program that runs in the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shell {
    /// A known shell, started with the prompt `> `.
    Named(ShellName),
    /// The user's shell, from `SHELL`, or `sh`.
    User,
    /// This program with these arguments, started without changes.
    Command(Vec<String>),
}

/// The shells that VHS supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShellName {
    /// The Bourne-again shell.
    Bash,
    /// The Z shell.
    Zsh,
    /// The friendly interactive shell.
    Fish,
    /// Windows PowerShell.
    Powershell,
    /// PowerShell.
    Pwsh,
    /// The command prompt of Windows.
    Cmd,
    /// Nushell.
    Nu,
    /// Oils.
    Osh,
    /// Xonsh.
    Xonsh,
}

impl ShellName {
    /// All shells, by the names of their programs.
    pub const ALL: [(&'static str, ShellName); 9] = [
        ("bash", ShellName::Bash),
        ("zsh", ShellName::Zsh),
        ("fish", ShellName::Fish),
        ("powershell", ShellName::Powershell),
        ("pwsh", ShellName::Pwsh),
        ("cmd", ShellName::Cmd),
        ("nu", ShellName::Nu),
        ("osh", ShellName::Osh),
        ("xonsh", ShellName::Xonsh),
    ];

    /// Returns the shell with this program name.
    pub fn named(name: &str) -> Option<ShellName> {
        let mut all = ShellName::ALL.iter();
        all.find_map(|(program, shell)| (*program == name).then_some(*shell))
    }

    /// Returns its program name.
    pub fn program(self) -> &'static str {
        let mut all = ShellName::ALL.iter();
        all.find_map(|(program, shell)| (*shell == self).then_some(*program))
            .expect("every shell is in the list")
    }
}

/// The fill of the margin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarginFill {
    /// The theme's background.
    Theme,
    /// No margin.
    Nothing,
    /// A colour.
    Color(Rgb),
    /// A picture, by its path.
    Image(String),
}

/// The bar above the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WindowBar {
    /// No bar.
    Off,
    /// A bar with buttons.
    Bar {
        /// The style of the buttons.
        buttons: WindowButtons,
        /// The side of the buttons.
        side: ButtonSide,
    },
}

/// The style of window buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WindowButtons {
    /// Red, yellow and green.
    Colorful,
    /// Rings.
    Rings,
}

/// The side of the window buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ButtonSide {
    /// On the left.
    Left,
    /// On the right.
    Right,
}

impl WindowBar {
    pub(super) const ALL: [(&'static str, WindowBar); 5] = [
        ("", WindowBar::Off),
        (
            "Colorful",
            WindowBar::bar(WindowButtons::Colorful, ButtonSide::Left),
        ),
        (
            "ColorfulRight",
            WindowBar::bar(WindowButtons::Colorful, ButtonSide::Right),
        ),
        (
            "Rings",
            WindowBar::bar(WindowButtons::Rings, ButtonSide::Left),
        ),
        (
            "RingsRight",
            WindowBar::bar(WindowButtons::Rings, ButtonSide::Right),
        ),
    ];

    const fn bar(buttons: WindowButtons, side: ButtonSide) -> WindowBar {
        WindowBar::Bar { buttons, side }
    }
}

/// The moment at which an animation begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LoopOffset {
    /// After this fraction of the animation, from 0 to 1.
    Fraction(f64),
    /// After this time. A time beyond the end continues from the start.
    Time(Duration),
}

/// Which keys are shown in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyboardOverlay {
    /// None.
    Off,
    /// Keys that are pressed by name.
    Keys,
    /// Text that is typed.
    Input,
    /// Both.
    All,
}

impl KeyboardOverlay {
    pub(super) const ALL: [(&'static str, KeyboardOverlay); 4] = [
        ("Off", KeyboardOverlay::Off),
        ("Keys", KeyboardOverlay::Keys),
        ("Input", KeyboardOverlay::Input),
        ("All", KeyboardOverlay::All),
    ];
}

/// Where keys are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverlayLocation {
    /// In the caption row.
    CaptionRow,
    /// In the top left corner.
    TopLeft,
    /// In the top right corner.
    TopRight,
    /// In the bottom left corner.
    BottomLeft,
    /// In the bottom right corner.
    BottomRight,
}

impl OverlayLocation {
    pub(super) const ALL: [(&'static str, OverlayLocation); 5] = [
        ("CaptionRow", OverlayLocation::CaptionRow),
        ("TopLeft", OverlayLocation::TopLeft),
        ("TopRight", OverlayLocation::TopRight),
        ("BottomLeft", OverlayLocation::BottomLeft),
        ("BottomRight", OverlayLocation::BottomRight),
    ];
}

/// The values of all settings.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TapeSettings {
    /// The shell to run in the terminal.
    pub shell: Shell,
    /// The font; `None` for the built-in one.
    pub font_family: Option<String>,
    /// The font size, in pixels.
    pub font_size: f64,
    /// Additional pixels between characters.
    pub letter_spacing: f64,
    /// The row height, as a factor.
    pub line_height: f64,
    /// The picture's width, in pixels.
    pub width: u32,
    /// The picture's height, in pixels.
    pub height: u32,
    /// The terminal's columns, which then determine the width. `None`: the width determines them.
    pub columns: Option<u16>,
    /// The terminal's rows, which then determine the height. `None`: the height determines them.
    pub rows: Option<u16>,
    /// The pixels between the text and the window's edge.
    pub padding: u32,
    /// The pixels around the window.
    pub margin: u32,
    /// The fill of the margin.
    pub margin_fill: MarginFill,
    /// The bar above the window.
    pub window_bar: WindowBar,
    /// The height of the bar, in pixels.
    pub window_bar_size: u32,
    /// The radius of the window's corners, in pixels.
    pub border_radius: u32,
    /// Frames per second.
    pub framerate: u32,
    /// Playback speed of the animation, as a factor.
    pub playback_speed: f64,
    /// The moment at which the animation begins.
    pub loop_offset: LoopOffset,
    /// Time per typed character, until a later `Set TypingSpeed` changes it.
    pub typing_speed: Duration,
    /// The colours.
    pub theme: Theme,
    /// Whether the cursor blinks.
    pub cursor_blink: bool,
    /// The default timeout of waits.
    pub wait_timeout: Duration,
    /// The default pattern of waits.
    pub wait_pattern: Regex,
    /// Which keys are shown in the picture.
    pub keyboard_overlay: KeyboardOverlay,
    /// Where the keys are shown.
    pub keyboard_overlay_location: OverlayLocation,
    /// Whether input waits until the program is ready for it.
    pub auto_wait: bool,
}

/// Default pattern of a wait.
static PROMPT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(">$").expect("the pattern is a valid regular expression"));

impl TapeSettings {
    /// Returns the default settings.
    pub fn defaults(dialect: Dialect) -> TapeSettings {
        let shell = match dialect {
            Dialect::Vhs => Shell::Named(ShellName::Bash),
            Dialect::Betamax => Shell::User,
        };
        TapeSettings {
            shell,
            font_family: None,
            font_size: 22.0,
            letter_spacing: 1.0,
            line_height: 1.0,
            width: 1200,
            height: 600,
            columns: None,
            rows: None,
            padding: 60,
            margin: 0,
            margin_fill: MarginFill::Theme,
            window_bar: WindowBar::Off,
            window_bar_size: 30,
            border_radius: 0,
            framerate: 50,
            playback_speed: 1.0,
            loop_offset: LoopOffset::Fraction(0.0),
            typing_speed: Duration::from_millis(50),
            theme: dialect.default_theme(),
            cursor_blink: true,
            wait_timeout: Duration::from_secs(15),
            wait_pattern: PROMPT.clone(),
            keyboard_overlay: KeyboardOverlay::Off,
            keyboard_overlay_location: OverlayLocation::CaptionRow,
            auto_wait: true,
        }
    }

    /// Applies one setting. It replaces an earlier setting of the same name.
    pub fn set(&mut self, setting: TapeSetting) {
        match setting {
            TapeSetting::Shell(shell) => self.shell = shell,
            TapeSetting::FontFamily(name) => self.font_family = Some(name),
            TapeSetting::FontSize(size) => self.font_size = size,
            TapeSetting::LetterSpacing(pixels) => self.letter_spacing = pixels,
            TapeSetting::LineHeight(factor) => self.line_height = factor,
            TapeSetting::Width(pixels) => self.width = pixels,
            TapeSetting::Height(pixels) => self.height = pixels,
            TapeSetting::Columns(columns) => self.columns = Some(columns),
            TapeSetting::Rows(rows) => self.rows = Some(rows),
            TapeSetting::Padding(pixels) => self.padding = pixels,
            TapeSetting::Margin(pixels) => self.margin = pixels,
            TapeSetting::MarginFill(fill) => self.margin_fill = fill,
            TapeSetting::WindowBar(bar) => self.window_bar = bar,
            TapeSetting::WindowBarSize(pixels) => self.window_bar_size = pixels,
            TapeSetting::BorderRadius(pixels) => self.border_radius = pixels,
            TapeSetting::Framerate(rate) => self.framerate = rate,
            TapeSetting::PlaybackSpeed(speed) => self.playback_speed = speed,
            TapeSetting::LoopOffset(offset) => self.loop_offset = offset,
            TapeSetting::TypingSpeed(time) => self.typing_speed = time,
            TapeSetting::Theme(theme) => self.theme = *theme,
            TapeSetting::CursorBlink(blinks) => self.cursor_blink = blinks,
            TapeSetting::AutoWait(waits) => self.auto_wait = waits,
            TapeSetting::WaitTimeout(time) => self.wait_timeout = time,
            TapeSetting::WaitPattern(pattern) => self.wait_pattern = pattern,
            TapeSetting::KeyboardOverlay(overlay) => self.keyboard_overlay = overlay,
            TapeSetting::KeyboardOverlayLocation(location) => {
                self.keyboard_overlay_location = location;
            }
        }
    }
}
