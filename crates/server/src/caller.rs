//! Who asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::service::Outlet;

/// Somebody who asks.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// By which one is told from another.
    pub(crate) number: u64,
    /// What they may do.
    pub(crate) role: Role,
    /// Where they are told of what they did not ask for.
    pub(crate) outlet: Arc<dyn Outlet>,
}

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Look at everything.
    Look,
    /// Everything.
    Touch,
}

impl Caller {
    /// Somebody who may do everything, as whoever started the server.
    pub(crate) fn owner(outlet: Arc<dyn Outlet>) -> Caller {
        Caller {
            number: 0,
            role: Role::Touch,
            outlet,
        }
    }

    /// Somebody new.
    pub(crate) fn new(role: Role, outlet: Arc<dyn Outlet>) -> Caller {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Caller {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            role,
            outlet,
        }
    }
}
