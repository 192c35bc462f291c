//! The day a sentence begins with, against where the story was.

use novel_model::Lang;

use super::{
    super::{against, agent},
    push,
};
use crate::{
    check::{
        dates::{self, Date},
        finding::Finding,
        prose::{Scene, Sentence, holds},
        rules::Scope,
        time::{MONTHS, Moment},
        timeline::TIME_MARKER,
    },
    ledger::read_number,
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    // A chapter with a marker of its own is compared by it.
    let own = scope
        .own
        .is_some_and(|own| own.ops.iter().any(|op| op.path() == TIME_MARKER));
    if own {
        return;
    }
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        for sentence in scene.sentences.iter().copied() {
            let told = scope
                .flashbacks
                .get(at)
                .is_none_or(|flashbacks| flashbacks.covers(sentence.start));
            if told || scene.is_quoted(sentence.start) {
                continue;
            }
            let marker = match scope.lang {
                Lang::Zh => marker_zh(scene.text(sentence)),
                Lang::En => marker_en(scope, at, scene, sentence),
            };
            let marker = marker.filter(|marker| is_as_fine(scope, marker));
            let clash = marker
                .filter(|_| !on_paper(scope, scene, sentence))
                .and_then(|marker| against::day(scope, &marker))
                .or_else(|| {
                    let date = date_in(scope, at, scene, sentence)?;
                    against::day(scope, &date)
                });
            let Some(clash) = clash else {
                continue;
            };
            let place = scope
                .text
                .side(scene, sentence, sentence.start..sentence.end);
            push(findings, clash.at(scope, place));
            return;
        }
    }
}

/// The date of a letter, a receipt or a birthday is no date of now.
fn on_paper(scope: &Scope<'_>, scene: &Scene<'_>, sentence: Sentence) -> bool {
    const ZH: &[&str] = &[
        "信", "日记", "报", "碑", "帖", "账", "票", "收据", "落款", "日期", "写着", "印着", "生辰",
        "生日", "忌", "史", "书上", "黄历",
    ];
    const EN: &[&str] = &[
        "receipt",
        "letter",
        "diary",
        "paper",
        "postmark",
        "dated",
        "stamp",
        "it said",
        "it read",
        "entry",
        "ticket",
        "birthday",
        "born",
        "anniversary",
        "invoice",
        "tombstone",
        "headstone",
        "photograph",
        "file",
        "report",
        "due ",
    ];
    let text = |sentence: Sentence| scene.text(sentence).to_lowercase();
    let previous = scene
        .previous_in_paragraph(sentence)
        .map(text)
        .unwrap_or_default();
    // `初十，顾慎收到一封信`: what comes after the date is no paper.
    let own = text(sentence);
    let own = match scope.lang {
        Lang::Zh => own.split('，').next().unwrap_or_default(),
        Lang::En => own.as_str(),
    };
    let words = match scope.lang {
        Lang::Zh => ZH,
        Lang::En => EN,
    };
    holds(own, words) || holds(&previous, words)
}

/// A day that a sentence says it is, anywhere in it: `今夜正是七月初七`, `It was only the first of June`,
/// `离中秋还有三天`.
fn date_in(scope: &Scope<'_>, at: usize, scene: &Scene<'_>, sentence: Sentence) -> Option<String> {
    const LEADS_ZH: &[&str] = &[
        "今天是",
        "今日是",
        "今天",
        "今日",
        "今夜",
        "今晚",
        "今夜正是",
        "今日正是",
        "今天正是",
        "这是",
        "这天是",
        "这一天是",
        "这一日是",
        "正是",
        "正值",
        "时值",
        "已是",
        "才是",
        "到了",
        "今天才",
        "今天才是",
        "这才",
        "这才是",
        "恰逢",
        "又是",
        "眼下是",
        "如今是",
    ];
    const COUNTED_FROM: &[&str] = &[
        "困", "漂", "围城", "守城", "进山", "入山", "上岛", "出发", "上路", "案发", "航行", "行军",
        "逃亡", "闭关", "比武", "大赛", "大比", "穿越", "旅途", "出海", "开战", "登岛",
    ];
    const PAST_ZH: &[&str] = &[
        "那时", "那年", "那天", "那日", "那夜", "当时", "早在", "就已", "约", "定于", "计划", "要",
        "等到", "之前", "以前", "之后", "以后", "前的", "后的",
    ];
    const PAST_EN: &[&str] = &[
        " had ",
        " ago ",
        " until ",
        " till ",
        " before ",
        " since ",
        " by ",
        " for the ",
        " next ",
        " last ",
        " every ",
        " planned ",
        " would ",
        " will ",
        " after ",
        " from ",
        " due ",
        " meant ",
        " between ",
    ];
    if !agent::is_now(scope, at, scene, sentence) || on_paper(scope, scene, sentence) {
        return None;
    }
    let text = scene.text(sentence);
    match scope.lang {
        Lang::Zh => {
            let (date, range) = dates::find(text, Lang::Zh)?;
            let clause = agent::clause(scene, sentence, sentence.start + range.start, Lang::Zh);
            let front = &scene.content[clause.start..sentence.start + range.start];
            let rest = &text[range.end..];
            if holds(front, PAST_ZH) || rest.starts_with(['前', '后', '以', '之']) {
                return None;
            }
            // `离中秋还有三天`.
            if front.is_empty() || front.ends_with(['离', '距']) || front.ends_with("距离") {
                let left = ["还有", "尚有", "只有", "还剩", "只剩"]
                    .iter()
                    .find_map(|mark| rest.strip_prefix(mark));
                if let Some(left) = left {
                    let end = left.find(['天', '日'])?;
                    let days = read_number(&serde_json::Value::from(&left[..end]))?;
                    let Date::Calendar { month, day } = date.minus(days)? else {
                        return None;
                    };
                    return Some(format!("{month}月{day}日"));
                }
            }
            let of = front
                .trim_end_matches('的')
                .trim_start_matches("这是")
                .trim_start_matches("今天是");
            let counted = matches!(date, Date::Count { .. }) && holds(of, COUNTED_FROM);
            let leads = LEADS_ZH.contains(&front);
            let opens = front.is_empty()
                && range.start == 0
                && (rest.starts_with([
                    '，', '。', '这', '夜', '清', '早', '傍', '一', '上', '下', '中', '晚', '凌',
                    '当',
                ]) || rest.starts_with("的傍晚")
                    || rest.starts_with("的清晨")
                    || rest.starts_with("的早")
                    || rest.starts_with("的夜")
                    || rest.starts_with("的下午"));
            (leads || opens || counted).then(|| match date {
                Date::Calendar { month, day } => format!("{month}月{day}日"),
                Date::Count { day, .. } => format!("第{day}天"),
            })
        }
        Lang::En => {
            let (date, range) = dates::find(text, Lang::En)?;
            let front = super::spaced(&text[..range.start]);
            let whole = super::spaced(text);
            let past = whole.split(" had ").skip(1).any(|rest| {
                let next = rest.split(' ').next().unwrap_or_default();
                !matches!(
                    next,
                    "the" | "a" | "an" | "his" | "her" | "no" | "to" | "three" | "two"
                )
            });
            if past
                || PAST_EN.iter().any(|word| front.contains(word))
                || holds(&whole, &[" years ", " that year ", " or ", " a year "])
                || scene.is_quoted(sentence.start + range.start)
            {
                return None;
            }
            let said = [
                " on ",
                " on the ",
                " on this the ",
                " it was ",
                " it was the ",
                " it was only ",
                " it was only the ",
                " it was still ",
                " today was ",
                " today was the ",
                " the date ",
                " phone ",
                " welcome to ",
                " the ",
                " this was ",
                " this was the ",
                " this was only the ",
                " of the ",
                " of ",
            ]
            .iter()
            .any(|lead| front.ends_with(lead));
            let near = front.split_whitespace().count() <= 8;
            let opens = front.trim().is_empty();
            let on = front.ends_with(" on ") || front.ends_with(" on the ");
            (opens || said && near || on).then(|| match date {
                Date::Calendar { month, day } => {
                    let name = MONTHS.get(month as usize - 1).copied().unwrap_or_default();
                    format!("{name} {day}")
                }
                Date::Count { of, day } if of.is_empty() => format!("day {day}"),
                Date::Count { of, day } => format!("day {day} of {of}"),
            })
        }
    }
}

/// Whether a day is told as finely as the last one: a bare year is most often long past.
fn is_as_fine(scope: &Scope<'_>, told: &str) -> bool {
    let known = scope.past.state.as_ref().and_then(|state| {
        let world = state.get("world_state")?;
        world.get("time_marker")?.as_str()
    });
    known
        .and_then(Moment::loose)
        .zip(Moment::loose(told))
        .is_none_or(|(known, told)| known.has_units_of(&told))
}

/// `建安十二年三月初五，赵衡登上城楼`, `今天是腊月二十三，`.
fn marker_zh(sentence: &str) -> Option<String> {
    const PAST: &[&str] = &[
        "曾", "想起", "记得", "回忆", "梦", "那时", "那年", "那天", "那日", "那夜", "当年", "当时",
        "从前", "以前", "写道", "信上", "信中", "信里", "日记", "记载", "出生", "生于", "约",
        "定于", "计划", "早在", "已经", "就已", "史", "说起", "碑", "据说", "相传", "生日", "忌日",
        "死于", "卒",
    ];
    let (first, rest) = sentence.split_once(['，', '：'])?;
    if holds(sentence, PAST) || rest.trim().is_empty() {
        return None;
    }
    let first = [
        "今天是",
        "今日是",
        "这天是",
        "这一天是",
        "这一日是",
        "时值",
        "时为",
        "正是",
        "正值",
    ]
    .iter()
    .find_map(|mark| first.strip_prefix(mark))
    .unwrap_or(first);
    // `漂流的第十九天`: counted from what the record counts from.
    let first = match first.split_once('的') {
        Some((_, rest)) if rest.starts_with('第') => rest,
        _ => first,
    };
    // `一日，众人出城`: some day, not the first.
    let dated = first.contains(['第', '月', '初', '年', '号', '-', '/'])
        || dates::find(first, Lang::Zh).is_some();
    dated.then(|| first.to_owned())
}

/// `On the morning of the fifth day Kit`, `Day 9.`, `October 12: Iris`.
fn marker_en(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
) -> Option<String> {
    const PAST: &[&str] = &[
        " remember",
        " recall",
        " would ",
        " was born",
        " ago",
        " died ",
        " wrote ",
        " dated ",
        " planned ",
        " until ",
        " diary ",
        " letter said",
        " before ",
        " since ",
        " used to ",
        " dream",
        " that year",
        " once ",
    ];
    let text = scene.text(sentence);
    let lower = text.to_lowercase();
    // `had the letter` is now, `had gone` is past.
    let past = lower.split(" had ").skip(1).any(|rest| {
        let next = rest.split(' ').next().unwrap_or_default();
        !matches!(next, "the" | "a" | "an" | "his" | "her" | "no" | "to")
    });
    if past || holds(&format!("{lower} "), PAST) {
        return None;
    }
    let mark = text.find([',', ':', '.', ';']).unwrap_or(text.len());
    let name = scope
        .mentions(at)
        .iter()
        .find(|mention| (sentence.start..sentence.end).contains(&mention.start))
        .map_or(text.len(), |mention| mention.start - sentence.start);
    let mut end = mark.min(name);
    // `Day 3, night`.
    if text.get(mark..).is_some_and(|rest| rest.starts_with(',')) && mark < name {
        let next = text[mark + 1..]
            .find([',', '.', ':'])
            .map_or(text.len(), |length| mark + 1 + length);
        if text[mark + 1..next].trim().split(' ').count() == 1 {
            end = next.min(name);
        }
    }
    let phrase = lower.get(..end)?.trim();
    if phrase.is_empty() || phrase.split(' ').count() > 8 {
        return None;
    }
    let phrase = [
        "on the ",
        "in the ",
        "on ",
        "in ",
        "it was the ",
        "it was ",
        "by the ",
    ]
    .iter()
    .find_map(|mark| phrase.strip_prefix(mark))
    .unwrap_or(phrase);
    Some(phrase.trim_end_matches(" of").replace(" of ", " "))
}
