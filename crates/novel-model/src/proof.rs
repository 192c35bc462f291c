//! Where a chapter tells of an op: its keys `evidence` and `unproven`.
//!
//! Ops stay raw JSON until they are applied one by one, so their proof is read and marked here.

use serde_json::Value;

const EVIDENCE: &str = "evidence";
const UNPROVEN: &str = "unproven";

/// The quotation an op carries; an empty one is none.
#[must_use]
pub fn quotation(op: &Value) -> Option<&str> {
    let text = op.get(EVIDENCE)?.as_str()?.trim();
    (!text.is_empty()).then_some(text)
}

/// Whether the program could not find the quotation. Ops of older versions are not marked.
#[must_use]
pub fn is_unproven(op: &Value) -> bool {
    op.get(UNPROVEN) == Some(&Value::Bool(true))
}

/// Sets the mark or takes it off; what an agent says about it does not count.
pub fn mark(op: &mut Value, unproven: bool) {
    if let Some(op) = op.as_object_mut() {
        op.shift_remove(UNPROVEN);
        if unproven {
            op.insert(UNPROVEN.to_owned(), Value::Bool(true));
        }
    }
}

/// Replaces the quotation by the words of a later text.
pub fn requote(op: &mut Value, quotation: &str) {
    if let Some(op) = op.as_object_mut() {
        op.insert(EVIDENCE.to_owned(), Value::from(quotation));
    }
}
