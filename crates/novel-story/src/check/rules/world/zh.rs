//! Chinese rules, and the sentences that break them.

use novel_text::parse_numeral;

use super::law::{self, Law, Limit, Who, verb_zh};
use crate::check::prose::holds;

/// Marks of a prohibition, the longer first.
const FORBIDS: [&str; 26] = [
    "绝对不能", "绝对不可", "一律不得", "不被允许", "绝不允许", "不允许", "绝不可", "绝不能",
    "绝不会", "永远不能", "永不得", "禁止", "严禁", "不得", "不可以", "不可", "不能", "不许",
    "不准", "无法", "不会", "从不", "绝不", "休得", "切勿", "勿",
];

/// Marks of what alone is allowed.
const ONLY: [&str; 5] = ["只有", "唯有", "惟有", "唯独", "仅有"];
const ALLOWS: [&str; 12] = [
    "才能够", "才能", "才可以", "才可", "方能", "方可", "才会", "才有资格", "才得以", "可以",
    "有资格", "能",
];

/// Everybody.
const ANYBODY: [&str; 15] = [
    "", "人", "任何人", "所有人", "谁", "谁也", "谁都", "无人", "没有人", "众人", "每个人",
    "每人", "一个人", "人们", "世人",
];

/// Said of a thing that does not work.
const FAILS: [&str; 6] = ["会失效", "失效", "无效", "失灵", "没有作用", "不起作用"];

/// On one's own, without leave.
const ON_ONES_OWN: [&str; 4] = ["擅自", "私自", "私下", "擅"];
const ON_ONES_OWN_TOLD: [&str; 12] = [
    "擅自", "私自", "私下", "偷偷", "悄悄", "瞒着", "未经", "没有禀报", "没有请示", "没有告诉",
    "不告而别", "溜",
];

/// Reads a rule; `None` for one of another form.
pub(super) fn read(rule: &str) -> Option<Law> {
    let mut rule: String = rule
        .trim()
        .trim_end_matches(['。', '！', '.'])
        .chars()
        .filter(|char| !matches!(char, '“' | '”' | '「' | '」' | ' ' | '　'))
        .collect();
    let mut excuses = Vec::new();
    // `，除非持有令牌`, `，但长老除外`, `（长老除外）`.
    for mark in ["除非", "除了"] {
        if let Some(at) = rule.find(mark) {
            let rest = rule[at + mark.len()..].to_owned();
            let end = rest.find(['，', '）', '外']).unwrap_or(rest.len());
            excuses.extend(terms(&rest[..end]));
            let after = rest[end..].trim_start_matches(['外', '，', '）', '之', '以']);
            rule = if at == 0 {
                after.to_owned()
            } else {
                rule[..at].trim_end_matches(['，', '（', '但']).to_owned()
            };
        }
    }
    for mark in ["除外", "例外"] {
        if let Some(at) = rule.find(mark) {
            let start = rule[..at].rfind(['，', '（', '('])?;
            excuses.extend(terms(rule[start..at].trim_start_matches(['，', '（', '(', '但'])));
            rule.truncate(start);
        }
    }
    let mut law = limited(&rule)
        .or_else(|| only(&rule))
        .or_else(|| required(&rule))
        .or_else(|| forbidden(&rule))?;
    law.excuses.append(&mut excuses);
    law.is_plain().then_some(law)
}

/// `外门弟子不得进入藏经阁`, `入夜之后城门不得打开`, `禁止在城中动武`.
fn forbidden(rule: &str) -> Option<Law> {
    let failing = FAILS.iter().find(|word| rule.contains(**word));
    if let Some(word) = failing {
        let (condition, _) = rule.split_once(word)?;
        let mut law = Law::new(Who::Anybody);
        let topic = conditions(condition, &mut law);
        law.verbs = USED.iter().map(|word| (*word).to_owned()).collect();
        law.objects.push(thing(&topic));
        return (!law.conditions.is_empty()).then_some(law);
    }
    let (at, mark) = FORBIDS
        .iter()
        .filter_map(|mark| Some((rule.find(mark)?, *mark)))
        .min_by_key(|(at, mark)| (*at, std::cmp::Reverse(mark.len())))?;
    let (before, event) = (&rule[..at], &rule[at + mark.len()..]);
    // `没有令牌不得入城`, `未经许可，不得入内`.
    let mut without = Vec::new();
    let mut before = before.to_owned();
    for lack in ["未经", "没有", "未", "无", "不"] {
        if let Some(start) = before.find(lack)
            && !ANYBODY.contains(&before.as_str())
        {
            let end = before[start..]
                .find('，')
                .map_or(before.len(), |length| start + length);
            without = terms(&before[start + lack.len()..end]);
            before.replace_range(start..end, "");
            break;
        }
    }
    let mut law = Law::new(Who::Anybody);
    law.without = without;
    let topic = conditions(before.trim_matches('，'), &mut law);
    let event = event.replace('，', "");
    event_of(&event, &topic, &mut law)?;
    Some(law)
}

/// `只有长老才能进入禁地`.
fn only(rule: &str) -> Option<Law> {
    let (at, mark) = ONLY
        .iter()
        .find_map(|mark| Some((rule.find(mark)?, *mark)))?;
    let (front, rest) = (&rule[..at], &rule[at + mark.len()..]);
    let allows = ALLOWS.iter().find(|word| rest.contains(**word))?;
    let (class, event) = rest.split_once(allows)?;
    let class = class.trim_matches(['，', '的', '者']);
    let mut law = Law::new(Who::Anybody);
    // `只有念出咒语才能施法`: what must be done, not who.
    if verb_zh(class).is_some() || class.starts_with(['用', '在', '以', '持', '念', '经']) {
        law.without = terms(class);
    } else {
        law.who = Who::Not(class.to_owned());
    }
    let topic = conditions(front.trim_matches('，'), &mut law);
    event_of(&event.replace('，', ""), &topic, &mut law)?;
    Some(law)
}

/// `魔法必须念出咒语才能施展`, `进城必须出示路引`.
fn required(rule: &str) -> Option<Law> {
    let (before, after) = rule.split_once("必须").or_else(|| rule.split_once("须先"))?;
    let mut law = Law::new(Who::Anybody);
    let allows = ALLOWS
        .iter()
        .filter(|word| **word != "能" && **word != "可以")
        .find(|word| after.contains(**word));
    match allows.and_then(|word| after.split_once(word)) {
        Some((need, event)) => {
            law.without = terms(need.trim_matches('，').trim_start_matches('先'));
            let topic = conditions(before, &mut law);
            event_of(&event.replace('，', ""), &topic, &mut law)?;
        }
        None => {
            law.without = terms(after.trim_start_matches('先'));
            let topic = conditions(before, &mut law);
            let (at, ..) = verb_zh(&topic)?;
            event_of(&topic[at..], &topic[..at], &mut law)?;
        }
    }
    (!law.without.is_empty()).then_some(law)
}

/// `传送阵每天只能开启一次`, `一人至多携带三件法器`.
fn limited(rule: &str) -> Option<Law> {
    const MOST: [&str; 9] = [
        "最多只能", "至多只能", "不得超过", "不能超过", "不超过", "最多", "至多", "只能", "仅能",
    ];
    let (at, mark) = MOST
        .iter()
        .filter_map(|mark| Some((rule.find(mark)?, *mark)))
        .min_by_key(|(at, mark)| (*at, std::cmp::Reverse(mark.len())))?;
    let rest = &rule[at + mark.len()..];
    let number_at = rest.find(is_number)?;
    let end = rest[number_at..]
        .find(|char| !is_number(char))
        .map_or(rest.len(), |length| number_at + length);
    let most = parse_numeral(&rest[number_at..end].replace('两', "二"))?;
    let unit = rest[end..].chars().next()?;
    let daily = holds(rule, &["每天", "每日", "一天", "一日", "每夜", "当天", "一夜"]);
    let mut front = rule[..at].to_owned();
    for word in ["每天", "每日", "一天之内", "一日之内", "一天", "一日", "每夜", "一夜", "每人", "一生", "一辈子", "终生", "一次"] {
        front = front.replace(word, "");
    }
    let mut law = Law::new(Who::Anybody);
    law.limit = Some(Limit { most, daily });
    let topic = conditions(front.trim_matches('，'), &mut law);
    let counted = matches!(unit, '次' | '回' | '遍');
    let event = rest[..number_at].trim();
    if counted {
        let event = if event.is_empty() {
            let (at, ..) = verb_zh(&topic)?;
            topic[at..].to_owned()
        } else {
            event.to_owned()
        };
        event_of(&event, &topic, &mut law)?;
    } else {
        return None;
    }
    (!law.verbs.is_empty() && (!law.objects.is_empty())).then_some(law)
}

fn is_number(char: char) -> bool {
    char.is_ascii_digit() || "一二三四五六七八九十百两".contains(char)
}

/// Takes times and places out of what stands before the mark; what is left is whom or what the rule
/// is about.
fn conditions(before: &str, law: &mut Law) -> String {
    const AFTER: [&str; 25] = [
        "之内", "之中", "之后", "以后", "之前", "以前", "之时", "期间", "之上", "之下", "之夜",
        "之间", "境内", "范围内", "里面", "内", "中", "里", "时", "后", "上", "下", "夜", "间",
        "日",
    ];
    let mut topic = String::new();
    for piece in before.split('，') {
        // `凡入城者`, but `凡人` are mortals.
        let piece = match piece.strip_prefix('凡') {
            Some(rest) if piece.ends_with('者') || rest.starts_with(['在', '我', '有', '是']) => rest,
            _ => piece,
        };
        let piece = piece
            .trim_start_matches('是')
            .trim_start_matches("所有")
            .trim_start_matches("一切")
            .trim_start_matches("任何")
            .trim_end_matches("都")
            .trim_end_matches("均")
            .trim_end_matches("也")
            .trim_end_matches("一律")
            .trim_end_matches("绝对")
            .trim_end_matches("永远");
        let (who, place) = match piece.split_once('在').or_else(|| piece.split_once('于')) {
            Some((who, place)) => (who.to_owned(), place.to_owned()),
            None => {
                let split = AFTER
                    .iter()
                    .filter_map(|word| Some((piece.find(word)?, word.len())))
                    .filter(|(at, length)| {
                        piece[..*at].chars().count() >= 2
                            || *length > 3 && !piece[..*at].is_empty()
                    })
                    .min();
                match split {
                    Some((at, length)) => {
                        (piece[at + length..].to_owned(), piece[..at + length].to_owned())
                    }
                    None => (piece.to_owned(), String::new()),
                }
            }
        };
        if !place.is_empty() {
            let bare = AFTER
                .iter()
                .filter_map(|word| place.strip_suffix(word))
                .filter(|rest| !rest.is_empty())
                .min_by_key(|rest| rest.len())
                .unwrap_or(&place);
            law.when(if bare.chars().count() >= 2 || place == bare { bare } else { &place });
        }
        if !who.is_empty() {
            topic = who;
        }
    }
    let topic = topic.trim_matches('的');
    if law::is_time(topic) {
        law.when(topic);
        return String::new();
    }
    topic.to_owned()
}

/// Reads the forbidden event; `topic` is whom or what the rule is about.
fn event_of(event: &str, topic: &str, law: &mut Law) -> Option<()> {
    let mut event = event.trim().trim_end_matches(['的', '了']);
    for word in ON_ONES_OWN {
        if let Some(rest) = event.strip_prefix(word) {
            law.when_one_of(&ON_ONES_OWN_TOLD);
            event = rest;
            break;
        }
    }
    for word in ["随意", "任意", "轻易", "直接", "再", "互相", "相互", "再次", "被", "对", "向", "以"] {
        event = event.strip_prefix(word).unwrap_or(event);
    }
    let (mut object, transitive) = match verb_zh(event) {
        Some((at, length, verb)) => {
            let front = event[..at].trim_start_matches(['在', '于', '将', '把']);
            if !front.is_empty() {
                let mut place = Law::new(Who::Anybody);
                let rest = conditions(&format!("在{front}"), &mut place);
                law.conditions.append(&mut place.conditions);
                if !rest.is_empty() {
                    law.objects.push(thing(&rest));
                }
            }
            law.verbs = verb.zh.iter().map(|word| (*word).to_owned()).collect();
            // `御剑飞行` is one event.
            let rest = &event[at + length..];
            let rest = if verb.zh.contains(&rest) { "" } else { rest };
            (rest.to_owned(), verb.needs_object)
        }
        None => {
            let length = event.chars().count();
            let cut = event.char_indices().nth(2).map_or(event.len(), |(at, _)| at);
            if length < 2 {
                return None;
            }
            if length <= 4 {
                law.verbs = vec![event.to_owned()];
                (String::new(), false)
            } else {
                law.verbs = vec![event[..cut].to_owned()];
                (event[cut..].to_owned(), true)
            }
        }
    };
    object = object.trim_start_matches(['了', '过', '到']).to_owned();
    // `在阳光下行走`, `出现在人前`: a place after the verb.
    if let Some((_, place)) = object.split_once('在').filter(|(front, _)| front.is_empty()) {
        let mut held = Law::new(Who::Anybody);
        conditions(&format!("在{place}"), &mut held);
        law.conditions.append(&mut held.conditions);
        object = String::new();
    }
    let mut objects: Vec<Vec<String>> = object
        .split(['的', '之'])
        .map(|piece| {
            piece
                .trim_start_matches("任何")
                .trim_start_matches("一切")
                .trim_start_matches("其他")
                .trim_start_matches("他人")
        })
        .filter(|piece| !piece.is_empty())
        .map(|piece| {
            piece
                .split(['或', '、', '和', '与'])
                .filter(|word| !word.is_empty())
                .flat_map(thing)
                .collect()
        })
        .collect();
    let has_object = !objects.is_empty();
    law.objects.append(&mut objects);
    if ANYBODY.contains(&topic) {
        return Some(());
    }
    if is_place(topic) {
        law.when(topic);
    } else if transitive && !has_object {
        law.objects.push(thing(topic));
    } else if law.who == Who::Anybody {
        law.who = Who::Of(topic.to_owned());
    }
    Some(())
}

/// Words for a thing: `铁器` is whatever is made of iron.
fn thing(name: &str) -> Vec<String> {
    let name = name.trim_matches(['的', '了']);
    match name.strip_suffix('器') {
        Some(material @ ("铁" | "金" | "银" | "铜" | "玉" | "木")) => {
            let made = "刀剑斧枪锤锁甲钩针链棍弓箭钉锄镰杖盾簪";
            let made = made.chars().map(|shape| format!("{material}{shape}"));
            made.chain([name.to_owned()]).collect()
        }
        _ => vec![name.to_owned()],
    }
}

fn is_place(name: &str) -> bool {
    name.chars().count() >= 2
        && name.ends_with([
            '地', '阁', '殿', '宫', '寺', '山', '林', '谷', '塔', '院', '村', '城', '镇', '岛',
            '湖', '海', '洞', '墓', '坛', '庙',
        ])
}

/// Content words of what is needed: `念出咒语` is `咒语`, `念出`.
fn terms(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for piece in text.split(['，', '、', '或', '和', '的']) {
        let piece = piece
            .trim_start_matches(['先', '用', '持', '有', '经', '过', '以', '得', '到'])
            .trim();
        match verb_zh(piece).filter(|(at, ..)| *at == 0) {
            Some((_, length, _)) if piece.len() > length => words.push(piece[length..].to_owned()),
            _ if piece.chars().count() >= 4 => {
                let cut = piece.char_indices().nth(2).map_or(0, |(at, _)| at);
                words.push(piece[cut..].to_owned());
            }
            _ if !piece.is_empty() => words.push(piece.to_owned()),
            _ => {}
        }
    }
    words
}

/// Verbs of using a tool.
const USED: [&str; 22] = [
    "拔出", "挥动", "挥起", "挥舞", "抽出", "举起", "斩断", "劈开", "斩开", "射出", "刺出", "使用",
    "砍断", "砍倒", "劈下", "斩下", "刺入", "祭出", "催动", "发动", "扣动", "挥",
];

/// A sentence with such a word keeps the rule, or does not say that it is broken.
const EXCUSED: &[&str] = &[
    "规矩", "规定", "律令", "禁令", "戒律", "门规", "法则", "若是", "如果", "除非", "倘若", "假如",
    "要是", "梦", "传说", "据说", "相传", "听说", "曾", "当年", "从前", "以为", "想象", "仿佛",
    "似乎", "好像", "差点", "险些", "失败", "毫无反应", "没有反应", "纹丝不动", "拦住", "挡住",
    "拦下", "阻止", "弹开", "弹回", "才能", "不得", "不许", "不准", "禁止", "严禁", "不能", "无法",
    "不可", "用不了", "进不去", "打不开", "幻", "画", "戏", "故事", "解除",
];

/// Somebody was given leave.
const LEAVE: &[&str] = &["破例", "特许", "准许", "恩准", "允许", "许可", "奉命", "特准"];

/// Right before the verb: it does not come about.
const DENIED: &[&str] = &[
    "不", "没", "未", "无", "别", "莫", "勿", "想", "欲", "要", "试图", "打算", "企图", "准备",
    "几乎", "若", "是否", "能否", "假装", "拒绝", "避免", "忍住", "劝", "怕", "敢", "肯", "愿",
    "可以", "会", "能", "如何", "怎么", "谁", "看着", "看见", "望着", "目送", "听", "求", "免得",
    "以免", "防止", "保护", "长老", "掌门", "师父", "师兄", "他们", "众人", "有人", "别人", "对方",
    "被",
];

/// Words with a negation that deny nothing.
const NOT_DENIED: &[&str] = &[
    "不由", "不禁", "不顾", "不假思索", "毫不犹豫", "毫不迟疑", "毫不", "不慌不忙", "一声不吭",
    "一言不发", "不管", "不声不响", "无声", "不动声色", "忍不住", "不等", "不到", "不多时",
    "不一会", "不久", "无视", "毫无", "不理", "不听", "不发一言", "说不出", "不紧不慢", "不知",
    "不再理会", "想也不想", "想都没想", "二话不说", "不请自", "慢悠悠", "一会", "会儿", "不告而别",
    "没有禀报", "没有请示", "没有告诉", "未经", "要么", "主要", "不顾一切", "敢死",
];

/// After the object: the event is only spoken of.
const SPOKEN_OF: &[&str] = &[
    "的念头", "的想法", "的打算", "的请求", "的办法", "的方法", "的资格", "的机会", "的样子",
    "的人", "的时候", "的罪", "的下场", "的后果", "的代价", "的模样", "的事", "的滋味", "的渴望",
];

/// Whether the event comes about in a sentence of the narrator.
pub(super) fn comes_about(law: &Law, text: &str, before: &str) -> bool {
    if holds(text, EXCUSED) || text.ends_with('？') || holds(text, SPOKEN_OF) {
        return false;
    }
    if law.without.is_empty() && holds(text, LEAVE) {
        return false;
    }
    let stands = |list: &[String]| list.iter().any(|word| text.contains(word.as_str()));
    let holds_near = |list: &Vec<String>| {
        stands(list) || list.iter().any(|word| before.contains(word.as_str()))
    };
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
            for word in NOT_DENIED {
                front = front.replace(word, "");
            }
            let rest = &text[at + verb.len()..];
            let single = verb.chars().count() == 1;
            let near = |list: &Vec<String>| {
                list.iter().any(|word| {
                    rest.find(word.as_str()).is_some_and(|gap| rest[..gap].chars().count() <= 3)
                })
            };
            !holds(&front, DENIED)
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
            named && holds(clause, &["没", "未", "不", "无", "省去", "省略", "跳过"])
        })
    })
}

/// `第二次开启`, `接连开启了三次`.
fn exceeds(limit: Limit, text: &str, before: &str) -> bool {
    const SAME_DAY: &[&str] = &[
        "今天", "今日", "当天", "当日", "同一天", "这一天", "一天之内", "一日之内", "这天", "又",
        "再次", "早上", "上午", "清晨", "刚", "早晨", "接连", "连续", "今夜", "一夜",
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
        || ["身为", "作为", "是", "乃", "本是", "这个", "这名", "这位", "不过是", "只是"]
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
    let cultivates = matches!(field, "境界" | "修为" | "realm" | "cultivation");
    let bare = class.trim_end_matches('者').trim_end_matches('们');
    !other
        && (value.contains(class)
            || bare.chars().count() >= 2 && value.contains(bare)
            || class.ends_with(value) && value.chars().count() >= 2 && class.len() == value.len()
            || cultivates && CULTIVATORS.contains(&class))
}
