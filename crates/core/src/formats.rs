//! File and wire formats: screens and recordings as bytes, and back.
//!
//! Each format has its own structs, separate from the ones in memory, and a page in
//! `docs/formats/`. Formats of a single screen have a function `reduce` that returns the part of a
//! screen that the format can store. The same screen always gives the same bytes. No input makes a
//! parser panic or allocate memory beyond what the format allows.
//!
//! | | |
//! |---|---|
//! | [`ansi`] | text with colours that `cat` shows and that diffs row by row |
//! | `asciicast` | timed output of a program, as asciinema records it: versions 1 to 3 |
//! | `assertions` | the text and state that a cassette must show, and when |
//! | [`cassette`] | a recorded session: output, input and frames, with their times |
//! | [`state_json`] | a screen and its scrollback as readable JSON: text, spans, styles |
//! | `stream` | updates for a live viewer: whole screens, and the changes since |
//! | `vt2` | compact binary snapshot: text, sixteen million colours, seven attributes |
//!
//! Formats without a link are part of the feature `all-formats`.
//!
//! Nothing here opens a file or a socket; callers store and send the bytes.

pub mod ansi;
#[cfg(feature = "all-formats")]
pub mod asciicast;
#[cfg(feature = "all-formats")]
pub mod assertions;
pub mod cassette;
pub mod paint;
pub(crate) mod palette_json;
pub mod state_json;
#[cfg(feature = "all-formats")]
pub mod stream;
#[cfg(feature = "all-formats")]
pub mod vt2;
