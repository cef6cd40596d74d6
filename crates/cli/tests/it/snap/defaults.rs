//! Defaults of `snap`: how long it waits, terminal size and environment.

use crate::harness::cli::{Folder, run};

#[track_caller]
fn check(options: &[&str], script: &str, text: &str) {
    let mut words = vec!["snap"];
    words.extend(options);
    words.extend(["--", "sh", "-c", script]);
    assert_eq!(run(words).text(), text);
}

#[test]
fn ended_program_is_captured_with_its_last_output() {
    check(&[], "echo first; printf last", "first\nlast\n");
}

#[test]
fn running_program_is_captured_once_the_screen_is_stable() {
    check(&[], "printf ready; cat", "ready\n");
}

#[test]
fn slow_start_is_waited_for() {
    // Longer than the time for which a screen must be stable.
    check(&[], "sleep 0.7; printf late; cat", "late\n");
}

#[test]
fn silent_program_has_an_empty_screen() {
    check(&[], "true", "");
}

#[test]
fn exit_code_of_the_program_is_ignored() {
    check(&[], "printf failed; exit 7", "failed\n");
    check(&[], "printf killed; kill -9 $$", "killed\n");
    check(&["--wait", "failed"], "printf failed; exit 7", "failed\n");
}

#[test]
fn last_key_has_time_to_take_effect() {
    check(
        &["--wait", "?", "--type", "x", "--key", "Enter"],
        "stty -echo; printf '? '; read line; printf \"got $line\"; cat",
        "? got x\n",
    );
}

#[test]
fn default_size_is_80x24() {
    check(&[], "stty size", "24 80\n");
    check(&["--cols", "100", "--rows", "30"], "stty size", "30 100\n");
}

#[test]
fn env_option_sets_and_removes_variables() {
    check(
        &["--env", "A=1=2", "--env", "EMPTY=", "--env", "HOME"],
        "echo \"$A [${EMPTY-unset}] ${HOME-unset} $TERM\"",
        "1=2 [] unset xterm-256color\n",
    );
}

#[test]
fn cwd_option_sets_the_working_directory() {
    let folder = Folder::new();
    folder.file("here", "");
    check(&["--cwd", &folder.join("")], "ls", "here\n");
}

#[test]
fn snap_works_inside_snap() {
    let inner = crate::harness::cli::TOOL;
    let words = ["snap", "--", inner, "snap", "--", "echo", "inside"];
    assert_eq!(run(words).text(), "inside\n");
}
