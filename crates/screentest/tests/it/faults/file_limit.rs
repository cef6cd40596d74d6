//! Files that may not grow (`ulimit -f`): the disk that is full for who may not mount one.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Resource;
use screentest::core::redact::scrub::Rules;
use screentest::pty::scripted::ScriptedPty;
use screentest::recording::cassette::recover;
use screentest::{App, Cassette, Options, RecordOptions, RunOptions, Session, with_session};
use screentest_fixtures::scratch::Scratch;

use super::{SOON, limit};
use crate::alone::alone;

fn recorded(path: &Path) -> Options {
    Options {
        record: Some(RecordOptions::new(path)),
        ..Options::default()
    }
}

/// A recording that outgrows the limit is an error that names the file, and not the end of the test by SIGXFSZ. The session goes on in the midst of a flood;
/// waits and their times work. What was recorded until then is a cassette that verifies, of the flood's beginning.
#[test]
fn a_recording_that_may_not_grow_ends_alone() {
    const MOST: u64 = 256 << 10;
    alone(|| {
        let scratch = Scratch::new();
        let path = scratch.path().join("x.cassette");
        limit(Resource::Fsize, MOST);
        let script =
            "seq 1 300000; sh -c 'exec seq 1 300000 >own'; echo \"ended $?\"; read x; exec yes";
        let app = App::new("sh").args(["-c", script]).cwd(scratch.path());
        let session = Session::start(&app, recorded(&path)).unwrap();
        // The file would be eight times as large by then as it may be. The program meets the limit as it would without us: by SIGXFSZ.
        session.wait_for("ended 153", 3 * SOON).unwrap();
        session.press("Enter").unwrap();
        session.wait_for("y\ny\ny\n", SOON).unwrap();
        let late = session.wait_for("never", Duration::from_millis(50));
        assert!(late.unwrap_err().report().is_some());
        let told = session.finish_recording().unwrap().unwrap_err();
        let file = told.to_string();
        assert!(file.contains("x.cassette.part/"), "{file}");
        let reason = told.source().unwrap().to_string();
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
        assert!(!raw.is_empty() && raw.len() as u64 <= MOST);
        assert!(whole.starts_with(&raw), "{} bytes", raw.len());
    });
}

/// Where no file may have a byte, nothing can be started, and nothing that is written is: errors name the limit and what to do, or the file. None ends the test.
#[test]
fn where_nothing_may_be_written_all_of_it_is_an_error() {
    alone(|| {
        let scratch = Scratch::new();
        let options = RunOptions::default().artifacts_dir(scratch.path().join("artifacts"));
        limit(Resource::Fsize, 0);
        let refused = Session::start(&App::new("cat"), Options::default()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the program's arguments and environment do not fit into a file of 0 bytes, the limit of this process: raise it (`ulimit -f`)"
        );
        let pty = Arc::new(ScriptedPty::new(Options::default().size));
        let session = Session::over(pty, recorded(&scratch.path().join("x.cassette"))).unwrap();
        let told = session.finish_recording().unwrap().unwrap_err();
        assert!(told.to_string().contains("start.json`"), "{told}");
        let failed = with_session(options, "unwritten", |_| Ok(())).unwrap_err();
        let told = format!("{failed:?}");
        assert!(told.contains("could not write `"), "{told}");
        assert!(told.contains("File too large (os error 27)"), "{told}");
        limit(Resource::Fsize, u64::MAX);
        let names = fs::read_dir(scratch.path()).unwrap().flatten();
        let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
        // Nor is half a recording in the way of the next.
        assert_eq!(names, ["artifacts"]);
    });
}
