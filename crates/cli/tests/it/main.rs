//! The built tool, run as a person or a script would.

mod defaults;
mod formats;
mod leftovers;
mod steps;
mod tool;
mod usage;
