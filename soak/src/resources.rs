//! Measures the resources of this process and its children: threads, descriptors, processes, files
//! and memory.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Resources of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Resources {
    pub(crate) threads: usize,
    pub(crate) descriptors: usize,
}

impl Resources {
    pub(crate) fn take() -> Result<Resources> {
        let count = |path| Ok::<_, anyhow::Error>(fs::read_dir(path).context(path)?.count());
        Ok(Resources {
            threads: count("/proc/self/task")?,
            descriptors: count("/proc/self/fd")?,
        })
    }
}

/// Returns the private memory of this process in KiB.
pub(crate) fn memory() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let line = line.context("the kernel does not report `RssAnon`")?;
    let number = line.trim().trim_end_matches(" kB");
    number.parse().with_context(|| format!("`RssAnon:{line}`"))
}

/// Returns the processes with a working directory in a folder, each with its command. Zombies have
/// no working directory and are not included.
pub(crate) fn processes(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let of_us = |entry: fs::DirEntry| {
        let path = entry.path();
        let cwd = fs::read_link(path.join("cwd")).ok()?;
        let command = fs::read_to_string(path.join("cmdline")).unwrap_or_default();
        // If the folder was removed before the process ended, the kernel appends ` (deleted)` to
        // its name.
        cwd.starts_with(folder).then(|| {
            let pid = entry.file_name();
            format!(
                "{} ({})",
                pid.to_string_lossy(),
                command.replace('\0', " ").trim()
            )
        })
    };
    entries.flatten().filter_map(of_us).collect()
}

/// Returns the files that this process left in the temporary folder, except `but`.
pub(crate) fn temporary_files(but: &Path) -> Result<Vec<String>> {
    // A dash follows the id, so that 12 does not match 123.
    let ours = format!("-{}-", std::process::id());
    let mut left = Vec::new();
    for entry in fs::read_dir(std::env::temp_dir())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("screentest") && name.contains(&ours) && entry.path() != but {
            left.push(name);
        }
    }
    Ok(left)
}
