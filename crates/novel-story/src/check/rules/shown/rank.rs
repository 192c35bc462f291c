//! A rank told as a title or as what somebody is.

use novel_model::Lang;
use serde_json::Value;

use super::{
    super::against::{self, Clash},
    Shown, words,
};
use crate::{check::prose::holds, ledger::Slot};

/// Whether a text in small letters has a word of any ladder.
pub(in crate::check) fn rank_in(text: &str, lang: Lang) -> bool {
    match lang {
        Lang::Zh => all().any(|word| !word.is_ascii() && text.contains(word)),
        Lang::En => all().any(|word| {
            text.match_indices(word).any(|(at, _)| {
                !text[..at].ends_with(char::is_alphanumeric)
                    && !text[at + word.len()..].starts_with(char::is_alphanumeric)
            })
        }),
    }
}

/// The step of a ladder a text names: ladder, step, and the word.
fn steps(text: &str) -> impl Iterator<Item = (usize, usize, &'static str)> + '_ {
    words::LADDERS
        .iter()
        .enumerate()
        .flat_map(move |(ladder, steps)| {
            steps.iter().enumerate().flat_map(move |(step, wordings)| {
                wordings
                    .iter()
                    .filter(move |word| text == **word)
                    .map(move |word| (ladder, step, *word))
            })
        })
}

/// Whether two ranks stand on different steps of one ladder, and on no ladder on one step.
fn exclude(told: &str, known: &str) -> bool {
    let mut differ = false;
    for (ladder, step, _) in steps(told) {
        for (other, known, _) in steps(known) {
            if ladder == other {
                if step == known {
                    return false;
                }
                differ = true;
            }
        }
    }
    differ
}

/// The longest word of a ladder a text ends with.
fn ending(text: &str) -> Option<&'static str> {
    all()
        .filter(|word| ends_with_word(text, word))
        .max_by_key(|word| word.len())
}

/// The longest word of a ladder a text begins with.
fn beginning(text: &str) -> Option<&'static str> {
    all()
        .filter(|word| {
            text.strip_prefix(word).is_some_and(|rest| {
                !word.is_ascii() || !rest.starts_with(|char: char| char.is_alphanumeric())
            })
        })
        .max_by_key(|word| word.len())
}

fn all() -> impl Iterator<Item = &'static str> {
    words::LADDERS
        .iter()
        .flat_map(|steps| steps.iter().flat_map(|step| step.iter().copied()))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word)
        .is_some_and(|rest| !word.is_ascii() || !rest.ends_with(char::is_alphanumeric))
}

/// A recorded rank brought to the word of a ladder: `金丹初期`, `七品县令`, `a lieutenant`.
fn known(value: &str) -> Option<&'static str> {
    let value = value.trim().to_lowercase();
    let bare = value
        .trim_end_matches("修士")
        .trim_end_matches("境")
        .trim_end_matches("期")
        .trim_end_matches(['初', '中', '后', '巅', '峰', '圆', '满', '大']);
    ending(bare).or_else(|| {
        // `练气三层`.
        all()
            .filter(|word| !word.is_ascii() && bare.starts_with(word))
            .max_by_key(|word| word.len())
    })
}

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    let record = shown.scope.past.character(shown.mention.id)?.as_object()?;
    let recorded = record
        .iter()
        .find(|(field, _)| Slot::of_field(field) == Some(Slot::Rank))
        .and_then(|(_, value)| Value::as_str(value))
        .and_then(known)?;
    let told = match shown.scope.lang {
        Lang::Zh => told_zh(shown.before(), shown.after()),
        Lang::En => told_en(
            &shown.before().to_lowercase(),
            &shown.after().to_lowercase(),
        ),
    }?;
    if !exclude(told, recorded) || risen_before(shown) {
        return None;
    }
    against::rank(shown.scope, shown.mention.id, told, None)
}

/// Whether the chapter told of a rise before.
fn risen_before(shown: &Shown<'_, '_>) -> bool {
    const RISES: &[&str] = &[
        "突破",
        "晋升",
        "升任",
        "升为",
        "提拔",
        "擢升",
        "封为",
        "受封",
        "册封",
        "任命",
        "结丹成功",
        "成为",
        "继任",
        "接任",
        "promoted",
        "promotion",
        "appointed",
        "crowned",
        "became",
        "knighted",
        "ordained",
        "sworn in",
        "elected",
    ];
    holds(
        &shown.scene.content[..shown.sentence.start].to_lowercase(),
        RISES,
    )
}

fn told_zh(before: &str, after: &str) -> Option<&'static str> {
    let front = before
        .trim_end_matches("的")
        .trim_end_matches("修士")
        .trim_end_matches("境")
        .trim_end_matches("期");
    if let Some(word) = ending(front) {
        let rest = &front[..front.len() - word.len()];
        let clause = rest
            .rsplit(['，', '。', '；', '：', '！', '”'])
            .next()
            .unwrap_or_default();
        let other = words::NOT_RANK_BEFORE_ZH
            .iter()
            .any(|mark| clause.ends_with(mark));
        return (!other && clause.chars().count() <= 4).then_some(word);
    }
    let clause = after
        .split(['，', '。', '；', '！', '：'])
        .next()
        .unwrap_or_default();
    let rest = words::IS_ZH
        .iter()
        .filter_map(|is| clause.strip_prefix(is))
        .min_by_key(|rest| rest.len())?;
    // `不是`, `是个怕死的`: what follows is the rank at once, after a grade or a measure.
    let rest = rest
        .trim_start_matches(['一', '个', '名', '位', '的', '从', '正'])
        .trim_start_matches(|char: char| "二三四五六七八九".contains(char))
        .trim_start_matches('品');
    let word = beginning(rest)?;
    let tail = &rest[word.len()..];
    let ends = tail.is_empty()
        || [
            "期", "境", "修士", "修为", "初期", "中期", "后期", "巅峰", "强者", "弟子", "了",
            "大人",
        ]
        .iter()
        .any(|end| tail.starts_with(end));
    (ends && !tail.contains('的') && !tail.ends_with("手下")).then_some(word)
}

fn told_en(before: &str, after: &str) -> Option<&'static str> {
    // `Colonel Hale`, `the archmage Tamsin`, `As commissioner, Ruiz`.
    let front = before.trim_end();
    if let Some(word) = ending(front) {
        let rest = front[..front.len() - word.len()].trim_end();
        let last = rest.rsplit(' ').next().unwrap_or_default();
        let begins = rest.is_empty()
            || rest.ends_with([',', '.', ';', ':', '—', '"', '”'])
            || matches!(
                last,
                "the" | "and" | "but" | "when" | "then" | "as" | "while" | "young" | "old" | "so"
            );
        return begins.then_some(word);
    }
    if let Some(office) = front
        .strip_prefix("as ")
        .and_then(|rest| rest.strip_suffix(','))
    {
        let office = office.trim_start_matches("the ").trim_start_matches("a ");
        return ending(office).filter(|word| *word == office);
    }
    // `Priya, the chief editor, killed`, `Edmund, Duke of the March, received`.
    if let Some(aside) = after.strip_prefix(", ") {
        let aside = aside.split(',').next()?;
        let bare = aside
            .trim_start_matches("the ")
            .trim_start_matches("a ")
            .trim_start_matches("an ")
            .trim_start_matches("now ");
        let word = beginning(bare)?;
        let tail = bare[word.len()..].trim_start();
        let closes = after[2 + aside.len()..].starts_with(',');
        return (closes && (tail.is_empty() || tail.starts_with("of ") || tail.starts_with("in ")))
            .then_some(word);
    }
    // `Ruiz was commissioner here`.
    let rest = after
        .strip_prefix(" was ")
        .or_else(|| after.strip_prefix(" is "))?;
    let rest = rest
        .trim_start_matches("the ")
        .trim_start_matches("a ")
        .trim_start_matches("an ")
        .trim_start_matches("now ");
    let word = beginning(rest)?;
    let tail = rest[word.len()..].trim_start();
    (tail.is_empty()
        || tail.starts_with(['.', ',', ';'])
        || tail.starts_with("of ")
        || tail.starts_with("and ")
        || tail.starts_with("here"))
    .then_some(word)
}
