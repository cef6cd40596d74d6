//! Drops the memory that a fork of the host does not need.
//!
//! Every fork copies the page tables of all memory that was ever touched, and the kernel's OOM
//! killer counts each copy as large as its host. The guardian therefore drops the large regions of
//! its copy once, so that its own forks are small and quick. The host's memory is not touched.

use std::ptr;

use rustix::fs::{Mode, OFlags, open};

/// Smaller regions are kept: they cost little, and some belong to the C library.
const LARGE: usize = 256 * 1024;

/// Drops every large private anonymous region of memory, except for the stack and the thread-local
/// storage of the running thread.
pub(super) fn drop() {
    let Ok(maps) = open(c"/proc/self/maps", OFlags::RDONLY, Mode::empty()) else {
        return;
    };
    let here = 0_u8;
    // SAFETY: always returns an address, in the thread-local storage.
    let storage = unsafe { libc::__errno_location() };
    let needed = [ptr::from_ref(&here).addr(), storage.addr()];

    let mut line = MapsLine::default();
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = rustix::io::read(&maps, &mut buffer) {
        for byte in buffer.get(..length).unwrap_or_default() {
            if *byte != b'\n' {
                line.push(*byte);
                continue;
            }
            if let Some((start, end)) = std::mem::take(&mut line).anonymous()
                && end.saturating_sub(start) >= LARGE
                && !needed.iter().any(|address| (start..end).contains(address))
            {
                let piece = ptr::with_exposed_provenance_mut(start);
                // SAFETY: the region stays mapped and reads as zeros. It holds the host's heap and
                // other threads' stacks, none of which this process accesses again.
                unsafe { libc::madvise(piece, end - start, libc::MADV_DONTNEED) };
            }
        }
    }
}

/// The beginning of a line such as `7f00-7f80 rw-p 00000000 00:00 0    [heap]`.
struct MapsLine {
    bytes: [u8; 128],
    length: usize,
}

impl Default for MapsLine {
    fn default() -> MapsLine {
        MapsLine {
            bytes: [0; 128],
            length: 0,
        }
    }
}

impl MapsLine {
    fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.length) {
            *slot = byte;
            self.length += 1;
        }
    }

    /// Returns the address range, if it is private writable memory without a file.
    fn anonymous(&self) -> Option<(usize, usize)> {
        let mut words = self
            .bytes
            .get(..self.length)?
            .split(|byte| *byte == b' ')
            .filter(|word| !word.is_empty());
        let mut range = words.next()?.split(|byte| *byte == b'-');
        let (start, end) = (hexadecimal(range.next()?)?, hexadecimal(range.next()?)?);
        let private = words.next()?.starts_with(b"rw-p");
        let no_file = words.nth(2)? == b"0";
        let name = words.next().unwrap_or_default();
        (private && no_file && (name.is_empty() || name == b"[heap]")).then_some((start, end))
    }
}

fn hexadecimal(digits: &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for digit in digits {
        let digit = char::from(*digit).to_digit(16)?;
        number = number.checked_mul(16)?.checked_add(digit as usize)?;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(usize, usize)>) {
        let mut line = MapsLine::default();
        text.bytes().for_each(|byte| line.push(byte));
        assert_eq!(line.anonymous(), expected);
    }

    #[test]
    fn only_private_memory_without_a_file_is_dropped() {
        let range = Some((0x7f0e_0000, 0x7f10_0000));
        check("7f0e0000-7f100000 rw-p 00000000 00:00 0 ", range);
        check("7f0e0000-7f100000 rw-p 00000000 00:00 0      [heap]", range);
        check("7f0e0000-7f100000 rw-p 00000000 00:00 0      [stack]", None);
        check(
            "7f0e0000-7f100000 rw-s 00000000 00:01 9      /memfd:x",
            None,
        );
        check("7f0e0000-7f100000 rw-s 00000000 00:00 0 ", None);
        check("7f0e0000-7f100000 r-xp 00000000 00:00 0      [vdso]", None);
        check(
            "7f0e0000-7f100000 rw-p 00001000 fe:00 1234   /usr/bin/x",
            None,
        );
        check("", None);
        check(&"7".repeat(500), None);
    }
}
