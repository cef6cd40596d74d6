//! Encodes animations, decodes them with other code, and compares them pixel by pixel with the
//! drawn frames.

mod apng;
mod expected;
mod gif;
mod sample_frames;
mod screen_painter;
mod test_painter;
mod video;
mod webp;
