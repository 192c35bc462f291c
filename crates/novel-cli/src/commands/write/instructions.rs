//! `novel instructions STEP`.

use novel_app::write::instructions::{self, PacketMode, Save};
use novel_contract::write::LeftOut;
use novel_model::{Lang, StepId, message, to_json_text};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table::{self, Side},
};

/// Print the instruction packet of a step
///
/// The packet says which agent does the step, what it may read, what it must write and what comes
/// next. Files are named by path; `--embed` gives their contents instead.
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
    let answer = instructions::explain(&project, step)?.answer(lang);
    let head = match lang {
        Lang::En => ["section", "level", "tokens", "why"],
        Lang::Zh => ["部分", "层级", "token", "理由"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(answer.sections.iter().map(|row| {
        vec![
            row.section.clone(),
            row.level.clone(),
            row.tokens.to_string(),
            row.why.clone(),
        ]
    }));
    let word = match lang {
        Lang::En => "total",
        Lang::Zh => "合计",
    };
    let total = answer.tokens.to_string();
    rows.push([word, "", &total].map(str::to_owned).to_vec());
    let mut text = table::columns(&rows, &[Side::Left, Side::Left, Side::Right]);
    if !answer.left_out.is_empty() {
        text.push_str(match lang {
            Lang::En => "\nleft out or shortened:\n",
            Lang::Zh => "\n省略或缩短：\n",
        });
        let row = |cut: &LeftOut| {
            let change = format!("{} -> {}", cut.tokens_before, cut.tokens_after);
            vec![cut.section.clone(), change, cut.how.clone()]
        };
        let rows: Vec<Vec<String>> = answer.left_out.iter().map(row).collect();
        text.push_str(&table::columns(&rows, &[Side::Left, Side::Right]));
    }
    Ok(Output::new(answer)
        .text(text)
        .about_config(project.warnings()))
}
