//! The colour of a point: one colour, or a gradient along a line, between circles, around a point.

use skrifa::color::{Brush, ColorStop, Extend};

use crate::Pixel;

/// A brush with its colours.
#[derive(Debug)]
pub(super) struct Shading {
    shape: GradientShape,
    stops: Vec<(f32, Pixel)>,
    extend: Extend,
}

#[derive(Debug, Clone, Copy)]
enum GradientShape {
    Solid,
    /// A start and a direction with the length of the gradient.
    Linear((f32, f32), (f32, f32)),
    /// The first circle, and the differences of the second one's center and radius.
    Radial((f32, f32), f32, (f32, f32), f32),
    /// A center, and angles in degrees, clockwise if y grows upwards.
    Sweep((f32, f32), f32, f32),
}

impl Shading {
    /// Returns the shading of a brush; `None` if it draws nothing.
    pub(super) fn new(brush: &Brush<'_>, color: impl Fn(u16, f32) -> Pixel) -> Option<Shading> {
        let stops = |stops: &[ColorStop]| -> Vec<(f32, Pixel)> {
            let stops = stops.iter();
            stops
                .map(|stop| (stop.offset, color(stop.palette_index, stop.alpha)))
                .collect()
        };
        let (shape, stops, extend) = match *brush {
            Brush::Solid {
                palette_index,
                alpha,
            } => {
                let stops = vec![(0.0, color(palette_index, alpha))];
                (GradientShape::Solid, stops, Extend::Pad)
            }
            Brush::LinearGradient {
                p0,
                p1,
                color_stops,
                extend,
            } => {
                let along = (p1.x - p0.x, p1.y - p0.y);
                let shape = if color_stops.len() == 1 {
                    GradientShape::Solid
                } else {
                    GradientShape::Linear((p0.x, p0.y), along)
                };
                (shape, stops(color_stops), extend)
            }
            Brush::RadialGradient {
                c0,
                r0,
                c1,
                r1,
                color_stops,
                extend,
            } => {
                let moved = (c1.x - c0.x, c1.y - c0.y);
                let shape = GradientShape::Radial((c0.x, c0.y), r0, moved, r1 - r0);
                (shape, stops(color_stops), extend)
            }
            Brush::SweepGradient {
                c0,
                start_angle,
                end_angle,
                color_stops,
                extend,
            } => {
                let shape = GradientShape::Sweep((c0.x, c0.y), start_angle, end_angle);
                (shape, stops(color_stops), extend)
            }
        };
        (!stops.is_empty()).then_some(Shading {
            shape,
            stops,
            extend,
        })
    }

    /// Returns the colour of a point, with straight alpha; `None` where nothing is drawn.
    pub(super) fn at(&self, (x, y): (f32, f32)) -> Option<Pixel> {
        let place = match self.shape {
            GradientShape::Solid => 0.0,
            GradientShape::Linear(start, along) => {
                let length = along.0 * along.0 + along.1 * along.1;
                ((x - start.0) * along.0 + (y - start.1) * along.1) / length
            }
            GradientShape::Radial(center, radius, moved, grown) => {
                radial((x - center.0, y - center.1), radius, moved, grown)?
            }
            GradientShape::Sweep(center, start, end) => {
                let angle = (center.1 - y).atan2(x - center.0).to_degrees();
                let angle = if angle < 0.0 { angle + 360.0 } else { angle };
                (angle - start) / (end - start)
            }
        };
        place.is_finite().then(|| self.color(place))
    }

    /// Returns the colour at a place along the gradient, which goes from 0 to 1.
    fn color(&self, place: f32) -> Pixel {
        let place = match self.extend {
            Extend::Repeat => place.rem_euclid(1.0),
            Extend::Reflect => 1.0 - (place.rem_euclid(2.0) - 1.0).abs(),
            _ => place,
        };
        let after = self.stops.iter().position(|(offset, _)| *offset > place);
        match after {
            Some(0) => self.stops[0].1,
            None => self.stops[self.stops.len() - 1].1,
            Some(after) => {
                let ((from, one), (to, other)) = (self.stops[after - 1], self.stops[after]);
                let part = (place - from) / (to - from);
                let mixed = |index: usize| {
                    let (one, other) = (f32::from(one[index]), f32::from(other[index]));
                    (one + (other - one) * part).round() as u8
                };
                [mixed(0), mixed(1), mixed(2), mixed(3)]
            }
        }
    }
}

/// Returns the place of the outermost circle between two circles that goes through a point. The
/// point is relative to the first center.
fn radial(point: (f32, f32), radius: f32, moved: (f32, f32), grown: f32) -> Option<f32> {
    let a = moved.0 * moved.0 + moved.1 * moved.1 - grown * grown;
    let b = point.0 * moved.0 + point.1 * moved.1 + radius * grown;
    let c = point.0 * point.0 + point.1 * point.1 - radius * radius;
    let valid = |place: &f32| place.is_finite() && radius + place * grown >= 0.0;
    if a.abs() < 1e-6 {
        return Some(c / (2.0 * b)).filter(valid);
    }
    let root = (b * b - a * c).sqrt();
    let (one, other) = ((b + root) / a, (b - root) / a);
    [one.max(other), one.min(other)].into_iter().find(valid)
}

#[cfg(test)]
mod tests {
    use skrifa::raw::types::Point;

    use super::*;

    /// Returns the red part of a gradient from black (index 0) to red (index 1) at some points.
    fn reds<const N: usize>(brush: &Brush<'_>, points: [(f32, f32); N]) -> [Option<u8>; N] {
        let color = |index: u16, _| [if index == 0 { 0 } else { 200 }, 0, 0, 255];
        let shading = Shading::new(brush, color).expect("it has colours");
        points.map(|point| shading.at(point).map(|color| color[0]))
    }

    const STOPS: [ColorStop; 2] = [
        ColorStop {
            offset: 0.0,
            palette_index: 0,
            alpha: 1.0,
        },
        ColorStop {
            offset: 1.0,
            palette_index: 1,
            alpha: 1.0,
        },
    ];

    #[test]
    fn a_linear_gradient_goes_from_point_to_point_and_beyond() {
        let brush = |extend| Brush::LinearGradient {
            p0: Point::new(10.0, 0.0),
            p1: Point::new(20.0, 0.0),
            color_stops: &STOPS,
            extend,
        };
        let points = [
            (10.0, 5.0),
            (15.0, -5.0),
            (20.0, 0.0),
            (22.5, 0.0),
            (5.0, 0.0),
        ];
        let reds = |extend| reds(&brush(extend), points).map(Option::unwrap);
        assert_eq!(reds(Extend::Pad), [0, 100, 200, 200, 0]);
        assert_eq!(reds(Extend::Repeat), [0, 100, 0, 50, 100]);
        assert_eq!(reds(Extend::Reflect), [0, 100, 200, 150, 100]);
    }

    #[test]
    fn a_radial_gradient_grows_from_circle_to_circle() {
        let brush = Brush::RadialGradient {
            c0: Point::new(0.0, 0.0),
            r0: 0.0,
            c1: Point::new(0.0, 0.0),
            r1: 10.0,
            color_stops: &STOPS,
            extend: Extend::Pad,
        };
        let points = [(0.0, 0.0), (5.0, 0.0), (0.0, -5.0), (30.0, 0.0)];
        assert_eq!(reds(&brush, points).map(Option::unwrap), [0, 100, 100, 200]);
        // Circles that do not contain each other make a cone, beside which nothing is drawn.
        let cone = Brush::RadialGradient {
            c0: Point::new(0.0, 0.0),
            r0: 1.0,
            c1: Point::new(10.0, 0.0),
            r1: 2.0,
            color_stops: &STOPS,
            extend: Extend::Pad,
        };
        assert_eq!(reds(&cone, [(0.0, 50.0), (12.0, 0.0)]), [None, Some(200)]);
    }

    #[test]
    fn a_sweep_goes_clockwise_from_the_right() {
        let brush = Brush::SweepGradient {
            c0: Point::new(0.0, 0.0),
            start_angle: 0.0,
            end_angle: 360.0,
            color_stops: &STOPS,
            extend: Extend::Pad,
        };
        // Upwards is positive: a quarter turn clockwise from the right is down.
        let points = [(0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)];
        assert_eq!(reds(&brush, points).map(Option::unwrap), [50, 100, 150]);
    }
}
