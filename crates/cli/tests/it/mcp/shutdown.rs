//! However the server ends, nothing that it started stays.

use std::time::Duration;

use screentest::Clock;
use serde_json::json;

use super::agent::Agent;
use crate::harness::processes::{STAYS, assert_all_go};

fn wait_in_vain(agent: &mut Agent) {
    let never = json!({"name": "tui_act", "arguments": {"until": {"text": "never"}, "timeout_ms": 300_000}});
    agent.begin("tools/call", &never);
}

#[test]
fn a_client_that_goes_away_ends_every_program() {
    let mut agent = Agent::start();
    agent.launch(STAYS);
    wait_in_vain(&mut agent);
    // Behind the other, in the same session.
    wait_in_vain(&mut agent);
    let clock = Clock::system();
    let (status, folder) = agent.end();
    // The SDK would wait for the calls for 5 seconds.
    assert!(clock.now() < Duration::from_secs(4), "{:?}", clock.now());
    assert!(status.success(), "{status}");
    assert_all_go(folder.path());
}

#[test]
fn a_signal_ends_all_at_once_also_while_a_call_waits() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut agent = Agent::start();
        agent.launch(STAYS);
        wait_in_vain(&mut agent);
        crate::harness::cli::command("kill", [format!("-{signal}"), agent.pid().to_string()]);
        let (status, folder) = agent.ended();
        assert!(status.success(), "{signal}: {status}");
        assert_all_go(folder.path());
    }
}

#[test]
fn no_file_is_left() {
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
fn a_client_that_never_began_is_no_failure() {
    let (status, folder) = Agent::silent(&["mcp"], &[]).end();
    assert!(status.success(), "{status}");
    assert_eq!(folder.names(), [""; 0]);
}
