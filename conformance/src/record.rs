//! Records the programs again: runs their tapes with our own recorder, and keeps the output.
//!
//! The programs run in a fixed folder with a fixed environment and host name, so that a recording
//! says nothing about the machine: `/tmp/demo` is a copy of `programs/demo`, and the home. Its
//! folder `apps` is a copy of `examples/apps`. `/tmp/demo-tools` has links to the programs of this
//! project (`bin`) and to the packages of Ink (`ink`).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use conformance::program;
use conformance::suite::{PROGRAMS, Suite, entries, name};

const DEMO: &str = "/tmp/demo";
const TOOLS: &str = "/tmp/demo-tools";

/// Records the programs whose name contains one of `texts`, or all.
pub(crate) fn run(texts: &[String]) -> Result<()> {
    let root = Suite::folder();
    let project = root.parent().context("the package is in no project")?;
    let mut failed = Vec::new();
    for group in entries(&root.join(PROGRAMS), "")? {
        for tape in entries(&group, "tape")? {
            let program = name(&tape);
            if !texts.is_empty() && !texts.iter().any(|text| program.contains(text)) {
                continue;
            }
            match record(project, &tape) {
                Ok(summary) => println!("{program}: {summary}"),
                Err(error) => {
                    let packages = packages(&tape)?;
                    println!("{program} (Debian packages: {packages}): {error:#}");
                    failed.push(program);
                }
            }
        }
    }
    for folder in [DEMO, TOOLS] {
        let _ = fs::remove_dir_all(folder);
    }
    if !failed.is_empty() {
        bail!("not recorded: {}", failed.join(", "));
    }
    Ok(())
}

fn record(project: &Path, tape: &Path) -> Result<String> {
    let demo = prepare(project)?;
    let recording = demo.join("recording.cast");
    let target = project.join("target");
    let python = target.join("python-apps/bin");
    let path = format!("{}:/usr/bin:/bin:/usr/games", python.display());
    // A namespace with its own host name.
    let output = command(Path::new("unshare"))
        .args(["--user", "--map-root-user", "--uts", "sh", "-c"])
        .args(["hostname demo && exec \"$@\"", "sh"])
        .arg(target.join("debug/screentest"))
        .args(["run", "-o"])
        .arg(&recording)
        .arg(tape)
        .env_clear()
        .envs([("PATH", path.as_str()), ("HOME", DEMO), ("USER", "demo")])
        .envs([("SHELL", "/bin/bash"), ("HOSTNAME", "demo"), ("PS1", "$ ")])
        .envs([("TZ", "UTC"), ("PYTHONDONTWRITEBYTECODE", "1")])
        .current_dir(&demo)
        .output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let reduced = program::reduce(&fs::read(&recording)?).map_err(anyhow::Error::msg)?;
    let file = program::write(&reduced);
    fs::write(tape.with_extension("cast"), &file)?;
    let checkpoints = reduced.checkpoints().count();
    Ok(format!("{} bytes, {checkpoints} checkpoints", file.len()))
}

/// Returns the packages that a tape names in its first line.
fn packages(tape: &Path) -> Result<String> {
    let text = fs::read_to_string(tape)?;
    let first = text.lines().next().unwrap_or_default();
    Ok(first
        .strip_prefix("# Debian: ")
        .unwrap_or("none")
        .to_owned())
}

/// Creates the folder in which programs run.
fn prepare(project: &Path) -> Result<PathBuf> {
    let demo = PathBuf::from(DEMO);
    for folder in [demo.as_path(), Path::new(TOOLS)] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir(folder)?;
    }
    copy(&Suite::folder().join(PROGRAMS).join("demo"), &demo)?;
    let apps = demo.join("apps");
    fs::create_dir(&apps)?;
    copy(&project.join("examples/apps"), &apps)?;
    for (name, place) in [("ink", "target/ink-apps"), ("bin", "target/debug")] {
        symlink(project.join(place), Path::new(TOOLS).join(name))?;
    }
    Ok(demo)
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "runs our own recorder, which makes the terminal itself"
)]
fn command(program: &Path) -> Command {
    Command::new(program)
}
