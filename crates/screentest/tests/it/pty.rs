//! Programs in real terminals, one layer below sessions.

mod direct;
mod driver;
mod ends;
mod idle;
mod starts;
