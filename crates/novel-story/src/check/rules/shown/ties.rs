//! How two people stand to each other, as the narrator says it.

use novel_model::Lang;
use serde_json::Value;

use super::{
    super::against::{self, Clash},
    Shown,
};
use crate::{
    check::prose::holds,
    ledger::{Meaning, Slot},
};

pub(super) fn read(shown: &Shown<'_, '_>) -> Option<Clash> {
    let scope = shown.scope;
    let mention = shown.mention;
    let next = scope.mentions(shown.at).iter().find(|other| {
        other.start >= mention.end && other.end <= shown.sentence.end && other.id != mention.id
    })?;
    let content = shown.scene.content;
    let between = &content[mention.end..next.start];
    let after = &content[next.end..shown.sentence.end];
    if shown.scene.is_quoted(next.start) {
        return None;
    }
    let stand = match scope.lang {
        Lang::Zh => stand_zh(between, after),
        Lang::En => stand_en(&between.to_lowercase(), &after.to_lowercase()),
    }?;
    against::relation(scope, mention.id, next.id, stand)
        .or_else(|| against::relation(scope, next.id, mention.id, stand))
}

/// Whether what is told as past after a name lasts until now.
pub(super) fn lasts(after: &str) -> bool {
    const LASTS: [&str; 9] = [
        "从未见过",
        "从没见过",
        "没见过",
        "未曾见过",
        " had never met ",
        " had never seen ",
        " had never spoken to ",
        " had known ",
        " had been ",
    ];
    LASTS.iter().any(|words| after.starts_with(words))
}

fn meaning(word: &str) -> Option<i8> {
    match Meaning::of(Slot::Relation, "relation", &Value::from(word))? {
        Meaning::Stand(stand) => Some(stand),
        _ => None,
    }
}

/// The tie a short Chinese phrase ends with: `过命的好友`, `老朋友`.
pub(super) fn tie_zh(phrase: &str) -> Option<i8> {
    const LONGEST: usize = 10;
    let phrase = phrase.trim_end_matches("了");
    if phrase.is_empty()
        || phrase.chars().count() > LONGEST
        || phrase.starts_with(['不', '没', '未'])
        || ["对手", "冤家", "兄弟", "姐妹"]
            .iter()
            .any(|word| phrase.ends_with(word))
    {
        return None;
    }
    let head = phrase.rsplit('的').next().unwrap_or(phrase);
    let head =
        head.trim_start_matches(['老', '多', '年', '好', '生', '死', '一', '对', '个', '毕']);
    let whole = phrase.rsplit('的').next().unwrap_or(phrase);
    meaning(whole)
        .or_else(|| meaning(head))
        .filter(|_| whole.chars().count() >= 2)
}

fn stand_zh(between: &str, after: &str) -> Option<i8> {
    const STRANGE: &[&str] = &[
        "从未见过",
        "从没见过",
        "并不认识",
        "不认识",
        "素不相识",
        "素未谋面",
        "没见过",
        "未曾见过",
    ];
    let clause = after
        .split(['，', '。', '；', '！', '：'])
        .next()
        .unwrap_or_default();
    if between.contains(['，', '。', '；', '：', '“']) {
        return None;
    }
    // `A从未见过B`.
    if STRANGE.contains(&between) {
        let whole = clause.is_empty() || clause.starts_with("其人");
        return whole.then_some(0);
    }
    // `A视B为挚友`.
    if matches!(between, "视" | "把" | "将" | "拿") {
        let word = ["为", "当作", "当成", "视为", "视作", "看作", "看成", "当"]
            .iter()
            .find_map(|mark| clause.strip_prefix(mark))?;
        return tie_zh(word);
    }
    // `A的仇家B`.
    if let Some(word) = between.strip_prefix('的') {
        let gives = word.ends_with([
            '给', '对', '向', '跟', '和', '与', '把', '被', '让', '替', '为', '朝', '找', '见',
            '问',
        ]);
        return tie_zh(word).filter(|_| !gives && !after.starts_with('的'));
    }
    let joined = between.strip_prefix(['与', '和', '跟', '同'])?;
    if !joined.is_empty() {
        // `A与宿敌B`.
        return tie_zh(joined).filter(|_| !after.starts_with(['的', '、', '和', '与']));
    }
    // `A与B是过命的好友`, `A与B素不相识`, `A与B有不共戴天之仇`.
    let rest = clause
        .trim_start_matches("两人")
        .trim_start_matches("二人")
        .trim_start_matches("本")
        .trim_start_matches("都");
    if holds(
        rest,
        &[
            "素不相识",
            "互不相识",
            "素未谋面",
            "从未见过",
            "从未谋面",
            "并不相识",
        ],
    ) {
        return Some(0);
    }
    if let Some(word) = rest
        .strip_prefix('是')
        .or_else(|| rest.strip_prefix("乃是"))
        .or_else(|| rest.strip_prefix('乃'))
    {
        return tie_zh(word);
    }
    let feud = rest.strip_prefix('有')?;
    (feud.ends_with("之仇") || feud.ends_with("血仇") || feud.ends_with("深仇大恨")).then_some(-1)
}

fn stand_en(between: &str, after: &str) -> Option<i8> {
    let clause = after
        .split([',', '.', ';', ':', '—'])
        .next()
        .unwrap_or_default();
    let word = between.trim();
    if between.contains([';', '"', '“', '—']) {
        return None;
    }
    // `had never met`: strangers until now.
    if matches!(
        word,
        "had never met"
            | "had never seen"
            | "did not know"
            | "had never spoken to"
            | "had never laid eyes on"
    ) {
        let ends = after.is_empty()
            || after.starts_with(['.', ',', ';'])
            || [" before", " in her life", " in his life", " until"]
                .iter()
                .any(|word| after.starts_with(word));
        return ends.then_some(0);
    }
    // `had known B since school`, `had been B's sworn enemy all his life`.
    let since = [
        " since ",
        " all his life",
        " all her life",
        " for years",
        " from childhood",
    ]
    .iter()
    .filter_map(|mark| after.find(mark))
    .min();
    if word == "had known" {
        return since.map(|_| 2);
    }
    if word == "had been" {
        let rest = after[..since?]
            .strip_prefix("'s ")
            .or_else(|| after[..since?].strip_prefix("’s "))?;
        return tie_en(rest);
    }
    // `A's old friend B`, `A's enemy, B`.
    if let Some(tie) = word
        .strip_prefix("'s ")
        .or_else(|| word.strip_prefix("’s "))
    {
        return tie_en(tie.trim_end_matches(','));
    }
    // `A and B were strangers`.
    if word == "and" {
        let rest = clause
            .trim_start()
            .strip_prefix("were ")
            .or_else(|| clause.trim_start().strip_prefix("are "))?;
        return tie_en(rest);
    }
    // `A was B's sworn enemy`.
    if matches!(word, "was" | "is") {
        let rest = clause
            .strip_prefix("'s ")
            .or_else(|| clause.strip_prefix("’s "))?;
        return tie_en(rest);
    }
    // `sat down beside her old friend B`.
    if let Some((front, tie)) = word
        .rsplit_once("his ")
        .or_else(|| word.rsplit_once("her "))
    {
        let another = [" he ", " she ", " they ", " him ", " and "]
            .iter()
            .any(|other| format!(" {front} ").contains(other));
        if !another && !front.contains(',') {
            return tie_en(tie);
        }
    }
    // `kissed B, her lover of three summers`.
    let aside = after
        .strip_prefix(", his ")
        .or_else(|| after.strip_prefix(", her "))?;
    let aside = aside.split([',', '.', ';']).next()?;
    let tie = aside.split(" of ").next()?;
    (word.split(' ').count() <= 3)
        .then(|| tie_en(tie))
        .flatten()
}

/// The tie an English phrase ends with: `old friend`, `sworn enemy`.
pub(super) fn tie_en(phrase: &str) -> Option<i8> {
    const LONGEST: usize = 4;
    const TIES: [&str; 16] = [
        "friend",
        "friends",
        "enemy",
        "enemies",
        "foe",
        "rival",
        "nemesis",
        "ally",
        "allies",
        "comrade",
        "lover",
        "lovers",
        "stranger",
        "strangers",
        "companion",
        "confidant",
    ];
    let words: Vec<&str> = phrase.split_whitespace().collect();
    if words.is_empty() || words.len() > LONGEST {
        return None;
    }
    let last = words.last()?;
    TIES.contains(last).then(|| meaning(last)).flatten()
}
