//! `--watch`: runs tapes again when they, or the files they source, change.
//!
//! Changes during a run are not lost; they trigger the next run. A change of screentest.toml runs
//! all tapes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::Run;
use super::file_watcher::{FileWatcher, watched_path};
use super::interrupt::SignalInterrupt;
use super::select::SelectedTape;
use super::tape_result::counted;
use crate::config::Config;
use crate::failure::{self, Failure};

/// The files of each tape, by its name, as the watcher reports them.
type Files = BTreeMap<String, BTreeSet<PathBuf>>;

/// Runs tapes until a signal ends the process.
pub(super) fn run(
    run: &Run,
    mut config: Config,
    mut selected: Vec<SelectedTape>,
    signals: SignalInterrupt,
) -> Result<(), Failure> {
    if selected.iter().any(SelectedTape::is_stdin) {
        let error = anyhow::anyhow!("cannot watch stdin");
        return Err(Failure::usage(error).hint("name a file, or omit `--watch`"));
    }
    let mut watcher = FileWatcher::new()?;
    let mut files = Files::new();
    let mut due = selected.clone();
    // Changes since tapes were last selected. They are kept while the configuration is invalid.
    let mut changed = BTreeSet::new();
    loop {
        for tape in &selected {
            watcher.follow(&tape.path)?;
            let tape_files = files.entry(tape.name.clone()).or_default();
            tape_files.insert(watched_path(&tape.path));
        }
        let toml = config.path.clone();
        toml.iter().try_for_each(|path| watcher.follow(path))?;
        if !due.is_empty() {
            let result = run.run_once(&config, &due, &signals, &mut |script| {
                let tape_files = files.entry(script.name().to_owned()).or_default();
                for path in script.sourced() {
                    tape_files.insert(watched_path(path));
                    watcher.follow(path)?;
                }
                Ok(())
            });
            if signals.interrupt().is_raised() {
                signals.wait_for_exit();
                return result;
            }
            if let Err(failure) = result {
                failure.print();
            }
            let tapes = counted(selected.len(), "tape");
            failure::note(&format!("watching {tapes}; press Ctrl+C to stop"));
        }
        let toml = toml.map(|path| watched_path(&path));
        let next = watcher.next(|path| {
            let is_new_tape = || {
                let tape = path.extension().is_some_and(|end| end == "tape");
                tape && run.tapes.is_empty()
            };
            let is_known = files.values().any(|tape_files| tape_files.contains(path));
            is_known || toml.as_deref() == Some(path) || is_new_tape()
        })?;
        changed.extend(next);
        let reloaded = Config::find().and_then(|config| {
            let selected = run.select_tapes(&config)?;
            Ok((config, selected.tapes))
        });
        let all = toml.is_some_and(|toml| changed.contains(&toml));
        match reloaded {
            Ok(reloaded) => (config, selected) = reloaded,
            Err(failure) => {
                failure.print();
                due = Vec::new();
                continue;
            }
        }
        let is_due = |tape: &&SelectedTape| match files.get(&tape.name) {
            Some(tape_files) => all || !tape_files.is_disjoint(&changed),
            None => true,
        };
        due = selected.iter().filter(is_due).cloned().collect();
        changed.clear();
    }
}
