//! Parameters of methods without parameters.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// No parameters, except for an optional `session`.
#[derive(Debug)]
pub(crate) struct EmptyParams;

impl<'de> Deserialize<'de> for EmptyParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EmptyParams, D::Error> {
        deserializer.deserialize_map(EmptyParamsVisitor)
    }
}

struct EmptyParamsVisitor;

impl<'de> Visitor<'de> for EmptyParamsVisitor {
    type Value = EmptyParams;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null or an empty object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<EmptyParams, A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if name != "session" {
                return Err(A::Error::custom(format_args!(
                    "expected params to be null or empty object, or to name a `session`; not `{name}`"
                )));
            }
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(EmptyParams)
    }
}
