//! Guardian process: one per host, which keeps a supervisor ready and ends with the host.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::{io, ptr};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, IoSliceMut};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recv, recvmsg};
use rustix::process::{Pid, getpid, getsid};

use super::idle_pool::IdlePool;
use super::program::StartFailure;
use super::{descendants, drop_memory, supervisor};

/// How many descriptors a request carries: the launch data, the program's terminal, the
/// supervisor's socket.
pub(super) const FDS: usize = 3;

/// The guardian's own socket, once all other descriptors of the host are closed.
const SOCKET: RawFd = 3;

/// The pipe by which a supervisor notifies the guardian that no supervisor is idle.
const NOTIFY: RawFd = 4;

/// Pause before the next check for orphans, and before the next fork after a supervisor failed to
/// start or an idle one died.
const RETRY_PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 10_000_000,
};

/// Descriptors that a supervisor starts with.
pub(super) struct StartRequest {
    pub(super) exec_args: OwnedFd,
    pub(super) slave: OwnedFd,
    pub(super) host: OwnedFd,
}

/// Forks the guardian, which reads its requests from `socket`.
pub(super) fn fork(socket: &OwnedFd) -> io::Result<Pid> {
    // No signal handler of the host may run in the copy, so signals are blocked before the fork.
    // They stay blocked in the guardian.
    let mask = block_signals();
    // Exit signal 0: the host gets no SIGCHLD for this child and does not find it when it waits for
    // its own children.
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

/// How to reap a guardian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReapMode {
    /// Only if it is dead already, without waiting.
    NoWait,
    /// Wait for its death, which is about to happen.
    Wait,
}

/// Reaps a guardian that died, and returns whether it is gone.
pub(super) fn reap(guardian: Pid, how: ReapMode) -> bool {
    let patience = match how {
        ReapMode::NoWait => libc::WNOHANG,
        ReapMode::Wait => 0,
    };
    loop {
        let mut status = 0;
        // SAFETY: `status` outlives the call. `__WALL`: the guardian was forked without an exit
        // signal.
        let gone = unsafe {
            libc::waitpid(
                guardian.as_raw_nonzero().get(),
                &raw mut status,
                patience | libc::__WALL,
            )
        };
        if gone >= 0 || errno() != Errno::INTR {
            return gone != 0;
        }
    }
}

/// Main function of the guardian. All signals stay blocked, so that only SIGKILL and the host's end
/// can end it.
fn guard(socket: &OwnedFd) -> ! {
    // SAFETY: plain system calls on constants. The socket is moved to a known descriptor, and
    // everything else that the host had open is closed: a pipe kept open here would never end for
    // its reader. `_exit` runs nothing of the host's.
    unsafe {
        // Supervisors stay in this session, and programs leave it: that is how orphans are
        // recognised.
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
    drop_memory::drop();
    // SAFETY: `SOCKET` stays open for the rest of this process.
    let socket = unsafe { BorrowedFd::borrow_raw(SOCKET) };
    let _ = keep_ready(socket);
    // Supervisors end by themselves; orphans do not.
    loop {
        reap_children(None);
        if !kill_orphans() {
            break;
        }
        let _ = poll(&mut [], Some(&RETRY_PAUSE));
    }
    // SAFETY: ends this process and runs nothing of the host's.
    unsafe { libc::_exit(0) }
}

/// Keeps a supervisor ready for as long as the host lives.
fn keep_ready(socket: BorrowedFd<'_>) -> Result<(), Errno> {
    let child_changes = child_signals()?;
    let idle_pool = IdlePool::new()?;
    let (notified, notify) = pipe()?;
    while host_lives(socket) {
        if idle_pool.is_empty() && idle_pool.reserve() {
            match fork_supervisor(idle_pool, &notify) {
                Ok(supervisor) => idle_pool.fill_reserved(supervisor),
                Err(error) => {
                    // Most likely a limit on processes. The request gets an error, and running
                    // programs are still supervised.
                    idle_pool.release_reserved();
                    refuse(socket, error);
                    let _ = poll(&mut [], Some(&RETRY_PAUSE));
                    continue;
                }
            }
        }
        let mut fds = [&child_changes, &notified].map(|fd| PollFd::new(fd, PollFlags::IN));
        let _ = poll(&mut fds, None);
        let _ = rustix::io::read(&notified, &mut [0; 64]);
        let _ = rustix::io::read(&child_changes, &mut [0; 512]);
        let reaped = reap_children(Some(idle_pool));
        if reaped != Reaped::Nothing {
            // After any death: an orphan that ends by itself may also leave others.
            kill_orphans();
        }
        if reaped == Reaped::IdleSupervisor && host_lives(socket) {
            // Something kills idle supervisors. Forking as fast as possible would not help against
            // it.
            let _ = poll(&mut [], Some(&RETRY_PAUSE));
        }
    }
    Ok(())
}

/// Answers a request if no supervisor can be forked.
fn refuse(socket: BorrowedFd<'_>, error: Errno) {
    if let Some(request) = receive(socket, RecvFlags::DONTWAIT) {
        supervisor::report(&request.host, StartFailure::to_supervise(error).report());
    }
}

/// Creates a pipe for notifications that never blocks. If it is full, another notification would be
/// redundant; if it is empty, there is none.
fn pipe() -> Result<(OwnedFd, OwnedFd), Errno> {
    let mut ends = [0; 2];
    // SAFETY: the kernel fills in two descriptors, and `ends` outlives the call.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) } < 0 {
        return Err(errno());
    }
    Ok((take(ends[0])?, take(ends[1])?))
}

/// Forks a supervisor, which reads requests from the guardian's socket itself: a start finds one
/// ready, without another process in between. It writes to `notify` when no supervisor is idle any
/// more.
fn fork_supervisor(idle_pool: &'static IdlePool, notify: &OwnedFd) -> Result<Pid, Errno> {
    if let Some(supervisor) = clone(libc::SIGCHLD)? {
        return Ok(supervisor);
    }
    let me = getpid();
    idle_pool.fill_reserved(me);
    // SAFETY: the two descriptors are moved to where the supervisor expects them, the guardian's
    // others are closed, and nothing of this process uses any of them again: the guardian's code
    // ends here, and the supervisor's begins.
    unsafe {
        if libc::dup2(notify.as_raw_fd(), NOTIFY) < 0 {
            libc::_exit(1);
        }
        close_from(NOTIFY + 1);
        let socket = OwnedFd::from_raw_fd(SOCKET);
        let notify = OwnedFd::from_raw_fd(NOTIFY);
        supervisor::serve(&socket, &notify, idle_pool, me)
    }
}

/// Which children were reaped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reaped {
    Nothing,
    Children,
    /// Among others, an idle supervisor.
    IdleSupervisor,
}

/// Reaps every child that has ended.
fn reap_children(idle_pool: Option<&IdlePool>) -> Reaped {
    let mut reaped = Reaped::Nothing;
    loop {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        let dead = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG | libc::__WALL) };
        if dead <= 0 {
            return reaped;
        }
        if reaped == Reaped::Nothing {
            reaped = Reaped::Children;
        }
        if let (Some(idle_pool), Some(dead)) = (idle_pool, Pid::from_raw(dead))
            && idle_pool.leave(dead)
        {
            reaped = Reaped::IdleSupervisor;
        }
    }
}

/// Kills the processes of a killed supervisor: its orphans become children of the guardian. Returns
/// whether there were any.
fn kill_orphans() -> bool {
    let ours = getsid(None);
    descendants::kill_children(&|child| getsid(Some(child)) != ours)
}

/// Returns whether the host's end of the socket is open, or a request is left.
fn host_lives(socket: BorrowedFd<'_>) -> bool {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    match recv(socket, &mut [0; 1], flags) {
        Ok((length, _)) => length > 0,
        Err(error) => error == Errno::AGAIN || error == Errno::INTR,
    }
}

/// Receives the next request; `None` if the host is gone or, with `DONTWAIT`, there is none.
pub(super) fn receive(socket: impl AsFd, flags: RecvFlags) -> Option<StartRequest> {
    loop {
        let mut byte = [0];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut iov = [IoSliceMut::new(&mut byte)];
        let flags = flags | RecvFlags::CMSG_CLOEXEC;
        match recvmsg(&socket, &mut iov, &mut ancillary, flags) {
            Ok(message) if message.bytes == 0 => return None,
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return None,
        }
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(mut fds) = message
                && let (Some(exec_args), Some(slave), Some(host)) =
                    (fds.next(), fds.next(), fds.next())
            {
                return Some(StartRequest {
                    exec_args,
                    slave,
                    host,
                });
            }
        }
        // A request that lost its descriptors (there were too many open) is dropped; its host sees
        // the socket close.
    }
}

/// Returns a descriptor that is readable when a child has changed. Requires that SIGCHLD is
/// blocked.
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

/// Forks without the C library, whose fork handlers take locks that may be held for ever. Returns
/// `None` in the child.
pub(super) fn clone(exit_signal: i32) -> Result<Option<Pid>, Errno> {
    // SAFETY: without CLONE_VM this is a fork; the child gets a copy of everything and keeps to
    // this module's rule.
    let forked = unsafe { libc::syscall(libc::SYS_clone, exit_signal, 0, 0, 0, 0) };
    match i32::try_from(forked) {
        Ok(0) => Ok(None),
        Ok(pid) if pid > 0 => Ok(Pid::from_raw(pid)),
        _ => Err(errno()),
    }
}

/// Closes every descriptor from `first` on.
pub(super) fn close_from(first: RawFd) {
    // SAFETY: nothing in this process uses these descriptors any more; the caller kept its own
    // below `first`.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) == 0 {
            return;
        }
        // Kernels before 5.9. Higher descriptors are rare, and trying them one by one is slow.
        for fd in first..4096 {
            libc::close(fd);
        }
    }
}

/// Returns the error of the last C library call.
pub(super) fn errno() -> Errno {
    Errno::from_raw_os_error(
        io::Error::last_os_error()
            .raw_os_error()
            .unwrap_or_default(),
    )
}

/// Resets every signal to its default action. The C library would refuse the two that it reserves,
/// which the host may have inherited as ignored.
fn default_signals() {
    // The kernel's `struct sigaction` with all zeros means the default action. It is smaller than
    // this array on all platforms.
    let default = [0_u64; 8];
    for signal in 1..=64 {
        // SAFETY: `default` outlives the call, and the last argument is the size of the kernel's
        // signal set. Signals that cannot be changed are refused, and stay.
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
    // SAFETY: `mask` is a set that `block_signals` returned.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, mask, ptr::null_mut()) };
}

/// Takes ownership of a descriptor that a system call just created.
pub(super) fn take(fd: RawFd) -> Result<OwnedFd, Errno> {
    if fd < 0 {
        return Err(errno());
    }
    // SAFETY: the caller has just received it from the kernel, so nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
