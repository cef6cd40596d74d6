//! Fills redacted bytes into lines of `input.jsonl`.

use std::fs::File;
use std::io;

use screentest_core::formats::cassette::{INPUT, InputKind, InputLine, from_line, to_line};

use crate::recording::cassette::directory::partial::{PartialCassette, PartialCassetteError};
use crate::recording::cassette::streams::line_reader::LineReader;

/// Returns whether this is user input. All user input is one stream, in which a secret may span
/// many lines.
pub(super) fn is_typed(kind: &InputKind) -> bool {
    !matches!(kind, InputKind::Reply { .. })
}

/// Puts redacted bytes into a line. `end` is the stream offset at which the line ends, `from` the
/// offset of `bytes`. Returns the number of bytes used.
pub(super) fn fill(line: &mut InputLine, end: u64, from: u64, bytes: &[u8]) -> usize {
    if !is_typed(&line.kind) {
        return 0;
    }
    let Some(line_bytes) = line.kind.bytes_mut() else {
        return 0;
    };
    let start = end - line_bytes.len() as u64;
    let skipped = from.saturating_sub(start) as usize;
    let mut used = 0;
    let mut changed = false;
    for (target, byte) in line_bytes.iter_mut().skip(skipped).zip(bytes) {
        changed |= target != byte;
        *target = *byte;
        used += 1;
    }
    if changed {
        redact_name(&mut line.kind);
    }
    used
}

/// Hides the name of a key, which would reveal its redacted bytes.
fn redact_name(kind: &mut InputKind) {
    if let InputKind::Key { name, .. } | InputKind::Mouse { name, .. } = kind {
        "*".clone_into(name);
    }
}

/// Overwrites bytes of input that has been written already.
pub(super) fn patch(partial: &PartialCassette, patches: &[(u64, u8)]) -> io::Result<()> {
    let path = partial.path().join(INPUT);
    let mut lines = LineReader::new(File::open(&path)?);
    let mut file = Vec::new();
    let mut from = 0;
    while let Some(line) = lines.next()? {
        let mut input: InputLine = from_line(line.text, line.number).map_err(io::Error::other)?;
        if is_typed(&input.kind)
            && let Some(bytes) = input.kind.bytes_mut()
        {
            let end = from + bytes.len() as u64;
            let mut changed = false;
            for (at, byte) in patches.iter().filter(|(at, _)| (from..end).contains(at)) {
                bytes[(at - from) as usize] = *byte;
                changed = true;
            }
            from = end;
            if changed {
                redact_name(&mut input.kind);
            }
        }
        file.extend(to_line(&input));
    }
    match partial.replace_file(INPUT, &file) {
        Err(PartialCassetteError::Write { source, .. }) => Err(source),
        _ => Ok(()),
    }
}
