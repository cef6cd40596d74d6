//! Scans a file for secrets before it is published, and computes its digest.
//!
//! The bytes of a short secret may also occur by chance in a number or a word of the format: `2048`
//! in an offset, `text` in a field name. If a file contains such bytes, its JSON is therefore
//! parsed, and only text that came from outside counts.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use memchr::memmem::Finder;
use screentest_core::formats::cassette as format;
use screentest_core::formats::cassette::digest::Digester;
use screentest_core::formats::cassette::manifest::FileEntry;
use screentest_core::redact::scrub::Rules;
use serde_json::Value;

use super::RecordError;
use super::publish::secret_left;
use crate::recording::cassette::directory::partial::PartialCassette;

/// The number of bytes read at once.
const CHUNK: usize = 1 << 20;

/// Fields whose values are words of the format.
const FORMAT_FIELDS: [&str; 2] = ["id", "kind"];

/// The field whose value the caller supplies, including the names of its fields.
const CALLER_FIELD: &str = "data";

/// Scans a file for every secret, syncs it to disk, and returns its length and digest.
pub(super) fn scan_file(
    partial: &PartialCassette,
    name: &str,
    secrets: &Rules,
) -> Result<FileEntry, RecordError> {
    let path = partial.path().join(name);
    let write_error = |source| RecordError::Write {
        path: path.clone(),
        source,
    };
    let mut file = File::open(&path).map_err(write_error)?;
    let mut values: Vec<(usize, Finder<'_>)> = finders(secrets).collect();
    let mut matched = BTreeSet::new();
    let longest = secrets.values().map(|(_, value)| value.len()).max();
    let overlap = longest.unwrap_or(1) - 1;
    let mut digester = Digester::default();
    let mut bytes = 0;
    let mut buffer = Vec::new();
    loop {
        // A match may span two reads.
        let carried_over = buffer.len().min(overlap);
        buffer.drain(..buffer.len() - carried_over);
        let read = (&mut file).take(CHUNK as u64).read_to_end(&mut buffer);
        if read.map_err(write_error)? == 0 {
            break;
        }
        digester.update(&buffer[carried_over..]);
        bytes += (buffer.len() - carried_over) as u64;
        values.retain(|(rule, value)| {
            let found = value.find(&buffer).is_some();
            if found {
                matched.insert(*rule);
            }
            !found
        });
    }
    if let Some(rule) = rule_in_text(name, &path, secrets, &matched).map_err(write_error)? {
        return Err(secret_left(partial, name, secrets, rule));
    }
    file.sync_all().map_err(write_error)?;
    Ok(FileEntry {
        bytes,
        sha256: digester.finish(),
    })
}

/// Searchers for every encoding of every secret.
fn finders(secrets: &Rules) -> impl Iterator<Item = (usize, Finder<'_>)> {
    secrets
        .values()
        .map(|(rule, value)| (rule, Finder::new(value)))
}

/// Returns the first of these rules whose secret occurs in text from outside. A secret with quotes
/// is encoded differently in JSON than in the parsed text, so all encodings are searched for.
fn rule_in_text(
    name: &str,
    path: &Path,
    secrets: &Rules,
    matched: &BTreeSet<usize>,
) -> io::Result<Option<usize>> {
    if matched.is_empty() || name == format::OUTPUT_RAW {
        return Ok(matched.first().copied());
    }
    let values: Vec<(usize, Finder<'_>)> = finders(secrets)
        .filter(|(rule, _)| matched.contains(rule))
        .collect();
    let file = BufReader::new(File::open(path)?);
    for line in serde_json::Deserializer::from_reader(file).into_iter::<Value>() {
        let line = line?;
        let found = values.iter().find(|(_, value)| is_in(&line, value, false));
        if let Some((rule, _)) = found {
            return Ok(Some(*rule));
        }
    }
    Ok(None)
}

/// Returns whether a secret is in a text, or in a name or number where those come from outside.
fn is_in(json: &Value, value: &Finder<'_>, in_caller_data: bool) -> bool {
    let found = |text: &str| value.find(text.as_bytes()).is_some();
    match json {
        Value::String(text) => found(text),
        Value::Array(items) => items.iter().any(|item| is_in(item, value, in_caller_data)),
        Value::Object(fields) => fields.iter().any(|(name, field)| {
            let is_format_field = !in_caller_data && FORMAT_FIELDS.contains(&name.as_str());
            (in_caller_data && found(name))
                || (!is_format_field && is_in(field, value, in_caller_data || name == CALLER_FIELD))
        }),
        Value::Number(number) => in_caller_data && found(&number.to_string()),
        Value::Null | Value::Bool(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use screentest_fixtures::scratch::Scratch;

    use super::*;

    /// The rule whose secret a line contains.
    fn found_rule(line: &str) -> Option<String> {
        let secrets = Rules::none().and_value("NUMBER", b"2048").unwrap();
        let secrets = secrets.and_value("QUOTED", br#"pa"ss\word"#).unwrap();
        let scratch = Scratch::new();
        scratch.write("input.jsonl", line);
        let path = scratch.path().join("input.jsonl");
        let rules = (0..secrets.names().len()).collect();
        let rule = rule_in_text("input.jsonl", &path, &secrets, &rules).unwrap();
        rule.map(|rule| secrets.names()[rule].clone())
    }

    #[test]
    fn only_text_from_outside_counts() {
        assert_eq!(
            found_rule(r#"{"seq":2048,"t_ms":20481,"id":"a2048"}"#),
            None
        );
        assert_eq!(
            found_rule(r#"{"bytes":"x2048"}"#).as_deref(),
            Some("NUMBER")
        );
        assert_eq!(
            found_rule(r#"{"data":{"2048":1}}"#).as_deref(),
            Some("NUMBER")
        );
        assert_eq!(
            found_rule(r#"{"data":{"a":2048}}"#).as_deref(),
            Some("NUMBER")
        );
        let quoted = r#"{"bytes":"su pa\"ss\\word"}"#;
        assert_eq!(found_rule(quoted).as_deref(), Some("QUOTED"));
    }
}
