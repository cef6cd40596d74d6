//! The OpenAPI document: what it says is so, asked by a tool that others wrote.

use std::fs;
use std::os::unix::fs::symlink;

use crate::harness::cli::{Folder, command_in, installed};

use super::client::Server;

#[test]
fn what_the_document_says_is_so() {
    // What it asks to be started is made up: nothing but a few harmless programs can be found.
    let programs = Folder::new();
    for program in ["cat", "true", "false"] {
        let real = [format!("/bin/{program}"), format!("/usr/bin/{program}")];
        let real = real.iter().find(|path| fs::exists(path).unwrap()).unwrap();
        symlink(real, programs.path().join(program)).unwrap();
    }
    let path = programs.path().display().to_string();
    let server = Server::under(&[("PATH", &path)], &["--max-sessions", "20"]);
    let schemathesis = installed(
        "target/schemathesis/bin/schemathesis",
        "`schemathesis` from PyPI",
    );
    let document = format!("http://{}/api/openapi.json", server.address);
    let bearer = format!("Authorization: Bearer {}", server.touch);
    let words = [
        "run",
        &document,
        "--header",
        &bearer,
        "--max-examples",
        "25",
        "--seed",
        "8",
        "--generation-deterministic",
        "--request-timeout",
        "20",
        "--no-color",
        // Whether a program is there, and whether a session still is, no schema can say; and who guesses tokens this fast is told to wait.
        "--exclude-checks",
        "positive_data_acceptance,ignored_auth",
    ];
    // It fails where anything is not so.
    let said = command_in(server.folder.path(), &schemathesis, words);
    let generated = said.split(" generated, ").next().and_then(|said| {
        let count = said.split_whitespace().next_back()?;
        count.replace(',', "").parse::<u32>().ok()
    });
    assert!(generated.is_some_and(|count| count > 500), "{said}");
}
