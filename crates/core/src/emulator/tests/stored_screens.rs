//! Test that the same bytes give the same screens as when the revision was last raised.
//!
//! For each identity, `tests/compatibility` stores the screens of a set of streams: in full for the
//! handwritten streams, as a digest for the generated ones. Cassettes assert on screens that were
//! derived long ago, so a change here affects every cassette and must come with a new identity.

use std::fmt::Write as _;
use std::path::PathBuf;

use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use crate::emulator::{Backend, EmulatorOptions};
use crate::screen::State;
use crate::screen::geometry::Size;
use crate::screen::row::{Hyperlink, Row, Zone};
use crate::screen::style::{Color, Style, Underline};

const SIZE: Size = Size { cols: 24, rows: 6 };

/// Streams with readable results.
const WRITTEN: &[(&str, &str)] = &[
    ("text", "hello, world\r\nsecond line\ttab\r\n"),
    (
        "wrapping",
        "a line that is longer than the screen is wide\r\nnext",
    ),
    ("scrolling", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8"),
    (
        "wide and joined",
        "日本語 e\u{301} 👍🏽 ❤\u{fe0f} 👨\u{200d}👩",
    ),
    (
        "attributes",
        "\x1b[1mb\x1b[2mf\x1b[0;3mi\x1b[0;5mk\x1b[0;6mr\x1b[0;7mv\x1b[0;8mh\x1b[0;9ms\x1b[0;53mo\x1b[0m.",
    ),
    (
        "underlines",
        "\x1b[4ma\x1b[4:2mb\x1b[4:3mc\x1b[4:4md\x1b[4:5me\x1b[21mf\x1b[58;5;9mg\x1b[58:2::1:2:3mh\x1b[24mi",
    ),
    (
        "colours",
        "\x1b[31mr\x1b[92mg\x1b[38;5;200mp\x1b[38;2;1;2;3mx\x1b[0;44mb\x1b[48:2::9:8:7my\x1b[K",
    ),
    (
        "links and zones",
        "\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07\x1b]8;id=1;http://x/\x07file\x1b]8;;\x07\r\n\x1b]133;D;0\x07",
    ),
    (
        "names",
        "\x1b]2;title\x07\x1b]7;file:///tmp/a%20b\x07\x1b[5 q\x1b[?25l\x1b[?1;1002;1006;2004h\x1b[>5u",
    ),
    ("alternate screen", "main\x1b[?1049h\x1b[2;3Hother"),
    (
        "region",
        "1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[2;5r\x1b[5;1H\n\x1b[?6h\x1b[1;4Hx",
    ),
    (
        "editing",
        "abcdefgh\x1b[3G\x1b[2P\x1b[2@XY\x1b[5X\r\nlost\x1b[2K\x1b[1;1H\x1b[L",
    ),
    (
        "malformed",
        "a\x1b[12;;;;zb\x1b]nonsense\x07c\x1bPq~\x1b\\d\x1b[?9999he",
    ),
];

const GENERATED: u64 = 24;

#[test]
fn screens_change_only_with_the_identity() {
    for backend in Backend::ALL {
        let identity = backend
            .emulator(SIZE, EmulatorOptions::default())
            .identity();
        let derived = derive(backend);
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/compatibility")
            .join(format!("{}.txt", identity.to_string().replace(' ', "-")));
        if std::env::var_os("SCREENTEST_KEEP").is_some() && !path.exists() {
            std::fs::write(&path, &derived).expect("the folder of stored screens is writable");
        }
        let Ok(kept) = std::fs::read_to_string(&path) else {
            panic!(
                "no stored screens for `{identity}`: review the change, then run this test once with SCREENTEST_KEEP=1 \
                 and commit `{}`",
                path.display()
            );
        };
        for (kept, derived) in kept.lines().zip(derived.lines()) {
            assert_eq!(
                input_of(kept),
                input_of(derived),
                "the generated streams differ from the stored ones, so `{identity}` cannot be checked: delete \
                 its file and run this test once with SCREENTEST_KEEP=1, on a tree where only the generator changed"
            );
            assert_eq!(
                kept, derived,
                "the same bytes give other screens than before with `{identity}`: if that is intended, raise the backend's REVISION \
                 and run this test once with SCREENTEST_KEEP=1; do not change the old file"
            );
        }
        assert_eq!(kept.lines().count(), derived.lines().count(), "{identity}");
    }
}

/// Returns the part of a line that names the stream and its bytes; empty if the line is part of a
/// screen.
fn input_of(line: &str) -> &str {
    line.split_once(" gives ").map_or("", |(input, _)| input)
}

fn derive(backend: Backend) -> String {
    let mut out = String::new();
    for (name, bytes) in WRITTEN {
        let mut emulator = backend.emulator(SIZE, EmulatorOptions::default());
        emulator.feed(bytes.as_bytes());
        line(&mut out, format_args!("== {name}"));
        dump(&mut out, &emulator.state(10));
    }
    for seed in 0..GENERATED {
        let mut random = Random::new(seed);
        let mut bytes = stream::grammar(&mut random, 2000);
        if seed % 2 == 1 {
            bytes = stream::mutate(&mut random, &bytes);
        }
        let mut emulator = backend.emulator(SIZE, EmulatorOptions::default());
        let mut states = String::new();
        // Several reads with resizes in between, as in a session.
        for (index, chunk) in bytes.chunks(500).enumerate() {
            emulator.feed(chunk);
            emulator.end_synchronized();
            dump(&mut states, &emulator.state(100));
            emulator.resize(Size {
                cols: SIZE.cols + 3 * index as u16,
                rows: SIZE.rows - index as u16 % 3,
            });
        }
        let (input, state) = (fnv(&bytes), fnv(states.as_bytes()));
        line(
            &mut out,
            format_args!("stream {seed} of digest {input:016x} gives {state:016x}"),
        );
    }
    out
}

/// FNV-1a: a digest with a short definition that never changes.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Writes a state in a format that only this file uses: other output formats may change, this one
/// may not.
fn dump(out: &mut String, state: &State) {
    for row in &state.scrollback {
        dump_row(out, "scrolled", row);
    }
    for row in &state.screen.rows {
        dump_row(out, "row", row);
    }
    let screen = &state.screen;
    let cursor = screen.cursor;
    line(
        out,
        format_args!(
            "cursor {},{} shape {}{}{}{}",
            cursor.position.row,
            cursor.position.col,
            cursor.shape as u8,
            if cursor.blinking { " blinking" } else { "" },
            if cursor.pending_wrap { " pending" } else { "" },
            if cursor.visible { "" } else { " hidden" },
        ),
    );
    let modes = screen.modes;
    let on: Vec<&str> = [
        (modes.alternate_screen, "alternate"),
        (modes.application_cursor, "cursor keys"),
        (modes.application_keypad, "keypad"),
        (modes.bracketed_paste, "paste"),
        (modes.focus_events, "focus"),
        (!modes.autowrap, "no wrap"),
        (modes.origin, "origin"),
        (modes.insert, "insert"),
        (modes.newline, "newline"),
    ]
    .iter()
    .filter_map(|(on, name)| on.then_some(*name))
    .collect();
    line(
        out,
        format_args!(
            "modes {}",
            if on.is_empty() {
                "-".to_owned()
            } else {
                on.join(", ")
            }
        ),
    );
    line(
        out,
        format_args!(
            "keyboard {} mouse {} {}",
            modes.kitty_keyboard.bits(),
            modes.mouse as u8,
            modes.mouse_encoding as u8
        ),
    );
    line(out, format_args!("title |{}|", screen.title));
    line(
        out,
        format_args!("directory |{}|", screen.working_directory),
    );
    for (entry, color) in screen.palette.iter() {
        line(out, format_args!("colour {entry:?} {color}"));
    }
}

fn dump_row(out: &mut String, what: &str, row: &Row) {
    let wrapped = if row.wrapped() { " wrapped" } else { "" };
    line(out, format_args!("{what}{wrapped} |{}|", row.text()));
    // Runs of cells with the same style and link, except plain ones.
    let mut start = 0;
    for col in 1..=row.len() {
        let (first, here) = (row.cell(start), row.cell(col));
        if col < row.len() && (first.style, first.link) == (here.style, here.link) {
            continue;
        }
        if *first.style != Style::default() || first.link.is_some() {
            let (style, link) = (style(first.style), link(first.link));
            line(out, format_args!("  {start}..{col}{style}{link}"));
        }
        start = col;
    }
    for zone in row.zones() {
        let name = match zone.zone {
            Zone::None => "none",
            Zone::Prompt => "prompt",
            Zone::Input => "input",
            Zone::Output => "output",
        };
        line(out, format_args!("  {} zone {name}", zone.col));
    }
}

fn link(link: Option<&Hyperlink>) -> String {
    link.map_or(String::new(), |link| {
        format!(" link {} {}", link.id.as_deref().unwrap_or("-"), link.uri)
    })
}

fn style(style: &Style) -> String {
    let color = |name: &str, color: Color| match color {
        Color::Default => String::new(),
        Color::Indexed(index) => format!(" {name} {index}"),
        Color::Rgb(rgb) => format!(" {name} {rgb}"),
    };
    let underline = match style.underline {
        Underline::None => "",
        Underline::Single => " underlined",
        Underline::Double => " underlined twice",
        Underline::Curly => " underlined with a wave",
        Underline::Dotted => " underlined with dots",
        Underline::Dashed => " underlined with dashes",
    };
    format!(
        "{}{}{}{underline} attributes {:09b}",
        color("fg", style.fg),
        color("bg", style.bg),
        color("line", style.underline_color),
        style.attributes.bits()
    )
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
