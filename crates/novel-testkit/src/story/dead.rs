//! Sentences about somebody who is dead, each with two pairs of names.

use serde_json::json;

use super::cases::{Case, held_out, set};

/// Language, sentences, and whether rules were made with all of them.
const SENTENCES: [(&str, &str, bool); 3] = [
    ("zh", include_str!("zh-dead.txt"), false),
    ("en", include_str!("en-dead.txt"), false),
    ("en", include_str!("en-clauses.txt"), true),
];

pub(super) fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (language, sentences, made_with) in SENTENCES {
        let (names, death) = match language {
            "zh" => ([("陈老", "林枫"), ("沈青崖", "苏晚")], "战死"),
            _ => ([("Old Chen", "Mara"), ("Marcus Vane", "Isolde")], "slain"),
        };
        for line in sentences.lines() {
            let (contradicts, pattern) = match line.split_at_checked(1) {
                Some(("+", pattern)) => (true, pattern.trim()),
                Some(("-", pattern)) => (false, pattern.trim()),
                _ => continue,
            };
            for (dead, living) in names {
                let record = vec![
                    set("characters.dead-one.status", json!(death)),
                    set("characters.living-one.location", json!("临安")),
                ];
                let text = pattern.replace("{D}", dead).replace("{A}", living);
                all.push(Case {
                    held_out: !made_with && held_out(pattern),
                    cast: vec![
                        ("dead-one".to_owned(), dead.to_owned()),
                        ("living-one".to_owned(), living.to_owned()),
                    ],
                    ..Case::prose("dead", language, record, &text, contradicts)
                });
            }
        }
    }
    all
}
