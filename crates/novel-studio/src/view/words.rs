//! Words and numbers as people read them.

use std::fmt::Display;

use novel_app::SettingOrigin;
use novel_model::{
    ChapterNo, Lang, counted,
    files::{GateDecision, Severity},
    message,
};

fn t(lang: Lang, en: &'static str, zh: &'static str) -> &'static str {
    match lang {
        Lang::En => en,
        Lang::Zh => zh,
    }
}

/// What has the number of a chapter.
pub(crate) trait Numbered {
    fn number(self) -> u32;
}

impl Numbered for u32 {
    fn number(self) -> u32 {
        self
    }
}

impl Numbered for ChapterNo {
    fn number(self) -> u32 {
        self.get()
    }
}

/// `Chapter 9`, `第 9 章`.
pub(crate) fn chapter_name(lang: Lang, chapter: impl Numbered) -> String {
    let n = chapter.number();
    message!(en: "Chapter {n}", zh: "第 {n} 章")
        .get(lang)
        .to_owned()
}

/// `9 calls`, `9 次调用`.
pub(crate) fn counts(lang: Lang, count: impl Display, noun: &str, zh: &str) -> String {
    match lang {
        Lang::En => counted(count, noun),
        Lang::Zh => format!("{count} {zh}"),
    }
}

/// `12,345`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Dollars; a dash where nobody knows.
pub(crate) fn money(cost: Option<f64>) -> String {
    match cost {
        Some(cost) if cost >= 1.0 || cost == 0.0 => format!("${cost:.2}"),
        Some(cost) => format!("${cost:.3}"),
        None => "—".to_owned(),
    }
}

/// The minute of a time, as it is written in the log.
pub(crate) fn when(time: &str) -> String {
    let minute: String = time.chars().take(16).collect();
    minute.replace('T', " ")
}

/// What an operation did.
pub(crate) fn operation_word(lang: Lang, kind: &str) -> String {
    let word = match kind {
        "init" => t(lang, "began", "新建"),
        "advance" => t(lang, "accepted", "接受"),
        "submit" => t(lang, "handed in", "交稿"),
        "commit" => t(lang, "wrote", "写成"),
        "import" => t(lang, "imported", "导入"),
        "analyse" => t(lang, "analysed", "分析"),
        "commit-volume" => t(lang, "planned", "规划入书"),
        "lifecycle" => t(lang, "advanced", "推进"),
        "retire" => t(lang, "retired", "退场"),
        "rollback" => t(lang, "rolled back", "回退"),
        "regen" => t(lang, "regenerated", "重写"),
        "rewrite" => t(lang, "replaced", "改写"),
        "review" => t(lang, "reviewed", "审查"),
        "scene" => t(lang, "wrote a scene", "写成场景"),
        "merge" => t(lang, "joined scenes", "合并场景"),
        "in-place" => t(lang, "rewritten in place", "原处重写"),
        "redraft" => t(lang, "started over", "弃稿重写"),
        "gate" => t(lang, "accepted at the gate", "人工放行"),
        "edit" => t(lang, "edited", "手改"),
        "config" => t(lang, "set", "设置"),
        "checkpoint" => t(lang, "advanced", "推进"),
        "undo" => t(lang, "undid", "撤销"),
        "redo" => t(lang, "redid", "重做"),
        "doctor" => t(lang, "repaired", "修复"),
        other => return other.to_owned(),
    };
    word.to_owned()
}

/// What the gate decided.
pub(crate) fn gate_word(lang: Lang, decision: GateDecision) -> &'static str {
    match decision {
        GateDecision::Pass => t(lang, "passed", "评审通过"),
        GateDecision::Polish => t(lang, "polished", "润色后通过"),
        GateDecision::Revise => t(lang, "revise", "需修订"),
        GateDecision::PauseForUser => t(lang, "waits for you", "等你处理"),
        GateDecision::PauseForUserForceRewrite => {
            t(lang, "waits: must be rewritten", "等你处理：须重写")
        }
    }
}

/// How bad a finding is.
pub(crate) fn severity_word(lang: Lang, severity: Severity) -> &'static str {
    match severity {
        Severity::High => t(lang, "high", "严重"),
        Severity::Medium => t(lang, "medium", "中等"),
        Severity::Low => t(lang, "low", "轻微"),
    }
}

/// A dimension of the judge.
pub(crate) fn dimension(lang: Lang, name: &str) -> String {
    let word = match name {
        "plot_logic" => t(lang, "plot logic", "情节逻辑"),
        "character" => t(lang, "characters", "人物塑造"),
        "immersion" => t(lang, "immersion", "沉浸感"),
        "foreshadowing" => t(lang, "foreshadowing", "伏笔处理"),
        "pacing" => t(lang, "pacing", "节奏"),
        "style_naturalness" => t(lang, "natural style", "文风自然度"),
        "emotional_impact" => t(lang, "emotional impact", "情感冲击"),
        "storyline_coherence" => t(lang, "storyline coherence", "故事线连贯"),
        other => return other.to_owned(),
    };
    word.to_owned()
}

/// A step of a chapter, by its name in a log.
pub(crate) fn stage_word(lang: Lang, name: &str) -> String {
    let word = match name {
        "draft" => t(lang, "draft", "写作"),
        "summarize" => t(lang, "summarize", "摘要"),
        "refine" => t(lang, "refine", "润色"),
        "judge" => t(lang, "judge", "评审"),
        "commit" => t(lang, "commit", "提交"),
        "review" => t(lang, "review", "逻辑审查"),
        "audit" => t(lang, "audit", "审计"),
        "revise" => t(lang, "revise", "修订"),
        "gate" => t(lang, "gate", "评审"),
        other => return other.to_owned(),
    };
    word.to_owned()
}

/// Where a setting comes from.
pub(crate) fn setting_origin(lang: Lang, origin: SettingOrigin) -> &'static str {
    match origin {
        SettingOrigin::Default => t(lang, "built in", "默认"),
        SettingOrigin::File => "novel.toml",
        SettingOrigin::Environment(_) => t(lang, "environment", "环境变量"),
    }
}
