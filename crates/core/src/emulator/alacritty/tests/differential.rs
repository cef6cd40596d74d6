//! Comparison of the adapter with the wrapped crate, and with itself.
//!
//! With the additions off, our sequence handler must do the same as the crate's own processor: an
//! upgrade that changes the grid or the parser is noticed here first. With the additions on, a
//! screen must not depend on how reads split the bytes, nor on how often it was read.

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::Cell;
use alacritty_terminal::term::{Term, TermDamage, TermMode};
use alacritty_terminal::vte::ansi::{Processor, Timeout};
use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::super::read_grid::GridReader;
use super::super::{Alacritty, GridSize, term};
use super::full;
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::geometry::Size;

impl Alacritty {
    fn without_additions(size: Size, options: EmulatorOptions) -> Alacritty {
        let mut emulator = Alacritty::new(size, options);
        emulator.terminal.additions = false;
        emulator
    }
}

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

struct Library {
    term: Term<VoidListener>,
    processor: Processor<NoTimeout>,
}

/// Returns a cell's fields without the id of its link: the library gives a link that has no id a
/// number that counts up over the whole process.
pub(super) fn looks(cell: &Cell) -> impl PartialEq + std::fmt::Debug + use<> {
    let cell = cell.clone();
    let link = cell.hyperlink().map(|link| link.uri().to_owned());
    let marks = cell.zerowidth().unwrap_or_default().to_vec();
    (
        cell.c,
        cell.fg,
        cell.bg,
        cell.flags,
        marks,
        cell.underline_color(),
        link,
    )
}

fn damage(term: &mut Term<VoidListener>) -> Option<Vec<usize>> {
    let damage = match term.damage() {
        TermDamage::Full => None,
        TermDamage::Partial(lines) => Some(lines.map(|line| line.line).collect()),
    };
    term.reset_damage();
    damage
}

#[track_caller]
fn assert_same(ours: &mut Alacritty, library: &mut Library, what: &str) {
    let ours = &mut ours.terminal.term;
    let theirs = &mut library.term;
    let cursor = |term: &Term<VoidListener>| {
        let cursor = &term.grid().cursor;
        (cursor.point, cursor.charsets, cursor.input_needs_wrap)
    };
    assert_eq!(cursor(ours), cursor(theirs), "cursor after {what}");
    let pens = [&*ours, &*theirs].map(|term| looks(&term.grid().cursor.template));
    assert_eq!(pens[0], pens[1], "pen after {what}");
    // The stack of keyboard modes (kitty keyboard protocol) is our own.
    let modes = |term: &Term<VoidListener>| *term.mode() - TermMode::KITTY_KEYBOARD_PROTOCOL;
    assert_eq!(modes(ours), modes(theirs), "modes after {what}");
    assert_eq!(
        ours.history_size(),
        theirs.history_size(),
        "history after {what}"
    );
    for line in ours.topmost_line().0..ours.screen_lines() as i32 {
        let line = Line(line);
        let rows = ours.grid()[line][..].iter().zip(&theirs.grid()[line][..]);
        for (col, (ours, theirs)) in rows.enumerate() {
            if ours != theirs {
                let (ours, theirs) = (looks(ours), looks(theirs));
                assert_eq!(ours, theirs, "line {line}, column {col} after {what}");
            }
        }
    }
    // The library redraws everything after a change of colours, which changes no cell here. That
    // our damage is complete is another test, `an_incremental_read_equals_a_full_read`.
    let (ours, theirs) = (damage(ours), damage(theirs));
    if theirs.is_some() {
        assert_eq!(ours, theirs, "damage after {what}");
    }
}

/// Checks that the grids are equal for any bytes, split anywhere.
#[test]
fn without_additions_the_grid_equals_that_of_the_library() {
    let total = if full() { 20 << 20 } else { 2 << 20 };
    let mut random = Random::new(1);
    let mut fed = 0;
    while fed < total {
        let size = random_size(&mut random);
        let scrollback = random.pick(&[0, 50, 300, 2000]);
        let options = EmulatorOptions {
            scrollback,
            ..EmulatorOptions::default()
        };
        let mut ours = Alacritty::without_additions(size, options);
        let mut library = Library {
            term: term(size, scrollback),
            processor: Processor::new(),
        };
        let mut bytes = stream::grammar(&mut random, 16 << 10);
        if random.one_in(2) {
            bytes = stream::mutate(&mut random, &bytes);
        }
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let cut = match random.below(3) {
                0 => 1 + random.below(3),
                1 => 1 + random.below(80),
                _ => 1 + random.below(4096),
            };
            // Cut only after ASCII: if a read ends inside a character, `vte` 0.15 may drop the next
            // character.
            let cut = rest
                .iter()
                .skip(cut)
                .position(u8::is_ascii)
                .map_or(rest.len(), |more| cut + more + 1);
            let (chunk, tail) = rest.split_at(cut);
            rest = tail;
            ours.feed(chunk);
            library.processor.advance(&mut library.term, chunk);
            assert_same(&mut ours, &mut library, &chunk.escape_ascii().to_string());
            if random.one_in(100) {
                let size = random_size(&mut random);
                ours.resize(size);
                library.term.resize(GridSize(size));
            }
        }
        fed += bytes.len();
    }
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
        let mut whole = Alacritty::new(size, EmulatorOptions::default());
        whole.feed(&bytes);
        let mut cut = Alacritty::new(size, EmulatorOptions::default());
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

/// A read of the screen converts only the rows that the grid reports as damaged; they must include
/// all changes.
#[test]
fn an_incremental_read_equals_a_full_read() {
    let mut random = Random::new(3);
    for _ in 0..if full() { 1000 } else { 100 } {
        let size = random_size(&mut random);
        let mut emulator = Alacritty::new(size, EmulatorOptions::default());
        for _ in 0..40 {
            let length = 1 + random.below(60);
            let bytes = stream::grammar(&mut random, length);
            emulator.feed(&bytes);
            emulator.end_synchronized();
            let changed = emulator.screen();
            emulator.terminal.grid_reader = GridReader::default();
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
