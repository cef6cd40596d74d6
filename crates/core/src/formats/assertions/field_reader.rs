//! Typed access to the fields of an assertion. A field that is never read is unknown.

use serde_json::{Map, Value};

use crate::query::suggest::nearest;

/// The fields of a table that were not read yet.
pub(super) struct FieldReader {
    /// Path of the table, for messages: `cursor`, or empty for the assertion itself.
    of: String,
    map: Map<String, Value>,
    /// The names of the fields that were asked for.
    known: Vec<&'static str>,
}

impl FieldReader {
    /// Fails if the value is not a table.
    pub(super) fn new(of: &str, value: Value) -> Result<FieldReader, String> {
        match value {
            Value::Object(map) => Ok(FieldReader {
                of: of.to_owned(),
                map,
                known: Vec::new(),
            }),
            other => Err(format!("{}, not a table", is(of, &other))),
        }
    }

    /// Returns the path of a field for a message, such as `cursor.row`.
    pub(super) fn path(&self, name: &str) -> String {
        match self.of.as_str() {
            "" => name.to_owned(),
            of => format!("{of}.{name}"),
        }
    }

    pub(super) fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.map.remove(name)
    }

    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.not(name, &other, "a string")),
        }
    }

    pub(super) fn flag(&mut self, name: &'static str) -> Result<Option<bool>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.not(name, &other, "true or false")),
        }
    }

    /// Reads a whole number within bounds.
    pub(super) fn number(
        &mut self,
        name: &'static str,
        least: i64,
        most: i64,
    ) -> Result<Option<i64>, String> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        match value.as_i64() {
            Some(number) if (least..=most).contains(&number) => Ok(Some(number)),
            Some(number) => Err(format!(
                "`{}` is {number}: expected {least} to {most}",
                self.path(name)
            )),
            None => Err(self.not(name, &value, "a whole number")),
        }
    }

    /// Reads a position that counts from 1, as an index that counts from 0.
    pub(super) fn place(&mut self, name: &'static str) -> Result<Option<usize>, String> {
        let number = self.number(name, 1, 1 << 16)?;
        // The number fits: `number` checked its range.
        Ok(number.map(|number| number as usize - 1))
    }

    pub(super) fn missing(&self, name: &str) -> String {
        format!("`{}` is missing", self.path(name))
    }

    pub(super) fn not(&self, name: &str, value: &Value, wanted: &str) -> String {
        format!("{}, not {wanted}", is(&self.path(name), value))
    }

    /// Fails if a field was not read.
    pub(super) fn finish(self) -> Result<(), String> {
        let Some(unknown) = self.map.keys().next() else {
            return Ok(());
        };
        let meant = nearest(unknown, self.known.iter().copied());
        let known = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("expected one of {}", listed(&self.known)),
        };
        Err(format!("unknown field `{}`: {known}", self.path(unknown)))
    }
}

/// Joins names for a message.
pub(super) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn is(path: &str, value: &Value) -> String {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    };
    match path {
        "" => format!("an assertion is {kind}"),
        path => format!("`{path}` is {kind}"),
    }
}
