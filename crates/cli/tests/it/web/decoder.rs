//! A reader of binary snapshots that shares nothing with ours: Python, written from docs/formats/vt2.md.

use super::client::Server;
use crate::harness::cli::{command_in, project_path};

/// As many as it takes to meet every kind of cell next to every other.
const SCREENS: &str = "1000";

#[test]
fn a_decoder_in_another_language_sees_what_state_json_says() {
    let server = Server::start();
    let script = |name: &str| project_path(&format!("crates/cli/tests/it/web/decoder/{name}"));
    let (screens, decoder) = (script("random_screens.py"), script("vt2_decoder.py"));
    let id = server.open(&["python3", &screens]);
    server.wait(&id, "ready");
    let said = command_in(
        server.folder.path(),
        "python3",
        [&decoder, &server.address, &server.touch, &id, SCREENS],
    );
    let words: Vec<&str> = said.split_whitespace().collect();
    assert_eq!(words[..2], [SCREENS, "screens,"], "{said}");
    // All of the palette's own were met, but for those that stand for the defaults.
    let colours: usize = words[words.len() - 5].parse().unwrap();
    assert!(colours >= 14, "{said}");
}
