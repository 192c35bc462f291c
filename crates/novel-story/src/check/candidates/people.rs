//! Sentences about people who are gone, hurt, elsewhere, of an age, of a family, of a rank, of a
//! colour, or bound to somebody.

use serde_json::Value;

use super::{
    super::{
        finding::Side,
        prose::{Mention, Scene, Sentence, holds},
        reading::{Excuse, Reading},
        rules::{self, Scope, gone, stand_between, troubles},
    },
    Candidate, Doubt, candidate, told,
};
use crate::ledger::Slot;

pub(super) fn collect(scope: &Scope<'_>, at: usize, scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    for mention in scope.mentions(at) {
        let Some(sentence) = scene.sentence_at(mention.start) else {
            continue;
        };
        let reading = scope.read(at, *mention);
        let place = || scope.text.side(scene, sentence, mention.start..mention.end);
        if let Some((_, fact)) = gone(scope, mention.id) {
            found.push(gone_candidate(mention.id, &reading, place(), fact));
            continue;
        }
        let weight = match reading {
            Reading::Acts(_) => 20,
            Reading::Doubtful => 10,
            Reading::Excused(_) => 0,
        };
        let ask = |doubt, fact, weight| candidate(doubt, mention.id, place(), fact, weight);
        if let Some(fact) = tie(scope, at, scene, sentence, *mention) {
            found.push(ask(Doubt::Tie, fact, 40 + weight));
        }
        let Some(record) = scope.past.character(mention.id) else {
            continue;
        };
        let text = scene.text(sentence);
        if let Some((field, value, hurt)) = troubles(record) {
            let uses = hurt
                .iter()
                .any(|trouble| rules::used(*trouble, text, scope.lang).is_some());
            let bonus = if uses {
                55
            } else if holds(&text.to_lowercase(), PARTS) {
                35
            } else {
                0
            };
            if weight + bonus > 0 {
                let fact = fact_of(scope, mention.id, field, value);
                found.push(ask(Doubt::Body, fact, weight + bonus));
            }
        }
        for (field, value) in record.as_object().into_iter().flatten() {
            let asked = match Slot::of_field(field) {
                Some(Slot::Age | Slot::Birth) if told::an_age(text, scope.lang) => {
                    Some((Doubt::Told, 45))
                }
                Some(Slot::Kinship | Slot::Relation) if told::kin(text, scope.lang) => {
                    Some((Doubt::Told, 30))
                }
                Some(Slot::Rank) if told::a_rank(text, scope.lang) => Some((Doubt::Told, 45)),
                Some(Slot::Place) if is_elsewhere(scope, text, value) => Some((Doubt::Place, 40)),
                None if told::a_colour(field, text) => Some((Doubt::Told, 45)),
                _ => None,
            };
            if let Some((doubt, base)) = asked {
                let fact = fact_of(scope, mention.id, field, value);
                found.push(ask(doubt, fact, base + weight));
            }
        }
    }
}

/// Parts of the body and what they do.
const PARTS: &[&str] = &[
    "手", "臂", "腿", "脚", "眼", "目", "看", "望", "听", "耳", "说", "道", "跑", "走", "站",
    "hand", "arm", "leg", "foot", "feet", "eye", "saw", "look", "hear", "said", "ran", "walk",
];

fn gone_candidate(id: &str, reading: &Reading, place: Side, fact: Side) -> Candidate {
    let weight = match reading {
        Reading::Acts(_) => 100,
        Reading::Doubtful => 80,
        Reading::Excused(Excuse::Mention) => 40,
        Reading::Excused(Excuse::State) => 35,
        Reading::Excused(Excuse::Past | Excuse::Hypothesis | Excuse::Report) => 30,
        Reading::Excused(Excuse::Quotation) => 20,
    };
    let told_otherwise = matches!(
        reading,
        Reading::Excused(Excuse::Quotation | Excuse::Past | Excuse::Hypothesis | Excuse::Report)
    );
    Candidate {
        excused: told_otherwise,
        ..candidate(Doubt::Gone, id, place, fact, weight)
    }
}

fn fact_of(scope: &Scope<'_>, id: &str, field: &str, value: &Value) -> Side {
    let path = format!("characters.{id}.{field}");
    scope.past.source(&path, rules::member(field, value))
}

/// What the record says of how somebody stands to the next person of the sentence, where the sentence
/// has words of it.
fn tie(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    mention: Mention<'_>,
) -> Option<Side> {
    if !told::a_tie(scene.text(sentence), scope.lang) {
        return None;
    }
    let others = scope.mentions(at).iter();
    others
        .filter(|other| other.start >= mention.end && other.end <= sentence.end)
        .filter(|other| other.id != mention.id)
        .find_map(|other| {
            stand_between(scope, mention.id, other.id)
                .or_else(|| stand_between(scope, other.id, mention.id))
        })
}

/// Whether a text names a known place that is surely not the recorded one.
fn is_elsewhere(scope: &Scope<'_>, text: &str, value: &Value) -> bool {
    let here = value.as_str().unwrap_or_default();
    scope.places.iter().any(|known| {
        let names = known.aliases.iter().chain([&known.name]);
        names.filter(|name| name.chars().count() > 1).any(|name| {
            text.contains(name.as_str()) && scope.places.same(name, here) == Some(false)
        })
    })
}
