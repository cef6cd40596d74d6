//! Secrets: which values are secret, and covering them in text, bytes and screens.

pub mod scrub;
pub mod secret;
