//! The fields of an assertion, taken one by one; what is left over was misspelt.

use serde_json::{Map, Value};

use crate::query::suggest::nearest;

/// The fields of a table that are still to be read.
pub(super) struct Fields {
    /// What they are fields of, for messages: `cursor`, or nothing for the assertion itself.
    of: String,
    map: Map<String, Value>,
    /// Every name that was asked for.
    known: Vec<&'static str>,
}

impl Fields {
    /// The fields of a table.
    pub(super) fn new(of: &str, value: Value) -> Result<Fields, String> {
        match value {
            Value::Object(map) => Ok(Fields {
                of: of.to_owned(),
                map,
                known: Vec::new(),
            }),
            other => Err(format!("{}, not a table", is(of, &other))),
        }
    }

    /// What a field is called in a message.
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
            Some(other) => Err(self.not(name, &other, "a text")),
        }
    }

    pub(super) fn flag(&mut self, name: &'static str) -> Result<Option<bool>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.not(name, &other, "true or false")),
        }
    }

    /// A whole number within bounds.
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
                "`{}` is {number}: it is from {least} to {most}",
                self.path(name)
            )),
            None => Err(self.not(name, &value, "a whole number")),
        }
    }

    /// A count from 1, as an index from 0.
    pub(super) fn place(&mut self, name: &'static str) -> Result<Option<usize>, String> {
        let number = self.number(name, 1, 1 << 16)?;
        // Bounded just now.
        Ok(number.map(|number| number as usize - 1))
    }

    pub(super) fn missing(&self, name: &str) -> String {
        format!("`{}` is missing", self.path(name))
    }

    pub(super) fn not(&self, name: &str, value: &Value, wanted: &str) -> String {
        format!("{}, not {wanted}", is(&self.path(name), value))
    }

    /// Nothing may be left.
    pub(super) fn finish(self) -> Result<(), String> {
        let Some(unknown) = self.map.keys().next() else {
            return Ok(());
        };
        let meant = nearest(unknown, self.known.iter().copied());
        let known = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("there are {}", listed(&self.known)),
        };
        Err(format!("unknown field `{}`: {known}", self.path(unknown)))
    }
}

/// Names for a message.
pub(super) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn is(path: &str, value: &Value) -> String {
    let kind = match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    };
    match path {
        "" => format!("an assertion is {kind}"),
        path => format!("`{path}` is {kind}"),
    }
}
