//! Colours of eyes and hair.

use novel_model::{Lang, message};
use serde_json::Value;

use super::{
    super::{
        against::{Clash, touched},
        agent, member,
    },
    Shown, words,
};
use crate::check::{finding::FindingCode, prose::holds};

/// What has a colour: fields of the record, words of the prose.
struct Feature {
    fields: &'static [&'static str],
    zh: &'static [&'static str],
    en: &'static [&'static str],
}

const FEATURES: [Feature; 2] = [
    Feature {
        fields: &[
            "eyes",
            "eye",
            "eye_color",
            "eye_colour",
            "eyes_color",
            "眼睛",
            "瞳色",
            "眼",
            "眸",
            "眼色",
            "瞳孔",
        ],
        zh: &[
            "眼睛", "眸子", "眼眸", "双眼", "双眸", "瞳孔", "眼珠", "双瞳", "瞳仁", "眸",
        ],
        en: &["eyes"],
    },
    Feature {
        fields: &["hair", "hair_color", "hair_colour", "头发", "发色", "发"],
        zh: &[
            "头发", "长发", "短发", "秀发", "青丝", "卷发", "发丝", "发辫", "辫子", "鬓发", "发",
        ],
        en: &["hair", "curls", "braid", "braids", "locks", "plait"],
    },
];

/// Whether a field of the record is about a feature, and a text in small letters names it.
pub(in crate::check) fn is_feature(field: &str, text: &str) -> bool {
    let field = field.to_lowercase();
    FEATURES.iter().any(|feature| {
        feature.fields.contains(&field.as_str())
            && (holds(text, feature.zh) || holds(text, feature.en))
    })
}

/// Every word of a colour.
pub(in crate::check) fn colour_words() -> impl Iterator<Item = &'static str> {
    words::COLOURS
        .iter()
        .flat_map(|(_, words)| words.iter().copied())
}

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    let (scope, id) = (shown.scope, shown.mention.id);
    let record = scope.past.character(id)?.as_object()?;
    let lower = shown.lower();
    FEATURES.iter().enumerate().find_map(|(kind, feature)| {
        let (field, value) = record
            .iter()
            .find(|(field, _)| feature.fields.contains(&field.to_lowercase().as_str()))?;
        let known = colour(&value.as_str()?.to_lowercase())?;
        if holds(&lower, words::NO_COLOUR) || touched(scope, &format!("characters.{id}.{field}")) {
            return None;
        }
        let told = match scope.lang {
            Lang::Zh => told_zh(shown, feature),
            Lang::En => told_en(shown, feature),
        }?;
        // Reddened eyes are no colour.
        let near = matches!((told, known), ('a', 'y' | 'n') | ('y' | 'n', 'a'));
        if told == known || near || kind == 0 && (told == 'r' || told == 'w' && known != 'k') {
            return None;
        }
        let (name, path) = (scope.display(id), format!("characters.{id}.{field}"));
        let side = scope
            .past
            .source(&path, member(field, &Value::from(value.as_str()?)));
        let text = message!(
            en: "the record gives {name} another colour of eyes or hair",
            zh: "{name}的眼睛或头发颜色与记录不符"
        );
        let subject = format!("{id}.{field}");
        Some(Clash::new(FindingCode::BodyContradicted, subject, side, text).about([name]))
    })
}

/// The class of the one colour a value names.
fn colour(text: &str) -> Option<char> {
    let mut found: Option<char> = None;
    for (class, list) in words::COLOURS {
        let named = list.iter().any(|word| {
            if word.is_ascii() {
                text.split(|char: char| !(char.is_alphanumeric() || char == '-'))
                    .any(|known| known == *word)
            } else {
                text.contains(word)
            }
        });
        if named && found.replace(*class).is_some() {
            return None;
        }
    }
    found
}

/// `何川那双漆黑的眼睛`, `散开发髻，一头乌黑的长发`, `一双眼睛湛蓝如海`.
fn told_zh(shown: &Shown<'_, '_>, feature: &Feature) -> Option<char> {
    const CLAUSES: usize = 3;
    let after = shown.after();
    let after = after.split(['。', '！', '“']).next().unwrap_or_default();
    // From another person, or a pronoun, on it may be theirs.
    let other = agent::named(shown.scope, shown.at, shown.sentence)
        .find(|other| other.id != shown.mention.id && other.start >= shown.mention.end)
        .map_or(after.len(), |other| other.start - shown.mention.end);
    let mine = &after[..other.min(after.len())];
    mine.split(['，', '；'])
        .take(CLAUSES)
        .enumerate()
        .take_while(|(at, clause)| *at == 0 || !clause.contains(['他', '她']))
        .find_map(|(at, clause)| {
            feature.zh.iter().find_map(|part| {
                clause
                    .match_indices(part)
                    .find_map(|(found, _)| colour_at(clause, found, part, at > 0))
            })
        })
}

/// The colour of the part of a body at a byte of a clause.
fn colour_at(clause: &str, at: usize, part: &str, is_later: bool) -> Option<char> {
    const REACH: usize = 14;
    const BEGINS: &[&str] = &[
        "那双",
        "一双",
        "那对",
        "一对",
        "那头",
        "一头",
        "满头",
        "有一双",
        "有一头",
        "生着一双",
        "长着一双",
        "留着一头",
        "那一头",
        "那一双",
        "有着一双",
        "有着一头",
        "两只",
    ];
    let front = &clause[..at];
    let begins = BEGINS.iter().any(|word| front.starts_with(word))
        || !is_later
            && (front.starts_with('的') || colour_words().any(|word| front.starts_with(word)));
    let other = front.contains([
        '他', '她', '把', '看', '向', '对', '抚', '摸', '盯', '望', '着',
    ]) && !["生着", "长着", "留着", "有着", "那对", "一对"]
        .iter()
        .any(|word| front.starts_with(word));
    if !begins || other || front.chars().count() > REACH {
        return None;
    }
    colour(front).or_else(|| {
        // `一双眼睛湛蓝如海`.
        let rest = &clause[at + part.len()..];
        let said = colour_words()
            .filter(|word| word.chars().count() > 1 && rest.starts_with(word))
            .max_by_key(|word| word.len())?;
        colour(said)
    })
}

/// `Iris's brown eyes`, `Adela pushed a strand of her blonde hair`.
fn told_en(shown: &Shown<'_, '_>, feature: &Feature) -> Option<char> {
    // `Brown-eyed Tessa`.
    let before = shown.before().to_lowercase();
    let last = before.trim_end().rsplit(' ').next().unwrap_or_default();
    let ending = if feature.en.contains(&"eyes") {
        "-eyed"
    } else {
        "-haired"
    };
    if let Some(said) = last.strip_suffix(ending) {
        return colour(said.trim_start_matches(['"', '“']));
    }
    let after = shown.after().to_lowercase().replace('’', "'");
    // `with eyes as blue as the sea`.
    let alone = shown.scope.mentions(shown.at).iter().all(|other| {
        other.id == shown.mention.id
            || !(shown.sentence.start..shown.sentence.end).contains(&other.start)
    });
    let like = feature.en.iter().find_map(|part| {
        after
            .split_once(&format!(" with {part} as "))
            .or_else(|| after.split_once(&format!(" with {part} of ")))
    });
    if let Some((_, said)) = like.filter(|_| alone) {
        return colour(said.split([' ', ',']).next()?);
    }
    // `those dark brown eyes of hers`.
    let hers = feature.en.iter().find_map(|part| {
        let at = after
            .find(&format!(" {part} of hers"))
            .or_else(|| after.find(&format!(" {part} of his")))?;
        Some(
            after[..at]
                .rsplit(' ')
                .take(3)
                .collect::<Vec<_>>()
                .join(" "),
        )
    });
    if let Some(said) = hers.filter(|_| alone) {
        return colour(&said);
    }
    let clause = after.split(['.', ';', ':', '—']).next().unwrap_or_default();
    let all: Vec<&str> = clause
        .split(|char: char| !(char.is_alphanumeric() || char == '\'' || char == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    let at = all.iter().position(|word| feature.en.contains(word))?;
    let owner = all[..at]
        .iter()
        .rposition(|word| matches!(*word, "'s" | "his" | "her"))?;
    let adjectives = &all[owner + 1..at];
    if adjectives.is_empty()
        || adjectives.len() > 3
        || adjectives.contains(&"and")
        || adjectives.iter().any(|word| word.ends_with("'s"))
    {
        return None;
    }
    // `her` is theirs when nobody else is named, and they are who acts.
    if all[owner] != "'s" || owner != 0 {
        let sentence = shown.sentence;
        let alone = shown.scope.mentions(shown.at).iter().all(|other| {
            other.id == shown.mention.id || !(sentence.start..sentence.end).contains(&other.start)
        });
        let acts = shown.scope.read(shown.at, shown.mention).act().is_some();
        let theirs = all[owner] != "'s";
        if !(alone && acts && theirs)
            || all[..owner].iter().any(|word| {
                matches!(
                    *word,
                    "at" | "into"
                        | "boy"
                        | "girl"
                        | "woman"
                        | "man"
                        | "child"
                        | "daughter"
                        | "son"
                        | "sister"
                        | "brother"
                        | "mother"
                        | "wife"
                        | "doll"
                )
            })
        {
            return None;
        }
    }
    colour(&adjectives.join(" "))
}
