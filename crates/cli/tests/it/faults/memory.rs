//! A tool that may have little memory (`ulimit -v`).

use std::path::Path;

use crate::harness::cli::{Folder, run, run_within};
use crate::harness::processes::{STAYS, assert_all_go};

/// Whatever the limit, from one at which the tool cannot even be loaded to one that is enough, `record` ends by itself: with a code, or aborted where memory
/// is refused. Nothing that the program started is left then, and what was recorded until then is a cassette that verifies.
#[test]
fn a_lack_of_memory_leaves_no_process_and_the_recording() {
    let script = STAYS.replace("read line", "seq 1 60000; printf 'the end'");
    let (mut cut_off, mut done) = (0, 0);
    let mut mebibytes = 16;
    while done == 0 {
        let folder = Folder::new();
        let (path, part) = (folder.join("x.cassette"), folder.join("x.cassette.part"));
        let cwd = folder.join("");
        let words = ["record", "-o", &path, "--cwd", &cwd, "--", "sh", "-c"];
        let run_of_it = run_within(mebibytes, words.into_iter().chain([script.as_str()]));
        if folder.path().join("both").exists() {
            assert_all_go(folder.path());
        }
        if Path::new(&part).join("start.json").exists() {
            run(["cassette", "recover", &part]).text();
            cut_off += 1;
        }
        if Path::new(&path).exists() {
            run(["cassette", "verify", &path]).text();
        }
        done += usize::from(run_of_it.code == Some(0));
        // Small steps, so that some are where the tool begins and cannot go on, however large it is.
        mebibytes += mebibytes.div_ceil(8);
        assert!(mebibytes < 4096, "{}", run_of_it.stderr);
    }
    assert!(cut_off > 0, "every one began with enough, or not at all");
}
