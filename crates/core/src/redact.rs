//! Secrets: which values are secret, and covering them in text, bytes and screens.

mod cells;
pub mod edited_line;
pub mod scrub;
pub mod secret;
mod stretch;
