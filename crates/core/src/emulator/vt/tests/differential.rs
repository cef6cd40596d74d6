//! Comparison of the terminal with `alacritty_terminal`, and with itself.
//!
//! The streams consist of what both terminals model in the same way. What they show differently is
//! in the tests of disagreements, with both results and the reason. A screen must also not depend
//! on how reads split the bytes, nor on how often it was read.

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::{Color as TermColor, Processor, Timeout};
use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::{Vt, full};
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::geometry::Size;
use crate::screen::row::{Row, Text, Width};
use crate::screen::style::{Attributes, Color, Rgb};

/// The crate's own processor holds back synchronized updates; with this timeout it applies them at
/// once, as we do.
#[derive(Default)]
struct NoTimeout;

impl Timeout for NoTimeout {
    fn set_timeout(&mut self, _: std::time::Duration) {}
    fn clear_timeout(&mut self) {}
    fn pending_timeout(&self) -> bool {
        false
    }
}

struct GridSize(Size);

impl Dimensions for GridSize {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }

    fn screen_lines(&self) -> usize {
        self.0.rows.into()
    }

    fn columns(&self) -> usize {
        self.0.cols.into()
    }
}

struct Library {
    term: Term<VoidListener>,
    processor: Processor<NoTimeout>,
}

impl Library {
    fn new(size: Size, scrollback: usize) -> Library {
        let config = Config {
            scrolling_history: scrollback,
            ..Config::default()
        };
        Library {
            term: Term::new(config, &GridSize(size), VoidListener),
            processor: Processor::new(),
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.processor.advance(&mut self.term, bytes);
    }

    /// Returns every line with its scrollback: text, colours and attributes of each cell.
    fn lines(&self) -> Vec<String> {
        let topmost = self.term.topmost_line().0;
        (topmost..self.term.screen_lines() as i32)
            .map(|line| self.line(Line(line)))
            .collect()
    }

    fn line(&self, line: Line) -> String {
        let cells = &self.term.grid()[line][..];
        let wraps = cells
            .last()
            .is_some_and(|cell| cell.flags.contains(Flags::WRAPLINE));
        // Half of a wide character whose other half was overwritten is blank.
        let is = |col: usize, flag| cells.get(col).is_some_and(|cell| cell.flags.contains(flag));
        let is_half =
            |col: usize| is(col, Flags::WIDE_CHAR) && !is(col + 1, Flags::WIDE_CHAR_SPACER);
        let is_spacer = |col: usize| {
            is(col, Flags::WIDE_CHAR_SPACER) && col > 0 && is(col - 1, Flags::WIDE_CHAR)
        };
        let shown: String = (0..cells.len())
            .filter(|col| !is_spacer(*col))
            .map(|col| {
                let cell = &cells[col];
                let mut attributes = Attributes::empty();
                for (flag, attribute) in [
                    (Flags::BOLD, Attributes::BOLD),
                    (Flags::DIM, Attributes::FAINT),
                    (Flags::ITALIC, Attributes::ITALIC),
                    (Flags::INVERSE, Attributes::INVERSE),
                    (Flags::HIDDEN, Attributes::INVISIBLE),
                    (Flags::STRIKEOUT, Attributes::STRIKETHROUGH),
                ] {
                    attributes.set(attribute, cell.flags.contains(flag));
                }
                let c = if cell.c == '\t' || is_half(col) {
                    ' '
                } else {
                    cell.c
                };
                let marks: String = cell.zerowidth().unwrap_or_default().iter().collect();
                shown_cell(
                    &format!("{c}{marks}"),
                    color(cell.fg),
                    color(cell.bg),
                    attributes,
                )
            })
            .collect();
        format!("{}{}", shown.trim_end(), if wraps { "↵" } else { "" })
    }
}

fn color(color: TermColor) -> Color {
    match color {
        TermColor::Named(name) => {
            u8::try_from(name as usize).map_or(Color::Default, Color::Indexed)
        }
        TermColor::Indexed(index) => Color::Indexed(index),
        TermColor::Spec(rgb) => Color::Rgb(Rgb::new(rgb.r, rgb.g, rgb.b)),
    }
}

fn shown_cell(text: &str, fg: Color, bg: Color, attributes: Attributes) -> String {
    if (fg, bg, attributes) == (Color::Default, Color::Default, Attributes::empty()) {
        text.to_owned()
    } else {
        format!("{{{text} {fg:?} {bg:?} {}}}", attributes.bits())
    }
}

fn row(row: &Row) -> String {
    let shown: String = row
        .cells()
        .filter(|cell| cell.width != Width::Spacer)
        .map(|cell| {
            let text = match cell.text {
                Text::Char(c) => c.to_string(),
                Text::Cluster(text) => text.to_owned(),
            };
            shown_cell(&text, cell.style.fg, cell.style.bg, cell.style.attributes)
        })
        .collect();
    format!(
        "{}{}",
        shown.trim_end(),
        if row.wrapped() { "↵" } else { "" }
    )
}

fn lines(ours: &mut Vt) -> Vec<String> {
    let above = ours.scrollback(usize::MAX);
    let screen = ours.screen();
    above
        .iter()
        .chain(&screen.rows)
        .map(|line| row(line))
        .collect()
}

#[track_caller]
fn assert_same(ours: &mut Vt, library: &Library, what: &str) {
    assert_eq!(lines(ours), library.lines(), "after {what}");
    let cursor = ours.screen().cursor;
    let theirs = &library.term.grid().cursor;
    assert_eq!(
        (
            cursor.position.row,
            cursor.position.col,
            cursor.pending_wrap
        ),
        (
            theirs.point.line.0 as usize,
            theirs.point.column.0,
            theirs.input_needs_wrap
        ),
        "cursor after {what}"
    );
}

/// Returns a piece of output that both terminals model in the same way. `wraps` is whether a wrap
/// is pending.
fn piece(random: &mut Random, size: Size, wraps: bool) -> String {
    let place = |random: &mut Random| {
        let row = 1 + random.below(size.rows.into());
        // Not in the last column, whose content the crate keeps partly when a row becomes wider.
        let col = 1 + random.below(size.cols.into());
        format!("\x1b[{row};{col}H")
    };
    let words = [
        "a",
        "bc",
        "defgh",
        "words that are longer ",
        "0123456789",
        "é",
        "日本",
        "x\u{301}",
        "─│",
    ];
    let text = |random: &mut Random| random.pick(&words).to_owned();
    if wraps {
        return match random.below(3) {
            0 => place(random),
            1 => "\r\n".to_owned(),
            _ => text(random),
        };
    }
    let count = 1 + random.below(6);
    match random.below(20) {
        0..=7 => text(random),
        8 | 9 => "\r\n".to_owned(),
        10 => place(random),
        11 => {
            let sgr = [
                "0",
                "1",
                "31",
                "44",
                "7",
                "38;5;200",
                "48;2;1;2;3",
                "39",
                "49",
                "27",
            ];
            format!("\x1b[{}m", random.pick(&sgr))
        }
        12 => format!(
            "\x1b[{count}{}",
            random.pick(&["C", "D", "G", "d", "A", "B"])
        ),
        13 => format!("\x1b[{}K", random.below(3)),
        // Erasing the first row ends a text that continued from the scrollback, here only.
        14 if size.rows > 1 => "\r\n\x1b[J".to_owned(),
        14 => "\r".to_owned(),
        15 => format!("\x1b[{count}{}", random.pick(&["S", "T"])),
        16 => format!("\r\x1b[{count}L"),
        17 => "\x1bM".to_owned(),
        18 => "\r".to_owned(),
        _ => "\x1b[?1049hx\x1b[?1049l".to_owned(),
    }
}

#[test]
fn the_terminal_shows_what_alacritty_shows() {
    for seed in 0..if full() { 50_000 } else { 2_000 } {
        let mut random = Random::new(seed);
        let size = random_size(&mut random);
        let scrollback = random.pick(&[0, 5, 300]);
        let options = EmulatorOptions {
            scrollback,
            ..EmulatorOptions::default()
        };
        let mut ours = Vt::new(size, options);
        let mut library = Library::new(size, scrollback);
        let mut stream = String::new();
        let mut wraps = false;
        for _ in 0..60 {
            let piece = piece(&mut random, size, wraps);
            stream.push_str(&piece);
            ours.feed(piece.as_bytes());
            library.feed(piece.as_bytes());
            wraps = ours.screen().cursor.pending_wrap;
        }
        assert_same(
            &mut ours,
            &library,
            &format!("{stream:?} in {size}, seed {seed}"),
        );
    }
}

/// Text that wraps is laid out for a new width in the same way.
#[test]
fn a_resize_shows_what_alacritty_shows() {
    for seed in 0..if full() { 50_000 } else { 2_000 } {
        let mut random = Random::new(seed);
        let size = random_size(&mut random);
        let mut ours = Vt::new(size, EmulatorOptions::default());
        let mut library = Library::new(size, 10_000);
        // No rows below the cursor: see the disagreements.
        let mut stream: String = (0..100).map(|line| format!("{line}\r\n")).collect();
        for _ in 0..random.below(30) {
            // No blanks at the end of a line: see the disagreements.
            let words = [
                "a",
                " words",
                " a longer text of words",
                "日本語",
                "\r\n",
                "\r\n\r\n",
                "\x1b[31mred\x1b[m",
            ];
            stream.push_str(random.pick(&words));
        }
        // The cursor is in a line of its own: see the disagreements.
        stream.push_str("\r\n$");
        ours.feed(stream.as_bytes());
        library.feed(stream.as_bytes());
        let mut sizes = format!("{size}");
        for _ in 0..3 {
            let size = random_size(&mut random);
            sizes.push_str(&format!(" {size}"));
            ours.resize(size);
            library.term.resize(GridSize(size));
            assert_same(
                &mut ours,
                &library,
                &format!("{stream:?} in {sizes}, seed {seed}"),
            );
        }
    }
}

/// Checks what both show on a screen of 10 columns and 3 rows; `,` ends a row, `|` is the cursor.
#[track_caller]
fn check_apart(bytes: &str, ours: &str, theirs: &str) {
    let size = Size { cols: 10, rows: 3 };
    let mut terminal = Vt::new(size, EmulatorOptions::default());
    let mut library = Library::new(size, 100);
    terminal.feed(bytes.as_bytes());
    library.feed(bytes.as_bytes());
    let shown = lines(&mut terminal).join(",");
    assert_eq!(shown.trim_end_matches(','), ours, "ours after {bytes:?}");
    let shown = library.lines().join(",");
    assert_eq!(
        shown.trim_end_matches(','),
        theirs,
        "alacritty after {bytes:?}"
    );
}

/// While a wrap is pending, most sequences end it in xterm.
#[test]
fn disagreements_while_a_wrap_is_pending() {
    let full = "0123456789";
    check_apart(
        &format!("{full}\nX"),
        "0123456789,         X",
        "0123456789,↵,X",
    );
    check_apart(
        &format!("{full}\x1bDX"),
        "0123456789,         X",
        "0123456789,↵,X",
    );
    check_apart(&format!("{full}\x1b[KX"), "012345678X", "0123456789↵,X");
    check_apart(&format!("{full}\x1b[JX"), "012345678X", "012345678↵,X");
    check_apart(&format!("{full}\x1b[XX"), "012345678X", "012345678↵,X");
    check_apart(&format!("{full}\x1b[PX"), "012345678X", "012345678↵,X");
    check_apart(&format!("{full}\x1b[@X"), "012345678X", "012345678↵,X");
}

#[test]
fn disagreements_where_alacritty_does_not_follow_xterm() {
    // Margins, protection, rectangles and reverse wrap exist only here.
    check_apart("a\x1b[?69h\x1b[3;5s\x1b[1;3Habcd", "a abc,  d", "a abcd");
    check_apart("\x1b[1\"qa\x1b[\"qb\x1b[?2J", "a", "ab");
    check_apart("ab\x1b[1;1;1;2;1;2;1;1$v", "ab,ab", "ab");
    // IL and DL return to the first column.
    check_apart("a\r\nb\x1b[LX", "a,X,b", "a, X,b");
    // ED 2 keeps nothing in the scrollback.
    check_apart("a\x1b[2J", "", "a");
    // DECCOLM needs permission.
    check_apart("a\x1b[?3h", "a", "");
    // An aborted title is not set, a long list of attributes is applied.
    let long = format!("\x1b[{}7ma", "1;22;".repeat(20));
    check_apart(&long, "{a Default Default 32}", "a");
    // SGR 21 is a double underline, and does not end bold.
    check_apart("\x1b[1;21ma", "{a Default Default 1}", "a");
}

/// Checks what both show after a resize from 10 columns, on 3 rows.
#[track_caller]
fn check_resize_apart(bytes: &str, cols: u16, ours: &str, theirs: &str) {
    let size = Size { cols: 10, rows: 3 };
    let mut terminal = Vt::new(size, EmulatorOptions::default());
    let mut library = Library::new(size, 100);
    terminal.feed(bytes.as_bytes());
    library.feed(bytes.as_bytes());
    let size = Size { cols, rows: 3 };
    terminal.resize(size);
    library.term.resize(GridSize(size));
    assert_eq!(lines(&mut terminal).join(","), ours, "ours after {bytes:?}");
    assert_eq!(
        library.lines().join(","),
        theirs,
        "alacritty after {bytes:?}"
    );
}

/// Blanks at the end of a line that wrapped do not need a row of their own.
#[test]
fn disagreements_after_a_resize() {
    check_resize_apart("0123456789 \r\n$", 5, "01234↵,56789,$", "01234↵,56789↵,,$");
    // Text that needs more rows takes blank ones below the cursor before rows scroll out.
    check_resize_apart("0123456789", 5, "01234↵,56789,", "01234↵,56789,,");
    check_resize_apart("a\r\n012345", 5, "a,01234↵,5", "a,01234↵,5,");
}

/// Checks that the screen does not depend on where reads end.
#[test]
fn reads_may_end_anywhere() {
    let size = Size { cols: 40, rows: 10 };
    let mut random = Random::new(2);
    for _ in 0..if full() { 2000 } else { 200 } {
        let mut bytes = stream::grammar(&mut random, 1000);
        if random.one_in(2) {
            bytes = stream::mutate(&mut random, &bytes);
        }
        let mut whole = Vt::new(size, EmulatorOptions::default());
        whole.feed(&bytes);
        let mut cut = Vt::new(size, EmulatorOptions::default());
        for byte in &bytes {
            cut.feed(std::slice::from_ref(byte));
        }
        assert_eq!(
            whole.state(1000),
            cut.state(1000),
            "{}",
            bytes.escape_ascii()
        );
        assert_eq!(whole.take_replies(), cut.take_replies());
        assert_eq!(whole.notes(), cut.notes());
    }
}

/// A read of the screen converts only the lines that changed; these must include all changes.
#[test]
fn an_incremental_read_equals_a_full_read() {
    let mut random = Random::new(3);
    for _ in 0..if full() { 1000 } else { 100 } {
        let size = random_size(&mut random);
        let mut emulator = Vt::new(size, EmulatorOptions::default());
        for _ in 0..40 {
            let length = 1 + random.below(60);
            let bytes = stream::grammar(&mut random, length);
            emulator.feed(&bytes);
            emulator.end_synchronized();
            let changed = emulator.screen();
            emulator.terminal.grid.lines().for_each(|line| line.check());
            emulator.terminal.grid.mark_all_dirty();
            assert_eq!(changed, emulator.screen(), "{}", bytes.escape_ascii());
            if random.one_in(10) {
                emulator.resize(random_size(&mut random));
            }
        }
    }
}

pub(super) fn random_size(random: &mut Random) -> Size {
    Size {
        cols: 2 + random.below(90) as u16,
        rows: 1 + random.below(30) as u16,
    }
}
