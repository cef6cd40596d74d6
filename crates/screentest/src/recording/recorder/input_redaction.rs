//! Redacts user input on its way to `input.jsonl`.
//!
//! All input is one stream, in which a secret may span many lines. A line waits until the redactor
//! has released its bytes.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::InputLine;
use screentest_core::redact::edited_line::EditedLine;
use screentest_core::redact::scrub::{RedactedSecret, Rules, ScrubOutput, Scrubber, StreamKind};

use super::input_lines;
use crate::recording::cassette::directory::partial::PartialCassette;

/// The stream of user input.
#[derive(Debug)]
pub(super) struct InputRedaction {
    secrets: Arc<Rules>,
    scrubber: Scrubber,
    /// The number of bytes that have been pushed.
    pushed: u64,
    /// Lines whose bytes are not all released, with the offsets of their ends.
    held_back: VecDeque<(u64, InputLine)>,
    edited_line: EditedLine,
    /// Bytes that turned out to belong to a secret after they were written.
    patches: Vec<(u64, u8)>,
}

/// Released lines, and the secrets redacted in them.
#[derive(Debug, Default)]
pub(super) struct ReleasedInput {
    pub(super) lines: Vec<InputLine>,
    pub(super) redactions: Vec<RedactedSecret>,
}

impl InputRedaction {
    pub(super) fn new(secrets: &Arc<Rules>) -> InputRedaction {
        InputRedaction {
            secrets: Arc::clone(secrets),
            scrubber: Scrubber::new(Arc::clone(secrets), StreamKind::Text),
            pushed: 0,
            held_back: VecDeque::new(),
            edited_line: EditedLine::new(Arc::clone(secrets)),
            patches: Vec::new(),
        }
    }

    /// The latest time at which [`InputRedaction::expire`] must be called.
    pub(super) fn deadline(&self) -> Option<Duration> {
        self.scrubber.deadline()
    }

    /// Adds an input.
    pub(super) fn push(&mut self, line: InputLine) -> ReleasedInput {
        let mut out = ScrubOutput::default();
        let mut corrected = Vec::new();
        if let Some(bytes) = line
            .kind
            .bytes()
            .filter(|_| input_lines::is_typed(&line.kind))
        {
            self.scrubber.push(bytes, line.t_ms.time(), &mut out);
            let found = self.edited_line.push(bytes, self.pushed);
            self.patches.extend(found.patches);
            corrected = found.redactions;
            self.pushed += bytes.len() as u64;
        }
        self.held_back.push_back((self.pushed, line));
        let mut input = self.release(out);
        input.redactions.extend(corrected);
        input
    }

    /// Releases bytes that have been held back for too long.
    pub(super) fn expire(&mut self, now: Duration) -> ReleasedInput {
        let mut out = ScrubOutput::default();
        self.scrubber.expire(now, &mut out);
        self.release(out)
    }

    /// Releases everything, because no more input comes, or the next line must not wait.
    pub(super) fn finish(&mut self) -> ReleasedInput {
        let mut out = ScrubOutput::default();
        self.scrubber.finish(&mut out);
        self.release(out)
    }

    /// Overwrites bytes that were written before they were found to belong to a secret. Returns
    /// the secrets that are found only now: those typed with other characters between their own.
    pub(super) fn patch(&mut self, partial: &PartialCassette) -> io::Result<Vec<RedactedSecret>> {
        let mut found = Vec::new();
        if self.secrets.has_values() && self.pushed > 0 {
            let mut typed = input_lines::typed_bytes(partial)?;
            found = self.secrets.scrub_stretches(&mut typed);
            let covered = found.iter().flat_map(|secret| &secret.pieces);
            let covered = covered.flat_map(|piece| piece.clone());
            self.patches
                .extend(covered.map(|at| (at, typed[at as usize])));
        }
        if !self.patches.is_empty() {
            // In this order, lines find their patches by binary search.
            self.patches.sort_by_key(|(at, _)| *at);
            input_lines::patch(partial, &self.patches)?;
        }
        Ok(found)
    }

    fn release(&mut self, out: ScrubOutput) -> ReleasedInput {
        self.patches.extend(out.patches);
        let mut input = ReleasedInput {
            lines: Vec::new(),
            redactions: out.covered,
        };
        let mut bytes = out.bytes.as_slice();
        let released = self.scrubber.released();
        let mut from = released - bytes.len() as u64;
        while let Some((end, mut line)) = self.held_back.pop_front() {
            let used = input_lines::fill(&mut line, end, from, bytes);
            if end > released {
                // Put in the released bytes; the rest of the line waits.
                self.held_back.push_front((end, line));
                break;
            }
            bytes = &bytes[used..];
            from += used as u64;
            input.lines.push(line);
        }
        input
    }
}
