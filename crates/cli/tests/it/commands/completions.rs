//! `completions`: for every shell, of every command.

use crate::harness::cli::{Folder, command, run};

#[test]
fn every_shell_learns_the_commands() {
    for (shell, own) in [
        ("bash", "complete -F _screentest"),
        ("zsh", "#compdef screentest"),
        ("fish", "complete -c screentest"),
        ("elvish", "edit:completion:arg-completer[screentest]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = run(["completions", shell]).text();
        for word in ["snap", "run", "validate", "shard", own] {
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
