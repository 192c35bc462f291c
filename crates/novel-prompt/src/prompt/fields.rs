//! The fields of a packet as sections of a prompt: which level, which place, what for.

use novel_model::{Message, message};

use super::shorten::Cut;

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

/// A field as a section of a prompt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spec {
    pub(super) name: &'static str,
    level: Level,
    /// Which sections keep more when the budget is short; [`ALWAYS`] is never cut.
    pub(super) priority: u8,
    /// Shorter forms, the smallest useful one last.
    pub(super) forms: &'static [Cut],
}

/// The priority of what is never cut.
pub(super) const ALWAYS: u8 = u8::MAX;
/// From this priority on a section is made shorter and never left out.
pub(super) const KEPT: u8 = 85;

const fn always(name: &'static str, level: Level) -> Spec {
    Spec {
        name,
        level,
        priority: ALWAYS,
        forms: &[],
    }
}

const fn spec_of(name: &'static str, level: Level, priority: u8, forms: &'static [Cut]) -> Spec {
    Spec {
        name,
        level,
        priority,
        forms,
    }
}

/// Fields in the order of the prompt: by level, within a level what changes least first, so that
/// prompts of neighbouring chapters share as long a beginning as they can. The text of the chapter
/// comes last, next to the task.
pub(super) const ORDER: &[Spec] = &[
    always("hard_rules_list", Level::Book),
    spec_of("world_rules", Level::Book, 38, &[]),
    always("storyline_spec", Level::Book),
    always("storylines", Level::Book),
    always("characters", Level::Book),
    spec_of("world_docs", Level::Book, 30, &[Cut::Excerpt(600)]),
    spec_of(
        "research",
        Level::Book,
        28,
        &[Cut::Excerpt(1_000), Cut::Excerpt(300)],
    ),
    spec_of(
        "truth",
        Level::Book,
        83,
        &[Cut::Excerpt(1_200), Cut::Excerpt(500)],
    ),
    always("style_template", Level::Book),
    always("style_reference", Level::Book),
    always("style_measures", Level::Book),
    spec_of(
        "style_samples",
        Level::Book,
        62,
        &[Cut::Start(2_000), Cut::Start(800), Cut::Start(300)],
    ),
    always("style_profile", Level::Book),
    spec_of(
        "project_brief",
        Level::Book,
        86,
        &[Cut::Excerpt(1_000), Cut::Excerpt(400)],
    ),
    spec_of("writing_methodology", Level::Book, 42, &[Cut::Start(600)]),
    spec_of("style_guide", Level::Book, 42, &[Cut::Start(600)]),
    spec_of("quality_rubric", Level::Book, 42, &[Cut::Start(600)]),
    always("ai_blacklist_top10", Level::Book),
    spec_of(
        "ai_blacklist_effective_words",
        Level::Book,
        46,
        &[Cut::Words(20)],
    ),
    spec_of(
        "ai_blacklist",
        Level::Book,
        92,
        &[Cut::Words(30), Cut::Words(10)],
    ),
    spec_of(
        "previous_volume_review",
        Level::Volume,
        86,
        &[Cut::Advice(600)],
    ),
    spec_of("previous_volume_outline", Level::Volume, 26, &[Cut::Digest]),
    spec_of("storyline_schedule", Level::Volume, 50, &[Cut::Meetings]),
    spec_of("foreshadowing_plan", Level::Volume, 52, &[]),
    spec_of("current_volume_outline", Level::Volume, 58, &[Cut::Digest]),
    always("foreshadowing", Level::Volume),
    spec_of(
        "storyline_memory",
        Level::Storyline,
        94,
        &[Cut::Excerpt(600), Cut::Excerpt(300)],
    ),
    spec_of(
        "adjacent_storyline_memories",
        Level::Storyline,
        48,
        &[Cut::Excerpt(200)],
    ),
    spec_of(
        "storyline_memories",
        Level::Storyline,
        84,
        &[Cut::Excerpt(300), Cut::Excerpt(150)],
    ),
    always("author_notes", Level::Chapter),
    always("author_request", Level::Chapter),
    always("forward_repairs", Level::Chapter),
    spec_of("known_so_far", Level::Chapter, 90, &[Cut::Start(3_000)]),
    spec_of("planned_so_far", Level::Chapter, 90, &[Cut::Start(4_000)]),
    spec_of("planned_chapters", Level::Chapter, 90, &[Cut::Start(3_000)]),
    always("new_characters", Level::Chapter),
    // Prose of earlier chapters far from the task: a weak writer copies what it has read last.
    spec_of(
        "recalled_passages",
        Level::Chapter,
        82,
        &[Cut::Start(1_000), Cut::Start(400)],
    ),
    spec_of(
        "previous_endings",
        Level::Chapter,
        87,
        &[Cut::Endings(400), Cut::LastEnding(200)],
    ),
    always("character_contracts", Level::Chapter),
    spec_of(
        "character_profiles",
        Level::Chapter,
        80,
        &[Cut::Excerpt(400), Cut::Excerpt(120)],
    ),
    spec_of("speech_patterns", Level::Chapter, 70, &[]),
    spec_of(
        "relationships",
        Level::Chapter,
        72,
        &[Cut::Excerpt(600), Cut::Excerpt(200)],
    ),
    spec_of(
        "people_now",
        Level::Chapter,
        79,
        &[Cut::Excerpt(900), Cut::Excerpt(400)],
    ),
    always("entity_id_map", Level::Chapter),
    spec_of("entity_aliases", Level::Chapter, 88, &[]),
    spec_of(
        "open_foreshadowing",
        Level::Chapter,
        68,
        &[Cut::Lines(12), Cut::Lines(5)],
    ),
    always("style_drift_directives", Level::Chapter),
    spec_of("style_drift", Level::Chapter, 10, &[]),
    always("chapter_contract", Level::Chapter),
    always("chapter_outline", Level::Chapter),
    spec_of("chapter_function", Level::Chapter, 96, &[]),
    always("contract_differs", Level::Chapter),
    always("secrets", Level::Chapter),
    always("scene_plan", Level::Chapter),
    always("revision_notes", Level::Chapter),
    always("required_fixes", Level::Chapter),
    always("high_confidence_violations", Level::Chapter),
    spec_of(
        "foreshadowing_tasks",
        Level::Chapter,
        93,
        &[Cut::Lines(3), Cut::Lines(0)],
    ),
    spec_of("current_state", Level::Chapter, 95, &[Cut::NarrowState]),
    spec_of("state_before", Level::Chapter, 95, &[Cut::NarrowState]),
    always("state_changes", Level::Chapter),
    spec_of(NEIGHBOURS, Level::Chapter, 60, &[]),
    spec_of(
        "recent_3_summaries",
        Level::Chapter,
        85,
        &[Cut::Newest(2), Cut::Newest(1), Cut::NewestExcerpt(300)],
    ),
    spec_of("prev_summary", Level::Chapter, 85, &[Cut::Excerpt(300)]),
    always("cross_references", Level::Chapter),
    always("deterministic_report", Level::Chapter),
    always("candidates", Level::Chapter),
    spec_of(
        "summaries",
        Level::Chapter,
        56,
        &[Cut::Excerpt(120), Cut::Excerpt(40)],
    ),
    spec_of("volume_report", Level::Chapter, 91, &[Cut::Start(4_000)]),
];

/// Fields that stand after all others, right before the task.
pub(super) const LAST: &[Spec] = &[
    spec_of("blacklist_lint", Level::Chapter, 92, &[Cut::Hits(10)]),
    spec_of("hints", Level::Chapter, 36, &[Cut::Excerpt(200)]),
    always("previous_scene", Level::Chapter),
    always("chapter_content", Level::Chapter),
    always("chapter_texts", Level::Chapter),
];

/// A field nobody has planned for: not lost, and never cut.
const OTHER: Spec = always("", Level::Chapter);

/// Every field that has a place in a prompt.
pub fn section_names() -> impl Iterator<Item = &'static str> {
    ORDER.iter().chain(LAST).map(|spec| spec.name)
}

/// How a field is treated.
pub(super) fn spec(field: &str) -> &'static Spec {
    let mut all = ORDER.iter().chain(LAST);
    all.find(|spec| spec.name == field).unwrap_or(&OTHER)
}

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

/// Level and place of a field. A field nobody has planned for stands in the chapter level before the
/// last ones.
pub(super) fn place(field: &str) -> (Level, usize) {
    let is_field = |spec: &Spec| spec.name == field;
    let planned = ORDER.iter().position(is_field);
    let last = LAST.iter().position(is_field);
    match (planned, last) {
        (Some(at), _) => (ORDER[at].level, at),
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
        "speech_patterns" => message!(en: "how they talk", zh: "各人说话的样子"),
        "chapter_function" => message!(
            en: "what this chapter is for",
            zh: "本章在全书中的作用"
        ),
        "open_foreshadowing" => message!(
            en: "other open foreshadowing, most urgent first",
            zh: "其余尚未回收的伏笔，最急的在前"
        ),
        "truth" => message!(
            en: "what really happened, and who knows of it from when on",
            zh: "真相，以及谁从何时起知道"
        ),
        "secrets" => message!(
            en: "what may be known here, and what must not be told",
            zh: "此处可以知道的，与不可说破的"
        ),
        "contract_differs" => message!(
            en: "where contract and book differ",
            zh: "契约与书中不一致之处"
        ),
        "recalled_passages" => message!(
            en: "passages of earlier chapters that concern this one, word for word, most needed first",
            zh: "与本章有关的前文原文，最要紧的在前"
        ),
        "people_now" => message!(
            en: "where everybody is and what they want",
            zh: "各人此刻在哪里、想要什么"
        ),
        "entity_aliases" => message!(
            en: "other names of the characters, with their ids",
            zh: "角色的别名与 id"
        ),
        "previous_endings" => message!(
            en: "how earlier chapters end, word for word; go on from the newest of this line",
            zh: "前文结尾的原文，接着本线最近的一段写"
        ),
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
        "candidates" => message!(
            en: "sentences that may contradict the record, one verdict each",
            zh: "可能与记录矛盾的句子，逐条作答"
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
        "chapter_texts" => message!(en: "the chapters as they are written", zh: "各章已写成的正文"),
        "storylines" => message!(en: "the storylines of the book", zh: "全书的故事线"),
        "characters" => message!(
            en: "the cast with its L2 contracts: binding",
            zh: "现有角色与 L2 契约，具有约束力"
        ),
        "storyline_memories" => message!(
            en: "what every line remembers",
            zh: "各条故事线的记忆"
        ),
        "author_notes" => message!(
            en: "what the author wants this time; above everything but the hard rules",
            zh: "作者这一次的要求，除硬规则外以此为先"
        ),
        "forward_repairs" => message!(
            en: "what published chapters got wrong: they stay as they are, so explain or mend it from here on, in the story",
            zh: "已发布章节里的问题：那些章不再改动，须在后文情节中解释或弥补"
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
        "known_so_far" => message!(
            en: "what was found in earlier chapters",
            zh: "前面各章已经记下的"
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
