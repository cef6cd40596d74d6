//! The commands that record, replay and inspect.

mod cassette_commands;
mod impersonate;
mod record;
mod recorded_tapes;
mod recover;
mod replay;
mod tampered_cassettes;
