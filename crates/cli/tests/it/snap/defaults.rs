//! What `snap` does unless told otherwise: how long it waits, and the program's world.

use crate::harness::cli::{Folder, run};

#[track_caller]
fn check(options: &[&str], script: &str, text: &str) {
    let mut words = vec!["snap"];
    words.extend(options);
    words.extend(["--", "sh", "-c", script]);
    assert_eq!(run(words).text(), text);
}

#[test]
fn a_program_that_ends_is_shown_to_its_last_word() {
    check(&[], "echo first; printf last", "first\nlast\n");
}

#[test]
fn a_program_that_stays_is_shown_once_it_stands_still() {
    check(&[], "printf ready; cat", "ready\n");
}

#[test]
fn a_program_that_thinks_first_is_waited_for() {
    // It thinks for longer than a screen has to stand still.
    check(&[], "sleep 0.7; printf late; cat", "late\n");
}

#[test]
fn a_program_that_shows_nothing_has_an_empty_screen() {
    check(&[], "true", "");
}

#[test]
fn the_programs_own_exit_code_is_not_ours() {
    check(&[], "printf failed; exit 7", "failed\n");
    check(&[], "printf killed; kill -9 $$", "killed\n");
    check(&["--wait", "failed"], "printf failed; exit 7", "failed\n");
}

#[test]
fn a_key_as_the_last_step_is_given_time_to_work() {
    check(
        &["--wait", "?", "--type", "x", "--key", "Enter"],
        "stty -echo; printf '? '; read line; printf \"got $line\"; cat",
        "? got x\n",
    );
}

#[test]
fn the_terminal_has_80_columns_and_24_rows() {
    check(&[], "stty size", "24 80\n");
    check(&["--cols", "100", "--rows", "30"], "stty size", "30 100\n");
}

#[test]
fn variables_are_set_and_removed() {
    check(
        &["--env", "A=1=2", "--env", "EMPTY=", "--env", "HOME"],
        "echo \"$A [${EMPTY-unset}] ${HOME-unset} $TERM\"",
        "1=2 [] unset xterm-256color\n",
    );
}

#[test]
fn a_program_starts_where_it_is_told_to() {
    let folder = Folder::new();
    folder.file("here", "");
    check(&["--cwd", &folder.join("")], "ls", "here\n");
}

#[test]
fn a_tool_within_the_tool_works() {
    let inner = crate::harness::cli::TOOL;
    let words = ["snap", "--", inner, "snap", "--", "echo", "inside"];
    assert_eq!(run(words).text(), "inside\n");
}
