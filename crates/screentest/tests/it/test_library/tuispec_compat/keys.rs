//! Every key of tuispec, as a program receives it.

use screentest::core::{Key, Modifiers};
use screentest::session::InputError;
use screentest::{Failure, Terminal, TuiError};

use crate::harness::sandbox::Sandbox;

/// Checks the input that a program receives, with control characters made visible.
#[track_caller]
fn check(act: impl FnOnce(&Terminal) -> Result<(), TuiError>, got: &str) {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(
            sandbox.sh("stty raw -echo; printf 'got:'; exec cat -vt"),
            "got:",
        )?;
        act(tui)?;
        // The last key shows that all keys before it have arrived.
        tui.type_text(" end")?;
        let screen = tui.wait_for(" end")?;
        assert_eq!(screen.text(), format!("got:{got} end\n"));
        Ok::<(), Failure>(())
    });
}

#[test]
fn enter() {
    check(|tui| tui.press(Key::Enter), "^M");
}

#[test]
fn esc() {
    check(|tui| tui.press(Key::Esc), "^[");
}

#[test]
fn tab() {
    check(|tui| tui.press(Key::Tab), "^I");
}

#[test]
fn backspace() {
    check(|tui| tui.press(Key::Backspace), "^?");
}

#[test]
fn arrows() {
    let arrows = [Key::Up, Key::Down, Key::Right, Key::Left];
    check(
        |tui| arrows.into_iter().try_for_each(|key| tui.press(key)),
        "^[[A^[[B^[[C^[[D",
    );
}

#[test]
fn function_keys_1_to_12() {
    check(
        |tui| (1..=12).try_for_each(|n| tui.press(Key::F(n))),
        "^[OP^[OQ^[OR^[OS^[[15~^[[17~^[[18~^[[19~^[[20~^[[21~^[[23~^[[24~",
    );
}

#[test]
fn char_key() {
    check(
        |tui| {
            ['a', 'A', '+', ' ', '$']
                .into_iter()
                .try_for_each(|c| tui.press(c))
        },
        "aA+ $",
    );
    // `cat -v` shows a byte above 127 as `M-` and its lower seven bits.
    check(|tui| tui.press('é'), "M-CM-)");
}

#[test]
fn ctrl() {
    check(|tui| tui.press(Key::Char('c').ctrl()), "^C");
    check(
        // `cat` shows Ctrl+J as a line end.
        |tui| {
            let mut letters = ('a'..='z').filter(|c| *c != 'j');
            letters.try_for_each(|c| tui.press(Key::Char(c).ctrl()))
        },
        "^A^B^C^D^E^F^G^H^I^K^L^M^N^O^P^Q^R^S^T^U^V^W^X^Y^Z",
    );
    // tuispec sends `[` here.
    check(|tui| tui.press("Ctrl+["), "^[");
}

#[test]
fn alt_key() {
    check(|tui| tui.press(Key::Char('x').alt()), "^[x");
}

#[test]
fn named_key() {
    let names = [
        "Enter",
        "esc",
        "Escape",
        "TAB",
        "Backspace",
        "ArrowUp",
        "ArrowDown",
        "ArrowLeft",
        "ArrowRight",
        "Space",
        "F5",
        "x",
        "+",
    ];
    check(
        |tui| names.into_iter().try_for_each(|name| tui.press(name)),
        "^M^[^[^I^?^[[A^[[B^[[D^[[C ^[[15~x+",
    );
    check(
        |tui| {
            let error = tui.press("Entr").unwrap_err();
            assert!(matches!(error, TuiError::Input(InputError::Key(_))));
            assert_eq!(
                error.to_string(),
                "unknown key `Entr`, did you mean `Enter`?"
            );
            Ok(())
        },
        "",
    );
}

#[test]
fn press_combo_of_control() {
    check(|tui| tui.press_combo(Modifiers::CTRL, 'x'), "^X");
    check(|tui| tui.press("Ctrl+X"), "^X");
}

#[test]
fn press_combo_of_alt() {
    check(|tui| tui.press_combo(Modifiers::ALT, 'x'), "^[x");
    check(|tui| tui.press("Alt+x"), "^[x");
}

#[test]
fn press_combo_of_shift() {
    check(|tui| tui.press_combo(Modifiers::SHIFT, 'x'), "X");
    // tuispec leaves other characters unchanged; screentest sends the shifted character of a US
    // keyboard.
    check(|tui| tui.press("Shift+4"), "$");
}

#[test]
fn press_combo_of_several_and_of_keys_without_a_character() {
    let both = Modifiers::CTRL | Modifiers::ALT;
    check(|tui| tui.press_combo(both, 'x'), "^[^X");
    check(
        |tui| tui.press_combo(Modifiers::CTRL, Key::Right),
        "^[[1;5C",
    );
    check(|tui| tui.press_combo(Modifiers::SHIFT, Key::Tab), "^[[Z");
}
