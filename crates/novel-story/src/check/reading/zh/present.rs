//! Names behind their predicate: somebody comes on, is told who they are, stands in a list, or only
//! ends a clause.

use super::{
    Here, Reading,
    before::{Before, before},
    ends, holds, longest_end,
    predicate::{goes_on, is_gesture, predicate_excuse, without_adverbs},
    starts, words,
};

/// `最先开口的是陈老`, `一只手搭上她的肩，是陈老`, `不是陈老又是谁`.
pub(super) fn identified(here: &Here<'_>) -> Option<Reading> {
    const WHO_ELSE: &[&str] = &[
        "又是谁",
        "又是哪",
        "又会是",
        "还能是",
        "还会是",
        "是谁",
        "是哪个",
        "却是谁",
        "更是谁",
        "还有谁",
        "还有哪个",
        "又是何人",
    ];
    let (pre, rest) = (without_modifier(here.pre), here.rest());
    if pre.ends_with("不是") && starts(rest, WHO_ELSE).is_some()
        || ends(pre, &["可不就是", "可不是"])
    {
        return Some(here.acts());
    }
    // `可不就是陈老嘛`: nothing but a particle after the name.
    let is_last = rest
        .trim_start_matches("本人")
        .trim_start_matches(['嘛', '么', '呀', '啊', '吧', '呢', '了'])
        .chars()
        .next()
        .is_none_or(|char| !char.is_alphanumeric());
    let is = longest_end(pre, words::IDENTIFIES).filter(|_| is_last)?;
    let left = pre[..pre.len() - is]
        .trim_end_matches("分明")
        .trim_end_matches("原来")
        .trim_end_matches(['又', '还', '也', '仍']);
    if !left.is_empty() {
        if holds(left, &["没有", "没一", "不", "哪"]) {
            return None;
        }
        let told = left.ends_with('的') || ends(left, words::PRESENTED);
        let long = left.chars().count() >= 3 || ends(left, words::BESIDE);
        let shown = told && !holds(left, words::LEGACY) && long;
        return shown.then(|| here.acts());
    }
    let told = here
        .before_clause()
        .trim_end_matches(['，', '—', '：'])
        .trim_end_matches("不是别人");
    // `靠门的位置慢吞吞举起一只手。是陈老。`.
    let previous = here.previous();
    let told = if told.is_empty() {
        previous.trim_end_matches(['。', '！', '…'])
    } else {
        told
    };
    let last = told.rsplit(['，', '；', '：']).next().unwrap_or_default();
    let last = last.trim_end_matches(['，', ' ']);
    // A doer without a name: `推门的，是陈老`, `有人吹了声口哨，是陈老`.
    let doer = last.ends_with('的') && last.chars().count() >= 3
        || holds(last, &["有人", "一个人", "有个人"]);
    let shown = doer
        || holds(last, words::JUST_CAME)
        || ends(last, words::PRESENTED)
        || told
            .split(['，', '；'])
            .any(|clause| holds(clause, words::PRESENTED) && !holds(clause, words::LEGACY));
    let deathless = words::NOT_DEATH
        .iter()
        .fold(last.to_owned(), |text, word| text.replace(word, ""));
    let legacy = holds(&deathless, words::LEGACY) && !last.contains("有人");
    (shown && !legacy && !holds(told, words::IN_MIND)).then(|| here.acts())
}

/// What stands before a name without what it is like: `是浑身湿透的`, `撞上了微服出来的`.
fn without_modifier(pre: &str) -> &str {
    let Some(modifier) = pre.strip_suffix('的').or_else(|| pre.strip_suffix("那个")) else {
        return pre;
    };
    let verb = words::IDENTIFIES
        .iter()
        .filter_map(|is| modifier.find(is).map(|at| at + is.len()))
        .min();
    let plain = |at: usize| !holds(&modifier[at..], words::LEGACY) && modifier.len() - at <= 36;
    match verb {
        Some(at) if plain(at) && modifier.len() > at => &pre[..at],
        _ => pre,
    }
}

/// `手机响了，是陈老打来的`, `今早还是陈老送他去的学校`: an event of now, and who is behind it.
pub(super) fn behind_event(here: &Here<'_>) -> Option<Reading> {
    const NOW: &[&str] = &[
        "今早",
        "今天",
        "今日",
        "今晨",
        "今晚",
        "今夜",
        "今儿",
        "刚",
        "方才",
        "这会儿",
    ];
    if !here.pre.ends_with('是') || !here.post.contains('的') || holds(here.post, &["生前", "当年"])
    {
        return None;
    }
    let calls = starts(
        without_adverbs(here.post.trim_start_matches('刚')),
        &["打来", "发来", "打过来", "发过来", "在敲", "在喊", "在叫"],
    )
    .is_some();
    let now = holds(&here.earlier, NOW) || holds(here.post, NOW);
    (calls || now).then(|| here.acts())
}

/// The name ends its clause: somebody comes on, or is only named.
pub(super) fn at_end(here: &Here<'_>, role: Before) -> Option<Reading> {
    let (pre, post) = (here.pre, here.post);
    // `人群里挤出陈老来`.
    let comes = matches!(post, "来" | "去" | "二人" | "两人" | "几人");
    if !post.is_empty() && !post.starts_with('、') && !comes {
        return None;
    }
    if brings_on(pre) {
        return Some(here.acts());
    }
    if comes {
        return None;
    }
    if on_stage(here)
        || in_list(here, role)
        || counted_in(here)
        || inverted(here)
        || comes_into_view(here)
    {
        return Some(here.acts());
    }
    // `一向胆小的陈老，竟然第一个举起了手`.
    let next = here.next;
    let topic = role == Before::Subject
        && !here.rest().starts_with('、')
        && without_adverbs(next).len() < next.len()
        && starts(next, &["后来", "此时", "只是", "等", "自己"]).is_none()
        && goes_on(next)
        && predicate_excuse(next).is_none();
    Some(if topic {
        here.acts()
    } else {
        Reading::Doubtful
    })
}

/// `回头一看，竟是陈老`: who comes is told after the fact, in the sentence or the one before.
fn on_stage(here: &Here<'_>) -> bool {
    let previous = here.scene.content[..here.sentence.start].trim_end();
    let from = previous
        .char_indices()
        .rev()
        .nth(23)
        .map_or(0, |(at, _)| at);
    ends(here.pre, words::IDENTIFIES)
        && !holds(
            here.pre,
            &["不是", "并非", "绝非", "本来该", "本该", "本应", "应该"],
        )
        && (holds(here.told_raw(), words::SOMEONE_HERE)
            || here.pre.ends_with("正是") && holds(&previous[from..], words::SOMEONE_HERE))
}

/// `陈老、王掌柜都来了`, `庄严、陈老三个人分坐三面`: a list of subjects.
fn in_list(here: &Here<'_>, role: Before) -> bool {
    const ALL: &[&str] = &[
        "都", "也", "一起", "一同", "齐", "两人", "二人", "三人", "四人", "五人", "几人", "等人",
        "各", "个人", "一行", "分坐", "围",
    ];
    let opens = role == Before::Subject
        || role == Before::Joined && {
            let first = here.pre.split('、').next().unwrap_or_default();
            here.pre.ends_with('、') && first.chars().count() <= 5
        };
    let Some(list) = here.rest().strip_prefix('、').filter(|_| opens) else {
        return false;
    };
    let tail = list.split(['，', '。', '；']).next().unwrap_or_default();
    holds(tail, ALL) && !holds(tail, &["坟", "墓", "灵", "牌位", "死", "名字", "故事"])
}

/// `围桌而坐的一共三个人：苏晚、账房，还有打盹的陈老。`: those who are there, one by one.
fn counted_in(here: &Here<'_>) -> bool {
    const THERE: &[&str] = &[
        "坐", "站", "围", "立", "来了", "进来", "等着", "跪", "同行", "在座", "在场",
    ];
    let Some((front, list)) = here.told_raw().rsplit_once('：') else {
        return false;
    };
    let clause = front.rsplit(['，', '。', '；']).next().unwrap_or_default();
    let counts = ends(clause, &["个人", "位", "人", "客人", "弟子", "伙计"]);
    let member =
        list.is_empty() || list.ends_with('、') || holds(here.pre, &["还有", "以及", "和"]);
    counts && holds(clause, THERE) && member && !holds(list, words::LIFELESS)
}

/// `终于看见了举着小旗点人数的陈老`: seen in the middle of an act.
fn comes_into_view(here: &Here<'_>) -> bool {
    let Some(modifier) = here.pre.strip_suffix('的') else {
        return false;
    };
    words::REACHES.iter().any(|verb| {
        modifier
            .find(verb)
            .is_some_and(|at| modifier[at + verb.len()..].contains(['着', '正']))
    }) && !holds(modifier, words::LIFELESS)
        && !holds(modifier, words::LEGACY)
}

/// `终于来了，陈老。他扛着斧头`: the act first, and who did it after.
fn inverted(here: &Here<'_>) -> bool {
    let told = here.earlier.trim_end_matches('，');
    here.pre.is_empty()
        && !told.is_empty()
        && told.len() < here.earlier.len()
        && !told.contains('，')
        && without_adverbs(told).len() < told.len()
        && ends(
            told,
            &["来了", "到了", "开口了", "动了", "笑了", "回来了", "出手了"],
        )
        && here
            .rest()
            .chars()
            .next()
            .is_none_or(|char| !char.is_alphanumeric() && char != '，')
}

/// `门口站着`, `走廊里走出一个`, `柜台后头冒出个`: a place and a verb that brings somebody on, and
/// nobody before it.
fn brings_on(pre: &str) -> bool {
    let pre = pre.trim_end_matches(|char: char| "一个位名了".contains(char));
    let Some((verb, aspect)) = last_verb(pre) else {
        return false;
    };
    let rest = without_adverbs_at_end(&pre[..pre.len() - verb]);
    let place = rest
        .chars()
        .next_back()
        .is_some_and(|char| words::PLACE_TIME_ENDS.contains(char))
        || starts(
            rest,
            &["从", "自", "在", "门", "院", "屋", "殿", "身后", "对面"],
        )
        .is_some();
    place && !rest.contains(['他', '她', '我', '你']) && !(aspect && ends(pre, words::LAID_OUT))
}

/// The bytes of a verb of appearance at the end, and whether it is a state (`着`).
fn last_verb(pre: &str) -> Option<(usize, bool)> {
    if let Some(verb) = longest_end(pre, words::PRESENTS) {
        return Some((verb, pre.ends_with('着')));
    }
    let (end, stative) = match pre {
        _ if pre.ends_with('着') => ("着".len(), true),
        _ => (
            longest_end(pre, &["出", "进", "来", "上", "起", "过"])?,
            false,
        ),
    };
    let verb = pre[..pre.len() - end].chars().next_back()?;
    let list = if stative {
        words::POSTURES
    } else {
        words::MOTIONS
    };
    list.contains(verb)
        .then_some((end + verb.len_utf8(), stative))
}

/// `柜台后头冷不丁`: without the adverb.
fn without_adverbs_at_end(text: &str) -> &str {
    let mut rest = text;
    while let Some(adverb) = longest_end(rest, words::SUDDENLY) {
        rest = &rest[..rest.len() - adverb];
    }
    rest
}

/// `目光落在陈老脸上，她正低头转着笔`: after whoever is looked at, touched or spoken to, a pronoun begins a
/// new subject; the old one would need none. `替陈老系好披风，目送他出营`: or whoever did it looks on.
pub(super) fn taken_up(here: &Here<'_>) -> Option<Reading> {
    const LONGEST: usize = 6;
    let rest = here.rest();
    let own_end = rest
        .find(['，', '；', '。', '：', '！'])
        .unwrap_or(rest.len());
    let (own, after) = rest.split_at(own_end);
    let reached = holds(here.pre, words::REACHES)
        && (here.pre.ends_with('的') || before(here.pre) != Before::Subject)
        && !here
            .pre
            .ends_with(['成', '作', '为', '是', '像', '名', '比']);
    let served = ends(here.pre, &["替", "给", "帮"]);
    let unclear = own.contains('的')
        || holds(own, words::LIFELESS)
        || holds(here.pre, words::LIFELESS)
        || holds(here.told_raw(), words::IN_MIND);
    if unclear {
        return None;
    }
    if let Some(next) = after.strip_prefix('，') {
        let short = own.chars().count() <= LONGEST;
        let introduced = starts(here.pre, words::SINGLES_OUT).is_some();
        let by_pronoun =
            (reached || introduced) && short && self_moves(next, last_two(here.name()));
        let looked_after = (reached || served)
            && starts(next, words::LOOKS_ON).is_some_and(|verb| self_moves(&next[verb..], ""));
        return (by_pronoun || looked_after).then(|| here.acts());
    }
    // `满山只有陈老。他蹲在石阶上`, `当中拥着陈老。他摘下手套`.
    let singled = ends(here.pre, words::SINGLES_OUT)
        || ends(here.pre, words::REACHES)
        || is_among(here.pre)
        || here.pre.ends_with('的')
            && holds(here.pre, words::REACHES)
            && !holds(here.pre, words::LIFELESS)
            && !holds(here.pre, words::LEGACY);
    let ends_here = own.is_empty() && !after.chars().any(char::is_alphanumeric);
    let next = here.next_sentence();
    (singled && ends_here && !here.told_raw().contains(['他', '她']) && self_moves(next, ""))
        .then(|| here.acts())
}

/// `当中拥着`: a place and a state that brings somebody on, whatever the verb.
fn is_among(pre: &str) -> bool {
    const NO_PRESENCE: &str = "挂贴印画刻塑供写记念想恨爱怀埋葬躺停盖放摆留藏";
    let Some(front) = pre.strip_suffix('着') else {
        return false;
    };
    let mut chars = front.chars().rev();
    let verb = chars.next();
    let place = chars.next();
    verb.is_some_and(|verb| !NO_PRESENCE.contains(verb))
        && place.is_some_and(|place| words::PLACE_TIME_ENDS.contains(place))
}

/// Whether a clause begins with a pronoun, or the end of a long name, and goes on with an act.
fn self_moves(clause: &str, title: &str) -> bool {
    let pronoun = ["他", "她", "后者", "对方", "那人"]
        .into_iter()
        .chain([title])
        .find(|word| !word.is_empty() && clause.starts_with(word));
    let Some(pronoun) = pronoun else {
        return false;
    };
    let does = clause[pronoun.len()..]
        .split(['，', '。'])
        .next()
        .unwrap_or_default();
    !does.starts_with(['们', '的', '这', '那'])
        && !holds(does, words::LIFELESS)
        && starts(without_adverbs(does), words::IN_HEAD).is_none()
        && (is_gesture(does) || predicate_excuse(does).is_none())
}

/// The last two letters of a long name: `公主` of `昭阳公主`.
fn last_two(name: &str) -> &str {
    if name.chars().count() < 4 {
        return "";
    }
    name.char_indices()
        .rev()
        .nth(1)
        .map_or("", |(at, _)| &name[at..])
}
