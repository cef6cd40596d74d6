//! Runs inputs of the maximum length, made of sequences that are expensive to interpret, through
//! the targets that read program output. `cargo xtask fuzz` allows a second for each; here a slow
//! machine with many tests gets more.

use std::time::Duration;

use screentest::clock::Clock;
use screentest_fixtures::flood::EXPENSIVE;
use screentest_fuzz::TARGETS;

/// Maximum length of an input of these targets.
const LENGTH: usize = 64 << 10;

/// Much longer than one second of processor time takes on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(30);

/// Pieces of program output that are repeated up to the length.
const PIECES: [&str; 13] = [
    EXPENSIVE,
    "\x1b#8",
    "x\x1b[65535b",
    "漢\x1b[65535b",
    "e\u{301}\x1b[65535b",
    "x\x1b[2J",
    "\x1b[?1049h\x1b[?1049l",
    "\x1b[65535L",
    "\x1b[2;9r\x1b[9;1H\n\n\n\n",
    "\x1b[?2026hx\x1b[?2026l",
    "\u{301}",
    "\x1b[22t",
    "\x1b]8;;x\x1b\\a\x1b]8;;y\x1b\\b",
];

#[track_caller]
fn check(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let clock = Clock::system();
    (target.check)(bytes);
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
    assert!(
        clock.now() < MAX_TIME,
        "{name} {shown:?}: {:?}",
        clock.now()
    );
}

fn repeated(piece: &str) -> Vec<u8> {
    piece.repeat(LENGTH / piece.len()).into_bytes()
}

#[test]
fn ansi_stays_within_its_budget() {
    for piece in PIECES {
        check("ansi", &repeated(piece));
    }
}

#[test]
fn backends_stay_within_their_budget() {
    for piece in PIECES {
        // The largest size: 500 columns and 200 rows.
        check("backends", &[&[127, 255][..], &repeated(piece)].concat());
    }
}

#[test]
fn asciicast_stays_within_its_budget() {
    for piece in PIECES {
        let text = String::from_utf8(repeated(piece)).unwrap();
        let header = r#"{"version": 2, "width": 80, "height": 24}"#;
        let event = serde_json::json!([1, "o", text]);
        check("asciicast", format!("{header}\n{event}\n").as_bytes());
    }
    let mut resizes = r#"{"version": 2, "width": 80, "height": 24}"#.to_owned();
    resizes.push_str(&format!("\n[0,\"o\",{:?}]", "x\r\n".repeat(4000)));
    while resizes.len() < LENGTH {
        resizes.push_str("\n[1,\"r\",\"60x24\"]\n[1,\"r\",\"80x24\"]");
    }
    check("asciicast", resizes.as_bytes());
}

#[test]
fn cassette_stays_within_its_budget() {
    for piece in PIECES {
        let raw = repeated(piece);
        let length = raw.len();
        let index = format!("{{\"seq\":1,\"t_ms\":0,\"offset\":0,\"length\":{length}}}\n");
        // `FF` and a digit begin a file: 2 is output.raw, 3 is output.jsonl.
        let input = [b"\xff2", &raw[..], b"\xff3", index.as_bytes()].concat();
        check("cassette", &input);
    }
}
