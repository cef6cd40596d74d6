//! The script in examples/ and the example in README.md work.

use std::path::Path;

use super::sandbox::SandboxHome;
use crate::harness::cli::{TOOL, command_in, project_file, project_path};

/// Runs a shell script with the tool in `PATH`.
#[track_caller]
fn run_script(home: &SandboxHome, script: &str) -> String {
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
fn shell_example_drives_vim() {
    let home = SandboxHome::new();
    let script = project_path("examples/vim_from_a_shell.sh");
    // The second run starts with the files of the first.
    for _ in 0..2 {
        let said = run_script(&home, &format!("sh '{script}'"));
        assert_eq!(said, "vim wrote: hello from a shell\n");
    }
    assert_eq!(home.sessions().len(), 0);
}

#[test]
fn readme_example_works() {
    let readme = project_file("README.md");
    let (_, section) = readme.split_once("\n## `open`").unwrap();
    let script = section.split("```sh\n").nth(1).unwrap();
    let script = script.split("```").next().unwrap();
    let home = SandboxHome::new();
    let said = run_script(&home, script);
    assert!(said.contains("hello\n"), "{said}");
    assert_eq!(home.sessions().len(), 0);
}
