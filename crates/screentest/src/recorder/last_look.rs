//! A last look at a file before it is published: what it is, and that no secret is in it.
//!
//! A short value may also be a number or a word of ours: `2048` in an offset, `text` in a field's name. Where the bytes of one are found, it is asked
//! what they mean; only what came from outside can tell a secret.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use memchr::memmem::Finder;
use screentest_core::formats::cassette as format;
use screentest_core::formats::cassette::digest::Digester;
use screentest_core::formats::cassette::manifest::FileFacts;
use screentest_core::scrub::Rules;
use serde_json::Value;

use super::RecordError;
use super::publish::secret_left;
use crate::cassette::part::Part;

/// How much of a file is looked at at once.
const CHUNK: usize = 1 << 20;

/// Fields whose texts are ours.
const OURS: [&str; 2] = ["id", "kind"];

/// The field in which names of fields come from outside.
const THEIRS: &str = "data";

/// Looks at a file for the last time: what it is, that no value is in it, and that it is on the disk.
pub(super) fn look(part: &Part, name: &str, secrets: &Rules) -> Result<FileFacts, RecordError> {
    let path = part.path().join(name);
    let unread = |source| RecordError::Write {
        path: path.clone(),
        source,
    };
    let mut file = File::open(&path).map_err(unread)?;
    let values: Vec<(usize, Finder<'_>)> = secrets
        .values()
        .map(|(rule, value)| (rule, Finder::new(value)))
        .collect();
    let longest = secrets.values().map(|(_, value)| value.len()).max();
    let overlap = longest.unwrap_or(1) - 1;
    let mut digester = Digester::default();
    let mut bytes = 0;
    let mut buffer = Vec::new();
    loop {
        // A value may lie across the end of what was read before.
        let kept = buffer.len().min(overlap);
        buffer.drain(..buffer.len() - kept);
        let read = (&mut file).take(CHUNK as u64).read_to_end(&mut buffer);
        if read.map_err(unread)? == 0 {
            break;
        }
        digester.update(&buffer[kept..]);
        bytes += (buffer.len() - kept) as u64;
        for (rule, value) in &values {
            if value.find(&buffer).is_some() && is_told(name, &path, value).map_err(unread)? {
                return Err(secret_left(part, name, secrets, *rule));
            }
        }
    }
    file.sync_all().map_err(unread)?;
    Ok(FileFacts {
        bytes,
        sha256: digester.finish(),
    })
}

/// Whether a value whose bytes are in a file is in something that came from outside.
fn is_told(name: &str, path: &Path, value: &Finder<'_>) -> io::Result<bool> {
    if name == format::OUTPUT_RAW {
        return Ok(true);
    }
    let file = BufReader::new(File::open(path)?);
    for line in serde_json::Deserializer::from_reader(file).into_iter::<Value>() {
        if is_in(&line?, value, false) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a value is in a text, or in the name of a field where those are not ours.
fn is_in(json: &Value, value: &Finder<'_>, names_count: bool) -> bool {
    let found = |text: &str| value.find(text.as_bytes()).is_some();
    match json {
        Value::String(text) => found(text),
        Value::Array(items) => items.iter().any(|item| is_in(item, value, names_count)),
        Value::Object(fields) => fields.iter().any(|(name, field)| {
            let ours = !names_count && OURS.contains(&name.as_str());
            (names_count && found(name))
                || (!ours && is_in(field, value, names_count || name == THEIRS))
        }),
        Value::Number(number) => names_count && found(&number.to_string()),
        Value::Null | Value::Bool(_) => false,
    }
}
