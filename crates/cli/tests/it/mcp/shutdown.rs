//! No process and no temporary file is left when stdin ends or a signal arrives.

use std::time::Duration;

use screentest::clock::Clock;
use serde_json::json;

use super::agent::Agent;
use crate::harness::processes::{STUBBORN_SCRIPT, assert_all_exit};

fn start_endless_wait(agent: &mut Agent) {
    let never = json!({"name": "tui_act", "arguments": {"until": {"text": "never"}, "timeout_ms": 300_000}});
    agent.begin("tools/call", &never);
}

#[test]
fn end_of_stdin_kills_all_programs() {
    let mut agent = Agent::start();
    agent.launch(STUBBORN_SCRIPT);
    start_endless_wait(&mut agent);
    // Queued after the other call, in the same session.
    start_endless_wait(&mut agent);
    let clock = Clock::system();
    let (status, folder) = agent.end();
    // The SDK alone would wait 5 seconds for the calls.
    assert!(clock.now() < Duration::from_secs(4), "{:?}", clock.now());
    assert!(status.success(), "{status}");
    assert_all_exit(folder.path());
}

#[test]
fn signal_kills_all_programs_during_a_call() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut agent = Agent::start();
        agent.launch(STUBBORN_SCRIPT);
        start_endless_wait(&mut agent);
        crate::harness::cli::command("kill", [format!("-{signal}"), agent.pid().to_string()]);
        let (status, folder) = agent.ended();
        assert!(status.success(), "{signal}: {status}");
        assert_all_exit(folder.path());
    }
}

#[test]
fn no_temporary_file_is_left() {
    let temporary = crate::harness::cli::Folder::new();
    let path = temporary.path().to_str().unwrap().to_owned();
    let mut agent = Agent::start_with(&[], &[("TMPDIR", &path)]);
    agent.launch("printf ready; read x");
    assert_eq!(temporary.names().len(), 1);
    let (_, folder) = agent.end();
    assert_eq!(temporary.names(), [""; 0]);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn end_of_stdin_before_initialization_is_not_an_error() {
    let (status, folder) = Agent::start_uninitialized(&["mcp"], &[]).end();
    assert!(status.success(), "{status}");
    assert_eq!(folder.names(), [""; 0]);
}
