//! The `screentest` command: words in, a screen out.
//!
//! stdout is data and stderr is talk. A command returns, and this file alone turns what it returned into what a person
//! sees and what a script is told.
//!
//! Elsewhere: one file for each command (`snap.rs`, `convert.rs`, `render.rs`, `render_text.rs`, `record.rs`, `cassette.rs`,
//! `impersonate.rs`, `replay.rs`, `review.rs`, `run.rs`, `validate.rs`, `fmt.rs`, `new.rs`, `themes.rs`, `server.rs`, `mcp.rs`, `web.rs`, `completions.rs`; those that drive sessions from a shell: `shell.rs`), what a project wants (`config.rs`), what is written and where (`format.rs`, `output.rs`), what is drawn
//! (`picture.rs`), what is read (`input.rs`), recordings in other formats (`dub.rs`), what `--theme` takes (`theme.rs`), exit codes and how errors look
//! (`failure.rs`), a terminal given back before a signal ends us (`farewell.rs`), files that may not be as large as they are (`file_limit.rs`).

use std::env;
use std::panic;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::{Exit, Failure};

mod cassette;
mod completions;
mod config;
mod convert;
mod dub;
mod failure;
mod farewell;
mod file_limit;
mod fmt;
mod format;
mod impersonate;
mod input;
mod input_args;
mod mcp;
mod new;
mod notation;
mod output;
mod picture;
mod plain;
mod record;
mod recording;
mod render;
mod render_text;
mod replay;
mod review;
mod run;
mod seconds;
mod server;
mod settle;
mod shell;
mod size;
mod snap;
mod step;
mod theme;
mod themes;
mod validate;
mod web;

const AFTER_HELP: &str = "\
Examples:
  screentest snap -- ls --color=always               run a program, print its screen
  screentest snap -o ls.json -- ls --color=always    keep a screen with its colours
  screentest convert ls.json                         print what was kept
  screentest snap -o ls.png -- ls --color=always     take a picture
  screentest render ls.json                          the same of what was kept
  screentest record -o demo.cassette -- vim          record a session
  screentest impersonate demo.cassette               play it to what drives vim
  screentest new demo                                write a script of keys and waits
  screentest run demo.tape                           run it
  screentest review                                  decide on changed snapshots
  screentest themes                                  show the themes by name
  screentest server --artifact-dir artifacts         drive programs over JSON-RPC
  screentest mcp                                     let an AI agent drive them
  screentest web                                     watch and drive them in a browser
  screentest open -- vim notes.txt                   keep one running, to drive it by
  screentest type 'ihello'                           one command after another
  screentest replay demo.cassette                    play what was recorded

Exit codes:
  0  done
  1  an assertion or a wait failed, a snapshot is pending, or a tape is not
     laid out
  2  wrong usage, a program that cannot be started, or a file that cannot be
     read or written
  3  no session is open, or not the one that is meant
  4  whoever keeps the sessions could not be asked
  5  a fault of screentest itself, or of the system under it

The screen goes to stdout, everything else to stderr. `screentest help snap`,
and likewise for each command, says more.";

/// Starts terminal programs in a terminal of their own and shows what they show.
#[derive(Debug, Parser)]
#[command(name = "screentest", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Snap(snap::Snap),
    Convert(convert::Convert),
    Render(render::Render),
    RenderText(render_text::RenderText),
    Record(record::Record),
    Cassette(cassette::Cassettes),
    Impersonate(impersonate::Impersonate),
    Review(review::Review),
    Run(run::Run),
    Validate(validate::Validate),
    Fmt(fmt::Fmt),
    New(new::New),
    Themes(themes::Themes),
    Server(server::Server),
    Mcp(mcp::Mcp),
    Web(web::Web),
    Replay(replay::Replay),
    #[command(flatten)]
    Shell(shell::Verb),
    Completions(completions::Completions),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(words) => {
            // Help asked for goes to stdout and is no failure; who closed that pipe has read enough.
            let _ = words.print();
            if let Some(command) = with_dashes(&words).or_else(|| with_run(&words)) {
                failure::hint(&command);
            }
            return match words.exit_code() {
                0 => Exit::Done.into(),
                _ => Exit::Usage.into(),
            };
        }
    };
    // Without it a file that is too large ends us without a word, which is no reason not to begin.
    let _ = file_limit::hear();
    match panic::catch_unwind(|| obey(cli)) {
        Ok(Ok(())) => Exit::Done.into(),
        Ok(Err(failure)) => {
            failure.print();
            failure.exit().into()
        }
        // The panic has already said on stderr what went wrong and where.
        Err(_) => Exit::Internal.into(),
    }
}

/// The command line with the `--` that was forgotten before a program: `screentest snap -- ls -la`.
fn with_dashes(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(stray)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let mut words: Vec<String> = env::args_os()
        .skip(1)
        .map(|word| quoted(&word.to_string_lossy()))
        .collect();
    let is_snap = words
        .first()
        .is_some_and(|word| word == "snap" || word == "open");
    let program = quoted(stray);
    // Nearly every option of these has a value, so that what follows one is no program.
    let place = words.windows(2).position(|pair| match pair {
        [before, word] => !before.starts_with('-') && *word == program,
        _ => false,
    });
    let place = place.filter(|_| is_snap && !stray.starts_with('-'))?;
    words.insert(place + 1, "--".to_owned());
    Some(format!("screentest {}", words.join(" ")))
}

/// The command line with the `run` that was forgotten before a tape.
fn with_run(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(stray)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let words = env::args_os().skip(1);
    let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    let tape = Path::new(stray)
        .extension()
        .is_some_and(|end| end == "tape");
    tape.then(|| format!("screentest run {}", words.join(" ")))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn obey(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Snap(snap) => snap::run(&snap),
        Command::Convert(convert) => convert::run(&convert),
        Command::Render(render) => render::run(&render),
        Command::RenderText(render) => render_text::run(&render),
        Command::Record(record) => record::run(&record),
        Command::Cassette(cassettes) => cassette::run(&cassettes),
        Command::Impersonate(impersonate) => impersonate::run(&impersonate),
        Command::Review(review) => review::run(&review),
        Command::Run(tapes) => run::run(&tapes),
        Command::Validate(tapes) => validate::run(&tapes),
        Command::Fmt(tapes) => fmt::run(&tapes),
        Command::New(tape) => new::run(&tape),
        Command::Themes(themes) => themes::run(&themes),
        Command::Server(server) => server::run(&server),
        Command::Mcp(mcp) => mcp::run(&mcp),
        Command::Web(web) => web::run(&web),
        Command::Replay(replay) => replay::run(&replay),
        Command::Shell(verb) => shell::run(&verb),
        Command::Completions(shell) => completions::run(&shell, Cli::command()),
    }
}
