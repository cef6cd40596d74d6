//! What was given to the program, in a few words.

use screentest::core::formats::cassette::InputKind;
use serde_json::Value;

/// The words for a request that gives input; `None` for any other.
pub(super) fn of(request: &str) -> Option<String> {
    let request: Value = serde_json::from_str(request).ok()?;
    let params = &request["params"];
    let text = |field: &str| params[field].as_str();
    let typed = || match (text("text"), text("secret")) {
        (Some(text), _) => quoted(text),
        (None, Some(name)) => format!("<{name}>"),
        (None, None) => "?".to_owned(),
    };
    match request["method"].as_str()? {
        "sendKey" => Some(format!("Key: {}", text("key").unwrap_or("?"))),
        "sendText" => Some(format!("Text: {}", typed())),
        "sendLine" => Some(format!(
            "Line: {}",
            text("text").map_or_else(typed, str::to_owned)
        )),
        "paste" => Some(format!("Paste: {}", typed())),
        "click" => Some(format!("Click: {}", place(params))),
        "mouse" => Some(format!(
            "Mouse: {} {}",
            text("kind").unwrap_or("?"),
            place(params)
        )),
        "resize" => Some(format!("Resize: {}x{}", params["cols"], params["rows"])),
        _ => None,
    }
}

/// The words for what a cassette has as given; `None` for what the terminal answered on its own.
pub(super) fn of_input(input: &InputKind) -> Option<String> {
    let sent = || quoted(&String::from_utf8_lossy(input.bytes().unwrap_or_default()));
    match input {
        InputKind::Key { name, .. } => Some(format!("Key: {name}")),
        InputKind::Text { .. } | InputKind::Bytes { .. } => Some(format!("Text: {}", sent())),
        InputKind::Paste { .. } => Some(format!("Paste: {}", sent())),
        InputKind::Mouse { name, .. } => Some(format!("Mouse: {name}")),
        InputKind::Focus { gained: true, .. } => Some("Focus: gained".to_owned()),
        InputKind::Focus { gained: false, .. } => Some("Focus: lost".to_owned()),
        InputKind::Resize { cols, rows } => Some(format!("Resize: {cols}x{rows}")),
        InputKind::Signal { name } => Some(format!("Signal: {name}")),
        InputKind::Withheld => Some("Text: not kept".to_owned()),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    match text {
        " " => "<Space>".to_owned(),
        "\t" => "<Tab>".to_owned(),
        text => format!("{text:?}"),
    }
}

fn place(params: &Value) -> String {
    let selector = &params["selector"];
    match selector["type"].as_str() {
        Some("exact") => format!("{:?}", selector["text"].as_str().unwrap_or_default()),
        Some("regex") => format!("/{}/", selector["pattern"].as_str().unwrap_or_default()),
        Some(other) => other.to_owned(),
        None => match (params["col"].as_i64(), params["row"].as_i64()) {
            (Some(col), Some(row)) => format!("{col},{row}"),
            _ => "?".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_has_its_words() {
        for (method, params, words) in [
            ("sendKey", r#"{"key":"Enter"}"#, Some("Key: Enter")),
            ("sendText", r#"{"text":"a\"b"}"#, Some(r#"Text: "a\"b""#)),
            ("sendText", r#"{"text":" "}"#, Some("Text: <Space>")),
            ("sendText", r#"{"secret":"TOKEN"}"#, Some("Text: <TOKEN>")),
            ("sendLine", r#"{"text":"ls -l"}"#, Some("Line: ls -l")),
            ("click", r#"{"col":12,"row":7}"#, Some("Click: 12,7")),
            (
                "click",
                r#"{"selector":{"type":"exact","text":"OK"}}"#,
                Some(r#"Click: "OK""#),
            ),
            (
                "click",
                r#"{"selector":{"type":"regex","pattern":"a|b"}}"#,
                Some("Click: /a|b/"),
            ),
            (
                "click",
                r#"{"selector":{"type":"within"}}"#,
                Some("Click: within"),
            ),
            ("click", "{}", Some("Click: ?")),
            ("resize", r#"{"cols":80,"rows":24}"#, Some("Resize: 80x24")),
            ("currentView", "{}", None),
            ("sendKey", "5", Some("Key: ?")),
        ] {
            let request = format!(r#"{{"method":"{method}","params":{params}}}"#);
            assert_eq!(of(&request).as_deref(), words, "{request}");
        }
        assert_eq!(of("garbage"), None);
        assert_eq!(of("[]"), None);
    }
}
