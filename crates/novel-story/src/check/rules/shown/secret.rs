//! Somebody knows a secret, as the narrator or they themselves say.
//!
//! Whoever is said to know, to think of or to say the whole of a secret knows it, unless the sentence
//! denies, supposes or doubts it, or the chapter has told it before.

use novel_model::Lang;

use super::{
    super::against::{self, Clash},
    Shown, words,
};
use crate::check::{
    prose::{Mention, holds},
    secrets::Secret,
};

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    let scope = shown.scope;
    if scope.secrets.is_empty() || shown.lower().trim_end().ends_with(['?', '？']) {
        return None;
    }
    let told = match scope.lang {
        Lang::Zh => known_zh(shown),
        Lang::En => known_en(shown),
    };
    let told: Vec<String> = told.into_iter().chain(spoken(shown)).collect();
    let secret = scope.secrets.iter().find(|secret| {
        told.iter().any(|told| says(shown, secret, told)) && !is_told_before(shown, secret)
    })?;
    against::knows(scope, shown.mention.id, secret)
}

/// What follows a verb of knowing or saying after the name.
fn known_zh(shown: &Shown<'_, '_>) -> Option<String> {
    const REACH: usize = 10;
    let after = shown.after();
    let clause = after
        .split(['。', '；', '！', '：', '“'])
        .next()
        .unwrap_or_default();
    let (verb, at) = words::KNOWS_ZH
        .iter()
        .chain(words::TELLS_ZH)
        .filter_map(|verb| Some((*verb, clause.find(verb)?)))
        .min_by_key(|(verb, at)| (*at, std::cmp::Reverse(verb.len())))?;
    let front = &clause[..at];
    let rest = &after[at + verb.len()..];
    let denied = holds(front, words::NOT_KNOWS_ZH)
        || holds(shown.before(), words::SUPPOSES_ZH)
        || holds(front, words::SUPPOSES_ZH);
    // What they do not know is another matter: `知道他有心事，却不知道`.
    let end = ["不知", "不晓", "不清楚", "却", "但", "只是不", "。"]
        .iter()
        .filter_map(|word| rest.find(word))
        .min()
        .unwrap_or(rest.len());
    (front.chars().count() <= REACH && !denied && !holds(&rest[..end], words::SUPPOSES_ZH)).then(
        || {
            rest[..end]
                .trim_start_matches(['，', '着', '了'])
                .to_owned()
        },
    )
}

/// `knew that`, `told them that`, `It was no secret to X that`, `and he knew it`.
fn known_en(shown: &Shown<'_, '_>) -> Option<String> {
    let after = shown.after().to_lowercase();
    let before = shown.before().to_lowercase();
    let sentence = shown.lower();
    // What comes after is no part of what is known: `and it would wake`.
    let end = [", and it ", ", and would ", ", so "]
        .iter()
        .filter_map(|mark| sentence.find(mark))
        .min()
        .unwrap_or(sentence.len());
    if words::SUPPOSES_EN
        .iter()
        .any(|word| format!(" {} ", &sentence[..end]).contains(word))
    {
        return None;
    }
    if before.trim_end().ends_with("no secret to") || before.trim_end().ends_with("was clear to") {
        return after.trim_start().strip_prefix("that ").map(str::to_owned);
    }
    if sentence.contains(" and he knew it") || sentence.contains(" and she knew it") {
        return Some(sentence);
    }
    let rest = after.trim_start();
    let (verb, at) = words::KNOWS_EN
        .iter()
        .chain(words::TELLS_EN)
        .filter_map(|verb| Some((*verb, rest.find(verb)?)))
        .min_by_key(|(verb, at)| (*at, std::cmp::Reverse(verb.len())))?;
    // The subject's own verb: a few adverbs may stand before it, no other clause.
    let front = &rest[..at];
    let own = front.split_whitespace().count() <= 3
        && !front.contains([',', ';', ':'])
        && !front
            .split_whitespace()
            .any(|word| matches!(word, "not" | "never" | "nor" | "hardly" | "didn't" | "and"))
        || verb.starts_with("had never") && at == 0;
    let fact = rest[at + verb.len()..]
        .trim_start_matches("perfectly well ")
        .trim_start_matches("quite well ")
        .trim_start_matches("full well ")
        .trim_start_matches("already ");
    // `told them that`, `reminded Mara that`.
    let fact = match fact.split_once("that ") {
        Some((whom, fact)) if whom.split_whitespace().count() <= 3 && !whom.contains(',') => fact,
        _ => fact,
    };
    let asks = [
        "how ", "why ", "what ", "who ", "where ", "whether ", "if ", "nothing", "of ", "better",
    ]
    .iter()
    .any(|word| fact.starts_with(word));
    let fact = fact.split([';', '.']).next().unwrap_or_default();
    let fact = fact.split(" but ").next().unwrap_or_default();
    (own && !asks).then(|| fact.to_owned())
}

/// Clauses somebody says aloud, where nobody else speaks in the paragraph.
fn spoken(shown: &Shown<'_, '_>) -> Vec<String> {
    let scene = shown.scene;
    let paragraph = scene
        .paragraphs
        .iter()
        .find(|paragraph| paragraph.contains(&shown.mention.start));
    let Some(paragraph) = paragraph.filter(|_| !scene.is_quoted(shown.mention.start)) else {
        return Vec::new();
    };
    let alone = shown.scope.mentions(shown.at).iter().all(|other| {
        !paragraph.contains(&other.start)
            || other.id == shown.mention.id
            || scene.is_quoted(other.start)
            || is_addressed(
                &scene.content[paragraph.start..other.start],
                shown.scope.lang,
            )
    });
    let tag = shown.after();
    let speaks = match shown.scope.lang {
        Lang::Zh => {
            let first: String = tag.chars().take(12).collect();
            holds(&first, &["道", "说", "：", "问", "喊", "叹", "笑"])
        }
        Lang::En => {
            let near = format!("{} {}", last_words(shown.before()), tag.to_lowercase());
            holds(
                &near,
                &[
                    "said", "says", "whisper", "murmur", "asked", "told", "replied", "answered",
                    "cried", "shouted", "muttered",
                ],
            )
        }
    };
    if !alone || !speaks {
        return Vec::new();
    }
    let text = &scene.content[paragraph.clone()];
    let mut clauses = Vec::new();
    for part in text.split(['“', '「', '"']).skip(1) {
        let quoted = part.split(['”', '」', '"']).next().unwrap_or_default();
        let asks = quoted.contains(['？', '?'])
            || holds(quoted, words::SUPPOSES_ZH)
            || words::SUPPOSES_EN
                .iter()
                .any(|word| format!(" {} ", quoted.to_lowercase()).contains(word));
        if !asks && !quoted.is_empty() {
            clauses.push(quoted.to_lowercase());
        }
        for clause in quoted.split_inclusive(['，', '。', '！', '？', '；', '.', '!', '?', ';'])
        {
            let doubts = clause.trim_end().ends_with(['？', '?'])
                || holds(clause, words::SUPPOSES_ZH)
                || words::SUPPOSES_EN
                    .iter()
                    .any(|word| format!(" {} ", clause.to_lowercase()).contains(word));
            if !doubts {
                clauses.push(clause.to_lowercase());
            }
        }
    }
    clauses
}

/// Whether a name after this text is only spoken to: `对江澈说`, `said to Mara`.
fn is_addressed(text: &str, lang: Lang) -> bool {
    match lang {
        Lang::Zh => text.ends_with(['对', '向', '朝', '冲']),
        Lang::En => text.ends_with(" to ") || text.ends_with(" at ") || text.ends_with("told "),
    }
}

fn last_words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().rev().take(3).collect();
    words.join(" ").to_lowercase()
}

/// Whether the chapter has told the secret before this sentence: they may have learnt it there.
fn is_told_before(shown: &Shown<'_, '_>, secret: &Secret) -> bool {
    let scenes = &shown.scope.text.scenes[..=shown.at];
    scenes.iter().enumerate().any(|(at, scene)| {
        scene
            .sentences
            .iter()
            .filter(|sentence| at < shown.at || sentence.end <= shown.sentence.start)
            .any(|sentence| {
                let text = scene.text(*sentence).to_lowercase();
                // Their own words in the same paragraph tell nobody but others.
                let same = at == shown.at
                    && !scene.content[sentence.start..shown.mention.start].contains('\n');
                !same
                    && parts(shown.scope.lang, &secret.fact)
                        .iter()
                        .all(|part| text.contains(part))
            })
    })
}

/// What of a fact carries something.
fn parts(lang: Lang, fact: &str) -> Vec<String> {
    match lang {
        Lang::Zh => pieces_zh(fact),
        Lang::En => carries(fact),
    }
}

/// Whether a text says a secret: all that carries something stands in it.
fn says(shown: &Shown<'_, '_>, secret: &Secret, told: &str) -> bool {
    let fact = &secret.fact;
    match shown.scope.lang {
        Lang::Zh => {
            // Whom the secret is about may be spoken to, or be a pronoun.
            let stands_in = told.contains(['你', '您', '他', '她', '我']);
            let names = shown.scope.index.mentions(fact);
            let is_name = |part: &str| {
                names
                    .iter()
                    .any(|mention| &fact[mention.start..mention.end] == part)
            };
            let parts: Vec<String> = pieces_zh(fact)
                .into_iter()
                .flat_map(|part| {
                    // Without the names, where a pronoun may stand for them.
                    let names = names_in(fact, &names);
                    let split = names.into_iter().filter(|_| stands_in);
                    split.fold(vec![part], |pieces, name| {
                        let pieces = pieces.iter().flat_map(|piece| piece.split(name));
                        pieces.map(str::to_owned).collect()
                    })
                })
                .filter(|part| !(part.is_empty() || stands_in && is_name(part)))
                .collect();
            let letters: usize = parts.iter().map(|part| part.chars().count()).sum();
            letters >= 3
                && (parts.iter().all(|part| told.contains(part.as_str()))
                    || retells(&parts, &names_in(fact, &names), told))
        }
        Lang::En => {
            let (fact, told) = (carries(fact), carries(told));
            let denied = ["never", "not", "thoug", "belie", "suspe"]
                .iter()
                .any(|word| told.iter().any(|known| known == word));
            let head = &told[..told.len().min(fact.len() + 4)];
            let known = fact
                .iter()
                .filter(|word| {
                    head.contains(word)
                        || SAME_EN.iter().any(|same| {
                            same.contains(&word.as_str())
                                && same
                                    .iter()
                                    .any(|word| head.iter().any(|known| known == word))
                        })
                })
                .count();
            // Of a long fact one word may be another.
            fact.len() >= 2
                && !denied
                && (known == fact.len() || fact.len() >= 4 && known + 1 == fact.len())
        }
    }
}

/// Other words for the same, by their first letters.
pub(in crate::check) const SAME_EN: &[&[&str]] = &[
    &["killed", "kill", "murde", "slew", "slain"],
    &["poiso", "poison"],
    &["fathe", "dad", "sire"],
    &["illeg", "natur", "basta"],
    &["set", "burne", "burnt", "torch"],
    &["fire", "aligh", "ablaz", "burne"],
    &["stole", "stolen", "took", "thief"],
    &["hide", "burie", "conce"],
    &["fake", "forge", "impos", "false"],
];

/// Names of people within a fact.
fn names_in<'f>(fact: &'f str, names: &[Mention<'_>]) -> Vec<&'f str> {
    names
        .iter()
        .map(|mention| &fact[mention.start..mention.end])
        .collect()
}

/// Whether a text says in other words what the parts of a fact say: every part is touched, and three
/// quarters of all pairs of letters stand in it.
fn retells(parts: &[String], names: &[&str], told: &str) -> bool {
    const MOST: usize = 3;
    let (mut known, mut all) = (0, 0);
    for part in parts {
        // A name is one word, whatever stands beside it.
        let mut pieces = vec![part.as_str()];
        for name in names {
            pieces = pieces
                .into_iter()
                .flat_map(|piece| {
                    let found = piece.contains(name).then_some(*name);
                    piece.split(name).chain(found).collect::<Vec<_>>()
                })
                .filter(|piece| !piece.is_empty())
                .collect();
        }
        for piece in pieces {
            let letters: Vec<char> = piece.chars().collect();
            let pairs: Vec<String> = letters
                .windows(2)
                .map(|pair| pair.iter().collect())
                .collect();
            let touched = letters
                .iter()
                .filter(|letter| told.contains(**letter))
                .count();
            let found = pairs
                .iter()
                .filter(|pair| told.contains(pair.as_str()))
                .count();
            let whole = if pairs.is_empty() { 1 } else { pairs.len() };
            let enough = if pairs.len() < 2 {
                touched > 0
            } else {
                found > 0
            };
            if !enough {
                return false;
            }
            all += 2 * whole;
            known += if pairs.is_empty() { 2 } else { 2 * found };
            // `毒酒` of `毒死`.
            if found == 0 && touched > 0 {
                known += 1;
            }
        }
    }
    known * 4 >= all * MOST
}

/// The words of an English text that carry something, by their first letters.
fn carries(text: &str) -> Vec<String> {
    const EMPTY: [&str; 19] = [
        "the", "a", "an", "is", "was", "are", "were", "has", "had", "have", "been", "be", "of",
        "to", "in", "his", "her", "their", "that",
    ];
    text.to_lowercase()
        .replace('’', "'")
        .split(|char: char| !(char.is_alphanumeric() || char == '\''))
        .filter(|word| !word.is_empty() && !EMPTY.contains(word))
        .map(|word| {
            let stem = match word.trim_end_matches("'s") {
                "led" | "leads" => "lead",
                "kept" | "keeps" => "keep",
                "hid" | "hidden" | "hides" => "hide",
                "killed" | "kills" => "kill",
                stem => stem,
            };
            stem.chars().take(5).collect()
        })
        .collect()
}

/// What a Chinese text says, without words that carry nothing.
fn pieces_zh(fact: &str) -> Vec<String> {
    let mut pieces = vec![fact.to_owned()];
    for word in [
        "其实", "真正", "的", "是", "了", "在", "着", "过", "已经", "被", "就", "，", "。",
    ] {
        pieces = pieces
            .iter()
            .flat_map(|piece| piece.split(word).map(str::to_owned).collect::<Vec<_>>())
            .collect();
    }
    pieces
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect()
}
