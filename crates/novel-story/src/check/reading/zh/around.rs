//! What the text around a name says of the world it is in: a dream, a picture, a stage, a grave, a
//! time that is over, a death that is told.
//!
//! One sentence often opens such a world and the next one goes on in it without a word of it, or the
//! next one is the first to say so. Neither proves that the name is no act, so it stays a candidate.

use super::{Here, Reading, ends, frames, holds, scope, starts};

/// A world that is not here and now, opened before the name or revealed after it.
pub(super) fn elsewhere(here: &Here<'_>) -> Option<Reading> {
    let (previous, next) = here.beside();
    let opened = shows_world(&here.earlier)
        || shows_world(&previous) && !holds(&previous, frames::CLOSES)
        || shows_world(&next)
        || plays(here, &previous);
    (opened || is_over(here, &next) || ends_in_death(here, &next)).then_some(Reading::Doubtful)
}

/// Words of dreams, likenesses, stages and graves, without those that only sound like them.
fn shows_world(text: &str) -> bool {
    frames::WORLDS.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let rest = &text[at + word.len()..];
            let before = &text[..at];
            let idiom = frames::NO_WORLDS.iter().any(|idiom| {
                idiom
                    .match_indices(word)
                    .any(|(inner, _)| before.ends_with(&idiom[..inner]) && rest.starts_with(&idiom[inner + word.len()..]))
            });
            !idiom
        })
    })
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
        let medium = holds(clause, frames::DOCUMENTS) || holds(clause, frames::MEDIA);
        if medium && !holds(clause, frames::CLOSES) && is_shown(clause) {
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
    holds(clause, SHOWS)
        || frames::DOCUMENTS
            .iter()
            .chain(frames::MEDIA)
            .any(|medium| clause.starts_with(medium))
}

/// What comes after says that it was long ago: `那是她最后一次见到他`, `是十年前的事了`, `如今`.
fn is_over(here: &Here<'_>, next: &str) -> bool {
    const SINCE: &[&str] = &[
        "那之后", "从那以后", "从此以后", "打那以后", "自那以后", "自那之后", "那以后", "如今", "一晃",
        "转眼过去", "后来",
    ];
    const KEPT: &[&str] = &[
        "一辈子", "记到今天", "记到现在", "至今", "历历在目", "忘不了", "忘不掉", "最后一次", "最后一面",
        "最后一眼", "的往事", "的旧事", "当年", "那一年", "那年",
    ];
    const POINTS: &[&str] = &["那是", "这是", "那已", "这已", "这一幕", "那一幕", "那情景", "那画面", "那模样"];
    let told = |clause: &str| {
        starts(clause, POINTS).is_some()
            && (holds(clause, KEPT) || scope::ago_zh(clause) || holds(clause, &["年", "过去"]))
            || scope::ago_zh(clause) && ends(clause, &["的事", "的事了", "前了", "的旧事"])
    };
    let later = here.later.split(['，', '；', '。', '—']).skip(1);
    let after = next.split(['，', '；', '。', '—']);
    later.chain(after).any(told) || starts(next, SINCE).is_some() && !starts_late(here)
}

/// `后来` after somebody who is said to be at now is the same day.
fn starts_late(here: &Here<'_>) -> bool {
    holds(&here.earlier, frames::NOW) || holds(here.post, frames::NOW)
}

/// The sentence goes on to the death: `替她挡了一枪，倒下去就再没起来`.
fn ends_in_death(here: &Here<'_>, next: &str) -> bool {
    const NEVER: &[&str] = &[
        "再没", "再也没", "就没", "没有再", "没再", "一个也没", "一个都没", "谁也没", "没能", "没有能",
    ];
    const BACK: &[&str] = &[
        "起来", "醒", "回来", "睁", "回头", "开口", "出来", "上来", "站起", "爬起", "活着", "说话",
    ];
    const DEATHS: &[&str] = &[
        "咽了气", "咽下最后", "断了气", "没了气", "闭了眼", "合了眼", "闭上了眼", "合上了眼", "与世长辞",
        "撒手", "牺牲", "阵亡", "战死", "丧了命", "丢了性命", "送了命", "送了性命", "当场身亡", "一命呜呼",
        "离开了人世", "死在", "死于", "就死了", "去世", "葬", "气绝", "殉",
    ];
    let dies = |clause: &str| {
        holds(clause, DEATHS)
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
    own.into_iter().any(dies) || taken_up && (dies(first) || next.any(dies))
}

/// A clause with a subject of its own: it is somebody else who may die in it.
fn names_another(clause: &str) -> bool {
    starts(clause, &["敌", "对方", "那人", "那", "对手", "贼", "众"]).is_some()
}
