//! Several drafts of a chapter, as the author chooses between them.

use novel_app::runner::Candidate;
use novel_model::{Lang, files::ScoredBy};

use super::{
    labels::{self, UNKNOWN},
    table::{self, Side},
};

/// The drafts of a chapter side by side; the chosen one is marked.
pub(super) fn drafts(candidates: &[Candidate], chosen: usize, lang: Lang) -> String {
    let pick = |en: &'static str, zh: &'static str| match lang {
        Lang::En => en,
        Lang::Zh => zh,
    };
    let line = |name: &str, value: &dyn Fn(&Candidate) -> String| {
        let mut row = vec![format!("  {name}")];
        row.extend(candidates.iter().map(value));
        row
    };
    let mut rows = vec![vec![format!("  {}", pick("draft", "草稿"))]];
    for (at, candidate) in candidates.iter().enumerate() {
        let mark = if at == chosen { " *" } else { "" };
        rows[0].push(format!("{}{mark}", candidate.number));
    }
    rows.extend([
        line(pick("judge", "评审"), &|it| {
            it.overall
                .map_or_else(|| UNKNOWN.to_owned(), |score| format!("{score:.2}"))
        }),
        line(pick("objectives", "目标"), &|it| {
            format!("{}/{}", it.objectives.0, it.objectives.1)
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
    text.push_str(&format!("  * {}\n", pick("chosen", "选用")));
    if candidates.iter().any(|it| !it.within_bounds) {
        let note = pick("out of the bounds of a chapter", "超出章节字数范围");
        text.push_str(&format!("  ! {note}\n"));
    }
    let by_rule = |it: &Candidate| it.scored_by == Some(ScoredBy::OfflineAuthor);
    if candidates.iter().any(by_rule) {
        text.push_str(&format!("  {}\n", labels::scored_offline().get(lang)));
    }
    text
}

/// A draft in one line, to be chosen from.
pub(super) fn draft_line(candidate: &Candidate, lang: Lang) -> String {
    let (number, words) = (candidate.number, candidate.words);
    let (named, required) = candidate.objectives;
    let (wrong, hits) = (candidate.contradictions, candidate.blacklist_hits);
    let again = candidate.repetition * 100.0;
    let style = candidate.style_distance;
    let score = candidate
        .overall
        .map_or_else(|| "-".to_owned(), |score| format!("{score:.2}"));
    let whose = labels::whose_score(candidate.scored_by);
    let score = format!("{score}{}", whose.get(lang));
    let cost = candidate.cost_usd.map(|cost| labels::money(Some(cost)));
    let cost = match lang {
        Lang::En => cost.map(|cost| format!(", {cost}")),
        Lang::Zh => cost.map(|cost| format!("，{cost}")),
    };
    let cost = cost.unwrap_or_default();
    let bounds = match (candidate.within_bounds, lang) {
        (true, _) => "",
        (false, Lang::En) => " (out of bounds)",
        (false, Lang::Zh) => "（超出范围）",
    };
    match lang {
        Lang::En => format!(
            "draft {number}: judge {score}, objectives {named}/{required}, contradictions {wrong}, blacklist {hits}, repeated {again:.1}%, style {style:.2}, {words} words{bounds}{cost}"
        ),
        Lang::Zh => format!(
            "草稿 {number}：评审 {score}，目标 {named}/{required}，矛盾 {wrong}，黑名单 {hits}，重复 {again:.1}%，文风偏离 {style:.2}，{words} 字{bounds}{cost}"
        ),
    }
}
