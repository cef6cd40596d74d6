//! Wakes a thread after a delay without waking it now.
//!
//! After a wait, the background reader takes over the terminal with a delay, because another wait
//! usually begins first. If the background reader itself slept for the delay, it would have to be
//! woken at once, which takes longer than everything else that a wait does once its text has
//! arrived. So a kernel timer measures the delay: setting and cancelling it wakes no thread.
//!
//! A wake-up that has no waiting thread yet is stored. A thread that checks first and then waits
//! misses nothing.

#[cfg(target_os = "linux")]
pub(crate) use kernel::DeferredWake;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::DeferredWake;

/// A kernel timer (timerfd).
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
    pub(crate) struct DeferredWake {
        timer: OwnedFd,
    }

    impl DeferredWake {
        pub(crate) fn new() -> io::Result<DeferredWake> {
            let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
            Ok(DeferredWake { timer })
        }

        /// Wakes the waiting thread after this time. Replaces an earlier setting.
        pub(crate) fn wake_after(&self, time: Duration) {
            // Zero would disarm the timer.
            self.set(time.max(Duration::from_nanos(1)));
        }

        /// Cancels the wake-up, also one that is stored.
        pub(crate) fn cancel(&self) {
            self.set(Duration::ZERO);
        }

        fn set(&self, time: Duration) {
            let once = Itimerspec {
                it_interval: Timespec::default(),
                it_value: Timespec::try_from(time).expect("a short delay fits"),
            };
            // The descriptor and the time are valid, so this cannot fail.
            let _ = timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once);
        }

        /// Blocks until the wake-up; returns at once if one is stored.
        pub(crate) fn wait(&self) {
            while read(&self.timer, &mut [0; 8]) == Err(Errno::INTR) {}
        }
    }
}

/// Fallback for other systems: the waiting thread is woken and measures the delay itself.
#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    use std::io;
    use std::sync::{Condvar, Mutex};
    use std::time::Duration;

    use crate::lock::{self, lock};

    #[derive(Debug, Default)]
    pub(crate) struct DeferredWake {
        setting: Mutex<Setting>,
        changed: Condvar,
    }

    #[derive(Debug, Default)]
    struct Setting {
        after: Option<Duration>,
        /// Increased with each change, so that a sleeping thread notices that its delay is
        /// outdated.
        times: u64,
    }

    impl DeferredWake {
        pub(crate) fn new() -> io::Result<DeferredWake> {
            Ok(DeferredWake::default())
        }

        pub(crate) fn wake_after(&self, time: Duration) {
            self.set(Some(time));
        }

        pub(crate) fn cancel(&self) {
            self.set(None);
        }

        fn set(&self, after: Option<Duration>) {
            let mut setting = lock(&self.setting);
            setting.after = after;
            setting.times += 1;
            drop(setting);
            self.changed.notify_one();
        }

        pub(crate) fn wait(&self) {
            let mut setting = lock(&self.setting);
            loop {
                let times = setting.times;
                setting = match setting.after {
                    None => lock::wait(&self.changed, setting),
                    Some(time) => {
                        let (mut setting, waited) =
                            lock::wait_timeout(&self.changed, setting, time);
                        if waited.timed_out() && setting.times == times {
                            setting.after = None;
                            return;
                        }
                        setting
                    }
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    const SOON: Duration = Duration::from_millis(1);
    const NEVER: Duration = Duration::from_secs(3600);

    /// The tests, for this system's timer and for the fallback.
    macro_rules! tests {
        ($kind:ident) => {
            mod $kind {
                use super::super::$kind::DeferredWake;
                use super::*;

                #[test]
                fn a_wake_up_is_stored_until_a_thread_waits() {
                    let deferred = DeferredWake::new().unwrap();
                    deferred.wake_after(Duration::ZERO);
                    let (_send, nothing) = mpsc::channel::<()>();
                    assert!(nothing.recv_timeout(SOON).is_err());
                    deferred.wait();
                }

                #[test]
                fn setting_a_wake_up_again_replaces_the_delay_of_a_waiting_thread() {
                    let deferred = DeferredWake::new().unwrap();
                    deferred.wake_after(NEVER);
                    std::thread::scope(|scope| {
                        let woken = scope.spawn(|| deferred.wait());
                        deferred.wake_after(SOON);
                        woken.join().unwrap();
                    });
                }

                #[test]
                fn a_cancelled_wake_up_does_not_wake() {
                    let deferred = DeferredWake::new().unwrap();
                    deferred.wake_after(Duration::ZERO);
                    deferred.cancel();
                    check_wakes_only_when_set_again(&deferred);
                }

                #[test]
                fn a_wake_up_wakes_once() {
                    let deferred = DeferredWake::new().unwrap();
                    deferred.wake_after(Duration::ZERO);
                    deferred.wait();
                    check_wakes_only_when_set_again(&deferred);
                }

                fn check_wakes_only_when_set_again(deferred: &DeferredWake) {
                    let (send, woken) = mpsc::channel();
                    std::thread::scope(|scope| {
                        let thread = scope.spawn(|| {
                            deferred.wait();
                            send.send(()).unwrap();
                        });
                        assert!(woken.recv_timeout(20 * SOON).is_err());
                        deferred.wake_after(SOON);
                        thread.join().unwrap();
                    });
                }
            }
        };
    }

    #[cfg(target_os = "linux")]
    tests!(kernel);
    tests!(portable);
}
