//! Hard rules of the world: `禁止在幽暗森林使用火系法术`, `No one may cross the bridge after dusk`,
//! `Only priests can enter the crypt`, `传送阵每天最多开启三次`.
//!
//! A rule is read as a law: whom it binds, under which conditions, which event it forbids, and what
//! excuses it. A sentence of the narrator in which somebody bound by it acts and the event comes
//! about, in the affirmative, breaks it. A rule of another form decides nothing.

mod en;
#[rustfmt::skip]
mod en_words;
mod law;
mod told_en;
mod told_zh;
#[rustfmt::skip]
mod verbs;
mod zh;
#[rustfmt::skip]
mod zh_words;

use novel_model::{Lang, files::WorldRule, layout, message};
use serde_json::Value;

use self::law::{Law, Who};
use super::{
    Scope, agent, member,
    subject::{PRONOUNS, subject},
};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        prose::{Mention, Scene, Sentence},
        reading::{Excuse, Reading},
    },
    ledger::Slot,
};

/// A hard rule with its place in the file, read once for a book.
pub(in crate::check) struct WorldLaw {
    pub(in crate::check) at: usize,
    pub(in crate::check) rule: WorldRule,
    laws: Vec<Law>,
}

impl WorldLaw {
    pub(in crate::check) fn new(at: usize, rule: WorldRule, lang: Lang) -> Self {
        let excuses: Vec<String> = rule
            .exceptions
            .iter()
            .map(|exception| exception.trim().to_lowercase())
            .filter(|exception| !exception.is_empty())
            .collect();
        let mut laws: Vec<Law> = rule
            .rule
            .split(['。', '；', ';', '\n'])
            .flat_map(|sentence| match lang {
                Lang::Zh => vec![sentence],
                Lang::En => sentence.split(". ").collect(),
            })
            .filter_map(|sentence| match lang {
                Lang::Zh => zh::read(sentence),
                Lang::En => en::read(sentence),
            })
            .collect();
        for law in &mut laws {
            law.widen();
            law.excuses.extend(excuses.iter().cloned());
        }
        Self { at, rule, laws }
    }

    /// For each law the rule makes, what a sentence about it tells: groups of wordings.
    pub(in crate::check) fn wordings(&self) -> impl Iterator<Item = Vec<Vec<String>>> {
        self.laws.iter().map(Law::wordings)
    }

    /// Everybody whom the record makes one of those the rule names.
    pub(in crate::check) fn bound<'s>(&self, scope: &'s Scope<'_>) -> Vec<&'s str> {
        let rule = self.rule.rule.to_lowercase();
        let records = scope
            .past
            .state
            .as_ref()
            .and_then(|state| state.get("characters")?.as_object());
        let ids = records.into_iter().flatten().map(|(id, _)| id.as_str());
        ids.filter(|id| {
            classes(scope, id).any(|(_, value)| {
                let value = value.trim().to_lowercase();
                value.chars().count() > 1 && rule.contains(&value)
            })
        })
        .collect()
    }
}

/// Other words for what a text names: events, sorts of things and times, each as one list.
pub(in crate::check) fn wordings_in(
    text: &str,
    lang: Lang,
) -> impl Iterator<Item = (&'static [&'static str], &'static [&'static str])> {
    let verbs = verbs::VERBS.iter().map(move |verb| match lang {
        Lang::Zh => (verb.zh, verb.zh),
        Lang::En => (verb.rule_en, verb.told_en),
    });
    let sorts = verbs::SORTS.iter().chain(verbs::TIMES).copied();
    verbs.chain(sorts).filter(move |(said, _)| match lang {
        Lang::Zh => said.iter().any(|word| text.contains(word)),
        Lang::En => said.contains(&text),
    })
}

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    for world in scope.world_rules {
        let later = world
            .rule
            .introduced_chapter
            .is_some_and(|chapter| chapter > scope.chapter.get());
        if later {
            continue;
        }
        for law in &world.laws {
            for (number, scene) in scope.text.scenes.iter().enumerate() {
                if law.may_stand_in(scene.content) {
                    for sentence in scene.sentences.iter().copied() {
                        findings.extend(broken(scope, world, law, (number, scene), sentence));
                    }
                }
            }
        }
    }
}

fn broken(
    scope: &Scope<'_>,
    world: &WorldLaw,
    law: &Law,
    (number, scene): (usize, &Scene<'_>),
    sentence: Sentence,
) -> Option<Finding> {
    if !law.may_stand_in(scene.text(sentence)) {
        return None;
    }
    let text = scene.narrated(sentence.start..sentence.end).to_lowercase();
    let from = scene
        .paragraphs
        .get(sentence.paragraph)
        .map_or(sentence.start, |paragraph| {
            paragraph.start.min(sentence.start)
        });
    let before = scene.narrated(from..sentence.start).to_lowercase();
    // A name may hold a word that denies: `叶无尘`.
    let mut unnamed = text.clone();
    for mention in scope.mentions(number) {
        if (sentence.start..sentence.end).contains(&mention.start) {
            let name = scene.content[mention.start..mention.end].to_lowercase();
            unnamed = unnamed.replace(&name, "某");
        }
    }
    let comes_about = match scope.lang {
        Lang::Zh => told_zh::comes_about(law, &unnamed, &before),
        Lang::En => told_en::comes_about(law, &text, &before),
    };
    if !comes_about
        || law
            .excuses
            .iter()
            .any(|excuse| text.contains(excuse.as_str()) || before.contains(excuse.as_str()))
    {
        return None;
    }
    if scope
        .flashbacks
        .get(number)
        .is_none_or(|flashbacks| flashbacks.covers(sentence.start))
    {
        return None;
    }
    let found = match law.class_acts(scope.lang, &unnamed) {
        Some(class) => Some((class, sentence.start..sentence.end)),
        None => subject(scope, number, sentence)
            .or_else(|| alone(scope, number, sentence))
            .or_else(|| agent::near(scope, number, sentence, sentence.start))
            .filter(|(id, _)| binds(scope, law, id, &text)),
    };
    let (id, named) = found?;
    let place = scope.text.side(scene, sentence, named.start..sentence.end);
    Some(report(scope, world, id, place))
}

/// The only person a sentence names, where nothing excuses them.
fn alone<'a>(
    scope: &Scope<'a>,
    number: usize,
    sentence: Sentence,
) -> Option<(&'a str, std::ops::Range<usize>)> {
    let mut named = scope
        .mentions(number)
        .iter()
        .filter(|mention| (sentence.start..sentence.end).contains(&mention.start));
    let here = |mention: &Mention<'_>| {
        matches!(
            scope.read(number, *mention),
            Reading::Acts(_) | Reading::Doubtful | Reading::Excused(Excuse::State)
        )
    };
    let Some(first) = named.next() else {
        // `Chen had no pass. She crossed the bridge`: one person alone in the paragraph so far.
        let scene = scope.text.scenes.get(number)?;
        let words = scene.text(sentence);
        let pronoun = PRONOUNS
            .iter()
            .find(|pronoun| words.starts_with(**pronoun))?;
        let plural = words[pronoun.len()..].starts_with('们');
        let covered = scope.flashbacks.get(number)?.covers(sentence.start);
        let paragraph = scene.paragraphs.get(sentence.paragraph)?;
        let mut earlier = scope
            .mentions(number)
            .iter()
            .filter(|mention| (paragraph.start..sentence.start).contains(&mention.start));
        let first = earlier.next()?;
        let alone = earlier.all(|other| other.id == first.id);
        let spoken = scene.is_quoted(sentence.start);
        return (here(first) && alone && !plural && !covered && !spoken).then_some((
            first.id,
            sentence.start..sentence.start + pronoun.trim_end().len(),
        ));
    };
    (here(first) && named.next().is_none()).then_some((first.id, first.start..first.end))
}

/// Whether a law binds who acts: by the record, or as the sentence itself calls them.
fn binds(scope: &Scope<'_>, law: &Law, id: &str, text: &str) -> bool {
    let name = scope.display(id).to_lowercase();
    let is = |class: &str| match scope.lang {
        Lang::Zh => told_zh::called(text, &name, class),
        Lang::En => told_en::called(text, &name, class),
    };
    match &law.who {
        Who::Anybody => true,
        Who::Of(class) => {
            let recorded =
                classes(scope, id).any(|(field, value)| belongs(scope.lang, field, value, class));
            recorded || is(class) || law.is_of_practice() && classes(scope, id).next().is_none()
        }
        Who::Not(class) => {
            let mut known = classes(scope, id).peekable();
            known.peek().is_some()
                && known.all(|(field, value)| !belongs(scope.lang, field, value, class))
                && !is(class)
                && !text.contains(class.as_str())
        }
    }
}

/// What the record says somebody is: rank, people, kind, trade.
fn classes<'s>(scope: &'s Scope<'_>, id: &str) -> impl Iterator<Item = (&'s str, &'s str)> {
    const FIELDS: [&str; 20] = [
        "kind",
        "species",
        "race",
        "class",
        "role",
        "type",
        "occupation",
        "profession",
        "sex",
        "gender",
        "identity",
        "people",
        "种族",
        "职业",
        "性别",
        "类别",
        "物种",
        "族",
        "血脉",
        "身份",
    ];
    let record = scope.past.character(id).and_then(Value::as_object);
    record.into_iter().flatten().filter_map(|(field, value)| {
        let known = Slot::of_field(field) == Some(Slot::Rank)
            || FIELDS.contains(&field.to_lowercase().as_str());
        known.then_some((field.as_str(), value.as_str()?))
    })
}

fn belongs(lang: Lang, field: &str, value: &str, class: &str) -> bool {
    let value = value.trim().to_lowercase();
    match lang {
        Lang::Zh => told_zh::is_one_of(field, &value, class),
        Lang::En => told_en::is_one_of(&value, class),
    }
}

fn report(scope: &Scope<'_>, world: &WorldLaw, id: &str, place: Side) -> Finding {
    let name = scope.display(id);
    let (code, quotation) = (&world.rule.id, place.quotation.clone());
    let text = message!(
        en: "{name} does what rule {code} forbids",
        zh: "{name}违反了规则 {code}"
    );
    let words = &world.rule.rule;
    let subject = place.bound(&format!("{code}.{id}"));
    let fix = message!(
        en: "rule {code} holds ({words}): rewrite “{quotation}”, or name the exception",
        zh: "规则 {code} 有效（{words}）：请改写「{quotation}」，或写明例外"
    );
    let other = Side::pointer(
        layout::world_rules(),
        format!("/rules/{}/rule", world.at),
        member("rule", &Value::from(words.as_str())),
    );
    Finding::new(
        FindingCode::WorldRuleBroken,
        scope.chapter,
        &subject,
        (place, other),
        text,
    )
    .about([name])
    .fix(scope.lang, &fix)
}
