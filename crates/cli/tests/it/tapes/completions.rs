//! `completions`: for every shell, of every command.

use crate::tool::{Folder, command, run};

#[test]
fn every_shell_learns_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(["completions", shell]).text();
        for word in ["snap", "run", "validate", "shard"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let said = run(["completions", "tcsh"]).failed(2);
    assert!(
        said.contains("[possible values: bash, elvish, fish, powershell, zsh]"),
        "{said}"
    );
}

#[test]
fn bash_completes_with_them() {
    let folder = Folder::new();
    let file = folder.file("completions", run(["completions", "bash"]).text());
    let script = format!(
        ". {file}; COMP_WORDS=(screentest val); COMP_CWORD=1; _screentest screentest val screentest; echo \"${{COMPREPLY[@]}}\""
    );
    assert_eq!(command("bash", ["-c", &script]), "validate\n");
}
