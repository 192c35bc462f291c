//! One case: what the record says, what the chapter says, and whether that contradicts.

use serde_json::{Value, json};

use super::{
    book::{Book, Chapter},
    classes, dead, shown, typed,
};

/// What a chapter says against what is recorded before it.
#[derive(Clone)]
pub struct Case {
    /// What it is about.
    pub kind: String,
    /// `zh` or `en`.
    pub language: &'static str,
    /// Whether it is only measured, never looked at while rules are made.
    pub held_out: bool,
    /// The ops of the first chapter.
    pub record: Vec<Value>,
    /// The ops of the second.
    pub own: Vec<Value>,
    /// The decisive text of the second chapter.
    pub text: String,
    /// The claims of the second chapter.
    pub claims: Vec<Value>,
    /// Whether the text contradicts the record.
    pub contradicts: bool,
    /// Hard rules of the world.
    pub rules: Vec<String>,
    /// The cast, where it is another than the usual one: ids and names.
    pub cast: Vec<(String, String)>,
    /// What nobody may know before its chapter, where it is another than the usual secret.
    pub secrets: Vec<Value>,
    /// Places, where they are others than the usual ones.
    pub places: Value,
}

/// Every case of the benchmark.
#[must_use]
pub fn all_cases() -> Vec<Case> {
    let mut all = dead::cases();
    typed::cases(&mut all);
    shown::cases(&mut all);
    classes::cases(&mut all);
    all
}

/// `set` of a path.
pub(super) fn set(path: &str, value: Value) -> Value {
    json!({"op": "set", "path": path, "value": value})
}

/// Whether a sentence belongs to the half that is only measured.
pub(super) fn held_out(text: &str) -> bool {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash >> 17) % 2 == 1
}

impl Case {
    /// A sentence after a record.
    pub(super) fn prose(
        kind: &str,
        language: &'static str,
        record: Vec<Value>,
        text: &str,
        contradicts: bool,
    ) -> Self {
        Self {
            kind: kind.to_owned(),
            language,
            held_out: false,
            record,
            own: Vec::new(),
            text: text.to_owned(),
            claims: Vec::new(),
            contradicts,
            rules: Vec::new(),
            cast: Vec::new(),
            secrets: Vec::new(),
            places: Value::Null,
        }
    }

    /// The usual cast of a language.
    fn cast(&self) -> Vec<(String, String)> {
        if !self.cast.is_empty() {
            return self.cast.clone();
        }
        let names = if self.language == "zh" {
            [
                ("lin-feng", "林枫"),
                ("su-wan", "苏晚"),
                ("gu-yan", "顾砚"),
                ("chen-lao", "陈老"),
            ]
        } else {
            [
                ("mara", "Mara"),
                ("tobias", "Tobias"),
                ("isolde", "Isolde"),
                ("old-chen", "Old Chen"),
            ]
        };
        names
            .map(|(id, name)| (id.to_owned(), name.to_owned()))
            .to_vec()
    }

    /// A book of two chapters: the record, then the case.
    #[must_use]
    pub fn book(&self) -> Book {
        let mut book = Book {
            language: if self.language == "zh" { "zh-CN" } else { "en" },
            ..Book::default()
        };
        for (id, name) in self.cast() {
            book.character(&id, &name, &[]);
        }
        let places = match &self.places {
            Value::Null => usual_places(),
            places => places.clone(),
        };
        book.files.push(("world/places.json".to_owned(), places));
        let secrets = if self.secrets.is_empty() && self.cast.is_empty() {
            usual_secrets(self.language)
        } else {
            self.secrets.clone()
        };
        if !secrets.is_empty() {
            let truth = json!({"version": 1, "secrets": secrets});
            book.files.push(("world/truth.json".to_owned(), truth));
        }
        if !self.rules.is_empty() {
            let rules: Vec<Value> = (1..)
                .zip(&self.rules)
                .map(|(number, rule)| {
                    json!({"id": format!("W-{number:03}"), "category": "world", "rule": rule,
                           "constraint_type": "hard", "exceptions": [], "introduced_chapter": 1})
                })
                .collect();
            book.files
                .push(("world/rules.json".to_owned(), json!({"rules": rules})));
        }
        let (before, after) = if self.language == "zh" {
            ("风从河面上吹过来，灯笼晃了晃。", "街上渐渐静了下来。")
        } else {
            (
                "The wind came off the river and the lanterns swayed.",
                "The street grew quiet.",
            )
        };
        book.chapters.push(Chapter::of(before, self.record.clone()));
        book.chapters.push(Chapter {
            claims: self.claims.clone(),
            ..Chapter::of(
                format!("{before}\n\n{}\n\n{after}", self.text),
                self.own.clone(),
            )
        });
        book
    }
}

fn usual_places() -> Value {
    json!({"version": 1, "places": [
        {"id": "linan", "name": "临安", "aliases": ["临安城", "Linan"], "inside": null},
        {"id": "inn", "name": "听雨楼", "aliases": ["the Rain Inn"], "inside": "linan"},
        {"id": "yanmen", "name": "雁门关", "aliases": ["the Goose Gate"], "inside": null},
        {"id": "harbour", "name": "泉州港", "aliases": ["the harbour"], "inside": null}],
        "travel": [{"from": "linan", "to": "yanmen", "days": 10, "how": "horse"}, {"from": "linan", "to": "harbour", "days": 4}]})
}

/// A secret that names people of the usual cast.
fn usual_secrets(language: &str) -> Vec<Value> {
    let (fact, knows, learns) = match language {
        "zh" => ("掌柜是前朝太子", "chen-lao", "lin-feng"),
        _ => ("the innkeeper is the lost prince", "old-chen", "mara"),
    };
    let known_by =
        json!([{"character": knows, "from_chapter": 1}, {"character": learns, "from_chapter": 9}]);
    vec![json!({"id": "S-1", "fact": fact, "known_by": known_by})]
}
