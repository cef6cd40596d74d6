//! Real programs, driven through the library as its users drive them.

mod alone;
mod busy;
mod cassettes;
mod conformance;
mod desk;
mod faults;
mod impersonated;
mod owned_terminal;
mod pending;
#[cfg(feature = "render")]
mod pictures;
mod processes;
mod project;
mod pty;
mod recorded;
mod rounds;
mod secrets;
mod seed;
mod sessions;
mod tui;
