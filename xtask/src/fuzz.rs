//! `cargo xtask fuzz`: searches for inputs that violate the targets' guarantees.
//!
//! The targets of `fuzz/` are built with libFuzzer's coverage instrumentation, as `cargo fuzz`
//! does, but with the stable toolchain and without an address sanitizer, which safe code hardly
//! needs. Each target starts from the committed inputs and from those of earlier runs, which stay
//! below `target`.
//!
//! See also: `fuzz/report.rs` (parsing libFuzzer's output), and `fuzz/src/lib.rs` of the project
//! (the targets).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail, ensure};

use crate::setup;
use crate::step::CommandLine;

mod report;

use report::Report;

/// Folders of the targets' programs and committed inputs, and the list of seeds.
const PROGRAMS: &str = "fuzz/fuzz_targets";
const CORPUS: &str = "fuzz/corpus";
const CRASHES: &str = "fuzz/crashes";
const SEEDS: &str = "fuzz/seeds.txt";

/// Folders of generated inputs and of findings.
const GROWN: &str = "target/fuzz-corpus";
const FINDINGS: &str = "target/fuzz-findings";

/// Compiler flags for instrumentation; `cargo fuzz` uses the same.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// Limits for one input. More memory of the process, or more seconds, is a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    memory_mb: usize,
    seconds: usize,
    /// Maximum length of a generated input. If `None`, libFuzzer uses the length of the longest
    /// known input.
    length: Option<usize>,
}

impl Limits {
    /// Targets that read program output or recordings have tight limits, because a few bytes of
    /// these can cause much work.
    fn of(target: &str) -> Limits {
        match target {
            "ansi" | "asciicast" | "backends" | "cassette" => Limits {
                memory_mb: 256,
                seconds: 1,
                length: Some(64 << 10),
            },
            _ => Limits {
                memory_mb: 2048,
                seconds: 10,
                length: None,
            },
        }
    }
}

/// Maximum length of a committed input: it can contain every part of a format, and the repository
/// stays small.
const MAX_INPUT_LENGTH: usize = 2048;

/// Maximum total size of the inputs chosen for one target; all targets together stay below 300 KB.
const MAX_CORPUS_BYTES: u64 = 24 << 10;

/// The options of the command line.
#[derive(Debug, PartialEq, Eq)]
struct FuzzOptions {
    targets: Vec<String>,
    seconds: usize,
    jobs: usize,
    keep: bool,
}

/// Runs the command with these arguments.
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

/// Returns the names of all targets.
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
                options.targets.push(name.to_owned());
            }
            other => bail!("no target `{other}`; available: {}", known.join(", ")),
        }
    }
    if options.targets.is_empty() {
        options.targets = known.to_vec();
    }
    Ok(options)
}

/// Returns the host triple. Cargo applies the flags to build scripts as well unless `--target` is
/// given.
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
            // On a busy machine an input may be slow by accident; it is a finding only if it is
            // also slow alone.
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

/// Copies the project files that are inputs of a target to its folder of generated inputs.
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
    let limits = Limits::of(target);
    let mut line = format!(
        "{} {GROWN}/{target} -max_total_time={seconds} -timeout={} -rss_limit_mb={} \
         -artifact_prefix={FINDINGS}/{target}- -print_final_stats=1",
        program(host, target),
        limits.seconds,
        limits.memory_mb
    );
    if let Some(length) = limits.length {
        line.push_str(&format!(" -max_len={length}"));
    }
    // libFuzzer writes to the first folder. The other folders must exist.
    let kept = [CORPUS, CRASHES].map(|folder| format!("{folder}/{target}"));
    let kept = kept.into_iter().filter(|folder| Path::new(folder).is_dir());
    kept.fold(CommandLine::new(&line), CommandLine::arg)
}

/// Runs one input alone.
fn again(target: &str, host: &str, input: &str) -> CommandLine {
    let seconds = Limits::of(target).seconds;
    let line = format!("{} -timeout={seconds}", program(host, target));
    CommandLine::new(&line).arg(input)
}

/// Chooses the committed inputs again: a small set that reaches all code that any input reaches,
/// shortest first if the set is too large.
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
    // Compares only the reached code, without counters: this leaves a tenth of the inputs.
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
    // Inputs named by a person stay.
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
        // The name is a digest of the input; its first letters are enough to be unique.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let short: String = name.chars().take(DIGITS).collect();
        bytes += fs::copy(path, kept.join(short))?;
    }
    println!(
        "{target}: committed {} inputs of {bytes} bytes",
        paths.len()
    );
    Ok(())
}

/// Returns the shortest files, up to the maximum total size.
fn shortest(mut sizes: Vec<(u64, PathBuf)>) -> Vec<PathBuf> {
    sizes.sort();
    let mut bytes = 0;
    let fitting = sizes.into_iter().take_while(|(size, _)| {
        bytes += size;
        bytes <= MAX_CORPUS_BYTES
    });
    fitting.map(|(_, path)| path).collect()
}

/// Length of the digest in a file name.
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
    fn invalid_arguments_are_named() {
        for (words, error) in [
            (&["tapes"][..], "no target `tapes`; available: tape, vt2"),
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
    fn the_shortest_inputs_are_chosen_first() {
        let file = |size: u64, name: &str| (size, PathBuf::from(name));
        let few = vec![file(MAX_CORPUS_BYTES - 9, "long"), file(9, "short")];
        assert_eq!(shortest(few), ["short", "long"].map(PathBuf::from));
        let many = vec![file(MAX_CORPUS_BYTES - 9, "long"), file(10, "short")];
        assert_eq!(shortest(many), [PathBuf::from("short")]);
    }

    #[test]
    fn readers_of_program_output_have_tight_limits() {
        let line = fuzz("backends", "x86_64-unknown-linux-gnu", 60).to_string();
        let limits = "-timeout=1 -rss_limit_mb=256";
        assert!(line.contains(limits), "{line}");
        assert!(line.contains("-max_len=65536"), "{line}");
        let line = fuzz("vt2", "x86_64-unknown-linux-gnu", 60).to_string();
        assert!(!line.contains("-max_len"), "{line}");
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
