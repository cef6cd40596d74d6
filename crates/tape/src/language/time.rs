//! Times in tapes: `500ms`, `1.5s`, `2m`, `2 seconds`, or a bare number of seconds.

use std::time::Duration;

/// The longest accepted time: a year of 365 days, as in recordings.
pub(super) const MAX_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// All names of the units, with their length in nanoseconds.
const UNITS: [(&str, u128); 13] = [
    ("ms", 1_000_000),
    ("millisecond", 1_000_000),
    ("milliseconds", 1_000_000),
    ("s", 1_000_000_000),
    ("sec", 1_000_000_000),
    ("secs", 1_000_000_000),
    ("second", 1_000_000_000),
    ("seconds", 1_000_000_000),
    ("m", 60_000_000_000),
    ("min", 60_000_000_000),
    ("mins", 60_000_000_000),
    ("minute", 60_000_000_000),
    ("minutes", 60_000_000_000),
];

pub(super) fn is_unit(word: &str) -> bool {
    UNITS.iter().any(|(name, _)| *name == word)
}

/// Returns the short name of a unit.
pub(super) fn short(unit: &str) -> &'static str {
    let scale = UNITS.iter().find(|(name, _)| *name == unit);
    match scale.map(|(_, scale)| *scale) {
        Some(1_000_000) => "ms",
        Some(60_000_000_000) => "m",
        _ => "s",
    }
}

/// Splits a number from the unit attached to it.
pub(super) fn split(text: &str) -> (&str, &str) {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = text.strip_suffix(unit).unwrap_or(text);
    (number, unit)
}

/// Reasons why a text is not a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum TimeError {
    #[error("`{0}` is a negative time")]
    Negative(String),
    #[error("`{0}` is not a time")]
    NotATime(String),
    #[error("`{0}` has the unknown unit `{1}`")]
    UnknownUnit(String, String),
    #[error("`{0}` is longer than a year")]
    TooLong(String),
}

impl TimeError {
    pub(super) const HINT: &str =
        "a time is written `500ms`, `1.5s`, `2m`, or as a number of seconds";
}

/// Parses a number with the unit attached to it, in seconds if there is none. Decimals are exact,
/// down to nanoseconds.
pub(super) fn parse(text: &str) -> Result<Duration, TimeError> {
    let (number, unit) = split(text);
    let not_a_time = || TimeError::NotATime(text.to_owned());
    if number.is_empty() {
        let negative = text
            .strip_prefix('-')
            .is_some_and(|rest| parse(rest).is_ok());
        return Err(if negative {
            TimeError::Negative(text.to_owned())
        } else {
            not_a_time()
        });
    }
    let scale = match unit {
        "" => 1_000_000_000,
        unit => UNITS
            .iter()
            .find_map(|(name, scale)| (*name == unit).then_some(*scale))
            .ok_or_else(|| TimeError::UnknownUnit(text.to_owned(), unit.to_owned()))?,
    };
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if decimals.contains('.') || (whole.is_empty() && decimals.is_empty()) {
        return Err(not_a_time());
    }
    let long = || TimeError::TooLong(text.to_owned());
    let digits = |text: &str| match text {
        "" => Ok(0),
        text => text.parse::<u128>().map_err(|_| long()),
    };
    // A unit in the twelfth decimal place of a minute is less than a nanosecond. More decimals add
    // no precision and could overflow.
    let decimals: String = decimals.chars().take(12).collect();
    let part = digits(&decimals)? * scale / 10u128.pow(decimals.len() as u32);
    let nanos = digits(whole)?
        .checked_mul(scale)
        .and_then(|nanos| nanos.checked_add(part))
        .ok_or_else(long)?;
    let time = u64::try_from(nanos).map(Duration::from_nanos).ok();
    time.filter(|time| *time <= MAX_TIME).ok_or_else(long)
}

/// Formats a time for tapes: in milliseconds below one second, otherwise in seconds. The text
/// parses to the same value.
pub fn format_time(time: Duration) -> String {
    let nanos = time.as_nanos();
    let (scale, unit) = if nanos < 1_000_000_000 && nanos > 0 {
        (1_000_000, "ms")
    } else {
        (1_000_000_000, "s")
    };
    let whole = nanos / scale;
    let digits = if scale == 1_000_000 { 6 } else { 9 };
    let part = format!("{:0digits$}", nanos % scale);
    match part.trim_end_matches('0') {
        "" => format!("{whole}{unit}"),
        part => format!("{whole}.{part}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        for (text, nanos, canonical) in [
            ("500ms", 500_000_000, "500ms"),
            ("1s", 1_000_000_000, "1s"),
            (".1", 100_000_000, "100ms"),
            ("1.", 1_000_000_000, "1s"),
            ("0.1s", 100_000_000, "100ms"),
            ("2m", 120_000_000_000, "120s"),
            ("1.5", 1_500_000_000, "1.5s"),
            ("0", 0, "0s"),
            ("0.0000001ms", 0, "0s"),
            ("2minutes", 120_000_000_000, "120s"),
            ("525600m", 31_536_000_000_000_000, "31536000s"),
        ] {
            let time = Duration::from_nanos(nanos);
            assert_eq!(parse(text), Ok(time), "{text}");
            assert_eq!(format_time(time), canonical);
            assert_eq!(parse(canonical), Ok(time));
        }
    }

    #[test]
    fn an_invalid_time_is_an_error_with_its_reason() {
        for (text, message) in [
            ("-1", "`-1` is a negative time"),
            ("-1s", "`-1s` is a negative time"),
            ("inf", "`inf` is not a time"),
            ("nan", "`nan` is not a time"),
            ("1e3", "`1e3` has the unknown unit `e3`"),
            ("1h", "`1h` has the unknown unit `h`"),
            ("1.2.3", "`1.2.3` is not a time"),
            (".", "`.` is not a time"),
            ("", "`` is not a time"),
            ("+1", "`+1` is not a time"),
            ("31536000.1", "`31536000.1` is longer than a year"),
            ("99999999999", "`99999999999` is longer than a year"),
            (
                "99999999999999999999999999999999999999999999",
                "`99999999999999999999999999999999999999999999` is longer than a year",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), message);
        }
    }
}
