//! Creates a first assertion file for a cassette, and rebinds a file to another recording.

use std::fmt::Write as _;

use super::{Assertions, AssertionsError, AssertionsSyntax, FORMAT, VERSION, read};
use crate::Screen;
use crate::formats::cassette::{Digest, Manifest, RecordingEnd};

/// A first assertion file: asserts the text at each mark and the state at the end, for a person to
/// edit.
#[derive(Debug)]
pub struct AssertionsTemplate(String);

impl AssertionsTemplate {
    /// Creates a file bound to a cassette. It asserts how the program exited, if that is known, the
    /// size of the last screen, and whether it is the alternate screen.
    pub fn new(manifest: &Manifest, ending: &RecordingEnd, last: &Screen) -> AssertionsTemplate {
        let mut text = format!(
            "# What the cassette must show, and when. `screentest cassette check` checks it.\n\
             format = \"{FORMAT}\"\n\
             version = {VERSION}\n\
             cassette = {}\n\
             sha256_of_manifest = \"{}\"\n\
             \n\
             # Without `at`, `after` or `by` an assertion applies to the end.\n\
             [[assert]]\n\
             size = {{ cols = {}, rows = {} }}\n\
             modes = {{ alternate_screen = {} }}\n",
            toml_text(&manifest.id),
            manifest.digest(),
            last.size.cols,
            last.size.rows,
            last.modes.alternate_screen,
        );
        // Writing to a string does not fail.
        let _ = match (ending.exit_code, &ending.signal) {
            (Some(code), _) => writeln!(text, "exit_code = {code}"),
            (None, Some(signal)) => writeln!(text, "signal = {}", toml_text(signal)),
            (None, None) => Ok(()),
        };
        AssertionsTemplate(text)
    }

    /// Adds an assertion that the first line with text is visible at a mark. Adds nothing for a
    /// blank screen.
    pub fn mark(&mut self, name: &str, screen: &Screen) {
        let text = screen.text();
        let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty()) else {
            return;
        };
        let (name, line) = (toml_text(name), toml_text(line));
        // Writing to a string does not fail.
        let _ = write!(self.0, "\n[[assert]]\nat = {name}\nvisible = {line}\n");
    }

    /// Returns the file, as TOML.
    pub fn to_file(&self) -> &str {
        &self.0
    }
}

/// Quotes a string for TOML and JSON.
fn toml_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns the same file, bound to another recording. Only the values of `cassette` and
/// `sha256_of_manifest` change.
pub fn rebound(
    text: &str,
    notation: AssertionsSyntax,
    cassette: &str,
    manifest: Digest,
) -> Result<String, AssertionsError> {
    Assertions::parse(text, notation)?;
    let [id, digest] = read::binding(text, notation)?;
    let mut values = [
        (id, toml_text(cassette)),
        (digest, toml_text(&manifest.to_string())),
    ];
    // The last value first, so that the position of the other stays valid.
    values.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, value) in values {
        text.replace_range(range, &value);
    }
    Ok(text)
}
