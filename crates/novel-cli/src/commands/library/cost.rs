//! `novel cost`.

use novel_app::library::cost::{self, Cost, CostReport};
use novel_model::{Lang, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
    ui::table::{self, Side},
};

/// Chapters shown; `--json` has them all.
const SHOWN: usize = 10;

/// Characters of a name that stands beside its numbers.
const LONGEST_NAME: usize = 24;

/// Show what the book cost
///
/// Adds up the calls: by chapter (the last ten), by step and by model, including planning, review,
/// and chapters that were rolled back or restarted. Writes nothing. An unknown price is shown as a
/// dash; tokens are counted anyway.
#[derive(clap::Args, Debug)]
pub(crate) struct CostArgs {}

pub(crate) fn run(context: &Context, _args: &CostArgs) -> CommandResult {
    let project = context.project()?;
    let report = cost::cost(&project)?;
    let mut output = Output::new(report.answer())
        .text(render(&report, context.lang))
        .about_config(project.warnings());
    if let Some(mean) = report.per_chapter() {
        let mean = labels::money(Some(mean));
        output = output.note(message!(
            en: "{mean} per chapter on average.", zh: "平均每章 {mean}。"
        ));
    }
    Ok(output)
}

fn render(report: &CostReport, lang: Lang) -> String {
    let pick = |en: &'static str, zh: &'static str| match lang {
        Lang::En => en,
        Lang::Zh => zh,
    };
    let earlier = report.chapters.len().saturating_sub(SHOWN);
    let mut rows = vec![head(pick("chapter", "章"), lang)];
    let chapters = report.chapters.iter().skip(earlier);
    rows.extend(chapters.map(|(chapter, cost)| row(chapter.get().to_string(), cost)));
    for (name, cost) in [
        (pick("other calls", "其他调用"), &report.other),
        (pick("discarded", "已废弃"), &report.discarded),
    ] {
        if cost.calls > 0 {
            rows.push(row(name.to_owned(), cost));
        }
    }
    rows.push(row(pick("total", "合计").to_owned(), &report.total));
    let chapters = table_of(&rows);
    rows = vec![head(pick("step", "步骤"), lang)];
    let mut steps: Vec<(&String, &Cost)> = report.steps.iter().collect();
    steps.sort_by_key(|(name, _)| labels::stage_order(name));
    for (name, cost) in steps {
        rows.push(row(labels::logged_stage(name).get(lang).to_owned(), cost));
    }
    let steps = table_of(&rows);
    rows = vec![head(pick("model", "模型"), lang)];
    for (name, cost) in &report.models {
        let name = labels::model(name, lang);
        // A long name stands on a line of its own, so that the numbers fit beside the others.
        if name.chars().count() > LONGEST_NAME {
            rows.push(vec![name]);
            rows.push(row(String::new(), cost));
        } else {
            rows.push(row(name, cost));
        }
    }
    format!("{chapters}\n{steps}\n{}", table_of(&rows))
}

/// A table whose first column is as wide as its own names.
fn table_of(rows: &[Vec<String>]) -> String {
    let number = Side::Right;
    let sides = [Side::Left, number, number, number, number, number];
    let wide: Vec<Vec<String>> = rows.iter().filter(|row| row.len() > 1).cloned().collect();
    let table = table::columns(&wide, &sides);
    let mut lines = table.lines();
    let mut text = String::new();
    for row in rows {
        match row.as_slice() {
            [alone] => text.push_str(alone),
            _ => text.push_str(lines.next().unwrap_or_default()),
        }
        text.push('\n');
    }
    text
}

fn head(first: &str, lang: Lang) -> Vec<String> {
    let rest = match lang {
        Lang::En => ["calls", "in", "out", "cached", "cost"],
        Lang::Zh => ["调用", "输入", "输出", "缓存", "费用"],
    };
    let mut row = vec![first.to_owned()];
    row.extend(rest.map(str::to_owned));
    row
}

fn row(name: String, cost: &Cost) -> Vec<String> {
    vec![
        name,
        cost.calls.to_string(),
        labels::tokens(cost.input_tokens),
        labels::tokens(cost.output_tokens),
        labels::tokens(cost.cached_tokens),
        labels::money(cost.cost_usd),
    ]
}
