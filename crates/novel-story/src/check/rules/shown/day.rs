//! The day a sentence begins with, against where the story was.

use novel_model::Lang;

use super::{super::against, push};
use crate::check::{
    finding::Finding,
    prose::{Scene, Sentence, holds},
    rules::Scope,
    time::Moment,
    timeline::TIME_MARKER,
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
            let Some(clash) = marker.and_then(|marker| against::day(scope, &marker)) else {
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
    Some(first.to_owned())
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
