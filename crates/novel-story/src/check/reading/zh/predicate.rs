//! What is said after a name: an act, or a state, a denial, a relative clause.

use super::{Excuse, Reading, ends, holds, starts, words};

/// Why what is said after the name is no act.
pub(super) fn predicate_excuse(post: &str) -> Option<Reading> {
    // `还是一口没动` is no `是`, `还是那个陈老` is.
    let same = starts(
        post,
        &[
            "还是那",
            "还是这",
            "还是一个",
            "还是当",
            "还是老",
            "还是从前",
        ],
    );
    let post = match post.strip_prefix("还是") {
        Some(rest) if same.is_none() && !rest.is_empty() => rest,
        _ => post,
    };
    // `正要说话，外头响起了敲门声`: who is about to act is there.
    if starts(
        post,
        &["正要", "刚要", "正想", "刚想", "正待", "正欲", "才要"],
    )
    .is_some()
    {
        return None;
    }
    // `陈老十一岁`.
    if post.ends_with('岁') && post.chars().count() <= 5 {
        return Some(Reading::Excused(Excuse::State));
    }
    let whole = is_whole_word(post);
    let post = without_adverbs(post);
    // `陈老走了`: left, or died.
    if matches!(post, "一去" | "一走" | "一死" | "一倒" | "一退" | "一没") {
        return Some(Reading::Excused(Excuse::State));
    }
    if post.is_empty() || matches!(post, "走了" | "去了" | "离开了" | "不动了") {
        return Some(Reading::Doubtful);
    }
    if whole || is_whole_word(post) {
        return relative(post);
    }
    if let Some(post) = after_manner(post) {
        return predicate_excuse(post);
    }
    let laid = after_adverb(post);
    let lies = ["躺", "睡", "卧", "停"]
        .iter()
        .any(|verb| laid.starts_with(verb))
        && holds(post, words::UNDER_GROUND);
    if starts(post, words::DEATH_AFTER).is_some() && starts(post, words::NOT_DEATH).is_none()
        || starts(laid, &["躺在", "倒在", "躺着", "葬", "埋在", "沉睡"]).is_some()
            && laid.len() < post.len()
        || lies
    {
        return Some(Reading::Excused(Excuse::State));
    }
    let dated = ends(
        post,
        &["那天", "那年", "那日", "那夜", "那晚", "那会儿", "那阵子"],
    );
    // `射死在河内`, `俱遭惨戮`, `追封成义侯`.
    if holds(
        post,
        &[
            "死在",
            "死于",
            "遭惨",
            "遭戮",
            "遭难",
            "遭了难",
            "遭毒手",
            "追封",
            "追赠",
            "加封",
        ],
    ) {
        return Some(Reading::Excused(Excuse::State));
    }
    // `陈老最会杀价`.
    let most =
        post.starts_with('最') && starts(post, &["最后", "最终", "最先", "最初", "最近"]).is_none();
    if most || habitual(post) || missed(post) || would(post) {
        return Some(Reading::Doubtful);
    }
    // `临行前把刀挂在门后`.
    let leaving = post.starts_with('临') && matches!(post.chars().nth(2), Some('前' | '时'));
    if lasted(post) || left_since(post) || leaving || dated {
        return Some(Reading::Excused(Excuse::Past));
    }
    // A body is carried, too.
    let put = post.starts_with('被') || starts(post, words::PUT_AWAY).is_some();
    if put && holds(post, words::CARRIED) {
        return Some(Reading::Doubtful);
    }
    if belongs(post) {
        return Some(Reading::Excused(Excuse::Mention));
    }
    if starts(post, words::COPULA_AFTER).is_some() && starts(post, words::NOT_COPULA).is_none() {
        let cleft = post.starts_with('是') && post.ends_with('的');
        return Some(if cleft {
            Reading::Doubtful
        } else {
            Reading::Excused(Excuse::State)
        });
    }
    if starts(post, words::DOUBT_AFTER).is_some() && starts(post, words::NOT_DOUBT).is_none() {
        return Some(Reading::Doubtful);
    }
    if starts(post, words::PAST_AFTER).is_some() {
        return Some(Reading::Excused(Excuse::Past));
    }
    relative(post)
}

/// What follows a denial that only says how: `不在意地摆摆手`, `毫无预兆地笑了`.
fn after_manner(post: &str) -> Option<&str> {
    const LONGEST: usize = 7;
    starts(post, &["不", "没", "无", "毫"])?;
    let (at, char) = post
        .char_indices()
        .take(LONGEST)
        .skip(2)
        .find(|(_, char)| *char == '地')?;
    let rest = &post[at + char.len_utf8()..];
    let place =
        rest.is_empty() || starts(rest, &["里", "上", "下", "方", "点", "步", "位"]).is_some();
    (!place).then_some(rest)
}

/// What follows a manner: `静静地躺在`.
fn after_adverb(post: &str) -> &str {
    const LONGEST: usize = 6;
    let manner = post
        .char_indices()
        .take(LONGEST)
        .find(|(_, char)| *char == '地');
    manner.map_or(post, |(at, char)| &post[at + char.len_utf8()..])
}

/// `学了十年`, `守了一辈子`: what took years is told as past.
fn lasted(post: &str) -> bool {
    post.match_indices('了').any(|(at, _)| {
        let rest = &post[at + '了'.len_utf8()..];
        let count = rest.trim_start_matches(|char: char| {
            char.is_ascii_digit() || "一二三四五六七八九十百几数多半两大整好些".contains(char)
        });
        count.len() < rest.len() && starts(count, &["年", "载", "辈子", "个月"]).is_some()
    })
}

/// `常说`, `总爱`, `逢人便讲`: what somebody used to do, whether they live or not.
fn habitual(post: &str) -> bool {
    starts(
        post,
        &[
            "常",
            "时常",
            "经常",
            "往往",
            "总是",
            "总爱",
            "总说",
            "总要",
            "总会",
            "总喜欢",
            "老爱",
            "老说",
            "每次",
            "每回",
            "每逢",
            "每到",
            "每年",
            "逢人",
            "逢年",
            "平日里",
            "平素",
            "平时",
            "平昔",
            "素日",
        ],
    )
    .is_some()
}

/// `说什么也不会替他顶罪`, `准会骂他一句`: what somebody would do.
fn would(post: &str) -> bool {
    post.match_indices('会').any(|(at, char)| {
        let rest = &post[at + char.len()..];
        post[..at].ends_with([
            '不', '就', '才', '便', '准', '定', '总', '还', '都', '本', '将', '也',
        ]) && !rest.starts_with([
            '议', '意', '心', '面', '合', '场', '客', '儿', '话', '谈', '见', '审', '员', '长',
            '所', '馆', '过', '了',
        ]) && !post[..at].ends_with("不得不")
    })
}

/// `终究没有看到这一天`, `没熬到春天`: what somebody did not live to see.
fn missed(post: &str) -> bool {
    let fate = starts(post, &["终究", "终归", "最终", "到头来", "毕竟", "到底"]);
    let rest = &post[fate.unwrap_or(0)..];
    let Some(denied) = starts(rest, &["没有能", "没能", "没有", "没", "未能", "未"])
    else {
        return false;
    };
    let verb = rest[denied..].chars().next();
    let reached = rest[denied..]
        .chars()
        .nth(1)
        .is_some_and(|end| "到过上来成完住".contains(end));
    let outlives = verb.is_some_and(|verb| "等活熬撑挺捱盼".contains(verb));
    let sees = verb.is_some_and(|verb| "看见听喝吃赶回走".contains(verb));
    reached && (outlives || sees && (fate.is_some() || rest.ends_with(['天', '日', '年', '刻'])))
}

/// `走了以后`, `离开之后`: since somebody is gone.
fn left_since(post: &str) -> bool {
    starts(post, &["走", "去", "离开", "离去"]).is_some_and(|gone| {
        let since = post[gone..].trim_start_matches('了');
        matches!(since, "以后" | "之后" | "后")
    })
}

/// `陈老右手的袖口`: a part of somebody that owns something, and no act.
fn belongs(post: &str) -> bool {
    starts(post, words::BODY).is_some_and(|part| post[part..].starts_with('的'))
}

/// `换了一半的轮胎还躺在地上`: the thing is what lies there, not who changed it.
fn thing_lies(verb: &str, rest: &str) -> bool {
    const LIES: &[&str] = &[
        "躺", "摆", "放", "挂", "搁", "停", "堆", "扔", "丢", "靠", "晾", "摊",
    ];
    !holds(verb, &["把", "将"])
        && LIES.iter().any(|lies| {
            rest.find(lies).is_some_and(|at| {
                at > 0
                    && holds(&rest[..at], &["还", "仍", "依旧", "依然", "就"])
                    && starts(&rest[at + lies.len()..], &["在", "着"]).is_some()
            })
        })
}

/// `陈老留下的剑`, `陈老坐在门前的样子`.
fn relative(post: &str) -> Option<Reading> {
    let at = post.find('的')?;
    let (verb, rest) = (&post[..at], &post[at + '的'.len_utf8()..]);
    // `背着最重的那口箱子` is an act, `留下的那口箱子` is none.
    // `陈老最得意的弟子`, `陈老织了一半的围巾`.
    if verb.starts_with('最') || ends(verb, &["一半", "半截", "多年", "半辈子", "一辈子"])
    {
        return Some(Reading::Excused(Excuse::Mention));
    }
    let carries = rest.starts_with('那') && holds(verb, &["着", "起", "把", "将"]);
    // `望着她的背影` is an act: who is seen is another.
    let sees =
        starts(post, words::SEES).is_some() || verb.ends_with(['他', '她', '我', '你', '们']);
    if holds(post, words::PICTURES) && !carries && !sees || thing_lies(verb, rest) {
        return Some(Reading::Excused(Excuse::Mention));
    }
    if rest.starts_with("时") || rest.is_empty() && !post.starts_with('是') {
        return None;
    }
    let done =
        holds(verb, &["了", "着", "起", "把", "将", "向", "出", "进"]) || opens_another(verb);
    let relative = words::RELATIVE_ENDS.iter().any(|end| verb.ends_with(end));
    if relative && !done {
        return Some(Reading::Excused(Excuse::Mention));
    }
    if !done && starts(rest, words::RELATIVES).is_some() {
        return Some(Reading::Excused(Excuse::Mention));
    }
    // `陈老按的手印还红着`: one verb and 的, whatever the verb.
    let letters: Vec<char> = verb.chars().collect();
    let repeated = letters.windows(2).any(|pair| pair[0] == pair[1]);
    let plain = (1..=2).contains(&letters.len())
        && !repeated
        && !done
        && (starts(rest, words::BODY).is_none() || starts(rest, words::NOT_BODY).is_some())
        && rest.chars().count() > 2;
    plain.then_some(Reading::Doubtful)
}

/// `点开伊芙发来`: a verb that is done, and behind it whose thing it is done to.
fn opens_another(verb: &str) -> bool {
    let mut chars = verb.char_indices().skip(1).take(2);
    chars.any(|(at, char)| {
        "开住到见完掉".contains(char) && verb[at + char.len_utf8()..].chars().count() >= 3
    })
}

/// A word that only begins like one that excuses: `若有所思`, `埋头`, `镇定`.
pub(super) fn is_whole_word(post: &str) -> bool {
    starts(post, words::WHOLE).is_some()
}

/// Whether somebody is said to be like something, and what follows that in the clause:
/// `像没事人似的坐下`, `像一只猫`.
pub(super) fn simile(post: &str) -> Option<&str> {
    const LIKE: [&str; 10] = [
        "像", "好像", "仿佛", "好似", "宛如", "宛若", "犹如", "如同", "活像", "如一",
    ];
    const ENDS: [&str; 7] = ["一样地", "一样", "似的", "一般地", "一般", "般地", "般"];
    let post = without_adverbs(post);
    let like = starts(post, &LIKE)?;
    let rest = &post[like..];
    let after = ENDS
        .iter()
        .filter_map(|end| Some((rest.find(end)?, end.len())))
        .min();
    Some(after.map_or("", |(at, length)| &rest[at + length..]))
}

/// A clause without a subject of its own that tells of something done: `翻来覆去听着外头的风声`.
pub(super) fn goes_on(clause: &str) -> bool {
    const NEAR: usize = 8;
    const OTHERS: &[&str] = &[
        "他",
        "她",
        "它",
        "我",
        "你",
        "您",
        "咱",
        "这",
        "那",
        "谁",
        "众人",
        "大家",
        "人们",
        "天",
        "风",
        "雨",
        "雪",
        "屋",
        "院",
        "门",
        "可",
        "但",
        "却不",
        "因为",
        "所以",
        "不过",
        "连",
        "死",
        "葬",
        "埋",
        "留下",
        "教",
        "享年",
        "曾",
        "只留下",
        "就这样",
    ];
    let clause = without_adverbs(clause.trim_start_matches([' ', '　']));
    if clause.is_empty() || starts(clause, OTHERS).is_some() || experienced(clause) {
        return false;
    }
    is_gesture(clause)
        || clause
            .char_indices()
            .skip(1)
            .take(NEAR)
            .any(|(_, char)| matches!(char, '着' | '起' | '住'))
        || clause
            .char_indices()
            .skip(1)
            .take(3)
            .any(|(_, char)| matches!(char, '了' | '出' | '下' | '上' | '到'))
}

/// `说过`, but not `绕过屏风`.
fn experienced(clause: &str) -> bool {
    clause.match_indices('过').any(|(at, char)| {
        let upto = &clause[..at + char.len()];
        !ends(upto, words::ACROSS)
    })
}

/// Only a subject has an adverb or a preposition right after it.
pub(super) fn follows_subject(post: &str) -> bool {
    starts(
        post,
        &[
            "就", "便", "才", "却", "正", "又", "也", "都", "还", "已经", "忽然", "突然", "缓缓",
            "慢慢", "猛地", "立刻", "立即", "随即", "连忙", "急忙", "赶紧", "终于", "依旧", "仍",
            "把", "将", "从", "朝", "向", "冷冷", "淡淡", "微微", "轻轻", "默默", "静静", "一把",
            "径直", "当即",
        ],
    )
    .is_some()
        && starts(
            post,
            &[
                "也好",
                "又如何",
                "还有",
                "都不如",
                "将军",
                "就是",
                "便是",
                "正是",
            ],
        )
        .is_none()
}

pub(super) fn without_adverbs(post: &str) -> &str {
    let mut rest = post;
    for _ in 0..4 {
        match starts(rest, words::ADVERBS) {
            Some(length) if length < rest.len() => rest = &rest[length..],
            _ => break,
        }
    }
    rest
}

/// `也不恼`, `没有答话`: a denial that somebody who is there can follow up.
pub(super) fn denies(post: &str) -> bool {
    let post = without_adverbs(post);
    starts(post, &["不", "没", "并不", "并没", "并未", "未"]).is_some()
        && starts(post, words::NOT_THERE).is_none()
}

/// `大概是饿了`: what the narrator guesses of somebody who is there.
pub(super) fn guessed(post: &str) -> bool {
    starts(
        post,
        &[
            "大概是",
            "想必是",
            "多半是",
            "可能是",
            "也许是",
            "许是",
            "怕是",
            "恐怕是",
        ],
    )
    .is_some_and(|guess| post[guess..].ends_with('了') && !holds(post, words::DEATH_AFTER))
}

/// `能听见自己的心跳`: who can perceive is there.
pub(super) fn senses(post: &str) -> bool {
    starts(
        without_adverbs(post),
        &[
            "能听见",
            "能听到",
            "能看见",
            "能看到",
            "能感觉到",
            "能感到",
            "能闻到",
            "可以看见",
            "可以听见",
        ],
    )
    .is_some()
}

/// `要去找掌柜理论`, with what stops it in the next clause.
pub(super) fn intends(post: &str) -> bool {
    without_adverbs(post).starts_with('要')
}

pub(super) fn stopped_next(clause: &str) -> bool {
    starts(clause, &["被", "却被", "又被"]).is_some()
        && holds(
            clause,
            &[
                "拦", "拉住", "按住", "叫住", "打断", "止住", "拽", "喝住", "扯住",
            ],
        )
}

/// A clause without a subject of its own that begins with a posture, a gesture or speech.
pub(super) fn is_gesture(clause: &str) -> bool {
    let clause = without_adverbs(clause.trim_start_matches([' ', '　']));
    starts(clause, words::GESTURES).is_some()
        && !holds(clause, words::PICTURES)
        && starts(clause, words::PAST_AFTER).is_none()
}
