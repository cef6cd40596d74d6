//! What a tape can set, and what holds where it does not.
//!
//! A setting's name says what its value must be, and only then is the value read: `Set Theme 3024` is a theme.
//!
//! Elsewhere: reading them (`parser/settings.rs`).

use std::sync::LazyLock;
use std::time::Duration;

use super::Dialect;
use crate::query::selector::Regex;
use crate::{Rgb, Theme};

/// One `Set` of a tape.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Setting {
    /// What runs in the terminal.
    Shell(Shell),
    /// The font, by its name.
    FontFamily(String),
    /// The font's size, in pixels.
    FontSize(f64),
    /// The pixels between characters, as VHS counts them.
    LetterSpacing(f64),
    /// How high a row is, as a factor of the font's own height.
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
    /// What fills them.
    MarginFill(MarginFill),
    /// What is above the window.
    WindowBar(WindowBar),
    /// How high that is, in pixels.
    WindowBarSize(u32),
    /// How round the window's corners are, in pixels.
    BorderRadius(u32),
    /// Pictures a second.
    Framerate(u32),
    /// How many times as fast as it was the animation plays.
    PlaybackSpeed(f64),
    /// Where the animation begins.
    LoopOffset(LoopOffset),
    /// How long a typed character takes.
    TypingSpeed(Duration),
    /// The colours.
    Theme(Box<Theme>),
    /// Whether the cursor blinks.
    CursorBlink(bool),
    /// How long a wait may take.
    WaitTimeout(Duration),
    /// What a wait without an expression waits for.
    WaitPattern(Regex),
    /// Which keys are shown in the picture.
    KeyboardOverlay(KeyboardOverlay),
    /// Where they are shown.
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

/// What runs in the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shell {
    /// A shell that is known, and is started so that its prompt is `> `.
    Named(ShellName),
    /// The user's own, from `SHELL`, else `sh`.
    Users,
    /// This program with these arguments, started as it is.
    Command(Vec<String>),
}

/// The shells that VHS knows.
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
    /// All of them, by the names of their programs.
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

    /// The shell with this program.
    pub fn named(name: &str) -> Option<ShellName> {
        let mut all = ShellName::ALL.iter();
        all.find_map(|(program, shell)| (*program == name).then_some(*shell))
    }

    /// Its program.
    pub fn program(self) -> &'static str {
        let mut all = ShellName::ALL.iter();
        all.find_map(|(program, shell)| (*shell == self).then_some(*program))
            .expect("every shell is in the list")
    }
}

/// What fills the margin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarginFill {
    /// The theme's background.
    Theme,
    /// Nothing: there is no margin.
    Nothing,
    /// A colour.
    Color(Rgb),
    /// A picture, by its path.
    Image(String),
}

/// What is above the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WindowBar {
    /// Nothing.
    Off,
    /// A bar with buttons.
    Bar {
        /// How they look.
        buttons: Buttons,
        /// At which side they are.
        side: Side,
    },
}

/// How the buttons of a window look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Buttons {
    /// Red, yellow and green.
    Colorful,
    /// Rings.
    Rings,
}

/// At which side of a window its buttons are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// At the left.
    Left,
    /// At the right.
    Right,
}

impl WindowBar {
    pub(super) const ALL: [(&'static str, WindowBar); 5] = [
        ("", WindowBar::Off),
        ("Colorful", WindowBar::bar(Buttons::Colorful, Side::Left)),
        (
            "ColorfulRight",
            WindowBar::bar(Buttons::Colorful, Side::Right),
        ),
        ("Rings", WindowBar::bar(Buttons::Rings, Side::Left)),
        ("RingsRight", WindowBar::bar(Buttons::Rings, Side::Right)),
    ];

    const fn bar(buttons: Buttons, side: Side) -> WindowBar {
        WindowBar::Bar { buttons, side }
    }
}

/// Where an animation begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LoopOffset {
    /// After this part of it, from 0 to 1.
    Fraction(f64),
    /// After this time; beyond its end it goes on from its start.
    Time(Duration),
}

/// Which keys are shown in the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyboardOverlay {
    /// None.
    Off,
    /// Those that were pressed by name.
    Keys,
    /// The text that was typed.
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
    /// Where captions are.
    CaptionRow,
    /// In this corner.
    TopLeft,
    /// In this corner.
    TopRight,
    /// In this corner.
    BottomLeft,
    /// In this corner.
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

/// Everything that can be set, with a value for each.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// What runs in the terminal.
    pub shell: Shell,
    /// The font; `None` for the one that is always there.
    pub font_family: Option<String>,
    /// The font's size, in pixels.
    pub font_size: f64,
    /// The pixels between characters, as VHS counts them.
    pub letter_spacing: f64,
    /// How high a row is, as a factor.
    pub line_height: f64,
    /// The picture's width, in pixels.
    pub width: u32,
    /// The picture's height, in pixels.
    pub height: u32,
    /// The terminal's columns, which then decide the width.
    pub columns: Option<u16>,
    /// The terminal's rows, which then decide the height.
    pub rows: Option<u16>,
    /// The pixels between the text and the window's edge.
    pub padding: u32,
    /// The pixels around the window.
    pub margin: u32,
    /// What fills them.
    pub margin_fill: MarginFill,
    /// What is above the window.
    pub window_bar: WindowBar,
    /// How high that is, in pixels.
    pub window_bar_size: u32,
    /// How round the window's corners are, in pixels.
    pub border_radius: u32,
    /// Pictures a second.
    pub framerate: u32,
    /// How many times as fast as it was the animation plays.
    pub playback_speed: f64,
    /// Where the animation begins.
    pub loop_offset: LoopOffset,
    /// How long a typed character takes, at the start.
    pub typing_speed: Duration,
    /// The colours.
    pub theme: Theme,
    /// Whether the cursor blinks.
    pub cursor_blink: bool,
    /// How long a wait may take.
    pub wait_timeout: Duration,
    /// What a wait without an expression waits for.
    pub wait_pattern: Regex,
    /// Which keys are shown in the picture.
    pub keyboard_overlay: KeyboardOverlay,
    /// Where they are shown.
    pub keyboard_overlay_location: OverlayLocation,
    /// Whether input waits until the program is ready for it.
    pub auto_wait: bool,
}

/// What a wait looks for that does not say it.
static PROMPT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(">$").expect("a prompt is a regular expression"));

impl Settings {
    /// What holds where a tape sets nothing.
    pub fn defaults(dialect: Dialect) -> Settings {
        let (shell, theme) = match dialect {
            Dialect::Vhs => (Shell::Named(ShellName::Bash), Theme::DARK),
            Dialect::Betamax => (
                Shell::Users,
                Theme::named("Aardvark Blue").unwrap_or(Theme::DARK),
            ),
        };
        Settings {
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
            theme,
            cursor_blink: true,
            wait_timeout: Duration::from_secs(15),
            wait_pattern: PROMPT.clone(),
            keyboard_overlay: KeyboardOverlay::Off,
            keyboard_overlay_location: OverlayLocation::CaptionRow,
            auto_wait: true,
        }
    }

    /// Takes over one setting; the last of several counts.
    pub fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Shell(shell) => self.shell = shell,
            Setting::FontFamily(name) => self.font_family = Some(name),
            Setting::FontSize(size) => self.font_size = size,
            Setting::LetterSpacing(factor) => self.letter_spacing = factor,
            Setting::LineHeight(factor) => self.line_height = factor,
            Setting::Width(pixels) => self.width = pixels,
            Setting::Height(pixels) => self.height = pixels,
            Setting::Columns(columns) => self.columns = Some(columns),
            Setting::Rows(rows) => self.rows = Some(rows),
            Setting::Padding(pixels) => self.padding = pixels,
            Setting::Margin(pixels) => self.margin = pixels,
            Setting::MarginFill(fill) => self.margin_fill = fill,
            Setting::WindowBar(bar) => self.window_bar = bar,
            Setting::WindowBarSize(pixels) => self.window_bar_size = pixels,
            Setting::BorderRadius(pixels) => self.border_radius = pixels,
            Setting::Framerate(rate) => self.framerate = rate,
            Setting::PlaybackSpeed(speed) => self.playback_speed = speed,
            Setting::LoopOffset(offset) => self.loop_offset = offset,
            Setting::TypingSpeed(time) => self.typing_speed = time,
            Setting::Theme(theme) => self.theme = *theme,
            Setting::CursorBlink(blinks) => self.cursor_blink = blinks,
            Setting::AutoWait(waits) => self.auto_wait = waits,
            Setting::WaitTimeout(time) => self.wait_timeout = time,
            Setting::WaitPattern(pattern) => self.wait_pattern = pattern,
            Setting::KeyboardOverlay(overlay) => self.keyboard_overlay = overlay,
            Setting::KeyboardOverlayLocation(location) => {
                self.keyboard_overlay_location = location;
            }
        }
    }
}
