//! Times as people say them: `30ms`, `1.25s`, `2m 5s`.

use std::fmt;
use std::time::Duration;

/// A time that is written as people say it, without more digits than anyone would read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Elapsed(pub(crate) Duration);

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
    fn a_time_has_the_unit_that_suits_it() {
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
