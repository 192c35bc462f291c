//! What somebody owns: a part of the body moves only when they do, a thing lies about without them.

use super::{
    Excuse, Here, Reading,
    before::{Before, before},
    ends, holds, longest_end,
    predicate::without_adverbs,
    starts, words,
};

/// `陈老的声音从门外传来` and `陈老那只大手按住他` are acts, `陈老的剑` and `陈老那间屋子` are none.
pub(super) fn owned(here: &Here<'_>) -> Option<Reading> {
    if let Some(possessed) = here.post.strip_prefix('的') {
        return Some(possession(here, possessed));
    }
    pointed_at(here.post).map(|thing| possession(here, thing))
}

/// What `那间`, `这把` after a name points at; `那个` may be the person.
fn pointed_at(post: &str) -> Option<&str> {
    post.strip_prefix(['那', '这'])?
        .strip_prefix(|char: char| "间把张件本双条座匹支枚副辆栋套口块柄杆只".contains(char))
}

fn possession(here: &Here<'_>, possessed: &str) -> Reading {
    // `粗糙的手`.
    let possessed = match possessed.split_once('的') {
        Some((adjective, noun))
            if adjective.chars().count() <= 4 && starts(noun, words::BODY).is_some() =>
        {
            noun
        }
        _ => possessed,
    };
    let last = here.pre;
    let is_subject = matches!(before(last), Before::Subject | Before::Perceived);
    let is_part = starts(possessed, words::NOT_BODY).is_none();
    let Some(part) = starts(possessed, words::BODY).filter(|_| is_part) else {
        // `陈老的枪先响`: a weapon that only its holder moves.
        let wielded = possessed
            .strip_prefix(|char: char| "枪剑刀弓箭棍鞭戟矛匕拐".contains(char))
            .map(|rest| {
                rest.trim_start_matches(|char: char| "鞘尖柄锋刃背身光头口首杖".contains(char))
            })
            .is_some_and(|rest| starts(without_adverbs(rest), words::WIELDED).is_some());
        return if wielded && before(last) == Before::Subject {
            here.acts()
        } else if holds(possessed, words::DESERTED) {
            Reading::Excused(Excuse::State)
        } else {
            Reading::Excused(Excuse::Mention)
        };
    };
    let rest = &possessed[part..];
    // `眼睛还睁着`: so it stays, with or without life.
    let stays = starts(rest, &["还", "仍", "仍旧", "依旧", "依然", "始终"]).is_some()
        && rest.ends_with(['着', '的'])
        || holds(&here.later, words::LAYS_OUT);
    let unseen = holds(rest, words::IN_MIND)
        || holds(rest, words::DECAYED)
        || holds(&here.earlier, words::IN_MIND);
    // `那头传来陈老的声音：“我到了。”`.
    let comes = longest_end(last, &["传来", "响起", "传出", "响起了", "传来了"]);
    let from = comes.is_some_and(|verb| {
        last[..last.len() - verb].ends_with(|char: char| words::PLACE_TIME_ENDS.contains(char))
    });
    if rest.is_empty() && comes.is_some() && (here.speech_follows() || from) && !unseen {
        return here.acts();
    }
    let nothing = rest.chars().count() < 2 || rest.starts_with(['的', '是', '里']) || stays;
    if nothing || unseen || !is_subject {
        Reading::Doubtful
    } else {
        here.acts()
    }
}

/// What is done with, before or under somebody who must be there for it: `撞上陈老似笑非笑的目光`,
/// `当着陈老的面`, `从陈老手里接过`, `跟在陈老身后`, `在陈老的带领下`.
pub(super) fn beside(here: &Here<'_>) -> Option<Reading> {
    let (pre, post) = (here.pre, here.post);
    let meets = ends(
        pre.trim_end_matches('了'),
        &["撞上", "迎上", "对上", "避开", "躲开", "迎着", "撞进"],
    ) && ends(post, &["的目光", "的视线", "的眼神", "的眼睛", "的眸子"]);
    let before_them = ends(pre, &["当着", "顶着"]) && ends(post, &["的面", "的目光", "的视线"]);
    let unaware =
        pre.ends_with('趁') && starts(post, &["不", "没", "转", "睡", "低", "喝", "去"]).is_some();
    let handed = ends(pre, &["从", "自"])
        && starts(post, &["手里", "手中", "手上", "怀里", "怀中"])
            .and_then(|part| starts(&post[part..], &["接过", "夺过", "抢过", "拿过", "抽走"]))
            .is_some();
    let follows = ends(
        pre,
        &["跟在", "走在", "追在", "躲在", "藏在", "缩在", "跑在"],
    ) && starts(
        post,
        &[
            "身后", "后头", "后面", "前头", "前面", "背后", "身旁", "身边",
        ],
    )
    .is_some_and(|side| post[side..].is_empty());
    // `门缝里露出陈老半张脸`.
    let shows = ends(pre, words::UNCOVERS)
        && ends(post, words::FACES)
        && !holds(post, words::LIFELESS)
        && !holds(&here.earlier, words::IN_MIND);
    // `跟着是陈老不耐烦的声音：`.
    let is_heard = ends(
        pre,
        &[
            "是",
            "传来",
            "传来了",
            "响起",
            "响起了",
            "传出",
            "听见",
            "听到",
        ],
    ) && ends(post, words::VOICES)
        && here.speech_follows()
        && !holds(&here.earlier, words::IN_MIND);
    // `对讲机里传来陈老的命令：`.
    let is_heard = is_heard
        || ends(pre, &["传来", "传来了", "传出", "飘来", "响起", "响起了"])
            && post.starts_with('的')
            && here.speech_follows()
            && !holds(&here.earlier, words::IN_MIND);
    // `回答她的是陈老的一声冷笑`, `换来陈老一顿臭骂`.
    let answers = ends(
        pre,
        &[
            "的是",
            "换来",
            "换来的是",
            "迎来",
            "等来",
            "等来的是",
            "招来",
            "惹来",
        ],
    ) && starts(post.trim_start_matches('的'), words::ONE_SOUND).is_some()
        && !post.ends_with('的')
        && !holds(&here.earlier, words::IN_MIND)
        && !holds(&here.earlier, words::LEGACY);
    let both = pre.ends_with('给') && both_go_on(&here.later);
    (pre.ends_with('在') && led(post)
        || meets
        || before_them
        || unaware
        || handed
        || follows
        || shows
        || is_heard
        || answers
        || both)
        .then(|| here.acts())
}

/// `在陈老的带领下`: who leads, watches or helps is there.
fn led(post: &str) -> bool {
    const BY: [&str; 18] = [
        "带领", "率领", "指挥", "陪同", "搀扶", "注视", "掩护", "示意", "劝说", "催促", "安排",
        "护送", "引领", "陪伴", "目送", "授意", "逼视", "追问",
    ];
    post.strip_prefix('的')
        .and_then(|rest| rest.strip_suffix('下'))
        .is_some_and(|rest| BY.contains(&rest))
}

/// `给陈老倒了杯酒，两人碰了碰杯`.
fn both_go_on(later: &str) -> bool {
    let mut clauses = later.split(['，', '；']);
    clauses
        .next()
        .is_some_and(|own| !holds(own, &["烧", "坟", "墓", "碑", "灵", "香", "纸"]))
        && clauses
            .next()
            .is_some_and(|next| starts(next, &["两人", "二人", "两个人"]).is_some())
}
