//! A full disk.

use screentest_fixtures::mounts;

use crate::harness::cli::{Folder, run_script};

/// Shell commands that create a small disk in the folder `$1`, fill it and free space, and the
/// error of the system when the disk is full.
struct Disk {
    wrapper: &'static [&'static str],
    create: &'static str,
    fill: &'static str,
    free: &'static str,
    reason: &'static str,
}

/// Returns a disk that a recording fills immediately. Without the right to mount, a file-size limit
/// replaces it.
fn disk() -> Disk {
    match mounts::unshare_command() {
        Some(wrapper) => Disk {
            wrapper,
            // Leaves 192 KiB.
            create: "mount -t tmpfs -o size=8m tmpfs \"$1\" || exit 99; head -c 8192000 /dev/zero >\"$1/ballast\"",
            fill: "cat /dev/zero >>ballast 2>/dev/null",
            free: "rm ballast",
            reason: "No space left on device (os error 28)",
        },
        None => Disk {
            wrapper: &[],
            create: "ulimit -S -f 64",
            fill: "ulimit -S -f 1",
            free: "ulimit -S -f unlimited",
            reason: "File too large (os error 27)",
        },
    }
}

/// `record` on a full disk runs the program to its end, then fails with code 2. The error names the
/// file and the reason; the hint names the partial recording and the recovery command. Recovery on
/// the full disk fails without damage. After space is freed, recovery makes a cassette of the
/// beginning, and it verifies.
#[test]
fn full_disk_fails_only_the_recording_and_keeps_the_partial_cassette() {
    let folder = Folder::new();
    let disk = disk();
    let script = format!(
        "{create}; cd \"$1\" || exit 99
        \"$0\" record -o x.cassette -- sh -c \"$2\"; echo \"recorded: $?\" >&2
        {fill}
        \"$0\" cassette recover x.cassette.part; echo \"full: $?\" >&2
        ls -d x.* >&2
        {free}
        \"$0\" cassette recover x.cassette.part >&2 || exit 98
        \"$0\" cassette verify x.cassette >&2 || exit 97
        ls -d x.* >&2
        echo ======; cat x.cassette/output.raw",
        create = disk.create,
        fill = disk.fill,
        free = disk.free,
    );
    let program = "seq 1 60000; echo \"the end\"; exit 7";
    let run = run_script(disk.wrapper, &script, &[&folder.join(""), program]);
    let (shown, said) = (String::from_utf8(run.stdout).unwrap(), run.stderr);
    assert_eq!(run.code, Some(0), "{said}");
    let (shown, raw) = shown.split_once("======\n").unwrap();
    let whole: String = (1..=60_000).map(|n| format!("{n}\r\n")).collect();
    assert_eq!(shown, format!("{whole}the end\r\n"));
    assert!(
        !raw.is_empty() && whole.starts_with(raw),
        "{} bytes",
        raw.len()
    );
    let (recorded, later) = said.split_once("recorded: 2\n").expect(&said);
    let reason = disk.reason;
    let hint = "hint: the recording so far is in `x.cassette.part`: \
        recover it with `screentest cassette recover x.cassette.part`, or remove it\n";
    assert!(
        recorded.starts_with("error: could not write `x.cassette.part/"),
        "{said}"
    );
    assert!(
        recorded.ends_with(&format!("`: {reason}\n{hint}")),
        "{said}"
    );
    let (full, later) = later.split_once("full: 2\n").expect(&said);
    assert!(full.starts_with("error: could not write `"), "{said}");
    assert!(full.contains(reason), "{said}");
    assert!(later.starts_with("x.cassette.part\n"), "{said}");
    assert!(later.ends_with("x.cassette\n"), "{said}");
}

/// If a file does not fit, the error names it, the exit code is 2, and the previous file is
/// unchanged.
#[test]
fn output_that_does_not_fit_leaves_the_old_file() {
    let folder = Folder::new();
    let disk = disk();
    let script = format!(
        "{create}; cd \"$1\" || exit 99
        echo old >x.txt
        {fill}
        \"$0\" snap --rows 2000 -o x.txt -- sh -c 'yes \"a line of a text that is too long\" | head -n 2000'; echo \"snapped: $?\" >&2
        ls -A >&2; cat x.txt",
        create = disk.create,
        // A file-size limit of 512 bytes would also apply to the launch data of the program, which
        // are passed in a memory file (memfd).
        fill = disk.fill.replace("ulimit -S -f 1", ":"),
    );
    let run = run_script(disk.wrapper, &script, &[&folder.join("")]);
    let reason = disk.reason;
    let ballast = if disk.wrapper.is_empty() {
        ""
    } else {
        "ballast\n"
    };
    assert_eq!(
        run.stderr,
        format!("error: could not write `x.txt`: {reason}\nsnapped: 2\n{ballast}x.txt\n")
    );
    assert_eq!(run.stdout, b"old\n");
}

/// A small file that does not fit is absent afterwards, not incomplete.
#[test]
fn new_files_that_do_not_fit_are_absent() {
    let folder = Folder::new();
    let disk = disk();
    let script = format!(
        "{create}; cd \"$1\" || exit 99
        \"$0\" record -o x.cassette -- true
        {fill}
        \"$0\" new demo; echo \"new: $?\" >&2
        \"$0\" cassette check --new x.cassette; echo \"check: $?\" >&2
        \"$0\" web --token-file tokens; echo \"web: $?\" >&2
        ls -A >&2",
        create = disk.create,
        // The limit is 0 instead of 512 bytes (`-f 1`), which the small token file does not exceed.
        fill = disk.fill.replace("-f 1", "-f 0"),
    );
    let run = run_script(disk.wrapper, &script, &[&folder.join("")]);
    let said = run.stderr;
    assert_eq!(said.matches(disk.reason).count(), 3, "{said}");
    for line in ["new: 2\n", "check: 2\n", "web: 2\n"] {
        assert!(said.contains(line), "{said}");
    }
    let (_, names) = said.split_once("web: 2\n").unwrap();
    let left: Vec<&str> = names.lines().filter(|name| *name != "ballast").collect();
    assert_eq!(left, ["x.cassette"], "{said}");
}
