//! How fast something is played.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How fast something is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Speed {
    /// Without any pause.
    AsFastAsPossible,
    /// So many times as fast as it was.
    Times(f64),
}

/// The slowest and the fastest that is a number.
const SLOWEST: f64 = 0.125;
const FASTEST: f64 = 64.0;

impl Speed {
    /// Twice as fast.
    pub(super) fn faster(self) -> Speed {
        match self {
            Speed::Times(times) => Speed::Times((times * 2.0).min(FASTEST)),
            fastest => fastest,
        }
    }

    /// Half as fast.
    pub(super) fn slower(self) -> Speed {
        match self {
            Speed::Times(times) => Speed::Times((times / 2.0).max(SLOWEST)),
            Speed::AsFastAsPossible => Speed::Times(FASTEST),
        }
    }

    /// How much of a recording is played meanwhile.
    pub(super) fn played(self, passed: Duration) -> Duration {
        match self {
            Speed::Times(times) => {
                Duration::try_from_secs_f64(passed.as_secs_f64() * times).unwrap_or(Duration::MAX)
            }
            Speed::AsFastAsPossible => Duration::MAX,
        }
    }

    /// How long it takes to play so much of a recording.
    pub(super) fn takes(self, played: Duration) -> Duration {
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
                    "neither `as-fast-as-possible` nor `real-time` nor a number from {SLOWEST} to {FASTEST}"
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
    fn a_speed_is_read_and_written() {
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
    fn faster_and_slower_have_an_end() {
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
