//! `review`: a person's decisions, and a script's.

mod decisions;
mod looks;
mod scripts;
mod shelf;
