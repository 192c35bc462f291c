//! Ages and family as the prose tells them, against the record.

use std::ops::RangeInclusive;

use super::{
    Scope, age, agent,
    kin::{self, Kin},
    kinship, member,
    shown::push,
    subject::PRONOUNS,
};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        prose::{Scene, Sentence},
        reading::{Excuse, Reading},
    },
    ledger::{Meaning, Slot},
};
use novel_model::message;

/// Years by which an age may have grown since it was recorded, when no date tells.
const GROWN: u32 = 1;

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let kin = kin::recorded(scope);
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        for mention in scope.mentions(at) {
            let not_now = matches!(
                scope.read(at, *mention),
                Reading::Excused(
                    Excuse::Quotation | Excuse::Past | Excuse::Hypothesis | Excuse::Report
                )
            );
            let Some(sentence) = scene.sentence_at(mention.start) else {
                continue;
            };
            let after = &scene.content[mention.end..sentence.end];
            // `had turned fifty last week`: what came about lasts.
            let turned =
                after.starts_with(" had turned ") || after.starts_with(" had just turned ");
            if not_now && !(turned && agent::tells_now(scope, at, sentence)) {
                continue;
            }
            let before = &scene.content[sentence.start..mention.start];
            if let Some(ages) = age::told(before, after, scope.lang)
                && let Some((known, side)) = age_against(scope, mention.id, &ages)
            {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                let told = (known, *ages.start());
                push(
                    findings,
                    age_finding(scope, mention.id, told, (place, side)),
                );
            }
            if kinship::is_only_child(scope.lang, after)
                && let Some((known, side)) = kin.iter().find(|(known, _)| {
                    known.kind == 's' && (known.a == mention.id || known.b == mention.id)
                })
            {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                push(findings, kin_finding(scope, known, (place, side.clone())));
            }
            if let Some(claim) = kinship::told(scope, at, scene, sentence, mention.id, mention.end)
                && let Some((_, side)) = kin::against(&kin, &claim)
            {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                push(findings, kin_finding(scope, &claim, (place, side.clone())));
            }
        }
        for sentence in scene.sentences.iter().copied() {
            by_pronoun(scope, (at, scene), sentence, findings);
            // What can be read from either side contradicts only where both readings do.
            let claims = kinship::told_of_both(scope, at, scene, sentence);
            let against: Vec<_> = claims
                .iter()
                .filter_map(|claim| Some((claim, kin::against(&kin, claim)?)))
                .collect();
            if let Some((claim, (_, side))) = against.first()
                && against.len() == claims.len()
            {
                let place = scope
                    .text
                    .side(scene, sentence, sentence.start..sentence.end);
                push(findings, kin_finding(scope, claim, (place, side.clone())));
            }
        }
    }
}

/// `She was fifty-two`, after a sentence with one person.
fn by_pronoun(
    scope: &Scope<'_>,
    (at, scene): (usize, &Scene<'_>),
    sentence: Sentence,
    findings: &mut Vec<Finding>,
) {
    let text = scene.text(sentence);
    let Some(pronoun) = PRONOUNS.iter().find(|pronoun| text.starts_with(**pronoun)) else {
        return;
    };
    let rest = &text[pronoun.trim_end().len()..];
    if rest.starts_with(['们', '的']) || agent::named(scope, at, sentence).next().is_some() {
        return;
    }
    let told = age::told("", rest, scope.lang);
    if let Some(ages) = told
        && agent::is_now(scope, at, scene, sentence)
        && let Some((id, _)) = agent::near(scope, at, sentence, sentence.start)
        && let Some((known, side)) = age_against(scope, id, &ages)
    {
        let place = scope
            .text
            .side(scene, sentence, sentence.start..sentence.end);
        push(
            findings,
            age_finding(scope, id, (known, *ages.start()), (place, side)),
        );
    }
}

/// The recorded age, where it cannot be one of those that are told.
pub(in crate::check) fn age_against(
    scope: &Scope<'_>,
    id: &str,
    told: &RangeInclusive<u32>,
) -> Option<(u32, Side)> {
    let record = scope.past.character(id)?.as_object()?;
    let touched = |field: &str| {
        let path = format!("characters.{id}.{field}");
        scope
            .own
            .is_some_and(|own| own.ops.iter().any(|op| op.path() == path))
    };
    let of_slot = |slot: Slot| {
        record
            .iter()
            .find(|(field, _)| Slot::of_field(field) == Some(slot) && !touched(field))
    };
    if let Some((field, value)) = of_slot(Slot::Birth)
        && let Some(Meaning::Number(birth)) = Meaning::of(Slot::Birth, field, value)
        && let Some(year) = scope.year()
    {
        let age = year.checked_sub(birth)?;
        let side = scope
            .past
            .source(&format!("characters.{id}.{field}"), member(field, value));
        // Before and after the birthday.
        return (told.end() + 1 < age || *told.start() > age + 1).then_some((age, side));
    }
    let (field, value) = of_slot(Slot::Age)?;
    let known = age::recorded(value)?;
    let source = format!("characters.{id}.{field}");
    let grown = scope.years_since(&source).map_or(GROWN, |years| years + 1);
    let side = scope.past.source(&source, member(field, value));
    (told.end() < known.start() || *told.start() > known.end() + grown)
        .then_some((*known.start(), side))
}

pub(in crate::check) fn age_finding(
    scope: &Scope<'_>,
    id: &str,
    (known, told): (u32, u32),
    sides: (Side, Side),
) -> Finding {
    let name = scope.display(id);
    let quotation = sides.0.quotation.clone();
    let subject = sides.0.bound(&format!("{id}.{told}"));
    let text = message!(en: "{name} is {told} here, but {known} in the record", zh: "{name}在此处为 {told} 岁，而记录为 {known} 岁");
    let fix = message!(en: "{name} is {known}: correct the age in “{quotation}”", zh: "{name}应为 {known} 岁：请改正「{quotation}」中的年龄");
    Finding::new(
        FindingCode::AgeContradicted,
        scope.chapter,
        &subject,
        sides,
        text,
    )
    .about([name])
    .fix(scope.lang, &fix)
}

pub(in crate::check) fn kin_finding(
    scope: &Scope<'_>,
    claim: &Kin,
    sides: (Side, Side),
) -> Finding {
    let (a, b) = (scope.display(&claim.a), scope.display(&claim.b));
    let quotation = sides.0.quotation.clone();
    let subject = sides
        .0
        .bound(&format!("{}.{}.{}", claim.a, claim.kind, claim.b));
    let text = message!(en: "the record relates {a} and {b} in another way", zh: "{a}与{b}的亲属关系与记录不符");
    let fix = message!(en: "correct how {a} and {b} are related in “{quotation}”", zh: "请改正「{quotation}」中{a}与{b}的亲属关系");
    Finding::new(
        FindingCode::KinshipContradicted,
        scope.chapter,
        &subject,
        sides,
        text,
    )
    .about([a, b])
    .fix(scope.lang, &fix)
}
