//! Whole numbers as clients write them: `100`, `100.0` and `1e2` are equal; `1.5` and `"100"` are
//! errors.

use std::fmt;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use super::RpcError;

/// A whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WholeNumber(pub(crate) i64);

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WholeNumber, D::Error> {
        deserializer.deserialize_any(WholeNumberVisitor)
    }
}

struct WholeNumberVisitor;

impl Visitor<'_> for WholeNumberVisitor {
    type Value = WholeNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<WholeNumber, E> {
        Ok(WholeNumber(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<WholeNumber, E> {
        let whole = i64::try_from(number);
        whole.map(WholeNumber).map_err(|_| too_large(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<WholeNumber, E> {
        // From 2^53 on, a float cannot represent every whole number.
        let exact = number.abs() < (1_i64 << 53) as f64 && number.fract() == 0.0;
        if exact {
            Ok(WholeNumber(number as i64))
        } else if number.fract() == 0.0 {
            Err(too_large(format_args!("{number:?}")))
        } else {
            Err(E::custom(format_args!("`{number}` is not a whole number")))
        }
    }
}

fn too_large<E: Error>(number: impl fmt::Display) -> E {
    E::custom(format_args!("`{number}` is out of range"))
}

impl WholeNumber {
    /// Returns the number, or an error if it is negative.
    pub(crate) fn non_negative(self, field: &str) -> Result<u64, RpcError> {
        u64::try_from(self.0)
            .map_err(|_| RpcError::invalid_params(format!("{field} must be >= 0, not {}", self.0)))
    }

    /// Returns the number as milliseconds.
    pub(crate) fn millis(self, field: &str) -> Result<Duration, RpcError> {
        self.non_negative(field).map(Duration::from_millis)
    }
}

/// Returns an optional number as milliseconds.
pub(crate) fn millis(
    field: &str,
    number: Option<WholeNumber>,
) -> Result<Option<Duration>, RpcError> {
    number.map(|number| number.millis(field)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_number_may_be_written_as_float() {
        let read = |json: &str| serde_json::from_str::<WholeNumber>(json).map(|whole| whole.0);
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
    fn too_large_number_is_out_of_range() {
        for json in [
            "1e300",
            "-1e300",
            "18446744073709551615",
            "18446744073709551616",
        ] {
            let error = serde_json::from_str::<WholeNumber>(json).unwrap_err();
            assert!(error.to_string().contains("out of range"), "{error}");
        }
    }

    #[test]
    fn negative_time_is_an_error() {
        let failure = WholeNumber(-1).millis("timeoutMs").unwrap_err();
        assert_eq!(failure.details(), "timeoutMs must be >= 0, not -1");
    }
}
