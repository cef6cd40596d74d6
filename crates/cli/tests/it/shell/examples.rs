//! What is shown to people works: the script in examples/, and the lines of the readme.

use std::path::Path;

use super::sandbox::Home;
use crate::harness::cli::{TOOL, command_in, project, project_path};

/// Runs a script in a home, where `screentest` is the tool.
#[track_caller]
fn shell(home: &Home, script: &str) -> String {
    let tool = Path::new(TOOL).parent().unwrap().display();
    let mut words = vec![format!("PATH={tool}:{}", std::env::var("PATH").unwrap())];
    let variables = home.variables();
    words.extend(
        variables
            .iter()
            .map(|(name, value)| format!("{name}={value}")),
    );
    words.extend(["sh", "-euc", script].map(str::to_owned));
    command_in(home.folder.path(), "env", words)
}

#[test]
fn a_shell_script_drives_vim() {
    let home = Home::new();
    let script = project_path("examples/vim_from_a_shell.sh");
    // The second time it finds what the first has left.
    for _ in 0..2 {
        let said = shell(&home, &format!("sh '{script}'"));
        assert_eq!(said, "vim wrote: hello from a shell\n");
    }
    assert_eq!(home.sessions().len(), 0);
}

#[test]
fn the_five_lines_of_the_readme_work() {
    let readme = project("README.md");
    let (_, section) = readme.split_once("\n## `open`").unwrap();
    let script = section.split("```sh\n").nth(1).unwrap();
    let script = script.split("```").next().unwrap();
    let home = Home::new();
    let said = shell(&home, script);
    assert!(said.contains("hello\n"), "{said}");
    assert_eq!(home.sessions().len(), 0);
}
