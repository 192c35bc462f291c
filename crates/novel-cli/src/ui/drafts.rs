//! Several drafts of a chapter, as the author chooses between them.

use novel_contract::write::DraftCandidate;
use novel_model::{ChapterNo, Lang, Message, files::ScoredBy, message};

use super::{
    labels::{self, UNKNOWN},
    table::{self, Side},
};

/// The drafts of a chapter side by side; `mark` says what the one with the number `marked` is.
pub(crate) fn drafts(
    candidates: &[DraftCandidate],
    marked: u32,
    mark: &Message,
    lang: Lang,
) -> String {
    let pick = |en: &'static str, zh: &'static str| match lang {
        Lang::En => en,
        Lang::Zh => zh,
    };
    let line = |name: &str, value: &dyn Fn(&DraftCandidate) -> String| {
        let mut row = vec![format!("  {name}")];
        row.extend(candidates.iter().map(value));
        row
    };
    let mut rows = vec![vec![format!("  {}", pick("draft", "草稿"))]];
    for candidate in candidates {
        let star = if candidate.number == marked { " *" } else { "" };
        rows[0].push(format!("{}{star}", candidate.number));
    }
    rows.extend([
        line(pick("judge", "评审"), &|it| {
            it.overall
                .map_or_else(|| UNKNOWN.to_owned(), |score| format!("{score:.2}"))
        }),
        line(pick("objectives", "目标"), &|it| {
            format!("{}/{}", it.objectives_named, it.objectives_required)
        }),
        line(pick("contradictions", "矛盾"), &|it| {
            it.contradictions.to_string()
        }),
        line(pick("blacklisted phrases", "黑名单用语"), &|it| {
            it.blacklist_hits.to_string()
        }),
        line(pick("repeated", "重复前文"), &|it| {
            format!("{:.1}%", it.repetition * 100.0)
        }),
        line(pick("distance from the style", "文风偏离"), &|it| {
            format!("{:.2}", it.style_distance)
        }),
        line(pick("words", "字数"), &|it| {
            let mark = if it.within_bounds { "" } else { "!" };
            format!("{}{mark}", it.words)
        }),
    ]);
    if candidates.iter().any(|it| it.cost_usd.is_some()) {
        rows.push(line(pick("cost", "费用"), &|it| {
            labels::money(it.cost_usd)
        }));
    }
    let mut sides = vec![Side::Left];
    sides.resize(1 + candidates.len(), Side::Right);
    let mut text = table::columns(&rows, &sides);
    text.push_str(&format!("  * {}\n", mark.get(lang)));
    if candidates.iter().any(|it| !it.within_bounds) {
        let note = pick("out of the bounds of a chapter", "超出章节字数范围");
        text.push_str(&format!("  ! {note}\n"));
    }
    let by_rule = |it: &DraftCandidate| it.scored_by == Some(ScoredBy::OfflineAuthor);
    if candidates.iter().any(by_rule) {
        text.push_str(&format!("  {}\n", labels::scored_offline().get(lang)));
    }
    text
}

/// Which draft goes on, and how to see the others.
pub(crate) fn chosen(chapter: ChapterNo, number: u32) -> Message {
    let chapter = chapter.get();
    message!(
        en: "Chapter {chapter} continues with draft {number}; `novel read {chapter} --draft N` shows any of them.",
        zh: "第 {chapter} 章选用草稿 {number}；用 `novel read {chapter} --draft N` 可以再看各份草稿。"
    )
}

/// A draft in one line, to be chosen from below the table.
pub(super) fn draft_line(candidate: &DraftCandidate, lang: Lang) -> String {
    let (number, words) = (candidate.number, candidate.words);
    let score = candidate
        .overall
        .map_or_else(|| UNKNOWN.to_owned(), |score| format!("{score:.2}"));
    match lang {
        Lang::En => format!("draft {number}: judge {score}, {words} words"),
        Lang::Zh => format!("草稿 {number}：评审 {score}，{words} 字"),
    }
}
