//! Target: the reader of binary snapshots.
//!
//! - A snapshot that is read strictly is read leniently as the same.
//! - A snapshot that was read is written and strictly read as the same, with either header; nothing
//!   is cut.
//! - The screen has the size in the header, and its cursor is on it.
//! - An error has an offset within the bytes.

use screentest_core::Screen;
use screentest_core::formats::vt2::{
    DecodeError, Header, Reading, decode, decode_rows, encode, encode_rows, reduce,
};

/// Reads the bytes as a snapshot.
pub fn check(bytes: &[u8]) {
    let strict = decode(bytes, Reading::Strict);
    let lenient = decode(bytes, Reading::Lenient);
    if strict.is_ok() {
        assert_eq!(strict, lenient);
    }
    for read in [strict, lenient] {
        match read {
            Ok(screen) => written(&screen),
            Err(error) => placed(&error, bytes),
        }
    }
    for reading in [Reading::Strict, Reading::Lenient] {
        match decode_rows(bytes, reading) {
            Ok((window, rows)) => {
                let again = encode_rows(&rows, window, Header::Full);
                assert_eq!(again.cut, 0);
                // The written bytes are read the same in both modes.
                for reading in [Reading::Strict, Reading::Lenient] {
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
    for header in [Header::Full, Header::Short] {
        let encoded = encode(screen, header);
        assert_eq!(encoded.cut, 0);
        let read = decode(&encoded.bytes, Reading::Strict);
        assert_eq!(read.as_ref(), Ok(&reduced));
    }
}

fn placed(error: &DecodeError, bytes: &[u8]) {
    let offset = match error {
        DecodeError::Truncated { offset, .. }
        | DecodeError::ZeroCount { offset }
        | DecodeError::Beyond { offset, .. }
        | DecodeError::WithinRow { offset, .. }
        | DecodeError::Mark { offset, .. }
        | DecodeError::FirstByte { offset, .. }
        | DecodeError::Length { offset, .. }
        | DecodeError::Utf8 { offset, .. }
        | DecodeError::Trailing { offset, .. } => *offset,
        _ => 0,
    };
    assert!(offset <= bytes.len(), "{error}");
}
