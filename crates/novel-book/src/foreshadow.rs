//! Foreshadowing: facts from ops, plan from the volume, tasks for a chapter.

mod in_text;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use novel_model::{
    BookReader, ChapterNo, Document, FileError, Slug, Warning,
    files::{
        ChapterContract, ForeshadowAction, ForeshadowEvent, ForeshadowItem, ForeshadowPlan,
        ForeshadowScope, Foreshadowing, PlannedForeshadow,
    },
    layout, message,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ops::ForeshadowOp;
pub use in_text::record_in_text;

/// Records what a chapter did to the foreshadowing. Odd orders are recorded and warned about,
/// never lost.
pub fn record(
    global: &mut Foreshadowing,
    plan: &ForeshadowPlan,
    ops: &[ForeshadowOp],
    chapter: ChapterNo,
    storyline: &Slug,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for op in ops {
        let known = global
            .foreshadowing
            .iter()
            .position(|item| item.id == op.id);
        let planted = known.is_some_and(|at| global.foreshadowing[at].planted_chapter.is_some());
        let id = &op.id;
        match (op.action, planted) {
            (ForeshadowAction::Planted, true) => warnings.push(Warning::new(
                "foreshadow_planted_twice",
                message!(en: "foreshadowing `{id}` is planted a second time", zh: "伏笔 `{id}` 重复埋设"),
            )),
            (ForeshadowAction::Advanced | ForeshadowAction::Resolved, false) => {
                let action = op.action.word();
                warnings.push(Warning::new(
                    "foreshadow_not_planted",
                    message!(
                        en: "foreshadowing `{id}` is {action} before it was planted",
                        zh: "伏笔 `{id}` 尚未埋设就被标记为 {action}"
                    ),
                ));
            }
            _ => {}
        }
        let at = known.unwrap_or_else(|| {
            global.foreshadowing.push(ForeshadowItem {
                id: op.id.clone(),
                description: String::new(),
                scope: None,
                status: op.action,
                planted_chapter: None,
                planted_storyline: None,
                target_resolve_range: None,
                last_updated_chapter: None,
                history: Vec::new(),
            });
            global.foreshadowing.len() - 1
        });
        let item = &mut global.foreshadowing[at];
        if op.action == ForeshadowAction::Planted && item.planted_chapter.is_none() {
            item.planted_chapter = Some(chapter);
            item.planted_storyline = Some(storyline.clone());
            take_over_plan(item, plan);
        }
        // A late "planted" or "advanced" does not reopen what is resolved.
        item.status = item.status.max(op.action);
        item.last_updated_chapter = Some(chapter);
        item.history.push(ForeshadowEvent {
            chapter,
            action: op.action,
            detail: op.detail.clone(),
            evidence: op.evidence.clone(),
            unproven: op.unproven,
        });
    }
    warnings
}

fn take_over_plan(item: &mut ForeshadowItem, plan: &ForeshadowPlan) {
    let Some(planned) = plan
        .foreshadowing
        .iter()
        .find(|planned| planned.id == item.id)
    else {
        return;
    };
    item.description.clone_from(&planned.description);
    item.scope = planned.scope;
    item.target_resolve_range = planned.target_resolve_range;
}

/// Whether a short item should have been resolved before `chapter`.
#[must_use]
pub fn is_overdue(item: &ForeshadowItem, chapter: ChapterNo) -> bool {
    Standing::of(item).is_overdue(chapter)
}

/// Where an item stands: what is needed of it to count it. Nearly all of the file is history.
#[derive(Deserialize)]
struct Standing<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(default)]
    scope: Option<ForeshadowScope>,
    status: ForeshadowAction,
    #[serde(default)]
    target_resolve_range: Option<(u32, u32)>,
}

impl<'a> Standing<'a> {
    fn of(item: &'a ForeshadowItem) -> Self {
        Self {
            id: item.id.as_str().into(),
            scope: item.scope,
            status: item.status,
            target_resolve_range: item.target_resolve_range,
        }
    }

    fn is_overdue(&self, chapter: ChapterNo) -> bool {
        let range = self.target_resolve_range;
        self.scope == Some(ForeshadowScope::Short)
            && self.status != ForeshadowAction::Resolved
            && range.is_some_and(|(_, last)| chapter.get() > last)
    }
}

/// How many items are not resolved, and which short ones are overdue, before `chapter`. Whether what happened to
/// them is sound is not looked at.
///
/// # Errors
/// When the facts cannot be read.
pub fn open_and_overdue(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<(usize, Vec<String>), FileError> {
    #[derive(Deserialize)]
    struct Facts<'a> {
        #[serde(borrow, default)]
        foreshadowing: Vec<Standing<'a>>,
    }
    let path = layout::foreshadowing();
    let text = reader.text(&path)?.unwrap_or_else(|| "{}".to_owned());
    let whole;
    let items = match serde_json::from_str::<Facts<'_>>(&text) {
        Ok(facts) => facts.foreshadowing,
        // What is wrong with it the whole file says.
        Err(_) => {
            whole = Document::<Foreshadowing>::parse_value(&path, &text)?;
            whole.foreshadowing.iter().map(Standing::of).collect()
        }
    };
    let open = items
        .iter()
        .filter(|item| item.status != ForeshadowAction::Resolved);
    let overdue = items.iter().filter(|item| item.is_overdue(chapter));
    let overdue = overdue.map(|item| item.id.to_string()).collect();
    Ok((open.count(), overdue))
}

/// What a chapter should do about foreshadowing: items its contract touches, known or not, items
/// whose planned range contains it, and every overdue short item; facts and plan side by side, by id.
#[must_use]
pub fn tasks(
    global: &Foreshadowing,
    plan: &ForeshadowPlan,
    contract: &ChapterContract,
    chapter: ChapterNo,
) -> Vec<Value> {
    // An id that stands twice means its first entry.
    let mut items: BTreeMap<&str, (Option<&ForeshadowItem>, Option<&PlannedForeshadow>)> =
        BTreeMap::new();
    for fact in &global.foreshadowing {
        items
            .entry(fact.id.as_str())
            .or_default()
            .0
            .get_or_insert(fact);
    }
    for planned in &plan.foreshadowing {
        items
            .entry(planned.id.as_str())
            .or_default()
            .1
            .get_or_insert(planned);
    }
    for id in contract.postconditions.foreshadowing_updates.keys() {
        items.entry(id.as_str()).or_default();
    }
    items
        .into_iter()
        .filter_map(|(id, (fact, planned))| {
            let wanted = contract.postconditions.foreshadowing_updates.get(id);
            let resolved = fact.is_some_and(|item| item.status == ForeshadowAction::Resolved);
            let range = fact
                .and_then(|item| item.target_resolve_range)
                .or(planned.and_then(|planned| planned.target_resolve_range));
            let in_range = range.is_some_and(|(first, last)| (first..=last).contains(&chapter.get()));
            let to_plant = fact.is_none() && planned.is_some_and(|p| p.planted_chapter == Some(chapter));
            let overdue = fact.is_some_and(|item| is_overdue(item, chapter));
            let due = (in_range && !resolved) || to_plant || overdue;
            (wanted.is_some() || due).then(|| {
                json!({
                    "id": id,
                    "description": fact.map(|item| item.description.as_str()).filter(|d| !d.is_empty())
                        .or(planned.map(|planned| planned.description.as_str())),
                    "scope": fact.and_then(|item| item.scope).or(planned.and_then(|p| p.scope)),
                    "status": fact.map(|item| item.status),
                    "planted_chapter": fact.and_then(|item| item.planted_chapter),
                    "target_resolve_range": range,
                    "required_action": wanted,
                    "overdue": overdue,
                })
            })
        })
        .collect()
}

/// The foreshadowing right after chapter `last`.
#[must_use]
pub fn foreshadowing_after(stored: &Document<Foreshadowing>, last: u32) -> Document<Foreshadowing> {
    let mut document = stored.clone();
    document.edit(|global| {
        let mut lost = BTreeSet::new();
        for item in &mut global.foreshadowing {
            // What an older tool or the author wrote down without a history stays.
            if item.history.is_empty() {
                continue;
            }
            item.history.retain(|event| event.chapter.get() <= last);
            if item
                .planted_chapter
                .is_some_and(|chapter| chapter.get() > last)
            {
                item.planted_chapter = None;
                item.planted_storyline = None;
            }
            if item.history.is_empty() {
                lost.insert(item.id.clone());
            }
            item.last_updated_chapter = item.history.last().map(|event| event.chapter);
            item.status = item
                .history
                .iter()
                .map(|event| event.action)
                .max()
                .unwrap_or(ForeshadowAction::Planted);
        }
        global.foreshadowing.retain(|item| {
            let later = item
                .planted_chapter
                .is_some_and(|chapter| chapter.get() > last);
            !(lost.contains(&item.id) || (item.history.is_empty() && later))
        });
    });
    document
}

#[cfg(test)]
#[path = "foreshadow_tests.rs"]
mod tests;
