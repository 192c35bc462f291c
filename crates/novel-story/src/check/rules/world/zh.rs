//! Chinese rules, and the sentences that break them.

use novel_text::parse_numeral;

use super::{
    law::{self, Law, Limit, Who, verb_zh},
    zh_words as words,
};
use crate::check::prose::holds;

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
            excuses.extend(terms(
                rule[start..at].trim_start_matches(['，', '（', '(', '但']),
            ));
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
    let failing = words::FAILS.iter().find(|word| rule.contains(**word));
    if let Some(word) = failing {
        let (condition, _) = rule.split_once(word)?;
        let mut law = Law::new(Who::Anybody);
        let topic = conditions(condition, &mut law);
        law.verbs = words::USED.iter().map(|word| (*word).to_owned()).collect();
        law.objects.push(thing(&topic));
        return (!law.conditions.is_empty()).then_some(law);
    }
    let (at, mark) = words::FORBIDS
        .iter()
        .filter_map(|mark| Some((rule.find(mark)?, *mark)))
        .min_by_key(|(at, mark)| (*at, std::cmp::Reverse(mark.len())))?;
    let (before, event) = (&rule[..at], &rule[at + mark.len()..]);
    // `没有令牌不得入城`, `未经许可，不得入内`.
    let mut without = Vec::new();
    let mut before = before.to_owned();
    for lack in ["未经", "没有", "未", "无", "不"] {
        if let Some(start) = before.find(lack)
            && !words::ANYBODY.contains(&before.as_str())
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
    let (at, mark) = words::ONLY
        .iter()
        .find_map(|mark| Some((rule.find(mark)?, *mark)))?;
    let (front, rest) = (&rule[..at], &rule[at + mark.len()..]);
    let allows = words::ALLOWS.iter().find(|word| rest.contains(**word))?;
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
    let (before, after) = rule
        .split_once("必须")
        .or_else(|| rule.split_once("须先"))?;
    let mut law = Law::new(Who::Anybody);
    let allows = words::ALLOWS
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
        "最多只能",
        "至多只能",
        "不得超过",
        "不能超过",
        "不超过",
        "最多",
        "至多",
        "只能",
        "仅能",
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
    let daily = holds(
        rule,
        &["每天", "每日", "一天", "一日", "每夜", "当天", "一夜"],
    );
    let mut front = rule[..at].to_owned();
    for word in [
        "每天",
        "每日",
        "一天之内",
        "一日之内",
        "一天",
        "一日",
        "每夜",
        "一夜",
        "每人",
        "一生",
        "一辈子",
        "终生",
        "一次",
    ] {
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

pub(super) fn is_number(char: char) -> bool {
    char.is_ascii_digit() || "一二三四五六七八九十百两".contains(char)
}

/// Takes times and places out of what stands before the mark; what is left is whom or what the rule
/// is about.
fn conditions(before: &str, law: &mut Law) -> String {
    const AFTER: [&str; 25] = [
        "之内",
        "之中",
        "之后",
        "以后",
        "之前",
        "以前",
        "之时",
        "期间",
        "之上",
        "之下",
        "之夜",
        "之间",
        "境内",
        "范围内",
        "里面",
        "内",
        "中",
        "里",
        "时",
        "后",
        "上",
        "下",
        "夜",
        "间",
        "日",
    ];
    let mut topic = String::new();
    for piece in before.split('，') {
        // `凡入城者`, but `凡人` are mortals.
        let piece = match piece.strip_prefix('凡') {
            Some(rest) if piece.ends_with('者') || rest.starts_with(['在', '我', '有', '是']) => {
                rest
            }
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
                        piece[..*at].chars().count() >= 2 || *length > 3 && !piece[..*at].is_empty()
                    })
                    .min();
                match split {
                    Some((at, length)) => (
                        piece[at + length..].to_owned(),
                        piece[..at + length].to_owned(),
                    ),
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
            law.when(if bare.chars().count() >= 2 || place == bare {
                bare
            } else {
                &place
            });
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
    for word in words::ON_ONES_OWN {
        if let Some(rest) = event.strip_prefix(word) {
            law.when_one_of(words::ON_ONES_OWN_TOLD);
            event = rest;
            break;
        }
    }
    for word in [
        "随意", "任意", "轻易", "直接", "再", "互相", "相互", "再次", "被", "对", "向", "以",
    ] {
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
            let cut = event
                .char_indices()
                .nth(2)
                .map_or(event.len(), |(at, _)| at);
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
    if let Some((_, place)) = object
        .split_once('在')
        .filter(|(front, _)| front.is_empty())
    {
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
    if words::ANYBODY.contains(&topic) {
        return Some(());
    }
    let within = topic.chars().count() == 2 && topic.ends_with(['中', '内', '里', '上']);
    if is_place(topic) || within {
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
