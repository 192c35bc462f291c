//! Why there is no next step, for people and machines.

use novel_contract::{Offer, OfferedAction};
use novel_model::{
    ChapterNo, Explain, Kind, Lang, Message,
    files::{ContractCheck, ScoredBy},
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
    /// The checkpoint contradicts itself.
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
        /// The chapter.
        chapter: ChapterNo,
        /// What the gate said.
        outcome: GateOutcome,
        /// Score by dimension.
        scores: Vec<(&'static str, f64)>,
        /// Revisions so far.
        revisions: u32,
        /// The violations that force a revision.
        violations: Vec<ContractCheck>,
        /// Whose score it is.
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
                let (n, score, decision) =
                    (chapter.get(), outcome.overall, outcome.decision.word());
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
                    en: "chapter {n} waits for you: score {score:.2}{by_en}, gate {decision}, {revisions} of {MAX_REVISIONS} revisions used{en}",
                    zh: "第 {n} 章等待作者决定：评分 {score:.2}{by_zh}，门控 {decision}，已修订 {revisions}/{MAX_REVISIONS} 次{zh}"
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
                    en: "choose with `novel start`: accept it (`novel gate accept {n}`), start it anew (`novel gate rewrite {n}`), or edit staging/chapters/chapter-{chapter}.md and run `novel next`",
                    zh: "用 `novel start` 选择：接受（`novel gate accept {n}`）、重写（`novel gate rewrite {n}`），或手动修改 staging/chapters/chapter-{chapter}.md 后运行 `novel next`"
                )
            }
        })
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
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
            } => {
                let n = chapter.get();
                let scores: Map<String, Value> = scores
                    .iter()
                    .map(|(name, score)| ((*name).to_owned(), json!(score)))
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
