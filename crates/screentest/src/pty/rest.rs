//! Whether a program waits for input, or is stopped, as far as the Linux kernel tells.
//!
//! It waits when the terminal holds nothing for it to read, every thread of the foreground's processes is asleep, and one of them
//! in a call that waits for input. No event says so, so whoever wants to know looks again: the only place here where somebody has
//! to. What the kernel does not tell, as where `/proc` is hidden, is [`Activity::Unknown`] and never a guess.
//!
//! Elsewhere: how often it is looked at, and what is done where nothing is known (`session/settling.rs`).

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::master::Master;
use super::{Activity, LineFlags};

/// How many processes are looked at. Who runs more in a terminal's foreground builds something, and waits for nobody.
const MOST: usize = 256;

/// `/dev/tty`, which stands for whatever terminal a process has.
const ANY_TERMINAL: u64 = 5 << 8;

/// What the foreground of a terminal is doing, whose first program is this.
pub(super) fn look(master: &Master, program: u32) -> Activity {
    activity(master, program).unwrap_or(Activity::Unknown)
}

fn activity(master: &Master, program: u32) -> Option<Activity> {
    // Before the processes: one that has taken its input may be at work already, and is seen to be.
    let terminal = match master.input_for_program()? {
        Input::Waits => return Some(Activity::Busy),
        Input::None { terminal } => terminal,
    };
    let group = master.foreground()?;
    // In a terminal that edits lines, a program reads one. What polls there polls something else, such as a network.
    let edits_lines = master.line()?.now.flags.contains(LineFlags::ICANON);
    let mut waits = false;
    let Foreground::Of(processes) = foreground(program, group)? else {
        return Some(Activity::Busy);
    };
    for process in processes {
        // What ended meanwhile leaves nothing to be told of.
        for thread in numbers(&format!("/proc/{process}/task")).unwrap_or_default() {
            match call(process, thread) {
                Call::Read(file) => waits |= is_terminal(process, file, terminal),
                Call::Poll => waits |= !edits_lines,
                Call::Other => {}
                Call::Sleep | Call::None => return Some(Activity::Busy),
                Call::Unknown => return None,
            }
        }
    }
    Some(match waits {
        true => Activity::Waiting,
        false => Activity::Busy,
    })
}

/// Whether a program, or what it has in the terminal's foreground, is stopped. What a shell has put into the background may well be.
pub(super) fn is_stopped(master: &Master, program: u32) -> bool {
    let stops = |process: u32| stat(process).is_some_and(|stat| stat.state == 'T');
    let group = || foreground(program, master.foreground()?);
    stops(program)
        || match group() {
            Some(Foreground::Of(processes)) => processes.into_iter().any(stops),
            Some(Foreground::TooMany) | None => false,
        }
}

/// Whether there is input that the program has not read.
pub(super) enum Input {
    /// There is.
    Waits,
    /// There is none, in the terminal of this number.
    None { terminal: u64 },
}

/// What runs in the foreground.
enum Foreground {
    Of(Vec<u32>),
    TooMany,
}

/// The processes of the foreground: of the program, its descendants, and what they left to whoever started the program. What has ended and was not
/// asked how is no process any more.
fn foreground(program: u32, group: u32) -> Option<Foreground> {
    let Stat { parent, .. } = stat(program)?;
    let mut found = Vec::new();
    let mut left = vec![parent];
    let mut seen = 0;
    while let Some(process) = left.pop() {
        seen += 1;
        if seen > MOST {
            return Some(Foreground::TooMany);
        }
        let threads = match numbers(&format!("/proc/{process}/task")) {
            Ok(threads) => threads,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(_) => return None,
        };
        for thread in threads {
            let children = format!("/proc/{process}/task/{thread}/children");
            match fs::read_to_string(children) {
                Ok(children) => {
                    left.extend(children.split_whitespace().flat_map(str::parse::<u32>));
                }
                // What has ended meanwhile has no children; a kernel that does not list any has no such file for those that run.
                Err(_) if thread == process && stat(process).is_some() => return None,
                Err(_) => {}
            }
        }
        let is_its = |stat: Stat| stat.group == group && !matches!(stat.state, 'Z' | 'X');
        if process != parent && stat(process).is_some_and(is_its) {
            found.push(process);
        }
    }
    Some(Foreground::Of(found))
}

/// Some of what `proc(5)` lists for `stat`.
struct Stat {
    state: char,
    parent: u32,
    group: u32,
}

/// Reads it, from behind the name, which may hold anything.
fn stat(process: u32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    Some(Stat {
        state: fields.next()?.chars().next()?,
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
    })
}

/// What a thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    /// What a file has to read.
    Read(u64),
    /// Something to happen to files.
    Poll,
    /// A time.
    Sleep,
    /// Something else, such as another thread.
    Other,
    /// Nothing: it runs.
    None,
    /// The kernel does not say.
    Unknown,
}

fn call(process: u32, thread: u32) -> Call {
    match fs::read_to_string(format!("/proc/{process}/task/{thread}/syscall")) {
        Ok(text) => read_call(&text),
        // It ended.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Call::Other,
        // Of one that is ending the kernel says that there is no such process.
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Call::Other,
        Err(_) => Call::Unknown,
    }
}

/// Reads the line of `syscall`: `running`, or the number of a call and what it was given, each in hexadecimal.
fn read_call(text: &str) -> Call {
    let mut words = text.split_whitespace();
    let Some(number) = words.next().filter(|word| *word != "running") else {
        return Call::None;
    };
    // -1 is said of what is blocked outside of a call, as in a page that is not there yet.
    let Ok(number) = number.parse::<libc::c_long>() else {
        return Call::Unknown;
    };
    let first = words.next().and_then(|word| word.strip_prefix("0x"));
    let first = first.and_then(|word| u64::from_str_radix(word, 16).ok());
    match number {
        libc::SYS_read | libc::SYS_readv => first.map_or(Call::Unknown, Call::Read),
        libc::SYS_ppoll | libc::SYS_pselect6 | libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => {
            Call::Poll
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll | libc::SYS_select | libc::SYS_epoll_wait => Call::Poll,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => Call::Sleep,
        -1 => Call::None,
        _ => Call::Other,
    }
}

/// Whether a process has the terminal open under this number.
fn is_terminal(process: u32, file: u64, terminal: u64) -> bool {
    let file = PathBuf::from(format!("/proc/{process}/fd/{file}"));
    let device = fs::metadata(file).map(|about| about.rdev());
    device.is_ok_and(|device| device == terminal || device == ANY_TERMINAL)
}

/// The entries of a folder that are numbers.
fn numbers(folder: &str) -> io::Result<Vec<u32>> {
    let entries = fs::read_dir(folder)?;
    let names = entries.flatten().map(|entry| entry.file_name());
    Ok(names
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_of_a_thread_is_told_apart() {
        let line =
            |number: libc::c_long| format!("{number} 0x3 0x7ffd 0x1 0x0 0x0 0x0 0x7f 0x7e\n");
        assert_eq!(read_call("running\n"), Call::None);
        assert_eq!(read_call("-1 0x7ffc 0x7f12\n"), Call::None);
        assert_eq!(read_call(&line(libc::SYS_read)), Call::Read(3));
        assert_eq!(read_call(&line(libc::SYS_pselect6)), Call::Poll);
        assert_eq!(read_call(&line(libc::SYS_clock_nanosleep)), Call::Sleep);
        assert_eq!(read_call(&line(libc::SYS_wait4)), Call::Other);
        assert_eq!(read_call(""), Call::None);
        assert_eq!(read_call("x y"), Call::Unknown);
    }
}
