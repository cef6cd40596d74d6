//! htop: meters, a table and a bar of function keys, in colours, on the alternate screen.

use screentest::core::{Color, Condition, Key};
use screentest::{Outcome, Session};

use super::{Home, SOON, line, size};

/// The bar of function keys, as it fills the last row.
const KEYS: &str =
    "F1Help  F2Setup F3SearchF4FilterF5Tree  F6SortByF7Nice -F8Nice +F9Kill  F10Quit";

/// htop, fully drawn.
fn htop(home: &Home) -> Session {
    let session = home.start(&home.app("htop").args(["--delay", "1"]), "htop");
    let drawn = Condition::all(["PID USER", "Load average:", KEYS]);
    session.wait_for(drawn, SOON).unwrap();
    session
}

#[test]
fn meters_fill_their_brackets() {
    let home = Home::new();
    let session = htop(&home);
    // A processor's share is measured from one refresh to the next.
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
    session.wait_for(measured, SOON).unwrap();
}

#[test]
fn the_bar_of_keys_has_a_background_where_the_words_are() {
    let home = Home::new();
    let session = htop(&home);
    let screen = session.screen();
    assert_eq!(line(&screen, 23), KEYS);
    let row = &screen.rows[23];
    // `F1` is on the terminal's own background, `Help  ` on the bar's.
    let is_bare = |col: usize| row.cell(col).style.bg == Color::Default;
    assert!(is_bare(0) && is_bare(1), "{screen}");
    assert!((2..8).all(|col| !is_bare(col)), "{screen}");
    assert!(is_bare(8) && is_bare(9), "{screen}");
}

#[test]
fn help_comes_and_goes() {
    let home = Home::new();
    let session = htop(&home);
    session.press(Key::F(1)).unwrap();
    let screen = session.wait_for("CPU usage bar:", SOON).unwrap();
    assert!(line(&screen, 0).starts_with("htop "), "{screen}");
    session.press(Key::Char('q')).unwrap();
    session.wait_for(KEYS, SOON).unwrap();
}

#[test]
fn the_bar_follows_the_last_row_of_a_resize() {
    let home = Home::new();
    let session = htop(&home);
    session.resize(size(100, 15)).unwrap();
    let moved = Condition::new("the bar in the last row", |screen| {
        screen.size == size(100, 15) && line(screen, 14).starts_with("F1Help  F2Setup")
    });
    let screen = session.wait_for(moved, SOON).unwrap();
    assert_eq!(screen.rows.len(), 15);
}

#[test]
fn f10_ends_it_and_leaves_the_alternate_screen() {
    let home = Home::new();
    let session = htop(&home);
    assert!(session.screen().modes.alternate_screen);
    session.press(Key::F(10)).unwrap();
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    assert!(!session.screen().modes.alternate_screen);
}
