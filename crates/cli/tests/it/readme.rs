//! What the readme shows is what one gets.

use crate::tool::{project, run};

#[test]
fn the_quick_start_is_true() {
    let readme = project("README.md");
    let command = "snap --env 'PS1=$ ' --wait '$' --type 'echo $((6 * 7))' --key Enter --format picture -- sh";
    assert!(readme.contains(&format!("\n```sh\ncargo run --release -- {command}\n```\n")));
    let words = [
        "snap",
        "--env",
        "PS1=$ ",
        "--wait",
        "$",
        "--type",
        "echo $((6 * 7))",
        "--key",
        "Enter",
        "--format",
        "picture",
        "--",
        "sh",
    ];
    let shown = run(words).text();
    assert!(
        readme.contains(&format!("\n```text\n{shown}```\n")),
        "{shown}"
    );
}
