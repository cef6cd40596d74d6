//! `renderView` and `diffView`.

use serde_json::{Value, json};

use super::client::Client;

#[test]
fn auto_theme_follows_the_environment_and_not_the_session() {
    let mut client = Client::start_with(&[], &[("COLORFGBG", "0;15")]);
    client.done(
        "initialize",
        &json!({"snapshotTheme": "dark", "terminalCols": 10, "terminalRows": 2}),
    );
    client.done("launch", &json!({"command": "true"}));
    client.done("exitStatus", &json!({"timeoutMs": 60_000}));
    let mut picture = |theme: Value| {
        let kept = client.done("renderView", &json!({"name": "x", "theme": theme}));
        std::fs::read(kept["pngPath"].as_str().unwrap()).unwrap()
    };
    let (auto, light, own) = (
        picture(json!("Auto")),
        picture(json!("light")),
        picture(Value::Null),
    );
    assert_eq!(auto, light);
    assert_ne!(auto, own);
}

#[test]
fn files_without_a_size_are_compared_completely() {
    let mut client = Client::start();
    client.done(
        "initialize",
        &json!({"terminalCols": 10, "terminalRows": 3}),
    );
    let file = |name: &str, text: String| client.folder.file(name, text);
    let ten = |first: &str| format!("{first}\n{}", "line\n".repeat(9));
    let pairs = [
        (file("a", ten("one")), file("b", ten("two")), 1),
        (file("c", ten("line")), file("d", "line\n".repeat(9)), 1),
        (file("e", "x".repeat(50)), file("f", "x".repeat(51)), 1),
        (file("g", ten("same")), file("h", ten("same")), 0),
    ];
    for (left, right, changed) in pairs {
        for mode in ["text", "styled"] {
            let params = json!({"leftPath": left, "rightPath": right, "mode": mode});
            let answer = client.done("diffView", &params);
            assert_eq!(answer["changedLines"], changed, "{params}: {answer}");
        }
    }
    let tall = client.folder.file("tall", "x\n".repeat(3000));
    let answer = client.ask("diffView", &json!({"leftPath": tall, "rightPath": tall}));
    let details = answer["error"]["data"]["details"].as_str().unwrap();
    assert!(
        details.contains("more lines than a screen can have (2000)"),
        "{details}"
    );
}
