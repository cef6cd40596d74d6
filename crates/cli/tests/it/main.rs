//! The built tool, run as a person or a script would.

mod cassette;
mod convert;
mod defaults;
mod dub;
mod files;
mod formats;
mod garbage;
mod gone;
mod help;
mod impersonate;
mod leftovers;
mod mcp;
mod picture;
mod pipes;
mod readme;
mod record;
mod render;
mod replay;
mod review;
mod server;
mod steps;
mod terminal;
mod themes;
mod tool;
mod usage;
