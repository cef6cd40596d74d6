//! Redacts parts of secrets (stretches of 8 characters) in the written output.
//!
//! A program may wrap, frame or quote a secret, so that it never occurs as consecutive text. While
//! output arrives, only whole values are redacted, since bytes cannot be held back for long. When
//! the recording ends, all output is searched for stretches, including output that no frame shows.

use std::io;
use std::os::unix::fs::FileExt;

use screentest_core::formats::cassette::OUTPUT_RAW;
use screentest_core::redact::scrub::RedactedSecret;

use super::RecordError;
use super::writer::RecordingWriter;

/// The number of bytes searched at once, and how many of them are searched again with the next
/// ones, since a stretch may begin in one part and end in the next.
const PART: usize = 1 << 20;
const OVERLAP: usize = 16 << 10;

/// Redacts the output that has been written. Returns whether it was changed.
pub(super) fn redact_output(writer: &mut RecordingWriter) -> Result<bool, RecordError> {
    if !writer.secrets.has_values() {
        return Ok(false);
    }
    let found = redact(writer).map_err(|error| writer.write_error(OUTPUT_RAW, error))?;
    writer.count(&found, true);
    Ok(!found.is_empty())
}

fn redact(writer: &RecordingWriter) -> io::Result<Vec<RedactedSecret>> {
    let raw = &writer.partial.raw;
    let length = raw.metadata()?.len();
    let mut found = Vec::new();
    let mut start = 0;
    while start < length {
        let count = (length - start).min(PART as u64) as usize;
        let mut part = vec![0; count];
        raw.read_exact_at(&mut part, start)?;
        for mut secret in writer.secrets.scrub_stretches(&mut part) {
            for piece in &mut secret.pieces {
                let redacted = &part[piece.start as usize..piece.end as usize];
                *piece = piece.start + start..piece.end + start;
                raw.write_all_at(redacted, piece.start)?;
            }
            found.push(secret);
        }
        let end = start + count as u64;
        start = if end < length {
            // Begin at a line feed or at the start of an escape sequence, if there is one.
            let from = count - OVERLAP;
            let is_start = |byte: &u8| matches!(byte, b'\n' | 0x1b);
            let skipped = part[from..].iter().position(is_start).unwrap_or(0);
            start + (from + skipped) as u64
        } else {
            end
        };
    }
    Ok(found)
}
