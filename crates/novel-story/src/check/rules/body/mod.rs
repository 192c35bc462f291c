//! Somebody uses a part of the body or a sense that the record says is lost.

#[rustfmt::skip]
mod words;

use std::ops::Range;

use novel_model::{Lang, message};
use serde_json::Value;

use super::{
    Scope, agent, member,
    shown::{push, spaced},
};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        prose::{Scene, Sentence, holds},
    },
    ledger::{Body, Meaning, Part, Slot, Trouble},
};

/// The sentence with such a word does not say that the part is used.
const EXCUSED_ZH: &[&str] = &[
    "没有",
    "空荡",
    "空袖",
    "不再",
    "不能",
    "无法",
    "再也",
    "义肢",
    "假肢",
    "木腿",
    "义手",
    "假手",
    "义眼",
    "假眼",
    "断臂",
    "断腿",
    "残臂",
    "残肢",
    "残",
    "断",
    "失",
    "仿佛",
    "好像",
    "似乎",
    "想",
    "梦",
    "若",
    "如果",
    "曾",
    "当年",
    "以前",
    "从前",
    "原本",
    "习惯性",
    "幻肢",
    "疼",
    "痛",
    "接上",
    "长出",
    "恢复",
    "痊愈",
    "治",
    "空空",
    "虚",
    "只剩",
    "剩下",
    "看不见",
    "听不见",
    "说不出",
    "摸索",
    "轮椅",
    "拐",
    "唇语",
    "手语",
    "比划",
    "心中",
    "心里",
    "暗",
    "写",
    "不",
    "没",
    "别人",
    "替",
    "画",
    "觉得",
    "假装",
    "装作",
    "灵识",
    "神识",
    "神念",
];
const EXCUSED_EN: &[&str] = &[
    " not ",
    "n't",
    "no longer",
    "never",
    "stump",
    "empty sleeve",
    "prosthetic",
    "wooden",
    "false",
    "glass eye",
    "would",
    "could have",
    "if ",
    "as if",
    "as though",
    "dream",
    "remember",
    "once",
    "had ",
    "missing",
    "lost",
    "phantom",
    "healed",
    "without his",
    "without her",
    "sightless",
    "unseeing",
    "blindly",
    "crutch",
    "wheelchair",
    "signed",
    "wrote",
    "lip",
    " sleep",
    "where his",
    "where her",
    "used to",
    "imagin",
    "seemed",
    "ghost of",
    "ached",
    "hurt",
    "pain",
    "itch",
    "carried",
    "helped",
    " by touch",
    "read him",
    "read her",
    "have ",
    "slate",
    " nothing",
    "fingertips",
    "by ear",
];

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let records = scope
        .past
        .state
        .as_ref()
        .and_then(|state| state.get("characters")?.as_object());
    for (id, record) in records.into_iter().flatten() {
        let Some((field, value, troubles)) = troubles(record) else {
            continue;
        };
        // A chapter that changes the body may heal it.
        let path = format!("characters.{id}.{field}");
        let touched = scope
            .own
            .is_some_and(|own| own.ops.iter().any(|op| op.path().starts_with(&path)));
        if touched {
            continue;
        }
        let source = scope.past.source(&path, member(field, value));
        for (at, scene) in scope.text.scenes.iter().enumerate() {
            if !scope.mentions(at).iter().any(|mention| mention.id == id) {
                continue;
            }
            for sentence in scene.sentences.iter().copied() {
                let shown = troubles
                    .iter()
                    .find_map(|trouble| use_by(scope, (at, scene), sentence, id, *trouble));
                if let Some(focus) = shown {
                    let place = scope.text.side(scene, sentence, focus);
                    push(findings, report(scope, id, (place, source.clone())));
                }
            }
        }
    }
}

/// Where a sentence shows somebody use what they have lost.
fn use_by(
    scope: &Scope<'_>,
    (at, scene): (usize, &Scene<'_>),
    sentence: Sentence,
    id: &str,
    trouble: Trouble,
) -> Option<Range<usize>> {
    let text = scene.text(sentence);
    let lower = text.to_ascii_lowercase();
    let lists = words::of(trouble, scope.lang);
    let found = lists.into_iter().flatten().find_map(|word| {
        lower.match_indices(*word).find_map(|(found, _)| {
            let start = sentence.start + found;
            let end = start + word.len();
            let whole = scope.lang == Lang::Zh
                || word.starts_with(' ')
                || !lower[..found].ends_with(char::is_alphanumeric);
            // Four fingers and a thumb of the other hand.
            let other_hand = match trouble {
                Trouble::Lost(Part::Finger, 'l') => lower.contains("右手"),
                Trouble::Lost(Part::Finger, 'r') => lower.contains("左手"),
                _ => false,
            };
            // Who rides or sails needs no leg for it.
            let carried = matches!(trouble, Trouble::Lamed | Trouble::Lost(Part::Leg, _))
                && match scope.lang {
                    Lang::Zh => {
                        !word.starts_with("翻身")
                            && holds(text, &["马", "骑", "车", "轿", "船", "舟"])
                    }
                    Lang::En => holds(
                        &lower,
                        &[
                            "horse", "rode", "gallop", "carriage", "boat", "ship", "train",
                            " car ", "cab",
                        ],
                    ),
                };
            if carried
                || other_hand
                || scene.is_quoted(start)
                || !whole
                || is_excused(scope, scene, sentence, start..end)
            {
                return None;
            }
            let owner = speaker_after(scope, at, trouble, end)
                .or_else(|| agent::near(scope, at, sentence, start))?;
            let named = owner.1.start.min(start)..end.max(owner.1.end);
            let between = scene.content.get(owner.1.end..start).unwrap_or_default();
            let own = matches!(between.trim(), "'s" | "’s" | "的");
            (owner.0 == id && (own || !belongs_to_another(between, scope.lang))).then_some(named)
        })
    })?;
    agent::is_now(scope, at, scene, sentence).then_some(found)
}

/// `"Not tonight," said Tessa`: who speaks stands after the verb.
fn speaker_after<'a>(
    scope: &Scope<'a>,
    at: usize,
    trouble: Trouble,
    end: usize,
) -> Option<(&'a str, Range<usize>)> {
    let speech = matches!(trouble, Trouble::Mute | Trouble::Lost(Part::Tongue, _));
    scope
        .mentions(at)
        .iter()
        .find(|mention| speech && scope.lang == Lang::En && mention.start == end + 1)
        .map(|mention| (mention.id, mention.start..mention.end))
}

/// Whether the clause of a word, or the one before it, says that the part is not in use after all.
fn is_excused(
    scope: &Scope<'_>,
    scene: &Scene<'_>,
    sentence: Sentence,
    word: Range<usize>,
) -> bool {
    let clause = agent::clause(scene, sentence, word.start, scope.lang);
    let before = scene.content[sentence.start..clause.start].trim_end_matches(['，', ',']);
    let before = before
        .rsplit(['，', ',', ';', '；'])
        .next()
        .unwrap_or_default();
    let own = &scene.content[clause];
    let own = own.replacen(&scene.content[word], " ", 1);
    match scope.lang {
        Lang::Zh => holds(&own, EXCUSED_ZH) || holds(before, EXCUSED_ZH),
        Lang::En => {
            // What had been before is over.
            let (own, before) = (spaced(&own), spaced(before).replace(" had ", " "));
            holds(&own, EXCUSED_EN) || holds(&before, EXCUSED_EN)
        }
    }
}

/// The injuries of a record that keep somebody from doing something.
pub(in crate::check) fn troubles(record: &Value) -> Option<(&str, &Value, Vec<Trouble>)> {
    record.as_object()?.iter().find_map(|(field, value)| {
        let slot = Slot::of_field(field)?;
        if !matches!(slot, Slot::Body | Slot::Alive) {
            return None;
        }
        match Meaning::of(Slot::Body, field, value)? {
            Meaning::Body(Body::Hurt(troubles)) => Some((field.as_str(), value, troubles)),
            _ => None,
        }
    })
}

/// Whether a text in small letters has a word that shows the lost part or sense in use, and whether
/// nothing in it excuses that.
pub(in crate::check) fn shows(trouble: Trouble, text: &str, lang: Lang) -> Option<bool> {
    let mut words = words::of(trouble, lang).into_iter().flatten();
    words.any(|word| text.contains(word)).then(|| {
        let excuses = match lang {
            Lang::Zh => EXCUSED_ZH,
            Lang::En => EXCUSED_EN,
        };
        !holds(text, excuses)
    })
}

/// The word that shows the lost part or sense in use.
pub(super) fn used(trouble: Trouble, text: &str, lang: Lang) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let excused = match lang {
        Lang::Zh => holds(text, EXCUSED_ZH),
        Lang::En => holds(&lower, EXCUSED_EN),
    };
    if excused {
        return None;
    }
    let mut words = words::of(trouble, lang).into_iter().flatten().copied();
    words.find(|word| {
        if lang == Lang::En {
            lower.contains(word)
        } else {
            text.contains(word)
        }
    })
}

/// `他握住苏晚的左手`: somebody else's.
fn belongs_to_another(between: &str, lang: Lang) -> bool {
    match lang {
        Lang::Zh => {
            between.ends_with("对方的")
                || between.ends_with("她的")
                || between.ends_with("他的")
                || between.ends_with("的") && between.chars().count() > 6
        }
        Lang::En => between.trim_end().ends_with("'s") || between.trim_end().ends_with("’s"),
    }
}

fn report(scope: &Scope<'_>, id: &str, sides: (Side, Side)) -> Finding {
    let name = scope.display(id);
    let quotation = sides.0.quotation.clone();
    let text = message!(
        en: "{name} uses a part of the body or a sense that is lost",
        zh: "{name}使用了已经失去的肢体或感官"
    );
    let fix = message!(
        en: "rewrite “{quotation}” so that it fits the injury of {name}, or show how it healed",
        zh: "请改写「{quotation}」，使其符合{name}的伤残，或写明如何复原"
    );
    let subject = sides.0.bound(id);
    Finding::new(
        FindingCode::BodyContradicted,
        scope.chapter,
        &subject,
        sides,
        text,
    )
    .about([name])
    .fix(scope.lang, &fix)
}
