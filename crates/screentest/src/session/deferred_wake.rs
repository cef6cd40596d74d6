//! Wakes a thread after a delay without waking it now.
//!
//! After a wait, the pump takes over the terminal with a delay, because another wait usually begins
//! first. If the pump itself slept for the delay, it would have to be woken at once, which takes
//! longer than everything else that a wait does once its text has arrived. So a kernel timer
//! measures the delay: setting and cancelling it wakes no thread.
//!
//! An alarm that has rung stays rung until a listener has seen it. A thread that checks first and
//! then listens misses nothing.

#[cfg(target_os = "linux")]
pub(crate) use kernel::Alarm;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::Alarm;

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
    pub(crate) struct Alarm {
        timer: OwnedFd,
    }

    impl Alarm {
        pub(crate) fn new() -> io::Result<Alarm> {
            let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
            Ok(Alarm { timer })
        }

        /// Rings after this time. Replaces an earlier setting.
        pub(crate) fn ring_after(&self, time: Duration) {
            // Zero would disarm the timer.
            self.set(time.max(Duration::from_nanos(1)));
        }

        /// Cancels the alarm, also one that has rung and was not noticed yet.
        pub(crate) fn silence(&self) {
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

        /// Blocks until the alarm rings or has rung.
        pub(crate) fn listen(&self) {
            while read(&self.timer, &mut [0; 8]) == Err(Errno::INTR) {}
        }
    }
}

/// Fallback for other systems: the listener is woken and measures the delay itself.
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

    /// The setting.
    #[derive(Debug, Default)]
    struct Set {
        after: Option<Duration>,
        /// Increased with each change, so that a sleeping listener notices that its delay is
        /// outdated.
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

    /// The tests, for this system's alarm and for the fallback.
    macro_rules! claims {
        ($kind:ident) => {
            mod $kind {
                use super::super::$kind::Alarm;
                use super::*;

                #[test]
                fn an_alarm_that_has_rung_is_noticed_later() {
                    let alarm = Alarm::new().unwrap();
                    alarm.ring_after(Duration::ZERO);
                    let (_send, nothing) = mpsc::channel::<()>();
                    assert!(nothing.recv_timeout(SOON).is_err());
                    alarm.listen();
                }

                #[test]
                fn setting_an_alarm_again_replaces_the_delay_of_a_listener() {
                    let alarm = Alarm::new().unwrap();
                    alarm.ring_after(NEVER);
                    std::thread::scope(|scope| {
                        let heard = scope.spawn(|| alarm.listen());
                        alarm.ring_after(SOON);
                        heard.join().unwrap();
                    });
                }

                #[test]
                fn a_cancelled_alarm_does_not_ring() {
                    let alarm = Alarm::new().unwrap();
                    alarm.ring_after(Duration::ZERO);
                    alarm.silence();
                    rings_only_when_it_is_set_anew(&alarm);
                }

                #[test]
                fn an_alarm_rings_once() {
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
