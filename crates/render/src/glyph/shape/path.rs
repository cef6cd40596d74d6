//! Paths, with only the kinds of segments that the shapes need.

/// A point: x and y in pixels, from the upper left corner of the cell.
pub(crate) type Point = (f32, f32);

/// A segment of a path. It starts at the end of the segment before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PathSegment {
    Move(Point),
    Line(Point),
    /// A quadratic curve: control point and end.
    Bend(Point, Point),
    /// A part of an axis-aligned ellipse, at most half of the ellipse.
    Arc {
        radii: Point,
        clockwise: bool,
        to: Point,
    },
    Close,
}

/// A closed outline or an open line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Path(pub(crate) Vec<PathSegment>);

impl Path {
    pub(super) fn from(start: Point) -> Path {
        Path(vec![PathSegment::Move(start)])
    }

    /// Returns the closed polygon with these corners.
    pub(super) fn polygon(corners: &[Point]) -> Path {
        let mut path = Path::default();
        for (index, corner) in corners.iter().enumerate() {
            path.0.push(match index {
                0 => PathSegment::Move(*corner),
                _ => PathSegment::Line(*corner),
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
        self.with(PathSegment::Line(to))
    }

    pub(super) fn bend(self, towards: Point, to: Point) -> Path {
        self.with(PathSegment::Bend(towards, to))
    }

    /// Adds an arc. In cells so small that a radius is not positive, adds a straight line instead.
    pub(super) fn arc(self, radii: Point, clockwise: bool, to: Point) -> Path {
        if radii.0.min(radii.1) <= 0.0 {
            return self.line(to);
        }
        self.with(PathSegment::Arc {
            radii,
            clockwise,
            to,
        })
    }

    pub(super) fn close(self) -> Path {
        self.with(PathSegment::Close)
    }

    /// Returns the path mirrored from left to right within the cell.
    pub(super) fn mirrored(self, width: f32) -> Path {
        let mirror = |(x, y): Point| (width - x, y);
        let segments = self.0.into_iter().map(|segment| match segment {
            PathSegment::Move(to) => PathSegment::Move(mirror(to)),
            PathSegment::Line(to) => PathSegment::Line(mirror(to)),
            PathSegment::Bend(towards, to) => PathSegment::Bend(mirror(towards), mirror(to)),
            PathSegment::Arc {
                radii,
                clockwise,
                to,
            } => PathSegment::Arc {
                radii,
                clockwise: !clockwise,
                to: mirror(to),
            },
            PathSegment::Close => PathSegment::Close,
        });
        Path(segments.collect())
    }

    fn with(mut self, segment: PathSegment) -> Path {
        self.0.push(segment);
        self
    }
}
