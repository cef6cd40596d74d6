//! An independent decoder of binary snapshots, written in Python from docs/formats/vt2.md.

use super::client::Server;
use crate::harness::cli::{command_in, project_path};

/// Enough to combine each kind of cell with each other kind.
const SCREENS: &str = "1000";

#[test]
fn independent_vt2_decoder_agrees_with_state_json() {
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
    // Of the 16 palette colours, only 0 and 7 may be missing: VT2 uses them for the defaults.
    let colours: usize = words[words.len() - 5].parse().unwrap();
    assert!(colours >= 14, "{said}");
}
