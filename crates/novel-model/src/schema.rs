//! The JSON Schema of a format, and a small interpreter for it.
//!
//! A validator stops at the first fault or speaks to programmers. This one lists
//! every fault with its place, what was expected, what was found and what to do.
//! It knows exactly the keywords our types produce; unknown fields are allowed.

use std::{
    any::TypeId,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use schemars::{generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Map, Value, json};
use serde_path_to_error::Segment;

use crate::{
    Explain, ForeshadowId, Format, Message, Problem, RelPath, Slug, json, message, nearest,
};

/// The JSON Schema of a format, draft 2020-12.
#[must_use]
pub fn schema_of<T: Format>() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(state_integer_bounds))
        .with_transform(RecursiveTransform(add_aliases::<T>));
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let Value::Object(mut rest) = schema.to_value() else {
        return Value::Bool(true);
    };
    // What the file is about stands at its head.
    let mut ordered = Map::new();
    for key in ["$schema", "title", "description"] {
        if let Some(value) = rest.shift_remove(key) {
            ordered.insert(key.to_owned(), value);
        }
    }
    ordered.append(&mut rest);
    Value::Object(ordered)
}

/// A key's other names are held to the same schema.
fn add_aliases<T: Format>(schema: &mut schemars::Schema) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for (name, alias) in T::ALIASES {
        if let Some(property) = properties.get(*name).cloned() {
            properties.insert((*alias).to_owned(), property);
        }
    }
}

/// Replaces the name of a Rust number type by the bounds it stands for.
fn state_integer_bounds(schema: &mut schemars::Schema) {
    let maximum = match schema.get("format").and_then(Value::as_str) {
        Some("uint32") => Some(json!(u32::MAX)),
        Some("uint64") => Some(json!(u64::MAX)),
        Some("double") => None,
        _ => return,
    };
    schema.remove("format");
    if let Some(maximum) = maximum
        && schema.get("maximum").is_none()
    {
        schema.insert("maximum".to_owned(), maximum);
    }
}

/// Generating a schema takes longer than checking a file against it.
fn cached<T: Format>() -> Arc<Value> {
    static CACHE: Mutex<BTreeMap<TypeId, Arc<Value>>> = Mutex::new(BTreeMap::new());
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = cache
        .entry(TypeId::of::<T>())
        .or_insert_with(|| Arc::new(schema_of::<T>()));
    Arc::clone(schema)
}

/// Appends every difference between `value` and the schema of `T`.
pub(crate) fn check<T: Format>(path: &RelPath, value: &Value, problems: &mut Vec<Problem>) {
    let root = cached::<T>();
    let mut check = Check {
        root: &root,
        path,
        pointer: String::new(),
        problems,
    };
    check.value(&root, value);
}

/// Decodes a value of a format with [`Format::OBJECT_LISTS`]; `None` when it has none, or when the
/// schema has to say what is wrong.
pub(crate) fn decode_directly<T: Format>(value: &Value) -> Option<T> {
    let lists = T::OBJECT_LISTS?;
    if !holds_objects(value, lists) {
        return None;
    }
    T::deserialize(value).ok()
}

/// Whether `value` is an object, and so is every element of its nested lists.
fn holds_objects(value: &Value, lists: &[&str]) -> bool {
    let Some(object) = value.as_object() else {
        return false;
    };
    let Some((list, inner)) = lists.split_first() else {
        return true;
    };
    let elements = object.get(*list).and_then(Value::as_array);
    let mut elements = elements.into_iter().flatten();
    elements.all(|element| holds_objects(element, inner))
}

/// Decodes a value that passed its schema.
pub(crate) fn decode<T: Format>(
    path: &RelPath,
    value: &Value,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    // Keeping track of the place is slow and only of use for an error.
    if let Ok(decoded) = T::deserialize(value) {
        return Some(decoded);
    }
    match serde_path_to_error::deserialize(value) {
        Ok(value) => Some(value),
        Err(error) => {
            let mut pointer = String::new();
            for segment in error.path() {
                match segment {
                    Segment::Seq { index } => json::push_token(&mut pointer, &index.to_string()),
                    Segment::Map { key } => json::push_token(&mut pointer, key),
                    Segment::Enum { variant } => json::push_token(&mut pointer, variant),
                    Segment::Unknown => {}
                }
            }
            let why = error.into_inner();
            let message = message!(en: "not usable: {why}", zh: "无法使用：{why}");
            problems.push(Problem::new("bad_value", path, message).at(pointer));
            None
        }
    }
}

struct Check<'a> {
    root: &'a Value,
    path: &'a RelPath,
    pointer: String,
    problems: &'a mut Vec<Problem>,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value) {
        // The schema `true` allows everything.
        let Some(schema) = resolve(self.root, schema).as_object() else {
            return;
        };
        if let Some(branches) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
            return self.choice(branches.as_array().map_or(&[], Vec::as_slice), value);
        }
        if let Some(allowed) = constants(schema) {
            if !allowed.contains(&value) {
                self.not_allowed(&allowed, value);
            }
            return;
        }
        if let Some(kinds) = schema.get("type").map(Kinds::of)
            && !kinds.allow(value)
        {
            return self.wrong_type(&kinds, value);
        }
        match value {
            Value::Object(object) => self.object(schema, object),
            Value::Array(items) => self.array(schema, items),
            Value::String(text) => self.text(schema, text),
            Value::Number(_) => self.number(schema, value),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `anyOf` and `oneOf`: an enumeration, or something that may be null.
    fn choice(&mut self, branches: &[Value], value: &Value) {
        let resolved: Vec<&Value> = branches.iter().map(|b| resolve(self.root, b)).collect();
        let constants: Option<Vec<Vec<&Value>>> = resolved
            .iter()
            .map(|branch| branch.as_object().and_then(constants))
            .collect();
        if let Some(allowed) = constants.map(|lists| lists.concat()) {
            if !allowed.contains(&value) {
                self.not_allowed(&allowed, value);
            }
            return;
        }
        // Report against the branch that comes nearest, so that a fault deep inside is named.
        let mut best: Option<Vec<Problem>> = None;
        for branch in resolved {
            let mut problems = Vec::new();
            Check {
                root: self.root,
                path: self.path,
                pointer: self.pointer.clone(),
                problems: &mut problems,
            }
            .value(branch, value);
            if problems.is_empty() {
                return;
            }
            if branch.get("type") != Some(&json!("null")) && best.is_none() {
                best = Some(problems);
            }
        }
        self.problems.extend(best.unwrap_or_default());
    }

    fn object(&mut self, schema: &Map<String, Value>, object: &Map<String, Value>) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        for key in required.into_iter().flatten().filter_map(Value::as_str) {
            if !object.contains_key(key) {
                let unknown = object
                    .keys()
                    .map(String::as_str)
                    .filter(|other| properties.is_none_or(|known| !known.contains_key(*other)));
                let similar = nearest(key, unknown);
                self.inside(key, |check| check.missing_key(key, similar));
            }
        }
        for (key, property) in properties.into_iter().flatten() {
            if let Some(value) = object.get(key) {
                self.inside(key, |check| check.value(property, value));
            }
        }
        if let Some(others @ Value::Object(_)) = schema.get("additionalProperties") {
            for (key, value) in object {
                if properties.is_none_or(|known| !known.contains_key(key)) {
                    self.inside(key, |check| check.value(others, value));
                }
            }
        }
    }

    fn array(&mut self, schema: &Map<String, Value>, items: &[Value]) {
        let bound = |name| schema.get(name).and_then(Value::as_u64);
        let (least, most) = (bound("minItems"), bound("maxItems"));
        let count = items.len() as u64;
        if least.is_some_and(|least| count < least) || most.is_some_and(|most| count > most) {
            let expected = match (least, most) {
                (Some(least), Some(most)) if least == most => {
                    message!(en: "exactly {least}", zh: "恰好 {least} 个")
                }
                (Some(least), _) if count < least => {
                    message!(en: "at least {least}", zh: "至少 {least} 个")
                }
                (_, most) => {
                    let most = most.unwrap_or_default();
                    message!(en: "at most {most}", zh: "至多 {most} 个")
                }
            };
            let Message { en, zh } = expected;
            self.report(
                "wrong_length",
                message!(en: "expected {en} elements, found {count}", zh: "元素数量应为{zh}，实际为 {count} 个"),
                None,
            );
        }
        let tuple = schema.get("prefixItems").and_then(Value::as_array);
        let tuple = tuple.map_or(&[][..], Vec::as_slice);
        for (index, item) in items.iter().enumerate() {
            if let Some(element) = tuple.get(index).or_else(|| schema.get("items")) {
                self.inside(&index.to_string(), |check| check.value(element, item));
            }
        }
    }

    fn text(&mut self, schema: &Map<String, Value>, text: &str) {
        let parsed = match schema.get("format").and_then(Value::as_str) {
            Some("slug") => text.parse::<Slug>().map(drop),
            Some("foreshadow-id") => text.parse::<ForeshadowId>().map(drop),
            _ => Ok(()),
        };
        if let Err(error) = parsed {
            self.report("bad_id", error.message(), error.hint());
        }
    }

    fn number(&mut self, schema: &Map<String, Value>, value: &Value) {
        let bound = |name| schema.get(name).filter(|bound| bound.is_number());
        let (least, most) = (bound("minimum"), bound("maximum"));
        let below = least.is_some_and(|least| order(value, least).is_lt());
        let above = most.is_some_and(|most| order(value, most).is_gt());
        if !below && !above {
            return;
        }
        let message = match (least, most) {
            (Some(least), Some(most)) => message!(
                en: "expected a number from {least} to {most}, found {value}",
                zh: "应为 {least} 到 {most} 的数字，实际为 {value}"
            ),
            (Some(least), None) => message!(
                en: "expected a number of at least {least}, found {value}",
                zh: "应为不小于 {least} 的数字，实际为 {value}"
            ),
            (None, most) => {
                let most = most.map_or_else(String::new, Value::to_string);
                message!(
                    en: "expected a number of at most {most}, found {value}",
                    zh: "应为不大于 {most} 的数字，实际为 {value}"
                )
            }
        };
        self.report("out_of_range", message, None);
    }

    fn missing_key(&mut self, key: &str, similar: Option<&str>) {
        let hint = match similar {
            Some(similar) => message!(
                en: "there is `{similar}`: did you mean `{key}`?",
                zh: "文件中有 `{similar}`：是否想写 `{key}`？"
            ),
            None => message!(en: "add `{key}`", zh: "请补上 `{key}`"),
        };
        self.report(
            "missing_key",
            message!(en: "the key `{key}` is missing", zh: "缺少键 `{key}`"),
            Some(hint),
        );
    }

    fn not_allowed(&mut self, allowed: &[&Value], value: &Value) {
        let words = |join: &str| {
            let words: Vec<String> = allowed.iter().map(|word| word.to_string()).collect();
            words.join(join)
        };
        let (en, zh, found) = (words(", "), words("、"), found(value));
        let texts = allowed.iter().filter_map(|word| word.as_str());
        let similar = value.as_str().and_then(|word| nearest(word, texts));
        self.report(
            "not_allowed",
            message!(
                en: "expected one of {en}, found {}",
                zh: "应为 {zh} 之一，实际为 {}", found
            ),
            similar
                .map(|word| message!(en: "did you mean \"{word}\"?", zh: "是否想写 \"{word}\"？")),
        );
    }

    fn wrong_type(&mut self, kinds: &Kinds<'_>, value: &Value) {
        let Message { en, zh } = kinds.describe();
        let message =
            message!(en: "expected {en}, found {}", zh: "应为{zh}，实际为 {}", found(value));
        self.report("wrong_type", message, kinds.repair(value));
    }

    fn report(&mut self, code: &'static str, message: Message, hint: Option<Message>) {
        let mut problem = Problem::new(code, self.path, message).at(self.pointer.as_str());
        problem.hint = hint;
        self.problems.push(problem);
    }

    fn inside(&mut self, token: &str, check: impl FnOnce(&mut Self)) {
        let outside = self.pointer.len();
        json::push_token(&mut self.pointer, token);
        check(self);
        self.pointer.truncate(outside);
    }
}

fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix("#/$defs/"));
    match name {
        Some(name) => &root["$defs"][name],
        None => schema,
    }
}

/// The values of `const` or `enum`.
fn constants(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(constant), _) => Some(vec![constant]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

fn order(a: &Value, b: &Value) -> std::cmp::Ordering {
    match (a.as_u64(), b.as_u64()) {
        // Exact where floating point would round.
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a
            .as_f64()
            .unwrap_or_default()
            .total_cmp(&b.as_f64().unwrap_or_default()),
    }
}

/// What was found, short enough for one line.
fn found(value: &Value) -> String {
    const MOST: usize = 40;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    let start: String = text.chars().take(MOST).collect();
    format!("{start}…")
}

/// The types a value may have.
struct Kinds<'a>(Vec<&'a str>);

impl<'a> Kinds<'a> {
    fn of(schema_type: &'a Value) -> Self {
        match schema_type {
            Value::Array(kinds) => Self(kinds.iter().filter_map(Value::as_str).collect()),
            kind => Self(kind.as_str().into_iter().collect()),
        }
    }

    fn has(&self, kind: &str) -> bool {
        self.0.contains(&kind)
    }

    fn allow(&self, value: &Value) -> bool {
        match value {
            Value::Null => self.has("null"),
            Value::Bool(_) => self.has("boolean"),
            Value::String(_) => self.has("string"),
            Value::Array(_) => self.has("array"),
            Value::Object(_) => self.has("object"),
            Value::Number(number) => self.has("number") || self.has("integer") && !number.is_f64(),
        }
    }

    fn describe(&self) -> Message {
        let words = self.0.iter().map(|kind| match *kind {
            "null" => ("null", "null"),
            "boolean" => ("true or false", " true 或 false"),
            "string" => ("text", "文本"),
            "array" => ("a list", "列表"),
            "object" => ("an object", "对象"),
            "integer" => ("a whole number", "整数"),
            _ => ("a number", "数字"),
        });
        let (en, zh): (Vec<&str>, Vec<&str>) = words.unzip();
        Message {
            en: en.join(" or "),
            zh: zh.join("或"),
        }
    }

    /// What to write instead, where it is plain what was meant.
    fn repair(&self, value: &Value) -> Option<Message> {
        let numeric = self.has("integer") || self.has("number");
        match value {
            Value::String(text) if numeric && text.trim().parse::<f64>().is_ok() => Some(message!(
                en: "write {0} without quotation marks",
                zh: "请去掉引号，写成 {0}", text.trim()
            )),
            Value::Number(number) if self.has("integer") && !self.has("string") => number
                .as_f64()
                .filter(|number| number.fract() == 0.0)
                .map(|number| message!(en: "write {number}", zh: "请写成 {number}")),
            Value::Number(_) | Value::Bool(_) if self.has("string") => Some(message!(
                en: "write \"{value}\" with quotation marks",
                zh: "请加上引号，写成 \"{value}\""
            )),
            Value::Null => Some(message!(
                en: "give it a value, or leave the key out if it is optional",
                zh: "请填写值；若该键可省略，也可删除它"
            )),
            Value::String(_) | Value::Object(_) if self.has("array") => {
                Some(message!(en: "put it in [ ]", zh: "请放入 [ ] 中"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
