//! A folder for artifacts that may only be read.

use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use screentest::{App, Failure, RunOptions, Tui, tui_test, with_session};
use screentest_fixtures::mounts;

use crate::harness::own_process::alone_behind;

/// A disk that may only be read, which holds for root as well.
const DISK: &str = "mount -t tmpfs -o ro tmpfs /mnt && exec \"$@\"";

/// A test says before it begins that it cannot leave anything: which folder, why, and how to name another. A script is told the same. Nothing is started for
/// nothing. Who may not mount anything has a file where the folder should be.
#[test]
fn a_test_without_a_folder_for_artifacts_says_so_before_it_begins() {
    let own = mounts::own();
    let behind = own.map(|own| [own, &["sh", "-c", DISK, "sh"]].concat());
    alone_behind(behind.as_deref().unwrap_or_default(), || {
        let (folder, reason) = match mounts::own() {
            Some(_) => ("/mnt", "Read-only file system (os error 30)"),
            None => ("/dev/null", "Not a directory (os error 20)"),
        };
        let options = || RunOptions::default().artifacts_dir(format!("{folder}/artifacts"));
        let began = Arc::new(AtomicBool::new(false));
        let body = {
            let began = Arc::clone(&began);
            move |tui: &Tui| -> Result<(), Failure> {
                began.store(true, Ordering::Relaxed);
                tui.launch(App::new("cat"))?;
                Ok(())
            }
        };
        let script = with_session(options(), "unkept", &body).unwrap_err();
        let test = catch_unwind(|| tui_test(options(), "unkept", body)).unwrap_err();
        let test = test.downcast_ref::<String>().unwrap();
        assert!(
            test.starts_with("test `unkept` could not start: "),
            "{test}"
        );
        assert!(
            test.ends_with("hint: set `SCREENTEST_ARTIFACTS_DIR` to another directory"),
            "{test}"
        );
        for told in [test, &format!("{script:?}")] {
            let place = format!("could not write `{folder}/artifacts`");
            assert!(told.contains(&place) && told.contains(reason), "{told}");
        }
        assert!(!began.load(Ordering::Relaxed));
    });
}
