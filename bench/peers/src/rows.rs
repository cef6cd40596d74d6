//! The rows of the table, each in a file that says what is measured.

mod film;
mod flood;
mod memory;
mod picture;
mod recording;
mod startup;
mod styled;
mod suite;
mod wait;

use crate::bench::Bench;
use crate::measure::Measure;

/// A row, or a few that come of the same turns.
type Row = fn(&Bench) -> Vec<Measure>;

/// All of them, in the order of the table.
pub(crate) const ALL: [(&str, Row); 9] = [
    ("wait", wait::run),
    ("startup", startup::run),
    ("flood", flood::run),
    ("suite", suite::run),
    ("styled", styled::run),
    ("picture", picture::run),
    ("film", film::run),
    ("recording", recording::run),
    ("memory", memory::run),
];
