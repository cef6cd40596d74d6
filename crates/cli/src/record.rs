//! `screentest record`: run a program in this terminal, and keep all that happens.
//!
//! What the program writes goes on to stdout as it is, and what is typed goes to the program as it is. Where stdin is a terminal, it is
//! that of the program as far as anybody can tell: raw, with its size, and it answers what the program asks.
//!
//! An asciicast is made of a cassette when the program has ended: until then it is written as one, which can be recovered, and secrets
//! are covered by the same means.
//!
//! Elsewhere: the terminal (`record/terminal.rs`), asciicasts (`dub.rs`), tapes (`record/tape.rs`), how a script types for one
//! (`record/script.rs`).

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::Size;
use screentest::recording::cassette::{CastOptions, Existing, Typed};
use screentest::{
    Answers, Cassette, InputOptions, Options, RecordError, RecordOptions, Session, WaitError,
};

use crate::dub::{self, Carrier, Dubbing};
use crate::failure::{self, Exit, Failure};
use crate::output::Stream;
use crate::{size, snap};

mod script;
mod tape;
mod terminal;

pub(crate) use tape::Tape;
use terminal::{EndSignal, Taken, Terminal};

const AFTER_HELP: &str = "\
The cassette is a directory: what the program wrote, what was typed, and what was
shown, with the times (docs/formats/cassette.md). It is there when the program has
ended; until then it is written as `X.cassette.part`, of which `screentest cassette
recover` makes a cassette should the recording be cut off.

-o X.cast writes an asciicast for players of asciinema instead: what the program wrote,
sizes and the exit code, and with --capture-input what was typed. Until the program has
ended it is a cassette, `X.cast.cassette.part`, with all that is said here of cassettes.

Secrets are covered before they are written: the value of each variable that
--secret names, in whatever form it shows up, and keys and tokens that are known by
their shape. What is typed while the terminal does not echo it is not stored; with
--keep-keys it is where a program reads single keys, as editors do, but never at a
prompt for a password.

--tape X.tape writes a tape of what you do, for `screentest run`: what was typed, and waits
for what came of it, taken from what changed on the screen and not from the clock; behind
Enter for the answer too, where it seems to be the same each time. Keys to editors are
stored for it, as with --keep-keys. What was typed unseen or is a secret is left for you
to put in; a warning says where. The cassette is kept only with -o.

Without a terminal on stdin, what comes from stdin is typed, and the terminal has
the size that --cols and --rows say. For a tape it is typed as a person would: each key
when the program waits for input; to one that never does, when its screen stands still.
The end of stdin is told to a program that reads lines, as Ctrl+D would; others go on
until they leave by themselves.

The program's own exit code does not change that of record: 0 when the recording was
written, 2 when something about the command line is wrong. A signal that ends record
(HUP, INT, TERM) ends the program too; the recording is written, and a shell is told
128 and the signal's number, as 143 for TERM. So does a pipe on stdout that nobody
reads any more (PIPE), as in `screentest record -- yes | head`.

Examples:
  screentest record -o demo.cassette -- bash
      until you leave the shell
  screentest record --secret API_TOKEN -o deploy.cassette -- ./deploy.sh
      without the token
  screentest record -o demo.cast -- bash
      to share it; `--format asciicast-v2` is for older players
  screentest record --tape demo.tape -- bash
      as a script that does the same again, and fails when something else comes of it
  printf 'iHello\\033:q!\\r' | screentest record --keep-keys -- vim
      what a script types";

/// Run a program in this terminal and record all that happens.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Record {
    /// Where the recording will be, a cassette or an asciicast; the program's name with .cassette unless told otherwise
    #[arg(short, long, value_name = "X.cassette|X.cast")]
    output: Option<PathBuf>,
    /// Write a tape that does the same again, with waits for what came of it; the recording itself is kept only with -o
    #[arg(long, value_name = "X.tape")]
    tape: Option<PathBuf>,
    /// What is recorded: a cassette, unless the name says otherwise
    #[arg(long, value_enum, value_name = "F")]
    format: Option<Carrier>,
    #[command(flatten)]
    dubbing: Dubbing,
    /// Cover the value of this variable of the program's environment wherever it shows up
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// Store what is typed to programs that read single keys, such as editors
    #[arg(long)]
    keep_keys: bool,
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
    let tape = record.tape()?;
    let destination = record.destination()?;
    let options = record.options(&destination);
    // A person's work should not be recorded for nothing.
    options
        .check_for(&app)
        .map_err(|error| destination.refused(error))?;
    let terminal = match io::stdin().is_terminal() {
        true => Terminal::Ours,
        false => Terminal::None,
    };
    let asked = Size {
        cols: record.cols,
        rows: record.rows,
    };
    let size = match terminal {
        Terminal::Ours => Taken::size().map_err(|error| Failure::new(Exit::Internal, error))?,
        Terminal::None => None,
    };
    let size = size.unwrap_or(asked);
    let session = Session::start(
        &app,
        Options {
            size,
            record: Some(options),
            answers: match terminal {
                Terminal::Ours => Answers::Caller,
                Terminal::None => Answers::Emulator,
            },
            // What a person types is passed on as it comes; a script is typed by `record/script.rs`.
            input: InputOptions::AT_ONCE,
            ..Options::default()
        },
    )?;
    let session = Arc::new(session);
    let taken = Taken::take(&session, terminal);
    let mut taken = taken.map_err(|error| Failure::new(Exit::Internal, error))?;
    let typing = match (terminal, &tape) {
        (Terminal::None, Some(_)) => Typing::AsPeople,
        _ => Typing::AtOnce,
    };
    let watched = pass(&session, typing, terminal);
    let ended_by = taken.give_back().or(match watched {
        Watched::ToTheEnd => None,
        Watched::InPart => Some(EndSignal::PIPE),
    });
    let recorded = session.finish_recording();
    match recorded {
        Some(Ok(path)) => destination.told(&path, tape.as_ref())?,
        Some(Err(error)) => return Err(unwritten(error)),
        None => {}
    }
    match ended_by {
        Some(signal) => signal.end_us(),
        None => Ok(()),
    }
}

/// When what comes from stdin is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Typing {
    /// As it comes.
    AtOnce,
    /// Key by key, when the program waits for it.
    AsPeople,
}

/// Where a recording will be.
enum Destination {
    Cassette(PathBuf),
    /// Nowhere: it is there until a tape is made of it.
    Passing(PathBuf),
    /// Made of a cassette beside it, which is there until then.
    Cast {
        path: PathBuf,
        cassette: PathBuf,
        stream: Stream,
        options: CastOptions,
    },
}

impl Record {
    /// Where the tape goes, if there will be one.
    fn tape(&self) -> Result<Option<Tape>, Failure> {
        let Some(path) = &self.tape else {
            return Ok(None);
        };
        Tape::check(&self.command)?;
        Tape::to(path, self.dubbing.existing()).map(Some)
    }

    fn destination(&self) -> Result<Destination, Failure> {
        if let (Some(tape), None, None) = (&self.tape, &self.output, self.format) {
            self.dubbing.check(Carrier::Cassette)?;
            return Ok(Destination::Passing(hidden(tape)));
        }
        let path = match &self.output {
            Some(path) => path.clone(),
            None => self.usual(),
        };
        let Some(promised) = Carrier::promised(&path) else {
            return Err(Failure::usage(anyhow!(
                "`-o {}`: a recording is a cassette, whose name ends in .cassette, or an asciicast, whose name ends in .cast",
                path.display()
            ))
            .hint(format!("`-o {}.cassette`", path.display())));
        };
        let carrier = self.format.unwrap_or(promised);
        if carrier.contradicts(&path) {
            return Err(Failure::usage(anyhow!(
                "`--format {carrier}` is not what the name `{}` promises",
                path.display()
            )));
        }
        self.dubbing.check(carrier)?;
        let Some(version) = carrier.version() else {
            return Ok(Destination::Cassette(path));
        };
        let typed = self.dubbing.typed();
        if self.keep_keys && typed == Typed::LeftOut {
            return Err(Failure::usage(anyhow!(
                "`--keep-keys` is about what is typed, and an asciicast has none of it"
            ))
            .hint("`--capture-input` writes what is typed too"));
        }
        Ok(Destination::Cast {
            stream: Stream::to(Some(&path), self.dubbing.existing())?,
            options: CastOptions { version, typed },
            cassette: beside(&path),
            path,
        })
    }

    /// The program's name, in the directory that we are in.
    fn usual(&self) -> PathBuf {
        let program = self.command.first().map(Path::new);
        let name = program.and_then(Path::file_name).unwrap_or_default();
        let mut name = name.to_owned();
        name.push(match self.format {
            None | Some(Carrier::Cassette) => ".cassette",
            Some(Carrier::CastV3 | Carrier::CastV2) => ".cast",
        });
        name.into()
    }

    fn options(&self, destination: &Destination) -> RecordOptions {
        let (mut options, existing) = match destination {
            Destination::Cassette(path) => (RecordOptions::new(path), self.dubbing.existing()),
            // What may be there of that name is not what was to be replaced.
            Destination::Passing(cassette) | Destination::Cast { cassette, .. } => {
                (RecordOptions::new(cassette), Existing::Kept)
            }
        };
        for name in &self.secret {
            options = options.secret(name);
        }
        if self.keep_keys || self.tape.is_some() {
            options = options.keep_keys();
        }
        match existing {
            Existing::Replaced => options.replace(),
            Existing::Kept => options,
        }
    }
}

impl Destination {
    fn refused(&self, error: RecordError) -> Failure {
        match (self, &error) {
            (Destination::Cast { path, cassette, .. }, RecordError::Exists { .. }) => {
                Failure::usage(error).hint(format!(
                    "it is left of an earlier recording: `screentest convert {} -o {}` makes an asciicast of it; or remove it",
                    cassette.display(),
                    path.display()
                ))
            }
            (Destination::Passing(cassette), RecordError::Exists { .. }) => {
                Failure::usage(error).hint(format!(
                    "it is left of an earlier recording: `screentest convert {} -o FILE.tape` makes a tape of it; or remove it",
                    cassette.display()
                ))
            }
            _ => refused(error),
        }
    }

    /// Makes the asciicast and the tape, if they were asked for, and says where the recording is.
    fn told(&self, recorded: &Path, tape: Option<&Tape>) -> Result<(), Failure> {
        let cassette = Cassette::open(recorded);
        let cassette = cassette.map_err(|error| Failure::new(Exit::Internal, error))?;
        let path = match self {
            Destination::Cassette(path) => Some(path),
            Destination::Passing(_) => None,
            Destination::Cast {
                path,
                stream,
                options,
                ..
            } => {
                let written = stream.write(|out| dub::dub(&cassette, *options, out));
                written.map_err(|failure| {
                    failure.hint(format!(
                        "the recording is in `{0}`: `screentest convert {0} -o FILE.cast` makes an asciicast of it",
                        recorded.display()
                    ))
                })?;
                Some(path)
            }
        };
        if let Some(path) = path {
            told(path, &cassette)?;
        }
        if let Some(tape) = tape {
            tape.write(&cassette).map_err(|failure| {
                failure.hint(format!(
                    "the recording is in `{}`: `screentest convert` makes other things of it than `{}`",
                    recorded.display(),
                    tape.path().display()
                ))
            })?;
        }
        match self {
            Destination::Cassette(_) => Ok(()),
            Destination::Passing(_) | Destination::Cast { .. } => fs::remove_dir_all(recorded)
                .with_context(|| format!("could not remove `{}`", recorded.display()))
                .map_err(Failure::usage),
        }
    }
}

/// The place of a recording that is there until something else is made of it.
fn beside(path: &Path) -> PathBuf {
    let mut cassette = path.to_owned().into_os_string();
    cassette.push(".cassette");
    cassette.into()
}

/// The same where only a tape is wanted: a program that lists the folder should not find what the tape's run does not.
fn hidden(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    beside(&path.with_file_name(name))
}

/// For how long somebody took what the program wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watched {
    ToTheEnd,
    /// They closed the pipe, which ended the recording.
    InPart,
}

/// Passes everything on, until the program has ended.
fn pass(session: &Arc<Session>, when: Typing, terminal: Terminal) -> Watched {
    let heard = session.listen();
    let typing = Arc::clone(session);
    // It sits in a read for as long as we live; there is nothing to wait for.
    thread::spawn(move || {
        let last = match when {
            Typing::AsPeople => script::type_in(&typing),
            Typing::AtOnce => type_at_once(&typing),
        };
        // Where a terminal has no end, its person is gone, and the program is told so otherwise.
        if terminal == Terminal::None {
            script::end_input(&typing, last);
        }
    });
    let waiting = Arc::clone(session);
    let ended = thread::spawn(move || {
        // Only the end of the program, or of the session by a signal, ends this wait.
        while let Err(WaitError::TimedOut { .. }) = waiting.wait_for_exit(Duration::from_secs(3600))
        {
        }
        // What a closed session has shown is in the cassette; closing says nothing that matters now.
        let _ = waiting.close();
    });
    let mut watched = Watched::ToTheEnd;
    let mut stdout = io::stdout().lock();
    for bytes in heard {
        let written = stdout.write_all(&bytes).and_then(|()| stdout.flush());
        let is_closed = written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        // A program whose reader has seen enough ends, in a pipe; one that prints for ever would fill the disk.
        // Once it has ended by itself, all of it is in the recording, whoever looked.
        let ends_it = is_closed && session.known_outcome().is_none();
        if ends_it && watched == Watched::ToTheEnd {
            watched = Watched::InPart;
            drop(session.close());
        }
    }
    let _ = ended.join();
    watched
}

/// Gives the program what comes from stdin as it comes, to its end; and says what came last.
fn type_at_once(session: &Session) -> Option<u8> {
    let mut buffer = [0; 4096];
    let mut last = None;
    while let Ok(count @ 1..) = io::stdin().lock().read(&mut buffer) {
        if session.send(&buffer[..count]).is_err() {
            break;
        }
        last = buffer[..count].last().copied();
    }
    last
}

/// Says where the recording is.
fn told(path: &Path, cassette: &Cassette) -> Result<(), Failure> {
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
        "recorded {}: {:.3} s, {} bytes of output{secrets}",
        path.display(),
        duration.as_secs_f64(),
        cassette.output_len(),
    ));
    Ok(())
}

/// A recording that was begun and could not be written: what there is of it is not lost.
fn unwritten(error: Arc<RecordError>) -> Failure {
    let left = match &*error {
        RecordError::Write { path, .. } => path.parent().filter(|folder| is_part(folder)),
        _ => None,
    };
    let hint = left.map(|part| {
        format!(
            "what was recorded before is in `{0}`: `screentest cassette recover {0}` makes a cassette of it; or remove it",
            part.display()
        )
    });
    let failure = refused(error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Whether it is a folder in which a recording is until it is published.
fn is_part(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "part") && path.is_dir()
}

fn refused(error: impl Into<Arc<RecordError>>) -> Failure {
    let error = error.into();
    let (exit, hint) = match &*error {
        RecordError::Exists { .. } => (Exit::Usage, Some("`--force` replaces it")),
        RecordError::NotSet { .. } => (Exit::Usage, Some("`--env NAME=value` sets it")),
        RecordError::NotReplaced { .. }
        | RecordError::InUse { .. }
        | RecordError::Unfinished { .. }
        | RecordError::Aside { .. }
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
