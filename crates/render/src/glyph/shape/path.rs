//! Outlines, with only the kinds of segments that the shapes need.

/// A point: columns and lines of pixels from the upper left corner of the cell.
pub(crate) type Point = (f32, f32);

/// A segment of a path, which ends at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    /// A quadratic curve: control point and end.
    Bend(Point, Point),
    /// A part of an axis-aligned ellipse, at most one half of it.
    Arc {
        radii: Point,
        clockwise: bool,
        to: Point,
    },
    Close,
}

/// An outline or a line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Path(pub(crate) Vec<Segment>);

impl Path {
    pub(super) fn from(start: Point) -> Path {
        Path(vec![Segment::Move(start)])
    }

    /// Returns the outline with these corners.
    pub(super) fn polygon(corners: &[Point]) -> Path {
        let mut path = Path::default();
        for (index, corner) in corners.iter().enumerate() {
            path.0.push(match index {
                0 => Segment::Move(*corner),
                _ => Segment::Line(*corner),
            });
        }
        path.close()
    }

    pub(super) fn circle((x, y): Point, radius: f32) -> Path {
        Path::from((x - radius, y))
            .arc((radius, radius), true, (x + radius, y))
            .arc((radius, radius), true, (x - radius, y))
            .close()
    }

    pub(super) fn line(self, to: Point) -> Path {
        self.with(Segment::Line(to))
    }

    pub(super) fn bend(self, towards: Point, to: Point) -> Path {
        self.with(Segment::Bend(towards, to))
    }

    /// Adds an arc; a straight line if the cell has no room for it.
    pub(super) fn arc(self, radii: Point, clockwise: bool, to: Point) -> Path {
        if radii.0.min(radii.1) <= 0.0 {
            return self.line(to);
        }
        self.with(Segment::Arc {
            radii,
            clockwise,
            to,
        })
    }

    pub(super) fn close(self) -> Path {
        self.with(Segment::Close)
    }

    /// Returns the path mirrored from left to right within the cell.
    pub(super) fn mirrored(self, width: f32) -> Path {
        let turn = |(x, y): Point| (width - x, y);
        let segments = self.0.into_iter().map(|segment| match segment {
            Segment::Move(to) => Segment::Move(turn(to)),
            Segment::Line(to) => Segment::Line(turn(to)),
            Segment::Bend(towards, to) => Segment::Bend(turn(towards), turn(to)),
            Segment::Arc {
                radii,
                clockwise,
                to,
            } => Segment::Arc {
                radii,
                clockwise: !clockwise,
                to: turn(to),
            },
            Segment::Close => Segment::Close,
        });
        Path(segments.collect())
    }

    fn with(mut self, segment: Segment) -> Path {
        self.0.push(segment);
        self
    }
}
