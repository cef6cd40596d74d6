//! Failures of the environment: full and read-only disks, system limits, stopped programs, a
//! changing wall clock.
//!
//! Each test documents the expected behaviour. docs/reliability.md lists them, together with those
//! in other modules.

mod clock;
mod disk_full;
mod memory;
mod read_only;
mod special_files;
mod stopped;
