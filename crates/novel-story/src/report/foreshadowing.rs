//! Foreshadowing: what is open, due and overdue, and what the plan wanted and did not get.

use novel_model::{
    ChapterNo, Message, Slug,
    files::{ForeshadowAction, ForeshadowItem, ForeshadowScope, PlannedForeshadow},
    message,
};
use serde::Serialize;

use super::{
    Topic,
    facts::Facts,
    page::{Page, same, unknown},
};
use novel_book::foreshadow::is_overdue;

/// Items in the table of the page.
const SHOWN: usize = 30;

/// How urgent an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Due {
    /// Planned, and its chapter is still to come.
    Planned,
    /// Planned for a chapter that is written, and not planted there.
    NotPlanted,
    /// Planted; its range is still to come, or it has none.
    Open,
    /// May be resolved now.
    Due,
    /// A short item past its range.
    Overdue,
    /// Paid off.
    Resolved,
}

impl Due {
    /// As people call it.
    #[must_use]
    pub fn word(self) -> Message {
        match self {
            Self::Planned => message!(en: "planned", zh: "待埋设"),
            Self::NotPlanted => message!(en: "not planted", zh: "漏埋"),
            Self::Open => message!(en: "open", zh: "未到期"),
            Self::Due => message!(en: "due", zh: "到期"),
            Self::Overdue => message!(en: "overdue", zh: "超期"),
            Self::Resolved => message!(en: "resolved", zh: "已回收"),
        }
    }
}

/// One item, fact or plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemRow {
    /// Its id.
    pub id: String,
    /// What it is.
    pub description: String,
    /// How far it reaches.
    pub scope: Option<ForeshadowScope>,
    /// What the chapters did with it last; none before it is planted.
    pub status: Option<ForeshadowAction>,
    /// When it was planted, or is to be.
    pub planted_chapter: Option<ChapterNo>,
    /// On which line.
    pub planted_storyline: Option<Slug>,
    /// When it should be resolved.
    pub target_resolve_range: Option<(u32, u32)>,
    /// The chapter that touched it last.
    pub last_updated_chapter: Option<ChapterNo>,
    /// How urgent it is.
    pub due: Due,
}

/// Every item, the most urgent first. `coming` is the chapter to be written next.
#[must_use]
pub fn standing(
    items: &[ForeshadowItem],
    planned: &[PlannedForeshadow],
    coming: ChapterNo,
) -> Vec<ItemRow> {
    let mut rows: Vec<ItemRow> = items.iter().map(|item| fact(item, coming)).collect();
    for plan in planned {
        let known = |row: &ItemRow| row.id == plan.id.as_str();
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
    let end = |row: &ItemRow| row.target_resolve_range.map_or(u32::MAX, |(_, last)| last);
    rows.sort_by(|a, b| (urgency(a.due), end(a), &a.id).cmp(&(urgency(b.due), end(b), &b.id)));
    rows
}

fn fact(item: &ForeshadowItem, coming: ChapterNo) -> ItemRow {
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
    ItemRow {
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

fn still_planned(plan: &PlannedForeshadow, coming: ChapterNo) -> ItemRow {
    let missed = plan.planted_chapter.is_some_and(|chapter| chapter < coming);
    ItemRow {
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

/// Foreshadowing over a range of chapters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForeshadowingReport {
    /// Every item, as of the end of the range, the most urgent first.
    pub items: Vec<ItemRow>,
    /// Plantings in the range.
    pub planted: usize,
    /// Advances in the range.
    pub advanced: usize,
    /// Resolutions in the range.
    pub resolved: usize,
    /// Planted and not resolved.
    pub open: usize,
    /// Ids that may be resolved now.
    pub due: Vec<String>,
    /// Ids of short items past their range.
    pub overdue: Vec<String>,
    /// Ids the plan wanted in chapters that are written.
    pub not_planted: Vec<String>,
}

impl ForeshadowingReport {
    pub(super) fn of(facts: &Facts) -> Self {
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

    pub(super) fn page(&self) -> Page {
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
                message!(en: "standing", zh: "状态"),
                message!(en: "scope", zh: "跨度"),
                message!(en: "planted", zh: "埋设"),
                message!(en: "resolve in", zh: "回收区间"),
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

fn table_row(row: &ItemRow) -> Vec<Message> {
    let number = |chapter: Option<ChapterNo>| chapter.map_or_else(unknown, |c| same(c.get()));
    let range = row.target_resolve_range;
    vec![
        same(&row.id),
        row.due.word(),
        row.scope.map_or_else(unknown, scope_word),
        number(row.planted_chapter),
        range.map_or_else(unknown, |(first, last)| same(format!("{first}-{last}"))),
        same(&row.description),
    ]
}

/// A scope as people call it.
pub(super) fn scope_word(scope: ForeshadowScope) -> Message {
    match scope {
        ForeshadowScope::Short => message!(en: "short", zh: "短线"),
        ForeshadowScope::Medium => message!(en: "medium", zh: "中线"),
        ForeshadowScope::Long => message!(en: "long", zh: "长线"),
    }
}
