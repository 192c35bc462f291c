//! Somebody knows a secret, as the narrator or they themselves say.

use novel_model::Lang;

use super::{
    super::against::{self, Clash},
    Shown, words,
};
use crate::check::prose::holds;

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    if shown.scope.secrets.is_empty() {
        return None;
    }
    let after = shown.after();
    let told = match shown.scope.lang {
        Lang::Zh => known_zh(after)
            .map(str::to_owned)
            .or_else(|| spoken_zh(shown)),
        Lang::En => known_en(&after.to_lowercase()),
    }?;
    let secret = shown
        .scope
        .secrets
        .iter()
        .find(|secret| says(shown, &secret.fact, &told))?;
    against::knows(shown.scope, shown.mention.id, secret)
}

/// What follows a verb of knowing right after the name.
fn known_zh(after: &str) -> Option<&str> {
    let clause = after
        .split(['，', '。', '；', '！', '：'])
        .next()
        .unwrap_or_default();
    let (verb, at) = words::KNOWS_ZH
        .iter()
        .filter_map(|verb| Some((*verb, clause.find(verb)?)))
        .min_by_key(|(verb, at)| (*at, std::cmp::Reverse(verb.len())))?;
    let front = &clause[..at];
    let rest = &after[at + verb.len()..];
    let learnt = holds(front, words::NOT_KNOWS_ZH) || verb == "毫不怀疑" && front.contains('不');
    // What they do not know is another matter: `知道他有心事，却不知道`.
    let end = ["不知", "不晓", "不清楚", "却", "但", "只是不", "。"]
        .iter()
        .filter_map(|word| rest.find(word))
        .min()
        .unwrap_or(rest.len());
    (front.chars().count() <= 4 && !learnt).then_some(&rest[..end])
}

/// `章北海说：“我知道你是外星人。”`: their own words.
fn spoken_zh(shown: &Shown<'_, '_>) -> Option<String> {
    let after = shown.after();
    let (tag, speech) = after.split_once(['“', '「'])?;
    let speaks = tag.ends_with('：') && tag.chars().count() <= 10;
    let (front, rest) = speech
        .split_once("我知道")
        .or_else(|| speech.split_once("我早就知道"))
        .or_else(|| speech.split_once("我早知道"))?;
    let plain = front.is_empty() || front.ends_with(['，', '。']);
    let asked = rest.contains(['？', '?']) || holds(front, &["不", "如果", "若"]);
    // Whom one speaks to stands before, and is `你` after.
    (speaks && plain && !asked).then(|| format!("{front}{rest}"))
}

fn known_en(after: &str) -> Option<String> {
    let rest = after.trim_start();
    let rest = rest
        .strip_prefix("already ")
        .or_else(|| rest.strip_prefix("perfectly well "))
        .or_else(|| rest.strip_prefix("of course "))
        .unwrap_or(rest);
    let verb = words::KNOWS_EN
        .iter()
        .filter(|verb| rest.starts_with(**verb))
        .max_by_key(|verb| verb.len())?;
    let fact = rest[verb.len()..]
        .trim_start_matches("perfectly well ")
        .trim_start_matches("quite well ")
        .trim_start_matches("already ");
    let fact = fact.strip_prefix("that ").unwrap_or(fact);
    let asks = [
        "how ", "why ", "what ", "who ", "where ", "whether ", "if ", "nothing", "of ", "better",
    ]
    .iter()
    .any(|word| fact.starts_with(word));
    let fact = fact.split([';', '.']).next().unwrap_or_default();
    let fact = fact.split(" but ").next().unwrap_or_default();
    (!asks).then(|| fact.to_owned())
}

/// Whether a text says a secret: all that carries something stands in it.
fn says(shown: &Shown<'_, '_>, fact: &str, told: &str) -> bool {
    match shown.scope.lang {
        Lang::Zh => {
            let parts: Vec<String> = pieces_zh(fact);
            let letters: usize = parts.iter().map(|part| part.chars().count()).sum();
            // Their own words name whom they speak to first; the narrator begins with the fact.
            let told = told.trim_start_matches(['，', '：', ' ']);
            let begins = told.contains('我')
                || told.contains('你')
                || parts
                    .first()
                    .is_some_and(|part| told.starts_with(part.as_str()));
            letters >= 3 && begins && parts.iter().all(|part| told.contains(part.as_str()))
        }
        Lang::En => {
            let carries = |text: &str| -> Vec<String> {
                text.to_lowercase()
                    .split(|char: char| !(char.is_alphanumeric() || char == '\''))
                    .filter(|word| {
                        !word.is_empty()
                            && !matches!(
                                *word,
                                "the"
                                    | "a"
                                    | "an"
                                    | "is"
                                    | "was"
                                    | "are"
                                    | "were"
                                    | "has"
                                    | "had"
                                    | "have"
                                    | "been"
                                    | "be"
                                    | "of"
                                    | "to"
                                    | "in"
                                    | "his"
                                    | "her"
                                    | "their"
                                    | "that"
                            )
                    })
                    .map(|word| word.trim_end_matches("'s").chars().take(5).collect())
                    .collect()
            };
            let (fact, told) = (carries(fact), carries(told));
            let denied = ["never", "not", "thoug", "belie", "suspe", "well"]
                .iter()
                .any(|word| told.iter().any(|known| known == word));
            let head = &told[..told.len().min(fact.len() + 1)];
            fact.len() >= 2 && !denied && fact.iter().all(|word| head.contains(word))
        }
    }
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
