//! `--watch`: tapes are run again when they change, or what they source.
//!
//! What changed while tapes ran is not lost: it is run next. A changed screentest.toml runs all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::Run;
use super::file_watcher::{Watch, told_as};
use super::interrupt::Ending;
use super::select::Chosen;
use super::tape_result::counted;
use crate::config::Config;
use crate::failure::{self, Failure};

/// The files of each tape by its name, as they are told of.
type Files = BTreeMap<String, BTreeSet<PathBuf>>;

/// Runs tapes until a signal ends us.
pub(super) fn run(
    run: &Run,
    mut config: Config,
    mut chosen: Vec<Chosen>,
    ending: Ending,
) -> Result<(), Failure> {
    if chosen.iter().any(Chosen::is_stdin) {
        let fault = anyhow::anyhow!("stdin cannot be watched");
        return Err(Failure::usage(fault).hint("name a file, or leave out `--watch`"));
    }
    let mut watch = Watch::new()?;
    let mut files = Files::new();
    let mut due = chosen.clone();
    // What has changed since tapes were chosen last: it is still due when what is wrong meanwhile has been put right.
    let mut changed = BTreeSet::new();
    loop {
        for one in &chosen {
            watch.follow(&one.path)?;
            let own = files.entry(one.name.clone()).or_default();
            own.insert(told_as(&one.path));
        }
        let toml = config.path.clone();
        toml.iter().try_for_each(|path| watch.follow(path))?;
        if !due.is_empty() {
            let went = run.round(&config, &due, &ending, &mut |script| {
                let own = files.entry(script.name().to_owned()).or_default();
                for path in script.sourced() {
                    own.insert(told_as(path));
                    watch.follow(path)?;
                }
                Ok(())
            });
            if ending.interrupt().is_raised() {
                ending.leave();
                return went;
            }
            if let Err(failure) = went {
                failure.print();
            }
            let tapes = counted(chosen.len(), "tape");
            failure::note(&format!("watching {tapes}; Ctrl+C ends it"));
        }
        let toml = toml.map(|path| told_as(&path));
        let next = watch.next(|path| {
            let new = || {
                let tape = path.extension().is_some_and(|ending| ending == "tape");
                tape && run.tapes.is_empty()
            };
            let known = files.values().any(|own| own.contains(path));
            known || toml.as_deref() == Some(path) || new()
        })?;
        changed.extend(next);
        let found = Config::find().and_then(|config| {
            let chosen = run.chosen(&config)?;
            Ok((config, chosen.tapes))
        });
        let all = toml.is_some_and(|toml| changed.contains(&toml));
        match found {
            Ok(found) => (config, chosen) = found,
            Err(failure) => {
                failure.print();
                due = Vec::new();
                continue;
            }
        }
        let is_due = |one: &&Chosen| match files.get(&one.name) {
            Some(own) => all || !own.is_disjoint(&changed),
            None => true,
        };
        due = chosen.iter().filter(is_due).cloned().collect();
        changed.clear();
    }
}
