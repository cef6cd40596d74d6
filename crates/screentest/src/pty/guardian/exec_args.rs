//! Launch data of a program, passed to its supervisor in memory that both can map.
//!
//! The host lays everything out as `execve` needs it, with offsets in place of pointers. The
//! supervisor, which may not allocate, only adds its own base address to them.
//!
//! ```text
//! words   4 numbers: how many argv and envp pointers, where the path and the directory are
//!         argv: "/bin/sh", program, arguments…, 0
//!         envp: variables…, 0
//! bytes   the strings, each with its NUL
//! ```

use std::ffi::{CStr, CString, c_char};
use std::os::fd::OwnedFd;
use std::ptr;

use rustix::fs::{MemfdFlags, fstat, memfd_create};
use rustix::io::Errno;

use super::{AsRawFd, Launch};

const WORD: usize = size_of::<usize>();

/// Writes the launch data into a file in memory.
pub(super) fn pack(launch: &Launch) -> Result<OwnedFd, Errno> {
    let shell = c"/bin/sh";
    let argv = || std::iter::once(shell).chain(launch.argv.iter().map(CString::as_c_str));
    let envp = || launch.envp.iter().map(CString::as_c_str);
    let (arguments, variables) = (argv().count(), envp().count());

    let words = 4 + arguments + 1 + variables + 1;
    let mut head: Vec<usize> = Vec::with_capacity(words);
    let mut strings: Vec<u8> = Vec::new();
    let mut append = |string: &CStr| {
        let offset = words * WORD + strings.len();
        strings.extend_from_slice(string.to_bytes_with_nul());
        offset
    };
    head.extend([arguments, variables]);
    head.extend([append(&launch.path), append(&launch.cwd)]);
    head.extend(argv().map(&mut append));
    head.push(0);
    head.extend(envp().map(&mut append));
    head.push(0);

    let mut bytes: Vec<u8> = head.into_iter().flat_map(usize::to_ne_bytes).collect();
    bytes.extend(strings);
    let file = memfd_create(c"screentest", MemfdFlags::CLOEXEC)?;
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        match rustix::io::write(&file, rest) {
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(file)
}

/// Launch data as `execve` needs it. The pointers are valid as long as the mapping, that is, until
/// the process is gone or [`ExecArgs::discard`] is called.
pub(super) struct ExecArgs {
    map: *mut libc::c_void,
    length: usize,
    pub(super) path: *const c_char,
    pub(super) cwd: *const c_char,
    /// `/bin/sh`, the program's name, its arguments, null. The list without the shell starts at the
    /// second entry.
    pub(super) argv: *mut *const c_char,
    pub(super) envp: *const *const c_char,
}

impl ExecArgs {
    /// Maps the file that [`pack`] wrote.
    pub(super) fn open(file: &OwnedFd) -> Result<ExecArgs, Errno> {
        let length = usize::try_from(fstat(file)?.st_size).unwrap_or_default();
        // SAFETY: a fresh private mapping of a file that is not changed any more; its length is the
        // file's own.
        let map = unsafe {
            libc::mmap(
                ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE,
                file.as_raw_fd(),
                0,
            )
        };
        if map == libc::MAP_FAILED {
            return Err(super::guardian_process::errno());
        }
        let head = map.cast::<usize>();
        // SAFETY: `pack` laid out this many words, at a page's alignment, and each offset lies
        // inside the mapping; adding the base to an offset makes it a pointer into the mapping, and
        // a pointer is as wide as a word.
        unsafe {
            let string = |offset: usize| map.byte_add(offset).cast::<c_char>().cast_const();
            let (arguments, variables) = (*head, *head.add(1));
            let argv = head.add(4);
            let envp = argv.add(arguments.wrapping_add(1));
            for list in [(argv, arguments), (envp, variables)] {
                let mut index = 0;
                while index < list.1 {
                    let word = list.0.add(index);
                    word.cast::<*const c_char>().write(string(*word));
                    index = index.wrapping_add(1);
                }
            }
            Ok(ExecArgs {
                map,
                length,
                path: string(*head.add(2)),
                cwd: string(*head.add(3)),
                argv: argv.cast(),
                envp: envp.cast::<*const c_char>().cast_const(),
            })
        }
    }

    /// Unmaps the memory.
    pub(super) fn discard(self) {
        // SAFETY: the mapping is owned by `self`, which alone has pointers into it and ends here.
        unsafe { libc::munmap(self.map, self.length) };
    }
}
