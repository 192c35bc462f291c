//! Somebody in a known place that the record does not let them be in.
//!
//! Only places of `world/places.json` or of the state, plainly said, in a chapter that has told of no
//! journey so far.

use novel_model::Lang;

use super::{
    super::against::{self, Clash},
    Shown, words,
};
use crate::check::prose::{holds, occurrences};

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    let scope = shown.scope;
    if scope.places.is_empty() {
        return None;
    }
    let (_, _, known) = against::recorded_place(scope, shown.mention.id)?;
    scope.places.id_of(known)?;
    scope.read(shown.at, shown.mention).act()?;
    let told = here(shown)?;
    if scope.places.same(known, &told) != Some(false) || travels(shown, known, &told) {
        return None;
    }
    against::place(scope, shown.mention.id, &told)
}

/// The known place the sentence puts its subject in.
fn here(shown: &Shown<'_, '_>) -> Option<String> {
    let content = shown.scene.content;
    let (start, end) = (shown.sentence.start, shown.sentence.end);
    let text = &content[start..end];
    let mut found: Option<String> = None;
    for place in shown.scope.places.iter() {
        for name in place.aliases.iter().chain([&place.name]) {
            if name.chars().count() < 2 {
                continue;
            }
            for at in occurrences(text, name) {
                let is_here = match shown.scope.lang {
                    Lang::Zh => here_zh(shown, start + at, name),
                    Lang::En => here_en(shown, start + at, name),
                };
                if is_here {
                    if found
                        .as_ref()
                        .is_some_and(|other| shown.scope.places.same(other, name) != Some(true))
                    {
                        return None;
                    }
                    found = Some(name.clone());
                }
            }
        }
    }
    found
}

/// `坐在长安西市的茶棚里`, `推开龙宫的大门`, `雪域的寒风里，姜雪`.
fn here_zh(shown: &Shown<'_, '_>, at: usize, name: &str) -> bool {
    let content = shown.scene.content;
    if shown.scene.is_quoted(at) {
        return false;
    }
    let is_break = |char: char| matches!(char, '，' | '。' | '；' | '！' | '：' | '？');
    let rest = &content[at + name.len()..shown.sentence.end];
    let clause_rest = rest.split(is_break).next().unwrap_or_default();
    if at < shown.mention.start {
        // Before the name: the clause is only the place.
        let front = content[shown.sentence.start..at]
            .rsplit(is_break)
            .next()
            .unwrap_or_default();
        let only = front.is_empty() || front == "在";
        return only
            && content[at + name.len()..shown.mention.start].contains('，')
            && clause_rest.ends_with(['里', '中', '上', '下', '内', '前', '旁', '边', '外']);
    }
    if words::LONGER_ZH.iter().any(|word| rest.starts_with(word)) {
        return false;
    }
    let between = &content[shown.mention.end..at];
    let clause = between.rsplit(is_break).next().unwrap_or_default();
    if holds(clause, words::NOT_THERE_ZH) || between.matches(is_break).count() > 1 {
        return false;
    }
    let located = clause.ends_with('在') || clause.ends_with("在了");
    let acts_there = [
        "推开",
        "推门进了",
        "踏进",
        "走进",
        "跨进",
        "坐进",
        "进了",
        "回到",
    ]
    .iter()
    .any(|verb| clause.ends_with(verb));
    located || acts_there
}

/// `was haggling in Saltmarket`, `walked up from the Lisbon docks`: no, only where one is.
fn here_en(shown: &Shown<'_, '_>, at: usize, name: &str) -> bool {
    let content = shown.scene.content;
    if shown.scene.is_quoted(at) {
        return false;
    }
    if at < shown.mention.start {
        // `In Lisbon, Nadia`, `Outside a bar in Lisbon Nadia`: the sentence begins with the place.
        let front = content[shown.sentence.start..at].to_lowercase();
        let begins = [
            "in ",
            "at ",
            "inside ",
            "outside ",
            "on ",
            "back in ",
            "high above ",
        ]
        .iter()
        .any(|word| front.starts_with(word));
        let gap = content[at + name.len()..shown.mention.start].trim();
        let last = front.trim_end().trim_end_matches(" the");
        let near = last.ends_with("in")
            || last.ends_with("at")
            || last.ends_with("on")
            || last.ends_with("inside")
            || last.ends_with("outside");
        return begins && near && (gap.is_empty() || gap == ",");
    }
    let between = content[shown.mention.end..at].to_lowercase();
    let after = &content[at + name.len()..shown.sentence.end];
    let bare = name.to_lowercase();
    let front = between.trim_end().trim_end_matches(" the").trim_end();
    let located = owned_by(front).is_some()
        || [
            " in", " at", " inside", " outside", " through", " along", " on", " across",
        ]
        .iter()
        .any(|word| front.ends_with(word));
    let spaced = format!(" {} ", between.trim_end());
    let spaced = match owned_by(front) {
        Some(short) => format!(" {short} "),
        None => spaced,
    };
    let elsewhere = words::NOT_THERE_EN.iter().any(|word| spaced.contains(word))
        || between
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| words::FROM_AFAR_EN.contains(&word));
    let hides = front.contains(['.', ';', ':', '"', '“']) || front.matches(',').count() > 1;
    let another = shown.scope.mentions(shown.at).iter().any(|other| {
        (shown.mention.end..at).contains(&other.start) && other.id != shown.mention.id
    });
    !bare.is_empty()
        && located
        && !elsewhere
        && !hides
        && !another
        && !after.starts_with("'s")
        && !after.starts_with("’s")
}

/// `through the orange slush of`: the front without the phrase that puts somebody there.
fn owned_by(front: &str) -> Option<&str> {
    const AT: [&str; 12] = [
        " in the ",
        " on the ",
        " at the ",
        " through the ",
        " across the ",
        " along the ",
        " outside the ",
        " inside the ",
        " beneath the ",
        " under the ",
        " above the ",
        " up the ",
    ];
    const NO_PLACE: [&str; 20] = [
        "name", "thought", "news", "map", "history", "memory", "hope", "dream", "service", "way",
        "idea", "talk", "picture", "story", "mention", "rumour", "king", "duke", "people", "edge",
    ];
    let rest = front.strip_suffix(" of")?;
    let start = AT.iter().filter_map(|mark| rest.rfind(mark)).max()?;
    let phrase: Vec<&str> = rest[start..].split_whitespace().collect();
    let place = phrase.last()?;
    (phrase.len() <= 6 && !NO_PLACE.contains(place)).then(|| &rest[..start])
}

/// Whether a journey may lie between: one they may be on is told in the chapter, or time passes.
pub(super) fn travels(shown: &Shown<'_, '_>, known: &str, told: &str) -> bool {
    let sentence = shown.lower();
    let (travel, soon, later) = match shown.scope.lang {
        Lang::Zh => (words::TRAVEL_ZH, words::SOON_ZH, words::LATER_ZH),
        Lang::En => (words::TRAVEL_EN, words::SOON_EN, words::LATER_EN),
    };
    let before = &shown.scene.content[..shown.sentence.start];
    let earlier = shown.scope.text.scenes[..shown.at].iter();
    let earlier: Vec<&str> = earlier.map(|scene| scene.content).chain([before]).collect();
    // Of whom the chapter has not spoken, it has told no journey; but time passes for everybody.
    let spoken_of = |text: &str| {
        let mut mentions = shown.scope.index.mentions(text).into_iter();
        mentions.any(|mention| mention.id == shown.mention.id)
    };
    let on_the_way = earlier.iter().any(|text| spoken_of(text))
        && earlier
            .iter()
            .any(|text| holds(&text.to_lowercase(), travel));
    let time_passes = earlier
        .iter()
        .any(|text| holds(&text.to_lowercase(), later));
    if on_the_way || time_passes {
        return true;
    }
    // The way is known to be longer than the time that is said to pass.
    let far = shown
        .scope
        .places
        .days(known, told)
        .is_some_and(|days| days >= 3.0);
    if far && (holds(&sentence, soon) || holds(&before.to_lowercase(), soon)) {
        return false;
    }
    let returns = ["回到", "returned to"]
        .iter()
        .any(|word| sentence.contains(word));
    returns || holds(&sentence, travel)
}
