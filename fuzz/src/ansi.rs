//! Target: the loader of ANSI snapshots and of raw program output.
//!
//! - At any size, reading, writing and reading again gives the same screen, apart from documented
//!   losses.
//! - Writing it again gives the same text.
//! - `fitting` returns a size that is at least as large as requested, and the round trips work at
//!   that size too.
//! - The metadata file survives a round trip.

use screentest_core::Size;
use screentest_core::formats::ansi::{Meta, fitting, read, reduce, write};

/// The usual size, the smallest, and one at which most lines wrap.
const SIZES: [Size; 3] = [
    Size { cols: 80, rows: 24 },
    Size { cols: 2, rows: 1 },
    Size { cols: 11, rows: 5 },
];

/// Maximum number of cells of a tested screen: larger screens exercise the same code, but slowly.
const MAX_CELLS: usize = 40_000;

/// Reads the bytes as a snapshot and as a metadata file.
pub fn check(bytes: &[u8]) {
    for size in SIZES {
        round(bytes, size);
        let Some(larger) = fitting(bytes, size) else {
            continue;
        };
        assert!(larger.cols >= size.cols && larger.rows >= size.rows);
        if larger != size && usize::from(larger.cols) * usize::from(larger.rows) <= MAX_CELLS {
            round(bytes, larger);
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(meta) = Meta::parse(text)
    {
        assert_eq!(
            Meta::parse(meta.to_string()).expect("written data can be read"),
            meta
        );
    }
}

fn round(bytes: &[u8], size: Size) {
    let screen = read(bytes, size);
    assert_eq!(screen.size, size);
    assert_eq!(screen.rows.len(), usize::from(size.rows));
    let written = write(&screen);
    let again = read(written.as_bytes(), size);
    let reduced = reduce(&screen);
    assert_eq!(again.rows, reduced.rows, "{written:?}");
    assert_eq!(again, reduced);
    assert_eq!(write(&again), written);
}
