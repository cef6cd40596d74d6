//! Secrets appear neither in artifacts nor in failure messages.

use std::fs;
use std::path::Path;
use std::time::Duration;

use screentest::core::Secrets;
use screentest::{Update, with_session};

use crate::harness::sandbox::Sandbox;

/// Returns every file below a folder, as text.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            files.push((
                path.display().to_string(),
                String::from_utf8_lossy(&bytes).into_owned(),
            ));
        }
    }
    files
}

#[test]
fn a_secret_is_in_no_file_and_in_no_failure() {
    let sandbox = Sandbox::new();
    let mut secrets = Secrets::default();
    secrets.add("TOKEN", "hunter22-of-the-night").unwrap();
    let options = sandbox.options().secrets(secrets);
    let shows = |text: &str| format!("echo token hunter22-of-the-night {text}; read end");
    let expect = |text: &'static str, update| {
        let short = options.clone().timeout(Duration::from_millis(500));
        let options = if update == Update::None {
            short
        } else {
            options.clone()
        };
        with_session(options.update_snapshots(update), "secret", |tui| {
            tui.launch(sandbox.sh(&shows(text)))?;
            tui.wait_for(text)?;
            tui.dump_view("dumped")?;
            tui.expect_snapshot("stored")?;
            Ok(())
        })
    };
    expect("first", Update::Missing).unwrap();
    expect("first", Update::Missing).unwrap();
    let failure = expect("other", Update::None).unwrap_err();
    let bundle = sandbox
        .path()
        .join("artifacts/sessions/secret/failure-bundles");
    assert!(bundle.join("failure.txt").exists(), "{failure:?}");
    let files = files(&sandbox.path().join("artifacts"));
    assert!(files.len() > 8, "{files:?}");
    for (path, text) in files {
        assert!(!text.contains("hunter22"), "{path}: {text}");
    }
}
