//! The table of inputs and commands, and the list of violations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::commands::InputKind;
use super::process::Connection;
use super::violation::{Violation, ViolationKind};

/// A run and its violations.
#[derive(Debug)]
pub(super) struct RunResult {
    pub(super) kind: InputKind,
    pub(super) input: String,
    pub(super) command: &'static str,
    pub(super) connection: Connection,
    pub(super) violations: Vec<Violation>,
}

impl RunResult {
    /// The order of runs in the report.
    pub(super) fn order(&self) -> (InputKind, &str, &str, bool) {
        let is_pipe = self.connection == Connection::Pipe;
        (self.kind, &self.input, self.command, is_pipe)
    }
}

/// The results of all runs.
#[derive(Debug)]
pub(super) struct Report {
    results: Vec<RunResult>,
}

impl Report {
    pub(super) fn new(results: Vec<RunResult>) -> Report {
        Report { results }
    }

    /// Returns the number of runs with violations.
    pub(super) fn violations(&self) -> usize {
        let results = self.results.iter();
        results.filter(|run| !run.violations.is_empty()).count()
    }

    /// Returns the counts of runs and violations.
    pub(super) fn summary(&self) -> String {
        let inputs: BTreeSet<_> = self
            .results
            .iter()
            .map(|run| (run.kind, &run.input))
            .collect();
        let mut text = format!(
            "{} inputs, {} runs, {} runs with violations\n",
            inputs.len(),
            self.results.len(),
            self.violations()
        );
        for kind in ViolationKind::ALL {
            let all = self.results.iter().flat_map(|run| &run.violations);
            let count = all.filter(|violation| violation.kind == kind).count();
            text.push_str(&format!("{} = {kind}: {count}\n", kind.letter()));
        }
        text.push_str("\n| input | runs | violations |\n|---|---|---|\n");
        for kind in InputKind::ALL {
            let of_kind = || self.results.iter().filter(|run| run.kind == kind);
            let bad = of_kind().filter(|run| !run.violations.is_empty()).count();
            text.push_str(&format!("| {kind:?} | {} | {bad} |\n", of_kind().count()));
        }
        text
    }

    /// Writes the table of one kind: an input per row, a command per column.
    fn table(&self, f: &mut fmt::Formatter<'_>, kind: InputKind) -> fmt::Result {
        let mut columns: Vec<&str> = Vec::new();
        let mut rows: BTreeMap<&str, BTreeMap<&str, String>> = BTreeMap::new();
        for run in self.results.iter().filter(|run| run.kind == kind) {
            if !columns.contains(&run.command) {
                columns.push(run.command);
            }
            let cell = rows.entry(&run.input).or_default().entry(run.command);
            let cell = cell.or_default();
            for violation in &run.violations {
                let letter = violation.kind.letter();
                if !cell.contains(letter) {
                    cell.push(letter);
                }
            }
        }
        if columns.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n## {kind:?}\n")?;
        for (number, line) in columns.iter().enumerate() {
            writeln!(f, "{}. `{line}`", number + 1)?;
        }
        let numbers: Vec<String> = (1..=columns.len()).map(|n| n.to_string()).collect();
        writeln!(f, "\n| input | {} |", numbers.join(" | "))?;
        writeln!(f, "|---|{}", "---|".repeat(columns.len()))?;
        for (input, cells) in rows {
            let cell = |line: &&str| match cells.get(line).map(String::as_str) {
                None => " ".to_owned(),
                Some("") => "·".to_owned(),
                Some(letters) => letters.to_owned(),
            };
            let cells: Vec<String> = columns.iter().map(cell).collect();
            writeln!(
                f,
                "| {} | {} |",
                input.replace('|', "\\|"),
                cells.join(" | ")
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Hostile inputs\n\n{}", self.summary())?;
        writeln!(f, "## Violations\n")?;
        for run in &self.results {
            for violation in &run.violations {
                writeln!(
                    f,
                    "- {:?}, {}: `{}` ({:?}): {}: {}",
                    run.kind,
                    run.input,
                    run.command,
                    run.connection,
                    violation.kind,
                    violation.details
                )?;
            }
        }
        for kind in InputKind::ALL {
            self.table(f, kind)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_counts_and_lists_violations() {
        let run = |connection, violations| RunResult {
            kind: InputKind::Cast,
            input: "x".to_owned(),
            command: "convert IN",
            connection,
            violations,
        };
        let panic = Violation {
            kind: ViolationKind::Panic,
            details: "here".to_owned(),
        };
        let report = Report::new(vec![
            run(Connection::Terminal, vec![panic]),
            run(Connection::Pipe, Vec::new()),
        ]);
        assert_eq!(report.violations(), 1);
        let text = report.to_string();
        assert!(
            text.contains("1 inputs, 2 runs, 1 runs with violations\n"),
            "{text}"
        );
        assert!(text.contains("P = panic: 1\n"), "{text}");
        assert!(
            text.contains("- Cast, x: `convert IN` (Terminal): panic: here\n"),
            "{text}"
        );
        assert!(text.contains("| x | P |\n"), "{text}");
    }
}
