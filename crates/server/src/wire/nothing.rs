//! The parameters of a method that needs none.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// None at all; a `session` may be named all the same.
#[derive(Debug)]
pub(crate) struct Nothing;

impl<'de> Deserialize<'de> for Nothing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Nothing, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Nothing;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null or an empty object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Nothing, A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if name != "session" {
                return Err(A::Error::custom(format_args!(
                    "expected params to be null or empty object, or to name a `session`; not `{name}`"
                )));
            }
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(Nothing)
    }
}
