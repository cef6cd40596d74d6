//! The processes: Xvfb and xterm.

use std::io::{BufRead, BufReader};
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// xterm's settings. Everything else is as on a Debian system without settings of a user.
const RESOURCES: [&str; 15] = [
    // All reports and window operations.
    "allowWindowOps: true",
    "allowTitleOps: true",
    "allowColorOps: true",
    "allowTcapOps: true",
    // The terminal that has all of xterm's sequences.
    "decTerminalID: 420",
    // Titles are reported as UTF-8.
    "utf8Title: true",
    // Letters and marks stay apart, as they were written.
    "precompose: false",
    // A bold red is reported as red, not as the bright red in which it would be drawn.
    "boldColors: false",
    // What XTGETTCAP reports.
    "termName: xterm-256color",
    "printAttributes: 0",
    "printerAutoClose: true",
    // As in our emulator.
    "alternateScroll: true",
    "cursorBlink: false",
    "saveLines: 1000",
    // A font that every X server has.
    "font: fixed",
];

/// Both processes. They end when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    server: Child,
    xterm: Option<Child>,
    /// xterm's home and printer.
    _folder: TempDir,
}

impl Process {
    /// Starts a display and xterm on it, reading the terminal `name`, whose other end is
    /// `terminal`.
    pub(super) fn start(
        folder: TempDir,
        name: &str,
        terminal: &OwnedFd,
        printer: &str,
    ) -> Result<Process> {
        // The server writes the number of its display to stdout, and ends with its last client.
        let mut server = command("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "4000x3000x24"])
            .args(["-nolisten", "tcp", "-terminate"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start Xvfb")?;
        let output = server.stdout.take();
        let mut process = Process {
            server,
            xterm: None,
            _folder: folder,
        };
        let mut display = String::new();
        if let Some(output) = output {
            BufReader::new(output).read_line(&mut display)?;
        }
        let display = display.trim();
        if display.is_empty() {
            bail!("Xvfb did not start");
        }
        let home = process._folder.path();
        let mut xterm = command("xterm");
        for resource in RESOURCES {
            xterm.args(["-xrm", &format!("XTerm*{resource}")]);
        }
        xterm
            .args(["-xrm", &format!("XTerm*printerCommand: {printer}")])
            .args(["-u8", "-geometry", "80x24"])
            .arg(format!("-S{name}/{}", terminal.as_raw_fd()))
            .env_clear()
            .env("DISPLAY", format!(":{display}"))
            .env("HOME", home)
            .env("LANG", "C.UTF-8")
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        process.xterm = Some(xterm.spawn().context("cannot start xterm")?);
        Ok(process)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        for child in self.xterm.iter_mut().chain([&mut self.server]) {
            // Either may have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "starts a display and a terminal, which run in no terminal"
)]
fn command(program: &str) -> Command {
    Command::new(program)
}
