//! Finds secrets that the recorder of a cassette did not know.
//!
//! The files are searched in decoded form: the output as a stream and as screens, typed input as
//! one text, and the strings of the other files without the escapes of JSON.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::formats::cassette::{
    self as format, EventLine, FrameLine, FrameReader, InputLine, InputLineKind,
};
use screentest_core::redact::edited_line::EditedLine;
use screentest_core::redact::scrub::{
    RedactedSecret, Rules, ScrubOutput, Scrubber, StreamKind, on_screen,
};
use serde_json::Value;

use super::error::{line_error, read_error};
use super::{Cassette, CassetteError};
use crate::recording::recorder::manifest_texts;

/// The number of bytes of output read at once, and how many of them are searched again with the
/// next ones.
const PART: usize = 1 << 20;
const OVERLAP: usize = 16 << 10;

/// The minimum number of bytes of typed input that are searched at once.
const INPUT_PART: usize = 1 << 20;

/// A secret in a cassette.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretInCassette {
    /// The name of its rule.
    pub rule: String,
    /// The file that contains it.
    pub file: &'static str,
}

impl Cassette {
    /// Returns a secret that the cassette contains, if there is one. Reads the whole cassette.
    pub fn find_secret(
        &self,
        rules: &Arc<Rules>,
    ) -> Result<Option<SecretInCassette>, CassetteError> {
        type Search = fn(&Cassette, &Arc<Rules>) -> Result<Option<usize>, CassetteError>;
        let searches: [(&'static str, Search); 6] = [
            (format::MANIFEST, Cassette::secret_in_manifest),
            (format::OUTPUT_RAW, Cassette::secret_in_output),
            (format::INPUT, Cassette::secret_in_input),
            (format::EVENTS, Cassette::secret_in_events),
            (format::FRAMES, Cassette::secret_in_frames),
            (format::FINAL, Cassette::secret_on_last_screen),
        ];
        for (file, search) in searches {
            if let Some(rule) = search(self, rules)? {
                let rule = rules.names().get(rule).cloned().unwrap_or_default();
                return Ok(Some(SecretInCassette { rule, file }));
            }
        }
        Ok(None)
    }

    fn secret_in_manifest(&self, rules: &Arc<Rules>) -> Result<Option<usize>, CassetteError> {
        let mut texts = manifest_texts(self.manifest());
        Ok(texts.find_map(|text| first(&rules.find(text.as_bytes()))))
    }

    fn secret_in_output(&self, rules: &Arc<Rules>) -> Result<Option<usize>, CassetteError> {
        let path = self.path().join(format::OUTPUT_RAW);
        let mut file = self.output()?;
        let mut stream = StreamSearch::new(rules, StreamKind::Output);
        loop {
            let mut part = Vec::new();
            let read = (&mut file).take(PART as u64).read_to_end(&mut part);
            if read.map_err(read_error(&path))? == 0 {
                return Ok(stream.finish());
            }
            if let Some(rule) = stream.push(&part) {
                return Ok(Some(rule));
            }
        }
    }

    fn secret_in_input(&self, rules: &Arc<Rules>) -> Result<Option<usize>, CassetteError> {
        let mut lines = self.jsonl::<InputLine>(format::INPUT)?;
        let mut stream = StreamSearch::new(rules, StreamKind::Text);
        let mut edited = EditedLine::new(Arc::clone(rules));
        let mut typed = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.next()? {
            let Some(bytes) = line.kind.bytes() else {
                continue;
            };
            if let InputLineKind::Reply { .. } = line.kind {
                if let Some(rule) = first(&rules.find(bytes)) {
                    return Ok(Some(rule));
                }
                continue;
            }
            let found = edited.push(bytes, at);
            if let Some(rule) = first(&found.redactions) {
                return Ok(Some(rule));
            }
            at += bytes.len() as u64;
            typed.extend_from_slice(bytes);
            // Most lines are single keys, which are searched together.
            if typed.len() >= INPUT_PART
                && let Some(rule) = stream.push(&std::mem::take(&mut typed))
            {
                return Ok(Some(rule));
            }
        }
        match stream.push(&typed) {
            Some(rule) => Ok(Some(rule)),
            None => Ok(stream.finish()),
        }
    }

    fn secret_in_events(&self, rules: &Arc<Rules>) -> Result<Option<usize>, CassetteError> {
        let mut lines = self.jsonl::<EventLine>(format::EVENTS)?;
        while let Some(line) = lines.next()? {
            let mark = line.mark.map_or(Value::Null, Value::String);
            if let Some(rule) =
                secret_in_json(&mark, rules).or_else(|| secret_in_json(&line.data, rules))
            {
                return Ok(Some(rule));
            }
        }
        Ok(None)
    }

    fn secret_in_frames(&self, rules: &Arc<Rules>) -> Result<Option<usize>, CassetteError> {
        let mut reader = FrameReader::new();
        let mut lines = self.jsonl::<FrameLine>(format::FRAMES)?;
        while let Some(line) = lines.next()? {
            let screen = reader.screen(&line);
            let screen = screen.map_err(|problem| lines.error(problem))?;
            if let Some(rule) = on_screen::contains_secret(screen, rules) {
                return Ok(Some(rule));
            }
        }
        Ok(None)
    }

    fn secret_on_last_screen(&self, rules: &Arc<Rules>) -> Result<Option<usize>, CassetteError> {
        let screen = self.ending().screen().map_err(line_error(format::FINAL))?;
        Ok(on_screen::contains_secret(&screen, rules))
    }
}

/// Returns the rule of the first secret.
fn first(found: &[RedactedSecret]) -> Option<usize> {
    found.first().map(|secret| secret.rule)
}

/// Searches the strings, field names and numbers of a JSON value.
fn secret_in_json(json: &Value, rules: &Arc<Rules>) -> Option<usize> {
    let in_text = |text: &str| first(&rules.find(text.as_bytes()));
    match json {
        Value::String(text) => in_text(text),
        Value::Number(number) => in_text(&number.to_string()),
        Value::Array(items) => items.iter().find_map(|item| secret_in_json(item, rules)),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, field)| in_text(name).or_else(|| secret_in_json(field, rules))),
        Value::Null | Value::Bool(_) => None,
    }
}

/// Searches a stream in parts of any size.
struct StreamSearch<'a> {
    rules: &'a Arc<Rules>,
    scrubber: Scrubber,
    /// The last bytes that were searched.
    recent: Vec<u8>,
}

impl StreamSearch<'_> {
    fn new(rules: &Arc<Rules>, kind: StreamKind) -> StreamSearch<'_> {
        StreamSearch {
            rules,
            scrubber: Scrubber::new(Arc::clone(rules), kind),
            recent: Vec::new(),
        }
    }

    /// Searches the next bytes. Returns the rule of a secret.
    fn push(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut out = ScrubOutput::default();
        self.scrubber.push(bytes, Duration::ZERO, &mut out);
        if let Some(rule) = first(&out.covered) {
            return Some(rule);
        }
        self.recent.extend_from_slice(bytes);
        let found = first(&self.rules.scrub_stretches(&mut self.recent));
        // Begin at a line feed or at the start of an escape sequence, if there is one.
        let from = self.recent.len().saturating_sub(OVERLAP);
        let is_start = |byte: &u8| matches!(byte, b'\n' | 0x1b);
        let skipped = self.recent[from..].iter().position(is_start).unwrap_or(0);
        self.recent.drain(..from + skipped);
        found
    }

    /// Ends the stream. Returns the rule of a secret at its end.
    fn finish(mut self) -> Option<usize> {
        let mut out = ScrubOutput::default();
        self.scrubber.finish(&mut out);
        first(&out.covered)
    }
}
