//! Target: both emulator backends, with split input, resizes and queries.
//!
//! - A backend gives the same screen, replies and notes however the bytes are split.
//! - A screen has the requested size, its cursor is on it, a wide character is followed by its
//!   second half, and scrollback exceeds its limit by at most one screen.
//! - Reading or dumping the state does not change it. A dump is valid input.
//! - After a reset, each backend is a working terminal again.
//! - Streams of features that both support show the same text in both.
//!
//! An input whose first byte is below 128 is a stream: two bytes for the size, then program output.
//! `FF` in it begins an operation, which the next byte selects. An input with another first byte
//! selects pieces of output that both backends support.
//!
//! See also: `backends/agreement.rs` (those pieces), `backends/differences.rs` (known differences).

use screentest_core::emulator::{Emulator, EmulatorOptions, TransientScreens};
use screentest_core::{Backend, Row, Size, Width};

use crate::budget::Budget;

mod agreement;
pub mod differences;

/// Small, so that the limit is reached.
const SCROLLBACK: usize = 20;

/// Feeds both backends.
pub fn check(bytes: &[u8]) {
    match bytes {
        [first @ 0..128, second, stream @ ..] => {
            let size = size(*first, *second);
            for backend in Backend::ALL {
                check_stream(backend, size, stream);
            }
        }
        [128..=255, choices @ ..] => agreement::check(choices),
        _ => {}
    }
}

/// Mostly small sizes, so that a few bytes reach every edge.
fn size(cols: u8, rows: u8) -> Size {
    Size {
        cols: match cols % 128 {
            127 => 500,
            cols => 2 + u16::from(cols) % 40,
        },
        rows: match rows {
            255 => 200,
            rows => 1 + u16::from(rows) % 12,
        },
    }
}

fn emulator(
    backend: Backend,
    size: Size,
    transient_screens: TransientScreens,
) -> Box<dyn Emulator> {
    let options = EmulatorOptions {
        scrollback: SCROLLBACK,
        transient_screens,
        ..EmulatorOptions::default()
    };
    backend.emulator(size, options)
}

/// An operation between two chunks of bytes.
enum Operation {
    Resize(Size),
    Look,
    Dump,
    EndSynchronized,
    TakeTransientScreens,
}

/// Splits off a chunk of bytes and the operation after it.
fn next_chunk(stream: &[u8]) -> (&[u8], Option<Operation>, &[u8]) {
    let Some(mark) = stream.iter().position(|byte| *byte == 0xff) else {
        return (stream, None, &[]);
    };
    let (bytes, rest) = stream.split_at(mark);
    match rest {
        [_, b'r', cols, rows, rest @ ..] => {
            (bytes, Some(Operation::Resize(size(*cols, *rows))), rest)
        }
        [_, b'l', rest @ ..] => (bytes, Some(Operation::Look), rest),
        [_, b'p', rest @ ..] => (bytes, Some(Operation::Dump), rest),
        [_, b's', rest @ ..] => (bytes, Some(Operation::EndSynchronized), rest),
        [_, b'g', rest @ ..] => (bytes, Some(Operation::TakeTransientScreens), rest),
        // `FF`, which is not valid in UTF-8, is fed as it is.
        [_, rest @ ..] => (&stream[..=mark], None, rest),
        [] => (bytes, None, rest),
    }
}

fn check_stream(backend: Backend, mut size: Size, mut stream: &[u8]) {
    let mut budget = Budget::new();
    let mut whole = emulator(backend, size, TransientScreens::Keep);
    let mut cut = emulator(backend, size, TransientScreens::Drop);
    while !stream.is_empty() {
        let (bytes, operation, rest) = next_chunk(stream);
        stream = rest;
        let fed = budget.feed(&mut *whole, bytes);
        for byte in &bytes[..fed] {
            cut.feed(std::slice::from_ref(byte));
        }
        if budget.is_spent() {
            break;
        }
        match operation {
            None => {}
            Some(Operation::Resize(other)) => {
                size = other;
                whole.resize(size);
                cut.resize(size);
            }
            Some(Operation::Look) => assert_same(&mut *whole, &mut *cut, size),
            Some(Operation::Dump) => check_dump(backend, &mut *whole, size),
            Some(Operation::EndSynchronized) => {
                whole.end_synchronized();
                cut.end_synchronized();
            }
            Some(Operation::TakeTransientScreens) => {
                assert!(whole.take_transient_screens().len() <= 1024);
            }
        }
    }
    assert_same(&mut *whole, &mut *cut, size);
    for emulator in [&mut whole, &mut cut] {
        emulator.end_synchronized();
    }
    assert_same(&mut *whole, &mut *cut, size);
    // CAN and ST end unfinished sequences.
    whole.feed(b"\x18\x1b\\\x1bcok");
    assert_eq!(whole.screen().picture(), "ok|\n");
}

/// Checks that two emulators, fed with the same bytes, are in the same state.
fn assert_same(whole: &mut dyn Emulator, cut: &mut dyn Emulator, size: Size) {
    let state = whole.state(usize::MAX);
    assert_eq!(state, cut.state(usize::MAX));
    assert_eq!(whole.take_replies(), cut.take_replies());
    // Only one of them keeps transient screens, and loses those beyond its limit.
    let mut notes = whole.notes().clone();
    notes.screens_lost = cut.notes().screens_lost;
    assert_eq!(&notes, cut.notes());
    assert_eq!(whole.state(usize::MAX), state);
    let screen = &state.screen;
    assert_eq!(screen.size, size);
    assert_eq!(screen.rows.len(), usize::from(size.rows));
    assert!(screen.cursor.position.row < usize::from(size.rows));
    assert!(screen.cursor.position.col < usize::from(size.cols));
    assert!(state.scrollback.len() <= SCROLLBACK + usize::from(size.rows));
    for row in screen.rows.iter().chain(&state.scrollback) {
        check_row(row, size);
    }
}

/// Checks that a row is not wider than the screen and that every wide character has its second
/// half.
fn check_row(row: &Row, size: Size) {
    assert!(row.len() <= usize::from(size.cols));
    let mut before = Width::Narrow;
    for cell in row.cells() {
        assert_eq!(
            cell.width == Width::Spacer,
            before == Width::Wide,
            "{row:?}"
        );
        before = cell.width;
    }
    assert_ne!(before, Width::Wide, "{row:?}");
    assert!(row.text().chars().count() <= 17 * row.len());
}

fn check_dump(backend: Backend, one: &mut dyn Emulator, size: Size) {
    let shown = one.state(usize::MAX);
    let dump = one.dump(SCROLLBACK);
    assert_eq!(one.state(usize::MAX), shown);
    let mut other = emulator(backend, size, TransientScreens::Drop);
    other.feed(&dump);
    assert_eq!(other.screen().size, size);
}
