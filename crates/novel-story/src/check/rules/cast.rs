//! Somebody dead, absent or retired acts or speaks.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use novel_model::{Lang, message};

use super::{Scope, member, subject::PRONOUNS};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        people::life_of,
        prose::{Mention, holds},
        reading::{Excuse, Reading},
    },
    ledger::Life,
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let mut gone_cache: BTreeMap<&str, Option<(FindingCode, Side)>> = BTreeMap::new();
    let mut reported: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, scene) in scope.text.scenes.iter().enumerate() {
        for mention in scope.mentions(at) {
            let gone = gone_cache
                .entry(mention.id)
                .or_insert_with(|| gone(scope, mention.id));
            let Some((code, other_side)) = gone else {
                continue;
            };
            let act = scope.read(at, *mention).act();
            let act = act
                .or_else(|| follow_up(scope, at, *mention))
                .or_else(|| introduced(scope, at, *mention))
                .or_else(|| touched(scope, at, *mention))
                .or_else(|| goes_on(scope, at, *mention));
            let Some(focus) = act else {
                continue;
            };
            let Some(sentence) = scene.sentence_at(focus.start) else {
                continue;
            };
            let away = match code {
                FindingCode::AbsentCharacterActs => life_before(scope, mention.id),
                _ => None,
            };
            let excused = match away {
                Some(Life::Absent) => !has_company(scope, at, mention),
                Some(Life::Senseless) => may_wake(scope, scene.text(sentence)),
                _ => false,
            };
            if excused {
                continue;
            }
            let seen = reported.entry(mention.id).or_default();
            if !seen.insert(at << 32 | sentence.start) {
                continue;
            }
            let place = scope.text.side(scene, sentence, focus);
            findings.push(report(
                scope,
                *code,
                mention.id,
                away == Some(Life::Senseless),
                (place, other_side.clone()),
            ));
        }
    }
}

/// What the record says of somebody's life before the chapter.
fn life_before(scope: &Scope<'_>, id: &str) -> Option<Life> {
    scope
        .past
        .character(id)
        .and_then(life_of)
        .map(|(_, _, life)| life)
}

/// Whether the chapter lets somebody wake, or the sentence tells what a senseless body does.
fn may_wake(scope: &Scope<'_>, sentence: &str) -> bool {
    const WAKES_ZH: &[&str] = &[
        "醒",
        "睁开眼",
        "睁眼",
        "解封",
        "破封",
        "恢复意识",
        "恢复了意识",
    ];
    const WAKES_EN: &[&str] = &[
        "woke",
        "wake",
        "waking",
        "awoke",
        "awake",
        "came to",
        "come to",
        "opened his eyes",
        "opened her eyes",
        "thaw",
        "unsealed",
        "conscious",
    ];
    const STIRS_ZH: &[&str] = &[
        "睡", "躺", "昏", "呼吸", "喘", "呻吟", "呓", "梦", "眉", "抽搐", "脸色",
    ];
    const STIRS_EN: &[&str] = &[
        "slept", "sleep", "lay", "lying", "breath", "moan", "groan", "stir", "mutter", "murmur",
        "dream", "twitch", "sigh", "pale",
    ];
    let (wakes, stirs) = match scope.lang {
        Lang::Zh => (WAKES_ZH, STIRS_ZH),
        Lang::En => (WAKES_EN, STIRS_EN),
    };
    holds(&sentence.to_lowercase(), stirs)
        || scope
            .text
            .scenes
            .iter()
            .any(|scene| holds(&scene.content.to_lowercase(), wakes))
}

/// Somebody is looked at or turned to, alone in the paragraph so far, and the next sentence goes on
/// with a pronoun: `Everyone looked at Chen. He shrugged`.
fn follow_up(scope: &Scope<'_>, at: usize, mention: Mention<'_>) -> Option<Range<usize>> {
    const TURNED_TO_ZH: &[&str] = &[
        "看向",
        "望向",
        "转向",
        "看着",
        "望着",
        "盯着",
        "走向",
        "指着",
        "指向",
        "看了看",
        "围住",
        "瞪着",
        "投向",
    ];
    const GAZE_EN: &[&str] = &[
        "looked",
        "glanced",
        "stared",
        "turned",
        "nodded",
        "pointed",
        "waved",
        "gestured",
        "gazed",
        "grinned",
        "swung round",
    ];
    if !matches!(
        scope.read(at, mention),
        Reading::Doubtful | Reading::Excused(Excuse::Mention)
    ) {
        return None;
    }
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    let next = scene.next_in_paragraph(sentence)?;
    let paragraph = scene.paragraphs.get(sentence.paragraph)?;
    let before = &scene.content[sentence.start..mention.start];
    let rest = &scene.content[mention.end..sentence.end];
    // The name ends its sentence, so nothing else is looked at.
    if rest.chars().any(char::is_alphanumeric) {
        return None;
    }
    let turned_to = match scope.lang {
        Lang::Zh => TURNED_TO_ZH
            .iter()
            .any(|verb| before.trim_end_matches('了').ends_with(verb)),
        Lang::En => {
            let before = before.trim_end().to_lowercase();
            ["at", "to", "toward", "towards"]
                .iter()
                .find_map(|word| before.strip_suffix(word))
                .is_some_and(|before| GAZE_EN.iter().any(|verb| before.trim_end().ends_with(verb)))
        }
    };
    let words = scene.text(next);
    let pronoun = PRONOUNS
        .iter()
        .find(|pronoun| words.starts_with(**pronoun))?;
    let so_far = scene.content[paragraph.start..sentence.end].to_lowercase();
    let alone = scope
        .mentions(at)
        .iter()
        .filter(|other| (paragraph.start..next.end).contains(&other.start))
        .all(|other| other.id == mention.id);
    let plural = words[pronoun.len()..].starts_with(['们', '的']);
    // `He looked peaceful` tells of the dead as well.
    let seems = ["looked", "seemed", "appeared", "wore", "看起来", "看上去"]
        .iter()
        .any(|verb| words[pronoun.len()..].starts_with(verb));
    if !turned_to || !alone || plural || seems || says_pronoun(&so_far) {
        return None;
    }
    let stand_in = Mention {
        start: next.start,
        end: next.start + pronoun.trim_end().len(),
        id: mention.id,
    };
    scope.read(at, stand_in).act()
}

/// `“我是陈老。”来人说`: somebody says who they are, and nobody else is named who may have said it.
fn introduced(scope: &Scope<'_>, at: usize, mention: Mention<'_>) -> Option<Range<usize>> {
    const SAYS_ZH: &[&str] = &["我是", "我叫", "我就是", "我乃", "在下", "吾乃", "我，"];
    const SAYS_EN: &[&str] = &["i'm ", "i’m ", "i am ", "my name is ", "the name is ", "the name's "];
    const FALSE: &[&str] = &[
        "冒充", "假", "学着", "装", "扮", "模仿", "念", "读", "录音", "信", "梦", "自称", "骗", "戏",
        "玩", "孩子", "游戏", "打仗", "谎", "口吻", "口气", "留言", "如果", "幻", "鬼", "魂", "pretend", "imitat", "mimic", "tape",
        "record", "voicemail", "letter", "read", "dream", "costume", "impost", "lied", "lying",
        "ghost", "if ", "stage", "play", "joke", "mock",
    ];
    let scene = scope.text.scenes.get(at)?;
    if !scene.is_quoted(mention.start) || scope.flashbacks.get(at)?.covers(mention.start) {
        return None;
    }
    let sentence = scene.sentence_at(mention.start)?;
    let paragraph = scene.paragraphs.get(sentence.paragraph)?.clone();
    let before = scene.content[sentence.start..mention.start].to_lowercase();
    let says = match scope.lang {
        Lang::Zh => SAYS_ZH,
        Lang::En => SAYS_EN,
    };
    let rest = &scene.content[mention.end..sentence.end];
    let ends = rest.starts_with(['。', '！', '，', ',', '.', '!', '”', '"']);
    let next = scene.next_in_paragraph(sentence);
    let tag_end = next.map_or(sentence.end, |next| next.end);
    let another = scope.mentions(at).iter().any(|other| {
        (sentence.start..tag_end).contains(&other.start)
            && other.id != mention.id
            && !scene.is_quoted(other.start)
            && scope.read(at, *other).act().is_some()
            && other.start < sentence.end
    });
    let told = scene.content[paragraph].to_lowercase();
    (says.iter().any(|word| before.ends_with(word)) && ends && !another && !holds(&told, FALSE))
        .then_some(mention.start..mention.end)
}

/// `苏棠推了推陈老，他翻了个身`: whom somebody touches goes on, with a pronoun of their own.
fn touched(scope: &Scope<'_>, at: usize, mention: Mention<'_>) -> Option<Range<usize>> {
    const TOUCHES: &[&str] = &[
        "推了推", "拍了拍", "摇了摇", "踢了踢", "拉住", "拽住", "扶住", "扶起", "叫住", "喊住", "拦住",
        "按住", "搂住", "抱住", "叫醒", "推醒", "摇醒", "拉起",
    ];
    const LIFELESS: &[&str] = &["没有", "一动不动", "冰", "僵", "再也", "不再", "已经", "早已", "沉", "血"];
    if scope.lang != Lang::Zh
        || !matches!(
            scope.read(at, mention),
            Reading::Doubtful | Reading::Excused(Excuse::Mention)
        )
    {
        return None;
    }
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    let before = &scene.content[sentence.start..mention.start];
    let rest = &scene.content[mention.end..sentence.end];
    let pronoun = ["，他", "，她"].iter().find(|pronoun| rest.starts_with(**pronoun))?;
    let clause = rest[pronoun.len()..].split(['，', '。']).next().unwrap_or_default();
    let unclear = clause.starts_with(['们', '的']) || holds(clause, LIFELESS);
    if unclear || !TOUCHES.iter().any(|verb| before.ends_with(verb)) {
        return None;
    }
    let start = mention.end + '，'.len_utf8();
    let stand_in = Mention {
        start,
        end: start + '他'.len_utf8(),
        id: mention.id,
    };
    scope.read(at, stand_in).act()
}

/// `Chen did not answer. He turned the coin over`: a denial of somebody who is there.
fn goes_on(scope: &Scope<'_>, at: usize, mention: Mention<'_>) -> Option<Range<usize>> {
    const NOT_HERE: &[&str] = &["live", "survive", "come", "return", "make", "exist", "leave", "die", "see"];
    if scope.lang != Lang::En || scope.read(at, mention) != Reading::Doubtful {
        return None;
    }
    let scene = scope.text.scenes.get(at)?;
    let sentence = scene.sentence_at(mention.start)?;
    let next = scene.next_in_paragraph(sentence)?;
    let after = &scene.content[mention.end..sentence.end];
    let denied = after
        .strip_prefix(" did not ")
        .or_else(|| after.strip_prefix(" didn't "))
        .or_else(|| after.strip_prefix(" didn’t "))?;
    let verb = denied
        .split(|char: char| !char.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let words = scene.text(next);
    let pronoun = ["He ", "She "].iter().find(|pronoun| words.starts_with(**pronoun))?;
    let alone = scope
        .mentions(at)
        .iter()
        .filter(|other| (sentence.start..next.end).contains(&other.start))
        .all(|other| other.id == mention.id);
    if mention.start != sentence.start || !alone || NOT_HERE.contains(&verb) {
        return None;
    }
    let stand_in = Mention {
        start: next.start,
        end: next.start + pronoun.len() - 1,
        id: mention.id,
    };
    scope.read(at, stand_in).act()
}

/// Whether a text has a pronoun of the third person.
fn says_pronoun(text: &str) -> bool {
    text.contains(['他', '她'])
        || text
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| matches!(word, "he" | "him" | "his" | "she" | "her" | "hers"))
}

/// Whether the same paragraph shows somebody else who is there: who is away may act elsewhere.
fn has_company(scope: &Scope<'_>, scene: usize, mention: &Mention<'_>) -> bool {
    let paragraphs = &scope.text.scenes[scene].paragraphs;
    let at = paragraphs.partition_point(|range| range.end <= mention.start);
    let Some(range) = paragraphs.get(at) else {
        return false;
    };
    let sentence = scope.text.scenes[scene].sentence_at(mention.start);
    let text = sentence.map_or("", |sentence| scope.text.scenes[scene].text(sentence));
    let lower = text.to_lowercase();
    let in_mind = match scope.lang {
        Lang::Zh => holds(text, IN_MIND_ZH),
        Lang::En => lower
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| IN_MIND_EN.contains(&word)),
    };
    scope
        .mentions(scene)
        .iter()
        .filter(|other| range.contains(&other.start) && other.id != mention.id)
        .filter(|other| gone(scope, other.id).is_none())
        .any(|other| match scope.read(scene, *other) {
            Reading::Acts(_) => true,
            // Whom an act is done to is there: `passed Haruki the salt`.
            Reading::Doubtful | Reading::Excused(Excuse::Mention) => {
                !in_mind
                    && sentence
                        .is_some_and(|sentence| (mention.end..sentence.end).contains(&other.start))
                    && !is_owner(&scope.text.scenes[scene].content[other.end..])
            }
            Reading::Excused(_) => false,
        })
}

/// Somebody elsewhere thinks of, writes to or waits for whoever is named.
const IN_MIND_ZH: &[&str] = &[
    "想", "念", "记", "梦", "信", "电话", "短信", "消息", "惦", "担心", "恨", "爱", "托人", "打听",
    "寻找", "听说", "知道", "提到", "说起", "相信", "等",
];
const IN_MIND_EN: &[&str] = &[
    "think",
    "thought",
    "thinking",
    "remember",
    "remembered",
    "wrote",
    "writing",
    "letter",
    "phone",
    "phoned",
    "telephoned",
    "call",
    "called",
    "miss",
    "missed",
    "loved",
    "hated",
    "wondered",
    "hoped",
    "news",
    "dreamed",
    "dreamt",
    "knew",
    "believed",
    "feared",
    "wanted",
    "wished",
    "waited",
    "about",
    "of",
    "message",
    "texted",
    "trusted",
];

/// `叶清欢的信`, `Haruki's letter`: the thing may be there without its owner.
fn is_owner(rest: &str) -> bool {
    const NOT_ALONE: &[&str] = &[
        "肩", "手", "头", "背", "胳膊", "袖", "身", "脸", "面前", "衣",
    ];
    match rest.strip_prefix('的') {
        Some(rest) => !NOT_ALONE.iter().any(|part| rest.starts_with(part)),
        None => rest.starts_with("'s") || rest.starts_with("’s"),
    }
}

fn report(
    scope: &Scope<'_>,
    code: FindingCode,
    id: &str,
    senseless: bool,
    sides: (Side, Side),
) -> Finding {
    let name = scope.display(id);
    let quotation = sides.0.quotation.clone();
    let (text, fix) = match code {
        FindingCode::AbsentCharacterActs if senseless => (
            message!(
                en: "{name} is senseless before this chapter, but acts or speaks in it",
                zh: "{name}在本章之前已不省人事，却在本章中行动或说话"
            ),
            message!(
                en: "{name} is senseless: in “{quotation}”, give the action or speech to somebody else, or show how {name} woke",
                zh: "{name}不省人事：请把「{quotation}」中的言行改由他人完成，或写明{name}如何醒来"
            ),
        ),
        FindingCode::DeadCharacterActs => (
            message!(
                en: "{name} is dead before this chapter, but acts or speaks in it",
                zh: "{name}在本章之前已经死亡，却在本章中行动或说话"
            ),
            message!(
                en: "{name} is dead: in “{quotation}”, give the action or speech to somebody else, take it out, or make plain that it is a memory",
                zh: "{name}已经死亡：请把「{quotation}」中的言行改由他人完成、删去，或写明这是回忆"
            ),
        ),
        FindingCode::AbsentCharacterActs => (
            message!(
                en: "{name} is away before this chapter, but acts or speaks in it",
                zh: "{name}在本章之前已经不在场，却在本章中行动或说话"
            ),
            message!(
                en: "{name} is away: in “{quotation}”, give the action or speech to somebody else, or show how {name} came back",
                zh: "{name}不在场：请把「{quotation}」中的言行改由他人完成，或写明{name}如何归来"
            ),
        ),
        _ => (
            message!(
                en: "{name} has left the story, but acts or speaks in this chapter",
                zh: "{name}已经退场，却在本章中行动或说话"
            ),
            message!(
                en: "{name} has left the story: in “{quotation}”, give the action or speech to somebody else, or take it out",
                zh: "{name}已经退场：请把「{quotation}」中的言行改由他人完成或删去"
            ),
        ),
    };
    let subject = sides.0.bound(id);
    Finding::new(code, scope.chapter, &subject, sides, text)
        .about([name])
        .fix(scope.lang, &fix)
}

/// Why somebody cannot act in this chapter.
pub(in crate::check) fn gone(scope: &Scope<'_>, id: &str) -> Option<(FindingCode, Side)> {
    let before = scope.past.character(id);
    let after = scope.after.as_ref();
    if let Some((key, value, life @ (Life::Dead | Life::Absent | Life::Senseless))) =
        before.and_then(life_of)
    {
        // Who is alive after the chapter came back in it; that is a story, not a fault.
        let returns = after
            .and_then(|after| after.get("characters")?.get(id))
            .is_some_and(|record| life_of(record).is_none_or(|(_, _, now)| now != life));
        if returns {
            return None;
        }
        let path = format!("characters.{id}.{key}");
        let side = scope.past.source(&path, member(key, value));
        let code = match life {
            Life::Absent | Life::Senseless => FindingCode::AbsentCharacterActs,
            _ => FindingCode::DeadCharacterActs,
        };
        return Some((code, side));
    }
    let person = scope.people.get(id)?;
    let (pointer, quotation) = person.left_before(scope.chapter, scope.is_newest)?;
    let side = Side::pointer(person.path.clone(), pointer, quotation);
    Some((FindingCode::RetiredCharacterActs, side))
}
