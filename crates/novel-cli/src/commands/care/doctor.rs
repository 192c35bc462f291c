//! `novel doctor [--fix | --share]`.

use novel_app::care::{
    doctor::{self, DoctorReport, Repair},
    share,
};
use novel_contract::{
    run::RunState,
    share::{ShareAnswer, SharedFinding},
};
use novel_model::{Lang, message};

use crate::{
    context::Context,
    locate::Need,
    output::{CommandResult, Output},
    ui::run_events,
};

/// Look for damage in the project, and repair it with --fix
///
/// Writes nothing without `--fix`. What a repair replaces goes to `archive/`.
#[derive(clap::Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Repair what can be repaired
    #[arg(long)]
    fix: bool,
    /// Make a report you can share, without prose, names or keys
    #[arg(long, conflicts_with = "fix")]
    share: bool,
}

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> CommandResult {
    let repair = if args.fix {
        Repair::Apply
    } else {
        Repair::Report
    };
    let store = context.store(Need::Directory)?;
    if args.share {
        let report = share::share(&store, context.clock)?;
        let text = shared(&report, context.lang);
        return Ok(Output::new(report).text(text).note(message!(
            en: "This report holds no prose, names or keys; read it before you share it.",
            zh: "报告不含正文、人名和密钥；分享之前请再看一遍。"
        )));
    }
    let report = doctor::doctor(&store, context.clock, repair)?;
    let output = Output::new(report.answer(context.lang)).text(render(&report, context.lang));
    let open = report.findings.iter().filter(|finding| !finding.repaired);
    let repairable = open.filter(|finding| finding.repair.is_some()).count();
    Ok(if report.findings.is_empty() {
        output.note(message!(en: "No problems found.", zh: "一切正常。"))
    } else if repairable > 0 {
        output.note(message!(
            en: "`novel doctor --fix` repairs {repairable} of these.",
            zh: "`novel doctor --fix` 可修复其中 {repairable} 项。"
        ))
    } else {
        output
    })
}

fn render(report: &DoctorReport, lang: Lang) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let problem = &finding.problem;
        let (place, what) = (problem.location(), problem.message.get(lang));
        let state = match (finding.repaired, lang) {
            (true, Lang::En) => "repaired",
            (true, Lang::Zh) => "已修复",
            (false, Lang::En) => "found",
            (false, Lang::Zh) => "发现",
        };
        text.push_str(&format!("{state}[{}] {place}: {what}\n", problem.code));
        for advice in [&problem.hint, &finding.repair].into_iter().flatten() {
            text.push_str(&format!("    {}\n", advice.get(lang)));
        }
    }
    let word = match lang {
        Lang::En => "note",
        Lang::Zh => "提示",
    };
    for note in &report.notes {
        let (place, what) = (note.location(), note.message.get(lang));
        text.push_str(&format!("{word}[{}] {place}: {what}\n", note.code));
    }
    if let Some(hint) = report.notes.first().and_then(|note| note.hint.as_ref()) {
        text.push_str(&format!("    {}\n", hint.get(lang)));
    }
    text
}

/// The report to show to others.
fn shared(report: &ShareAnswer, lang: Lang) -> String {
    let word = |en: &'static str, zh: &'static str| match lang {
        Lang::En => en,
        Lang::Zh => zh,
    };
    let mut text = format!("novel {}, {}\n", report.program, report.system);
    let mut part = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}\n"));
            for line in lines {
                text.push_str(&format!("  {line}\n"));
            }
        }
    };
    let mut book = Vec::new();
    if let Some(code) = &report.unreadable {
        book.push(format!("{}: {code}", word("cannot be opened", "无法打开")));
    }
    if let Some(known) = &report.book {
        for (label, value) in [
            (word("language", "语言"), known.language.clone()),
            (word("state", "状态"), known.state.word().to_owned()),
            (
                word("last chapter", "最新一章"),
                known.last_completed_chapter.to_string(),
            ),
            (word("volume", "卷"), known.current_volume.get().to_string()),
            (word("words", "字数"), known.words.to_string()),
            (
                word("pending chapters", "待定章节"),
                known.pending_chapters.to_string(),
            ),
            (
                word("waits for the author", "待作者处理"),
                known.waits.clone().unwrap_or_else(|| "-".to_owned()),
            ),
        ] {
            book.push(format!("{label}: {value}"));
        }
    }
    part(word("Book", "作品"), book);
    let settings = report.settings.iter();
    let settings = settings.map(|(key, value)| format!("{key} = {value}"));
    part(word("Settings", "设置"), settings.collect());
    let finding = |found: &SharedFinding| {
        let SharedFinding {
            code,
            path,
            repairable,
        } = found;
        let repairable = match repairable {
            true => word(" (repairable)", "（可修复）"),
            false => "",
        };
        format!("{code} {path}{repairable}")
    };
    let findings = report.findings.iter().map(finding);
    part(word("Damage", "损坏"), findings.collect());
    part(
        word("Notes", "提示"),
        report.notes.iter().map(finding).collect(),
    );
    let operations = report.operations.iter().map(|operation| {
        let (number, kind) = (operation.operation, &operation.kind);
        let (target, files) = (&operation.target, operation.files);
        match lang {
            Lang::En => format!("{number} {kind} {target}, files: {files}"),
            Lang::Zh => format!("{number} {kind} {target}，文件 {files} 个"),
        }
    });
    part(word("Operations", "操作"), operations.collect());
    let runs = report.runs.iter().map(|run| {
        let state = match run.state {
            RunState::Running => word("running", "进行中").to_owned(),
            RunState::Broken => word("killed", "意外中断").to_owned(),
            RunState::Ended => run_events::stop(run.stop).get(lang).to_owned(),
        };
        let (number, chapters, calls) = (run.run.get(), run.chapters, run.calls);
        match lang {
            Lang::En => format!("{number} {state}, chapters: {chapters}, calls: {calls}"),
            Lang::Zh => format!("{number} {state}，章节 {chapters}，调用 {calls}"),
        }
    });
    part(word("Runs", "运行"), runs.collect());
    text
}
