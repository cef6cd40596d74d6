//! Parses libFuzzer's output at the end of a run.

/// The result of a target.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Report {
    pub(super) target: String,
    program: String,
    executions: u64,
    per_second: u64,
    /// Number of code locations reached.
    coverage: u64,
    /// Number of inputs that reach something that the others do not.
    corpus: u64,
    /// Path of the input of a finding.
    found: Option<String>,
    /// The panic message or the reason why the run failed, if it failed.
    said: Option<String>,
}

impl Report {
    /// Parses the stderr output of a target.
    pub(super) fn read(target: &str, program: &str, said: &str, well: bool) -> Report {
        let stat = |name: &str| {
            let line = said.lines().rev().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
        };
        // The last progress line: `#9 DONE cov: 5 ft: 9 corp: 3/12b …`.
        let progress = said.lines().rev().find(|line| line.contains(" cov: "));
        let after = |word: &str| {
            let mut words = progress.unwrap_or_default().split_whitespace();
            words.find(|found| *found == word);
            let number = words.next().unwrap_or_default();
            let number = number.split('/').next().unwrap_or_default();
            number.parse().unwrap_or(0)
        };
        let written = "Test unit written to ";
        Report {
            target: target.to_owned(),
            program: program.to_owned(),
            executions: stat("stat::number_of_executed_units:"),
            per_second: stat("stat::average_exec_per_sec:"),
            coverage: after("cov:"),
            corpus: after("corp:"),
            found: said
                .lines()
                .find_map(|line| line.split_once(written).map(|(_, path)| path.to_owned())),
            said: (!well).then(|| why(said)),
        }
    }

    /// Returns the input that took too long, if this is the finding.
    pub(super) fn timed_out(&self) -> Option<&str> {
        let said = self.said.as_deref()?;
        let input = self.found.as_deref()?;
        said.contains("libFuzzer: timeout").then_some(input)
    }

    /// Discards the finding.
    pub(super) fn dismiss(&mut self) {
        (self.found, self.said) = (None, None);
    }

    /// Whether the run found something.
    pub(super) fn is_finding(&self) -> bool {
        self.said.is_some()
    }

    /// Describes the finding and how to repeat it.
    pub(super) fn description(&self) -> String {
        let Report {
            target, program, ..
        } = self;
        let said = self.said.as_deref().unwrap_or_default();
        match &self.found {
            Some(input) => format!(
                "{target}: {said}\n  repeat: {program} {input}\n  save it as: fuzz/crashes/{target}/<description>"
            ),
            None => format!("{target}: {said}\n  log: target/fuzz-findings/{target}.log"),
        }
    }
}

/// Returns the panic message or libFuzzer's reason; at most six lines.
fn why(said: &str) -> String {
    let mut lines = said.lines();
    let first =
        lines.find(|line| line.contains(" panicked at ") || line.contains("ERROR: libFuzzer"));
    let Some(first) = first else {
        return said
            .lines()
            .last()
            .unwrap_or("it failed without output")
            .to_owned();
    };
    let more = lines.take_while(|line| {
        !["stack backtrace", "==", "SUMMARY", "stat::"]
            .iter()
            .any(|end| line.starts_with(end))
    });
    let description: Vec<String> = [first].into_iter().chain(more).take(6).map(short).collect();
    description.join("\n  ")
}

/// Shortens a line to 300 characters.
fn short(line: &str) -> String {
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Formats the reports as a table, one line each.
pub(super) fn table(reports: &[Report]) -> String {
    let mut table = format!(
        "{:<12} {:>12} {:>8} {:>9} {:>7}  {}\n",
        "target", "executions", "exec/s", "coverage", "corpus", "findings"
    );
    for report in reports {
        table.push_str(&format!(
            "{:<12} {:>12} {:>8} {:>9} {:>7}  {}\n",
            report.target,
            report.executions,
            report.per_second,
            report.coverage,
            report.corpus,
            if report.is_finding() { "one" } else { "none" },
        ));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const WELL: &str = "\
#2\tINITED cov: 3 ft: 4 corp: 1/1b exec/s: 0 rss: 30Mb
#32906\tDONE   cov: 565 ft: 2617 corp: 359/25Kb lim: 105 exec/s: 1265 rss: 36Mb
Done 32906 runs in 26 second(s)
stat::number_of_executed_units: 32906
stat::average_exec_per_sec:     1265
";
    const BADLY: &str = "\
#512\tpulse  cov: 9 ft: 9 corp: 3/12b lim: 4 exec/s: 256 rss: 30Mb
thread '<unnamed>' (419) panicked at fuzz/src/key.rs:73:22:
Ctrl+Shift+F3 sends nothing
stack backtrace:
   0: somewhere
==419== ERROR: libFuzzer: deadly signal
artifact_prefix='target/fuzz-findings/key-'; Test unit written to target/fuzz-findings/key-crash-b37
stat::number_of_executed_units: 600
";

    #[test]
    fn a_run_is_a_row_of_figures() {
        let report = Report::read("vt2", "target/vt2", WELL, true);
        assert!(!report.is_finding());
        assert_eq!(
            table(&[report]),
            "target         executions   exec/s  coverage  corpus  findings\n\
             vt2                 32906     1265       565     359  none\n"
        );
    }

    #[test]
    fn a_finding_names_what_happened_and_how_to_repeat_it() {
        let report = Report::read("key", "target/key", BADLY, false);
        assert_eq!(
            report.description(),
            "key: thread '<unnamed>' (419) panicked at fuzz/src/key.rs:73:22:\n  \
             Ctrl+Shift+F3 sends nothing\n  \
             repeat: target/key target/fuzz-findings/key-crash-b37\n  \
             save it as: fuzz/crashes/key/<description>"
        );
        assert_eq!(report.timed_out(), None);
        let late = "==1== ERROR: libFuzzer: timeout after 11 seconds\nTest unit written to a\n";
        let mut late = Report::read("key", "target/key", late, false);
        assert_eq!(late.timed_out(), Some("a"));
        late.dismiss();
        assert!(!late.is_finding());
        let report = Report::read("key", "target/key", "", false);
        assert_eq!(
            report.description(),
            "key: it failed without output\n  log: target/fuzz-findings/key.log"
        );
    }
}
