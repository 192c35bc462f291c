//! Names that name no person: a plant, a shop, an example, somebody who bears the same role.

use super::{
    super::super::prose::{holds, is_closing, is_opening},
    Excuse, Here, Reading, ends,
    predicate::{follows_subject, is_whole_word},
    starts, words,
};

/// Whether the name names something else, or stands in a longer noun.
pub(super) fn not_the_person(here: &Here<'_>) -> Option<Reading> {
    let name = here.name();
    if here.before_name().ends_with('《') {
        return Some(Reading::Excused(Excuse::Mention));
    }
    // `以她的名字命名的救援艇`, `陈老芝抱着琵琶`.
    let named_after = holds(&here.earlier, &["命名", "同名"]);
    let longer = name.chars().count() == 2
        && here
            .post
            .starts_with(|char: char| words::GIVEN_ONLY.contains(char) || name.ends_with(char));
    // `陈老二号发射成功`.
    let numbered = here
        .post
        .trim_start_matches(|char: char| "一二三四五六七八九十".contains(char))
        .starts_with(['号', '世', '期', '代'])
        && here
            .post
            .starts_with(|char: char| "一二三四五六七八九十".contains(char));
    if named_after || longer || numbered || is_thing(name, here.pre, here.post) || is_called(here) {
        return Some(Reading::Doubtful);
    }
    // `跟陈老一模一样`, `甄嫂面馆`.
    if starts(here.post, words::COMPARED).is_some() && !here.pre.is_empty() || is_house(here.post) {
        return Some(Reading::Excused(Excuse::Mention));
    }
    // `阿秀扮的陈老`, `匣中陈老`.
    let held = here
        .pre
        .strip_suffix(['中', '里', '内', '上'])
        .is_some_and(|pre| pre.ends_with(|char: char| words::HOLDERS.contains(char)));
    (held || ends(here.pre, words::MADE_BY)).then_some(Reading::Excused(Excuse::Report))
}

/// `那座峰就叫陈老。`: the sentence before gives the name to something.
fn is_called(here: &Here<'_>) -> bool {
    let (name, previous) = (here.name(), here.previous());
    previous.match_indices(name).any(|(at, _)| {
        let front = previous[..at].trim_end_matches(is_opening);
        let clause = front.rsplit(['，', '。', '；']).next().unwrap_or_default();
        let named = ends(
            front,
            &[
                "就叫",
                "名叫",
                "取名",
                "起名",
                "唤作",
                "叫作",
                "叫做",
                "名为",
                "代号叫",
                "代号",
                "起名叫",
                "也叫",
                "同样叫",
                "也姓",
                "取名叫",
                "命名为",
                "昵称",
            ],
        );
        // `他们管那匹马叫陈老`.
        let called = clause.ends_with('叫') && holds(clause, &["管", "把"]);
        let rest = previous[at + name.len()..].trim_start_matches(is_closing);
        (named || called) && !rest.starts_with(char::is_alphanumeric)
    })
}

/// The name with what follows is a longer noun: `陈老的故居`, `陈老旧部`.
pub(super) fn longer_noun(here: &Here<'_>) -> Option<Reading> {
    starts(here.post, words::NOUN_AFTER)?;
    let lives = starts(here.post, words::NOT_NOUN).is_some() || is_whole_word(here.post);
    (!lives).then_some(Reading::Excused(Excuse::Mention))
}

/// A name that is a word, behind what makes it the thing: `院里的丁香`, `一条泥鳅`.
fn is_thing(name: &str, pre: &str, post: &str) -> bool {
    const BEFORE: &str = "的条棵株朵只枝串颗粒片些把盆篮筐碗收之种摘采折味钱两是";
    // `陈老师` and `陈老板` are no `陈老`.
    let longer = name.ends_with('老')
        && starts(post, &["师", "板", "爷", "太", "汉", "头", "伯", "虎"]).is_some();
    let blooms = starts(post, &["花开", "花谢", "花落", "花香", "草", "树"]).is_some();
    longer
        || blooms
        || words::WORD_NAMES.contains(&name)
            && (pre.ends_with(|char: char| BEFORE.contains(char))
                || starts(post, words::OF_THINGS).is_some())
        || words::ROLES.contains(&name)
            && !ends(pre, words::PLACED)
            && ends(pre, &["的", "那位", "某位", "另一位", "他", "她"])
}

/// `甄嫂面馆`, `陶然居`: a shop, a house or a street that bears the name.
fn is_house(post: &str) -> bool {
    let trade = starts(post, words::TRADES).unwrap_or(0);
    let rest = &post[trade..];
    let ends = if trade > 0 {
        words::SHOP_ENDS
    } else {
        words::HOUSE_ENDS
    };
    let Some(house) = rest.chars().next().filter(|char| ends.contains(*char)) else {
        return false;
    };
    let after = &rest[house.len_utf8()..];
    trade > 0
        || starts(rest, words::NOT_HOUSE).is_none()
            && !follows_subject(post)
            && !after.starts_with(['了', '着', '起', '下', '过', '住', '地', '得'])
}
