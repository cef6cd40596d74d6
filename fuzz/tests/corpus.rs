//! Runs every committed input through its target, so that a fixed finding cannot return.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use screentest_fuzz::TARGETS;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files of a folder, which may be missing.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns project files that are inputs of a target, as pairs of target and path.
fn seeds() -> Vec<(String, PathBuf)> {
    let list = fs::read_to_string(here().join("seeds.txt")).unwrap();
    list.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (target, path) = line.split_once(' ').unwrap();
            (target.to_owned(), here().join("..").join(path))
        })
        .collect()
}

/// Runs all committed inputs of a target.
fn check(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let seeds = seeds();
    let seeds = seeds.iter().filter(|(target, _)| target == name);
    let paths: Vec<PathBuf> = files(&here().join("corpus").join(name))
        .into_iter()
        .chain(files(&here().join("crashes").join(name)))
        .chain(seeds.map(|(_, path)| path.clone()))
        .collect();
    assert!(!paths.is_empty(), "no inputs for {name}");
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        let check = target.check;
        if std::panic::catch_unwind(|| check(&bytes)).is_err() {
            panic!("target `{name}` fails for `{}`", path.display());
        }
    }
}

/// Defines a test for each target.
macro_rules! targets {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

targets! { ansi asciicast backends cassette http images json_rpc key selector state_json stream tape vt2 }

#[test]
fn every_target_is_tested_and_has_its_program() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, TESTED);
    let programs = files(&here().join("fuzz_targets"));
    let programs: Vec<&str> = programs
        .iter()
        .map(|path| path.file_stem().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(names, programs);
    let mut kept: BTreeSet<String> = seeds().into_iter().map(|(target, _)| target).collect();
    for folder in ["corpus", "crashes"] {
        for path in files(&here().join(folder)) {
            kept.insert(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    let known: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(kept.difference(&known).collect::<Vec<_>>(), [""; 0]);
}
