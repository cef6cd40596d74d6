//! The programs: command line, script, and the evidence that every key arrived.
//!
//! A script waits only where a person would: for a text of a new screen. The last text of a program
//! that writes no files ends with a full stop, so it matches only if exactly the expected letters
//! were read.

use std::path::Path;

use screentest::App;

use crate::harness::cli::{installed, project_path};

/// A program and its script.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    /// The command line. Names in braces are replaced by paths (see [`Program::command`]).
    words: &'static [&'static str],
    /// The last step ends the program.
    pub(super) steps: &'static [Step],
    /// The files that the program writes into its directory, with their content.
    pub(super) files: &'static [(&'static str, &'static str)],
}

/// One step of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Waits until the screen shows a text.
    WaitFor(&'static str),
    Press(&'static str),
    Type(&'static str),
}

use Step::{Press, Type, WaitFor};

impl Program {
    /// Returns the command line for a run in this directory.
    pub(super) fn command(&self, directory: &Path) -> Vec<String> {
        let fill = |word: &&str| match word.split_once('}') {
            Some((before, after)) if before.contains('{') => {
                let (prefix, name) = before.split_once('{').expect("the word contains `{`");
                format!("{prefix}{}{after}", path(name, directory))
            }
            _ => (*word).to_owned(),
        };
        self.words.iter().map(fill).collect()
    }
}

/// Returns the path for a name in braces.
fn path(name: &str, directory: &Path) -> String {
    match name {
        "apps" => project_path("examples/apps"),
        "python" => installed("target/python-apps/bin/python", "Python with Textual"),
        "ink" => installed("target/ink-apps/ink_form.mjs", "Ink"),
        "form" => {
            let form = App::cargo_bin("form")
                .expect("`cargo build -p screentest-cli -p screentest-examples` builds it");
            form.program().to_str().expect("an ASCII path").to_owned()
        }
        "directory" => directory.to_str().expect("an ASCII path").to_owned(),
        other => panic!("unknown name `{other}`"),
    }
}

/// A modal form with two fields.
pub(super) fn textual_form() -> Program {
    Program {
        name: "textual_form",
        words: &["{python}", "{apps}/textual_form.py"],
        steps: &[
            WaitFor("New person"),
            Press("n"),
            WaitFor("Name"),
            Type("Ada"),
            Press("Tab"),
            Type("Paris"),
            Press("Enter"),
            WaitFor("Saved: Ada from Paris."),
            Press("q"),
        ],
        files: &[],
    }
}

/// A text field, then a list. With `CI` set, Ink draws nothing before it exits.
pub(super) fn ink_form() -> Program {
    Program {
        name: "ink_form",
        words: &[
            "env",
            "-u",
            "CI",
            "-u",
            "CONTINUOUS_INTEGRATION",
            "node",
            "--preserve-symlinks-main",
            "{ink}",
        ],
        steps: &[
            WaitFor("Your name"),
            Type("Ada"),
            Press("Enter"),
            WaitFor("Your colour"),
            Press("Down"),
            Press("Enter"),
            WaitFor("Saved: Ada, green."),
        ],
        files: &[],
    }
}

/// A tick loop, with an Escape immediately before another key.
pub(super) fn ratatui_form() -> Program {
    Program {
        name: "ratatui_form",
        words: &["{form}"],
        steps: &[
            WaitFor("n: new person"),
            Press("n"),
            Type("draft"),
            Press("Escape"),
            Press("n"),
            Type("Ada"),
            Press("Enter"),
            WaitFor("Saved: Ada."),
            Press("q"),
        ],
        files: &[],
    }
}

/// Discards input that arrives before a question is ready.
pub(super) fn curses_questions() -> Program {
    Program {
        name: "curses_questions",
        words: &["{python}", "{apps}/curses_questions.py"],
        steps: THREE_QUESTIONS,
        files: &[],
    }
}

/// Sets up and restores the terminal for each question.
pub(super) fn prompts() -> Program {
    Program {
        name: "prompts",
        words: &["{python}", "{apps}/prompts.py"],
        steps: THREE_QUESTIONS,
        files: &[],
    }
}

const THREE_QUESTIONS: &[Step] = &[
    WaitFor("Your name"),
    Type("Ada"),
    Press("Enter"),
    WaitFor("Your city"),
    Type("Paris"),
    Press("Enter"),
    WaitFor("Your colour"),
    Type("green"),
    Press("Enter"),
    WaitFor("Saved: Ada, Paris, green."),
];

/// A different process reads each answer.
pub(super) fn dialog_questions() -> Program {
    Program {
        name: "dialog_questions",
        words: &["sh", "{apps}/dialog_questions.sh"],
        steps: &[
            WaitFor("Your name"),
            Type("Ada"),
            Press("Enter"),
            WaitFor("Your city"),
            Type("Paris"),
            Press("Enter"),
            WaitFor("Your colour"),
            Press("Down"),
            Press("Enter"),
            WaitFor("Saved: Ada, Paris, green."),
        ],
        files: &[],
    }
}

/// Escape, O and P are also the bytes of F1. Vim's defaults wait 100 ms to distinguish them.
pub(super) fn vim() -> Program {
    Program {
        name: "vim",
        words: &["vim", "--clean", "-n", "notes.txt"],
        steps: &[
            WaitFor("notes.txt"),
            Press("i"),
            Type("Rome"),
            Press("Enter"),
            Type("Athens"),
            Press("Escape"),
            Type("OParis"),
            Press("Escape"),
            Type(":wq"),
            Press("Enter"),
        ],
        files: &[("notes.txt", "Rome\nParis\nAthens\n")],
    }
}

/// The terminal is in raw mode at a prompt and in canonical mode while a command runs. An Enter
/// that arrives before the mode changes reaches `cat` as a carriage return, which does not end the
/// line.
pub(super) fn bash() -> Program {
    Program {
        name: "bash",
        words: &["env", "PS1=ready> ", "bash", "--norc", "--noprofile"],
        steps: &[
            WaitFor("ready> "),
            Type("echo one > out.txt"),
            Press("Enter"),
            Type("cat >> out.txt"),
            Press("Enter"),
            Type("two"),
            Press("Enter"),
            Press("Ctrl+D"),
            Type("echo three >> out.txt"),
            Press("Enter"),
            Type("exit"),
            Press("Enter"),
        ],
        files: &[("out.txt", "one\ntwo\nthree\n")],
    }
}

/// The process that reads the terminal, the tmux server, is not in the terminal's foreground
/// process group, and forwards the keys to another process. tmux takes keys that arrive within a
/// millisecond of each other for a paste and does not interpret them (`assume-paste-time`).
pub(super) fn tmux() -> Program {
    Program {
        name: "tmux",
        words: &[
            "env",
            "TMUX_TMPDIR={directory}",
            "tmux",
            "-L",
            "keys",
            "-f",
            "/dev/null",
            "start-server",
            ";",
            "set",
            "-g",
            "default-command",
            "PS1='ready> ' bash --norc --noprofile",
            ";",
            "new-session",
        ],
        steps: &[
            WaitFor("ready> "),
            Press("Ctrl+B"),
            Press("\""),
            Type("echo bottom > bottom.txt; echo done $((40 + 2))"),
            Press("Enter"),
            WaitFor("done 42"),
            Press("Ctrl+B"),
            Press("o"),
            Type("echo top > top.txt; echo done $((50 + 3))"),
            Press("Enter"),
            WaitFor("done 53"),
            Press("Ctrl+B"),
            Press("d"),
        ],
        files: &[("bottom.txt", "bottom\n"), ("top.txt", "top\n")],
    }
}

/// Forwards the keys to a shell in another terminal.
pub(super) fn script() -> Program {
    Program {
        name: "script",
        words: &["script", "-q", "-c", "PS1='ready> ' sh", "/dev/null"],
        steps: &[
            WaitFor("ready> "),
            Type("echo one > out.txt"),
            Press("Enter"),
            Type("read -r line; echo $line >> out.txt"),
            Press("Enter"),
            Type("two"),
            Press("Enter"),
            Type("exit"),
            Press("Enter"),
        ],
        files: &[("out.txt", "one\ntwo\n")],
    }
}

/// Reads one byte every 20 ms.
pub(super) fn slow_reader() -> Program {
    Program {
        name: "slow_reader",
        words: &["{python}", "{apps}/slow_reader.py"],
        steps: &[
            WaitFor("ready"),
            Type("abcdef"),
            Press("g"),
            Type("hij"),
            Press("q"),
            WaitFor("Saved: abcdefghijq."),
        ],
        files: &[],
    }
}
