//! What the text around a name says of the world it is in: a dream, a picture, a stage, a grave, a
//! time that is over, a death that is told.
//!
//! One sentence often opens such a world and the next one goes on in it without a word of it, or the
//! next one is the first to say so. Neither proves that the name is no act, so it stays a candidate.

use super::{
    super::super::prose::{holds, is_opening},
    Here, ends, frames, scope, starts, words,
};

/// Whether a world that is not here and now is opened before the name or revealed after it.
pub(super) fn is_elsewhere(here: &Here<'_>, names: &[&str]) -> bool {
    let unnamed = |told: String| {
        let others = names.iter().filter(|name| **name != here.name());
        others.fold(told, |told, name| told.replace(name, "某某"))
    };
    let before: Vec<String> = here.before(REACH).into_iter().map(unnamed).collect();
    let after: Vec<String> = here.after(REACH).into_iter().map(unnamed).collect();
    let masked = |told: &str| told.replace(here.name(), "某某");
    let previous = before.first().map_or("", String::as_str);
    let next = after.first().map_or("", String::as_str);
    // Nearest first: whoever wakes or closes the book is back.
    let opened = before
        .iter()
        .take_while(|told| !holds(told, frames::CLOSES))
        .any(|told| leaves_now(&masked(told)) || holds(told, frames::SHOWN));
    opened
        || leaves_now(&unnamed(masked(&here.earlier)))
        || after
            .iter()
            .any(|told| leaves_now(&masked(told)) || holds(told, frames::SHOWN))
        || unnamed(masked(&here.later))
            .split(['，', '；'])
            .skip(1)
            .any(is_of_the_dead)
        || plays(here, previous)
        || tells_of(here, previous)
        || writes(here, &before)
        || says_unmarked(here, previous)
        || listed(here)
        || before.iter().any(|told| goes_back(told))
        || goes_back(here.before_clause())
        || in_a_season(here.before_clause())
        || is_over(here, next)
        || was_nothing(here, next)
        || ends_in_death(here, next)
        || stands_still(here)
}

/// `战争结束前的最后一个冬天，`, `一九四三年的春天来得很迟，`: a time that is told of, and no hour of now.
fn in_a_season(told: &str) -> bool {
    const TELLS: &[&str] = &[
        "最后一个",
        "最后那",
        "那个",
        "那一",
        "结束前",
        "结束后",
        "开始前",
        "头一个",
    ];
    let dated = told.match_indices('年').any(|(at, _)| {
        let digits = told[..at].chars().rev().take(4);
        digits
            .filter(|char| char.is_ascii_digit() || "〇零一二三四五六七八九".contains(*char))
            .count()
            == 4
    });
    dated
        || told.split(['，', '；']).any(|clause| {
            ends(
                clause,
                &[
                    "春天", "夏天", "秋天", "冬天", "春", "夏", "秋", "冬", "年", "月", "岁月",
                ],
            ) && holds(clause, TELLS)
        })
}

/// `她听见陈老咳嗽。再听，只有水管咕噜`: what was seen or heard was something else.
fn was_nothing(here: &Here<'_>, next: &str) -> bool {
    const NOTHING: &[&str] = &[
        "只有",
        "只剩",
        "只是",
        "不过是",
        "哪有",
        "哪里有",
        "却是",
        "原来是",
        "没有人",
        "空",
    ];
    let perceived = ends(
        here.pre,
        &[
            "听见", "听到", "看见", "看到", "瞧见", "望见", "觉得", "感到", "仿佛",
        ],
    ) || holds(&here.earlier, &["忽然听", "似乎", "恍惚"]);
    let again = next.split(['，', '。', '；']).any(|clause| {
        starts(
            clause,
            &[
                "再听",
                "再看",
                "再一看",
                "再一听",
                "再回头",
                "再望",
                "细听",
                "细看",
                "回头",
            ],
        )
        .is_some()
    });
    perceived && (again || next.contains("再听") || next.contains("再看")) && holds(next, NOTHING)
}

/// `陈老站在桥头，身后浓烟滚滚`: a posture that people have in pictures, in memory and in stone, in a
/// sentence where nobody does anything.
fn stands_still(here: &Here<'_>) -> bool {
    const POSTURES: &[&str] = &[
        "站在", "立在", "坐在", "端坐", "跪在", "蹲在", "蜷在", "排在", "骑在", "倚在", "靠在",
        "一手", "身穿", "身着", "头戴", "手持", "负手",
    ];
    const STAYS: &[&str] = &[
        "身后", "背后", "脸上", "手持", "手执", "手里", "手捧", "一手", "头戴", "身穿", "膝盖",
        "目光", "神色", "面目", "神情", "笑容", "衣袂", "衣带", "终年", "肩上", "眼里", "笑得",
        "两侧", "望着", "望向", "面朝",
    ];
    let still = starts(here.post, POSTURES).is_some()
        && !here.post.contains(['着', '了', '把'])
        && here.post.chars().count() <= 9;
    let mut later = here
        .later
        .split(['，', '；', '。'])
        .skip(1)
        .filter(|clause| !clause.is_empty());
    let first = later.next();
    still
        && first.is_some_and(|clause| starts(clause, STAYS).is_some())
        && later.all(|clause| starts(clause, STAYS).is_some())
        && !holds(&here.earlier, &["只见", "看见", "正"])
}

/// Sentences on either side that may open a world or reveal one.
const REACH: usize = 2;

/// `几个老兵说着陈老。陈老爱偷酒`: the sentence before speaks of them, and this one says what.
fn tells_of(here: &Here<'_>, previous: &str) -> bool {
    let name = here.name();
    previous.match_indices(name).any(|(at, _)| {
        let (front, rest) = (&previous[..at], &previous[at + name.len()..]);
        let told = ends(front, frames::TELLS_OF)
            || ends(front, frames::MINDS)
            || ends(front, frames::TELLS);
        told && !rest.starts_with(char::is_alphanumeric)
    })
}

/// `陈老说，船上的鱼吃腻了`, `陈老在第一行写道`, where the paragraph has a letter.
fn writes(here: &Here<'_>, before: &[String]) -> bool {
    const SAYS: &[&str] = &[
        "说", "还说", "又说", "讲", "问", "提到", "告诉", "抱怨", "叮嘱",
    ];
    let says = starts(here.post, SAYS).is_some() && !here.speech_follows();
    let on_paper = |told: &str| told.contains(['信', '函']) || holds(told, frames::DOCUMENTS);
    (says || here.post.contains('写'))
        && (before.iter().any(|told| on_paper(told)) || on_paper(here.before_clause()))
}

/// `陈老说，拉起来`: words without marks, where nothing in the paragraph is quoted, may be from a tape.
fn says_unmarked(here: &Here<'_>, previous: &str) -> bool {
    here.post == "说"
        && here.after_clause().starts_with('，')
        && holds(previous, &["声音", "最后", "字迹", "留言", "遗", "话"])
}

/// What stands behind a colon that opens no quotation is told, read out or listed: `就那几句：陈老先动的手`.
fn listed(here: &Here<'_>) -> bool {
    const SEES: &[&str] = &[
        "看", "见", "瞧", "望", "听", "原来", "果然", "来了", "进来", "出来", "走来", "个人", "位",
        "跳", "惊", "愣", "怔", "呆",
    ];
    let told = here.told_raw();
    told.match_indices('：').any(|(at, colon)| {
        let clause = told[..at]
            .rsplit(['，', '。', '；'])
            .next()
            .unwrap_or_default();
        let rest = &told[at + colon.len()..];
        !rest.starts_with(is_opening) && !holds(clause, SEES)
    })
}

/// Dreams, likenesses, stages, graves, letters, long times: the text is not plainly of now.
fn leaves_now(text: &str) -> bool {
    if holds(text, frames::WORLDS) {
        return true;
    }
    let plain = without_idioms(text);
    is_of_the_dead(&plain)
        || plain.contains(['写', '忆'])
        || plain
            .match_indices('记')
            .any(|(at, _)| !plain[at + '记'.len_utf8()..].starts_with(['者', '号', '恨']))
        || in_years(&plain)
        || plain.match_indices('每').any(|(at, each)| {
            plain[at + each.len()..]
                .starts_with(['次', '回', '逢', '年', '晚', '夜', '到', '当', '月', '周'])
        })
}

/// Words of dreams and graves, of dying, and of bodies that no longer breathe.
fn is_of_the_dead(text: &str) -> bool {
    const LIFE: &[&str] = &["体温", "气息", "呼吸", "心跳", "脉搏", "鼻息", "脉象"];
    let plain = without_idioms(text);
    let dies = plain.match_indices('死').any(|(at, word)| {
        !plain[..at].ends_with([
            '吓', '累', '气', '急', '笑', '困', '饿', '渴', '烦', '恨', '热', '冷', '疼', '痛',
            '堵', '拼', '找', '作', '该', '要', '想',
        ]) && !plain[at + word.len()..].starts_with([
            '寂', '胡', '板', '皮', '劲', '心', '沉', '灰', '水', '巷', '路',
        ])
    });
    let stopped = plain.split(['，', '；', '。']).any(|clause| {
        holds(clause, LIFE)
            && clause.contains(['没', '无', '停', '断', '消', '绝'])
            && !clause.contains(['屏', '声', '不'])
    });
    plain.contains([
        '梦', '魂', '葬', '坟', '墓', '碑', '祭', '棺', '尸', '殉', '奠', '悼', '刑',
    ]) || dies
        || stopped
}

/// `三年`, `当年`: a span or a time of years, no age and no feast.
fn in_years(text: &str) -> bool {
    text.match_indices('年').any(|(at, word)| {
        let rest = &text[at + word.len()..];
        text[..at].ends_with(|char: char| {
            "那当往早昔前去一二三四五六七八九十百千几数多半两整头".contains(char)
                || char.is_ascii_digit()
        }) && !rest.starts_with(['级', '夜', '货', '的'])
            && !rest.starts_with("不见")
            && !rest.starts_with("没见")
    })
}

/// The text without words that only sound like one of another world.
fn without_idioms(text: &str) -> String {
    let mut plain = text.to_owned();
    for idiom in frames::NO_WORLDS.iter().chain(words::NOT_DEATH) {
        if plain.contains(idiom) {
            plain = plain.replace(idiom, "　");
        }
    }
    plain
}

/// A medium that is opened, played or looked at goes on in the next clauses, as long as nobody in it
/// deals with whoever looks on: `翻到相册最后一页。陈老戴着草帽`.
fn plays(here: &Here<'_>, previous: &str) -> bool {
    let clauses = || {
        let own = here.before_clause();
        previous
            .split(['，', '；', '。'])
            .chain(own.split(['，', '；', '：']))
    };
    let mut open = false;
    for clause in clauses() {
        if has_medium(clause) && !holds(clause, frames::CLOSES) && is_shown(clause) {
            open = true;
        } else if holds(clause, frames::CLOSES) || holds(clause, frames::BREAKS_IN) {
            open = false;
        }
    }
    open && !holds(here.post, &["她", "他", "我", "你"])
}

/// `照片上，`, `翻开日记`, `墙上挂着一张合影`: the medium is what the clause is about.
fn is_shown(clause: &str) -> bool {
    const SHOWS: &[&str] = &[
        "翻", "打开", "点开", "按", "展开", "摊开", "放", "播", "亮", "闪", "跳", "弹", "挂着",
        "贴着", "摆着", "读", "看", "念", "盯", "望着", "响", "停在", "写", "记",
    ];
    const DROPS: &[&str] = &["掉", "落", "飘", "撕", "烧", "递", "推"];
    if holds(clause, DROPS) {
        return false;
    }
    holds(clause, SHOWS)
        || frames::DOCUMENTS
            .iter()
            .chain(frames::MEDIA)
            .any(|medium| clause.starts_with(medium))
}

/// `照片`, but not `监控室`, `录音师`.
fn has_medium(clause: &str) -> bool {
    const NOT_MEDIUM: [char; 12] = [
        '室', '房', '馆', '店', '社', '员', '师', '架', '柜', '包', '夹', '台',
    ];
    frames::DOCUMENTS.iter().chain(frames::MEDIA).any(|medium| {
        clause
            .match_indices(medium)
            .any(|(at, _)| !clause[at + medium.len()..].starts_with(NOT_MEDIUM))
    })
}

/// `回到了十七岁的操场`, `事情要从去年秋天说起`, `毒发的时候`: the clause leaves now.
fn goes_back(told: &str) -> bool {
    const LAST_HOURS: &[&str] = &[
        "毒发", "断气", "咽气", "出事", "遇害", "中弹", "坠楼", "坠崖", "落水", "临刑", "行刑",
        "城破", "起火", "失火", "沉船", "临死", "死",
    ];
    const WHEN: &[&str] = &[
        "的时候",
        "那一刻",
        "那刻",
        "之前",
        "那天",
        "那晚",
        "那夜",
        "当口",
        "的刹那",
        "的瞬间",
    ];
    told.split(['，', '。', '；']).any(|clause| {
        let returns = clause.split("回到").skip(1).any(|rest| {
            holds(
                rest,
                &["岁", "年前", "那年", "那个", "小时候", "从前", "少年"],
            )
        });
        let opens = ends(clause, &["说起", "讲起", "讲起了", "说起了"])
            && holds(clause, &["从", "年", "那"])
            || holds(clause, &["说起", "讲起", "提起", "谈起", "聊起", "忆起"])
                && ends(
                    clause,
                    &[
                        "情形", "往事", "经历", "故事", "光景", "旧事", "当初", "过去", "那天",
                        "的事",
                    ],
                )
            || clause.starts_with("那是")
                && ends(
                    clause,
                    &[
                        "日子", "天", "夜", "晚上", "早晨", "时候", "季节", "岁月", "年头",
                    ],
                );
        let last = ends(clause, WHEN)
            && LAST_HOURS.iter().any(|hour| {
                WHEN.iter()
                    .any(|when| clause.ends_with(&format!("{hour}{when}")))
            });
        returns || opens || last
    })
}

/// What comes after says that it was long ago: `那是她最后一次见到他`, `是十年前的事了`, `如今`.
fn is_over(here: &Here<'_>, next: &str) -> bool {
    const SINCE: &[&str] = &[
        "那之后",
        "从那以后",
        "从此以后",
        "打那以后",
        "自那以后",
        "自那之后",
        "那以后",
        "如今",
        "一晃",
        "转眼过去",
        "后来",
    ];
    const KEPT: &[&str] = &[
        "一辈子",
        "记到今天",
        "记到现在",
        "至今",
        "历历在目",
        "忘不了",
        "忘不掉",
        "最后一次",
        "最后一面",
        "最后一眼",
        "的往事",
        "的旧事",
        "当年",
        "那一年",
        "那年",
    ];
    const POINTS: &[&str] = &[
        "那是",
        "这是",
        "那已",
        "这已",
        "这一幕",
        "那一幕",
        "那情景",
        "那画面",
        "那模样",
    ];
    let told = |clause: &str| {
        goes_to(clause)
            || starts(clause, POINTS).is_some()
                && (holds(clause, KEPT) || scope::ago_zh(clause) || holds(clause, &["年", "过去"]))
            || scope::ago_zh(clause) && ends(clause, &["的事", "的事了", "前了", "的旧事"])
    };
    let later = here.later.split(['，', '；', '。', '—']).skip(1);
    let after = next.split(['，', '；', '。', '—']);
    later.chain(after).any(told) || starts(next, SINCE).is_some() && !starts_late(here)
}

/// `讲到这里`, `写到此处`: what came before was told.
fn goes_to(clause: &str) -> bool {
    clause.match_indices('到').any(|(at, char)| {
        clause[..at].ends_with(['讲', '说', '写', '念', '读', '唱', '演', '画'])
            && clause[at + char.len()..].starts_with(['这', '此', '那'])
    })
}

/// `后来` after somebody who is said to be at now is the same day.
fn starts_late(here: &Here<'_>) -> bool {
    holds(&here.earlier, frames::NOW) || holds(here.post, frames::NOW)
}

/// The sentence goes on to the death: `替她挡了一枪，倒下去就再没起来`.
fn ends_in_death(here: &Here<'_>, next: &str) -> bool {
    const NEVER: &[&str] = &[
        "再没",
        "再也没",
        "就没",
        "没有再",
        "没再",
        "一个也没",
        "一个都没",
        "谁也没",
        "没能",
        "没有能",
    ];
    const BACK: &[&str] = &[
        "起来", "醒", "回来", "睁", "出来", "上来", "站起", "爬起", "活着",
    ];
    const DEATHS: &[&str] = &[
        "两眼一闭",
        "咽了气",
        "直挺挺",
        "栽进",
        "栽倒",
        "倒在血",
        "血泊",
        "头一歪",
        "血流尽",
        "血流干",
        "流尽了血",
        "咽下最后",
        "断了气",
        "没了气",
        "闭了眼",
        "合了眼",
        "闭上了眼",
        "合上了眼",
        "与世长辞",
        "撒手",
        "牺牲",
        "阵亡",
        "战死",
        "丧了命",
        "丢了性命",
        "送了命",
        "送了性命",
        "当场身亡",
        "一命呜呼",
        "离开了人世",
        "死在",
        "死于",
        "就死了",
        "去世",
        "葬",
        "气绝",
        "殉",
    ];
    let fails = |clause: &str| {
        clause.match_indices('没').any(|(at, word)| {
            let rest = clause[at + word.len()..].trim_start_matches(['有', '能']);
            rest.starts_with(['挺', '熬', '撑', '活', '救'])
        })
    };
    // `轻轻把那双眼睛合上了`.
    let shuts = |clause: &str| {
        clause.contains('眼')
            && holds(clause, &["合上", "阖上"])
            && holds(clause, &["替", "把", "将", "给", "伸手"])
    };
    let dies = |clause: &str| {
        fails(clause)
            || shuts(clause)
            || holds(clause, DEATHS)
            || NEVER.iter().any(|never| {
                clause
                    .find(never)
                    .is_some_and(|at| holds(&clause[at + never.len()..], BACK))
            })
    };
    let later = here.later.split(['，', '；']).skip(1);
    let own = later.take_while(|clause| !names_another(clause));
    let mut next = next.split(['，', '；', '。']).take(2);
    let first = next.next().unwrap_or_default();
    let taken_up = first.is_empty() || starts(first, &["他", "她", "这一", "从此", "再"]).is_some();
    let laid_out = here
        .after(REACH)
        .iter()
        .any(|told| told.split(['，', '。']).any(shuts));
    laid_out || own.into_iter().any(dies) || taken_up && (dies(first) || next.any(dies))
}

/// A clause with a subject of its own: it is somebody else who may die in it.
fn names_another(clause: &str) -> bool {
    starts(clause, &["敌", "对方", "那人", "那", "对手", "贼", "众"]).is_some()
}
