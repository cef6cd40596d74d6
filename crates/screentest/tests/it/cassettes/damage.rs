//! Damaged cassettes are refused; each kind of damage has its own message.

use std::os::unix::fs::symlink;

use screentest::core::formats::cassette::{Manifest, NAMES, manifest};
use screentest::recording::{Moment, Player};

use super::*;

fn cassette(scratch: &Scratch, name: &str) -> PathBuf {
    let path = scratch.path().join(name);
    let app = App::new("sh").args(["-c", "read a; echo $a; echo \"$a$a\""]);
    let session = Session::start(&app, recording_options(RecordOptions::new(&path))).unwrap();
    session.record_mark("start");
    session.type_text("x\r").unwrap();
    session.wait_for_exit(TIMEOUT).unwrap();
    session.finish_recording().unwrap().unwrap()
}

/// Opens and verifies a cassette, and returns the error with its causes.
fn error_chain(path: &Path) -> String {
    let verified = Cassette::open(path).and_then(|cassette| cassette.verify());
    let error = verified.unwrap_err();
    let mut message = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    message.replace(&path.parent().unwrap().display().to_string(), "…")
}

#[test]
fn a_flipped_bit_in_any_file_is_detected() {
    let scratch = Scratch::new();
    let path = cassette(&scratch, "x.cassette");
    Cassette::open(&path).unwrap().verify().unwrap();
    for name in NAMES.into_iter().chain(["manifest.json"]) {
        let file = path.join(name);
        let good = fs::read(&file).unwrap();
        assert!(!good.is_empty(), "{name}");
        for at in [0, good.len() / 2, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&file, bad).unwrap();
            let message = error_chain(&path);
            assert!(message.contains(name), "{name}: {message}");
        }
        fs::write(&file, good).unwrap();
    }
    Cassette::open(&path).unwrap().verify().unwrap();
}

#[test]
fn each_kind_of_damage_has_its_own_message() {
    let scratch = Scratch::new();
    let path = cassette(&scratch, "x.cassette");
    let other = cassette(&scratch, "y.cassette");
    let good = files(&path);
    let mut seen = Vec::new();
    let mut check = |damage: &dyn Fn(), expected: &str| {
        damage();
        let message = error_chain(&path);
        assert!(message.starts_with(expected), "{message}\nnot: {expected}");
        seen.push(expected.to_owned());
        fs::remove_dir_all(&path).unwrap();
        fs::create_dir(&path).unwrap();
        for (name, bytes) in &good {
            fs::write(path.join(name), bytes).unwrap();
        }
    };
    let frames = path.join("frames.jsonl");
    let manifest = path.join("manifest.json");
    check(
        &|| fs::write(&frames, &fs::read(&frames).unwrap()[1..]).unwrap(),
        "`…/x.cassette/frames.jsonl` is truncated: it has ",
    );
    check(
        &|| fs::write(&frames, [fs::read(&frames).unwrap(), vec![b'\n']].concat()).unwrap(),
        "`…/x.cassette/frames.jsonl` has grown: it has ",
    );
    check(
        &|| fs::remove_file(&frames).unwrap(),
        "`…/x.cassette/frames.jsonl` is missing",
    );
    check(
        &|| {
            fs::remove_file(&frames).unwrap();
            symlink(other.join("frames.jsonl"), &frames).unwrap();
        },
        "`…/x.cassette/frames.jsonl` is a link; links are not allowed in a cassette",
    );
    check(
        &|| {
            fs::remove_file(&frames).unwrap();
            fs::create_dir(&frames).unwrap();
        },
        "`…/x.cassette/frames.jsonl` is not a file",
    );
    check(
        &|| {
            fs::copy(other.join("manifest.json"), &manifest).unwrap();
        },
        "the manifest belongs to another cassette: its id is `",
    );
    check(
        &|| fs::remove_file(&manifest).unwrap(),
        "`…/x.cassette` has no manifest: it is not a cassette, or an unfinished one",
    );
    check(
        &|| {
            let text = fs::read_to_string(&manifest).unwrap();
            fs::write(&manifest, text.replace("\"version\": 1", "\"version\": 7")).unwrap();
        },
        "`…/x.cassette/manifest.json` cannot be trusted: unsupported version `7` (expected at most 1)",
    );
    check(
        &|| {
            let text = fs::read_to_string(&manifest).unwrap();
            fs::write(&manifest, text.replace("\"sh\"", "\"zsh\"")).unwrap();
        },
        "`…/x.cassette/manifest.json` cannot be trusted: the manifest was changed",
    );
    check(
        &|| fs::write(&manifest, "{").unwrap(),
        "`…/x.cassette/manifest.json` cannot be trusted: not a manifest: EOF",
    );
    check(
        &|| reseal(&path, |frames| frames.replacen("xx", "yy", 1)),
        "the frame at ",
    );
    check(
        &|| reseal(&path, |frames| frames.replacen("\"seq\":", "\"seq\":9", 1)),
        "`frames.jsonl`, line ",
    );
    check(
        &|| {
            let mut forged = Manifest::parse(&fs::read(&manifest).unwrap()).unwrap();
            forged.terminal.cols = 0;
            fs::write(&manifest, forged.to_file()).unwrap();
        },
        "invalid size in `terminal`, in `manifest.json`: `0` columns: ",
    );
    check(
        &|| {
            let mut forged = Manifest::parse(&fs::read(&manifest).unwrap()).unwrap();
            forged.provenance.portrait_bytes = Some(1000);
            fs::write(&manifest, forged.to_file()).unwrap();
        },
        "`portrait_bytes` in `manifest.json` is 1000, but there are only ",
    );
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 14);
    symlink("loop", scratch.path().join("loop")).unwrap();
    let message = error_chain(&scratch.path().join("loop"));
    assert!(
        message.starts_with("could not read `…/loop`: "),
        "{message}"
    );
    assert!(error_chain(&scratch.path().join("z")).starts_with("`…/z` is not a cassette"));
}

/// Changes the frames and updates the manifest to match, like a forged recording.
pub(super) fn reseal(path: &Path, change: impl Fn(String) -> String) {
    use screentest::core::formats::cassette::Digest;
    let frames = path.join("frames.jsonl");
    let changed = change(fs::read_to_string(&frames).unwrap());
    let mut manifest = Manifest::parse(&fs::read(path.join("manifest.json")).unwrap()).unwrap();
    let facts = manifest::FileEntry {
        bytes: changed.len() as u64,
        sha256: Digest::of(changed.as_bytes()),
    };
    manifest.files.insert("frames.jsonl".to_owned(), facts);
    fs::write(&frames, changed).unwrap();
    fs::write(path.join("manifest.json"), manifest.to_file()).unwrap();
}

/// The value of `seq` in a line.
fn seq(line: &str) -> u64 {
    let (_, rest) = line.split_once("\"seq\":").unwrap();
    rest.split_once(',').unwrap().0.parse().unwrap()
}

#[test]
fn a_repeated_sequence_number_is_reported_with_its_line() {
    let scratch = Scratch::new();
    let path = cassette(&scratch, "x.cassette");
    let outputs = fs::read_to_string(path.join("output.jsonl")).unwrap();
    let output = seq(outputs.lines().last().unwrap());
    let frames = fs::read_to_string(path.join("frames.jsonl")).unwrap();
    let lines: Vec<&str> = frames.lines().collect();
    let last = seq(lines.last().unwrap());
    reseal(&path, |frames| {
        frames.replace(&format!("\"seq\":{last},"), &format!("\"seq\":{output},"))
    });
    let count = lines.len();
    let expected =
        format!("`frames.jsonl`, line {count}: `seq` {output} is also in `output.jsonl`");
    let message = error_chain(&path);
    assert!(message.starts_with(&expected), "{message}\nnot: {expected}");
}

#[test]
fn a_player_reports_the_line_of_a_damaged_frame() {
    let scratch = Scratch::new();
    let path = cassette(&scratch, "x.cassette");
    for (number, damaged) in [(2, "{}"), (1, "{")] {
        reseal(&path, |frames| {
            let mut lines: Vec<&str> = frames.lines().collect();
            lines[number - 1] = damaged;
            lines.join("\n") + "\n"
        });
        let cassette = Cassette::open(&path).unwrap();
        let mut player = Player::new(&cassette).unwrap();
        let error = player.seek(&Moment::Time(TIMEOUT)).unwrap_err().to_string();
        let start = format!("`frames.jsonl`, line {number}: ");
        assert!(error.starts_with(&start), "{error}\nnot: {start}");
    }
}

#[test]
fn another_emulator_is_refused_unless_requested() {
    use screentest::core::Backend;
    let scratch = Scratch::new();
    let path = cassette(&scratch, "x.cassette");
    let mut manifest = Manifest::parse(&fs::read(path.join("manifest.json")).unwrap()).unwrap();
    manifest.terminal.emulator.version = "0.0.1".to_owned();
    manifest.terminal.emulator.revision = 7;
    fs::write(path.join("manifest.json"), manifest.to_file()).unwrap();
    let message = error_chain(&path);
    assert!(
        message.starts_with(
            "the frames were derived by `screentest-vt 0.0.1+7`, and this build has `"
        ),
        "{message}"
    );
    let cassette = Cassette::open(&path).unwrap();
    assert!(cassette.compare(Backend::Vt, 9).unwrap().is_empty());
}
