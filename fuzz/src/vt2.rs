//! Target: the reader of binary snapshots.
//!
//! - A snapshot that can be read strictly gives the same screen when it is read leniently.
//! - Writing a snapshot that was read, with either header, and reading it strictly gives the same
//!   contents; nothing is cut.
//! - The screen has the size in the header, and its cursor is on it.
//! - An error has an offset within the bytes.

use screentest_core::Palette;
use screentest_core::Screen;
use screentest_core::formats::vt2::{
    HeaderLength, Strictness, Vt2Error, decode, decode_rows, encode, encode_rows, reduce,
};

/// Reads the bytes as a snapshot.
pub fn check(bytes: &[u8]) {
    let strict = decode(bytes, Strictness::Strict);
    let lenient = decode(bytes, Strictness::Lenient);
    if strict.is_ok() {
        assert_eq!(strict, lenient);
    }
    for read in [strict, lenient] {
        match read {
            Ok(screen) => written(&screen),
            Err(error) => placed(&error, bytes),
        }
    }
    for reading in [Strictness::Strict, Strictness::Lenient] {
        match decode_rows(bytes, reading) {
            Ok((window, rows)) => {
                let again = encode_rows(&rows, &Palette::default(), window, HeaderLength::Full);
                assert_eq!(again.cut, 0);
                // The written bytes are read the same in both modes.
                for reading in [Strictness::Strict, Strictness::Lenient] {
                    let read = decode_rows(&again.bytes, reading);
                    assert_eq!(read, Ok((window, rows.clone())));
                }
            }
            Err(error) => placed(&error, bytes),
        }
    }
}

fn written(screen: &Screen) {
    let rows = usize::from(screen.size.rows);
    assert_eq!(screen.rows.len(), rows);
    assert!(screen.cursor.position.row < rows);
    assert!(screen.cursor.position.col < usize::from(screen.size.cols));
    let reduced = reduce(screen);
    assert_eq!(reduced.rows, screen.rows);
    for header in [HeaderLength::Full, HeaderLength::Short] {
        let encoded = encode(screen, header);
        assert_eq!(encoded.cut, 0);
        let read = decode(&encoded.bytes, Strictness::Strict);
        assert_eq!(read.as_ref(), Ok(&reduced));
    }
}

fn placed(error: &Vt2Error, bytes: &[u8]) {
    let offset = match error {
        Vt2Error::Truncated { offset, .. }
        | Vt2Error::ZeroCount { offset }
        | Vt2Error::PastLastRow { offset, .. }
        | Vt2Error::WithinRow { offset, .. }
        | Vt2Error::Mark { offset, .. }
        | Vt2Error::FirstByte { offset, .. }
        | Vt2Error::Length { offset, .. }
        | Vt2Error::Utf8 { offset, .. }
        | Vt2Error::Trailing { offset, .. } => *offset,
        _ => 0,
    };
    assert!(offset <= bytes.len(), "{error}");
}
