//! `novel forecast [--to N]`.

use novel_app::library::forecast;
use novel_contract::forecast::{ForecastAnswer, ForecastBasis, Interval};
use novel_model::{ChapterNo, Lang, Message, counted, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
    ui::table::{self, Side},
};

/// Estimate what the next chapters will cost
///
/// From the calls of the chapters so far, by step, with an interval that holds the real cost nine
/// times in ten, and with how wrong such forecasts were. Before the first paid chapter it is
/// estimated from the sizes of prompts and from `[prices]`. Calls no agent and writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct ForecastArgs {
    /// Last chapter; the end of the volume by default
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    to: Option<ChapterNo>,
}

pub(crate) fn run(context: &Context, args: &ForecastArgs) -> CommandResult {
    let project = context.project()?;
    let answer = forecast::forecast(&project, args.to)?;
    let text = render(&answer, context.lang);
    let mut output = Output::new(answer.clone()).text(text);
    for warning in &answer.warnings {
        output = output.note(Message::same(&warning.message));
    }
    Ok(output.note(basis(&answer)).about_config(project.warnings()))
}

fn render(answer: &ForecastAnswer, lang: Lang) -> String {
    let (from, to) = (answer.from.get(), answer.to.get());
    let span = match (from == to, lang) {
        (true, Lang::En) => format!("Chapter {from}"),
        (true, Lang::Zh) => format!("第 {from} 章"),
        (false, Lang::En) => format!("Chapters {from} to {to}"),
        (false, Lang::Zh) => format!("第 {from} 至 {to} 章"),
    };
    if answer.basis == ForecastBasis::Free {
        let free = message!(
            en: "free (the offline author writes)", zh: "由离线作者执笔，无需付费"
        );
        return format!("{}\n", joined(&span, free.get(lang), lang));
    }
    let mut text = format!("{}\n\n", joined(&span, &sum(answer, lang), lang));
    let head = match lang {
        Lang::En => ["step", "model", "calls", "tokens", "cost", "interval"],
        Lang::Zh => ["步骤", "模型", "调用", "token", "费用", "区间"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for agent in &answer.agents {
        let estimate = &agent.estimate;
        let tokens = estimate.input_tokens.expected + estimate.output_tokens.expected;
        rows.push(vec![
            labels::forecast_stage(&agent.agent).get(lang).to_owned(),
            agent.model.clone(),
            format!("{:.0}", estimate.calls.expected),
            labels::about_tokens(tokens, lang),
            money(estimate.cost_usd, |cost| labels::dollars(cost.expected)),
            money(estimate.cost_usd, spread),
        ]);
    }
    let (left, right) = (Side::Left, Side::Right);
    text.push_str(&table::columns(
        &rows,
        &[left, left, right, right, right, right],
    ));
    text.push_str(&hindsight(answer, lang));
    text
}

fn joined(span: &str, said: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{span}: {said}"),
        Lang::Zh => format!("{span}：{said}"),
    }
}

fn sum(answer: &ForecastAnswer, lang: Lang) -> String {
    let total = &answer.total;
    let tokens = total.input_tokens.expected + total.output_tokens.expected;
    let tokens = labels::about_tokens(tokens, lang);
    match (total.cost_usd, lang) {
        (Some(cost), Lang::En) => format!(
            "{}, between {} and {} nine times in ten ({tokens} tokens)",
            labels::dollars(cost.expected),
            labels::dollars(cost.low),
            labels::dollars(cost.high)
        ),
        (Some(cost), Lang::Zh) => format!(
            "{}，九成把握在 {} 至 {} 之间（{tokens} token）",
            labels::dollars(cost.expected),
            labels::dollars(cost.low),
            labels::dollars(cost.high)
        ),
        (None, Lang::En) => format!("about {tokens} tokens"),
        (None, Lang::Zh) => format!("约 {tokens} token"),
    }
}

fn money(cost: Option<Interval>, shown: impl Fn(Interval) -> String) -> String {
    cost.map_or_else(|| labels::UNKNOWN.to_owned(), shown)
}

fn spread(cost: Interval) -> String {
    format!(
        "{}-{}",
        labels::dollars(cost.low),
        labels::dollars(cost.high)
    )
}

/// How wrong forecasts were.
fn hindsight(answer: &ForecastAnswer, lang: Lang) -> String {
    let mut text = String::new();
    if let Some(seen) = answer.hindsight {
        let (chapters, held) = (seen.chapters, seen.held);
        let error = format!("{:.0}", seen.mean_error * 100.0);
        let counted = counted(chapters, "chapter");
        let said = message!(
            en: "Tested on past chapters: {held} of {counted} inside the interval, {error}% off on average.",
            zh: "用此前各章逐章回测：{chapters} 章中有 {held} 章落在区间内，平均偏差 {error}%。"
        );
        text.push_str(&format!("\n{}\n", said.get(lang)));
    }
    for run in &answer.earlier {
        let (number, chapters) = (run.run.get(), run.chapters);
        let counted = counted(chapters, "chapter");
        let [expected, low, high, actual] = [
            run.expected_usd.expected,
            run.expected_usd.low,
            run.expected_usd.high,
            run.actual_usd,
        ]
        .map(labels::dollars);
        let said = message!(
            en: "Run {number}, {counted}: {expected} ({low} to {high}) expected, {actual} spent.",
            zh: "第 {number} 次运行，{chapters} 章：预计 {expected}（{low} 至 {high}），实际 {actual}。"
        );
        text.push_str(&format!("{}\n", said.get(lang)));
    }
    text
}

fn basis(answer: &ForecastAnswer) -> Message {
    let learnt = answer.learnt_from;
    let counted = counted(learnt, "chapter");
    match answer.basis {
        ForecastBasis::Ledger => message!(
            en: "Based on the newest {counted} of this book.", zh: "依据本书最近 {learnt} 章的实际用量。"
        ),
        ForecastBasis::Prompts => message!(
            en: "No paid chapters yet: estimated from prompt sizes and prices.",
            zh: "还没有付费写过的章节：按提示词大小与价格估算。"
        ),
        ForecastBasis::Free => message!(
            en: "Set `executor` in novel.toml to have a model write.", zh: "在 novel.toml 中设置 `executor` 可改用模型。"
        ),
    }
}
