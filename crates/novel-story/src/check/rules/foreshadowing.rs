//! Promises as an automaton: planted, advanced, resolved. Every order that cannot be is named, and
//! what is open past its range.
//!
//! The order of events is the changelog's. An overdue item is reported in the first chapter past its
//! range, so that a check of the whole book names it once.

use novel_model::{
    ChapterNo,
    files::{ForeshadowAction, ForeshadowItem, ForeshadowScope},
    layout, message,
};
use serde_json::json;

use super::{Scope, member};
use crate::check::{
    finding::{Finding, FindingCode, Side},
    timeline::{Planting, Record},
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    if let Some(own) = scope.own {
        for (at, record) in own.ops.iter().enumerate() {
            let (earlier, id) = (&own.ops[..at], record.path());
            let here = |list: &[Record], action| {
                list.iter()
                    .find(|other| other.path() == id && other.action() == Some(action))
                    .cloned()
            };
            match record.action() {
                Some(ForeshadowAction::Resolved) => {
                    let planted = here(&own.ops, ForeshadowAction::Planted).is_some();
                    let again = here(earlier, ForeshadowAction::Resolved).is_some();
                    if !planted && !again {
                        findings.extend(unplanted(scope, record, ForeshadowAction::Resolved));
                    }
                }
                Some(ForeshadowAction::Planted) => {
                    let first = here(earlier, ForeshadowAction::Planted);
                    findings.extend(planted_twice(scope, record, first));
                }
                Some(ForeshadowAction::Advanced) => {
                    let planted = here(earlier, ForeshadowAction::Planted).is_some();
                    if !planted {
                        findings.extend(unplanted(scope, record, ForeshadowAction::Advanced));
                    }
                }
                None => {}
            }
            if let Some(action) = record.action() {
                let resolved = here(earlier, ForeshadowAction::Resolved);
                findings.extend(after_resolved(scope, record, action, resolved));
            }
        }
    }
    overdue(scope, findings);
}

fn global<'a>(scope: &Scope<'a>, id: &str) -> Option<(usize, &'a ForeshadowItem)> {
    let items = &scope.foreshadowing?.foreshadowing;
    items
        .iter()
        .enumerate()
        .find(|(_, item)| item.id.as_str() == id)
}

/// Books that were begun elsewhere have plantings the changelog does not know.
fn planted_by_facts(scope: &Scope<'_>, id: &str) -> bool {
    global(scope, id)
        .and_then(|(_, item)| item.planted_chapter)
        .is_some_and(|planted| planted < scope.chapter)
}

fn unplanted(scope: &Scope<'_>, record: &Record, action: ForeshadowAction) -> Option<Finding> {
    let id = record.path();
    if scope.past.planted.contains_key(id) || planted_by_facts(scope, id) {
        return None;
    }
    let other = match global(scope, id) {
        Some((at, item)) => {
            let planted = json!(item.planted_chapter);
            let pointer = format!("/foreshadowing/{at}/planted_chapter");
            Side::pointer(
                layout::foreshadowing(),
                pointer,
                member("planted_chapter", &planted),
            )
        }
        None => Side::pointer(
            layout::foreshadowing(),
            "/foreshadowing".to_owned(),
            "\"foreshadowing\"".to_owned(),
        ),
    };
    let (code, text) = match action {
        ForeshadowAction::Advanced => (
            FindingCode::ForeshadowAdvancedBeforePlanted,
            message!(
                en: "foreshadowing `{id}` is advanced, but nothing planted it before",
                zh: "伏笔 `{id}` 被推进，但此前从未埋设"
            ),
        ),
        ForeshadowAction::Planted | ForeshadowAction::Resolved => (
            FindingCode::ForeshadowResolvedBeforePlanted,
            message!(
                en: "foreshadowing `{id}` is resolved, but nothing planted it before",
                zh: "伏笔 `{id}` 被回收，但此前从未埋设"
            ),
        ),
    };
    Some(Finding::new(
        code,
        scope.chapter,
        id,
        (record.side(), other),
        text,
    ))
}

fn planted_twice(scope: &Scope<'_>, record: &Record, here: Option<Record>) -> Option<Finding> {
    let id = record.path();
    let other = match (scope.past.planted.get(id), here) {
        (Some(Planting::Op(first)), _) => first.side(),
        (Some(Planting::Snapshot { line }), _) => {
            let shown = member("active_foreshadowing", &json!([id]));
            Side::line(layout::state_changelog(), *line, shown)
        }
        (None, Some(first)) => first.side(),
        (None, None) => {
            let (at, item) = global(scope, id).filter(|_| planted_by_facts(scope, id))?;
            let pointer = format!("/foreshadowing/{at}/planted_chapter");
            let shown = member("planted_chapter", &json!(item.planted_chapter));
            Side::pointer(layout::foreshadowing(), pointer, shown)
        }
    };
    let text = message!(
        en: "foreshadowing `{id}` is planted a second time",
        zh: "伏笔 `{id}` 重复埋设"
    );
    let code = FindingCode::ForeshadowPlantedTwice;
    Some(Finding::new(
        code,
        scope.chapter,
        id,
        (record.side(), other),
        text,
    ))
}

/// What goes on after it was paid off. A second planting has a name of its own.
fn after_resolved(
    scope: &Scope<'_>,
    record: &Record,
    action: ForeshadowAction,
    here: Option<Record>,
) -> Option<Finding> {
    let id = record.path();
    if action == ForeshadowAction::Planted {
        return None;
    }
    // A resolution before any planting is a fault of its own and ends nothing.
    let ended = scope
        .past
        .resolved
        .get(id)
        .filter(|first| match scope.past.planted.get(id) {
            Some(Planting::Op(planted)) => planted.chapter <= first.chapter,
            Some(Planting::Snapshot { .. }) => true,
            None => planted_by_facts(scope, id),
        });
    let other = match (ended, here) {
        (Some(first), _) => first.side(),
        (None, Some(first)) => first.side(),
        (None, None) if scope.past.resolved.contains_key(id) => return None,
        (None, None) => {
            let (at, item) = global(scope, id)?;
            let (index, event) = item.history.iter().enumerate().find(|(_, event)| {
                event.action == ForeshadowAction::Resolved && event.chapter < scope.chapter
            })?;
            let pointer = format!("/foreshadowing/{at}/history/{index}");
            Side::pointer(
                layout::foreshadowing(),
                pointer,
                member("chapter", &json!(event.chapter)),
            )
        }
    };
    let text = message!(
        en: "foreshadowing `{id}` goes on after it was resolved",
        zh: "伏笔 `{id}` 在回收之后又有变化"
    );
    let subject = format!("{id}.{}", action.word());
    let code = FindingCode::ForeshadowAfterResolved;
    Some(Finding::new(
        code,
        scope.chapter,
        &subject,
        (record.side(), other),
        text,
    ))
}

fn overdue(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let items = scope
        .foreshadowing
        .into_iter()
        .flat_map(|global| &global.foreshadowing);
    for (at, item) in items.enumerate() {
        let (Some((first, last)), Some(planted)) =
            (item.target_resolve_range, item.planted_chapter)
        else {
            continue;
        };
        // Only a short item is overdue; a longer one has passed the range its plan gave it.
        let code = match item.scope {
            Some(ForeshadowScope::Short) => FindingCode::ForeshadowOverdue,
            _ => FindingCode::ForeshadowRangePassed,
        };
        let due = last.saturating_add(1).max(planted.get());
        if scope.chapter.get() != due || resolved_by(item, scope.chapter) {
            continue;
        }
        let id = item.id.as_str();
        if scope.past.resolved.contains_key(id) {
            continue;
        }
        let pointer = format!("/foreshadowing/{at}/target_resolve_range");
        let quotation = member("target_resolve_range", &json!([first, last]));
        let planting = match scope.past.planted.get(id) {
            Some(Planting::Op(record)) => record.side(),
            _ => {
                let pointer = format!("/foreshadowing/{at}/planted_chapter");
                Side::pointer(
                    layout::foreshadowing(),
                    pointer,
                    member("planted_chapter", &json!(planted)),
                )
            }
        };
        let number = planted.get();
        let text = message!(
            en: "foreshadowing `{id}`, planted in chapter {number}, was to be resolved by chapter {last} and is still open",
            zh: "第 {number} 章埋设的伏笔 `{id}` 应在第 {last} 章之前回收，至今未回收"
        );
        let place = Side::pointer(layout::foreshadowing(), pointer, quotation);
        findings.push(Finding::new(
            code,
            scope.chapter,
            id,
            (place, planting),
            text,
        ));
    }
}

/// Whether the item was resolved up to and including `chapter`.
fn resolved_by(item: &ForeshadowItem, chapter: ChapterNo) -> bool {
    item.history
        .iter()
        .any(|event| event.action == ForeshadowAction::Resolved && event.chapter <= chapter)
}
