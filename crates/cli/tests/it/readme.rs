//! What the readme shows is what one gets.

use crate::tool::{project, run};

#[test]
fn the_quick_start_is_true() {
    let readme = project("README.md");
    let command = "snap --env 'PS1=> ' --wait '>' --type 'echo $((6 * 7))' --key Enter --format picture -- sh";
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

#[test]
fn the_question_is_answered() {
    let readme = project("README.md");
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
fn the_readme_and_the_help_agree_on_exit_codes() {
    let squeezed = |text: String| {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.join(" ")
    };
    let help = squeezed(run(["--help"]).text());
    let readme = project("README.md");
    let (_, codes) = readme.split_once("## Exit codes").unwrap();
    let rows: Vec<&str> = codes
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .filter(|row| row.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let row = row.replace(" | ", " ");
        assert!(help.contains(&row), "{row}");
    }
}

#[test]
fn the_readme_and_the_help_agree_on_the_keys_of_review() {
    let help = run(["review", "--help"]).text();
    let readme = project("README.md");
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
