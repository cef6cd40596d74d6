//! The programs of a soak: real ones, and small ones that each exercise something that terminals
//! must survive.

use std::fs;
use std::io;
use std::path::Path;

use screentest::{App, Size};
use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

/// A program and how it is driven.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    words: &'static [&'static str],
    /// Text that is shown once the program accepts input.
    pub(crate) ready: &'static str,
    /// Keys after which it continues to run.
    pub(crate) keys: &'static [&'static str],
    /// Input that makes it show a number, which replaces `{}`, and the text that it then shows.
    pub(crate) echo: Option<(&'static [InputStep], &'static str)>,
    /// Input that makes it exit.
    pub(crate) quit: &'static [InputStep],
    /// Minimum size.
    pub(crate) smallest: Size,
    /// Whether it is resized. A program whose pages are checked keeps its size.
    pub(crate) resizes: bool,
    /// Whether input and resizes wait until the program is idle: top loses keys that are faster
    /// than its polling, less and nano lose keys around a resize, and vim draws wrong contents
    /// then.
    pub(crate) needs_settling: bool,
    pub(crate) behaviour: Behaviour,
}

/// A piece of input.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InputStep {
    Key(&'static str),
    Text(&'static str),
}

/// Special behaviour of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// Nothing.
    Normal,
    /// It prints without end, so it is not recorded: no disk would hold the recording.
    Endless,
    /// It does not read its input.
    NotReading,
    /// It stops itself with SIGSTOP, and prints "again" when it is continued.
    StopsItself,
    /// It shows pages of one letter each, as synchronized updates.
    Pages,
}

use InputStep::{Key, Text};

const SMALL: Size = Size { cols: 40, rows: 10 };
const ENTER: &[InputStep] = &[Key("Enter")];
const QUIT: &[InputStep] = &[Text("q")];

/// Default values of the fields.
const PLAIN: Program = Program {
    name: "",
    words: &[],
    ready: "",
    keys: &["Space"],
    echo: None,
    quit: &[],
    smallest: SMALL,
    resizes: true,
    needs_settling: false,
    behaviour: Behaviour::Normal,
};

/// Draws pages of one letter each, each in one write. Typed input is not echoed into them.
const PAGES: &str = "\
    stty -echo
    for turn in 1 2 3 4 5 6 7 8 9 10; do for letter in a b c d e f g h i j; do
        row=$letter$letter$letter$letter$letter$letter$letter$letter; row=$row$row
        page=\"$row\\r\\n$row\\r\\n$row\\r\\n$row\\r\\n\"; page=$page$page
        printf \"\\033[?2026h\\033[H$page\\033[?2026l\"
    done; done
    read line";

/// Jobs that leave the process group, the session and their parents, and ignore requests to exit.
const DAEMONS: &str = "\
    nohup sleep 1000 >/dev/null 2>&1 &
    setsid sh -c 'trap \"\" HUP TERM; sleep 1000; :' &
    (setsid setsid sh -c 'exec </dev/null >/dev/null 2>&1; sleep 1000; :' &)
    echo ready; read line";

const PROGRAMS: [Program; 15] = [
    Program {
        name: "sh",
        words: &["sh"],
        ready: "soak>",
        keys: &["Enter", "Space", "Ctrl+U"],
        echo: Some((
            &[Key("Ctrl+U"), Text("expr 1000 + {}"), Key("Enter")],
            "1{}",
        )),
        quit: &[Key("Ctrl+U"), Text("exit 0"), Key("Enter")],
        ..PLAIN
    },
    Program {
        name: "vim",
        words: &["vim", "-u", "NONE", "-i", "NONE", "-n"],
        ready: "~",
        keys: &[
            "i", "a", "o", "Escape", "u", "p", "G", "v", "Enter", "Left", "Down",
        ],
        echo: Some((
            &[
                Key("Escape"),
                Key("Escape"),
                Text("ggOnumber {}"),
                Key("Escape"),
            ],
            "number {}",
        )),
        quit: &[Key("Escape"), Key("Escape"), Text(":qa!"), Key("Enter")],
        needs_settling: true,
        ..PLAIN
    },
    Program {
        name: "less",
        words: &["less", "lines"],
        ready: "line 1 end",
        keys: &["Space", "b", "j", "k", "G", "g", "Down", "PageUp", "Home"],
        echo: Some((&[Text("g/line {} end"), Key("Enter")], "line {} end")),
        quit: QUIT,
        needs_settling: true,
        ..PLAIN
    },
    Program {
        name: "nano",
        words: &["nano", "-I", "lines"],
        ready: "GNU nano",
        keys: &["Left", "Down", "PageDown", "End", "Home", "Enter", "Delete"],
        echo: Some((
            &[Key("Enter"), Text("number {} "), Key("Enter")],
            "number {}",
        )),
        quit: &[Key("Ctrl+X"), Text("n")],
        needs_settling: true,
        ..PLAIN
    },
    Program {
        name: "top",
        words: &["top", "-d", "0.5"],
        ready: "load average",
        keys: &["1", "t", "m", "c", "Down", "Home"],
        quit: QUIT,
        smallest: Size { cols: 60, rows: 12 },
        needs_settling: true,
        ..PLAIN
    },
    Program {
        name: "htop",
        words: &["htop", "-d", "5"],
        ready: "F1Help",
        keys: &["Down", "Up", "End", "t", "H", "K"],
        quit: QUIT,
        smallest: Size { cols: 60, rows: 14 },
        ..PLAIN
    },
    Program {
        name: "dialog",
        words: &["dialog", "--inputbox", "What is it?", "10", "40"],
        ready: "What is it?",
        keys: &["x", "BackSpace", "Left", "Home"],
        echo: Some((&[Key("Ctrl+U"), Text("number {}")], "number {}")),
        quit: ENTER,
        smallest: Size { cols: 60, rows: 16 },
        ..PLAIN
    },
    Program {
        name: "random output",
        // The output may have changed what a key sends, so no input is sure to make it exit.
        words: &["sh", "-c", "cat output; stty sane; read line; exit 3"],
        ..PLAIN
    },
    Program {
        name: "spate",
        words: &[
            "sh",
            "-c",
            "yes spate | head -n 200000; echo over; read line",
        ],
        ready: "over",
        quit: ENTER,
        ..PLAIN
    },
    Program {
        name: "endless",
        words: &["yes", "without end"],
        ready: "without end",
        behaviour: Behaviour::Endless,
        ..PLAIN
    },
    Program {
        name: "deaf",
        words: &["sh", "-c", "stty raw -echo; echo ready; exec sleep 1000"],
        ready: "ready",
        behaviour: Behaviour::NotReading,
        ..PLAIN
    },
    Program {
        name: "stops",
        words: &[
            "sh",
            "-c",
            "echo ready; kill -STOP $$; echo again; read line",
        ],
        ready: "ready",
        behaviour: Behaviour::StopsItself,
        ..PLAIN
    },
    Program {
        name: "daemons",
        words: &["sh", "-c", DAEMONS],
        ready: "ready",
        quit: ENTER,
        ..PLAIN
    },
    Program {
        name: "brief",
        words: &["sh", "-c", "printf brief; exit 7"],
        keys: &[],
        ..PLAIN
    },
    Program {
        name: "pages",
        words: &["sh", "-c", PAGES],
        quit: ENTER,
        smallest: Size { cols: 80, rows: 24 },
        resizes: false,
        behaviour: Behaviour::Pages,
        ..PLAIN
    },
];

impl Program {
    /// Returns a random program.
    pub(crate) fn any(random: &mut Random) -> &'static Program {
        &PROGRAMS[random.below(PROGRAMS.len())]
    }

    /// Returns the app to start, in a new folder with the files that it reads.
    pub(crate) fn app(&self, random: &mut Random, place: &Path) -> io::Result<App> {
        fs::create_dir_all(place)?;
        let lines: String = (1..1000).map(|line| format!("line {line} end\n")).collect();
        fs::write(place.join("lines"), lines)?;
        fs::write(place.join("output"), stream::grammar(random, 100_000))?;
        let app = App::new(self.words[0]).args(&self.words[1..]).cwd(place);
        // Nothing in the user's home directory is read or written.
        Ok(app.env("HOME", place).env("PS1", "soak> "))
    }
}
