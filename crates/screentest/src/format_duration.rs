//! Formats durations for people: `30ms`, `1.25s`, `2m 5s`.

use std::fmt;
use std::time::Duration;

/// A duration that is displayed with few digits.
#[derive(Debug, Clone, Copy)]
pub struct Elapsed(pub Duration);

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Elapsed(time) = self;
        match time.as_secs() {
            0 => write!(f, "{}ms", time.as_millis()),
            seconds @ 1..60 => {
                let hundredths = format!("{seconds}.{:02}", time.subsec_millis() / 10);
                let short = hundredths.trim_end_matches('0').trim_end_matches('.');
                write!(f, "{short}s")
            }
            seconds @ 60..3600 => write!(f, "{}m {}s", seconds / 60, seconds % 60),
            seconds => write!(f, "{}h {}m", seconds / 3600, seconds / 60 % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_a_suitable_unit() {
        for (millis, words) in [
            (0, "0ms"),
            (999, "999ms"),
            (1000, "1s"),
            (1250, "1.25s"),
            (10_109, "10.1s"),
            (125_999, "2m 5s"),
            (7_260_000, "2h 1m"),
        ] {
            assert_eq!(Elapsed(Duration::from_millis(millis)).to_string(), words);
        }
    }
}
