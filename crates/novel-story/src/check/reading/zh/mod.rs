//! Chinese: clause by clause, from the name outwards.

mod before;
mod frame;
mod predicate;

use self::{
    before::{Before, before},
    frame::{frame, unexpected},
    predicate::{
        denies, follows_subject, goes_on, intends, is_gesture, is_whole_word, predicate_excuse,
        senses, simile, stopped_next, without_adverbs,
    },
};
use super::{
    super::prose::{Mention, Scene, Sentence, holds, is_closing, is_opening},
    Excuse, Reading, scope, zh_frames as frames, zh_words as words,
};

pub(super) fn read(scene: &Scene<'_>, sentence: Sentence, mention: Mention<'_>) -> Reading {
    let content = scene.content;
    let (start, end) = clause(content, sentence, mention);
    let pre = content[start..mention.start].trim_start_matches([' ', '　']);
    let post = &content[mention.end..end];
    let earlier = scene.narrated(sentence.start..mention.start);
    let acts = Reading::Acts(mention.start..end);
    let later = scene.narrated(mention.end..sentence.end);
    if let Some(excuse) = frame(&earlier, post, &later) {
        return Reading::Excused(excuse);
    }
    if content[..mention.start].ends_with('《') {
        return Reading::Excused(Excuse::Mention);
    }
    let next_sentence = scene.next_in_paragraph(sentence);
    let undone = holds(&later, frames::UNDONE)
        || next_sentence.is_some_and(|next| holds(scene.text(next), frames::UNDONE));
    if undone || holds(&later, frames::LIKENESS_LATER) {
        return Reading::Doubtful;
    }
    if pre.ends_with('在') && led(post)
        || meets_gaze(pre, post)
        || pre.ends_with("当着") && post == "的面"
        || pre.ends_with('趁')
            && starts(post, &["不", "没", "转", "睡", "低", "喝", "去"]).is_some()
        || pre.ends_with('给') && both_go_on(&later)
    {
        return acts;
    }
    if is_thing(&content[mention.start..mention.end], pre, post) {
        return Reading::Doubtful;
    }
    // `陈老这个人闲不住`.
    let post = ["这个人", "这人", "本人"]
        .iter()
        .find_map(|same| post.strip_prefix(same))
        .filter(|rest| !rest.is_empty() && !rest.starts_with('的'))
        .unwrap_or(post);
    // `谁也没料到陈老会在这时出现`: what nobody expected came about.
    if unexpected(pre) && holds(post, words::TURNS_UP) && !holds(post, words::DEATH_AFTER) {
        return acts;
    }
    // `对外只说陈老出了远门`: what somebody says, without marks.
    if ends(
        pre,
        &["说", "声称", "宣称", "谎称", "坚称", "推说", "谎报", "风闻"],
    ) && !matches!(pre, "却说" | "且说" | "话说" | "单说" | "再说" | "只说")
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
    if identified(&earlier, pre, &content[mention.end..sentence.end]) {
        return acts;
    }
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
    let next = next_clause(content, end, sentence.end);
    if let Some(rest) = simile(post)
        && matches!(before, Before::Subject | Before::Perceived)
    {
        let does = !rest.is_empty() && predicate_excuse(rest).is_none()
            || rest.is_empty() && goes_on(next);
        return if does { acts } else { Reading::Doubtful };
    }
    if let Some(reading) = called(&earlier, pre, post, &acts) {
        return reading;
    }
    if post.is_empty() || post.starts_with('、') {
        return at_end(scene, sentence, mention, pre, before, acts);
    }
    if starts(post, words::NOUN_AFTER).is_some() {
        let lives = starts(post, words::NOT_NOUN).is_some() || is_whole_word(post);
        if !lives {
            return Reading::Excused(Excuse::Mention);
        }
    }
    if let Some(excuse) = predicate_excuse(post) {
        return match (before, excuse) {
            (Before::Subject | Before::Perceived, Reading::Doubtful)
                if denies(post) && goes_on(next)
                    || senses(post)
                    || intends(post) && stopped_next(next)
                    || post.starts_with('是') && is_gesture(next) =>
            {
                acts
            }
            // `陈老是个急性子，一把推开了门`.
            (Before::Subject, Reading::Excused(Excuse::State))
                if post.starts_with("是个") && is_gesture(next) =>
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

/// `在陈老的带领下`: who leads, watches or helps is there.
fn led(post: &str) -> bool {
    const BY: [&str; 16] = [
        "带领", "率领", "指挥", "陪同", "搀扶", "注视", "掩护", "示意", "劝说", "催促", "安排",
        "护送", "引领", "陪伴", "目送", "授意",
    ];
    post.strip_prefix('的')
        .and_then(|rest| rest.strip_suffix('下'))
        .is_some_and(|rest| BY.contains(&rest))
}

/// `撞上陈老似笑非笑的目光`.
fn meets_gaze(pre: &str, post: &str) -> bool {
    ends(pre, &["撞上", "迎上", "对上", "避开", "躲开", "迎着"])
        && ends(post, &["的目光", "的视线", "的眼神", "的眼睛"])
}

/// A name that is a word, behind what makes it the thing: `院里的丁香`, `一条泥鳅`.
fn is_thing(name: &str, pre: &str, post: &str) -> bool {
    const BEFORE: &str = "的条棵株朵只枝串颗粒片些把盆篮筐碗收之种摘采折";
    // `陈老师` and `陈老板` are no `陈老`.
    let longer = name.ends_with('老')
        && starts(post, &["师", "板", "爷", "太", "汉", "头", "伯", "虎"]).is_some();
    longer
        || words::WORD_NAMES.contains(&name)
            && (pre.ends_with(|char: char| BEFORE.contains(char))
                || starts(post, words::OF_THINGS).is_some())
        || words::ROLES.contains(&name) && ends(pre, &["的", "那位", "某位", "另一位", "他", "她"])
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

/// `手机响了，是陈老打来的`, `今早还是陈老送他去的学校`: an event of now, and who is behind it.
fn called(earlier: &str, pre: &str, post: &str, acts: &Reading) -> Option<Reading> {
    const NOW: &[&str] = &[
        "今早",
        "今天",
        "今日",
        "今晨",
        "今晚",
        "今夜",
        "刚才",
        "方才",
        "刚刚",
        "这会儿",
    ];
    if !ends(pre, &["是"]) || !post.contains('的') {
        return None;
    }
    let calls = starts(
        post,
        &["打来", "发来", "打过来", "发过来", "在敲", "在喊", "在叫"],
    )
    .is_some();
    (calls || holds(earlier, NOW)).then(|| acts.clone())
}

/// What `那间`, `这把` after a name points at; `那个` may be the person.
fn pointed_at(post: &str) -> Option<&str> {
    let rest = post.strip_prefix(['那', '这'])?;
    let measured =
        rest.strip_prefix(|char: char| "间把张件本双条座匹支枚副辆栋套口块柄杆".contains(char))?;
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
            starts(
                &rest[at + char.len_utf8()..],
                &["了一声", "一声", "地", "了声"],
            )
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

/// `陈老的声音从门外传来` is an act, `陈老的剑` is none.
fn possession(earlier: &str, possessed: &str, speaks: bool, acts: Reading) -> Reading {
    // `粗糙的手`.
    let possessed = match possessed.split_once('的') {
        Some((adjective, noun))
            if adjective.chars().count() <= 4 && starts(noun, words::BODY).is_some() =>
        {
            noun
        }
        _ => possessed,
    };
    let thing = starts(possessed, words::NOT_BODY).is_some();
    let Some(part) = starts(possessed, words::BODY).filter(|_| !thing) else {
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
    let last = earlier
        .rsplit(['，', '。', '；', '：'])
        .next()
        .unwrap_or_default();
    let comes = longest_end(last, &["传来", "响起", "传出", "响起了", "传来了"]);
    let from = comes.is_some_and(|verb| {
        last[..last.len() - verb].ends_with(|char: char| words::PLACE_TIME_ENDS.contains(char))
    });
    if rest.is_empty() && comes.is_some() && (speaks || from) && !holds(earlier, words::IN_MIND) {
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
    let identifies = words::IDENTIFIES.iter().any(|word| pre.ends_with(word))
        && !holds(pre, &["本来该", "本该", "本应", "应该"]);
    if identifies
        && (holds(earlier, words::SOMEONE_HERE)
            || pre.ends_with("正是") && holds(&near, words::SOMEONE_HERE))
    {
        return acts;
    }
    // `一向胆小的陈老，竟然第一个举起了手`.
    let next = next_clause(content, mention.end, sentence.end);
    if before == Before::Subject
        && without_adverbs(next).len() < next.len()
        && starts(next, &["后来", "此时", "只是", "等", "自己"]).is_none()
        && goes_on(next)
        && predicate_excuse(next).is_none()
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

/// `最先开口的是陈老`, `一只手搭上她的肩，是陈老`, `不是陈老又是谁`.
fn identified(earlier: &str, pre: &str, rest: &str) -> bool {
    if ends(pre, &["不是"]) && starts(rest, &["又是谁", "还能是谁", "还会是谁"]).is_some()
        || ends(pre, &["可不就是", "可不是", "不是别人，正是"])
    {
        return true;
    }
    // `可不就是陈老嘛`: nothing but a particle after the name.
    let is_last = rest
        .trim_start_matches(['嘛', '么', '呀', '啊', '吧', '呢', '了'])
        .chars()
        .next()
        .is_none_or(|char| !char.is_alphanumeric());
    let Some(is) = longest_end(pre, words::IDENTIFIES).filter(|_| is_last) else {
        return false;
    };
    let left = &pre[..pre.len() - is];
    let left = left.trim_end_matches("分明").trim_end_matches("原来");
    if left.is_empty() {
        let before = earlier[..earlier.len() - pre.len()].trim_end_matches(['，', '—', '：']);
        let last = before.rsplit(['，', '；', '：']).next().unwrap_or_default();
        let shown = holds(last, words::JUST_CAME)
            || words::PRESENTED.iter().any(|noun| last.ends_with(noun));
        return shown && !holds(last, words::LEGACY);
    }
    let told = left.ends_with('的') || words::PRESENTED.iter().any(|noun| left.ends_with(noun));
    told && !holds(left, words::LEGACY) && left.chars().count() >= 3
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
