//! Real programs, driven through the library as its users drive them.

mod busy;
mod pending;
mod programs;
mod project;
mod pty;
mod rounds;
mod sessions;
