//! Finds a value in the output of the tool, even if the value is wrapped or encoded.
//!
//! This does not use the library's own search, which is the code under test.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use regex::Regex;
use serde_json::Value;

/// The number of characters in a row that count as a leak.
const STRETCH: usize = 8;

/// Returns the parts of a value that a text shows, in any encoding that [`needles`] covers.
pub(crate) fn leaks(value: &str, text: &str) -> Vec<String> {
    let sequences =
        Regex::new("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)").unwrap();
    let text = sequences.replace_all(text, "");
    let needles = needles(value);
    let mut found = Vec::new();
    for reading in readings(&text) {
        let letters: String = reading.chars().filter(|c| c.is_alphanumeric()).collect();
        let signs: String = reading.chars().filter(|c| !is_skipped(*c)).collect();
        let digits = letters
            .replace("0x", "")
            .replace("u00", "")
            .replace('x', "");
        for needle in &needles {
            let shown = [&letters, &signs, &digits]
                .into_iter()
                .any(|text| text.contains(needle));
            if shown && !found.contains(needle) {
                found.push(needle.clone());
            }
        }
    }
    found
}

fn is_skipped(c: char) -> bool {
    c.is_whitespace() || "'\"\\|│─┌┐└┘╔╗╚╝║═↪▒\u{200b}\u{2060}".contains(c)
}

/// Returns every stretch of a value: plain, reversed, and in hexadecimal, octal, decimal and base64
/// codes.
fn needles(value: &str) -> Vec<String> {
    let mut needles = Vec::new();
    let signs: Vec<char> = value.chars().filter(|c| !is_skipped(*c)).collect();
    let letters: Vec<char> = value.chars().filter(|c| c.is_alphanumeric()).collect();
    for characters in [&signs, &letters] {
        if *characters == letters && letters.len() < STRETCH && signs.len() > letters.len() {
            continue;
        }
        for stretch in characters.windows(STRETCH.min(characters.len())) {
            needles.push(stretch.iter().collect());
            needles.push(stretch.iter().rev().collect());
        }
    }
    let characters: Vec<char> = value.chars().collect();
    for stretch in characters.windows(STRETCH.min(characters.len())) {
        let stretch: String = stretch.iter().collect();
        let code = |code: fn(u8) -> String| stretch.bytes().map(code).collect::<String>();
        needles.push(code(|byte| format!("{byte:02x}")));
        needles.push(code(|byte| format!("{byte:02X}")));
        needles.push(code(|byte| format!("{byte:03o}")));
        needles.push(code(|byte| byte.to_string()));
        for before in 0..3 {
            let bytes = [&vec![0; before], stretch.as_bytes()].concat();
            let text = STANDARD_NO_PAD.encode(&bytes);
            let whole = (before * 8).div_ceil(6)..bytes.len() * 8 / 6;
            needles.push(text.get(whole).unwrap_or_default().to_owned());
        }
    }
    needles.sort();
    needles.dedup();
    needles
}

/// Returns the text as it is, and without the line numbers and other prefixes that programs print
/// before its lines.
fn readings(text: &str) -> Vec<String> {
    let mut readings = vec![text.to_owned()];
    for before in [
        r"(?m)^[ │|]*[0-9a-f]+[:.)]?[ \t│|]",
        r"(?m)^\[[0-9:]+\] ",
        r"(?m)^[a-z_0-9]+ *[|:] *",
        r"(?m)^[^│|\n]*[│|]",
        r"(?m)^.{0,8}: ",
    ] {
        readings.push(
            Regex::new(before)
                .unwrap()
                .replace_all(text, "")
                .into_owned(),
        );
    }
    let between = Regex::new(r"(?m)^[^│|\n]*[│|]([^│|\n]*)[│|].*$").unwrap();
    readings.push(between.replace_all(text, "$1").into_owned());
    readings
}

/// Appends all strings of a JSON value to `texts`.
fn push_texts(value: &Value, texts: &mut String) {
    match value {
        Value::String(text) => {
            texts.push_str(text);
        }
        Value::Array(items) => items.iter().for_each(|item| push_texts(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| {
            push_texts(field, texts);
            texts.push('\n');
        }),
        _ => {}
    }
}

/// Returns the strings of a JSON value, one after the other.
pub(crate) fn texts(value: &Value) -> String {
    let mut all = String::new();
    push_texts(value, &mut all);
    all
}

/// Returns the paths of all files below a folder, with their content. For JSON files, the content
/// is the strings, without escapes.
pub(crate) fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
            continue;
        }
        let name = path.display().to_string();
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let is_json =
            name.ends_with(".json") || name.ends_with(".jsonl") || name.ends_with(".cast");
        if is_json {
            let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
            let all: Vec<String> = values.flatten().map(|value| texts(&value)).collect();
            found.push((name, all.join("\n")));
        } else {
            found.push((name, text));
        }
    }
    found
}

/// Checks that no file below a folder shows any of the values. Returns the number of checked files.
#[track_caller]
pub(crate) fn assert_none_in_files(folder: &Path, is_source: impl Fn(&str) -> bool) -> usize {
    let mut checked = 0;
    for (path, text) in files(folder) {
        if is_source(&path) {
            continue;
        }
        checked += 1;
        for (_, value) in super::ways::SECRETS {
            let found = leaks(value, &text);
            assert!(found.is_empty(), "{path} shows {found:?}:\n{text}");
        }
    }
    checked
}
