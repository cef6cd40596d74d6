//! The thread on which a request is executed.
//!
//! Requests of read-only clients run with a lower priority: however many they send, and however
//! much work each is, the processors serve the other clients first. In Linux a thread has a
//! priority of its own, but may not raise it again, so such a request gets a new thread.

use std::io;

use crate::service::client::Role;

/// Priority of the requests of read-only clients, as in nice(1). Such a thread gets about a tenth
/// of the time of one with the usual priority. It must not starve, because it holds locks.
#[cfg(target_os = "linux")]
const READ_ONLY_PRIORITY: i32 = 10;

/// Why a request has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestThreadError {
    #[error("the server could not start a thread: {0}; try again later")]
    NotStarted(#[source] io::Error),
    /// Fails only this request. The panic hook has printed the details.
    #[error("internal error: see the server's stderr")]
    Panicked,
}

/// Runs a blocking function on a thread for a client of this role.
pub(crate) async fn run_on_thread<T: Send + 'static>(
    role: Role,
    run: impl FnOnce() -> T + Send + 'static,
) -> Result<T, RequestThreadError> {
    let done = match role {
        Role::Full => tokio::task::spawn_blocking(run).await.ok(),
        Role::ReadOnly => {
            let (sender, done) = tokio::sync::oneshot::channel();
            let thread = std::thread::Builder::new().name("screentest-read-only".to_owned());
            // Like a thread of `spawn_blocking`, it may send to asynchronous channels.
            let runtime = tokio::runtime::Handle::current();
            let started = thread.spawn(move || {
                let _runtime = runtime.enter();
                lower_priority();
                // The request may have been dropped.
                drop(sender.send(run()));
            });
            started.map_err(RequestThreadError::NotStarted)?;
            done.await.ok()
        }
    };
    done.ok_or(RequestThreadError::Panicked)
}

/// Lowers the priority of the calling thread. Elsewhere than in Linux, the system call would change
/// the whole process.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        // Without it, the request only runs with the usual priority.
        let _ = rustix::process::setpriority_process(None, READ_ONLY_PRIORITY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_read_only_requests_have_a_lower_priority() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let usual = priority();
        let of = |role| run_on_thread(role, priority);
        assert!(of(Role::ReadOnly).await.unwrap() > usual);
        assert_eq!(of(Role::Full).await.unwrap(), usual);
    }

    #[tokio::test]
    async fn a_panic_fails_only_its_request() {
        for role in [Role::Full, Role::ReadOnly] {
            let failed = run_on_thread::<()>(role, || panic!("expected by the test")).await;
            assert!(matches!(failed, Err(RequestThreadError::Panicked)));
            assert_eq!(run_on_thread(role, || 7).await.unwrap(), 7);
        }
    }
}
