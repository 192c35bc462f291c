//! Hard rules of the world that name what is forbidden: `禁止在幽暗森林使用火系法术`,
//! `No one may cross the bridge after dusk`.
//!
//! A rule is read as a condition and a forbidden event. A sentence of the narrator in which somebody
//! acts and which holds every word of both, in the affirmative, breaks it. Rules of another form
//! decide nothing.

use novel_model::{Lang, files::WorldRule, layout, message};
use serde_json::Value;

use super::{Scope, member, subject::subject};
use crate::check::{
    finding::{Finding, FindingCode, Side},
    prose::holds,
};

/// Marks of a prohibition.
const FORBIDS_ZH: [&str; 9] = [
    "禁止", "严禁", "不得", "不可", "不能", "不许", "不准", "无法", "勿",
];
const FORBIDS_EN: [&str; 9] = [
    "must not",
    "may not",
    "cannot",
    "can not",
    "must never",
    "no one may",
    "nobody may",
    "is forbidden to",
    "are forbidden to",
];

/// The sentence with such a word keeps the rule, or does not say that it is broken.
const EXCUSED_ZH: &[&str] = &[
    "不", "没", "未", "无", "禁", "若", "如果", "除非", "想", "梦", "传说", "据说", "曾", "当年",
    "规矩", "规定", "险些", "差点", "欲", "似乎", "仿佛", "才能", "忍住", "打消",
];
const EXCUSED_EN: &[&str] = &[
    " not ",
    "n't",
    "never",
    "no ",
    "if ",
    "unless",
    "would",
    "forbid",
    "rule",
    "law",
    "dream",
    "remember",
    "once",
    "had ",
    "legend",
    "almost",
    "nearly",
    "wanted",
    "refused",
    "without",
    "as though",
    "as if",
];

/// What a rule forbids: all the words must stand in a sentence.
struct Forbidden {
    words: Vec<String>,
}

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    for (at, rule) in scope.world_rules {
        if rule
            .introduced_chapter
            .is_some_and(|chapter| chapter > scope.chapter.get())
        {
            continue;
        }
        let Some(forbidden) = read(rule, scope.lang) else {
            continue;
        };
        let mut is_first = true;
        for (number, scene) in scope.text.scenes.iter().enumerate() {
            for sentence in scene.sentences.iter().copied() {
                let text = scene.narrated(sentence.start..sentence.end);
                let lower = text.to_lowercase();
                let all = forbidden.words.iter().all(|word| lower.contains(word));
                let excused = match scope.lang {
                    Lang::Zh => holds(&text, EXCUSED_ZH),
                    Lang::En => holds(&lower, EXCUSED_EN),
                } || rule
                    .exceptions
                    .iter()
                    .any(|exception| !exception.is_empty() && text.contains(exception.as_str()));
                if !all || excused {
                    continue;
                }
                let Some((id, named)) = subject(scope, number, sentence) else {
                    continue;
                };
                let place = scope.text.side(scene, sentence, named.start..sentence.end);
                findings.push(report(scope, (*at, rule), id, is_first, place));
                is_first = false;
            }
        }
    }
}

/// The words a rule is about.
pub(in crate::check) fn forbidden_words(rule: &WorldRule, lang: Lang) -> Option<Vec<String>> {
    read(rule, lang).map(|forbidden| forbidden.words)
}

/// The words that make the forbidden event; `None` for a rule of another form.
fn read(rule: &WorldRule, lang: Lang) -> Option<Forbidden> {
    const ENOUGH: usize = 2;
    let text = rule
        .rule
        .trim()
        .trim_end_matches(['。', '.'])
        .to_lowercase();
    let words = match lang {
        Lang::Zh => {
            if text.contains(['，', '；', '：']) && text.split(['，', '；', '：']).count() > 2
            {
                return None;
            }
            let mark = FORBIDS_ZH.iter().find(|mark| text.contains(**mark))?;
            let (condition, event) = text.split_once(mark)?;
            terms_zh(condition)
                .chain(terms_zh(event))
                .collect::<Vec<_>>()
        }
        Lang::En => {
            let mark = FORBIDS_EN.iter().find(|mark| text.contains(**mark))?;
            let (condition, event) = text.split_once(mark)?;
            terms_en(condition).chain(terms_en(event)).collect()
        }
    };
    let letters: usize = words.iter().map(|word| word.chars().count()).sum();
    (words.len() >= ENOUGH && letters >= 4).then_some(Forbidden { words })
}

/// Content words: what is left between function words.
fn terms_zh(text: &str) -> impl Iterator<Item = String> + '_ {
    const FUNCTION: &[&str] = &[
        "在",
        "使用",
        "施展",
        "任何人",
        "任何",
        "所有",
        "凡",
        "者",
        "都",
        "均",
        "一律",
        "进行",
        "的",
        "于",
        "内",
        "中",
        "里",
        "时",
        "之",
        "期间",
        "“",
        "”",
        "「",
        "」",
        "，",
        "、",
        "或",
        "和",
        "与",
        "进入",
        "人",
    ];
    let mut pieces = vec![text.to_owned()];
    for word in FUNCTION {
        pieces = pieces
            .iter()
            .flat_map(|piece| piece.split(word).map(str::to_owned).collect::<Vec<_>>())
            .collect();
    }
    // `入` and `出` of `进入` and `走出` stay with their place.
    pieces
        .into_iter()
        .map(|piece| piece.trim().to_owned())
        .filter(|piece| piece.chars().count() >= 2)
}

fn terms_en(text: &str) -> impl Iterator<Item = String> + '_ {
    const FUNCTION: [&str; 32] = [
        "the", "a", "an", "in", "on", "at", "of", "to", "any", "be", "is", "are", "use", "used",
        "using", "by", "with", "who", "has", "have", "while", "when", "during", "within", "inside",
        "and", "or", "all", "people", "person", "anyone", "cast",
    ];
    text.split(|char: char| !char.is_alphanumeric())
        .filter(|word| word.len() > 2 && !FUNCTION.contains(word))
        // `crosses`, `crossed`, `crossing` share the stem.
        .map(|word| {
            let stem = word
                .strip_suffix("ing")
                .or_else(|| word.strip_suffix("es"))
                .or_else(|| word.strip_suffix('s'))
                .or_else(|| word.strip_suffix('e'))
                .unwrap_or(word);
            if stem.len() >= 3 {
                stem.to_owned()
            } else {
                word.to_owned()
            }
        })
}

fn report(
    scope: &Scope<'_>,
    (at, rule): (usize, &WorldRule),
    id: &str,
    is_first: bool,
    place: Side,
) -> Finding {
    let name = scope.display(id);
    let (code, quotation) = (&rule.id, place.quotation.clone());
    let text = message!(
        en: "{name} does what rule {code} forbids",
        zh: "{name}违反了规则 {code}"
    );
    let words = &rule.rule;
    let fix = message!(
        en: "rule {code} holds ({words}): rewrite “{quotation}”, or name the exception",
        zh: "规则 {code} 有效（{words}）：请改写「{quotation}」，或写明例外"
    );
    let other = Side::pointer(
        layout::world_rules(),
        format!("/rules/{at}/rule"),
        member("rule", &Value::from(words.as_str())),
    );
    let subject = if is_first {
        code.clone()
    } else {
        format!("{code}\n{quotation}")
    };
    Finding::new(
        FindingCode::WorldRuleBroken,
        scope.chapter,
        &subject,
        (place, other),
        text,
    )
    .about([name])
    .fix(scope.lang, &fix)
}
