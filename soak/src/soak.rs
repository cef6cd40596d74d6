//! Runs waves of sessions and collects findings.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use screentest::clock::Clock;
use screentest::session::Interrupt;
use screentest_fixtures::cpu_load::CpuLoad;
use screentest_fixtures::random::Random;
use screentest_fixtures::scratch::Scratch;

use crate::counters::Counters;
use crate::heap;
use crate::killed_recorder;
use crate::memory::Memory;
use crate::options::{Plan, Until};
use crate::resources::{self, Resources};
use crate::session_run::{SessionRun, TIMEOUT};

/// Sessions per thread and wave.
const RUNS_PER_THREAD: usize = 3;

/// Runs a soak and prints the findings.
pub(crate) fn run(plan: &Plan) -> Result<()> {
    let clock = Clock::system();
    let place = Scratch::new();
    let mut random = Random::new(plan.seed);
    let mut counters = Counters::default();
    let mut findings = Vec::new();
    let mut memory = Memory::default();
    let cpu_load = CpuLoad::start();
    println!(
        "soak: seed {}, {} sessions at once, every processor busy",
        plan.seed, plan.at_once
    );
    let bar = bar(plan.until);
    // The first session starts the guardian process, which stays. Run one session before resources
    // are counted.
    let mut warm_up = Counters::default();
    SessionRun::new(plan.seed, place.path()).run(&mut warm_up)?;
    let quiet = settled_resources(None)?;
    let mut waves = 0;
    let mut left = Vec::new();
    while continues(plan.until, waves, clock.now()) {
        let found = findings.len();
        wave(
            plan.at_once,
            &mut random,
            place.path(),
            &mut counters,
            &mut findings,
        );
        waves += 1;
        let all_well = findings.len() == found;
        let after = settled_resources(Some(quiet))?;
        if after != quiet {
            findings.push(format!("wave {waves}: {quiet:?} became {after:?}"));
        }
        let running = resources::processes(place.path());
        if !running.is_empty() {
            findings.push(format!(
                "wave {waves}: still running: {}",
                running.join(", ")
            ));
        }
        let mut files = files(place.path())?;
        files.sort();
        // A session with a finding does not clean up its files.
        if all_well && files != left {
            findings.push(format!("wave {waves}: files left: {}", files.join(", ")));
        }
        left = files;
        let kib = resources::memory()?;
        memory.record_wave(heap::in_use() as u64, kib);
        bar.set_message(format!(
            "wave {waves}, {} MiB, {} findings",
            kib >> 10,
            findings.len()
        ));
        bar.set_position(match plan.until {
            Until::Minutes(_) => clock.now().as_secs(),
            Until::Waves(_) => waves as u64,
        });
    }
    bar.finish_and_clear();
    drop(cpu_load);
    if let Some(growth) = memory.growth() {
        findings.push(format!("memory grew {growth}: {memory:?}"));
    }
    println!("{counters}");
    println!(
        "{waves} waves in {:.1} minutes",
        clock.now().as_secs_f64() / 60.0
    );
    if let (Some(in_use), Some(occupied)) = (memory.in_use(), memory.occupied()) {
        println!(
            "idle memory, median of the second and of the last quarter of the waves: {} and {} bytes in use, {} and {} \
             KiB resident",
            in_use.second, in_use.last, occupied.second, occupied.last
        );
    }
    if findings.is_empty() {
        println!(
            "nothing left after any wave: {} threads and {} descriptors, as before the first; no process, no file\nno finding",
            quiet.threads, quiet.descriptors
        );
        return Ok(());
    }
    for finding in &findings {
        println!("\n{finding}");
    }
    bail!("{} findings, seed {}", findings.len(), plan.seed);
}

/// Returns files left in the sessions' folder and in the temporary folder.
fn files(place: &Path) -> Result<Vec<String>> {
    let mut files = resources::temporary_files(place)?;
    for entry in std::fs::read_dir(place)? {
        files.push(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(files)
}

fn continues(until: Until, waves: usize, now: Duration) -> bool {
    match until {
        Until::Minutes(minutes) => now.as_secs_f64() < minutes * 60.0,
        Until::Waves(most) => waves < most,
    }
}

/// Runs many sessions at once, and a recording process that is killed.
fn wave(
    at_once: usize,
    random: &mut Random,
    place: &Path,
    counters: &mut Counters,
    findings: &mut Vec<String>,
) {
    let seeds: Vec<u64> = (0..at_once * RUNS_PER_THREAD)
        .map(|_| random.bits() >> 24)
        .collect();
    let killed = random.bits() >> 24;
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((counters, findings));
    let record = |lived: Counters, result: Result<()>| {
        let mut shared = shared
            .lock()
            .expect("no thread panics while it holds the lock");
        shared.0.all(lived);
        if let Err(error) = result {
            shared.1.push(format!("{error:#}"));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut counters = Counters::default();
            let result = killed_recorder::kill(killed, place, &mut counters);
            record(counters, result);
        });
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut counters = Counters::default();
                    let result = SessionRun::new(*seed, place).run(&mut counters);
                    record(counters, result);
                }
            });
        }
    });
}

/// Returns the resources once they are stable: idle threads of the pool exit within a moment.
fn settled_resources(expected: Option<Resources>) -> Result<Resources> {
    let clock = Clock::system();
    let pause = Interrupt::new();
    let mut last = Resources::take()?;
    let mut since = clock.now();
    loop {
        pause.pause(Duration::from_millis(20));
        let (resources, now) = (Resources::take()?, clock.now());
        if resources != last {
            (last, since) = (resources, now);
        }
        let quiet = now - since > Duration::from_secs(1);
        if expected == Some(resources) || (quiet && expected.is_none()) || now > TIMEOUT {
            return Ok(resources);
        }
    }
}

fn bar(until: Until) -> ProgressBar {
    let length = match until {
        Until::Minutes(minutes) => (minutes * 60.0) as u64,
        Until::Waves(waves) => waves as u64,
    };
    let style = ProgressStyle::with_template("{bar:30} {elapsed} {msg}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
