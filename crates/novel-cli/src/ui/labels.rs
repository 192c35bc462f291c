//! Words and numbers as people read them: steps, models, scores, tokens, money.

use anstyle::{AnsiColor, Style};
use novel_app::{
    executor::ExecutorKind,
    history::TxnKind,
    runner::{Extent, Part},
    write::{
        commit::{Briefing, DriftAction},
        run::Finished,
    },
};
use novel_contract::forecast::Estimate;
use novel_model::{
    ChapterNo, ChapterStage, Lang, Message, QuickstartPhase, StepId, VolumeStage, counted,
    files::{GateDecision, JudgeRole, ScoredBy, Severity},
    message,
};
use serde_json::Value;

use crate::{output::Output, ui::printer::visible};

/// Chapters that are named one by one at the end of a run.
const SUMMARY_CHAPTERS: usize = 6;

/// Risks named in a look back.
const RISKS_SHOWN: usize = 3;

/// Stands for a number nobody reported.
pub(crate) const UNKNOWN: &str = "-";

/// The name of a model. The offline author is none, and is never shown as one.
pub(crate) fn model(name: &str, lang: Lang) -> String {
    if name == ExecutorKind::Offline.word() {
        offline_author().get(lang).to_owned()
    } else {
        name.to_owned()
    }
}

/// What the embedded author is called.
pub(crate) fn offline_author() -> Message {
    message!(en: "offline author (not a language model)", zh: "离线作者（非语言模型）")
}

/// What is done in a step.
pub(crate) fn stage(step: StepId, judge: JudgeRole, part: Part) -> Message {
    let stage = match step {
        StepId::Chapter(_, stage) => stage,
        StepId::Volume(_, VolumeStage::Plan) if part == Part::Newcomers => {
            return message!(en: "plan, new characters", zh: "规划·新角色");
        }
        StepId::Volume(_, VolumeStage::Plan) => return message!(en: "plan", zh: "规划"),
        StepId::Volume(_, VolumeStage::Review) => return message!(en: "review", zh: "回顾"),
        StepId::Volume(_, VolumeStage::Commit) => return message!(en: "commit", zh: "提交"),
        StepId::Quickstart(QuickstartPhase::World) => return message!(en: "world", zh: "世界"),
        StepId::Quickstart(QuickstartPhase::Characters) => return message!(en: "cast", zh: "人物"),
        StepId::Quickstart(QuickstartPhase::Style) => return message!(en: "style", zh: "文风"),
        StepId::Quickstart(_) => return message!(en: "trial", zh: "试写"),
    };
    match (stage, judge, part) {
        (ChapterStage::Judge, JudgeRole::Secondary, _) => {
            message!(en: "judge (second)", zh: "评审（第二位）")
        }
        (ChapterStage::Draft, _, Part::ScenePlan) => {
            message!(en: "draft, scene plan", zh: "写作·场景规划")
        }
        (ChapterStage::Draft, _, Part::Scene(scene)) => {
            let scene = scene.get();
            message!(en: "draft, scene {scene}", zh: "写作·第 {scene} 场")
        }
        (stage, ..) => stage_word(stage),
    }
}

/// What is done in a step, by its name in a log.
pub(crate) fn logged_stage(name: &str) -> Message {
    match name {
        "revise" | "chapter-reviser" => return message!(en: "revise", zh: "修订"),
        "quality-judge" => return stage_word(ChapterStage::Judge),
        "logic-reviewer" => return stage_word(ChapterStage::Review),
        "consistency-auditor" => return stage_word(ChapterStage::Audit),
        "volume-reviewer" => return message!(en: "review", zh: "回顾"),
        "read" | "book-reader" => return message!(en: "read", zh: "通读"),
        "style" | "style-analyzer" => return message!(en: "style", zh: "文风"),
        "world" | "world-builder" => return message!(en: "world", zh: "世界"),
        "plan" | "plot-architect" => return message!(en: "plan", zh: "规划"),
        _ => {}
    }
    let known = ChapterStage::ALL.iter().find(|stage| stage.word() == name);
    known.map_or_else(|| Message::same(name), |stage| stage_word(*stage))
}

/// A kind of call in a forecast.
pub(crate) fn forecast_stage(name: &str) -> Message {
    match name {
        "polish" => message!(en: "polish", zh: "再润色"),
        "plan" => message!(en: "plan of volumes", zh: "卷规划"),
        name => logged_stage(name),
    }
}

/// Where a step of a log stands in the pipeline; unknown ones come last.
pub(crate) fn stage_order(name: &str) -> usize {
    let place = ChapterStage::ALL
        .iter()
        .position(|stage| stage.word() == name);
    place.unwrap_or(ChapterStage::ALL.len())
}

fn stage_word(stage: ChapterStage) -> Message {
    match stage {
        ChapterStage::Draft => message!(en: "draft", zh: "写作"),
        ChapterStage::Summarize => message!(en: "summarize", zh: "摘要"),
        ChapterStage::Refine => message!(en: "refine", zh: "润色"),
        ChapterStage::Judge => message!(en: "judge", zh: "评审"),
        ChapterStage::Commit => message!(en: "commit", zh: "提交"),
        ChapterStage::Review => message!(en: "review", zh: "逻辑审查"),
        ChapterStage::Audit => message!(en: "audit", zh: "审计"),
    }
}

/// A step of set-up, planning or review that is done.
pub(crate) fn accepted(step: StepId, extent: Extent) -> Message {
    match step {
        StepId::Quickstart(QuickstartPhase::World) => {
            message!(en: "The world is set up.", zh: "世界设定已完成。")
        }
        StepId::Quickstart(QuickstartPhase::Characters) => {
            message!(en: "The cast is set up.", zh: "人物设定已完成。")
        }
        StepId::Quickstart(QuickstartPhase::Style) => {
            message!(en: "The style is set up.", zh: "文风设定已完成。")
        }
        StepId::Quickstart(QuickstartPhase::Trial) => {
            message!(en: "The trial chapters are laid out.", zh: "试写章节已备好提纲。")
        }
        StepId::Quickstart(QuickstartPhase::Results) => {
            message!(en: "The trial is accepted.", zh: "试写已接受。")
        }
        StepId::Volume(volume, stage) => {
            let number = volume.get();
            match stage {
                VolumeStage::Plan => match extent {
                    Extent::Chapters(first, last) => {
                        let (first, last) = (first.get(), last.get());
                        message!(
                            en: "Chapters {first} to {last} of volume {number} are planned.",
                            zh: "第 {number} 卷的第 {first} 至 {last} 章已规划。"
                        )
                    }
                    Extent::Newcomers => message!(
                        en: "The new characters of volume {number} are ready.",
                        zh: "第 {number} 卷的新角色已就绪。"
                    ),
                    Extent::Whole => message!(
                        en: "Volume {number} is planned.", zh: "第 {number} 卷规划完成。"
                    ),
                },
                VolumeStage::Commit => message!(
                    en: "The plan of volume {number} is in the book.", zh: "第 {number} 卷的规划已生效。"
                ),
                VolumeStage::Review => message!(
                    en: "Volume {number} is reviewed.", zh: "第 {number} 卷回顾完成。"
                ),
            }
        }
        StepId::Chapter(..) => Message::same(step.to_string()),
    }
}

/// The type or status of a storyline as people call it; a word of the author's own stays as it is.
pub(crate) fn storyline_word(word: &str, lang: Lang) -> &str {
    match (word, lang) {
        ("main_arc", Lang::En) => "main",
        ("main_arc", Lang::Zh) => "主线",
        ("sub_arc", Lang::En) => "side",
        ("sub_arc", Lang::Zh) => "副线",
        ("active", Lang::Zh) => "进行中",
        ("dormant", Lang::Zh) => "休眠",
        ("completed", Lang::Zh) => "已完结",
        _ => word,
    }
}

/// What an operation of the log is, by its kind and what it was done to.
pub(crate) fn operation(kind: TxnKind, target: &str) -> Message {
    match kind {
        TxnKind::Checkpoint if target.starts_with("published-") => {
            message!(en: "publication", zh: "发布")
        }
        TxnKind::Checkpoint if target.starts_with("locked-") => message!(en: "lock", zh: "锁定"),
        TxnKind::Checkpoint if target.starts_with("unlocked-") => {
            message!(en: "unlock", zh: "解锁")
        }
        TxnKind::Init => message!(en: "new book", zh: "新建"),
        TxnKind::Advance => message!(en: "step accepted", zh: "步骤通过"),
        TxnKind::Submit => message!(en: "answer handed in", zh: "提交产物"),
        TxnKind::Manifest => message!(en: "instructions saved", zh: "保存指令"),
        TxnKind::Checkpoint => message!(en: "checkpoint", zh: "检查点"),
        TxnKind::Call => message!(en: "call", zh: "调用"),
        TxnKind::Commit { .. } => message!(en: "commit", zh: "提交"),
        TxnKind::Import { .. } => message!(en: "import", zh: "导入"),
        TxnKind::Analyse { .. } => message!(en: "analysis", zh: "分析"),
        TxnKind::Plan { .. } => message!(en: "plan", zh: "规划"),
        TxnKind::CommitVolume { .. } => message!(en: "volume commit", zh: "提交卷"),
        TxnKind::Again {
            step: StepId::Volume(..),
        } => message!(en: "new plan", zh: "重新规划"),
        TxnKind::Lifecycle if target.starts_with("volume:") => {
            message!(en: "volume review", zh: "卷末回顾")
        }
        TxnKind::Lifecycle => message!(en: "setup", zh: "筹备"),
        TxnKind::Again { .. } => message!(en: "start over", zh: "重新来过"),
        TxnKind::Retire => message!(en: "retirement", zh: "角色退场"),
        TxnKind::Rollback { .. } => message!(en: "rollback", zh: "回滚"),
        TxnKind::Regen { .. } => message!(en: "chapter rewrite", zh: "整章重写"),
        TxnKind::InPlace { .. } => message!(en: "rewrite in place", zh: "原处重写"),
        TxnKind::Rewrite { .. } => message!(en: "rewrite", zh: "改写"),
        TxnKind::Edit { .. } => message!(en: "hand edit", zh: "手改"),
        TxnKind::Review { .. } => message!(en: "review", zh: "审查"),
        TxnKind::Scene { .. } => message!(en: "scene", zh: "场景"),
        TxnKind::Merge { .. } => message!(en: "merge of scenes", zh: "合并场景"),
        TxnKind::Redraft { .. } => message!(en: "draft discarded", zh: "弃稿重写"),
        TxnKind::Gate { .. } => message!(en: "text accepted", zh: "作者放行"),
        TxnKind::Undo { .. } => message!(en: "undo", zh: "撤销"),
        TxnKind::Redo { .. } => message!(en: "redo", zh: "重做"),
        TxnKind::Config => message!(en: "setting", zh: "设置"),
        TxnKind::Doctor => message!(en: "repair", zh: "修复"),
    }
}

/// A chapter by its number.
pub(crate) fn chapter(chapter: ChapterNo) -> Message {
    let number = chapter.get();
    message!(en: "chapter {number}", zh: "第 {number} 章")
}

/// Several chapters by their numbers.
pub(crate) fn chapters(chapters: &[ChapterNo]) -> String {
    let numbers: Vec<String> = chapters.iter().map(|n| n.get().to_string()).collect();
    numbers.join(", ")
}

/// Several chapters, neighbours put together: `1-3, 7`; a dash for none.
pub(crate) fn chapter_span(chapters: &[ChapterNo]) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for chapter in chapters.iter().map(|chapter| chapter.get()) {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == chapter => *last = chapter,
            _ => spans.push((chapter, chapter)),
        }
    }
    let spans: Vec<String> = spans
        .iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect();
    if spans.is_empty() {
        UNKNOWN.to_owned()
    } else {
        spans.join(", ")
    }
}

/// An answer with a line on chapters that a change of an earlier one may not suit.
pub(crate) fn note_later(output: Output, later: &[ChapterNo]) -> Output {
    if later.is_empty() {
        return output;
    }
    let list = chapters(later);
    output.note(message!(
        en: "These chapters may no longer fit: {list}; `novel check` looks for contradictions, \
            `novel impact chapter N` shows what builds on one.",
        zh: "这些章可能不再吻合：{list}；`novel check` 查找矛盾，`novel impact chapter N` 查看牵涉之处。"
    ))
}

/// How bad an issue is.
pub(crate) struct SeverityLabel(Severity);

/// How bad an issue is, for people.
pub(crate) const fn severity(severity: Severity) -> SeverityLabel {
    SeverityLabel(severity)
}

impl SeverityLabel {
    /// The word.
    pub(crate) fn word(&self, lang: Lang) -> String {
        self.look().1.get(lang).to_owned()
    }

    fn look(&self) -> (AnsiColor, Message) {
        match self.0 {
            Severity::High => (AnsiColor::Red, message!(en: "high", zh: "严重")),
            Severity::Medium => (AnsiColor::Yellow, message!(en: "medium", zh: "中等")),
            Severity::Low => (AnsiColor::Cyan, message!(en: "low", zh: "轻微")),
        }
    }

    /// The word and the kind of the issue, in the colour of its severity.
    pub(crate) fn styled(&self, lang: Lang, kind: &str) -> String {
        let (color, word) = self.look();
        let style = Style::new().bold().fg_color(Some(color.into()));
        format!("{style}{}[{}]{style:#}", word.get(lang), visible(kind))
    }
}

/// The chapter of a step.
pub(crate) fn place(step: StepId) -> Message {
    match step {
        StepId::Chapter(number, _) => chapter(number),
        StepId::Volume(volume, _) => {
            let number = volume.get();
            message!(en: "volume {number}", zh: "第 {number} 卷")
        }
        StepId::Quickstart(_) => message!(en: "quick start", zh: "筹备"),
    }
}

/// A score with two digits, never rounded up: what is below a bound of the gate looks so.
pub(crate) fn score(score: Option<f64>) -> String {
    let Some(score) = score else {
        return UNKNOWN.to_owned();
    };
    // A score such as 4.1 has no exact binary form; a hair above keeps it 4.1.
    let hundredths = (score * 100.0 + 1e-6).floor();
    format!("{:.2}", hundredths / 100.0)
}

/// A number of tokens.
pub(crate) fn tokens(count: Option<u64>) -> String {
    count.map_or_else(|| UNKNOWN.to_owned(), |count| count.to_string())
}

/// US dollars.
pub(crate) fn money(dollars: Option<f64>) -> String {
    dollars.map_or_else(|| UNKNOWN.to_owned(), |dollars| format!("${dollars:.4}"))
}

/// US dollars for people who compare sums: two digits that count.
pub(crate) fn dollars(dollars: f64) -> String {
    match dollars {
        0.0 => "$0".to_owned(),
        small if small < 0.1 => format!("${small:.4}"),
        some if some < 100.0 => format!("${some:.2}"),
        many => format!("${many:.0}"),
    }
}

/// A number of tokens that is only roughly known.
pub(crate) fn about_tokens(tokens: f64, lang: Lang) -> String {
    match lang {
        Lang::En if tokens >= 1e6 => format!("{:.1}M", tokens / 1e6),
        Lang::En if tokens >= 1e3 => format!("{:.0}k", tokens / 1e3),
        Lang::Zh if tokens >= 1e4 => format!("{:.1} 万", tokens / 1e4),
        _ => format!("{tokens:.0}"),
    }
}

/// What a run is expected to cost, as one line.
pub(crate) fn expected_cost(total: &Estimate) -> Message {
    let tokens = |lang| {
        about_tokens(
            total.input_tokens.expected + total.output_tokens.expected,
            lang,
        )
    };
    let chapters = total.chapters;
    let (tokens_en, tokens_zh) = (tokens(Lang::En), tokens(Lang::Zh));
    let counted_en = counted(chapters, "chapter");
    let Some(cost) = total.cost_usd else {
        return message!(
            en: "Expected for {counted_en}: about {tokens_en} tokens; the price is not known.",
            zh: "预计 {chapters} 章：约 {tokens_zh} token；价格未知。"
        );
    };
    let [low, expected, high] = [cost.low, cost.expected, cost.high].map(dollars);
    message!(
        en: "Expected for {counted_en}: {expected} ({low} to {high}), about {tokens_en} tokens.",
        zh: "预计 {chapters} 章：{expected}（{low} 至 {high}），约 {tokens_zh} token。"
    )
}

/// Seconds.
pub(crate) fn seconds(millis: Option<u64>) -> String {
    let Some(millis) = millis else {
        return UNKNOWN.to_owned();
    };
    format!("{}.{}", millis / 1000, millis % 1000 / 100)
}

/// What stands behind a score that is no verdict; nothing behind a judge's.
pub(crate) fn whose_score(scored_by: Option<ScoredBy>) -> Message {
    match scored_by {
        Some(ScoredBy::OfflineAuthor) => message!(
            en: " (the offline author's, not a verdict)", zh: "（离线作者打分，不是评审结论）"
        ),
        Some(ScoredBy::Judge) | None => Message::same(""),
    }
}

/// What is said once below several scores, where some of them are no verdicts.
pub(crate) fn offline_scores() -> Message {
    message!(
        en: "Scores with a * are the offline author's, measured by rule; they are not verdicts.",
        zh: "带 * 的分数由离线作者按规则度量，不是评审结论。"
    )
}

/// What is said once beside lines whose form the seeds fix, where their scores are no verdicts.
pub(crate) fn scored_offline() -> Message {
    message!(
        en: "The offline author gave the scores, measured by rule; they are not verdicts.",
        zh: "评分由离线作者按规则给出，不是评审结论。"
    )
}

/// A score in a column; one that is no verdict is marked.
pub(crate) fn marked_score(overall: Option<f64>, scored_by: Option<ScoredBy>) -> String {
    let mark = match scored_by {
        Some(ScoredBy::OfflineAuthor) => "*",
        Some(ScoredBy::Judge) | None => "",
    };
    format!("{}{mark}", score(overall))
}

/// The line after a chapter (seed 003, step 3.7).
pub(crate) fn chapter_line(chapter: &Finished) -> Message {
    let (number, words, revisions) = (chapter.chapter.get(), chapter.words, chapter.revisions);
    let (overall, word) = (score(chapter.overall), gate(chapter.gate));
    let judged = chapter
        .gate
        .map_or_else(|| UNKNOWN.to_owned(), |gate| gate_words(gate).zh);
    let icon = if chapter.force_passed { "⚠" } else { "✓" };
    let mut line = message!(
        en: "Chapter {number} written ({words} words), score {overall}/5.0, gate {word}, revisions {revisions}",
        zh: "第 {number} 章已生成（{words} 字），评分 {overall}/5.0，{judged}，修订 {revisions} 次"
    );
    if chapter.force_passed {
        line.en.push_str(", force-passed");
        line.zh.push_str("，强制通过");
    }
    Message {
        en: format!("{} {icon}", line.en),
        zh: format!("{} {icon}", line.zh),
    }
}

/// The line after several chapters (seed 003, step 5).
pub(crate) fn summary_line(chapters: &[Finished]) -> Message {
    if chapters.len() > SUMMARY_CHAPTERS {
        long_summary(chapters)
    } else {
        short_summary(chapters)
    }
}

fn short_summary(chapters: &[Finished]) -> Message {
    let part = |chapter: &Finished| {
        let (number, words) = (chapter.chapter.get(), chapter.words);
        let (overall, gate) = (score(chapter.overall), gate(chapter.gate));
        message!(
            en: "Ch {number}: {words} words {overall} {gate}",
            zh: "Ch {number}: {words}字 {overall} {gate}"
        )
    };
    let parts: Vec<Message> = chapters.iter().map(part).collect();
    let join = |lang| {
        let texts: Vec<&str> = parts.iter().map(|part| part.get(lang)).collect();
        texts.join(" | ")
    };
    Message {
        en: join(Lang::En),
        zh: join(Lang::Zh),
    }
}

/// Many chapters in one sentence: a line for each was printed when it was written.
fn long_summary(chapters: &[Finished]) -> Message {
    let numbers: Vec<ChapterNo> = chapters.iter().map(|chapter| chapter.chapter).collect();
    let (count, span) = (chapters.len(), chapter_span(&numbers));
    let words: u64 = chapters.iter().map(|chapter| chapter.words).sum();
    let scored: Vec<(f64, u32)> = chapters
        .iter()
        .filter_map(|chapter| Some((chapter.overall?, chapter.chapter.get())))
        .collect();
    let mut line = message!(
        en: "{count} chapters ({span}), {words} words", zh: "共 {count} 章（{span}），{words} 字"
    );
    let lowest = scored
        .iter()
        .copied()
        .min_by(|one, other| one.0.total_cmp(&other.0));
    if let Some((lowest, chapter)) = lowest {
        let sum: f64 = scored.iter().map(|(overall, _)| overall).sum();
        let many = u32::try_from(scored.len()).map_or(1.0, f64::from);
        let (mean, lowest) = (score(Some(sum / many)), score(Some(lowest)));
        line.en.push_str(&format!(
            ", mean score {mean}, lowest {lowest} in chapter {chapter}"
        ));
        line.zh
            .push_str(&format!("，均分 {mean}，最低 {lowest}（第 {chapter} 章）"));
    }
    line
}

/// The look back after every five chapters (seed 003, step 4).
pub(crate) fn briefing(briefing: &Briefing) -> Message {
    let (first, last) = (briefing.window.0.get(), briefing.window.1.get());
    let mean = score(briefing.mean);
    let mut note = message!(
        en: "Chapters {first} to {last}: mean score {mean}",
        zh: "第 {first} 至 {last} 章：均分 {mean}"
    );
    let mut add = |en: &str, zh: &str, items: &[String]| {
        note.en.push_str(&format!("; {en}: {}", items.join(", ")));
        note.zh.push_str(&format!("；{zh}：{}", items.join("、")));
    };
    let weak: Vec<String> = briefing.weak.iter().map(|c| c.get().to_string()).collect();
    if !weak.is_empty() {
        add("weak", "低分章", &weak);
    }
    let risks: Vec<String> = briefing.risks.iter().take(RISKS_SHOWN).map(risk).collect();
    if !risks.is_empty() {
        add("risks", "主要风险", &risks);
    }
    let drift = match &briefing.drift {
        DriftAction::Keep => None,
        DriftAction::Correct(_) => Some(message!(
            en: "the style drifts, see style-drift.json", zh: "文风漂移，见 style-drift.json"
        )),
        DriftAction::Clear(_) => Some(message!(
            en: "the style is back to normal", zh: "文风已回归"
        )),
    };
    if let Some(drift) = drift {
        note.en.push_str(&format!("; {}", drift.en));
        note.zh.push_str(&format!("；{}", drift.zh));
    }
    note.en.push('.');
    note.zh.push('。');
    note
}

/// A risk is a sentence, or an object a judge thought up.
fn risk(risk: &Value) -> String {
    risk.as_str()
        .map_or_else(|| risk.to_string(), ToOwned::to_owned)
}

/// What the gate decided, in words.
pub(crate) fn gate_words(decision: GateDecision) -> Message {
    match decision {
        GateDecision::Pass => message!(en: "passed", zh: "评审通过"),
        GateDecision::Polish => message!(en: "to be polished", zh: "需润色"),
        GateDecision::Revise => message!(en: "to be revised", zh: "需修订"),
        GateDecision::PauseForUser => message!(en: "waits for you", zh: "等你处理"),
        GateDecision::PauseForUserForceRewrite => {
            message!(en: "needs a rewrite, waits for you", zh: "需重写，等你处理")
        }
    }
}

fn gate(decision: Option<GateDecision>) -> &'static str {
    decision.map_or(UNKNOWN, GateDecision::word)
}

#[cfg(test)]
#[path = "labels_tests.rs"]
mod tests;
