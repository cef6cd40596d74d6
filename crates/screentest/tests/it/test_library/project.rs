//! Location of a project's root and artifacts.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use screentest::test::project;

use screentest_fixtures::scratch::Scratch;

/// Checks the root and the artifacts folder that are found from the folder `a/b/c` of a scratch
/// folder with these variables. `root` and `artifacts` are relative to the scratch folder.
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
fn the_root_contains_a_repository_or_a_workspace() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path().join("a/b")).unwrap();
    // A worktree has a file instead of the `.git` folder.
    scratch.write("a/.git", "gitdir: elsewhere");
    scratch.write("a/b/Cargo.toml", "[package]\nname = \"x\"\n");
    check(&scratch, &[], "a", "a/artifacts");
    scratch.write("a/b/Cargo.toml", "[package]\n[workspace] # here\n");
    check(&scratch, &[], "a/b", "a/b/artifacts");
    scratch.write("a/b/Cargo.toml", "[workspace.package]\n");
    check(&scratch, &[], "a/b", "a/b/artifacts");
}

#[test]
fn otherwise_the_root_contains_a_screentest_toml() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path().join("a/b")).unwrap();
    scratch.write("a/b/screentest.toml", "");
    check(&scratch, &[], "a/b", "a/b/artifacts");
    scratch.write("a/.git", "gitdir: elsewhere");
    check(&scratch, &[], "a", "a/artifacts");
}

#[test]
fn environment_variables_take_precedence_ours_before_tuispecs() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path().join("a/.git")).unwrap();
    let given = scratch.path().join("given");
    let given = given.to_str().unwrap();
    for variables in [
        &[("SCREENTEST_PROJECT_ROOT", given)][..],
        &[("TUISPEC_PROJECT_ROOT", given)],
        &[
            ("SCREENTEST_PROJECT_ROOT", ""),
            ("TUISPEC_PROJECT_ROOT", given),
        ],
        &[
            ("SCREENTEST_PROJECT_ROOT", given),
            ("TUISPEC_PROJECT_ROOT", "x"),
        ],
    ] {
        check(&scratch, variables, "given", "given/artifacts");
    }
    let variables = [("TUISPEC_ARTIFACTS_DIR", "out")];
    check(&scratch, &variables, "a", "a/out");
    let variables = [("SCREENTEST_ARTIFACTS_DIR", given)];
    check(&scratch, &variables, "a", "given");
}

#[test]
fn without_a_root_the_current_folder_is_used() {
    let nowhere = Path::new("/nowhere/at/all");
    assert_eq!(project::root(|_| None, nowhere), nowhere);
}
