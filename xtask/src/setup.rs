//! Installs what the tests need beyond Rust: the real programs that they drive, a browser, and
//! packages of Python and Node.
//!
//! Missing packages are installed where this needs no password (as root on Debian, as on CI);
//! elsewhere the command to type is printed. Tests do not skip themselves if a program is missing,
//! since that would hide failures.

use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::node::{self, Scripts};
use crate::python;
use crate::step::CommandLine;
use crate::tree;

/// Programs, each with its Debian package.
const PROGRAMS: [(&str, &str); 18] = [
    ("vim", "vim"),
    ("less", "less"),
    ("top", "procps"),
    ("htop", "htop"),
    ("nano", "nano"),
    ("dialog", "dialog"),
    ("bash", "bash"),
    ("tmux", "tmux"),
    ("script", "bsdutils"),
    ("infocmp", "ncurses-bin"),
    ("ffmpeg", "ffmpeg"),
    ("ffprobe", "ffmpeg"),
    ("asciinema", "asciinema"),
    ("xmllint", "libxml2-utils"),
    ("python3", "python3-venv"),
    ("node", "nodejs"),
    ("npm", "npm"),
    ("chromium", "chromium"),
];

/// The programs for `cargo xtask bench --peers`, including the compilers that build the others.
const PEERS: [(&str, &str); 9] = [
    ("tmux", "tmux"),
    ("asciinema", "asciinema"),
    ("script", "bsdutils"),
    ("cc", "gcc"),
    ("g++", "g++"),
    ("make", "make"),
    ("pkg-config", "pkg-config"),
    ("node", "nodejs"),
    ("npm", "npm"),
];
/// The programs for `cargo xtask conformance`: the oracle and a display for it.
const XTERM: [(&str, &str); 2] = [("xterm", "xterm"), ("Xvfb", "xvfb")];
/// Required files: a header that one of the peers needs, and a font for its pictures.
const PEER_FILES: [(&str, &str); 2] = [
    ("/usr/include/fontconfig/fontconfig.h", "libfontconfig-dev"),
    (
        "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
        "fonts-dejavu-core",
    ),
];

/// The terminfo entry, the folders where it may be, and its package.
const TERMINFO: &str = "x/xterm-256color";
const TERMINFO_FOLDERS: [&str; 4] = [
    "/etc/terminfo",
    "/lib/terminfo",
    "/usr/lib/terminfo",
    "/usr/share/terminfo",
];
const TERMINFO_PACKAGE: &str = "ncurses-base";

/// Folder below `target` of a Python with the official MCP SDK, which is the independent client of
/// `screentest mcp`.
const MCP_SDK: &str = "mcp-sdk";
/// Fixed, because the tests depend on the version.
const MCP_PACKAGE: &str = "mcp==2.3.0";

/// Folder below `target` of a Python with schemathesis, which sends `screentest web` requests that
/// it generates from the OpenAPI document.
const SCHEMATHESIS: &str = "schemathesis";
const SCHEMATHESIS_PACKAGE: &str = "schemathesis==4.32.5";

/// Folder below `target` of the packages that drive the page in a browser and check its types.
const PAGE_TOOLS: &str = "page-tools";
const PAGE_PACKAGES: [(&str, &str); 2] = [("playwright-core", "1.65.0"), ("typescript", "7.0.2")];

/// Folder below `target` of a Python with the packages of the apps in `examples/apps`.
const PYTHON_APPS: &str = "python-apps";
const PYTHON_APPS_PACKAGES: &str = "textual==8.2.8 prompt_toolkit==3.0.53";

/// Folder below `target` of the packages of the Node apps. Ink 7 and later need Node 22, which
/// Debian does not have yet.
const INK_APPS: &str = "ink-apps";
const INK_APPS_PACKAGES: [(&str, &str); 4] = [
    ("ink", "6.8.0"),
    ("ink-select-input", "6.2.0"),
    ("ink-text-input", "6.0.0"),
    ("react", "19.2.0"),
];

/// The Node app, which imports these packages.
const INK_FORM: &str = "ink_form.mjs";

/// Installs missing packages, or prints the command.
pub(crate) fn run() -> Result<()> {
    programs()?;
    apps()?;
    python::with(MCP_SDK, MCP_PACKAGE, "from mcp import Client")?;
    python::with(SCHEMATHESIS, SCHEMATHESIS_PACKAGE, "import schemathesis")?;
    node::with(PAGE_TOOLS, &PAGE_PACKAGES, Scripts::Forbidden)?;
    Ok(())
}

/// Installs the packages that the apps in `examples/apps` import.
pub(crate) fn apps() -> Result<()> {
    let check = "import prompt_toolkit, textual";
    python::with(PYTHON_APPS, PYTHON_APPS_PACKAGES, check)?;
    node::with(INK_APPS, &INK_APPS_PACKAGES, Scripts::Forbidden)?;
    // Node searches packages relative to the file that imports them.
    let link = tree::root().join("target").join(INK_APPS).join(INK_FORM);
    if !link.exists() {
        let app = tree::root().join("examples/apps").join(INK_FORM);
        symlink(app, &link).with_context(|| format!("cannot make {}", link.display()))?;
    }
    Ok(())
}

/// Installs missing programs.
pub(crate) fn programs() -> Result<()> {
    let missing = missing(is_there, Path::exists);
    if missing.is_empty() {
        Ok(())
    } else {
        install("testing", &missing.join(" "))
    }
}

/// Installs the programs that we are compared with, and the compilers for those that are built.
pub(crate) fn peers() -> Result<()> {
    let programs = PEERS.iter().filter(|(program, _)| !is_there(program));
    let files = PEER_FILES
        .iter()
        .filter(|(file, _)| !Path::new(file).exists());
    let packages: Vec<&str> = programs.chain(files).map(|(_, package)| *package).collect();
    if packages.is_empty() {
        Ok(())
    } else {
        install("comparing", &packages.join(" "))
    }
}

/// Installs the terminal that our emulator is compared with.
pub(crate) fn xterm() -> Result<()> {
    let missing = XTERM.iter().filter(|(program, _)| !is_there(program));
    let packages: Vec<&str> = missing.map(|(_, package)| *package).collect();
    if packages.is_empty() {
        Ok(())
    } else {
        install("comparing", &packages.join(" "))
    }
}

/// Installs a C++ compiler, which libFuzzer needs.
pub(crate) fn compiler() -> Result<()> {
    if is_there("g++") || is_there("clang++") {
        Ok(())
    } else {
        install("fuzzing", "g++")
    }
}

/// Whether a program is in `PATH`.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Installs packages, or fails with the command to type.
fn install(what: &str, packages: &str) -> Result<()> {
    if !is_there("apt-get") {
        bail!("{what} needs these Debian packages or their equivalents: {packages}");
    }
    let install = format!("apt-get install -y --no-install-recommends {packages}");
    if CommandLine::new("id -u").output()?.stdout.trim_ascii() != b"0" {
        bail!("{what} needs programs that are missing; run: sudo {install}");
    }
    println!("installing {packages}");
    for line in ["apt-get update", &install] {
        let line = CommandLine::new(line).env("DEBIAN_FRONTEND", "noninteractive");
        // The progress output is shown only if the command fails.
        let output = line.output()?;
        if !output.status.success() {
            eprint!("{}", String::from_utf8_lossy(&output.stdout));
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            bail!("`{line}` failed ({})", output.status);
        }
    }
    Ok(())
}

/// Returns the packages to install, each once.
fn missing(
    has_program: impl Fn(&str) -> bool,
    has_file: impl Fn(&Path) -> bool,
) -> Vec<&'static str> {
    let mut packages: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(program, _)| !has_program(program))
        .map(|(_, package)| *package)
        .collect();
    let described = TERMINFO_FOLDERS
        .iter()
        .any(|folder| has_file(&Path::new(folder).join(TERMINFO)));
    if !described {
        packages.push(TERMINFO_PACKAGE);
    }
    packages.dedup();
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_packages_are_installed() {
        let in_lib = |path: &Path| path == Path::new("/lib/terminfo/x/xterm-256color");
        assert_eq!(missing(|_| true, in_lib), [""; 0]);
        assert_eq!(missing(|name| name != "top", in_lib), ["procps"]);
        assert_eq!(missing(|_| true, |_| false), ["ncurses-base"]);
        assert_eq!(missing(|_| false, |_| false).len(), 18);
    }
}
