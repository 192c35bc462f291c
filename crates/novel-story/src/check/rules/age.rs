//! Ages as the prose tells them: in figures, in tens, in the names of ages.

use std::ops::RangeInclusive;

use novel_model::Lang;

use crate::{
    check::prose::holds,
    ledger::{number_word, read_age},
};

/// The ages a sentence allows somebody, by what stands before and after the name.
pub(super) fn told(before: &str, after: &str, lang: Lang) -> Option<RangeInclusive<u32>> {
    // What somebody says is another matter.
    let before = before.rsplit(['"', '”', '」']).next().unwrap_or_default();
    let after = after.split(['"', '“', '「']).next().unwrap_or_default();
    match lang {
        Lang::Zh => told_zh(before, after),
        Lang::En => told_en(before, after),
    }
}

fn is_number(char: char) -> bool {
    char.is_ascii_digit() || "一二三四五六七八九十百廿卅两".contains(char)
}

/// Names of ages.
const NAMED_ZH: &[(&str, u32, u32)] = &[
    ("豆蔻", 12, 15),
    ("及笄", 14, 17),
    ("弱冠", 19, 22),
    ("而立", 29, 33),
    ("不惑", 39, 44),
    ("知天命", 49, 54),
    ("花甲", 59, 65),
    ("古稀", 69, 75),
    ("耄耋", 78, 99),
    ("垂髫", 3, 9),
    ("总角", 7, 14),
    ("期颐", 98, 110),
    ("志学", 14, 17),
    ("桃李年华", 19, 22),
];

/// Before the name or in the clause: the age is of another time, or somebody else's.
const NOT_NOW_ZH: &[&str] = &[
    "等",
    "到",
    "当",
    "明年",
    "后年",
    "再过",
    "将来",
    "以后",
    "年后",
    "若",
    "如果",
    "要是",
    "假如",
    "自从",
    "从",
    "那年",
    "当年",
    "记得",
    "像",
    "时，",
    "的时候",
    "以前",
    "之前",
    "之后",
    "生日",
    "虚岁",
    "装成",
    "扮",
    "看着",
    "看上去",
    "看起来",
    "似",
    "不到",
    "还没",
    "未满",
    "去年",
    "前年",
    "大",
    "小",
    "比",
    "不像",
    "儿子",
    "女儿",
    "孩子",
    "弟弟",
    "妹妹",
    "哥哥",
    "姐姐",
    "父亲",
    "母亲",
    "师父",
    "徒弟",
    "见",
    "有个",
    "有一个",
    "出头的",
    "多岁的",
];

fn told_zh(before: &str, after: &str) -> Option<RangeInclusive<u32>> {
    let is_break = |char: char| matches!(char, '，' | '。' | '；' | '：' | '！' | '？' | '“' | '”');
    let clause = before.rsplit(is_break).next().unwrap_or_default();
    // `四十出头的林枫`, `年过花甲的林枫`.
    if let Some(front) = clause.strip_suffix('的')
        && let Some(age) = phrase_zh(front)
    {
        return Some(age);
    }
    if holds(clause, &NOT_NOW_ZH[..19]) {
        return None;
    }
    // The clause of the name, and the next one where it has no other subject: `林枫修行至今，不过八十岁`.
    let mut clauses = after.split(is_break);
    let own = clauses.next().unwrap_or_default();
    let next = clauses.next().unwrap_or_default();
    if let Some(age) = phrase_zh(own) {
        return Some(age);
    }
    let follows = ["不过", "今年", "已", "才", "年", "刚", "都", "也", "如今"]
        .iter()
        .any(|word| next.starts_with(word));
    (follows && !holds(own, NOT_NOW_ZH))
        .then(|| phrase_zh(next))
        .flatten()
}

/// The age a clause ends with, or is all about.
fn phrase_zh(clause: &str) -> Option<RangeInclusive<u32>> {
    const LEADS: &[&str] = &[
        "今年",
        "年方",
        "年仅",
        "年届",
        "已经",
        "已",
        "现年",
        "刚满",
        "才",
        "不过",
        "只有",
        "刚过",
        "都",
        "也",
        "满",
        "如今",
        "现在",
        "刚",
        "是",
        "个",
        "正是",
        "正值",
        "年已",
        "行年",
        "虚度",
        "不过才",
        "了",
        "整整",
        "岁数",
        "年纪",
        "这年",
        "眼下",
        "今",
    ];
    if holds(clause, NOT_NOW_ZH) {
        return None;
    }
    let mut rest = clause;
    while let Some(next) = LEADS
        .iter()
        .filter_map(|word| rest.strip_prefix(word))
        .min_by_key(|next| next.len())
    {
        rest = next;
    }
    let lead = &clause[..clause.len() - rest.len()];
    // `年过五十`, `年近花甲`, `年逾古稀`.
    let (rest, near) = match rest {
        _ if rest.starts_with("年过") || rest.starts_with("年逾") => (&rest["年过".len()..], 1),
        _ if rest.starts_with("年近") => (&rest["年近".len()..], -1),
        _ if rest.starts_with("已过") => (&rest["已过".len()..], 1),
        _ => (rest, 0),
    };
    if let Some((_, low, high)) = NAMED_ZH.iter().find(|(name, ..)| {
        rest.strip_prefix(name).is_some_and(|tail| {
            tail.is_empty() || tail.starts_with("之年") || tail.starts_with('了')
        })
    }) {
        return Some(match near {
            1 => *low..=high + 9,
            -1 => low.saturating_sub(4)..=low + 1,
            _ => *low..=*high,
        });
    }
    let end = rest.find(|char| !is_number(char)).unwrap_or(rest.len());
    let age = read_age(&rest[..end]).filter(|_| end > 0)?;
    let tail = &rest[end..];
    let says = |words: &[&str]| words.contains(&tail);
    if near != 0 && says(&["", "岁", "了", "岁了"]) {
        return Some(if near > 0 {
            age..=age + 9
        } else {
            age.saturating_sub(4)..=age
        });
    }
    if says(&[
        "岁",
        "岁了",
        "岁啦",
        "岁整",
        "岁的人",
        "岁的人了",
        "岁年纪",
        "岁的年纪",
        "岁有余",
    ]) {
        return Some(age..=age);
    }
    if says(&[
        "出头",
        "岁出头",
        "多岁",
        "来岁",
        "多了",
        "几岁",
        "好几",
        "岁上下",
        "岁左右",
        "上下",
        "开外",
        "岁开外",
    ]) {
        return Some(age.saturating_sub(2)..=age + 9);
    }
    // `都七十了`, `年方二八`.
    if tail == "有余"
        || !lead.is_empty() && tail == "了" && age >= 20
        || lead.ends_with("年方") && tail.is_empty()
    {
        return Some(age..=age);
    }
    None
}

/// Nouns of a person.
const PERSONS_EN: [&str; 12] = [
    "man",
    "woman",
    "boy",
    "girl",
    "lad",
    "youth",
    "child",
    "widow",
    "widower",
    "lady",
    "gentleman",
    "lass",
];

fn told_en(before: &str, after: &str) -> Option<RangeInclusive<u32>> {
    let plain = |text: &str| -> String { text.to_lowercase().replace('’', "'") };
    let (before, after) = (plain(before), plain(after));
    let front = before.trim();
    let exact = |age: u32| Some(age..=age);
    // `nineteen-year-old Mara`, `Aged nineteen, Mara`, `At twenty-one, Osric`.
    if let Some(text) = front.strip_suffix("-year-old") {
        return exact(read_age(text.rsplit(' ').next()?)?);
    }
    let lead = [
        "at the age of ",
        "at only ",
        "at just ",
        "at barely ",
        "at ",
        "aged ",
        "now ",
        "barely ",
        "only ",
    ]
    .iter()
    .find_map(|lead| front.strip_prefix(lead));
    if let Some(age) = lead
        .and_then(|rest| rest.strip_suffix(','))
        .map(|rest| {
            rest.trim_end_matches(" years old")
                .trim_end_matches(" years of age")
        })
        .filter(|rest| !rest.contains(' '))
    {
        return exact(number_word(age).filter(|age| *age > 12)?);
    }
    // `A woman of fifty, Mara`.
    if let Some(rest) = front
        .strip_suffix(',')
        .and_then(|front| front.split_once(" of "))
        && rest
            .0
            .split(' ')
            .next_back()
            .is_some_and(|noun| PERSONS_EN.contains(&noun))
    {
        return exact(number_word(rest.1)?);
    }
    // `When Osric turned twenty-one he would`: another time.
    let last = front.rsplit(' ').next().unwrap_or_default();
    if matches!(
        last,
        "when" | "if" | "until" | "till" | "after" | "before" | "since" | "once" | "by" | "though"
    ) || after.contains(" would ")
    {
        return None;
    }
    let rest = after.trim_start();
    // `, a woman of fifty-two,`, `, who was fifteen,`, `, aged nineteen,`, `, a nineteen-year-old`.
    if let Some(aside) = rest.strip_prefix(',') {
        let aside = aside.trim_start();
        let first = aside.split(',').next()?.trim();
        let first = [
            "who was ", "who is ", "now ", "aged ", "at ", "just ", "only ", "barely ", "a ",
            "an ", "already ",
        ]
        .iter()
        .fold(first, |text, lead| text.strip_prefix(lead).unwrap_or(text));
        if let Some((years, _)) = first.split_once("-year-old") {
            return exact(number_word(years.rsplit(' ').next()?)?);
        }
        if let Some((who, age)) = first.split_once(" of ")
            && who
                .split(' ')
                .next_back()
                .is_some_and(|noun| PERSONS_EN.contains(&noun))
        {
            return exact(number_word(age.split(' ').next()?)?);
        }
        let age = first
            .trim_end_matches(" years old")
            .trim_end_matches(" now")
            .trim_end_matches(" years of age");
        if age.contains(' ') || !aside.contains(',') && !aside.ends_with('.') {
            return None;
        }
        return exact(read_age(age).filter(|age| *age > 4)?);
    }
    // `was only nineteen`, `had just turned forty`, `was in her fifties`, `was a man of sixty`.
    let rest = [
        "was ",
        "is ",
        "had just turned ",
        "had turned ",
        "has just turned ",
        "had recently turned ",
        "turned ",
        "would be ",
    ]
    .iter()
    .find_map(|is| Some((*is, rest.strip_prefix(is)?)))
    .filter(|(is, _)| *is != "would be ")?;
    let (is, mut rest) = rest;
    for lead in [
        "now ",
        "only ",
        "just ",
        "barely ",
        "already ",
        "all of ",
        "a mere ",
        "still only ",
        "still ",
        "not yet ",
        "well past ",
        "past ",
        "over ",
        "nearly ",
        "almost ",
    ] {
        if let Some(next) = rest.strip_prefix(lead) {
            let age = number_word(next.split([' ', ',', '.', ';']).next()?);
            match (lead, age) {
                ("well past " | "past " | "over ", Some(age)) => return Some(age..=age + 15),
                ("not yet " | "nearly " | "almost ", Some(age)) => {
                    return Some(age.saturating_sub(4)..=age);
                }
                _ => rest = next,
            }
        }
    }
    if let Some(decade) = rest
        .strip_prefix("in his ")
        .or_else(|| rest.strip_prefix("in her "))
    {
        let decade = ["early ", "mid ", "mid-", "late "]
            .iter()
            .fold(decade, |text, lead| text.strip_prefix(lead).unwrap_or(text));
        let decade = decade.split([' ', ',', '.', ';']).next()?;
        let tens = decade
            .strip_suffix("ties")
            .map(|stem| format!("{stem}ty"))?;
        let tens = number_word(&tens)?;
        return Some(tens.saturating_sub(1)..=tens + 10);
    }
    if let Some((who, age)) = rest
        .strip_prefix("a ")
        .and_then(|rest| rest.split_once(" of "))
        && who.split(' ').count() <= 4
        && who
            .split(' ')
            .next_back()
            .is_some_and(|noun| PERSONS_EN.contains(&noun))
    {
        return exact(number_word(age.split([' ', ',', '.', ';']).next()?)?);
    }
    if let Some(years) = rest
        .strip_prefix("a ")
        .and_then(|rest| rest.split_once("-year-old"))
    {
        return exact(number_word(years.0)?);
    }
    let word = rest.split([' ', ',', '.', ';']).next()?;
    let tail = rest[word.len()..].trim_start();
    let is_age = tail.starts_with("years old")
        || tail.starts_with("years of age")
        || tail.is_empty()
        || tail.starts_with(['.', ';'])
        || tail.starts_with("now")
        || tail.starts_with("that ")
        || tail.starts_with("this ")
        || tail.starts_with("last ")
        || tail.starts_with(", and ")
        || is.contains("turned");
    // `was two of them`, `was one`: small numbers are seldom ages.
    exact(number_word(word).filter(|age| is_age && (*age > 4 || tail.starts_with("years")))?)
}
