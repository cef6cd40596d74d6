//! Screens as insta snapshots, for projects that use insta.

use screentest::core::formats::state_json::{StateJson, StateJsonOptions};
use screentest::{App, RunOptions, tui_test};

fn options() -> RunOptions {
    RunOptions::default()
        .artifacts_dir("examples/artifacts")
        .size(20, 3)
}

/// A program that prints a greeting and waits for input.
fn greeter() -> App {
    App::new("sh").args(["-c", r"printf '\033[1;32mhello\033[m\nworld '; read x"])
}

#[test]
fn a_screen_is_shown_as_its_text() {
    tui_test(options(), "insta: text", |tui| {
        tui.launch_and_wait(greeter(), "world")?;
        insta::assert_snapshot!(tui.current_view()?, @r"
        hello
        world
        ");
        insta::assert_snapshot!("greeting", tui.current_view()?);
        Ok(())
    });
}

#[test]
fn the_cursor_can_be_part_of_it() {
    tui_test(options(), "insta: picture", |tui| {
        tui.launch_and_wait(greeter(), "world")?;
        insta::assert_snapshot!(tui.current_view()?.picture(), @r"
        hello
        world |
        ");
        Ok(())
    });
}

#[test]
fn styles_are_in_the_json() {
    tui_test(options(), "insta: json", |tui| {
        tui.launch_and_wait(greeter(), "world")?;
        let state = tui.session()?.state(0);
        insta::assert_json_snapshot!(StateJson::from_state(&state, &StateJsonOptions::default()));
        Ok(())
    });
}
