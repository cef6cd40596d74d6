//! Programs in PTYs, below sessions.

mod cleanup;
mod direct;
mod driver;
mod idle;
mod spawn;
