//! A faster inspection of the most common case: the program has no other processes, one thread, and
//! reads the terminal.
//!
//! The files of `/proc` that show this are opened while the program starts, and kept open. An
//! inspection then takes a third of the time of a complete one: 10 instead of 31 µs for a shell.
//! The first inspection takes 90 µs. Auto-wait makes at least one inspection before most inputs.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use super::call::{self, BlockedCall};
use super::process::{Device, has_open};
use crate::pty::{Activity, Waiting};

/// A program that may be the only process below its supervisor.
#[derive(Debug)]
pub(in crate::pty) struct SoleProgram {
    id: u32,
    /// The children of the supervisor.
    siblings: File,
    children: File,
    syscall: File,
}

impl SoleProgram {
    /// Opens its files. Returns `None` if the system does not have them.
    pub(in crate::pty) fn open(supervisor: u32, program: u32) -> Option<SoleProgram> {
        let open = |process: u32, name: &str| {
            File::open(format!("/proc/{process}/task/{process}/{name}")).ok()
        };
        Some(SoleProgram {
            id: program,
            siblings: open(supervisor, "children")?,
            children: open(program, "children")?,
            syscall: open(program, "syscall")?,
        })
    }

    /// Returns the activity if the program is the only process, and runs or is blocked in a read of
    /// the terminal. `None` means that a complete inspection is necessary.
    pub(super) fn activity(
        &self,
        group: u32,
        terminal: Device,
        edits_lines: bool,
    ) -> Option<Activity> {
        let is_alone = group == self.id
            && read(&self.siblings).ok()?.trim() == self.id.to_string()
            && read(&self.children).ok()?.trim().is_empty()
            && threads(self.id)? == 1;
        if !is_alone {
            return None;
        }
        match call::read(&read(&self.syscall).ok()?, |_| None) {
            BlockedCall::Running => Some(Activity::Busy),
            // A read has no timer and no other file.
            BlockedCall::Read { file } if has_open(self.id, file, terminal) => {
                Some(Activity::Waiting(Waiting {
                    state: DefaultHasher::new().finish(),
                    text_at_once: edits_lines,
                    ..Waiting::default()
                }))
            }
            _ => None,
        }
    }
}

/// Returns the number of threads of a process: the link count of a directory minus two.
fn threads(process: u32) -> Option<u64> {
    let directory = fs::metadata(format!("/proc/{process}/task")).ok()?;
    directory.nlink().checked_sub(2)
}

/// Reads a small file from its start.
fn read(file: &File) -> io::Result<String> {
    let mut buffer = [0; 256];
    let count = file.read_at(&mut buffer, 0)?;
    Ok(String::from_utf8_lossy(&buffer[..count]).into_owned())
}
