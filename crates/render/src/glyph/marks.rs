//! Stacks the marks of a letter, inside its row.
//!
//! Many fonts place a mark on a letter but not on another mark, so that two marks cover each other:
//! these are moved apart. What is outside a row is not drawn, and a row has room for two or three
//! marks: those outside are moved towards the letter, in their order, until all are inside.

use super::glyph_images::{GlyphImage, GlyphImages, ImageBounds};

/// Where a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

impl Side {
    /// Returns the side of a mark; `None` if it is drawn through the letter.
    fn of(mark: &GlyphImage, letter: ImageBounds) -> Option<Side> {
        let middle = mark.top + mark.bottom();
        if middle < 2 * letter.top {
            Some(Side::Above)
        } else if middle > 2 * letter.bottom {
            Some(Side::Below)
        } else {
            None
        }
    }
}

/// Moves marks apart that cover each other, so that the later one is farther from the letter.
pub(super) fn separate(glyphs: &mut GlyphImages, gap: i32) {
    let letter = glyphs.base_bounds();
    for side in [Side::Above, Side::Below] {
        let mut before: Vec<ImageBounds> = Vec::new();
        let marks = glyphs.images.iter_mut().filter(|image| image.is_mark);
        for mark in marks.filter(|mark| Side::of(mark, letter) == Some(side)) {
            if before.iter().any(|other| covers(*other, mark.bounds())) {
                match side {
                    Side::Above => {
                        let top = before.iter().map(|other| other.top).min();
                        mark.top = top.unwrap_or(mark.top) - gap - mark.height as i32;
                    }
                    Side::Below => {
                        let bottom = before.iter().map(|other| other.bottom).max();
                        mark.top = bottom.unwrap_or(mark.top) + gap;
                    }
                }
            }
            before.push(mark.bounds());
        }
    }
}

/// Whether two marks are in the same columns and share more than half of the lines of one.
fn covers(one: ImageBounds, other: ImageBounds) -> bool {
    let shared = one.bottom.min(other.bottom) - one.top.max(other.top);
    let across = one.right.min(other.right) - one.left.max(other.left);
    across > 0 && 2 * shared > one.height().min(other.height())
}

/// Moves marks into the lines from `first` to before `end`, which count from the baseline.
pub(super) fn squeeze(glyphs: &mut GlyphImages, first: i32, end: i32) {
    let letter = glyphs.base_bounds();
    let (mut above, mut below): (Vec<&mut GlyphImage>, Vec<&mut GlyphImage>) = (vec![], vec![]);
    for image in glyphs.images.iter_mut().filter(|image| image.is_mark) {
        match Side::of(image, letter) {
            Some(Side::Above) => above.push(image),
            Some(Side::Below) => below.push(image),
            None => {}
        }
    }
    // Distances from the edge: negative if the mark is outside.
    move_inside(
        &mut above,
        |mark| mark.top - first,
        |mark, by| mark.top += by,
    );
    move_inside(
        &mut below,
        |mark| end - mark.bottom(),
        |mark, by| mark.top -= by,
    );
}

/// Moves marks away from an edge. `distance` returns the distance of a mark from the edge, `inward`
/// moves it away from the edge.
fn move_inside(
    marks: &mut [&mut GlyphImage],
    distance: impl Fn(&GlyphImage) -> i32,
    inward: impl Fn(&mut GlyphImage, i32),
) {
    let distances = marks.iter().map(|mark| distance(mark));
    let (Some(outer), Some(inner)) = (distances.clone().min(), distances.max()) else {
        return;
    };
    if outer >= 0 {
        return;
    }
    // The innermost mark stays, unless it is outside, too; the others keep their proportions.
    let room = inner.max(0);
    for mark in marks {
        let place = distance(mark) - outer;
        let moved = if inner > outer {
            place * room / (inner - outer)
        } else {
            0
        };
        let by = moved - distance(mark);
        inward(mark, by);
    }
}

#[cfg(test)]
mod tests {
    use super::super::glyph_images::ImagePixels;
    use super::*;

    fn image(top: i32, height: usize, is_mark: bool) -> GlyphImage {
        GlyphImage {
            left: 0,
            top,
            width: 1,
            height,
            pixels: ImagePixels::Coverage(vec![255; height]),
            is_mark,
        }
    }

    /// Checks the lines of marks around a letter from line −9 to 0, in a row from −15 to 4.
    #[track_caller]
    fn check(marks: &[(i32, usize)], expected: &[i32]) {
        let mut images = vec![image(-9, 9, false)];
        images.extend(marks.iter().map(|(top, height)| image(*top, *height, true)));
        let mut glyphs = GlyphImages {
            images,
            ..GlyphImages::default()
        };
        separate(&mut glyphs, 1);
        squeeze(&mut glyphs, -15, 4);
        let tops: Vec<i32> = glyphs.images[1..].iter().map(|mark| mark.top).collect();
        assert_eq!(tops, expected);
        assert_eq!(glyphs.images[0].top, -9, "the letter stays");
    }

    #[test]
    fn marks_that_cover_each_other_are_moved_apart() {
        check(&[(-12, 2), (-12, 2)], &[-12, -15]);
        check(&[(-12, 2), (-12, 1), (1, 1), (1, 1)], &[-12, -14, 1, 3]);
        // A mark through the letter stays, and one that shares a line with another.
        check(&[(-6, 2), (-6, 2)], &[-6, -6]);
        check(&[(-12, 3), (-14, 3)], &[-12, -14]);
    }

    #[test]
    fn marks_inside_the_row_stay() {
        check(&[(-12, 2), (-15, 2), (1, 2)], &[-12, -15, 1]);
        check(&[], &[]);
    }

    #[test]
    fn marks_outside_the_row_move_towards_the_letter_in_order() {
        check(&[(-12, 2), (-16, 2)], &[-12, -15]);
        check(&[(-12, 2), (-16, 2), (-20, 2)], &[-12, -14, -15]);
        check(&[(1, 2), (4, 2)], &[1, 2]);
        check(&[(5, 2), (8, 2)], &[2, 2]);
        check(&[(-18, 3)], &[-15]);
    }
}
