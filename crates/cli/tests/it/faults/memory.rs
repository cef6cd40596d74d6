//! A limit on memory (`ulimit -v`).

use std::path::Path;

use crate::harness::cli::{Folder, run, run_with_memory_limit};
use crate::harness::processes::{STUBBORN_SCRIPT, assert_all_exit};

/// With any limit, from one at which the binary cannot be loaded to one that suffices, `record`
/// ends by itself, with an exit code or by an abort. No process is left, and the recording so far
/// verifies.
#[test]
fn memory_limit_leaves_no_process_and_a_recoverable_recording() {
    let script = STUBBORN_SCRIPT.replace("read line", "seq 1 60000; printf 'the end'");
    let (mut interrupted, mut done) = (0, 0);
    let mut mebibytes = 16;
    while done == 0 {
        let folder = Folder::new();
        let (path, part) = (folder.join("x.cassette"), folder.join("x.cassette.part"));
        let cwd = folder.join("");
        let words = ["record", "-o", &path, "--cwd", &cwd, "--", "sh", "-c"];
        let limited = run_with_memory_limit(mebibytes, words.into_iter().chain([script.as_str()]));
        if folder.path().join("both").exists() {
            assert_all_exit(folder.path());
        }
        if Path::new(&part).join("start.json").exists() {
            run(["cassette", "recover", &part]).text();
            interrupted += 1;
        }
        if Path::new(&path).exists() {
            run(["cassette", "verify", &path]).text();
        }
        done += usize::from(limited.code == Some(0));
        // Small steps, so that some limits let the recording start but not finish, whatever the
        // size of the binary.
        mebibytes += mebibytes.div_ceil(8);
        assert!(mebibytes < 4096, "{}", limited.stderr);
    }
    assert!(interrupted > 0, "no limit cut a recording off");
}
