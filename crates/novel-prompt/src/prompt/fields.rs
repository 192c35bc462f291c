//! The fields of a packet as sections of a prompt: which level, which place, what for.

use novel_model::{Message, message};

/// How long a part of a prompt stays the same. In this order the parts stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// As long as the agent's prompt file.
    Agent,
    /// As long as the book's own files.
    Book,
    /// As long as the volume's plan.
    Volume,
    /// Until the storyline moves on.
    Storyline,
    /// This chapter only.
    Chapter,
}

impl Level {
    /// The word shown to people and machines.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Book => "book",
            Self::Volume => "volume",
            Self::Storyline => "storyline",
            Self::Chapter => "chapter",
        }
    }
}

/// Made from the volume's outline when that is too long to be given in full.
pub(super) const NEIGHBOURS: &str = "neighbouring_outline";

/// Fields in the order of the prompt: by level, within a level what must be recalled best first.
/// The text of the chapter comes last, next to the task.
pub(super) const ORDER: &[(&str, Level)] = &[
    ("hard_rules_list", Level::Book),
    ("world_rules", Level::Book),
    ("storyline_spec", Level::Book),
    ("storylines", Level::Book),
    ("characters", Level::Book),
    ("relationships", Level::Book),
    ("world_docs", Level::Book),
    ("research", Level::Book),
    ("style_template", Level::Book),
    ("style_reference", Level::Book),
    ("style_measures", Level::Book),
    ("style_samples", Level::Book),
    ("style_profile", Level::Book),
    ("project_brief", Level::Book),
    ("ai_blacklist_top10", Level::Book),
    ("ai_blacklist_effective_words", Level::Book),
    ("ai_blacklist", Level::Book),
    ("writing_methodology", Level::Book),
    ("style_guide", Level::Book),
    ("quality_rubric", Level::Book),
    ("previous_volume_review", Level::Volume),
    ("previous_volume_outline", Level::Volume),
    ("foreshadowing", Level::Volume),
    ("storyline_schedule", Level::Volume),
    ("foreshadowing_plan", Level::Volume),
    ("current_volume_outline", Level::Volume),
    ("storyline_memory", Level::Storyline),
    ("adjacent_storyline_memories", Level::Storyline),
    ("author_request", Level::Chapter),
    ("planned_so_far", Level::Chapter),
    ("planned_chapters", Level::Chapter),
    ("new_characters", Level::Chapter),
    ("chapter_contract", Level::Chapter),
    ("chapter_outline", Level::Chapter),
    ("scene_plan", Level::Chapter),
    ("revision_notes", Level::Chapter),
    ("required_fixes", Level::Chapter),
    ("high_confidence_violations", Level::Chapter),
    ("style_drift_directives", Level::Chapter),
    ("style_drift", Level::Chapter),
    ("foreshadowing_tasks", Level::Chapter),
    ("character_contracts", Level::Chapter),
    ("character_profiles", Level::Chapter),
    ("entity_id_map", Level::Chapter),
    ("current_state", Level::Chapter),
    ("state_before", Level::Chapter),
    ("state_changes", Level::Chapter),
    (NEIGHBOURS, Level::Chapter),
    ("recent_3_summaries", Level::Chapter),
    ("prev_summary", Level::Chapter),
    ("cross_references", Level::Chapter),
    ("deterministic_report", Level::Chapter),
    ("summaries", Level::Chapter),
    ("volume_report", Level::Chapter),
];

/// Fields that stand after all others, right before the task.
pub(super) const LAST: [&str; 4] = [
    "blacklist_lint",
    "hints",
    "previous_scene",
    "chapter_content",
];

/// Fields whose whole text stands in another field too.
pub(super) const REPEATED: &[(&str, &str)] = &[
    ("chapter_outline_block", "chapter_outline"),
    ("storyline_context", "chapter_contract"),
    ("concurrent_state", "chapter_contract"),
    ("transition_hint", "chapter_contract"),
    ("chapter_scores", "volume_report"),
    ("volume_findings", "volume_report"),
    ("foreshadowing", "volume_report"),
];

/// Level and place of a field. A field nobody has planned for is not lost: it stands in the
/// chapter level before the last ones.
pub(super) fn place(field: &str) -> (Level, usize) {
    let planned = ORDER.iter().position(|(name, _)| *name == field);
    let last = LAST.iter().position(|name| *name == field);
    match (planned, last) {
        (Some(at), _) => (ORDER[at].1, at),
        (None, Some(at)) => (Level::Chapter, ORDER.len() + 1 + at),
        (None, None) => (Level::Chapter, ORDER.len()),
    }
}

/// What a section is for: its heading in the prompt and the reason shown to the author.
pub(super) fn purpose(field: &str) -> Message {
    match field {
        "hard_rules_list" => message!(
            en: "L1 hard world rules: none may be broken",
            zh: "L1 世界硬规则，一条也不许违反"
        ),
        "world_rules" => message!(en: "L1 soft world rules", zh: "L1 世界软规则"),
        "storyline_spec" => message!(en: "LS rules between storylines", zh: "LS 故事线规则"),
        "style_profile" => message!(en: "the style to be met", zh: "要达到的文风"),
        "project_brief" => message!(en: "what the book is", zh: "这是一本怎样的书"),
        "ai_blacklist_top10" => message!(
            en: "the phrases to avoid first of all",
            zh: "首先要避开的用语"
        ),
        "ai_blacklist_effective_words" => message!(
            en: "further phrases not to be used",
            zh: "其余不得使用的用语"
        ),
        "ai_blacklist" => message!(
            en: "phrases that smell of a machine, and the ones exempt",
            zh: "带机器腔的用语，以及豁免的用语"
        ),
        "writing_methodology" => message!(en: "how to write", zh: "写作方法"),
        "style_guide" => message!(en: "how to polish", zh: "润色指南"),
        "quality_rubric" => message!(en: "how to score", zh: "评分标准"),
        "storyline_schedule" => message!(
            en: "which lines are on stage, where they meet, which rest",
            zh: "本卷各线的戏份、交汇与休眠"
        ),
        "current_volume_outline" => message!(
            en: "where the volume is going",
            zh: "本卷大纲，看清来路与去向"
        ),
        NEIGHBOURS => message!(
            en: "outline of the chapters around this one",
            zh: "前后几章的大纲"
        ),
        "storyline_memory" => message!(
            en: "what this line remembers",
            zh: "本线记忆，本线人物所知以此为限"
        ),
        "adjacent_storyline_memories" => message!(
            en: "what neighbouring lines remember; not known to this line",
            zh: "相邻线的记忆，本线人物并不知道"
        ),
        "chapter_contract" => message!(
            en: "L3 contract of this chapter: binding",
            zh: "L3 本章契约，具有约束力"
        ),
        "chapter_outline" => message!(en: "this chapter in the outline", zh: "本章大纲"),
        "revision_notes" => message!(
            en: "what must change, and all that may change",
            zh: "必须改的地方，也只许改这些"
        ),
        "scene_plan" => message!(
            en: "plan of the scenes of this chapter: binding",
            zh: "本章的场景规划，须照此写"
        ),
        "previous_scene" => message!(
            en: "the end of the scene before; go on from here",
            zh: "上一场的结尾，从这里接下去"
        ),
        "required_fixes" => message!(
            en: "what the revision must change, and all it may change",
            zh: "修订必须改的地方，也只许改这些"
        ),
        "high_confidence_violations" => message!(
            en: "contracts the judged text breaks",
            zh: "被判定违反的契约"
        ),
        "style_drift_directives" => message!(
            en: "correction of style in force",
            zh: "正在生效的文风纠偏"
        ),
        "style_drift" => message!(
            en: "measurements behind the correction",
            zh: "纠偏所依据的测量"
        ),
        "foreshadowing_tasks" => message!(
            en: "foreshadowing that concerns this chapter",
            zh: "与本章有关的伏笔"
        ),
        "character_contracts" => message!(
            en: "L2 contracts of the characters: binding",
            zh: "L2 角色契约，具有约束力"
        ),
        "character_profiles" => message!(en: "who the characters are", zh: "角色档案"),
        "entity_id_map" => message!(
            en: "ids of the characters, the only ones allowed in paths",
            zh: "角色 id 对照表，路径中只许使用这些 id"
        ),
        "current_state" => message!(
            en: "state of the world before this chapter",
            zh: "本章之前的世界状态"
        ),
        "state_before" => message!(
            en: "state of the world right before this chapter",
            zh: "本章开始之前的世界状态"
        ),
        "state_changes" => message!(
            en: "what this chapter changed in the state, before and after",
            zh: "本章对状态的改动，改前与改后"
        ),
        "deterministic_report" => message!(
            en: "what the story checker has proved already; not to be repeated",
            zh: "程序已经查实的矛盾，不必重复"
        ),
        "recent_3_summaries" => message!(
            en: "what happened last, oldest first",
            zh: "最近几章的摘要，由旧到新"
        ),
        "prev_summary" => message!(en: "what happened last", zh: "上一章摘要"),
        "cross_references" => message!(
            en: "mentions of other lines found in this chapter",
            zh: "本章中发现的跨线引用"
        ),
        "blacklist_lint" => message!(
            en: "exact counts of blacklisted phrases in this chapter",
            zh: "本章黑名单用语的精确计数"
        ),
        "hints" => message!(
            en: "the writer's notes on what changed",
            zh: "写手留下的变更提示"
        ),
        "chapter_content" => message!(en: "the chapter", zh: "本章正文"),
        "storylines" => message!(en: "the storylines of the book", zh: "全书的故事线"),
        "characters" => message!(
            en: "the cast with its L2 contracts: binding",
            zh: "现有角色与 L2 契约，具有约束力"
        ),
        "relationships" => message!(en: "how people stand to each other", zh: "人物之间的关系"),
        "world_docs" => message!(en: "the world in prose", zh: "世界的文字说明"),
        "research" => message!(en: "the author's research", zh: "作者的考据资料"),
        "style_template" => {
            message!(en: "the built-in style to start from", zh: "作为底子的内置文风")
        }
        "style_reference" => message!(en: "the author to learn from", zh: "作者想学的作家"),
        "style_measures" => message!(
            en: "measures taken by the program; not to be repeated",
            zh: "程序量得的数据，不必复述"
        ),
        "style_samples" => message!(en: "the author's own texts", zh: "作者自己的文字"),
        "previous_volume_review" => message!(
            en: "what the last volume did well and badly",
            zh: "上一卷的得失"
        ),
        "previous_volume_outline" => message!(en: "how the last volume went", zh: "上一卷的大纲"),
        "foreshadowing" => message!(
            en: "foreshadowing that is not resolved",
            zh: "尚未回收的伏笔"
        ),
        "author_request" => message!(
            en: "what the author wants added, in the author's words",
            zh: "作者要添的东西，作者原话"
        ),
        "planned_so_far" => message!(
            en: "the chapters of this volume that are planned already",
            zh: "本卷已规划的各章"
        ),
        "planned_chapters" => message!(
            en: "the planned chapters in which the new people appear",
            zh: "新角色登场的各章"
        ),
        "new_characters" => message!(
            en: "the people to be written out, as the plan has them",
            zh: "要立起来的新角色，规划中的样子"
        ),
        "foreshadowing_plan" => {
            message!(en: "the volume's plan of foreshadowing", zh: "本卷的伏笔规划")
        }
        "summaries" => message!(
            en: "what happened in the volume, chapter by chapter",
            zh: "本卷各章摘要"
        ),
        "volume_report" => message!(
            en: "the program's reports on the volume: computed, not to be doubted",
            zh: "程序对本卷的统计报告，数字以此为准"
        ),
        other => message!(en: "field `{other}` of the packet", zh: "指令包字段 `{other}`"),
    }
}
