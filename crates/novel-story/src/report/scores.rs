//! Scores, their trend, and the weak chapters.

use novel_model::{Message, files::ScoredBy, message};
use serde_json::{Map, Value, json};

use novel_contract::{
    care::VerdictJudge,
    report::{ScoreRow, ScoresReport, WeakChapter},
};
use novel_text::Plot;

use super::{
    Report, Section, Topic,
    facts::{Facts, Verdict},
    mean,
    page::{Page, ranges, same, unknown},
    rounded,
};

/// A chapter with a lower score is weak: below it the gate asks for a revision.
pub const WEAK_BELOW: f64 = 3.5;
/// Chapters on each side of a trend.
const TREND: usize = 5;
/// Dimensions named for a weak chapter.
const WEAKEST: usize = 2;

/// Mean of the last five scores less the mean of the five before.
#[must_use]
pub fn trend(scores: &[f64]) -> Option<f64> {
    let (before, after) = scores.split_at(scores.len().saturating_sub(TREND));
    let before = &before[before.len().saturating_sub(TREND)..];
    Some(mean(after)? - mean(before)?)
}

impl Section for ScoresReport {
    fn of(facts: &Facts) -> Self {
        let verdicts = || {
            let judged = facts.chapters.iter();
            judged.filter_map(|c| c.verdict.as_ref().map(|v| (c.chapter.get(), v)))
        };
        let scores: Vec<f64> = verdicts().map(|(_, verdict)| verdict.overall).collect();
        let by = |pick: fn(f64, f64) -> f64| scores.iter().copied().reduce(pick);
        Self {
            chapters: facts
                .chapters
                .iter()
                .map(|chapter| row(chapter.chapter.get(), chapter.verdict.as_ref()))
                .collect(),
            mean: mean(&scores).map(|mean| rounded(mean, 3)),
            min: by(f64::min),
            max: by(f64::max),
            trend: trend(&scores).map(|trend| rounded(trend, 3)),
            dimension_means: dimension_means(verdicts().map(|(_, verdict)| verdict)),
            weak: verdicts()
                .filter(|(_, verdict)| verdict.overall < WEAK_BELOW)
                .map(|(chapter, verdict)| WeakChapter {
                    chapter,
                    overall: verdict.overall,
                    scored_by: verdict.scored_by,
                    weakest: weakest(verdict),
                })
                .collect(),
            force_passed: verdicts()
                .filter(|(_, verdict)| verdict.force_passed)
                .map(|(chapter, _)| chapter)
                .collect(),
            judges: judges(verdicts().map(|(_, verdict)| verdict)),
        }
    }

    fn page(&self, _report: &Report) -> Page {
        let mut page = Page::new(Topic::Scores.title());
        let (Some(mean), Some(min), Some(max)) = (self.mean, self.min, self.max) else {
            page.text(message!(en: "No chapter has a score.", zh: "还没有评分。"));
            return page;
        };
        let mut line = message!(
            en: "Mean {mean:.2}, lowest {min:.2}, highest {max:.2}",
            zh: "均分 {mean:.2}，最低 {min:.2}，最高 {max:.2}"
        );
        if let Some(trend) = self.trend {
            line.en
                .push_str(&format!("; last five {trend:+.2} against the five before"));
            line.zh.push_str(&format!("；最近五章较前五章 {trend:+.2}"));
        }
        line.en.push('.');
        line.zh.push('。');
        let offline: Vec<u32> = self
            .chapters
            .iter()
            .filter(|row| row.scored_by == Some(ScoredBy::OfflineAuthor))
            .map(|row| row.chapter)
            .collect();
        if !offline.is_empty() {
            let list = ranges(&offline);
            let whose = message!(
                en: "\nScored by the offline author, not by a judge: {list}. These scores are not verdicts.",
                zh: "\n由离线作者打分的章：{list}。这些分数不是评审结论。"
            );
            line.en.push_str(&whose.en);
            line.zh.push_str(&whose.zh);
        }
        page.text(line);
        for judge in &self.judges {
            page.text(measured(judge));
        }
        let point = |row: &ScoreRow| (row.chapter, row.overall);
        page.plot(
            message!(en: "Score by chapter", zh: "各章评分"),
            Plot::Values {
                points: self.chapters.iter().map(point).collect(),
                axis: Some((1.0, 5.0)),
                digits: 1,
            },
        );
        let dimensions = self.dimension_means.iter();
        page.table(
            vec![
                message!(en: "dimension", zh: "维度"),
                message!(en: "mean", zh: "均分"),
            ],
            dimensions
                .map(|(name, mean)| {
                    vec![
                        dimension(name),
                        same(format!("{:.2}", mean.as_f64().unwrap_or_default())),
                    ]
                })
                .collect(),
        );
        page.table(
            vec![
                message!(en: "weak chapter", zh: "低分章"),
                message!(en: "score", zh: "评分"),
                message!(en: "weakest in", zh: "最弱维度"),
            ],
            self.weak.iter().map(weak_row).collect(),
        );
        if !self.force_passed.is_empty() {
            let list = ranges(&self.force_passed);
            page.text(message!(
                en: "Passed only because the revisions were used up: {list}.",
                zh: "修订次数用尽后强制通过的章：{list}。"
            ));
        }
        page
    }
}

fn row(chapter: u32, verdict: Option<&Verdict>) -> ScoreRow {
    ScoreRow {
        chapter,
        overall: verdict.map(|verdict| verdict.overall),
        scored_by: verdict.and_then(|verdict| verdict.scored_by),
        dimensions: verdict
            .into_iter()
            .flat_map(|verdict| &verdict.dimensions)
            .map(|(name, score)| ((*name).to_owned(), json!(score)))
            .collect(),
        gate_decision: verdict.and_then(|verdict| verdict.decision),
        revisions: verdict.map_or(0, |verdict| verdict.revisions),
        force_passed: verdict.is_some_and(|verdict| verdict.force_passed),
    }
}

/// The judges of the verdicts, each model and version of its prompt once.
fn judges<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Vec<VerdictJudge> {
    let mut known: Vec<VerdictJudge> = Vec::new();
    for judge in verdicts.filter_map(|verdict| verdict.judge.as_ref()) {
        let judge = judge.answer();
        if !known.contains(&judge) {
            known.push(judge);
        }
    }
    known
}

/// What is known of a judge, in one sentence.
fn measured(judge: &VerdictJudge) -> Message {
    let model = &judge.model;
    let Message { en, zh } = match judge.prompt_version {
        Some(version) => message!(en: ", prompt {version},", zh: "，提示词版本 {version}"),
        None => Message::same(""),
    };
    let Some(measured) = &judge.measured else {
        return message!(
            en: "Judge {model}{en} was never measured.",
            zh: "评审 {model}{zh}，从未测量。"
        );
    };
    let [seen, alarms, located] = [&measured.recall, &measured.false_alarms, &measured.located]
        .map(|share| format!("{}/{}", share.hits, share.of));
    message!(
        en: "Judge {model}{en} was measured: faults seen {seen}, false alarms {alarms}, quotations located {located}.",
        zh: "评审 {model}{zh}，实测：查出缺陷 {seen}，误报 {alarms}，引文可查 {located}。"
    )
}

fn dimension_means<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Map<String, Value> {
    let mut sums: Vec<(&'static str, Vec<f64>)> = Vec::new();
    for verdict in verdicts {
        for (name, score) in &verdict.dimensions {
            match sums.iter_mut().find(|(known, _)| known == name) {
                Some((_, scores)) => scores.push(*score),
                None => sums.push((name, vec![*score])),
            }
        }
    }
    sums.into_iter()
        .filter_map(|(name, scores)| Some((name.to_owned(), json!(rounded(mean(&scores)?, 3)))))
        .collect()
}

fn weakest(verdict: &Verdict) -> Vec<String> {
    let mut dimensions = verdict.dimensions.clone();
    dimensions.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    dimensions
        .into_iter()
        .take(WEAKEST)
        .map(|(name, _)| name.to_owned())
        .collect()
}

fn weak_row(weak: &WeakChapter) -> Vec<Message> {
    let names: Vec<Message> = weak.weakest.iter().map(|name| dimension(name)).collect();
    vec![
        same(weak.chapter),
        same(format!("{:.2}", weak.overall)),
        if names.is_empty() {
            unknown()
        } else {
            joined(&names)
        },
    ]
}

/// Several messages as one list.
pub(super) fn joined(messages: &[Message]) -> Message {
    let texts = |pick: fn(&Message) -> &str| messages.iter().map(pick).collect::<Vec<_>>();
    Message {
        en: texts(|message| &message.en).join(", "),
        zh: texts(|message| &message.zh).join("、"),
    }
}

/// A dimension as people call it.
pub(super) fn dimension(name: &str) -> Message {
    match name {
        "plot_logic" => message!(en: "plot logic", zh: "情节逻辑"),
        "character" => message!(en: "characters", zh: "人物塑造"),
        "immersion" => message!(en: "immersion", zh: "沉浸感"),
        "foreshadowing" => message!(en: "foreshadowing", zh: "伏笔处理"),
        "pacing" => message!(en: "pacing", zh: "节奏"),
        "style_naturalness" => message!(en: "natural style", zh: "文风自然度"),
        "emotional_impact" => message!(en: "emotional impact", zh: "情感冲击"),
        "storyline_coherence" => message!(en: "storyline coherence", zh: "故事线连贯"),
        other => Message::same(other),
    }
}
