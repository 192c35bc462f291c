//! Grades of one rank, and ranks in forms of address.

use novel_model::Lang;
use novel_text::parse_numeral;
use serde_json::Value;

use super::{
    super::against::{self, Clash},
    Shown,
    rank::{beginning, ending, exclude, known, risen_before},
};
use crate::{check::prose::holds, ledger::Slot};

/// `筑基后期` of somebody who is `筑基初期`, `炼气三层` of `炼气七层`: another grade of one step.
pub(super) fn other_grade(shown: &Shown<'_, '_>, told: &str) -> Option<Clash> {
    let record = shown.scope.past.character(shown.mention.id)?.as_object()?;
    let known = record
        .iter()
        .find(|(field, _)| Slot::of_field(field) == Some(Slot::Rank))
        .and_then(|(_, value)| value.as_str())?;
    let is_break = ['，', '。', '；', '！', '：'];
    let before = shown.before().rsplit(is_break).next().unwrap_or_default();
    let after = shown.after().split(is_break).next().unwrap_or_default();
    let (text, grade) = [after, before].iter().find_map(|text| grade(text, told))?;
    let (_, recorded) = grade_of(known)?;
    (grade != recorded && !is_growing(text))
        .then(|| {
            against::grade(
                shown.scope,
                shown.mention.id,
                &format!("{told}{}", text.trim()),
            )
        })
        .flatten()
}

fn is_growing(text: &str) -> bool {
    holds(text, &["到", "入", "升", "进", "破"])
}

/// The grade right after a word: what says it, and its number.
fn grade<'t>(text: &'t str, word: &str) -> Option<(&'t str, u32)> {
    let rest = &text[text.find(word)? + word.len()..];
    grade_at(rest)
}

/// The grade a recorded rank names.
fn grade_of(value: &str) -> Option<(&str, u32)> {
    value
        .char_indices()
        .find_map(|(at, _)| grade_at(&value[at..]))
}

pub(super) fn grade_at(rest: &str) -> Option<(&str, u32)> {
    let bare = rest.trim_start_matches(['期', '境']);
    let parts = [
        ("初期", 101),
        ("中期", 102),
        ("后期", 103),
        ("巅峰", 104),
        ("大圆满", 105),
        ("圆满", 105),
    ];
    if let Some((word, grade)) = parts.iter().find(|(word, _)| bare.starts_with(word)) {
        return Some((&bare[..word.len()], *grade));
    }
    let end = bare.find(|char| !"一二三四五六七八九十0123456789".contains(char))?;
    let number = parse_numeral(&bare[..end]).filter(|_| end > 0)?;
    let unit = bare[end..]
        .chars()
        .next()
        .filter(|char| "层重级段星品阶转".contains(*char))?;
    Some((&bare[..end + unit.len_utf8()], number))
}

/// `“顾将军，请。”`, `"Morning, Constable Singh,"`: the rank somebody who is there is spoken to with.
pub(super) fn addressed(shown: &Shown<'_, '_>) -> Option<Clash> {
    let (scope, scene) = (shown.scope, shown.scene);
    let record = scope.past.character(shown.mention.id)?.as_object()?;
    let recorded = record
        .iter()
        .find(|(field, _)| Slot::of_field(field) == Some(Slot::Rank))
        .and_then(|(_, value)| Value::as_str(value))
        .and_then(known)?;
    let paragraph = scene.paragraphs.get(shown.sentence.paragraph)?;
    let text = &scene.content[paragraph.clone()];
    let told = match scope.lang {
        Lang::Zh => {
            // The family name is that of nobody else.
            let family = scope.display(shown.mention.id).chars().next()?;
            let alone = scope
                .people
                .everybody()
                .filter(|(_, person)| person.display.starts_with(family))
                .count()
                == 1;
            let known_name = scope.display(shown.mention.id).chars().count() >= 2;
            let quoted = text.split('“').skip(1).find_map(|quoted| {
                let rest = quoted.strip_prefix(family)?;
                let word = beginning(rest)?;
                rest[word.len()..]
                    .starts_with(['，', '！', '。'])
                    .then_some(word)
            });
            quoted.filter(|_| alone && known_name)?
        }
        Lang::En => {
            let name = scope.display(shown.mention.id);
            let last = name.rsplit(' ').next()?;
            text.match_indices(last).find_map(|(at, _)| {
                let start = paragraph.start + at;
                let spoken = scene.is_quoted(start);
                let closes = text[at + last.len()..].starts_with([',', '.', '!', '?']);
                let front = text[..at].strip_suffix(' ')?;
                let word = ending(&front.to_lowercase())?;
                let title = &front[front.len() - word.len()..];
                let opens = front[..front.len() - word.len()]
                    .trim_end()
                    .ends_with([',', '"', '“', '.']);
                (spoken && closes && opens && title.starts_with(char::is_uppercase)).then_some(word)
            })?
        }
    };
    if !exclude(told, recorded) || risen_before(shown) {
        return None;
    }
    against::rank(scope, shown.mention.id, told, None)
}
