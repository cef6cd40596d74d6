//! Compatibility with stored files: each file must stay readable forever. Every test reads a file
//! and checks its contents.
//!
//! The files are never rewritten. When a format changes, it gets a new file, and the old one stays.

use screentest_core::formats::ansi::{self, Meta};
use screentest_core::formats::asciicast::{Cast, CastEventKind};
use screentest_core::formats::state_json::StateJson;
use screentest_core::formats::stream::{self, ProgramExit, Viewer};
use screentest_core::formats::vt2::{self, Strictness};
use screentest_core::{
    Attributes, Color, CursorShape, MouseEncoding, MouseTracking, PaletteEntry, Position, Rgb,
    Screen, Size, Underline, Width, Zone,
};

/// Checks the colours of `colors.ansi.txt` and `colors.state.json`.
#[track_caller]
fn check_colors(screen: &Screen) {
    assert_eq!(screen.text(), "plain red\n");
    let changed: Vec<_> = screen.palette.iter().collect();
    let expected = [
        (PaletteEntry::Indexed(1), Rgb::hex(0xaabbcc)),
        (PaletteEntry::Foreground, Rgb::hex(0xeeeeee)),
        (PaletteEntry::Background, Rgb::hex(0x102040)),
        (PaletteEntry::Cursor, Rgb::hex(0xff00ff)),
        (PaletteEntry::SelectionBackground, Rgb::hex(0x333333)),
        (PaletteEntry::SelectionForeground, Rgb::hex(0xffffff)),
    ];
    assert_eq!(changed, expected);
}

mod ansi_files {
    use super::*;

    #[test]
    fn rows_with_styles_and_links() {
        let meta = Meta::parse(include_bytes!("compatibility/styles.meta.json")).unwrap();
        let bytes = include_bytes!("compatibility/styles.ansi.txt");
        let screen = ansi::read(bytes, meta.size());
        assert_eq!(screen.text(), "plain red 界e\u{301}\n\nlink all\n");
        let cell = |row, col| screen.cell(Position { row, col });
        assert_eq!(cell(0, 6).style.fg, Color::Indexed(1));
        assert_eq!(cell(0, 10).width, Width::Wide);
        let link = cell(2, 0).link.unwrap();
        assert_eq!(link.id.as_deref(), Some("n"));
        assert_eq!(&*link.uri, "https://example.org/?a;b");
        let all = cell(2, 5).style;
        assert_eq!(
            all.attributes,
            Attributes::all() - Attributes::BOLD - Attributes::BLINK
        );
        assert_eq!(all.underline, Underline::Curly);
        assert_eq!(all.underline_color, Color::Rgb(Rgb::new(7, 8, 9)));
        assert_eq!(
            (all.fg, all.bg),
            (Color::Rgb(Rgb::new(1, 2, 3)), Color::Indexed(200))
        );
        assert_eq!(cell(3, 19).style.bg, Color::Indexed(9));
        // The current writer produces the same bytes as the one that wrote this file.
        assert_eq!(ansi::write(&screen).as_bytes(), bytes);
    }

    #[test]
    fn changed_colours() {
        let meta = Meta::parse(include_bytes!("compatibility/colors.meta.json")).unwrap();
        let bytes = include_bytes!("compatibility/colors.ansi.txt");
        let screen = ansi::read(bytes, meta.size());
        check_colors(&screen);
        let red = screen.cell(Position { row: 0, col: 6 });
        assert_eq!(red.style.fg, Color::Indexed(1));
        assert_eq!(ansi::write(&screen).as_bytes(), bytes);
    }

    #[test]
    fn raw_program_output() {
        let meta = Meta::parse(include_bytes!("compatibility/raw.meta.json")).unwrap();
        let screen = ansi::read(include_bytes!("compatibility/raw.ansi.txt"), meta.size());
        assert_eq!(screen.text(), "\n  raw\n     ~\n");
        assert!(screen.modes.alternate_screen && screen.modes.bracketed_paste);
        assert_eq!(screen.cursor.position, Position { row: 0, col: 0 });
    }
}

mod asciicast_files {
    use super::*;
    use std::time::Duration;

    use screentest_core::emulator::{Backend, EmulatorOptions};

    #[track_caller]
    fn check(cast: &Cast, micros: &[u64], last: &str) {
        let times: Vec<Duration> = cast.events.iter().map(|event| event.time).collect();
        let micros: Vec<Duration> = micros.iter().copied().map(Duration::from_micros).collect();
        assert_eq!(times, micros);
        assert_eq!(cast.header.size, Size { cols: 20, rows: 3 });
        let mut emulator = Backend::Vt.emulator(cast.header.size, EmulatorOptions::default());
        let frame = cast.frames(&mut *emulator, Duration::ZERO).last().unwrap();
        assert_eq!(frame.screen.text(), last);
        assert_eq!(
            frame.screen.cell(Position { row: 0, col: 6 }).style.fg,
            Color::Indexed(2)
        );
    }

    #[test]
    fn version_1_counts_from_the_last_write() {
        let cast = Cast::parse(include_bytes!("compatibility/demo-1.cast")).unwrap();
        check(
            &cast,
            &[248_848, 1_250_224],
            "Hello World!\nThis is better.\n",
        );
    }

    #[test]
    fn version_2_counts_from_the_start() {
        let cast = Cast::parse(include_bytes!("compatibility/demo-2.cast")).unwrap();
        check(
            &cast,
            &[
                248_848, 900_000, 1_001_376, 1_500_000, 2_143_733, 4_050_000, 6_541_828,
            ],
            "Hello World!\nThis is better.Now... Bye!\n",
        );
        assert_eq!(cast.header.title, "Demo");
        assert_eq!(cast.header.idle_limit, Some(Duration::from_millis(2500)));
        assert_eq!(cast.header.theme.unwrap().palette.len(), 8);
        assert_eq!(cast.events[1].kind, CastEventKind::Input("x".to_owned()));
        assert_eq!(
            cast.events[3].kind,
            CastEventKind::Marker("here".to_owned())
        );
        assert_eq!(
            cast.events[5].kind,
            CastEventKind::Resize(Size { cols: 30, rows: 4 })
        );
    }

    #[test]
    fn version_3_counts_from_the_last_event() {
        let cast = Cast::parse(include_bytes!("compatibility/demo-3.cast")).unwrap();
        check(
            &cast,
            &[
                248_000, 1_249_000, 4_749_000, 4_892_000, 6_942_000, 8_583_000, 9_470_000,
            ],
            "Hello World!\nThis is better.Now... Bye!\n",
        );
        let theme = cast.header.theme.unwrap();
        assert_eq!((theme.fg, theme.palette.len()), (Rgb::hex(0xd0d0d0), 16));
        assert_eq!(cast.events[6].kind, CastEventKind::Exit(7));
    }
}

mod state_json_files {
    use super::*;

    #[test]
    fn a_file_as_betamax_writes_it() {
        let state = StateJson::parse(include_bytes!("compatibility/fillers.state.json")).unwrap();
        let screen = &state.screen;
        assert_eq!(screen.size, Size { cols: 20, rows: 4 });
        assert_eq!(&*screen.title, "demo");
        // In Betamax's files, the space after a wide character stands for the character's second
        // column. The reader keeps it as a space.
        assert_eq!(screen.text(), "> echo ok\nok 界 X\n>\n");
        assert_eq!(screen.cursor.position, Position { row: 2, col: 2 });
        let style = |row, col| *screen.cell(Position { row, col }).style;
        assert_eq!(style(0, 0).fg, Color::Rgb(Rgb::hex(0x5a56e0)));
        assert_eq!(
            (style(1, 3).fg, style(1, 3).bg),
            (Color::Default, Color::Default)
        );
        assert!(style(1, 3).is(Attributes::INVERSE));
        assert_eq!(style(1, 6).bg, Color::Rgb(Rgb::hex(0x4b8c0f)));
        let above: Vec<&str> = state.scrollback.iter().map(|row| row.text()).collect();
        assert_eq!(above, ["a", "", "b"]);
        assert_eq!(
            state.scrollback[2].cell(0).style.underline,
            Underline::Curly
        );
    }

    #[test]
    fn changed_colours() {
        let state = StateJson::parse(include_bytes!("compatibility/colors.state.json")).unwrap();
        check_colors(&state.screen);
        let style = |col| *state.screen.cell(Position { row: 0, col }).style;
        assert_eq!((style(0).fg, style(0).bg), (Color::Default, Color::Default));
        assert_eq!(style(6).fg, Color::Rgb(Rgb::hex(0xaabbcc)));
    }

    #[test]
    fn every_field_and_attribute() {
        let state = StateJson::parse(include_bytes!("compatibility/styles.state.json")).unwrap();
        let screen = &state.screen;
        assert_eq!(screen.text(), "\nabcdefgh\nijklm\n");
        assert_eq!(&*screen.working_directory, "/home");
        assert!(!screen.cursor.visible);
        let style = |row, col| *screen.cell(Position { row, col }).style;
        let attributes = [
            Attributes::BOLD,
            Attributes::ITALIC,
            Attributes::FAINT,
            Attributes::BLINK,
            Attributes::INVERSE,
            Attributes::INVISIBLE,
            Attributes::STRIKETHROUGH,
            Attributes::OVERLINE,
        ];
        for (col, attribute) in attributes.into_iter().enumerate() {
            assert_eq!(style(1, col).attributes, attribute);
        }
        let underlines = [
            Underline::Single,
            Underline::Double,
            Underline::Curly,
            Underline::Dotted,
            Underline::Dashed,
        ];
        for (col, underline) in underlines.into_iter().enumerate() {
            assert_eq!(style(2, col).underline, underline);
        }
        // Coloured blank cells at the end of the screen.
        assert_eq!(style(3, 11).bg, Color::Rgb(Rgb::hex(0x003366)));
        let above: Vec<&str> = state.scrollback.iter().map(|row| row.text()).collect();
        assert_eq!(above, ["above", "", "plain 界e\u{301}"]);
        assert_eq!(state.scrollback[2].cell(6).width, Width::Wide);
    }
}

mod stream_files {
    use super::*;

    #[test]
    fn a_session_from_its_keyframe_to_its_end() {
        let mut view = Viewer::new(300);
        let take = |view: &mut Viewer, bytes: &[u8]| {
            stream::apply(view, stream::decode(bytes).unwrap()).unwrap();
        };
        take(&mut view, include_bytes!("compatibility/keyframe.stream1"));
        let seen = view.seen().unwrap();
        let screen = seen.screen();
        assert_eq!(screen.size, Size { cols: 20, rows: 5 });
        assert_eq!(
            screen.text(),
            "$ ls\nplain red 界e\u{301}\n────────────────────\nlink all\n"
        );
        let zones: Vec<Zone> = screen.rows[0]
            .zones()
            .iter()
            .map(|start| start.zone)
            .collect();
        assert_eq!(zones, [Zone::Prompt, Zone::Input]);
        assert!(screen.rows[2].wrapped());
        let cell = |row, col| screen.cell(Position { row, col });
        assert_eq!(cell(1, 6).style.fg, Color::Indexed(1));
        assert_eq!(cell(1, 10).width, Width::Wide);
        let link = cell(3, 0).link.unwrap();
        assert_eq!(
            (link.id.as_deref(), &*link.uri),
            (Some("n"), "https://example.org/?a;b")
        );
        let all = cell(3, 5).style;
        assert_eq!(all.attributes, Attributes::all());
        assert_eq!(all.underline, Underline::Curly);
        assert_eq!(all.underline_color, Color::Rgb(Rgb::new(7, 8, 9)));
        assert_eq!(
            (all.fg, all.bg),
            (Color::Rgb(Rgb::new(1, 2, 3)), Color::Indexed(200))
        );
        assert_eq!(cell(4, 19).style.bg, Color::Indexed(9));
        assert_eq!(
            (&*screen.title, &*screen.working_directory),
            ("vim — a.rs", "/tmp")
        );
        assert_eq!(screen.cursor.position, Position { row: 3, col: 8 });
        assert_eq!(screen.cursor.shape, CursorShape::Bar);
        assert_eq!(screen.modes.mouse, MouseTracking::Drags);
        assert_eq!(screen.modes.mouse_encoding, MouseEncoding::Sgr);
        assert!(screen.modes.bracketed_paste && screen.modes.autowrap);
        assert_eq!((screen.scrollback_rows, seen.bells()), (1000, 2));

        // A line scrolled in, and a character in the last row changed.
        take(&mut view, include_bytes!("compatibility/delta.stream1"));
        let screen = view.seen().unwrap().screen();
        assert_eq!(
            screen.text(),
            "plain red 界e\u{301}\n────────────────────\nlink all\n\n  new\n"
        );
        assert_eq!(
            screen.cell(Position { row: 4, col: 19 }).style.bg,
            Color::Indexed(9)
        );
        assert_eq!((view.revision(), screen.scrollback_rows), (Some(201), 1001));

        take(&mut view, include_bytes!("compatibility/ended.stream1"));
        assert_eq!(view.ended(), Some(&ProgramExit::Exited(3)));
        take(&mut view, include_bytes!("compatibility/closed.stream1"));
        assert!(view.closed());
    }

    #[test]
    fn changed_colours_in_version_2() {
        let mut view = Viewer::new(7);
        let message = stream::decode(include_bytes!("compatibility/colors.stream2")).unwrap();
        stream::apply(&mut view, message).unwrap();
        let palette = &view.seen().unwrap().screen().palette;
        let changed: Vec<_> = palette.iter().collect();
        let expected = [
            (PaletteEntry::Indexed(1), Rgb::hex(0xd74e6f)),
            (PaletteEntry::Background, Rgb::hex(0x102040)),
        ];
        assert_eq!(changed, expected);
    }
}

mod vt2_files {
    use super::*;

    #[test]
    fn the_formats_own_example() {
        for bytes in [
            include_bytes!("compatibility/hello-short.vt2").as_slice(),
            include_bytes!("compatibility/hello-full.vt2"),
        ] {
            let screen = vt2::decode(bytes, Strictness::Strict).unwrap();
            assert_eq!(screen.size, Size { cols: 80, rows: 24 });
            assert_eq!(screen.text(), "Hello\n");
            assert_eq!(screen.cursor.position, Position { row: 0, col: 5 });
        }
    }

    #[test]
    fn styles_wide_characters_and_a_cursor_above_the_first_row() {
        let bytes = include_bytes!("compatibility/styles.vt2");
        let (window, _) = vt2::decode_rows(bytes, Strictness::Strict).unwrap();
        assert_eq!(
            (window.viewport_y, window.cursor_x, window.cursor_y),
            (46, 3, -2)
        );

        let screen = vt2::decode(bytes, Strictness::Strict).unwrap();
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
    fn a_stream_from_the_first_writers() {
        let bytes = include_bytes!("compatibility/first-writers.vt2");
        assert!(vt2::decode(bytes, Strictness::Strict).is_err());
        let screen = vt2::decode(bytes, Strictness::Lenient).unwrap();
        assert_eq!(screen.text(), "HlléA日\n");
        assert_eq!(screen.cursor.position, Position { row: 1, col: 2 });
    }
}
