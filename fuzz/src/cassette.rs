//! Target: the readers of a cassette's files and of its folder.
//!
//! - Every line and every small file that can be read survives a round trip.
//! - The screen of a frame has the stated size and can be written as a frame.
//! - A folder with any files is opened and verified, or rejected with a message; the same holds for
//!   the files of an interrupted recorder.
//! - A recovered cassette can be opened and verified.
//!
//! An input is a sequence of files: `FF` and a digit begin the file with that number. If the input
//! has no manifest, one is generated with matching digests, because a random input would hardly
//! contain them. If it has no start file of a recorder, one is added that names the emulator of
//! this build.

use std::fs;
use std::path::Path;

use screentest::core::emulator::EmulatorOptions;
use screentest::core::formats::cassette::frames::FrameTime;
use screentest::core::formats::cassette::manifest::FileEntry;
use screentest::core::formats::cassette::{
    self as format, Digest, EventLine, FrameLine, FrameReader, FrameWriter, InputLine,
    InputLineKind, Manifest, Millis, OutputLine, RecordingEnd, ScrubReport, from_line, to_line,
};
use screentest::core::redact::scrub::Rules;
use screentest::core::{Backend, Size};
use screentest::recording::Cassette;
use screentest::recording::cassette::recover;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::budget::Budget;
use crate::scratch;

/// The files by their digits; only an unfinished recording has the last one.
const NAMES: [&str; 9] = [
    format::MANIFEST,
    format::INPUT,
    format::OUTPUT_RAW,
    format::OUTPUT,
    format::FRAMES,
    format::EVENTS,
    format::FINAL,
    format::SCRUB_REPORT,
    START,
];

/// The file that a recorder writes at the start.
const START: &str = "start.json";

/// A manifest without its list of files. It also serves as a start file.
const MANIFEST: &[u8] = include_bytes!(
    "../../crates/screentest/tests/cassettes/synthetic-clear.cassette/manifest.json"
);

/// Larger screens are skipped: they exercise the same code, but slowly.
const MAX_CELLS: usize = 4_000;

/// Reads the bytes as files and as a folder with these files.
pub fn check(bytes: &[u8]) {
    let files = files(bytes);
    let file = |name: &str| {
        let found = files.iter().find(|(known, _)| *known == name);
        found.map_or(&[][..], |(_, bytes)| bytes)
    };
    if let Ok(mut manifest) = Manifest::parse(file(format::MANIFEST)) {
        let written = manifest.to_file();
        assert_eq!(Manifest::parse(&written).as_ref(), Ok(&manifest));
    }
    if let Ok(ending) = RecordingEnd::parse(file(format::FINAL)) {
        let written = ending.to_file();
        let again = RecordingEnd::parse(&written).expect("written data can be read");
        assert_eq!(again.to_file(), written);
        let _ = ending.screen();
    }
    for line in file(format::INPUT).split(|byte| *byte == b'\n') {
        check_line::<InputLine>(line);
    }
    for line in file(format::OUTPUT).split(|byte| *byte == b'\n') {
        check_line::<OutputLine>(line);
    }
    for line in file(format::EVENTS).split(|byte| *byte == b'\n') {
        check_line::<EventLine>(line);
    }
    check_line::<ScrubReport>(file(format::SCRUB_REPORT));
    let small = check_frames(file(format::FRAMES)) && resizes(file(format::INPUT));
    let starts_small = [format::MANIFEST, START]
        .map(file)
        .into_iter()
        .all(small_start);
    if small && starts_small && is_cheap(file(format::OUTPUT_RAW)) {
        on_disk(&files);
    }
}

fn files(bytes: &[u8]) -> Vec<(&'static str, &[u8])> {
    let mut files: Vec<(&'static str, &[u8])> = Vec::new();
    for part in bytes.split(|byte| *byte == 0xff) {
        if let [digit, rest @ ..] = part
            && let Some(name) = NAMES.get(usize::from(digit.wrapping_sub(b'0')))
            && !files.iter().any(|(known, _)| known == name)
        {
            files.push((name, rest));
        }
    }
    files
}

/// Checks that a line that can be read survives a round trip.
fn check_line<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(line: &[u8]) {
    if let Ok(value) = from_line::<T>(line, 1) {
        let written = to_line(&value);
        assert_eq!(from_line::<T>(&written, 1).as_ref(), Ok(&value));
    }
}

/// Reads frames; returns whether all of them are small.
fn check_frames(bytes: &[u8]) -> bool {
    let mut reader = FrameReader::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let Ok(line) = FrameLine::parse(line, index + 1) else {
            continue;
        };
        if let Ok(screen) = reader.screen(&line) {
            let (cols, rows) = (usize::from(screen.size.cols), usize::from(screen.size.rows));
            assert_eq!(screen.rows.len(), rows);
            assert!(screen.rows.iter().all(|row| row.len() <= cols));
            if cols * rows > MAX_CELLS {
                return false;
            }
            let screen = screen.clone();
            let shown = FrameTime {
                seq: 1,
                time: Millis::default(),
                at: 0,
                unfinished: false,
            };
            let written = FrameWriter::new().line(shown, &screen);
            let written = written.expect("a first screen is always a frame");
            let written = FrameLine::parse(&written, 1).expect("written data can be read");
            assert_eq!(FrameReader::new().screen(&written), Ok(&screen));
        }
    }
    true
}

/// Whether interpreting the output takes little work on a screen of the maximum size.
fn is_cheap(output: &[u8]) -> bool {
    let size = Size { cols: 80, rows: 50 };
    let mut emulator = Backend::default().emulator(size, EmulatorOptions::default());
    let mut budget = Budget::new();
    budget.feed(&mut *emulator, output);
    !budget.is_spent()
}

/// Whether no input resizes to a large screen.
fn resizes(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').all(|line| {
        match from_line::<InputLine>(line, 1).map(|line| line.kind) {
            Ok(InputLineKind::Resize { cols, rows }) => {
                usize::from(cols) * usize::from(rows) <= MAX_CELLS
            }
            _ => true,
        }
    })
}

/// Whether the initial screen is small.
fn small_start(bytes: &[u8]) -> bool {
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let side = |name: &str| value["terminal"][name].as_u64().unwrap_or(0);
    side("cols").saturating_mul(side("rows")) <= MAX_CELLS as u64
}

fn on_disk(files: &[(&str, &[u8])]) {
    let folder = scratch::folder();
    let whole = folder.path().join("a.cassette");
    let part = folder.path().join("b.cassette.part");
    for path in [&whole, &part] {
        fs::create_dir(path).expect("a folder can be made");
    }
    for (name, bytes) in files {
        if *name != START {
            fs::write(whole.join(name), bytes).expect("a file can be written");
        }
        if *name != format::MANIFEST {
            fs::write(part.join(name), bytes).expect("a file can be written");
        }
    }
    let lacks = |name: &str| !files.iter().any(|(known, _)| *known == name);
    if lacks(format::MANIFEST) {
        fs::write(whole.join(format::MANIFEST), fitting(files)).expect("a file can be written");
    }
    if lacks(START) {
        fs::write(part.join(START), MANIFEST).expect("a file can be written");
    }
    opened(&whole);
    if let Ok(recovered) = recover(&part, &Rules::none()) {
        let cassette = Cassette::open(&recovered.path).expect("a recovered cassette can be opened");
        let verified = cassette.verify();
        assert!(verified.is_ok(), "{verified:?}");
    }
}

/// Returns a manifest with the digests of these files.
fn fitting(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut manifest = Manifest::parse(MANIFEST).expect("the embedded manifest is valid");
    let facts = files
        .iter()
        .filter(|(name, _)| format::NAMES.contains(name));
    manifest.files = facts
        .map(|(name, bytes)| {
            let facts = FileEntry {
                bytes: bytes.len() as u64,
                sha256: Digest::of(bytes),
            };
            ((*name).to_owned(), facts)
        })
        .collect();
    manifest.to_file()
}

fn opened(path: &Path) {
    let cassette = match Cassette::open(path) {
        Ok(cassette) => cassette,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    // The files may be invalid; only panics matter here.
    let _ = (
        cassette.inputs(),
        cassette.events(),
        cassette.scrub_report(),
    );
    let _ = cassette.verify();
}
