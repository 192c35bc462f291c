//! What a report gives an author to do, in one list: the reader of a review starts here.

use novel_contract::report::{Concern, ReportFinding};
use novel_model::{Message, counted, message};

use super::{
    Report,
    lines::{breach_text, bridge_text, meeting_text},
    page::ranges,
    scores::{dimension, joined},
    text::changed_hand,
};

/// Ids named in a sentence; the list has them all.
const NAMED: usize = 12;

/// A fall of the score below which it is only noise.
const FALL: f64 = -0.2;

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub concern: Concern,
    /// The chapters, where it is about some.
    pub chapters: Vec<u32>,
    /// The ids, where it is about some.
    pub ids: Vec<String>,
    /// In words.
    pub text: Message,
}

impl Finding {
    /// The finding in one language, as agents and programs are given it.
    #[must_use]
    pub fn answer(&self, lang: novel_model::Lang) -> ReportFinding {
        ReportFinding {
            concern: self.concern,
            chapters: self.chapters.clone(),
            ids: self.ids.clone(),
            text: self.text.get(lang).to_owned(),
        }
    }
}

fn named(ids: &[String]) -> String {
    let mut list = ids[..ids.len().min(NAMED)].join(", ");
    if ids.len() > NAMED {
        list.push_str(&format!(", … +{}", ids.len() - NAMED));
    }
    list
}

impl Report {
    /// Everything worth a second look, the most pressing first.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.about_foreshadowing(&mut findings);
        self.about_scores(&mut findings);
        self.about_text(&mut findings);
        self.about_lines(&mut findings);
        let absent = &self.cast.absent;
        if !absent.is_empty() && !self.is_empty() {
            let list = named(absent);
            findings.push(Finding {
                concern: Concern::AbsentCast,
                chapters: Vec::new(),
                ids: absent.clone(),
                text: message!(
                    en: "active characters who are never named: {list}",
                    zh: "一次也没有出场的活跃角色：{list}"
                ),
            });
        }
        findings.sort_by_key(|finding| finding.concern);
        findings
    }

    fn about_foreshadowing(&self, findings: &mut Vec<Finding>) {
        let report = &self.foreshadowing;
        let mut add = |concern, ids: &[String], text: &dyn Fn(String) -> Message| {
            if !ids.is_empty() {
                findings.push(Finding {
                    concern,
                    chapters: Vec::new(),
                    ids: ids.to_vec(),
                    text: text(named(ids)),
                });
            }
        };
        add(
            Concern::OverdueForeshadowing,
            &report.overdue,
            &|list| message!(en: "overdue foreshadowing: {list}", zh: "超期未回收的伏笔：{list}"),
        );
        add(
            Concern::UnplantedForeshadowing,
            &report.not_planted,
            &|list| message!(en: "planned and never planted: {list}", zh: "规划了却没有埋设的伏笔：{list}"),
        );
        add(
            Concern::DueForeshadowing,
            &report.due,
            &|list| message!(en: "foreshadowing that may be resolved now: {list}", zh: "已到回收时机的伏笔：{list}"),
        );
    }

    fn about_scores(&self, findings: &mut Vec<Finding>) {
        let weak: Vec<u32> = self.scores.weak.iter().map(|weak| weak.chapter).collect();
        let mut add = |concern, chapters: Vec<u32>, text| {
            findings.push(Finding {
                concern,
                chapters,
                ids: Vec::new(),
                text,
            });
        };
        if !weak.is_empty() {
            let list = ranges(&weak);
            let mut names: Vec<&str> = Vec::new();
            for name in self.scores.weak.iter().flat_map(|weak| &weak.weakest) {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
            let names: Vec<Message> = names.into_iter().map(dimension).collect();
            let Message { en, zh } = joined(&names);
            add(
                Concern::WeakChapters,
                weak,
                message!(
                    en: "chapters {list} score below 3.5, lowest in {en}",
                    zh: "第 {list} 章低于 3.5 分，主要弱在{zh}"
                ),
            );
        }
        if let Some(trend) = self.scores.trend.filter(|trend| *trend <= FALL) {
            let text = message!(
                en: "the last five chapters score {trend:+.2} against the five before",
                zh: "最近五章的均分较前五章 {trend:+.2}"
            );
            add(Concern::FallingScores, Vec::new(), text);
        }
        for (name, mean) in &self.scores.dimension_means {
            let mean = mean.as_f64().unwrap_or_default();
            if mean < super::WEAK_BELOW {
                let Message { en, zh } = dimension(name);
                let text = message!(
                    en: "{en} is weak all over: {mean:.2} on average",
                    zh: "{zh}整体偏弱：均分 {mean:.2}"
                );
                add(Concern::WeakDimension, Vec::new(), text);
            }
        }
    }

    fn about_text(&self, findings: &mut Vec<Finding>) {
        let mut add = |concern, chapters: Vec<u32>, text| {
            findings.push(Finding {
                concern,
                chapters,
                ids: Vec::new(),
                text,
            });
        };
        let length = &self.length;
        if !length.too_short.is_empty() {
            let list = ranges(&length.too_short);
            let text = message!(
                en: "chapters {list} are shorter than the book's lower bound",
                zh: "第 {list} 章短于设定的下限"
            );
            add(Concern::Length, length.too_short.clone(), text);
        }
        if !length.too_long.is_empty() {
            let list = ranges(&length.too_long);
            let text = message!(
                en: "chapters {list} are longer than the book's upper bound",
                zh: "第 {list} 章长于设定的上限"
            );
            add(Concern::Length, length.too_long.clone(), text);
        }
        if let Some(ratio) = self.dialogue.ratio.filter(|ratio| ratio.drifted) {
            let (now, base) = (
                ratio.value * 100.0,
                ratio.baseline.unwrap_or_default() * 100.0,
            );
            let text = message!(
                en: "{now:.0}% dialogue; the style profile has {base:.0}%",
                zh: "对话占比 {now:.0}%，文风档案为 {base:.0}%"
            );
            add(Concern::Dialogue, Vec::new(), text);
        }
        if let Some(length) = self
            .style
            .avg_sentence_length
            .filter(|length| length.drifted)
        {
            let (now, base) = (length.value, length.baseline.unwrap_or_default());
            let text = message!(
                en: "{now:.1} words per sentence; the style profile has {base:.1}",
                zh: "平均句长 {now:.1} 字，文风档案为 {base:.1} 字"
            );
            add(Concern::Sentences, Vec::new(), text);
        }
        if let Some(change) = self
            .style
            .hand
            .as_ref()
            .and_then(|hand| hand.change.as_ref())
        {
            let last = self
                .style
                .chapters
                .last()
                .map_or(change.chapter, |row| row.chapter);
            let text = changed_hand(change);
            add(Concern::Hand, (change.chapter..=last).collect(), text);
        }
        if self.style.blacklist_hits > 0 {
            let (hits, worst) = (self.style.blacklist_hits, &self.style.worst);
            let mut sorted = worst.clone();
            sorted.sort_unstable();
            let list = ranges(&sorted);
            let phrases = counted(hits, "blacklisted phrase");
            let text = message!(
                en: "{phrases}, most densely in chapters {list}",
                zh: "黑名单用语命中 {hits} 次，密度最高的是第 {list} 章"
            );
            add(Concern::Phrases, sorted, text);
        }
    }

    fn about_lines(&self, findings: &mut Vec<Finding>) {
        let report = &self.storylines;
        for breach in &report.breaches {
            findings.push(Finding {
                concern: Concern::Rhythm,
                chapters: Vec::new(),
                ids: vec![breach.storyline_id.clone()],
                text: breach_text(breach),
            });
        }
        for meeting in &report.meetings {
            if let Some(text) = meeting_text(meeting) {
                let (first, last) = meeting.chapter_range;
                findings.push(Finding {
                    concern: Concern::Meeting,
                    chapters: (first..=last).collect(),
                    ids: meeting.missing.clone(),
                    text,
                });
            }
        }
        for bridge in &report.broken_bridges {
            findings.push(Finding {
                concern: Concern::Bridge,
                chapters: bridge.chapter.into_iter().collect(),
                ids: vec![bridge.from.clone(), bridge.to.clone()],
                text: bridge_text(bridge),
            });
        }
    }
}
