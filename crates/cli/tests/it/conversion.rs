//! `screentest convert`.

mod garbage;
mod recordings;
mod screens;
