//! Invalid command lines: one clear error and exit code 2, before the program starts.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::harness::cli::{Folder, run};

/// Checks the error of invalid options. The program would create a file if it were started.
#[track_caller]
fn check(options: &[&str], said: &str) {
    let folder = Folder::new();
    let mut words = vec!["snap"];
    words.extend(options);
    let started = folder.join("started");
    words.extend(["--", "touch", &started]);
    assert_eq!(folder.masked(&run(words).failed(2)), said);
    assert_eq!(folder.names(), [""; 0]);
}

#[track_caller]
fn check_program(words: &[&str], said: &str) {
    let mut all = vec!["snap", "--env", "PATH=/nowhere:/bin:/usr/bin"];
    all.extend(words);
    assert_eq!(run(all).failed(2), said);
}

#[test]
fn misspelled_key_is_suggested() {
    check(
        &["--key", "Entre"],
        "error: `--key \"Entre\"`: unknown key `Entre`, did you mean `Enter`?\n",
    );
    check(
        &["--key", "Crtl+C"],
        "error: `--key \"Crtl+C\"`: unknown modifier `Crtl`, did you mean `Ctrl`?\n",
    );
}

#[test]
fn unknown_key_lists_the_valid_keys() {
    check(
        &["--wait", "x", "--key", "hello"],
        "\
error: `--key \"hello\"`: unknown key `hello`
hint: `--type \"hello\"` types text; keys are Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, \
Delete, F1 to F35, KP0 to KP9, and any single character
",
    );
    check(
        &["--key", "Hyper+x"],
        "\
error: `--key \"Hyper+x\"`: unknown modifier `Hyper`
hint: modifiers are Ctrl, Alt, Shift and Super, as in `Ctrl+C`; `+` alone is a key
",
    );
}

#[test]
fn key_notations_of_other_tools_are_suggested() {
    for (written, meant) in [
        ("Ctrl-C", "Ctrl+C"),
        ("C-c", "Ctrl+C"),
        ("^C", "Ctrl+C"),
        ("C-M-x", "Ctrl+Alt+X"),
    ] {
        check(
            &["--key", written],
            &format!(
                "error: `--key \"{written}\"`: unknown key `{written}`, did you mean `{meant}`?\n"
            ),
        );
    }
}

#[test]
fn modifier_without_a_key_is_rejected() {
    for (written, said, hint) in [
        (
            "++",
            "`++` has no modifier before a `+`",
            "modifiers are Ctrl, Alt, Shift and Super, as in `Ctrl+C`; `+` alone is a key",
        ),
        (
            "Ctrl",
            "`Ctrl` does not name a key",
            "a modifier needs a key, as in `Ctrl+C`",
        ),
        (
            "Ctrl+",
            "`Ctrl+` does not name a key",
            "a modifier needs a key, as in `Ctrl+C`",
        ),
    ] {
        check(
            &["--key", written],
            &format!("error: `--key \"{written}\"`: {said}\nhint: {hint}\n"),
        );
    }
}

#[test]
fn stable_time_above_the_timeout_is_rejected() {
    check(
        &["--stable", "3000", "--timeout", "2"],
        "\
error: `--stable \"3000\"` is longer than the step timeout of `2s`
hint: `--stable` takes milliseconds and `--timeout` seconds
",
    );
}

#[test]
fn empty_program_name_is_rejected() {
    check_program(
        &["--", ""],
        "\
error: the name of the program is empty
hint: maybe a variable of a script is not set
",
    );
}

#[test]
fn missing_double_dash_is_suggested() {
    for (words, hint) in [
        (&["ls", "-la"][..], "snap -- ls -la"),
        (&["--type", "ls", "ls", "a b"], "snap --type ls -- ls 'a b'"),
    ] {
        let said = run(["snap"].iter().chain(words)).failed(2);
        assert!(
            said.ends_with(&format!("\nhint: screentest {hint}\n")),
            "{said}"
        );
    }
}

#[test]
fn invalid_screen_sizes_are_rejected() {
    let many = "12345678901234567890";
    for value in ["1", "2001", "-1", "abc", "1.5", "", many] {
        check(
            &["--cols", value],
            &format!(
                "error: invalid value '{value}' for '--cols <N>': a screen has 2 to 2000 columns\n\nFor more information, try '--help'.\n"
            ),
        );
    }
    for value in ["0", "2001", "-1", "", many] {
        check(
            &["--rows", value],
            &format!(
                "error: invalid value '{value}' for '--rows <N>': a screen has 1 to 2000 rows\n\nFor more information, try '--help'.\n"
            ),
        );
    }
}

#[test]
fn invalid_numbers_are_rejected() {
    check(
        &["--stable", "soon"],
        "\
error: `--stable \"soon\"`: `soon` is not a number of milliseconds
hint: use a whole number, such as `--stable 200`
",
    );
    for (option, value, why) in [
        (
            "--timeout <S>",
            "-1",
            "expected a number of seconds above 0",
        ),
        ("--timeout <S>", "0", "expected a number of seconds above 0"),
        (
            "--timeout <S>",
            "nan",
            "expected a number of seconds above 0",
        ),
        (
            "--timeout <S>",
            "1e30",
            "expected a number of seconds above 0",
        ),
        (
            "--scrollback <N>",
            "100001",
            "expected a number of rows from 0 to 100000",
        ),
    ] {
        let (name, _) = option.split_once(' ').unwrap();
        check(
            &[name, value],
            &format!(
                "error: invalid value '{value}' for '{option}': {why}\n\nFor more information, try '--help'.\n"
            ),
        );
    }
}

#[test]
fn empty_wait_text_is_rejected() {
    check(
        &["--wait", ""],
        "error: `--wait \"\"`: the text to wait for is empty\n",
    );
}

#[test]
fn variable_without_a_name_is_rejected() {
    for variable in ["=x", ""] {
        check(
            &["--env", variable],
            &format!(
                "\
error: `--env \"{variable}\"`: the variable has no name
hint: `--env NAME=value` sets a variable, `--env NAME` removes it
"
            ),
        );
    }
}

#[test]
fn unwritable_output_is_rejected() {
    let folder = Folder::new();
    check(
        &["-o", &folder.join("")],
        &format!(
            "error: could not write `{}`: it is a directory\n",
            folder.join("")
        ),
    );
    let lost = folder.join("lost/x.txt");
    check(
        &["-o", &lost],
        &format!("error: could not write `{lost}`: its directory does not exist\n"),
    );
    check(
        &["-o", "x.jpg"],
        "\
error: unknown extension `.jpg` in `x.jpg`
hint: `--format` selects a format; known extensions are `.ansi.txt`, `.ansi`, `.txt`, `.json`, `.vt2`, `.png`, `.svg`, `.html`, \
`.gif`, `.apng`, `.webp`, `.mp4`, `.webm`
",
    );
}

#[test]
fn unknown_options_are_rejected() {
    let said = run(["snap", "--colz", "5", "--", "true"]).failed(2);
    assert!(said.contains("unexpected argument '--colz'"), "{said}");
    assert!(
        said.contains("a similar argument exists: '--cols'"),
        "{said}"
    );
    let said = run(["snap", "--format", "jpg", "--", "true"]).failed(2);
    assert!(
        said.contains("possible values: text, json, ansi, vt2, sketch, png, svg,"),
        "{said}"
    );
    let said = run(["snap"]).failed(2);
    assert!(
        said.contains("Usage: screentest snap -- <CMD>..."),
        "{said}"
    );
    let said = run(["snap", "ls"]).failed(2);
    assert!(
        said.contains("Usage: screentest snap [OPTIONS] -- <CMD>..."),
        "{said}"
    );
    let said = run([""; 0]).failed(2);
    assert!(said.contains("Usage: screentest <COMMAND>"), "{said}");
}

#[test]
fn program_not_found_is_reported() {
    check_program(
        &["--", "nosuch"],
        "\
error: `nosuch` was not found in PATH
hint: use the path of the program, such as `./nosuch`, or set another PATH: `--env PATH=…`
",
    );
    check_program(
        &["--", "ls -la"],
        "\
error: `ls -la` was not found in PATH
hint: pass each word on its own, `-- ls -la`, or run a shell, `-- sh -c 'ls -la'`
",
    );
    check_program(
        &["--cwd", "/", "--", "./nosuch"],
        "\
error: `/./nosuch` does not exist
hint: a relative path is relative to the directory of `--cwd`
",
    );
}

#[test]
fn non_executable_program_is_reported() {
    check_program(&["--", "/"], "error: `/` is a directory, not a program\n");

    let folder = Folder::new();
    let file = folder.file("notes", "not a program");
    check_program(
        &["--", &file],
        &format!(
            "error: `{file}` is not executable\nhint: `chmod +x {file}` makes it executable\n"
        ),
    );

    let script = folder.file("script", "#!/nosuch/interpreter\n");
    fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    check_program(
        &["--", &script],
        &format!("error: `{script}` needs an interpreter that does not exist\n"),
    );
}

#[test]
fn invalid_working_directory_is_reported() {
    check_program(
        &["--cwd", "/nosuch", "--", "true"],
        "error: the working directory `/nosuch` does not exist\n",
    );
    check_program(
        &["--cwd", "/dev/null", "--", "true"],
        "error: the working directory `/dev/null` is not a directory\n",
    );
}
