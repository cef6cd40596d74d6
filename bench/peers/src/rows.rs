//! The rows of the table; the head of each file describes what is measured.

mod flood;
mod gif;
mod memory;
mod picture;
mod recording;
mod startup;
mod styled;
mod suite;
mod wait;

use crate::bench::Bench;
use crate::measure::Measure;

/// Measures a row, or several rows from the same turns.
type Row = fn(&Bench) -> Vec<Measure>;

/// A section of the table: rows for contenders of the same kind.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) rows: &'static [(&'static str, Row)],
}

/// All rows, in the order of the table.
pub(crate) const SECTIONS: [Section; 3] = [
    Section {
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
    Section {
        title: "Pictures",
        rows: &[("picture", picture::run), ("gif", gif::run)],
    },
    Section {
        title: "Recordings",
        rows: &[("recording", recording::run)],
    },
];

/// Returns the names of the rows.
pub(crate) fn names() -> Vec<&'static str> {
    let rows = SECTIONS.iter().flat_map(|section| section.rows);
    rows.map(|(name, _)| *name).collect()
}
