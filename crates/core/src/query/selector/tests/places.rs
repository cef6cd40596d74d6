//! Tests of a match's position and of its middle, where a click goes.

use super::screens::screen;
use crate::{Position, Selector};

#[track_caller]
fn check(cols: u16, bytes: &str, text: &str, first: (usize, usize), centre: (usize, usize)) {
    let screen = screen(cols, 4, bytes);
    let found = Selector::exact(text).matches(&screen).remove(0);
    let place = |(row, col)| Position { row, col };
    assert_eq!(found.position(), place(first));
    assert_eq!(found.centre(), place(centre));
    assert_eq!(found.contains(found.centre()), found.cells().count() > 0);
}

#[test]
fn the_centre_is_a_cell_of_the_match() {
    check(20, "..Save", "Save", (0, 2), (0, 3));
    check(20, "..Saves", "Saves", (0, 2), (0, 4));
    check(20, "..x", "x", (0, 2), (0, 2));
    check(20, "..世界", "世界", (0, 2), (0, 3));
    check(8, "123456abcdef", "abcdef", (0, 6), (1, 0));
    check(20, "a\r\n\r\nb", "\nb", (2, 0), (2, 0));
    check(20, "a", "", (0, 0), (0, 0));
}
