//! Parser for assertion files, TOML or JSON. Records the line on which each assertion starts.

use std::ops::Range;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use toml::Spanned;

use super::field_reader::FieldReader;
use super::{
    AssertionTime, Assertions, CassetteAssertion, ExpectedExit, FORMAT, FrameRange, MAX_FILE,
    Quantifier, VERSION, screen_property, selector,
};
use crate::formats::cassette::{Digest, LineError, Millis};

/// Syntax of an assertion file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssertionsSyntax {
    /// `NAME.assertions.toml`.
    Toml,
    /// `NAME.assertions.json`.
    Json,
}

/// Reason why an assertion file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssertionsError {
    /// A field is missing, unknown or has a wrong value.
    #[error(transparent)]
    Malformed(LineError),
    /// The file has another `format`.
    #[error("`format` is `{0}`, not `{FORMAT}`")]
    Format(String),
    /// The file has a later version.
    #[error(
        "unsupported version `{0}` (expected at most {VERSION}); a newer screentest may read it"
    )]
    Newer(u64),
    /// The version is 0, which was never used.
    #[error("invalid version `{0}`: versions start at 1")]
    Version(u64),
    /// The file is larger than [`MAX_FILE`].
    #[error("file of `{0}` bytes is too large: the limit is {MAX_FILE} bytes")]
    TooLarge(usize),
}

/// The fields that are read first: a later version may have other fields.
#[derive(Deserialize)]
struct AssertionsHead {
    format: String,
    version: u64,
}

/// The whole file, with its assertions not yet parsed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AssertionsFile<A> {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    cassette: String,
    sha256_of_manifest: Digest,
    // Required: with a default, a file that was cut off would assert nothing.
    assert: Vec<A>,
}

/// The fields that bind the file to a cassette.
#[derive(Deserialize)]
struct Binding<T> {
    cassette: T,
    sha256_of_manifest: T,
}

pub(super) fn assertions(
    text: &str,
    notation: AssertionsSyntax,
) -> Result<Assertions, AssertionsError> {
    if text.len() > MAX_FILE {
        return Err(AssertionsError::TooLarge(text.len()));
    }
    let head: AssertionsHead = match notation {
        AssertionsSyntax::Toml => toml::from_str(text).map_err(|error| toml_error(text, &error))?,
        AssertionsSyntax::Json => {
            serde_json::from_str(text).map_err(|error| json_error(0, &error))?
        }
    };
    match head.version {
        _ if head.format != FORMAT => return Err(AssertionsError::Format(head.format)),
        0 => return Err(AssertionsError::Version(0)),
        newer if newer > VERSION => return Err(AssertionsError::Newer(newer)),
        _ => {}
    }
    let file = match notation {
        AssertionsSyntax::Toml => from_toml(text)?,
        AssertionsSyntax::Json => from_json(text)?,
    };
    let assertions = file.assert.into_iter().map(|(line, value)| {
        let read = assertion(line, value);
        read.map_err(|problem| AssertionsError::Malformed(LineError { line, problem }))
    });
    Ok(Assertions {
        cassette: file.cassette,
        manifest: file.sha256_of_manifest,
        assertions: assertions.collect::<Result<_, _>>()?,
    })
}

/// Returns the byte ranges of the id and the digest of the cassette, with their quotes.
pub(super) fn binding(
    text: &str,
    notation: AssertionsSyntax,
) -> Result<[Range<usize>; 2], AssertionsError> {
    Ok(match notation {
        AssertionsSyntax::Toml => {
            let binding: Binding<Spanned<String>> =
                toml::from_str(text).map_err(|error| toml_error(text, &error))?;
            [binding.cassette.span(), binding.sha256_of_manifest.span()]
        }
        AssertionsSyntax::Json => {
            let binding: Binding<&RawValue> =
                serde_json::from_str(text).map_err(|error| json_error(0, &error))?;
            [binding.cassette, binding.sha256_of_manifest].map(|raw| {
                let start = offset(text, raw);
                start..start + raw.get().len()
            })
        }
    })
}

fn from_toml(text: &str) -> Result<AssertionsFile<(usize, Value)>, AssertionsError> {
    let file: AssertionsFile<Spanned<Value>> =
        toml::from_str(text).map_err(|error| toml_error(text, &error))?;
    Ok(file.map(|value| {
        let line = line_of(text, value.span().start);
        (line, value.into_inner())
    }))
}

fn from_json(text: &str) -> Result<AssertionsFile<(usize, Value)>, AssertionsError> {
    let file: AssertionsFile<&RawValue> =
        serde_json::from_str(text).map_err(|error| json_error(0, &error))?;
    let mut failed = None;
    let file = file.map(|raw| {
        let line = line_of(text, offset(text, raw));
        let value = serde_json::from_str(raw.get()).unwrap_or_else(|error| {
            failed.get_or_insert_with(|| json_error(line - 1, &error));
            Value::Null
        });
        (line, value)
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(file),
    }
}

impl<A> AssertionsFile<A> {
    fn map<B>(self, take: impl FnMut(A) -> B) -> AssertionsFile<B> {
        AssertionsFile {
            _format: self._format,
            _version: self._version,
            cassette: self.cassette,
            sha256_of_manifest: self.sha256_of_manifest,
            assert: self.assert.into_iter().map(take).collect(),
        }
    }
}

/// Returns the byte offset of a value, which must borrow from the text.
fn offset(text: &str, raw: &RawValue) -> usize {
    raw.get().as_ptr() as usize - text.as_ptr() as usize
}

/// Returns the line of a byte offset in a text, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().iter().take(at);
    before.filter(|byte| **byte == b'\n').count() + 1
}

fn toml_error(text: &str, error: &toml::de::Error) -> AssertionsError {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    let problem = error.message().trim_end().replace('\n', ", ");
    AssertionsError::Malformed(LineError { line, problem })
}

/// `above` is the number of lines before the text that was parsed.
fn json_error(above: usize, error: &serde_json::Error) -> AssertionsError {
    let text = error.to_string();
    let problem = match text.rsplit_once(" at line ") {
        Some((problem, _)) => format!("{problem} at column {}", error.column()),
        None => text,
    };
    let line = above + error.line().max(1);
    AssertionsError::Malformed(LineError { line, problem })
}

fn assertion(line: usize, value: Value) -> Result<CassetteAssertion, String> {
    let mut fields = FieldReader::new("", value)?;
    let name = fields.text("name")?;
    let frames = frame_range(&mut fields)?;
    let quantifier = match fields.flag("every")? {
        Some(true) => Quantifier::Every,
        _ => Quantifier::Some,
    };
    let visible = selector::all("visible", fields.take("visible"))?;
    let not_visible = selector::all("not_visible", fields.take("not_visible"))?;
    let properties = screen_property::all(&mut fields)?;
    let exit = exit(&mut fields)?;
    fields.finish()?;
    let says = !visible.is_empty() || !not_visible.is_empty() || !properties.is_empty();
    if !says && exit.is_none() {
        return Err(
            "the assertion asserts nothing: add `visible`, `not_visible`, a condition such as `cursor`, or `exit_code`".to_owned(),
        );
    }
    if exit.is_some() && !matches!(frames, FrameRange::End | FrameRange::By(_)) {
        return Err("`exit_code` and `signal` apply to the end of the recording: use them without `at` and `after`, or with `by`".to_owned());
    }
    Ok(CassetteAssertion {
        line,
        name,
        frames,
        quantifier,
        visible,
        not_visible,
        properties,
        exit,
    })
}

fn frame_range(fields: &mut FieldReader) -> Result<FrameRange, String> {
    let at = when(fields, "at")?;
    let after = when(fields, "after")?;
    let by = when(fields, "by")?;
    let within = match fields.take("within") {
        None => None,
        Some(value) => Some(time(fields, "within", &value)?),
    };
    match (at, after, by, within) {
        (None, None, None, None) => Ok(FrameRange::End),
        (Some(at), None, None, None) => Ok(FrameRange::At(at)),
        (None, Some(after), None, within) => Ok(FrameRange::After(after, within)),
        (None, None, Some(by), None) => Ok(FrameRange::By(by)),
        (None, Some(after), Some(by), None) => Ok(FrameRange::Between(after, by)),
        (Some(_), ..) => Err(
            "`at` is a single moment: it cannot be combined with `after`, `by` or `within`"
                .to_owned(),
        ),
        (_, _, Some(_), Some(_)) => Err(
            "`by` and `within` both set the end of the interval: use only one of them".to_owned(),
        ),
        (None, None, None, Some(_)) => Err("`within` requires `after`".to_owned()),
    }
}

fn when(fields: &mut FieldReader, name: &'static str) -> Result<Option<AssertionTime>, String> {
    match fields.take(name) {
        None => Ok(None),
        Some(Value::String(mark)) => Ok(Some(AssertionTime::Mark(mark))),
        Some(value @ Value::Number(_)) => {
            let time = time(fields, name, &value)?;
            Ok(Some(AssertionTime::Time(Millis::new(time))))
        }
        Some(other) => {
            Err(fields.not(name, &other, "a time in milliseconds or the name of a mark"))
        }
    }
}

fn time(fields: &FieldReader, name: &str, value: &Value) -> Result<Duration, String> {
    if !value.is_number() {
        return Err(fields.not(name, value, "a time in milliseconds"));
    }
    let time: Result<Millis, _> = serde_json::from_value(value.clone());
    let time = time.map_err(|error| format!("`{name}`: {error}"))?;
    Ok(time.time())
}

fn exit(fields: &mut FieldReader) -> Result<Option<ExpectedExit>, String> {
    let code = fields.number("exit_code", i32::MIN.into(), i32::MAX.into())?;
    let signal = fields.text("signal")?;
    match (code, signal) {
        (None, None) => Ok(None),
        // The code fits: `number` checked its range.
        (Some(code), None) => Ok(Some(ExpectedExit::Code(code as i32))),
        (None, Some(name)) => Ok(Some(ExpectedExit::Signal(name))),
        (Some(_), Some(_)) => Err("`exit_code` and `signal` cannot be combined".to_owned()),
    }
}
