//! Reports: pictures of scores, drift, length, cost and presence, each with its table.

use maud::{Markup, html};
use novel_app::{
    Project,
    library::{
        cost, overview,
        report::{self, Range, Topic},
    },
};
use novel_contract::report::{
    CastReport, DialogueReport, LengthReport, ReportAnswer, ScoreRow, ScoresReport, StyleReport,
};
use novel_model::{Message, counted, files::ScoredBy, message};

use crate::{
    ask::Ask,
    pages::{desk::volume_name, nothing},
    reply::{Fault, Reply},
    view::{
        Bars, BookFrame, Chart, Frame, Nav, Series, bars, chart, frame, limits, money, presence,
        thousands,
    },
};

/// Chapters a report has unless a volume is asked for.
const RECENT: u32 = 200;

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let over = overview::overview(&project)?;
    let range = match ask.volume() {
        Some(volume) => Range::Volume(volume),
        None if over.written > RECENT => Range::Chapters {
            first: Some(over.written - RECENT + 1),
            last: Some(over.written),
        },
        None => Range::Book,
    };
    let answer = if over.written == 0 {
        None
    } else {
        Some(report::report(&project, range)?.answer(&Topic::ALL))
    };
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("Reports", "报告")) }
            @if let Some(answer) = &answer { span class="small muted" { (message!(en: "chapters {} to {}", zh: "第 {} 至 {} 章", answer.first, answer.last).get(l)) } }
            @if over.volumes.len() > 1 {
                form method="get" action=(book.href("/reports")) class="pick small end" {
                    label class="muted" for="volume" { (ask.t("volume", "卷")) }
                    select id="volume" name="volume" data-submit {
                        option value="" { (ask.t("the book", "全书")) }
                        @for volume in &over.volumes { option value=(volume.number.get()) selected[ask.volume() == Some(volume.number)] { (volume_name(l, Some(volume), volume.number.get())) } }
                    }
                    noscript { button class="btn small" { (ask.t("Show", "显示")) } }
                }
            }
        }
        @match &answer {
            None => (nothing(ask.t("Reports begin with the first written chapter.", "写成第一章之后才有报告。"))),
            Some(answer) => (charts(ask, &book, &project, answer)?),
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Reports", "报告").to_owned(),
            nav: Nav::Reports,
            book: &book,
            command: "novel report".to_owned(),
            keys: &[("t", ask.t("all tables", "全部表格"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

fn charts(
    ask: &Ask,
    book: &BookFrame,
    project: &Project,
    answer: &ReportAnswer,
) -> Result<Markup, Fault> {
    let href = book.href("");
    Ok(html! {
        div class="charts" {
            @if let Some(scores) = &answer.scores { (score_chart(ask, &href, scores)) }
            @if let Some(style) = &answer.style { (style_chart(ask, &href, style)) }
            @if let Some(length) = &answer.length { (length_chart(ask, &href, length)) }
            (cost_chart(ask, &href, project, answer)?)
            @if let Some(dialogue) = &answer.dialogue { (dialogue_chart(ask, &href, dialogue)) }
        }
        @if let Some(cast) = &answer.cast { (cast_chart(ask, book, cast, answer.last)) }
    })
}

fn score_chart(ask: &Ask, book: &str, scores: &ScoresReport) -> Markup {
    let l = ask.lang();
    let points: Vec<(u32, Option<f64>)> = scores
        .chapters
        .iter()
        .map(|row| (row.chapter, row.overall))
        .collect();
    let limits = limits(&points);
    let out = limits.map_or(0, |(low, high)| {
        points
            .iter()
            .filter(|(_, value)| value.is_some_and(|value| value < low || value > high))
            .count()
    });
    let title = match (limits, out) {
        (None, _) => message!(en: "Scores so far", zh: "至今的得分"),
        (Some(_), 0) => {
            message!(en: "Scores are steady, none outside the limits", zh: "得分平稳，没有越限")
        }
        (Some(_), count) => {
            message!(en: "Scores outside the limits: {count}", zh: "有 {count} 章得分越限")
        }
    };
    let mean = scores
        .mean
        .map_or_else(|| "—".to_owned(), |mean| format!("{mean:.2}"));
    let offline = |row: &ScoreRow| row.scored_by == Some(ScoredBy::OfflineAuthor);
    let whose = if scores.chapters.iter().any(offline) {
        message!(
            en: " (with scores of the offline author, which are not verdicts)",
            zh: "（含离线作者打的分，不是评审结论）"
        )
    } else {
        Message::same("")
    };
    let mut caption = match limits {
        Some((low, high)) => {
            message!(en: "Score by chapter, mean {mean}, limits {low:.2}–{high:.2}", zh: "各章得分，均值 {mean}，界限 {low:.2}–{high:.2}")
        }
        None => message!(en: "Score by chapter, mean {mean}", zh: "各章得分，均值 {mean}"),
    };
    caption.en.push_str(&whose.en);
    caption.zh.push_str(&whose.zh);
    chart(&Chart {
        title: title.get(l),
        caption: caption.get(l),
        series: Series {
            points,
            decimals: 2,
        },
        limits,
        book,
        heads: (ask.t("chapter", "章"), ask.t("score", "得分")),
        table: ask.t("Table", "表格"),
    })
}

fn style_chart(ask: &Ask, book: &str, style: &StyleReport) -> Markup {
    let l = ask.lang();
    let points: Vec<(u32, Option<f64>)> = style
        .chapters
        .iter()
        .map(|row| (row.chapter, Some(row.avg_sentence_length)))
        .collect();
    let limits = limits(&points);
    let drifted = style
        .avg_sentence_length
        .is_some_and(|measure| measure.drifted);
    let title = if drifted {
        ask.t(
            "Sentences drift from the style of the book",
            "句长偏离本书文风",
        )
    } else {
        ask.t(
            "Sentences keep to the style of the book",
            "句长与本书文风一致",
        )
    };
    let caption = match style.avg_sentence_length {
        Some(measure) => {
            let value = measure.value;
            match measure.baseline {
                Some(base) => {
                    message!(en: "Words a sentence, {value:.1}; the profile has {base:.1}", zh: "平均句长 {value:.1}，文风基线 {base:.1}")
                }
                None => message!(en: "Words a sentence, {value:.1}", zh: "平均句长 {value:.1}"),
            }
        }
        None => message!(en: "Words a sentence", zh: "平均句长"),
    };
    chart(&Chart {
        title,
        caption: caption.get(l),
        series: Series {
            points,
            decimals: 1,
        },
        limits,
        book,
        heads: (ask.t("chapter", "章"), ask.t("words a sentence", "句长")),
        table: ask.t("Table", "表格"),
    })
}

fn dialogue_chart(ask: &Ask, book: &str, dialogue: &DialogueReport) -> Markup {
    let points: Vec<(u32, Option<f64>)> = dialogue
        .chapters
        .iter()
        .map(|point| (point.chapter, point.value))
        .collect();
    let drifted = dialogue.ratio.is_some_and(|measure| measure.drifted);
    let limits = limits(&points);
    chart(&Chart {
        title: if drifted {
            ask.t("Dialogue drifts from the profile", "对话占比偏离基线")
        } else {
            ask.t("Dialogue keeps its share", "对话占比稳定")
        },
        caption: ask.t("Share of the text that is spoken", "正文中对话所占比例"),
        series: Series {
            points,
            decimals: 2,
        },
        limits,
        book,
        heads: (ask.t("chapter", "章"), ask.t("share", "占比")),
        table: ask.t("Table", "表格"),
    })
}

fn number(value: u64) -> f64 {
    f64::from(u32::try_from(value).unwrap_or(u32::MAX))
}

fn length_chart(ask: &Ask, book: &str, length: &LengthReport) -> Markup {
    let l = ask.lang();
    let odd = length.too_short.len() + length.too_long.len();
    let title = if odd == 0 {
        message!(en: "Every chapter has the right length", zh: "各章长度都合要求")
    } else {
        message!(en: "Chapters too short or too long: {odd}", zh: "有 {odd} 章过短或过长")
    };
    let total = thousands(length.total_words);
    let caption = message!(en: "Words by chapter, {total} in all", zh: "各章字数，共 {total} 字");
    bars(&Bars {
        title: title.get(l),
        caption: caption.get(l),
        parts: &[],
        rows: length
            .chapters
            .iter()
            .map(|row| (row.chapter, vec![number(row.words)]))
            .collect(),
        decimals: 0,
        band: length
            .min_words
            .zip(length.max_words)
            .map(|(low, high)| (number(low), number(high))),
        book,
        heads: (ask.t("chapter", "章"), ask.t("words", "字数")),
        table: ask.t("Table", "表格"),
    })
}

fn cost_chart(
    ask: &Ask,
    book: &str,
    project: &Project,
    answer: &ReportAnswer,
) -> Result<Markup, Fault> {
    let l = ask.lang();
    let costs = cost::of_chapters(project, answer.first, answer.last)?;
    let priced = costs.iter().any(|(_, cost)| cost.cost_usd.is_some());
    let rows: Vec<(u32, Vec<f64>)> = costs
        .iter()
        .map(|(chapter, cost)| {
            let value = if priced {
                cost.cost_usd.unwrap_or(0.0)
            } else {
                number(cost.calls)
            };
            (chapter.get(), vec![value])
        })
        .collect();
    let (title, caption) = if priced {
        let total: f64 = costs.iter().filter_map(|(_, cost)| cost.cost_usd).sum();
        let count = u32::try_from(costs.len()).unwrap_or(u32::MAX).max(1);
        let each = money(Some(total / f64::from(count)));
        let total = money(Some(total));
        (
            message!(en: "A chapter costs about {each}", zh: "每章约 {each}"),
            message!(en: "US dollars by chapter, {total} for these chapters", zh: "各章花费（美元），这些章共 {total}"),
        )
    } else {
        let calls: u64 = costs.iter().map(|(_, cost)| cost.calls).sum();
        (
            message!(en: "No price: calls are counted instead", zh: "没有价格，改计调用次数"),
            message!(en: "Calls by chapter, {calls} for these chapters", zh: "各章调用次数，这些章共 {calls} 次"),
        )
    };
    Ok(bars(&Bars {
        title: title.get(l),
        caption: caption.get(l),
        parts: &[],
        rows,
        decimals: if priced { 3 } else { 0 },
        band: None,
        book,
        heads: (
            ask.t("chapter", "章"),
            if priced {
                ask.t("dollars", "美元")
            } else {
                ask.t("calls", "次数")
            },
        ),
        table: ask.t("Table", "表格"),
    }))
}

fn cast_chart(ask: &Ask, book: &BookFrame, cast: &CastReport, last: u32) -> Markup {
    let absent = cast.absent.len();
    let title = if absent == 0 {
        message!(en: "Nobody has been away too long", zh: "没有人缺席过久")
    } else {
        let who = counted(absent, "person");
        message!(en: "Away for a long time: {who}", zh: "有 {absent} 人很久没写到")
    };
    let mut people: Vec<_> = cast.characters.iter().collect();
    people.sort_by_key(|person| std::cmp::Reverse(person.chapters.len()));
    let rows: Vec<(String, String, Vec<u32>)> = people
        .into_iter()
        .take(40)
        .map(|person| {
            (
                person.name.clone(),
                book.href(&format!("/codex/{}", person.id)),
                person.chapters.clone(),
            )
        })
        .collect();
    if rows.is_empty() {
        return html! {};
    }
    presence(
        title.get(ask.lang()),
        ask.t(
            "Who appears when, the most present first",
            "谁在何时出场，出场多者在前",
        ),
        ask.t("Table", "表格"),
        last,
        &rows,
    )
}
