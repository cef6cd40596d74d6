//! Times in a cassette: milliseconds since the start of the recording, with microsecond precision.

use std::fmt;
use std::time::Duration;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

/// A time since the start of the recording. Written as milliseconds, with decimals only if it is
/// not a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(Duration);

impl Millis {
    /// The latest possible time: one year, as in asciicasts.
    pub const MAX: Duration = Duration::from_secs(365 * 24 * 60 * 60);

    /// Creates a time, truncated to whole microseconds and limited to one year.
    pub fn new(time: Duration) -> Millis {
        let micros = time.min(Millis::MAX).as_micros();
        Millis(Duration::from_micros(micros as u64))
    }

    /// Returns the time.
    pub fn time(self) -> Duration {
        self.0
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let micros = self.0.as_micros() as u64;
        match micros % 1000 {
            0 => serializer.serialize_u64(micros / 1000),
            // A year has 3·10^13 microseconds, which a double represents exactly; its shortest text
            // is then the decimal one.
            _ => serializer.serialize_f64(micros as f64 / 1000.0),
        }
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Millis, D::Error> {
        let millis = f64::deserialize(deserializer)?;
        if !(0.0..=Millis::MAX.as_secs_f64() * 1000.0).contains(&millis) {
            return Err(D::Error::custom(format!(
                "`{millis}` ms is out of range (0 to one year)"
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
            let message = serde_json::from_str::<Millis>(text)
                .unwrap_err()
                .to_string();
            assert!(
                message.contains("is out of range (0 to one year)"),
                "{message}"
            );
        }
    }
}
