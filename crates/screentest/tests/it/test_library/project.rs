//! Where a project's artifacts are looked for.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use screentest::test::project;

use screentest_fixtures::scratch::Scratch;

/// What is found from the folder `a/b/c` of a scratch directory, with these variables; relative to that directory.
#[track_caller]
fn check(scratch: &Scratch, variables: &[(&str, &str)], root: &str, artifacts: &str) {
    let variable = |name: &str| {
        let found = variables.iter().find(|(set, _)| *set == name);
        found.map(|(_, value)| OsString::from(value))
    };
    let cwd = scratch.path().join("a/b/c");
    fs::create_dir_all(&cwd).unwrap();
    assert_eq!(project::root(variable, &cwd), scratch.path().join(root));
    let found = project::artifacts(variable, &cwd);
    assert_eq!(found, scratch.path().join(artifacts));
}

#[test]
fn the_root_has_a_repository_or_a_workspace() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path().join("a/b")).unwrap();
    // A worktree has a file in the place of the folder.
    scratch.write("a/.git", "gitdir: elsewhere");
    scratch.write("a/b/Cargo.toml", "[package]\nname = \"x\"\n");
    check(&scratch, &[], "a", "a/artifacts");
    scratch.write("a/b/Cargo.toml", "[package]\n[workspace] # here\n");
    check(&scratch, &[], "a/b", "a/b/artifacts");
    scratch.write("a/b/Cargo.toml", "[workspace.package]\n");
    check(&scratch, &[], "a/b", "a/b/artifacts");
}

#[test]
fn where_there_is_neither_the_root_has_what_the_project_wants() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path().join("a/b")).unwrap();
    scratch.write("a/b/screentest.toml", "");
    check(&scratch, &[], "a/b", "a/b/artifacts");
    scratch.write("a/.git", "gitdir: elsewhere");
    check(&scratch, &[], "a", "a/artifacts");
}

#[test]
fn the_environment_wins_and_our_own_names_first() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path().join("a/.git")).unwrap();
    let told = scratch.path().join("told");
    let told = told.to_str().unwrap();
    for variables in [
        &[("SCREENTEST_PROJECT_ROOT", told)][..],
        &[("TUISPEC_PROJECT_ROOT", told)],
        &[
            ("SCREENTEST_PROJECT_ROOT", ""),
            ("TUISPEC_PROJECT_ROOT", told),
        ],
        &[
            ("SCREENTEST_PROJECT_ROOT", told),
            ("TUISPEC_PROJECT_ROOT", "x"),
        ],
    ] {
        check(&scratch, variables, "told", "told/artifacts");
    }
    let kept = [("TUISPEC_ARTIFACTS_DIR", "kept")];
    check(&scratch, &kept, "a", "a/kept");
    let kept = [("SCREENTEST_ARTIFACTS_DIR", told)];
    check(&scratch, &kept, "a", "told");
}

#[test]
fn without_any_of_them_it_is_where_one_stands() {
    let nowhere = Path::new("/nowhere/at/all");
    assert_eq!(project::root(|_| None, nowhere), nowhere);
}
