//! `screentest run`: run tapes, as demos and as tests.
//!
//! Everything that is wrong with any of them is told before the first one runs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::Interrupt;
use screentest::core::Paint;
use screentest::core::tape::{Dialect, Output, Severity};
use screentest::tape::{Broken, Ready, Refused, Run as Outcome, Script, TapeOptions};

use crate::failure::{self, Exit, Failure};
use crate::farewell::Farewell;

const AFTER_HELP: &str = "\
A tape is a script that types, waits, looks and records (docs/formats/tape.md), in the
language of VHS and of Betamax. What it names with `Output` is written when all of it
went well: .gif, .apng, .webp, .mp4, .webm, .png, .svg, .json, .txt, .cassette, .cast, or
a folder of frames, whose name ends with `/`. -o writes another, in place of an output of
the same kind.

--fast does not live through pauses: a pause ends as soon as the program waits for input.
In what is recorded each has the time that the tape says, so that a program which shows
only what it is told to looks the same.

Nothing runs unless all tapes can be read and all that they need is there. A tape that
fails writes no output; what explains it is below artifacts/tapes.

Exit codes: 0 when all passed, 1 when one failed, 2 when one is wrong, needs what is not
there, or could not write its output.

Examples:
  screentest run demo.tape                    run it, write what it says
  screentest run --fast -o demo.gif demo.tape the same sooner, and a GIF
  screentest run --fast tests/*.tape          as tests";

/// Run tapes: scripts that type, wait, look and record.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Run {
    /// Tapes, run one after the other; `-` is stdin
    #[arg(required = true, value_name = "TAPE")]
    tapes: Vec<PathBuf>,
    /// Write this as well; its ending says what it is
    #[arg(short, long, value_name = "OUT", value_parser = output)]
    output: Vec<Output>,
    /// End each pause as soon as the program waits for input; recordings have the same times
    #[arg(long)]
    fast: bool,
    /// Take warnings as errors
    #[arg(long)]
    strict: bool,
    /// Whose words tapes use, vhs or betamax: vhs, unless a tape says otherwise
    #[arg(long, value_name = "D", value_parser = dialect)]
    dialect: Option<Dialect>,
}

fn output(path: &str) -> Result<Output, String> {
    path.parse::<Output>().map_err(|error| error.to_string())
}

fn dialect(name: &str) -> Result<Dialect, String> {
    name.parse::<Dialect>().map_err(|error| error.to_string())
}

/// How long a run may take to end what it began, once a signal came.
const LEAVING: Duration = Duration::from_secs(5);

/// Runs tapes.
pub(crate) fn run(run: &Run) -> Result<(), Failure> {
    if run.tapes.len() > 1 && !run.output.is_empty() {
        let fault = anyhow!("`-o` is for one tape, and these are {}", run.tapes.len());
        return Err(Failure::usage(fault).hint("each of several says itself what it writes"));
    }
    let interrupt = Interrupt::new();
    let ready = all_ready(run, &interrupt)?;
    // What a run has in a folder of its own goes with it, also where a signal ends us.
    let (over, ended) = mpsc::channel::<()>();
    let farewell = Farewell::new(move || {
        interrupt.raise();
        let _ = ended.recv_timeout(LEAVING);
    });
    let farewell = farewell.context("could not watch for signals");
    let farewell = farewell.map_err(|error| Failure::new(Exit::Internal, error))?;
    let mut exit = Exit::Done;
    let mut failed = 0;
    for tape in &ready {
        let outcome = tape.run(|_| {});
        tell(&outcome);
        let Some(failure) = &outcome.failure else {
            continue;
        };
        failed += 1;
        exit = match (failure.broken, exit) {
            (Broken::Start | Broken::Output, _) | (_, Exit::Usage) => Exit::Usage,
            _ => Exit::Failed,
        };
        if failure.broken == Broken::Interrupted {
            break;
        }
    }
    drop(over);
    drop(farewell);
    match failed {
        0 => Ok(()),
        failed => {
            let fault = anyhow!("{failed} of {} failed", counted(ready.len(), "tape"));
            Err(Failure::new(exit, fault))
        }
    }
}

/// All tapes, or all that is wrong with them.
fn all_ready(run: &Run, interrupt: &Interrupt) -> Result<Vec<Ready>, Failure> {
    let mut ready = Vec::new();
    let mut wrong = 0;
    for path in &run.tapes {
        match one_ready(run, path, interrupt) {
            Ok(tape) => {
                failure::talk(&tape.warnings().painted(Paint::Ansi));
                ready.push(tape);
            }
            Err(refused) => {
                wrong += refused.reasons.len() + refused.report.count(Severity::Error);
                failure::talk(&refused.painted(Paint::Ansi));
            }
        }
    }
    match wrong {
        0 => Ok(ready),
        wrong => Err(Failure::usage(anyhow!(
            "nothing was run: {}",
            counted(wrong, "error")
        ))),
    }
}

fn one_ready(run: &Run, path: &Path, interrupt: &Interrupt) -> Result<Ready, Refused> {
    let script = match path.as_os_str() == "-" {
        true => Script::read_from(io::stdin().lock(), "stdin", run.dialect)?,
        false => Script::read(path, run.dialect)?,
    };
    let options = TapeOptions::default().interrupt(interrupt.clone());
    let options = match run.fast {
        true => options.fast(),
        false => options,
    };
    let outputs = run.output.iter().cloned();
    let options = outputs.fold(options, TapeOptions::output);
    match run.strict {
        true => script.ready_strictly(options),
        false => script.ready(options),
    }
}

/// Says how a tape went.
fn tell(outcome: &Outcome) {
    let seconds = outcome.duration.as_secs_f64();
    let Outcome {
        name,
        steps,
        steps_done,
        ..
    } = outcome;
    let done = match &outcome.failure {
        None => counted(*steps, "step"),
        Some(_) => format!("{steps_done} of {}", counted(*steps, "step")),
    };
    failure::went(
        outcome.passed(),
        &format!("{name}: {done}, {seconds:.1} s{}", written(outcome)),
    );
    if let Some(failure) = &outcome.failure {
        failure::talk(&failure.painted(Paint::Ansi));
    }
    for note in &outcome.notes {
        failure::note(note);
    }
}

/// What was written, in a few words.
fn written(outcome: &Outcome) -> String {
    let files = outcome.files.iter().chain(&outcome.checkpoints);
    let names: Vec<String> = files.map(|path| path.display().to_string()).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; wrote {}", names.join(", ")),
    }
}

fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    }
}
