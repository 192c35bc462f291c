//! State ops: the only way the story state changes.
//!
//! Law: `undo(apply(state, ops)) == state`, byte for byte, and replaying the recorded ops on the
//! same base gives the same bytes.

use novel_model::{ForeshadowId, Message, Warning, files::ForeshadowAction, message, proof};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value, json};

const TOP_SEGMENTS: [&str; 6] = [
    "characters",
    "items",
    "locations",
    "factions",
    "world_state",
    "active_foreshadowing",
];
const ACTIVE_FORESHADOWING: &str = "active_foreshadowing";
const FORBIDDEN_SEGMENTS: [&str; 3] = ["__proto__", "prototype", "constructor"];

/// An op that was applied, with what is needed to take it back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AppliedOp {
    /// The op as it was handed in.
    pub op: Value,
    /// How to take it back.
    pub undo: Undo,
}

/// The inverse of an applied op.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Undo {
    /// Nothing had changed.
    Nothing,
    /// Put the old value back.
    Restore {
        /// Dotted path.
        path: String,
        /// The old value.
        value: Value,
    },
    /// Take the key out that was not there.
    Remove {
        /// Dotted path of the outermost key that was created.
        path: String,
    },
    /// Take the last element off.
    Pop {
        /// Dotted path of the array.
        path: String,
    },
    /// Put an element back in its place.
    Insert {
        /// Dotted path of the array.
        path: String,
        /// Its place.
        index: usize,
        /// The element.
        value: Value,
    },
}

/// An op that was not applied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DroppedOp {
    /// The op as it was handed in.
    pub op: Value,
    /// Why: `unknown_op`, `bad_path` or `wrong_type`.
    pub reason: String,
}

/// A foreshadowing event taken from the ops.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeshadowOp {
    /// The item.
    pub id: ForeshadowId,
    /// What happened.
    pub action: ForeshadowAction,
    /// How.
    pub detail: Option<String>,
    /// A quotation from the chapter.
    pub evidence: Option<String>,
    /// Whether the quotation was not found.
    pub unproven: bool,
}

/// What a batch of ops did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpsOutcome {
    /// In order.
    pub applied: Vec<AppliedOp>,
    /// In order.
    pub dropped: Vec<DroppedOp>,
    /// The foreshadowing events among the applied ones.
    pub foreshadowing: Vec<ForeshadowOp>,
}

impl OpsOutcome {
    /// One warning for each dropped op.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        self.dropped
            .iter()
            .map(|dropped| {
                let (op, reason) = (&dropped.op, &dropped.reason);
                Warning::new(
                    "op_dropped",
                    message!(en: "state op dropped ({reason}): {op}", zh: "已丢弃状态操作（{reason}）：{op}"),
                )
            })
            .collect()
    }
}

#[derive(Debug, Clone, Copy)]
enum Refusal {
    UnknownOp,
    BadPath,
    WrongType,
}

impl Refusal {
    const fn word(self) -> &'static str {
        match self {
            Self::UnknownOp => "unknown_op",
            Self::BadPath => "bad_path",
            Self::WrongType => "wrong_type",
        }
    }
}

/// Applies `ops` to the raw state, in order. A bad op is dropped; the rest apply.
pub fn apply(state: &mut Value, ops: &[Value]) -> OpsOutcome {
    let mut outcome = OpsOutcome::default();
    for op in ops {
        match apply_one(state, op) {
            Ok((undo, foreshadowing)) => {
                outcome.foreshadowing.extend(foreshadowing);
                outcome.applied.push(AppliedOp {
                    op: op.clone(),
                    undo,
                });
            }
            Err(refusal) => outcome.dropped.push(DroppedOp {
                op: op.clone(),
                reason: refusal.word().to_owned(),
            }),
        }
    }
    outcome
}

/// Takes applied ops back, newest first.
///
/// # Errors
/// When the state is not the one they were applied to.
pub fn undo(state: &mut Value, applied: &[AppliedOp]) -> Result<(), UndoError> {
    for op in applied.iter().rev() {
        undo_one(state, &op.undo).ok_or_else(|| UndoError {
            op: op.op.to_string(),
        })?;
    }
    Ok(())
}

/// The state does not fit the recorded ops.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the state does not fit the recorded op {op}")]
pub struct UndoError {
    op: String,
}

impl UndoError {
    /// For people.
    #[must_use]
    pub fn message(&self) -> Message {
        let op = &self.op;
        message!(
            en: "the state does not fit the recorded op {op}",
            zh: "当前状态与记录的操作 {op} 不符"
        )
    }
}

fn apply_one(state: &mut Value, op: &Value) -> Result<(Undo, Option<ForeshadowOp>), Refusal> {
    let object = op.as_object().ok_or(Refusal::WrongType)?;
    let verb = object
        .get("op")
        .and_then(Value::as_str)
        .ok_or(Refusal::UnknownOp)?;
    let path = object
        .get("path")
        .and_then(Value::as_str)
        .ok_or(Refusal::BadPath)?;
    let value = object.get("value");
    match verb {
        "foreshadow" => apply_foreshadow(state, op, path, value),
        "set" | "inc" | "add" | "remove" => {
            let segments = segments(path)?;
            let value = value.ok_or(Refusal::WrongType)?;
            let undo = match verb {
                "set" => {
                    keep_kind(lookup(state, &segments), value)?;
                    set(state, &segments, value)?
                }
                "inc" => increment(state, &segments, value)?,
                "add" => add(state, &segments, value)?,
                _ => remove(state, &segments, value)?,
            };
            Ok((undo, None))
        }
        _ => Err(Refusal::UnknownOp),
    }
}

fn segments(path: &str) -> Result<Vec<&str>, Refusal> {
    let segments: Vec<&str> = path.split('.').collect();
    let shape = (2..=4).contains(&segments.len()) && TOP_SEGMENTS.contains(&segments[0]);
    let safe = segments.iter().all(|segment| {
        !segment.trim().is_empty()
            && !segment.chars().any(char::is_control)
            && !FORBIDDEN_SEGMENTS.contains(segment)
    });
    if shape && safe {
        Ok(segments)
    } else {
        Err(Refusal::BadPath)
    }
}

fn apply_foreshadow(
    state: &mut Value,
    op: &Value,
    path: &str,
    value: Option<&Value>,
) -> Result<(Undo, Option<ForeshadowOp>), Refusal> {
    let id: ForeshadowId = path.parse().map_err(|_| Refusal::BadPath)?;
    let action = value
        .and_then(Value::as_str)
        .and_then(ForeshadowAction::from_word)
        .ok_or(Refusal::WrongType)?;
    let entry = Value::String(path.to_owned());
    let undo = match action {
        ForeshadowAction::Planted | ForeshadowAction::Advanced => {
            add(state, &[ACTIVE_FORESHADOWING], &entry)?
        }
        ForeshadowAction::Resolved => match lookup(state, &[ACTIVE_FORESHADOWING]) {
            Some(_) => remove(state, &[ACTIVE_FORESHADOWING], &entry)?,
            None => Undo::Nothing,
        },
    };
    let event = ForeshadowOp {
        id,
        action,
        detail: op.get("detail").and_then(Value::as_str).map(str::to_owned),
        evidence: proof::quotation(op).map(str::to_owned),
        unproven: proof::is_unproven(op),
    };
    Ok((undo, Some(event)))
}

fn lookup<'a>(state: &'a Value, segments: &[&str]) -> Option<&'a Value> {
    segments
        .iter()
        .try_fold(state, |at, segment| at.as_object()?.get(*segment))
}

fn lookup_mut<'a>(state: &'a mut Value, segments: &[&str]) -> Option<&'a mut Value> {
    segments
        .iter()
        .try_fold(state, |at, segment| at.as_object_mut()?.get_mut(*segment))
}

/// The object that holds the last segment; missing ones on the way are created. Also returns the
/// outermost path that had to be created, if any.
fn parent_of<'a>(
    state: &'a mut Value,
    segments: &[&str],
) -> Result<(&'a mut Map<String, Value>, Option<String>), Refusal> {
    let mut created = None;
    let mut probe: &Value = state;
    for (depth, segment) in segments[..segments.len() - 1].iter().enumerate() {
        match probe.as_object().ok_or(Refusal::WrongType)?.get(*segment) {
            Some(next) => probe = next,
            None => {
                created = Some(segments[..=depth].join("."));
                break;
            }
        }
    }
    if created.is_none() && !probe.is_object() {
        return Err(Refusal::WrongType);
    }
    let mut at = state;
    for segment in &segments[..segments.len() - 1] {
        at = at
            .as_object_mut()
            .ok_or(Refusal::WrongType)?
            .entry(*segment)
            .or_insert_with(|| Value::Object(Map::new()));
    }
    Ok((at.as_object_mut().ok_or(Refusal::WrongType)?, created))
}

/// An entity or a list is not overwritten by something that is none: all it held would be lost.
fn keep_kind(old: Option<&Value>, new: &Value) -> Result<(), Refusal> {
    match old {
        Some(Value::Object(_)) if !new.is_object() => Err(Refusal::WrongType),
        Some(Value::Array(_)) if !new.is_array() => Err(Refusal::WrongType),
        _ => Ok(()),
    }
}

fn set(state: &mut Value, segments: &[&str], value: &Value) -> Result<Undo, Refusal> {
    let path = segments.join(".");
    let last = segments[segments.len() - 1];
    let (parent, created) = parent_of(state, segments)?;
    let old = parent.insert(last.to_owned(), value.clone());
    Ok(match (created, old) {
        (Some(created), _) => Undo::Remove { path: created },
        (None, None) => Undo::Remove { path },
        (None, Some(value)) => Undo::Restore { path, value },
    })
}

fn increment(state: &mut Value, segments: &[&str], by: &Value) -> Result<Undo, Refusal> {
    let by = by.as_number().ok_or(Refusal::WrongType)?;
    let old = match lookup(state, segments) {
        Some(value) => value.as_number().ok_or(Refusal::WrongType)?.clone(),
        None => Number::from(0),
    };
    let sum = match (old.as_i64(), by.as_i64()) {
        (Some(old), Some(by)) => old.checked_add(by).map(Number::from),
        _ => old
            .as_f64()
            .zip(by.as_f64())
            .and_then(|(old, by)| Number::from_f64(old + by)),
    };
    set(
        state,
        segments,
        &Value::Number(sum.ok_or(Refusal::WrongType)?),
    )
}

fn add(state: &mut Value, segments: &[&str], value: &Value) -> Result<Undo, Refusal> {
    match lookup_mut(state, segments) {
        None => set(state, segments, &json!([value])),
        Some(Value::Array(items)) if items.contains(value) => Ok(Undo::Nothing),
        Some(Value::Array(items)) => {
            items.push(value.clone());
            Ok(Undo::Pop {
                path: segments.join("."),
            })
        }
        Some(_) => Err(Refusal::WrongType),
    }
}

fn remove(state: &mut Value, segments: &[&str], value: &Value) -> Result<Undo, Refusal> {
    match lookup_mut(state, segments) {
        None => Ok(Undo::Nothing),
        Some(Value::Array(items)) => match items.iter().position(|item| item == value) {
            None => Ok(Undo::Nothing),
            Some(index) => {
                let value = items.remove(index);
                Ok(Undo::Insert {
                    path: segments.join("."),
                    index,
                    value,
                })
            }
        },
        Some(_) => Err(Refusal::WrongType),
    }
}

fn undo_one(state: &mut Value, undo: &Undo) -> Option<()> {
    match undo {
        Undo::Nothing => {}
        Undo::Restore { path, value } => {
            let segments: Vec<&str> = path.split('.').collect();
            *lookup_mut(state, &segments)? = value.clone();
        }
        Undo::Remove { path } => {
            let segments: Vec<&str> = path.split('.').collect();
            let (last, parents) = segments.split_last()?;
            lookup_mut(state, parents)?
                .as_object_mut()?
                .shift_remove(*last)?;
        }
        Undo::Pop { path } => {
            let segments: Vec<&str> = path.split('.').collect();
            lookup_mut(state, &segments)?.as_array_mut()?.pop()?;
        }
        Undo::Insert { path, index, value } => {
            let segments: Vec<&str> = path.split('.').collect();
            let items = lookup_mut(state, &segments)?.as_array_mut()?;
            if *index > items.len() {
                return None;
            }
            items.insert(*index, value.clone());
        }
    }
    Some(())
}

#[cfg(test)]
#[path = "ops_tests.rs"]
mod tests;
