//! Somebody uses a part of the body or a sense that the record says is lost.

use novel_model::{Lang, message};
use serde_json::Value;

use super::{Scope, member, subject::subject};
use crate::{
    check::{
        finding::{Finding, FindingCode, Side},
        prose::holds,
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
                let text = scene.narrated(sentence.start..sentence.end);
                let Some(word) = troubles
                    .iter()
                    .find_map(|trouble| used(*trouble, &text, scope.lang))
                else {
                    continue;
                };
                let Some((user, named)) = subject(scope, at, sentence) else {
                    continue;
                };
                let Some(word_at) = scene.content[named.end..sentence.end].find(word) else {
                    continue;
                };
                let between = &scene.content[named.end..named.end + word_at];
                let another = scope.mentions(at).iter().any(|other| {
                    (named.end..named.end + word_at).contains(&other.start) && other.id != user
                });
                if user != id.as_str() || another || belongs_to_another(between, scope.lang) {
                    continue;
                }
                let end = named.end + word_at + word.len();
                let place = scope.text.side(scene, sentence, named.start..end);
                findings.push(report(scope, id, (place, source.clone())));
            }
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

/// The word that shows the lost part or sense in use.
pub(in crate::check) fn used(trouble: Trouble, text: &str, lang: Lang) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let excused = match lang {
        Lang::Zh => holds(text, EXCUSED_ZH),
        Lang::En => holds(&lower, EXCUSED_EN),
    };
    if excused {
        return None;
    }
    let words: &[&str] = match (lang, trouble) {
        (Lang::Zh, Trouble::Lost(Part::Arm | Part::Hand, 'l')) => &[
            "左手",
            "左臂",
            "左拳",
            "左掌",
            "双手",
            "双臂",
            "两手",
            "双拳",
            "双掌",
            "两只手",
        ],
        (Lang::Zh, Trouble::Lost(Part::Arm | Part::Hand, 'r')) => &[
            "右手",
            "右臂",
            "右拳",
            "右掌",
            "双手",
            "双臂",
            "两手",
            "双拳",
            "双掌",
            "两只手",
        ],
        (Lang::Zh, Trouble::Lost(Part::Arm | Part::Hand, 'b')) => {
            &["双手", "双臂", "两手", "左手", "右手", "双拳", "双掌"]
        }
        (Lang::Zh, Trouble::Lost(Part::Arm | Part::Hand, _)) => {
            &["双手", "双臂", "两手", "双拳", "双掌", "两只手"]
        }
        (Lang::Zh, Trouble::Lost(Part::Leg, 'l')) => &[
            "左腿",
            "左脚",
            "双腿",
            "双脚",
            "两腿",
            "双足",
            "飞奔",
            "狂奔",
            "健步如飞",
            "大步流星",
        ],
        (Lang::Zh, Trouble::Lost(Part::Leg, 'r')) => &[
            "右腿",
            "右脚",
            "双腿",
            "双脚",
            "两腿",
            "双足",
            "飞奔",
            "狂奔",
            "健步如飞",
            "大步流星",
        ],
        (Lang::Zh, Trouble::Lost(Part::Leg, _) | Trouble::Lamed) => &[
            "双腿", "双脚", "两腿", "双足", "飞奔", "狂奔", "跑", "奔", "大步", "站起", "跳起",
            "纵身", "一跃", "走到", "走进", "走出", "迈步", "踱步", "疾步", "快步",
        ],
        (Lang::Zh, Trouble::Lost(Part::Eye, 'l')) => &["左眼", "双眼", "双目", "两眼", "两只眼睛"],
        (Lang::Zh, Trouble::Lost(Part::Eye, 'r')) => &["右眼", "双眼", "双目", "两眼", "两只眼睛"],
        (Lang::Zh, Trouble::Lost(Part::Eye, _)) => &["双眼", "双目", "两眼", "两只眼睛"],
        (Lang::Zh, Trouble::Blind) => &[
            "看见",
            "看到",
            "看着",
            "看向",
            "看了",
            "望着",
            "望向",
            "望见",
            "望了",
            "盯着",
            "瞪",
            "瞥",
            "目光",
            "打量",
            "端详",
            "注视",
            "凝视",
            "扫视",
            "扫了一眼",
            "瞧见",
            "瞧着",
            "读",
            "眯起眼",
            "目送",
        ],
        (Lang::Zh, Trouble::Lost(Part::Ear, _)) => &["两耳", "双耳"],
        (Lang::Zh, Trouble::Deaf) => &[
            "听见", "听到", "听着", "听了", "听完", "侧耳", "闻声", "听出", "听得",
        ],
        (Lang::Zh, Trouble::Mute | Trouble::Lost(Part::Tongue, _)) => &[
            "说道",
            "问道",
            "答道",
            "喊道",
            "叫道",
            "喝道",
            "笑道",
            "骂道",
            "叹道",
            "低声道",
            "开口",
            "说：",
            "道：",
            "问：",
            "喊：",
            "大喊",
            "大叫",
            "高喊",
            "说了",
            "回答",
            "吩咐",
            "唱",
        ],
        (Lang::En, Trouble::Lost(Part::Arm | Part::Hand, 'l')) => &[
            "left hand",
            "left arm",
            "left fist",
            "both hands",
            "both arms",
            "two hands",
            "both fists",
            "hands together",
        ],
        (Lang::En, Trouble::Lost(Part::Arm | Part::Hand, 'r')) => &[
            "right hand",
            "right arm",
            "right fist",
            "both hands",
            "both arms",
            "two hands",
            "both fists",
            "hands together",
        ],
        (Lang::En, Trouble::Lost(Part::Arm | Part::Hand, 'b')) => &[
            "left hand",
            "right hand",
            "both hands",
            "his hands",
            "her hands",
            "both arms",
        ],
        (Lang::En, Trouble::Lost(Part::Arm | Part::Hand, _)) => &[
            "both hands",
            "both arms",
            "two hands",
            "both fists",
            "hands together",
        ],
        (Lang::En, Trouble::Lost(Part::Leg, 'l')) => &[
            "left leg",
            "left foot",
            "both legs",
            "both feet",
            "two feet",
            "sprinted",
            " ran ",
            "raced",
        ],
        (Lang::En, Trouble::Lost(Part::Leg, 'r')) => &[
            "right leg",
            "right foot",
            "both legs",
            "both feet",
            "two feet",
            "sprinted",
            " ran ",
            "raced",
        ],
        (Lang::En, Trouble::Lost(Part::Leg, _) | Trouble::Lamed) => &[
            "both legs",
            "both feet",
            "sprinted",
            " ran ",
            "raced",
            "strode",
            "walked",
            "leapt",
            "leaped",
            "jumped",
            "stood up",
            "climbed",
            "marched",
            "paced",
        ],
        (Lang::En, Trouble::Lost(Part::Eye, 'l')) => {
            &["left eye", "both eyes", "both his eyes", "both her eyes"]
        }
        (Lang::En, Trouble::Lost(Part::Eye, 'r')) => {
            &["right eye", "both eyes", "both his eyes", "both her eyes"]
        }
        (Lang::En, Trouble::Lost(Part::Eye, _)) => &["both eyes", "both his eyes", "both her eyes"],
        (Lang::En, Trouble::Blind) => &[
            " saw ",
            "looked at",
            "looked up",
            "stared",
            "glanced",
            "watched",
            "gazed",
            "peered",
            "read the",
            "squinted",
            "spotted",
            "noticed the",
            "could see",
            "glared",
            "scanned",
            "studied",
        ],
        (Lang::En, Trouble::Lost(Part::Ear, _)) => &["both ears"],
        (Lang::En, Trouble::Deaf) => {
            &["heard", "listened", "overheard", "could hear", "pricked up"]
        }
        (Lang::En, Trouble::Mute | Trouble::Lost(Part::Tongue, _)) => &[
            "said",
            "shouted",
            "whispered",
            "asked",
            "replied",
            "answered",
            "called out",
            "cried out",
            "murmured",
            "muttered",
            "yelled",
            "sang",
            "told",
            "spoke",
            "snapped",
            "explained",
        ],
    };
    words.iter().copied().find(|word| {
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
