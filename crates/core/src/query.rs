//! Questions about a screen: selectors, conditions, extraction, differences and normalisers.

pub mod condition;
pub mod diff;
pub mod extract;
pub mod mask;
pub mod match_;
pub mod near_miss;
pub mod new_text;
pub mod normaliser;
pub mod selector;
pub mod suggest;
pub mod truncate;
