//! Programs that do not read their input.

use std::time::Duration;

use screentest::session::{InputError, InputOptions};

use super::{TIMEOUT, sh};
use crate::harness::processes::{processes_with_tag, unique_tag};

/// Pasting megabytes into a stopped program fails once 4 MiB are queued; the error and the report
/// of a wait say how much. Nothing blocks: closing ends the program at once, with everything it has
/// started.
#[test]
fn an_unread_paste_is_refused_and_the_program_can_be_closed() {
    let tag = unique_tag();
    let session = sh(&format!(
        "stty raw -echo; sh -c 'sleep $0; :' {tag} & echo ready; kill -STOP $$"
    ));
    session.wait_for("ready", TIMEOUT).unwrap();
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
    let message = session.wait_for("never", Duration::ZERO).unwrap_err();
    let message = message.report().unwrap().to_string();
    assert!(
        message.contains(" bytes of input were not read\n"),
        "{message}"
    );
    session.close().unwrap();
    assert_eq!(processes_with_tag(&tag), []);
    assert!(session.exit_status().is_some());
}
