//! How two people stand to each other, by what a sentence says of both.
//!
//! Not forms that count but what the sentence holds: two people and nobody else, one word of how
//! people stand, and nothing that gives it to a third, denies it or puts it in another time.

use novel_model::Lang;

use super::{
    super::against::{self, Clash},
    Shown, attitude_en, ties,
};
use crate::check::prose::{Mention, holds};

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    let scope = shown.scope;
    let inside = |mention: &&Mention<'_>| {
        mention.start >= shown.sentence.start && mention.end <= shown.sentence.end
    };
    let named: Vec<&Mention<'_>> = scope.mentions(shown.at).iter().filter(inside).collect();
    let first = named.first()?;
    let next = named.iter().find(|mention| mention.id != first.id)?;
    let third = named
        .iter()
        .any(|mention| mention.id != first.id && mention.id != next.id);
    if first.start != shown.mention.start || third || shown.scene.is_quoted(next.start) {
        return None;
    }
    let content = shown.scene.content;
    let between = &content[first.end..next.start];
    let after = content[next.end..shown.sentence.end]
        .split(['"', '“', '「'])
        .next()
        .unwrap_or_default();
    let stand = match scope.lang {
        Lang::Zh => stand_zh(shown.before(), between, after),
        Lang::En => attitude_en::stand(
            &between.to_lowercase().replace('’', "'"),
            &after.to_lowercase().replace('’', "'"),
        ),
    }?;
    against::relation(scope, first.id, next.id, stand)
        .or_else(|| against::relation(scope, next.id, first.id, stand))
}

/// What is said of two people together, after both.
const TOGETHER_ZH: &[(i8, &[&str])] = &[
    (
        1,
        &[
            "情同手足",
            "亲如兄弟",
            "亲如姐妹",
            "形影不离",
            "无话不谈",
            "推心置腹",
            "肝胆相照",
            "莫逆之交",
            "交情深厚",
            "交情极深",
            "交情莫逆",
            "感情深厚",
            "感情极好",
            "相交莫逆",
            "生死之交",
            "过命的交情",
            "义结金兰",
            "多年的交情",
            "交好多年",
            "相交多年",
            "知己",
            "亲密无间",
            "肝胆相照",
            "同生共死",
        ],
    ),
    (
        -1,
        &[
            "势不两立",
            "水火不容",
            "势同水火",
            "不共戴天",
            "你死我活",
            "有深仇",
            "有血仇",
            "是世仇",
            "誓不两立",
            "互相仇视",
            "恨之入骨",
            "结怨已久",
            "积怨已深",
            "有旧仇",
        ],
    ),
    (
        0,
        &[
            "素不相识",
            "素未谋面",
            "互不相识",
            "从未见过",
            "从未谋面",
            "毫不相识",
            "从没见过面",
            "从没打过照面",
            "并不相识",
            "素无往来",
            "素昧平生",
            "从无交集",
            "毫无交情",
        ],
    ),
    (
        2,
        &[
            "自幼相识",
            "从小相识",
            "相识多年",
            "一起长大",
            "从小玩到大",
            "青梅竹马",
            "两小无猜",
            "认识多年",
            "是旧识",
            "是旧相识",
            "是老相识",
            "同窗多年",
        ],
    ),
];

/// What one is to the other, between the two.
const DIRECTED_ZH: &[(i8, &[&str])] = &[
    (
        -1,
        &[
            "恨透了",
            "恨透",
            "恨死了",
            "恨死",
            "痛恨",
            "憎恨",
            "仇恨",
            "深恨",
            "恨极了",
            "恨极",
            "恨着",
        ],
    ),
    (
        1,
        &[
            "最信任",
            "深深信任",
            "视如手足的",
            "引为知己的",
            "最信得过的人便是",
            "最信任的人便是",
            "最信得过的人是",
            "最信任的人是",
            "最信得过",
        ],
    ),
    (
        0,
        &[
            "从未见过",
            "从没见过",
            "压根不认识",
            "根本不认识",
            "并不认识",
            "不认识",
            "没见过",
            "未曾见过",
            "素不相识的",
        ],
    ),
    (2, &["早就认识", "早已认识", "自小就认识", "从小就认识"]),
];

fn stand_zh(before: &str, between: &str, after: &str) -> Option<i8> {
    const BREAKS: [char; 6] = ['，', '。', '；', '！', '：', '“'];
    const NOT_NOW: &[&str] = &[
        "曾",
        "从前",
        "以前",
        "当年",
        "原本",
        "那年",
        "昔日",
        "要是",
        "若",
        "如果",
        "不再",
        "以为",
        "反目",
        "和解",
        "和好",
        "？",
        "似的",
        "一般",
        "是在",
        "那时",
        "终有一天",
        "有朝一日",
        "直到",
    ];
    if holds(before, NOT_NOW) || holds(between, NOT_NOW) || holds(after, NOT_NOW) {
        return None;
    }
    let clause = after.split(BREAKS).next().unwrap_or_default();
    let joined = matches!(between, "与" | "和" | "跟" | "同" | "、");
    // `A与B势不两立`, `A与B二人，自幼相识`.
    if joined && !after.starts_with('的') {
        let near: String = after.chars().take(24).collect();
        let told = TOGETHER_ZH.iter().find_map(|(stand, words)| {
            let at = words.iter().find_map(|word| {
                let at = near.find(word)?;
                let denied = near[..at].ends_with(['不', '没', '未', '非']);
                let of_another = near[at + word.len()..].starts_with('的');
                (!denied && !of_another).then_some(at)
            });
            at.map(|_| *stand)
        });
        return told.or_else(|| {
            let rest = clause
                .trim_start_matches("两人")
                .trim_start_matches("二人")
                .trim_start_matches("向来")
                .trim_start_matches("一直")
                .trim_start_matches("素来")
                .trim_start_matches('本')
                .trim_start_matches('都');
            ties::tie_zh(rest.strip_prefix('是')?.trim_start_matches("一对"))
        });
    }
    // `A最信得过的人，便是B`.
    if let Some((front, "便是" | "就是" | "只有" | "莫过于" | "正是")) = between.split_once('，')
        && [
            "最信得过的人",
            "最信任的人",
            "最要好的朋友",
            "最好的朋友",
            "唯一的朋友",
        ]
        .contains(&front)
    {
        return Some(1);
    }
    if between.contains(BREAKS) {
        return None;
    }
    // `A恨B入骨`, `A对B忠心耿耿`.
    if between.ends_with('恨') && between.chars().count() <= 4 && after.starts_with("入骨") {
        return Some(-1);
    }
    if between == "对" {
        const TOWARDS: &[(i8, &[&str])] = &[
            (
                1,
                &[
                    "忠心耿耿",
                    "情同手足",
                    "推心置腹",
                    "死心塌地",
                    "深信不疑",
                    "敬若兄长",
                    "情深义重",
                    "言听计从",
                    "亲如手足",
                ],
            ),
            (
                -1,
                &[
                    "恨之入骨",
                    "恨入骨髓",
                    "恨得咬牙切齿",
                    "深恶痛绝",
                    "恨得牙痒",
                    "怀恨在心",
                    "切齿痛恨",
                ],
            ),
        ];
        return TOWARDS.iter().find_map(|(stand, words)| {
            words
                .iter()
                .any(|word| clause.starts_with(word))
                .then_some(*stand)
        });
    }
    // `A恨透了B`, and nothing of B: a thing of theirs is another matter.
    if !after.starts_with('的') || after.starts_with("的为人") {
        let told = DIRECTED_ZH.iter().find_map(|(stand, words)| {
            words
                .iter()
                .any(|word| {
                    between
                        .strip_suffix(word)
                        .is_some_and(|rest| rest.chars().count() <= 4 && !rest.ends_with('不'))
                })
                .then_some(*stand)
        });
        if told.is_some() {
            return told;
        }
    }
    // `A是B的死敌`, `A一直是B最好的朋友`.
    let is = [
        "是",
        "正是",
        "乃是",
        "就是",
        "一直是",
        "始终是",
        "向来是",
        "仍是",
        "乃",
    ];
    if is.contains(&between) {
        let tie = clause.strip_prefix('的').unwrap_or(clause);
        return ties::tie_zh(tie).filter(|_| clause.contains('的'));
    }
    // `A最好的朋友B`, `A拍拍好友B的肩膀`.
    let (noun, stand) = ending_tie(between)?;
    let left = &between[..between.len() - noun.len()];
    let of_another = left.ends_with('的') && !holds(left, &["最", "唯一", "多年", "生平", "一生"]);
    let owned = holds(left, &["他的", "她的", "对方", "别人", "人家", "众人"]);
    (!of_another && !owned && !after.starts_with(['、', '和', '与'])).then_some(stand)
}

/// The noun of a tie a text ends with.
fn ending_tie(text: &str) -> Option<(&'static str, i8)> {
    const NOUNS: &[(i8, &[&str])] = &[
        (
            1,
            &[
                "好友",
                "挚友",
                "密友",
                "老友",
                "至交",
                "知己",
                "朋友",
                "老朋友",
                "好朋友",
                "盟友",
                "恋人",
                "情人",
            ],
        ),
        (
            -1,
            &[
                "死敌",
                "仇人",
                "仇敌",
                "宿敌",
                "死对头",
                "仇家",
                "大仇人",
                "敌人",
            ],
        ),
    ];
    NOUNS.iter().find_map(|(stand, words)| {
        let longest = words
            .iter()
            .filter(|word| text.ends_with(**word))
            .max_by_key(|word| word.len())?;
        Some((*longest, *stand))
    })
}
