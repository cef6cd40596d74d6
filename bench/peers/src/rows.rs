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

/// A part of the table: what is measured of those who do the same.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) title: &'static str,
    pub(crate) rows: &'static [(&'static str, Row)],
}

/// All of them, in the order of the table.
pub(crate) const PARTS: [Part; 3] = [
    Part {
        title: "Driving programs",
        rows: &[
            ("wait", wait::run),
            ("startup", startup::run),
            ("flood", flood::run),
            ("suite", suite::run),
            ("styled", styled::run),
            ("memory", memory::run),
        ],
    },
    Part {
        title: "Pictures",
        rows: &[("picture", picture::run), ("film", film::run)],
    },
    Part {
        title: "Recordings",
        rows: &[("recording", recording::run)],
    },
];

/// Their names.
pub(crate) fn names() -> Vec<&'static str> {
    let rows = PARTS.iter().flat_map(|part| part.rows);
    rows.map(|(name, _)| *name).collect()
}
