//! A child process that records sessions and is killed while doing so.
//!
//! Afterwards none of its programs may be running, and its recordings must be recoverable and
//! valid.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use screentest::Session;
use screentest::clock::Clock;
use screentest::core::redact::scrub::Rules;
use screentest::recording::cassette::{RecoverError, recover};
use screentest::recording::{Cassette, RecordOptions};
use screentest::session::{Interrupt, SessionOptions};
use screentest_fixtures::random::Random;

use crate::counters::Counters;
use crate::program::{Behaviour, Program};
use crate::session_run::TIMEOUT;
use crate::{actions, cassette_checks, resources};

/// Number of programs that the process drives.
const PROGRAMS: usize = 4;

/// Maximum number of reported actions before the process is killed.
const MAX_ACTIONS: usize = 40;

/// Runs in the child process: drives programs until it is killed.
pub(crate) fn run(seed: u64, place: &Path) {
    let mut random = Random::new(seed);
    let mut counters = Counters::default();
    let mut sessions = Vec::new();
    while sessions.len() < PROGRAMS {
        let program = Program::any(&mut random);
        if program.behaviour == Behaviour::Endless {
            continue;
        }
        let place = place.join(sessions.len().to_string());
        let record = RecordOptions::new(place.with_extension("cassette"));
        let options = SessionOptions::default().record(record);
        let session = program
            .app(&mut random, &place)
            .map_err(anyhow::Error::from)
            .and_then(|app| Ok(Session::start(&app, options)?));
        match session {
            Ok(session) => sessions.push((session, program)),
            Err(error) => return eprintln!("error: {error:#}"),
        }
    }
    loop {
        for (session, program) in &sessions {
            if let Err(error) = actions::any(session, program, &mut random, &mut counters) {
                return eprintln!("error: {}: {error:#}", program.name);
            }
            // The parent counts these lines; there is no other reader.
            let _ = writeln!(std::io::stdout(), "done");
        }
    }
}

/// Starts the child process, kills it, and checks what is left.
pub(crate) fn kill(seed: u64, place: &Path, counters: &mut Counters) -> Result<()> {
    let place = place.join(format!("host-{seed}"));
    kill_in(seed, &place, counters).with_context(|| format!("killed recorder {seed}"))?;
    std::fs::remove_dir_all(place)?;
    Ok(())
}

fn kill_in(seed: u64, place: &Path, counters: &mut Counters) -> Result<()> {
    std::fs::create_dir_all(place)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "runs this program again, which needs no terminal"
    )]
    let mut killed_recorder = Command::new(std::env::current_exe()?)
        .args(["--host", &seed.to_string()])
        .arg(place)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = BufReader::new(killed_recorder.stdout.take().context("no pipe")?);
    let action_count = Random::new(seed).below(MAX_ACTIONS);
    let done = output.lines().take(action_count).count();
    killed_recorder.kill()?;
    killed_recorder.wait()?;
    if done < action_count {
        bail!("it ended by itself after {done} actions; its output is above");
    }
    counters.one("processes killed while recording");
    wait_until_gone(place)?;
    for path in recordings(place)? {
        let path = if path.extension().is_some_and(|end| end == "part") {
            match recover(&path, &Rules::known_tokens()) {
                Ok(recovered) => recovered.path,
                // The recorder was killed before anything was recorded.
                Err(RecoverError::Nothing { .. }) => continue,
                Err(error) => bail!(error),
            }
        } else {
            path
        };
        cassette_checks::verify(&Cassette::open(&path)?, counters)?;
        counters.one("cassettes recovered");
    }
    Ok(())
}

/// Waits until no program of the child is running: the guardian ends them shortly after the child.
fn wait_until_gone(place: &Path) -> Result<()> {
    let clock = Clock::system();
    let pause = Interrupt::new();
    loop {
        let left = resources::processes(place);
        if left.is_empty() {
            return Ok(());
        }
        if clock.now() > TIMEOUT {
            bail!(
                "the recording process was killed, but its programs still run: {}",
                left.join(", ")
            );
        }
        pause.pause(Duration::from_millis(5));
    }
}

fn recordings(place: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(place)? {
        let path = entry?.path();
        if path.to_string_lossy().contains(".cassette") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
