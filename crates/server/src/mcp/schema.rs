//! The JSON schema of a type, as short as it can be said.
//!
//! Every character of it is read by every agent in every conversation. What helps no reader goes: titles that repeat names, number
//! formats, `null` beside what may be left out, and references, which some clients cannot follow.

use rmcp::model::JsonObject;
use rmcp::schemars::JsonSchema;
use rmcp::schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema of what a tool is given.
pub(super) fn of_input<T: JsonSchema>() -> JsonObject {
    let mut schema = of::<T>();
    shorten(&mut schema);
    schema
}

/// The schema of what a tool answers: the names and kinds of its fields. Whoever reads an answer sees the rest.
pub(super) fn of_output<T: JsonSchema>() -> JsonObject {
    let mut schema = of_input::<T>();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            property.remove("description");
            if let Some(Value::Object(items)) = property.get_mut("items") {
                items.remove("properties");
                items.remove("required");
            }
        }
    }
    schema
}

/// The schema of a type, which is an object.
fn of<T: JsonSchema>() -> JsonObject {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = match Value::from(schema) {
        Value::Object(fields) => fields,
        // Only of types that are no objects, which no tool has.
        _ => JsonObject::new(),
    };
    // The tool says the same in its own words.
    schema.remove("description");
    schema
}

fn shorten(schema: &mut JsonObject) {
    for name in [
        "$schema", "title", "format", "default", "minimum", "maximum", "minItems", "maxItems",
    ] {
        // A field of that name is an object, and stays.
        if schema.get(name).is_some_and(|value| !value.is_object()) {
            schema.remove(name);
        }
    }
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.remove("additionalProperties");
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            without_null(property);
            shorten(property);
        }
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        // The field says the same of all of them.
        items.remove("description");
        shorten(items);
    }
}

/// What may be left out need not be `null` either.
fn without_null(schema: &mut JsonObject) {
    if let Some(Value::Array(types)) = schema.get("type")
        && let [one, Value::String(null)] = types.as_slice()
        && null == "null"
    {
        let one = one.clone();
        schema.insert("type".to_owned(), one);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(any)) = schema.get("anyOf")
        && let [Value::Object(one), _null] = any.as_slice()
    {
        let mut one = one.clone();
        // What is said of the field wins over what is said of its type.
        one.extend(
            schema
                .clone()
                .into_iter()
                .filter(|(name, _)| name != "anyOf"),
        );
        *schema = one;
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[schemars(crate = "rmcp::schemars")]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape is looked at")]
    struct Sample {
        /// How many.
        count: [u16; 2],
        /// Which one.
        title: Option<Inner>,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[schemars(crate = "rmcp::schemars")]
    #[expect(dead_code, reason = "only its shape is looked at")]
    struct Inner {
        names: Option<Vec<String>>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[schemars(crate = "rmcp::schemars")]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        One,
        Other,
    }

    #[test]
    fn a_schema_says_what_a_reader_needs_and_no_more() {
        assert_eq!(
            Value::Object(of_input::<Sample>()),
            json!({
                "type": "object",
                "properties": {
                    "count": {"type": "array", "items": {"type": "integer"}, "description": "How many."},
                    "title": {
                        "type": "object",
                        "description": "Which one.",
                        "properties": {"names": {"type": "array", "items": {"type": "string"}}}
                    },
                    "kind": {"type": "string", "enum": ["one", "other"]}
                },
                "required": ["count"]
            })
        );
    }
}
