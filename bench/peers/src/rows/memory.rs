//! Memory per session: the proportional set size of all processes of a contender, with 100 sessions
//! of 80x24 and with one.
//!
//! Only the programs in the terminals are excluded: our guardian and supervisors count, and so does
//! tmux's server.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use screentest_fixtures::payload::Payload;

use crate::bench::Bench;
use crate::contender::{Contender, FLOOR};
use crate::measure::{Better, Measure, Samples, median};
use crate::process::{name_of, process_tree, proportional};

const MANY: usize = 100;

/// Contents of the terminals, with their names in the table: a screen that is just full, and two
/// that scrolled a little or much, for which most contenders keep scrollback.
const FILLINGS: [(&str, usize); 3] = [
    ("a full screen", 23),
    ("50 lines", 50),
    ("1,000 lines", 1_000),
];

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let mut measures = Vec::new();
    let mut first = Samples::default();
    for (name, lines) in FILLINGS {
        let file = bench.path("filled");
        std::fs::write(&file, filling(lines)).expect("the temporary folder has room");
        let contenders: Vec<&Contender> = bench
            .drivers
            .iter()
            .filter(|contender| contender.name != FLOOR)
            .collect();
        let mut each = Samples::default();
        bench.once(
            &format!("memory, {name}"),
            &contenders,
            |contender| {
                let one = held(contender, 1, &file)?;
                let many = held(contender, MANY, &file)?;
                Ok((one, (many - one) / (MANY - 1) as f64))
            },
            |contender, (one, more)| {
                if lines == FILLINGS[0].1 {
                    first.add(contender, vec![one / 1024.0]);
                }
                each.add(contender, vec![more]);
            },
        );
        let name = format!("memory of a session, {name}");
        measures.push(each.measure(name, "KiB", Better::Less, median));
    }
    measures.push(first.measure("memory with one session", "MiB", Better::Less, median));
    measures
}

/// Returns lines with colours, and a last line to wait for.
fn filling(lines: usize) -> Vec<u8> {
    let bytes = Payload::Sgr.bytes(lines * 500, 80, 24);
    let mut bytes: Vec<u8> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .take(lines)
        .flatten()
        .copied()
        .collect();
    bytes.extend_from_slice(b"the-end-marker");
    bytes
}

/// Returns the KiB of all processes of a contender while it holds this many sessions.
fn held(contender: &Contender, sessions: usize, file: &str) -> Result<f64, String> {
    let mut command = contender.command(&["hold", &sessions.to_string(), file]);
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let stdout = process.stdout.take().expect("the stream is piped");
    let mut line = String::new();
    let read = BufReader::new(stdout).read_line(&mut line);
    read.map_err(|error| error.to_string())?;
    let Some(server_processes) = line.strip_prefix("ready") else {
        let _ = process.kill();
        let _ = process.wait();
        return Err(format!("it says `{line}`"));
    };
    let server_processes: Vec<u32> = server_processes
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    let mut all = process_tree(process.id());
    for server_process in server_processes {
        all.extend(process_tree(server_process));
    }
    let theirs = all.iter().filter(|pid| name_of(**pid) != "sleep");
    let kibibytes = theirs.map(|pid| proportional(*pid)).sum();
    let mut stdin = process.stdin.take().expect("the stream is piped");
    let _ = stdin.write_all(b"\n");
    drop(stdin);
    let _ = process.wait();
    Ok(kibibytes)
}
