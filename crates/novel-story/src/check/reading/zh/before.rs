//! What stands before a name in its clause.

use super::{ends, holds, longest_end, words};

/// What stands before the name in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing, or what may stand before a subject.
    Subject,
    /// A verb of perception or of bringing about; the name begins its content.
    Perceived,
    /// `被`, `由`: the name is who does it.
    Agent,
    /// Another subject and `和`.
    Joined,
    /// The name is no subject.
    Oblique,
    /// A verb, or what nobody knows.
    Object,
}

/// What the clause has before the name.
pub(super) fn before(pre: &str) -> Before {
    let mut rest = pre.trim_end_matches([' ', '　']);
    for _ in 0..6 {
        if rest.is_empty() {
            return Before::Subject;
        }
        if ends(rest, words::PERCEIVED) {
            return Before::Perceived;
        }
        if ends(rest, &["被", "由", "遭", "经"]) {
            return Before::Agent;
        }
        if ends(rest, words::JOINS) {
            let joined = words::JOINS
                .iter()
                .filter(|join| rest.ends_with(*join))
                .map(|join| join.len())
                .max()
                .unwrap_or(0);
            return if rest.len() > joined {
                Before::Joined
            } else {
                Before::Object
            };
        }
        if let Some(opener) = longest_end(rest, words::BEFORE_SUBJECT) {
            let side = &rest[rest.len() - opener..];
            rest = &rest[..rest.len() - opener];
            // `门里头`: the noun of a side.
            let noun = rest.chars().count() <= 3
                && !ends(rest, words::PERCEIVED)
                && !ends(rest, words::OBLIQUE)
                && !rest.ends_with(['起', '着', '了', '到', '住', '向', '给', '过', '和', '与']);
            if noun && ends(side, &["头", "边", "面", "外", "口", "处", "后", "旁"]) {
                return Before::Subject;
            }
            continue;
        }
        // `这一局陈老执黑`.
        let turn = rest.strip_prefix('这').is_some_and(|turn| {
            let turn = turn.trim_start_matches('一');
            turn.chars().count() == 1
                && turn.contains([
                    '局', '回', '次', '场', '趟', '遭', '番', '天', '日', '夜', '晚', '手', '把',
                ])
        });
        if turn || is_apposition(rest) {
            return Before::Subject;
        }
        if let Some(title) = longest_end(rest, words::TITLES) {
            rest = &rest[..rest.len() - title];
            // `我师父陈老`, `他的师父陈老`.
            rest = rest.trim_end_matches(['我', '他', '她', '你', '的', '其']);
            continue;
        }
        if let Some(modified) = rest.strip_suffix('的') {
            // `年迈的陈老`; `看见受伤的陈老` is an object.
            let plain = [
                "一向",
                "向来",
                "对面",
                "对岸",
                "为首",
                "看门",
                "见习",
                "向阳",
                "面向",
                "送信",
                "救火",
                "看不出",
                "对门",
                "扶着墙",
                "抱着胳膊",
                "抱着孩子",
            ]
            .iter()
            .fold(modified.to_owned(), |text, word| text.replace(word, ""));
            return if modified.chars().count() <= 12
                && !holds(
                    &plain,
                    &[
                        "看", "见", "死", "亡", "已故", "去世", "埋", "像", "似", "想", "对", "向",
                        "给", "把", "为", "送", "找", "抱", "扶", "救",
                    ],
                ) {
                Before::Subject
            } else {
                Before::Oblique
            };
        }
        if rest.ends_with('地') {
            return Before::Subject;
        }
        if ends(rest, words::OBLIQUE) {
            return Before::Oblique;
        }
        return place_or_object(rest);
    }
    Before::Object
}

/// `羊倌巴图`, `老木匠陈老`: what somebody is, right before the name, and nothing else in the clause.
fn is_apposition(rest: &str) -> bool {
    const LONGEST: usize = 4;
    let noun = rest
        .rsplit(['的', ' '])
        .next()
        .unwrap_or(rest)
        .trim_start_matches(['那', '这', '位', '个', '名']);
    let length = noun.chars().count();
    // `给大师傅陈老`: the verb or preposition before it rules.
    (2..=LONGEST).contains(&length)
        && noun.ends_with(|char: char| words::PERSON_ENDS.contains(char))
        && !ends(noun, words::NOT_PERSONS)
        && !noun.starts_with([
            '给', '对', '向', '为', '找', '见', '请', '问', '杀', '救', '想', '像', '是', '把',
            '被', '比', '跟', '和', '与', '替', '当',
        ])
        && (noun.len() == rest.len() || !holds(rest, &["看", "见", "想", "对", "给", "把", "像"]))
}

/// `夜色深沉，山门之外`: a place or a time, unless 上 and 下 belong to a verb.
fn place_or_object(rest: &str) -> Before {
    let mut chars = rest.chars().rev();
    let (last, previous) = (chars.next(), chars.next());
    let is_place = last.is_some_and(|last| words::PLACE_TIME_ENDS.contains(last));
    let verb = matches!(last, Some('上' | '下'))
        && previous.is_some_and(|previous| words::VERBS_UP_DOWN.contains(previous));
    if is_place && !verb && previous.is_some() {
        Before::Subject
    } else {
        Before::Object
    }
}
