//! Rhythm of the storylines, where they were to meet, and the bridges between them that broke.

use std::collections::BTreeSet;

use novel_model::{
    ChapterNo, Message, Slug, counted,
    files::{ConvergenceEvent, StorylineSchedule, VolumeRole},
    message,
};
use serde_json::Value;

use novel_contract::report::{
    Breach, BreachKind, BridgeKind, BrokenBridge, LineRow, Meeting, StorylinesReport,
};
use novel_text::Plot;

use super::{
    Report, Section, Topic,
    facts::Facts,
    page::{Page, ranges, same, unknown},
    rounded,
    text::no_chapters,
};

impl Section for StorylinesReport {
    fn of(facts: &Facts) -> Self {
        let storylines = rows(facts);
        Self {
            breaches: breaches(facts, &storylines),
            meetings: meetings(facts),
            broken_bridges: broken_bridges(facts),
            storylines,
        }
    }

    fn page(&self, report: &Report) -> Page {
        let mut page = Page::new(Topic::Storylines.title());
        if self.storylines.iter().all(|line| line.chapters.is_empty()) {
            page.text(no_chapters());
            return page;
        }
        let row = |line: &LineRow| (line.id.clone(), line.chapters.clone());
        page.plot(
            message!(en: "Which line is on stage", zh: "各章所属的故事线"),
            Plot::Rhythm {
                first: report.span.first,
                last: report.span.last,
                rows: self.storylines.iter().map(row).collect(),
            },
        );
        page.table(
            vec![
                message!(en: "storyline", zh: "故事线"),
                message!(en: "role", zh: "分量"),
                message!(en: "chapters", zh: "章数"),
                message!(en: "words", zh: "字数"),
                message!(en: "share", zh: "占比"),
                message!(en: "in a row", zh: "最长连续"),
                message!(en: "away", zh: "最长间隔"),
                message!(en: "last", zh: "距今"),
            ],
            self.storylines.iter().map(table_row).collect(),
        );
        let mut points: Vec<Message> = self.breaches.iter().map(breach_text).collect();
        points.extend(self.meetings.iter().filter_map(meeting_text));
        points.extend(self.broken_bridges.iter().map(bridge_text));
        page.list(points);
        page
    }
}

fn rows(facts: &Facts) -> Vec<LineRow> {
    let scheduled = facts
        .schedules
        .iter()
        .flat_map(|schedule| &schedule.active_storylines)
        .map(|line| &line.storyline_id);
    let told = facts.chapters.iter().filter_map(|c| c.storyline.as_ref());
    let mut ids: Vec<&Slug> = Vec::new();
    for id in scheduled.chain(told) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let all: u64 = facts.chapters.iter().map(|chapter| chapter.words).sum();
    ids.into_iter().map(|id| row(facts, id, all)).collect()
}

fn row(facts: &Facts, id: &Slug, all_words: u64) -> LineRow {
    let own = || {
        let chapters = facts.chapters.iter();
        chapters.filter(|chapter| chapter.storyline.as_ref() == Some(id))
    };
    let chapters: Vec<u32> = own().map(|chapter| chapter.chapter.get()).collect();
    let words: u64 = own().map(|chapter| chapter.words).sum();
    let line = facts.storylines.iter().flat_map(|lines| &lines.storylines);
    let name = line.into_iter().find(|line| line.id == *id);
    let role = facts.schedules.iter().rev().find_map(|schedule| {
        let mut active = schedule.active_storylines.iter();
        active.find(|line| line.storyline_id == *id)?.volume_role
    });
    LineRow {
        id: id.to_string(),
        name: name.map(|line| line.name.clone()).unwrap_or_default(),
        role,
        words,
        share: if all_words == 0 {
            0.0
        } else {
            rounded(words as f64 / all_words as f64, 4)
        },
        longest_run: longest_run(&chapters),
        longest_gap: longest_gap(&chapters, facts.span.first, facts.span.last),
        since_last: chapters.last().map(|last| facts.span.last - last),
        chapters,
    }
}

fn longest_run(chapters: &[u32]) -> u32 {
    let (mut longest, mut run, mut before) = (0, 0, None);
    for chapter in chapters {
        run = if before == Some(chapter - 1) {
            run + 1
        } else {
            1
        };
        before = Some(*chapter);
        longest = longest.max(run);
    }
    longest
}

fn longest_gap(chapters: &[u32], first: u32, last: u32) -> u32 {
    let mut before = first.saturating_sub(1);
    let mut longest = 0;
    for chapter in chapters.iter().copied().chain([last + 1]) {
        longest = longest.max(chapter - before - 1);
        before = chapter;
    }
    longest
}

/// Against the newest schedule: the rhythm is planned volume by volume.
fn breaches(facts: &Facts, rows: &[LineRow]) -> Vec<Breach> {
    let Some(schedule) = facts.schedules.last() else {
        return Vec::new();
    };
    let mut breaches = Vec::new();
    for row in rows {
        let too_much = |kind, chapters, allowed: Option<u32>| {
            allowed
                .filter(|allowed| chapters > *allowed)
                .map(|allowed| Breach {
                    kind,
                    storyline_id: row.id.clone(),
                    chapters,
                    allowed,
                })
        };
        match row.role {
            Some(VolumeRole::Primary) => {
                let allowed = number(schedule, "primary_max_consecutive");
                breaches.extend(too_much(
                    BreachKind::TooManyInARow,
                    row.longest_run,
                    allowed,
                ));
            }
            Some(VolumeRole::Secondary) => {
                // Once in every eight chapters means at most seven without it.
                let allowed = number(schedule, "secondary_min_appearance");
                let allowed = allowed.and_then(|every| every.checked_sub(1));
                breaches.extend(too_much(BreachKind::TooLongAway, row.longest_gap, allowed));
            }
            Some(VolumeRole::Seasoning) | None => {}
        }
    }
    breaches
}

/// A number of the pattern, plain or in a phrase such as `every_8_chapters`.
fn number(schedule: &StorylineSchedule, key: &str) -> Option<u32> {
    match schedule.interleaving_pattern.get(key)? {
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| u32::try_from(number).ok()),
        Value::String(text) => text
            .split(|c: char| !c.is_ascii_digit())
            .find_map(|digits| digits.parse().ok()),
        _ => None,
    }
}

fn meetings(facts: &Facts) -> Vec<Meeting> {
    let events = facts
        .schedules
        .iter()
        .flat_map(|schedule| &schedule.convergence_events);
    events
        .filter_map(|event| {
            let (first, last) = event.chapter_range?;
            let inside = first.get() >= facts.span.first && last.get() <= facts.span.last;
            inside.then(|| Meeting {
                chapter_range: (first.get(), last.get()),
                involved: event
                    .involved_storylines
                    .iter()
                    .map(Slug::to_string)
                    .collect(),
                missing: missing_lines(facts, event),
            })
        })
        .collect()
}

/// A line takes part when a chapter of the meeting is its own, or names somebody who tells it.
fn missing_lines(facts: &Facts, event: &ConvergenceEvent) -> Vec<String> {
    let there: Vec<_> = facts
        .chapters
        .iter()
        .filter(|chapter| event.contains(chapter.chapter))
        .collect();
    let takes_part = |line: &Slug| {
        let tellers = tellers(facts, line);
        there.iter().any(|chapter| {
            chapter.storyline.as_ref() == Some(line)
                || chapter
                    .people
                    .keys()
                    .any(|id| tellers.contains(id.as_str()))
        })
    };
    let lines = event.involved_storylines.iter();
    lines
        .filter(|line| !takes_part(line))
        .map(Slug::to_string)
        .collect()
}

/// Ids of those who tell a line.
fn tellers<'a>(facts: &'a Facts, line: &Slug) -> BTreeSet<&'a str> {
    let lines = facts.storylines.iter().flat_map(|lines| &lines.storylines);
    lines
        .filter(|known| known.id == *line)
        .flat_map(|known| &known.pov_characters)
        .filter_map(|name| facts.person(name))
        .collect()
}

fn broken_bridges(facts: &Facts) -> Vec<BrokenBridge> {
    let mut broken = handovers(facts);
    let relationships = facts
        .storylines
        .iter()
        .flat_map(|lines| &lines.relationships);
    for relationship in relationships {
        let (from, to) = (&relationship.from, &relationship.to);
        let bridge = |kind, what: &str| BrokenBridge {
            kind,
            from: from.to_string(),
            to: to.to_string(),
            what: what.to_owned(),
            chapter: None,
        };
        for id in &relationship.bridges.shared_foreshadowing {
            if !facts.knows_item(id) {
                broken.push(bridge(BridgeKind::UnknownForeshadowing, id));
            } else if have_met(facts, from, to) && is_one_sided(facts, id, from, to) {
                broken.push(bridge(BridgeKind::OneSidedForeshadowing, id));
            }
        }
        for name in &relationship.bridges.shared_characters {
            let active = |id: &str| facts.cast.iter().any(|who| who.id == id && !who.retired);
            if !facts.person(name).is_some_and(active) {
                broken.push(bridge(BridgeKind::LostCharacter, name));
            }
        }
    }
    broken
}

/// Chapters after which another line came than the contract had said.
fn handovers(facts: &Facts) -> Vec<BrokenBridge> {
    let pairs = facts.chapters.iter().zip(facts.chapters.iter().skip(1));
    pairs
        .filter(|(now, next)| now.chapter.next() == next.chapter)
        .filter_map(|(now, next)| {
            let (announced, came) = (now.announced.as_ref()?, next.storyline.as_ref()?);
            (announced != came).then(|| BrokenBridge {
                kind: BridgeKind::Handover,
                from: now
                    .storyline
                    .as_ref()
                    .map(Slug::to_string)
                    .unwrap_or_default(),
                to: announced.to_string(),
                what: came.to_string(),
                chapter: Some(now.chapter.get()),
            })
        })
        .collect()
}

/// Whether a meeting of both lines lies behind the range's end.
fn have_met(facts: &Facts, from: &Slug, to: &Slug) -> bool {
    let mut events = facts
        .schedules
        .iter()
        .flat_map(|schedule| &schedule.convergence_events);
    events.any(|event| {
        event
            .chapter_range
            .is_some_and(|(_, last)| last.get() <= facts.span.last)
            && [from, to]
                .iter()
                .all(|line| event.involved_storylines.contains(line))
    })
}

/// Whether chapters of one line only ever touched an item. Chapters outside the range are unknown
/// and give the benefit of the doubt.
fn is_one_sided(facts: &Facts, id: &str, from: &Slug, to: &Slug) -> bool {
    let Some(item) = facts
        .foreshadowing
        .iter()
        .find(|item| item.id.as_str() == id)
    else {
        return false;
    };
    let line_of = |chapter: ChapterNo| {
        let found = facts.chapters.iter().find(|known| known.chapter == chapter);
        found.and_then(|known| known.storyline.as_ref())
    };
    let touched: Option<BTreeSet<&Slug>> = item
        .history
        .iter()
        .map(|event| line_of(event.chapter))
        .collect();
    touched.is_some_and(|lines| !(lines.is_empty() || lines.contains(from) && lines.contains(to)))
}

fn table_row(line: &LineRow) -> Vec<Message> {
    let LineRow { id, name, .. } = line;
    let shown = if name.is_empty() {
        same(id)
    } else {
        message!(en: "{name} ({id})", zh: "{name}（{id}）")
    };
    vec![
        shown,
        line.role.map_or_else(unknown, role_word),
        same(line.chapters.len()),
        same(line.words),
        same(format!("{:.0}%", line.share * 100.0)),
        same(line.longest_run),
        same(line.longest_gap),
        line.since_last.map_or_else(unknown, same),
    ]
}

/// A role as people call it.
fn role_word(role: VolumeRole) -> Message {
    match role {
        VolumeRole::Primary => message!(en: "primary", zh: "主线"),
        VolumeRole::Secondary => message!(en: "secondary", zh: "副线"),
        VolumeRole::Seasoning => message!(en: "seasoning", zh: "点缀"),
    }
}

/// The breach in words.
pub(super) fn breach_text(breach: &Breach) -> Message {
    let Breach {
        kind,
        storyline_id: line,
        chapters,
        allowed,
    } = breach;
    let counted = counted(chapters, "chapter");
    match kind {
        BreachKind::TooManyInARow => message!(
            en: "`{line}` is on stage {counted} in a row; the plan allows {allowed}",
            zh: "`{line}` 连续占用 {chapters} 章，规划上限为 {allowed} 章"
        ),
        BreachKind::TooLongAway => message!(
            en: "`{line}` is away for {counted}; the plan allows {allowed}",
            zh: "`{line}` 连续 {chapters} 章未出场，规划上限为 {allowed} 章"
        ),
    }
}

/// What is wrong with a meeting, if anything is.
pub(super) fn meeting_text(meeting: &Meeting) -> Option<Message> {
    let missing = meeting.missing.join(", ");
    let (first, last) = meeting.chapter_range;
    let chapters = ranges(&(first..=last).collect::<Vec<_>>());
    (!missing.is_empty()).then(|| {
        message!(
            en: "the meeting in chapters {chapters} goes without {missing}",
            zh: "第 {chapters} 章的交汇缺少 {missing}"
        )
    })
}

/// The broken bridge in words.
pub(super) fn bridge_text(bridge: &BrokenBridge) -> Message {
    let BrokenBridge {
        kind,
        from,
        to,
        what,
        chapter,
    } = bridge;
    match kind {
        BridgeKind::Handover => {
            let chapter = chapter.unwrap_or_default();
            message!(
                en: "chapter {chapter} was to hand over to `{to}`, but `{what}` came next",
                zh: "第 {chapter} 章应交接给 `{to}`，实际接的是 `{what}`"
            )
        }
        BridgeKind::UnknownForeshadowing => message!(
            en: "`{from}` and `{to}` are to share foreshadowing `{what}`, which is neither planted nor planned",
            zh: "`{from}` 与 `{to}` 约定共享的伏笔 `{what}` 既未埋设也不在规划中"
        ),
        BridgeKind::OneSidedForeshadowing => message!(
            en: "`{from}` and `{to}` have met, but shared foreshadowing `{what}` was touched on one of them only",
            zh: "`{from}` 与 `{to}` 已经交汇，共享的伏笔 `{what}` 却只在其中一条线上出现过"
        ),
        BridgeKind::LostCharacter => message!(
            en: "`{from}` and `{to}` are to share {what}, who is not in the active cast",
            zh: "`{from}` 与 `{to}` 约定共享的人物{what}已不在活跃角色中"
        ),
    }
}
