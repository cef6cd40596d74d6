//! `cargo xtask tidy`: the rules that no lint can check.
//!
//! The tables below hold them; each file in `tidy/` knows how one kind is looked for, as a function of text alone.

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};

use crate::tree::{self, File};

mod crates;
mod length;
mod markdown;
mod modules;
mod source;
mod words;

/// Which files may name a foreign crate, by the beginning of their path, and why no others.
struct CrateRule {
    crates: &'static [&'static str],
    only: &'static [&'static str],
    reason: &'static str,
}

const CRATES: [CrateRule; 14] = [
    CrateRule {
        crates: &["alacritty_terminal", "vte"],
        only: &[
            "crates/core/src/emulator/alacritty.rs",
            "crates/core/src/emulator/alacritty/",
            "crates/core/tests/",
            "crates/core/benches/",
        ],
        reason: "an emulator is hidden behind its trait",
    },
    CrateRule {
        crates: &["avt"],
        only: &["crates/core/src/emulator/avt.rs"],
        reason: "an emulator is hidden behind its trait",
    },
    CrateRule {
        crates: &["anyhow", "clap"],
        only: &["crates/cli/", "soak/", "xtask/"],
        reason: "libraries return typed errors and parse no command lines",
    },
    CrateRule {
        crates: &["crossterm", "ratatui"],
        only: &[
            "crates/cli/src/impersonate/",
            "crates/cli/src/record/",
            "crates/cli/src/replay/",
            "crates/cli/src/review/",
            "crates/cli/src/run/live/",
            "crates/cli/src/shell/attach/",
            "examples/",
        ],
        reason: "a command takes the terminal over; a test author's tree stays small",
    },
    CrateRule {
        crates: &["signal_hook"],
        only: &[
            "crates/cli/src/farewell.rs",
            "crates/cli/src/file_limit.rs",
            "crates/cli/src/impersonate/",
            "crates/cli/src/output/sweep.rs",
            "crates/cli/src/record/",
            "crates/cli/src/server.rs",
            "crates/cli/src/shell/attach/",
            "examples/",
        ],
        reason: "what ends us is heard where something must be put in order first",
    },
    CrateRule {
        crates: &["libc", "rustix"],
        only: &[
            "crates/screentest/src/alarm.rs",
            "crates/screentest/src/cassette/place.rs",
            "crates/screentest/src/file_limit.rs",
            "crates/screentest/src/pty",
            "crates/screentest/src/signal.rs",
            "crates/server/src/stdio/hangup.rs",
            "crates/server/src/web/gate.rs",
            "crates/cli/benches/",
            "crates/cli/src/shell/",
            "crates/cli/tests/",
            "crates/core/benches/",
            "crates/render/benches/",
            "crates/screentest/benches/",
            "crates/screentest/tests/",
            "bench/peers/",
        ],
        reason: "the system is spoken to in one place",
    },
    CrateRule {
        crates: &["dejavu", "fontdb"],
        only: &[
            "crates/render/src/font.rs",
            "crates/render/src/font/",
            "crates/cli/benches/",
            "crates/cli/tests/it/render/",
            "bench/peers/",
        ],
        reason: "where glyphs come from is decided in one place",
    },
    CrateRule {
        crates: &["swash"],
        only: &["crates/render/src/font/", "crates/render/src/glyph/"],
        reason: "whoever paints knows glyphs, not fonts",
    },
    CrateRule {
        crates: &["gif"],
        only: &[
            "crates/render/src/formats/gif.rs",
            "crates/render/src/formats/gif/",
            "crates/render/tests/",
            "crates/render/benches/",
            "bench/peers/",
        ],
        reason: "a format's file alone knows how the format is written",
    },
    CrateRule {
        crates: &["png"],
        only: &[
            "crates/render/src/formats/apng.rs",
            "crates/render/src/formats/png.rs",
            "crates/render/tests/",
            "bench/peers/",
        ],
        reason: "a format's file alone knows how the format is written",
    },
    CrateRule {
        crates: &["image_webp"],
        only: &["crates/render/src/formats/webp.rs", "crates/render/tests/"],
        reason: "a format's file alone knows how the format is written",
    },
    CrateRule {
        crates: &["quick_junit"],
        only: &["crates/cli/src/run/reporter/junit.rs"],
        reason: "a format's file alone knows how the format is written",
    },
    CrateRule {
        crates: &["notify"],
        only: &["crates/cli/src/run/watch.rs"],
        reason: "the system is spoken to in one place",
    },
    CrateRule {
        crates: &["axum", "rmcp", "tokio"],
        only: &["crates/server/", "bench/peers/"],
        reason: "the library uses threads; a test author's tree stays small",
    },
];

/// What no code may say, and what to do instead.
const WORDS: [(&str, &str); 3] = [
    ("todo!", "write it, or leave it out"),
    (
        "#[ignore",
        "a test that does not run proves nothing; make it quick or repeat it under SCREENTEST_FULL",
    ),
    ("thread::sleep", "wait for a condition, or own the clock"),
];

/// Where the rules themselves are written down and tested; they could not be named otherwise.
const RULES: &str = "xtask/src/tidy";

/// From this many lines on, tests aside, a second idea may hide in a file.
const LONG: usize = 600;

/// Formats are found from these pages.
const INDEXES: [&str; 2] = ["README.md", "ARCHITECTURE.md"];
const FORMATS: &str = "docs/formats/";

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    path: String,
    /// From 1; 0 for the file as a whole.
    line: usize,
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            path,
            line,
            message,
        } = self;
        match line {
            0 => write!(f, "{path}: {message}"),
            line => write!(f, "{path}:{line}: {message}"),
        }
    }
}

/// Checks the project; what is wrong is printed, each with its place.
pub(crate) fn run() -> Result<()> {
    let code = tree::files(".rs")?;
    let pages = tree::files(".md")?;
    for warning in length::warnings(&code, LONG) {
        println!("warning: {warning}");
    }
    let findings = findings(&code, &pages, |path| Path::new(path).exists());
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        1 => bail!("one thing is not tidy"),
        many => bail!("{many} things are not tidy"),
    }
}

fn findings(code: &[File], pages: &[File], exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in code.iter().filter(|file| !file.path.starts_with(RULES)) {
        findings.extend(crates::findings(file, &CRATES));
        findings.extend(words::findings(file, &WORDS));
    }
    findings.extend(modules::findings(code));
    for page in pages {
        findings.extend(markdown::dead_links(page, &exists));
        if page.path == "ARCHITECTURE.md" {
            findings.extend(markdown::dead_paths(page, &exists));
        }
    }
    findings.extend(markdown::unlinked(pages, FORMATS, &INDEXES));
    findings
}
