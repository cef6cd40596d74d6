//! Box drawing, U+2500 to U+257F.
//!
//! A cell has four arms that end in its middle. A double arm is two thin lines with the place of a thin one between them, so
//! that every weight runs along the same axis. One arm is worked out as if it came from above; the others are that one,
//! turned.

use std::fmt::Write;
use std::ops::Range;

use super::{Cell, Drawing};

/// Up, right, down, left of each character from U+2500 on: 0 none, 1 thin, 2 thick, 3 double. Dots stand for those that
/// are dashed, round or slanted. Made from the characters' names.
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

/// Adds a character at `x`.
pub(super) fn add(drawing: &mut Drawing, c: char, x: usize, cell: Cell) {
    if let Some(arms) = arms(c) {
        return joined(drawing, arms, x, cell);
    }
    match c {
        '╭' => arc(drawing, x, cell, Side::Far, Side::Far),
        '╮' => arc(drawing, x, cell, Side::Near, Side::Far),
        '╯' => arc(drawing, x, cell, Side::Near, Side::Near),
        '╰' => arc(drawing, x, cell, Side::Far, Side::Near),
        '╱' | '╲' | '╳' => slants(drawing, c, x, cell),
        _ => dashes(drawing, c, x, cell),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arm {
    None,
    Thin,
    Thick,
    Double,
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

/// Where lines of each weight run on one axis of a cell.
#[derive(Debug, Clone)]
struct Track {
    thin: Range<usize>,
    thick: Range<usize>,
    /// From the outer edge of one line of a double to the outer edge of the other.
    double: Range<usize>,
}

impl Track {
    fn new(length: usize, stroke: usize) -> Track {
        let start = length.saturating_sub(stroke) / 2;
        let end = start + stroke;
        // A stroke more on both sides of a thin line, or half of one: 1 becomes 3, and 2 becomes 4.
        let more = stroke.div_ceil(2);
        Track {
            thick: start.saturating_sub(more)..end + more,
            double: start.saturating_sub(stroke)..end + stroke,
            thin: start..end,
        }
    }

    /// The same seen from the other end.
    fn turned(&self, length: usize) -> Track {
        let turn = |range: &Range<usize>| length - range.end..length - range.start;
        Track {
            thin: turn(&self.thin),
            thick: turn(&self.thick),
            double: turn(&self.double),
        }
    }
}

/// Four arms that meet in the middle.
fn joined(drawing: &mut Drawing, [up, right, down, left]: [Arm; 4], x: usize, cell: Cell) {
    let (width, height) = (cell.width, cell.height);
    let columns = Track::new(width, cell.stroke);
    let lines = Track::new(height, cell.stroke);
    let moved = |range: Range<usize>| x + range.start..x + range.end;
    for (across, end) in arm(up, down, [left, right], &columns, &lines) {
        drawing.areas.add(moved(across), 0..end.unwrap_or(height));
    }
    for (across, end) in arm(left, right, [up, down], &lines, &columns) {
        drawing.areas.add(moved(0..end.unwrap_or(width)), across);
    }
    // What runs through is there already.
    for (across, end) in arm(down, up, [left, right], &columns, &lines.turned(height)) {
        let start = height - end.unwrap_or_default();
        drawing.areas.add(moved(across), start..height);
    }
    for (across, end) in arm(right, left, [up, down], &lines, &columns.turned(width)) {
        let start = width - end.unwrap_or_default();
        drawing.areas.add(moved(start..width), across);
    }
}

/// The lines of an arm: where each runs across, and where it ends, counted from the edge at which it begins; `None` where
/// it runs through. `sides` are the arms to either side, `along` is the track of those, seen from that edge.
fn arm(
    arm: Arm,
    opposite: Arm,
    sides: [Arm; 2],
    across: &Track,
    along: &Track,
) -> Vec<(Range<usize>, Option<usize>)> {
    let has = |weight| sides.contains(&weight);
    // As far as what crosses here reaches, so that the corner is filled.
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
            // On the side of another double line the two turn into each other: the inner corner is the nearer line.
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
                // A double line that runs through is met at its nearer line.
                ([Arm::Double, Arm::Double], Arm::None) => along.thin.start,
                (_, Arm::None) => corner,
                _ => along.thin.end,
            };
            vec![(line, (!through).then_some(end))]
        }
    }
}

/// Dashes with half a gap before and behind each, so that they go on evenly in the next cell.
fn dashes(drawing: &mut Drawing, c: char, x: usize, cell: Cell) {
    let count = match c {
        '╌'..='╏' => 2,
        '┄'..='┇' => 3,
        _ => 4,
    };
    let thick = c as u32 & 1 == 1;
    let down = c as u32 & 2 == 2;
    let (length, breadth) = match down {
        true => (cell.height, cell.width),
        false => (cell.width, cell.height),
    };
    let track = Track::new(breadth, cell.stroke);
    let across = if thick { track.thick } else { track.thin };
    let gap = (length / count / 3).max(1);
    for dash in 0..count {
        let start = length * dash / count + gap / 2;
        let end = (length * (dash + 1) / count + gap / 2).saturating_sub(gap);
        match down {
            true => drawing
                .areas
                .add(x + across.start..x + across.end, start..end),
            false => drawing.areas.add(x + start..x + end, across.clone()),
        }
    }
}

/// Which edge of a cell, seen from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Near,
    Far,
}

/// A quarter of a circle from the middle of a side to that of another, with straight ends.
fn arc(drawing: &mut Drawing, x: usize, cell: Cell, across: Side, down: Side) {
    let middle = |length| {
        let thin = Track::new(length, cell.stroke).thin;
        (thin.start + thin.end) as f32 / 2.0
    };
    let (center, line) = (x as f32 + middle(cell.width), middle(cell.height));
    let radius = (cell.width.min(cell.height) / 2) as f32;
    let (edge, turn) = match across {
        Side::Near => (x, center - radius),
        Side::Far => (x + cell.width, center + radius),
    };
    let (end, bend) = match down {
        Side::Near => (0, line - radius),
        Side::Far => (cell.height, line + radius),
    };
    let sweep = u8::from(across != down);
    let _ = write!(
        drawing.strokes,
        "M{edge} {line}H{turn}A{radius} {radius} 0 0 {sweep} {center} {bend}V{end}"
    );
}

/// Lines from corner to corner.
fn slants(drawing: &mut Drawing, c: char, x: usize, cell: Cell) {
    let (right, height) = (x + cell.width, cell.height);
    if c != '╲' {
        let _ = write!(drawing.strokes, "M{x} {height}L{right} 0");
    }
    if c != '╱' {
        let _ = write!(drawing.strokes, "M{x} 0L{right} {height}");
    }
}
