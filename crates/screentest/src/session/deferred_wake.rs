//! Waking a thread a moment later, without waking it now.
//!
//! A wait that ends leaves the terminal to the pump, but only after a moment, as another wait usually begins within it. If the pump had to
//! count that moment itself, it would have to be woken at once, and that takes longer than everything else that a wait does when its text has
//! come. So the kernel counts it: setting its timer wakes nobody, and neither does taking that back.
//!
//! The one rule: what has rung is heard, also by who listens later. So whoever looks first and then listens misses nothing.

#[cfg(target_os = "linux")]
pub(crate) use kernel::Alarm;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::Alarm;

/// A timer of the kernel's, behind a descriptor.
#[cfg(target_os = "linux")]
mod kernel {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::time::Duration;

    use rustix::io::{Errno, read};
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };

    #[derive(Debug)]
    pub(crate) struct Alarm {
        timer: OwnedFd,
    }

    impl Alarm {
        pub(crate) fn new() -> io::Result<Alarm> {
            let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
            Ok(Alarm { timer })
        }

        /// Rings after this time, and not when it was to ring before.
        pub(crate) fn ring_after(&self, time: Duration) {
            // No time at all would mean never.
            self.set(time.max(Duration::from_nanos(1)));
        }

        /// Does not ring, nor has it rung, unless somebody has heard it already.
        pub(crate) fn silence(&self) {
            self.set(Duration::ZERO);
        }

        fn set(&self, time: Duration) {
            let once = Itimerspec {
                it_interval: Timespec::default(),
                it_value: Timespec::try_from(time).expect("a moment"),
            };
            // It is our own timer and a time that there is: nothing else can be wrong.
            let _ = timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once);
        }

        /// Waits until it rings, or has rung.
        pub(crate) fn listen(&self) {
            while read(&self.timer, &mut [0; 8]) == Err(Errno::INTR) {}
        }
    }
}

/// Where there is no such timer, the listener is woken after all, and counts the time itself.
#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    use std::io;
    use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    #[derive(Debug, Default)]
    pub(crate) struct Alarm {
        set: Mutex<Set>,
        changed: Condvar,
    }

    /// How it is set.
    #[derive(Debug, Default)]
    struct Set {
        after: Option<Duration>,
        /// Counts up, so that who counted the time knows whether it still holds.
        times: u64,
    }

    impl Alarm {
        pub(crate) fn new() -> io::Result<Alarm> {
            Ok(Alarm::default())
        }

        pub(crate) fn ring_after(&self, time: Duration) {
            self.set(Some(time));
        }

        pub(crate) fn silence(&self) {
            self.set(None);
        }

        fn set(&self, after: Option<Duration>) {
            let mut set = self.lock();
            set.after = after;
            set.times += 1;
            drop(set);
            self.changed.notify_one();
        }

        pub(crate) fn listen(&self) {
            let mut set = self.lock();
            loop {
                let times = set.times;
                set = match set.after {
                    None => self
                        .changed
                        .wait(set)
                        .unwrap_or_else(PoisonError::into_inner),
                    Some(time) => {
                        let counted = self.changed.wait_timeout(set, time);
                        let (mut set, counted) = counted.unwrap_or_else(PoisonError::into_inner);
                        if counted.timed_out() && set.times == times {
                            set.after = None;
                            return;
                        }
                        set
                    }
                };
            }
        }

        fn lock(&self) -> MutexGuard<'_, Set> {
            self.set.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    const SOON: Duration = Duration::from_millis(1);
    const NEVER: Duration = Duration::from_secs(3600);

    /// Each claim, for the alarm that is used here and for the one of other systems.
    macro_rules! claims {
        ($kind:ident) => {
            mod $kind {
                use super::super::$kind::Alarm;
                use super::*;

                #[test]
                fn what_has_rung_is_heard_later() {
                    let alarm = Alarm::new().unwrap();
                    alarm.ring_after(Duration::ZERO);
                    let (_send, nothing) = mpsc::channel::<()>();
                    assert!(nothing.recv_timeout(SOON).is_err());
                    alarm.listen();
                }

                #[test]
                fn who_listens_is_woken_when_it_is_set_anew() {
                    let alarm = Alarm::new().unwrap();
                    alarm.ring_after(NEVER);
                    std::thread::scope(|scope| {
                        let heard = scope.spawn(|| alarm.listen());
                        alarm.ring_after(SOON);
                        heard.join().unwrap();
                    });
                }

                #[test]
                fn what_was_silenced_does_not_ring() {
                    let alarm = Alarm::new().unwrap();
                    alarm.ring_after(Duration::ZERO);
                    alarm.silence();
                    rings_only_when_it_is_set_anew(&alarm);
                }

                #[test]
                fn it_rings_once() {
                    let alarm = Alarm::new().unwrap();
                    alarm.ring_after(Duration::ZERO);
                    alarm.listen();
                    rings_only_when_it_is_set_anew(&alarm);
                }

                fn rings_only_when_it_is_set_anew(alarm: &Alarm) {
                    let (send, heard) = mpsc::channel();
                    std::thread::scope(|scope| {
                        let listener = scope.spawn(|| {
                            alarm.listen();
                            send.send(()).unwrap();
                        });
                        assert!(heard.recv_timeout(20 * SOON).is_err());
                        alarm.ring_after(SOON);
                        listener.join().unwrap();
                    });
                }
            }
        };
    }

    #[cfg(target_os = "linux")]
    claims!(kernel);
    claims!(portable);
}
