//! Target: the readers of the live stream, in Rust and in the page.
//!
//! - A message is read, or rejected with the offset of the error.
//! - A message that does not fit the viewer's screen is rejected and leaves the screen unchanged.
//!   Otherwise the screen has its previous size or the size in the message, and can be sent on as a
//!   keyframe with the same contents.
//! - The page's reader, `crates/server/page/protocol/stream.js`, rejects the same messages at the
//!   same offset, and shows the same.
//!
//! An input is one message. A delta is applied to a screen with the revision that it names.
//!
//! See also: `stream/page.rs` (running the page's reader).

use screentest_core::emulator::EmulatorOptions;
use screentest_core::formats::stream::{StreamBody, Viewer, WireScreen, apply, decode, keyframe};
use screentest_core::{Backend, Screen, Size};

mod page;

/// Reads the bytes as a message.
pub fn check(bytes: &[u8]) {
    let message = match decode(bytes) {
        Ok(message) => message,
        Err(error) => {
            assert!(error.offset() <= bytes.len(), "{error}");
            page::check(0, None, bytes, &Err(page::Refused::At(error.offset())));
            return;
        }
    };
    let channel = message.channel;
    let base = match &message.body {
        StreamBody::Delta { base, .. } => {
            Some(keyframe(channel, *base, &WireScreen::new(screen(), 3)))
        }
        _ => None,
    };
    let mut view = Viewer::new(channel);
    if let Some(base) = &base {
        let first = decode(base).expect("written data can be read");
        apply(&mut view, first).expect("a keyframe fits always");
    }
    let before = view.clone();
    let applied = match apply(&mut view, message) {
        Err(_) => {
            assert_eq!(view, before);
            Err(page::Refused::Unfit)
        }
        Ok(()) => {
            if let Some(seen) = view.seen() {
                sent_on(seen);
            }
            Ok(&view)
        }
    };
    page::check(channel, base.as_deref(), bytes, &applied);
}

/// Returns a screen with a wide character, combining marks, a style and a link.
fn screen() -> Screen {
    let size = Size { cols: 9, rows: 3 };
    let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    emulator.feed("ab\x1b[31mc\x1b[m\r\n界e\u{301}\r\n\x1b]8;;x:y\x07link\x1b]8;;\x07".as_bytes());
    emulator.screen()
}

fn sent_on(seen: &WireScreen) {
    let screen = seen.screen();
    assert_eq!(screen.rows.len(), usize::from(screen.size.rows));
    let cols = usize::from(screen.size.cols);
    assert!(screen.rows.iter().all(|row| row.len() <= cols));
    let mut other = Viewer::new(1);
    let again = decode(&keyframe(1, 1, seen)).expect("written data can be read");
    apply(&mut other, again).expect("a keyframe fits always");
    assert_eq!(other.seen(), Some(seen));
}
