//! Random screens for property tests.
//!
//! A seed gives the same screens for ever: the numbers come from the fixtures' own generator, not
//! from a library that may change its algorithm. The screens contain only what a [`RowBuilder`] can
//! build, and include its edge cases on purpose: characters in cells wider or narrower than the
//! width tables say, marks without a base, controls.

use std::sync::Arc;

use screentest_fixtures::random::Random as Numbers;
pub(crate) use screentest_fixtures::random::rounds;

use crate::screen::image::ImageRect;
use crate::screen::row::{LinkId, StyleId};
use crate::{
    Attributes, Color, Cursor, CursorShape, Hyperlink, ImageContent, ImageKind, ImagePlacement,
    ImageSize, Modes, Palette, PaletteEntry, Position, Rect, Rgb, Row, RowBuilder, Screen, Size,
    State, Style, Underline, Width, Zone,
};

/// Generator of random numbers, and of values built from them.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    numbers: Numbers,
    control_chars: ControlChars,
}

/// Whether cells may contain control characters. Some formats refuse these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ControlChars {
    Allowed,
    None,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random::with(seed, ControlChars::Allowed)
    }

    pub(crate) fn with(seed: u64, control_chars: ControlChars) -> Random {
        Random {
            numbers: Numbers::new(seed),
            control_chars,
        }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.numbers.bits()
    }

    /// Returns a number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.numbers.below(end)
    }

    /// Returns true once in `times` calls on average.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.numbers.one_in(times)
    }

    pub(crate) fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        self.numbers.bytes(len)
    }

    pub(crate) fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.numbers.damage(bytes)
    }

    pub(crate) fn size(&mut self) -> Size {
        let (cols, rows) = match self.below(10) {
            0 => (2, 1),
            1 => (2 + self.below(120), 1 + self.below(40)),
            2..=5 => (2 + self.below(20), 1 + self.below(3)),
            _ => (2 + self.below(12), 1 + self.below(6)),
        };
        Size {
            cols: cols as u16,
            rows: rows as u16,
        }
    }

    pub(crate) fn color(&mut self) -> Color {
        match self.below(8) {
            0..=2 => Color::Default,
            3..=4 => Color::Indexed(self.below(16) as u8),
            5 => Color::Indexed(self.next() as u8),
            // Few values, so that runs form, and that some equal a theme's colours or are as small
            // as an index.
            6 => Color::Rgb(*self.pick(&[
                Rgb::hex(0),
                Rgb::hex(5),
                Rgb::hex(0xdddddd),
                Rgb::hex(0x171717),
                Rgb::hex(0xffffff),
            ])),
            _ => Color::Rgb(Rgb::hex(self.next() as u32 & 0xff_ffff)),
        }
    }

    pub(crate) fn style(&mut self) -> Style {
        if self.one_in(3) {
            return Style::default();
        }
        Style {
            fg: self.color(),
            bg: self.color(),
            underline: *self.pick(&[
                Underline::None,
                Underline::None,
                Underline::None,
                Underline::Single,
                Underline::Double,
                Underline::Curly,
                Underline::Dotted,
                Underline::Dashed,
            ]),
            underline_color: if self.one_in(4) {
                self.color()
            } else {
                Color::Default
            },
            attributes: if self.one_in(2) {
                Attributes::empty()
            } else {
                Attributes::from_bits_truncate((self.next() & self.next()) as u16)
            },
        }
    }

    pub(crate) fn link(&mut self) -> Hyperlink {
        Hyperlink {
            id: self.pick(&[None, Some("a"), Some("b-2")]).map(Arc::from),
            uri: Arc::from(*self.pick(&[
                "https://example.org/",
                "https://example.org/?a=1;b=2",
                "file:///tmp/%C3%A9",
            ])),
        }
    }

    /// Returns a row of at most `cols` cells.
    pub(crate) fn row(&mut self, cols: u16) -> Row {
        let mut builder = RowBuilder::new();
        builder.wrapped(self.one_in(6));
        let cols = usize::from(cols);
        let end = match self.below(4) {
            0 => 0,
            1 => self.below(cols + 1),
            _ => cols,
        };
        let palette = [self.style(), self.style(), Style::default()];
        while builder.col() < end {
            if self.one_in(20) {
                builder.zone(*self.pick(&[Zone::Prompt, Zone::Input, Zone::Output, Zone::None]));
            }
            let style = if self.one_in(12) {
                self.style()
            } else {
                *self.pick(&palette)
            };
            let style = builder.style(&style);
            let link = if self.one_in(10) {
                let link = self.link();
                builder.link(&link)
            } else {
                LinkId::NONE
            };
            // Several cells in one style, with either the same character repeated or different
            // ones.
            let stretch = 1 + self.below(6);
            let again = self.one_in(2).then(|| self.ordinary());
            for _ in 0..stretch {
                let (text, width) = again.unwrap_or_else(|| self.text());
                if builder.col() + usize::from(width == Width::Wide) < end {
                    push(&mut builder, text, width, style, link);
                }
            }
            if builder.col() + 1 == end {
                push(&mut builder, "x", Width::Narrow, style, link);
            }
        }
        builder.finish()
    }

    fn text(&mut self) -> (&'static str, Width) {
        if self.one_in(40) {
            return self.odd();
        }
        self.ordinary()
    }

    fn ordinary(&mut self) -> (&'static str, Width) {
        const NARROW: [&str; 12] = [
            "a",
            "b",
            "~",
            "|",
            "\u{e9}",
            "─",
            "█",
            "\u{a0}",
            "e\u{301}",
            "e\u{301}\u{323}",
            "❤\u{fe0f}",
            "\u{10ffff}",
        ];
        const WIDE: [&str; 5] = ["界", "日", "😀", "\u{3000}", "界\u{301}"];
        match self.below(8) {
            0..=2 => (" ", Width::Narrow),
            3 => (*self.pick(&WIDE), Width::Wide),
            _ => (*self.pick(&NARROW), Width::Narrow),
        }
    }

    /// Returns a text and width that a builder accepts, but that no emulator should produce.
    fn odd(&mut self) -> (&'static str, Width) {
        let odd = *self.pick(&[
            ("❤\u{fe0f}", Width::Wide),
            ("1\u{fe0f}\u{20e3}", Width::Wide),
            ("界", Width::Narrow),
            ("\u{301}", Width::Narrow),
            ("\u{301}\u{302}", Width::Narrow),
            ("\u{7}", Width::Narrow),
            ("\u{9b}", Width::Narrow),
            ("a\u{7}\u{301}", Width::Narrow),
            ("👩\u{200d}🚀", Width::Wide),
            (" ", Width::Wide),
            ("\u{feff}", Width::Narrow),
        ]);
        if self.control_chars == ControlChars::None && odd.0.contains(char::is_control) {
            return self.odd();
        }
        odd
    }

    pub(crate) fn screen(&mut self) -> Screen {
        let size = self.size();
        self.screen_of(size)
    }

    /// Returns a screen of this size.
    pub(crate) fn screen_of(&mut self, size: Size) -> Screen {
        Screen {
            rows: (0..size.rows).map(|_| self.shared_row(size)).collect(),
            cursor: self.cursor(size),
            title: Arc::from(*self.pick(&["", "", "vim — a.rs"])),
            working_directory: Arc::from(*self.pick(&["", "/tmp", "file://far/tmp"])),
            modes: Modes {
                alternate_screen: self.one_in(4),
                bracketed_paste: self.one_in(4),
                ..Modes::default()
            },
            palette: self.palette(),
            scrollback_rows: if self.one_in(2) { 0 } else { self.below(50) },
            images: Arc::default(),
            size,
        }
    }

    /// Returns changed colours; mostly none, as on most screens.
    pub(crate) fn palette(&mut self) -> Palette {
        let count = if self.one_in(3) { self.below(6) } else { 0 };
        let color = |random: &mut Random| {
            let entry = if random.one_in(2) {
                *random.pick(&PaletteEntry::NAMED)
            } else {
                PaletteEntry::Indexed(*random.pick(&[0, 1, 7, 9, 15, 16, 200, 255]))
            };
            (
                entry,
                *random.pick(&[Rgb::hex(0), Rgb::hex(0x102040), Rgb::hex(0xffffff)]),
            )
        };
        (0..count).map(|_| color(self)).collect()
    }

    /// Returns the screen with up to three images. The image contents are small.
    pub(crate) fn with_images(&mut self, screen: Screen) -> Screen {
        let count = self.below(4);
        let images = (0..count).map(|_| self.image(screen.size)).collect();
        Screen { images, ..screen }
    }

    fn image(&mut self, size: Size) -> ImagePlacement {
        let pixels = ImageSize::new(1 + self.below(3) as u32, 1 + self.below(3) as u32);
        let color = self.below(3) as u8;
        let content = ImageContent::rgba(pixels, vec![color; pixels.pixels() as usize * 4]);
        let cols = 1 + self.below(size.cols.into());
        let rows = 1 + self.below(size.rows.into());
        let col = self.below(usize::from(size.cols) - cols + 1);
        let row = self.below(usize::from(size.rows) - rows + 1);
        let (hidden_rows, hidden_cols) = (self.below(3), self.below(3));
        let mut placed = ImagePlacement {
            image: Arc::new(content.expect("it fits")),
            kind: *self.pick(&ImageKind::ALL),
            row: row as i32 - hidden_rows as i32,
            col: col as i32 - hidden_cols as i32,
            cols: (cols + hidden_cols) as u32,
            rows: (rows + hidden_rows) as u32,
            source: ImageRect::of(pixels),
            drawn: ImageRect::of(pixels),
            z: *self.pick(&[0, 0, -1, i32::MIN, 7]),
            visible: Arc::default(),
        };
        if self.one_in(2) {
            placed.source.width = 1;
            placed.drawn = ImageRect {
                x: self.below(8) as u32,
                y: 2,
                width: 300,
                height: 1 + self.below(100) as u32,
            };
        }
        let whole = placed.area().clipped(size.rect());
        placed.visible = if self.one_in(2) || whole.rows < 2 {
            Arc::new([whole])
        } else {
            let (top, bottom) = (whole.row, whole.row + 1);
            Arc::new([
                Rect {
                    row: top,
                    rows: 1,
                    ..whole
                },
                Rect {
                    row: bottom,
                    rows: whole.rows - 1,
                    ..whole
                },
            ])
        };
        placed
    }

    pub(crate) fn state(&mut self) -> State {
        let screen = self.screen();
        let kept = if self.one_in(4) {
            self.below(screen.scrollback_rows + 1)
        } else {
            screen.scrollback_rows
        };
        State {
            scrollback: (0..kept).map(|_| self.shared_row(screen.size)).collect(),
            screen,
        }
    }

    fn shared_row(&mut self, size: Size) -> Arc<Row> {
        Arc::new(if self.one_in(3) {
            Row::default()
        } else {
            self.row(size.cols)
        })
    }

    fn cursor(&mut self, size: Size) -> Cursor {
        let pending_wrap = self.one_in(5);
        let last = usize::from(size.cols) - 1;
        Cursor {
            position: Position {
                row: self.below(size.rows.into()),
                col: if pending_wrap {
                    last
                } else {
                    self.below(last + 1)
                },
            },
            visible: !self.one_in(3),
            shape: *self.pick(&[CursorShape::Block, CursorShape::Bar, CursorShape::Underline]),
            blinking: self.one_in(2),
            pending_wrap,
        }
    }
}

fn push(builder: &mut RowBuilder, text: &str, width: Width, style: StyleId, link: LinkId) {
    builder.push_cluster(text, width, style, link);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_screens() {
        assert_eq!(Random::new(1).next(), 0x910a_2dec_8902_5cc1);
        assert_eq!(Random::new(7).state(), Random::new(7).state());
    }

    #[test]
    fn no_row_is_wider_than_its_screen() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let screen = random.screen();
            assert!(
                screen
                    .rows
                    .iter()
                    .all(|row| row.len() <= usize::from(screen.size.cols))
            );
        }
    }
}
