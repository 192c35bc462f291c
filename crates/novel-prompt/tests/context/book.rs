//! A small sound book: volume 2, chapters 11 to 14, chapter 12 is due.

use novel_book::recall::Digests;
use novel_book::{config::Config, context::ContextError};
use novel_model::{
    BookReader, ChapterNo, Explain, Problem, VolumeNo,
    files::{Checkpoint, OrchestratorState, Packet},
};
use novel_prompt::packet::{self, BookFiles, Request};
use novel_testkit::memory::MemoryBook;
use serde_json::{Value, json};

pub(crate) const OUTLINE: &str = "volumes/vol-02/outline.md";
pub(crate) const CONTRACT: &str = "volumes/vol-02/chapter-contracts/chapter-012.json";
pub(crate) const SCHEDULE: &str = "volumes/vol-02/storyline-schedule.json";
pub(crate) const STAGED: &str = "staging/chapters/chapter-012.md";

pub(crate) fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

pub(crate) fn volume(number: u32) -> VolumeNo {
    VolumeNo::new(number).unwrap()
}

pub(crate) fn block(number: u32, storyline: &str) -> String {
    format!(
        "### 第 {number} 章: 标题{number}\n\n- **Storyline**: {storyline}\n- **POV**: 林枫\n- **Location**: 废墟\n- **Conflict**: 冲突\n\
         - **Arc**: 弧线\n- **Foreshadowing**: \n- **StateChanges**: 无\n- **TransitionHint**: 转场\n\n"
    )
}

pub(crate) fn outline() -> String {
    let blocks: String = (11..=14).map(|number| block(number, "main-arc")).collect();
    format!("# 第二卷\n\n## 章节\n\n{blocks}")
}

pub(crate) fn contract() -> Value {
    json!({
        "chapter": 12, "storyline_id": "main-arc",
        "storyline_context": {"last_chapter_summary": "上一章", "chapters_since_last": 0, "line_arc_progress": "40%",
                              "concurrent_state": {"jinghai-plan": "静海计划仍在准备"}},
        "transition_hint": {"next_storyline": "jinghai-plan", "bridge": "一封信"},
        "preconditions": {"character_states": {"林枫": {"location": "魔都"}}},
        "objectives": [{"id": "OBJ-12-1", "type": "plot", "required": true, "description": "进入废墟"}],
        "postconditions": {"foreshadowing_updates": {"ancient_prophecy": "advanced"}},
        "acceptance_criteria": ["进入废墟"]
    })
}

pub(crate) fn character(name: &str, aliases: &[&str]) -> String {
    json!({"display_name": name, "aliases": aliases, "contracts": [
        {"id": "C-1", "type": "capability", "rule": "不会飞", "note": "kept"}
    ]})
    .to_string()
}

pub(crate) fn evaluation() -> Value {
    let score = |score: f64| json!({"score": score, "reason": "理由"});
    json!({
        "chapter": 12,
        "contract_verification": {
            "l1_checks": [{"rule_id": "W-001", "status": "violation", "confidence": "high", "detail": "用了火系法术"},
                          {"rule_id": "W-003", "status": "violation", "confidence": "medium"}],
            "ls_checks": [{"rule_id": "LS-002", "status": "violation", "confidence": "high", "constraint_type": "soft"}]},
        "scores": {"plot_logic": score(3.0), "character": score(3.0), "immersion": score(3.0), "foreshadowing": score(3.0),
                   "pacing": score(3.0), "style_naturalness": score(3.0), "emotional_impact": score(3.0), "storyline_coherence": score(3.0)},
        "required_fixes": [{"target": "paragraph_3", "instruction": "去掉火系法术"}]
    })
}

pub(crate) fn sound_book() -> MemoryBook {
    let mut book = MemoryBook::new()
        .with("brief.md", "# 简介\n一个少年。\n")
        .with("style-profile.json", r#"{"avg_sentence_length": 18, "dialogue_ratio": 0.4}"#)
        .with("ai-blacklist.json", r#"{"words": ["不禁", "缓缓", "老子"], "whitelist": ["老子"]}"#)
        .with("world/rules.json", json!({"rules": [
            {"id": "W-002", "category": "geography", "rule": "幽暗森林禁火", "constraint_type": "hard", "exceptions": ["雨天", "月食"]},
            {"id": "W-003", "category": "custom", "rule": "忌左手", "constraint_type": "soft"},
            {"id": "W-001", "category": "magic_system", "rule": "突破需要灵气", "constraint_type": "hard"}]}).to_string())
        .with("characters/active/lin-feng.json", character("林枫", &["小枫"]))
        .with("characters/active/lin-feng.md", "林枫，少年。\n")
        .with("characters/active/chen-lao.json", character("陈老", &[]))
        .with("storylines/main-arc/memory.md", "主线记忆\n")
        .with("storylines/jinghai-plan/memory.md", "静海记忆\n")
        .with("storylines/storyline-spec.json", r#"{"rules": [{"id": "LS-001", "rule": "时间不矛盾", "constraint_type": "hard"}]}"#)
        .with(OUTLINE, outline())
        .with(CONTRACT, contract().to_string())
        .with(SCHEDULE, r#"{"active_storylines": [{"storyline_id": "main-arc"}], "convergence_events": [], "dormant_storylines": []}"#)
        .with("volumes/vol-02/foreshadowing.json", r#"{"foreshadowing": []}"#)
        .with("foreshadowing/global.json", r#"{"foreshadowing": [{"id": "ancient_prophecy", "description": "预言", "scope": "long", "status": "planted"}]}"#)
        .with("state/current-state.json", r#"{"schema_version": 1, "state_version": 11, "last_updated_chapter": 11}"#)
        .with(STAGED, "# 第 12 章 夜探废墟\n\n他不禁停下。缓缓，老子说。\n")
        .with("staging/state/chapter-012-crossref.json", r#"{"storyline_id": "main-arc"}"#)
        .with("staging/evaluations/chapter-012-eval.json", evaluation().to_string());
    for number in 1..=11 {
        let path = format!("summaries/chapter-{number:03}-summary.md")
            .parse()
            .unwrap();
        book.write(path, format!("第 {number} 章摘要\n"));
    }
    book
}

pub(crate) fn checkpoint() -> Checkpoint {
    let mut checkpoint = Checkpoint::new(OrchestratorState::Writing);
    checkpoint.last_completed_chapter = 11;
    checkpoint.current_volume = volume(2);
    checkpoint
}

pub(crate) fn request(step: &str) -> Request {
    Request::new(step.parse().unwrap())
}

pub(crate) fn build(book: &dyn BookReader, request: Request) -> Result<Packet, ContextError> {
    build_at(book, &checkpoint(), request)
}

pub(crate) fn build_at(
    book: &dyn BookReader,
    checkpoint: &Checkpoint,
    request: Request,
) -> Result<Packet, ContextError> {
    let config = Config::default();
    packet::build(
        BookFiles {
            reader: book,
            config: &config,
            checkpoint,
            digests: &Digests::default(),
        },
        request,
    )
}

/// Codes and places of what is wrong, in order.
pub(crate) fn findings(error: &ContextError) -> Vec<(&'static str, String)> {
    error
        .problems()
        .iter()
        .map(|problem| (problem.code, problem.location()))
        .collect()
}

/// Every problem must say, in both languages, what is wrong and what to do.
pub(crate) fn assert_helpful(error: &ContextError) {
    assert_eq!(error.kind(), novel_model::Kind::Input);
    let check = |problem: &Problem| {
        let hint = problem.hint.as_ref().expect("a hint");
        for text in [&problem.message.en, &problem.message.zh, &hint.en, &hint.zh] {
            assert!(!text.is_empty());
        }
    };
    error.problems().iter().for_each(check);
    assert!(!error.problems().is_empty());
}

/// The lines of the next actions.
pub(crate) fn commands(packet: &Packet) -> Vec<&str> {
    packet
        .next_actions
        .iter()
        .map(|action| action.command.as_str())
        .collect()
}

/// The paths of the expected outputs.
pub(crate) fn outputs(packet: &Packet) -> Vec<&str> {
    packet
        .expected_outputs
        .iter()
        .map(|output| output.path.as_str())
        .collect()
}
