//! Several threads with one session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use screentest::core::Condition;
use screentest::{Clock, WaitLimits};

use super::{SOON, scripted, sh};
use crate::rounds::rounds;

#[test]
fn two_threads_wait_for_different_texts() {
    let session = sh("read x; echo one; read x; echo two; read x");
    std::thread::scope(|scope| {
        let two = scope.spawn(|| session.wait_for("two", SOON).unwrap());
        let one = scope.spawn(|| session.wait_for("one", SOON).unwrap());
        session.type_text("\n").unwrap();
        assert!(!one.join().unwrap().contains("two"));
        session.type_text("\n").unwrap();
        assert!(two.join().unwrap().contains("two"));
    });
}

#[test]
fn many_threads_each_get_what_they_wait_for() {
    for _ in rounds(5, 50) {
        let session = sh("for n in 1 2 3 4 5 6 7 8; do read x; echo \"number $n\"; done; read x");
        std::thread::scope(|scope| {
            let waits: Vec<_> = (1..=8)
                .map(|n| {
                    let (session, text) = (&session, format!("number {n}"));
                    // The output may be there before the last Enter.
                    let limits = WaitLimits::from(SOON).anytime();
                    scope.spawn(move || session.wait_for(text, limits).unwrap())
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
fn a_thread_that_looks_all_the_time_disturbs_no_wait() {
    let session = sh("while read n; do echo \"got $n\"; done");
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !enough.load(Ordering::Relaxed) {
                session.screen();
            }
        });
        let found = rounds(200, 2000).try_for_each(|n| {
            session.type_text(&format!("{n}\n")).unwrap();
            session.wait_for(format!("got {n}"), SOON).map(drop)
        });
        enough.store(true, Ordering::Relaxed);
        found.unwrap();
    });
}

#[test]
fn a_wait_learns_of_what_another_thread_took() {
    let clock = Clock::system();
    for round in rounds(100, 1000) {
        let (pty, session) = scripted();
        let (asked, asking) = mpsc::channel();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let now = Condition::new("now", move |screen| {
                    let _ = asked.send(());
                    screen.contains("now")
                });
                session.wait_for(now, SOON)
            });
            asking.recv_timeout(SOON).unwrap();
            pty.print(b"now");
            assert!(session.screen().contains("now"));
            waiting.join().unwrap().unwrap();
        });
        // Had it not been told, it would have found out when its patience was over.
        assert!(clock.now() < SOON, "round {round}");
    }
}

#[test]
fn a_close_while_another_thread_looks_and_types_ends_well() {
    for _ in rounds(20, 200) {
        let session = sh("while read n; do echo \"got $n\"; done");
        std::thread::scope(|scope| {
            scope
                .spawn(|| while session.type_text("x\n").is_ok() && session.outcome().is_none() {});
            session.wait_for("got x", SOON).unwrap();
            session.close().unwrap();
        });
        assert!(session.outcome().is_some());
    }
}
