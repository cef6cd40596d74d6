//! Cassettes of real programs and of streams whose meaning is beyond doubt, kept in `tests/cassettes` with what they must show.
//!
//! Each is checked in collapsed time: no program runs, so that any machine sees what was seen once. Each is also recorded afresh by its script, into a
//! folder of the test's own, and the same assertions hold; with SCREENTEST_RECORD_FIXTURES set, as `cargo xtask record-fixtures` does, what was
//! recorded takes the place of what was kept.
//!
//! Elsewhere: the scripts (`recorded/programs.rs`, `recorded/streams.rs`), what all of them do (`recorded/stage.rs`); the same programs, asked while they run
//! (`conformance.rs`).

use std::fs;
use std::path::{Path, PathBuf};

use screentest::core::formats::assertions::{Assertions, Exit};
use screentest::core::formats::cassette::{Manifest, manifest::Pin};
use screentest::recording::cassette::{CheckError, CheckResult, FrameSource, assertions_file};
use screentest::{Cassette, CassetteError, Player, RecordOptions};
use screentest_fixtures::scratch::Scratch;

mod programs;
mod stage;
mod streams;

/// What makes what is recorded take the place of what was kept.
const RECORD: &str = "SCREENTEST_RECORD_FIXTURES";

/// Records a fixture.
type Script = fn(RecordOptions);

/// Every fixture by its name, with its script.
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

/// Where they are kept.
fn shelf() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes")
}

fn cassette(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.cassette"))
}

/// Checks what a cassette must show; what fails is told as the tool tells it.
fn checked(path: &Path) -> Result<CheckResult, String> {
    let name = path.display();
    let cassette = Cassette::open(path).map_err(|error| error.to_string())?;
    let assertions = assertions_file::find(path).and_then(|path| assertions_file::read(&path));
    let assertions = assertions.map_err(|error| format!("{error:?}"))?;
    let checked = cassette.check(&assertions, FrameSource::Derived);
    let checked = checked.map_err(|error| match error {
        CheckError::Cassette(CassetteError::Emulator(other)) => {
            format!("{name}: {other}; `cargo xtask record-fixtures` records them afresh")
        }
        error => format!("{name}: {error}"),
    })?;
    let told: Vec<String> = checked
        .failed
        .iter()
        .map(|failed| format!("{name}, {failed}\n{}", failed.details()))
        .collect();
    match told.is_empty() {
        true => Ok(checked),
        false => Err(told.concat()),
    }
}

/// Records a fixture, and binds its assertions to what was recorded.
fn record(name: &str, script: Script, folder: &Path) {
    let path = cassette(folder, name);
    script(stage::unnamed(
        RecordOptions::new(&path).replace().keep_keys(),
    ));
    stage::tells_nothing_of_this_machine(&path);
    let recorded = Cassette::open(&path).unwrap();
    let kept = assertions_file::path_for(&cassette(&shelf(), name), "toml");
    let text = match kept.exists() {
        true => assertions_file::rebind(&kept, &recorded).unwrap(),
        // A new one begins with what there is, for a person to go on with.
        false => assertions_file::generate(&recorded, FrameSource::Derived).unwrap(),
    };
    fs::write(assertions_file::path_for(&path, "toml"), text).unwrap();
}

/// What its script records afresh is as what was kept.
#[track_caller]
fn afresh(name: &str) {
    let (_, script) = FIXTURES
        .into_iter()
        .find(|(known, _)| *known == name)
        .unwrap();
    let scratch = Scratch::new();
    let folder = match std::env::var_os(RECORD) {
        Some(_) => shelf(),
        None => scratch.path().to_owned(),
    };
    record(name, script, &folder);
    if let Err(told) = checked(&cassette(&folder, name)) {
        panic!("{told}");
    }
}

macro_rules! afresh {
    ($($test:ident = $name:literal,)*) => {
        mod afresh {
            $(#[test] fn $test() { super::afresh($name); })*
        }
    };
}

afresh! {
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

/// What was kept cannot be asked while it is recorded anew.
fn is_kept() -> bool {
    std::env::var_os(RECORD).is_none()
}

#[test]
fn what_was_kept_shows_what_it_must() {
    for (name, _) in FIXTURES.into_iter().filter(|_| is_kept()) {
        match checked(&cassette(&shelf(), name)) {
            Ok(checked) => assert!(checked.assertions > 2, "{name}: {checked:?}"),
            Err(told) => panic!("{told}"),
        }
    }
}

#[test]
fn nothing_else_is_kept() {
    let mut names: Vec<String> = fs::read_dir(shelf())
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
    assert!(!is_kept() || names == known, "{names:?}");
}

/// The assertions of a fixture, and what is left of them once each was turned into its opposite.
fn turned(name: &str) -> (Cassette, Vec<Assertions>) {
    let path = cassette(&shelf(), name);
    let kept = assertions_file::read(&assertions_file::find(&path).unwrap()).unwrap();
    let mut all = Vec::new();
    for index in 0..kept.assertions.len() {
        let mut turned = kept.clone();
        turned.assertions = vec![kept.assertions[index].clone()];
        let assertion = &mut turned.assertions[0];
        std::mem::swap(&mut assertion.visible, &mut assertion.not_visible);
        match &mut assertion.exit {
            Some(Exit::Code(code)) => *code += 1,
            Some(Exit::Signal(_)) => assertion.exit = Some(Exit::Code(0)),
            None => {}
        }
        let same = turned.assertions[0] == kept.assertions[index];
        all.extend((!same).then_some(turned));
    }
    (Cassette::open(&path).unwrap(), all)
}

#[test]
fn the_opposite_of_each_assertion_fails() {
    for (name, _) in FIXTURES.into_iter().filter(|_| is_kept()) {
        let (cassette, turned) = turned(name);
        assert!(turned.len() > 1, "{name}");
        for assertions in turned {
            let checked = cassette.check(&assertions, FrameSource::Stored).unwrap();
            let line = assertions.assertions[0].line;
            assert_eq!(checked.failed.len(), 1, "{name}, line {line}");
        }
    }
}

#[test]
fn another_emulator_says_what_to_do() {
    let scratch = Scratch::new();
    record("synthetic-clear", streams::clear, scratch.path());
    let path = cassette(scratch.path(), "synthetic-clear");
    let place = path.join("manifest.json");
    let mut manifest = Manifest::parse(&fs::read(&place).unwrap()).unwrap();
    manifest.terminal.emulator = Pin {
        revision: 0,
        ..manifest.terminal.emulator
    };
    fs::write(&place, manifest.to_file()).unwrap();
    let changed = Cassette::open(&path).unwrap();
    let beside = assertions_file::find(&path).unwrap();
    fs::write(&beside, assertions_file::rebind(&beside, &changed).unwrap()).unwrap();
    let told = checked(&path).unwrap_err();
    assert!(told.contains("the frames were derived by `"), "{told}");
    assert!(
        told.ends_with("`cargo xtask record-fixtures` records them afresh"),
        "{told}"
    );
}

#[test]
fn top_shows_many_frames_of_one_run() {
    let path = cassette(&shelf(), "top");
    if !is_kept() {
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
