//! Tests of shapes: lines meet, blocks fill the cell, and some examples.

use super::*;
use crate::glyph::{Coverage, FULL};

fn draw(c: char, cell: CellBox) -> Option<Coverage> {
    Some(Coverage::of(&parts(c, cell)?, cell))
}

const SIZES: [(usize, usize, usize); 7] = [
    (10, 19, 1),
    (9, 19, 1),
    (20, 38, 2),
    (7, 13, 1),
    (5, 9, 1),
    (13, 27, 2),
    (31, 63, 4),
];

fn cells() -> impl Iterator<Item = CellBox> {
    SIZES.into_iter().map(|(width, height, stroke)| CellBox {
        width,
        height,
        stroke,
    })
}

fn boxes() -> impl Iterator<Item = char> {
    '\u{2500}'..='\u{257f}'
}

/// Returns a shape of 7×7 pixels as text.
fn picture(c: char) -> String {
    let cell = CellBox {
        width: 7,
        height: 7,
        stroke: 1,
    };
    let coverage = draw(c, cell).expect("it is a drawn shape");
    let line = |y| {
        (0..7)
            .map(|x| if coverage.at(x, y) == 0 { '.' } else { '#' })
            .collect()
    };
    let lines: Vec<String> = (0..7).map(line).collect();
    lines.join("\n")
}

#[track_caller]
fn check(c: char, expected: &str) {
    assert_eq!(picture(c), expected.replace(' ', "\n"), "{c}");
}

#[test]
fn thin_lines_cross_in_the_middle() {
    check(
        '─',
        "....... ....... ....... ####### ....... ....... .......",
    );
    check(
        '┼',
        "...#... ...#... ...#... ####### ...#... ...#... ...#...",
    );
    check(
        '└',
        "...#... ...#... ...#... ...#### ....... ....... .......",
    );
}

#[test]
fn thick_lines_are_twice_as_thick() {
    check(
        '┏',
        "....... ....... ..##### ..##### ..##... ..##... ..##...",
    );
    check(
        '┝',
        "...#... ...#... ...#### ...#### ...#... ...#... ...#...",
    );
}

#[test]
fn double_lines_turn_one_inside_the_other() {
    check(
        '═',
        "....... ....... ####### ....... ####### ....... .......",
    );
    check(
        '╔',
        "....... ....... ..##### ..#.... ..#.### ..#.#.. ..#.#..",
    );
    check(
        '╬',
        "..#.#.. ..#.#.. ###.### ....... ###.### ..#.#.. ..#.#..",
    );
    check(
        '╠',
        "..#.#.. ..#.#.. ..#.### ..#.... ..#.### ..#.#.. ..#.#..",
    );
}

#[test]
fn single_lines_end_at_the_double_line_they_meet() {
    check(
        '╧',
        "...#... ...#... ####### ....... ####### ....... .......",
    );
    check(
        '╢',
        "..#.#.. ..#.#.. ..#.#.. ###.#.. ..#.#.. ..#.#.. ..#.#..",
    );
    check(
        '╪',
        "...#... ...#... ####### ...#... ####### ...#... ...#...",
    );
    check(
        '╒',
        "....... ....... ...#### ...#... ...#### ...#... ...#...",
    );
}

#[test]
fn every_line_continues_in_the_next_cell_at_any_size() {
    for cell in cells() {
        let right = |c| {
            edge(c, cell, |s, i| {
                (i < cell.height).then(|| s.at(cell.width - 1, i))
            })
        };
        let left = |c| edge(c, cell, |s, i| (i < cell.height).then(|| s.at(0, i)));
        let bottom = |c| {
            edge(c, cell, |s, i| {
                (i < cell.width).then(|| s.at(i, cell.height - 1))
            })
        };
        let top = |c| edge(c, cell, |s, i| (i < cell.width).then(|| s.at(i, 0)));
        for weight in ['─', '━', '═'] {
            for c in
                boxes().filter(|c| box_drawing::arm_of(*c, 1) == box_drawing::arm_of(weight, 1))
            {
                assert_eq!(right(c), left(weight), "{c}{weight} {cell:?}");
            }
            for c in
                boxes().filter(|c| box_drawing::arm_of(*c, 3) == box_drawing::arm_of(weight, 3))
            {
                assert_eq!(left(c), right(weight), "{weight}{c} {cell:?}");
            }
        }
        for weight in ['│', '┃', '║'] {
            for c in
                boxes().filter(|c| box_drawing::arm_of(*c, 2) == box_drawing::arm_of(weight, 2))
            {
                assert_eq!(bottom(c), top(weight), "{c} over {weight} {cell:?}");
            }
            for c in
                boxes().filter(|c| box_drawing::arm_of(*c, 0) == box_drawing::arm_of(weight, 0))
            {
                assert_eq!(top(c), bottom(weight), "{weight} over {c} {cell:?}");
            }
        }
        for (round, straight) in [('╭', '┌'), ('╮', '┐'), ('╯', '┘'), ('╰', '└')] {
            assert_eq!(right(round), right(straight), "{round} {cell:?}");
            assert_eq!(bottom(round), bottom(straight), "{round} {cell:?}");
            assert_eq!(left(round), left(straight), "{round} {cell:?}");
            assert_eq!(top(round), top(straight), "{round} {cell:?}");
        }
    }
}

fn edge(c: char, cell: CellBox, at: impl Fn(&Coverage, usize) -> Option<u8>) -> Vec<u8> {
    let coverage = draw(c, cell).expect("it is a drawn shape");
    (0..).map_while(|i| at(&coverage, i)).collect()
}

#[test]
fn halves_that_complete_each_other_leave_no_gap_and_no_overlap() {
    for cell in cells() {
        for pair in [
            "▀▄",
            "▌▐",
            "▘▟",
            "▝▙",
            "▖▜",
            "▗▛",
            "▚▞",
            "▔\u{2587}",
            "🬀🬻",
            "🬁🬺",
            "🬂🬹",
            "🬋🬰",
            "▕▉",
        ] {
            let both: Vec<Coverage> = pair.chars().filter_map(|c| draw(c, cell)).collect();
            // In every pixel, the coverages of the two characters add up to full coverage.
            for (x, y) in (0..cell.width).flat_map(|x| (0..cell.height).map(move |y| (x, y))) {
                let sum: u8 = both.iter().map(|coverage| coverage.at(x, y)).sum();
                assert_eq!(sum, FULL, "{pair} {cell:?} at {x},{y}");
            }
        }
    }
}

#[test]
fn shades_grow_and_are_even() {
    for cell in cells() {
        let level = |c| {
            let coverage = draw(c, cell).expect("it is a drawn shape");
            let first = coverage.at(0, 0);
            let even = |x, y| coverage.at(x, y) == first;
            assert!(even(cell.width - 1, cell.height - 1) && even(1, 2));
            first
        };
        let levels: Vec<u8> = "░▒▓█".chars().map(level).collect();
        assert!(levels.is_sorted_by(|a, b| a < b), "{levels:?}");
    }
}

#[test]
fn braille_dots_are_equal() {
    for cell in cells() {
        let ink = |c| -> u32 {
            let coverage = draw(c, cell).expect("it is a drawn shape");
            let places = (0..cell.width).flat_map(|x| (0..cell.height).map(move |y| (x, y)));
            places.map(|(x, y)| u32::from(coverage.at(x, y))).sum()
        };
        let dots: Vec<u32> = "⠁⠂⠄⡀⠈⠐⠠⢀".chars().map(ink).collect();
        assert!(
            dots.iter().all(|dot| *dot == dots[0] && *dot > 0),
            "{dots:?}"
        );
        assert_eq!(ink('⣿'), 8 * dots[0], "dots do not touch in {cell:?}");
        assert_eq!(ink('\u{2800}'), 0);
    }
}

#[test]
fn every_shape_fits_any_cell() {
    let ours = [
        '\u{23bf}'..='\u{23fa}',
        '\u{2500}'..='\u{259f}',
        '\u{25e2}'..='\u{25e5}',
        '\u{2800}'..='\u{28ff}',
        '\u{e0b0}'..='\u{e0bf}',
        '\u{1fb00}'..='\u{1fb8b}',
    ];
    for (width, height) in [(1, 1), (1, 4), (2, 2), (3, 50), (50, 3)] {
        let cell = CellBox {
            width,
            height,
            stroke: 1,
        };
        for c in ours.iter().cloned().flatten() {
            draw(c, cell);
        }
    }
}

#[test]
fn every_drawn_character_is_visible_and_within_its_cell() {
    for cell in cells() {
        for c in boxes()
            .chain('\u{2580}'..='\u{259f}')
            .chain('\u{2801}'..='\u{28ff}')
        {
            let parts = parts(c, cell).expect("it is a drawn shape");
            let ink = |part: &ShapePart| match part {
                ShapePart::Area(x, y) => {
                    assert!(
                        x.end <= cell.width && y.end <= cell.height,
                        "{c} in {cell:?}: {part:?}"
                    );
                    !x.is_empty() && !y.is_empty()
                }
                _ => true,
            };
            assert!(
                parts.iter().filter(|part| ink(part)).count() > 0,
                "{c} in {cell:?}"
            );
        }
    }
}
