//! Secrets in many forms: drawn by programs, typed, and downloaded. No answer or file shows a whole
//! value or 8 of its characters in a row.
//!
//! See also: `secrets/ways.rs` (how values are drawn), `secrets/leaks.rs` (how leaks are found).

mod drawn;
pub(crate) mod leaks;
mod programs;
mod typed;
pub(crate) mod ways;

/// Prints how many ways are covered.
#[expect(
    clippy::print_stdout,
    reason = "the counts are shown with `--nocapture`"
)]
pub(crate) fn print_counts(kind: &str, leaking: usize, of: usize) {
    println!("{kind}: {} of {of} ways covered", of - leaking);
}
