//! A time in a cassette: milliseconds since the recording began, exact to the microsecond.

use std::fmt;
use std::time::Duration;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

/// A time since the recording began. Written as milliseconds, with decimals only where there are microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(Duration);

impl Millis {
    /// The latest time there may be: a year, as in asciicasts.
    pub const MAX: Duration = Duration::from_secs(365 * 24 * 60 * 60);

    /// A time, cut to whole microseconds and to a year.
    pub fn new(time: Duration) -> Millis {
        let micros = time.min(Millis::MAX).as_micros();
        Millis(Duration::from_micros(micros as u64))
    }

    /// The time.
    pub fn time(self) -> Duration {
        self.0
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let micros = self.0.as_micros() as u64;
        match micros % 1000 {
            0 => serializer.serialize_u64(micros / 1000),
            // A year has 3·10^13 microseconds, which a double holds exactly; its shortest text is then the decimal one.
            _ => serializer.serialize_f64(micros as f64 / 1000.0),
        }
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Millis, D::Error> {
        let millis = f64::deserialize(deserializer)?;
        if !(0.0..=Millis::MAX.as_secs_f64() * 1000.0).contains(&millis) {
            return Err(D::Error::custom(format!(
                "`{millis}` ms: times are from 0 to a year"
            )));
        }
        let micros = (millis * 1000.0).round() as u64;
        Ok(Millis(Duration::from_micros(micros)))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0.as_micros() as f64 / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_their_microseconds() {
        for micros in [0, 1, 999, 1000, 1_234_567, 31_535_999_999_999] {
            let time = Millis::new(Duration::from_micros(micros));
            let text = serde_json::to_string(&time).unwrap();
            assert_eq!(
                serde_json::from_str::<Millis>(&text).unwrap(),
                time,
                "{text}"
            );
        }
        let written =
            |micros| serde_json::to_string(&Millis::new(Duration::from_micros(micros))).unwrap();
        assert_eq!(written(1_234_000), "1234");
        assert_eq!(written(1_234_500), "1234.5");
    }

    #[test]
    fn times_outside_a_year_are_refused() {
        for text in ["-1", "1e300", "-0.001", "31536000001"] {
            let told = serde_json::from_str::<Millis>(text)
                .unwrap_err()
                .to_string();
            assert!(told.contains("times are from 0 to a year"), "{told}");
        }
    }
}
