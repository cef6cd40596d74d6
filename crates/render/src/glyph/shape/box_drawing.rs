//! Box drawing, U+2500 to U+257F.
//!
//! A cell has four arms that end in its centre. A double arm is two thin lines separated by the
//! width of a thin line, so that lines of every weight have the same axis. One arm is computed as
//! if it came from above; the others are rotations of it.

use std::ops::Range;

use super::path::Point;
use super::{CellBox, Path, ShapePart};

/// Up, right, down, left of each character from U+2500: 0 none, 1 thin, 2 thick, 3 double. Dots
/// mark characters that are dashed, round or diagonal. Generated from the characters' names.
const ARMS: [&str; 8] = [
    "0101 0202 1010 2020 .... .... .... .... .... .... .... .... 0110 0210 0120 0220",
    "0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120",
    "2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212",
    "0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212",
    "2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 .... .... .... ....",
    "0303 3030 0310 0130 0330 0013 0031 0033 1300 3100 3300 1003 3001 3003 1310 3130",
    "3330 1013 3031 3033 0313 0131 0333 1303 3101 3303 1313 3131 3333 .... .... ....",
    ".... .... .... .... 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010",
];

/// The weight of an arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arm {
    None,
    Thin,
    Thick,
    Double,
}

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let rising = || ShapePart::Filled(rising(cell));
    Some(match c {
        '╭' => vec![ShapePart::Stroke(arc(cell, Side::Far, Side::Far))],
        '╮' => vec![ShapePart::Stroke(arc(cell, Side::Near, Side::Far))],
        '╯' => vec![ShapePart::Stroke(arc(cell, Side::Near, Side::Near))],
        '╰' => vec![ShapePart::Stroke(arc(cell, Side::Far, Side::Near))],
        '╱' => vec![rising()],
        '╲' => vec![ShapePart::Filled(falling(cell))],
        '╳' => vec![rising(), ShapePart::Filled(falling(cell))],
        '┄'..='┋' | '╌'..='╏' => dashes(c, cell),
        _ => joined(arms(c)?, cell),
    })
}

/// Returns an arm of a character with the numbers of [`ARMS`]; `None` if it has no such arm or is
/// not made of arms.
#[cfg(test)]
pub(super) fn arm_of(c: char, index: usize) -> Option<u8> {
    let arm = arms(c)?[index];
    (arm != Arm::None).then_some(arm as u8)
}

fn arms(c: char) -> Option<[Arm; 4]> {
    let index = (c as usize).checked_sub(0x2500)?;
    let digits = ARMS.get(index / 16)?.split(' ').nth(index % 16)?;
    let mut arms = [Arm::None; 4];
    for (arm, digit) in arms.iter_mut().zip(digits.bytes()) {
        *arm = match digit {
            b'0' => Arm::None,
            b'1' => Arm::Thin,
            b'2' => Arm::Thick,
            b'3' => Arm::Double,
            _ => return None,
        };
    }
    Some(arms)
}

/// Positions of the lines of each weight on one axis of a cell.
#[derive(Debug, Clone)]
struct Track {
    thin: Range<usize>,
    thick: Range<usize>,
    /// From the outer edge of one line of a double line to the outer edge of the other.
    double: Range<usize>,
}

impl Track {
    fn new(length: usize, stroke: usize) -> Track {
        let start = length.saturating_sub(stroke) / 2;
        let thin = start..(start + stroke).min(length);
        let thick = start.saturating_sub(stroke.div_ceil(2));
        Track {
            thick: thick..(thick + 2 * stroke).min(length),
            double: start.saturating_sub(stroke)..(thin.end + stroke).min(length),
            thin,
        }
    }

    /// Returns the positions as counted from the opposite edge.
    fn turned(&self, length: usize) -> Track {
        let turn = |range: &Range<usize>| length - range.end..length - range.start;
        Track {
            thin: turn(&self.thin),
            thick: turn(&self.thick),
            double: turn(&self.double),
        }
    }
}

/// Returns the position of a thin line in the middle of a cell's width or height.
pub(super) fn thin(length: usize, stroke: usize) -> Range<usize> {
    Track::new(length, stroke).thin
}

/// Draws four arms that meet in the centre.
fn joined([up, right, down, left]: [Arm; 4], cell: CellBox) -> Vec<ShapePart> {
    let (width, height) = (cell.width, cell.height);
    let columns = Track::new(width, cell.stroke);
    let lines = Track::new(height, cell.stroke);
    let mut parts = Vec::new();
    for (across, end) in arm(up, down, [left, right], &columns, &lines) {
        parts.push(ShapePart::Area(across, 0..end.unwrap_or(height)));
    }
    for (across, end) in arm(left, right, [up, down], &lines, &columns) {
        parts.push(ShapePart::Area(0..end.unwrap_or(width), across));
    }
    // Lines that run through are already drawn.
    for (across, end) in arm(down, up, [left, right], &columns, &lines.turned(height)) {
        let start = height - end.unwrap_or_default();
        parts.push(ShapePart::Area(across, start..height));
    }
    for (across, end) in arm(right, left, [up, down], &lines, &columns.turned(width)) {
        let start = width - end.unwrap_or_default();
        parts.push(ShapePart::Area(start..width, across));
    }
    parts
}

/// Returns the lines of an arm: the position across, and the end as counted from the edge where the
/// arm begins; `None` if it runs through. `sides` are the arms on either side, `along` are their
/// positions as seen from that edge.
fn arm(
    arm: Arm,
    opposite: Arm,
    sides: [Arm; 2],
    across: &Track,
    along: &Track,
) -> Vec<(Range<usize>, Option<usize>)> {
    let has = |weight| sides.contains(&weight);
    // Ends at the far edge of the crossing line, so that the corner is filled.
    let corner = if has(Arm::Double) {
        along.double.end
    } else if has(Arm::Thick) {
        along.thick.end
    } else {
        along.thin.end
    };
    let through = arm == opposite;
    match arm {
        Arm::None => Vec::new(),
        Arm::Double => {
            // Next to another double line, the two turn into each other: the inner corner is at the
            // nearer line.
            let end = |side| match side {
                Arm::Double => Some(along.thin.start),
                _ => (!through).then_some(corner),
            };
            vec![
                (across.double.start..across.thin.start, end(sides[0])),
                (across.thin.end..across.double.end, end(sides[1])),
            ]
        }
        Arm::Thin | Arm::Thick => {
            let line = match arm {
                Arm::Thick => across.thick.clone(),
                _ => across.thin.clone(),
            };
            let end = match (sides, opposite) {
                // An arm that meets a double line running through ends at its nearer line.
                ([Arm::Double, Arm::Double], Arm::None) => along.thin.start,
                (_, Arm::None) => corner,
                _ => along.thin.end,
            };
            vec![(line, (!through).then_some(end))]
        }
    }
}

/// Dashes, each followed by a gap. Half a gap is at the start, so that the pattern continues evenly
/// in the next cell.
fn dashes(c: char, cell: CellBox) -> Vec<ShapePart> {
    let count = match c {
        '╌'..='╏' => 2,
        '┄'..='┇' => 3,
        _ => 4,
    };
    // The characters alternate: thin and thick, and after each pair horizontal and vertical.
    let (thick, down) = (c as u32 & 1 == 1, c as u32 & 2 == 2);
    let (length, breadth) = if down {
        (cell.height, cell.width)
    } else {
        (cell.width, cell.height)
    };
    let track = Track::new(breadth, cell.stroke);
    let across = if thick { track.thick } else { track.thin };
    let gap = (length / count / 3).max(1);
    let dash = |dash: usize| {
        let start = length * dash / count + gap / 2;
        let end = (length * (dash + 1) / count + gap / 2).saturating_sub(gap);
        // In the smallest cells a dash is a dot.
        let along = start..end.max(start + 1);
        if down {
            ShapePart::Area(across.clone(), along)
        } else {
            ShapePart::Area(along, across.clone())
        }
    };
    (0..count).map(dash).collect()
}

/// An edge of a cell, as seen from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Near,
    Far,
}

/// Returns a quarter circle from the middle of one side to the middle of another, with straight
/// ends.
fn arc(cell: CellBox, across: Side, down: Side) -> Path {
    let (width, height) = (cell.width as f32, cell.height as f32);
    let middle = |length| {
        let thin = Track::new(length, cell.stroke).thin;
        (thin.start + thin.end) as f32 / 2.0
    };
    let (center, line) = (middle(cell.width), middle(cell.height));
    let room = |middle: f32, length: f32| middle.min(length - middle);
    // At the very edge of the cell it must match the straight line of the neighbour.
    let radius = (room(center, width).min(room(line, height)) - 1.0).max(0.0);
    let (edge, turn) = match across {
        Side::Near => (0.0, center - radius),
        Side::Far => (width, center + radius),
    };
    let (end, bend) = match down {
        Side::Near => (0.0, line - radius),
        Side::Far => (height, line + radius),
    };
    Path::from((edge, line))
        .line((turn, line))
        .arc((radius, radius), across != down, (center, bend))
        .line((center, end))
}

/// Returns a line from the upper left corner to the lower right one, clipped at the cell's edges so
/// that it continues in the next cell without a notch.
pub(super) fn falling(cell: CellBox) -> Path {
    Path::polygon(&falling_corners(cell))
}

/// Returns a line from the lower left corner to the upper right one. Its outline turns the same way
/// as that of `falling`: in SVG both are one path, in which opposite turns would leave a hole where
/// they cross.
fn rising(cell: CellBox) -> Path {
    let mut corners = falling_corners(cell).map(|(x, y)| (cell.width as f32 - x, y));
    corners.reverse();
    Path::polygon(&corners)
}

fn falling_corners(cell: CellBox) -> [Point; 6] {
    let (width, height) = (cell.width as f32, cell.height as f32);
    let half = cell.stroke as f32 * 0.6;
    let length = width.hypot(height);
    let (right, down) = (half * length / height, half * length / width);
    let (right, down) = (right.min(width), down.min(height));
    [
        (0.0, 0.0),
        (right, 0.0),
        (width, height - down),
        (width, height),
        (width - right, height),
        (0.0, down),
    ]
}
