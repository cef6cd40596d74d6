//! `screentest web`: many sessions over HTTP and WebSocket, and a page to watch and drive them.
//!
//! Elsewhere: the server (`screentest-server`). Here are its options, its tokens' file, the signals that end it, and what it prints.

use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::{Ambiguity, Size};
use screentest::pty::descriptors;
use screentest_server::Settings;
use screentest_server::web::{Links, Listeners, Options, Role, Server, Stop, Tokens};

use crate::failure::{self, Exit, Failure};
use crate::input_args::InputArgs;
use crate::{seconds, server, size};

const AFTER_HELP: &str = "\
The link on stdout lets one browser in, once; Enter gives another. A program
sends a token of --token-file instead, as `Authorization: Bearer TOKEN`;
docs/web.md has the whole API. The server ends by SIGTERM, SIGHUP and SIGINT; its
sessions end with it.

A line of the token file is a token; `look` before it makes it one that may look
and not touch. A file that is not there is made, with one of each.

Examples:
  screentest web
  screentest web --listen 127.0.0.1:8080 --token-file ~/.screentest-token
  curl -H \"Authorization: Bearer $(head -1 ~/.screentest-token)\" \\
    --json '{\"command\":[\"vim\",\"-u\",\"NONE\"]}' http://127.0.0.1:8080/api/sessions";

/// Watch and drive terminal programs in a browser, and over HTTP and WebSocket.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Web {
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", value_parser = address)]
    listen: SocketAddr,
    /// The tokens that programs send; made where it is not there
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Nobody may do more than look
    #[arg(long)]
    read_only: bool,
    /// How many sessions may be open at once
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_sessions: u32,
    /// Close a session that nobody has watched or used for so many seconds
    #[arg(long, value_name = "S", value_parser = seconds::patience, allow_negative_numbers = true)]
    idle_timeout: Option<Duration>,
    /// Where artifacts go, such as recordings
    #[arg(long, value_name = "PATH", default_value = "artifacts")]
    artifact_dir: PathBuf,
    /// Another name under which browsers may reach the server, as behind a proxy
    #[arg(long, value_name = "NAME", value_parser = host)]
    allow_host: Vec<String>,
    /// How many columns a terminal has, unless a client says otherwise
    #[arg(long, value_name = "N", default_value = "80", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// How many rows a terminal has, unless a client says otherwise
    #[arg(long, value_name = "N", default_value = "24", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// Keep the value of this environment variable from all that is shown, and let clients type it by its name
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
    /// Print the address and the links as JSON
    #[arg(long)]
    json: bool,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| "expected an address and a port, such as 127.0.0.1:8080 or [::1]:0".to_owned())
}

fn host(text: &str) -> Result<String, String> {
    let is_one = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '/');
    match is_one {
        true => Ok(text.to_owned()),
        false => Err("expected a name as browsers call the server by, such as box.example or box.example:8443".to_owned()),
    }
}

/// Serves until the end.
pub(crate) fn run(web: &Web) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let settings = Settings {
        artifact_dir: web.artifact_dir.clone(),
        cassette_dir: None,
        size: Size {
            cols: web.cols,
            rows: web.rows,
        },
        timeout: Duration::from_secs(5),
        ambiguity: Ambiguity::Fail,
        secrets: server::secrets("web", &web.secret)?,
        input: web.input.checked_overrides()?,
        most_sessions: web.max_sessions as usize,
    };
    let options = Options {
        tokens: tokens(web.token_file.as_deref())?,
        read_only: web.read_only,
        idle: web.idle_timeout,
        linger: None,
        hosts: web.allow_host.clone(),
    };
    server::make_folder(&web.artifact_dir)?;
    // Every session and every viewer takes some.
    descriptors::raise_limit();
    let network = TcpListener::bind(web.listen)
        .with_context(|| format!("`--listen {}`: could not listen there", web.listen))
        .map_err(|error| {
            Failure::usage(error).hint("port 0 takes any port that is free: --listen 127.0.0.1:0")
        })?;
    let stop = Stop::default();
    let by_signal = stop.clone();
    server::on_signal(move || by_signal.now())
        .context("could not listen for signals")
        .map_err(internal)?;
    let listeners = Listeners {
        network: Some(network),
        socket: None,
    };
    let address = listeners.address();
    let started = Server::new(settings, options, listeners, &stop);
    let server = started
        .context("could not start the server")
        .map_err(internal)?;
    if !web.listen.ip().is_loopback() {
        failure::warning(&format!(
            "{} can be reached from other machines, and what it sends is not encrypted: put a proxy with TLS before it",
            web.listen
        ));
    }
    announce(web, &server.links(), address).map_err(internal)?;
    server.run().context("the server ended").map_err(internal)
}

/// Says where the server is, and how to get in.
fn announce(web: &Web, links: &Links, address: Option<SocketAddr>) -> anyhow::Result<()> {
    if web.json {
        let link = |role| links.another(role).context("could not make a link");
        let told = serde_json::json!({
            "address": address.map(|address| address.to_string()),
            "link": link(Role::Full)?,
            "readOnlyLink": link(Role::ReadOnly)?,
        });
        say(&told.to_string());
        return Ok(());
    }
    let is_asked = io::stdin().is_terminal();
    failure::talk(match is_asked {
        true => "open this in a browser (it works once, for ten minutes; Enter gives another):\n",
        false => "open this in a browser (it works once, for ten minutes):\n",
    });
    say_link(links)?;
    if is_asked {
        give_others(links.clone())?;
    }
    Ok(())
}

/// Gives another link for each line that is typed, as long as the server runs.
fn give_others(links: Links) -> anyhow::Result<()> {
    let listening = thread::Builder::new().spawn(move || {
        for line in io::stdin().lines() {
            if line.is_err() || say_link(&links).is_err() {
                break;
            }
        }
    });
    listening.context("could not listen for Enter")?;
    Ok(())
}

fn say_link(links: &Links) -> anyhow::Result<()> {
    let link = links.another(Role::Full);
    say(&link.context("could not make a link")?.unwrap_or_default());
    Ok(())
}

/// Nobody may be there to read it; the server is there anyway.
fn say(line: &str) {
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

/// The tokens of a file, or new ones.
fn tokens(file: Option<&Path>) -> Result<Tokens, Failure> {
    let random = || {
        Tokens::random()
            .context("could not make a token")
            .map_err(|error| Failure::new(Exit::Internal, error))
    };
    let Some(path) = file else {
        return random();
    };
    let told = |what: &str| format!("`--token-file {}`: {what}", path.display());
    match fs::read_to_string(path) {
        Ok(text) => {
            let mode = fs::metadata(path).map_or(0, |about| about.permissions().mode());
            if mode & 0o077 != 0 {
                failure::warning(&told(
                    "others on this machine can read it: `chmod 600` keeps them out",
                ));
            }
            Tokens::read(&text).map_err(|error| Failure::usage(anyhow!(told(&error.to_string()))))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let tokens = random()?;
            // Only its owner reads it, from the moment it is there.
            let made = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(path);
            made.and_then(|mut file| file.write_all(tokens.to_text().as_bytes()))
                .with_context(|| told("could not be made"))
                .map_err(Failure::usage)?;
            Ok(tokens)
        }
        Err(error) => Err(Failure::usage(
            anyhow!(error).context(told("could not be read")),
        )),
    }
}
