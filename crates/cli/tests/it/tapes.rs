//! The commands around tapes: `validate`, `fmt`, `new`, `completions`.

mod fmt;
mod new;
mod validate;
