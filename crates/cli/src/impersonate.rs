//! `screentest impersonate`: a recorded program, as a program.
//!
//! What was recorded is written when what was recorded is typed, so that whatever drives the program cannot tell. It ends as the program
//! did: its exit code is no word of ours.
//!
//! Elsewhere: the rules (`screentest::recording::fake_program`), the terminal (`impersonate/terminal.rs`).

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use screentest::recording::fake_program::{Chunks, ImpersonateError, Matching};
use screentest::{ExitStatus, Impersonation, Impersonator, Pace};

use crate::failure::{Exit, Failure};

mod terminal;

use terminal::Terminal;

const AFTER_HELP: &str = "\
Where a driver starts the program, start this instead: it needs neither the
program nor what that spoke to. In a test in Rust, `App::cassette` does the same.

Something else than was recorded ends it: the screen and stderr say what was
expected and what came, by which input and at which time, and the exit code is
125. A resize or a signal that was recorded is waited for like a key. What was
typed unseen, such as a password, is stored nowhere: anything is taken for it.
So is whatever the terminal answers on its own.

Without a terminal on stdin, what comes from stdin is what is typed, whatever
the size of a terminal was.

Exit codes:
  that of the recorded program, or the signal that killed it
  125  the input differs from the recording
    2  wrong usage, or a cassette that cannot be played

Examples:
  screentest impersonate vim.cassette
      in the terminal that it was recorded in, by its size and emulator
  screentest impersonate --any-size --pace real vim.cassette
      as it was, for you to type along
  screentest impersonate --chunks bytes vim.cassette
      every byte alone: a driver that reads whole screens is found out
  screentest impersonate --pattern '[0-9]{4}-[0-9]{2}-[0-9]{2}' log.cassette
      another date than the one that was typed
  printf 'iHello\\033:q!\\r' | screentest impersonate vim.cassette
      what a script types";

/// Play a recorded program to what drives it.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Impersonate {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Which input is taken for the recorded one: the same bytes, or as many keys, whichever they are
    #[arg(long, value_enum, default_value = "exact")]
    input: Given,
    /// Where a part of a recorded input matches this regular expression, whatever matches it is as good
    #[arg(long, value_name = "REGEX")]
    pattern: Vec<String>,
    /// In which pieces output is written: original, bytes (each alone), coalesced (all at once), or random:SEED
    #[arg(long, value_name = "HOW", default_value = "original", value_parser = chunks)]
    chunks: Chunks,
    /// How long after its input output comes: collapsed (at once), real (as it was), or so many times as fast
    #[arg(long, value_name = "HOW", default_value = "collapsed", value_parser = pace, allow_hyphen_values = true)]
    pace: Pace,
    /// Play in a terminal of any size, and wait for no resize
    #[arg(long)]
    any_size: bool,
    /// Play what was recorded with an emulator that is not here
    #[arg(long)]
    any_emulator: bool,
    /// Do not wait for what the terminal answered
    #[arg(long)]
    no_replies: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Given {
    Exact,
    Any,
}

fn chunks(text: &str) -> Result<Chunks, String> {
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
                    "one of original, bytes, coalesced, and random:7 or another whole number"
                        .to_owned(),
                ),
            }
        }
    }
}

fn pace(text: &str) -> Result<Pace, String> {
    match text {
        "collapsed" => Ok(Pace::Collapsed),
        "real" => Ok(Pace::Real),
        _ => match text.parse() {
            Ok(times) if f64::is_finite(times) && times > 0.0 => Ok(Pace::Scaled(times)),
            _ => Err("one of collapsed, real, and a number above 0, such as 2".to_owned()),
        },
    }
}

impl Impersonate {
    fn how(&self) -> Impersonation {
        let mut how = Impersonation::of(&self.path)
            .matching(match self.input {
                Given::Exact => Matching::Exact,
                Given::Any => Matching::Any,
            })
            .chunks(self.chunks)
            .pace(self.pace);
        for pattern in &self.pattern {
            how = how.pattern(pattern);
        }
        if self.any_size {
            how = how.any_size();
        }
        if self.any_emulator {
            how = how.any_emulator();
        }
        // Nobody answers through a pipe.
        if self.no_replies || !Terminal::answers() {
            how = how.without_replies();
        }
        how
    }
}

/// Plays a recorded program, and ends as it did.
#[expect(
    clippy::exit,
    reason = "the exit code is that of the recorded program, and none of ours"
)]
pub(crate) fn run(impersonate: &Impersonate) -> Result<(), Failure> {
    // As early as can be: what is typed before is echoed, which the recording has done already.
    let mut terminal = Terminal::take().map_err(|error| Failure::new(Exit::Internal, error))?;
    let mut impersonator =
        Impersonator::open(&impersonate.how(), terminal.size(), None).map_err(refused)?;
    let played = impersonator.play(&mut terminal);
    drop(terminal);
    let outcome = match played {
        Ok(ended) => {
            let seen = io::stdout().is_terminal() && io::stderr().is_terminal();
            if let Some(mismatch) = ended.mismatch.filter(|_| !seen) {
                Failure::new(Exit::Failed, anyhow!("{mismatch}")).print();
            }
            ended.outcome
        }
        Err(ImpersonateError::Terminal(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitStatus::Signaled(screentest::Signal::PIPE)
        }
        Err(error) => return Err(refused(error)),
    };
    match outcome {
        ExitStatus::Exited(code) => std::process::exit(code),
        ExitStatus::Signaled(signal) => {
            terminal::die_of(signal);
            // A signal that does not kill; a shell would say it like this.
            std::process::exit(128 + signal.number())
        }
    }
}

fn refused(error: ImpersonateError) -> Failure {
    let hint = match &error {
        ImpersonateError::Size { .. } => Some("`--any-size` plays it all the same"),
        ImpersonateError::Emulator { .. } => Some("`--any-emulator` plays it all the same"),
        _ => None,
    };
    let exit = match &error {
        ImpersonateError::Terminal(_) => Exit::Internal,
        _ => Exit::Usage,
    };
    let failure = Failure::new(exit, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
