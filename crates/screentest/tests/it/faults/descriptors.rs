//! More sessions than this process may have files open.

use std::fs;

use rustix::process::Resource;
use screentest::{App, Options, Session, SpawnError};

use super::{SOON, limit};
use crate::harness::own_process::alone;

/// A library that opens one session too many is told the limit and what to do about it. Those that run go on, nothing of the failed start is left, and once
/// one session is closed the next starts.
#[test]
fn a_session_too_many_is_told_and_the_others_go_on() {
    const MOST: u64 = 64;
    alone(|| {
        limit(Resource::Nofile, MOST);
        let start = || Session::start(&App::new("cat"), Options::default());
        // The first brings the guardian, which stays.
        drop(start().unwrap());
        let before = descriptors();
        let mut sessions = Vec::new();
        let refused = loop {
            match start() {
                Ok(session) => sessions.push(session),
                Err(error) => break error,
            }
            assert!((sessions.len() as u64) < MOST, "no limit was met");
        };
        assert!(
            matches!(refused, SpawnError::Descriptors { limit: MOST, .. }),
            "{refused}"
        );
        assert_eq!(
            refused.to_string(),
            "could not open a terminal: this process may have at most 64 files open; \
             close other sessions, or raise the limit (`ulimit -n`)"
        );
        // Who tries again and again loses nothing by it.
        for _ in 0..20 {
            start().unwrap_err();
        }
        for (number, session) in sessions.iter().enumerate() {
            let text = format!("still here, {number}");
            session.type_text(&text).unwrap();
            session.wait_for(text, SOON).unwrap();
        }
        drop(sessions.pop());
        let next = start().unwrap();
        next.type_text("instead").unwrap();
        next.wait_for("instead", SOON).unwrap();
        drop((next, sessions));
        assert_eq!(descriptors(), before);
    });
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}
