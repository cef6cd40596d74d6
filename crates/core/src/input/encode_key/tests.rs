//! Tests of key encoding: chords by name, modes, and the resulting bytes.

use super::*;

/// Checks rows of `chord → bytes`, with bytes as written by `escape_ascii`.
#[track_caller]
fn check(modes: &Modes, cases: &[(&str, &str)]) {
    for (name, sent) in cases {
        let chord: Chord = name.parse().unwrap();
        let got = bytes(chord, modes).escape_ascii().to_string();
        assert_eq!(got, *sent, "{name} with {:?}", modes.kitty_keyboard);
    }
}

fn kitty(flags: KittyKeyboard) -> Modes {
    Modes {
        kitty_keyboard: flags,
        ..Modes::default()
    }
}

#[test]
fn characters_are_sent_as_themselves() {
    check(
        &Modes::default(),
        &[
            ("a", "a"),
            ("A", "A"),
            ("Shift+a", "A"),
            ("Shift+1", "!"),
            ("+", "+"),
            ("é", r"\xc3\xa9"),
            ("Space", " "),
            ("Shift+Space", " "),
            ("Super+a", "a"),
        ],
    );
}

#[test]
fn ctrl_sends_control_characters() {
    check(
        &Modes::default(),
        &[
            ("Ctrl+A", r"\x01"),
            ("Ctrl+c", r"\x03"),
            ("Ctrl+Shift+C", r"\x03"),
            ("Ctrl+I", r"\t"),
            ("Ctrl+M", r"\r"),
            ("Ctrl+Z", r"\x1a"),
            ("Ctrl+Space", r"\x00"),
            ("Ctrl+Shift+Space", r"\x00"),
            ("Ctrl+@", r"\x00"),
            ("Ctrl+2", r"\x00"),
            ("Ctrl+[", r"\x1b"),
            ("Ctrl+3", r"\x1b"),
            ("Ctrl+\\", r"\x1c"),
            ("Ctrl+]", r"\x1d"),
            ("Ctrl+^", r"\x1e"),
            ("Ctrl+Shift+6", r"\x1e"),
            ("Ctrl+_", r"\x1f"),
            ("Ctrl+/", r"\x1f"),
            ("Ctrl+Shift+-", r"\x1f"),
            ("Ctrl+?", r"\x7f"),
            ("Ctrl+8", r"\x7f"),
            // Keys without a control character.
            ("Ctrl+1", "1"),
            ("Ctrl++", "+"),
            ("Ctrl+é", r"\xc3\xa9"),
        ],
    );
}

#[test]
fn alt_sends_an_escape_before_the_key() {
    check(
        &Modes::default(),
        &[
            ("Alt+a", r"\x1ba"),
            ("Alt+A", r"\x1bA"),
            ("Alt+[", r"\x1b["),
            ("Alt+界", r"\x1b\xe7\x95\x8c"),
            ("Ctrl+Alt+C", r"\x1b\x03"),
            ("Alt+Space", r"\x1b "),
            ("Ctrl+Alt+Space", r"\x1b\x00"),
            ("Alt+Enter", r"\x1b\r"),
            ("Alt+Esc", r"\x1b\x1b"),
            ("Alt+Backspace", r"\x1b\x7f"),
            ("Ctrl+Alt+Backspace", r"\x1b\x08"),
            ("Alt+Shift+Tab", r"\x1b\x1b[Z"),
        ],
    );
}

#[test]
fn keys_with_their_own_control_character() {
    check(
        &Modes::default(),
        &[
            ("Enter", r"\r"),
            ("Ctrl+Enter", r"\r"),
            ("Shift+Enter", r"\r"),
            ("Esc", r"\x1b"),
            ("Tab", r"\t"),
            ("Ctrl+Tab", r"\t"),
            ("Shift+Tab", r"\x1b[Z"),
            ("Ctrl+Shift+Tab", r"\x1b[Z"),
            ("Backspace", r"\x7f"),
            ("Shift+Backspace", r"\x7f"),
            ("Ctrl+Backspace", r"\x08"),
        ],
    );
    let newline = Modes {
        newline: true,
        ..Modes::default()
    };
    check(&newline, &[("Enter", r"\r\n"), ("Alt+Enter", r"\x1b\r\n")]);
}

#[test]
fn cursor_keys_use_application_mode_only_without_modifiers() {
    let application = Modes {
        application_cursor: true,
        ..Modes::default()
    };
    for (key, end) in [
        ("Up", 'A'),
        ("Down", 'B'),
        ("Right", 'C'),
        ("Left", 'D'),
        ("End", 'F'),
        ("Home", 'H'),
    ] {
        check(&Modes::default(), &[(key, &format!(r"\x1b[{end}"))]);
        check(&application, &[(key, &format!(r"\x1bO{end}"))]);
        let modified = [
            ("Shift", 2),
            ("Alt", 3),
            ("Alt+Shift", 4),
            ("Ctrl", 5),
            ("Ctrl+Shift", 6),
            ("Ctrl+Alt", 7),
            ("Ctrl+Alt+Shift", 8),
            ("Super", 9),
        ];
        for (modifiers, number) in modified {
            let name = format!("{modifiers}+{key}");
            let sent = format!(r"\x1b[1;{number}{end}");
            check(&Modes::default(), &[(&name, &sent)]);
            check(&application, &[(&name, &sent)]);
        }
    }
}

#[test]
fn editing_and_function_keys() {
    check(
        &Modes::default(),
        &[
            ("Insert", r"\x1b[2~"),
            ("Delete", r"\x1b[3~"),
            ("Ctrl+Delete", r"\x1b[3;5~"),
            ("PageUp", r"\x1b[5~"),
            ("Shift+PageDown", r"\x1b[6;2~"),
            ("F1", r"\x1bOP"),
            ("F2", r"\x1bOQ"),
            ("F3", r"\x1bOR"),
            ("F4", r"\x1bOS"),
            ("Shift+F1", r"\x1b[1;2P"),
            ("Ctrl+F4", r"\x1b[1;5S"),
            ("F5", r"\x1b[15~"),
            ("F6", r"\x1b[17~"),
            ("F10", r"\x1b[21~"),
            ("F11", r"\x1b[23~"),
            ("F12", r"\x1b[24~"),
            ("Alt+F12", r"\x1b[24;3~"),
            ("F13", r"\x1b[25~"),
            ("F14", r"\x1b[26~"),
            ("F15", r"\x1b[28~"),
            ("F16", r"\x1b[29~"),
            ("F17", r"\x1b[31~"),
            ("F20", r"\x1b[34~"),
            ("F21", r"\x1b[42~"),
            ("F24", r"\x1b[45~"),
        ],
    );
    assert_eq!(bytes(Key::F(0).into(), &Modes::default()), b"");
    assert_eq!(bytes(Key::F(36).into(), &Modes::default()), b"");
}

#[test]
fn the_keypad_types_text_outside_application_mode() {
    let application = Modes {
        application_keypad: true,
        ..Modes::default()
    };
    for (key, typed, sent) in [
        ("KP0", "0", "p"),
        ("KP9", "9", "y"),
        ("KPDecimal", ".", "n"),
        ("KPDivide", "/", "o"),
        ("KPMultiply", "*", "j"),
        ("KPSubtract", "-", "m"),
        ("KPAdd", "+", "k"),
        ("KPEnter", r"\r", "M"),
        ("KPEqual", "=", "X"),
    ] {
        check(&Modes::default(), &[(key, typed)]);
        check(&application, &[(key, &format!(r"\x1bO{sent}"))]);
    }
    check(&application, &[("Alt+KP1", r"\x1b1"), ("1", "1")]);
}

#[test]
fn disambiguated_keys_have_unique_sequences() {
    check(
        &kitty(KittyKeyboard::DISAMBIGUATE),
        &[
            // Keys that type text still do.
            ("a", "a"),
            ("A", "A"),
            ("$", "$"),
            ("Space", " "),
            ("Enter", r"\r"),
            ("Tab", r"\t"),
            ("Backspace", r"\x7f"),
            // Ambiguous keys are sequences.
            ("Esc", r"\x1b[27u"),
            ("Ctrl+C", r"\x1b[99;5u"),
            ("Ctrl+Shift+C", r"\x1b[99;6u"),
            ("Ctrl+I", r"\x1b[105;5u"),
            ("Alt+a", r"\x1b[97;3u"),
            ("Alt+A", r"\x1b[97;4u"),
            ("Ctrl++", r"\x1b[61;6u"),
            ("Ctrl+Shift+=", r"\x1b[61;6u"),
            ("Super+K", r"\x1b[107;9u"),
            ("Ctrl+Space", r"\x1b[32;5u"),
            ("Shift+Enter", r"\x1b[13;2u"),
            ("Ctrl+Enter", r"\x1b[13;5u"),
            ("Shift+Tab", r"\x1b[9;2u"),
            ("Ctrl+Backspace", r"\x1b[127;5u"),
            ("Up", r"\x1b[A"),
            ("Ctrl+Up", r"\x1b[1;5A"),
            ("Home", r"\x1b[H"),
            ("Delete", r"\x1b[3~"),
            ("F1", r"\x1b[P"),
            ("F3", r"\x1b[13~"),
            ("Shift+F3", r"\x1b[13;2~"),
            ("F5", r"\x1b[15~"),
            ("F12", r"\x1b[24~"),
            ("F13", r"\x1b[57376u"),
            ("F24", r"\x1b[57387u"),
            ("KP0", r"\x1b[57399u"),
            ("KPEnter", r"\x1b[57414u"),
            ("KPEqual", r"\x1b[57415u"),
        ],
    );
}

#[test]
fn disambiguated_cursor_keys_do_not_use_ss3() {
    let modes = Modes {
        application_cursor: true,
        ..kitty(KittyKeyboard::DISAMBIGUATE)
    };
    check(&modes, &[("Up", r"\x1b[A"), ("F1", r"\x1b[P")]);
}

#[test]
fn all_keys_are_sequences_if_requested() {
    check(
        &kitty(KittyKeyboard::ALL_KEYS),
        &[
            ("a", r"\x1b[97u"),
            ("A", r"\x1b[97;2u"),
            ("$", r"\x1b[52;2u"),
            ("界", r"\x1b[30028u"),
            ("É", r"\x1b[233;2u"),
            ("Space", r"\x1b[32u"),
            ("Enter", r"\x1b[13u"),
            ("Tab", r"\x1b[9u"),
            ("Backspace", r"\x1b[127u"),
            ("KP1", r"\x1b[57400u"),
        ],
    );
    check(
        &kitty(KittyKeyboard::ALL_KEYS | KittyKeyboard::ALTERNATE_KEYS),
        &[
            ("a", r"\x1b[97u"),
            ("A", r"\x1b[97:65;2u"),
            ("Ctrl++", r"\x1b[61:43;6u"),
            ("Ctrl+Shift+C", r"\x1b[99:67;6u"),
            ("Shift+Up", r"\x1b[1;2A"),
        ],
    );
    check(
        &kitty(KittyKeyboard::ALL_KEYS | KittyKeyboard::ASSOCIATED_TEXT),
        &[
            ("a", r"\x1b[97;;97u"),
            ("A", r"\x1b[97;2;65u"),
            ("KP1", r"\x1b[57400;;49u"),
            ("Ctrl+C", r"\x1b[99;5u"),
            ("Enter", r"\x1b[13u"),
        ],
    );
    check(&kitty(KittyKeyboard::all()), &[("A", r"\x1b[97:65;2;65u")]);
}

#[test]
fn a_character_with_the_number_of_a_key_is_typed_as_text() {
    let modes = kitty(KittyKeyboard::all());
    // 57376 is the number of F13, 61527 is not assigned.
    check(
        &modes,
        &[
            ("\u{e020}", r"\xee\x80\xa0"),
            ("\u{f057}", r"\xef\x81\x97"),
            ("Alt+\u{e020}", r"\x1b\xee\x80\xa0"),
            ("F13", r"\x1b[57376u"),
        ],
    );
    let chord = Key::Char('\u{e020}').into();
    assert_eq!(phase_bytes(chord, KeyPhase::Release, &modes), b"");
}

#[test]
fn additive_flags_do_not_change_presses() {
    let adding =
        KittyKeyboard::EVENT_TYPES | KittyKeyboard::ALTERNATE_KEYS | KittyKeyboard::ASSOCIATED_TEXT;
    check(
        &kitty(adding),
        &[("a", "a"), ("Ctrl+C", r"\x03"), ("Esc", r"\x1b")],
    );
}

#[test]
fn repeats_and_releases_are_reported_only_if_requested() {
    use KeyPhase::{Press, Release, Repeat};
    let none = KittyKeyboard::empty();
    let disambiguate = KittyKeyboard::DISAMBIGUATE;
    let events = disambiguate | KittyKeyboard::EVENT_TYPES;
    let all = events | KittyKeyboard::ALL_KEYS;
    for (flags, name, phase, sent) in [
        (none, "a", Repeat, "a"),
        (none, "a", Release, ""),
        (disambiguate, "Ctrl+C", Repeat, r"\x1b[99;5u"),
        (disambiguate, "Ctrl+C", Release, ""),
        (events, "Up", Press, r"\x1b[A"),
        (events, "Up", Repeat, r"\x1b[1;1:2A"),
        (events, "Up", Release, r"\x1b[1;1:3A"),
        (events, "Ctrl+C", Release, r"\x1b[99;5:3u"),
        (events, "Delete", Release, r"\x1b[3;1:3~"),
        (events, "a", Repeat, "a"),
        (events, "a", Release, r"\x1b[97;1:3u"),
        (events, "Enter", Repeat, r"\r"),
        (events, "Enter", Release, ""),
        (all, "Enter", Release, r"\x1b[13;1:3u"),
        (all, "a", Repeat, r"\x1b[97;1:2u"),
        (KittyKeyboard::all(), "a", Repeat, r"\x1b[97;1:2;97u"),
        (KittyKeyboard::all(), "a", Release, r"\x1b[97;1:3u"),
    ] {
        let chord = name.parse().unwrap();
        let got = phase_bytes(chord, phase, &kitty(flags));
        let got = got.escape_ascii().to_string();
        assert_eq!(got, sent, "{name} {phase:?} with {flags:?}");
    }
}
