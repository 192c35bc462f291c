//! Somebody uses a thing that left their hands, that is destroyed, that somebody else holds, or more
//! of it than there are.

mod count;
mod en;
#[rustfmt::skip]
mod handling;
mod zh;

use std::ops::Range;

use novel_model::{Lang, Message, message};
use serde_json::Value;

use super::{Scope, agent, member, shown::push, subject::subject};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        prose::{Scene, Sentence, holds, occurrences},
        timeline::{Record, inventory_owner},
        words,
    },
    ledger::{Meaning, Slot, number_word, read_number, without_article},
};

/// Bytes between the verb and the item: `那枚从不离身的`.
const MAX_GAP: usize = 36;

/// A thing the record knows to be out of somebody's reach.
struct Tracked<'a> {
    /// Without an article.
    name: &'a str,
    /// Whether the record names it with one: then only `the ledger` is it, not any ledger.
    has_article: bool,
    why: Why<'a>,
}

enum Why<'a> {
    /// It left this person's hands.
    Given(&'a str, &'a Record),
    /// It is no more.
    Destroyed(Side),
    /// Somebody else has it.
    Held(&'a str, Side),
    /// There are only so many.
    Count(u32, Side),
}

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    for thing in tracked(scope) {
        for (at, scene) in scope.text.scenes.iter().enumerate() {
            for sentence in scene.sentences.iter().copied() {
                let found = use_in(scope, at, scene, sentence, &thing)
                    .or_else(|| handled(scope, at, scene, sentence, &thing))
                    .or_else(|| count::told(scope, at, scene, sentence, &thing));
                let Some((user, focus)) = found else {
                    continue;
                };
                let place = scope.text.side(scene, sentence, focus);
                push(findings, report(scope, user, &thing, place));
            }
        }
    }
}

/// Everything that can be used wrongly in this chapter.
fn tracked<'a>(scope: &'a Scope<'a>) -> Vec<Tracked<'a>> {
    let mut found = Vec::new();
    for ((owner, item), given) in &scope.past.given {
        if item.chars().count() > 1 && !holds_again(scope, owner, item) {
            found.push(Tracked {
                name: item,
                has_article: false,
                why: Why::Given(owner, given),
            });
        }
    }
    let state = scope.past.state.as_ref();
    let items = state.and_then(|state| state.get("items")?.as_object());
    for (id, record) in items.into_iter().flatten() {
        let name = ["display_name", "name"]
            .iter()
            .find_map(|key| record.get(*key)?.as_str())
            .unwrap_or(id);
        let fields = record.as_object().into_iter().flatten();
        // The chapter itself may mend it, hand it on or bring more.
        let touched = scope.own.is_some_and(|own| {
            own.ops.iter().any(|op| {
                op.path()
                    .strip_prefix("items.")
                    .is_some_and(|path| path.split('.').next() == Some(id.as_str()))
                    || op
                        .value()
                        .is_some_and(|value| value.to_string().contains(name))
            })
        });
        if name.chars().count() < 2 || touched {
            continue;
        }
        for (field, value) in fields {
            let slot = match field.as_str() {
                "status" | "state" | "状态" => Slot::Intact,
                _ => match Slot::of_field(field) {
                    Some(slot) => slot,
                    None => continue,
                },
            };
            let side = || {
                scope
                    .past
                    .source(&format!("items.{id}.{field}"), member(field, value))
            };
            let why = match (slot, Meaning::of(slot, field, value)) {
                (Slot::Intact, Some(Meaning::Intact(false))) => Why::Destroyed(side()),
                (Slot::Holder, Some(Meaning::Name(holder))) => match scope.person(&holder) {
                    Some(holder) => Why::Held(holder, side()),
                    None => continue,
                },
                (Slot::Count, Some(Meaning::Number(count))) => Why::Count(count, side()),
                _ => continue,
            };
            let bare = without_article(name);
            found.push(Tracked {
                name: bare,
                has_article: bare.len() < name.len(),
                why,
            });
        }
    }
    found
}

/// A thing that is no more, or that somebody else holds, in somebody's hands: the thing is the object
/// of any verb of handling, stands in a phrase of means, or does itself what only a whole thing does.
fn handled<'a>(
    scope: &Scope<'a>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    thing: &Tracked<'_>,
) -> Option<(&'a str, Range<usize>)> {
    let owner = match &thing.why {
        Why::Destroyed(_) => None,
        Why::Held(holder, _) => Some(*holder),
        Why::Given(..) | Why::Count(..) => return None,
    };
    let text = scene.text(sentence);
    let found = match scope.lang {
        Lang::Zh => occurrences(text, thing.name)
            .map(|at| sentence.start + at)
            .filter(|start| !scene.is_quoted(*start))
            .find_map(|start| {
                let range = start..start + thing.name.len();
                zh::handled(scene, sentence, range.clone(), owner.is_some()).then_some(range)
            }),
        Lang::En => en::places(text, thing.name)
            .map(|range| sentence.start + range.start..sentence.start + range.end)
            .filter(|range| !scene.is_quoted(range.start))
            .find(|range| en::handled(scene, sentence, range.clone(), owner.is_some())),
    }?;
    if !agent::is_now(scope, at, scene, sentence) {
        return None;
    }
    let (user, named) = agent::near(scope, at, sentence, found.start).or_else(|| {
        let first = agent::named(scope, at, sentence).next()?;
        Some((first.id, first.start..first.end))
    })?;
    if let Some(holder) = owner {
        let beside = agent::named(scope, at, sentence).any(|other| other.id == holder);
        if beside || user == holder || is_passed(scope, at, sentence, thing.name) {
            return None;
        }
    }
    let focus = named.start.min(found.start)..found.end.max(named.end);
    Some((user, focus))
}

/// Whether the chapter tells, up to a sentence, how a thing goes from hand to hand.
fn is_passed(scope: &Scope<'_>, at: usize, sentence: Sentence, name: &str) -> bool {
    let scenes = scope.text.scenes.iter().enumerate().take(at + 1);
    scenes.into_iter().any(|(number, scene)| {
        scene
            .sentences
            .iter()
            .filter(|other| number < at || other.start <= sentence.start)
            .any(|other| {
                // Of its own sentence only what leads up to the thing.
                let text = if number == at && other.start == sentence.start {
                    let named = scene.text(*other).find(name).unwrap_or_default();
                    let end =
                        agent::clause(scene, sentence, sentence.start + named, scope.lang).end;
                    &scene.content[other.start..end]
                } else {
                    scene.text(*other)
                };
                match scope.lang {
                    Lang::Zh => text.contains(name) && holds(text, handling::PASSED_ZH),
                    Lang::En => {
                        let lower = text.to_lowercase();
                        lower.contains(&name.to_lowercase()) && holds(&lower, handling::PASSED_EN)
                    }
                }
            })
    })
}

/// The person in the sentence who uses the thing though they cannot, and the decisive bytes.
fn use_in<'a>(
    scope: &Scope<'a>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    thing: &Tracked<'_>,
) -> Option<(&'a str, Range<usize>)> {
    let text = scene.text(sentence);
    if !text.contains(thing.name) {
        return None;
    }
    if let Some(found) = in_hands_of(scope, at, scene, sentence, thing) {
        return Some(found);
    }
    let (user, named) = subject(scope, at, sentence)?;
    let from = named.end;
    let wrong = match &thing.why {
        Why::Given(owner, _) => *owner == user,
        Why::Held(holder, _) => *holder != user,
        Why::Destroyed(_) | Why::Count(..) => true,
    };
    let denied = match scope.lang {
        Lang::Zh => holds(text, words::NO_USE_ZH),
        Lang::En => holds(&text.to_lowercase(), words::NO_USE_EN),
    };
    if !wrong || denied {
        return None;
    }
    let item_at = occurrences(text, thing.name)
        .map(|at| sentence.start + at)
        .find(|at| *at >= from && !scene.is_quoted(*at))?;
    let between = &scene.content[from..item_at];
    if thing.has_article && !is_definite(between) {
        return None;
    }
    // Somebody else between the two may be the one who uses it, or whose it is.
    if scope
        .mentions(at)
        .iter()
        .any(|other| (from..item_at).contains(&other.start) && other.id != user)
        || another_s(between, scope.lang)
        || !(is_used(
            between,
            &scene.content[item_at + thing.name.len()..sentence.end],
            scope.lang,
        ) || matches!(thing.why, Why::Count(..)) && is_handled(between, scope.lang))
    {
        return None;
    }
    if let Why::Count(count, _) = thing.why {
        let used = number_before(between, scope.lang)?;
        if used <= count {
            return None;
        }
    }
    Some((user, named.start..item_at + thing.name.len()))
}

/// `翡翠镯在段云深手里`, `The locket swung from Jory's fingers`: the thing is what the clause tells of.
fn in_hands_of<'a>(
    scope: &Scope<'a>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    thing: &Tracked<'_>,
) -> Option<(&'a str, Range<usize>)> {
    const HANDS_ZH: [&str; 9] = [
        "手里", "手中", "手上", "怀里", "怀中", "腰间", "掌中", "指间", "掌心",
    ];
    const HANDS_EN: [&str; 9] = [
        "hand", "hands", "fingers", "fist", "grip", "palm", "belt", "pocket", "neck",
    ];
    let Why::Held(holder, _) = &thing.why else {
        return None;
    };
    if scope.flashbacks.get(at)?.covers(sentence.start) {
        return None;
    }
    let text = scene.text(sentence);
    let start = sentence.start + occurrences(text, thing.name).next()?;
    let end = start + thing.name.len();
    // The thing begins its sentence.
    let head = scene.content[sentence.start..start].trim().to_lowercase();
    let begins = head.is_empty()
        || matches!(
            head.as_str(),
            "the" | "那" | "这" | "那只" | "那把" | "那枚" | "那柄" | "那块"
        );
    let mention = scope
        .mentions(at)
        .iter()
        .find(|mention| (end..sentence.end).contains(&mention.start))?;
    let (between, after) = (
        &scene.content[end..mention.start],
        &scene.content[mention.end..sentence.end],
    );
    let lower = text.to_lowercase();
    let in_hand = match scope.lang {
        Lang::Zh => {
            !holds(text, words::NO_USE_ZH)
                && matches!(
                    between,
                    "在" | "就在" | "正在" | "还在" | "已在" | "已经在" | "落在" | "握在"
                )
                && HANDS_ZH
                    .iter()
                    .any(|hand| after.trim_start_matches('的').starts_with(hand))
        }
        Lang::En => {
            let owned = after
                .strip_prefix("'s ")
                .or_else(|| after.strip_prefix("’s "));
            !holds(&lower, words::NO_USE_EN)
                && !between.contains([',', ';', '.'])
                && [" in ", " from ", " at ", " on ", " round ", " around "]
                    .iter()
                    .any(|place| between.ends_with(place))
                && owned.is_some_and(|rest| {
                    rest.split(|char: char| !char.is_alphabetic())
                        .take(2)
                        .any(|word| HANDS_EN.contains(&word))
                })
        }
    };
    (begins && in_hand && mention.id != *holder && !scene.is_quoted(start))
        .then_some((mention.id, start..mention.end))
}

/// `the ledger`, `his ledger`: not any.
fn is_definite(between: &str) -> bool {
    let word = between.trim_end().rsplit(' ').next().unwrap_or_default();
    matches!(
        word.to_lowercase().as_str(),
        "the" | "his" | "her" | "that" | "this" | "their"
    )
}

/// A verb right before a number: `loosed six arrows`, `点起五根蜡烛`.
fn is_handled(between: &str, lang: Lang) -> bool {
    let clause = between
        .rsplit(['，', '；', ',', ';'])
        .next()
        .unwrap_or_default();
    match lang {
        Lang::Zh => {
            let verb = clause.trim_end_matches(|char: char| !"起着出下开上进把将了".contains(char));
            !verb.is_empty()
        }
        Lang::En => {
            let mut words = clause.trim().rsplit(' ').skip(1);
            words.next().is_some_and(|verb| {
                let verb = verb.to_lowercase();
                verb.len() > 3 && verb.ends_with("ed")
                    || words::HANDLES_EN.contains(&verb.as_str())
                    || matches!(verb.as_str(), "the" | "all" | "his" | "her")
                        && words.next().is_some_and(|verb| {
                            verb.len() > 3 && verb.ends_with("ed")
                                || words::HANDLES_EN.contains(&verb)
                        })
            })
        }
    }
}

/// `他的`, `her`: the thing right after it is somebody else's.
fn another_s(between: &str, lang: Lang) -> bool {
    match lang {
        Lang::Zh => {
            between.ends_with("对方的")
                || between.ends_with("那人的")
                || between.ends_with("老人的")
        }
        Lang::En => between.trim_end().ends_with("'s") || between.trim_end().ends_with("’s"),
    }
}

/// The number right before a thing: `五枚`, `five`.
fn number_before(between: &str, lang: Lang) -> Option<u32> {
    match lang {
        Lang::Zh => {
            let counted = between.strip_suffix(|char: char| {
                "个枚把支只颗粒瓶张块件柄口条根两包匹封本卷面发艘辆杆坛壶袋副双株滴片盏头锭串份门架".contains(char)
            })?;
            let start = counted
                .trim_end_matches(|char: char| {
                    char.is_ascii_digit() || "一二三四五六七八九十百千两".contains(char)
                })
                .len();
            read_number(&Value::from(&counted[start..]))
        }
        Lang::En => {
            let word = between.trim_end().rsplit(' ').next()?;
            number_word(word)
        }
    }
}

fn report(scope: &Scope<'_>, user: &str, thing: &Tracked<'_>, place: Side) -> Finding {
    let name = scope.display(user);
    let item = thing.name;
    let quotation = place.quotation.clone();
    let (code, other, text, fix) = match &thing.why {
        Why::Given(_, given) => {
            let chapter = given.chapter.get();
            (
                FindingCode::ItemUsedAfterGivenAway,
                given.side(),
                message!(
                    en: "{name} uses `{item}`, which left their hands in chapter {chapter}",
                    zh: "{name}使用了“{item}”，而该物品已在第 {chapter} 章离手"
                ),
                message!(
                    en: "{name} no longer has `{item}` (since chapter {chapter}): rewrite “{quotation}” so that it is not used, or show how it came back",
                    zh: "{name}自第 {chapter} 章起已不再持有“{item}”：请改写「{quotation}」，不要使用它，或写明它如何失而复得"
                ),
            )
        }
        Why::Destroyed(side) => (
            FindingCode::ItemUsedAfterDestroyed,
            side.clone(),
            message!(en: "{name} uses `{item}`, which no longer exists", zh: "{name}使用了“{item}”，而该物品已经毁坏或遗失"),
            gone_fix(item, &quotation),
        ),
        Why::Held(holder, side) => {
            let holder = scope.display(holder);
            (
                FindingCode::ItemHeldByAnother,
                side.clone(),
                message!(en: "{name} uses `{item}`, which {holder} holds", zh: "{name}使用了“{item}”，而该物品在{holder}手中"),
                message!(
                    en: "{holder} holds `{item}`: rewrite “{quotation}”, or show how {name} came by it",
                    zh: "“{item}”在{holder}手中：请改写「{quotation}」，或写明{name}如何得到它"
                ),
            )
        }
        Why::Count(count, side) => (
            FindingCode::ItemCountMismatch,
            side.clone(),
            message!(en: "there are only {count} of `{item}`", zh: "“{item}”只有 {count} 件，本章用得更多"),
            message!(
                en: "only {count} of `{item}` are left: rewrite “{quotation}”",
                zh: "“{item}”只剩 {count} 件：请改写「{quotation}」"
            ),
        ),
    };
    let about = place.bound(&format!("{user}.{item}"));
    Finding::new(code, scope.chapter, &about, (place, other), text)
        .about([name])
        .fix(scope.lang, &fix)
}

fn gone_fix(item: &str, quotation: &str) -> Message {
    message!(
        en: "`{item}` no longer exists: rewrite “{quotation}” without it, or show how it was restored",
        zh: "“{item}”已不复存在：请改写「{quotation}」，不要使用它，或写明它如何复原"
    )
}

/// Whether the item is theirs before the chapter after all, or comes back in it.
fn holds_again(scope: &Scope<'_>, owner: &str, item: &str) -> bool {
    let names = |value: &Value| {
        crate::ledger::things(value)
            .iter()
            .any(|thing| thing.name == item)
    };
    let holds = scope
        .past
        .character(owner)
        .and_then(|record| record.get("inventory"))
        .is_some_and(names);
    let own = scope.own.into_iter().flat_map(|own| &own.ops);
    let comes_back = own
        .filter(|record| matches!(record.verb(), "add" | "set"))
        .filter(|record| inventory_owner(record.path()) == Some(owner))
        .filter_map(Record::value)
        .any(names);
    holds || comes_back
}

/// Whether the thing is the object of a verb of use: shortly before it in the clause, or after it
/// where it stands before its verb (`把短刀插回鞘中`, `短刀在手`).
fn is_used(between: &str, rest: &str, lang: Lang) -> bool {
    let verbs = match lang {
        Lang::Zh => words::USES_ZH,
        Lang::En => words::USES_EN,
    };
    let clause = between
        .rsplit(['，', '；', ',', ';'])
        .next()
        .unwrap_or_default();
    let near = verbs
        .iter()
        .filter_map(|verb| Some(clause.len() - clause.rfind(verb)? - verb.len()))
        .any(|gap| gap <= MAX_GAP);
    let fronted = lang == Lang::Zh
        && (clause.contains('把') || clause.contains('将'))
        && !rest.starts_with('的')
        && rest
            .chars()
            .take_while(|char| !"，。；！？".contains(*char))
            .count()
            >= 2;
    let in_hand = lang == Lang::Zh
        && (rest.starts_with("在手") || rest.starts_with("出鞘") || rest.starts_with("横在"));
    near || fronted || in_hand
}
