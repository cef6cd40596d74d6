//! Lines of `input.jsonl` whose bytes come through a scrubber piece by piece.

use std::fs::File;
use std::io;

use screentest_core::formats::cassette::{INPUT, InputKind, InputLine, from_line, to_line};

use crate::recording::cassette::lines::Lines;
use crate::recording::cassette::partial::{Part, PartError};

/// Whether somebody gave these bytes: all of them together are one stream, in which a secret may be spread over many lines.
pub(super) fn is_typed(kind: &InputKind) -> bool {
    !matches!(kind, InputKind::Reply { .. })
}

/// Puts what came through into a line whose bytes end at `end`; `bytes` begin at `from`. Returns how many were taken.
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

/// The name of a key would tell what its bytes do not.
fn cover_name(kind: &mut InputKind) {
    if let InputKind::Key { name, .. } | InputKind::Mouse { name, .. } = kind {
        "*".clone_into(name);
    }
}

/// Changes bytes of input that was written already.
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
