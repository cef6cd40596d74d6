//! Several threads that use one session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use screentest::clock::Clock;
use screentest::core::Condition;
use screentest::session::WaitLimits;

use super::{TIMEOUT, scripted, sh};
use screentest_fixtures::random::quick_or_full;

#[test]
fn two_threads_wait_for_different_texts() {
    let session = sh("read x; echo one; read x; echo two; read x");
    std::thread::scope(|scope| {
        let two = scope.spawn(|| session.wait_for("two", TIMEOUT).unwrap());
        let one = scope.spawn(|| session.wait_for("one", TIMEOUT).unwrap());
        session.type_text("\n").unwrap();
        assert!(!one.join().unwrap().contains("two"));
        session.type_text("\n").unwrap();
        assert!(two.join().unwrap().contains("two"));
    });
}

#[test]
fn many_threads_each_find_their_text() {
    for _ in quick_or_full(5, 50) {
        let session = sh("for n in 1 2 3 4 5 6 7 8; do read x; echo \"number $n\"; done; read x");
        std::thread::scope(|scope| {
            let waits: Vec<_> = (1..=8)
                .map(|n| {
                    let (session, text) = (&session, format!("number {n}"));
                    // The output may appear before the last Enter.
                    let patience = WaitLimits::from(TIMEOUT).anytime();
                    scope.spawn(move || session.wait_for(text, patience).unwrap())
                })
                .collect();
            for _ in 0..8 {
                session.type_text("\n").unwrap();
            }
            for (wait, n) in waits.into_iter().zip(1..) {
                assert!(wait.join().unwrap().contains(&format!("number {n}")));
            }
        });
    }
}

#[test]
fn reading_the_screen_constantly_does_not_disturb_waits() {
    let session = sh("while read n; do echo \"got $n\"; done");
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !enough.load(Ordering::Relaxed) {
                session.screen();
            }
        });
        let found = quick_or_full(200, 2000).try_for_each(|n| {
            session.type_text(&format!("{n}\n")).unwrap();
            session.wait_for(format!("got {n}"), TIMEOUT).map(drop)
        });
        enough.store(true, Ordering::Relaxed);
        found.unwrap();
    });
}

#[test]
fn a_wait_sees_output_that_another_thread_read() {
    let clock = Clock::system();
    for round in quick_or_full(100, 1000) {
        let (pty, session) = scripted();
        let (asked, asking) = mpsc::channel();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let now = Condition::new("now", move |screen| {
                    let _ = asked.send(());
                    screen.contains("now")
                });
                session.wait_for(now, TIMEOUT)
            });
            asking.recv_timeout(TIMEOUT).unwrap();
            pty.print(b"now");
            assert!(session.screen().contains("now"));
            waiting.join().unwrap().unwrap();
        });
        // A wait that is not woken would end only at its timeout.
        assert!(clock.now() < TIMEOUT, "round {round}");
    }
}

#[test]
fn closing_while_another_thread_reads_and_types_succeeds() {
    for _ in quick_or_full(20, 200) {
        let session = sh("while read n; do echo \"got $n\"; done");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while session.type_text("x\n").is_ok() && session.exit_status().is_none() {}
            });
            session.wait_for("got x", TIMEOUT).unwrap();
            session.close().unwrap();
        });
        assert!(session.exit_status().is_some());
    }
}
