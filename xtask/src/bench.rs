//! `cargo xtask bench`: our speed compared with lower bounds.
//!
//! Most figures are compared within one run, since such ratios depend least on the machine. The
//! load of the machine is printed with them.
//!
//! See also: `bench/peers.rs` (comparison with other projects).

use anyhow::Result;

use crate::python;
use crate::setup;
use crate::step::{CommandLine, Steps};

pub(crate) mod peers;

/// The benchmarks: package and name.
const BENCHES: [(&str, &str); 13] = [
    ("screentest-cli", "flood"),
    ("screentest-cli", "render"),
    ("screentest-cli", "server"),
    ("screentest-cli", "shell"),
    ("screentest-cli", "tapes"),
    ("screentest-cli", "web"),
    ("screentest-core", "emulator"),
    ("screentest-render", "animation"),
    ("screentest-render", "picture"),
    ("screentest", "cassette"),
    ("screentest", "input"),
    ("screentest", "session"),
    ("screentest", "suite"),
];

/// Runs every benchmark, or only the named one.
pub(crate) fn run(only: Option<&str>) -> Result<()> {
    let known: Vec<&str> = BENCHES.iter().map(|(_, name)| *name).collect();
    if let Some(name) = only
        && !known.contains(&name)
    {
        anyhow::bail!("no benchmark `{name}`; available: {}", known.join(", "));
    }
    let mut steps = Steps::default();
    for (package, name) in BENCHES {
        if only.is_none_or(|only| only == name) {
            println!("\n{name}: {}", busy());
            let line =
                CommandLine::new(&format!("cargo bench --quiet -p {package} --bench {name}"));
            steps.command(&match name {
                "render" => line.env(
                    "SCREENTEST_BENCH_PYTHON",
                    python::with("pillow", "pillow", "import PIL")?,
                ),
                "input" => {
                    setup::apps()?;
                    line
                }
                _ => line,
            });
        }
    }
    println!("\nafter: {}", busy());
    steps.finish()
}

/// Describes the load of the machine, if the kernel reports it.
fn busy() -> String {
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    format!("{processors} processors, load {}", load.join(" "))
}
