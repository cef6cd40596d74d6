//! Damage to the bytes of any file, and inputs that are not regular files.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use anyhow::Result;

use super::super::commands::InputKind;
use super::super::process::make_fifo;
use super::{CONTROLS, HostileInput, read};

/// Returns a copy of a file for each kind of damage, with the name of the damage.
pub(super) fn damages(seed: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let half = seed.len() / 2;
    let (start, end) = seed.split_at(half);
    let within = |bytes: &[u8]| [start, bytes, end].concat();
    let crlf = String::from_utf8_lossy(seed).replace('\n', "\r\n");
    vec![
        ("empty", Vec::new()),
        ("truncated", start.to_vec()),
        ("byte order mark", [b"\xef\xbb\xbf", seed].concat()),
        ("CRLF", crlf.into_bytes()),
        ("NUL", within(b"\0")),
        ("invalid UTF-8", within(b"\xff\xc0\x80\xed\xa0\x80")),
        ("controls", within(CONTROLS.as_bytes())),
        ("line of 1 MB", within(&vec![b'x'; 1 << 20])),
        (
            "deep nesting",
            [seed, "[".repeat(100_000).as_bytes()].concat(),
        ),
        ("only deep nesting", "[{\"a\":".repeat(50_000).into_bytes()),
        ("twice", [seed, seed].concat()),
    ]
}

/// The kinds of files, and a real file of each.
const SEEDS: [(InputKind, &str); 9] = [
    (
        InputKind::Cast,
        "crates/core/tests/compatibility/demo-3.cast",
    ),
    (
        InputKind::State,
        "crates/core/tests/compatibility/styles.state.json",
    ),
    (InputKind::Vt2, "crates/core/tests/compatibility/styles.vt2"),
    (
        InputKind::Ansi,
        "crates/core/tests/compatibility/styles.ansi.txt",
    ),
    (InputKind::Tape, "examples/quickstart.tape"),
    (
        InputKind::Assertions,
        "crates/screentest/tests/cassettes/dialog.assertions.toml",
    ),
    (
        InputKind::Output,
        "crates/screentest/tests/cassettes/dialog.cassette/output.raw",
    ),
    (InputKind::Theme, ""),
    (InputKind::Config, ""),
];

/// Content of the kinds of which the project has no file.
const THEME: &str = "{\"background\": \"#000000\",\n \"foreground\": \"#ffffff\"}\n";
const CONFIG: &str = "[run]\nworkers = 2\ntapes = [\"*.tape\"]\n";
const MESSAGE: &str = "{\"direction\":\"request\",\"line\":\"{}\",\"timestampMicros\":1}\n";
const TOKENS: &str =
    "abcdefghijklmnopqrstuvwxyzabcdefgh\nlook zyxwvutsrqponmlkjihgfedcbazyxwvuts\n";

/// Returns damaged files of all kinds.
pub(super) fn inputs() -> Result<Vec<HostileInput>> {
    let mut inputs = Vec::new();
    let mut seeds = Vec::new();
    for (kind, path) in SEEDS {
        let bytes = match kind {
            InputKind::Theme => THEME.into(),
            InputKind::Config => CONFIG.into(),
            _ => read(path)?,
        };
        seeds.push((kind, bytes));
    }
    seeds.push((InputKind::Messages, MESSAGE.repeat(4).into_bytes()));
    seeds.push((InputKind::Tokens, TOKENS.into()));
    for (kind, seed) in seeds {
        for (what, bytes) in damages(&seed) {
            inputs.push(HostileInput::file(kind, what, bytes));
        }
        inputs.extend(not_files(kind));
    }
    Ok(inputs)
}

/// Returns inputs that cannot be read as a file, or not to their end.
fn not_files(kind: InputKind) -> Vec<HostileInput> {
    let name = kind.file_name();
    let input = |what: &str, make: fn(&std::path::Path) -> Result<()>| {
        HostileInput::new(kind, what, move |folders| {
            make(&folders.work.join(name))?;
            Ok(PathBuf::from(name))
        })
    };
    let mut inputs = vec![
        input("missing", |_| Ok(())),
        input("folder", |path| Ok(fs::create_dir(path)?)),
        input("link to itself", |path| {
            let target = path.file_name().unwrap_or_default();
            Ok(symlink(target, path)?)
        }),
        input("sparse", |path| {
            Ok(File::create(path)?.set_len(60_000_000_000)?)
        }),
    ];
    // A command may wait for the writer of a FIFO that is its input. It must not wait for settings
    // or tokens.
    if matches!(kind, InputKind::Config | InputKind::Tokens) {
        inputs.push(input("FIFO", make_fifo));
    }
    // `cat` would read a sparse file or a device for too long.
    if kind == InputKind::Output {
        inputs.retain(|input| input.name != "sparse");
    } else {
        inputs.push(input("link to a device", |path| {
            Ok(symlink("/dev/zero", path)?)
        }));
    }
    inputs
}
