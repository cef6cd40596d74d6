//! Short JSON schemas for the tools.
//!
//! Every agent reads every character of them in every conversation. So they contain no titles that
//! repeat names, no number formats, no `null` for optional fields, and no references, which some
//! clients cannot resolve.

use rmcp::model::JsonObject;
use rmcp::schemars::JsonSchema;
use rmcp::schemars::generate::SchemaSettings;
use serde_json::Value;

/// Returns the schema of a tool's arguments.
pub(super) fn of_input<T: JsonSchema>() -> JsonObject {
    let mut schema = full_schema::<T>();
    shorten(&mut schema);
    schema
}

/// Returns the schema of a tool's result: the names and types of its fields, without descriptions
/// and without the fields of array items. The result itself shows the rest.
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

/// Returns the full schema of an object type.
fn full_schema<T: JsonSchema>() -> JsonObject {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = match Value::from(schema) {
        Value::Object(fields) => fields,
        // Only for types that are not objects. No tool has one.
        _ => JsonObject::new(),
    };
    // The tool has its own description.
    schema.remove("description");
    schema
}

fn shorten(schema: &mut JsonObject) {
    for name in [
        "$schema", "title", "format", "default", "minimum", "maximum", "minItems", "maxItems",
    ] {
        // A value that is an object is a field with this name and stays.
        if schema.get(name).is_some_and(|value| !value.is_object()) {
            schema.remove(name);
        }
    }
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.remove("additionalProperties");
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            remove_null(property);
            shorten(property);
        }
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        // The field's description covers its items.
        items.remove("description");
        shorten(items);
    }
}

/// Removes `null` from the permitted values. The field can be omitted instead.
fn remove_null(schema: &mut JsonObject) {
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
        // The field's description takes precedence over the type's.
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
    #[expect(dead_code, reason = "only the schema is used")]
    struct Sample {
        /// How many.
        count: [u16; 2],
        /// Which one.
        title: Option<Inner>,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[schemars(crate = "rmcp::schemars")]
    #[expect(dead_code, reason = "only the schema is used")]
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
    fn schema_has_no_titles_formats_or_nulls() {
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
