//! A read-only folder for artifacts.

use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use screentest::{App, Failure, RunOptions, Terminal, tui_test, with_session};
use screentest_fixtures::mounts;

use crate::harness::own_process::in_own_process_under;

/// Mounts a read-only disk, which root cannot write to, either.
const READ_ONLY_DISK: &str = "mount -t tmpfs -o ro tmpfs /mnt && exec \"$@\"";

/// A test that cannot write artifacts fails before it starts. The error names the folder, the
/// reason, and how to choose another folder. `with_session` reports the same. No program is
/// started. Where mounting is not permitted, a file takes the place of the folder.
#[test]
fn a_read_only_artifacts_folder_is_reported_before_the_test_starts() {
    let own = mounts::unshare_command();
    let wrapper = own.map(|own| [own, &["sh", "-c", READ_ONLY_DISK, "sh"]].concat());
    in_own_process_under(wrapper.as_deref().unwrap_or_default(), || {
        let (folder, reason) = match mounts::unshare_command() {
            Some(_) => ("/mnt", "Read-only file system (os error 30)"),
            None => ("/dev/null", "Not a directory (os error 20)"),
        };
        let options = || RunOptions::default().artifacts_dir(format!("{folder}/artifacts"));
        let began = Arc::new(AtomicBool::new(false));
        let body = {
            let began = Arc::clone(&began);
            move |tui: &Terminal| -> Result<(), Failure> {
                began.store(true, Ordering::Relaxed);
                tui.launch(App::new("cat"))?;
                Ok(())
            }
        };
        let script = with_session(options(), "read-only", &body).unwrap_err();
        let test = catch_unwind(|| tui_test(options(), "read-only", body)).unwrap_err();
        let test = test.downcast_ref::<String>().unwrap();
        assert!(
            test.starts_with("test `read-only` could not start: "),
            "{test}"
        );
        assert!(
            test.ends_with("hint: set `SCREENTEST_ARTIFACTS_DIR` to another directory"),
            "{test}"
        );
        for message in [test, &format!("{script:?}")] {
            let place = format!("could not write `{folder}/artifacts`");
            assert!(
                message.contains(&place) && message.contains(reason),
                "{message}"
            );
        }
        assert!(!began.load(Ordering::Relaxed));
    });
}
