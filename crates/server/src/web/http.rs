//! The HTTP parts that all routes share: connections, limits, bodies, responses and errors.

pub(crate) mod body;
pub(crate) mod error;
pub(crate) mod in_memory;
pub(crate) mod limits;
pub(crate) mod listener;
pub(crate) mod response;
pub(crate) mod send_timeout;
pub(crate) mod unsent_body;
