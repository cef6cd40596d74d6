//! Sizes, keys, clicks and relative selectors, on a screen with a table and two buttons.

use screentest::{App, Position, Result, RunOptions, Selector, Size, Tui, TuiError};

/// Prints the screen, turns mouse events on, and then prints its input: `^S` for Ctrl+S.
const SCRIPT: &str = r"stty raw -echo
printf 'NAME  AGE\r\nAda   36\r\nBob   41\r\n\033[?1000h\033[?1006h'
printf '\033[5;21H[ Cancel ] [ OK ]\033[6;21Hgot: '
exec cat -v";

fn launch() -> Result<Tui> {
    let options = RunOptions::default()
        .artifacts_dir("examples/artifacts")
        .size(100, 30);
    let tui = Tui::launch_with(App::new("sh").args(["-c", SCRIPT]), options)?;
    tui.expect("got:")?;
    Ok(tui)
}

#[test]
fn the_terminal_has_the_given_size_until_it_is_resized() -> Result {
    let tui = launch()?;
    assert_eq!(tui.screen()?.size, Size::new(100, 30));
    tui.resize((60, 15))?;
    assert_eq!(tui.screen()?.size, Size::new(60, 15));
    tui.resize(Size::new(80, 24))?;
    assert_eq!(tui.screen()?.size, Size::new(80, 24));
    Ok(())
}

#[test]
fn a_key_is_named_as_on_a_keyboard() -> Result {
    let tui = launch()?;
    tui.press("Ctrl+S")?;
    tui.expect("got: ^S")?;
    Ok(())
}

#[test]
fn a_click_takes_a_text_a_selector_or_a_cell() -> Result {
    let tui = launch()?;
    // The program receives column, row, both counted from 1.
    tui.click("Cancel")?;
    tui.expect("got: ^[[<0;25;5M")?;
    tui.click(Selector::exact("OK").right_of("Cancel"))?;
    tui.expect("<0;34;5m")?;
    tui.click(Position { row: 2, col: 0 })?;
    tui.expect("<0;1;3m")?;
    Ok(())
}

#[test]
fn selectors_are_relative_in_four_directions() -> Result {
    let tui = launch()?;
    let word = || Selector::regex(r"\w+").expect("the expression is valid");
    let text = |selector| Ok::<_, TuiError>(tui.expect(selector)?.text().to_owned());
    assert_eq!(text(word().right_of("Bob"))?, "41");
    assert_eq!(text(word().left_of("41"))?, "Bob");
    assert_eq!(text(word().above("36"))?, "AGE");
    assert_eq!(text(word().below("Ada"))?, "Bob");
    Ok(())
}
