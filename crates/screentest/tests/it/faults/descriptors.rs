//! More sessions than the limit of open files permits.

use std::fs;

use rustix::process::Resource;
use screentest::pty::SpawnError;
use screentest::session::SessionOptions;
use screentest::{App, Session};

use super::{TIMEOUT, limit};
use crate::harness::own_process::in_own_process;

/// The error names the limit and what to do about it. The other sessions continue, the failed start
/// leaves nothing, and a new session starts once another is closed.
#[test]
fn a_session_over_the_descriptor_limit_fails_and_others_continue() {
    const LIMIT: u64 = 64;
    in_own_process(|| {
        limit(Resource::Nofile, LIMIT);
        let start = || Session::start(&App::new("cat"), SessionOptions::default());
        // The first start also starts the guardian, which stays.
        drop(start().unwrap());
        let before = descriptors();
        let mut sessions = Vec::new();
        let refused = loop {
            match start() {
                Ok(session) => sessions.push(session),
                Err(error) => break error,
            }
            assert!((sessions.len() as u64) < LIMIT, "the limit was not reached");
        };
        assert!(
            matches!(refused, SpawnError::Descriptors { limit: LIMIT, .. }),
            "{refused}"
        );
        assert_eq!(
            refused.to_string(),
            "could not open a terminal: this process may have at most 64 files open; \
             close other sessions, or raise the limit (`ulimit -n`)"
        );
        // Failed starts leak nothing.
        for _ in 0..20 {
            start().unwrap_err();
        }
        for (number, session) in sessions.iter().enumerate() {
            let text = format!("still here, {number}");
            session.type_text(&text).unwrap();
            session.wait_for(text, TIMEOUT).unwrap();
        }
        drop(sessions.pop());
        let next = start().unwrap();
        next.type_text("instead").unwrap();
        next.wait_for("instead", TIMEOUT).unwrap();
        drop((next, sessions));
        assert_eq!(descriptors(), before);
    });
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}
