//! htop: meters, a table and a bar of function keys, in colours, on the alternate screen.

use screentest::core::{Color, Condition, Key};
use screentest::{ExitStatus, Failure, Terminal};

use super::{line, program, size};
use crate::harness::sandbox::Sandbox;

/// The bar of function keys in the last row.
const KEYS: &str =
    "F1Help  F2Setup F3SearchF4FilterF5Tree  F6SortByF7Nice -F8Nice +F9Kill  F10Quit";

/// Runs htop and waits until it is completely drawn.
#[track_caller]
fn htop(body: impl FnOnce(&Terminal) -> Result<(), Failure>) {
    let sandbox = Sandbox::new();
    let app = program(&sandbox, "htop", "htop").args(["--delay", "1"]);
    sandbox.run(|tui| {
        tui.launch(app)?;
        tui.wait_for(Condition::all(["PID USER", "Load average:", KEYS]))?;
        body(tui)
    });
}

#[test]
fn meters_fill_their_brackets() {
    htop(|tui| {
        // htop measures a processor's share between two refreshes.
        let measured = Condition::new("shares of processors and memory", |screen| {
            let meter = |name: &str, unit: &str| {
                screen.rows.iter().any(|row| {
                    let text = row.text();
                    let inside = text
                        .split_once(name)
                        .and_then(|(_, rest)| rest.split_once('['))
                        .and_then(|(_, rest)| rest.split_once(']'));
                    inside.is_some_and(|(inside, _)| inside.ends_with(unit))
                })
            };
            meter("0", "%") && meter("Mem", "G") | meter("Mem", "M") && meter("Swp", "")
        });
        tui.wait_for(measured)?;
        Ok(())
    });
}

#[test]
fn the_key_bar_has_a_background_behind_its_words() {
    htop(|tui| {
        let screen = tui.current_view()?;
        assert_eq!(line(&screen, 23), KEYS);
        let row = &screen.rows[23];
        // `F1` has the default background, `Help  ` that of the bar.
        let is_bare = |col: usize| row.cell(col).style.bg == Color::Default;
        assert!(is_bare(0) && is_bare(1), "{screen}");
        assert!((2..8).all(|col| !is_bare(col)), "{screen}");
        assert!(is_bare(8) && is_bare(9), "{screen}");
        Ok(())
    });
}

#[test]
fn help_opens_and_closes() {
    htop(|tui| {
        tui.press(Key::F(1))?;
        let screen = tui.wait_for("CPU usage bar:")?;
        assert!(line(&screen, 0).starts_with("htop "), "{screen}");
        tui.press('q')?;
        tui.wait_for_text(KEYS)?;
        Ok(())
    });
}

#[test]
fn the_key_bar_moves_to_the_last_row_after_a_resize() {
    htop(|tui| {
        tui.resize(size(100, 15))?;
        let moved = Condition::new("the bar in the last row", |screen| {
            screen.size == size(100, 15) && line(screen, 14).starts_with("F1Help  F2Setup")
        });
        let screen = tui.wait_for(moved)?;
        assert_eq!(screen.rows.len(), 15);
        Ok(())
    });
}

#[test]
fn f10_exits_and_leaves_the_alternate_screen() {
    htop(|tui| {
        assert!(tui.current_view()?.modes.alternate_screen);
        tui.press(Key::F(10))?;
        assert_eq!(tui.wait_for_exit()?, ExitStatus::Exited(0));
        assert!(!tui.current_view()?.modes.alternate_screen);
        Ok(())
    });
}
