//! Limits on concurrent requests, WebSockets and streams, and on requests per second.
//!
//! See also: `limits.rs` of the crate (the numbers), `unsent_body.rs` (responses that are not sent
//! yet).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::StatusCode;
use screentest::clock::Clock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::RoleLimits;
use crate::service::client::Role;
use crate::service::lock;
use crate::web::Web;
use crate::web::http::error::HttpError;

/// Maximum number of threads: for requests, for downloads, and some for the server's own work.
pub(crate) const MAX_THREADS: usize = {
    let (full, read_only) = (Role::Full.limits(), Role::ReadOnly.limits());
    full.requests + full.downloads + read_only.requests + read_only.downloads + 16
};

/// Places for clients of each role. Read-only clients have separate places, so that they cannot
/// lock out the others.
#[derive(Debug)]
pub(crate) struct Places {
    what: &'static str,
    full: (usize, Arc<Semaphore>),
    read_only: (usize, Arc<Semaphore>),
}

/// An occupied place. Dropping it frees it. The place of a request is held by the thread that
/// executes the request, because the waiting client may disconnect earlier.
pub(crate) type Place = OwnedSemaphorePermit;

impl Places {
    /// Creates places. `what` is the name of their occupants in errors.
    pub(crate) fn new(what: &'static str, most: impl Fn(&RoleLimits) -> usize) -> Places {
        let places = |role: Role| {
            let most = most(role.limits());
            (most, Arc::new(Semaphore::new(most)))
        };
        Places {
            what,
            full: places(Role::Full),
            read_only: places(Role::ReadOnly),
        }
    }

    fn of(&self, role: Role) -> &(usize, Arc<Semaphore>) {
        match role {
            Role::Full => &self.full,
            Role::ReadOnly => &self.read_only,
        }
    }

    /// Takes a free place, or returns a message that says which limit is reached.
    pub(crate) fn take(&self, role: Role) -> Result<Place, String> {
        let (most, places) = self.of(role);
        Arc::clone(places).try_acquire_owned().map_err(|_| {
            format!(
                "the {most} {} of {} are in use: wait until one is free",
                self.what,
                role.clients()
            )
        })
    }

    /// Whether all places are free.
    pub(crate) fn all_free(&self) -> bool {
        let is_free =
            |(most, places): &(usize, Arc<Semaphore>)| places.available_permits() == *most;
        is_free(&self.full) && is_free(&self.read_only)
    }
}

/// The place of a connection. A WebSocket keeps it until it is closed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connection {
    _place: Option<Arc<Place>>,
}

impl Connection {
    pub(crate) fn new(place: Place) -> Connection {
        Connection {
            _place: Some(Arc::new(place)),
        }
    }
}

/// The place of a WebSocket, and that of its connection.
#[derive(Debug)]
pub(crate) struct SocketPlace {
    _place: Place,
    _connection: Connection,
}

impl Web {
    /// Takes a place for a WebSocket. The WebSocket keeps its place until it is closed.
    pub(crate) fn socket_place(
        &self,
        role: Role,
        connection: Connection,
    ) -> Result<SocketPlace, HttpError> {
        let place = self.sockets.take(role);
        let place =
            place.map_err(|message| HttpError::new(StatusCode::TOO_MANY_REQUESTS, message))?;
        Ok(SocketPlace {
            _place: place,
            _connection: connection,
        })
    }
}

/// Rate limiter (token bucket): allows `rate` events per second and bursts of the same size.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    rate: u32,
    level: Mutex<(f64, Duration)>,
    clock: Clock,
}

impl RateLimiter {
    pub(crate) fn new(rate: u32, clock: Clock) -> RateLimiter {
        RateLimiter {
            rate,
            level: Mutex::new((rate.into(), clock.now())),
            clock,
        }
    }

    /// Whether one more event is allowed now. If so, it is counted.
    pub(crate) fn allow(&self) -> bool {
        let mut level = lock(&self.level);
        let (before, then) = *level;
        let now = self.clock.now();
        let rate = f64::from(self.rate);
        let filled = (before + now.saturating_sub(then).as_secs_f64() * rate).min(rate);
        let allowed = filled >= 1.0;
        *level = (if allowed { filled - 1.0 } else { filled }, now);
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_only_clients_leave_the_places_of_others_free() {
        let places = Places::new("things", |limits| limits.sockets);
        let most = Role::ReadOnly.limits().sockets;
        let taken: Vec<Place> = (0..most)
            .map(|_| places.take(Role::ReadOnly).unwrap())
            .collect();
        assert_eq!(
            places.take(Role::ReadOnly).unwrap_err(),
            format!("the {most} things of read-only clients are in use: wait until one is free")
        );
        assert!(places.take(Role::Full).is_ok());
        drop(taken);
        assert!(places.take(Role::ReadOnly).is_ok());
        assert!(places.all_free());
    }

    #[test]
    fn rate_limiter_stops_bursts_over_its_rate() {
        let clock = Clock::manual();
        let limiter = RateLimiter::new(3, clock.clone());
        let allowed = || (0..100).filter(|_| limiter.allow()).count();
        assert_eq!(allowed(), 3);
        clock.advance(Duration::from_secs(1));
        assert_eq!(allowed(), 3);
        clock.advance(Duration::from_secs(60));
        assert_eq!(allowed(), 3, "a long pause adds at most one second's worth");
    }
}
