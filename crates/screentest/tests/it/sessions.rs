//! Sessions with small programs: output, input, ends.

use std::time::Duration;

use screentest::{App, Options, Outcome, Session};

const SOON: Duration = Duration::from_secs(10);

fn sh(script: &str) -> Session {
    Session::start(&App::new("sh").args(["-c", script]), Options::default()).expect("sh starts")
}

#[test]
fn last_words_are_kept() {
    let session = sh("printf 'last words'");
    assert_eq!(session.wait_exit(SOON).unwrap(), Outcome::Exited(0));
    assert_eq!(session.screen().text(), "last words\n");
}

#[test]
fn typed_text_is_echoed_and_read() {
    let session = sh("read line; echo \"got $line\"; read other");
    session.type_text("hello\n").unwrap();
    let screen = session.wait_for("got hello", SOON).unwrap();
    assert_eq!(screen.text(), "hello\ngot hello\n");
}

#[test]
fn a_wait_that_cannot_come_true_ends_with_the_program() {
    let session = sh("echo almost ready");
    let error = session.wait_for("READY", SOON).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program ended (exit code 0) before text \"READY\" was seen"
    );
}

#[test]
fn a_flood_is_understood_to_its_end() {
    let session = sh(
        "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i of the flood that goes on and on; done; seq 200000; printf 'the end'; read x",
    );
    let screen = session
        .wait_for("the end", Duration::from_secs(60))
        .unwrap();
    assert!(screen.contains("200000\nthe end"), "{screen}");
}
