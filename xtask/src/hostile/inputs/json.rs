//! JSON documents in which one value is hostile.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::super::commands::InputKind;
use super::{CONTROLS, HostileInput, read};

/// A document with one changed value, and what was changed.
pub(super) type Mutation = (String, Value);

/// Returns the document once for each text, with control characters in it, and twice for each
/// number: huge, and negative. In a list of more than three items, only the first one is changed.
pub(super) fn mutations(document: &Value, skip: impl Fn(&str) -> bool) -> Vec<Mutation> {
    let mut paths = Vec::new();
    leaves(document, String::new(), &mut paths);
    let mut mutations = Vec::new();
    for path in paths.iter().filter(|path| !skip(path)) {
        let Some(old) = document.pointer(path) else {
            continue;
        };
        let hostile: &[(&str, Value)] = &match old {
            Value::String(_) => vec![("controls", json!(CONTROLS))],
            Value::Number(_) => vec![("huge", json!(u64::MAX)), ("negative", json!(-1))],
            _ => Vec::new(),
        };
        for (what, value) in hostile {
            let mut changed = document.clone();
            if let Some(place) = changed.pointer_mut(path) {
                *place = value.clone();
                mutations.push((format!("{path} {what}"), changed));
            }
        }
    }
    mutations
}

/// Collects the paths of all texts and numbers.
fn leaves(value: &Value, path: String, paths: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                leaves(value, format!("{path}/{name}"), paths);
            }
        }
        Value::Array(items) => {
            let most = if items.len() > 3 { 1 } else { 3 };
            for (index, item) in items.iter().take(most).enumerate() {
                leaves(item, format!("{path}/{index}"), paths);
            }
        }
        Value::String(_) | Value::Number(_) => paths.push(path),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Returns screens, casts, themes and messages with one hostile value.
pub(super) fn inputs() -> Result<Vec<HostileInput>> {
    let mut inputs = Vec::new();
    let state: Value =
        serde_json::from_slice(&read("crates/core/tests/compatibility/styles.state.json")?)?;
    // The colours of all styles are read in the same way.
    let skip = |path: &str| path.starts_with("/styles/") && !path.starts_with("/styles/0");
    for (what, state) in mutations(&state, skip) {
        inputs.push(HostileInput::file(
            InputKind::State,
            what,
            state.to_string(),
        ));
    }
    inputs.extend(casts()?);
    let theme = json!({
        "name": "x", "background": "#000000", "foreground": "#ffffff", "cursor": "#ffffff",
        "black": "#000000", "red": "#ff0000", "white": "#ffffff",
    });
    for (what, theme) in mutations(&theme, |_| false) {
        inputs.push(HostileInput::file(
            InputKind::Theme,
            what,
            theme.to_string(),
        ));
    }
    inputs.extend(messages());
    Ok(inputs)
}

/// Returns asciicasts with one hostile value in the header or in an event.
fn casts() -> Result<Vec<HostileInput>> {
    let mut inputs = Vec::new();
    for version in ["1", "2", "3"] {
        let text = read(&format!(
            "crates/core/tests/compatibility/demo-{version}.cast"
        ))?;
        let text = String::from_utf8(text).context("a cast is text")?;
        if version == "1" {
            let document: Value = serde_json::from_str(&text)?;
            for (what, cast) in mutations(&document, |_| false) {
                let name = format!("v1 {what}");
                inputs.push(HostileInput::file(InputKind::Cast, name, cast.to_string()));
            }
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for index in 0..lines.len().min(3) {
            let Ok(line) = serde_json::from_str::<Value>(lines[index]) else {
                continue;
            };
            for (what, line) in mutations(&line, |_| false) {
                let line = line.to_string();
                let mut changed: Vec<&str> = lines.clone();
                changed[index] = &line;
                let name = format!("v{version} line {} {what}", index + 1);
                inputs.push(HostileInput::file(
                    InputKind::Cast,
                    name,
                    changed.join("\n"),
                ));
            }
        }
    }
    let header = r#"{"version":2,"width":80,"height":24}"#;
    let events = |event: &str, count: usize| format!("{header}\n{}", event.repeat(count));
    for (name, text) in [
        (
            "size 65535x65535",
            r#"{"version":2,"width":65535,"height":65535}"#.to_owned(),
        ),
        (
            "size 0x0",
            r#"{"version":2,"width":0,"height":0}"#.to_owned(),
        ),
        (
            "resize to 65535x65535",
            events("[1,\"r\",\"65535x65535\"]\n", 1),
        ),
        ("100000 events", events("[0.1,\"o\",\"x\"]\n", 100_000)),
        (
            "repeat bomb",
            events("[0.1,\"o\",\"x\\u001b[65535b\"]\n", 2000),
        ),
        (
            "10000 resizes",
            events("[0.1,\"r\",\"2000x2000\"]\n[0.2,\"r\",\"2x1\"]\n", 5000),
        ),
        (
            "markers with controls",
            events("[0.1,\"m\",\"a\\u001b]0;OWNED\\u0007\\u009b\"]\n", 3),
        ),
    ] {
        inputs.push(HostileInput::file(InputKind::Cast, name, text));
    }
    Ok(inputs)
}

/// Returns recordings of a server's messages.
fn messages() -> Vec<HostileInput> {
    let event = |direction: &str, line: &str, time: Value| {
        json!({"direction": direction, "line": line, "timestampMicros": time}).to_string() + "\n"
    };
    let state = json!({"jsonrpc": "2.0", "method": "view.frame", "params": {
        "text": CONTROLS, "rows": [CONTROLS], "cols": u64::MAX, "frame": CONTROLS,
    }});
    let controls = json!({"jsonrpc": "2.0", "id": 1, "method": CONTROLS}).to_string();
    let long = "x".repeat(1 << 20);
    [
        (
            "request with controls",
            event("request", &controls, json!(1)),
        ),
        (
            "request that is no JSON",
            event("request", CONTROLS, json!(1)),
        ),
        ("direction with controls", event(CONTROLS, "{}", json!(1))),
        (
            "notification with controls",
            event("notification", &state.to_string(), json!(1)),
        ),
        ("huge time", event("request", "{}", json!(u64::MAX))),
        ("negative time", event("request", "{}", json!(-1))),
        ("long line", event("request", &long, json!(1))),
        (
            "many requests",
            event("request", "{\"id\":1}", json!(1)).repeat(50_000),
        ),
    ]
    .map(|(name, text)| HostileInput::file(InputKind::Messages, name, text))
    .into()
}
