//! Short descriptions of input.

use screentest::core::formats::cassette::InputLineKind;
use serde_json::Value;

/// Describes a request that sends input; `None` for other requests.
pub(super) fn of_request(request: &str) -> Option<String> {
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
        "click" => Some(format!("Click: {}", click_target(params))),
        "mouse" => Some(format!(
            "Mouse: {} {}",
            text("kind").unwrap_or("?"),
            click_target(params)
        )),
        "resize" => Some(format!("Resize: {}x{}", params["cols"], params["rows"])),
        _ => None,
    }
}

/// Describes a recorded input; `None` for an answer of the terminal.
pub(super) fn of_input(input: &InputLineKind) -> Option<String> {
    let sent = || quoted(&String::from_utf8_lossy(input.bytes().unwrap_or_default()));
    match input {
        InputLineKind::Key { name, .. } => Some(format!("Key: {name}")),
        InputLineKind::Text { .. } | InputLineKind::Bytes { .. } => {
            Some(format!("Text: {}", sent()))
        }
        InputLineKind::Paste { .. } => Some(format!("Paste: {}", sent())),
        InputLineKind::Mouse { name, .. } => Some(format!("Mouse: {name}")),
        InputLineKind::Focus { gained: true, .. } => Some("Focus: gained".to_owned()),
        InputLineKind::Focus { gained: false, .. } => Some("Focus: lost".to_owned()),
        InputLineKind::Resize { cols, rows } => Some(format!("Resize: {cols}x{rows}")),
        InputLineKind::Signal { name } => Some(format!("Signal: {name}")),
        InputLineKind::Withheld => Some("Text: not stored".to_owned()),
        _ => None,
    }
}

/// Describes several inputs. Text that was typed in pieces is joined.
pub(super) fn of_inputs<'a>(inputs: impl Iterator<Item = &'a InputLineKind>) -> Option<String> {
    let mut parts = Vec::new();
    let mut typed = Vec::new();
    let text = |typed: &mut Vec<u8>| {
        let bytes = std::mem::take(typed);
        (!bytes.is_empty()).then(|| format!("Text: {}", quoted(&String::from_utf8_lossy(&bytes))))
    };
    for input in inputs {
        match input {
            InputLineKind::Text { bytes } | InputLineKind::Bytes { bytes } => {
                typed.extend(&bytes.0);
            }
            InputLineKind::Reply { .. } => {}
            input => {
                parts.extend(text(&mut typed));
                parts.extend(of_input(input));
            }
        }
    }
    parts.extend(text(&mut typed));
    joined(&parts)
}

/// Maximum number of inputs in a label. Only the last ones are listed: the effects of the others
/// were barely visible.
const MAX_INPUTS: usize = 8;

/// Joins descriptions into a label; `None` if there are none.
pub(super) fn joined(parts: &[String]) -> Option<String> {
    let last = &parts[parts.len().saturating_sub(MAX_INPUTS)..];
    let front = if last.len() < parts.len() { "… " } else { "" };
    (!last.is_empty()).then(|| format!("{front}{}", last.join(", ")))
}

fn quoted(text: &str) -> String {
    match text {
        " " => "<Space>".to_owned(),
        "\t" => "<Tab>".to_owned(),
        text => format!("{text:?}"),
    }
}

fn click_target(params: &Value) -> String {
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
    use screentest::core::formats::cassette::input::InputBytes;

    use super::*;

    #[test]
    fn text_typed_in_pieces_is_joined() {
        let bytes = |text: &str| InputBytes(text.as_bytes().to_vec());
        let typed = |text: &str| InputLineKind::Bytes { bytes: bytes(text) };
        let key = InputLineKind::Key {
            name: "Enter".to_owned(),
            bytes: bytes("\r"),
        };
        let reply = InputLineKind::Reply {
            bytes: bytes("\x1b[1;1R"),
        };
        let given = [
            typed("l"),
            reply.clone(),
            typed("s"),
            key.clone(),
            typed("x"),
        ];
        assert_eq!(
            of_inputs(given.iter()).as_deref(),
            Some(r#"Text: "ls", Key: Enter, Text: "x""#)
        );
        assert_eq!(of_inputs([reply].iter()), None);
        let many = vec![key; 20];
        let label = of_inputs(many.iter()).unwrap();
        assert!(label.starts_with("… Key: Enter, "), "{label}");
        assert_eq!(label.matches("Enter").count(), MAX_INPUTS);
    }

    #[test]
    fn inputs_are_described() {
        for (method, params, parts) in [
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
            assert_eq!(of_request(&request).as_deref(), parts, "{request}");
        }
        assert_eq!(of_request("garbage"), None);
        assert_eq!(of_request("[]"), None);
    }
}
