//! Parts of circles and ellipses.

use super::super::builder::ShapeBuilder;
use super::super::path::Point;
use super::super::polygon;
use super::super::{CellBox, ShapePart};

pub(super) fn parts(c: char, cell: CellBox) -> Option<Vec<ShapePart>> {
    let (width, height) = (cell.width as f32, cell.height as f32);
    let thickness = cell.stroke as f32;
    let (across, down) = (width / 2.0, height / 2.0);
    // Half as wide as the cell, so that halves in adjacent cells make a whole circle.
    let radius = across.min(down);
    let build = || ShapeBuilder::new(cell);
    let circle = |center: Point| polygon::ring(center, (radius, radius), thickness, 0.0, 1.0);
    let disc = |center: Point| polygon::arc(center, (radius, radius), 0.0, 1.0);
    // The middles of the sides, in the order of the halves: top, right, bottom, left.
    let [top, right, bottom, left] = [(across, 0.0), (width, down), (across, height), (0.0, down)];
    let code = c as usize;
    let built = match c {
        '\u{1fbe0}'..='\u{1fbe3}' => {
            build().pixel_polygon(circle([top, right, bottom, left][code - 0x1fbe0]))
        }
        '\u{1fbe8}'..='\u{1fbeb}' => {
            build().pixel_polygon(disc([top, right, bottom, left][code - 0x1fbe8]))
        }
        '\u{1fbec}'..='\u{1fbef}' => {
            let corners = [(width, 0.0), (0.0, height), (width, height), (0.0, 0.0)];
            build().pixel_polygon(disc(corners[code - 0x1fbec]))
        }
        '\u{1cc30}'..='\u{1cc3f}' => {
            let place = code - 0x1cc30;
            let (column, row) = (place % 4, place / 4);
            let inner = (1..3).contains(&column) && (1..3).contains(&row);
            // The inner four cells have a circle of their own, two cells wide.
            let cells = if inner { 1.0 } else { 2.0 };
            let center = ((2.0 - column as f32) * width, (2.0 - row as f32) * height);
            let radii = (cells * width, cells * height);
            build().pixel_polygon(polygon::ring(center, radii, thickness, 0.0, 1.0))
        }
        '\u{1cc6b}'..='\u{1cc6e}' => {
            // The missing quarter is left, up, right, down; an angle of 0 is right.
            let middle = [0.5, 0.75, 1.0, 1.25][code - 0x1cc6b];
            let center = (across, down);
            let round = polygon::arc(center, (radius, radius), middle + 0.125, middle + 0.875);
            build().pixel_polygon([&[center][..], &round].concat())
        }
        '\u{1cc88}' => {
            let radii = (width / 5.0, width / 4.0);
            [0.25, 0.75].into_iter().fold(build(), |build, x| {
                let center = (x * width, down);
                build.pixel_polygon(polygon::ring(center, radii, thickness, 0.0, 1.0))
            })
        }
        '\u{1ce00}' => build()
            .pixel_polygon(circle(left))
            .pixel_polygon(circle(right)),
        '\u{1ce01}' => build()
            .pixel_polygon(circle(top))
            .pixel_polygon(circle(bottom)),
        '\u{1ce0b}' | '\u{1ce0c}' => {
            let center = if c == '\u{1ce0b}' { right } else { left };
            let radii = (width * 0.75, height * 0.22);
            build().pixel_polygon(polygon::ring(center, radii, thickness, 0.0, 1.0))
        }
        _ => return None,
    };
    Some(built.finish())
}
