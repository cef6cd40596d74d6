//! Process information from the kernel: parents, memory and processor time.

use std::collections::BTreeMap;
use std::fs;

/// Returns a process and all its descendants.
pub(crate) fn process_tree(head: u32) -> Vec<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").expect("Linux").flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        if let Some(parent) = parent_of(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut all = vec![head];
    let mut at = 0;
    while at < all.len() {
        all.extend(children.get(&all[at]).into_iter().flatten());
        at += 1;
    }
    all
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1)?.parse().ok()
}

/// Returns the name of a process.
pub(crate) fn name_of(pid: u32) -> String {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.trim().to_owned()
}

/// Returns the proportional set size in KiB.
pub(crate) fn proportional(pid: u32) -> f64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = rollup.lines().find(|line| line.starts_with("Pss:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|word| word.parse().ok()).unwrap_or(0.0)
}

/// Returns the processor time of the main thread in nanoseconds.
pub(crate) fn cpu_time(pid: u32) -> f64 {
    let schedule = fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
    let number = schedule.split_whitespace().next();
    number.and_then(|word| word.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_in_the_tree_of_its_parent_and_has_memory() {
        let me = std::process::id();
        let parent = parent_of(me).unwrap();
        assert!(process_tree(parent).contains(&me));
        assert_eq!(process_tree(me)[0], me);
        assert!(proportional(me) > 100.0);
        assert!(cpu_time(me) > 0.0);
    }
}
