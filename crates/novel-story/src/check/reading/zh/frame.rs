//! Frames that excuse: memory, supposition, report.

use super::{
    Excuse, ends, frames, holds,
    predicate::{is_whole_word, without_adverbs},
    scope, starts, words,
};

/// How far a word of a frame reaches beyond its clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Its own clause.
    Own,
    /// Its own clause and the next one.
    Next,
    /// The rest of the sentence.
    Rest,
}

/// The frame of the sentence up to the name, and right after it.
pub(super) fn frame(earlier: &str, post: &str, later: &str) -> Option<Excuse> {
    let clauses: Vec<&str> = earlier.split(['，', '；', '：']).collect();
    // `想起昨天的事，陈老`: without a subject of its own, the memory is that of whoever follows.
    let clauses = match clauses.as_slice() {
        [first, .., last] if last.is_empty() && begins_own(first) => {
            clauses.get(1..).unwrap_or_default().to_vec()
        }
        _ => clauses,
    };
    let clauses = clauses.as_slice();
    let is_now = starts(post, frames::NOW).is_some()
        || later
            .split(['，', '；'])
            .skip(1)
            .any(|clause| starts(clause, frames::NOW).is_some());
    if !is_now && is_past(earlier, clauses) {
        return Some(Excuse::Past);
    }
    // `要是她没松手，陈老现在该七十了`: supposed of now.
    let supposes = holds(post, &["该", "会", "应", "准", "早就", "肯定", "一定"]);
    if (!is_now || supposes) && is_supposed(earlier, clauses) {
        return Some(Excuse::Hypothesis);
    }
    if is_reported(earlier, clauses) {
        return Some(Excuse::Report);
    }
    // `翻开日记，陈老写道`, `翻到那一页，陈老在上面画了个圈`.
    let written = starts(post, &["写道", "写着", "记道", "写下", "写", "画"]).is_some()
        && (holds(earlier, frames::DOCUMENTS) || earlier.contains('信'))
        || starts(
            post,
            &[
                "在上面",
                "在页",
                "在信",
                "在书",
                "在背面",
                "在末尾",
                "在扉页",
                "在纸上",
            ],
        )
        .is_some();
    if written {
        return Some(Excuse::Report);
    }
    // `页边上陈老用红笔写着：`.
    if ends(post, frames::STANDS_WRITTEN) {
        return Some(Excuse::Report);
    }
    let reign =
        post.starts_with('时') && starts(post, &["时而", "时不时", "时常", "时时"]).is_none();
    // `白露过后`: the name is a day of the year.
    let season = ["过后", "前后", "时节", "节气"].contains(&post);
    if reign
        || season
        || starts(post, words::PAST_AFTER).is_some() && !is_whole_word(post) && !is_now
        || dated(post) && !is_now
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
                "记忆里",
                "记忆中",
            ],
        )
        || starts(post, &["似的", "一般"]).is_some()
    {
        return Some(Excuse::Past);
    }
    if holds(
        post,
        &[
            "遗嘱里",
            "遗嘱中",
            "遗书里",
            "遗书中",
            "日记里",
            "回忆录里",
            "遗言里",
        ],
    ) {
        return Some(Excuse::Report);
    }
    if holds(post, words::EXPERIENCE) {
        return Some(Excuse::Past);
    }
    None
}

/// `三天前战死`, `早在去年就走了`: the predicate begins with a time that is past.
fn dated(post: &str) -> bool {
    const LONGEST: usize = 7;
    let rest = without_adverbs(post);
    let rest = rest.strip_prefix("早在").unwrap_or(rest);
    let end = rest
        .char_indices()
        .take(LONGEST)
        .find(|(_, char)| *char == '前')
        .map(|(at, char)| at + char.len_utf8());
    end.is_some_and(|end| scope::ago_zh(&rest[..end]) && !rest[end..].starts_with('的'))
        || rest.len() < post.len() && starts(rest, &["曾", "当年", "那年", "生前"]).is_some()
}

/// Whether a clause ends in a verb of telling right before the name: `对外只说陈老出了远门`.
pub(super) fn is_told(pre: &str) -> bool {
    let bare = starts(pre, frames::SAYS).is_some_and(|says| says < pre.len())
        && starts(pre, frames::SAID).is_none();
    // `老师讲到陈老就义那一段`.
    let reaches = pre.strip_suffix('到').is_some_and(|verb| {
        verb.ends_with(['讲', '说', '写', '读', '念', '唱', '演', '提', '谈', '聊'])
    });
    bare || reaches
        || ends(pre, frames::TOLD)
            && !matches!(pre, "却说" | "且说" | "话说" | "单说" | "再说" | "只说")
}

/// `镇上的老人讲，`, `案卷显示，`: an earlier clause ends in a verb of telling, and no quotation is left out.
fn tells_first(earlier: &str) -> bool {
    let written = earlier.match_indices('：').any(|(at, _)| {
        let clause = earlier[..at]
            .rsplit(['，', '；'])
            .next()
            .unwrap_or_default();
        ends(clause, frames::WRITES) && !earlier[at..].starts_with("：，")
    });
    written
        || earlier.match_indices('，').any(|(at, _)| {
            let clause = earlier[..at]
                .rsplit(['，', '；', '：'])
                .next()
                .unwrap_or_default();
            let rest = &earlier[at + '，'.len_utf8()..];
            !rest.starts_with('，')
                && (ends(clause, frames::TELLS_FIRST)
                    || ends(clause, &["说", "讲", "称", "传"]) && !ends(clause, frames::SPOKE))
        })
}

/// A clause that begins with a verb of the mind or of telling, and has what it is about.
fn begins_own(clause: &str) -> bool {
    let verb = starts(clause, frames::MINDS).or_else(|| {
        starts(
            clause,
            &[
                "听说", "说起", "提起", "讲起", "谈起", "谈到", "提到", "听到",
            ],
        )
    });
    verb.is_some_and(|verb| {
        verb < clause.len()
            && !frames::TIMES
                .iter()
                .any(|time| clause.contains(time) && !clause.contains(&format!("{time}的")))
    })
}

fn is_past(earlier: &str, clauses: &[&str]) -> bool {
    let back = |clause: &str| holds(clause, frames::NOW);
    let broken = |clause: &str| back(clause) || holds(clause, frames::BREAKS_IN);
    let ago = clauses
        .iter()
        .enumerate()
        .any(|(at, clause)| scope::ago_zh(clause) && !clauses[at + 1..].iter().any(|c| back(c)));
    let told = clauses.iter().enumerate().any(|(at, clause)| {
        let is_own = at + 1 == clauses.len();
        frames::TIMES
            .iter()
            .any(|word| tells_time(clause, word, is_own))
            && !clauses[at + 1..].iter().any(|clause| broken(clause))
    });
    ago || told
        || starts_old(earlier)
        || reaches(clauses, frames::VISIONS, Reach::Rest)
        || clauses.iter().enumerate().any(|(at, clause)| {
            let is_own = at + 1 == clauses.len();
            frames::MINDS.iter().any(|word| {
                clause.match_indices(word).any(|(from, _)| {
                    let rest = &clause[from + word.len()..];
                    let expected = ends(&clause[..from], &["没", "没有", "不", "未", "料"]);
                    !expected && (is_own || starts(rest, frames::SOMETHING).is_none())
                })
            }) && !resumes(&clauses[at + 1..])
        })
}

/// A time that is past, unless it only modifies a noun: `昨夜的雨`.
fn tells_time(clause: &str, word: &str, is_own: bool) -> bool {
    clause.match_indices(word).any(|(at, _)| {
        let (before, rest) = (&clause[..at], &clause[at + word.len()..]);
        let modifies = rest.starts_with('的')
            && !(is_own && rest == "的")
            && starts(rest, &["的事", "的情景", "的一幕", "的画面", "的经过"]).is_none();
        let idiom = word == "那时" && rest.starts_with('快')
            || word == "曾" && before.ends_with(['不', '未', '何', '几'])
            || word == "先前" && rest.starts_with("一步")
            || word == "原来" && rest.starts_with('是');
        !modifies && !idiom
    })
}

fn is_supposed(earlier: &str, clauses: &[&str]) -> bool {
    let granted = clauses
        .iter()
        .any(|clause| starts(clause, frames::GRANTED).is_some());
    let again = clauses.iter().any(|clause| {
        ["仿佛", "好像", "似乎", "恍若", "就像"].iter().any(|word| {
            clause.split(word).skip(1).any(|rest| {
                starts(
                    rest,
                    &["又", "回到", "看见", "看到", "听见", "听到", "还能"],
                )
                .is_some()
            })
        })
    });
    !granted && reaches(clauses, frames::CONDITIONS, Reach::Rest)
        || again
        || reaches(clauses, frames::SEEMS, Reach::Own)
        || supposed(earlier)
}

fn is_reported(earlier: &str, clauses: &[&str]) -> bool {
    // `据老兵讲，`, `根据航海日志，`.
    let earlier = earlier.trim_start_matches([' ', '　']);
    let according = earlier
        .strip_prefix("根据")
        .or_else(|| earlier.strip_prefix('据'))
        .and_then(|rest| rest.split_once('，'))
        .is_some_and(|(source, _)| {
            !ends(
                source,
                &[
                    "计划", "安排", "命令", "指示", "地图", "线索", "经验", "约定", "吩咐",
                ],
            )
        });
    according
        || in_fiction(clauses)
        || clauses.iter().any(|clause| infers(clause))
        || tells_first(earlier)
        || clauses
            .iter()
            .any(|clause| clause.starts_with("人说") || clause.starts_with("人们说"))
        || reaches(clauses, frames::HEARSAY, Reach::Rest)
        || reaches(clauses, frames::TELLS, Reach::Next)
        || reaches(clauses, frames::IN_DOCUMENTS, Reach::Rest)
        || reaches(clauses, frames::DOCUMENTS, Reach::Own)
        || clauses.iter().any(|clause| {
            frames::DOCUMENTS.iter().any(|word| {
                clause.split(word).skip(1).any(|rest| {
                    starts(
                        rest,
                        &["上", "里", "中", "内", "写", "说", "记", "首页", "：", "登"],
                    )
                    .is_some()
                })
            })
        })
}

/// `从脚印看，`, `根据现场判断，`: what follows is inferred.
fn infers(clause: &str) -> bool {
    starts(clause, &["从", "由", "据", "照", "按", "根据", "看"]).is_some()
        && clause.chars().count() > 2
        && ends(
            clause,
            &[
                "来看", "上看", "判断", "推断", "推测", "分析", "推算", "迹看", "印看", "形看",
                "样子",
            ],
        )
}

/// `小说的结尾，`, `传说的最后，`: a part of a story is the place of the sentence.
fn in_fiction(clauses: &[&str]) -> bool {
    const PARTS: &[&str] = &[
        "结尾", "结局", "开头", "开篇", "末尾", "最后", "高潮", "尾声", "里", "中", "上", "一幕",
        "一章", "一回", "一集", "一页", "一段",
    ];
    const STORIES: &[&str] = &[
        "小说",
        "故事",
        "传说",
        "话本",
        "电影",
        "电视剧",
        "连续剧",
        "剧本",
        "歌谣",
        "童谣",
        "民谣",
        "漫画",
        "游戏",
        "纪录片",
        "报道",
        "传记",
        "回忆录",
        "神话",
        "课本",
        "教材",
        "档案",
        "记录",
    ];
    clauses.iter().any(|clause| {
        // `教科书第七十二页，`.
        let page = clause.rfind('第').is_some_and(|at| {
            ends(
                clause,
                &["页", "章", "回", "集", "幕", "卷", "版", "节", "段", "行"],
            ) && clause[at..].chars().count() <= 7
                && !clause.starts_with('第')
        });
        if page {
            return true;
        }
        let tail = clause.rsplit('的').next().unwrap_or_default();
        STORIES.iter().any(|story| {
            clause.starts_with(story) && clause.len() > story.len()
                || clause.contains(&format!("{story}的"))
        }) && ends(tail, PARTS)
    })
}

/// Whether a word of a frame stands so that it still holds at the end of the text.
fn reaches(clauses: &[&str], list: &[&str], reach: Reach) -> bool {
    clauses.iter().enumerate().any(|(at, clause)| {
        let later = &clauses[at + 1..];
        let near = match reach {
            Reach::Own => later.is_empty(),
            // A clause that ends with the verb has its content in the next one.
            Reach::Next => later.len() <= 1,
            Reach::Rest => true,
        };
        let ends_clause = later.len() == 1 && list.iter().any(|word| clause.ends_with(word));
        (near || ends_clause) && holds(clause, list) && !resumes(later)
    })
}

/// Whether a clause after a frame goes on with what somebody does now.
fn resumes(later: &[&str]) -> bool {
    later.iter().any(|clause| {
        holds(clause, frames::NOW)
            || holds(clause, frames::BREAKS_IN)
            || super::predicate::is_gesture(clause)
    })
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

/// `谁也没料到`, `想不到` before the name.
pub(super) fn unexpected(pre: &str) -> bool {
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
