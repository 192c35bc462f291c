//! The threads of written chapters: what their texts show is a fact of the book, stands on its record, and in
//! its plan.

use novel_book::changelog::{self, Entry, Rebuilt, ReplayError};
use novel_model::{
    ChapterNo, ForeshadowId, Slug,
    files::{
        ForeshadowAction, ForeshadowEvent, ForeshadowItem, ForeshadowPlan, Foreshadowing,
        PlanAnswer, PlannedForeshadow, ToldThread,
    },
    proof,
};
use serde_json::{Value, json};

/// What the text of a chapter shows of a thread, and the record did not say, or not by a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its line.
    pub line: Slug,
    /// The thread.
    pub id: ForeshadowId,
    /// What happens to it.
    pub action: ForeshadowAction,
    /// The passage.
    pub evidence: String,
}

/// The record with what the texts show, each with its chapter.
///
/// # Errors
/// When the lines of the record do not follow from each other.
pub fn on_record(entries: &[Entry], shown: &[Shown]) -> Result<Option<Rebuilt>, ReplayError> {
    let mut rebuilt: Option<Rebuilt> = None;
    for shown in shown {
        let so_far = rebuilt.as_ref().map_or(entries, |rebuilt| &rebuilt.entries);
        let chapter = (shown.chapter, &shown.line);
        rebuilt = Some(changelog::amend(so_far, chapter, |ops| shown.add_to(ops))?);
    }
    Ok(rebuilt)
}

impl Shown {
    fn add_to(&self, ops: &mut Vec<Value>) {
        let (id, action) = (self.id.as_str(), self.action.word());
        let is_it =
            |op: &&mut Value| op["op"] == "foreshadow" && op["path"] == id && op["value"] == action;
        match ops.iter_mut().find(is_it) {
            Some(op) => {
                proof::requote(op, &self.evidence);
                proof::mark(op, false);
            }
            None => ops.push(json!({
                "op": "foreshadow", "path": id, "value": action, "evidence": self.evidence
            })),
        }
    }
}

/// What a chapter did to an item, as its text shows it: an event that is recorded gets its passage, one
/// that is not is added where it belongs. What was planted earlier is taken up, not planted again.
pub(super) fn show(
    facts: &mut Foreshadowing,
    plan: &ForeshadowPlan,
    (chapter, line): (ChapterNo, &Slug),
    thread: &ToldThread,
) -> Option<Shown> {
    let at = facts.foreshadowing.iter().position(|it| it.id == thread.id);
    let planted = at.and_then(|at| facts.foreshadowing[at].planted_chapter);
    let action = match (planted, thread.action) {
        (Some(planted), _) if chapter < planted => return None,
        (Some(planted), ForeshadowAction::Planted) if chapter > planted => {
            ForeshadowAction::Advanced
        }
        (None, _) => ForeshadowAction::Planted,
        (Some(_), action) => action,
    };
    let at = at.unwrap_or_else(|| {
        // In the order in which chapters brought them, as it is worked out from the changelog.
        let items = &facts.foreshadowing;
        let is_later = |item: &ForeshadowItem| {
            let first = item.history.first();
            first.is_some_and(|event| event.chapter > chapter)
        };
        let at = items.iter().position(is_later).unwrap_or(items.len());
        facts.foreshadowing.insert(at, new_item(plan, thread));
        at
    });
    let item = &mut facts.foreshadowing[at];
    let shown = Shown {
        chapter,
        line: line.clone(),
        id: thread.id.clone(),
        action,
        evidence: thread.evidence.clone(),
    };
    let recorded = item
        .history
        .iter_mut()
        .find(|event| event.chapter == chapter && event.action == action);
    if let Some(event) = recorded {
        let lacks_passage = event.unproven || event.evidence.is_none();
        return lacks_passage.then(|| {
            event.evidence = Some(shown.evidence.clone());
            event.unproven = false;
            shown
        });
    }
    // Resolved here: nothing more is to be said of this chapter.
    let mut events = item.history.iter();
    if events.any(|event| event.chapter == chapter && event.action > action) {
        return None;
    }
    let behind = item
        .history
        .iter()
        .take_while(|event| event.chapter <= chapter)
        .count();
    let event = ForeshadowEvent {
        chapter,
        action,
        detail: None,
        evidence: Some(shown.evidence.clone()),
        unproven: false,
    };
    item.history.insert(behind, event);
    if action == ForeshadowAction::Planted {
        item.planted_chapter = Some(chapter);
        item.planted_storyline = Some(line.clone());
    }
    item.status = item.status.max(action);
    item.last_updated_chapter = item.history.last().map(|event| event.chapter);
    Some(shown)
}

fn new_item(plan: &ForeshadowPlan, thread: &ToldThread) -> ForeshadowItem {
    let mut planned = plan.foreshadowing.iter();
    let planned = planned.find(|planned| planned.id == thread.id);
    let said = planned.map(|planned| planned.description.clone());
    ForeshadowItem {
        id: thread.id.clone(),
        description: said
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| thread.description.clone()),
        scope: planned.and_then(|planned| planned.scope),
        status: ForeshadowAction::Planted,
        planted_chapter: None,
        planted_storyline: None,
        target_resolve_range: planned.and_then(|planned| planned.target_resolve_range),
        last_updated_chapter: None,
        history: Vec::new(),
    }
}

/// What these chapters planted stands in the plan where it was planted; what they did not plant
/// after all does not.
pub(super) fn retell(plan: &mut ForeshadowPlan, facts: &Foreshadowing, answer: &PlanAnswer) {
    let is_told = |chapter: ChapterNo| {
        let mut chapters = answer.chapters.iter();
        chapters.any(|entry| entry.chapter == chapter)
    };
    plan.foreshadowing.retain(|seed| {
        let is_fact = facts.foreshadowing.iter().any(|item| item.id == seed.id);
        is_fact || !seed.planted_chapter.is_some_and(is_told)
    });
    for item in &facts.foreshadowing {
        let Some(planted) = item.planted_chapter.filter(|chapter| is_told(*chapter)) else {
            continue;
        };
        match plan
            .foreshadowing
            .iter_mut()
            .find(|seed| seed.id == item.id)
        {
            Some(seed) => {
                seed.planted_chapter = Some(planted);
                seed.planted_storyline.clone_from(&item.planted_storyline);
            }
            None => plan.foreshadowing.push(PlannedForeshadow {
                id: item.id.clone(),
                description: item.description.clone(),
                scope: item.scope,
                planted_chapter: Some(planted),
                planted_storyline: item.planted_storyline.clone(),
                target_resolve_range: item.target_resolve_range,
            }),
        }
    }
}
