//! Programs in real terminals, one layer below sessions.

mod driver;
mod ends;
mod starts;
