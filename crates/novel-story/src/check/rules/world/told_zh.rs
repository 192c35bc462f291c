//! Chinese sentences that break a law.

use novel_text::parse_numeral;

use super::{
    law::{Law, Limit},
    zh::is_number,
    zh_words as words,
};
use crate::check::prose::holds;

/// Whether the event comes about in a sentence of the narrator.
pub(super) fn comes_about(law: &Law, text: &str, before: &str) -> bool {
    if holds(text, words::EXCUSED) || text.ends_with('？') || holds(text, words::SPOKEN_OF) {
        return false;
    }
    if law.without.is_empty() && holds(text, words::LEAVE) {
        return false;
    }
    let stands = |list: &[String]| list.iter().any(|word| text.contains(word.as_str()));
    let holds_near =
        |list: &Vec<String>| stands(list) || list.iter().any(|word| before.contains(word.as_str()));
    let object_at = law.objects.iter().all(|list| stands(list));
    if !object_at || !law.conditions.iter().all(holds_near) {
        return false;
    }
    let happens = law.verbs.iter().any(|verb| {
        text.match_indices(verb.as_str()).any(|(at, _)| {
            let clause = text[..at]
                .rfind(['，', '；', '：', '、', '。'])
                .map_or(0, |end| end + '，'.len_utf8());
            let mut front = text[clause..at].to_owned();
            for word in words::NOT_DENIED {
                front = front.replace(word, "");
            }
            let rest = &text[at + verb.len()..];
            let single = verb.chars().count() == 1;
            let near = |list: &Vec<String>| {
                list.iter().any(|word| {
                    rest.find(word.as_str())
                        .is_some_and(|gap| rest[..gap].chars().count() <= 3)
                })
            };
            !holds(&front, words::DENIED)
                && !rest.starts_with(['不', '未'])
                && (!single || !law.objects.is_empty() && law.objects.iter().all(near))
        })
    });
    happens
        && (law.without.is_empty() || is_denied(law, text) || is_denied(law, before))
        && law.limit.is_none_or(|limit| exceeds(limit, text, before))
}

/// Whether a clause denies what the event needs: `连咒语都没念`, `未经许可`.
fn is_denied(law: &Law, text: &str) -> bool {
    text.split(['，', '。', '；']).any(|clause| {
        law.without.iter().any(|need| {
            let heads = need.chars().count() > 2;
            let named = clause.contains(need.as_str())
                || heads
                    && need
                        .char_indices()
                        .nth(need.chars().count() - 2)
                        .is_some_and(|(at, _)| clause.contains(&need[at..]));
            // `连香也没点`.
            let even = clause.contains('连')
                && need
                    .chars()
                    .next_back()
                    .is_some_and(|last| clause.contains(last));
            (named || even) && holds(clause, &["没", "未", "不", "无", "省去", "省略", "跳过"])
        })
    })
}

/// `第二次开启`, `接连开启了三次`.
fn exceeds(limit: Limit, text: &str, before: &str) -> bool {
    const SAME_DAY: &[&str] = &[
        "今天",
        "今日",
        "当天",
        "当日",
        "同一天",
        "这一天",
        "一天之内",
        "一日之内",
        "这天",
        "又",
        "一早",
        "一日",
        "再次",
        "早上",
        "上午",
        "清晨",
        "刚",
        "早晨",
        "接连",
        "连续",
        "今夜",
        "一夜",
    ];
    let count = text.match_indices(['次', '回', '遍']).find_map(|(at, _)| {
        let digits = &text[..at];
        let start = digits.trim_end_matches(is_number).len();
        (start < at)
            .then(|| parse_numeral(&digits[start..].replace('两', "二")))
            .flatten()
    });
    count.is_some_and(|count| count > limit.most)
        && (!limit.daily || holds(text, SAME_DAY) || holds(before, SAME_DAY))
}

/// Whether the sentence itself says that who acts is of a class: `女子萧令仪`, `身为凡人的林小满`.
pub(super) fn called(text: &str, name: &str, class: &str) -> bool {
    let bare = class.trim_end_matches('者');
    let Some(at) = text.find(name) else {
        return false;
    };
    let (front, rest) = (&text[..at], &text[at + name.len()..]);
    let front = front.trim_end_matches('的');
    let clause = rest.split(['，', '。']).next().unwrap_or_default();
    front.ends_with(class)
        || front.ends_with(bare) && bare.chars().count() >= 2
        || [
            "身为",
            "作为",
            "是",
            "乃",
            "本是",
            "这个",
            "这名",
            "这位",
            "不过是",
            "只是",
            "一介",
            "一个",
            "区区",
        ]
        .iter()
        .any(|is| {
            clause
                .strip_prefix(is)
                .is_some_and(|rest| rest.contains(class) && !rest.starts_with("不"))
        })
}

/// Whether a value of the record says that somebody is of a class.
pub(super) fn is_one_of(field: &str, value: &str, class: &str) -> bool {
    const CULTIVATORS: [&str; 6] = ["修士", "修行者", "修真者", "修仙者", "修炼者", "武者"];
    let other = ["非", "不是", "前", "曾", "假", "伪"]
        .iter()
        .any(|word| value.starts_with(word));
    let sex = |letter: char, words: [&str; 2]| {
        class.starts_with(letter)
            && class.chars().count() == 2
            && (value.starts_with(letter) || words.contains(&value))
    };
    if sex('女', ["female", "woman"]) || sex('男', ["male", "man"]) {
        return true;
    }
    let cultivates = matches!(field, "境界" | "修为" | "realm" | "cultivation");
    let bare = class.trim_end_matches('者').trim_end_matches('们');
    !other
        && (value.contains(class)
            || bare.chars().count() >= 2 && value.contains(bare)
            || class.ends_with(value) && value.chars().count() >= 2 && class.len() == value.len()
            || cultivates && CULTIVATORS.contains(&class))
}
