//! `screentest open`: a program in a session of its own.
//!
//! The program starts where whoever opens it stands, and with their environment: the daemon is nobody's.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, io};

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::pty::environment;
use serde_json::{Value, json};

use super::client::{Answer, Client};
use super::folder::Folder;
use super::{remote, start, written};
use crate::args::input_args::InputArgs;
use crate::args::{duration_arg as seconds, program as snap, size};
use crate::failure::{self, Exit, Failure};

/// How often another daemon is looked for, where the one that was found is about to end.
const TRIES: usize = 10;

const AFTER_HELP: &str = "\
The session's name goes to stdout: that of --name, or one after the program. It
stays open until `screentest close`, also when the program has ended.

The program starts in the directory and with the environment of whoever says
`open`, but for what describes their terminal; `screentest help snap` has the
list. It finds its own terminal, of TERM=xterm-256color.

The sessions are kept by a daemon, which `open` starts and which ends once none
has been open for a minute, or for the seconds that SCREENTEST_LINGER says when
it is started. Its socket is in $XDG_RUNTIME_DIR/screentest, or in
/tmp/screentest-UID. `screentest sessions --link` shows them in a browser.

Examples:
  screentest open -- vim notes.txt
  screentest type 'ihello'
  screentest press Esc
  screentest wait hello
  screentest close
      five lines that drive a program; docs/shell.md has more

  name=$(screentest open --cols 120 --rows 40 -- htop)
  screentest wait -s \"$name\" Mem";

/// Open a session: start a program that the commands below drive.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Open {
    /// What the session is called: letters, digits, `-`, `_` and `.`
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// How many columns the terminal has, from 2 to 2000
    #[arg(long, value_name = "N", default_value = "80", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// How many rows the terminal has, from 1 to 2000
    #[arg(long, value_name = "N", default_value = "24", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// Start the program in this directory
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Set a variable of the program's environment, or remove it (without `=`)
    #[arg(long, value_name = "K[=V]")]
    env: Vec<OsString>,
    #[command(flatten)]
    input: InputArgs,
    /// Print the session as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// The program and its arguments
    #[arg(
        last = true,
        required = true,
        value_name = "CMD",
        help_heading = "Arguments"
    )]
    command: Vec<OsString>,
}

/// Opens a session.
pub(super) fn run(open: &Open) -> Result<(), Failure> {
    // Everything that can be known to be wrong is said before a daemon starts for nothing.
    snap::app(&open.command, None, &open.env)?;
    let linger = linger()?;
    let request = open.request()?;
    if request.to_string().len() > remote::LARGEST {
        return Err(Failure::usage(anyhow!(
            "the command and the environment are larger than 1 MiB, and are not sent"
        ))
        .hint("`env -i PATH=\"$PATH\" screentest open …` opens with less"));
    }
    let folder = Folder::make()?;
    let answer = ask(&folder, linger, &request)?;
    let told = remote::read(&answer)?;
    if answer.status != 201 {
        let words = told["error"].as_str().unwrap_or("the daemon opened none");
        let words = words.strip_prefix("launch: ").unwrap_or(words);
        let failure = Failure::new(exit(answer.status), anyhow!(words.to_owned()));
        return Err(match answer.status {
            429 => Failure::usage(anyhow!("more sessions cannot be open at once"))
                .hint("`screentest sessions` lists them, `screentest close` closes one"),
            _ => failure,
        });
    }
    let line = match open.json {
        true => told.to_string(),
        false => told["id"].as_str().unwrap_or_default().to_owned(),
    };
    written(&format!("{line}\n"))
}

/// What a script is told of an answer.
fn exit(status: u16) -> Exit {
    match status {
        // A program that cannot be started, or a name that cannot be had.
        400 | 409 => Exit::Usage,
        500.. => Exit::Internal,
        _ => Exit::Failed,
    }
}

/// Asks the daemon. One that ends just now is not waited for: another is started.
fn ask(folder: &Folder, linger: Option<Duration>, request: &Value) -> Result<Answer, Failure> {
    let mut last = None;
    for _ in 0..TRIES {
        let mut client = Client::new(start::daemon(folder, linger)?);
        let asked = client.ask("POST", "/api/sessions", Some(request), remote::SOON);
        match asked {
            Ok(answer) if answer.status != 503 => return Ok(answer),
            Ok(_) => last = None,
            // With the daemon its sessions are gone, so that nothing is opened twice.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::UnexpectedEof
                        | io::ErrorKind::ConnectionReset
                        | io::ErrorKind::BrokenPipe
                ) =>
            {
                last = Some(error);
            }
            Err(error) => return Err(remote::lost(error, remote::SOON)),
        }
    }
    Err(match last {
        Some(error) => remote::lost(error, remote::SOON),
        None => Failure::new(
            Exit::Transport,
            anyhow!("the daemon is about to end, and did not make room for another"),
        )
        .hint("try again in a moment"),
    })
}

/// How long a daemon that is started stays without sessions.
fn linger() -> Result<Option<Duration>, Failure> {
    let Some(value) = env::var_os("SCREENTEST_LINGER").filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let text = value.to_string_lossy();
    let time = seconds::patience(&text);
    time.map(Some)
        .map_err(|error| Failure::usage(anyhow!("SCREENTEST_LINGER is `{text}`: {error}")))
}

impl Open {
    fn request(&self) -> Result<Value, Failure> {
        let words: Result<Vec<String>, Failure> = self
            .command
            .iter()
            .map(|word| text("the command", word))
            .collect();
        let here = env::current_dir()
            .context("could not find the directory that we are in")
            .map_err(Failure::usage)?;
        let cwd = match &self.cwd {
            Some(cwd) => here.join(cwd),
            None => here,
        };
        let mut request = json!({
            "command": words?,
            "cwd": text("the directory", cwd.as_os_str())?,
            "env": self.variables()?,
            "inherit": inherited(),
            "cols": self.cols,
            "rows": self.rows,
        });
        if let Some(name) = &self.name {
            request["name"] = name.as_str().into();
        }
        self.input.add_to(&mut request)?;
        Ok(request)
    }

    /// What was said of the program's environment.
    fn variables(&self) -> Result<BTreeMap<String, Option<String>>, Failure> {
        let mut variables = BTreeMap::new();
        for word in &self.env {
            let word = text("`--env`", word)?;
            match word.split_once('=') {
                Some((name, value)) => variables.insert(name.to_owned(), Some(value.to_owned())),
                None => variables.insert(word, None),
            };
        }
        Ok(variables)
    }
}

/// The environment that we have, of which the program inherits. It is told apart from what was asked for: only that is anybody else's business.
fn inherited() -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    for (name, value) in environment::inherited(env::vars_os()) {
        match (name.into_string(), value.into_string()) {
            (Ok(name), Ok(value)) => {
                variables.insert(name, value);
            }
            (name, _) => {
                let name = name.unwrap_or_else(|name| name.to_string_lossy().into_owned());
                failure::warning(&format!(
                    "the variable `{name}` is not in UTF-8, and is left out"
                ));
            }
        }
    }
    variables
}

/// A word that can be sent.
fn text(what: &str, word: &OsStr) -> Result<String, Failure> {
    let text = word.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::usage(anyhow!("{what} is not in UTF-8: {word:?}")))
}
