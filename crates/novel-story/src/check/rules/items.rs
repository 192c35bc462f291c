//! Somebody uses an item that left their inventory in an earlier chapter and did not come back.

use std::ops::Range;

use novel_model::{Lang, message};
use serde_json::Value;

use super::Scope;
use crate::check::{
    acts::starts_clause,
    finding::{Finding, FindingCode},
    prose::{Mention, Scene, Sentence, holds, occurrences},
    timeline::{Record, inventory_owner},
    words,
};
use crate::facts::item_name;

/// Bytes between the verb and the item: `那枚从不离身的`.
const MAX_GAP: usize = 24;

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    for ((owner, item), given) in &scope.past.given {
        if item.chars().count() < 2 || holds_again(scope, owner, item) {
            continue;
        }
        let used = scope.text.scenes.iter().find_map(|scene| {
            let (sentence, focus) = use_in(scope, scene, owner, item)?;
            Some(scope.text.side(scene, sentence, focus))
        });
        if let Some(place) = used {
            findings.push(report(scope, owner, item, given, place));
        }
    }
}

fn report(
    scope: &Scope<'_>,
    owner: &str,
    item: &str,
    given: &Record,
    place: crate::check::finding::Side,
) -> Finding {
    let name = scope.display(owner);
    let chapter = given.chapter.get();
    let quotation = place.quotation.clone();
    let text = message!(
        en: "{name} uses `{item}`, which left their hands in chapter {chapter}",
        zh: "{name}使用了“{item}”，而该物品已在第 {chapter} 章离手"
    );
    let fix = message!(
        en: "{name} no longer has `{item}` (since chapter {chapter}): rewrite “{quotation}” so that it is not used, or show how it came back",
        zh: "{name}自第 {chapter} 章起已不再持有“{item}”：请改写「{quotation}」，不要使用它，或写明它如何失而复得"
    );
    let subject = format!("{owner}.{item}");
    let sides = (place, given.side());
    Finding::new(
        FindingCode::ItemUsedAfterGivenAway,
        scope.chapter,
        &subject,
        sides,
        text,
    )
    .about([name])
    .fix(scope.lang, &fix)
}

/// Whether the item is theirs before the chapter after all, or comes back in it.
fn holds_again(scope: &Scope<'_>, owner: &str, item: &str) -> bool {
    let inventory = scope
        .past
        .character(owner)
        .and_then(|record| record.get("inventory")?.as_array());
    let holds = inventory
        .into_iter()
        .flatten()
        .filter_map(item_name)
        .any(|name| name == item);
    let names = |value: &Value| match value {
        Value::Array(list) => list.iter().filter_map(item_name).any(|name| name == item),
        one => item_name(one) == Some(item),
    };
    let own = scope.own.into_iter().flat_map(|own| &own.ops);
    let comes_back = own
        .filter(|record| matches!(record.verb(), "add" | "set"))
        .filter(|record| inventory_owner(record.path()) == Some(owner))
        .filter_map(Record::value)
        .any(names);
    holds || comes_back
}

/// The sentence in which `owner` uses `item`, and the bytes from the name to the item.
fn use_in(
    scope: &Scope<'_>,
    scene: &Scene<'_>,
    owner: &str,
    item: &str,
) -> Option<(Sentence, Range<usize>)> {
    if !scene.content.contains(item) {
        return None;
    }
    let mentions = scope.index.mentions(scene.content);
    scene.sentences.iter().copied().find_map(|sentence| {
        let inside = |at: usize| (sentence.start..sentence.end).contains(&at);
        let named: Vec<Mention<'_>> = mentions
            .iter()
            .copied()
            .filter(|mention| inside(mention.start))
            .collect();
        let (subject, others) = named.split_first()?;
        let is_subject = subject.id == owner
            && !scene.is_quoted(subject.start)
            && starts_clause(scene.content, subject.start, scope.lang);
        let text = scene.text(sentence);
        let denied = match scope.lang {
            Lang::Zh => holds(text, words::NO_USE_ZH),
            Lang::En => holds(&text.to_lowercase(), words::NO_USE_EN),
        };
        if !is_subject || denied {
            return None;
        }
        let item_at = occurrences(text, item)
            .map(|at| sentence.start + at)
            .find(|at| *at >= subject.end && !scene.is_quoted(*at))?;
        // Somebody else between the two may be the one who uses it, or whose it is.
        if others
            .iter()
            .any(|other| other.start < item_at && other.id != owner)
        {
            return None;
        }
        is_used(&scene.content[subject.end..item_at], scope.lang)
            .then_some((sentence, subject.start..item_at + item.len()))
    })
}

/// Whether a verb of use stands shortly before the item, in the same clause.
fn is_used(between: &str, lang: Lang) -> bool {
    let verbs = match lang {
        Lang::Zh => words::USES_ZH,
        Lang::En => words::USES_EN,
    };
    let clause = between
        .rsplit(['，', '；', ',', ';'])
        .next()
        .unwrap_or_default();
    verbs
        .iter()
        .filter_map(|verb| Some(clause.len() - clause.rfind(verb)? - verb.len()))
        .any(|gap| gap <= MAX_GAP)
}
