//! A picture as pixels.

/// A colour with its opacity: red, green, blue, alpha; not multiplied.
pub type Pixel = [u8; 4];

/// A picture, row by row from the top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    width: usize,
    height: usize,
    data: Vec<Pixel>,
}

impl Pixels {
    /// A picture of one colour.
    pub fn filled(width: usize, height: usize, pixel: Pixel) -> Pixels {
        Pixels {
            width,
            height,
            data: vec![pixel; width * height],
        }
    }

    /// How wide it is.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How high it is.
    pub fn height(&self) -> usize {
        self.height
    }

    /// A row, from the left; empty below the last.
    pub fn row(&self, y: usize) -> &[Pixel] {
        let start = y.saturating_mul(self.width);
        self.data
            .get(start..start.saturating_add(self.width))
            .unwrap_or_default()
    }

    /// A row to draw on; empty below the last.
    pub fn row_mut(&mut self, y: usize) -> &mut [Pixel] {
        let start = y.saturating_mul(self.width);
        self.data
            .get_mut(start..start.saturating_add(self.width))
            .unwrap_or_default()
    }

    /// All pixels, row by row.
    pub fn data(&self) -> &[Pixel] {
        &self.data
    }
}
