//! A picture as pixels.

/// Red, green, blue and alpha; not premultiplied.
pub type Pixel = [u8; 4];

/// A picture, row by row from the upper left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    width: usize,
    height: usize,
    data: Vec<Pixel>,
}

impl Pixels {
    /// Creates a picture of one colour.
    pub fn filled(width: usize, height: usize, pixel: Pixel) -> Pixels {
        Pixels {
            width,
            height,
            data: vec![pixel; width * height],
        }
    }

    /// Creates a picture of these pixels, row by row; `None` if their number does not fit.
    pub(crate) fn of(width: usize, height: usize, data: Vec<Pixel>) -> Option<Pixels> {
        let fits = width.checked_mul(height) == Some(data.len());
        fits.then_some(Pixels {
            width,
            height,
            data,
        })
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns a row; empty below the last.
    pub fn row(&self, y: usize) -> &[Pixel] {
        let start = y.saturating_mul(self.width);
        self.data
            .get(start..start.saturating_add(self.width))
            .unwrap_or_default()
    }

    /// Returns a row to draw on; empty below the last.
    pub fn row_mut(&mut self, y: usize) -> &mut [Pixel] {
        let start = y.saturating_mul(self.width);
        self.data
            .get_mut(start..start.saturating_add(self.width))
            .unwrap_or_default()
    }

    /// Returns all pixels, row by row.
    pub fn data(&self) -> &[Pixel] {
        &self.data
    }
}
