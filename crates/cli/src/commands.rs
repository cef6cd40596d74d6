//! The commands, one file or folder each.
//!
//! Larger commands are next to this file: `run.rs`, `review.rs` and `shell.rs` (the commands that
//! drive sessions).

use clap::{CommandFactory, Subcommand};

use crate::failure::Failure;
use crate::{Cli, review, run, shell};

mod cassette;
mod completions;
mod convert;
mod fmt;
mod impersonate;
mod mcp;
mod new;
mod record;
mod render;
mod render_text;
mod replay;
pub(crate) mod server;
mod snap;
mod themes;
mod validate;
mod web;

/// A command with its options.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Snap(snap::Snap),
    Convert(convert::Convert),
    Render(render::Render),
    RenderText(render_text::RenderText),
    Record(record::Record),
    Cassette(cassette::CassetteCommand),
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
    Shell(shell::SessionCommand),
    Completions(completions::Completions),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match self {
            Command::Snap(args) => snap::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Render(args) => render::run(args),
            Command::RenderText(args) => render_text::run(args),
            Command::Record(args) => record::run(args),
            Command::Cassette(command) => cassette::run(command),
            Command::Impersonate(args) => impersonate::run(args),
            Command::Review(args) => review::run(args),
            Command::Run(args) => run::run(args),
            Command::Validate(args) => validate::run(args),
            Command::Fmt(args) => fmt::run(args),
            Command::New(args) => new::run(args),
            Command::Themes(args) => themes::run(args),
            Command::Server(args) => server::run(args),
            Command::Mcp(args) => mcp::run(args),
            Command::Web(args) => web::run(args),
            Command::Replay(args) => replay::run(args),
            Command::Shell(command) => shell::run(command),
            Command::Completions(args) => completions::run(args, Cli::command()),
        }
    }
}

/// The groups of commands in the top-level help.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Screens",
        &["snap", "convert", "render", "render-text", "themes"],
    ),
    (
        "Sessions",
        &[
            "open", "type", "press", "paste", "click", "wait", "expect", "view", "state", "shot",
            "resize", "signal", "sessions", "attach", "close",
        ],
    ),
    ("Tapes", &["new", "run", "validate", "fmt", "review"]),
    (
        "Recordings",
        &["record", "replay", "cassette", "impersonate"],
    ),
    ("Servers", &["server", "mcp", "web"]),
    ("Other", &["completions", "help"]),
];

/// Groups the commands in the help, which clap cannot do.
pub(crate) fn grouped(cli: clap::Command) -> clap::Command {
    let header = *cli.get_styles().get_header();
    let literal = *cli.get_styles().get_literal();
    let mut list = String::new();
    for (group, names) in GROUPS {
        list.push_str(&format!("{header}{group}:{header:#}\n"));
        for name in names {
            let about = cli.find_subcommand(name).and_then(clap::Command::get_about);
            // clap adds the command `help` later.
            let about = about.map_or("Describe a command".to_owned(), ToString::to_string);
            list.push_str(&format!("  {literal}{name:<13}{literal:#}{about}\n"));
        }
        list.push('\n');
    }
    cli.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_command_is_in_one_group() {
        let cli = Cli::command();
        let visible = cli
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut commands: Vec<&str> = visible.map(clap::Command::get_name).collect();
        commands.push("help");
        commands.sort_unstable();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        grouped.sort_unstable();
        assert_eq!(grouped, commands);
    }
}
