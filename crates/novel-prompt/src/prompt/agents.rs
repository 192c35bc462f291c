//! The agents that have a prompt of their own.

use novel_model::{ChapterStage, Lang, Message, QuickstartPhase, StepId, VolumeStage, message};

/// Version line every prompt file begins with, before the number.
const VERSION_OPEN: &str = "<!-- version:";
const VERSION_CLOSE: &str = "-->";

/// An agent with a built-in prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// Writes and revises the chapter.
    ChapterWriter,
    /// Says what happened and what it changed.
    Summarizer,
    /// Polishes the wording.
    StyleRefiner,
    /// Checks and scores the chapter.
    QualityJudge,
    /// Looks for breaks of logic in a committed chapter.
    LogicReviewer,
    /// Looks for contradictions between a committed chapter and the book.
    ConsistencyAuditor,
    /// Repairs a committed chapter by the notes of a report.
    ChapterReviser,
    /// Lays the ground of the world, and adds to it.
    WorldBuilder,
    /// Makes the people.
    CharacterWeaver,
    /// Settles the style.
    StyleAnalyzer,
    /// Plans a volume.
    PlotArchitect,
    /// Advises the author at the end of a volume.
    VolumeReviewer,
    /// Reads an imported book.
    BookReader,
}

/// What a prompt is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// The first text of a chapter.
    Draft,
    /// The plan of its scenes, where it is drafted in scenes.
    PlanScenes,
    /// One of these scenes.
    WriteScene,
    /// Directed changes to a judged text.
    Revise,
    /// Summary, state, cross-references, memory.
    Summarize,
    /// The first polish.
    Refine,
    /// The polish after the verdict.
    Polish,
    /// The verdict.
    Judge,
    /// The logic review of a committed chapter.
    Review,
    /// The full consistency audit of a committed chapter.
    Audit,
    /// Changes to a committed chapter by the notes of a report.
    Amend,
    /// A world from nothing.
    Build,
    /// Something new in a world.
    Extend,
    /// The first cast.
    Weave,
    /// The people a plan brings.
    Introduce,
    /// The style of a book.
    Analyze,
    /// The plan of a volume, or of a chunk of it.
    Plan,
    /// The plan of chapters that are written, from what was written.
    Retell,
    /// Advice at the end of a volume.
    Advise,
    /// People, places, rules and threads of an imported chapter.
    Read,
}

impl Mode {
    /// The word a template sees as `mode`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::PlanScenes => "plan-scenes",
            Self::WriteScene => "write-scene",
            Self::Revise => "revise",
            Self::Summarize => "summarize",
            Self::Refine => "refine",
            Self::Polish => "polish",
            Self::Judge => "judge",
            Self::Review => "review",
            Self::Audit => "audit",
            Self::Amend => "amend",
            Self::Build => "build",
            Self::Extend => "extend",
            Self::Weave => "weave",
            Self::Introduce => "introduce",
            Self::Analyze => "analyze",
            Self::Plan => "plan",
            Self::Retell => "retell",
            Self::Advise => "advise",
            Self::Read => "read",
        }
    }
}

impl Agent {
    /// Whether it judges a text, and quotes it.
    #[must_use]
    pub const fn judges(self) -> bool {
        matches!(
            self,
            Self::QualityJudge | Self::LogicReviewer | Self::ConsistencyAuditor
        )
    }

    /// Every agent, in the order of the pipeline, then those of committed chapters, then those that
    /// set a book up, plan it, and read an imported one.
    pub const ALL: &[Self] = &[
        Self::ChapterWriter,
        Self::Summarizer,
        Self::StyleRefiner,
        Self::QualityJudge,
        Self::LogicReviewer,
        Self::ConsistencyAuditor,
        Self::ChapterReviser,
        Self::WorldBuilder,
        Self::CharacterWeaver,
        Self::StyleAnalyzer,
        Self::PlotArchitect,
        Self::VolumeReviewer,
        Self::BookReader,
    ];

    /// Those every chapter needs, in the order of the pipeline.
    pub const PIPELINE: [Self; 4] = [
        Self::ChapterWriter,
        Self::Summarizer,
        Self::StyleRefiner,
        Self::QualityJudge,
    ];

    /// The name in packets and of the file `agents/NAME.md`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChapterWriter => "chapter-writer",
            Self::Summarizer => "summarizer",
            Self::StyleRefiner => "style-refiner",
            Self::QualityJudge => "quality-judge",
            Self::LogicReviewer => "logic-reviewer",
            Self::ConsistencyAuditor => "consistency-auditor",
            Self::ChapterReviser => "chapter-reviser",
            Self::WorldBuilder => "world-builder",
            Self::CharacterWeaver => "character-weaver",
            Self::StyleAnalyzer => "style-analyzer",
            Self::PlotArchitect => "plot-architect",
            Self::VolumeReviewer => "volume-reviewer",
            Self::BookReader => "book-reader",
        }
    }

    /// The agent of a step, where it has one with a prompt.
    #[must_use]
    pub const fn of_step(step: StepId) -> Option<Self> {
        match step {
            StepId::Chapter(_, ChapterStage::Draft) => Some(Self::ChapterWriter),
            StepId::Chapter(_, ChapterStage::Summarize) => Some(Self::Summarizer),
            StepId::Chapter(_, ChapterStage::Refine) => Some(Self::StyleRefiner),
            StepId::Chapter(_, ChapterStage::Judge) => Some(Self::QualityJudge),
            StepId::Chapter(_, ChapterStage::Review) => Some(Self::LogicReviewer),
            StepId::Chapter(_, ChapterStage::Audit) => Some(Self::ConsistencyAuditor),
            StepId::Quickstart(QuickstartPhase::World) => Some(Self::WorldBuilder),
            StepId::Quickstart(QuickstartPhase::Characters) => Some(Self::CharacterWeaver),
            StepId::Quickstart(QuickstartPhase::Style) => Some(Self::StyleAnalyzer),
            StepId::Quickstart(QuickstartPhase::Trial) | StepId::Volume(_, VolumeStage::Plan) => {
                Some(Self::PlotArchitect)
            }
            StepId::Volume(_, VolumeStage::Review) => Some(Self::VolumeReviewer),
            StepId::Chapter(_, ChapterStage::Commit)
            | StepId::Quickstart(QuickstartPhase::Results)
            | StepId::Volume(_, VolumeStage::Commit) => None,
        }
    }

    /// The agent of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|agent| agent.name() == name)
    }

    /// What it can be asked for, the usual mode first.
    #[must_use]
    pub const fn modes(self) -> &'static [Mode] {
        match self {
            Self::ChapterWriter => &[
                Mode::Draft,
                Mode::PlanScenes,
                Mode::WriteScene,
                Mode::Revise,
            ],
            Self::Summarizer => &[Mode::Summarize],
            Self::StyleRefiner => &[Mode::Refine, Mode::Polish],
            Self::QualityJudge => &[Mode::Judge],
            Self::LogicReviewer => &[Mode::Review],
            Self::ConsistencyAuditor => &[Mode::Audit],
            Self::ChapterReviser => &[Mode::Amend],
            Self::WorldBuilder => &[Mode::Build, Mode::Extend],
            Self::CharacterWeaver => &[Mode::Weave, Mode::Introduce],
            Self::StyleAnalyzer => &[Mode::Analyze],
            Self::PlotArchitect => &[Mode::Plan, Mode::Retell],
            Self::VolumeReviewer => &[Mode::Advise],
            Self::BookReader => &[Mode::Read],
        }
    }

    /// The mode a packet asks for: its word, or the usual one where it names none.
    #[must_use]
    pub fn mode(self, word: Option<&str>) -> Option<Mode> {
        match word {
            None => self.modes().first().copied(),
            Some(word) => self
                .modes()
                .iter()
                .copied()
                .find(|mode| mode.word() == word),
        }
    }

    /// What it does, in one sentence.
    #[must_use]
    pub fn description(self) -> Message {
        match self {
            Self::ChapterWriter => message!(
                en: "writes a chapter from its contract and outline, whole or scene by scene, and revises it by the judge's fixes",
                zh: "按章节契约与大纲写出一章（整章或逐场），并按评审的修改要求定向修订"
            ),
            Self::Summarizer => message!(
                en: "turns a chapter into summary, state ops, cross-references and storyline memory",
                zh: "把一章整理为摘要、状态操作、跨线引用与故事线记忆"
            ),
            Self::StyleRefiner => message!(
                en: "removes machine tone and moves the wording towards the style profile, meaning untouched",
                zh: "去除机器腔，使措辞贴近文风档案，不动原意"
            ),
            Self::QualityJudge => message!(
                en: "checks every contract with quotations and scores eight dimensions",
                zh: "逐条验收契约并引用原文，按八个维度评分"
            ),
            Self::LogicReviewer => message!(
                en: "looks for breaks of cause, motive, knowledge and time in a committed chapter, and scores its logic",
                zh: "审查已提交章节的因果、动机、知情与时间是否说得通，并给出逻辑分"
            ),
            Self::ConsistencyAuditor => message!(
                en: "looks for contradictions with world, cast, state and earlier chapters that the story checker cannot prove",
                zh: "查找已提交章节与世界、人物、状态、前文之间程序查不出的矛盾"
            ),
            Self::ChapterReviser => message!(
                en: "repairs a committed chapter by the notes of a report, and changes nothing else",
                zh: "按报告的修改说明修订已提交的章节，其余一字不动"
            ),
            Self::WorldBuilder => message!(
                en: "lays down the world: places, history, at most three core rules, the main line; and adds to it later",
                zh: "立下世界：地理、旧事、至多三条核心规则与主线，日后可增补"
            ),
            Self::CharacterWeaver => message!(
                en: "makes the protagonist and one or two more people, later those a volume brings, each with contracts the prose is held to",
                zh: "立主角与另外一到两人，日后再立各卷的新角色，各有正文须遵守的契约"
            ),
            Self::StyleAnalyzer => message!(
                en: "settles the style from samples, a reference author, a template or the first chapters; measures come from the program",
                zh: "据样本、参考作家、模板或先写后提定下文风，度量由程序给出"
            ),
            Self::PlotArchitect => message!(
                en: "plans a volume: storylines, foreshadowing, and for each chapter an outline and a contract; tells written chapters again",
                zh: "规划一卷：故事线、伏笔，以及每章的大纲与契约；也按已写正文重述各章"
            ),
            Self::VolumeReviewer => message!(
                en: "reads the program's reports on a finished volume and advises on the next",
                zh: "读程序对一卷的统计报告，为下一卷提出建议"
            ),
            Self::BookReader => message!(
                en: "reads an imported book chapter by chapter and notes people, places, rules and open threads, with quotations",
                zh: "逐章通读导入的作品，记下人物、地点、规则与未收的线索，并引用原文"
            ),
        }
    }

    /// Tokens of a prompt unless the author sets another budget.
    #[must_use]
    pub const fn default_input_tokens(self) -> u64 {
        match self {
            Self::ChapterWriter
            | Self::QualityJudge
            | Self::LogicReviewer
            | Self::ConsistencyAuditor
            | Self::VolumeReviewer
            | Self::BookReader => 24_000,
            Self::PlotArchitect => 32_000,
            Self::Summarizer
            | Self::StyleRefiner
            | Self::ChapterReviser
            | Self::WorldBuilder
            | Self::CharacterWeaver
            | Self::StyleAnalyzer => 16_000,
        }
    }

    /// The built-in prompt file.
    #[must_use]
    pub const fn built_in(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::ChapterWriter, Lang::Zh) => include_str!("../../prompts/zh/chapter-writer.md"),
            (Self::ChapterWriter, Lang::En) => include_str!("../../prompts/en/chapter-writer.md"),
            (Self::Summarizer, Lang::Zh) => include_str!("../../prompts/zh/summarizer.md"),
            (Self::Summarizer, Lang::En) => include_str!("../../prompts/en/summarizer.md"),
            (Self::StyleRefiner, Lang::Zh) => include_str!("../../prompts/zh/style-refiner.md"),
            (Self::StyleRefiner, Lang::En) => include_str!("../../prompts/en/style-refiner.md"),
            (Self::QualityJudge, Lang::Zh) => include_str!("../../prompts/zh/quality-judge.md"),
            (Self::QualityJudge, Lang::En) => include_str!("../../prompts/en/quality-judge.md"),
            (Self::LogicReviewer, Lang::Zh) => include_str!("../../prompts/zh/logic-reviewer.md"),
            (Self::LogicReviewer, Lang::En) => include_str!("../../prompts/en/logic-reviewer.md"),
            (Self::ConsistencyAuditor, Lang::Zh) => {
                include_str!("../../prompts/zh/consistency-auditor.md")
            }
            (Self::ConsistencyAuditor, Lang::En) => {
                include_str!("../../prompts/en/consistency-auditor.md")
            }
            (Self::ChapterReviser, Lang::Zh) => include_str!("../../prompts/zh/chapter-reviser.md"),
            (Self::ChapterReviser, Lang::En) => include_str!("../../prompts/en/chapter-reviser.md"),
            (Self::WorldBuilder, Lang::Zh) => include_str!("../../prompts/zh/world-builder.md"),
            (Self::WorldBuilder, Lang::En) => include_str!("../../prompts/en/world-builder.md"),
            (Self::CharacterWeaver, Lang::Zh) => {
                include_str!("../../prompts/zh/character-weaver.md")
            }
            (Self::CharacterWeaver, Lang::En) => {
                include_str!("../../prompts/en/character-weaver.md")
            }
            (Self::StyleAnalyzer, Lang::Zh) => include_str!("../../prompts/zh/style-analyzer.md"),
            (Self::StyleAnalyzer, Lang::En) => include_str!("../../prompts/en/style-analyzer.md"),
            (Self::PlotArchitect, Lang::Zh) => include_str!("../../prompts/zh/plot-architect.md"),
            (Self::PlotArchitect, Lang::En) => include_str!("../../prompts/en/plot-architect.md"),
            (Self::VolumeReviewer, Lang::Zh) => include_str!("../../prompts/zh/volume-reviewer.md"),
            (Self::VolumeReviewer, Lang::En) => include_str!("../../prompts/en/volume-reviewer.md"),
            (Self::BookReader, Lang::Zh) => include_str!("../../prompts/zh/book-reader.md"),
            (Self::BookReader, Lang::En) => include_str!("../../prompts/en/book-reader.md"),
        }
    }
}

/// An agent as shown to the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: Message,
    /// The languages its built-in prompt is written in.
    pub languages: [Lang; 2],
    /// The version of its built-in prompt.
    pub version: u32,
    /// What it can be asked for.
    pub modes: &'static [Mode],
}

/// Every agent with a built-in prompt, in the order of [`Agent::ALL`].
#[must_use]
pub fn agents() -> Vec<AgentInfo> {
    Agent::ALL
        .iter()
        .copied()
        .map(|agent| AgentInfo {
            name: agent.name(),
            description: agent.description(),
            languages: [Lang::Zh, Lang::En],
            version: version_of(agent.built_in(Lang::Zh)).unwrap_or_default(),
            modes: agent.modes(),
        })
        .collect()
}

/// The built-in prompt file of an agent, as `novel agents show` prints it and `eject` copies it.
#[must_use]
pub fn source(name: &str, lang: Lang) -> Option<&'static str> {
    Agent::from_name(name).map(|agent| agent.built_in(lang))
}

/// The number in the first line, `<!-- version: 1 -->`.
pub(super) fn version_of(file: &str) -> Option<u32> {
    let line = file.lines().next()?.trim();
    let number = line
        .strip_prefix(VERSION_OPEN)?
        .strip_suffix(VERSION_CLOSE)?;
    number.trim().parse().ok()
}
