//! Tests of the symbols for legacy computing: all are drawn, differ, stay in their cells and meet
//! their neighbours.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::super::path::{PathSegment, Point};
use super::super::{CellBox, ShapePart, parts};
use crate::glyph::{Coverage, FULL};

/// The drawn characters, without those of `blocks.rs`.
const DRAWN: [RangeInclusive<char>; 10] = [
    '\u{1fb3c}'..='\u{1fb6f}',
    '\u{1fb8c}'..='\u{1fb92}',
    '\u{1fb94}'..='\u{1fbf9}',
    '\u{1cc1b}'..='\u{1cc47}',
    '\u{1cc69}'..='\u{1cc6e}',
    '\u{1cc7c}'..='\u{1cc91}',
    '\u{1cd00}'..='\u{1cde5}',
    '\u{1ce00}'..='\u{1ce01}',
    '\u{1ce03}'..='\u{1ce07}',
    '\u{1ce09}'..='\u{1ceb0}',
];

fn drawn() -> impl Iterator<Item = char> {
    DRAWN.into_iter().flatten()
}

/// Cells of fonts from 8 to 64 pixels.
fn cells() -> impl Iterator<Item = CellBox> {
    let sizes = [
        (5, 9, 1),
        (7, 13, 1),
        (10, 19, 1),
        (13, 27, 2),
        (20, 38, 2),
        (39, 75, 4),
    ];
    sizes.into_iter().map(|(width, height, stroke)| CellBox {
        width,
        height,
        stroke,
    })
}

const CELL: CellBox = CellBox {
    width: 24,
    height: 48,
    stroke: 2,
};

fn draw(c: char, cell: CellBox) -> Coverage {
    let parts = parts(c, cell).unwrap_or_else(|| panic!("{c} U+{:X} is not drawn", c as u32));
    Coverage::of(&parts, cell)
}

fn places(cell: CellBox) -> impl Iterator<Item = (usize, usize)> {
    (0..cell.height).flat_map(move |y| (0..cell.width).map(move |x| (x, y)))
}

/// Returns several cells as one picture.
fn join(rows: &[&str], cell: CellBox) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for row in rows {
        let cells: Vec<Coverage> = row.chars().map(|c| draw(c, cell)).collect();
        lines.extend((0..cell.height).map(|y| {
            let line = cells.iter();
            line.flat_map(|coverage| (0..cell.width).map(move |x| coverage.at(x, y)))
                .collect()
        }));
    }
    lines
}

/// Draws a character as text, with a letter for each field of a grid that has the same number of
/// columns and rows as `expected`: `#` full, `+` partly covered, `.` empty.
#[track_caller]
fn check(c: char, expected: &str) {
    let rows: Vec<&str> = expected.split(' ').collect();
    let (across, down) = (rows[0].len(), rows.len());
    let cell = CellBox {
        width: 12 * across,
        height: 12 * down,
        stroke: 2,
    };
    let coverage = draw(c, cell);
    let field = |x: usize, y: usize| {
        let inside = (0..144).map(|place| (12 * x + place % 12, 12 * y + place / 12));
        let levels: Vec<u8> = inside.map(|(x, y)| coverage.at(x, y)).collect();
        if levels.iter().all(|level| *level == FULL) {
            '#'
        } else if levels.iter().all(|level| *level == 0) {
            '.'
        } else {
            '+'
        }
    };
    let shown: Vec<String> = (0..down)
        .map(|y| (0..across).map(|x| field(x, y)).collect())
        .collect();
    assert_eq!(shown.join(" "), expected, "{c} U+{:X}", c as u32);
}

#[test]
fn every_symbol_is_visible_in_every_cell() {
    for cell in cells() {
        for c in drawn() {
            let coverage = draw(c, cell);
            let inked = places(cell).any(|(x, y)| coverage.at(x, y) > 3);
            assert!(inked, "{c} U+{:X} in {cell:?}", c as u32);
        }
    }
}

#[test]
fn no_two_symbols_look_the_same() {
    let mut seen: BTreeMap<Vec<u8>, char> = BTreeMap::new();
    let other = ('\u{2580}'..='\u{2590}').chain('\u{2596}'..='\u{259f}');
    let other = other
        .chain('\u{1fb00}'..='\u{1fb3b}')
        .chain('\u{1fb70}'..='\u{1fb8b}');
    // U+1FB97 has the same shape as BLOCK OCTANT-3478.
    for c in drawn().chain(other).filter(|c| *c != '\u{1fb97}') {
        let coverage = draw(c, CELL);
        let levels = places(CELL).map(|(x, y)| coverage.at(x, y)).collect();
        if let Some(known) = seen.insert(levels, c) {
            panic!(
                "{known} U+{:X} and {c} U+{:X} look the same",
                known as u32, c as u32
            );
        }
    }
}

#[test]
fn pictures_and_unassigned_characters_are_left_to_fonts() {
    let pictures = [
        '\u{1fb93}',
        '\u{1fbfa}',
        '\u{1cc00}',
        '\u{1cc48}',
        '\u{1ccba}',
        '\u{1ccd6}',
    ];
    for c in pictures
        .into_iter()
        .chain(['\u{1cde6}', '\u{1ce02}', '\u{1cebf}'])
    {
        assert_eq!(parts(c, CELL), None, "U+{:X}", c as u32);
    }
}

#[test]
fn outlines_stay_in_their_cell_and_turn_the_same_way() {
    for cell in cells() {
        for c in drawn().chain("╱╲╳".chars()) {
            for part in parts(c, cell).expect("it is drawn") {
                let (ShapePart::Filled(path) | ShapePart::ShadedOutline(_, path)) = part else {
                    continue;
                };
                let points: Vec<Point> = path.0.iter().filter_map(point).collect();
                let inside = |(x, y): &Point| {
                    (-0.01..=cell.width as f32 + 0.01).contains(x)
                        && (-0.01..=cell.height as f32 + 0.01).contains(y)
                };
                assert!(
                    points.iter().all(inside),
                    "{c} U+{:X} {cell:?}: {points:?}",
                    c as u32
                );
                let first = path
                    .0
                    .split(|segment| *segment == PathSegment::Close)
                    .next();
                let corners: Vec<Point> = first.unwrap_or(&[]).iter().filter_map(point).collect();
                assert!(area(&corners) > 0.0, "{c} U+{:X} {cell:?}", c as u32);
            }
        }
    }
}

fn point(segment: &PathSegment) -> Option<Point> {
    match *segment {
        PathSegment::Move(to) | PathSegment::Line(to) => Some(to),
        _ => None,
    }
}

fn area(corners: &[Point]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    corners
        .iter()
        .zip(next)
        .map(|((x, y), (x2, y2))| x * y2 - x2 * y)
        .sum()
}

#[test]
fn octants_are_in_the_order_of_their_names() {
    // BLOCK OCTANT-3, -23, -5, -1235, -6, -1235678, -45678, -2345678 in the character database.
    check('\u{1cd00}', ".. #. .. ..");
    check('\u{1cd01}', ".# #. .. ..");
    check('\u{1cd09}', ".. .. #. ..");
    check('\u{1cd0f}', "## #. #. ..");
    check('\u{1cd18}', ".. .. .# ..");
    check('\u{1cde0}', "## #. ## ##");
    check('\u{1cde1}', ".. .# ## ##");
    check('\u{1cde5}', ".# ## ## ##");
}

#[test]
fn parts_of_a_grid_fill_their_fields() {
    check('\u{1ce90}', "#... .... .... ....");
    check('\u{1ce9e}', ".... .... .... ..#.");
    check('\u{1cea1}', ".... .... .... .###");
    check('\u{1cea6}', "#... #... #... ....");
    check('\u{1cead}', "...# ...# ...# ....");
    check('\u{1fbe4}', ".##. .##. .... ....");
    check('\u{1fbe7}', ".... ..## ..## ....");
    check('\u{1fbce}', "##.");
    check('\u{1fbcf}', "#..");
    check('\u{1fb95}', "#.#. .#.# #.#. .#.#");
    check('\u{1fb96}', ".#.# #.#. .#.# #.#.");
    check('\u{1fb97}', ".... #### .... ####");
    check('\u{1cc25}', "+. +.");
    check('\u{1ce5f}', "++ ++ ..");
    check(
        '\u{1cc7c}',
        "#.###### #.#....# #.#.##.# #.#..#.# #.#..#.# #.####.# #......# ########",
    );
    check(
        '\u{1cc7d}',
        "######## #....... #.###### #.#....# #.#..#.# #.####.# #......# ########",
    );
}

#[test]
fn smooth_mosaics_are_at_their_corner() {
    check('\u{1fb3c}', ".. .. +.");
    check('\u{1fb40}', "+. +. +.");
    check('\u{1fb44}', ".+ +# ##");
    check('\u{1fb46}', ".. ++ ##");
    check('\u{1fb4b}', ".+ .+ .+");
    check('\u{1fb52}', "## ## +#");
    check('\u{1fb57}', "+. .. ..");
    check('\u{1fb67}', "## ++ ..");
    check('\u{1fb9c}', "++ +.");
    check('\u{1fb9e}', ".+ ++");
}

#[test]
fn a_mosaic_and_its_complement_cover_the_cell_once() {
    let lower = '\u{1fb3c}'..='\u{1fb51}';
    let pairs = lower.zip('\u{1fb52}'..='\u{1fb67}');
    let triangles = ('\u{1fb68}'..='\u{1fb6b}').zip('\u{1fb6c}'..='\u{1fb6f}');
    let pairs = pairs.chain(triangles).chain([('\u{1fb9a}', '\u{1fb9b}')]);
    for (one, other) in pairs {
        for cell in cells() {
            let (first, second) = (draw(one, cell), draw(other, cell));
            for (x, y) in places(cell) {
                let sum = first.at(x, y) + second.at(x, y);
                // A level is rounded in each of the two; where four triangles meet, in each of the
                // four.
                let rounded = if cell.width.abs_diff(2 * x + 1) < 3 {
                    3
                } else {
                    1
                };
                assert!(
                    sum.abs_diff(FULL) <= rounded,
                    "{one}{other} {cell:?} at {x},{y}: {sum}"
                );
            }
        }
    }
}

#[test]
fn shades_of_parts_have_the_level_of_a_whole_shade() {
    let whole = draw('▒', CELL).at(3, 3);
    for (c, inside, outside) in [
        ('\u{1fb8c}', (3, 3), (20, 3)),
        ('\u{1fb8d}', (20, 3), (3, 3)),
        ('\u{1fb8e}', (3, 3), (3, 44)),
        ('\u{1fb8f}', (3, 44), (3, 3)),
        ('\u{1fb9c}', (2, 2), (22, 46)),
        ('\u{1fb9f}', (2, 46), (22, 2)),
    ] {
        let coverage = draw(c, CELL);
        assert_eq!(coverage.at(inside.0, inside.1), whole, "{c}");
        assert_eq!(coverage.at(outside.0, outside.1), 0, "{c}");
    }
    let both = draw('\u{1fb94}', CELL);
    assert_eq!((both.at(3, 3), both.at(20, 3)), (whole, FULL));
}

#[test]
fn hatching_continues_in_every_neighbour() {
    for c in ['\u{1fb98}', '\u{1fb99}', '\u{1cc43}'] {
        let row = c.to_string().repeat(2);
        let lines = join(&[&row, &row], CELL);
        // The pattern repeats every half cell along a row; a line that stopped at an edge would
        // break the repetition.
        for line in &lines {
            let repeats = line.iter().zip(&line[CELL.width / 2..]);
            for (one, other) in repeats {
                assert!(one.abs_diff(*other) <= 1, "{c}: {line:?}");
            }
        }
        assert_eq!(lines[0], lines[CELL.height]);
    }
}

#[test]
fn the_pieces_of_a_circle_enclose_their_inside() {
    for cell in cells() {
        let rows = [
            "\u{1cc30}\u{1cc31}\u{1cc32}\u{1cc33}",
            "\u{1cc34}\u{1cc35}\u{1cc36}\u{1cc37}",
        ];
        let more = [
            "\u{1cc38}\u{1cc39}\u{1cc3a}\u{1cc3b}",
            "\u{1cc3c}\u{1cc3d}\u{1cc3e}\u{1cc3f}",
        ];
        let lines = join(&[rows, more].concat(), cell);
        let (width, height) = (lines[0].len(), lines.len());
        let reached = |from: (usize, usize)| {
            let mut seen = vec![vec![false; width]; height];
            let mut open = vec![from];
            while let Some((x, y)) = open.pop() {
                if x < width && y < height && !seen[y][x] && lines[y][x] < 2 {
                    seen[y][x] = true;
                    open.extend([(x + 1, y), (x, y + 1)]);
                    open.extend([(x.wrapping_sub(1), y), (x, y.wrapping_sub(1))]);
                }
            }
            seen
        };
        let (center, between) = ((width / 2, height / 2), (width / 2, height / 8));
        let outside = reached((0, 0));
        assert!(
            !outside[between.1][between.0],
            "the outer circle is open in {cell:?}"
        );
        assert!(
            !reached(between)[center.1][center.0],
            "the inner circle is open in {cell:?}"
        );
    }
}

#[test]
fn slanted_lines_continue_in_the_next_cell() {
    // The lower edge of the first is the upper edge of the second, mirrored.
    for (upper, lower) in [('\u{1fba2}', '\u{1fba1}'), ('\u{1fba3}', '\u{1fba0}')] {
        let (one, other) = (draw(upper, CELL), draw(lower, CELL));
        let inked = |coverage: &Coverage, y: usize| -> Vec<usize> {
            (0..CELL.width).filter(|x| coverage.at(*x, y) > 5).collect()
        };
        let (bottom, top) = (inked(&one, CELL.height - 1), inked(&other, 0));
        assert!(
            !bottom.is_empty() && bottom.iter().any(|x| top.contains(x)),
            "{upper}{lower}"
        );
    }
    // A slanted line meets the straight lines of boxes in the middle of a side.
    for cell in cells() {
        let slanted = draw('\u{1fba0}', cell);
        let straight = draw('│', cell);
        let axis = (0..cell.width)
            .find(|x| straight.at(*x, 0) == FULL)
            .expect("a line");
        assert!(slanted.at(axis, 0) > 0, "{cell:?}");
    }
}

#[test]
fn stems_of_large_letters_meet() {
    for cell in cells() {
        let stem = draw('\u{1ce29}', cell);
        let bottom: Vec<u8> = (0..cell.width)
            .map(|x| stem.at(x, cell.height - 1))
            .collect();
        // Pieces that begin with a stem at the upper edge, and one arc.
        for c in "\u{1ce3c}\u{1ce3d}\u{1ce40}\u{1ce44}\u{1ce47}\u{1ce50}".chars() {
            let piece = draw(c, cell);
            let upper = |y| (0..cell.width).map(|x| piece.at(x, y)).collect::<Vec<u8>>();
            let edge = if c == '\u{1ce47}' { cell.height - 1 } else { 0 };
            assert_eq!(upper(edge), bottom, "{c} in {cell:?}");
        }
        let bar = draw('\u{1ce1f}', cell);
        let side: Vec<u8> = (0..cell.height).map(|y| bar.at(0, y)).collect();
        for c in "\u{1ce1b}\u{1ce1e}\u{1ce28}\u{1ce3d}".chars() {
            let piece = draw(c, cell);
            let right = (0..cell.height).map(|y| piece.at(cell.width - 1, y));
            assert_eq!(right.collect::<Vec<u8>>(), side, "{c} in {cell:?}");
        }
    }
}
