//! English rules, and the sentences that break them.

use super::{
    en_words as words,
    law::{Law, Limit, Who, is_time, verb_en},
};
use crate::ledger::number_word;

/// Reads a rule; `None` for one of another form.
pub(super) fn read(rule: &str) -> Option<Law> {
    let mut rule = rule
        .trim()
        .trim_end_matches(['.', '!'])
        .to_lowercase()
        .replace('’', "'");
    let mut excuses = Vec::new();
    for mark in [
        " unless ",
        ", except ",
        " except ",
        " other than ",
        " save ",
    ] {
        if let Some(at) = rule.find(mark) {
            let rest = rule[at + mark.len()..].to_owned();
            excuses.extend(content(&rest));
            rule.truncate(at);
        }
    }
    let mut law = limited(&rule)
        .or_else(|| only(&rule))
        .or_else(|| required(&rule))
        .or_else(|| forbidden(&rule))?;
    law.excuses.append(&mut excuses);
    law.is_plain().then_some(law)
}

fn forbidden(rule: &str) -> Option<Law> {
    // `After dark, no one may leave the village`.
    let mut law = Law::new(Who::Anybody);
    let mut body = rule.trim();
    if let Some((front, rest)) = body.split_once(", ")
        && words::PLACES.contains(&front.split(' ').next().unwrap_or_default())
    {
        where_and_when(front, &mut law);
        body = rest;
    }
    if let Some(event) = words::NOBODY
        .iter()
        .find_map(|mark| body.strip_prefix(mark))
    {
        event_of(event, "", &mut law)?;
        return Some(law);
    }
    // `No novice may enter`.
    if let Some(rest) = body.strip_prefix("no ") {
        for mark in [
            " may ",
            " can ",
            " is allowed to ",
            " shall ",
            " is ever to ",
        ] {
            if let Some((class, event)) = rest.split_once(mark) {
                let event = event.strip_prefix("ever ").unwrap_or(event);
                event_of(event, class, &mut law)?;
                return Some(law);
            }
        }
    }
    // `Magic is forbidden in the temple`, `Flying is not allowed`.
    for mark in [
        " is strictly forbidden",
        " is forbidden",
        " are forbidden",
        " is prohibited",
        " are prohibited",
        " is not allowed",
        " are not allowed",
        " is impossible",
        " is banned",
        " are banned",
        " is useless",
        " are useless",
        " is powerless",
        " fails",
        " fail",
        " does not work",
        " do not work",
        " doesn't work",
    ] {
        if let Some((topic, rest)) = body.split_once(mark)
            && !rest.trim_start().starts_with("to ")
            && !rest.trim_start().starts_with("from ")
        {
            where_and_when(rest, &mut law);
            let topic = without_article(topic);
            if verb_en(topic).is_some() {
                event_of(topic, "", &mut law)?;
            } else {
                law.verbs = words::USED.iter().map(|verb| (*verb).to_owned()).collect();
                law.objects = content(topic).map(|word| vec![word]).collect();
            }
            return (!law.conditions.is_empty() || verb_en(topic).is_some()).then_some(law);
        }
    }
    let (at, mark) = words::FORBIDS
        .iter()
        .filter_map(|mark| Some((body.find(mark)?, *mark)))
        .min_by_key(|(at, mark)| (*at, std::cmp::Reverse(mark.len())))?;
    let (topic, event) = (&body[..at], &body[at + mark.len()..]);
    // `Nobody who ...` and `anyone` bind everybody.
    let topic = without_article(topic);
    event_of(event, topic, &mut law)?;
    Some(law)
}

/// `Only priests may enter the crypt`, `Only with the key can the gate be opened`.
fn only(rule: &str) -> Option<Law> {
    let rest = rule
        .strip_prefix("only ")
        .or_else(|| rule.strip_prefix("none but "))?;
    let (class, event) = [
        " can ",
        " may ",
        " are allowed to ",
        " is allowed to ",
        " could ",
        " is able to ",
        " are able to ",
    ]
    .iter()
    .find_map(|mark| rest.split_once(mark))?;
    let class = without_article(class);
    if class.starts_with("with ") || class.starts_with("by ") || class.starts_with("after ") {
        let mut law = Law::new(Who::Anybody);
        law.without = content(class).collect();
        event_of(event, "", &mut law)?;
        return Some(law);
    }
    let mut law = Law::new(Who::Not(singular(class)));
    event_of(event, "", &mut law)?;
    Some(law)
}

/// `Mages must speak the words to cast a spell`, `Magic requires a spoken word`,
/// `No one may enter without a pass`.
fn required(rule: &str) -> Option<Law> {
    if let Some((rest, need)) = rule.split_once(" without ") {
        let mut law = forbidden(rest)?;
        law.without = content(need).collect();
        return (!law.without.is_empty()).then_some(law);
    }
    let mut law = Law::new(Who::Anybody);
    if let Some((event, need)) = rule
        .strip_prefix("to ")
        .and_then(|rest| rest.split_once(" must "))
    {
        let event = event.split(',').next()?;
        event_of(event, "", &mut law)?;
        law.without = needs(need);
        return Some(law);
    }
    if let Some((topic, need)) = rule
        .split_once(" requires ")
        .or_else(|| rule.split_once(" require "))
    {
        let topic = without_article(topic);
        if verb_en(topic).is_some() {
            event_of(topic, "", &mut law)?;
        } else {
            law.verbs = words::USED.iter().map(|verb| (*verb).to_owned()).collect();
            law.objects = content(topic).map(|word| vec![word]).collect();
        }
        law.without = content(need).collect();
        return (!law.without.is_empty()).then_some(law);
    }
    let (topic, rest) = rule.split_once(" must ")?;
    let (need, event) = [
        " in order to ",
        " before they can ",
        " before they ",
        " before ",
        " to ",
    ]
    .iter()
    .find_map(|mark| rest.split_once(mark))?;
    event_of(event, without_article(topic), &mut law)?;
    law.without = needs(need);
    (!law.without.is_empty()).then_some(law)
}

/// What must be done, without its verb when it has an object.
fn needs(need: &str) -> Vec<String> {
    let words: Vec<String> = content(need).collect();
    match words.as_slice() {
        [_, rest @ ..] if !rest.is_empty() => rest.to_vec(),
        _ => words,
    }
}

/// `The gate can be opened only once a day`, `No one may use the ring more than three times`.
fn limited(rule: &str) -> Option<Law> {
    let (at, most, counted) = ["at most ", "no more than ", "more than ", "only "]
        .iter()
        .find_map(|mark| {
            let at = rule.find(mark)?;
            let rest = &rule[at + mark.len()..];
            let mut words = rest.split(' ');
            let (first, second) = (words.next()?, words.next());
            let most = match first {
                "once" => 1,
                "twice" => 2,
                "thrice" => 3,
                word => number_word(word)?,
            };
            // `only one spell a day`: what is counted is the object.
            let times = matches!(first, "once" | "twice" | "thrice")
                || second.is_some_and(|next| next.starts_with("time"));
            let counted = second.filter(|_| !times);
            (times || counted.is_some()).then_some((at, most, counted))
        })?;
    let daily = [
        "a day",
        "per day",
        "each day",
        "every day",
        "a night",
        "in one day",
    ]
    .iter()
    .any(|word| rule.contains(word));
    let front = rule[..at].trim().trim_end_matches(',');
    let mut law = forbidden(front).or_else(|| {
        let (topic, event) = front
            .split_once(" can ")
            .or_else(|| front.split_once(" may "))
            .or_else(|| front.split_once(" works "))?;
        let mut law = Law::new(Who::Anybody);
        let event = match counted {
            Some(object) => format!("{} {object}", event.trim()),
            None => event.to_owned(),
        };
        event_of(&event, without_article(topic), &mut law)?;
        Some(law)
    })?;
    if counted.is_some() && !daily {
        return None;
    }
    law.limit = Some(Limit { most, daily });
    (!law.objects.is_empty()).then_some(law)
}

fn event_of(event: &str, topic: &str, law: &mut Law) -> Option<()> {
    let event = event.trim();
    let passive = event
        .strip_prefix("be ")
        .or_else(|| event.strip_prefix("ever be "));
    let event = passive.unwrap_or(event);
    let (rest, needs_object) = match verb_en(event) {
        Some((length, verb)) => {
            law.verbs = verb.told_en.iter().map(|verb| (*verb).to_owned()).collect();
            (&event[length..], verb.needs_object)
        }
        None => {
            let word = event
                .split([' ', ','])
                .next()
                .filter(|word| word.len() > 2)?;
            law.verbs = forms(word);
            (&event[word.len()..], true)
        }
    };
    let rest = rest.trim();
    // The object, then where and when.
    let words: Vec<&str> = rest.split(' ').collect();
    let cut = words
        .iter()
        .position(|word| words::PLACES.contains(word))
        .unwrap_or(words.len());
    let object = words[..cut].join(" ");
    let mut objects: Vec<Vec<String>> = content(&object).map(|word| vec![word]).collect();
    let has_object = !objects.is_empty();
    law.objects.append(&mut objects);
    where_and_when(&words[cut..].join(" "), law);
    if topic.is_empty()
        || matches!(
            topic,
            "anyone"
                | "anybody"
                | "people"
                | "one"
                | "humans"
                | "person"
                | "you"
                | "man"
                | "everyone"
        )
    {
        return Some(());
    }
    if passive.is_some() || needs_object && !has_object {
        law.objects
            .extend(content(topic).map(|word| vec![word]).collect::<Vec<_>>());
    } else if law.who == Who::Anybody {
        law.who = Who::Of(singular(topic));
    }
    Some(())
}

/// Adds the conditions of a phrase.
fn where_and_when(phrase: &str, law: &mut Law) {
    let phrase = phrase.trim().trim_matches(',');
    if phrase.is_empty() {
        return;
    }
    // Each preposition begins a condition of its own.
    let mut pieces: Vec<String> = Vec::new();
    for word in phrase.split(' ') {
        if words::PLACES.contains(&word) || pieces.is_empty() {
            pieces.push(word.to_owned());
        } else if let Some(last) = pieces.last_mut() {
            last.push(' ');
            last.push_str(word);
        }
    }
    for piece in pieces {
        let bare = piece
            .split_once(' ')
            .map_or(piece.as_str(), |(_, rest)| rest);
        let timed = is_time(&piece) || is_time(without_article(bare)) || bare.contains("full moon");
        if timed && !piece.starts_with("before") {
            law.when(if bare.contains("full moon") {
                "full moon"
            } else if is_time(&piece) {
                &piece
            } else {
                without_article(bare)
            });
        } else {
            for word in content(bare) {
                law.when(&word);
            }
        }
    }
}

fn without_article(text: &str) -> &str {
    let text = text.trim();
    ["the ", "a ", "an ", "any ", "all ", "every ", "each "]
        .iter()
        .find_map(|article| text.strip_prefix(article))
        .unwrap_or(text)
}

/// Stems of the words that carry something.
fn content(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|char: char| !(char.is_alphanumeric() || char == '\'' || char == '-'))
        .filter(|word| {
            word.len() > 1 && !words::FUNCTION.contains(word) && !words::PLACES.contains(word)
        })
        .map(stem)
}

/// The part of a word its forms share: `selves` and `self`, `humans` and `human`.
pub(super) fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s");
    for (end, with) in [
        ("ves", ""),
        ("ies", ""),
        ("sses", "ss"),
        ("xes", "x"),
        ("ches", "ch"),
        ("shes", "sh"),
    ] {
        if let Some(rest) = word.strip_suffix(end).filter(|rest| rest.len() >= 2) {
            return format!("{rest}{with}");
        }
    }
    for end in ["ing", "ed", "s", "e", "y"] {
        if let Some(rest) = word
            .strip_suffix(end)
            .filter(|rest| rest.len() >= 3 && !rest.ends_with('s'))
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

/// A class in the singular: `time travellers` is `time traveller`.
fn singular(class: &str) -> String {
    let class = without_article(class);
    if let Some(rest) = class.strip_suffix("wolves") {
        return format!("{rest}wolf");
    }
    if let Some(rest) = class.strip_suffix("elves") {
        return format!("{rest}elf");
    }
    if let Some(rest) = class.strip_suffix("dwarves") {
        return format!("{rest}dwarf");
    }
    if let Some(rest) = class.strip_suffix("men") {
        return format!("{rest}man");
    }
    if let Some(rest) = class.strip_suffix("ies") {
        return format!("{rest}y");
    }
    if let Some(rest) = class.strip_suffix("ches") {
        return format!("{rest}ch");
    }
    class.strip_suffix('s').unwrap_or(class).to_owned()
}

/// Forms prose tells a regular verb with.
fn forms(base: &str) -> Vec<String> {
    const IRREGULAR: &[(&[&str], &str)] = &[
        (&["draw", "drawn"], "drew"),
        (&["wear", "worn"], "wore"),
        (&["break", "broken"], "broke"),
        (&["take", "taken"], "took"),
        (&["give", "given"], "gave"),
        (&["write", "written"], "wrote"),
        (&["throw", "thrown"], "threw"),
        (&["cast"], "cast"),
        (&["cut"], "cut"),
        (&["shed"], "shed"),
        (&["build", "built"], "built"),
        (&["hold", "held"], "held"),
        (&["keep", "kept"], "kept"),
        (&["blow", "blown"], "blew"),
        (&["ring", "rung"], "rang"),
        (&["sit"], "sat"),
        (&["stand"], "stood"),
        (&["run"], "ran"),
        (&["bow"], "bowed"),
        (&["hunt", "hunted"], "hunted"),
        (&["engaged", "engage"], "engaged"),
    ];
    if let Some((_, told)) = IRREGULAR.iter().find(|(forms, _)| forms.contains(&base)) {
        return vec![(*told).to_owned()];
    }
    // `be spoken`, `be opened`: the participle is the base of no other form.
    if base.ends_with("ed") {
        return vec![base.to_owned()];
    }
    let base = base.strip_suffix("ing").unwrap_or(base);
    if let Some(front) = base.strip_suffix('e') {
        return vec![format!("{front}ed"), format!("{base}s")];
    }
    if let Some(front) = base.strip_suffix('y') {
        return vec![
            format!("{front}ied"),
            format!("{front}ies"),
            format!("{base}ed"),
        ];
    }
    let last = base.chars().next_back().unwrap_or_default();
    vec![
        format!("{base}ed"),
        format!("{base}{last}ed"),
        format!("{base}s"),
        format!("{base}es"),
    ]
}
