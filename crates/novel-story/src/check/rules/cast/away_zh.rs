//! Whether a Chinese paragraph can show somebody who is away: where the record has them, over a
//! distance, or back.

use std::ops::Range;

use super::{apart_zh, gone};
use crate::{
    check::{
        prose::{Mention, Scene, Sentence, holds},
        rules::Scope,
    },
    ledger::confines,
};

/// Whether the paragraph shows them where they are, over a distance, or coming back. `recorded` is
/// what the record says of their absence.
pub(super) fn may_be_there(scene: &str, paragraph: &str, recorded: &str) -> bool {
    holds(paragraph, AT_A_DISTANCE)
        || holds(paragraph, BACK)
        || is_confined(recorded) && IN_CONFINEMENT.iter().any(|word| is_opened(paragraph, word))
        || scene.split(['。', '！', '？', '\n']).any(later_day)
        || names_place_of(scene, recorded)
}

/// Whether a text names the place of a record, not only as shut.
pub(super) fn names_place_of(text: &str, recorded: &str) -> bool {
    places_in(recorded).any(|place| is_opened(text, &place))
}

/// Whether a place is named, and not only as one whose lock nobody has touched: `水牢的铁链仍旧扣得死死的`.
fn is_opened(text: &str, place: &str) -> bool {
    const LOCKS: &[&str] = &["锁", "扣得", "扣着", "闭", "封得", "没开", "未开"];
    const STILL: &[&str] = &[
        "仍", "依旧", "依然", "还", "纹丝", "未动", "没动", "死死", "落了", "好好", "完好", "紧",
    ];
    let clauses: Vec<&str> = text.split(['，', '。', '；', '！', '？', '\n']).collect();
    clauses.iter().enumerate().any(|(at, clause)| {
        let next = clauses.get(at + 1).copied().unwrap_or_default();
        let shut = holds(clause, LOCKS) && holds(clause, STILL)
            || holds(next, LOCKS) && holds(next, STILL);
        // `离提审还有一个钟头`.
        let ahead = clause.starts_with(['离', '距']);
        clause.contains(place) && !shut && !ahead
    })
}

/// Pairs of letters of the record that may be of the place where somebody is: `海州`, `监狱`. A place
/// that was left, or that is forbidden, is where they are not.
fn places_in(recorded: &str) -> impl Iterator<Item = String> + '_ {
    const LEFT: &[&str] = &[
        "离开", "逃出", "逐出", "不得", "离京", "离家", "开除", "辞", "退出",
    ];
    const VERBS: &[&str] = &[
        "离开", "下去", "上去", "失踪", "打入", "押往", "率军", "出国", "上个", "个月", "去年",
        "今年", "昨日", "昨天", "永远", "彻底", "已经", "自己", "一个", "独自", "不再", "终身",
    ];
    let value = recorded
        .split_once(':')
        .map_or(recorded, |(_, value)| value);
    value
        .split(['，', '。', '；', '、', '"', ' ', ','])
        .filter(|part| !holds(part, LEFT))
        .flat_map(|part| {
            let chars: Vec<char> = part.chars().collect();
            chars
                .windows(2)
                .filter(|pair| {
                    pair.iter()
                        .all(|char| !"了去的在被不人得已往赴到于".contains(*char))
                })
                .map(|pair| pair.iter().collect::<String>())
                .collect::<Vec<_>>()
        })
        .filter(|pair| !VERBS.contains(&pair.as_str()))
}

fn is_confined(recorded: &str) -> bool {
    const CONFINED_EN: &[&str] = &[
        "prison", "jail", "gaol", "cell", "tower", "dungeon", "custody", "captive", "confined",
        "locked", "hospital", "coma",
    ];
    holds(&recorded.to_lowercase(), CONFINED_EN)
        || recorded.contains(|char: char| "狱牢囚押关捕禁刑抓困封镇俘掳院病医昏伤".contains(char))
}

/// `三个月后，`, `第七天，`: enough time for a return.
fn later_day(paragraph: &str) -> bool {
    let text = paragraph.trim_start_matches([' ', '　']);
    let head = text.split(['，', '。']).next().unwrap_or_default();
    let unit = |text: &str| text.ends_with(|char: char| "年月天日载季春夏秋冬".contains(char));
    let later = head
        .match_indices('后')
        .any(|(at, _)| unit(head[..at].trim_end_matches(['之', '以'])));
    later || head.starts_with('第') && unit(head)
}

/// Whether the paragraph shows somebody else who is there, or people who would know. Who is away may
/// act elsewhere, alone or among those who are with them.
pub(super) fn has_company(
    scope: &Scope<'_>,
    at: usize,
    (paragraph, sentence): (&Range<usize>, Sentence),
    mention: &Mention<'_>,
    recorded: &str,
) -> bool {
    let Some(scene) = scope.text.scenes.get(at) else {
        return false;
    };
    let names = apart_zh::names_in(scope, at);
    let told_of = |range: Range<usize>| {
        let told = scene.narrated(range);
        names.iter().fold(told, |told, name| told.replace(name, ""))
    };
    let told = told_of(paragraph.clone());
    let near = scene
        .previous_in_paragraph(sentence)
        .map_or(sentence.start, |previous| previous.start);
    if holds(&told_of(near..sentence.end), IN_MIND) {
        return false;
    }
    holds(&told, PEOPLE)
        || confines(recorded) && holds(&told, CROWDS)
        || scope
            .mentions(at)
            .iter()
            .filter(|other| paragraph.contains(&other.start) && other.id != mention.id)
            .filter(|other| !scene.is_quoted(other.start) && gone(scope, other.id).is_none())
            .filter(|other| {
                apart_zh::bound_place(scope, other.id)
                    .is_none_or(|(_, _, place)| !apart_zh::share_a_word(place, recorded))
            })
            .any(|other| apart_zh::is_here(scope, at, other, true))
}

/// Whether the chapter lets somebody senseless wake, or tells what needs no mind.
pub(super) fn may_wake(
    scope: &Scope<'_>,
    scene: &Scene<'_>,
    mention: &Mention<'_>,
    focus: &Range<usize>,
) -> bool {
    let paragraph = scene
        .paragraphs
        .iter()
        .find(|range| range.contains(&focus.start));
    let about = |scene: &Scene<'_>, sentence: Sentence| {
        let range = sentence.start..sentence.end;
        scope
            .index
            .mentions(&scene.content[range])
            .iter()
            .any(|other| other.id == mention.id)
    };
    let wakes = |text: &str| {
        let text = ["提醒", "清醒", "醒目", "叫醒", "唤醒", "惊醒"]
            .iter()
            .fold(text.to_owned(), |text, word| text.replace(word, ""));
        holds(&text, WAKES)
    };
    let own = scene.content[focus.start.max(mention.end).min(focus.end)..focus.end]
        .trim_start_matches(['，', ' ']);
    paragraph.is_some_and(|range| wakes(&scene.content[range.clone()]))
        || scope.text.scenes.iter().any(|scene| {
            scene
                .sentences
                .iter()
                .any(|sentence| wakes(scene.text(*sentence)) && about(scene, *sentence))
        })
        || stirs(own)
}

/// `的睫毛颤了一下`, `静静地躺着`: what a body does by itself.
fn stirs(post: &str) -> bool {
    const BY_ITSELF: &[&str] = &[
        "颤",
        "动了动",
        "动了一下",
        "微动",
        "抽",
        "蹙",
        "跳",
        "起伏",
        "翕",
        "皱",
        "滑",
        "淌",
        "流",
        "由着",
        "任",
        "软",
        "苍白",
        "凉",
        "烫",
    ];
    const MANNER: usize = 3;
    const LIES: &[&str] = &[
        "躺",
        "睡",
        "昏",
        "卧",
        "呻吟",
        "呓",
        "梦",
        "喘",
        "呼吸",
        "抽搐",
        "一动不动",
        "闭着眼",
        "闭着双眼",
        "阖着",
        "没有反应",
        "毫无",
        "没醒",
        "呛",
        "咳",
        "哼",
        "抖",
        "动了",
    ];
    match post.strip_prefix('的') {
        Some(part) => holds(part, BY_ITSELF),
        None => LIES.iter().any(|lies| {
            post.find(lies)
                .is_some_and(|at| post[..at].chars().count() <= MANNER)
        }),
    }
}

/// `叶清欢的信`: the thing may be there without its owner.
pub(super) fn is_owner(rest: &str) -> bool {
    const ALONE: &[&str] = &[
        "信", "照片", "相片", "画", "名", "消息", "故事", "话", "事", "仇", "遗", "梦", "脑",
        "记忆", "心", "坟", "墓", "下落", "日记", "东西", "剑", "刀", "鞋", "礼物",
    ];
    rest.strip_prefix('的')
        .is_some_and(|rest| ALONE.iter().any(|thing| rest.starts_with(thing)))
}

/// Telephone, letter, screen, far away.
const AT_A_DISTANCE: &[&str] = &[
    "电话",
    "视频",
    "屏幕",
    "画面",
    "来信",
    "寄来",
    "写信",
    "家书",
    "明信片",
    "信中",
    "信里",
    "信上",
    "邮件",
    "邮箱",
    "发来",
    "传来的讯",
    "传讯",
    "微信",
    "短信",
    "语音",
    "电报",
    "电文",
    "异乡",
    "他乡",
    "异国",
    "海外",
    "远方",
    "塞外",
    "万里之外",
    "千里之外",
    "深山里",
    "山洞里",
    "时差",
    "通讯器",
    "玉简",
    "传音符",
    "水镜",
    "直播",
    "对讲机",
    "无线电",
    "耳机",
    "频道",
    "电台",
    "传音",
    "神识",
    "钢管",
    "井口",
    "隔着玻璃",
    "分身",
    "替身",
];

/// Back, or let go.
const BACK: &[&str] = &[
    "出关",
    "破关",
    "归来",
    "回来了",
    "返回",
    "出院",
    "获救",
    "找到了",
    "找着",
    "释放",
    "出狱",
    "刑满",
    "逃回",
    "脱困",
    "重逢",
    "回国",
    "还朝",
    "凯旋",
    "赦",
    "洞开",
    "出来了",
    "封印松",
    "破封",
    "抱头痛哭",
    "久别",
    "阔别",
    "终于回",
    "总算回",
    "你回来",
    "怎么回来",
    "何时回",
    "几时回",
    "醒来",
    "苏醒",
    "放出来",
    "越狱",
    "接风",
    "洗尘",
    "风尘仆仆",
    "述职",
    "奉召",
    "奉诏",
];

/// Prison, sickroom, cave.
const IN_CONFINEMENT: &[&str] = &[
    "铁窗",
    "牢",
    "狱",
    "囚",
    "铁栅",
    "栅栏",
    "栏杆",
    "铐",
    "镣",
    "枷",
    "看守",
    "绑匪",
    "病房",
    "病床",
    "探视",
    "探监",
    "会见",
    "提审",
    "审讯",
    "话筒",
    "铁门",
    "高墙",
    "石壁",
    "结界",
    "封印",
    "镇魔",
    "镇妖",
    "洞府",
    "石门",
    "石室",
    "密室",
    "静室",
    "冷宫",
    "人质",
    "绳索",
    "麻绳捆",
    "蒙着眼",
    "放风",
    "号子",
    "地窖",
    "铁链",
    "锁链",
    "阵眼",
    "俘",
    "押",
];

/// Somebody elsewhere thinks of, writes to or waits for whoever is away.
const IN_MIND: &[&str] = &[
    "想起",
    "想着",
    "想到",
    "想念",
    "心想",
    "她想，",
    "他想，",
    "惦",
    "念叨",
    "思念",
    "挂念",
    "记得",
    "梦",
    "写信",
    "的信",
    "电话",
    "短信",
    "消息",
    "打听",
    "寻找",
    "听说",
    "提起",
    "提到",
    "说起",
    "担心",
    "看不见",
    "找不到",
    "见不到",
    "托人",
    "捎",
    "盼",
];

/// Whoever was senseless comes round.
const WAKES: &[&str] = &[
    "醒",
    "睁开眼",
    "睁眼",
    "解封",
    "破封",
    "恢复意识",
    "恢复了意识",
    "解冻",
    "出舱",
];

/// People who are anywhere but in a cell.
const CROWDS: &[&str] = &[
    "众人",
    "大家",
    "亲兵",
    "宾客",
    "乡亲",
    "台下",
    "满场",
    "满座",
    "社员",
    "围观",
    "小孩",
    "孩子们",
    "行人",
    "路人",
    "观众",
    "客人",
    "酒客",
    "服务员",
    "邻座",
    "人群",
    "满街",
];

/// People of the place that was left, who would know.
const PEOPLE: &[&str] = &[
    "弟子们",
    "诸弟子",
    "同僚",
    "师弟",
    "师兄",
    "师妹",
    "师姐",
    "奶奶",
    "爷爷",
    "爹娘",
    "父母",
    "妈妈",
    "爸爸",
    "邻居",
    "街坊",
    "同学",
    "同桌",
    "老师",
    "同事",
    "前台",
    "百官",
    "群臣",
    "满朝",
    "食堂",
    "教室",
    "上班",
    "上朝",
    "早朝",
    "散朝",
];
