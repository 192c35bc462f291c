//! Chinese: clause by clause, from the name outwards.

use super::{
    super::prose::{Mention, Scene, Sentence, holds, is_closing, is_opening},
    Excuse, Reading, scope, zh_words as words,
};

/// What stands before the name in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
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

pub(super) fn read(scene: &Scene<'_>, sentence: Sentence, mention: Mention<'_>) -> Reading {
    let content = scene.content;
    let (start, end) = clause(content, sentence, mention);
    let pre = content[start..mention.start].trim_start_matches([' ', '　']);
    let post = &content[mention.end..end];
    let earlier = scene.narrated(sentence.start..mention.start);
    let acts = Reading::Acts(mention.start..end);
    if let Some(excuse) = frame(&earlier, post) {
        return Reading::Excused(excuse);
    }
    // `谁也没料到陈老会在这时出现`: what nobody expected came about.
    if unexpected(pre) && holds(post, words::TURNS_UP) && !holds(post, words::DEATH_AFTER) {
        return acts;
    }
    // `对外只说陈老出了远门`: what somebody says, without marks.
    if ends(pre, &["说", "声称", "宣称", "谎称", "坚称", "推说", "谎报", "风闻"])
        && !matches!(pre, "却说" | "且说" | "话说" | "单说" | "再说" | "只说")
    {
        return Reading::Excused(Excuse::Report);
    }
    // `跟陈老一模一样`.
    if starts(post, words::COMPARED).is_some() && !pre.is_empty() {
        return Reading::Excused(Excuse::Mention);
    }
    // `陈老那间屋子`.
    if let Some(thing) = pointed_at(post) {
        return possession(&earlier, thing, false, acts);
    }
    if let Some(possessed) = post.strip_prefix('的') {
        let speaks = content[end..]
            .strip_prefix('：')
            .is_some_and(|rest| rest.starts_with(is_opening));
        return possession(&earlier, possessed, speaks, acts);
    }
    let before = before(pre);
    // A question of the narrator, and a judgement that ends in 也.
    if matches!(content[end..sentence.end].chars().next(), Some('？' | '?'))
        && !content[end..].starts_with("？”")
    {
        return Reading::Doubtful;
    }
    if post.ends_with('也') {
        return Reading::Excused(Excuse::State);
    }
    // `陈老：“回家。”`.
    if post.is_empty()
        && before == Before::Subject
        && content[end..]
            .strip_prefix('：')
            .is_some_and(|rest| rest.starts_with(is_opening))
    {
        return acts;
    }
    // `陈老“嗯”了一声`.
    if post.is_empty() && before == Before::Subject && interjects(&content[end..]) {
        return acts;
    }
    // `从陈老手里接过灯笼`: both are there.
    if pre.ends_with('从') && starts(post, &["手里接过", "手中接过", "手上接过"]).is_some()
    {
        return acts;
    }
    if post.is_empty() || post.starts_with('、') {
        return at_end(scene, sentence, mention, pre, before, acts);
    }
    if starts(post, words::NOUN_AFTER).is_some() {
        let lives = starts(
            post,
            &[
                "家里",
                "家中",
                "死死",
                "死活",
                "死命",
                "处处",
                "像往常",
                "像从前",
                "像没",
                "故意",
                "故作",
                "兄弟",
                "夫人般",
                "父子二人",
                "女扮",
                "旧伤",
                "旧病",
                "者",
                "军中",
                "牌",
                "传令",
                "传来",
                "传音",
                "案前",
                "街",
                "山",
                "路过",
                "路上",
                "左右看",
                "左右一",
                "左右张",
                "左右环",
                "左右打量",
                "左右开弓",
                "兵分",
                "手中",
                "手里",
                "手上",
                "身上",
                "怀里",
                "怀中",
                "腰间",
                "脚下",
                "传下",
                "传话",
                "传",
            ],
        )
        .is_some();
        if !lives {
            return Reading::Excused(Excuse::Mention);
        }
    }
    if let Some(excuse) = predicate_excuse(post) {
        let next = next_clause(content, end, sentence.end);
        return match (before, excuse) {
            (Before::Subject | Before::Perceived, Reading::Doubtful)
                if denies(post) && acts_next(next)
                    || senses(post)
                    || intends(post) && stopped_next(next) =>
            {
                acts
            }
            (_, excuse) => excuse,
        };
    }
    match before {
        Before::Agent if holds(post, &["杀", "害", "斩", "诛", "擒", "俘", "灭"]) => {
            Reading::Doubtful
        }
        Before::Subject | Before::Perceived | Before::Agent => acts,
        Before::Joined if pre.chars().count() > 1 || post.chars().count() > 1 => acts,
        Before::Object if follows_subject(post) => acts,
        Before::Joined | Before::Object => Reading::Doubtful,
        Before::Oblique => Reading::Excused(Excuse::Mention),
    }
}

/// What `那间`, `这把` after a name points at; `那个` may be the person.
fn pointed_at(post: &str) -> Option<&str> {
    let rest = post.strip_prefix(['那', '这'])?;
    let measured = rest.strip_prefix(|char: char| "间把张件本双条座匹支枚副辆栋套口块柄杆".contains(char))?;
    Some(measured)
}

/// A short word in quotation marks that the clause goes on with: `“嗯”了一声`.
fn interjects(rest: &str) -> bool {
    const SHORT: usize = 6;
    let Some(rest) = rest.strip_prefix(is_opening) else {
        return false;
    };
    rest.char_indices()
        .take(SHORT)
        .find(|(_, char)| is_closing(*char))
        .is_some_and(|(at, char)| {
            starts(&rest[at + char.len_utf8()..], &["了一声", "一声", "地一声", "地笑", "了声"])
                .is_some()
        })
}

/// The clause around the mention: between marks of any kind.
fn clause(content: &str, sentence: Sentence, mention: Mention<'_>) -> (usize, usize) {
    let is_break = |char: char| {
        matches!(
            char,
            '，' | '。'
                | '！'
                | '？'
                | '；'
                | '：'
                | '…'
                | '—'
                | '\n'
                | ','
                | ';'
                | ':'
                | '!'
                | '?'
                | '.'
                | '（'
                | '）'
                | '('
                | ')'
                | '《'
                | '》'
                | '*'
        ) || is_opening(char)
            || is_closing(char)
    };
    let start = content[sentence.start..mention.start]
        .char_indices()
        .rev()
        .find(|(_, char)| is_break(*char))
        .map_or(sentence.start, |(at, char)| {
            sentence.start + at + char.len_utf8()
        });
    let end = content[mention.end..sentence.end]
        .char_indices()
        .find(|(_, char)| is_break(*char))
        .map_or(sentence.end, |(at, _)| mention.end + at);
    (start, end)
}

/// The clause after the one that ends at `end`, when a comma joins them.
fn next_clause(content: &str, end: usize, sentence_end: usize) -> &str {
    content[end..sentence_end]
        .strip_prefix('，')
        .and_then(|rest| rest.split(['，', '。', '；', '！', '？', '：']).next())
        .unwrap_or_default()
}

/// `也不恼`, `没有答话`: a denial that somebody who is there can follow up.
fn denies(post: &str) -> bool {
    let post = without_adverbs(post);
    starts(post, &["不", "没", "并不", "并没", "并未", "未"]).is_some()
        && starts(post, words::NOT_THERE).is_none()
}

/// `能听见自己的心跳`: who can perceive is there.
fn senses(post: &str) -> bool {
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
fn intends(post: &str) -> bool {
    without_adverbs(post).starts_with('要')
}

fn stopped_next(clause: &str) -> bool {
    starts(clause, &["被", "却被", "又被"]).is_some()
        && holds(
            clause,
            &[
                "拦", "拉住", "按住", "叫住", "打断", "止住", "拽", "喝住", "扯住",
            ],
        )
}

/// A clause without a subject of its own that begins with a posture, a gesture or speech.
fn acts_next(clause: &str) -> bool {
    let clause = without_adverbs(clause.trim_start_matches([' ', '　']));
    starts(clause, words::GESTURES).is_some()
        && !holds(clause, words::PICTURES)
        && starts(clause, words::PAST_AFTER).is_none()
}

/// `谁也没料到`, `想不到` before the name.
fn unexpected(pre: &str) -> bool {
    ends(
        pre,
        &[
            "没料到",
            "没想到",
            "想不到",
            "料不到",
            "未料到",
            "未曾想",
            "不曾想",
        ],
    )
}

/// The frame of the sentence up to the name, and right after it.
fn frame(earlier: &str, post: &str) -> Option<Excuse> {
    if holds(earlier, words::PAST_BEFORE) || scope::ago_zh(earlier) || starts_old(earlier) {
        // Who turns up while somebody remembers acts all the same: `正想起旧事，忽然`.
        let interrupted = earlier
            .rsplit(['，', '；'])
            .next()
            .is_some_and(|last| holds(last, &["忽然", "突然", "这时", "只见", "却见", "此时"]))
            && !scope::ago_zh(earlier);
        if !interrupted {
            return Some(Excuse::Past);
        }
    }
    if holds(earlier, words::SUPPOSED_BEFORE) || supposed(earlier) {
        return Some(Excuse::Hypothesis);
    }
    // `据老兵讲，`.
    let according = earlier
        .trim_start_matches([' ', '　'])
        .strip_prefix('据')
        .is_some_and(|rest| rest.contains('，'));
    if according || holds(earlier, words::REPORTED_BEFORE) {
        return Some(Excuse::Report);
    }
    let reign =
        post.starts_with('时') && starts(post, &["时而", "时不时", "时常", "时时"]).is_none();
    // `白露过后`: the name is a day of the year.
    let season = ["过后", "前后", "时节", "节气"].contains(&post);
    if reign
        || season
        || starts(post, words::PAST_AFTER).is_some()
        || holds(
            post,
            &[
                "生前",
                "显灵",
                "显圣",
                "在世时",
                "活着的时候",
                "在世的时候",
                "梦里",
                "梦中",
            ],
        )
        || post.ends_with("似的")
        || post.ends_with("一般")
    {
        return Some(Excuse::Past);
    }
    if holds(post, words::EXPERIENCE) {
        return Some(Excuse::Past);
    }
    None
}

/// Chronicle style: `初，`, `昔`.
fn starts_old(earlier: &str) -> bool {
    let earlier = earlier.trim_start_matches([' ', '　']);
    // A year in a chronicle: `建安十二年，`.
    let first = earlier.split('，').next().unwrap_or_default();
    let dated = first.len() < earlier.len()
        && first.strip_suffix('年').is_some_and(|year| {
            year.chars()
                .next_back()
                .is_some_and(|digit| "元一二三四五六七八九十".contains(digit))
                && year.chars().count() >= 3
        });
    if dated {
        return true;
    }
    earlier.starts_with('昔') || earlier.starts_with("初，") || earlier.starts_with("早年")
}

/// `若` before a subject, but not in `若有所思`.
fn supposed(earlier: &str) -> bool {
    earlier.match_indices('若').any(|(at, _)| {
        let rest = &earlier[at + '若'.len_utf8()..];
        let starts_clause = earlier[..at]
            .chars()
            .next_back()
            .is_none_or(|char| !char.is_alphanumeric());
        starts_clause && starts(rest, &["有所", "无其事", "隐若现", "即若离", "有若无"]).is_none()
    })
}

/// `陈老的声音从门外传来` is an act, `陈老的剑` is none.
fn possession(earlier: &str, possessed: &str, speaks: bool, acts: Reading) -> Reading {
    let Some(part) = starts(possessed, words::BODY) else {
        let begins = earlier
            .rsplit(['，', '。', '；', '：'])
            .next()
            .is_some_and(|pre| before(pre) == Before::Subject);
        // `陈老的枪先响`: a weapon that only its holder moves.
        let wielded = possessed
            .strip_prefix(|char: char| "枪剑刀弓箭棍".contains(char))
            .is_some_and(|rest| starts(without_adverbs(rest), words::WIELDED).is_some());
        return if wielded && begins {
            acts
        } else {
            Reading::Excused(Excuse::Mention)
        };
    };
    let rest = &possessed[part..];
    // `那头传来陈老的声音：“我到了。”`.
    let last = earlier.rsplit(['，', '。', '；', '：']).next().unwrap_or_default();
    if rest.is_empty() && speaks && ends(last, &["传来", "响起", "传出", "响起了", "传来了"]) {
        return acts;
    }
    let nothing = rest.chars().count() < 2
        || rest.starts_with('的')
        || rest.starts_with('是')
        || rest.starts_with('里');
    let unseen = holds(rest, words::IN_MIND) || holds(earlier, words::IN_MIND);
    // Somebody else may hold, see or hear it.
    let is_object = earlier
        .rsplit(['，', '。', '；', '：'])
        .next()
        .is_some_and(|pre| !matches!(before(pre), Before::Subject | Before::Perceived));
    if nothing || unseen || is_object {
        Reading::Doubtful
    } else {
        acts
    }
}

/// The name ends its clause: somebody comes on, or is only named.
fn at_end(
    scene: &Scene<'_>,
    sentence: Sentence,
    mention: Mention<'_>,
    pre: &str,
    before: Before,
    acts: Reading,
) -> Reading {
    let content = scene.content;
    if words::PRESENTS
        .iter()
        .any(|verb| ends_presenting(pre, verb))
    {
        return acts;
    }
    let earlier = &content[sentence.start..mention.start];
    let previous = content[..sentence.start].trim_end();
    let near: String = previous
        .chars()
        .rev()
        .take(24)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let identifies = words::IDENTIFIES.iter().any(|word| pre.ends_with(word));
    if identifies
        && (holds(earlier, words::SOMEONE_HERE)
            || pre.ends_with("正是") && holds(&near, words::SOMEONE_HERE))
    {
        return acts;
    }
    // `陈老、王掌柜都来了`: a list of subjects.
    let rest = &content[mention.end..sentence.end];
    if before == Before::Subject
        && let Some(list) = rest.strip_prefix('、')
        && let Some(tail) = list.split(['，', '。', '；']).next()
        && holds(
            tail,
            &[
                "都", "也", "一起", "一同", "齐", "两人", "二人", "三人", "四人", "几人", "等人",
                "各",
            ],
        )
    {
        return acts;
    }
    Reading::Doubtful
}

/// `门口站着`, `走出一个人影`, `站着的`: no.
fn ends_presenting(pre: &str, verb: &str) -> bool {
    let pre = pre.trim_end_matches(|char: char| "一个位名了".contains(char));
    pre.strip_suffix(verb.trim_end_matches('了'))
        .is_some_and(|rest| {
            // A place or a time before the verb, and no person.
            rest.chars()
                .next_back()
                .is_some_and(|char| words::PLACE_TIME_ENDS.contains(char))
                || starts_with_from(rest)
        })
}

fn starts_with_from(rest: &str) -> bool {
    starts(
        rest,
        &["从", "自", "在", "门", "院", "屋", "殿", "身后", "对面"],
    )
    .is_some()
        && !rest.contains('他')
}

/// Why what is said after the name is no act.
fn predicate_excuse(post: &str) -> Option<Reading> {
    // `还是一口没动` is no `是`, `还是那个陈老` is.
    let same = starts(post, &["还是那", "还是这", "还是一个", "还是当", "还是老", "还是从前"]);
    let post = match post.strip_prefix("还是") {
        Some(rest) if same.is_none() && !rest.is_empty() => rest,
        _ => post,
    };
    let post = without_adverbs(post);
    if post.is_empty() {
        return Some(Reading::Doubtful);
    }
    if let Some(post) = after_manner(post) {
        return predicate_excuse(post);
    }
    if starts(post, words::DEATH_AFTER).is_some() && starts(post, words::NOT_DEATH).is_none()
        || post.starts_with('睡') && holds(post, words::UNDER_GROUND)
    {
        return Some(Reading::Excused(Excuse::State));
    }
    if lasted(post) || left_since(post) {
        return Some(Reading::Excused(Excuse::Past));
    }
    // A body is carried, too.
    if post.starts_with('被') && holds(post, words::CARRIED) {
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
    let place = rest.is_empty() || starts(rest, &["里", "上", "下", "方", "点", "步", "位"]).is_some();
    (!place).then_some(rest)
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

/// `走了以后`, `离开之后`: since somebody is gone.
fn left_since(post: &str) -> bool {
    starts(post, &["走", "去", "离开", "离去"]).is_some()
        && ends(post, &["以后", "之后", "后"])
        && post.chars().count() <= 6
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
    let carries = rest.starts_with('那') && holds(verb, &["着", "起", "把", "将"]);
    if holds(post, words::PICTURES) && !carries || thing_lies(verb, rest) {
        return Some(Reading::Excused(Excuse::Mention));
    }
    if rest.starts_with("时") || rest.is_empty() && !post.starts_with('是') {
        return None;
    }
    let done = holds(verb, &["了", "着", "起", "把", "将", "向", "出", "进"]);
    let relative = words::RELATIVE_ENDS.iter().any(|end| verb.ends_with(end));
    if relative && !done {
        return Some(Reading::Excused(Excuse::Mention));
    }
    None
}

/// Only a subject has an adverb or a preposition right after it.
fn follows_subject(post: &str) -> bool {
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

fn without_adverbs(post: &str) -> &str {
    const ADVERBS: &[&str] = &[
        "忍不住",
        "不由得",
        "不禁",
        "忽然",
        "突然",
        "猛地",
        "猛然",
        "缓缓",
        "慢慢",
        "轻轻",
        "静静",
        "默默",
        "冷冷",
        "淡淡",
        "微微",
        "连忙",
        "急忙",
        "赶紧",
        "立刻",
        "立即",
        "随即",
        "终于",
        "依旧",
        "依然",
        "仍然",
        "已经",
        "正在",
        "再次",
        "当即",
        "仍",
        "还",
        "又",
        "也",
        "便",
        "就",
        "却",
        "已",
        "正",
        "再",
        "才",
        "只是",
        "只",
        "竟然",
        "竟",
        "居然",
        "果然",
        "其实",
        "似乎",
        "似",
        "显然",
        "自然",
        "当然",
        "自己",
        "一个人",
        "独自",
        "本人",
        "这才",
        "那边",
        "后来",
        "后",
        "此时",
        "此刻",
        "这时",
        "今日",
        "今天",
        "如今",
        "现在",
        "都",
        "等人",
        "等",
        "一行人",
        "一行",
        "二人",
        "两人",
        "三人",
        "父女",
        "师徒",
        "夫妇",
        "兄弟",
    ];
    let mut rest = post;
    for _ in 0..4 {
        match starts(rest, ADVERBS) {
            Some(length) if length < rest.len() => rest = &rest[length..],
            _ => break,
        }
    }
    rest
}

/// What the clause has before the name.
fn before(pre: &str) -> Before {
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
            rest = &rest[..rest.len() - opener];
            continue;
        }
        if let Some(title) = longest_end(rest, words::TITLES) {
            rest = &rest[..rest.len() - title];
            // `我师父陈老`, `他的师父陈老`.
            rest = rest.trim_end_matches(['我', '他', '她', '你', '的', '其']);
            continue;
        }
        if let Some(modified) = rest.strip_suffix('的') {
            // `年迈的陈老`; `看见受伤的陈老` is an object.
            let plain = modified.replace("一向", "").replace("向来", "");
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

fn ends(text: &str, list: &[&str]) -> bool {
    list.iter().any(|word| text.ends_with(word))
}

fn longest_end(text: &str, list: &[&str]) -> Option<usize> {
    list.iter()
        .filter(|word| text.ends_with(*word))
        .map(|word| word.len())
        .max()
}

/// The length of the longest word the text starts with.
fn starts(text: &str, list: &[&str]) -> Option<usize> {
    list.iter()
        .filter(|word| text.starts_with(*word))
        .map(|word| word.len())
        .max()
}
