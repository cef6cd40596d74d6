//! `screentest record`: runs a program in this terminal and records the session.
//!
//! Output of the program is passed to stdout unchanged, and input to the program unchanged. If
//! stdin is a terminal, it acts as the program's terminal: in raw mode, with its size, and it
//! answers the program's queries.
//!
//! An asciicast is made from a cassette after the program has exited. Until then the recording is a
//! cassette, which can be recovered and in which secrets are redacted in the same way.
//!
//! See also: `record/terminal.rs` (the terminal), `output/convert_recording.rs` (asciicasts),
//! `record/tape_output.rs` (tapes), `record/paced_typing.rs` (input from a script).

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::Session;
use screentest::recording::cassette::{CastInput, CastOptions, ExistingCassette};
use screentest::recording::{Cassette, RecordError, RecordOptions};
use screentest::session::{Answers, InputOptions, SessionOptions, WaitError};

use crate::args::program::ProgramArgs;
use crate::failure::{self, Exit, Failure};
use crate::output::OutputFile;
use crate::output::convert_recording::{self, RecordingArgs, RecordingFormat};

mod paced_typing;
mod tape_output;
mod terminal;

pub(crate) use tape_output::TapeOutput;
use terminal::{EndSignal, Stdin, TerminalGuard};

const AFTER_HELP: &str = "\
A cassette is a directory with the output, the input and the screens, all with times. It
appears when the program has exited. Until then the recorder writes `X.cassette.part`; if
it is killed, `screentest cassette recover` makes a cassette of that.

-o X.cast writes an asciicast for asciinema players instead: output, sizes and exit code,
and with --capture-input the typed input. Until the program has exited, the recording is
the cassette `X.cast.cassette.part`.

Secrets are redacted before they are written: the values of all --secret variables, also
in encoded forms such as base64, and keys and tokens of common formats. Input that the
terminal does not echo is not stored. --keep-keys stores it for programs that read single
keys, such as editors, but never at a password prompt.

--tape X.tape writes a tape of the session for `screentest run`: the input, and waits for
its effects. The waits use the changes of the screen, not the clock; after Enter they also
use the output, if it seems to be the same each time. Keys to editors are included, as
with --keep-keys. Hidden input and secrets are left out; warnings say where to add them.
The cassette is kept only with -o.

If stdin is not a terminal, its content is typed, and --cols and --rows set the size. With
--tape it is typed at a person's pace: each key when the program waits for input, or when
the screen is unchanged. At the end of stdin, Ctrl+D is pressed, which ends shells and
programs that read lines; other programs run until they exit.

Exit codes, whatever the program's own: 0 if the recording was written, 2 for wrong usage.
If a signal ends the recording (HUP, INT, TERM, or PIPE when stdout is closed, as in
`screentest record -- yes | head`), the program ends, the recording is written, and the
exit code is 128 plus the signal's number, such as 143 for TERM.

Examples:
  screentest record -o demo.cassette -- bash
      record until you exit the shell
  screentest record --secret API_TOKEN -o deploy.cassette -- ./deploy.sh
      redact the value of API_TOKEN
  screentest record -o demo.cast -- bash
      record an asciicast; `--format asciicast-v2` is for older players
  screentest record --tape demo.tape -- bash
      write a tape that repeats the session and fails if the output differs
  printf 'iHello\\033:q!\\r' | screentest record --keep-keys -- vim
      type the input of a script";

/// Run a program in this terminal and record the session.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Record {
    /// Path of the cassette or asciicast [default: the program's name with .cassette]
    #[arg(short, long, value_name = "X.cassette|X.cast")]
    output: Option<PathBuf>,
    /// Write a tape that repeats the session and checks its output; the recording is kept only with
    /// -o
    #[arg(long, value_name = "X.tape")]
    tape: Option<PathBuf>,
    /// Recording format [default: by the extension of the path]
    #[arg(long, value_enum, value_name = "F")]
    format: Option<RecordingFormat>,
    #[command(flatten)]
    recording_args: RecordingArgs,
    /// Redact the value of this environment variable of the program
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// Store the input of programs that read single keys, such as editors
    #[arg(long)]
    keep_keys: bool,
    #[command(flatten)]
    program: ProgramArgs,
}

/// Records a program.
pub(crate) fn run(record: &Record) -> Result<(), Failure> {
    let app = record.program.app()?;
    let tape = record.tape()?;
    let destination = record.destination()?;
    let options = record.options(&destination);
    // Check before the session starts, so that no work is lost.
    options
        .check_for(&app)
        .map_err(|error| destination.record_failure(error))?;
    let stdin = if io::stdin().is_terminal() {
        Stdin::Terminal
    } else {
        Stdin::Other
    };
    let size = match stdin {
        Stdin::Terminal => {
            TerminalGuard::size().map_err(|error| Failure::new(Exit::Internal, error))?
        }
        Stdin::Other => None,
    };
    let size = size.unwrap_or(record.program.size());
    let session = Session::start(
        &app,
        SessionOptions {
            size,
            answers: match stdin {
                Stdin::Terminal => Answers::Caller,
                Stdin::Other => Answers::Emulator,
            },
            // A person's input is passed on at once; `record/paced_typing.rs` types that of a
            // script.
            input: InputOptions::AT_ONCE,
            ..SessionOptions::default().record(options)
        },
    )?;
    let session = Arc::new(session);
    let guard = TerminalGuard::new(&session, stdin);
    let mut guard = guard.map_err(|error| Failure::new(Exit::Internal, error))?;
    let typing = match (stdin, &tape) {
        (Stdin::Other, Some(_)) => Typing::Paced,
        _ => Typing::AtOnce,
    };
    let stdout_end = relay(&session, typing, stdin);
    let ended_by = guard.restore().or(match stdout_end {
        StdoutEnd::Exit => None,
        StdoutEnd::Closed => Some(EndSignal::PIPE),
    });
    let recorded = session.finish_recording();
    match recorded {
        Some(Ok(path)) => destination.finish(&path, tape.as_ref())?,
        Some(Err(error)) => return Err(write_failure(error)),
        None => {}
    }
    match ended_by {
        Some(signal) => signal.raise(),
        None => Ok(()),
    }
}

/// When stdin is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Typing {
    /// As it arrives.
    AtOnce,
    /// Key by key, when the program waits for input.
    Paced,
}

/// Where the recording is written.
enum Destination {
    Cassette(PathBuf),
    /// Temporary: removed after the tape is written.
    Temporary(PathBuf),
    /// Written after the session, from a temporary cassette next to it.
    Cast {
        path: PathBuf,
        cassette: PathBuf,
        file: OutputFile,
        options: CastOptions,
    },
}

impl Record {
    /// Opens the file of the tape, if one is requested.
    fn tape(&self) -> Result<Option<TapeOutput>, Failure> {
        let Some(path) = &self.tape else {
            return Ok(None);
        };
        TapeOutput::check_command(&self.program.command)?;
        TapeOutput::to(path, self.recording_args.existing()).map(Some)
    }

    fn destination(&self) -> Result<Destination, Failure> {
        if let (Some(tape), None, None) = (&self.tape, &self.output, self.format) {
            self.recording_args.check(RecordingFormat::Cassette)?;
            return Ok(Destination::Temporary(hidden_cassette_path(tape)));
        }
        let path = match &self.output {
            Some(path) => path.clone(),
            None => self.default_path(),
        };
        let Some(indicated) = RecordingFormat::from_path(&path) else {
            return Err(Failure::usage(anyhow!(
                "`-o {}`: expected the extension .cassette (a cassette) or .cast (an asciicast)",
                path.display()
            ))
            .hint(format!(
                "`-o {}`",
                crate::quoted(&format!("{}.cassette", path.display()))
            )));
        };
        let format = self.format.unwrap_or(indicated);
        if format.contradicts(&path) {
            return Err(Failure::usage(anyhow!(
                "`--format {format}` contradicts the extension of `{}`",
                path.display()
            )));
        }
        self.recording_args.check(format)?;
        let Some(version) = format.version() else {
            return Ok(Destination::Cassette(path));
        };
        let typed = self.recording_args.typed();
        if self.keep_keys && typed == CastInput::Omitted {
            return Err(Failure::usage(anyhow!(
                "`--keep-keys` is about typed input, and the asciicast does not include it"
            ))
            .hint("`--capture-input` includes typed input"));
        }
        Ok(Destination::Cast {
            file: OutputFile::to(Some(&path), self.recording_args.existing())?,
            options: CastOptions {
                version,
                input: typed,
            },
            cassette: cassette_path_for(&path),
            path,
        })
    }

    /// Returns the program's name with an extension, in the current directory.
    fn default_path(&self) -> PathBuf {
        let program = self.program.command.first().map(Path::new);
        let name = program.and_then(Path::file_name).unwrap_or_default();
        let mut name = name.to_owned();
        name.push(match self.format {
            None | Some(RecordingFormat::Cassette) => ".cassette",
            Some(RecordingFormat::CastV3 | RecordingFormat::CastV2) => ".cast",
        });
        name.into()
    }

    fn options(&self, destination: &Destination) -> RecordOptions {
        let (mut options, existing) = match destination {
            Destination::Cassette(path) => {
                (RecordOptions::new(path), self.recording_args.existing())
            }
            // `--force` is about the output, not about a temporary cassette of that name.
            Destination::Temporary(cassette) | Destination::Cast { cassette, .. } => {
                (RecordOptions::new(cassette), ExistingCassette::Keep)
            }
        };
        for name in &self.secret {
            options = options.secret(name);
        }
        if self.keep_keys || self.tape.is_some() {
            options = options.keep_keys();
        }
        match existing {
            ExistingCassette::Replace => options.replace(),
            ExistingCassette::Keep => options,
        }
    }
}

impl Destination {
    fn record_failure(&self, error: RecordError) -> Failure {
        match (self, &error) {
            (Destination::Cast { path, cassette, .. }, RecordError::Exists { .. }) => {
                Failure::usage(error).hint(format!(
                    "it is left over from an earlier recording: convert it with `screentest convert {} -o {}`, or remove it",
                    crate::quoted_path(cassette),
                    crate::quoted_path(path)
                ))
            }
            (Destination::Temporary(cassette), RecordError::Exists { .. }) => {
                Failure::usage(error).hint(format!(
                    "it is left over from an earlier recording: convert it with `screentest convert {} -o FILE.tape`, or remove it",
                    crate::quoted_path(cassette)
                ))
            }
            _ => record_failure(error),
        }
    }

    /// Writes the asciicast and the tape, if requested, and prints where the recording is.
    fn finish(&self, recorded: &Path, tape: Option<&TapeOutput>) -> Result<(), Failure> {
        let cassette = Cassette::open(recorded);
        let cassette = cassette.map_err(|error| Failure::new(Exit::Internal, error))?;
        let path = match self {
            Destination::Cassette(path) => Some(path),
            Destination::Temporary(_) => None,
            Destination::Cast {
                path,
                file,
                options,
                ..
            } => {
                let written =
                    file.write(|out| convert_recording::write_cast(&cassette, *options, out));
                written.map_err(|failure| {
                    failure.hint(format!(
                        "the recording is in `{}`: convert it with `screentest convert {} -o FILE.cast`",
                        recorded.display(),
                        crate::quoted_path(recorded)
                    ))
                })?;
                Some(path)
            }
        };
        if let Some(path) = path {
            print_result(path, &cassette)?;
        }
        if let Some(tape) = tape {
            tape.write(&cassette).map_err(|failure| {
                failure.hint(format!(
                    "the recording is in `{}`: `screentest convert` can convert it to other formats than `{}`",
                    recorded.display(),
                    tape.path().display()
                ))
            })?;
        }
        match self {
            Destination::Cassette(_) => Ok(()),
            Destination::Temporary(_) | Destination::Cast { .. } => fs::remove_dir_all(recorded)
                .with_context(|| format!("could not remove `{}`", recorded.display()))
                .map_err(Failure::usage),
        }
    }
}

/// Returns the path of the temporary cassette for an asciicast.
fn cassette_path_for(path: &Path) -> PathBuf {
    let mut cassette = path.to_owned().into_os_string();
    cassette.push(".cassette");
    cassette.into()
}

/// Returns the path of the temporary cassette for a tape. It is hidden: a program that lists the
/// directory must show the same when the tape runs.
fn hidden_cassette_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    cassette_path_for(&path.with_file_name(name))
}

/// Why the output of the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StdoutEnd {
    /// The program exited, or a signal ended the recording.
    Exit,
    /// stdout was closed, which ended the recording.
    Closed,
}

/// Passes input and output on until the program has exited.
fn relay(session: &Arc<Session>, when: Typing, stdin: Stdin) -> StdoutEnd {
    let output = session.listen();
    let typing = Arc::clone(session);
    // The thread blocks in a read until the process ends, so it is not joined.
    thread::spawn(move || {
        let last = match when {
            Typing::Paced => paced_typing::type_stdin(&typing),
            Typing::AtOnce => type_at_once(&typing),
        };
        // A terminal whose input ends was closed; the program gets SIGHUP instead.
        if stdin == Stdin::Other {
            paced_typing::end_input(&typing, last);
        }
    });
    let waiting = Arc::clone(session);
    let ended = thread::spawn(move || {
        // The wait ends when the program exits, or when the session is closed after a signal or
        // because stdout was closed.
        while let Err(WaitError::TimedOut { .. }) = waiting.wait_for_exit(Duration::from_secs(3600))
        {
        }
        // All output of a closed session is in the cassette; an error of closing does not matter.
        let _ = waiting.close();
    });
    let mut stdout_end = StdoutEnd::Exit;
    let mut stdout = io::stdout().lock();
    for bytes in output {
        let written = stdout.write_all(&bytes).and_then(|()| stdout.flush());
        let is_closed = written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        // End the program, as SIGPIPE would in a pipe whose reader has exited: the recording of a
        // program that prints forever would fill the disk. If the program has exited already, the
        // recording has its whole output, whether it was read or not.
        let ends_recording = is_closed && session.try_exit_status().is_none();
        if ends_recording && stdout_end == StdoutEnd::Exit {
            stdout_end = StdoutEnd::Closed;
            drop(session.close());
        }
    }
    let _ = ended.join();
    stdout_end
}

/// Sends stdin to the program as it arrives, to its end, and returns the last byte.
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

/// Prints where the recording is.
fn print_result(path: &Path, cassette: &Cassette) -> Result<(), Failure> {
    let duration = cassette.manifest().timing.duration_ms.time();
    let redacted: u64 = match cassette.scrub_report() {
        Ok(report) => report.rules.values().sum(),
        Err(error) => return Err(Failure::new(Exit::Internal, error)),
    };
    let secrets = match redacted {
        0 => String::new(),
        1 => ", 1 secret redacted".to_owned(),
        count => format!(", {count} secrets redacted"),
    };
    failure::note(&format!(
        "recorded {}: {:.3} s, {} bytes of output{secrets}",
        path.display(),
        duration.as_secs_f64(),
        cassette.output_len(),
    ));
    Ok(())
}

/// Adds a hint about the files of a recording that could not be completed.
fn write_failure(error: Arc<RecordError>) -> Failure {
    let part = match &*error {
        RecordError::Write { path, .. } => path.parent().filter(|folder| is_part(folder)),
        _ => None,
    };
    let hint = part.map(|part| {
        format!(
            "the recording so far is in `{}`: recover it with `screentest cassette recover {}`, or remove it",
            part.display(),
            crate::quoted_path(part)
        )
    });
    let failure = record_failure(error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Returns whether the directory is an unfinished recording.
fn is_part(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "part")
        && path.is_dir()
}

fn record_failure(error: impl Into<Arc<RecordError>>) -> Failure {
    let error = error.into();
    let (exit, hint) = match &*error {
        RecordError::Exists { .. } => (Exit::Usage, Some("`--force` replaces it")),
        RecordError::NotSet { .. } => (Exit::Usage, Some("`--env NAME=value` sets it")),
        RecordError::NotReplaced { .. }
        | RecordError::InUse { .. }
        | RecordError::Unfinished { .. }
        | RecordError::InterruptedReplace { .. }
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
