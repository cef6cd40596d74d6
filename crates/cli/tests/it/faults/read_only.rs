//! A disk that may only be read.

use screentest_fixtures::mounts;

use crate::harness::cli::{Folder, Run, run_script};

/// Runs a script in a folder that is its project, with such a disk at `$disk`: read only for root as well. Who may not mount any has a file there. Then the reason
/// is another.
fn run(folder: &Folder, script: &str) -> (Run, &'static str, &'static str) {
    let (behind, disk, mount, reason) = match mounts::own() {
        Some(own) => (
            own,
            "/mnt",
            "mount -t tmpfs -o ro tmpfs /mnt || exit 99",
            "read-only file system",
        ),
        None => (&[][..], "/dev/null", ":", "not a directory"),
    };
    let script = format!(
        "{mount}; cd \"$1\" || exit 99; unset CI; export SCREENTEST_PROJECT_ROOT=\"$1\"; disk={disk}
        {script}"
    );
    (
        run_script(behind, &script, &[&folder.join("")]),
        disk,
        reason,
    )
}

/// What is to be written there is refused before anything is started: code 2, with the file and the reason.
#[test]
fn nothing_is_started_for_a_file_that_cannot_be_written() {
    let folder = Folder::new();
    for (words, what) in [
        (
            "record -o $disk/x.cassette",
            "could not write `{}/x.cassette`",
        ),
        ("record -o $disk/x.cast", "could not write `{}/x.cast`"),
        ("snap -o $disk/x.txt", "could not write `{}/x.txt`"),
    ] {
        let script = format!("\"$0\" {words} -- touch started");
        let (run, disk, reason) = run(&folder, &script);
        let what = what.replace("{}", disk);
        // Of a file that is no folder each says it in its own words.
        let reason = if mounts::own().is_some() { reason } else { "" };
        let told = run.failed(2).to_lowercase();
        assert!(
            told.starts_with(&format!("error: {what}: {reason}")),
            "{told}"
        );
        assert!(folder.names().is_empty(), "{words}: it was started");
    }
}

/// A tape that leaves nothing passes without a folder for artifacts. One that fails is told with its screen as ever; that nothing explains it on the disk is noted,
/// with the folder, the reason and how to name another.
#[test]
fn tapes_run_without_a_folder_for_artifacts_as_far_as_they_need_none() {
    let folder = Folder::new();
    folder.file("good.tape", "Launch cat\nType 'one'\nExpect 'one'\n");
    folder.file(
        "bad.tape",
        "Set WaitTimeout 300ms\nLaunch cat\nType 'one'\nExpect 'two'\n",
    );
    let tape = |name: &str| {
        let script = format!(
            "export SCREENTEST_ARTIFACTS_DIR=$disk/artifacts; \"$0\" run --fast {name}.tape"
        );
        run(&folder, &script)
    };
    let (good, ..) = tape("good");
    assert!(good.noted().starts_with("passed: good.tape: "));
    let (bad, disk, reason) = tape("bad");
    let told = bad.failed(2).to_lowercase();
    for words in [
        "failed: bad.tape: ",
        "  │ one|\n",
        &format!(
            "could not open the artifacts directory: could not write `{disk}/artifacts`: {reason}"
        ),
        "; set `screentest_artifacts_dir` to another directory\n",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
