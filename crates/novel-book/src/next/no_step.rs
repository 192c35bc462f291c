//! Why there is no next step, for people and machines.

use novel_contract::{Offer, OfferedAction};
use novel_model::{
    ChapterNo, Explain, Kind, Lang, Message,
    files::{ContractCheck, DimensionScore, GateDecision, ScoredBy, Scores},
    message,
};
use serde_json::{Map, Value, json};

use crate::{
    believe::verdict,
    gate::{GateOutcome, MAX_REVISIONS},
    probe::KnownJudge,
};

/// Why there is no next step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoStep {
    /// Two fields of the checkpoint exclude each other.
    #[error("the checkpoint contradicts itself: {first} and {second}")]
    Contradiction {
        /// One field with its value.
        first: String,
        /// The other field with its value.
        second: String,
    },
    /// The gate waits for the author.
    #[error("chapter {chapter} waits for the author")]
    Paused {
        /// Chapter the gate stopped.
        chapter: ChapterNo,
        /// Recomputed decision, with score and violations.
        outcome: GateOutcome,
        /// The judge's scores with their grounds.
        scores: Box<Scores>,
        /// What the judge wants repaired.
        fixes: Vec<String>,
        /// Revisions of the chapter so far.
        revisions: u32,
        /// The violations that force a revision.
        violations: Vec<ContractCheck>,
        /// Judge or offline author, for the wording of the score.
        scored_by: Option<ScoredBy>,
        /// The judge, with what was measured of it; whoever reads the book fills it in.
        judge: Option<Box<KnownJudge>>,
    },
}

impl NoStep {
    /// What the author can do about it.
    #[must_use]
    pub fn offers(&self) -> Vec<Offer> {
        match self {
            Self::Contradiction { .. } => Vec::new(),
            Self::Paused { chapter, .. } => {
                let n = chapter.get();
                vec![
                    Offer::new(OfferedAction::Accept, format!("novel gate accept {n}")),
                    Offer::new(OfferedAction::Rewrite, format!("novel gate rewrite {n}")),
                ]
            }
        }
    }
}

/// Scores from here on are nothing to decide about.
const GOOD: f64 = 4.0;

impl NoStep {
    /// The verdict in words, for whoever has to decide: the weak points with reason and quotation, the
    /// weakest first, then what is to be repaired. A verdict without a weak point shows its lowest score.
    #[must_use]
    pub fn verdict(&self) -> Vec<Message> {
        let Self::Paused { scores, fixes, .. } = self else {
            return Vec::new();
        };
        let mut points = scores.by_name().to_vec();
        points.sort_by(|(_, one), (_, other)| one.score.total_cmp(&other.score));
        let weak = points
            .iter()
            .filter(|(_, point)| point.score < GOOD)
            .count();
        let shown = points.iter().take(weak.max(1));
        let mut lines: Vec<Message> = shown.map(|(name, point)| weak_point(name, point)).collect();
        lines.extend(
            fixes
                .iter()
                .map(|fix| message!(en: "to fix: {fix}", zh: "要改：{fix}")),
        );
        lines
    }
}

/// One score in words.
fn weak_point(name: &str, point: &DimensionScore) -> Message {
    let (Message { en, zh }, score) = (dimension(name), point.score);
    let mut line = message!(en: "{en} {score:.1}", zh: "{zh} {score:.1}");
    let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    if let Some(reason) = said(&point.reason) {
        line.en.push_str(&format!(": {reason}"));
        line.zh.push_str(&format!("：{reason}"));
    }
    match (said(&point.evidence), said(&point.absent)) {
        (Some(quoted), _) => {
            line.en.push_str(&format!(" (\"{quoted}\")"));
            line.zh.push_str(&format!("（“{quoted}”）"));
        }
        (None, Some(absent)) => {
            line.en.push_str(&format!(" (missing: {absent})"));
            line.zh.push_str(&format!("（缺少：{absent}）"));
        }
        (None, None) => {}
    }
    if point.evidence_found == Some(false) {
        line.en.push_str(" [the chapter does not have these words]");
        line.zh.push_str("［正文中没有这句话］");
    }
    line
}

/// What a dimension of the verdict is about.
fn dimension(name: &str) -> Message {
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

impl Explain for NoStep {
    fn kind(&self) -> Kind {
        match self {
            Self::Contradiction { .. } => Kind::Input,
            Self::Paused { .. } => Kind::Gate,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Contradiction { .. } => "CHECKPOINT_CONTRADICTION",
            Self::Paused { .. } => "GATE_PAUSED",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Contradiction { first, second } => message!(
                en: ".checkpoint.json contradicts itself: {first}, but {second}",
                zh: ".checkpoint.json 自相矛盾：{first}，但 {second}"
            ),
            Self::Paused {
                chapter,
                outcome,
                revisions,
                violations,
                scored_by,
                judge,
                ..
            } => {
                let (n, score) = (chapter.get(), outcome.overall);
                let (advice_en, advice_zh) = match outcome.decision {
                    GateDecision::PauseForUserForceRewrite => {
                        (", a rewrite is advised", "，建议重写")
                    }
                    _ => ("", ""),
                };
                let shown = |lang, open: &str, between: &str| -> String {
                    let lines: Vec<String> = violations
                        .iter()
                        .map(|check| verdict::shown(check, lang))
                        .collect();
                    if lines.is_empty() {
                        return String::new();
                    }
                    format!("{open}{}", lines.join(between))
                };
                let en = shown(Lang::En, "; violations: ", "; ");
                let zh = shown(Lang::Zh, "；违反：", "；");
                let by = match (scored_by, judge) {
                    (Some(ScoredBy::OfflineAuthor), _) => message!(
                        en: " (the offline author's, not a verdict)",
                        zh: "（离线作者打分，不是评审结论）"
                    ),
                    (_, Some(judge)) => {
                        let Message { en, zh } = judge.shown();
                        message!(en: " ({en})", zh: "（{zh}）")
                    }
                    _ => Message::same(""),
                };
                let (by_en, by_zh) = (by.en, by.zh);
                message!(
                    en: "chapter {n} waits for you: score {score:.2}{by_en}{advice_en}, {revisions} of {MAX_REVISIONS} revisions used{en}",
                    zh: "第 {n} 章等你决定：评分 {score:.2}{by_zh}{advice_zh}，已修订 {revisions}/{MAX_REVISIONS} 次{zh}"
                )
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::Contradiction { .. } => message!(
                en: "run `novel doctor --fix` to repair the checkpoint from the files in staging",
                zh: "运行 `novel doctor --fix`，按 staging 中的文件修复检查点"
            ),
            Self::Paused { chapter, .. } => {
                let n = chapter.get();
                message!(
                    en: "choose with `novel start`: accept it (`novel gate accept {n}`), rewrite \
                        it (`novel gate rewrite {n}`), or edit \
                        staging/chapters/chapter-{chapter}.md and run `novel next`",
                    zh: "用 `novel start` 选择：接受（`novel gate accept {n}`）、重写（`novel gate rewrite {n}`），或手动修改 staging/chapters/chapter-{chapter}.md 后运行 `novel next`"
                )
            }
        })
    }

    fn details(&self, lang: Lang) -> Map<String, Value> {
        let mut details = Map::new();
        match self {
            Self::Contradiction { first, second } => {
                details.insert("fields".into(), json!([first, second]));
            }
            Self::Paused {
                chapter,
                outcome,
                scores,
                revisions,
                violations,
                scored_by,
                judge,
                ..
            } => {
                let n = chapter.get();
                let scores: Map<String, Value> = scores
                    .by_name()
                    .into_iter()
                    .map(|(name, dimension)| (name.to_owned(), json!(dimension.score)))
                    .collect();
                let verdict: Vec<String> = self
                    .verdict()
                    .iter()
                    .map(|line| line.get(lang).to_owned())
                    .collect();
                details.insert("chapter".into(), json!(n));
                details.insert("decision".into(), json!(outcome.decision.word()));
                details.insert("overall".into(), json!(outcome.overall));
                details.insert(
                    "has_high_confidence_violation".into(),
                    json!(outcome.high_violation),
                );
                details.insert("revision_count".into(), json!(revisions));
                details.insert("scores".into(), Value::Object(scores));
                details.insert("verdict".into(), json!(verdict));
                details.insert("violations".into(), json!(violations));
                if let Some(scored_by) = scored_by {
                    details.insert("scored_by".into(), json!(scored_by));
                }
                if let Some(judge) = judge {
                    details.insert("judge".into(), json!(judge.answer()));
                }
                details.insert("next_actions".into(), json!(self.offers()));
            }
        }
        details
    }
}
