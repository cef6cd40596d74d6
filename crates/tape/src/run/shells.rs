//! The programs of tapes: known shells are started so that they look the same for every user.
//!
//! No settings, history or prompt of the user are visible in a recording. The prompt is `> `, as in
//! VHS.

use std::path::Path;

use crate::language::{Plan, Shell, ShellName};

use screentest::app::App;
use screentest::internals::environment;

/// The colour of the prompt, as in VHS.
const COLOR: &str = "5B56E0";

/// The variables that set a shell's prompt.
const PROMPTS: [&str; 3] = ["PS1", "PROMPT", "PROMPT_COMMAND"];

/// Whether the program's prompt is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// `> `.
    Known,
    /// Unknown, or no prompt at all.
    Unknown,
}

/// The program that a plan runs.
pub(super) fn app(plan: &Plan) -> (App, Prompt) {
    let (app, prompt) = match &plan.launch {
        Some(launch) => {
            let launch = &launch.value;
            (
                App::new(&launch.program).args(&launch.args),
                Prompt::Unknown,
            )
        }
        None => shell(&plan.settings.shell),
    };
    let variables = || plan.env.iter().map(|variable| &variable.value);
    // The tape may set its own prompt.
    let prompt = if variables().any(|variable| PROMPTS.contains(&variable.name.as_str())) {
        Prompt::Unknown
    } else {
        prompt
    };
    let app = variables().fold(app, |app, variable| {
        app.env(&variable.name, &variable.value)
    });
    (app, prompt)
}

fn shell(shell: &Shell) -> (App, Prompt) {
    match shell {
        Shell::Named(name) => (named(*name, name.program()), Prompt::Known),
        Shell::User => {
            let path = environment("SHELL").filter(|path| !path.is_empty());
            let path = path.unwrap_or_else(|| "sh".into());
            let name = Path::new(&path).file_name().and_then(|name| name.to_str());
            match name.and_then(ShellName::named) {
                Some(name) => (named(name, &path.to_string_lossy()), Prompt::Known),
                // Most other shells use this variable.
                None => (App::new(path).env("PS1", "> "), Prompt::Unknown),
            }
        }
        Shell::Command(words) => {
            let mut words = words.iter();
            let app = App::new(words.next().map_or("sh", String::as_str)).args(words);
            (app, Prompt::Unknown)
        }
    }
}

/// The shell with this name, at this path.
fn named(name: ShellName, path: &str) -> App {
    let app = App::new(path);
    let ansi = "\x1b[38;2;91;86;224m> \x1b[0m";
    let powershell = "Set-PSReadLineOption -HistorySaveStyle SaveNothing; function prompt { Write-Host '>' -NoNewLine -ForegroundColor Blue; return ' ' }";
    match name {
        ShellName::Bash | ShellName::Osh => {
            let prompt = r"\[\e[38;2;91;86;224m\]> \[\e[0m\]";
            let words: &[&str] = match name {
                ShellName::Bash => &["--noprofile", "--norc", "+o", "history"],
                _ => &["--norc"],
            };
            let app = app.args(words.iter().copied()).env("PS1", prompt);
            app.env("BASH_SILENCE_DEPRECATION_WARNING", "1")
        }
        ShellName::Zsh => app
            .args(["--histnostore", "--no-rcs"])
            .env("PROMPT", format!("%F{{#{COLOR}}}> %f"))
            .env("RPROMPT", ""),
        ShellName::Fish => app.args([
            "--no-config",
            "--private",
            "-C",
            "function fish_greeting; end",
            "-C",
            &format!(
                "function fish_prompt; set_color {COLOR}; echo -n '> '; set_color normal; end"
            ),
        ]),
        ShellName::Nu => app.args([
            "--no-config-file",
            "--execute",
            "$env.PROMPT_COMMAND = ''; $env.PROMPT_COMMAND_RIGHT = ''; $env.PROMPT_INDICATOR = '> '",
        ]),
        ShellName::Xonsh => app.args(["--no-rc", "-D", &format!("PROMPT={ansi}")]),
        ShellName::Powershell | ShellName::Pwsh => {
            app.args(["-NoLogo", "-NoExit", "-NoProfile", "-Command", powershell])
        }
        ShellName::Cmd => app.args(["/k", "prompt=$G$S"]),
    }
}

#[cfg(test)]
mod tests {
    use crate::language::Dialect;

    use super::*;
    use crate::TapeScript;

    fn words(tape: &str) -> String {
        let script = TapeScript::read_from(tape.as_bytes(), "x.tape", Some(Dialect::Vhs)).unwrap();
        let (app, _) = app(script.plan());
        let mut words = vec![app.program().to_string_lossy()];
        words.extend(app.arguments().iter().map(|word| word.to_string_lossy()));
        words.join(" ")
    }

    #[test]
    fn shells_start_without_settings_and_history() {
        assert_eq!(words(""), "bash --noprofile --norc +o history");
        assert_eq!(words("Set Shell zsh"), "zsh --histnostore --no-rcs");
        assert!(words("Set Shell fish").starts_with("fish --no-config --private"));
    }

    #[test]
    fn commands_and_programs_start_unchanged() {
        assert_eq!(words("Set Shell '/bin/sh -e'"), "/bin/sh -e");
        assert_eq!(words("Launch vim -u NONE 'a b'"), "vim -u NONE a b");
    }

    #[test]
    fn the_last_value_of_a_variable_wins() {
        let tape = "Env PS1 'a'\nEnv PS1 'b'\nType x";
        let script = TapeScript::read_from(tape.as_bytes(), "x.tape", None).unwrap();
        let (app, prompt) = app(script.plan());
        assert_eq!(prompt, Prompt::Unknown, "no prompt is waited for");
        let ps1 = app.variables().find(|(name, _)| *name == "PS1");
        assert_eq!(ps1.unwrap().1.unwrap(), "b");
    }
}
