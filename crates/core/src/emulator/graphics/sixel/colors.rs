//! The colour registers of a sixel image.

/// Number of registers, as in xterm and foot. Larger numbers wrap.
pub(crate) const REGISTERS: usize = 1024;

/// The first registers before an image sets them: red, green and blue in percent. From the
/// VT330/VT340 Programmer Reference Manual, volume 2, chapter 14.
const INITIAL: [[u32; 3]; 16] = [
    [0, 0, 0],
    [20, 20, 80],
    [80, 13, 13],
    [20, 80, 20],
    [80, 20, 80],
    [20, 80, 80],
    [80, 80, 20],
    [53, 53, 53],
    [26, 26, 26],
    [33, 33, 60],
    [60, 26, 26],
    [33, 60, 33],
    [60, 33, 60],
    [33, 60, 60],
    [60, 60, 33],
    [80, 80, 80],
];

/// Colour registers. Those that were not set are black, except the first 16.
#[derive(Debug)]
pub(super) struct Registers(Vec<[u8; 4]>);

impl Default for Registers {
    fn default() -> Registers {
        Registers(INITIAL.map(pixel).to_vec())
    }
}

impl Registers {
    /// Returns the colour of a register.
    pub(super) fn color(&self, register: u32) -> [u8; 4] {
        let set = self.0.get(register as usize % REGISTERS);
        set.copied().unwrap_or([0, 0, 0, 255])
    }

    /// Sets a register to red, green and blue in percent.
    pub(super) fn set_rgb(&mut self, register: u32, red: u32, green: u32, blue: u32) {
        let register = register as usize % REGISTERS;
        if self.0.len() <= register {
            self.0.resize(register + 1, [0, 0, 0, 255]);
        }
        self.0[register] = pixel([red, green, blue]);
    }

    /// Sets a register to a hue in degrees, and lightness and saturation in percent. Hue 0 is blue,
    /// 120 red and 240 green. The result is rounded to percent, as in xterm.
    pub(super) fn set_hls(&mut self, register: u32, hue: u32, lightness: u32, saturation: u32) {
        let hue = (hue % 360 + 240) % 360;
        let (light, saturation) = (
            f64::from(lightness.min(100)) / 100.0,
            f64::from(saturation.min(100)) / 100.0,
        );
        let chroma = (1.0 - (2.0 * light - 1.0).abs()) * saturation;
        let sector = f64::from(hue) / 60.0;
        let second = chroma * (1.0 - (sector % 2.0 - 1.0).abs());
        let (red, green, blue) = match hue / 60 {
            0 => (chroma, second, 0.0),
            1 => (second, chroma, 0.0),
            2 => (0.0, chroma, second),
            3 => (0.0, second, chroma),
            4 => (second, 0.0, chroma),
            _ => (chroma, 0.0, second),
        };
        let darkest = light - chroma / 2.0;
        let [red, green, blue] =
            [red, green, blue].map(|part| ((part + darkest) * 100.0).round().max(0.0) as u32);
        self.set_rgb(register, red, green, blue);
    }
}

fn pixel(percents: [u32; 3]) -> [u8; 4] {
    let [red, green, blue] = percents.map(|percent| ((percent.min(100) * 255 + 50) / 100) as u8);
    [red, green, blue, 255]
}
