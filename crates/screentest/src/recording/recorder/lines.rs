//! Fills redacted bytes into lines of `input.jsonl`.

use std::fs::File;
use std::io;

use screentest_core::formats::cassette::{INPUT, InputKind, InputLine, from_line, to_line};

use crate::recording::cassette::lines::Lines;
use crate::recording::cassette::partial::{Part, PartError};

/// Returns whether this is user input. All user input is one stream, in which a secret may span
/// many lines.
pub(super) fn is_typed(kind: &InputKind) -> bool {
    !matches!(kind, InputKind::Reply { .. })
}

/// Puts redacted bytes into a line. `end` is the stream offset at which the line ends, `from` the
/// offset of `bytes`. Returns the number of bytes used.
pub(super) fn put(line: &mut InputLine, end: u64, from: u64, bytes: &[u8]) -> usize {
    if !is_typed(&line.kind) {
        return 0;
    }
    let Some(kept) = line.kind.bytes_mut() else {
        return 0;
    };
    let start = end - kept.len() as u64;
    let skipped = from.saturating_sub(start) as usize;
    let mut taken = 0;
    let mut changed = false;
    for (place, byte) in kept.iter_mut().skip(skipped).zip(bytes) {
        changed |= place != byte;
        *place = *byte;
        taken += 1;
    }
    if changed {
        cover_name(&mut line.kind);
    }
    taken
}

/// Hides the name of a key, which would reveal its redacted bytes.
fn cover_name(kind: &mut InputKind) {
    if let InputKind::Key { name, .. } | InputKind::Mouse { name, .. } = kind {
        "*".clone_into(name);
    }
}

/// Overwrites bytes of input that has been written already.
pub(super) fn patch(part: &Part, patches: &[(u64, u8)]) -> io::Result<()> {
    let path = part.path().join(INPUT);
    let mut lines = Lines::new(File::open(&path)?);
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
                cover_name(&mut input.kind);
            }
        }
        file.extend(to_line(&input));
    }
    match part.write(INPUT, &file) {
        Err(PartError::Write { source, .. }) => Err(source),
        _ => Ok(()),
    }
}
