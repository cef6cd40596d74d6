//! Whole numbers, as clients write them: `100`, `100.0` and `1e2` are the same; `1.5` and `"100"` are none.

use std::fmt;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::Failure;

/// A whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole(pub(crate) i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Whole, E> {
        Ok(Whole(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Whole, E> {
        let whole = i64::try_from(number);
        whole.map(Whole).map_err(|_| too_large(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Whole, E> {
        // Beyond this, a float skips whole numbers.
        let exact = number.abs() < (1_i64 << 53) as f64 && number.fract() == 0.0;
        match exact {
            true => Ok(Whole(number as i64)),
            false if number.fract() == 0.0 => Err(too_large(format_args!("{number:?}"))),
            false => Err(E::custom(format_args!("`{number}` is not a whole number"))),
        }
    }
}

fn too_large<E: Error>(number: impl fmt::Display) -> E {
    E::custom(format_args!(
        "`{number}` is further from 0 than any number that is meant here"
    ))
}

impl Whole {
    /// A number that is not negative.
    pub(crate) fn count(self, field: &str) -> Result<u64, Failure> {
        u64::try_from(self.0)
            .map_err(|_| Failure::params(format!("{field} must be >= 0, not {}", self.0)))
    }

    /// So many milliseconds.
    pub(crate) fn millis(self, field: &str) -> Result<Duration, Failure> {
        self.count(field).map(Duration::from_millis)
    }
}

/// So many milliseconds, where they were given.
pub(crate) fn millis(field: &str, number: Option<Whole>) -> Result<Option<Duration>, Failure> {
    number.map(|number| number.millis(field)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_may_be_written_as_a_float() {
        let read = |json: &str| serde_json::from_str::<Whole>(json).map(|whole| whole.0);
        for (json, number) in [("100", 100), ("100.0", 100), ("1e2", 100), ("-3", -3)] {
            assert_eq!(read(json).unwrap(), number);
        }
        for json in [
            "1.5",
            "\"100\"",
            "true",
            "1e300",
            "18446744073709551615",
            "[]",
            "null",
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    #[test]
    fn a_number_that_is_too_large_is_called_so() {
        for json in [
            "1e300",
            "-1e300",
            "18446744073709551615",
            "18446744073709551616",
        ] {
            let error = serde_json::from_str::<Whole>(json).unwrap_err();
            assert!(error.to_string().contains("further from 0"), "{error}");
        }
    }

    #[test]
    fn a_time_is_not_negative() {
        let failure = Whole(-1).millis("timeoutMs").unwrap_err();
        assert_eq!(failure.details(), "timeoutMs must be >= 0, not -1");
    }
}
