//! `cargo xtask tidy`: the rules that no lint can check.
//!
//! The rules are the tables below; each file in `tidy/` checks one kind of rule as a function of
//! text.

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};

use crate::tree::{self, File};

mod comments;
mod crates;
mod dependencies;
mod layers;
mod length;
mod markdown;
mod modules;
mod source;
mod words;

/// Files that may name a foreign crate, given as path prefixes, and the reason.
struct CrateRule {
    crates: &'static [&'static str],
    only: &'static [&'static str],
    reason: &'static str,
}

const CRATES: [CrateRule; 15] = [
    CrateRule {
        crates: &["vte"],
        only: &[
            "crates/core/src/emulator/vt.rs",
            "crates/core/src/emulator/vt/",
            "crates/core/benches/",
        ],
        reason: "only the emulator module may depend on an emulator crate",
    },
    CrateRule {
        crates: &["alacritty_terminal"],
        only: &["crates/core/src/emulator/vt/tests/", "crates/core/benches/"],
        reason: "it is only compared with: in a differential test and in a benchmark",
    },
    CrateRule {
        crates: &["avt"],
        only: &["crates/core/src/emulator/avt.rs"],
        reason: "only the emulator module may depend on an emulator crate",
    },
    CrateRule {
        crates: &["anyhow", "clap"],
        only: &["conformance/", "crates/cli/", "soak/", "xtask/"],
        reason: "libraries return typed errors and parse no command lines",
    },
    CrateRule {
        crates: &["crossterm", "ratatui"],
        only: &[
            "crates/cli/src/commands/impersonate/",
            "crates/cli/src/commands/record/",
            "crates/cli/src/commands/replay/",
            "crates/cli/src/review/",
            "crates/cli/src/run/progress/",
            "crates/cli/src/shell/attach/",
            "examples/",
        ],
        reason: "only commands draw on the real terminal; the library has few dependencies",
    },
    CrateRule {
        crates: &["signal_hook"],
        only: &[
            "crates/cli/src/signals.rs",
            "crates/cli/src/commands/impersonate/",
            "crates/cli/src/output/cleanup.rs",
            "crates/cli/src/commands/record/",
            "crates/cli/src/commands/server.rs",
            "crates/cli/src/shell/attach/",
            "examples/",
        ],
        reason: "signals are handled only where a cleanup must run first",
    },
    CrateRule {
        crates: &["libc", "rustix"],
        only: &[
            "crates/screentest/src/session/deferred_wake.rs",
            "crates/screentest/src/recording/cassette/directory/paths.rs",
            "crates/screentest/src/recording/fake_program/replayed_pty.rs",
            "crates/screentest/src/file_limit.rs",
            "crates/screentest/src/pty",
            "crates/screentest/src/pty/signal.rs",
            "crates/server/src/service/request_thread.rs",
            "crates/server/src/stdio/hangup.rs",
            "crates/server/src/web/auth.rs",
            "crates/cli/benches/",
            "crates/cli/src/commands/impersonate.rs",
            "crates/cli/src/shell/",
            "crates/cli/tests/",
            "crates/core/benches/",
            "crates/render/benches/",
            "crates/screentest/benches/",
            "crates/screentest/tests/",
            "bench/peers/",
            "conformance/src/xterm/",
            "xtask/src/hostile/process.rs",
        ],
        reason: "system calls are kept in few places",
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
        reason: "fonts are selected in one place",
    },
    CrateRule {
        crates: &["swash"],
        only: &["crates/render/src/font/", "crates/render/src/glyph/"],
        reason: "painting code uses glyphs, not fonts",
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
        reason: "only the encoder of a format uses its crate",
    },
    CrateRule {
        crates: &["png"],
        only: &[
            "crates/render/src/formats/apng.rs",
            "crates/render/src/formats/png.rs",
            "crates/render/tests/",
            "bench/peers/",
        ],
        reason: "only the encoder of a format uses its crate",
    },
    CrateRule {
        crates: &["image_webp"],
        only: &["crates/render/src/formats/webp.rs", "crates/render/tests/"],
        reason: "only the encoder of a format uses its crate",
    },
    CrateRule {
        crates: &["quick_junit"],
        only: &["crates/cli/src/run/reporter/junit.rs"],
        reason: "only the encoder of a format uses its crate",
    },
    CrateRule {
        crates: &["notify"],
        only: &["crates/cli/src/run/file_watcher.rs"],
        reason: "system calls are kept in few places",
    },
    CrateRule {
        crates: &["axum", "rmcp", "tokio"],
        only: &["crates/server/", "bench/peers/"],
        reason: "the library uses threads and has few dependencies",
    },
];

/// Files that may not name some modules of their own crate, given as path prefixes, and the reason.
struct LayerRule {
    below: &'static [&'static str],
    modules: &'static [&'static str],
    reason: &'static str,
}

const LAYERS: [LayerRule; 1] = [LayerRule {
    below: &[
        "crates/screentest/src/app",
        "crates/screentest/src/pty",
        "crates/screentest/src/session",
    ],
    modules: &["recording", "test"],
    reason: "a session knows neither what records it nor what tests it; \
             see `SessionObserver` and `ProgramSubstitute`",
}];

/// Words that code must not contain, and the alternative.
const WORDS: [(&str, &str); 3] = [
    ("todo!", "write it or remove it"),
    (
        "#[ignore",
        "an ignored test proves nothing; make it quick or raise its counts with SCREENTEST_FULL",
    ),
    ("thread::sleep", "wait for a condition, or own the clock"),
];

/// Excluded, because these files contain the words and names as rules and tests.
const RULES: &str = "xtask/src/tidy";

/// Files with more lines, excluding tests, are reported: they may contain a second idea.
const LONG: usize = 600;

/// At least one of these pages must link to each page of a format.
const INDEXES: [&str; 2] = ["README.md", "ARCHITECTURE.md"];
const FORMATS: &str = "docs/formats/";

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    path: String,
    /// From 1; 0 for the whole file.
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

/// Checks the project and prints every violation with its location.
pub(crate) fn run() -> Result<()> {
    let code = tree::files(".rs")?;
    let pages = tree::files(".md")?;
    for warning in length::warnings(&code, LONG) {
        println!("warning: {warning}");
    }
    let mut findings = findings(&code, &pages, |path| Path::new(path).exists());
    findings.extend(dependencies::findings()?);
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        1 => bail!("1 violation"),
        many => bail!("{many} violations"),
    }
}

fn findings(code: &[File], pages: &[File], exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in code.iter().filter(|file| !file.path.starts_with(RULES)) {
        findings.extend(comments::findings(file));
        findings.extend(crates::findings(file, &CRATES));
        findings.extend(layers::findings(file, &LAYERS));
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
