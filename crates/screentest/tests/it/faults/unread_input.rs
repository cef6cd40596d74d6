//! Programs that do not read what they are given.

use std::time::Duration;

use screentest::{InputError, InputOptions};

use super::{SOON, sh};
use crate::harness::processes::{unique_word, with_word};

/// Whoever pastes megabytes into a program that stands still is refused once 4 MiB wait, and told how much that is; the report of a wait says so too. Nothing
/// blocks meanwhile: closing ends the program at once, with what it has started.
#[test]
fn a_paste_that_nobody_reads_is_refused_and_the_program_still_closes() {
    let word = unique_word();
    let session = sh(&format!(
        "stty raw -echo; sh -c 'sleep $0; :' {word} & echo ready; kill -STOP $$"
    ));
    session.wait_for("ready", SOON).unwrap();
    let paste = "x".repeat(1 << 20);
    let input = session.input_with(InputOptions::AT_ONCE);
    let refused = (0..8).find_map(|_| input.paste(&paste).err()).unwrap();
    let InputError::NotRead { queued } = refused else {
        panic!("{refused}")
    };
    assert_eq!(
        refused.to_string(),
        format!("the program does not read its input: {queued} bytes are queued")
    );
    let told = session.wait_for("never", Duration::ZERO).unwrap_err();
    let told = told.report().unwrap().to_string();
    assert!(told.contains(" bytes of input were not read\n"), "{told}");
    session.close().unwrap();
    assert_eq!(with_word(&word), []);
    assert!(session.outcome().is_some());
}
