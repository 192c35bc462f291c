//! JSON Schema as providers' strict modes want it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

/// Formats that strict modes know; others (`uint32`, `double`) are dropped.
const KNOWN_FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Makes a schema acceptable to strict structured output.
///
/// - `$ref`s to `#/$defs/…` or `#/definitions/…` are replaced by what they mean, with
///   the keywords beside them on top. Only definitions that contain themselves stay
///   referenced, under `$defs`.
/// - Every object with `properties` gets `additionalProperties: false` and all its
///   properties `required`. A property that was optional may be `null` instead; undo
///   that in the answer with [`drop_optional_nulls`].
/// - `oneOf` becomes `anyOf`; `allOf` of one schema is that schema.
/// - `$schema`, `$id`, `title`, `default`, `examples` and unknown `format`s are dropped.
///
/// Bounds, patterns, enums and descriptions stay. A map (`additionalProperties` with
/// a schema) cannot be strict and stays as it is; it is then sent as not strict.
#[must_use]
pub fn strict_schema(schema: Value) -> Value {
    let definitions: Map<String, Value> = ["definitions", "$defs"]
        .iter()
        .filter_map(|name| schema.get(name)?.as_object().cloned())
        .flatten()
        .collect();
    let mut work = Strict {
        definitions,
        open: Vec::new(),
        recursive: Vec::new(),
    };
    let mut result = work.strict(schema);
    // Recursive definitions are made strict in turn; they may find further ones.
    let mut kept = Map::new();
    while let Some(name) = work
        .recursive
        .iter()
        .find(|name| !kept.contains_key(*name))
        .cloned()
    {
        let definition = work.definitions.get(&name).cloned().unwrap_or(json!({}));
        work.open.push(name.clone());
        let strict = work.strict(definition);
        work.open.pop();
        kept.insert(name, strict);
    }
    if let Some(object) = result.as_object_mut()
        && !kept.is_empty()
    {
        object.insert("$defs".into(), Value::Object(kept));
    }
    result
}

/// Keywords of bounds, which Anthropic's structured outputs refuse with a 400, and OpenAI's some of them.
pub(crate) const BOUNDS: [&str; 11] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// A schema as it is sent.
pub(crate) struct StrictForm {
    pub(crate) text: Box<RawValue>,
    /// The schema without length and count bounds; the caller checks the answer against them.
    pub(crate) unbounded: Box<RawValue>,
    pub(crate) can_be_strict: bool,
}

impl StrictForm {
    /// Forms that are remembered: the same few are sent with every chapter.
    const MOST: usize = 8;

    /// Of a schema.
    pub(crate) fn of(schema: &Arc<Value>) -> Arc<Self> {
        /// The newest last. Each schema is held, so none can take the place of another.
        static KNOWN: Mutex<VecDeque<(Arc<Value>, Arc<StrictForm>)>> = Mutex::new(VecDeque::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |(other, _): &&(Arc<Value>, _)| Arc::ptr_eq(other, schema);
        if let Some((_, form)) = known.iter().find(same) {
            return Arc::clone(form);
        }
        let strict = strict_schema(schema.as_ref().clone());
        let form = Arc::new(Self {
            can_be_strict: can_be_strict(&strict),
            // A value is always JSON.
            text: to_raw_value(&strict).unwrap_or_default(),
            unbounded: to_raw_value(&without_bounds(strict)).unwrap_or_default(),
        });
        if known.len() == Self::MOST {
            known.pop_front();
        }
        known.push_back((Arc::clone(schema), Arc::clone(&form)));
        form
    }

    /// Whether the schema bounds a number, a text or a list.
    pub(crate) fn has_bounds(&self) -> bool {
        self.text.get() != self.unbounded.get()
    }

    /// The schema for a server that takes bounds, or for one that does not.
    pub(crate) fn schema(&self, bounds: bool) -> &RawValue {
        if bounds { &self.text } else { &self.unbounded }
    }
}

/// A schema made by [`strict_schema`] without the bounds of its numbers, texts and lists.
fn without_bounds(mut schema: Value) -> Value {
    let Some(object) = schema.as_object_mut() else {
        return schema;
    };
    for name in BOUNDS {
        object.shift_remove(name);
    }
    for name in ["properties", "$defs"] {
        if let Some(Value::Object(parts)) = object.get_mut(name) {
            for part in parts.values_mut() {
                *part = without_bounds(part.take());
            }
        }
    }
    for name in ["anyOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(parts)) = object.get_mut(name) {
            for part in parts {
                *part = without_bounds(part.take());
            }
        }
    }
    for name in ["items", "additionalProperties", "not"] {
        if let Some(part) = object.get_mut(name) {
            *part = without_bounds(part.take());
        }
    }
    schema
}

/// Whether a schema made by [`strict_schema`] may be called strict: no maps in it.
fn can_be_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(object) => {
            let is_object = match object.get("type") {
                Some(Value::String(name)) => name == "object",
                Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
                _ => false,
            };
            let is_open_object =
                is_object && object.get("additionalProperties") != Some(&json!(false));
            !is_open_object && object.values().all(can_be_strict)
        }
        Value::Array(items) => items.iter().all(can_be_strict),
        _ => true,
    }
}

struct Strict {
    definitions: Map<String, Value>,
    /// Definitions being replaced at this place; meeting one again is recursion.
    open: Vec<String>,
    recursive: Vec<String>,
}

impl Strict {
    fn strict(&mut self, schema: Value) -> Value {
        let Value::Object(mut object) = schema else {
            return schema;
        };
        for name in [
            "$schema",
            "$id",
            "$defs",
            "definitions",
            "title",
            "default",
            "examples",
        ] {
            object.shift_remove(name);
        }
        if let Some(target) = self.target(&object) {
            object.shift_remove("$ref");
            return self.resolved(target, object);
        }
        if let Some(Value::Array(mut only)) = object.get("allOf").cloned()
            && only.len() == 1
        {
            object.shift_remove("allOf");
            let mut merged = only.remove(0);
            if let Some(inner) = merged.as_object_mut() {
                inner.extend(object);
            }
            return self.strict(merged);
        }
        if let Some(variants) = object.shift_remove("oneOf") {
            object.insert("anyOf".into(), variants);
        }
        if object
            .get("format")
            .and_then(Value::as_str)
            .is_some_and(|format| !KNOWN_FORMATS.contains(&format))
        {
            object.shift_remove("format");
        }
        for name in ["anyOf", "allOf", "prefixItems"] {
            if let Some(Value::Array(parts)) = object.get_mut(name) {
                for part in parts {
                    *part = self.strict(part.take());
                }
            }
        }
        for name in ["items", "additionalProperties", "not"] {
            if let Some(part) = object.get_mut(name) {
                *part = self.strict(part.take());
            }
        }
        self.close(&mut object);
        Value::Object(object)
    }

    /// Requires all properties and allows no others.
    fn close(&mut self, object: &mut Map<String, Value>) {
        let Some(Value::Object(properties)) = object.get_mut("properties") else {
            return;
        };
        let mut properties = std::mem::take(properties);
        let required: Vec<Value> = object
            .get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        for (name, property) in &mut properties {
            let strict = self.strict(property.take());
            *property = if required.iter().any(|known| known == name) {
                strict
            } else {
                nullable(strict)
            };
        }
        let names = properties.keys().map(|name| json!(name)).collect();
        object.insert("properties".into(), Value::Object(properties));
        object.insert("required".into(), Value::Array(names));
        object.insert("additionalProperties".into(), json!(false));
    }

    fn target(&self, object: &Map<String, Value>) -> Option<String> {
        let reference = object.get("$ref")?.as_str()?;
        let name = reference
            .strip_prefix("#/$defs/")
            .or_else(|| reference.strip_prefix("#/definitions/"))?;
        self.definitions.contains_key(name).then(|| name.to_owned())
    }

    fn resolved(&mut self, name: String, beside: Map<String, Value>) -> Value {
        if self.open.contains(&name) || self.recursive.contains(&name) {
            let reference = json!({"$ref": format!("#/$defs/{name}")});
            if !self.recursive.contains(&name) {
                self.recursive.push(name);
            }
            return reference;
        }
        let mut schema = self.definitions.get(&name).cloned().unwrap_or(json!({}));
        if let Some(object) = schema.as_object_mut() {
            object.extend(beside);
        }
        self.open.push(name);
        let strict = self.strict(schema);
        self.open.pop();
        strict
    }
}

fn nullable(mut schema: Value) -> Value {
    let no_value = json!("null");
    let Some(object) = schema.as_object_mut() else {
        return schema;
    };
    if let Some(Value::Array(variants)) = object.get_mut("anyOf") {
        if !variants.iter().any(|variant| variant["type"] == no_value) {
            variants.push(json!({"type": "null"}));
        }
        return schema;
    }
    if object.contains_key("const") || object.contains_key("$ref") {
        return json!({"anyOf": [schema, {"type": "null"}]});
    }
    if let Some(Value::Array(values)) = object.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    // Without a type everything is allowed already.
    if let Some(types) = object.get_mut("type") {
        let mut list = match types.take() {
            Value::Array(list) => list,
            single => vec![single],
        };
        if !list.contains(&no_value) {
            list.push(no_value);
        }
        *types = Value::Array(list);
    }
    schema
}

/// Takes `null` members out of an answer where the original schema calls the member
/// optional: the counterpart of what [`strict_schema`] did to the schema.
#[must_use]
pub fn drop_optional_nulls(schema: &Value, answer: Value) -> Value {
    if has_null(&answer) {
        relaxed(schema, schema, answer)
    } else {
        answer
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(members) => members.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn relaxed(root: &Value, schema: &Value, answer: Value) -> Value {
    let schema = followed(root, schema);
    match answer {
        Value::Object(members) => {
            let required = schema["required"].as_array();
            let is_required =
                |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
            Value::Object(
                members
                    .into_iter()
                    .filter(|(name, value)| {
                        !value.is_null()
                            || is_required(name)
                            || property(root, schema, name).is_none()
                    })
                    .map(|(name, value)| {
                        let value = match property(root, schema, &name) {
                            Some(inner) => relaxed(root, inner, value),
                            None => value,
                        };
                        (name, value)
                    })
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(
            items
                .into_iter()
                .map(|item| relaxed(root, &schema["items"], item))
                .collect(),
        ),
        scalar => scalar,
    }
}

fn property<'s>(root: &'s Value, schema: &'s Value, name: &str) -> Option<&'s Value> {
    let properties = followed(root, schema).get("properties")?;
    properties.get(name)
}

/// The schema behind references and behind `anyOf` with one object in it.
fn followed<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let mut schema = schema;
    // A reference to itself would go on for ever; no real schema nests so deep.
    for _ in 0..32 {
        if let Some(pointer) = schema["$ref"].as_str().and_then(|r| r.strip_prefix('#')) {
            let Some(target) = root.pointer(pointer) else {
                return schema;
            };
            schema = target;
            continue;
        }
        let variants = ["anyOf", "oneOf", "allOf"]
            .iter()
            .find_map(|name| schema[*name].as_array());
        let mut objects = variants
            .into_iter()
            .flatten()
            .filter(|variant| variant["type"] != "null");
        match (objects.next(), objects.next()) {
            (Some(only), None) => schema = only,
            _ => return schema,
        }
    }
    schema
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
