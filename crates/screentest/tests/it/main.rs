//! Real programs, driven through the library as its users drive them.

mod pty;
mod sessions;
