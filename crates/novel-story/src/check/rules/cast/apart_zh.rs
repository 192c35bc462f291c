//! Whether the record keeps somebody apart from those a Chinese scene shows: it has them in another
//! place, and nothing between lets them come.
//!
//! A place that is recorded binds only so far. Who is locked up, who is in another town, and who was
//! elsewhere on the very day the scene names, is not here; who was in the next room may have walked.

use serde_json::Value;

use super::away_zh;
use crate::{
    check::{
        dates::{self, Date},
        prose::{Mention, holds},
        reading::{Excuse, Reading, is_elsewhere},
        rules::{Scope, against::recorded_place},
    },
    ledger::{Life, Meaning, Slot, confines},
};

/// Whether the place that is recorded for somebody says that they are senseless: `病榻上，不省人事`.
pub(super) fn is_senseless_there(scope: &Scope<'_>, id: &str) -> bool {
    bound_place(scope, id).is_some_and(|(field, value, _)| {
        Meaning::of(Slot::Alive, field, value) == Some(Meaning::Life(Life::Senseless))
    })
}

/// The recorded place of somebody whom the chapter itself neither moves nor frees.
pub(super) fn bound_place<'s>(
    scope: &'s Scope<'_>,
    id: &str,
) -> Option<(&'s str, &'s Value, &'s str)> {
    let (field, value, place) = recorded_place(scope, id).or_else(|| lives_at(scope, id))?;
    let prefix = format!("characters.{id}.");
    let changed = scope.own.is_some_and(|own| {
        own.ops.iter().any(|op| {
            let field = op.path().strip_prefix(&prefix).and_then(Slot::of_field);
            matches!(field, Some(Slot::Place | Slot::Alive))
        })
    });
    (!changed && !place.trim().is_empty() && still_holds(scope, id, field, place))
        .then_some((field, value, place))
}

/// A place that only the state of somebody says: `在岭南娘家待产`.
fn lives_at<'s>(scope: &'s Scope<'_>, id: &str) -> Option<(&'s str, &'s Value, &'s str)> {
    let record = scope.past.character(id)?.as_object()?;
    record.iter().find_map(|(field, value)| {
        let (_, place) = value.as_str()?.split_once('在')?;
        let state = Slot::of_field(field) == Some(Slot::Alive)
            && !matches!(
                Meaning::of(Slot::Alive, field, value),
                Some(Meaning::Life(_))
            );
        (state && place.chars().count() > 1).then_some((field.as_str(), value, place))
    })
}

/// Whether nobody can have left unseen: who is held stays, who is not has moved on in a few chapters.
fn still_holds(scope: &Scope<'_>, id: &str, field: &str, place: &str) -> bool {
    const CHAPTERS: u32 = 3;
    let path = format!("characters.{id}.{field}");
    confines(place)
        || scope
            .past
            .recorded_in(&path)
            .is_none_or(|known| scope.chapter.get() <= known.get() + CHAPTERS)
}

/// Whether two recorded places are too far apart for a meeting nobody tells of.
pub(super) fn are_apart(scope: &Scope<'_>, mine: &str, theirs: &str, same_day: bool) -> bool {
    if scope.places.same(mine, theirs) == Some(true) || share_a_word(mine, theirs) {
        return false;
    }
    let days = scope.places.days(mine, theirs);
    same_day
        || confines(mine)
        || days.is_some_and(|days| days >= 1.0)
        || days.is_none() && is_town(mine) && is_town(theirs)
}

/// `京城阮府` and `京城`.
pub(super) fn share_a_word(a: &str, b: &str) -> bool {
    let letters: Vec<char> = a.chars().collect();
    letters
        .windows(2)
        .any(|pair| b.contains(&pair.iter().collect::<String>()))
}

/// Whether a place is a town, a country or a region, and no room, house or street of one.
fn is_town(place: &str) -> bool {
    const TOWNS: &str = "京都城州郡县国省市镇屯寨关塞疆域漠洋岛岭峰谷港湾营洲星";
    const PARTS: &str = "区房厅室院楼店馆铺屋家门口街巷堂殿阁亭台园床灶窖棚帐栈司校局所吧厂库场桥路窗廊阶墙底边旁里内外上下中前后宅邸府宫船车舱";
    const REGIONS: &[&str] = &[
        "岭南", "江南", "塞外", "关外", "海外", "西域", "中原", "漠北", "关中", "辽东", "河西",
        "北疆", "南疆",
    ];
    let letters: Vec<char> = place.chars().collect();
    if holds(place, REGIONS) {
        return true;
    }
    let named = letters.iter().enumerate().any(|(at, letter)| {
        let next = letters.get(at + 1);
        at > 0
            && TOWNS.contains(*letter)
            && next.is_none_or(|next| !"东南西北外里内门头墙楼中边口上下脚衙长主".contains(*next))
    });
    named || letters.len() > 1 && !letters[1..].iter().any(|letter| PARTS.contains(*letter))
}

/// Whether the paragraph shows somebody whom the record has elsewhere than `mention`, and tells of no
/// way between them.
pub(super) fn is_met_elsewhere(scope: &Scope<'_>, at: usize, mention: &Mention<'_>) -> bool {
    let Some((_, _, place)) = bound_place(scope, mention.id) else {
        return false;
    };
    let Some(scene) = scope.text.scenes.get(at) else {
        return false;
    };
    let Some(sentence) = scene.sentence_at(mention.start) else {
        return false;
    };
    let Some(range) = scene.paragraphs.get(sentence.paragraph).cloned() else {
        return false;
    };
    let paragraph = &scene.content[range.clone()];
    // Who is held is not here, wherever the other one has gone since.
    let place_of = |id: &str| {
        let known = bound_place(scope, id);
        let known = known.or_else(|| recorded_place(scope, id).filter(|_| confines(place)));
        known.map(|(_, _, place)| place)
    };
    let others: Vec<(&Mention<'_>, &str)> = scope
        .mentions(at)
        .iter()
        .filter(|other| range.contains(&other.start) && other.id != mention.id)
        .filter_map(|other| Some((other, place_of(other.id)?)))
        .filter(|(other, theirs)| *theirs != place && !scene.is_quoted(other.start))
        .collect();
    if others.is_empty() {
        return false;
    }
    let content = scene.content;
    if away_zh::may_be_there(content, paragraph, place) || holds(paragraph, ON_THE_WAY) {
        return false;
    }
    let same_day = names_the_day(scope, paragraph);
    others.into_iter().any(|(other, theirs)| {
        let beside = (sentence.start..sentence.end).contains(&other.start);
        // Who is held has visitors.
        let visited = confines(theirs) && away_zh::names_place_of(content, theirs);
        !visited && are_apart(scope, place, theirs, same_day) && is_here(scope, at, other, beside)
    })
}

/// Whether a sentence has somebody on the stage, if only as whom another deals with: then in the
/// sentence of the act alone.
pub(super) fn is_here(scope: &Scope<'_>, at: usize, other: &Mention<'_>, beside: bool) -> bool {
    const AT_THEIRS: &[char] = &[
        '腰', '身', '手', '脸', '肩', '脚', '怀', '跟', '面', '对', '旁',
    ];
    let scene = &scope.text.scenes[at];
    let content = scene.content;
    let rest = &content[other.end..];
    if away_zh::is_owner(rest) {
        return false;
    }
    let near = rest.starts_with(AT_THEIRS)
        || beside && (!is_served(&content[..other.start]) || touches(rest));
    match scope.read(at, *other) {
        Reading::Acts(_) => !is_elsewhere(scene, &names_in(scope, at), *other, scope.lang),
        Reading::Doubtful | Reading::Excused(Excuse::Mention | Excuse::State) => near,
        Reading::Excused(_) => false,
    }
}

/// The names a scene has: a letter of one is no word.
pub(super) fn names_in<'s>(scope: &'s Scope<'_>, at: usize) -> Vec<&'s str> {
    let content = scope.text.scenes[at].content;
    let mentions = scope.mentions(at).iter();
    let mut names: Vec<&str> = mentions
        .map(|mention| &content[mention.start..mention.end])
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// `给大伯`摆一副碗筷: what is done for somebody who may be anywhere.
fn is_served(before: &str) -> bool {
    before.ends_with(['给', '为', '对', '向', '替', '念', '叫', '名'])
}

/// `替安娜拍掉领口的雪`: only of somebody who is there.
fn touches(rest: &str) -> bool {
    const CLOSE: &[char] = &[
        '肩', '手', '脸', '头', '发', '鬓', '领', '腰', '背', '额', '眼', '嘴', '披', '斟', '夹',
        '盛', '添', '剥', '倒', '喂', '撑', '掖', '拍',
    ];
    let clause = rest.split(['，', '。', '；']).next().unwrap_or_default();
    clause.contains(CLOSE)
}

/// Whether the text names the day of the record: nobody has had time to come from far.
fn names_the_day(scope: &Scope<'_>, text: &str) -> bool {
    let Some(marker) = scope.marker() else {
        return false;
    };
    let told = dates::find(text, scope.lang).map(|(date, _)| date);
    match (dates::of_marker(marker, scope.lang), told) {
        (Some(Date::Count { day, .. }), Some(Date::Count { day: told, .. })) => day == told,
        (Some(known @ Date::Calendar { .. }), Some(told)) => known == told,
        // `正午`, `14时20分`.
        _ => marker.chars().count() >= 2 && text.contains(marker.trim()),
    }
}

/// Words of a way that somebody has come.
const ON_THE_WAY: &[&str] = &[
    "抵达",
    "到达",
    "赶到",
    "赶来",
    "赶回",
    "回到",
    "来到",
    "启程",
    "出发",
    "动身",
    "上路",
    "赶路",
    "路上",
    "途中",
    "一路",
    "千里",
    "奔波",
    "行囊",
    "行李",
    "传送",
    "瞬移",
    "御剑",
    "遁光",
    "飞了",
    "进京",
    "回京",
    "还乡",
    "探亲",
    "远道",
    "连夜",
    "日夜兼程",
    "终于站在",
    "终于到",
    "终于见",
    "走了",
    "行了",
    "骑了",
    "出机场",
    "都机场",
    "出车站",
    "下了车",
    "下了船",
    "下了飞机",
    "下了火车",
];
