//! The commands that read a file or speak to a program.

use super::violation::ScreenUse;

/// The type of an input file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InputKind {
    Cassette,
    Cast,
    State,
    Vt2,
    Ansi,
    Tape,
    /// `screentest.toml`.
    Config,
    /// Assertions about the recording `seed.cassette`.
    Assertions,
    /// Messages of a server, as `recording.start` writes them.
    Messages,
    Theme,
    Tokens,
    /// Output of a program.
    Output,
    /// Requests on stdin of a server.
    Requests,
    /// A folder of artifacts, with snapshots to review.
    Artifacts,
    /// A word of the command line.
    Word,
}

impl InputKind {
    pub(super) const ALL: [InputKind; 15] = [
        InputKind::Cassette,
        InputKind::Cast,
        InputKind::State,
        InputKind::Vt2,
        InputKind::Ansi,
        InputKind::Tape,
        InputKind::Config,
        InputKind::Assertions,
        InputKind::Messages,
        InputKind::Theme,
        InputKind::Tokens,
        InputKind::Output,
        InputKind::Requests,
        InputKind::Artifacts,
        InputKind::Word,
    ];

    /// Returns the usual name of a file of this kind.
    pub(super) fn file_name(self) -> &'static str {
        match self {
            InputKind::Cassette => "in.cassette",
            InputKind::Cast => "in.cast",
            InputKind::State => "in.json",
            InputKind::Vt2 => "in.vt2",
            InputKind::Ansi => "in.ansi.txt",
            InputKind::Tape => "in.tape",
            InputKind::Config => "screentest.toml",
            InputKind::Assertions => "in.assertions.toml",
            InputKind::Messages => "in.jsonl",
            InputKind::Theme => "in.theme.json",
            InputKind::Tokens => "in.tokens",
            InputKind::Output => "in.raw",
            InputKind::Requests => "in.requests",
            InputKind::Artifacts => "artifacts",
            InputKind::Word => "word",
        }
    }
}

/// A command line of the tool.
#[derive(Debug)]
pub(super) struct ToolCommand {
    pub(super) kind: InputKind,
    /// Words separated by spaces: `IN` is the input, and `OUT` begins the name of an output file.
    /// `sh: SCRIPT` is a shell script in which `$0` is the tool and `$1` the input.
    pub(super) line: &'static str,
    pub(super) screen_use: ScreenUse,
    /// Whether the quick run includes it.
    pub(super) quick: bool,
    /// Whether it may change its input, which is then made again.
    pub(super) changes_input: bool,
    /// Whether it is documented to exit with codes other than 0, 1 and 2.
    pub(super) has_own_exits: bool,
}

const fn command(kind: InputKind, line: &'static str) -> ToolCommand {
    ToolCommand {
        kind,
        line,
        screen_use: ScreenUse::Lines,
        quick: false,
        changes_input: false,
        has_own_exits: false,
    }
}

impl ToolCommand {
    const fn quick(self) -> ToolCommand {
        ToolCommand {
            quick: true,
            ..self
        }
    }

    const fn draws(self, screen_use: ScreenUse) -> ToolCommand {
        ToolCommand { screen_use, ..self }
    }

    const fn own_exits(self) -> ToolCommand {
        ToolCommand {
            has_own_exits: true,
            ..self
        }
    }

    const fn changes_input(self) -> ToolCommand {
        ToolCommand {
            changes_input: true,
            ..self
        }
    }
}

const FULL: ScreenUse = ScreenUse::FullScreen;
const PROGRAM: ScreenUse = ScreenUse::Program;

pub(super) const COMMANDS: &[ToolCommand] = &[
    command(InputKind::Cassette, "cassette verify IN").quick(),
    command(InputKind::Cassette, "cassette verify --any-emulator IN"),
    command(InputKind::Cassette, "cassette inspect IN"),
    command(
        InputKind::Cassette,
        "cassette inspect --any-emulator --at 0 IN",
    )
    .quick(),
    command(
        InputKind::Cassette,
        "cassette check --new --any-emulator --assertions OUT.toml IN",
    ),
    command(
        InputKind::Cassette,
        "cassette cut --to 0.1 -o OUT.cassette IN",
    ),
    command(InputKind::Cassette, "cassette scrub -o OUT.cassette IN"),
    command(InputKind::Cassette, "cassette compare-backends IN"),
    command(InputKind::Cassette, "cassette recover IN").changes_input(),
    command(InputKind::Cassette, "convert --any-emulator IN"),
    command(InputKind::Cassette, "convert --format sketch IN"),
    command(InputKind::Cassette, "convert --format json IN"),
    command(InputKind::Cassette, "convert --format ansi IN").draws(PROGRAM),
    command(InputKind::Cassette, "convert -o OUT.cast IN"),
    command(InputKind::Cassette, "convert -o OUT.tape IN"),
    command(InputKind::Cassette, "render-text IN"),
    command(InputKind::Cassette, "render --any-emulator -o OUT.png IN"),
    command(InputKind::Cassette, "render -o OUT.gif IN").draws(FULL),
    command(
        InputKind::Cassette,
        "replay --any-emulator --show-input --speed as-fast-as-possible IN",
    )
    .draws(FULL),
    command(
        InputKind::Cassette,
        "sh: \"$0\" impersonate \"$1\" </dev/null >/dev/null",
    )
    .own_exits(),
    command(InputKind::Cast, "convert IN").quick(),
    command(InputKind::Cast, "convert --format json IN"),
    command(InputKind::Cast, "convert -o OUT.cassette IN"),
    command(InputKind::Cast, "convert -o OUT.cast IN"),
    command(InputKind::Cast, "render -o OUT.png IN"),
    command(InputKind::Cast, "render -o OUT.gif IN").draws(FULL),
    command(InputKind::Cast, "render-text IN"),
    command(InputKind::Cast, "replay --speed as-fast-as-possible IN").draws(FULL),
    command(InputKind::State, "convert IN"),
    command(InputKind::State, "convert --format json IN").quick(),
    command(InputKind::State, "convert --format ansi IN").draws(PROGRAM),
    command(InputKind::State, "convert -o OUT.vt2 IN"),
    command(InputKind::State, "render -o OUT.png IN"),
    command(InputKind::State, "render -o OUT.html IN"),
    command(InputKind::State, "render-text IN"),
    command(InputKind::Vt2, "convert IN").quick(),
    command(InputKind::Vt2, "convert --format json IN"),
    command(InputKind::Vt2, "render -o OUT.svg IN"),
    command(InputKind::Vt2, "render-text IN"),
    command(InputKind::Ansi, "convert IN").quick(),
    command(InputKind::Ansi, "convert --from ansi --format json IN"),
    command(InputKind::Ansi, "render --from ansi -o OUT.png IN"),
    command(InputKind::Ansi, "render-text --from ansi IN"),
    command(InputKind::Tape, "validate IN").quick(),
    command(InputKind::Tape, "validate --json IN"),
    command(InputKind::Tape, "fmt --check IN"),
    command(InputKind::Tape, "sh: \"$0\" fmt - <\"$1\""),
    command(InputKind::Tape, "fmt IN").changes_input(),
    command(InputKind::Tape, "run --list IN"),
    // Progress bars.
    command(InputKind::Tape, "run --fast IN").draws(FULL).changes_input(),
    command(
        InputKind::Tape,
        "run --fast --reporter github --reporter html=OUT.html --reporter junit=OUT.xml IN",
    )
    .draws(FULL)
    .changes_input(),
    command(InputKind::Tape, "run --fast --reporter json IN").draws(FULL).changes_input(),
    command(InputKind::Config, "run --list").quick(),
    command(InputKind::Config, "fmt --check"),
    command(InputKind::Config, "validate"),
    command(
        InputKind::Assertions,
        "cassette check --assertions IN seed.cassette",
    )
    .quick(),
    command(
        InputKind::Assertions,
        "cassette check --json --any-emulator --assertions IN seed.cassette",
    ),
    command(
        InputKind::Assertions,
        "cassette check --bind --assertions IN seed.cassette",
    )
    .changes_input(),
    command(InputKind::Messages, "replay --speed as-fast-as-possible IN")
        .draws(FULL)
        .quick(),
    command(
        InputKind::Theme,
        "render --theme IN --format svg -o OUT.svg seed.json",
    )
    .quick(),
    command(
        InputKind::Theme,
        "convert --theme IN --format json seed.json",
    ),
    command(
        InputKind::Tokens,
        "sh: timeout --foreground --preserve-status 2 \"$0\" web --token-file \"$1\" </dev/null >/dev/null",
    )
    .quick(),
    command(InputKind::Output, "snap -- cat IN").quick(),
    command(InputKind::Output, "snap --format json -- cat IN"),
    command(
        InputKind::Output,
        "snap --wait nothing --timeout 0.2 -- cat IN",
    ),
    command(InputKind::Output, "record -o OUT.cassette -- cat IN").draws(PROGRAM),
    command(InputKind::Output, "record -o OUT.cast -- cat IN").draws(PROGRAM),
    command(
        InputKind::Output,
        "sh: \"$0\" record -o out.cassette -- cat \"$1\" >/dev/null; \"$0\" cassette verify out.cassette && \"$0\" cassette inspect out.cassette",
    ),
    command(
        InputKind::Requests,
        "sh: \"$0\" server --artifact-dir out <\"$1\" >/dev/null",
    )
    .quick(),
    command(InputKind::Requests, "sh: \"$0\" mcp <\"$1\" >/dev/null"),
    command(InputKind::Artifacts, "review --list").quick(),
    command(InputKind::Artifacts, "review --list --json"),
    command(InputKind::Artifacts, "review").draws(FULL),
    command(InputKind::Artifacts, "review --accept-all").changes_input(),
    command(InputKind::Artifacts, "review --reject-all").changes_input(),
    command(InputKind::Artifacts, "run --last-failed --list"),
    command(InputKind::Word, "convert IN").quick(),
    command(InputKind::Word, "render IN"),
    command(InputKind::Word, "render-text IN"),
    command(InputKind::Word, "replay IN"),
    command(InputKind::Word, "run IN"),
    command(InputKind::Word, "validate IN"),
    command(InputKind::Word, "fmt IN"),
    command(InputKind::Word, "new IN").changes_input(),
    command(InputKind::Word, "cassette verify IN"),
    command(InputKind::Word, "cassette inspect --mark IN seed.cassette"),
    command(
        InputKind::Word,
        "cassette cut --from IN -o OUT.cassette seed.cassette",
    ),
    command(InputKind::Word, "cassette check IN"),
    command(InputKind::Word, "snap -- IN"),
    command(InputKind::Word, "snap --key IN -- true"),
    command(InputKind::Word, "snap --cwd IN -- true"),
    command(InputKind::Word, "snap --env IN -- true"),
    command(InputKind::Word, "record -o OUT.cassette -- IN"),
    command(InputKind::Word, "impersonate IN").own_exits(),
    command(InputKind::Word, "review IN"),
    command(InputKind::Word, "convert --format IN seed.json"),
    command(InputKind::Word, "convert -o IN seed.json"),
    command(InputKind::Word, "convert --cols IN seed.json"),
    command(InputKind::Word, "render --theme IN seed.json"),
    command(InputKind::Word, "render --font IN seed.json"),
    command(InputKind::Word, "run --grep IN"),
    command(InputKind::Word, "run --reporter IN"),
    command(InputKind::Word, "run --shard IN"),
    command(InputKind::Word, "themes IN"),
    command(InputKind::Word, "completions IN"),
    command(InputKind::Word, "view --session IN").own_exits(),
    command(InputKind::Word, "type --session IN x").own_exits(),
    command(InputKind::Word, "IN"),
    command(InputKind::Word, "--IN"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_input_is_read_by_a_command_of_the_quick_run() {
        for kind in InputKind::ALL {
            let mut quick = COMMANDS.iter().filter(|command| command.quick);
            assert!(quick.any(|command| command.kind == kind), "{kind:?}");
        }
    }
}
