//! Ages and family as the prose tells them, against the record.

use super::{
    Scope,
    kin::{self, Kin},
    member,
};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        prose::{Scene, Sentence, holds},
        reading::{Excuse, Reading},
    },
    ledger::{Meaning, Slot, kin_of, read_age},
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
            if let Some(age) = age_near(before, after, scope.lang)
                && let Some((known, side)) = age_against(scope, mention.id, age)
            {
                let place = scope.text.side(scene, sentence, mention.start..mention.end);
                findings.push(age_finding(scope, mention.id, (known, age), (place, side)));
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

/// `十九岁的林枫`, `林枫今年十九岁`, `Lin Feng, nineteen,`, `nineteen-year-old Lin Feng`.
fn age_near(before: &str, after: &str, lang: Lang) -> Option<u32> {
    match lang {
        Lang::Zh => {
            let clause = before
                .rsplit(['，', '。', '；', '：'])
                .next()
                .unwrap_or_default();
            if let Some(text) = clause.strip_suffix("岁的") {
                let start = text.trim_end_matches(is_number).len();
                return read_age(&text[start..]).filter(|_| start < text.len());
            }
            let rest = after
                .split(['，', '。', '；', '！', '？'])
                .next()
                .unwrap_or_default();
            let rest = [
                "今年",
                "年方",
                "年仅",
                "年届",
                "已经",
                "已",
                "今年已经",
                "现年",
                "今年刚满",
                "刚满",
                "才",
                "不过",
                "只有",
            ]
            .iter()
            .filter_map(|word| rest.strip_prefix(word))
            .min_by_key(|rest| rest.len())?;
            let rest = rest
                .trim_start_matches("才")
                .trim_start_matches("刚满")
                .trim_start_matches("已");
            let end = rest.find(|char| !is_number(char)).unwrap_or(rest.len());
            let years = rest[end..].starts_with('岁')
                || rest[end..].is_empty() && after.starts_with("年方");
            read_age(&rest[..end]).filter(|_| end > 0 && years)
        }
        Lang::En => {
            if let Some(text) = before.trim_end().strip_suffix("-year-old") {
                return read_age(text.rsplit(' ').next()?);
            }
            let rest = after.trim_start();
            if let Some(rest) = rest.strip_prefix(',') {
                let word = rest
                    .split(',')
                    .next()?
                    .trim()
                    .trim_start_matches("aged ")
                    .trim_end_matches(" years old")
                    .trim_end_matches(" now");
                return if word.contains(' ') {
                    None
                } else {
                    crate::ledger::read_age(word).filter(|age| *age > 4)
                };
            }
            let rest = rest
                .strip_prefix("was ")
                .or_else(|| rest.strip_prefix("is "))?;
            let word = rest.split([' ', ',', '.', ';']).next()?;
            let tail = rest[word.len()..].trim_start();
            let is_age = tail.starts_with("years old")
                || tail.is_empty()
                || tail.starts_with('.')
                || tail.starts_with("now");
            read_age(word).filter(|_| is_age)
        }
    }
}

fn is_number(char: char) -> bool {
    char.is_ascii_digit() || "一二三四五六七八九十百廿卅两".contains(char)
}

/// The recorded age, where it cannot be the one that is told.
pub(in crate::check) fn age_against(scope: &Scope<'_>, id: &str, told: u32) -> Option<(u32, Side)> {
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
        return (told + 1 < age || told > age + 1).then_some((age, side));
    }
    let (field, value, age) = number(Slot::Age)?;
    let source = format!("characters.{id}.{field}");
    let grown = scope.years_since(&source).map_or(GROWN, |years| years + 1);
    let side = scope.past.source(&source, member(field, value));
    (told < age || told > age + grown).then_some((age, side))
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
            let word = between.strip_prefix('的')?;
            kin(next.id, word, id)
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
            if matches!(is, "was" | "is") {
                let word = after
                    .strip_prefix("'s ")
                    .or_else(|| after.strip_prefix("’s "))?;
                return kin(id, word.split([',', '.', ';', ' ']).next()?, next.id);
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
    let text = message!(en: "{name} is {told} here, but {known} in the record", zh: "{name}在此处为 {told} 岁，而记录为 {known} 岁");
    let fix = message!(en: "{name} is {known}: correct the age in “{quotation}”", zh: "{name}应为 {known} 岁：请改正「{quotation}」中的年龄");
    Finding::new(
        FindingCode::AgeContradicted,
        scope.chapter,
        &format!("{id}.{told}"),
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
    let text = message!(en: "{a} and {b} are related in another way in the record", zh: "{a}与{b}的亲属关系与记录不符");
    let fix = message!(en: "correct how {a} and {b} are related in “{quotation}”", zh: "请改正「{quotation}」中{a}与{b}的亲属关系");
    Finding::new(
        FindingCode::KinshipContradicted,
        scope.chapter,
        &format!("{}.{}.{}", claim.a, claim.kind, claim.b),
        sides,
        text,
    )
    .about([a, b])
    .fix(scope.lang, &fix)
}
