//! A read-only disk.

use screentest_fixtures::mounts;

use crate::harness::cli::{Folder, Run, run_script};

/// Runs a script in a folder that is also its project root. `$disk` is a disk that is read-only
/// even for root. Without the right to mount, it is a file instead, and the error has another
/// reason.
/// Returns the run, the path and the reason.
fn run(folder: &Folder, script: &str) -> (Run, &'static str, &'static str) {
    let (wrapper, disk, mount, reason) = match mounts::unshare_command() {
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
        run_script(wrapper, &script, &[&folder.join("")]),
        disk,
        reason,
    )
}

/// An output that cannot be written is rejected before the program starts: code 2, with the file
/// and the reason.
#[test]
fn unwritable_output_is_rejected_before_the_program_starts() {
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
        // Each command words the error for a path below a file differently.
        let reason = if mounts::unshare_command().is_some() {
            reason
        } else {
            ""
        };
        let message = run.failed(2).to_lowercase();
        assert!(
            message.starts_with(&format!("error: {what}: {reason}")),
            "{message}"
        );
        assert!(
            folder.names().is_empty(),
            "{words}: the program was started"
        );
    }
}

/// A tape that writes no artifacts passes. A tape that fails is reported with its screen as usual,
/// and a note names the folder, the reason and the variable that selects another folder.
#[test]
fn tapes_run_without_a_writable_artifact_folder() {
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
    let message = bad.failed(2).to_lowercase();
    for words in [
        "failed: bad.tape: ",
        "  │ one|\n",
        &format!(
            "could not open the artifacts directory: could not write `{disk}/artifacts`: {reason}"
        ),
        "; set `screentest_artifacts_dir` to another directory\n",
    ] {
        assert!(message.contains(words), "{words}: {message}");
    }
}
