//! `screentest impersonate`: replaces a program by its recording.
//!
//! The recorded output is written in answer to the recorded input, so that a test driver cannot see
//! the difference. The process ends like the program did: its exit code is that of the program.
//!
//! See also: `screentest::recording::fake_program` (the rules), `impersonate/terminal.rs` (the
//! terminal).

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use screentest::ExitStatus;
use screentest::recording::fake_program::{Chunks, FakeProgramError, Matching};
use screentest::recording::{FakeProgram, FakeProgramOptions, Pace};

use crate::failure::{Exit, Failure};

mod terminal;

use terminal::ReplayedTerminal;

const AFTER_HELP: &str = "\
Start this command in place of the program, for example in a test: it needs neither the
program nor the services that the program uses. In a test in Rust, `App::cassette` does
the same.

Input that differs from the recording ends the command: the screen and stderr show the
expected and the actual input, its number and its time, and the exit code is 125. Recorded
resizes and signals are expected like keys. Hidden input, such as a password, is not
stored: any input is accepted for it, and for the terminal's own answers.

If stdin is not a terminal, its content is the input, and the terminal's size is ignored.

Exit codes:
  that of the recorded program, or the signal that killed it
  125  the input differs from the recording
    2  wrong usage, or a cassette that cannot be played

Examples:
  screentest impersonate vim.cassette
      in a terminal of the recorded size
  screentest impersonate --any-size --pace real vim.cassette
      with the recorded timing, for you to type along
  screentest impersonate --chunks bytes vim.cassette
      each byte in its own write, to find drivers that expect whole screens
  screentest impersonate --pattern '[0-9]{4}-[0-9]{2}-[0-9]{2}' log.cassette
      accept another date than the recorded one
  printf 'iHello\\033:q!\\r' | screentest impersonate vim.cassette
      with the input of a script";

/// Replay a recorded program to a test that drives it.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Impersonate {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Input to accept: exactly the recorded bytes, or any input with the same number of keys
    #[arg(long, value_enum, default_value = "exact")]
    input: InputMatching,
    /// Accept any match of REGEX in place of recorded input that matches it
    #[arg(long, value_name = "REGEX")]
    pattern: Vec<String>,
    /// Sizes of the writes: original, bytes (one each), coalesced (all at once), random (with seed
    /// 0), or random:SEED
    #[arg(long, value_name = "HOW", default_value = "original", value_parser = parse_chunks)]
    chunks: Chunks,
    /// Delay of output after its input: collapsed (none), real (as recorded), or a speed factor
    #[arg(long, value_name = "HOW", default_value = "collapsed", value_parser = parse_pace, allow_hyphen_values = true)]
    pace: Pace,
    /// Accept a terminal of any size, and do not wait for resizes
    #[arg(long)]
    any_size: bool,
    /// Play a cassette recorded with another emulator
    #[arg(long)]
    any_emulator: bool,
    /// Do not wait for the recorded answers of the terminal
    #[arg(long)]
    no_replies: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum InputMatching {
    Exact,
    Any,
}

fn parse_chunks(text: &str) -> Result<Chunks, String> {
    match text {
        "original" => Ok(Chunks::Original),
        "bytes" => Ok(Chunks::EveryByte),
        "coalesced" => Ok(Chunks::Coalesced),
        "random" => Ok(Chunks::Random(0)),
        _ => {
            let seed = text.strip_prefix("random:").map(str::parse);
            match seed {
                Some(Ok(seed)) => Ok(Chunks::Random(seed)),
                _ => Err(
                    "expected original, bytes, coalesced, random, or random:SEED (a whole number)"
                        .to_owned(),
                ),
            }
        }
    }
}

fn parse_pace(text: &str) -> Result<Pace, String> {
    match text {
        "collapsed" => Ok(Pace::Collapsed),
        "real" => Ok(Pace::Real),
        _ => match text.parse() {
            Ok(times) if f64::is_finite(times) && times > 0.0 => Ok(Pace::Scaled(times)),
            _ => Err("expected collapsed, real, or a number above 0, such as 2".to_owned()),
        },
    }
}

impl Impersonate {
    fn options(&self) -> FakeProgramOptions {
        let mut options = FakeProgramOptions::of(&self.path)
            .matching(match self.input {
                InputMatching::Exact => Matching::Exact,
                InputMatching::Any => Matching::Any,
            })
            .chunks(self.chunks)
            .pace(self.pace);
        for pattern in &self.pattern {
            options = options.pattern(pattern);
        }
        if self.any_size {
            options = options.any_size();
        }
        if self.any_emulator {
            options = options.any_emulator();
        }
        // A pipe does not answer queries.
        if self.no_replies || !ReplayedTerminal::answers() {
            options = options.without_replies();
        }
        options
    }
}

/// Replays a recorded program, and ends like it.
#[expect(clippy::exit, reason = "the exit code is that of the recorded program")]
pub(crate) fn run(impersonate: &Impersonate) -> Result<(), Failure> {
    // Switch to raw mode as early as possible: until then the terminal echoes input, and the
    // recorded output contains that echo too.
    let mut terminal =
        ReplayedTerminal::open().map_err(|error| Failure::new(Exit::Internal, error))?;
    let mut impersonator = FakeProgram::open(&impersonate.options(), terminal.size(), None)
        .map_err(impersonate_failure)?;
    let played = impersonator.run(&mut terminal);
    drop(terminal);
    let exit_status = match played {
        Ok(ended) => {
            if let Some(mismatch) = ended.mismatch.filter(|_| !stderr_is_stdout()) {
                Failure::new(Exit::Failed, anyhow!("{mismatch}")).print();
            }
            ended.exit_status
        }
        Err(FakeProgramError::Terminal(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitStatus::Signaled(screentest::Signal::PIPE)
        }
        Err(error) => return Err(impersonate_failure(error)),
    };
    match exit_status {
        ExitStatus::Exited(code) => std::process::exit(code),
        ExitStatus::Signaled(signal) => {
            terminal::raise(signal);
            // Reached if the signal does not end this process: exit as a shell reports it.
            std::process::exit(128 + signal.number())
        }
    }
}

/// Returns whether stdout and stderr are the same file: a terminal, or a pipe after `2>&1`. The
/// screen, which is on stdout, already shows the difference there.
fn stderr_is_stdout() -> bool {
    let file = |stream: BorrowedFd<'_>| {
        let metadata = File::from(stream.try_clone_to_owned()?).metadata()?;
        io::Result::Ok((metadata.dev(), metadata.ino()))
    };
    match (file(io::stdout().as_fd()), file(io::stderr().as_fd())) {
        (Ok(stdout), Ok(stderr)) => stdout == stderr,
        _ => false,
    }
}

fn impersonate_failure(error: FakeProgramError) -> Failure {
    let hint = match &error {
        FakeProgramError::Size { .. } => Some("`--any-size` plays it anyway"),
        FakeProgramError::Emulator { .. } => Some("`--any-emulator` plays it anyway"),
        _ => None,
    };
    let exit = match &error {
        FakeProgramError::Terminal(_) => Exit::Internal,
        _ => Exit::Usage,
    };
    let failure = Failure::new(exit, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
