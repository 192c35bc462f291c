//! Foreshadowing: what is open, due and overdue, and what the plan wanted and did not get.

use novel_contract::{
    library::{Due, ForeshadowRow},
    report::ForeshadowingReport,
};
use novel_model::{
    ChapterNo, Message,
    files::{ForeshadowAction, ForeshadowItem, ForeshadowScope, PlannedForeshadow},
    message,
};

use super::{
    Report, Section, Topic,
    facts::Facts,
    page::{Page, same, unknown},
};
use novel_book::foreshadow::is_overdue;

/// Items in the table of the page.
const SHOWN: usize = 30;

/// How urgent an item is, in words.
#[must_use]
pub fn due_word(due: Due) -> Message {
    match due {
        Due::Planned => message!(en: "planned", zh: "待埋设"),
        Due::NotPlanted => message!(en: "not planted", zh: "漏埋"),
        Due::Open => message!(en: "open", zh: "未到期"),
        Due::Due => message!(en: "due", zh: "到期"),
        Due::Overdue => message!(en: "overdue", zh: "超期"),
        Due::Resolved => message!(en: "resolved", zh: "已回收"),
    }
}

/// Every item, the most urgent first. `coming` is the chapter to be written next.
#[must_use]
pub fn standing(
    items: &[ForeshadowItem],
    planned: &[PlannedForeshadow],
    coming: ChapterNo,
) -> Vec<ForeshadowRow> {
    let mut rows: Vec<ForeshadowRow> = items.iter().map(|item| fact(item, coming)).collect();
    for plan in planned {
        let known = |row: &ForeshadowRow| row.id == plan.id.as_str();
        if !rows.iter().any(known) {
            rows.push(still_planned(plan, coming));
        }
    }
    let urgency = |due: Due| match due {
        Due::Overdue => 0,
        Due::NotPlanted => 1,
        Due::Due => 2,
        Due::Open => 3,
        Due::Planned => 4,
        Due::Resolved => 5,
    };
    let end = |row: &ForeshadowRow| row.target_resolve_range.map_or(u32::MAX, |(_, last)| last);
    rows.sort_by(|a, b| (urgency(a.due), end(a), &a.id).cmp(&(urgency(b.due), end(b), &b.id)));
    rows
}

fn fact(item: &ForeshadowItem, coming: ChapterNo) -> ForeshadowRow {
    let reached = item
        .target_resolve_range
        .is_some_and(|(first, _)| first <= coming.get());
    let due = if item.status == ForeshadowAction::Resolved {
        Due::Resolved
    } else if is_overdue(item, coming) {
        Due::Overdue
    } else if reached {
        Due::Due
    } else {
        Due::Open
    };
    ForeshadowRow {
        id: item.id.to_string(),
        description: item.description.clone(),
        scope: item.scope,
        status: Some(item.status),
        planted_chapter: item.planted_chapter,
        planted_storyline: item.planted_storyline.clone(),
        target_resolve_range: item.target_resolve_range,
        last_updated_chapter: item.last_updated_chapter,
        due,
    }
}

fn still_planned(plan: &PlannedForeshadow, coming: ChapterNo) -> ForeshadowRow {
    let missed = plan.planted_chapter.is_some_and(|chapter| chapter < coming);
    ForeshadowRow {
        id: plan.id.to_string(),
        description: plan.description.clone(),
        scope: plan.scope,
        status: None,
        planted_chapter: plan.planted_chapter,
        planted_storyline: plan.planted_storyline.clone(),
        target_resolve_range: plan.target_resolve_range,
        last_updated_chapter: None,
        due: if missed {
            Due::NotPlanted
        } else {
            Due::Planned
        },
    }
}

impl Section for ForeshadowingReport {
    fn of(facts: &Facts) -> Self {
        let span = facts.span.first..=facts.span.last;
        let happened = |wanted: ForeshadowAction| {
            let events = facts.foreshadowing.iter().flat_map(|item| &item.history);
            events
                .filter(|event| span.contains(&event.chapter.get()) && event.action == wanted)
                .count()
        };
        let then: Vec<ForeshadowItem> = facts
            .foreshadowing
            .iter()
            .filter_map(|item| as_of(item, facts.span.last))
            .collect();
        let items = standing(&then, &facts.planned, facts.coming());
        let ids = |due: Due| -> Vec<String> {
            let rows = items.iter().filter(|row| row.due == due);
            rows.map(|row| row.id.clone()).collect()
        };
        Self {
            planted: happened(ForeshadowAction::Planted),
            advanced: happened(ForeshadowAction::Advanced),
            resolved: happened(ForeshadowAction::Resolved),
            open: items
                .iter()
                .filter(|row| matches!(row.due, Due::Open | Due::Due | Due::Overdue))
                .count(),
            due: ids(Due::Due),
            overdue: ids(Due::Overdue),
            not_planted: ids(Due::NotPlanted),
            items,
        }
    }

    fn page(&self, _report: &Report) -> Page {
        let mut page = Page::new(Topic::Foreshadowing.title());
        if self.items.is_empty() {
            page.text(message!(en: "There is no foreshadowing.", zh: "没有伏笔。"));
            return page;
        }
        let (planted, advanced, resolved) = (self.planted, self.advanced, self.resolved);
        let (open, due, overdue) = (self.open, self.due.len(), self.overdue.len());
        page.text(message!(
            en: "Planted {planted} times, advanced {advanced}, resolved {resolved}; {open} open, {due} of them due and {overdue} overdue.",
            zh: "埋设 {planted} 次，推进 {advanced} 次，回收 {resolved} 次；未回收 {open} 条，其中到期 {due} 条，超期 {overdue} 条。"
        ));
        let rows = || self.items.iter().filter(|row| row.due != Due::Resolved);
        page.table(
            vec![
                message!(en: "item", zh: "伏笔"),
                message!(en: "status", zh: "状态"),
                message!(en: "scope", zh: "跨度"),
                message!(en: "planted", zh: "埋设"),
                message!(en: "due in", zh: "回收区间"),
                message!(en: "what it is", zh: "内容"),
            ],
            rows().take(SHOWN).map(table_row).collect(),
        );
        let more = rows().count().saturating_sub(SHOWN);
        if more > 0 {
            page.text(message!(
                en: "{more} more: `novel foreshadow list`.", zh: "另有 {more} 条：`novel foreshadow list`。"
            ));
        }
        page
    }
}

/// An item as it was right after chapter `last`; none when it was planted later. Items without a
/// history (from an older tool) are taken as they are.
fn as_of(item: &ForeshadowItem, last: u32) -> Option<ForeshadowItem> {
    let mut item = item.clone();
    if item.history.is_empty() {
        return Some(item);
    }
    item.history.retain(|event| event.chapter.get() <= last);
    let newest = item.history.last()?;
    item.last_updated_chapter = Some(newest.chapter);
    item.status = item.history.iter().map(|event| event.action).max()?;
    Some(item)
}

fn table_row(row: &ForeshadowRow) -> Vec<Message> {
    let number = |chapter: Option<ChapterNo>| chapter.map_or_else(unknown, |c| same(c.get()));
    let range = row.target_resolve_range;
    vec![
        same(&row.id),
        due_word(row.due),
        row.scope.map_or_else(unknown, scope_word),
        number(row.planted_chapter),
        range.map_or_else(unknown, |(first, last)| same(format!("{first}-{last}"))),
        same(&row.description),
    ]
}

/// A scope as people call it.
pub fn scope_word(scope: ForeshadowScope) -> Message {
    match scope {
        ForeshadowScope::Short => message!(en: "short", zh: "短线"),
        ForeshadowScope::Medium => message!(en: "medium", zh: "中线"),
        ForeshadowScope::Long => message!(en: "long", zh: "长线"),
    }
}
