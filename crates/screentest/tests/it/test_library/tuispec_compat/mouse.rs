//! Mouse input: the clicks of newer tuispec versions, and drags and the wheel, which tuispec lacks.

use screentest::core::action::{Action, MouseAction, MouseActionKind, MousePlace};
use screentest::core::input::mouse::{Button, Wheel};
use screentest::core::{Modifiers, Position};
use screentest::{TuiError, WaitOptions};

use super::SHORT_TIMEOUT;
use crate::harness::sandbox::Sandbox;

/// Checks the input of a program that shows a button and has turned on mouse reporting.
#[track_caller]
fn check(act: impl FnOnce(&screentest::Terminal) -> Result<(), TuiError>, got: &str) {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let script =
            "stty raw -echo; printf '[ Save ]\\033[2;1H\\033[?1002h\\033[?1006hgot:'; exec cat -v";
        tui.launch_and_wait(sandbox.sh(script), "got:")?;
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
    // `Save` is in columns 3 to 6; tuispec clicks the first cell of the match.
    check(|tui| tui.click_selector("Save"), "^[[<0;4;1M^[[<0;4;1m");
}

#[test]
fn drag_and_wheel_reach_the_program() {
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
fn a_mouse_action_goes_on_where_the_one_before_left_the_mouse() {
    let perform = |tui: &screentest::Terminal, kind, at| {
        tui.perform(&Action::Mouse(MouseAction {
            kind,
            at,
            modifiers: Modifiers::empty(),
        }))
    };
    let to = MousePlace::Cell(Position { row: 6, col: 13 });
    let (left, right) = (Button::Left, Button::Right);
    check(
        |tui| {
            tui.click(PLACE)?;
            perform(tui, MouseActionKind::Press(left), MousePlace::Pointer)?;
            perform(tui, MouseActionKind::Move, to)?;
            perform(tui, MouseActionKind::MoveWith(Some(right)), to)?;
            perform(tui, MouseActionKind::Release(left), MousePlace::Pointer)
        },
        "^[[<0;12;7M^[[<0;12;7m^[[<0;12;7M^[[<32;14;7M^[[<34;14;7M^[[<0;14;7m",
    );
}

#[test]
fn a_click_waits_until_the_program_turns_on_mouse_reporting() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        let script = "stty raw -echo; printf 'up:'; head -c 1; printf '\\033[?1000h\\033[?1006h'; exec cat -v";
        tui.launch_and_wait(sandbox.sh(script), "up:")?;
        tui.type_text("x")?;
        tui.click(PLACE)?;
        tui.wait_for_text("^[[<0;12;7M^[[<0;12;7m")?;
        Ok(())
    });
}

#[test]
fn a_click_without_mouse_reporting_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.run(|tui| {
        tui.launch_and_wait(sandbox.sh("echo here; read end"), "here")?;
        let tui = tui.with(WaitOptions::timeout(SHORT_TIMEOUT));
        let error = tui.click_selector("here").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the mouse click was not sent: the program has not turned on mouse reporting (modes 1000, 1002 and 1003 are off); try keys instead"
        );
        Ok(())
    });
}
