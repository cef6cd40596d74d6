//! Which supervisors wait for work, in a page of memory that the guardian and all of them share.
//!
//! A supervisor enters itself when it has nothing to do and leaves when it gets a request. So the guardian forks only when
//! nobody waits, and a supervisor whose program has left nothing behind serves the next: in a suite of small tests, forks
//! and the ends of processes were a tenth of the time.

use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::Errno;
use rustix::process::Pid;

use super::guardian_process::errno;

/// How many may wait. A host that closes hundreds of sessions at once should not keep hundreds of processes, and more than this
/// seldom start at the same moment.
const PLACES: usize = 8;

const FREE: i32 = 0;
/// Kept for a supervisor that is being forked.
const COMING: i32 = -1;

/// The list. Each place holds the process id of a supervisor that waits.
pub(super) struct Ready {
    places: [AtomicI32; PLACES],
}

impl Ready {
    /// A list with nobody in it, which forks of this process share.
    pub(super) fn new() -> Result<&'static Ready, Errno> {
        // SAFETY: new memory, filled with zeros by the kernel, which are free places. It is never given back, so that
        // references stay valid for as long as the process lives.
        unsafe {
            let page = libc::mmap(
                ptr::null_mut(),
                size_of::<Ready>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            if page == libc::MAP_FAILED {
                return Err(errno());
            }
            Ok(&*page.cast::<Ready>())
        }
    }

    /// Whether nobody waits, and nobody is about to.
    pub(super) fn is_empty(&self) -> bool {
        let taken = |place: &AtomicI32| place.load(Ordering::SeqCst) != FREE;
        !self.places.iter().any(taken)
    }

    /// Keeps a place for a supervisor before it is forked; false when all are taken.
    pub(super) fn expect(&self) -> bool {
        self.change(FREE, COMING)
    }

    /// Gives the place that was kept to the one that came. Guardian and supervisor both say so, since either may run first;
    /// whoever is second finds no such place.
    pub(super) fn came(&self, supervisor: Pid) {
        self.change(COMING, raw(supervisor));
    }

    /// Gives the place that was kept away again: nobody comes.
    pub(super) fn came_not(&self) {
        self.change(COMING, FREE);
    }

    /// Waits from now on; false when enough others do.
    pub(super) fn enter(&self, supervisor: Pid) -> bool {
        self.change(FREE, raw(supervisor))
    }

    /// Waits no longer; false for one that did not.
    pub(super) fn leave(&self, supervisor: Pid) -> bool {
        self.change(raw(supervisor), FREE)
    }

    /// Changes the first place that holds `from`.
    fn change(&self, from: i32, to: i32) -> bool {
        let order = Ordering::SeqCst;
        let change = |place: &AtomicI32| place.compare_exchange(from, to, order, order).is_ok();
        self.places.iter().any(change)
    }
}

fn raw(supervisor: Pid) -> i32 {
    supervisor.as_raw_nonzero().get()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pid(raw: i32) -> Pid {
        Pid::from_raw(raw).unwrap()
    }

    #[test]
    fn who_is_expected_counts_as_waiting() {
        let ready = Ready::new().unwrap();
        assert!(ready.is_empty());
        assert!(ready.expect());
        assert!(!ready.is_empty());
        ready.came(pid(7));
        assert!(!ready.is_empty());
        assert!(ready.leave(pid(7)));
        assert!(ready.is_empty());

        assert!(ready.expect());
        ready.came_not();
        assert!(ready.is_empty());
    }

    #[test]
    fn one_that_had_work_before_the_guardian_knew_of_it_is_not_listed() {
        let ready = Ready::new().unwrap();
        assert!(ready.expect());
        ready.came(pid(7));
        assert!(ready.leave(pid(7)));
        ready.came(pid(7));
        assert!(ready.is_empty());
    }

    #[test]
    fn no_more_wait_than_there_are_places() {
        let ready = Ready::new().unwrap();
        let entered = (1..100).filter(|id| ready.enter(pid(*id))).count();
        assert_eq!(entered, PLACES);
        assert!(!ready.expect());
        assert!(ready.leave(pid(1)));
        assert!(!ready.leave(pid(1)));
        assert!(ready.enter(pid(100)));
    }
}
