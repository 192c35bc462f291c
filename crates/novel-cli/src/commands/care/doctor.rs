//! `novel doctor [--fix]`.

use novel_app::care::doctor::{self, DoctorReport, Repair};
use novel_model::{Lang, message};

use crate::{
    context::Context,
    locate::Need,
    output::{CommandResult, Output},
};

/// Look for damage in the project, and repair it with --fix
///
/// Writes nothing without `--fix`. What a repair replaces goes to `archive/`.
#[derive(clap::Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Repair what can be repaired
    #[arg(long)]
    fix: bool,
}

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> CommandResult {
    let repair = if args.fix {
        Repair::Apply
    } else {
        Repair::Report
    };
    let store = context.store(Need::Directory)?;
    let report = doctor::doctor(&store, context.clock, repair)?;
    let output = Output::new(report.answer(context.lang)).text(render(&report, context.lang));
    let open = report.findings.iter().filter(|finding| !finding.repaired);
    let repairable = open.filter(|finding| finding.repair.is_some()).count();
    Ok(if report.findings.is_empty() {
        output.note(message!(en: "Nothing is wrong.", zh: "一切正常。"))
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
