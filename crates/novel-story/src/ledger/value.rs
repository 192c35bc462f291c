//! Values of facts brought to a closed meaning.

use novel_text::parse_numeral;
use serde_json::Value;

use super::{Slot, lexicon};

/// Whether somebody can act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Life {
    /// Lives.
    Alive,
    /// Is dead.
    Dead,
    /// Is away.
    Absent,
    /// Lives and cannot act.
    Senseless,
}

/// A part of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Arm.
    Arm,
    /// Hand.
    Hand,
    /// Leg or foot.
    Leg,
    /// Eye.
    Eye,
    /// Ear.
    Ear,
    /// Tongue.
    Tongue,
    /// Some of the fingers of a hand.
    Finger,
}

/// What is wrong with a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// A part is gone or cannot be used; its side: left `l`, right `r`, both `b`, unknown `-`.
    Lost(Part, char),
    /// Cannot see.
    Blind,
    /// Cannot hear.
    Deaf,
    /// Cannot speak.
    Mute,
    /// Cannot walk.
    Lamed,
}

/// The state of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Whole.
    Whole,
    /// With troubles, in the order they are told.
    Hurt(Vec<Trouble>),
}

/// A thing somebody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    /// Its name.
    pub name: String,
    /// How many, where that is said.
    pub count: Option<u32>,
}

/// The meaning of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// Of `alive`.
    Life(Life),
    /// Of `body`.
    Body(Body),
    /// Of `holds`.
    Things(Vec<Thing>),
    /// Of `count`, `age`, `birth`.
    Number(u32),
    /// Of `intact`.
    Intact(bool),
    /// Of `relation`: `1` together, `-1` against, `0` strangers, `2` acquainted.
    Stand(i8),
    /// A text that decides by identity: a place, a rank, an id.
    Name(String),
    /// A text that decides nothing.
    Text(String),
}

impl Meaning {
    /// The meaning of a value in a slot.
    #[must_use]
    pub fn of(slot: Slot, field: &str, value: &Value) -> Option<Self> {
        let text = value.as_str().map(str::trim);
        Some(match slot {
            Slot::Alive => match value {
                Value::Bool(yes) => {
                    let dead = field.contains("dead");
                    Self::Life(if *yes != dead {
                        Life::Alive
                    } else {
                        Life::Dead
                    })
                }
                // `alive: no`.
                _ if field.contains("alive") && matches!(text, Some("no" | "No" | "false")) => {
                    Self::Life(Life::Dead)
                }
                _ => life(text?).map_or_else(
                    || Self::Text(text.unwrap_or_default().to_owned()),
                    Self::Life,
                ),
            },
            Slot::Body => body(value),
            Slot::Holds => Self::Things(things(value)),
            Slot::Count | Slot::Age | Slot::Birth => Self::Number(read_number(value)?),
            Slot::Intact => match value {
                Value::Bool(yes) => {
                    Self::Intact(*yes != matches!(field, "broken" | "destroyed" | "损坏"))
                }
                _ => intact(text?).map_or_else(
                    || Self::Text(text.unwrap_or_default().to_owned()),
                    Self::Intact,
                ),
            },
            Slot::Relation => match value {
                Value::Number(_) => return None,
                // `{"陈老": "敌人"}`: one element of a map.
                Value::Object(members) => {
                    let (_, one) = members.iter().next().filter(|_| members.len() == 1)?;
                    return Self::of(slot, field, one);
                }
                _ => stand(text?).map_or_else(
                    || Self::Text(text.unwrap_or_default().to_owned()),
                    Self::Stand,
                ),
            },
            Slot::Place | Slot::Holder | Slot::Rank => {
                Self::Name(text.filter(|text| !text.is_empty())?.to_owned())
            }
            Slot::Kinship => Self::Name(kinship(field, value)?),
            Slot::Knows | Slot::Day | Slot::PartOfDay | Slot::Goal => Self::Text(text?.to_owned()),
        })
    }
}

/// A tie in one line: `father: Chen`, `陈老: 父亲`, `son of Chen`.
fn kinship(field: &str, value: &Value) -> Option<String> {
    match value {
        Value::String(text) if kin_of(field).is_some() => Some(format!("{field}: {}", text.trim())),
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Object(members) => {
            let ties = members
                .iter()
                .filter_map(|(key, value)| Some(format!("{key}: {}", value.as_str()?.trim())));
            Some(ties.collect::<Vec<_>>().join("; "))
        }
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

/// Whether two stands cannot be at once.
#[must_use]
pub fn stands_differ(a: i8, b: i8) -> bool {
    // Who is acquainted may be a friend or an enemy, but no stranger.
    match (a, b) {
        (2, other) | (other, 2) => other == 0,
        (a, b) => a != b,
    }
}

/// Whether a value says that somebody lives; `None` for a value nobody knows.
pub(super) fn life(text: &str) -> Option<Life> {
    let lower = text.to_lowercase();
    let plain = lower.trim_matches(|char: char| !char.is_alphanumeric());
    if plain.is_empty() {
        return None;
    }
    let excepted = lexicon::NOT_DEAD.iter().any(|word| plain.contains(word));
    if !excepted && (says(plain, lexicon::DEAD) || dies(plain)) && !kills(plain) {
        return Some(Life::Dead);
    }
    if says(plain, lexicon::SENSELESS) {
        return Some(Life::Senseless);
    }
    if says(plain, lexicon::ABSENT) || serves(plain) {
        return Some(Life::Absent);
    }
    if says(plain, lexicon::LIVING) {
        return Some(Life::Alive);
    }
    // `因私通外敌，被关押在大理寺天牢`: a longer value says it in one of its clauses.
    let mut clauses = plain.split(['，', '。', '；']);
    let clauses = clauses.by_ref().filter(|clause| clause.len() < plain.len());
    let mut lives = clauses.filter_map(|clause| {
        if says(clause, lexicon::SENSELESS) {
            Some(Life::Senseless)
        } else {
            says(clause, lexicon::ABSENT).then_some(Life::Absent)
        }
    });
    lives
        .next()
        .or_else(|| confines(plain).then_some(Life::Absent))
}

/// Whether a Chinese value says that somebody is held where they are: `押在死牢`, `被困井下`, `锁于塔中`.
#[must_use]
pub(crate) fn confines(text: &str) -> bool {
    const HOLDS: &str = "押关锁困囚绑扣封镇拘羁抓擒俘掳劫";
    const AT: &str = "在于进入住禁押";
    const WORDS: [&str; 10] = [
        "软禁", "幽禁", "监禁", "禁足", "禁闭", "圈禁", "服刑", "坐牢", "羁押", "面壁",
    ];
    let letters: Vec<char> = text.chars().collect();
    let held = letters.windows(2).any(|pair| {
        pair[0] == '被' && HOLDS.contains(pair[1])
            || HOLDS.contains(pair[0]) && AT.contains(pair[1])
    });
    held || WORDS.iter().any(|word| text.contains(word))
}

/// A death by its last word or letter: `杖毙`, `饮鸩而亡`, `fell at the ford, dead`.
fn dies(text: &str) -> bool {
    const LONGEST: usize = 16;
    const WORDS: [&str; 14] = [
        "dead",
        "died",
        "killed",
        "slain",
        "murdered",
        "executed",
        "perished",
        "drowned",
        "hanged",
        "beheaded",
        "deceased",
        "assassinated",
        "buried",
        "guillotined",
    ];
    if text.is_ascii() {
        let mut words = text.split(|char: char| !char.is_alphanumeric());
        return words.any(|word| WORDS.contains(&word)) || text.contains(" to death");
    }
    text.chars().count() <= LONGEST
        && !lexicon::NO_DEATH.iter().any(|word| text.contains(word))
        && (text.contains(lexicon::DEATH_LETTERS)
            || lexicon::DEATH_ENDINGS
                .iter()
                .any(|ending| text.ends_with(ending)))
}

/// `serving six years in Holloway`.
fn serves(text: &str) -> bool {
    text.starts_with("serving ")
        && ["year", "month", "sentence", "term", "life"]
            .iter()
            .any(|word| text.contains(word))
}

/// `killed his master`: somebody else is dead.
fn kills(text: &str) -> bool {
    const OTHERS: [&str; 7] = ["the", "a", "an", "his", "her", "their", "two"];
    let mut words = text.split(' ');
    matches!(
        words.next(),
        Some("killed" | "murdered" | "executed" | "assassinated" | "buried" | "strangled" | "shot")
    ) && words.next().is_some_and(|next| OTHERS.contains(&next))
        || text.starts_with("杀死了") && !text.contains('被')
}

/// A Latin word as a word, a Chinese one at the start or the end of a short value: `于第十章战死`.
fn says(text: &str, words: &[&str]) -> bool {
    const SHORT: usize = 16;
    let is_short = text.chars().count() <= SHORT;
    words.iter().any(|word| {
        if word.is_ascii() {
            text == *word
                || text
                    .strip_prefix(word)
                    .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
                || text.strip_suffix(word).is_some_and(|rest| {
                    !rest.ends_with(char::is_alphanumeric) && !rest.ends_with("not ")
                })
        } else if word.chars().count() == 1 {
            text == *word
                || text
                    .strip_suffix(word)
                    .is_some_and(|rest| matches!(rest, "已" | "已经" | "战" | "病"))
                || text.strip_prefix(word).is_some_and(|rest| {
                    matches!(rest.chars().next(), Some('于' | '在' | '了' | '，' | '（'))
                })
        } else {
            text == *word || is_short && text.contains(word)
        }
    })
}

fn intact(text: &str) -> Option<bool> {
    let lower = text.to_lowercase();
    if says(&lower, lexicon::DESTROYED) {
        return Some(false);
    }
    says(
        &lower,
        &[
            "intact",
            "whole",
            "repaired",
            "restored",
            "reforged",
            "good",
            "mended",
            "完好",
            "完整",
            "完好无损",
            "修复",
            "重铸",
            "已修复",
        ],
    )
    .then_some(true)
}

fn stand(text: &str) -> Option<i8> {
    let lower = text.to_lowercase();
    let denied = ["没有", "并无", "无冤", "毫无"]
        .iter()
        .any(|word| lower.contains(word));
    if !denied && says(&lower, lexicon::HOSTILE) {
        return Some(-1);
    }
    if says(&lower, lexicon::STRANGE) {
        return Some(0);
    }
    if says(&lower, lexicon::FRIENDLY) {
        return Some(1);
    }
    says(&lower, lexicon::ACQUAINTED).then_some(2)
}

fn body(value: &Value) -> Meaning {
    let mut texts = Vec::new();
    collect(value, "", &mut texts);
    let whole = texts.join("；").to_lowercase();
    if texts
        .iter()
        .any(|text| lexicon::HEALED.contains(&text.to_lowercase().as_str()))
    {
        return Meaning::Body(Body::Whole);
    }
    let mut troubles = Vec::new();
    let known = |words: &[&str]| words.iter().any(|word| whole.contains(word));
    // `blind in one eye` is not blind.
    let one_eyed = [
        "one eye",
        "left eye",
        "right eye",
        "左眼",
        "右眼",
        "左目",
        "右目",
        "一目",
        "一只眼",
        "独眼",
        "色盲",
        "夜盲",
    ]
    .iter()
    .any(|word| whole.contains(word));
    if known(lexicon::BLIND) && !one_eyed {
        troubles.push(Trouble::Blind);
    }
    if known(lexicon::DEAF)
        && !whole.contains("左耳")
        && !whole.contains("右耳")
        && !whole.contains("one ear")
    {
        troubles.push(Trouble::Deaf);
    }
    if known(lexicon::MUTE)
        || texts
            .iter()
            .any(|text| matches!(text.as_str(), "哑" | "已哑"))
    {
        troubles.push(Trouble::Mute);
    }
    if known(lexicon::LAMED) {
        troubles.push(Trouble::Lamed);
    }
    for text in &texts {
        for piece in text.to_lowercase().split(['，', '；', ',', ';', '、']) {
            if !lexicon::LOST_PART.iter().any(|word| piece.contains(word)) {
                continue;
            }
            let part = lexicon::PARTS.iter().find(|(word, ..)| {
                piece.match_indices(word).any(|(at, _)| {
                    !word.is_ascii()
                        || !piece[..at].ends_with(char::is_alphanumeric)
                            && !piece[at + word.len()..].starts_with(char::is_alphanumeric)
                })
            });
            if let Some((_, part, side)) = part {
                let fingers = lexicon::FINGERS.iter().any(|word| piece.contains(word));
                let part = match part_of(*part) {
                    Part::Arm | Part::Hand if fingers => Part::Finger,
                    part => part,
                };
                troubles.push(Trouble::Lost(part, *side));
            }
        }
    }
    let covered = |whole: Trouble, part: Part| {
        let known = troubles.contains(&whole);
        move |trouble: &Trouble| known && matches!(trouble, Trouble::Lost(lost, _) if *lost == part)
    };
    let (eyes, ears, legs) = (
        covered(Trouble::Blind, Part::Eye),
        covered(Trouble::Deaf, Part::Ear),
        covered(Trouble::Lamed, Part::Leg),
    );
    troubles.retain(|trouble| !eyes(trouble) && !ears(trouble) && !legs(trouble));
    troubles.dedup();
    if troubles.is_empty() {
        Meaning::Text(texts.join("；"))
    } else {
        Meaning::Body(Body::Hurt(troubles))
    }
}

fn part_of(letter: char) -> Part {
    match letter {
        'a' => Part::Arm,
        'h' => Part::Hand,
        'g' => Part::Leg,
        'e' => Part::Eye,
        'r' => Part::Ear,
        _ => Part::Tongue,
    }
}

/// Texts of a value; a member of an object with its name: `left_arm: lost`.
fn collect(value: &Value, name: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(
            format!("{} {}", name.replace('_', " "), text.trim())
                .trim()
                .to_owned(),
        ),
        Value::Array(list) => list.iter().for_each(|entry| collect(entry, name, found)),
        Value::Object(members) => members.iter().for_each(|(key, entry)| {
            let key = if matches!(
                key.as_str(),
                "part" | "injury" | "type" | "name" | "state" | "desc" | "description"
            ) {
                ""
            } else {
                key
            };
            collect(entry, key, found);
        }),
        Value::Bool(true) if !name.is_empty() => found.push(name.replace('_', " ")),
        _ => {}
    }
}

/// The things a value lists.
pub fn things(value: &Value) -> Vec<Thing> {
    match value {
        Value::Array(list) => list.iter().flat_map(things).collect(),
        Value::Object(item) => {
            let name = ["display_name", "name", "item", "id", "物品", "名称"]
                .iter()
                .find_map(|key| item.get(*key)?.as_str());
            let count = ["count", "quantity", "amount", "数量"]
                .iter()
                .find_map(|key| item.get(*key).and_then(read_number));
            match name {
                Some(name) => vec![Thing {
                    name: name.trim().to_owned(),
                    count,
                }],
                None => item
                    .iter()
                    .map(|(name, count)| Thing {
                        name: name.clone(),
                        count: read_number(count),
                    })
                    .collect(),
            }
        }
        Value::String(text) => counted(text).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// `三枚铜钱`, `two brass keys`, `青锋剑`, `丹药×3`.
fn counted(text: &str) -> Option<Thing> {
    const MEASURES: &str =
        "个枚把支只颗粒瓶张块件柄口条根两包匹头封本卷面杆坛壶袋副双株滴片架艘辆匣锭串份";
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if let Some((name, count)) = text
        .rsplit_once(['×', 'x', '*'])
        .filter(|(name, count)| !name.trim().is_empty() && count.trim().parse::<u32>().is_ok())
    {
        return Some(Thing {
            name: name.trim().to_owned(),
            count: count.trim().parse().ok(),
        });
    }
    let number_end = text
        .char_indices()
        .find(|(_, char)| {
            !(char.is_ascii_digit() || "一二三四五六七八九十百千万两几".contains(*char))
        })
        .map_or(text.len(), |(at, _)| at);
    if number_end > 0 {
        let rest = &text[number_end..];
        let named = rest.strip_prefix(|char: char| MEASURES.contains(char));
        let name = named.unwrap_or(rest).trim();
        let count = parse_numeral(&text[..number_end].replace('两', "二"));
        if !name.is_empty()
            && (named.is_some() || text.starts_with(|char: char| char.is_ascii_digit()))
        {
            return Some(Thing {
                name: name.to_owned(),
                count,
            });
        }
    }
    let mut words = text.splitn(2, ' ');
    if let (Some(first), Some(rest)) = (words.next(), words.next())
        && let Some(count) = number_word(first)
    {
        return Some(Thing {
            name: rest.trim().to_owned(),
            count: Some(count),
        });
    }
    let name = ["a ", "an ", "the ", "his ", "her "]
        .iter()
        .find_map(|article| {
            text.to_lowercase()
                .starts_with(article)
                .then(|| text[article.len()..].trim())
        })
        .unwrap_or(text);
    Some(Thing {
        name: name.to_owned(),
        count: None,
    })
}

/// An English number word or digits.
pub(crate) fn number_word(word: &str) -> Option<u32> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    const TENS: [&str; 8] = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let word = word.to_lowercase();
    if let Ok(number) = word.parse() {
        return Some(number);
    }
    if let Some(number) = WORDS.iter().position(|known| *known == word) {
        return u32::try_from(number).ok();
    }
    // `six-and-twenty`.
    if let Some((ones, tens)) = word.split_once("-and-") {
        return number_word(&format!("{tens}-{ones}"));
    }
    let (tens, ones) = word.split_once('-').unwrap_or((&word, "zero"));
    let tens = TENS.iter().position(|known| *known == tens)?;
    let ones = WORDS[..10].iter().position(|known| *known == ones)?;
    u32::try_from((tens + 2) * 10 + ones).ok()
}

/// A number in digits, in Chinese or in English words.
#[must_use]
pub fn read_number(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| u32::try_from(number).ok()),
        Value::String(text) => read_age(text),
        _ => None,
    }
}

/// `十九岁`, `nineteen`, `aged 19`, `三枚`.
#[must_use]
pub fn read_age(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits: String = text
        .chars()
        .skip_while(|char| !char.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    if let Ok(number) = digits.parse() {
        return Some(number);
    }
    let han: String = text
        .chars()
        .skip_while(|char| !is_han_number(*char))
        .take_while(|char| is_han_number(*char))
        .collect();
    if !han.is_empty() {
        return parse_numeral(&han.replace('两', "二"));
    }
    text.split(|char: char| !(char.is_alphanumeric() || char == '-'))
        .find_map(number_word)
}

fn is_han_number(char: char) -> bool {
    "〇零一二三四五六七八九十百千万廿卅两".contains(char)
}

/// The kind of kinship a word says, with the sex of who is called so.
#[must_use]
pub fn kin_of(word: &str) -> Option<(char, char)> {
    const BEFORE: [&str; 12] = [
        "elder ",
        "younger ",
        "older ",
        "half-",
        "twin ",
        "eldest ",
        "youngest ",
        "only ",
        "big ",
        "little ",
        "亲生",
        "亲",
    ];
    let word = word.trim().to_lowercase();
    let find = |word: &str| {
        lexicon::KIN
            .iter()
            .find(|(known, ..)| *known == word)
            .map(|(_, kind, sex)| (*kind, *sex))
    };
    find(&word).or_else(|| {
        BEFORE
            .iter()
            .find_map(|modifier| word.strip_prefix(modifier))
            .and_then(find)
    })
}

/// A name of a thing without its article: `the ledger` is `ledger`.
pub(crate) fn without_article(name: &str) -> &str {
    let name = name.trim();
    ["the ", "a ", "an "]
        .iter()
        .find_map(|article| {
            let head = name.get(..article.len())?;
            head.eq_ignore_ascii_case(article)
                .then(|| name[article.len()..].trim_start())
        })
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name)
}

/// Whether two names are of one thing.
pub(crate) fn same_thing(a: &str, b: &str) -> bool {
    plain(without_article(a)) == plain(without_article(b))
}

/// Letters and digits alone, in small letters.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether two wordings are the same, or one holds the other.
pub(crate) fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (plain(a), plain(b));
    !a.is_empty() && !b.is_empty() && (a.contains(&b) || b.contains(&a))
}
