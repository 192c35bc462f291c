//! `novel instructions STEP`.

use novel_app::write::instructions::{self, Save};
use novel_contract::write as contract;
use novel_model::{Lang, StepId, message, to_json_text};
use novel_prompt::{
    packet::PacketMode,
    prompt::{self, LeftOut},
};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table::{self, Side},
};

/// Print the instruction packet of a step
///
/// The packet says who does the step, what it may read, what it must write and what comes after.
/// Files are named by path; `--embed` gives their contents instead.
#[derive(clap::Args, Debug)]
pub(crate) struct InstructionsArgs {
    /// Step, such as `chapter:048:draft`
    step: StepId,

    /// Put the contents of files into the packet, wrapped as data
    #[arg(long)]
    embed: bool,

    /// List the sections of the prompt, their tokens and why they are there, not the packet
    #[arg(long, conflicts_with_all = ["embed", "write_manifest"])]
    explain: bool,

    /// Save the packet under `staging/manifests/` too
    #[arg(long)]
    write_manifest: bool,
}

pub(crate) fn run(context: &Context, args: &InstructionsArgs) -> CommandResult {
    if args.explain {
        return explain(context, args.step);
    }
    let mode = if args.embed {
        PacketMode::Embed
    } else {
        PacketMode::Paths
    };
    let save = if args.write_manifest {
        Save::Manifest
    } else {
        Save::Print
    };
    let project = context.project()?;
    let report = instructions::instructions(&project, args.step, mode, save)?;
    let mut output = Output::new(report.answer())
        .text(to_json_text(&report.packet))
        .about_config(project.warnings());
    if let Some(path) = &report.manifest_path {
        output = output.note(message!(en: "Saved as `{path}`.", zh: "已保存为 `{path}`。"));
    }
    Ok(output)
}

/// What an agent of the built-in executor would be sent, and why.
fn explain(context: &Context, step: StepId) -> CommandResult {
    let lang = context.lang;
    let project = context.project()?;
    let prompt = instructions::explain(&project, step)?;
    let head = match lang {
        Lang::En => ["section", "level", "tokens", "why"],
        Lang::Zh => ["部分", "层级", "词元", "理由"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut sections = Vec::new();
    for row in prompt::explain(&prompt) {
        let why = row.why.get(lang);
        sections.push(contract::PromptSection {
            section: row.section.clone(),
            level: row.level.word().to_owned(),
            tokens: row.tokens,
            why: why.to_owned(),
        });
        rows.push(vec![
            row.section,
            row.level.word().to_owned(),
            row.tokens.to_string(),
            why.to_owned(),
        ]);
    }
    let total = prompt.tokens();
    let word = match lang {
        Lang::En => "total",
        Lang::Zh => "合计",
    };
    rows.push([word, "", &total.to_string()].map(str::to_owned).to_vec());
    let mut text = table::columns(&rows, &[Side::Left, Side::Left, Side::Right]);
    if !prompt.left_out.is_empty() {
        text.push_str(match lang {
            Lang::En => "\nleft out or shortened:\n",
            Lang::Zh => "\n省略或缩短：\n",
        });
        let row = |cut: &LeftOut| {
            let change = format!("{} -> {}", cut.tokens_before, cut.tokens_after);
            vec![cut.name.clone(), change, cut.how.get(lang).to_owned()]
        };
        let rows: Vec<Vec<String>> = prompt.left_out.iter().map(row).collect();
        text.push_str(&table::columns(&rows, &[Side::Left, Side::Right]));
    }
    let left_out = |cut: &LeftOut| contract::LeftOut {
        section: cut.name.clone(),
        tokens_before: cut.tokens_before,
        tokens_after: cut.tokens_after,
        how: cut.how.get(lang).to_owned(),
    };
    let data = contract::ExplainAnswer {
        agent: prompt.agent.name().to_owned(),
        mode: prompt.mode.word().to_owned(),
        version: prompt.template_version,
        sections,
        left_out: prompt.left_out.iter().map(left_out).collect(),
        tokens: total,
        warnings: Vec::new(),
    };
    Ok(Output::new(data)
        .text(text)
        .about_config(project.warnings()))
}
