//! The guardian: one process per host, which keeps supervisors ready and ends with the host.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, IoSliceMut};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recv, recvmsg};
use rustix::process::{Pid, getsid};

use super::{ballast, family, supervisor};

/// How many descriptors a request carries: the parcel, the program's terminal, the supervisor's socket.
pub(super) const FDS: usize = 3;

/// The guardian's own socket, after everything else was closed.
const SOCKET: RawFd = 3;

/// How many supervisors wait for work once the first had some. With one, tests that run beside each other start their
/// programs one after the other: 50 small tests in two threads took 1.55 to 1.7 times as long as with bare calls.
const READY: usize = 2;

/// Between two looks at what should not be there.
const REST: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 10_000_000,
};

/// What a supervisor starts with.
pub(super) struct Request {
    pub(super) parcel: OwnedFd,
    pub(super) slave: OwnedFd,
    pub(super) host: OwnedFd,
}

/// Forks the guardian, which takes its requests from `socket`.
pub(super) fn fork(socket: &OwnedFd) -> io::Result<Pid> {
    // No handler of the host may run in the copy, so that nothing is delivered until it has its own ways.
    let mask = block_signals();
    // Signal 0: the host hears nothing of this child's end, and does not find it when it waits for children of its own.
    let forked = clone(0);
    match forked {
        Ok(None) => guard(socket),
        Ok(Some(process)) => {
            set_mask(&mask);
            Ok(process)
        }
        Err(error) => {
            set_mask(&mask);
            Err(error.into())
        }
    }
}

/// Takes what is left of a guardian that died.
pub(super) fn bury(guardian: Pid) {
    let mut status = 0;
    // SAFETY: `status` outlives the call. `__WALL`: the guardian was forked without an exit signal.
    unsafe {
        libc::waitpid(
            guardian.as_raw_nonzero().get(),
            &raw mut status,
            libc::WNOHANG | libc::__WALL,
        )
    };
}

/// The guardian's life. All signals stay blocked, so that only SIGKILL and the host's end can end it.
fn guard(socket: &OwnedFd) -> ! {
    // SAFETY: plain system calls on constants. The socket is moved to a known place, and everything else that the host had
    // open is closed: a pipe that we kept would never seem to end to whoever reads it. `_exit` runs nothing of the host's.
    unsafe {
        // Supervisors stay in this session, and programs leave it: that is how orphans are told apart.
        libc::setsid();
        if libc::dup2(socket.as_raw_fd(), SOCKET) < 0 {
            libc::_exit(1);
        }
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if null < 0 {
            libc::_exit(1);
        }
        libc::dup2(null, 0);
        libc::dup2(null, 1);
        libc::dup2(null, 2);
        close_from(SOCKET + 1);
        libc::chdir(c"/".as_ptr());
        libc::prctl(libc::PR_SET_NAME, c"st-guardian".as_ptr());
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
    }
    default_signals();
    ballast::drop();
    // SAFETY: `SOCKET` stays open for the rest of this process.
    let socket = unsafe { BorrowedFd::borrow_raw(SOCKET) };
    if let Ok(deaths) = child_signals() {
        let mut waiting = [const { None }; READY];
        // The first program is waited for by its host while only one more process is made.
        let mut wanted = 1;
        while host_lives(socket) {
            if !fork_supervisors(&mut waiting, wanted, &deaths) {
                break;
            }
            wanted = READY;
            if !wait_until_taken(&mut waiting, &deaths) && host_lives(socket) {
                // Something kills supervisors before they have work. Whatever it is, forking as fast as possible would not
                // help against it.
                let _ = poll(&mut [], Some(&REST));
            }
        }
    }
    // Supervisors end by themselves; orphans do not.
    while bury_children() {
        let _ = poll(&mut [], Some(&REST));
    }
    // SAFETY: ends this process and runs nothing of the host's.
    unsafe { libc::_exit(0) }
}

/// Forks supervisors until so many wait; false where there is none and none can be made.
fn fork_supervisors(
    waiting: &mut [Option<OwnedFd>; READY],
    wanted: usize,
    deaths: &OwnedFd,
) -> bool {
    for slot in 0..wanted {
        if waiting[slot].is_none() {
            waiting[slot] = fork_supervisor(waiting, deaths).ok();
        }
    }
    waiting.iter().any(Option::is_some)
}

/// Forks a supervisor, which waits for a request itself: whoever wants to start a program finds one ready, and nobody
/// stands between. The pipe tells when it was taken, or ends with it.
fn fork_supervisor(
    waiting: &mut [Option<OwnedFd>; READY],
    deaths: &OwnedFd,
) -> Result<OwnedFd, Errno> {
    let mut ends = [0; 2];
    // SAFETY: the kernel fills in two descriptors, and `ends` outlives the call.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } < 0 {
        return Err(errno());
    }
    let (hear, tell) = (take(ends[0])?, take(ends[1])?);
    if clone(libc::SIGCHLD)?.is_some() {
        return Ok(hear);
    }
    drop(hear);
    // What the guardian hears of the others is not for this one.
    *waiting = [const { None }; READY];
    // SAFETY: this copy of the guardian's is not used again; the supervisor makes its own.
    unsafe { libc::close(deaths.as_raw_fd()) };
    // SAFETY: the supervisor owns the guardian's socket from here on, as this process is no guardian any more.
    let socket = unsafe { OwnedFd::from_raw_fd(SOCKET) };
    supervisor::supervise(socket, tell)
}

/// Returns when a waiting supervisor has work, which is what it says, or is gone; false where none has.
fn wait_until_taken(waiting: &mut [Option<OwnedFd>; READY], deaths: &OwnedFd) -> bool {
    loop {
        // Where none waits, the descriptor of deaths stands in: it is looked at in any case.
        let hears = waiting
            .each_ref()
            .map(|hear| hear.as_ref().unwrap_or(deaths));
        let [first, second] = hears;
        let mut fds = [deaths, first, second].map(|fd| PollFd::new(fd, PollFlags::IN));
        let _ = poll(&mut fds, None);
        let [died, told @ ..] = fds.map(|fd| !fd.revents().is_empty());
        if died {
            let _ = rustix::io::read(deaths, &mut [0; 512]);
            bury_children();
        }
        let mut heard = false;
        let mut taken = false;
        for (slot, told) in waiting.iter_mut().zip(told) {
            if let Some(hear) = slot.take_if(|_| told) {
                heard = true;
                taken |= rustix::io::read(hear, &mut [0; 1]) == Ok(1);
            }
        }
        if heard {
            return taken;
        }
    }
}

/// Buries supervisors. One that was killed leaves orphans, which become our children: they are killed, as the
/// supervisor would have done. Says whether there were any.
fn bury_children() -> bool {
    let mut status = 0;
    // SAFETY: `status` outlives the calls.
    while unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WALL) } > 0 {}
    // After any death: also an orphan that ends by itself may leave others.
    let ours = getsid(None);
    family::kill_children(&|child| getsid(Some(child)) != ours)
}

/// Whether the host's end of the socket is open, or has left a request.
fn host_lives(socket: BorrowedFd<'_>) -> bool {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    match recv(socket, &mut [0; 1], flags) {
        Ok((length, _)) => length > 0,
        Err(error) => error == Errno::AGAIN || error == Errno::INTR,
    }
}

/// The next request, or `None` when the host is gone.
pub(super) fn receive(socket: &OwnedFd) -> Option<Request> {
    loop {
        let mut byte = [0];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut iov = [IoSliceMut::new(&mut byte)];
        match recvmsg(socket, &mut iov, &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Ok(message) if message.bytes == 0 => return None,
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return None,
        }
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(mut fds) = message
                && let (Some(parcel), Some(slave), Some(host)) =
                    (fds.next(), fds.next(), fds.next())
            {
                return Some(Request {
                    parcel,
                    slave,
                    host,
                });
            }
        }
        // A request that lost its descriptors (there were too many open) is dropped; its host sees its socket close.
    }
}

/// A descriptor that is readable when a child has changed. Every signal is blocked, as it needs.
pub(super) fn child_signals() -> Result<OwnedFd, Errno> {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set outlives the calls, the first of which fills it.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        take(libc::signalfd(
            -1,
            set.as_ptr(),
            libc::SFD_NONBLOCK | libc::SFD_CLOEXEC,
        ))
    }
}

/// Forks without telling the C library, whose preparations for a fork take locks that may be held for ever. `None` is
/// the child.
pub(super) fn clone(exit_signal: i32) -> Result<Option<Pid>, Errno> {
    // SAFETY: without CLONE_VM this is a fork; the child gets a copy of everything and keeps to this module's rule.
    let forked = unsafe { libc::syscall(libc::SYS_clone, exit_signal, 0, 0, 0, 0) };
    match i32::try_from(forked) {
        Ok(0) => Ok(None),
        Ok(pid) if pid > 0 => Ok(Pid::from_raw(pid)),
        _ => Err(errno()),
    }
}

/// Closes every descriptor from `first` on.
pub(super) fn close_from(first: RawFd) {
    // SAFETY: closing what nothing in this process uses any more; the caller kept what it needs below `first`.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) == 0 {
            return;
        }
        // Kernels before 5.9. Descriptors above this are rare, and costly to try one by one.
        for fd in first..4096 {
            libc::close(fd);
        }
    }
}

/// What the last call of the C library said.
pub(super) fn errno() -> Errno {
    Errno::from_raw_os_error(
        io::Error::last_os_error()
            .raw_os_error()
            .unwrap_or_default(),
    )
}

/// Gives every signal its default meaning. The C library would refuse the two that it keeps to itself, which the host may
/// have inherited as ignored.
fn default_signals() {
    // The kernel's `struct sigaction` with nothing set means the default; it is smaller than this everywhere.
    let default = [0_u64; 8];
    for signal in 1..=64 {
        // SAFETY: `default` outlives the call, and the last argument is the size of the kernel's signal set. Signals that
        // cannot be changed are refused, and stay.
        unsafe {
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default.as_ptr(),
                ptr::null_mut::<u64>(),
                size_of::<u64>(),
            )
        };
    }
}

fn block_signals() -> libc::sigset_t {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: both sets outlive the calls, which fill them.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        before.assume_init()
    }
}

fn set_mask(mask: &libc::sigset_t) {
    // SAFETY: `mask` is a set that `block_signals` was given.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, mask, ptr::null_mut()) };
}

/// Takes a descriptor that a system call just made.
pub(super) fn take(fd: RawFd) -> Result<OwnedFd, Errno> {
    if fd < 0 {
        return Err(errno());
    }
    // SAFETY: the caller got it from the kernel this moment, so that nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
