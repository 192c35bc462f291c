//! What a chapter takes for granted, against the record: the typed claims of the summarizer.
//!
//! A claim counts only here and now, about a subject the record knows, with a quotation that stands
//! in the chapter. Anything else is left out without a word.

mod things;

use novel_model::{
    BookReader, Document, Message,
    files::{Claim, Claims, Frame},
    layout, message,
};
use novel_text::Locator;
use serde_json::Value;

use super::{
    Scope,
    against::{self, touched},
    body, cast, kin, member, told,
};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side, Spot},
        people::life_of,
        prose::Sentence,
    },
    ledger::{Body, Life, Meaning, Slot, read_number, same_text, things},
};
use novel_book::context::ContextError;

/// The claims of a chapter; none when it has no file.
pub(in crate::check) fn load(
    reader: &dyn BookReader,
    scope: &Scope<'_>,
) -> Result<Vec<Claim>, ContextError> {
    let file = Document::<Claims>::load(reader, &layout::claims(scope.chapter))?;
    let mut claims = file
        .map(|file| file.into_value().claims)
        .unwrap_or_default();
    claims.truncate(Claims::MOST);
    Ok(claims)
}

pub(in crate::check) fn check(scope: &Scope<'_>, claims: &[Claim], findings: &mut Vec<Finding>) {
    let kin = kin::recorded(scope);
    for claim in claims {
        if claim.frame != Frame::Now {
            continue;
        }
        let (Some(slot), Some(place)) = (
            Slot::of_field(&claim.slot),
            evidence(scope, &claim.evidence),
        ) else {
            continue;
        };
        let case = Case {
            scope,
            claim,
            slot,
            place,
        };
        let found = match scope.person(&claim.subject) {
            Some(id) => case.person(id, &kin),
            None => case.thing(),
        };
        for finding in found {
            // The prose may have shown the same already.
            let known = findings.iter().any(|other| {
                other.code == finding.code && other.place.quotation == finding.place.quotation
            });
            if !known {
                findings.push(finding);
            }
        }
    }
    places_in_a_chapter(scope, claims, findings);
}

/// One claim with its place in the text.
struct Case<'a, 's> {
    scope: &'s Scope<'a>,
    claim: &'s Claim,
    slot: Slot,
    place: Side,
}

impl Case<'_, '_> {
    fn person(&self, id: &str, kin: &[(kin::Kin, Side)]) -> Vec<Finding> {
        let (scope, value) = (self.scope, &self.claim.value);
        let mut found = Vec::new();
        if let Some((code @ FindingCode::DeadCharacterActs, other)) = cast::gone(scope, id) {
            let lives = match self.slot {
                Slot::Alive => matches!(
                    Meaning::of(Slot::Alive, &self.claim.slot, value),
                    Some(Meaning::Life(Life::Alive))
                ),
                Slot::Holds | Slot::Knows | Slot::Goal => true,
                _ => false,
            };
            if lives {
                let name = scope.display(id);
                found.push(self.finding(
                    code,
                    id,
                    other,
                    message!(
                        en: "{name} is dead before this chapter, which assumes that they are alive",
                        zh: "{name}在本章之前已经死亡，本章却以其在世为前提"
                    ),
                ));
            }
            return found;
        }
        let other = |field: &str, value: &Value| {
            scope
                .past
                .source(&format!("characters.{id}.{field}"), member(field, value))
        };
        match self.slot {
            Slot::Alive => {
                // The chapter takes somebody for dead whom the record lets live, and does not say so.
                let dead = matches!(
                    Meaning::of(Slot::Alive, &self.claim.slot, value),
                    Some(Meaning::Life(Life::Dead))
                );
                let lives = scope
                    .past
                    .character(id)
                    .and_then(life_of)
                    .filter(|(_, _, life)| *life == Life::Alive);
                let dies = scope
                    .after
                    .as_ref()
                    .and_then(|after| after.get("characters")?.get(id))
                    .and_then(life_of)
                    .is_some_and(|(_, _, life)| life == Life::Dead);
                if let (true, Some((field, value, _)), false) = (dead, lives, dies) {
                    let name = scope.display(id);
                    found.push(self.finding(
                        FindingCode::LifeContradicted,
                        id,
                        other(field, value),
                        message!(
                            en: "{name} is alive in the record, but this chapter treats them as dead",
                            zh: "记录中{name}仍在世，本章却以其已死为前提"
                        ),
                    ));
                }
            }
            Slot::Place => found.extend(self.place_of(id)),
            Slot::Holds => {
                for thing in things(value) {
                    found.extend(self.holding(id, &thing));
                }
                found.extend(self.body(id));
            }
            Slot::Body => found.extend(self.body(id)),
            Slot::Age | Slot::Birth => {
                if let Some(age) = read_number(value).filter(|_| self.slot == Slot::Age)
                    && let Some((known, side)) = told::age_against(scope, id, &(age..=age))
                {
                    found.push(told::age_finding(
                        scope,
                        id,
                        (known, age),
                        (self.place.clone(), side),
                    ));
                }
            }
            Slot::Kinship => {
                for claim in kin::read_value(scope, id, &self.claim.slot, value) {
                    if let Some((_, side)) = kin::against(kin, &claim) {
                        found.push(told::kin_finding(
                            scope,
                            &claim,
                            (self.place.clone(), side.clone()),
                        ));
                    }
                }
            }
            Slot::Relation => found.extend(self.relation(id)),
            Slot::Rank => found.extend(self.rank(id)),
            Slot::Knows => found.extend(self.knows(id)),
            Slot::Day => found.extend(self.day()),
            Slot::Holder | Slot::Count | Slot::Intact | Slot::PartOfDay | Slot::Goal => {}
        }
        found
    }

    fn place_of(&self, id: &str) -> Option<Finding> {
        let told = name_in(
            &self.claim.value,
            &["place", "location", "at", "name", "id"],
        )?;
        let clash = against::place(self.scope, id, told)?;
        Some(clash.at(self.scope, self.place.clone()))
    }

    fn body(&self, id: &str) -> Option<Finding> {
        let scope = self.scope;
        let record = scope.past.character(id)?;
        let (field, value, troubles) = body::troubles(record)?;
        if touched(scope, &format!("characters.{id}.{field}")) {
            return None;
        }
        let claimed = Meaning::of(Slot::Body, &self.claim.slot, &self.claim.value);
        let text = self
            .claim
            .value
            .as_str()
            .map_or_else(|| self.claim.value.to_string(), str::to_owned);
        let whole = claimed == Some(Meaning::Body(Body::Whole));
        let hurt = matches!(claimed, Some(Meaning::Body(Body::Hurt(_))));
        let uses = !hurt
            && troubles.iter().any(|trouble| {
                body::used(*trouble, &text, novel_model::Lang::Zh).is_some()
                    || body::used(*trouble, &format!("{text} "), novel_model::Lang::En).is_some()
            });
        if !whole && !uses {
            return None;
        }
        let (name, other) = (
            scope.display(id),
            scope
                .past
                .source(&format!("characters.{id}.{field}"), member(field, value)),
        );
        Some(self.finding(
            FindingCode::BodyContradicted,
            id,
            other,
            message!(
                en: "{name} uses a part of the body or a sense that is lost",
                zh: "{name}使用了已经失去的肢体或感官"
            ),
        ))
    }

    fn relation(&self, id: &str) -> Option<Finding> {
        let (other, stand) = against::stand_in(self.scope, id, &self.claim.value)?;
        let clash = against::relation(self.scope, id, &other, stand)?;
        Some(clash.at(self.scope, self.place.clone()))
    }

    fn rank(&self, id: &str) -> Option<Finding> {
        let told = name_in(&self.claim.value, &["rank", "title", "name", "value"])?;
        let clash = against::rank(self.scope, id, told, Some(&self.claim.slot))?;
        Some(clash.at(self.scope, self.place.clone()))
    }

    fn knows(&self, id: &str) -> Option<Finding> {
        let what = name_in(&self.claim.value, &["secret", "id", "fact", "what"])?;
        let secret = self
            .scope
            .secrets
            .iter()
            .find(|secret| secret.id == what || same_text(&secret.fact, what))?;
        let clash = against::knows(self.scope, id, secret)?;
        Some(clash.at(self.scope, self.place.clone()))
    }

    fn day(&self) -> Option<Finding> {
        let told = name_in(&self.claim.value, &["day", "date", "time", "value"])?;
        let clash = against::day(self.scope, told)?;
        let about = self.scope.person(&self.claim.subject);
        let clash = clash.about(about.map(|id| self.scope.display(id)));
        Some(clash.at(self.scope, self.place.clone()))
    }

    fn finding(&self, code: FindingCode, subject: &str, other: Side, text: Message) -> Finding {
        let quotation = self.place.quotation.clone();
        let fix = message!(
            en: "rewrite “{quotation}” so that it agrees with the record",
            zh: "请改写「{quotation}」，使其与记录一致"
        );
        let related = self
            .scope
            .person(&self.claim.subject)
            .map(|id| self.scope.display(id));
        Finding::new(
            code,
            self.scope.chapter,
            &self.place.bound(subject),
            (self.place.clone(), other),
            text,
        )
        .about(related)
        .fix(self.scope.lang, &fix)
    }
}

/// Two claims put somebody at two places in one chapter that is too short for the way.
fn places_in_a_chapter(scope: &Scope<'_>, claims: &[Claim], findings: &mut Vec<Finding>) {
    let placed: Vec<(&str, &str, Side)> = claims
        .iter()
        .filter(|claim| {
            claim.frame == Frame::Now && Slot::of_field(&claim.slot) == Some(Slot::Place)
        })
        .filter_map(|claim| {
            let name = name_in(&claim.value, &["place", "location", "at", "name", "id"])?;
            Some((
                scope.person(&claim.subject)?,
                name,
                evidence(scope, &claim.evidence)?,
            ))
        })
        .collect();
    for (at, (id, first, earlier)) in placed.iter().enumerate() {
        for (other, second, later) in &placed[at + 1..] {
            let Some(days) = scope.places.days(first, second).filter(|_| id == other) else {
                continue;
            };
            let Some(elapsed) = scope.days_in_chapter() else {
                continue;
            };
            if days < elapsed + 1.5 {
                continue;
            }
            let name = scope.display(id);
            let text = message!(
                en: "{name} is at {first} and at {second} in one chapter, which are {days} days apart",
                zh: "{name}在同一章中既在{first}又在{second}，两地相距 {days} 天路程"
            );
            findings.push(
                Finding::new(
                    FindingCode::TravelTooFast,
                    scope.chapter,
                    &later.bound(id),
                    (later.clone(), earlier.clone()),
                    text,
                )
                .about([name]),
            );
        }
    }
}

/// The name in a value: a text, or a member of an object.
fn name_in<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    match value {
        Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()),
        Value::Object(members) => keys.iter().find_map(|key| members.get(*key)?.as_str()),
        _ => None,
    }
}

/// Where the quotation stands in the chapter.
fn evidence(scope: &Scope<'_>, quotation: &str) -> Option<Side> {
    const SHORTEST: usize = 4;
    let quotation = quotation.trim();
    if quotation.chars().count() < SHORTEST {
        return None;
    }
    scope.text.scenes.iter().find_map(|scene| {
        let span = match scene.content.find(quotation) {
            Some(at) => at..at + quotation.len(),
            None => Locator::new(scene.content).locate(quotation)?.span(),
        };
        let sentence: Sentence = scene.sentence_at(span.start)?;
        let mut side = scope.text.side(scene, sentence, span.clone());
        // A quotation of several sentences is quoted whole.
        if span.end > sentence.end
            && let Spot::Text { end, .. } = &mut side.spot
        {
            *end = span.end;
            side.quotation = scene.content[sentence.start..span.end].to_owned();
            side.focus = Some(span.start - sentence.start..span.end - sentence.start);
        }
        Some(side)
    })
}
