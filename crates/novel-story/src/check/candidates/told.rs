//! Whether a sentence has words of an age, a family, a rank, a tie or a colour.

use novel_model::Lang;

use super::super::{
    prose::holds,
    rules::{colour_words, is_feature, kin_words, rank_in},
};
use crate::ledger::number_word;

/// Whether a text may tell an age.
pub(super) fn an_age(text: &str, lang: Lang) -> bool {
    const AGES_ZH: &[&str] = &[
        "岁",
        "年方",
        "年近",
        "年过",
        "年届",
        "弱冠",
        "及笄",
        "豆蔻",
        "而立",
        "不惑",
        "知天命",
        "花甲",
        "古稀",
        "耄耋",
        "垂髫",
        "总角",
        "及冠",
        "十了",
        "十出头",
        "十多了",
        "寿",
    ];
    match lang {
        Lang::Zh => holds(text, AGES_ZH),
        Lang::En => words(text).any(|word| {
            let word = word.trim_end_matches("-year-old");
            word.ends_with("teen")
                || word.ends_with("ties") && word.len() > 5
                || matches!(
                    word,
                    "aged" | "age" | "years" | "birthday" | "turned" | "old"
                )
                || number_word(word).is_some_and(|number| number > 4)
        }),
    }
}

/// Whether a text has words of a family.
pub(super) fn kin(text: &str, lang: Lang) -> bool {
    kin_words(lang).iter().any(|word| text.contains(word))
}

/// Whether a text has a word of rank.
pub(super) fn a_rank(text: &str, lang: Lang) -> bool {
    rank_in(&text.to_lowercase(), lang)
}

/// Whether a text may tell how two people stand to each other.
pub(super) fn a_tie(text: &str, lang: Lang) -> bool {
    const TIES_ZH: &[&str] = &[
        "友",
        "敌",
        "仇",
        "恨",
        "爱",
        "恋",
        "情",
        "识",
        "谋面",
        "见过",
        "交情",
        "盟",
        "信任",
        "信赖",
        "厌",
        "恶",
        "兄弟",
        "姐妹",
        "知己",
        "陌生",
        "熟",
        "势不两立",
        "反目",
        "对头",
        "冤家",
        "杀",
        "亲近",
        "亲密",
        "至交",
        "过命",
        "青梅竹马",
        "一起长大",
        "喜欢",
        "讨厌",
        "忠",
        "背叛",
    ];
    const TIES_EN: &[&str] = &[
        "friend",
        "enem",
        "foe",
        "rival",
        "stranger",
        "hate",
        "hated",
        "loathe",
        "despise",
        "detest",
        "love",
        "trust",
        "met",
        "known",
        "knew",
        "ally",
        "allies",
        "comrade",
        "feud",
        "grudge",
        "acquaint",
        "sworn",
        "companion",
        "confid",
        "adore",
        "devoted",
        "fond",
        "betray",
        "loyal",
        "grew up",
        "grown up",
        "set eyes",
        "laid eyes",
        "never seen",
        "quarrel",
    ];
    match lang {
        Lang::Zh => holds(text, TIES_ZH),
        Lang::En => holds(&text.to_lowercase(), TIES_EN),
    }
}

/// Whether a text has the colour of what a field of the record is about.
pub(super) fn a_colour(field: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    is_feature(field, &text) && colour_words().any(|word| text.contains(word))
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|char: char| !(char.is_alphanumeric() || char == '-'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}
