//! Search for images.

use std::fmt;

use super::region::Region;
use crate::query::match_::MatchSpan;
use crate::screen::image::{HashPrefix, ImageKind, ImagePlacement, ImageSize};
use crate::{Match, Position, Rect, Size};

/// An image to search for. Fields that are not set match anything; with no field set, all images
/// are found.
///
/// ```
/// use screentest_core::query::selector::ImageSelector;
/// use screentest_core::{ImageKind, Position};
///
/// let logo = ImageSelector::new()
///     .hash("3fa4c2d19b07".parse()?)
///     .at(Position { row: 1, col: 4 })
///     .cells(6, 2);
/// let any_sixel = ImageSelector::new().kind(ImageKind::Sixel);
/// # Ok::<(), screentest_core::screen::image::HashPrefixError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct ImageSelector {
    /// The protocol that placed it.
    pub kind: Option<ImageKind>,
    /// The first digits of the hash of its content.
    pub hash: Option<HashPrefix>,
    /// Its first cell. An image that has scrolled out in part has no first cell.
    pub at: Option<Position>,
    /// Its size in cells, including those that are not visible.
    pub cells: Option<Size>,
    /// Its size in pixels.
    pub pixels: Option<ImageSize>,
}

impl ImageSelector {
    /// Matches any image.
    pub fn new() -> ImageSelector {
        ImageSelector::default()
    }

    /// Requires this protocol.
    #[must_use]
    pub fn kind(self, kind: ImageKind) -> ImageSelector {
        ImageSelector {
            kind: Some(kind),
            ..self
        }
    }

    /// Requires a hash of the content that starts with these digits. Failure reports list the
    /// hashes of the images on the screen.
    #[must_use]
    pub fn hash(self, hash: impl Into<HashPrefix>) -> ImageSelector {
        ImageSelector {
            hash: Some(hash.into()),
            ..self
        }
    }

    /// Requires the first cell to be this one. Within a rectangle, it counts from the rectangle's
    /// first cell.
    #[must_use]
    pub fn at(self, position: Position) -> ImageSelector {
        ImageSelector {
            at: Some(position),
            ..self
        }
    }

    /// Requires this number of columns and rows.
    #[must_use]
    pub fn cells(self, cols: u16, rows: u16) -> ImageSelector {
        ImageSelector {
            cells: Some(Size { cols, rows }),
            ..self
        }
    }

    /// Requires this width and height in pixels.
    #[must_use]
    pub fn pixels(self, width: u32, height: u32) -> ImageSelector {
        ImageSelector {
            pixels: Some(ImageSize { width, height }),
            ..self
        }
    }

    /// Returns whether an image satisfies the requirements. `origin` is the first cell of the
    /// searched area.
    fn fits(&self, image: &ImagePlacement, origin: Position) -> bool {
        let place = |at: Position| Position {
            row: at.row.saturating_add(origin.row),
            col: at.col.saturating_add(origin.col),
        };
        let cells = |size: Size| (u32::from(size.cols), u32::from(size.rows));
        self.kind.is_none_or(|kind| image.kind == kind)
            && self.at.is_none_or(|at| image.position() == Some(place(at)))
            && self
                .cells
                .is_none_or(|size| (image.cols, image.rows) == cells(size))
            && self.pixels.is_none_or(|size| image.image.size() == size)
            && self
                .hash
                .as_ref()
                .is_none_or(|hash| hash.matches(image.image.hash()))
    }

    /// Returns the images whose visible cells are all in the region, in reading order.
    pub(super) fn all(&self, region: Region<'_>) -> Vec<Match> {
        let images = region.screen.images.iter();
        let fitting = images.filter(|image| self.fits(image, region.corner()));
        let found = fitting.filter_map(|image| {
            let spans = spans(&image.visible);
            let inside = !spans.is_empty()
                && spans.iter().all(|span| {
                    region.rows().contains(&span.row) && span.cols.end <= region.cols().end
                })
                && image
                    .visible
                    .iter()
                    .all(|rect| rect.col >= region.cols().start);
            inside.then(|| Match::of_image(region.screen, spans, image))
        });
        let mut matches: Vec<Match> = found.collect();
        matches.sort_by_key(Match::position);
        matches
    }
}

/// Returns the spans of some rectangles: for each row from the first to the last, the columns from
/// the leftmost to the rightmost.
fn spans(rects: &[Rect]) -> Vec<MatchSpan> {
    let rows = |rect: &Rect| (rect.row, rect.row + rect.rows);
    let Some(first) = rects.iter().map(|rect| rows(rect).0).min() else {
        return Vec::new();
    };
    let end = rects.iter().map(|rect| rows(rect).1).max().unwrap_or(first);
    let spans = (first..end).map(|row| {
        let here = rects
            .iter()
            .filter(|rect| (rect.row..rect.row + rect.rows).contains(&row));
        let cols = here.map(|rect| (rect.col, rect.col + rect.cols));
        let cols = cols.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let (start, end) = cols.unwrap_or_default();
        MatchSpan {
            row,
            cols: start..end,
        }
    });
    spans.collect()
}

/// The description in messages: `image 3fa4c2d19b07 at row 2, column 5 of 6x2 cells`.
impl fmt::Display for ImageSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kind) = self.kind {
            write!(f, "{} ", kind.name())?;
        }
        f.write_str("image")?;
        if let Some(hash) = &self.hash {
            write!(f, " {hash}")?;
        }
        if let Some(at) = self.at {
            write!(f, " at {}", at.to_wire())?;
        }
        match (self.cells, self.pixels) {
            (Some(cells), None) => write!(f, " of {cells} cells"),
            (None, Some(pixels)) => write!(f, " of {pixels} pixels"),
            (Some(cells), Some(pixels)) => write!(f, " of {cells} cells and {pixels} pixels"),
            (None, None) => Ok(()),
        }
    }
}
