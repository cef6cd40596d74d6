//! Playback speed.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Playback speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Speed {
    /// Without pauses.
    AsFastAsPossible,
    /// A multiple of the recorded speed.
    Times(f64),
}

/// The limits of a numeric speed.
const SLOWEST: f64 = 0.125;
const FASTEST: f64 = 64.0;

impl Speed {
    /// Returns twice the speed.
    pub(super) fn faster(self) -> Speed {
        match self {
            Speed::Times(times) => Speed::Times((times * 2.0).min(FASTEST)),
            fastest => fastest,
        }
    }

    /// Returns half the speed.
    pub(super) fn slower(self) -> Speed {
        match self {
            Speed::Times(times) => Speed::Times((times / 2.0).max(SLOWEST)),
            Speed::AsFastAsPossible => Speed::Times(FASTEST),
        }
    }

    /// Returns how much of the recording is played in this time.
    pub(super) fn recorded_time(self, elapsed: Duration) -> Duration {
        match self {
            Speed::Times(times) => {
                Duration::try_from_secs_f64(elapsed.as_secs_f64() * times).unwrap_or(Duration::MAX)
            }
            Speed::AsFastAsPossible => Duration::MAX,
        }
    }

    /// Returns the time it takes to play this much of the recording.
    pub(super) fn playing_time(self, played: Duration) -> Duration {
        match self {
            Speed::Times(times) => {
                Duration::try_from_secs_f64(played.as_secs_f64() / times).unwrap_or(Duration::MAX)
            }
            Speed::AsFastAsPossible => Duration::ZERO,
        }
    }
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Speed, String> {
        let number = text.strip_suffix('x').unwrap_or(text);
        match text {
            "as-fast-as-possible" => Ok(Speed::AsFastAsPossible),
            "real-time" => Ok(Speed::Times(1.0)),
            _ => match number.parse() {
                Ok(times) if (SLOWEST..=FASTEST).contains(&times) => Ok(Speed::Times(times)),
                _ => Err(format!(
                    "expected `as-fast-as-possible`, `real-time`, or a number from {SLOWEST} to {FASTEST}"
                )),
            },
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speed::AsFastAsPossible => f.write_str("at once"),
            Speed::Times(times) => write!(f, "{times}x"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_parsed_and_printed() {
        for (text, speed, shown) in [
            ("real-time", Speed::Times(1.0), "1x"),
            ("2", Speed::Times(2.0), "2x"),
            ("0.5x", Speed::Times(0.5), "0.5x"),
            ("as-fast-as-possible", Speed::AsFastAsPossible, "at once"),
        ] {
            assert_eq!(text.parse(), Ok(speed));
            assert_eq!(speed.to_string(), shown);
        }
        for wrong in ["", "x", "0", "-1", "NaN", "inf", "65", "fast"] {
            assert!(wrong.parse::<Speed>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn faster_and_slower_have_limits() {
        let mut speed = Speed::Times(1.0);
        for _ in 0..20 {
            speed = speed.faster();
        }
        assert_eq!(speed, Speed::Times(FASTEST));
        for _ in 0..20 {
            speed = speed.slower();
        }
        assert_eq!(speed, Speed::Times(SLOWEST));
        assert_eq!(Speed::AsFastAsPossible.slower(), Speed::Times(FASTEST));
    }
}
