//! Types that are sent and received: messages, parameters and errors.
//!
//! Rows and columns are 1-based here, and 0-based in the types of the other crates.
//! `wire/coordinates.rs` converts them.

pub(crate) mod answer;
pub(crate) mod coordinates;
pub(crate) mod empty_params;
pub(crate) mod message;
pub(crate) mod number;
pub(crate) mod params;
pub(crate) mod rpc_error;
pub(crate) mod selector;
pub(crate) mod send_options;
pub(crate) mod session_name;
pub(crate) mod theme;

pub use answer::Answer;
pub use rpc_error::{ErrorCode, RpcError};
