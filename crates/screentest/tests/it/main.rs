//! Real programs, driven through the library as its users drive them.

mod busy;
mod programs;
mod pty;
mod rounds;
mod sessions;
