//! Somebody in a place that the sentence, or the one right before it, sets as the scene.
//!
//! `听雨楼的灯笼亮起来，秋娘抱着琵琶`, `Rain fell on Harrowgate. Tessa turned up her collar`: a known
//! place that is not their own, told as here and now, in a chapter that has told of no journey.

use novel_model::Lang;

use super::{
    super::{
        against::{self, Clash},
        agent,
    },
    Shown, place, words,
};
use crate::check::{
    finding::Finding,
    prose::{Mention, Scene, Sentence, holds, occurrences},
    rules::Scope,
};

/// A clause with one of these only speaks of the place.
const SPOKEN_OF_ZH: &[&str] = &[
    "比", "想必", "应该", "该", "怕是", "那边", "消息", "信", "传来", "来的", "来人", "来使", "据",
    "如果", "若", "地图", "画", "距", "离", "通往", "往", "去", "方向", "远", "对岸", "说", "人氏",
    "口音", "出身", "出产", "产的", "特产", "等", "没", "不", "失守", "陷落", "故乡", "老家", "菜",
    "名", "屏幕", "视频", "电话",
];
const SPOKEN_OF_EN: &[&str] = &[
    " news ",
    " letter ",
    " letters ",
    " thought ",
    " road to ",
    " way to ",
    " map ",
    " would ",
    " could ",
    " might ",
    " if ",
    " from ",
    " to ",
    " toward ",
    " towards ",
    " for ",
    " about ",
    " beyond ",
    " miles ",
    " not ",
    " never ",
    " dream ",
    " screen ",
    " telephone ",
    " phone ",
    " wrote ",
    " remember ",
    " like ",
    " away ",
    " than ",
    " war ",
    " until ",
    " fallen ",
];

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let names = names(scope);
    if names.is_empty() {
        return;
    }
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        for sentence in scene.sentences.iter().copied() {
            let text = scene.text(sentence);
            if !names.iter().any(|name| text.contains(name.as_str())) {
                continue;
            }
            for name in &names {
                for found in occurrences(text, name) {
                    let start = sentence.start + found;
                    let set = !scene.is_quoted(start)
                        && is_set(scope.lang, scene, sentence, start, name)
                        && agent::is_now(scope, at, scene, sentence);
                    let found = set
                        .then(|| stands_there(scope, (at, scene), sentence, start, name))
                        .flatten();
                    if let Some((shown, clash)) = found {
                        let focus = start.min(shown.mention.start)..shown.mention.end;
                        let focus = if shown.sentence.start == sentence.start {
                            focus
                        } else {
                            shown.mention.start..shown.mention.end
                        };
                        let side = scope.text.side(scene, shown.sentence, focus);
                        super::push(findings, clash.at(scope, side));
                    }
                }
            }
        }
    }
}

/// Known places by every name: those of the file and where the record has people.
fn names(scope: &Scope<'_>) -> Vec<String> {
    let mut names: Vec<String> = scope
        .places
        .iter()
        .flat_map(|place| place.aliases.iter().chain([&place.name]).cloned())
        .collect();
    let people = scope
        .past
        .state
        .as_ref()
        .and_then(|state| state.get("characters")?.as_object());
    for (id, _) in people.into_iter().flatten() {
        if let Some((_, _, place)) = against::recorded_place(scope, id) {
            names.push(place.to_owned());
        }
    }
    names.retain(|name| (2..=against::LONGEST_NAME).contains(&name.chars().count()));
    names.sort();
    names.dedup();
    names
}

/// Whether a place at a byte is where the sentence plays.
fn is_set(lang: Lang, scene: &Scene<'_>, sentence: Sentence, start: usize, name: &str) -> bool {
    let clause = agent::clause(scene, sentence, start, lang);
    let front = &scene.content[clause.start..start];
    let rest = &scene.content[start + name.len()..clause.end.max(start + name.len())];
    match lang {
        Lang::Zh => {
            const TIMES: &[&str] = &[
                "天", "日", "夜", "晨", "晚", "时", "午", "早", "刻", "后", "今", "的",
            ];
            let front = front.trim_end_matches('在').trim_end();
            let bare = front.is_empty() || TIMES.iter().any(|end| front.ends_with(end));
            bare && front.chars().count() <= 10
                && !holds(front, SPOKEN_OF_ZH)
                && !holds(rest, SPOKEN_OF_ZH)
                && !rest.starts_with(['人', '话', '来', '兵', '军', '派'])
        }
        Lang::En => {
            const AT: [&str; 16] = [
                "in", "at", "over", "on", "outside", "above", "across", "through", "inside",
                "under", "behind", "beneath", "along", "aboard", "of", "off",
            ];
            let lower = super::spaced(front);
            let mut words: Vec<&str> = lower.split_whitespace().collect();
            if words.last() == Some(&"the") {
                words.pop();
            }
            let held = words.last().is_some_and(|word| AT.contains(word));
            // `the bar above Dock Nine`, `the bells of Harrowgate`: a thing there, not the name of one.
            let of = words.last() == Some(&"of")
                && ![
                    "king", "queen", "duke", "lord", "lady", "people", "name", "memory", "bank",
                    "sons",
                ]
                .iter()
                .any(|word| words.contains(word));
            let whole = format!("{lower}{}", super::spaced(rest));
            let bare = words.is_empty();
            (held && words.last() != Some(&"of")
                || of
                || bare && rest.trim_start().starts_with("was "))
                && !SPOKEN_OF_EN.iter().any(|word| whole.contains(word))
                && !rest.starts_with(['\'', '’'])
        }
    }
}

/// Who acts there: the first person after the place, in its sentence or the one after.
fn stands_there<'s, 'a>(
    scope: &'s Scope<'a>,
    (at, scene): (usize, &'s Scene<'a>),
    sentence: Sentence,
    start: usize,
    told: &str,
) -> Option<(Shown<'s, 'a>, Clash)> {
    let mut before = agent::named(scope, at, sentence).filter(|mention| mention.start < start);
    if before.next().is_some() {
        return None;
    }
    let mut here = sentence;
    let mut first: Option<Mention<'a>> = agent::named(scope, at, here).next();
    if first.is_none() {
        // The place opens its paragraph, and the next sentence goes on there.
        let opens = scene
            .previous_in_paragraph(sentence)
            .is_none_or(|previous| scene.text(previous).chars().count() <= 12);
        here = scene.next_in_paragraph(sentence).filter(|_| opens)?;
        first = agent::named(scope, at, here).next();
        if !agent::is_now(scope, at, scene, here) {
            return None;
        }
    }
    let mention = first?;
    scope.read(at, mention).act()?;
    let (_, _, known) = against::recorded_place(scope, mention.id)?;
    let shown = Shown {
        scope,
        at,
        scene,
        sentence: here,
        mention,
    };
    let between = &scene.content[start + told.len()..mention.start];
    // Another place nearer to them is where they are.
    let nearer = scope
        .places
        .iter()
        .flat_map(|place| place.aliases.iter().chain([&place.name]))
        .any(|name| name.chars().count() > 1 && between.contains(name.as_str()) && name != told);
    let also_known = scene.text(here).contains(known) || scene.text(sentence).contains(known);
    let elsewhere = match scope.lang {
        Lang::Zh => holds(
            between,
            &["另一", "千里", "而", "与此同时", "同一时刻", "此时远"],
        ),
        Lang::En => holds(
            &between.to_lowercase(),
            &["meanwhile", "elsewhere", "far away", "miles"],
        ),
    };
    let quoted = scene.is_quoted(mention.start);
    if nearer
        || also_known
        || elsewhere
        || quoted
        || place::travels(&shown, known, told)
        || sets_out(scope.lang, scene.text(sentence))
    {
        return None;
    }
    let clash = against::place(scope, mention.id, told)?;
    Some((shown, clash))
}

/// Whether the sentence of the place itself tells of a way.
fn sets_out(lang: Lang, text: &str) -> bool {
    match lang {
        Lang::Zh => holds(text, words::TRAVEL_ZH),
        Lang::En => holds(&text.to_lowercase(), words::TRAVEL_EN),
    }
}
