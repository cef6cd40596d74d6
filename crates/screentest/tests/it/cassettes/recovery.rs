//! Recovery of recordings whose recorder was interrupted.

use std::os::unix::fs::PermissionsExt;

use screentest::core::formats::cassette::manifest::RecordingStatus;
use screentest::core::redact::scrub::Rules;
use screentest::recording::RecordError;
use screentest::recording::cassette::{RecoverError, recover};
use screentest_fixtures::random::Random;

use super::*;

/// Starts a recording with all kinds of content, and returns its unpublished folder.
fn unfinished(scratch: &Scratch) -> (Session, PathBuf) {
    let path = scratch.path().join("x.cassette");
    let (pty, session) = scripted(RecordOptions::new(&path));
    for n in 0..40 {
        pty.print(format!("line {n}\r\n").as_bytes());
        session
            .wait_for(format!("line {n}").as_str(), TIMEOUT)
            .unwrap();
        session.type_text("x").unwrap();
        session.record_mark("there");
        if n % 10 == 0 {
            session
                .resize(Size {
                    cols: 40 + n,
                    rows: 8,
                })
                .unwrap();
        }
    }
    let part = scratch.path().join("x.cassette.part");
    // The recorder writes asynchronously; the last mark is written last.
    poll_until("everything is written", || {
        let events = fs::read_to_string(part.join("events.jsonl")).unwrap();
        let frames = fs::read_to_string(part.join("frames.jsonl")).unwrap();
        events.lines().count() == 40 && frames.contains("line 39")
    });
    (session, part)
}

#[test]
fn a_recording_truncated_anywhere_is_recovered() {
    let scratch = Scratch::new();
    let (_session, part) = unfinished(&scratch);
    let all = files(&part);
    let mut random = Random::new(1);
    let mut kept_most = 0;
    for round in 0..200 {
        let folder = scratch.path().join(format!("{round}.cassette.part"));
        fs::create_dir(&folder).unwrap();
        for (name, bytes) in &all {
            let stream = name != "start.json";
            let length = if stream && random.one_in(2) {
                random.below(bytes.len() + 1)
            } else {
                bytes.len()
            };
            fs::write(folder.join(name), &bytes[..length]).unwrap();
        }
        let recovered = recover(&folder, &Rules::known_tokens()).unwrap();
        let cassette = Cassette::open(&recovered.path).unwrap();
        let verified = cassette
            .verify()
            .unwrap_or_else(|error| panic!("{round}: {error}"));
        let RecordingStatus::Recovered {
            dropped_output,
            dropped_lines,
        } = verified.status
        else {
            panic!("{:?}", verified.status);
        };
        let raw = &all.iter().find(|(name, _)| name == "output.raw").unwrap().1;
        kept_most += usize::from(dropped_output == 0 && verified.output == raw.len() as u64);
        assert!(!verified.ended && dropped_lines < 1000);
        assert!(!folder.exists());
    }
    assert!(kept_most > 5, "{kept_most}");
}

/// Returns the permissions of a path.
fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

/// The directory of a killed recorder may contain the beginning of a secret.
#[test]
fn only_its_owner_may_enter_an_unpublished_folder() {
    let scratch = Scratch::new();
    let (session, part) = unfinished(&scratch);
    assert_eq!(mode(&part), 0o700);
    // A recovered or finished cassette has the permissions of any new folder.
    let usual = scratch.path().join("usual");
    fs::create_dir(&usual).unwrap();
    let copy = scratch.path().join("y.cassette.part");
    fs::create_dir(&copy).unwrap();
    for (name, bytes) in files(&part) {
        fs::write(copy.join(name), bytes).unwrap();
    }
    let recovered = recover(&copy, &Rules::known_tokens()).unwrap();
    assert_eq!(mode(&recovered.path), mode(&usual));
    let published = session.finish_recording().unwrap().unwrap();
    assert_eq!(mode(&published), mode(&usual));
}

/// A sparse file has almost no content, but because of its length it would take hours to read.
#[test]
fn a_sparse_file_is_refused() {
    let scratch = Scratch::new();
    let (_session, part) = unfinished(&scratch);
    let all = files(&part);
    for sparse in ["output.raw", "frames.jsonl"] {
        let folder = scratch.path().join(format!("{sparse}.cassette.part"));
        fs::create_dir(&folder).unwrap();
        for (name, bytes) in &all {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let file = fs::File::options().append(true).open(folder.join(sparse));
        file.unwrap().set_len(1 << 42).unwrap();
        let error = recover(&folder, &Rules::known_tokens()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains(sparse) && text.contains("is sparse"),
            "{text}"
        );
    }
}

/// Returns a file of lines with random damage.
fn damaged(lines: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = lines
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(5) {
        0 => lines.swap(one, other),
        1 => lines.insert(one, lines[other].clone()),
        2 => drop(lines.remove(one)),
        3 => lines.insert(one, b"\0\0\0\n".to_vec()),
        _ => {
            let digits = lines[one].iter_mut().filter(|byte| byte.is_ascii_digit());
            let mut digits: Vec<&mut u8> = digits.collect();
            let digit = random.below(digits.len());
            *digits[digit] = b'0' + random.below(10) as u8;
        }
    }
    lines.concat()
}

#[test]
fn a_recording_damaged_anywhere_is_recovered() {
    let scratch = Scratch::new();
    let (_session, part) = unfinished(&scratch);
    let all = files(&part);
    let mut random = Random::new(2);
    for round in 0..200 {
        let folder = scratch.path().join(format!("{round}.cassette.part"));
        fs::create_dir(&folder).unwrap();
        for (name, bytes) in &all {
            let bytes = if name.ends_with(".jsonl") && random.one_in(2) {
                damaged(bytes, &mut random)
            } else {
                bytes.clone()
            };
            fs::write(folder.join(name), bytes).unwrap();
        }
        let recovered = recover(&folder, &Rules::known_tokens()).unwrap();
        let verified = Cassette::open(&recovered.path).unwrap().verify();
        assert!(verified.is_ok(), "{round}: {verified:?}");
    }
}

/// Records `text`, changes one of the files, and recovers the recording without its manifest.
fn recovered(scratch: &Scratch, name: &str, other: impl FnOnce(&str) -> String) -> Cassette {
    let (pty, session) = scripted(RecordOptions::new(scratch.path().join("x.cassette")));
    pty.print(b"text");
    session.wait_for("text", TIMEOUT).unwrap();
    session.record_mark("there");
    let cassette = finish(&pty, &session, ExitStatus::Exited(0));
    let part = scratch.path().join("y.cassette.part");
    fs::create_dir(&part).unwrap();
    for (name, bytes) in files(cassette.path()) {
        // `start.json` has the same contents as the manifest.
        let name = match name.as_str() {
            "manifest.json" => "start.json",
            name => name,
        };
        fs::write(part.join(name), bytes).unwrap();
    }
    let text = fs::read_to_string(part.join(name)).unwrap();
    let changed = other(&text);
    assert_ne!(changed, text, "nothing was changed");
    fs::write(part.join(name), changed).unwrap();
    let recovered = recover(&part, &Rules::none()).unwrap();
    let cassette = Cassette::open(&recovered.path).unwrap();
    cassette.verify().unwrap();
    cassette
}

#[test]
fn the_largest_sequence_number_is_reserved_for_the_ending() {
    let scratch = Scratch::new();
    let cassette = recovered(&scratch, "events.jsonl", |line| {
        let (_, rest) = line.split_once(',').unwrap();
        format!("{{\"seq\":{},{rest}", u64::MAX)
    });
    assert_eq!(cassette.events().unwrap(), []);
}

#[test]
fn an_ending_before_the_last_event_is_dropped() {
    for (name, number) in [("seq", "1"), ("t_ms", "0")] {
        let scratch = Scratch::new();
        let cassette = recovered(&scratch, "final.json", |text| {
            let start = text.find(&format!("\"{name}\"")).unwrap();
            let (before, line) = text.split_at(start);
            let (_, after) = line.split_once(',').unwrap();
            format!("{before}\"{name}\": {number},{after}")
        });
        assert!(!cassette.ending().ended(), "{name}");
        let status = &cassette.manifest().status;
        assert!(
            matches!(status, RecordingStatus::Recovered { .. }),
            "{status:?}"
        );
    }
}

#[test]
fn the_initial_dump_is_limited_to_the_recovered_bytes() {
    let scratch = Scratch::new();
    let cassette = recovered(&scratch, "start.json", |text| {
        text.replacen(
            "\"provenance\": {",
            "\"provenance\": {\"portrait_bytes\": 100,",
            1,
        )
    });
    assert_eq!(cassette.manifest().provenance.portrait_bytes, Some(4));
}

#[test]
fn an_undamaged_recording_is_recovered_completely() {
    let scratch = Scratch::new();
    let (session, part) = unfinished(&scratch);
    let message = recover(&part, &Rules::none()).unwrap_err().to_string();
    assert!(
        message.contains("is in use by another recorder"),
        "{message}"
    );
    let copy = scratch.path().join("copy.cassette.part");
    fs::create_dir(&copy).unwrap();
    for (name, bytes) in files(&part) {
        fs::write(copy.join(name), bytes).unwrap();
    }
    let recovered = recover(&copy, &Rules::none()).unwrap();
    assert_eq!(
        recovered.status,
        RecordingStatus::Recovered {
            dropped_output: 0,
            dropped_lines: 0
        }
    );
    let cassette = Cassette::open(&recovered.path).unwrap();
    cassette.verify().unwrap();
    let last = cassette.ending().screen().unwrap();
    assert_eq!(last, session.screen());
}

#[test]
fn a_recording_without_only_its_manifest_is_complete() {
    let scratch = Scratch::new();
    let path = record(&scratch.path().join("x.cassette"), "echo hello");
    let message = recover(&path, &Rules::none()).unwrap_err();
    assert!(
        matches!(message, RecoverError::Finished { .. }),
        "{message}"
    );
    let part = scratch.path().join("y.cassette.part");
    fs::create_dir(&part).unwrap();
    for (name, bytes) in files(&path) {
        fs::write(part.join(name), bytes).unwrap();
    }
    // Killed before the rename.
    let recovered = recover(&part, &Rules::none()).unwrap();
    assert_eq!(recovered.status, RecordingStatus::Complete);
    assert_eq!(recovered.path, scratch.path().join("y.cassette"));
    Cassette::open(&recovered.path).unwrap().verify().unwrap();
}

#[test]
fn two_exchanged_cassettes_are_both_kept() {
    let scratch = Scratch::new();
    let path = record(&scratch.path().join("x.cassette"), "echo new");
    let old = record(&scratch.path().join("y.cassette"), "echo old");
    // Killed right after the exchange or right before it: the two cases cannot be distinguished.
    let part = scratch.path().join("x.cassette.part");
    fs::rename(old, &part).unwrap();
    let message = RecordOptions::new(&path).replace().check().unwrap_err();
    assert!(
        matches!(message, RecordError::InterruptedReplace { .. }),
        "{message}"
    );
    let message = recover(&part, &Rules::none()).unwrap_err();
    assert_eq!(
        message
            .to_string()
            .replace(scratch.path().to_str().unwrap(), ""),
        "`/x.cassette.part` is a complete cassette, left by a recorder that was interrupted while replacing `/x.cassette`: \
         compare the two, then rename or remove it"
    );
    Cassette::open(&path).unwrap().verify().unwrap();
    Cassette::open(&part).unwrap().verify().unwrap();
}

#[test]
fn an_empty_recording_is_refused() {
    let scratch = Scratch::new();
    let part = scratch.path().join("x.cassette.part");
    fs::create_dir(&part).unwrap();
    let message = recover(&part, &Rules::none()).unwrap_err();
    assert!(matches!(message, RecoverError::Nothing { .. }), "{message}");
    fs::write(part.join("output.raw"), "").unwrap();
    let message = recover(&part, &Rules::none()).unwrap_err();
    assert!(matches!(message, RecoverError::Nothing { .. }), "{message}");
    fs::write(part.join("output.raw"), "said").unwrap();
    let message = recover(&part, &Rules::none()).unwrap_err();
    assert!(
        matches!(message, RecoverError::NoMetadata { .. }),
        "{message}"
    );
    fs::write(part.join("start.json"), "{}").unwrap();
    let message = recover(&part, &Rules::none()).unwrap_err();
    assert!(
        matches!(message, RecoverError::Metadata { .. }),
        "{message}"
    );
    // The leftover of a recording is not overwritten by another recording.
    let (pty, session) = scripted(RecordOptions::new(scratch.path().join("x.cassette")));
    pty.end(ExitStatus::Exited(0));
    session.wait_for_exit(TIMEOUT).unwrap();
    let message = session.finish_recording().unwrap().unwrap_err().to_string();
    assert!(
        message.contains("is left over from an interrupted recording"),
        "{message}"
    );
}
