//! Refusals of use cases.

use novel_contract::{Offer, OfferedAction};
use novel_model::{
    ChapterNo, ChapterStage, ContentHash, ErrorTable, Kind, Message, QuickstartPhase, RelPath, Row,
    SceneNo, StepId, VolumeNo, VolumeStage,
    files::{GateDecision, OrchestratorState},
    message,
};
use serde_json::json;

/// Why a use case did not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The requested step is not the next one.
    #[error("{asked} is not the next step; {next} is")]
    NotNext {
        /// Step given on the command line.
        asked: StepId,
        /// Step computed from checkpoint and staging.
        next: StepId,
    },
    /// The author asked for something that comes earlier or later.
    #[error("{asked} cannot be done now; the next step is {next}")]
    NotNow {
        /// Step the command would have run.
        asked: StepId,
        /// Step computed from checkpoint and staging.
        next: StepId,
    },
    /// The text was changed after its verdict.
    #[error("chapter {chapter} was changed after it was judged")]
    StaleVerdict {
        /// Chapter whose text changed after its verdict.
        chapter: ChapterNo,
        /// Hash of the text that was judged (or accepted).
        judged: ContentHash,
        /// Hash of the staged text.
        staged: ContentHash,
    },
    /// The gate does not let the chapter pass.
    #[error("the gate does not let chapter {chapter} pass")]
    GateRefuses {
        /// Chapter that was to be committed.
        chapter: ChapterNo,
        /// Decision recomputed from scores and checks.
        decision: GateDecision,
        /// Overall score recomputed with the program's weights.
        overall: f64,
        /// Step the decision asks for.
        next: StepId,
    },
    /// The delta was made against another state.
    #[error("the delta of chapter {chapter} is for another state version")]
    StateVersion {
        /// Chapter that was to be committed.
        chapter: ChapterNo,
        /// Version the delta was made against.
        delta: u64,
        /// Version of `state/current-state.json`.
        current: u64,
    },
    /// The step has nothing to hand in.
    #[error("{step} takes no answer")]
    NothingToSubmit {
        /// Step without an answer, such as a commit.
        step: StepId,
    },
    /// There is no staged text.
    #[error("chapter {chapter} has no staged text")]
    NoText {
        /// Chapter without a text in staging.
        chapter: ChapterNo,
    },
    /// The second judge must come after the first.
    #[error("the second judge of {step} came before the first")]
    NoFirstJudge {
        /// Judge step of a key chapter.
        step: StepId,
    },
    /// A chapter that is no key chapter has one judge.
    #[error("{step} has one judge")]
    NoSecondJudge {
        /// Judge step of a chapter with one judge.
        step: StepId,
    },
    /// A key chapter has one verdict.
    #[error("key chapter {chapter} has one verdict")]
    OneVerdict {
        /// Key chapter with a single verdict.
        chapter: ChapterNo,
    },
    /// A chapter took more calls than it may.
    #[error("chapter {chapter} took {calls} calls")]
    TooManyCalls {
        /// Chapter under way.
        chapter: ChapterNo,
        /// Agent calls made for the chapter so far.
        calls: u32,
        /// Value of `[limits] calls_per_chapter`.
        limit: u32,
    },
    /// The gate does not wait for the author.
    #[error("chapter {chapter} does not wait for the author")]
    NotPaused {
        /// Chapter given on the command line.
        chapter: ChapterNo,
    },
    /// The last run gave up; going on must be asked for.
    #[error("{step} failed twice")]
    NeedsRetry {
        /// The step that comes next.
        step: StepId,
    },
    /// The trial chapters wait for the author's word.
    #[error("the trial chapters wait for the author")]
    TrialWaits,
    /// No plan of the volume is staged.
    #[error("no plan of volume {volume} is staged")]
    NoPlan {
        /// Current volume.
        volume: VolumeNo,
    },
    /// The plan of a volume waits for the author's word.
    #[error("the plan of volume {volume} waits for the author")]
    PlanWaits {
        /// Volume whose staged plan is not approved.
        volume: VolumeNo,
    },
    /// No chapter is to be written now.
    #[error("the book is not being written")]
    NotWriting {
        /// State of the checkpoint.
        state: OrchestratorState,
        /// Step that must be done before a chapter can be written.
        next: StepId,
    },
    /// The chapter is in the book.
    #[error("chapter {chapter} is in the book")]
    AlreadyWritten {
        /// Requested chapter, which is in the book.
        chapter: ChapterNo,
    },
    /// There is nothing of a chapter to look at.
    #[error("chapter {chapter} has no text")]
    NothingToShow {
        /// Requested chapter.
        chapter: ChapterNo,
        /// The scene, if one was asked for.
        scene: Option<SceneNo>,
    },
    /// A revision changes the chapter as a whole.
    #[error("chapter {chapter} is being revised")]
    RevisionIsWhole {
        /// Chapter under revision.
        chapter: ChapterNo,
    },
    /// The book has no such chapter.
    #[error("the book has no chapter {chapter}")]
    NoSuchChapter {
        /// Chapter number given on the command line.
        chapter: u32,
        /// Last chapter of the book; 0 for an empty book.
        newest: u32,
    },
    /// The volume is not planned.
    #[error("volume {volume} is not planned")]
    NoSuchVolume {
        /// Volume without an outline.
        volume: VolumeNo,
    },
    /// Nothing tells what the state was after a chapter.
    #[error("the state after chapter {chapter} is not known")]
    NoStateOf {
        /// Chapter whose state was asked for.
        chapter: u32,
    },
    /// A file the command would create already exists.
    #[error("`{path}` already exists")]
    Exists {
        /// First file that already exists.
        path: RelPath,
    },
}

impl ErrorTable for Refusal {
    fn row(&self) -> Row<'_> {
        match self {
            Self::NotNext { asked, next } => Row::new(Kind::Input, "NOT_NEXT_STEP", message!(
                en: "{asked} is not the next step; the next step is {next}",
                zh: "{asked} 不是下一步；下一步是 {next}"
            )).hint({
                message!(en: "run `novel instructions {next}`", zh: "运行 `novel instructions {next}`")
            }).facts(json!({"asked": asked.to_string(), "next": next.to_string()})),
            Self::NotNow { asked, next } => Row::new(Kind::Input, "NOT_NEXT_STEP", {
                let Message { en, zh } = stands_at(*next);
                message!(en: "this cannot be done now: {en}", zh: "现在还不能这样做：{zh}")
            }).hint(message!(
                en: "`novel start` shows what comes next", zh: "用 `novel start` 查看下一步"
            )).facts(json!({"asked": asked.to_string(), "next": next.to_string()})),
            Self::StaleVerdict { chapter, judged, staged } => Row::new(Kind::Input, "STALE_VERDICT", {
                let n = chapter.get();
                message!(
                    en: "the staged text of chapter {n} was changed after it was judged: judged {judged}, staged {staged}",
                    zh: "第 {n} 章的正文在评审之后又有改动：评审时 {judged}，现在 {staged}"
                )
            }).hint(message!(
                en: "`novel next` says which step must be done again for the new text; or restore the judged text",
                zh: "`novel next` 会给出新正文需要重做的步骤；或恢复评审过的正文"
            )).facts(json!({"chapter": chapter, "judged_hash": judged, "staged_hash": staged})),
            Self::GateRefuses { chapter, decision, overall, next } => Row::new(Kind::Gate, "GATE_REFUSES", {
                let (n, word) = (chapter.get(), decision.word());
                message!(
                    en: "chapter {n} did not pass the judge: {word}, score {overall:.2}",
                    zh: "第 {n} 章未通过评审：{word}，评分 {overall:.2}"
                )
            }).hint(message!(
                en: "the next step is {next}: `novel instructions {next}`",
                zh: "下一步是 {next}：`novel instructions {next}`"
            )).facts(json!({
                "chapter": chapter, "decision": decision, "overall": overall,
                "next": next.to_string()
            })),
            Self::StateVersion { chapter, delta, current } => Row::new(Kind::Input, "STATE_VERSION_MISMATCH", {
                let n = chapter.get();
                message!(
                    en: "the delta of chapter {n} was made against state version {delta}, but the state has version {current}",
                    zh: "第 {n} 章的增量基于状态版本 {delta}，而当前状态版本为 {current}"
                )
            }).hint({
                let path = novel_model::layout::staged_delta(*chapter);
                message!(
                    en: "check the ops in `{path}` against the current state, set base_state_version to {current}, and commit again",
                    zh: "请对照当前状态检查 `{path}` 中的操作，将 base_state_version 改为 {current} 后重新提交"
                )
            }).facts(json!({
                "chapter": chapter, "base_state_version": delta, "state_version": current
            })),
            Self::NothingToSubmit { step } => Row::new(Kind::Input, "NOTHING_TO_SUBMIT", message!(
                en: "{step} takes no answer", zh: "{step} 不接收产物"
            )).hint({
                message!(en: "see `novel instructions {step}`", zh: "参见 `novel instructions {step}`")
            }).facts(json!({"step": step.to_string()})),
            Self::NoText { chapter } => Row::new(Kind::Input, "NO_STAGED_TEXT", {
                let n = chapter.get();
                message!(en: "chapter {n} has no staged text", zh: "第 {n} 章在 staging 中没有正文")
            }).hint({
                message!(en: "run `novel next`", zh: "运行 `novel next`")
            }).facts(json!({"chapter": chapter})),
            Self::NoFirstJudge { step } => Row::new(Kind::Input, "NO_FIRST_JUDGE", message!(
                en: "the first judge's answer for {step} has not been handed in",
                zh: "{step} 的第一位评审尚未提交"
            )).hint({
                message!(en: "run `novel submit {step} FILE` first", zh: "请先运行 `novel submit {step} FILE`")
            }).facts(json!({"step": step.to_string()})),
            Self::NoSecondJudge { step } => Row::new(Kind::Input, "NO_SECOND_JUDGE", message!(
                en: "{step} is not a key chapter and has one judge",
                zh: "{step} 不是关键章，只有一位评审"
            )).hint({
                message!(en: "run `novel submit {step} FILE`", zh: "请运行 `novel submit {step} FILE`")
            }).facts(json!({"step": step.to_string()})),
            Self::OneVerdict { chapter } => Row::new(Kind::Gate, "ONE_VERDICT", {
                let n = chapter.get();
                message!(
                    en: "chapter {n} is a key chapter and has one verdict; it needs two",
                    zh: "第 {n} 章是关键章，需要两份评审，目前只有一份"
                )
            }).hint({
                let step = StepId::Chapter(*chapter, ChapterStage::Judge);
                message!(
                    en: "hand in the first with `novel submit {step} FILE`, the second with `novel submit {step} FILE --judge secondary`",
                    zh: "请用 `novel submit {step} FILE` 提交第一份，用 `novel submit {step} FILE --judge secondary` 提交第二份"
                )
            }).facts(json!({"chapter": chapter})),
            Self::TooManyCalls { chapter, calls, limit } => Row::new(Kind::Gate, "TOO_MANY_CALLS", {
                let n = chapter.get();
                message!(
                    en: "chapter {n} has used {calls} agent calls; `[limits] calls_per_chapter` allows {limit}",
                    zh: "第 {n} 章已调用智能体 {calls} 次；`[limits] calls_per_chapter` 只允许 {limit} 次"
                )
            }).hint(message!(
                en: "choose what to do with `novel start`, or raise `calls_per_chapter` under [limits] in novel.toml and run `novel continue`",
                zh: "用 `novel start` 选择下一步，或在 novel.toml 的 [limits] 中提高 `calls_per_chapter` 后运行 `novel continue`"
            )).facts(json!({"chapter": chapter, "calls": calls, "limit": limit})),
            Self::NotPaused { chapter } => Row::new(Kind::Input, "NOT_PAUSED", {
                let n = chapter.get();
                message!(
                    en: "the gate is not waiting for you at chapter {n}",
                    zh: "第 {n} 章没有等你决定的事"
                )
            }).hint({
                message!(en: "`novel status` shows what waits for you", zh: "`novel status` 会列出等你处理的事")
            }).facts(json!({"chapter": chapter})),
            Self::NeedsRetry { step } => Row::new(Kind::Gate, "ERROR_RETRY", match step {
                StepId::Chapter(chapter, _) => {
                    let n = chapter.get();
                    message!(
                        en: "a step of chapter {n} failed twice; the book waits for you",
                        zh: "第 {n} 章有一步连续失败两次，等你处理"
                    )
                }
                StepId::Volume(..) | StepId::Quickstart(_) => message!(
                    en: "{step} failed twice; the book waits for you",
                    zh: "{step} 连续失败两次，等你处理"
                ),
            }).hint(match step {
                StepId::Chapter(..) => message!(
                    en: "try again with `novel continue --retry`, or choose with `novel start`",
                    zh: "用 `novel continue --retry` 重试，或用 `novel start` 选择下一步"
                ),
                StepId::Volume(..) | StepId::Quickstart(_) => message!(
                    en: "choose with `novel start`: try again, look back, or change direction",
                    zh: "用 `novel start` 选择：重试、回看或调整方向"
                ),
            }).facts(match step {
                StepId::Chapter(chapter, _) => {
                    json!({"chapter": chapter, "step": step.to_string()})
                }
                StepId::Volume(..) | StepId::Quickstart(_) => json!({"step": step.to_string()}),
            }),
            Self::TrialWaits => Row::new(Kind::Gate, "TRIAL_WAITS", message!(
                en: "the trial chapters are ready for your review",
                zh: "试写章节已写完，等你决定"
            )).hint(message!(
                en: "read chapters/, then `novel quickstart accept`, or `novel quickstart redo world|characters|style|trial`; `--yes` accepts unseen",
                zh: "阅读 chapters/ 后运行 `novel quickstart accept`，或 `novel quickstart redo world|characters|style|trial`；`--yes` 表示不看即接受"
            )).facts(json!({"next": "quickstart:results", "next_actions": [
                Offer::new(OfferedAction::Accept, "novel quickstart accept"),
                Offer::new(OfferedAction::Adjust, "novel quickstart redo trial"),
            ]})),
            Self::NoPlan { volume } => Row::new(Kind::Input, "NO_PLAN", {
                let n = volume.get();
                message!(
                    en: "no plan of volume {n} is staged", zh: "staging 中没有第 {n} 卷的规划"
                )
            }).hint(message!(
                en: "`novel plan` makes one", zh: "用 `novel plan` 生成"
            )).facts(json!({"volume": volume})),
            Self::PlanWaits { volume } => Row::new(Kind::Gate, "PLAN_WAITS", {
                let n = volume.get();
                message!(
                    en: "the plan of volume {n} waits for your approval",
                    zh: "第 {n} 卷的规划等你批准"
                )
            }).hint(message!(
                en: "`novel plan show`, then `novel plan approve` or `novel plan redo`; `--yes` approves unseen",
                zh: "先 `novel plan show`，再 `novel plan approve` 或 `novel plan redo`；`--yes` 表示不看即批准"
            )).facts(json!({"volume": volume, "next_actions": [
                Offer::new(OfferedAction::Show, "novel plan show"),
                Offer::new(OfferedAction::Approve, "novel plan approve"),
                Offer::new(OfferedAction::Redo, "novel plan redo"),
            ]})),
            Self::NotWriting { state, next } => Row::new(Kind::Gate, "NOT_WRITING", {
                let (Message { en, zh }, word) = (stands_at(*next), state.word());
                message!(
                    en: "no chapter can be written in state {word}: {en}",
                    zh: "当前状态为 {word}，还不能写新的一章：{zh}"
                )
            }).hint(message!(
                en: "`novel start` does what comes next", zh: "请先执行 `novel start` 完成下一步"
            )).facts(json!({"orchestrator_state": state, "next": next.to_string()})),
            Self::AlreadyWritten { chapter } => Row::new(Kind::Input, "ALREADY_WRITTEN", {
                let n = chapter.get();
                message!(en: "chapter {n} is already in the book", zh: "第 {n} 章已在书中")
            }).hint({
                let (n, before) = (chapter.get(), chapter.get() - 1);
                message!(
                    en: "`novel chapter show {n}` prints it; `novel regen {n}` rewrites it; \
                        `novel rollback {before}` returns to the moment before it",
                    zh: "`novel chapter show {n}` 可查看；`novel regen {n}` 可重写；`novel rollback {before}` 可回到它之前"
                )
            }).facts(json!({"chapter": chapter})),
            Self::NothingToShow { chapter, scene } => Row::new(Kind::Input, "NOTHING_TO_SHOW", {
                let n = chapter.get();
                match scene.map(SceneNo::get) {
                    None => message!(
                        en: "chapter {n} is neither in the book nor in staging",
                        zh: "第 {n} 章既不在书中，也不在 staging 中"
                    ),
                    Some(scene) => message!(
                        en: "chapter {n} has no scene {scene}",
                        zh: "第 {n} 章没有第 {scene} 场"
                    ),
                }
            }).hint(message!(
                en: "`novel chapter list` shows the chapters",
                zh: "`novel chapter list` 列出各章"
            )).facts(json!({"chapter": chapter, "scene": scene})),
            Self::RevisionIsWhole { chapter } => Row::new(Kind::Input, "REVISION_IS_WHOLE", {
                let n = chapter.get();
                message!(
                    en: "chapter {n} is being revised; a revision changes the chapter as a whole, not single scenes",
                    zh: "第 {n} 章正在修订；修订针对整章，不分场进行"
                )
            }).hint({
                let n = chapter.get();
                message!(
                    en: "go on with `novel continue`, or start over with `novel chapter generate {n} --force`",
                    zh: "用 `novel continue` 继续，或用 `novel chapter generate {n} --force` 重新开始"
                )
            }).facts(json!({"chapter": chapter})),
            Self::NoSuchChapter { chapter, newest } => Row::new(Kind::Input, "NO_SUCH_CHAPTER", message!(
                en: "the book has no chapter {chapter}; its newest is {newest}",
                zh: "书中没有第 {chapter} 章；最新一章是第 {newest} 章"
            )).hint(message!(
                en: "`novel chapter list` shows the chapters",
                zh: "`novel chapter list` 列出各章"
            )).facts(json!({"chapter": chapter, "newest": newest})),
            Self::NoSuchVolume { volume } => Row::new(Kind::Input, "NO_SUCH_VOLUME", {
                let n = volume.get();
                message!(en: "volume {n} is not planned", zh: "第 {n} 卷没有规划")
            }).hint({
                let path = novel_model::layout::outline(*volume);
                message!(en: "its chapters are listed in `{path}`", zh: "该卷的章节写在 `{path}` 中")
            }).facts(json!({"volume": volume})),
            Self::NoStateOf { chapter } => Row::new(Kind::Input, "STATE_NOT_RECORDED", message!(
                en: "neither state/changelog.jsonl nor archive/ tells what the state was right after chapter {chapter}",
                zh: "state/changelog.jsonl 与 archive/ 都没有记录第 {chapter} 章之后的状态"
            )).hint(message!(
                en: "restore state/changelog.jsonl, or roll back to another chapter",
                zh: "请恢复 state/changelog.jsonl，或回滚到其他章"
            )).facts(json!({"chapter": chapter})),
            Self::Exists { path } => Row::new(Kind::Input, "ALREADY_EXISTS", {
                message!(en: "`{path}` already exists", zh: "`{path}` 已存在")
            }).hint(message!(
                en: "choose another directory, or add --force to replace files (the old ones go to archive/)",
                zh: "请换一个目录，或加 --force 覆盖（旧文件会移入 archive/）"
            )).facts(json!({"path": path.as_str()})),
        }
    }
}

/// Where a book stands whose next step this is.
fn stands_at(next: StepId) -> Message {
    match next {
        StepId::Chapter(chapter, _) => {
            let n = chapter.get();
            message!(en: "chapter {n} comes next", zh: "接下来是第 {n} 章")
        }
        StepId::Volume(volume, VolumeStage::Review) => {
            let n = volume.get();
            message!(en: "volume {n} must be reviewed first", zh: "第 {n} 卷要先回顾")
        }
        StepId::Volume(volume, VolumeStage::Commit) => {
            let n = volume.get();
            message!(
                en: "the plan of volume {n} waits for approval", zh: "第 {n} 卷的规划还等你批准"
            )
        }
        StepId::Volume(volume, VolumeStage::Plan) => {
            let n = volume.get();
            message!(en: "volume {n} must be planned first", zh: "第 {n} 卷要先规划")
        }
        StepId::Quickstart(QuickstartPhase::Results) => {
            message!(en: "the trial chapters wait for approval", zh: "试写章节还等你决定")
        }
        StepId::Quickstart(_) => {
            message!(en: "the book is still being set up", zh: "新书还在筹备中")
        }
    }
}
