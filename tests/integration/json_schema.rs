//! The part of JSON Schema that the schemas in `docs/` use: a page in place of a crate that needs a hundred others.
//!
//! Start with [`Schema`].

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A schema of a whole document.
pub struct Schema(Value);

impl Schema {
    /// Reads a schema, by its path in the repository.
    pub fn read(path: &str) -> Schema {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the schema");
        Schema(serde_json::from_str(&text).expect("JSON"))
    }

    /// Fails if a value does not match the schema.
    pub fn check(&self, value: &Value) {
        if let Err(wrong) = self.judge(value) {
            panic!("{wrong} in {value}");
        }
    }

    /// The first thing that is wrong with a value.
    pub fn judge(&self, value: &Value) -> Result<(), String> {
        self.holds(&self.0, value)
    }

    /// The names of all properties that are described.
    pub fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        collect_names(&self.0, &mut names);
        names
    }

    fn holds(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let keys = schema.as_object().ok_or("a schema is an object")?;
        let number = |limit: &Value| limit.as_u64().unwrap_or_default() as usize;
        let length = || value.as_str().map(str::len).or(value.as_array().map(Vec::len)).unwrap_or_default();
        for (key, limit) in keys {
            let is_met = match key.as_str() {
                "$schema" | "$defs" | "title" | "description" | "properties" => true,
                "$ref" => {
                    let name = limit.as_str().and_then(|name| name.strip_prefix("#")).ok_or("a reference")?;
                    self.holds(self.0.pointer(name).ok_or(format!("{name} is not there"))?, value)?;
                    true
                }
                "oneOf" | "anyOf" => {
                    let met = limit.as_array().into_iter().flatten().filter(|schema| self.holds(schema, value).is_ok()).count();
                    met == 1 || (key == "anyOf" && met > 0)
                }
                "type" => match limit {
                    Value::Array(types) => {
                        types.iter().map(|name| has_type(value, name)).collect::<Result<Vec<bool>, String>>()?.contains(&true)
                    }
                    name => has_type(value, name)?,
                },
                "const" => limit == value,
                "enum" => limit.as_array().is_some_and(|values| values.contains(value)),
                "required" => limit.as_array().into_iter().flatten().all(|key| value.get(key.as_str().unwrap_or_default()).is_some()),
                "additionalProperties" => {
                    let known = |key: &String| schema.get("properties").is_some_and(|keys| keys.get(key).is_some());
                    value.as_object().is_none_or(|object| object.keys().all(known))
                }
                "minimum" => value.as_i64().is_none_or(|value| Some(value) >= limit.as_i64()),
                "minItems" | "minLength" => length() >= number(limit),
                "maxItems" | "maxLength" => length() <= number(limit),
                "items" => value.as_array().into_iter().flatten().try_for_each(|item| self.holds(limit, item)).map(|()| true)?,
                "pattern" => value.as_str().is_none_or(|text| text.bytes().all(|byte| b"0123456789abcdef".contains(&byte))),
                other => return Err(format!("the schema has {other}, which this test does not know")),
            };
            if !is_met {
                return Err(format!("{key} {limit} is not met by {value}"));
            }
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        properties
            .into_iter()
            .flatten()
            .filter_map(|(key, schema)| Some((schema, value.get(key)?)))
            .try_for_each(|(schema, value)| self.holds(schema, value))
    }
}

fn has_type(value: &Value, name: &Value) -> Result<bool, String> {
    Ok(match name.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        other => return Err(format!("the type {other} is unknown")),
    })
}

fn collect_names(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(keys) => {
            names.extend(keys.get("properties").and_then(Value::as_object).into_iter().flat_map(|keys| keys.keys().cloned()));
            keys.values().for_each(|schema| collect_names(schema, names));
        }
        Value::Array(schemas) => schemas.iter().for_each(|schema| collect_names(schema, names)),
        _ => {}
    }
}
