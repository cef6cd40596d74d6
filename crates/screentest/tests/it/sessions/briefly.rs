//! Screens that are gone before anybody could look, on a machine that has other things to do.

use screentest::Session;

use super::{SOON, sh};
use crate::busy::Busy;
use crate::rounds::rounds;

/// Every toast that a program showed was seen.
#[track_caller]
fn check(toast: &str) {
    let _busy = Busy::start();
    for _ in rounds(1, 10) {
        let session = sh(&format!(
            "read go; n=0; while [ $n -lt 100 ]; do n=$((n+1)); {toast}; done; printf finished; read end"
        ));
        let mark = session.mark();
        session.type_text("\n").unwrap();
        session.wait_for("finished", SOON).unwrap();
        let missed: Vec<u32> = (1..=100).filter(|n| !saw(&session, *n, mark)).collect();
        assert_eq!(missed, [0; 0]);
        assert_eq!(session.screen().text(), "\nfinished\n");
    }
}

fn saw(session: &Session, n: u32, mark: screentest::Mark) -> bool {
    session.saw(format!("toast {n}."), mark).unwrap().is_some()
}

#[test]
fn a_toast_of_five_milliseconds_is_seen_every_time() {
    check("printf \"\\rtoast $n.\"; sleep 0.005; printf '\\r\\033[K'");
}

#[test]
fn a_toast_that_is_erased_by_the_write_that_shows_it_is_seen_every_time() {
    check("printf \"\\rtoast $n.\\r\\033[K\"");
}
