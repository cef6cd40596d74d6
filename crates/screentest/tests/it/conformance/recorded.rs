//! Committed cassettes of real programs and of byte streams, in `tests/cassettes`, with their
//! assertions.
//!
//! Each is checked without running its program, so the result is the same on every machine. Each is
//! also recorded again by its script, into a temporary folder, and must satisfy the same
//! assertions. With SCREENTEST_RECORD_FIXTURES set, as `cargo xtask record-fixtures` does, the new
//! recordings replace the committed ones.
//!
//! See also: `recorded/programs.rs` and `recorded/streams.rs` (the scripts), `recorded/recorder.rs`
//! (recording), `conformance.rs` (the same programs, checked while they run).

use std::fs;
use std::path::{Path, PathBuf};

use screentest::core::formats::assertions::{Assertions, ExpectedExit};
use screentest::core::formats::cassette::{Manifest, manifest::PinnedEmulator};
use screentest::recording::cassette::{CheckError, CheckResult, FrameSource, assertions_file};
use screentest::recording::{Cassette, CassetteError, Player, RecordOptions};
use screentest_fixtures::scratch::Scratch;

mod programs;
mod recorder;
mod streams;

/// If set, new recordings replace the committed ones.
const RECORD: &str = "SCREENTEST_RECORD_FIXTURES";

/// Records a fixture.
type Script = fn(RecordOptions);

/// Every fixture with its script.
const FIXTURES: [(&str, Script); 12] = [
    ("dialog", programs::dialog),
    ("less", programs::less),
    ("nano", programs::nano),
    ("top", programs::top),
    ("vim", programs::vim),
    ("synthetic-clear", streams::clear),
    ("synthetic-cursor", streams::cursor),
    ("synthetic-malformed", streams::malformed),
    ("synthetic-resize", streams::resize),
    ("synthetic-scroll", streams::scroll),
    ("synthetic-styles", streams::styles),
    ("synthetic-unicode", streams::unicode),
];

/// Folder of the committed cassettes.
fn cassettes_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes")
}

fn cassette(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.cassette"))
}

/// Checks the assertions of a cassette; returns the failures as `screentest` prints them.
fn check(path: &Path) -> Result<CheckResult, String> {
    let name = path.display();
    let cassette = Cassette::open(path).map_err(|error| error.to_string())?;
    let assertions = assertions_file::find(path).and_then(|path| assertions_file::read(&path));
    let assertions = assertions.map_err(|error| format!("{error:?}"))?;
    let checked = cassette.check(&assertions, FrameSource::Derived);
    let checked = checked.map_err(|error| match error {
        CheckError::Cassette(CassetteError::Emulator(other)) => {
            format!("{name}: {other}; `cargo xtask record-fixtures` records them again")
        }
        error => format!("{name}: {error}"),
    })?;
    let failures: Vec<String> = checked
        .failed
        .iter()
        .map(|failed| format!("{name}, {failed}\n{}", failed.details()))
        .collect();
    if failures.is_empty() {
        Ok(checked)
    } else {
        Err(failures.concat())
    }
}

/// Records a fixture and binds its assertions to the new recording.
fn record(name: &str, script: Script, folder: &Path) {
    let path = cassette(folder, name);
    script(recorder::cover_user_name(
        RecordOptions::new(&path).replace().keep_keys(),
    ));
    recorder::assert_no_local_names(&path);
    let recorded = Cassette::open(&path).unwrap();
    let committed = assertions_file::path_for(&cassette(&cassettes_folder(), name), "toml");
    let text = if committed.exists() {
        assertions_file::rebind(&committed, &recorded).unwrap()
    } else {
        // A new fixture starts with a generated assertions file, to be edited by hand.
        assertions_file::generate(&recorded, FrameSource::Derived).unwrap()
    };
    fs::write(assertions_file::path_for(&path, "toml"), text).unwrap();
}

/// Records a fixture again and checks the same assertions.
#[track_caller]
fn rerecord(name: &str) {
    let (_, script) = FIXTURES
        .into_iter()
        .find(|(known, _)| *known == name)
        .unwrap();
    let scratch = Scratch::new();
    let folder = match std::env::var_os(RECORD) {
        Some(_) => cassettes_folder(),
        None => scratch.path().to_owned(),
    };
    record(name, script, &folder);
    if let Err(message) = check(&cassette(&folder, name)) {
        panic!("{message}");
    }
}

macro_rules! rerecord {
    ($($test:ident = $name:literal,)*) => {
        mod rerecord {
            $(#[test] fn $test() { super::rerecord($name); })*
        }
    };
}

rerecord! {
    dialog = "dialog",
    less = "less",
    nano = "nano",
    top = "top",
    vim = "vim",
    clear = "synthetic-clear",
    cursor = "synthetic-cursor",
    malformed = "synthetic-malformed",
    resize = "synthetic-resize",
    scroll = "synthetic-scroll",
    styles = "synthetic-styles",
    unicode = "synthetic-unicode",
}

/// Returns whether the committed cassettes are checked: not while they are being recorded again.
fn is_committed() -> bool {
    std::env::var_os(RECORD).is_none()
}

#[test]
fn committed_cassettes_satisfy_their_assertions() {
    for (name, _) in FIXTURES.into_iter().filter(|_| is_committed()) {
        match check(&cassette(&cassettes_folder(), name)) {
            Ok(checked) => assert!(checked.assertions > 2, "{name}: {checked:?}"),
            Err(message) => panic!("{message}"),
        }
    }
}

#[test]
fn every_committed_cassette_has_a_script() {
    let mut names: Vec<String> = fs::read_dir(cassettes_folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.') && !name.ends_with(".part"))
        .collect();
    names.sort();
    let mut known: Vec<String> = FIXTURES
        .iter()
        .flat_map(|(name, _)| {
            [
                format!("{name}.assertions.toml"),
                format!("{name}.cassette"),
            ]
        })
        .collect();
    known.sort();
    assert!(!is_committed() || names == known, "{names:?}");
}

/// Returns a cassette and each of its assertions negated, where that is possible.
fn negated(name: &str) -> (Cassette, Vec<Assertions>) {
    let path = cassette(&cassettes_folder(), name);
    let committed = assertions_file::read(&assertions_file::find(&path).unwrap()).unwrap();
    let mut all = Vec::new();
    for index in 0..committed.assertions.len() {
        let mut negated = committed.clone();
        negated.assertions = vec![committed.assertions[index].clone()];
        let assertion = &mut negated.assertions[0];
        std::mem::swap(&mut assertion.visible, &mut assertion.not_visible);
        match &mut assertion.exit {
            Some(ExpectedExit::Code(code)) => *code += 1,
            Some(ExpectedExit::Signal(_)) => assertion.exit = Some(ExpectedExit::Code(0)),
            None => {}
        }
        let same = negated.assertions[0] == committed.assertions[index];
        all.extend((!same).then_some(negated));
    }
    (Cassette::open(&path).unwrap(), all)
}

#[test]
fn negated_assertions_fail() {
    for (name, _) in FIXTURES.into_iter().filter(|_| is_committed()) {
        let (cassette, negated) = negated(name);
        assert!(negated.len() > 1, "{name}");
        for assertions in negated {
            let checked = cassette.check(&assertions, FrameSource::Stored).unwrap();
            let line = assertions.assertions[0].line;
            assert_eq!(checked.failed.len(), 1, "{name}, line {line}");
        }
    }
}

#[test]
fn another_emulator_is_reported_with_the_command_to_record_again() {
    let scratch = Scratch::new();
    record("synthetic-clear", streams::clear, scratch.path());
    let path = cassette(scratch.path(), "synthetic-clear");
    let place = path.join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    manifest.terminal.emulator = PinnedEmulator {
        revision: 0,
        ..manifest.terminal.emulator
    };
    fs::write(&place, manifest.to_file()).unwrap();
    let changed = Cassette::open(&path).unwrap();
    let assertions = assertions_file::find(&path).unwrap();
    fs::write(
        &assertions,
        assertions_file::rebind(&assertions, &changed).unwrap(),
    )
    .unwrap();
    let message = check(&path).unwrap_err();
    assert!(
        message.contains("the frames were derived by `"),
        "{message}"
    );
    assert!(
        message.ends_with("`cargo xtask record-fixtures` records them again"),
        "{message}"
    );
}

#[test]
fn the_recording_of_top_has_several_frames() {
    let path = cassette(&cassettes_folder(), "top");
    if !is_committed() {
        return;
    }
    let cassette = Cassette::open(path).unwrap();
    let mut player = Player::new(&cassette).unwrap();
    let mark = |name: &str| {
        let found = player.marks().find(|(known, _)| *known == name);
        found.unwrap().1
    };
    let (drawn, refreshed) = (mark("drawn"), mark("refreshed"));
    let mut frames = 0;
    while player.forward().unwrap().is_some() {
        frames += usize::from((drawn..=refreshed).contains(&player.time()));
    }
    assert!(frames > 2, "{frames}");
}
