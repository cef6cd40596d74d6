//! The example of `--help` and the script in examples/ work.

use crate::harness::cli::{Folder, TOOL, command_in, project_path, run};

#[test]
fn help_example_works_when_pasted() {
    let help = run(["server", "--help"]).text();
    let (_, example) = help.split_once("Examples:\n").unwrap();
    let folder = Folder::new();
    let script = example
        .replace("/tmp/artifacts", &folder.join("artifacts"))
        .replace("screentest server", &format!("'{TOOL}' server"));
    let said = command_in(folder.path(), "sh", ["-c", &script]);
    let last = said.lines().last().unwrap();
    let blanks = " ".repeat(35);
    assert_eq!(
        last,
        format!(
            r#"{{"id":5,"jsonrpc":"2.0","result":{{"cols":40,"rows":1,"text":"hello{blanks}"}}}}"#
        )
    );
}

#[test]
fn python_example_drives_vim() {
    let folder = Folder::new();
    let script = project_path("examples/vim_over_json_rpc.py");
    // The second run starts with the files of the first.
    for _ in 0..2 {
        let said = command_in(folder.path(), "python3", [script.as_str(), TOOL]);
        assert_eq!(said, "vim wrote: hello from Python\n");
    }
    assert!(folder.names().contains(&"hello.txt".to_owned()));
}
