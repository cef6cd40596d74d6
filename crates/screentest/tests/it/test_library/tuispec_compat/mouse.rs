//! Clicks, which the seed learnt later.

use screentest::core::input::mouse::{Button, Wheel};
use screentest::core::{Modifiers, Position};
use screentest::{TuiError, WaitOptions};

use super::BRIEFLY;
use crate::harness::sandbox::Desk;

/// What a program gets that wants the mouse, in decimal numbers, and shows a button.
#[track_caller]
fn check(act: impl FnOnce(&screentest::Tui) -> Result<(), TuiError>, got: &str) {
    let desk = Desk::new();
    desk.run(|tui| {
        let script =
            "stty raw -echo; printf '[ Save ]\\033[2;1H\\033[?1002h\\033[?1006hgot:'; exec cat -v";
        tui.launch_and_wait(desk.sh(script), "got:")?;
        act(tui)?;
        tui.type_text(" end")?;
        let screen = tui.wait_for(" end")?;
        assert_eq!(screen.text(), format!("[ Save ]\ngot:{got} end\n"));
        Ok(())
    });
}

const PLACE: Position = Position { row: 6, col: 11 };

#[test]
fn click_is_a_press_and_a_release() {
    check(|tui| tui.click(PLACE), "^[[<0;12;7M^[[<0;12;7m");
}

#[test]
fn click_with_takes_a_button_and_held_keys() {
    check(
        |tui| tui.click_with(PLACE, Button::Right, Modifiers::CTRL),
        "^[[<18;12;7M^[[<18;12;7m",
    );
}

#[test]
fn click_selector_hits_the_middle_of_the_match() {
    // `Save` is in columns 3 to 6; the seed clicks its first cell.
    check(|tui| tui.click_selector("Save"), "^[[<0;4;1M^[[<0;4;1m");
}

#[test]
fn drag_and_wheel_arrive() {
    let to = Position { row: 6, col: 13 };
    check(
        |tui| tui.drag(PLACE, to),
        "^[[<0;12;7M^[[<32;14;7M^[[<0;14;7m",
    );
    check(
        |tui| tui.wheel(PLACE, Wheel::Down, 2),
        "^[[<65;12;7M^[[<65;12;7M",
    );
}

#[test]
fn a_click_waits_for_a_program_that_is_about_to_want_the_mouse() {
    let desk = Desk::new();
    desk.run(|tui| {
        let script = "stty raw -echo; printf 'up:'; head -c 1; printf '\\033[?1000h\\033[?1006h'; exec cat -v";
        tui.launch_and_wait(desk.sh(script), "up:")?;
        tui.type_text("x")?;
        tui.click(PLACE)?;
        tui.wait_for_text("^[[<0;12;7M^[[<0;12;7m")?;
        Ok(())
    });
}

#[test]
fn a_click_that_nobody_wants_is_an_error() {
    let desk = Desk::new();
    desk.run(|tui| {
        tui.launch_and_wait(desk.sh("echo here; read end"), "here")?;
        let tui = tui.with(WaitOptions::timeout(BRIEFLY));
        let error = tui.click_selector("here").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the mouse click was not sent: the program has not turned on mouse reporting (modes 1000, 1002 and 1003 are off); try keys instead"
        );
        Ok(())
    });
}
