//! Arrows, a check mark, a folder, a runner, a pointing hand, stick figures and similar signs.
//!
//! Positions are on a grid of 8 columns and 16 rows.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::{CellBox, ShapePart};

/// Lines of a person that runs, over two cells.
const RUNNER: [&[Point]; 6] = [
    &[(2.0, 4.5), (9.5, 4.5), (12.5, 2.5)],
    &[(2.0, 4.5), (1.3, 9.0)],
    &[(8.5, 4.5), (6.0, 9.0)],
    &[(6.0, 9.0), (6.2, 12.5), (1.5, 12.7), (2.5, 15.5)],
    &[(7.0, 8.0), (10.0, 9.5), (11.5, 14.8)],
    &[(11.5, 14.8), (14.5, 14.8)],
];

/// Lines of a hand that points to the right, over three cells.
const HAND: [&[Point]; 8] = [
    &[(0.5, 0.0), (0.5, 16.0)],
    &[
        (1.5, 2.8),
        (3.0, 0.8),
        (21.5, 0.8),
        (22.8, 2.8),
        (21.5, 4.8),
        (14.5, 4.8),
    ],
    &[
        (1.5, 2.8),
        (1.5, 13.2),
        (3.0, 15.2),
        (12.0, 15.2),
        (13.5, 13.0),
        (12.8, 10.8),
    ],
    &[(14.5, 4.8), (13.5, 6.8)],
    &[(14.0, 0.8), (14.0, 4.8)],
    &[
        (16.0, 4.8),
        (7.0, 4.8),
        (5.0, 9.0),
        (3.5, 10.8),
        (1.5, 10.8),
    ],
    &[
        (8.0, 6.8),
        (13.5, 6.8),
        (14.8, 8.8),
        (13.5, 10.8),
        (7.0, 10.8),
    ],
    &[(7.0, 10.8), (8.0, 12.0)],
];

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let build = || ShapeBuilder::new(cell);
    let middle = (cell.width as f32 / 2.0, cell.height as f32 / 2.0);
    let built = match c {
        '\u{1fbaf}' => lines(
            build(),
            &[&[(0.0, 8.0), (8.0, 8.0)], &[(4.0, 4.0), (4.0, 12.0)]],
        ),
        '\u{1fbb0}' => filled(
            build(),
            &[(1.0, 2.0), (6.8, 11.5), (3.5, 11.0), (1.0, 14.5)],
        ),
        '\u{1fbb1}' => {
            let check = [
                (1.0, 8.5),
                (1.9, 7.2),
                (3.1, 10.0),
                (6.2, 3.0),
                (7.2, 4.0),
                (3.2, 13.0),
            ];
            build().whole_without(&[&grid(&check)])
        }
        '\u{1fbb2}' => runner(build(), 0.0),
        '\u{1fbb3}' => runner(build(), 8.0),
        '\u{1fbb4}' => {
            let arrow = [
                (5.0, 2.5),
                (6.4, 2.5),
                (6.4, 10.7),
                (3.6, 10.7),
                (3.6, 13.2),
                (1.0, 9.6),
                (3.6, 6.0),
                (3.6, 8.5),
                (5.0, 8.5),
            ];
            build().whole_without(&[&grid(&arrow)])
        }
        '\u{1fbb5}' => filled(above_and_below(build()), &LEFT_ARROW),
        '\u{1fbb6}' => filled(
            above_and_below(build()),
            &LEFT_ARROW.map(|(x, y)| (8.0 - x, y)),
        ),
        '\u{1fbb7}' => filled(right_eighth(build()), &DOWN_ARROW),
        '\u{1fbb8}' => filled(
            right_eighth(build()),
            &DOWN_ARROW.map(|(x, y)| (x, 16.0 - y)),
        ),
        '\u{1fbb9}' => {
            let outline = [
                (8.0, 13.0),
                (1.0, 13.0),
                (1.0, 6.0),
                (2.5, 4.0),
                (5.0, 4.0),
                (6.5, 6.0),
                (8.0, 6.0),
            ];
            lines(build(), &[&outline])
        }
        '\u{1fbba}' => lines(
            build(),
            &[&[(0.0, 6.0), (7.0, 6.0), (7.0, 13.0), (0.0, 13.0)]],
        ),
        '\u{1fbbb}' => {
            let corner = [(3.0, 1.0), (3.0, 6.5), (0.5, 6.5)];
            let right = corner.map(|(x, y)| (8.0 - x, y));
            let below = |corner: [Point; 3]| corner.map(|(x, y)| (x, 16.0 - y));
            lines(build(), &[&corner, &right, &below(corner), &below(right)])
        }
        // The charts show the open side at the left, whatever the name says.
        '\u{1fbbc}' => disc(right_eighth(above_and_below(build())), middle, 0.18),
        '\u{1fbc0}' => build().saltire_outline(grid_x(3.9), grid_y(5.6), grid_x(2.4)),
        '\u{1fbc1}'..='\u{1fbc3}' => {
            let left = 8.0 * (c as u32 - 0x1fbc1) as f32;
            moved(build(), &HAND, left)
        }
        '\u{1fbc4}' => {
            let hook = [
                (1.6, 5.8),
                (1.6, 4.6),
                (2.8, 2.8),
                (5.2, 2.8),
                (6.4, 4.6),
                (6.4, 6.4),
                (4.8, 9.0),
                (4.8, 10.4),
                (3.3, 10.4),
                (3.3, 8.4),
                (4.9, 6.0),
                (4.9, 5.2),
                (4.5, 4.6),
                (3.5, 4.6),
                (3.1, 5.2),
                (3.1, 5.8),
            ];
            let dot = [(3.3, 11.6), (4.8, 11.6), (4.8, 13.4), (3.3, 13.4)];
            build().whole_without(&[&grid(&hook), &grid(&dot)])
        }
        '\u{1fbc5}' => person(
            build(),
            [(1.8, 10.5), (6.2, 10.5)],
            [(2.0, 14.0), (6.0, 14.0)],
        ),
        '\u{1fbc6}' => person(
            build(),
            [(1.8, 7.0), (6.2, 7.0)],
            [(2.0, 14.0), (6.0, 14.0)],
        ),
        '\u{1fbc7}' => person(
            build(),
            [(1.8, 10.5), (6.2, 7.0)],
            [(2.8, 14.0), (6.2, 13.0)],
        ),
        '\u{1fbc8}' => person(
            build(),
            [(1.8, 7.0), (6.2, 10.5)],
            [(1.8, 13.0), (5.2, 14.0)],
        ),
        '\u{1fbc9}' => {
            let arms = person(
                build(),
                [(1.8, 10.5), (6.2, 10.5)],
                [(4.0, 11.0), (4.0, 11.0)],
            );
            let dress = [(4.0, 9.5), (1.8, 13.0), (6.2, 13.0), (4.0, 9.5)];
            lines(
                arms,
                &[
                    &dress,
                    &[(3.0, 13.0), (3.0, 14.5)],
                    &[(5.0, 13.0), (5.0, 14.5)],
                ],
            )
        }
        '\u{1fbca}' => {
            let chevron = [
                (4.0, 4.0),
                (7.0, 7.5),
                (7.0, 13.5),
                (4.0, 10.5),
                (1.0, 13.5),
                (1.0, 7.5),
                (4.0, 4.0),
            ];
            lines(build(), &[&chevron])
        }
        '\u{1fbcb}' => build().saltire_outline(grid_x(3.4), grid_y(4.2), grid_x(1.8)),
        '\u{1fbcc}' => lines(
            build(),
            &[&[(7.0, 2.5), (4.5, 2.5), (4.5, 6.5), (7.0, 6.5)]],
        ),
        '\u{1fbcd}' => {
            let chevron = [
                (4.0, 4.5),
                (5.7, 6.8),
                (5.7, 11.0),
                (4.0, 9.4),
                (2.3, 11.0),
                (2.3, 6.8),
            ];
            filled(build(), &chevron)
        }
        _ => return None,
    };
    Some(built.finish())
}

const LEFT_ARROW: [Point; 7] = [
    (0.5, 8.0),
    (3.6, 4.0),
    (3.6, 6.8),
    (7.5, 6.8),
    (7.5, 9.2),
    (3.6, 9.2),
    (3.6, 12.0),
];

const DOWN_ARROW: [Point; 7] = [
    (2.8, 2.0),
    (4.2, 2.0),
    (4.2, 9.0),
    (6.4, 9.0),
    (3.5, 14.0),
    (0.6, 9.0),
    (2.8, 9.0),
];

fn grid_x(x: f32) -> f32 {
    x / 8.0
}

fn grid_y(y: f32) -> f32 {
    y / 16.0
}

/// Returns points of the grid as fractions of the cell.
fn grid(points: &[Point]) -> Vec<Point> {
    points
        .iter()
        .map(|(x, y)| (grid_x(*x), grid_y(*y)))
        .collect()
}

fn filled(build: ShapeBuilder, corners: &[Point]) -> ShapeBuilder {
    build.polygon(&grid(corners))
}

fn lines(build: ShapeBuilder, lines: &[&[Point]]) -> ShapeBuilder {
    moved(build, lines, 0.0)
}

/// Draws lines of a sign that spans several cells, of which this one begins at a column.
fn moved(build: ShapeBuilder, lines: &[&[Point]], left: f32) -> ShapeBuilder {
    lines.iter().fold(build, |build, line| {
        let points: Vec<Point> = line.iter().map(|(x, y)| (x - left, *y)).collect();
        build.line(&grid(&points))
    })
}

/// Draws a disc, whose radius is a fraction of the cell's width.
fn disc(build: ShapeBuilder, center: Point, radius: f32) -> ShapeBuilder {
    let radius = radius * build.cell().width as f32;
    build.ellipse(center, (radius, radius))
}

fn runner(build: ShapeBuilder, left: f32) -> ShapeBuilder {
    let (x, y) = build.point((grid_x(6.8 - left), grid_y(1.8)));
    disc(moved(build, &RUNNER, left), (x, y), 0.17)
}

fn above_and_below(build: ShapeBuilder) -> ShapeBuilder {
    build.area(0.0..1.0, 0.0..0.125).area(0.0..1.0, 0.875..1.0)
}

fn right_eighth(build: ShapeBuilder) -> ShapeBuilder {
    build.area(0.875..1.0, 0.0..1.0)
}

/// Draws a stick figure with its hands and feet.
fn person(build: ShapeBuilder, hands: [Point; 2], feet: [Point; 2]) -> ShapeBuilder {
    let (shoulder, hip) = ((4.0, 8.8), (4.0, 11.0));
    let limbs: [&[Point]; 5] = [
        &[(4.0, 7.0), hip],
        &[shoulder, hands[0]],
        &[shoulder, hands[1]],
        &[hip, feet[0]],
        &[hip, feet[1]],
    ];
    let center = build.point((grid_x(4.0), grid_y(5.4)));
    let radius = build.cell().width as f32 * 0.18;
    lines(build, &limbs).ring(center, (radius, radius))
}
