//! Ages in Chinese: `四十出头的林枫`, `年过半百`, `不过十七八岁`, `活了六十八年`.

use std::ops::RangeInclusive;

use crate::{check::prose::holds, ledger::read_age};

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
    ("半百", 50, 54),
    ("耳顺", 59, 64),
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

pub(super) fn told(before: &str, after: &str) -> Option<RangeInclusive<u32>> {
    let is_break = |char: char| matches!(char, '，' | '。' | '；' | '：' | '！' | '？' | '“' | '”');
    let clause = before.rsplit(is_break).next().unwrap_or_default();
    // `四十出头的林枫`, `年过花甲的林枫`.
    if let Some(front) = clause.strip_suffix('的')
        && let Some(age) = phrase(front)
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
    if let Some(age) = phrase(own) {
        return Some(age);
    }
    // `庞博文，男，现年五十一岁`.
    let listed = clauses.next().unwrap_or_default();
    if own.is_empty() && next.chars().count() <= 3 && listed.starts_with("现年") {
        return phrase(listed);
    }
    let follows = ["不过", "今年", "已", "才", "年", "刚", "都", "也", "如今"]
        .iter()
        .any(|word| next.starts_with(word));
    (follows && !holds(own, NOT_NOW_ZH))
        .then(|| phrase(next))
        .flatten()
}

/// The age a clause ends with, or is all about.
pub(super) fn phrase(clause: &str) -> Option<RangeInclusive<u32>> {
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
        "过了年",
        "刚刚",
        "方",
        "正当",
        "时年",
        "芳龄",
        "年龄",
        "还",
        "到底",
        "毕竟",
        "其实",
        "一个",
        "活了",
        "过了",
        "过完",
        "这一年",
    ];
    // `刚过四十岁生日`: the age is of now.
    let born = ["岁生日", "岁的生日", "岁寿辰", "大寿", "岁生辰"]
        .iter()
        .find_map(|word| {
            clause
                .strip_suffix(word)
                .or_else(|| clause.strip_suffix(&format!("{word}了")))
        });
    let clause = &match born.filter(|front| front.contains('过')) {
        Some(front) => format!("{front}岁"),
        None => clause.to_owned(),
    };
    // `六十有二`.
    let clause = &clause.replace("十有", "十").replace("零有", "零");
    if holds(clause, NOT_NOW_ZH) {
        return None;
    }
    let mut rest = clause.as_str();
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
    // `五旬`, `十七八岁`.
    if let Some(tail) = rest[end..].strip_prefix('旬') {
        let age = read_age(&rest[..end]).filter(|_| end > 0)? * 10;
        let ends = [
            "", "老人", "老妇", "老翁", "老者", "开外", "上下", "之年", "了", "有余", "年纪",
        ];
        return ends
            .contains(&tail.trim_end_matches('了'))
            .then_some(match near {
                -1 => age.saturating_sub(4)..=age,
                _ => age.saturating_sub(1)..=age + 9,
            });
    }
    if let Some((low, high)) = neighbours(&rest[..end])
        && [
            "岁",
            "的人",
            "的人了",
            "岁年纪",
            "岁的年纪",
            "岁光景",
            "岁了",
            "了",
            "",
        ]
        .contains(&&rest[end..])
        && (rest.len() > end || !lead.is_empty())
    {
        return Some(low..=high);
    }
    let age = read_age(&rest[..end]).filter(|_| end > 0)?;
    let tail = &rest[end..];
    if lead.ends_with("活了")
        && ["年", "岁", "个年头", "载", "年了", "个春秋"].contains(&tail)
        && age > 8
    {
        return Some(age..=age);
    }
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
        "岁高龄",
        "高龄",
        "岁高龄了",
        "岁的少年",
        "岁的少女",
        "岁的孩子",
        "岁的姑娘",
        "岁的青年",
        "岁的老人",
        "岁的老者",
        "岁的汉子",
        "岁的妇人",
        "岁的年轻人",
        "的人了",
        "岁上",
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
    let counted = [
        "刚满",
        "今年",
        "现年",
        "年方",
        "今年不过",
        "今年才",
        "今年刚满",
        "刚过",
        "今年已经",
        "今年已",
    ];
    if tail.is_empty() && age >= 10 && counted.iter().any(|word| lead.ends_with(word)) {
        return Some(age..=age);
    }
    if tail == "有余"
        || !lead.is_empty() && tail == "了" && age >= 20
        || lead.ends_with("年方") && tail.is_empty()
    {
        return Some(age..=age);
    }
    None
}

/// `十七八`: two ages beside each other.
fn neighbours(text: &str) -> Option<(u32, u32)> {
    const DIGITS: &str = "一二三四五六七八九";
    let mut last = text.chars().rev();
    let (two, one) = (last.next()?, last.next()?);
    let place = |char: char| DIGITS.chars().position(|digit| digit == char);
    if place(two)? != place(one)? + 1 {
        return None;
    }
    let low = read_age(&text[..text.len() - two.len_utf8()])?;
    Some((low, low + 1))
}
