//! `screentest web`: serves sessions over HTTP and WebSocket, and a page to watch and drive them.
//!
//! This file has the options, the token file, the signal handling and the printed links. See also:
//! `screentest-server` (the server).

use std::fs;
use std::io::{self, IsTerminal};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use screentest::core::{Ambiguity, Size};
use screentest::pty::descriptors;
use screentest_server::ServiceSettings;
use screentest_server::web::{Links, Listeners, Role, Server, Stop, Tokens, WebOptions};

use crate::args::input_args::InputArgs;
use crate::args::secrets::secrets;
use crate::args::{duration_arg, size};
use crate::commands::server;
use crate::failure::{self, Exit, Failure};
use crate::input::regular_file;
use crate::output::{self, AtomicFile};

/// Maximum size of the token file: thousands of tokens.
const MAX_TOKEN_FILE: u64 = 1 << 20;

const AFTER_HELP: &str = "\
Open the link on stdout in a browser. It works once; press Enter for another one.
Programs send a token of --token-file instead, as `Authorization: Bearer TOKEN`; the
server describes its API at /api/openapi.json. The server ends on SIGTERM, SIGHUP and
SIGINT, and its sessions end with it.

The token file has one token per line; `look` in front of a token makes it read-only. If
the file does not exist, it is created with one token of each kind.

Examples:
  screentest web
  screentest web --listen 127.0.0.1:8080 --token-file ~/.screentest-token
  curl -H \"Authorization: Bearer $(head -1 ~/.screentest-token)\" \\
    --json '{\"command\":[\"vim\",\"-u\",\"NONE\"]}' http://127.0.0.1:8080/api/sessions";

/// Watch and drive terminal programs in a browser, and over HTTP and WebSocket.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Web {
    /// Address and port to listen on; port 0 selects a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", value_parser = address)]
    listen: SocketAddr,
    /// File with the tokens of programs; created if missing
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Read-only: clients may watch but not type
    #[arg(long)]
    read_only: bool,
    /// Maximum number of open sessions
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_sessions: u32,
    /// Close a session after S seconds without a viewer or a request
    #[arg(long, value_name = "S", value_parser = duration_arg::positive_seconds, allow_negative_numbers = true)]
    idle_timeout: Option<Duration>,
    /// Directory for artifacts, such as recordings
    #[arg(long, value_name = "PATH", default_value = "artifacts")]
    artifact_dir: PathBuf,
    /// Accept requests for this host name too, as behind a proxy
    #[arg(long, value_name = "NAME", value_parser = host)]
    allow_host: Vec<String>,
    /// Default columns of a terminal, 2 to 2000
    #[arg(long, value_name = "N", default_value = "80", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// Default rows of a terminal, 1 to 2000
    #[arg(long, value_name = "N", default_value = "24", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
    /// Redact the value of this environment variable on screens; clients type it by name
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
    let is_host = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '/');
    if is_host {
        Ok(text.to_owned())
    } else {
        Err("expected a host name, such as box.example or box.example:8443".to_owned())
    }
}

/// Serves until a signal arrives.
pub(crate) fn run(web: &Web) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let settings = ServiceSettings {
        artifact_dir: web.artifact_dir.clone(),
        cassette_dir: None,
        size: Size {
            cols: web.cols,
            rows: web.rows,
        },
        timeout: Duration::from_secs(5),
        ambiguity: Ambiguity::Fail,
        secrets: secrets("web", &web.secret, |name| std::env::var_os(name))?,
        input: web.input.checked_overrides()?,
        max_sessions: web.max_sessions as usize,
    };
    let options = WebOptions {
        tokens: tokens(web.token_file.as_deref())?,
        read_only: web.read_only,
        idle: web.idle_timeout,
        linger: None,
        hosts: web.allow_host.clone(),
    };
    server::create_artifact_dir(&web.artifact_dir)?;
    // Every session and every viewer needs file descriptors.
    descriptors::raise_limit();
    let network = TcpListener::bind(web.listen)
        .with_context(|| format!("`--listen {}`: could not listen", web.listen))
        .map_err(|error| {
            Failure::usage(error).hint("port 0 selects a free port: `--listen 127.0.0.1:0`")
        })?;
    let stop = Stop::default();
    let by_signal = stop.clone();
    server::on_signal(move || by_signal.now())
        .context("could not register signal handlers")
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
            "{} can be reached from other machines, and connections are not encrypted: put a TLS proxy in front of it",
            web.listen
        ));
    }
    print_address(web, &server.links(), address).map_err(internal)?;
    server.run().context("the server failed").map_err(internal)
}

/// Prints the address and a link.
fn print_address(web: &Web, links: &Links, address: Option<SocketAddr>) -> anyhow::Result<()> {
    if web.json {
        let link = |role| links.another(role).context("could not create a link");
        let printed = serde_json::json!({
            "address": address.map(|address| address.to_string()),
            "link": link(Role::Full)?,
            "readOnlyLink": link(Role::ReadOnly)?,
        });
        print_line(&printed.to_string());
        return Ok(());
    }
    let is_terminal = io::stdin().is_terminal();
    failure::print_text(if is_terminal {
        "open this link in a browser (valid once, for ten minutes; press Enter for another):\n"
    } else {
        "open this link in a browser (valid once, for ten minutes):\n"
    });
    print_link(links)?;
    if is_terminal {
        print_links_on_enter(links.clone())?;
    }
    Ok(())
}

/// Prints another link for each line on stdin.
fn print_links_on_enter(links: Links) -> anyhow::Result<()> {
    let listening = thread::Builder::new().spawn(move || {
        for line in io::stdin().lines() {
            if line.is_err() || print_link(&links).is_err() {
                break;
            }
        }
    });
    listening.context("could not start the thread that reads stdin")?;
    Ok(())
}

fn print_link(links: &Links) -> anyhow::Result<()> {
    let link = links.another(Role::Full);
    print_line(&link.context("could not create a link")?.unwrap_or_default());
    Ok(())
}

/// Prints a line on stdout. A closed stdout does not stop the server.
fn print_line(line: &str) {
    let _ = output::print(format!("{line}\n").as_bytes());
}

/// Reads the tokens from the file, or creates new ones.
fn tokens(file: Option<&Path>) -> Result<Tokens, Failure> {
    let random = || {
        Tokens::random()
            .context("could not create a token")
            .map_err(|error| Failure::new(Exit::Internal, error))
    };
    let Some(path) = file else {
        return random();
    };
    let message = |what: &str| format!("`--token-file {}`: {what}", path.display());
    match regular_file::read_text(path, MAX_TOKEN_FILE) {
        Ok(text) => {
            let mode = fs::metadata(path).map_or(0, |about| about.permissions().mode());
            if mode & 0o077 != 0 {
                failure::warning(&message("other users can read it: run `chmod 600` on it"));
            }
            Tokens::read(&text)
                .map_err(|error| Failure::usage(anyhow!(message(&error.to_string()))))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let tokens = random()?;
            // Readable only by its owner, from the moment it exists.
            AtomicFile::private(path, tokens.to_text().as_bytes())
                .and_then(|file| Ok(file.persist_new()?))
                .with_context(|| message("could not be created"))
                .map_err(Failure::usage)?;
            Ok(tokens)
        }
        Err(error) => Err(Failure::usage(
            anyhow!(error).context(message("could not be read")),
        )),
    }
}
