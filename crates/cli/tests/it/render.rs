//! `render`: pictures and videos of screens and recordings.

mod appearance;
mod fonts;
mod invalid_input;
mod invalid_options;
mod memory;
mod output_paths;
mod progress;
mod recordings;
mod text;
mod video;
