//! Screens as bytes, and back.
//!
//! Each format has structs of its own, apart from the ones in memory, a page in `docs/formats/`, and a function
//! `reduce` that says what is left of a screen once the format has held it. The same screen always gives the same bytes,
//! and no bytes make a reader panic or take memory beyond what the format allows.
//!
//! | | |
//! |---|---|
//! | [`ansi`] | text with colours that `cat` shows and that diffs row by row |
//! | [`asciicast`] | what a program wrote, with the times: read only |
//! | [`assertions`] | what a cassette must show, and when |
//! | [`cassette`] | a session kept: what was written, typed and shown, with the times |
//! | [`state_json`] | a screen and its scrollback as readable JSON: text, spans, styles in a theme's colours |
//! | [`stream`] | what a viewer is sent while a program runs: whole screens, and what changed since |
//! | [`vt2`] | compact binary snapshot: text, sixteen million colours, seven attributes |
//!
//! Elsewhere: where such bytes are kept or sent. Nothing here opens a file.

pub mod ansi;
pub mod asciicast;
pub mod assertions;
pub mod cassette;
pub mod paint;
pub mod state_json;
pub mod stream;
pub mod vt2;
