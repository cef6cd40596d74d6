//! Commands that record, replay and inspect sessions.

mod cassette_commands;
mod impersonate;
mod record;
mod recorded_tapes;
mod recover;
mod replay;
mod tampered_cassettes;
