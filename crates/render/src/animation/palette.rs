//! Palettes: the colours of a picture and their indexes.
//!
//! Up to 256 colours are exact. More are reduced to 256: each colour is shown as itself or as a
//! more frequent one. The distance by which a colour may move is bounded, and no pixels are
//! dithered.
//!
//! Written by hand: the map is queried once per pixel, and its results must not depend on the order
//! of a hash map.

use crate::animation::pixel_delta::DeltaPixel;

/// A colour as a number: red in the lowest byte, then green, then blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct PaletteColor(pub(crate) u32);

impl PaletteColor {
    /// Returns red, green and blue.
    pub(crate) fn parts(self) -> [u8; 3] {
        let [r, g, b, _] = self.0.to_le_bytes();
        [r, g, b]
    }
}

/// Maximum number of colours of a palette.
pub(crate) const MAX: usize = 256;

/// Map from colours to indexes.
#[derive(Debug, Clone)]
struct ColorMap {
    /// Open addressing. The upper half of a slot is the colour plus one, the lower half its index;
    /// 0 means empty.
    slots: Vec<u64>,
    len: usize,
}

impl ColorMap {
    fn new() -> ColorMap {
        ColorMap {
            slots: vec![0; 1024],
            len: 0,
        }
    }

    fn clear(&mut self) {
        self.slots.fill(0);
        self.len = 0;
    }

    /// Returns the slot of a colour, or the empty slot where it would be inserted.
    fn slot(&self, color: PaletteColor) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing. The lowest 8 bits of the product are not used: each bit of a product
        // depends only on the bits of the colour up to the same position.
        let mut at = (color.0.wrapping_mul(0x9e37_79b9) >> 8) as usize & mask;
        while self.slots[at] != 0 && self.slots[at] >> 32 != u64::from(color.0) + 1 {
            at = (at + 1) & mask;
        }
        at
    }

    fn get(&self, color: PaletteColor) -> Option<u32> {
        match self.slots[self.slot(color)] {
            0 => None,
            slot => Some(slot as u32),
        }
    }

    /// Returns the index of a colour; inserts it as `number` if it is new.
    fn number(&mut self, color: PaletteColor, number: u32) -> u32 {
        let slot = self.slot(color);
        if self.slots[slot] == 0 {
            self.slots[slot] = (u64::from(color.0) + 1) << 32 | u64::from(number);
            self.len += 1;
            if self.len * 2 > self.slots.len() {
                self.grow();
            }
            return number;
        }
        self.slots[slot] as u32
    }

    fn grow(&mut self) {
        let slots = vec![0; self.slots.len() * 2];
        for entry in std::mem::replace(&mut self.slots, slots) {
            if entry != 0 {
                let slot = self.slot(PaletteColor((entry >> 32) as u32 - 1));
                self.slots[slot] = entry;
            }
        }
    }
}

/// Collects the distinct colours of deltas.
#[derive(Debug)]
pub(crate) struct DistinctColors {
    map: ColorMap,
}

impl Default for DistinctColors {
    fn default() -> DistinctColors {
        DistinctColors {
            map: ColorMap::new(),
        }
    }
}

impl DistinctColors {
    /// Returns the colours of a delta's changed pixels in ascending order; `None` for more than
    /// 256.
    pub(crate) fn of(&mut self, pixels: &[DeltaPixel]) -> Option<Box<[PaletteColor]>> {
        self.map.clear();
        let mut colors = Vec::new();
        let mut last = None;
        for pixel in pixels {
            if Some(*pixel) == last {
                continue;
            }
            last = Some(*pixel);
            if pixel.is_same() {
                continue;
            }
            let color = pixel.color();
            let number = colors.len() as u32;
            if self.map.number(color, number) == number {
                if colors.len() == MAX {
                    return None;
                }
                colors.push(color);
            }
        }
        colors.sort_unstable();
        Some(colors.into())
    }
}

/// Colours with indexes that fit into a byte.
#[derive(Debug, Clone)]
pub(crate) struct Palette {
    colors: Vec<PaletteColor>,
    map: ColorMap,
}

impl Palette {
    /// Builds a palette of these colours, which must be distinct and at most 256.
    pub(crate) fn exact(colors: impl IntoIterator<Item = PaletteColor>) -> Palette {
        let colors: Vec<PaletteColor> = colors.into_iter().collect();
        let mut map = ColorMap::new();
        for (number, color) in colors.iter().enumerate() {
            map.number(*color, number as u32);
        }
        Palette { colors, map }
    }

    /// Returns a palette of all colours of an animation; `None` if there are more than `most`.
    pub(crate) fn complete<'a>(
        deltas: impl Iterator<Item = Option<&'a [PaletteColor]>> + Clone,
        most: usize,
    ) -> Option<Palette> {
        let palette = Palette::shared(deltas.clone(), most);
        let mut deltas = deltas;
        deltas
            .all(|colors| colors.is_some_and(|colors| palette.holds(colors)))
            .then_some(palette)
    }

    /// Returns a palette of the `most` colours of an animation that occur in the most deltas.
    pub(crate) fn shared<'a>(
        deltas: impl Iterator<Item = Option<&'a [PaletteColor]>>,
        most: usize,
    ) -> Palette {
        let mut map = ColorMap::new();
        let mut counts: Vec<(u32, PaletteColor)> = Vec::new();
        for color in deltas.flatten().flatten() {
            let number = map.number(*color, counts.len() as u32) as usize;
            match counts.get_mut(number) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, *color)),
            }
        }
        counts.sort_unstable_by_key(|(count, color)| (u32::MAX - count, *color));
        counts.truncate(most);
        let mut colors: Vec<PaletteColor> = counts.into_iter().map(|(_, color)| color).collect();
        colors.sort_unstable();
        Palette::exact(colors)
    }

    /// Returns a palette of at most `most` colours for a delta that has more colours, with an index
    /// for each of its own colours. No colour moves by more than [`FARTHEST`] in red, green or
    /// blue.
    pub(crate) fn reduced(pixels: &[DeltaPixel], most: usize) -> Palette {
        let mut map = ColorMap::new();
        let mut counts: Vec<(u32, PaletteColor)> = Vec::new();
        for pixel in pixels.iter().filter(|pixel| !pixel.is_same()) {
            let number = map.number(pixel.color(), counts.len() as u32) as usize;
            match counts.get_mut(number) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, pixel.color())),
            }
        }
        counts.sort_unstable_by_key(|(count, color)| (u32::MAX - count, *color));
        let colors: Vec<PaletteColor> = counts.into_iter().map(|(_, color)| color).collect();
        (1..=FARTHEST)
            .find_map(|far| Palette::within(&colors, far, most))
            .unwrap_or_else(|| Palette::exact(colors.into_iter().take(most)))
    }

    /// Maps each colour to itself or to an earlier one at a distance of at most `far`; returns
    /// `None` if this takes more than `most` colours.
    fn within(colors: &[PaletteColor], far: u8, most: usize) -> Option<Palette> {
        // The colour space is cut into cubes of this side: each contains at most one palette
        // colour, and every colour that is near enough is in the same or an adjacent cube.
        let side = usize::from(far) + 1;
        let cubes = 256usize.div_ceil(side);
        let mut kept: Vec<u16> = vec![u16::MAX; cubes * cubes * cubes];
        let mut palette = Palette {
            colors: Vec::new(),
            map: ColorMap::new(),
        };
        for color in colors {
            let at = color.parts().map(|part| usize::from(part) / side);
            let near = at.map(|cube| cube.saturating_sub(1)..=(cube + 1).min(cubes - 1));
            let [near_r, near_g, near_b] = near;
            let found = near_r
                .flat_map(|r| near_g.clone().map(move |g| (r, g)))
                .flat_map(|(r, g)| near_b.clone().map(move |b| (r * cubes + g) * cubes + b))
                .map(|cube| kept[cube])
                .filter(|number| *number != u16::MAX)
                .map(|number| {
                    (
                        distance(palette.colors[usize::from(number)], *color),
                        number,
                    )
                })
                .min()
                .filter(|(distance, _)| *distance <= far);
            let number = match found {
                Some((_, number)) => number,
                None if palette.colors.len() == most => return None,
                None => {
                    let number = palette.colors.len() as u16;
                    palette.colors.push(*color);
                    let [r, g, b] = at;
                    kept[(r * cubes + g) * cubes + b] = number;
                    number
                }
            };
            palette.map.number(*color, number.into());
        }
        Some(palette)
    }

    /// Returns the number of colours.
    pub(crate) fn len(&self) -> usize {
        self.colors.len()
    }

    /// Returns the index of a colour, if the palette maps it.
    pub(crate) fn index(&self, color: PaletteColor) -> Option<u8> {
        self.map.get(color).map(|number| number as u8)
    }

    /// Whether all of these colours have an index.
    pub(crate) fn holds(&self, colors: &[PaletteColor]) -> bool {
        colors.iter().all(|color| self.map.get(*color).is_some())
    }

    /// Returns red, green and blue of each colour.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colors.iter().flat_map(|color| color.parts()).collect()
    }
}

/// Maximum distance by which a colour is moved, in red, green or blue. At this distance, 216
/// colours cover the whole colour space.
pub(crate) const FARTHEST: u8 = 42;

fn distance(one: PaletteColor, other: PaletteColor) -> u8 {
    let pairs = one.parts().into_iter().zip(other.parts());
    pairs
        .map(|(one, other)| one.abs_diff(other))
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest_fixtures::random::Random;

    fn pixels(colors: &[u32]) -> Vec<DeltaPixel> {
        colors
            .iter()
            .map(|color| DeltaPixel::changed(PaletteColor(*color)))
            .collect()
    }

    #[test]
    fn up_to_256_colours_are_found_and_no_more() {
        let mut distinct = DistinctColors::default();
        let colors: Vec<u32> = (0..256).map(|n| (n * 77_777) & 0xff_ffff).collect();
        let found = distinct.of(&pixels(&colors)).unwrap();
        assert_eq!(found.len(), 256);
        assert!(found.is_sorted());
        let more: Vec<u32> = colors.iter().copied().chain([0xabcdef]).collect();
        assert_eq!(distinct.of(&pixels(&more)), None);
        let twice: Vec<u32> = colors.iter().chain(&colors).copied().collect();
        assert_eq!(distinct.of(&pixels(&twice)), Some(found));
    }

    #[test]
    fn a_shared_palette_keeps_the_colours_of_most_deltas() {
        let deltas: [&[PaletteColor]; 3] = [
            &[PaletteColor(1), PaletteColor(2)],
            &[PaletteColor(2), PaletteColor(3)],
            &[PaletteColor(3), PaletteColor(4)],
        ];
        let deltas = || deltas.iter().map(|colors| Some(*colors)).chain([None]);
        assert_eq!(Palette::shared(deltas(), 256).len(), 4);
        let two = Palette::shared(deltas(), 2);
        assert_eq!(
            [1, 2, 3, 4].map(|n| two.index(PaletteColor(n))),
            [None, Some(0), Some(1), None]
        );
    }

    /// Checks that many colours become at most 255, that none moves by more than `farthest`, and
    /// that the first, which is the most frequent, is exact.
    #[track_caller]
    fn check_reduced(colors: &[u32], farthest: u8) {
        let mut seen = pixels(colors);
        seen.extend(pixels(&[colors[0]; 10]));
        let palette = Palette::reduced(&seen, 255);
        assert!(palette.len() <= 255);
        for color in colors {
            let shown = palette.colors[usize::from(palette.index(PaletteColor(*color)).unwrap())];
            assert!(
                distance(shown, PaletteColor(*color)) <= farthest,
                "{color:x} as {shown:x?}"
            );
        }
        assert_eq!(palette.colors[0], PaletteColor(colors[0]));
    }

    #[test]
    fn a_reduced_colour_is_never_far_from_its_own() {
        let mut random = Random::new(5);
        let any: Vec<u32> = (0..60_000)
            .map(|_| random.bits() as u32 & 0xff_ffff)
            .collect();
        check_reduced(&any, FARTHEST);
        // Six colours on one background, each with 200 shades, as antialiased letters have them.
        let shades: Vec<u32> = (0..6u32)
            .flat_map(|color| {
                (0..200u32).map(move |shade| shade << (color % 3 * 8) | (color / 3 * shade))
            })
            .collect();
        check_reduced(&shades, 4);
    }

    #[test]
    fn a_map_returns_inserted_indexes() {
        let mut map = ColorMap::new();
        for n in 0..5000 {
            assert_eq!(map.number(PaletteColor(n * 3), n), n);
        }
        for n in 0..5000 {
            assert_eq!(map.number(PaletteColor(n * 3), 9999), n);
            assert_eq!(map.get(PaletteColor(n * 3 + 1)), None);
        }
    }
}
