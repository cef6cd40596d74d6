//! Tests of the meaning of each setting, and of its valid values.

use std::time::Duration;

use super::{read, wrong};
use crate::language::{
    ButtonSide, Command, Dialect, KeyboardOverlay, LoopOffset, MarginFill, OverlayLocation, Shell,
    ShellName, TapeSetting, TapeSettings, WindowBar, WindowButtons,
};
use screentest_core::query::selector::Regex;
use screentest_core::{Rgb, Theme, ThemeCollection};

#[track_caller]
fn check(text: &str, setting: TapeSetting) {
    let text = format!("Set {text}");
    let both = [Dialect::Vhs, Dialect::Betamax].map(|dialect| read(&text, dialect));
    let set = Command::Set(setting);
    assert_eq!(both, [vec![set.clone()], vec![set]], "{text}");
}

#[test]
fn the_name_of_a_setting_determines_its_type() {
    check("FontFamily 12", TapeSetting::FontFamily("12".into()));
    check("FontFamily 'A B'", TapeSetting::FontFamily("A B".into()));
    // A number and a boolean are names here too, but no theme or shell has such a name.
    let errors = wrong("Set Theme 3024\nSet Shell true", Dialect::Vhs);
    assert_eq!(
        errors,
        [
            "1:11 3024: unknown theme `3024`",
            "2:11 true: `Set Shell` cannot be `true`",
        ]
    );
    let shell = TapeSetting::Shell(Shell::Command(vec!["true".into()]));
    assert_eq!(
        read("Set Shell true", Dialect::Betamax),
        [Command::Set(shell)]
    );
}

#[test]
fn numbers() {
    check("FontSize 22", TapeSetting::FontSize(22.0));
    check("FontSize 22.5px", TapeSetting::FontSize(22.5));
    check("FontSize \"46\"", TapeSetting::FontSize(46.0));
    check("LetterSpacing 2.5", TapeSetting::LetterSpacing(2.5));
    check("LineHeight 1.8", TapeSetting::LineHeight(1.8));
    check("Width 1200", TapeSetting::Width(1200));
    check("Height 600px", TapeSetting::Height(600));
    check("Columns 80", TapeSetting::Columns(80));
    check("Rows 24", TapeSetting::Rows(24));
    check("Padding 0", TapeSetting::Padding(0));
    check("Margin 60", TapeSetting::Margin(60));
    check("WindowBarSize 30", TapeSetting::WindowBarSize(30));
    check("BorderRadius 8", TapeSetting::BorderRadius(8));
    check("Framerate 60", TapeSetting::Framerate(60));
    check("PlaybackSpeed .5", TapeSetting::PlaybackSpeed(0.5));
}

#[test]
fn times_and_switches() {
    let ms = Duration::from_millis;
    check("TypingSpeed 50ms", TapeSetting::TypingSpeed(ms(50)));
    check("TypingSpeed .1", TapeSetting::TypingSpeed(ms(100)));
    check("TypingSpeed 1m", TapeSetting::TypingSpeed(ms(60_000)));
    check("WaitTimeout 20s", TapeSetting::WaitTimeout(ms(20_000)));
    check("WaitTimeout 20", TapeSetting::WaitTimeout(ms(20_000)));
    check("CursorBlink false", TapeSetting::CursorBlink(false));
    check("AutoWait false", TapeSetting::AutoWait(false));
    check("CursorBlink true", TapeSetting::CursorBlink(true));
}

#[test]
fn patterns_with_and_without_slashes() {
    let pattern = |source| TapeSetting::WaitPattern(Regex::new(source).unwrap());
    check(r"WaitPattern /\$ $/", pattern(r"\$ $"));
    check("WaitPattern '>$'", pattern(">$"));
    check("WaitPattern '/> $/'", pattern("> $"));
}

#[test]
fn padding_margin_bar_and_corners() {
    check(
        "MarginFill '#674EFF'",
        TapeSetting::MarginFill(MarginFill::Color(Rgb::hex(0x67_4e_ff))),
    );
    check(
        "MarginFill wall.png",
        TapeSetting::MarginFill(MarginFill::Image("wall.png".into())),
    );
    check(
        "MarginFill ''",
        TapeSetting::MarginFill(MarginFill::Nothing),
    );
    let bar = |buttons, side| TapeSetting::WindowBar(WindowBar::Bar { buttons, side });
    check("WindowBar ''", TapeSetting::WindowBar(WindowBar::Off));
    check(
        "WindowBar Colorful",
        bar(WindowButtons::Colorful, ButtonSide::Left),
    );
    check(
        "WindowBar ColorfulRight",
        bar(WindowButtons::Colorful, ButtonSide::Right),
    );
    check(
        "WindowBar Rings",
        bar(WindowButtons::Rings, ButtonSide::Left),
    );
    check(
        "WindowBar 'RingsRight'",
        bar(WindowButtons::Rings, ButtonSide::Right),
    );
}

#[test]
fn keyboard_overlays() {
    check(
        "KeyboardOverlay All",
        TapeSetting::KeyboardOverlay(KeyboardOverlay::All),
    );
    check(
        "KeyboardOverlay input",
        TapeSetting::KeyboardOverlay(KeyboardOverlay::Input),
    );
    let location = TapeSetting::KeyboardOverlayLocation(OverlayLocation::TopLeft);
    check("KeyboardOverlayLocation top_left", location.clone());
    check("KeyboardOverlayLocation TOP-LEFT", location);
}

#[test]
fn shells_and_programs_as_shells() {
    check(
        "Shell zsh",
        TapeSetting::Shell(Shell::Named(ShellName::Zsh)),
    );
    check(
        "Shell \"nu\"",
        TapeSetting::Shell(Shell::Named(ShellName::Nu)),
    );
    let command = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned());
        TapeSetting::Shell(Shell::Command(words.collect()))
    };
    check("Shell /bin/dash", command(&["/bin/dash"]));
    check("Shell 'bash --posix'", command(&["bash", "--posix"]));
    for (name, shell) in ShellName::ALL {
        assert_eq!(shell.program(), name);
    }
}

#[test]
fn themes_by_name_and_as_json_over_several_lines() {
    let dracula = Theme::named("Dracula").unwrap();
    let sea_shells = Theme::named("SeaShells").unwrap();
    assert_eq!(set_theme("Dracula", Dialect::Vhs), dracula);
    check(
        "Theme \"Seashells\"",
        TapeSetting::Theme(Box::new(sea_shells)),
    );
    assert_eq!(set_theme("''", Dialect::Vhs), Theme::VHS);
    assert_eq!(set_theme("''", Dialect::Betamax).name, "Aardvark Blue");
    let json = "{ \"name\": \"a }\",\n  \"red\": \"#ff0000\" }";
    let quoted = "'{ \"name\": \"a }\", \"red\": \"#ff0000\" }'";
    for (_, dialect) in Dialect::ALL {
        let theme = Theme::from_json_in(json, dialect.themes()).unwrap();
        assert_eq!((&*theme.name, theme.ansi[1]), ("a }", Rgb::hex(0xff0000)));
        assert_eq!(set_theme(json, dialect), theme);
        assert_eq!(set_theme(quoted, dialect), theme);
    }
}

/// Returns the theme that `Set Theme` selects.
fn set_theme(value: &str, dialect: Dialect) -> Theme {
    match &read(&format!("Set Theme {value}"), dialect)[..] {
        [Command::Set(TapeSetting::Theme(theme))] => Theme::clone(theme),
        other => panic!("{value}: {other:?}"),
    }
}

#[test]
fn every_theme_of_vhs_and_betamax_can_be_set() {
    for (dialect, collection) in [
        (Dialect::Vhs, ThemeCollection::Vhs),
        (Dialect::Betamax, ThemeCollection::Betamax),
    ] {
        for theme in collection.themes() {
            let quoted = format!("\"{}\"", theme.name);
            assert_eq!(set_theme(&quoted, dialect), theme);
        }
    }
}

#[test]
fn colours_that_json_leaves_out_are_those_of_the_dialect() {
    let json = "{ \"background\": \"#faf5ff\", \"red\": \"#f00\" }";
    for (dialect, expected) in [
        // The defaults of xterm.js.
        (Dialect::Vhs, "#faf5ff #ffffff #ff0000 #4e9a06"),
        // `Aardvark Blue`.
        (Dialect::Betamax, "#faf5ff #dddddd #ff0000 #4b8c0f"),
    ] {
        for value in [json.to_owned(), format!("'{json}'")] {
            let Theme { bg, fg, ansi, .. } = set_theme(&value, dialect);
            let colors = [bg, fg, ansi[1], ansi[2]].map(|color| color.to_string());
            assert_eq!(colors.join(" "), expected, "{value}");
        }
    }
}

#[test]
fn themes_have_the_colours_of_the_dialect() {
    let background = |name: &str, dialect| set_theme(name, dialect).bg.to_string();
    for (name, vhs, betamax) in [
        ("Dracula", "#1e1f29", "#282a36"),
        ("\"TokyoNight\"", "#16161e", "#1a1b26"),
        ("'Monokai Pro'", "#403e41", "#2d2a2e"),
        // Names that only one of them has.
        ("tokyonight", "#1a1b26", "#1a1b26"),
        ("'Flexoki Light'", "#fffcf0", "#fffcf0"),
        ("Zeonica", "#01001d", "#01001d"),
        // Our own.
        ("screentest", "#171717", "#171717"),
        ("light", "#ffffff", "#ffffff"),
    ] {
        assert_eq!(background(name, Dialect::Vhs), vhs, "{name}");
        assert_eq!(background(name, Dialect::Betamax), betamax, "{name}");
    }
}

#[test]
fn a_loop_offset_may_be_a_time() {
    let offset = |offset| TapeSetting::LoopOffset(offset);
    check("LoopOffset 20%", offset(LoopOffset::Fraction(0.2)));
    check(
        "LoopOffset 1.5s",
        offset(LoopOffset::Time(Duration::from_millis(1500))),
    );
}

#[test]
fn the_last_setting_wins_and_the_others_have_defaults() {
    let defaults = TapeSettings::defaults(Dialect::Vhs);
    assert_eq!(
        (defaults.width, defaults.height, defaults.padding),
        (1200, 600, 60)
    );
    assert_eq!((defaults.font_size, defaults.framerate), (22.0, 50));
    assert_eq!(defaults.shell, Shell::Named(ShellName::Bash));
    assert_eq!(defaults.theme, Theme::VHS);
    assert_eq!(defaults.wait_pattern.as_str(), ">$");
    let betamax = TapeSettings::defaults(Dialect::Betamax);
    assert_eq!(
        (betamax.shell, &*betamax.theme.name),
        (Shell::User, "Aardvark Blue")
    );
    let (tape, _) = super::parse("Set Width 100\nSet Width 900", "a.tape", None);
    let (plan, report) = tape.resolve(|_, _| Err::<_, &str>("none"));
    assert!(report.is_empty(), "{report}");
    assert_eq!(plan.settings, {
        let mut all = defaults;
        all.width = 900;
        all
    });
}

#[test]
fn invalid_values_are_errors_with_their_place() {
    let check = |text: &str, error: &str| assert_eq!(wrong(text, Dialect::Vhs), [error], "{text}");
    check("Set Wdith 100", "1:5 Wdith: unknown setting `Wdith`");
    check("Set 12 100", "1:5 12: unknown setting `12`");
    check("Set", "1:1 Set: `Set` needs a name and a value");
    check("Set Width", "1:5 Width: `Set Width` needs a number");
    check(
        "Set Width big",
        "1:11 big: `Set Width` takes a number from 1 to 16384, not `big`",
    );
    check(
        "Set Width -5",
        "1:11 -5: `Set Width` takes a number from 1 to 16384, not `-5`",
    );
    check(
        "Set Width 1e3",
        "1:11 1e3: `Set Width` takes a number from 1 to 16384, not `1e3`",
    );
    check(
        "Set Width 12.5",
        "1:10  12.5: `Set Width` takes a whole number, not `12.5`",
    );
    check(
        "Set Framerate 0",
        "1:15 0: `Set Framerate` takes a number from 1 to 240, not `0`",
    );
    check(
        "Set FontSize inf",
        "1:14 inf: `Set FontSize` takes a number from 1 to 500, not `inf`",
    );
    check(
        "Set Rows 99999",
        "1:10 99999: `Set Rows` takes a number from 1 to 2000, not `99999`",
    );
    check("Set LoopOffset 200", "1:16 200: `200` is not a loop offset");
    check(
        "Set CursorBlink yes",
        "1:17 yes: `Set CursorBlink` cannot be `yes`",
    );
    check(
        "Set WindowBar Colourful",
        "1:15 Colourful: `Set WindowBar` cannot be `Colourful`",
    );
    check(
        "Set MarginFill '#12345'",
        "1:16 '#12345': `#12345` is not a colour as in `#1a2b3c`",
    );
    check(
        "Set MarginFill #123456",
        "1:5 MarginFill: `Set MarginFill` needs a colour or a picture, but `#` begins a comment",
    );
    check("Set Shell bsah", "1:11 bsah: `Set Shell` cannot be `bsah`");
    check("Set Theme Drakula", "1:11 Drakula: unknown theme `Drakula`");
    check(
        "Set Theme { \"red\": 1 }",
        "1:11 { \"red\": 1 }: invalid theme: `red`: `1` is not a colour as in `#1a2b3c`",
    );
    check(
        "Set Theme { \"red\": \"#fff\"\nEnter",
        "1:11 { \"red\": \"#fff\": the `{` has no closing `}`",
    );
    check("Set WaitTimeout -1", "1:17 -1: `-1` is a negative time");
    check("Set WaitTimeout 0", "1:17 0: a timeout cannot be zero");
    check(
        "Set WaitPattern /a",
        "1:17 /a: the expression has no closing `/`",
    );
    check(
        "Set KeyboardOverlay Some",
        "1:21 Some: `Set KeyboardOverlay` cannot be `Some`",
    );
    check(
        "Set FontFamily JetBrains Mono",
        "1:26 Mono: unknown command `Mono`",
    );
    let bad_regex = wrong("Set WaitPattern /a(/", Dialect::Vhs);
    assert!(
        bad_regex[0].starts_with("1:17 /a(/: invalid regular expression `a(`"),
        "{bad_regex:?}"
    );
}
