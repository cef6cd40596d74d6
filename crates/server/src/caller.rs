//! Who asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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
    gone: Arc<AtomicBool>,
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
            gone: Arc::default(),
        }
    }

    /// Somebody new.
    pub(crate) fn new(role: Role, outlet: Arc<dyn Outlet>) -> Caller {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Caller {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            role,
            outlet,
            gone: Arc::default(),
        }
    }

    /// They want nothing any more.
    pub(crate) fn leave(&self) {
        self.gone.store(true, Ordering::SeqCst);
    }

    /// Whether they want nothing any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::SeqCst)
    }
}
