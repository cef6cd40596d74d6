//! Runs a tape: checks it, performs its steps on a recorded session, and makes its outputs.
//!
//! ```text
//! script ─► preflight ─► runner ─► step (by scheduler) ─► session, recorded
//!                           └────► outputs ◄─ overlay ◄─ the cassette
//! ```

mod annotations;
mod appearance;
pub(crate) mod options;
mod outputs;
mod paths;
mod preflight;
pub(crate) mod result;
pub(crate) mod runner;
mod scheduler;
pub(crate) mod script;
mod shells;
mod step;
