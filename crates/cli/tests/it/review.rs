//! `review`: interactive and non-interactive.

mod artifact_dir;
mod decisions;
mod layout;
mod noninteractive;
