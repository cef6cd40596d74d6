//! Redacts user input on its way to `input.jsonl`.
//!
//! All input is one stream, in which a secret may span many lines. A line waits until the redactor
//! has released its bytes.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::InputLine;
use screentest_core::redact::scrub::{RedactedSecret, Rules, ScrubOutput, Scrubber, StreamKind};

use super::backspaced_secrets::Corrections;
use super::lines;
use crate::recording::cassette::partial::Part;

/// The stream of user input.
#[derive(Debug)]
pub(super) struct Typing {
    scrubber: Scrubber,
    /// The number of bytes that have been pushed.
    came: u64,
    /// Lines whose bytes are not all released, with the offsets of their ends.
    waiting: VecDeque<(u64, InputLine)>,
    corrections: Corrections,
    /// Bytes that turned out to belong to a secret after they were written.
    patches: Vec<(u64, u8)>,
}

/// Released lines, and the secrets redacted in them.
#[derive(Debug, Default)]
pub(super) struct Through {
    pub(super) lines: Vec<InputLine>,
    pub(super) covered: Vec<RedactedSecret>,
}

impl Typing {
    pub(super) fn new(secrets: &Arc<Rules>) -> Typing {
        Typing {
            scrubber: Scrubber::new(Arc::clone(secrets), StreamKind::Text),
            came: 0,
            waiting: VecDeque::new(),
            corrections: Corrections::new(Arc::clone(secrets)),
            patches: Vec::new(),
        }
    }

    /// The latest time at which [`Typing::expire`] must be called.
    pub(super) fn deadline(&self) -> Option<Duration> {
        self.scrubber.deadline()
    }

    /// Adds an input.
    pub(super) fn push(&mut self, line: InputLine) -> Through {
        let mut out = ScrubOutput::default();
        let mut corrected = Vec::new();
        if let Some(bytes) = line.kind.bytes().filter(|_| lines::is_typed(&line.kind)) {
            self.scrubber.push(bytes, line.t_ms.time(), &mut out);
            let found = self.corrections.push(bytes, self.came);
            self.patches.extend(found.patches);
            corrected = found.covered;
            self.came += bytes.len() as u64;
        }
        self.waiting.push_back((self.came, line));
        let mut through = self.through(out);
        through.covered.extend(corrected);
        through
    }

    /// Releases bytes that have been held back for too long.
    pub(super) fn expire(&mut self, now: Duration) -> Through {
        let mut out = ScrubOutput::default();
        self.scrubber.expire(now, &mut out);
        self.through(out)
    }

    /// Releases everything, because no more input comes, or the next line must not wait.
    pub(super) fn finish(&mut self) -> Through {
        let mut out = ScrubOutput::default();
        self.scrubber.finish(&mut out);
        self.through(out)
    }

    /// Overwrites bytes that were written before they were found to belong to a secret.
    pub(super) fn patch(&self, part: &Part) -> io::Result<()> {
        match self.patches.as_slice() {
            [] => Ok(()),
            patches => lines::patch(part, patches),
        }
    }

    fn through(&mut self, out: ScrubOutput) -> Through {
        self.patches.extend(out.patches);
        let mut through = Through {
            lines: Vec::new(),
            covered: out.covered,
        };
        let mut bytes = out.bytes.as_slice();
        let released = self.scrubber.released();
        let mut from = released - bytes.len() as u64;
        while let Some((end, mut line)) = self.waiting.pop_front() {
            let taken = lines::put(&mut line, end, from, bytes);
            if end > released {
                // Put in the released bytes; the rest of the line waits.
                self.waiting.push_front((end, line));
                break;
            }
            bytes = &bytes[taken..];
            from += taken as u64;
            through.lines.push(line);
        }
        through
    }
}
