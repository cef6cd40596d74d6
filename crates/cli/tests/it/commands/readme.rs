//! The examples of README.md produce the output that it shows.

use std::path::Path;

use crate::harness::cli::{Folder, TOOL, project_file, run};

#[test]
fn quick_start_example_works() {
    let readme = project_file("README.md");
    // `tape_runs/run.rs` checks the files that the first example writes.
    let first = readme.split("```sh\n").nth(1).unwrap();
    assert!(first.starts_with("cargo run --release -- run examples/quickstart.tape\n"));
    let command =
        "snap --env 'PS1=> ' --wait '>' --type 'echo $((6 * 7))' --key Enter --format sketch -- sh";
    assert!(readme.contains(&format!("\n```sh\nscreentest {command}\n```\n")));
    let words = [
        "snap",
        "--env",
        "PS1=> ",
        "--wait",
        ">",
        "--type",
        "echo $((6 * 7))",
        "--key",
        "Enter",
        "--format",
        "sketch",
        "--",
        "sh",
    ];
    let shown = run(words).text();
    assert!(
        readme.contains(&format!("\n```text\n{shown}```\n")),
        "{shown}"
    );
}

#[test]
fn wait_and_type_example_works() {
    let readme = project_file("README.md");
    let script = r#"printf "name? "; read n; echo "hello $n""#;
    let steps = "snap --wait 'name?' --type world --key Enter --wait hello";
    assert!(readme.contains(&format!(
        "\n```sh\nscreentest {steps} -- sh -c '{script}'\n```\n"
    )));
    let words = [
        "snap", "--wait", "name?", "--type", "world", "--key", "Enter", "--wait", "hello", "--",
        "sh", "-c", script,
    ];
    assert_eq!(run(words).text(), "name? world\nhello world\n");
}

#[test]
fn render_examples_work_in_an_empty_folder() {
    let readme = project_file("README.md");
    let (_, section) = readme.split_once("## `render`").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let blocks = section.split("```sh\n").skip(1);
    let commands: String = blocks
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert_eq!(commands.matches("screentest ").count(), 6, "{commands}");
    let folder = Folder::new();
    let bin = Path::new(TOOL).parent().unwrap().to_str().unwrap();
    let path = format!("PATH={bin}:/usr/bin:/bin");
    let script = format!("set -e\n{commands}");
    let words = [
        "snap",
        "--cols",
        "200",
        "--cwd",
        folder.path().to_str().unwrap(),
        "--env",
        &path,
    ];
    let said = run(words.into_iter().chain(["--", "sh", "-c", &script])).text();
    assert_eq!(said, "note: the picture is in `count.gif`\none two three\n");
    assert_eq!(
        folder.names(),
        [
            "count.cast",
            "count.gif",
            "count.png",
            "hello.ansi.txt",
            "hello.meta.json",
            "hello.png",
            "hello.svg"
        ]
    );
    // The picture has colours of the theme: Nord's background and Nord's green.
    let svg = String::from_utf8(folder.read("hello.svg")).unwrap();
    assert!(svg.contains("#2e3440") && svg.contains("#a3be8c"), "{svg}");
}

#[test]
fn readme_lists_all_picture_options_of_the_help() {
    let help = run(["render", "-h"]).text();
    let readme = project_file("README.md");
    for (heading, table, count) in [
        ("\nPictures:\n", "| Pictures | |", 16),
        ("\nRecordings:\n", "| Recordings | |", 7),
    ] {
        let (_, options) = help.split_once(heading).unwrap();
        let (options, _) = options.split_once("\n\n").unwrap();
        let (_, rows) = readme.split_once(table).unwrap();
        let (rows, _) = rows.split_once("\n\n").unwrap();
        let names: Vec<&str> = options
            .lines()
            .filter(|line| line.starts_with("      --"))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        assert_eq!(names.len(), count, "{names:?}");
        for name in names {
            assert!(rows.contains(&format!("`{name}")), "{name}");
        }
    }
}

#[test]
fn readme_and_help_list_the_same_exit_codes() {
    let squeezed = |text: String| {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.join(" ")
    };
    let help = squeezed(run(["--help"]).text());
    let readme = project_file("README.md");
    let (_, codes) = readme.split_once("## Exit codes").unwrap();
    let rows: Vec<&str> = codes
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .filter(|row| row.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let row = row.replace(" | ", " ");
        assert!(help.contains(&row), "{row}");
    }
}

#[test]
fn readme_and_help_list_the_same_review_keys() {
    let help = run(["review", "--help"]).text();
    let readme = project_file("README.md");
    let (_, section) = readme.split_once("## `review`").unwrap();
    let (_, keys) = section.split_once("| Key | |").unwrap();
    let (keys, _) = keys.split_once("\n\n").unwrap();
    let rows: Vec<(&str, &str)> = keys
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"))
        .filter_map(|row| row.split_once(" | "))
        .collect();
    assert_eq!(rows.len(), 11);
    for (key, meaning) in rows {
        let key = key.replace('`', "");
        let line = format!("  {key:<12}  {meaning}");
        assert!(help.contains(&line), "{line}\n{help}");
    }
}
