//! What goes wrong around the tool: disks that are full or may only be read, limits of the system, programs that stand still, a wall clock that jumps.
//!
//! Each test says what is expected of us then. docs/reliability.md lists them, with those that stand where they belong otherwise.

mod clock;
mod disk_full;
mod memory;
mod read_only;
mod stopped;
