//! Films are written, read again by other code, and compared pixel by pixel with what was drawn.

mod apng;
mod camera;
mod gif;
mod painter;
mod program;
mod shown;
mod video;
mod webp;
