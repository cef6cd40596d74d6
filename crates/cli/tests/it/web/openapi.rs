//! The OpenAPI document, checked against the server by Schemathesis.

use std::fs;
use std::os::unix::fs::symlink;

use crate::harness::cli::{Folder, command_in, installed};

use super::client::Server;

#[test]
fn server_conforms_to_its_openapi_document() {
    // The generated requests start arbitrary programs, so `PATH` contains only harmless ones.
    let programs = Folder::new();
    for program in ["cat", "true", "false"] {
        let real = [format!("/bin/{program}"), format!("/usr/bin/{program}")];
        let real = real.iter().find(|path| fs::exists(path).unwrap()).unwrap();
        symlink(real, programs.path().join(program)).unwrap();
    }
    let path = programs.path().display().to_string();
    let server = Server::with_env(&[("PATH", &path)], &["--max-sessions", "20"]);
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
        // A schema cannot express whether a program or a session exists. Guessing tokens at this
        // rate is throttled.
        "--exclude-checks",
        "positive_data_acceptance,ignored_auth",
    ];
    // Schemathesis fails on any deviation.
    let said = command_in(server.folder.path(), &schemathesis, words);
    let generated = said.split(" generated, ").next().and_then(|said| {
        let count = said.split_whitespace().next_back()?;
        count.replace(',', "").parse::<u32>().ok()
    });
    assert!(generated.is_some_and(|count| count > 500), "{said}");
}
