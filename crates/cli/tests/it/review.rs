//! `review`: a person's decisions, and a script's.

mod artifact_dir;
mod decisions;
mod layout;
mod noninteractive;
