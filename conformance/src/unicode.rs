//! Grapheme clusters and widths, checked with Unicode's own test data.
//!
//! The data is in `unicode/`. A cluster of UAX #29 takes one cell, or one wide cell, whose text is
//! the whole cluster. The terminal is asked to use clusters (mode 2027), in case it does not by
//! default.
//!
//! Failures are counted by kind. The known counts are in `unicode/known.txt`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use screentest_core::{Backend, Emulator, Size, Width};

use crate::emulator;

/// Asks for grapheme clusters.
const CLUSTERS: &[u8] = b"\x1b[?2027h";

/// The results of a kind of sequences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of sequences.
    pub all: usize,
    /// Number of failures.
    pub failed: usize,
    /// The first failures.
    pub examples: Vec<String>,
}

impl Tally {
    fn add(&mut self, failure: Option<String>) {
        self.all += 1;
        if let Some(failure) = failure {
            self.failed += 1;
            if self.examples.len() < 5 {
                self.examples.push(failure);
            }
        }
    }
}

/// Checks all data below a folder. Returns the results by kind.
pub fn check(folder: &Path, backend: Backend) -> Result<BTreeMap<String, Tally>> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut screen = Line::new(backend);
    for line in lines(folder, "grapheme_breaks.txt")? {
        let clusters: Option<Vec<String>> = line.split(" ÷ ").map(text).collect();
        let clusters = clusters.with_context(|| line.clone())?;
        // A mark at the start of a line has no character to join.
        if clusters[0].chars().all(is_mark) {
            continue;
        }
        let tally = tallies.entry("grapheme breaks".to_owned()).or_default();
        tally.add(screen.clusters(&line, &clusters));
    }
    for file in ["emoji.txt", "variations.txt"] {
        for line in lines(folder, file)? {
            let parsed = line.split_once(" ; ").and_then(|(codes, width)| {
                let width: usize = width.parse().ok()?;
                Some((text(codes)?, width))
            });
            let (cluster, width) = parsed.with_context(|| line.clone())?;
            let tally = tallies.entry(kind(file, &cluster).to_owned()).or_default();
            tally.add(screen.cluster(&line, &cluster, width));
        }
    }
    for line in lines(folder, "widths.txt")? {
        let range = width_range(&line).with_context(|| line.clone())?;
        let tally = tallies
            .entry(format!("code points of width {}", range.2))
            .or_default();
        widths(backend, range, tally);
    }
    Ok(tallies)
}

/// Writes the number of failures of each kind.
pub fn write_known(tallies: &BTreeMap<String, Tally>) -> String {
    let mut text = String::from(
        "# Failures by kind, to be fixed. The tests fail if a number changes.\n\
         # Written by `cargo xtask conformance --stored --update`.\n",
    );
    for (kind, Tally { all, failed, .. }) in tallies {
        text.push_str(&format!("{kind}: {failed} of {all}\n"));
    }
    text
}

/// Returns the kind of an emoji sequence.
fn kind(file: &str, cluster: &str) -> &'static str {
    let has = |range: std::ops::RangeInclusive<char>| cluster.chars().any(|c| range.contains(&c));
    if file == "variations.txt" {
        return if has('\u{fe0e}'..='\u{fe0e}') {
            "VS15"
        } else {
            "VS16"
        };
    }
    if has('\u{20e3}'..='\u{20e3}') {
        "emoji: keycaps"
    } else if has('\u{1f1e6}'..='\u{1f1ff}') || has('\u{e0020}'..='\u{e007f}') {
        "emoji: flags"
    } else if has('\u{200d}'..='\u{200d}') {
        "emoji: joined"
    } else if has('\u{1f3fb}'..='\u{1f3ff}') && cluster.chars().count() > 1 {
        "emoji: skin tones"
    } else if has('\u{fe0f}'..='\u{fe0f}') {
        "emoji: VS16"
    } else {
        "emoji: one code point"
    }
}

/// Whether a character is shown only together with the one before it.
fn is_mark(c: char) -> bool {
    unicode_width::UnicodeWidthChar::width(c) == Some(0)
}

/// A terminal of one row, in which each sequence is written and read back.
struct Line {
    terminal: Box<dyn Emulator>,
}

impl Line {
    fn new(backend: Backend) -> Line {
        let mut terminal = emulator::terminal(backend, Size { cols: 40, rows: 1 });
        terminal.feed(CLUSTERS);
        Line { terminal }
    }

    /// Writes a text, and returns the text and width of each cell up to the cursor.
    fn cells(&mut self, text: &str) -> Vec<(String, usize)> {
        self.terminal.feed(b"\r\x1b[2K");
        self.terminal.feed(text.as_bytes());
        let screen = self.terminal.screen();
        let row = &screen.rows[0];
        let mut cells = Vec::new();
        for col in 0..screen.cursor.position.col {
            let cell = row.cell(col);
            let mut text = String::new();
            cell.push_to(&mut text);
            match cell.width {
                Width::Spacer => {}
                Width::Narrow => cells.push((text, 1)),
                Width::Wide => cells.push((text, 2)),
            }
        }
        cells
    }

    /// Checks that each cluster has a cell of its own.
    fn clusters(&mut self, line: &str, clusters: &[String]) -> Option<String> {
        let cells = self.cells(&clusters.concat());
        let texts: Vec<&str> = cells.iter().map(|(text, _)| text.as_str()).collect();
        (texts != clusters).then(|| format!("{line}: {texts:?}"))
    }

    /// Checks that a cluster is one cell of this width.
    fn cluster(&mut self, line: &str, cluster: &str, width: usize) -> Option<String> {
        let cells = self.cells(cluster);
        (cells != [(cluster.to_owned(), width)]).then(|| format!("{line}: {cells:?}"))
    }
}

/// Checks how far each code point of a range moves the cursor. Marks are written after a letter.
fn widths(backend: Backend, (first, last, width): (u32, u32, usize), tally: &mut Tally) {
    let mut terminal = emulator::terminal(backend, Size { cols: 40, rows: 1 });
    let before = if width == 0 { "x" } else { "" };
    for c in (first..=last).filter_map(char::from_u32) {
        terminal.feed(format!("\r\x1b[2K{before}{c}\x1b[6n").as_bytes());
        let replies = terminal.take_replies();
        let reply = String::from_utf8_lossy(&replies);
        let expected = format!("\x1b[1;{}R", 1 + before.len() + width);
        tally.add((reply != expected).then(|| {
            let column = reply.trim_start_matches("\x1b[1;").trim_end_matches('R');
            format!("U+{:04X}: the cursor is at column {column}", u32::from(c))
        }));
    }
}

/// Parses `FIRST..LAST ; WIDTH`.
fn width_range(line: &str) -> Option<(u32, u32, usize)> {
    let (range, width) = line.split_once(" ; ")?;
    let (first, last) = range.split_once("..")?;
    let number = |digits| u32::from_str_radix(digits, 16).ok();
    Some((number(first)?, number(last)?, width.parse().ok()?))
}

/// Parses hexadecimal code points.
fn text(codes: &str) -> Option<String> {
    let chars = codes.split(' ');
    let mut chars = chars.map(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
    chars.by_ref().collect()
}

fn lines(folder: &Path, name: &str) -> Result<Vec<String>> {
    let file = fs::read_to_string(folder.join(name)).with_context(|| name.to_owned())?;
    let lines: Vec<String> = file
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if lines.is_empty() {
        return Err(anyhow!("{name} has no data"));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_in_several_cells_is_a_failure() {
        let mut screen = Line::new(Backend::default());
        assert_eq!(screen.cluster("界", "界", 2), None);
        assert_eq!(screen.cluster("é", "e\u{301}", 1), None);
        let failure = screen.cluster("0061 0062", "ab", 1).unwrap();
        assert_eq!(failure, r#"0061 0062: [("a", 1), ("b", 1)]"#);
        assert!(screen.cluster("界", "界", 1).is_some());
        assert_eq!(screen.clusters("", &["a".to_owned(), "b".to_owned()]), None);
        assert!(screen.clusters("", &["ab".to_owned()]).is_some());
    }

    #[test]
    fn widths_are_measured_by_the_cursor() {
        let mut tally = Tally::default();
        widths(Backend::default(), (0x61, 0x62, 1), &mut tally);
        widths(Backend::default(), (0x301, 0x301, 0), &mut tally);
        widths(Backend::default(), (0x4e00, 0x4e00, 2), &mut tally);
        assert_eq!((tally.all, tally.failed), (4, 0));
        widths(Backend::default(), (0x4e00, 0x4e00, 1), &mut tally);
        assert_eq!(tally.examples, ["U+4E00: the cursor is at column 3"]);
    }
}
