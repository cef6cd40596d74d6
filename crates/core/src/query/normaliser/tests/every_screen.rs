//! Properties that hold for every normaliser on every screen.

use super::*;
use crate::random::{Random, rounds};
use crate::screen::row::{LinkId, StyleId};
use crate::{Position, RowBuilder, Width};

/// Pieces that the patterns consist of, so that they occur in every combination.
const PIECES: [&str; 24] = [
    "12:34",
    ":56",
    "2026-11-16",
    "T",
    "PM",
    "pid",
    "PID",
    "[",
    "]",
    "47",
    "1.5",
    " ms",
    "s",
    "m",
    "frame=",
    "tick ",
    "%",
    "⠋",
    "|",
    "-",
    "世",
    "  ",
    " ",
    "▒",
];

const REGEXES: [&str; 3] = ["[0-9]+", "pid (4)", "世|s"];

/// Returns a screen of such pieces, styles and wraps.
fn screen(random: &mut Random) -> Screen {
    let mut screen = random.screen();
    let width = usize::from(screen.size.cols);
    for row in &mut screen.rows {
        if random.one_in(4) {
            continue;
        }
        let mut builder = RowBuilder::new();
        builder.wrapped(random.one_in(3));
        let style = random.style();
        while builder.col() < width && !random.one_in(12) {
            let style = if random.one_in(2) {
                builder.style(&style)
            } else {
                StyleId::PLAIN
            };
            for c in random.pick(&PIECES).chars() {
                if c == '世' && builder.col() + 1 < width {
                    builder.push_wide(c, style, LinkId::NONE);
                } else if c != '世' && builder.col() < width {
                    builder.push(c, style, LinkId::NONE);
                }
            }
        }
        *row = Arc::new(builder.finish());
    }
    screen
}

fn part(random: &mut Random, screen: &Screen) -> Rect {
    let mut below = |end: u16| random.below(usize::from(end) + 2);
    let Size { cols, rows } = screen.size;
    rect(below(rows), below(rows), below(cols), below(cols))
}

/// Returns a random normaliser. It is never a list: one that sorts and then covers may give another
/// result when it is applied twice.
fn normaliser(random: &mut Random, screen: &Screen) -> Normaliser {
    let one = match random.below(8) {
        0 => Normaliser::mask(part(random, screen)),
        1 => Normaliser::ordered(part(random, screen)),
        2 => Normaliser::text(*random.pick(&["12", "世", "a", "s"])),
        3 => {
            let pattern: &&str = random.pick(&REGEXES);
            Normaliser::regex(pattern).unwrap()
        }
        _ => (*random.pick(&VolatileText::ALL)).into(),
    };
    let one = match random.below(3) {
        0 => one,
        _ => one.reaching(*random.pick(&[Extent::Blanks, Extent::Field, Extent::Row])),
    };
    match random.below(4) {
        0 => one.within(part(random, screen)),
        _ => one,
    }
}

#[track_caller]
fn for_every_screen(check: impl Fn(&Screen, &Normaliser, &mut Random)) {
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let screen = screen(random);
        for _ in 0..6 {
            check(&screen, &normaliser(random, &screen), random);
        }
    }
}

#[track_caller]
fn assert_idempotent(normaliser: &Normaliser, screen: &Screen) {
    let once = normaliser.apply(screen);
    let twice = normaliser.apply(&once);
    assert!(
        once == twice,
        "{normaliser} on\n{screen}once\n{once}twice\n{twice}"
    );
}

#[test]
fn every_normaliser_is_idempotent() {
    for_every_screen(|screen, normaliser, _| {
        assert_idempotent(normaliser, screen);
    });
}

#[test]
fn a_list_of_kinds_is_idempotent() {
    for_every_screen(|screen, _, random| {
        let list = Normaliser::all((0..3).map(|_| *random.pick(&VolatileText::ALL)));
        assert_idempotent(&list, screen);
    });
}

#[test]
fn every_cell_keeps_its_column_or_is_covered() {
    for_every_screen(|screen, normaliser, _| {
        let moves = normaliser.to_string().contains("the order of");
        let after = normaliser.apply(screen);
        let same = |before: &Screen| (before.size, before.cursor, before.rows.len());
        assert_eq!(same(&after), same(screen));
        for position in cells(screen) {
            let (old, new) = (screen.cell(position), after.cell(position));
            let is_half = old.width != Width::Narrow && new.text == crate::Text::Char(' ');
            let is_expected = new == old || new == mask::COVERED || is_half;
            assert!(
                is_expected || moves,
                "{normaliser} at {}\n{screen}",
                position.to_wire()
            );
        }
    });
}

#[test]
fn rows_stay_as_wide_as_the_screen() {
    for_every_screen(|screen, normaliser, _| {
        let after = normaliser.apply(screen);
        for row in &after.rows {
            assert!(row.len() <= usize::from(screen.size.cols));
            let mut halves = row.cells().peekable();
            while let Some(cell) = halves.next() {
                let spacer = halves.next_if(|next| next.width == Width::Spacer);
                assert_eq!(cell.width == Width::Wide, spacer.is_some(), "{normaliser}");
            }
        }
    });
}

#[test]
fn sorting_does_not_depend_on_the_original_order() {
    for seed in 0..rounds() {
        let random = &mut Random::new(seed);
        let one = screen(random);
        let rows = one.rows.len();
        let mut other = one.clone();
        for _ in 0..rows {
            other.rows.swap(random.below(rows), random.below(rows));
        }
        let order = Normaliser::ordered(one.size.rect());
        assert_eq!(order.apply(&one), order.apply(&other), "seed {seed}");
    }
}

fn cells(screen: &Screen) -> impl Iterator<Item = Position> {
    let Size { cols, rows } = screen.size;
    (0..usize::from(rows))
        .flat_map(move |row| (0..usize::from(cols)).map(move |col| Position { row, col }))
}
