//! `completions`: scripts for each shell.

use crate::harness::cli::{Folder, command, run};

#[test]
fn completions_of_each_shell_contain_all_commands() {
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
fn bash_completes_subcommands() {
    let folder = Folder::new();
    let file = folder.file("completions", run(["completions", "bash"]).text());
    let script = format!(
        ". {file}; COMP_WORDS=(screentest val); COMP_CWORD=1; _screentest screentest val screentest; echo \"${{COMPREPLY[@]}}\""
    );
    assert_eq!(command("bash", ["-c", &script]), "validate\n");
}
