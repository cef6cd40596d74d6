//! Programs in real terminals, one layer below sessions.

mod cleanup;
mod direct;
mod driver;
mod idle;
mod spawn;
