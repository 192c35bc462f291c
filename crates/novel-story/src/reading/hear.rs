//! One answer of the book-reader, held against the text it was given.

use novel_model::{
    Message, Problem, RelPath,
    files::{
        EndingRead, ForeshadowAction, PersonRead, PlaceRead, ReadingAnswer, RelationRead, RuleRead,
        ThreadRead, TraitRead,
    },
    message,
};
use novel_text::{Locator, is_named_in};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::one_line;

/// Entries of one list that are read.
const MOST_ENTRIES: usize = 24;
/// Entries of a list inside an entry that are read.
const MOST_INNER: usize = 6;
/// Characters of a name.
const LONGEST_NAME: usize = 60;
/// Characters of a description or a rule.
const LONGEST_TEXT: usize = 400;
/// Characters of a quotation.
const LONGEST_QUOTATION: usize = 240;

/// An answer, as far as the text bears it out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heard {
    /// What was located. Quotations are the text's own words.
    pub answer: ReadingAnswer,
    /// What is wrong with the answer.
    pub faults: Vec<Problem>,
    /// Faults of the form: a list that is missing, an entry of another shape.
    misshapen: usize,
    /// Entries whose quotation or name is not in the text.
    unlocated: usize,
    /// Entries that were kept.
    kept: usize,
}

impl Heard {
    /// Whether it is an answer at all: an object, of which something was located or nothing was wrong.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.kept > 0 || self.misshapen == 0 && self.unlocated == 0
    }

    /// Whether the reader is to be asked once more: the form is wrong, or a quarter of what it says
    /// cannot be found.
    #[must_use]
    pub fn wants_another(&self) -> bool {
        self.misshapen > 0 || self.unlocated > 0 && self.unlocated * 3 >= self.kept
    }
}

/// Reads an answer entry by entry. `open_threads` are the numbers a thread may be referred to by.
#[must_use]
pub fn hear(path: &RelPath, answer: &Value, text: &str, open_threads: &[u32]) -> Heard {
    let mut hearing = Hearing {
        path,
        text,
        locator: Locator::new(text),
        heard: Heard::default(),
    };
    if !answer.is_object() {
        hearing.misshapen(
            "",
            message!(en: "the answer is not one JSON object", zh: "回答不是一个 JSON 对象"),
        );
        return hearing.heard;
    }
    let people = hearing.list(answer, "people", Hearing::person);
    let places = hearing.list(answer, "places", Hearing::place);
    let rules = hearing.list(answer, "rules", Hearing::rule);
    let threads = hearing.list(answer, "threads", |hearing, at, thread| {
        hearing.thread(at, thread, open_threads)
    });
    let ending = answer.get("ending").filter(|ending| !ending.is_null());
    let ending = ending.and_then(|ending| {
        let read: EndingRead = hearing.entry("/ending", ending)?;
        let evidence = hearing.quotation("/ending", &read.evidence)?;
        Some(EndingRead { evidence, ..read })
    });
    hearing.heard.answer = ReadingAnswer {
        people,
        places,
        rules,
        threads,
        ending,
    };
    hearing.heard
}

struct Hearing<'a> {
    path: &'a RelPath,
    text: &'a str,
    locator: Locator<'a>,
    heard: Heard,
}

impl Hearing<'_> {
    fn fault(&mut self, code: &'static str, at: &str, what: Message) {
        let problem = Problem::new(code, self.path, what).at(at.to_owned());
        self.heard.faults.push(problem);
    }

    fn misshapen(&mut self, at: &str, what: Message) {
        self.heard.misshapen += 1;
        self.fault("wrong_form", at, what);
    }

    fn unlocated(&mut self, code: &'static str, at: &str, what: Message) {
        self.heard.unlocated += 1;
        self.fault(code, at, what);
    }

    /// The entries of a list that can be read and located.
    fn list<T: DeserializeOwned>(
        &mut self,
        answer: &Value,
        key: &str,
        located: impl Fn(&mut Self, &str, T) -> Option<T>,
    ) -> Vec<T> {
        let Some(list) = answer.get(key).and_then(Value::as_array) else {
            self.misshapen(
                &format!("/{key}"),
                message!(
                    en: "the list `{key}` is missing; give an empty one where there is nothing",
                    zh: "缺少列表 `{key}`；没有内容时给空列表"
                ),
            );
            return Vec::new();
        };
        let mut kept = Vec::new();
        for (at, entry) in list.iter().take(MOST_ENTRIES).enumerate() {
            let pointer = format!("/{key}/{at}");
            let read = self.entry::<T>(&pointer, entry);
            if let Some(entry) = read.and_then(|read| located(self, &pointer, read)) {
                self.heard.kept += 1;
                kept.push(entry);
            }
        }
        kept
    }

    fn entry<T: DeserializeOwned>(&mut self, at: &str, entry: &Value) -> Option<T> {
        match serde_json::from_value(entry.clone()) {
            Ok(read) => Some(read),
            Err(error) => {
                self.misshapen(
                    at,
                    message!(
                        en: "the entry does not have the form that was asked for: {error}",
                        zh: "该项的形式不符合要求：{error}"
                    ),
                );
                None
            }
        }
    }

    /// The passage a quotation is of, as the text has it.
    fn quotation(&mut self, at: &str, evidence: &str) -> Option<String> {
        let passage = self.find(evidence);
        if passage.is_none() {
            self.unlocated(
                "not_in_text",
                &format!("{at}/evidence"),
                message!(
                    en: "the quotation is not in the text, or too short; copy at least five words as they stand",
                    zh: "正文里找不到这段引文，或引文太短；请逐字抄录至少八个字"
                ),
            );
        }
        passage
    }

    fn find(&self, evidence: &str) -> Option<String> {
        let place = self.locator.locate(evidence)?;
        let passage = self.text.get(place.span())?;
        Some(clipped(&one_line(passage), LONGEST_QUOTATION))
    }

    /// A name the text has.
    fn name(&mut self, at: &str, name: &str) -> Option<String> {
        let name = one_line(name);
        if is_name(&name) && is_named_in(self.text, &name) {
            return Some(name);
        }
        let shown = clipped(&name, LONGEST_NAME);
        self.unlocated(
            "not_in_text",
            &format!("{at}/name"),
            message!(
                en: "nothing is called `{shown}` in the text; use a proper name from the text",
                zh: "正文里没有名为 `{shown}` 的人或物；请用正文中的专名"
            ),
        );
        None
    }

    /// Other names that stand in the text. What is no name is left out without a word.
    fn aliases(&self, aliases: &[String], name: &str) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        for alias in aliases.iter().map(|alias| one_line(alias)) {
            let is_new = alias != name && !kept.contains(&alias);
            if is_new && is_name(&alias) && is_named_in(self.text, &alias) {
                kept.push(alias);
            }
        }
        kept.truncate(MOST_INNER);
        kept
    }

    fn person(&mut self, at: &str, read: PersonRead) -> Option<PersonRead> {
        let name = self.name(at, &read.name)?;
        let evidence = self.quotation(at, &read.evidence)?;
        let traits = read.traits.into_iter().take(MOST_INNER);
        let traits = traits.filter_map(|it| {
            let rule = text_of(&it.rule)?;
            Some(TraitRead {
                evidence: self.find(&it.evidence)?,
                kind: clipped(&one_line(&it.kind), LONGEST_NAME),
                rule,
            })
        });
        let traits = traits.collect();
        let relations = read.relations.into_iter().take(MOST_INNER);
        let relations = relations.filter_map(|it| {
            let description = text_of(&it.description)?;
            Some(RelationRead {
                evidence: self.find(&it.evidence)?,
                to: one_line(&it.to),
                description,
            })
        });
        let relations = relations.collect();
        Some(PersonRead {
            aliases: self.aliases(&read.aliases, &name),
            description: text_of(&read.description).unwrap_or_default(),
            evidence,
            name,
            traits,
            relations,
        })
    }

    fn place(&mut self, at: &str, read: PlaceRead) -> Option<PlaceRead> {
        let name = self.name(at, &read.name)?;
        let evidence = self.quotation(at, &read.evidence)?;
        Some(PlaceRead {
            aliases: self.aliases(&read.aliases, &name),
            inside: read.inside.map(|inside| one_line(&inside)),
            description: text_of(&read.description).unwrap_or_default(),
            evidence,
            name,
        })
    }

    fn rule(&mut self, at: &str, read: RuleRead) -> Option<RuleRead> {
        let Some(rule) = text_of(&read.rule) else {
            self.misshapen(
                &format!("{at}/rule"),
                message!(en: "the rule is empty", zh: "规则为空"),
            );
            return None;
        };
        Some(RuleRead {
            evidence: self.quotation(at, &read.evidence)?,
            category: clipped(&one_line(&read.category), LONGEST_NAME),
            rule,
            constraint_type: read.constraint_type,
        })
    }

    /// A thread nobody has opened cannot be resolved; one that is taken up without a number is new.
    fn thread(&mut self, at: &str, read: ThreadRead, open: &[u32]) -> Option<ThreadRead> {
        let number = read.number.filter(|number| open.contains(number));
        let description = text_of(&read.description);
        let action = match (number, read.action) {
            (Some(_), ForeshadowAction::Planted) => ForeshadowAction::Advanced,
            (None, ForeshadowAction::Advanced) => ForeshadowAction::Planted,
            (_, action) => action,
        };
        if number.is_none() && (description.is_none() || action == ForeshadowAction::Resolved) {
            self.unlocated(
                "unknown_thread",
                at,
                message!(
                    en: "no open thread has this number, and this does not open one",
                    zh: "没有这个编号的未收的线索，这一项也没有另起一条"
                ),
            );
            return None;
        }
        Some(ThreadRead {
            evidence: self.quotation(at, &read.evidence)?,
            number,
            description: description.unwrap_or_default(),
            action,
            scope: read.scope,
        })
    }
}

/// Built like a name: short, with a letter; of Latin letters at least one a capital, otherwise at least
/// two characters.
fn is_name(name: &str) -> bool {
    let letters = name.chars().filter(|char| char.is_alphabetic()).count();
    let has_case = name
        .chars()
        .any(|char| char.is_lowercase() || char.is_uppercase());
    let is_proper = if has_case {
        name.chars().any(char::is_uppercase)
    } else {
        letters >= 2
    };
    letters > 0 && is_proper && name.chars().count() <= LONGEST_NAME && !NO_NAMES.contains(&name)
}

/// Words that stand for anybody.
const NO_NAMES: &[&str] = &[
    "他们", "她们", "我们", "你们", "咱们", "众人", "大家", "有人", "旁人", "自己", "此人", "那人",
    "一人", "I", "He", "She", "It", "We", "They", "You", "The", "A", "My", "Your", "His", "Her",
    "Their",
];

fn text_of(text: &str) -> Option<String> {
    let text = clipped(&one_line(text), LONGEST_TEXT);
    (!text.is_empty()).then_some(text)
}

fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}
