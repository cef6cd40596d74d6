//! Films are written, read again by other code, and compared pixel by pixel with what was drawn.

mod apng;
mod expected;
mod gif;
mod sample_frames;
mod screen_painter;
mod test_painter;
mod video;
mod webp;
