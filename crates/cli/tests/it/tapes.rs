//! Commands for writing tapes: `validate`, `fmt`, `new`.

mod fmt;
mod new;
mod validate;
