//! The form in which a summarizer gives what its record of a chapter lacks, and nothing else.

use std::sync::Arc;

use novel_book::believe::record::LackingRecord;
use serde_json::{Map, Value, json};

use super::{MOST_FACTS, Output, op, summarizer};

/// The form of an answer to a re-ask: the parts and facts in question alone.
#[must_use]
pub fn record_completion(lacking: &LackingRecord) -> Output {
    let mut schema = summarizer();
    let mut parts = Map::new();
    for part in &lacking.parts {
        if let Some(form) = schema["properties"].get(part) {
            parts.insert((*part).to_owned(), form.clone());
        }
    }
    let sent_back = u32::try_from(lacking.facts.len()).unwrap_or(MOST_FACTS);
    let more = lacking.stands.as_ref().map_or(0, |stands| {
        MOST_FACTS.saturating_sub(u32::try_from(stands.len()).unwrap_or(MOST_FACTS))
    });
    let most = sent_back.saturating_add(more).min(MOST_FACTS);
    if most > 0 {
        let ops = json!({"type": "array", "items": op(), "maxItems": most});
        parts.insert(
            "delta".to_owned(),
            json!({"type": "object", "properties": {"ops": ops}, "required": ["ops"]}),
        );
    }
    let required: Vec<Value> = parts.keys().map(|name| json!(name)).collect();
    schema["properties"] = Value::Object(parts);
    schema["required"] = Value::Array(required);
    Output::Json {
        name: "record_completion",
        schema: Arc::new(schema),
    }
}
