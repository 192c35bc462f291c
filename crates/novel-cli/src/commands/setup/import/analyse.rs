//! `novel import --analyse`: the price, the question, and what was found.

use novel_app::{
    Project,
    executor::ExecutorKind,
    library::analyse::{self, AnalyseReport, Estimate, Found},
};
use novel_contract::setup::ImportAnalysis;
use novel_model::{Failure, Message, Warning, counted, files::StoryEnd, message};

use super::{Decision, ImportArgs, asked};
use crate::{context::Context, ui::labels, writing};

/// What came of an analysis.
pub(super) struct Analysed {
    pub(super) answer: ImportAnalysis,
    pub(super) warnings: Vec<Warning>,
    pub(super) notes: Vec<Message>,
}

/// Has the imported chapters read, after its price was shown.
pub(super) fn analyse(
    context: &Context,
    args: &ImportArgs,
    project: &Project,
) -> Result<Analysed, Failure> {
    let other = args.executor.map(Into::into);
    let estimate = writing::look(context, project, other, analyse::estimate)?;
    let nothing = |command: Option<&str>, note| Analysed {
        answer: ImportAnalysis {
            estimate: estimate.answer(),
            analysis: None,
            command: command.map(str::to_owned),
        },
        warnings: Vec::new(),
        notes: vec![note],
    };
    if estimate.chapters == 0 && estimate.readings == 0 && !estimate.style {
        let note = message!(en: "All imported chapters are analysed.", zh: "导入的章节都已分析。");
        return Ok(nothing(None, note));
    }
    context.printer.note(&price(&estimate));
    let question = message!(en: "Analyse the book? [y/N] ", zh: "现在分析吗？[y/N] ");
    let decision = if args.yes {
        Decision::Write
    } else {
        asked(context, &question)
    };
    match decision {
        Decision::Write => {}
        Decision::Leave => {
            let note = message!(
                en: "Nothing was analysed; `novel import --analyse` does it later.",
                zh: "没有分析；以后可用 `novel import --analyse` 分析。"
            );
            return Ok(nothing(None, note));
        }
        Decision::NobodyToAsk => {
            let command = "novel import --analyse --yes";
            let note = message!(
                en: "Nothing was analysed. Begin with `{command}`.",
                zh: "尚未分析。用 `{command}` 开始。"
            );
            return Ok(nothing(Some(command), note));
        }
    }
    let report = writing::ask(context, project, other, analyse::analyse)?;
    Ok(Analysed {
        answer: ImportAnalysis {
            estimate: estimate.answer(),
            analysis: Some(report.answer(context.lang)),
            command: None,
        },
        notes: notes(&report, estimate.executor),
        warnings: report.warnings,
    })
}

fn notes(report: &AnalyseReport, executor: ExecutorKind) -> Vec<Message> {
    let found = report.found.iter();
    let mut notes: Vec<Message> = found.map(|it| self::found(it, executor)).collect();
    let (analysed, skipped) = (report.analysed, report.skipped);
    let counted = counted(analysed, "chapter");
    let before = match skipped {
        0 => Message::default(),
        _ => message!(
            en: "; {skipped} analysed before", zh: "，此前已分析 {skipped} 章"
        ),
    };
    let (en, zh) = (before.en, before.zh);
    notes.push(message!(
        en: "Analysed {counted}{en}. Go on with `novel start`.",
        zh: "已分析 {analysed} 章{zh}。用 `novel start` 继续。"
    ));
    notes
}

fn found(found: &Found, executor: ExecutorKind) -> Message {
    let Found {
        people,
        places,
        rules,
        open_threads,
        resolved_threads,
        ..
    } = found;
    let count = [
        match people {
            1 => "1 person".to_owned(),
            many => format!("{many} people"),
        },
        counted(places, "place"),
        counted(rules, "rule"),
        counted(open_threads, "open thread"),
    ]
    .join(", ");
    let done = match resolved_threads {
        0 => Message::default(),
        _ => {
            message!(en: " ({resolved_threads} resolved)", zh: "（另有 {resolved_threads} 条已了结）")
        }
    };
    let story = match (executor, found.story) {
        (ExecutorKind::Offline, _) => message!(
            en: "The offline author knows names only; for rules, threads and who people are, undo this and analyse with a model",
            zh: "离线作者只认得出名字；要读出规则、线索与人物来历，请先撤销，再用语言模型分析"
        ),
        (_, StoryEnd::Open) => message!(en: "The story is open", zh: "故事尚未讲完"),
        (_, StoryEnd::Finished) => {
            message!(en: "The story is told to its end", zh: "故事已经讲完")
        }
    };
    let (done_en, done_zh) = (done.en, done.zh);
    let (en, zh) = (story.en, story.zh);
    message!(
        en: "Found {count}{done_en}. {en}. `novel character list` and `novel foreshadow list` show them; the quotations are in logs/imported-reading.json.",
        zh: "找到人物 {people} 名、地点 {places} 处、规则 {rules} 条、未收的线索 {open_threads} 条{done_zh}。{zh}。用 `novel character list`、`novel foreshadow list` 查看，引文见 logs/imported-reading.json。"
    )
}

fn price(estimate: &Estimate) -> Message {
    let Estimate {
        chapters,
        readings,
        model,
        input_tokens,
        output_tokens,
        ..
    } = estimate;
    let cost = match (estimate.executor, estimate.cost_usd) {
        (ExecutorKind::Offline, _) => message!(en: "free of charge", zh: "不产生费用"),
        (_, Some(cost)) => message!(en: "about US${cost:.2}", zh: "约 {cost:.2} 美元"),
        (_, None) => message!(
            en: "at an unknown price (add [prices] to novel.toml)",
            zh: "价格未知（可在 novel.toml 中添加 [prices]）"
        ),
    };
    let summaries = counted(chapters, "chapter");
    let calls = match readings {
        0 => Message::default(),
        _ => {
            let calls = counted(readings, "call");
            message!(
                en: " after {calls} for cast, places, rules and threads",
                zh: "；此前先用 {readings} 次调用读出人物、地点、规则与线索"
            )
        }
    };
    let (calls_en, calls_zh) = (calls.en, calls.zh);
    let (en, zh) = (cost.en, cost.zh);
    let (model_en, model_zh) = match estimate.executor {
        ExecutorKind::Offline => {
            let author = labels::offline_author();
            (author.en, author.zh)
        }
        _ => (format!("`{model}`"), format!(" `{model}` ")),
    };
    message!(
        en: "{summaries} to analyse with {model_en}{calls_en}: about {input_tokens} tokens in and {output_tokens} out, {en}.",
        zh: "需用{model_zh}分析 {chapters} 章{calls_zh}：约读 {input_tokens}、写 {output_tokens} 个 token，{zh}。"
    )
}
