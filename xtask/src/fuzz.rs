//! `cargo xtask fuzz`: looking for bytes that break what must hold.
//!
//! The targets of `fuzz/` are built as `cargo fuzz` builds them, so that libFuzzer sees which code an input reaches, but with the stable
//! toolchain and without an address sanitizer, of which safe code has little need. Each goes on from the inputs that are kept and from
//! those of earlier runs, which stay below `target`.
//!
//! Elsewhere: what a target says of itself (`fuzz/report.rs`), the targets (`fuzz/src/lib.rs` of the project).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail, ensure};

use crate::setup;
use crate::step::CommandLine;

mod report;

use report::Report;

/// Where the targets' programs, kept inputs and seeds are.
const PROGRAMS: &str = "fuzz/fuzz_targets";
const CORPUS: &str = "fuzz/corpus";
const CRASHES: &str = "fuzz/crashes";
const SEEDS: &str = "fuzz/seeds.txt";

/// Where inputs grow, and where those go that break something.
const GROWN: &str = "target/fuzz-corpus";
const FINDINGS: &str = "target/fuzz-findings";

/// What makes the compiler note which code is reached and what is compared. `cargo fuzz` gives the same.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// More memory, or more seconds for one input, is a finding.
const MAX_MEMORY_MB: usize = 2048;
const MAX_SECONDS: usize = 10;

/// The longest input that is kept: a reader has seen all of its kinds of parts by then, and a repository stays small.
const MAX_INPUT_LENGTH: usize = 2048;

/// The most bytes that are chosen for one target: together they stay below 300 KB.
const MAX_CORPUS_BYTES: u64 = 24 << 10;

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct FuzzOptions {
    targets: Vec<String>,
    seconds: usize,
    jobs: usize,
    keep: bool,
}

/// Runs what the words say.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let options = options(words, &targets()?)?;
    setup::compiler()?;
    let host = host()?;
    let built = build(&host, &options.targets).run()?;
    ensure!(built.success(), "the targets could not be built ({built})");
    let mut reports = reports(&options, &host)?;
    reports.sort_by(|one, other| one.target.cmp(&other.target));
    print!("{}", report::table(&reports));
    let findings: Vec<&Report> = reports
        .iter()
        .filter(|report| report.is_finding())
        .collect();
    for report in &findings {
        println!("\n{}", report.description());
    }
    if !findings.is_empty() {
        bail!(
            "{} of {} targets found something",
            findings.len(),
            reports.len()
        );
    }
    if options.keep {
        options
            .targets
            .iter()
            .try_for_each(|target| keep(target, &host))
    } else {
        Ok(())
    }
}

/// The names of all targets.
fn targets() -> Result<Vec<String>> {
    let mut names: Vec<String> = files(Path::new(PROGRAMS))?
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

fn options(words: &[&str], known: &[String]) -> Result<FuzzOptions> {
    let mut options = FuzzOptions {
        targets: Vec::new(),
        seconds: 60,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        keep: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || -> Result<usize> {
            let value = words
                .next()
                .with_context(|| format!("`{word}` needs a number"))?;
            let number = value.parse().ok().filter(|number| *number > 0);
            number.with_context(|| format!("`{word} {value}`: expected a number above 0"))
        };
        match *word {
            "--seconds" => options.seconds = number()?,
            "--jobs" => options.jobs = number()?,
            "--keep" => options.keep = true,
            name if known.iter().any(|known| known == name) => {
                options.targets.push(name.to_owned())
            }
            other => bail!("no target `{other}`: there are {}", known.join(", ")),
        }
    }
    if options.targets.is_empty() {
        options.targets = known.to_vec();
    }
    Ok(options)
}

/// The machine that is built on; flags are kept from what runs while building only where one is named.
fn host() -> Result<String> {
    let output = CommandLine::new("rustc -vV").output()?;
    let about = String::from_utf8_lossy(&output.stdout);
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` names no host")?.to_owned())
}

fn build(host: &str, targets: &[String]) -> CommandLine {
    let line = format!(
        "cargo build -p screentest-fuzz --features libfuzzer --profile fuzz --target {host} --target-dir target/fuzz"
    );
    let line = targets
        .iter()
        .fold(CommandLine::new(&line), |line, target| {
            line.arg("--bin").arg(target)
        });
    line.env("RUSTFLAGS", FLAGS)
}

/// Runs every target, several at a time.
fn reports(options: &FuzzOptions, host: &str) -> Result<Vec<Report>> {
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        while let Some(target) = options.targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            prepare(target)?;
            let output = fuzz(target, host, options.seconds).output()?;
            let said = String::from_utf8_lossy(&output.stderr);
            let mut report = Report::read(
                target,
                &program(host, target),
                &said,
                output.status.success(),
            );
            // A busy machine is slow; an input that is slow by itself is so when it is alone, too.
            if let Some(input) = report.timed_out()
                && again(target, host, input).succeeds()
            {
                report.dismiss();
            }
            fs::write(
                Path::new(FINDINGS).join(format!("{target}.log")),
                &output.stderr,
            )?;
            let mut reports = reports
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            reports.push(report);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        let ended = workers
            .into_iter()
            .map(|worker| worker.join().expect("no worker panics"));
        ended.collect::<Result<Vec<()>>>()
    })?;
    Ok(reports
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner()))
}

/// Puts the files of the project that are inputs of a target where its inputs grow.
fn prepare(target: &str) -> Result<()> {
    let grown = Path::new(GROWN).join(target);
    for folder in [grown.as_path(), Path::new(FINDINGS)] {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let seeds = fs::read_to_string(SEEDS).with_context(|| format!("cannot read `{SEEDS}`"))?;
    for line in seeds.lines() {
        if let Some(path) = line
            .strip_prefix(target)
            .and_then(|rest| rest.strip_prefix(' '))
        {
            let name = path.replace('/', "-");
            fs::copy(path, grown.join(name)).with_context(|| format!("cannot copy `{path}`"))?;
        }
    }
    Ok(())
}

fn program(host: &str, target: &str) -> String {
    format!("target/fuzz/{host}/fuzz/{target}")
}

fn fuzz(target: &str, host: &str, seconds: usize) -> CommandLine {
    let line = format!(
        "{} {GROWN}/{target} -max_total_time={seconds} -timeout={MAX_SECONDS} -rss_limit_mb={MAX_MEMORY_MB} \
         -artifact_prefix={FINDINGS}/{target}- -print_final_stats=1",
        program(host, target)
    );
    // The first folder is where it writes; of the others only those may be named that are there.
    let kept = [CORPUS, CRASHES].map(|folder| format!("{folder}/{target}"));
    let kept = kept.into_iter().filter(|folder| Path::new(folder).is_dir());
    kept.fold(CommandLine::new(&line), CommandLine::arg)
}

/// One input alone.
fn again(target: &str, host: &str, input: &str) -> CommandLine {
    let line = format!("{} -timeout={MAX_SECONDS}", program(host, target));
    CommandLine::new(&line).arg(input)
}

/// Chooses anew which inputs are kept: few that reach all that any of them reaches, the shortest first where those are too many.
fn keep(target: &str, host: &str) -> Result<()> {
    let kept = Path::new(CORPUS).join(target);
    let chosen = Path::new("target/fuzz-chosen").join(target);
    if chosen.exists() {
        fs::remove_dir_all(&chosen)?;
    }
    for folder in [&chosen, &kept] {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    // By the code that is reached, however often: that leaves a tenth of them.
    let line = CommandLine::new(&format!(
        "{} -set_cover_merge=1 -use_counters=0 -max_len={MAX_INPUT_LENGTH} {} {} {GROWN}/{target}",
        program(host, target),
        chosen.display(),
        kept.display(),
    ));
    let output = line.output()?;
    if !output.status.success() {
        bail!(
            "`{line}` failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    // Those that a person named stay.
    for path in files(&kept)?.iter().filter(|path| is_digest(path)) {
        fs::remove_file(path)?;
    }
    let sized = |path: PathBuf| Ok((fs::metadata(&path)?.len(), path));
    let sizes: Vec<(u64, PathBuf)> = files(&chosen)?
        .into_iter()
        .map(sized)
        .collect::<Result<_>>()?;
    let mut bytes = 0;
    let paths = shortest(sizes);
    for path in &paths {
        // The name is a digest of the whole input, of which a few letters tell these apart.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let short: String = name.chars().take(DIGITS).collect();
        bytes += fs::copy(path, kept.join(short))?;
    }
    println!("{target}: {} inputs of {bytes} bytes are kept", paths.len());
    Ok(())
}

/// The shortest of some files, as many as may be kept.
fn shortest(mut sizes: Vec<(u64, PathBuf)>) -> Vec<PathBuf> {
    sizes.sort();
    let mut bytes = 0;
    let fitting = sizes.into_iter().take_while(|(size, _)| {
        bytes += size;
        bytes <= MAX_CORPUS_BYTES
    });
    fitting.map(|(_, path)| path).collect()
}

/// How many digits of an input's digest are its name.
const DIGITS: usize = 12;

fn is_digest(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.len() == DIGITS && name.chars().all(|c| c.is_ascii_hexdigit())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<String> {
        ["tape", "vt2"].map(str::to_owned).to_vec()
    }

    #[test]
    fn all_targets_run_unless_some_are_named() {
        let all = options(&["--seconds", "5"], &known()).unwrap();
        assert_eq!((all.targets, all.seconds, all.keep), (known(), 5, false));
        let one = options(&["vt2", "--jobs", "3", "--keep"], &known()).unwrap();
        assert_eq!(
            (one.targets, one.jobs, one.keep),
            (vec!["vt2".to_owned()], 3, true)
        );
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (words, error) in [
            (&["tapes"][..], "no target `tapes`: there are tape, vt2"),
            (&["--seconds"], "`--seconds` needs a number"),
            (&["--jobs", "0"], "`--jobs 0`: expected a number above 0"),
            (
                &["--seconds", "1m"],
                "`--seconds 1m`: expected a number above 0",
            ),
        ] {
            assert_eq!(options(words, &known()).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn of_too_many_inputs_the_shortest_are_kept() {
        let file = |size: u64, name: &str| (size, PathBuf::from(name));
        let few = vec![file(MAX_CORPUS_BYTES - 9, "long"), file(9, "short")];
        assert_eq!(shortest(few), ["short", "long"].map(PathBuf::from));
        let many = vec![file(MAX_CORPUS_BYTES - 9, "long"), file(10, "short")];
        assert_eq!(shortest(many), [PathBuf::from("short")]);
    }

    #[test]
    fn targets_are_built_by_a_command_that_a_person_can_type() {
        let line = build("x86_64-unknown-linux-gnu", &known()).to_string();
        assert!(
            line.starts_with("RUSTFLAGS='-Cpasses=sancov-module "),
            "{line}"
        );
        assert!(
            line.ends_with("--target-dir target/fuzz --bin tape --bin vt2"),
            "{line}"
        );
    }
}
