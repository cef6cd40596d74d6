//! The web page, in a real browser.

use super::client::Server;
use crate::harness::cli::{command_in_with_env, installed, project_path};

/// Returns the path of a package that `cargo xtask test` installs for the page.
fn tool(path: &str) -> String {
    installed(
        &format!("target/page-tools/node_modules/{path}"),
        "`playwright-core` and `typescript` from npm",
    )
}

#[test]
fn browser_drives_the_page() {
    let server = Server::start();
    let script = project_path("crates/server/page/tests/page.test.mjs");
    let variables = [
        ("SCREENTEST_LINK", server.link.as_str()),
        ("PLAYWRIGHT_CORE", &tool("playwright-core")),
    ];
    let said = command_in_with_env(server.folder.path(), &variables, "node", [&script]);
    assert!(said.lines().count() > 10, "too few checks: {said}");
}

#[test]
fn page_scripts_pass_type_checking() {
    let settings = project_path("crates/server/page/tsconfig.json");
    let folder = project_path("crates/server/page");
    let words = [tool("typescript/bin/tsc"), "-p".to_owned(), settings];
    // `tsc` prints errors to stdout.
    let said = command_in_with_env(folder.as_ref(), &[], "node", words);
    assert_eq!(said, "");
}
