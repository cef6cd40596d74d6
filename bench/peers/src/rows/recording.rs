//! Recording a flood, how large that is, and playing it back.
//!
//! Recorders are whole commands, timed from outside, with nobody watching. Playing back means every byte through an emulator
//! again; the last screen alone is what one mostly wants, and a cassette has an index for it.

use std::path::Path;
use std::process::{Command, Stdio};

use screentest_fixtures::payload::Payload;

use super::flood;
use crate::bench::Bench;
use crate::clock::monotonic;
use crate::contender::Contender;
use crate::measure::{Better, Measure, Samples, median};

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let parts = flood::PAYLOADS.map(|(name, payload)| one(bench, name, payload));
    parts.into_iter().flatten().collect()
}

fn one(bench: &Bench, name: &str, payload: Payload) -> Vec<Measure> {
    let (file, bytes) = flood::file(bench, "recorded", payload, bench.megabytes * 1_000_000);
    let small = flood::file(bench, "small", payload, flood::SMALL);
    let recorders = ["screentest", "script(1)", "asciinema 2", "asciinema 3"];
    let recorders = recorders.map(|name| bench.named(name));
    let (mut taken, mut sizes) = (Samples::default(), Samples::default());
    bench.turns(
        &format!("recording, {name}"),
        &recorders,
        |contender| {
            let target = target(bench, contender);
            clear(Path::new(&target));
            let seconds = timed(recording(contender, &file, &target))?;
            Ok((seconds, size(Path::new(&target))))
        },
        |contender, (seconds, bytes)| {
            taken.add(contender, vec![seconds]);
            sizes.add(contender, vec![bytes as f64 / 1e6]);
        },
    );

    let players = [
        "screentest",
        "asciinema 3",
        "pexpect + pyte",
        "node-pty + xterm",
    ];
    let players = players.map(|name| bench.named(name));
    let (mut rates, mut last) = (Samples::default(), Samples::default());
    bench.turns(
        &format!("replay, {name}"),
        &players,
        |contender| {
            let rate = |bytes: usize, seconds: f64| bytes as f64 / 1e6 / seconds;
            let of = target(bench, contender);
            match contender.name {
                "screentest" => {
                    let all = contender.turn(&["replay", &of])?.figures[0];
                    let end = contender.turn(&["last", &of])?.figures[0];
                    Ok((rate(bytes, all / 1e9), end / 1e6))
                }
                "asciinema 3" => {
                    let text = bench.path("text.txt");
                    let task = ["convert", "--overwrite", "-f", "txt", &of, &text];
                    let seconds = timed(contender.command(&task))?;
                    Ok((rate(bytes, seconds), seconds * 1e3))
                }
                // What has no recordings is fed with the bytes; who is slow, with fewer of them.
                "pexpect + pyte" => {
                    let ns = contender.turn(&["feed", &small.0])?.figures[0];
                    let rate = rate(small.1, ns / 1e9);
                    Ok((rate, bytes as f64 / 1e3 / rate))
                }
                _ => {
                    let ns = contender.turn(&["feed", &file])?.figures[0];
                    Ok((rate(bytes, ns / 1e9), ns / 1e6))
                }
            }
        },
        |contender, (rate, end)| {
            rates.add(contender, vec![rate]);
            last.add(contender, vec![end]);
        },
    );
    let megabytes = bench.megabytes;
    vec![
        taken.measure(
            format!("recording {megabytes} MB, {name}"),
            "s",
            Better::Less,
            median,
        ),
        sizes.measure(format!("its size, {name}"), "MB", Better::Less, median),
        rates.measure(format!("replay, {name}"), "MB/s", Better::More, median),
        last.measure(
            format!("its last screen, {name}"),
            "ms",
            Better::Less,
            median,
        ),
    ]
}

/// Where a contender's recording is.
fn target(bench: &Bench, contender: &Contender) -> String {
    bench.path(&format!("recording of {}", contender.name))
}

fn recording(contender: &Contender, file: &str, target: &str) -> Command {
    // The path is one of our own making: no quotes in it.
    let cat = format!("cat '{file}'");
    match contender.name {
        "script(1)" => contender.command(&["-q", "-c", &cat, target]),
        "asciinema 2" => contender.command(&["rec", "-q", "--overwrite", "-c", &cat, target]),
        "asciinema 3" => {
            let size = "80x24";
            contender.command(&[
                "rec",
                "-q",
                "--headless",
                "--overwrite",
                "--window-size",
                size,
                "-c",
                &cat,
                target,
            ])
        }
        _ => contender.command(&["record", file, target]),
    }
}

/// Seconds that a command takes to its end.
fn timed(mut command: Command) -> Result<f64, String> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let start = monotonic();
    let output = command.output().map_err(|error| error.to_string())?;
    let seconds = (monotonic() - start) / 1e9;
    match output.status.success() {
        true => Ok(seconds),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// How many bytes a file has, or all files of a folder.
fn size(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| size(&entry.path())).sum(),
        Err(_) => std::fs::metadata(path).map_or(0, |file| file.len()),
    }
}

fn clear(path: &Path) {
    let _ = match path.is_dir() {
        true => std::fs::remove_dir_all(path),
        false => std::fs::remove_file(path),
    };
}
