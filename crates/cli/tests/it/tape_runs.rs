//! `screentest run`: selection, parallel runs, retries and reports.

use crate::harness::cli::Folder;

mod execution;
mod invalid_arguments;
mod progress;
mod reports;
mod run;
mod selection;
mod signals;
mod watch;

/// A tape that passes.
const GOOD: &str = "Launch cat\nType 'hello'\nExpect \"hello\"\n";

/// A tape that fails.
const BAD: &str = "Launch cat\nType 'hello'\nExpect@50ms \"nothing\"\n";

/// A tape that fails the first time and passes afterwards.
const FLAKY: &str =
    "Launch sh -c 'test -e once && echo again; touch once; cat'\nExpect@500ms \"again\"\n";

/// Creates a folder with tapes.
fn tapes(tapes: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (name, text) in tapes {
        folder.file(name, text);
    }
    folder
}

/// Replaces the durations by `T`.
fn mask_durations(said: &str) -> String {
    let mut out = String::new();
    for word in said.split_inclusive(|c: char| c.is_whitespace() || c == ';') {
        let number = word.trim_end();
        let is_time = number.contains('.') && number.parse::<f64>().is_ok();
        out.push_str(&if is_time {
            word.replace(number, "T")
        } else {
            word.to_owned()
        });
    }
    out
}
