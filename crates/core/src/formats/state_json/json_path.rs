//! A JSON value and its path, so that errors can name the place.
//!
//! The path is stored as links to the parent values; it becomes text only for an error.

use std::fmt;

use serde_json::Value;

use super::StateJsonError;

/// A value and its path.
#[derive(Debug, Clone, Copy)]
pub(super) struct JsonAt<'a> {
    value: &'a Value,
    step: PathStep<'a>,
    parent: Option<&'a JsonAt<'a>>,
}

#[derive(Debug, Clone, Copy)]
enum PathStep<'a> {
    Root,
    Field(&'a str),
    Item(usize),
}

impl<'a> JsonAt<'a> {
    pub(super) fn root(value: &'a Value) -> JsonAt<'a> {
        JsonAt {
            value,
            step: PathStep::Root,
            parent: None,
        }
    }

    /// Returns a field of an object; `None` if it is absent.
    pub(super) fn field(&'a self, name: &'a str) -> Result<Option<JsonAt<'a>>, StateJsonError> {
        let Value::Object(fields) = self.value else {
            return Err(self.not("an object"));
        };
        Ok(fields.get(name).map(|value| JsonAt {
            value,
            step: PathStep::Field(name),
            parent: Some(self),
        }))
    }

    /// Returns a required field.
    pub(super) fn needed(&'a self, name: &'a str) -> Result<JsonAt<'a>, StateJsonError> {
        self.field(name)?.ok_or_else(|| StateJsonError::Missing {
            place: JsonAt {
                value: self.value,
                step: PathStep::Field(name),
                parent: Some(self),
            }
            .to_string(),
        })
    }

    /// Returns the fields of an object, with their names.
    pub(super) fn fields(&'a self) -> Result<Vec<(&'a str, JsonAt<'a>)>, StateJsonError> {
        let Value::Object(fields) = self.value else {
            return Err(self.not("an object"));
        };
        let at = |name: &'a str, value| JsonAt {
            value,
            step: PathStep::Field(name),
            parent: Some(self),
        };
        let fields = fields.iter();
        Ok(fields
            .map(|(name, value)| (&**name, at(name, value)))
            .collect())
    }

    /// Returns the items of an array.
    pub(super) fn items(&'a self) -> Result<Vec<JsonAt<'a>>, StateJsonError> {
        let Value::Array(items) = self.value else {
            return Err(self.not("an array"));
        };
        let at = |(index, value)| JsonAt {
            value,
            step: PathStep::Item(index),
            parent: Some(self),
        };
        Ok(items.iter().enumerate().map(at).collect())
    }

    /// Returns the items of an array, which must have exactly two.
    pub(super) fn pair(
        &'a self,
        expected: &'static str,
    ) -> Result<[JsonAt<'a>; 2], StateJsonError> {
        self.items()?.try_into().map_err(|_| self.not(expected))
    }

    pub(super) fn is_text(&self) -> bool {
        self.value.is_string()
    }

    pub(super) fn text(&self) -> Result<&'a str, StateJsonError> {
        self.value.as_str().ok_or_else(|| self.not("a string"))
    }

    pub(super) fn number(&self) -> Result<u64, StateJsonError> {
        self.value
            .as_u64()
            .ok_or_else(|| self.not("a whole number of 0 or more"))
    }

    pub(super) fn boolean(&self) -> Result<bool, StateJsonError> {
        self.value
            .as_bool()
            .ok_or_else(|| self.not("true or false"))
    }

    /// Returns the error for a value of the wrong type or form.
    pub(super) fn not(&self, expected: &'static str) -> StateJsonError {
        // Enough to recognise the value, which may be megabytes long.
        const SHOWN: usize = 40;
        let found = match self.value {
            Value::Array(_) => "[…]".to_owned(),
            Value::Object(_) => "{…}".to_owned(),
            value => value.to_string(),
        };
        StateJsonError::Kind {
            place: match self.step {
                PathStep::Root => "the document".to_owned(),
                _ => self.to_string(),
            },
            found: match found.char_indices().nth(SHOWN) {
                Some(_) => found.chars().take(SHOWN).chain(['…']).collect(),
                None => found,
            },
            expected,
        }
    }
}

/// Writes the path from the root, such as `viewport[3][1]`.
impl fmt::Display for JsonAt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match (self.step, self.parent.map(|parent| parent.step)) {
            (PathStep::Root, _) => Ok(()),
            (PathStep::Field(name), Some(PathStep::Root)) => f.write_str(name),
            (PathStep::Field(name), _) => write!(f, ".{name}"),
            (PathStep::Item(index), _) => write!(f, "[{index}]"),
        }
    }
}
