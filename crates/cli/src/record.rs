//! `screentest record`: run a program in this terminal, and keep all that happens.
//!
//! What the program writes goes on to stdout as it is, and what is typed goes to the program as it is. Where stdin is a terminal, it is
//! that of the program as far as anybody can tell: raw, with its size, and it answers what the program asks.
//!
//! Elsewhere: the terminal (`record/terminal.rs`).

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;
use screentest::core::Size;
use screentest::{Answers, Cassette, Options, RecordError, RecordOptions, Session, WaitError};

use crate::failure::{self, Exit, Failure};
use crate::{size, snap};

mod terminal;

use terminal::{Taken, Terminal};

const AFTER_HELP: &str = "\
The cassette is a directory: what the program wrote, what was typed, and what was
shown, with the times (docs/formats/cassette.md). It is there when the program has
ended; until then it is written as `X.cassette.part`, of which `screentest cassette
recover` makes a cassette should the recording be cut off.

Secrets are covered before they are written: the value of each variable that
--secret names, in whatever form it shows up, and keys and tokens that are known by
their shape. What is typed while the terminal does not echo it is not stored; with
--keep-keys it is where a program reads single keys, as editors do, but never at a
prompt for a password.

Without a terminal on stdin, what comes from stdin is typed, and the terminal has
the size that --cols and --rows say.

The program's own exit code does not change that of record: 0 when the cassette was
written, 2 when something about the command line is wrong.

Examples:
  screentest record -o demo.cassette -- bash
      until you leave the shell
  screentest record --secret API_TOKEN -o deploy.cassette -- ./deploy.sh
      without the token
  printf 'iHello\\033:q!\\r' | screentest record --keep-keys -- vim
      what a script types";

/// Run a program in this terminal and record all that happens.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Record {
    /// Where the cassette will be; the program's name with .cassette unless told otherwise
    #[arg(short, long, value_name = "X.cassette")]
    output: Option<PathBuf>,
    /// Cover the value of this variable of the program's environment wherever it shows up
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// Store what is typed to programs that read single keys, such as editors
    #[arg(long)]
    keep_keys: bool,
    /// Replace a cassette that is there already
    #[arg(long)]
    force: bool,
    /// How many columns the terminal has where stdin is none, from 2 to 2000
    #[arg(long, value_name = "N", default_value = "80", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// How many rows it has, from 1 to 2000
    #[arg(long, value_name = "N", default_value = "24", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// Start the program in this directory
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Set a variable of the program's environment, or remove it (without `=`)
    #[arg(long, value_name = "K[=V]")]
    env: Vec<OsString>,
    /// The program and its arguments
    #[arg(
        last = true,
        required = true,
        value_name = "CMD",
        help_heading = "Arguments"
    )]
    command: Vec<OsString>,
}

/// Records a program.
pub(crate) fn run(record: &Record) -> Result<(), Failure> {
    let app = snap::app(&record.command, record.cwd.as_deref(), &record.env)?;
    let path = record.path()?;
    let options = record.options(&path);
    // A person's work should not be recorded for nothing.
    options.check().map_err(refused)?;
    let terminal = match io::stdin().is_terminal() {
        true => Terminal::Ours,
        false => Terminal::None,
    };
    let size = match terminal {
        Terminal::Ours => Taken::size().map_err(|error| Failure::new(Exit::Internal, error))?,
        Terminal::None => Size {
            cols: record.cols,
            rows: record.rows,
        },
    };
    let session = Session::start(
        &app,
        Options {
            size,
            record: Some(options),
            answers: match terminal {
                Terminal::Ours => Answers::Caller,
                Terminal::None => Answers::Emulator,
            },
            ..Options::default()
        },
    )?;
    let session = Arc::new(session);
    let taken = Taken::take(&session, terminal);
    let taken = taken.map_err(|error| Failure::new(Exit::Internal, error))?;
    pass(&session);
    drop(taken);
    let recorded = session.finish_recording();
    match recorded {
        Some(Ok(path)) => told(&path),
        Some(Err(error)) => Err(refused(error)),
        None => Ok(()),
    }
}

impl Record {
    fn path(&self) -> Result<PathBuf, Failure> {
        let Some(path) = &self.output else {
            let program = self.command.first().map(Path::new);
            let name = program.and_then(Path::file_name).unwrap_or_default();
            let mut name = name.to_owned();
            name.push(".cassette");
            return Ok(name.into());
        };
        match path.extension() {
            Some(ending) if ending == "cassette" => Ok(path.clone()),
            _ => Err(Failure::usage(anyhow!(
                "`-o {}`: a recording is a directory whose name ends in .cassette",
                path.display()
            ))
            .hint(format!("`-o {}.cassette`", path.display()))),
        }
    }

    fn options(&self, path: &Path) -> RecordOptions {
        let mut options = RecordOptions::new(path);
        for name in &self.secret {
            options = options.secret(name);
        }
        if self.keep_keys {
            options = options.keep_keys();
        }
        if self.force {
            options = options.replace();
        }
        options
    }
}

/// Passes everything on, until the program has ended.
fn pass(session: &Arc<Session>) {
    let heard = session.listen();
    let typing = Arc::clone(session);
    // It sits in a read for as long as we live; there is nothing to wait for.
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = io::stdin().lock().read(&mut buffer) {
            if typing.send(&buffer[..count]).is_err() {
                break;
            }
        }
    });
    let waiting = Arc::clone(session);
    let ended = thread::spawn(move || {
        // Only the end of the program, or of the session by a signal, ends this wait.
        while let Err(WaitError::TimedOut { .. }) = waiting.wait_exit(Duration::from_secs(3600)) {}
        // What a closed session has shown is in the cassette; closing says nothing that matters now.
        let _ = waiting.close();
    });
    let mut stdout = io::stdout().lock();
    for bytes in heard {
        // Who closed our output has seen enough; the recording goes on.
        let _ = stdout.write_all(&bytes).and_then(|()| stdout.flush());
    }
    let _ = ended.join();
}

/// Says where the cassette is.
fn told(path: &Path) -> Result<(), Failure> {
    let cassette = Cassette::open(path).map_err(|error| Failure::new(Exit::Internal, error))?;
    let duration = cassette.manifest().timing.duration_ms.time();
    let covered: u64 = match cassette.scrub_report() {
        Ok(report) => report.rules.values().sum(),
        Err(error) => return Err(Failure::new(Exit::Internal, error)),
    };
    let secrets = match covered {
        0 => String::new(),
        1 => ", 1 secret covered".to_owned(),
        count => format!(", {count} secrets covered"),
    };
    failure::note(&format!(
        "recorded {}: {:.1} s, {} bytes of output{secrets}",
        path.display(),
        duration.as_secs_f64(),
        cassette.output_len(),
    ));
    Ok(())
}

fn refused(error: impl Into<Arc<RecordError>>) -> Failure {
    let error = error.into();
    let (exit, hint) = match &*error {
        RecordError::Exists { .. } => (Exit::Usage, Some("`--force` replaces it")),
        RecordError::NotSet { .. } => (Exit::Usage, Some("`--env NAME=value` sets it")),
        RecordError::InUse { .. }
        | RecordError::Unfinished { .. }
        | RecordError::Secret(_)
        | RecordError::Write { .. } => (Exit::Usage, None),
        _ => (Exit::Internal, None),
    };
    let failure = Failure::new(exit, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
