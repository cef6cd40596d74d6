//! Fills redacted bytes into lines of `input.jsonl`.

use std::fs::File;
use std::io;

use screentest_core::formats::cassette::{INPUT, InputLine, InputLineKind, from_line, to_line};

use crate::recording::cassette::directory::partial::{PartialCassette, PartialCassetteError};
use crate::recording::cassette::streams::line_reader::LineReader;

/// Returns whether this is user input. All user input is one stream, in which a secret may span
/// many lines.
pub(super) fn is_typed(kind: &InputLineKind) -> bool {
    !matches!(kind, InputLineKind::Reply { .. })
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
fn redact_name(kind: &mut InputLineKind) {
    if let InputLineKind::Key { name, .. } | InputLineKind::Mouse { name, .. } = kind {
        "*".clone_into(name);
    }
}

/// Returns all user input that has been written, as one stream.
pub(super) fn typed_bytes(partial: &PartialCassette) -> io::Result<Vec<u8>> {
    let mut lines = LineReader::new(File::open(partial.path().join(INPUT))?);
    let mut typed = Vec::new();
    while let Some(line) = lines.next()? {
        let input: InputLine = from_line(line.text, line.number).map_err(io::Error::other)?;
        if let Some(bytes) = input.kind.bytes().filter(|_| is_typed(&input.kind)) {
            typed.extend_from_slice(bytes);
        }
    }
    Ok(typed)
}

/// Overwrites bytes of input that has been written already. The patches are sorted by offset.
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
            let first = patches.partition_point(|(at, _)| *at < from);
            let patches = patches[first..].iter();
            for (at, byte) in patches.take_while(|(at, _)| *at < end) {
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
