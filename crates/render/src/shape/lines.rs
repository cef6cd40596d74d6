//! Box drawing, U+2500 to U+257F.
//!
//! A cell has four arms that end in its middle. A double arm is two thin lines with the thin line's place between them, so
//! that every weight runs along the same axis.

use std::ops::Range;

use super::{CellBox, Stencil};

/// Up, right, down, left of each character from U+2500 on: 0 none, 1 thin, 2 thick, 3 double. Dots stand for those that
/// are dashed, round or diagonal. Made from the characters' names.
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

/// What an arm is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arm {
    None,
    Thin,
    Thick,
    Double,
}

pub(super) fn draw(c: char, cell: CellBox) -> Option<Stencil> {
    let mut stencil = Stencil::new(cell.width, cell.height);
    match c {
        '┄' => dashes(&mut stencil, cell, Arm::Thin, 3, Axis::Across),
        '┅' => dashes(&mut stencil, cell, Arm::Thick, 3, Axis::Across),
        '┆' => dashes(&mut stencil, cell, Arm::Thin, 3, Axis::Down),
        '┇' => dashes(&mut stencil, cell, Arm::Thick, 3, Axis::Down),
        '┈' => dashes(&mut stencil, cell, Arm::Thin, 4, Axis::Across),
        '┉' => dashes(&mut stencil, cell, Arm::Thick, 4, Axis::Across),
        '┊' => dashes(&mut stencil, cell, Arm::Thin, 4, Axis::Down),
        '┋' => dashes(&mut stencil, cell, Arm::Thick, 4, Axis::Down),
        '╌' => dashes(&mut stencil, cell, Arm::Thin, 2, Axis::Across),
        '╍' => dashes(&mut stencil, cell, Arm::Thick, 2, Axis::Across),
        '╎' => dashes(&mut stencil, cell, Arm::Thin, 2, Axis::Down),
        '╏' => dashes(&mut stencil, cell, Arm::Thick, 2, Axis::Down),
        '╭' => arc(&mut stencil, cell, 1.0, 1.0),
        '╮' => arc(&mut stencil, cell, -1.0, 1.0),
        '╯' => arc(&mut stencil, cell, -1.0, -1.0),
        '╰' => arc(&mut stencil, cell, 1.0, -1.0),
        '╱' => diagonal(&mut stencil, cell, Slope::Rising),
        '╲' => diagonal(&mut stencil, cell, Slope::Falling),
        '╳' => {
            diagonal(&mut stencil, cell, Slope::Rising);
            diagonal(&mut stencil, cell, Slope::Falling);
        }
        _ => joined(&mut stencil, cell, arms(c)?),
    }
    Some(stencil)
}

/// One of a character's arms, counted as in [`ARMS`]; `None` where it has none there or is not made of arms.
#[cfg(test)]
pub(super) fn arm(c: char, index: usize) -> Option<u8> {
    let arm = arms(c)?[index];
    (arm != Arm::None).then_some(arm as u8)
}

fn arms(c: char) -> Option<[Arm; 4]> {
    let index = (c as usize).checked_sub(0x2500)?;
    let arms = ARMS.get(index / 16)?.split(' ').nth(index % 16)?;
    let mut found = [Arm::None; 4];
    for (arm, letter) in found.iter_mut().zip(arms.bytes()) {
        *arm = match letter {
            b'0' => Arm::None,
            b'1' => Arm::Thin,
            b'2' => Arm::Thick,
            b'3' => Arm::Double,
            _ => return None,
        };
    }
    Some(found)
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
        let thin = start..start + stroke;
        let thick = start.saturating_sub(stroke.div_ceil(2));
        Track {
            thick: thick..thick + 2 * stroke,
            double: start.saturating_sub(stroke)..thin.end + stroke,
            thin,
        }
    }

    fn of(&self, arm: Arm) -> Range<usize> {
        match arm {
            Arm::Thick => self.thick.clone(),
            Arm::Double => self.double.clone(),
            Arm::Thin | Arm::None => self.thin.clone(),
        }
    }
}

/// Four arms that meet in the middle.
fn joined(stencil: &mut Stencil, cell: CellBox, [up, right, down, left]: [Arm; 4]) {
    let columns = Track::new(cell.width, cell.stroke);
    let lines = Track::new(cell.height, cell.stroke);
    // How far an arm reaches into the middle depends on what it meets there.
    let up_end = reach(&lines, [left, right], up == down).end;
    let down_start = reach(&lines, [left, right], up == down).start;
    let left_end = reach(&columns, [up, down], left == right).end;
    let right_start = reach(&columns, [up, down], left == right).start;

    match up {
        Arm::Double => {
            let inner = |side| {
                if side == Arm::Double {
                    lines.thin.start
                } else {
                    up_end
                }
            };
            stencil.fill(columns.double.start..columns.thin.start, 0..inner(left));
            stencil.fill(columns.thin.end..columns.double.end, 0..inner(right));
        }
        Arm::None => {}
        arm => stencil.fill(columns.of(arm), 0..up_end),
    }
    match down {
        Arm::Double => {
            let inner = |side| {
                if side == Arm::Double {
                    lines.thin.end
                } else {
                    down_start
                }
            };
            stencil.fill(
                columns.double.start..columns.thin.start,
                inner(left)..cell.height,
            );
            stencil.fill(
                columns.thin.end..columns.double.end,
                inner(right)..cell.height,
            );
        }
        Arm::None => {}
        arm => stencil.fill(columns.of(arm), down_start..cell.height),
    }
    match left {
        Arm::Double => {
            let inner = |side| {
                if side == Arm::Double {
                    columns.thin.start
                } else {
                    left_end
                }
            };
            stencil.fill(0..inner(up), lines.double.start..lines.thin.start);
            stencil.fill(0..inner(down), lines.thin.end..lines.double.end);
        }
        Arm::None => {}
        arm => stencil.fill(0..left_end, lines.of(arm)),
    }
    match right {
        Arm::Double => {
            let inner = |side| {
                if side == Arm::Double {
                    columns.thin.end
                } else {
                    right_start
                }
            };
            stencil.fill(inner(up)..cell.width, lines.double.start..lines.thin.start);
            stencil.fill(inner(down)..cell.width, lines.thin.end..lines.double.end);
        }
        Arm::None => {}
        arm => stencil.fill(right_start..cell.width, lines.of(arm)),
    }
}

/// The stretch in the middle of `track` between two opposite arms, given the two arms that cross them: an arm from the
/// near side fills it to its end, one from the far side from its start.
fn reach(track: &Track, crossing: [Arm; 2], straight: bool) -> Range<usize> {
    let thin = track.thin.clone();
    let has = |arm| crossing.contains(&arm);
    if has(Arm::Thick) {
        track.thick.clone()
    } else if crossing[0] != crossing[1] || straight {
        match has(Arm::Double) {
            true => track.double.clone(),
            false => thin,
        }
    } else if crossing == [Arm::None; 2] {
        thin
    } else if has(Arm::Double) {
        // A double line that runs through: this arm ends at the line it meets first.
        thin.end..thin.start
    } else {
        thin
    }
}

/// Along which axis a line runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Across,
    Down,
}

/// A line of `count` dashes with a gap behind each, half of it before the first, so that they go on in the next cell.
fn dashes(stencil: &mut Stencil, cell: CellBox, arm: Arm, count: usize, axis: Axis) {
    let (along, across) = match axis {
        Axis::Across => (cell.width, cell.height),
        Axis::Down => (cell.height, cell.width),
    };
    let track = Track::new(across, cell.stroke).of(arm);
    let gap = (along / count / 3).max(1);
    for dash in 0..count {
        let start = along * dash / count + gap / 2;
        let end = (along * (dash + 1) / count + gap / 2).saturating_sub(gap);
        match axis {
            Axis::Across => stencil.fill(start..end, track.clone()),
            Axis::Down => stencil.fill(track.clone(), start..end),
        }
    }
}

/// A quarter of a circle from the middle of one side to the middle of another, with straight ends where a side is
/// longer. `right` and `down` are 1 for an arc that opens there, -1 for the other way.
fn arc(stencil: &mut Stencil, cell: CellBox, right: f32, down: f32) {
    let columns = Track::new(cell.width, cell.stroke).thin;
    let lines = Track::new(cell.height, cell.stroke).thin;
    let half = cell.stroke as f32 / 2.0;
    let (x0, y0) = (columns.start as f32 + half, lines.start as f32 + half);
    let room = |middle: f32, length: usize| middle.min(length as f32 - middle);
    let radius = room(x0, cell.width).min(room(y0, cell.height));
    stencil.paint(|x, y| {
        // Seen as if it opened to the right and downwards, counted from where the straight lines would cross.
        let (x, y) = ((x - x0) * right, (y - y0) * down);
        match (x < radius, y < radius) {
            (true, true) => ((radius - x).hypot(radius - y) - radius).abs() <= half,
            (false, _) => y.abs() <= half,
            (true, false) => x.abs() <= half,
        }
    });
    // At the very edge it is the straight line that it meets there.
    let (x, y) = (
        if right > 0.0 { cell.width - 1 } else { 0 },
        if down > 0.0 { cell.height - 1 } else { 0 },
    );
    stencil.shade(x..x + 1, 0..cell.height, 0);
    stencil.fill(x..x + 1, lines);
    stencil.shade(0..cell.width, y..y + 1, 0);
    stencil.fill(columns, y..y + 1);
}

/// Which way a diagonal runs, read from the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slope {
    Rising,
    Falling,
}

/// A line from corner to corner; it goes on beyond both, so that neighbours meet without a notch.
fn diagonal(stencil: &mut Stencil, cell: CellBox, slope: Slope) {
    let (width, height) = (cell.width as f32, cell.height as f32);
    let half = cell.stroke as f32 * 0.6;
    let length = width.hypot(height);
    stencil.paint(|x, y| {
        let y = match slope {
            Slope::Falling => y,
            Slope::Rising => height - y,
        };
        ((x * height - y * width) / length).abs() <= half
    });
}
