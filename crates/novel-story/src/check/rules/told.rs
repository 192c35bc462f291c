//! Ages and family as the prose tells them, against the record.

use std::ops::RangeInclusive;

use super::{
    Scope, age,
    kin::{self, Kin},
    member,
};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        prose::{Scene, Sentence, holds},
        reading::{Excuse, Reading},
    },
    ledger::{Meaning, Slot, kin_of},
};
use novel_model::{Lang, message};

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
            let Some(sentence) = scene.sentence_at(mention.start).filter(|_| !not_now) else {
                continue;
            };
            let after = &scene.content[mention.end..sentence.end];
            let before = &scene.content[sentence.start..mention.start];
            if let Some(ages) = age::told(before, after, scope.lang)
                && let Some((known, side)) = age_against(scope, mention.id, &ages)
            {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                let told = (known, *ages.start());
                findings.push(age_finding(scope, mention.id, told, (place, side)));
            }
            if let Some(claim) = kin_near(scope, at, scene, sentence, mention.id, mention.end)
                && let Some((_, side)) = kin::against(&kin, &claim)
            {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                findings.push(kin_finding(scope, &claim, (place, side.clone())));
            }
        }
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
    let number = |slot: Slot| {
        record.iter().find_map(|(field, value)| {
            if Slot::of_field(field) != Some(slot) || touched(field) {
                return None;
            }
            match Meaning::of(slot, field, value)? {
                Meaning::Number(number) => Some((field, value, number)),
                _ => None,
            }
        })
    };
    if let Some((field, value, birth)) = number(Slot::Birth)
        && let Some(year) = scope.year()
    {
        let age = year.checked_sub(birth)?;
        let side = scope
            .past
            .source(&format!("characters.{id}.{field}"), member(field, value));
        // Before and after the birthday.
        return (told.end() + 1 < age || *told.start() > age + 1).then_some((age, side));
    }
    let (field, value, age) = number(Slot::Age)?;
    let source = format!("characters.{id}.{field}");
    let grown = scope.years_since(&source).map_or(GROWN, |years| years + 1);
    let side = scope.past.source(&source, member(field, value));
    (*told.end() < age || *told.start() > age + grown).then_some((age, side))
}

/// `陈老是林枫的父亲`, `林枫的父亲陈老`: with both names in the sentence.
fn kin_near(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    sentence: Sentence,
    id: &str,
    end: usize,
) -> Option<Kin> {
    let rest = &scene.content[end..sentence.end];
    let next = scope
        .mentions(at)
        .iter()
        .find(|other| other.start >= end && other.end <= sentence.end && other.id != id)?;
    let between = &scene.content[end..next.start];
    let after = &scene.content[next.end..sentence.end];
    let kin = |a: &str, word: &str, b: &str| {
        let (kind, sex) = kin_of(word)?;
        Some(Kin {
            a: a.to_owned(),
            kind,
            sex,
            b: b.to_owned(),
        })
    };
    match scope.lang {
        Lang::Zh => {
            if holds(
                rest,
                &["像", "不是", "如同", "假", "若", "义父", "义子", "干", "师"],
            ) {
                return None;
            }
            if matches!(between, "是" | "乃是" | "就是" | "正是" | "便是" | "乃") {
                let word = after
                    .strip_prefix('的')?
                    .split(['，', '。', '；', '！'])
                    .next()?;
                return kin(id, word, next.id);
            }
            // `林枫的父亲陈老`.
            if let Some(word) = between.strip_prefix('的') {
                return kin(next.id, word, id);
            }
            // `钟离把妹妹云舒护在身后`: the tie is the subject's.
            let acts = scope
                .mentions(at)
                .iter()
                .any(|mention| mention.end == end && scope.read(at, *mention).act().is_some());
            let word =
                between.trim_start_matches(|char: char| !"把将给朝对向牵拉扶抱护".contains(char));
            let word = word
                .trim_start_matches(|char: char| "把将给朝对向牵拉扶抱护着住了起".contains(char));
            if !acts
                || word.is_empty()
                || word.len() == between.len()
                || between.contains(['，', '的', '他', '她', '、'])
                || after.starts_with('的')
                    && !holds(
                        after.get(..12).unwrap_or(after),
                        &["手", "肩", "胳膊", "头"],
                    )
            {
                return None;
            }
            kin(next.id, word, id).filter(|kin| kin.kind != 'm' || word != "夫人")
        }
        Lang::En => {
            let lower = between.to_lowercase();
            if let Some(word) = lower
                .trim()
                .strip_prefix("'s ")
                .or_else(|| lower.trim().strip_prefix("’s "))
            {
                return kin(next.id, word.trim_end_matches(',').trim(), id);
            }
            let is = lower.trim();
            // `Haruki bought a coffee for his sister Emi`, `Maeve and her brother Conor`.
            if let Some((_, word)) = is.rsplit_once("his ").or_else(|| is.rsplit_once("her "))
                && kin_of(word).is_some()
            {
                let alone = !is.contains([',', ';', ':', '.', '"', '“', '—'])
                    && !["he ", "she ", "they ", "him ", "himself"]
                        .iter()
                        .any(|other| is.contains(other));
                return kin(next.id, word, id).filter(|_| alone);
            }
            if matches!(is, "was" | "is") {
                let word = after
                    .strip_prefix("'s ")
                    .or_else(|| after.strip_prefix("’s "))?;
                let word = word.split([',', '.', ';']).next()?;
                let first = word.split(' ').next()?;
                return kin(id, word, next.id).or_else(|| kin(id, first, next.id));
            }
            let word = is
                .strip_prefix("was the ")
                .or_else(|| is.strip_prefix("is the "))?
                .strip_suffix(" of")?;
            kin(id, word, next.id)
        }
    }
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
