//! `render`: kept screens and recordings as pictures.

mod bad;
mod films;
mod fonts;
mod looks;
mod memory;
mod places;
mod progress;
mod text;
mod video;
mod wrong;
