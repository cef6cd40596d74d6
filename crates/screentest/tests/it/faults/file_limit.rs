//! Files that may not grow (`ulimit -f`), as a substitute for a full disk. A test with a full disk
//! would need the permission to mount one.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Resource;
use screentest::core::redact::scrub::Rules;
use screentest::pty::scripted::ScriptedPty;
use screentest::recording::cassette::recover;
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::SessionOptions;
use screentest::{App, RunOptions, Session, with_session};
use screentest_fixtures::scratch::Scratch;

use super::{TIMEOUT, limit};
use crate::harness::own_process::in_own_process;

fn recording_options(path: &Path) -> SessionOptions {
    SessionOptions::default().record(RecordOptions::new(path))
}

/// A recording that exceeds the limit ends with an error that names the file; the test is not
/// killed by SIGXFSZ. The session continues during the flood, and waits and their timeouts work.
/// The recorded beginning of the flood is recovered as a cassette that verifies.
#[test]
fn a_recording_over_the_file_size_limit_fails_alone() {
    const LIMIT: u64 = 256 << 10;
    in_own_process(|| {
        let scratch = Scratch::new();
        let path = scratch.path().join("x.cassette");
        limit(Resource::Fsize, LIMIT);
        let script =
            "seq 1 300000; sh -c 'exec seq 1 300000 >own'; echo \"ended $?\"; read x; exec yes";
        let app = App::new("sh").args(["-c", script]).cwd(scratch.path());
        let session = Session::start(&app, recording_options(&path)).unwrap();
        // By then the file would exceed its limit eight times. The program itself is still ended by
        // SIGXFSZ, as without screentest.
        session.wait_for("ended 153", 3 * TIMEOUT).unwrap();
        session.press("Enter").unwrap();
        session.wait_for("y\ny\ny\n", TIMEOUT).unwrap();
        let late = session.wait_for("never", Duration::from_millis(50));
        assert!(late.unwrap_err().report().is_some());
        let message = session.finish_recording().unwrap().unwrap_err();
        let file = message.to_string();
        assert!(file.contains("x.cassette.part/"), "{file}");
        let reason = message.source().unwrap().to_string();
        assert_eq!(reason, "File too large (os error 27)");
        session.close().unwrap();
        limit(Resource::Fsize, u64::MAX);
        let part = scratch.path().join("x.cassette.part");
        let recovered = recover(&part, &Rules::known_tokens()).unwrap();
        let cassette = Cassette::open(&recovered.path).unwrap();
        cassette.verify().unwrap();
        let raw = fs::read_to_string(path.join("output.raw")).unwrap();
        let whole = (1..=300_000).map(|n| format!("{n}\r\n"));
        let whole = whole.collect::<String>();
        assert!(!raw.is_empty() && raw.len() as u64 <= LIMIT);
        assert!(whole.starts_with(&raw), "{} bytes", raw.len());
    });
}

/// If no file may contain a byte, no program can start and nothing can be written. Each error names
/// the limit and what to do, or the file. None of them ends the test.
#[test]
fn a_file_size_limit_of_zero_makes_starts_and_writes_fail() {
    in_own_process(|| {
        let scratch = Scratch::new();
        let options = RunOptions::default().artifacts_dir(scratch.path().join("artifacts"));
        limit(Resource::Fsize, 0);
        let refused = Session::start(&App::new("cat"), SessionOptions::default()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the program's arguments and environment do not fit into a file of 0 bytes, the limit of this process: raise it (`ulimit -f`)"
        );
        let pty = Arc::new(ScriptedPty::new(SessionOptions::default().size));
        let session =
            Session::over(pty, recording_options(&scratch.path().join("x.cassette"))).unwrap();
        let message = session.finish_recording().unwrap().unwrap_err();
        assert!(message.to_string().contains("start.json`"), "{message}");
        let failed = with_session(options, "unwritable", |_| Ok(())).unwrap_err();
        let message = format!("{failed:?}");
        assert!(message.contains("could not write `"), "{message}");
        assert!(
            message.contains("File too large (os error 27)"),
            "{message}"
        );
        limit(Resource::Fsize, u64::MAX);
        let names = fs::read_dir(scratch.path()).unwrap().flatten();
        let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
        // No partial recording is left in the way of the next one.
        assert_eq!(names, ["artifacts"]);
    });
}
