//! Files that were written once must be readable for ever: each kept file is read, and facts about it are checked.
//!
//! The files are never written again. Where a format changes, it gets a new file, and the old one stays.

use screentest_core::formats::vt2::{self, Reading};
use screentest_core::{Attributes, Color, Position, Rgb, Size, Underline, Width};

mod vt2_files {
    use super::*;

    #[test]
    fn the_formats_own_example() {
        for bytes in [
            include_bytes!("kept/hello-short.vt2").as_slice(),
            include_bytes!("kept/hello-full.vt2"),
        ] {
            let screen = vt2::decode(bytes, Reading::Strict).unwrap();
            assert_eq!(screen.size, Size { cols: 80, rows: 24 });
            assert_eq!(screen.text(), "Hello\n");
            assert_eq!(screen.cursor.position, Position { row: 0, col: 5 });
        }
    }

    #[test]
    fn styles_wide_characters_and_a_cursor_above_the_first_row() {
        let bytes = include_bytes!("kept/styles.vt2");
        let (window, _) = vt2::decode_rows(bytes, Reading::Strict).unwrap();
        assert_eq!(
            (window.viewport_y, window.cursor_x, window.cursor_y),
            (46, 3, -2)
        );

        let screen = vt2::decode(bytes, Reading::Strict).unwrap();
        assert_eq!(screen.text(), "AAé日😀\n\n\no\n");
        assert!(!screen.cursor.visible);
        let cell = |row, col| screen.cell(Position { row, col });
        assert_eq!(cell(0, 0).style.fg, Color::Indexed(196));
        assert!(cell(0, 0).style.is(Attributes::BOLD));
        assert_eq!(cell(0, 1).style.fg, Color::Rgb(Rgb::new(255, 136, 0)));
        assert_eq!(
            (cell(0, 3).width, cell(0, 4).width),
            (Width::Wide, Width::Spacer)
        );
        assert_eq!(cell(0, 5).style.bg, Color::Rgb(Rgb::new(4, 5, 6)));
        assert_eq!(cell(0, 9).style.bg, Color::Indexed(4));
        assert!(cell(1, 9).style.is(Attributes::INVERSE));
        assert_eq!(cell(3, 0).style.underline, Underline::Single);
        let attributes = Attributes::ITALIC | Attributes::FAINT | Attributes::STRIKETHROUGH;
        assert_eq!(cell(3, 0).style.attributes, attributes);
    }

    #[test]
    fn a_stream_of_the_first_writers() {
        let bytes = include_bytes!("kept/first-writers.vt2");
        assert!(vt2::decode(bytes, Reading::Strict).is_err());
        let screen = vt2::decode(bytes, Reading::Lenient).unwrap();
        assert_eq!(screen.text(), "HlléA日\n");
        assert_eq!(screen.cursor.position, Position { row: 1, col: 2 });
    }
}
