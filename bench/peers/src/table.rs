//! The table: Markdown that is readable in a terminal too, with date, machine and load.

use std::fs;
use std::process::Command;

use crate::bench::Bench;
use crate::contender::{Contender, ContenderKind, FLOOR};
use crate::measure::Measure;

/// Below this, a ratio is displayed as less than one: we are slower.
const BEHIND: f64 = 0.995;

/// Formats the whole page: the head, the table in sections, and the rows in which we are slower.
pub(crate) fn page(bench: &Bench, sections: &[(&str, Vec<Measure>)], before: &str) -> String {
    let contenders: Vec<&Contender> = bench.drivers.iter().chain(&bench.others).collect();
    let head = head(bench, before);
    let measured = sections.iter().filter(|(_, measures)| !measures.is_empty());
    let tables = measured
        .map(|(title, measures)| format!("### {title}\n\n{}\n", table(&contenders, measures)));
    let tables: String = tables.collect();
    let all: Vec<Measure> = sections
        .iter()
        .flat_map(|(_, section)| section.clone())
        .collect();
    let behind = behind(&contenders, &all);
    format!("{head}\n\n{tables}{behind}")
}

fn head(bench: &Bench, before: &str) -> String {
    let output = Command::new("date")
        .args(["-u", "+%Y-%m-%d %H:%M UTC"])
        .output();
    let date = output.map(|output| output.stdout).unwrap_or_default();
    let date = String::from_utf8_lossy(&date).trim().to_owned();
    format!(
        "{date}, {}, {} rounds, floods of {} MB; load before {before}, after {}.",
        machine(),
        bench.rounds,
        bench.megabytes,
        load()
    )
}

/// Describes the machine.
fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        let value = line.and_then(|line| line.split([':', '=']).nth(1));
        value.map_or("?".to_owned(), |value| value.trim().replace('"', ""))
    };
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = read("/proc/sys/kernel/osrelease");
    format!(
        "{processors} processors ({}), {}, Linux {}",
        field(&read("/proc/cpuinfo"), "model name"),
        field(&read("/etc/os-release"), "PRETTY_NAME"),
        kernel.trim()
    )
}

/// Returns the load average of the kernel.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split_whitespace().take(3).collect();
    load.join(" ")
}

/// Formats a line per measure and a column per contender that took part in any.
fn table(contenders: &[&Contender], measures: &[Measure]) -> String {
    let took_part = |contender: &&&Contender| {
        let name = contender.name;
        measures
            .iter()
            .any(|m| m.others.iter().any(|o| o.contender == name))
    };
    let columns: Vec<&&Contender> = contenders.iter().filter(took_part).collect();
    let mut lines = vec![vec!["".to_owned(), "ours".to_owned()]];
    lines[0].extend(columns.iter().map(|contender| title(contender)));
    for measure in measures {
        let name = format!("{}, {}", measure.name, measure.unit);
        let mut line = vec![name, value(measure.ours)];
        for column in &columns {
            let found = measure.others.iter().find(|o| o.contender == column.name);
            line.push(found.map_or(String::new(), |other| {
                let ratio = ratio(other.ratio);
                if other.ratio < BEHIND && column.kind != ContenderKind::Floor {
                    format!("**{ratio}** ({})", value(other.value))
                } else {
                    format!("{ratio} ({})", value(other.value))
                }
            }));
        }
        lines.push(line);
    }
    aligned(&lines)
}

fn title(contender: &Contender) -> String {
    let stream = match contender.kind {
        ContenderKind::Stream => ", stream only",
        _ => "",
    };
    if contender.version.is_empty() {
        format!("{}{stream}", contender.name)
    } else {
        format!("{} {}{stream}", contender.name, contender.version)
    }
}

/// Aligns the cells in columns.
fn aligned(lines: &[Vec<String>]) -> String {
    let count = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let widths = lines.iter().map(|line| line[column].chars().count());
        widths.max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let written = |line: &[String]| {
        let cells = line.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 => format!(" {cell:<width$} |"),
            _ => format!(" {cell:>width$} |"),
        });
        format!("|{}\n", cells.collect::<String>())
    };
    let mut text = written(&lines[0]);
    let rule = widths
        .iter()
        .enumerate()
        .map(|(column, &width)| match column {
            0 => format!("{}|", "-".repeat(width + 2)),
            _ => format!("{}:|", "-".repeat(width + 1)),
        });
    text.push_str(&format!("|{}\n", rule.collect::<String>()));
    lines[1..]
        .iter()
        .for_each(|line| text.push_str(&written(line)));
    text
}

/// Lists the contenders that are ahead of us, one per line.
fn behind(contenders: &[&Contender], measures: &[Measure]) -> String {
    let mut lines = Vec::new();
    for measure in measures {
        for other in &measure.others {
            let stream = contenders
                .iter()
                .any(|c| c.name == other.contender && c.kind == ContenderKind::Stream);
            if other.ratio < BEHIND && other.contender != FLOOR {
                let note = if stream { " (stream only)" } else { "" };
                let (name, ratio) = (&measure.name, ratio(other.ratio));
                lines.push(format!("- {name}: {}{note} {ratio}\n", other.contender));
            }
        }
    }
    if lines.is_empty() {
        "Behind: nowhere.\n".to_owned()
    } else {
        format!("Behind:\n\n{}", lines.concat())
    }
}

/// Formats a ratio with about three digits.
fn ratio(ratio: f64) -> String {
    match ratio {
        r if !r.is_finite() => "?".to_owned(),
        r if r < 9.995 => format!("{r:.2}"),
        r if r < 99.95 => format!("{r:.1}"),
        r => format!("{r:.0}"),
    }
}

/// Formats a value with about three digits.
fn value(value: f64) -> String {
    match value {
        v if !v.is_finite() => "?".to_owned(),
        v if v < 9.995 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::contender_for_tests as contender;
    use crate::measure::Result;

    fn measures() -> Vec<Measure> {
        let result = |contender, value, ratio| Result {
            contender,
            value,
            ratio,
        };
        vec![
            Measure {
                name: "wait".to_owned(),
                unit: "µs",
                ours: 12.0,
                others: vec![
                    result("other", 120.0, 10.0),
                    result("quick", 6.0, 0.5),
                    result(FLOOR, 3.0, 0.25),
                ],
            },
            Measure {
                name: "size".to_owned(),
                unit: "MB",
                ours: 1234.5,
                others: vec![result("other", 1234.5, 1.0)],
            },
        ]
    }

    #[test]
    fn the_table_has_a_column_per_participant() {
        let all = [
            contender("other", "1.2", ContenderKind::Screen),
            contender("absent", "3", ContenderKind::Screen),
            contender("quick", "0.9", ContenderKind::Stream),
            contender(FLOOR, "", ContenderKind::Floor),
        ];
        let all: Vec<&Contender> = all.iter().collect();
        assert_eq!(
            table(&all, &measures()),
            "\
|          | ours |   other 1.2 | quick 0.9, stream only |   floor (C) |
|----------|-----:|------------:|-----------------------:|------------:|
| wait, µs | 12.0 |  10.0 (120) |        **0.50** (6.00) | 0.25 (3.00) |
| size, MB | 1234 | 1.00 (1234) |                        |             |
"
        );
        assert_eq!(
            behind(&all, &measures()),
            "Behind:\n\n- wait: quick (stream only) 0.50\n"
        );
    }

    #[test]
    fn values_have_about_three_digits() {
        assert_eq!([0.484, 9.996, 99.96].map(ratio), ["0.48", "10.0", "100"]);
        assert_eq!(ratio(f64::NAN), "?");
        assert_eq!([0.5, 71.26, 50_750.4].map(value), ["0.50", "71.3", "50750"]);
    }

    #[test]
    fn being_ahead_everywhere_is_stated() {
        assert_eq!(behind(&[], &[]), "Behind: nowhere.\n");
    }
}
