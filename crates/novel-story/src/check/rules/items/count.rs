//! More of a thing than there are, counted anywhere in a sentence.

use std::ops::Range;

use novel_model::Lang;
use novel_text::parse_numeral;

use super::{
    super::{agent, shown::spaced},
    Scope, Tracked, Why, en,
    handling::MEASURES_ZH,
};
use crate::{
    check::prose::{Scene, Sentence, holds, occurrences},
    ledger::number_word,
};

/// More of the thing come in, are wished for, or are not theirs.
const OTHERS_ZH: &[&str] = &[
    "买", "购", "新", "另", "送来", "赏", "赠", "铸", "炼", "造", "补", "添", "捡", "缴获", "运来",
    "找到", "要", "想", "需", "凑", "差", "缺", "借", "换", "值", "卖", "对方", "敌", "别人",
    "他人", "掌柜", "库房", "不足", "不够", "不是", "没", "哪", "最多", "至多", "不到", "每", "领",
    "得了", "又有", "送", "抢", "夺", "偷", "收到", "以为", "像", "画", "各", "价",
];
const OTHERS_EN: &[&str] = &[
    " bought ",
    " buy ",
    " new ",
    " wish",
    " want",
    " need",
    " owed ",
    " price",
    " worth ",
    " sold ",
    " sell ",
    " borrow",
    " lent ",
    " cast her ",
    " cast him ",
    " made ",
    " found ",
    " enemy",
    " per ",
    " each ",
    " every day ",
    " asked for ",
    " short of ",
    " not ",
    " never ",
    " would ",
    " could ",
    " another's ",
    " delivered ",
    " arrived ",
    " brought ",
    " stole ",
    " won ",
    " gave her ",
    " gave him ",
    " thought ",
    " painted ",
    " ago ",
    " once ",
    " if ",
    " like ",
    " had been ",
    " had owned ",
    " had carried ",
    " had started ",
    " had begun ",
];

/// Things are used up.
const SPENT_ZH: &[&str] = &[
    "吞", "服", "吃", "喂", "射", "掷", "扔", "发", "用", "分", "打", "祭", "烧", "甩", "喝", "投",
];
const SPENT_EN: &[&str] = &[
    " fired ",
    " shot ",
    " loosed ",
    " drank ",
    " ate ",
    " swallowed ",
    " spent ",
    " used ",
    " threw ",
    " burned ",
    " lit ",
];

/// Who has more of the thing than there are, and the decisive bytes.
pub(super) fn told<'a>(
    scope: &Scope<'a>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    thing: &Tracked<'_>,
) -> Option<(&'a str, Range<usize>)> {
    let Why::Count(count, _) = thing.why else {
        return None;
    };
    let focus = match scope.lang {
        Lang::Zh => over_zh(scene, sentence, thing.name, count),
        Lang::En => over_en(scene, sentence, thing.name, count),
    }?;
    if !agent::is_now(scope, at, scene, sentence) {
        return None;
    }
    let (user, _) = agent::near(scope, at, sentence, focus.start)
        .or_else(|| agent::near(scope, at, sentence, sentence.end))?;
    Some((user, focus))
}

fn is_number(char: char) -> bool {
    char.is_ascii_digit() || "一二三四五六七八九十百千两".contains(char)
}

/// The number a text ends with.
fn number_at_end(text: &str) -> Option<(u32, usize)> {
    let start = text.trim_end_matches(is_number).len();
    let number = parse_numeral(&text[start..].replace('两', "二"))?;
    (start < text.len()).then_some((number, start))
}

fn over_zh(scene: &Scene<'_>, sentence: Sentence, name: &str, count: u32) -> Option<Range<usize>> {
    let text = scene.text(sentence);
    let mut sum = 0;
    let mut first = None;
    for start in occurrences(text, name).filter(|at| !scene.is_quoted(sentence.start + at)) {
        let clause = agent::clause(scene, sentence, sentence.start + start, Lang::Zh);
        let whole = &scene.content[clause.clone()];
        if holds(whole, OTHERS_ZH) {
            return None;
        }
        let front = &text[..start];
        let counted = front
            .strip_suffix(|char: char| MEASURES_ZH.contains(char))
            .and_then(number_at_end);
        if let Some((number, from)) = counted {
            let ordinal = front[..from].ends_with('第');
            if number > count && !(front[..from].ends_with(['上', '数', '几', '成'])) {
                return Some(sentence.start + from..sentence.start + start + name.len());
            }
            if !ordinal && holds(whole, SPENT_ZH) {
                sum += number;
                first.get_or_insert(sentence.start + from);
            }
            if sum > count {
                return first.map(|from| from..sentence.start + start + name.len());
            }
        }
        // `银票，一共九张`.
        let rest = &text[start + name.len()..];
        let next = rest.strip_prefix('，').unwrap_or(rest);
        let total = [
            "一共", "总共", "足有", "还有", "还剩", "剩下", "整整", "拢共", "合计", "共", "统共",
            "尚余",
        ]
        .iter()
        .find_map(|mark| next.strip_prefix(mark))
        .map(|next| next.trim_start_matches(['是', '有', '着']));
        if let Some(next) = total {
            let end = next.find(|char| !is_number(char)).unwrap_or(next.len());
            let number = parse_numeral(&next[..end].replace('两', "二"));
            let measured = next[end..].starts_with(|char: char| MEASURES_ZH.contains(char));
            if number.is_some_and(|number| number > count) && measured {
                let to = text.len() - next.len() + end;
                return Some(sentence.start + start..sentence.start + to);
            }
        }
    }
    None
}

fn over_en(scene: &Scene<'_>, sentence: Sentence, name: &str, count: u32) -> Option<Range<usize>> {
    let text = scene.text(sentence);
    let lower = spaced(text);
    if OTHERS_EN.iter().any(|word| lower.contains(word)) {
        return None;
    }
    // `bullets in the revolver` are bullets.
    let name = [" in ", " on ", " from "]
        .iter()
        .find_map(|mark| name.split_once(mark))
        .map_or(name, |(front, _)| front);
    let single = name.strip_suffix('s').unwrap_or(name);
    let mut sum = 0;
    let mut first = None;
    let plural = en::places(text, name);
    let singular = en::places(text, single).filter(|_| single.len() < name.len());
    let mut all: Vec<Range<usize>> = plural.chain(singular).collect();
    all.sort_by_key(|range| range.start);
    for range in all {
        if scene.is_quoted(sentence.start + range.start) {
            continue;
        }
        let front = spaced(&text[..range.start]);
        let Some(number) = number_before(&front) else {
            continue;
        };
        let focus = sentence.start + range.start..sentence.start + range.end;
        if number > count {
            return Some(focus);
        }
        sum += number;
        let from = *first.get_or_insert(focus.start);
        if sum > count && SPENT_EN.iter().any(|word| lower.contains(word)) {
            return Some(from..focus.end);
        }
    }
    None
}

/// The number an English noun has before it: `six`, `the remaining seven`, `five of the`, `a fifth`.
fn number_before(front: &str) -> Option<u32> {
    const ORDINALS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh", "twelfth",
    ];
    let mut words: Vec<&str> = front.split_whitespace().collect();
    for known in [
        "the",
        "of",
        "his",
        "her",
        "their",
        "its",
        "more",
        "remaining",
        "other",
        "last",
        "full",
    ] {
        if words.len() > 1 && words.last() == Some(&known) {
            words.pop();
        }
    }
    if words.last() == Some(&"of") {
        words.pop();
    }
    let last = *words.last()?;
    if last == "dozen" {
        return match words.get(words.len().checked_sub(2)?)? {
            &"a" if words.get(words.len().wrapping_sub(3)) == Some(&"half") => Some(6),
            &"a" | &"whole" => Some(12),
            word => number_word(word).map(|number| number * 12),
        };
    }
    if let Some(at) = ORDINALS.iter().position(|ordinal| *ordinal == last) {
        return u32::try_from(at + 1).ok();
    }
    number_word(last)
}
