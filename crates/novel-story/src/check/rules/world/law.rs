//! A law: whom it binds, when, and what it forbids.

use novel_model::Lang;

use super::verbs::{TIMES, VERBS, Verb};

/// Whom a law binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Who {
    Anybody,
    /// Only those of a class: `外门弟子`, `vampires`.
    Of(String),
    /// Everybody but a class: `只有祭司才能`, `only priests may`.
    Not(String),
}

/// How often or how many at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) most: u32,
    /// Within a day; else ever, or at once.
    pub(super) daily: bool,
}

/// What a rule forbids.
#[derive(Debug, Clone)]
pub(super) struct Law {
    pub(super) who: Who,
    /// One of these tells the event.
    pub(super) verbs: Vec<String>,
    /// All of these stand in the sentence; each is a list of wordings.
    pub(super) objects: Vec<Vec<String>>,
    /// All of these stand in the sentence or right before it.
    pub(super) conditions: Vec<Vec<String>>,
    /// One of these must be denied: the event is allowed with it.
    pub(super) without: Vec<String>,
    pub(super) limit: Option<Limit>,
    /// A sentence with one of these keeps the law.
    pub(super) excuses: Vec<String>,
}

impl Law {
    pub(super) fn new(who: Who) -> Self {
        Self {
            who,
            verbs: Vec::new(),
            objects: Vec::new(),
            conditions: Vec::new(),
            without: Vec::new(),
            limit: None,
            excuses: Vec::new(),
        }
    }

    /// Whether the law says enough to be broken by a sentence that proves it.
    pub(super) fn is_plain(&self) -> bool {
        let told = !self.objects.is_empty()
            || !self.conditions.is_empty()
            || !self.without.is_empty()
            || self.limit.is_some()
            || self.who != Who::Anybody;
        !self.verbs.is_empty() && told
    }

    /// A cheap look: the words of the event stand in the text at all.
    pub(super) fn may_stand_in(&self, text: &str) -> bool {
        let lower;
        let text = if text.is_ascii() || text.chars().any(char::is_uppercase) {
            lower = text.to_lowercase();
            lower.as_str()
        } else {
            text
        };
        self.verbs.iter().any(|verb| text.contains(verb.as_str()))
            && self.objects.iter().all(|object| {
                let anybody = object.iter().any(|word| word == "某");
                anybody || object.iter().any(|word| text.contains(word.as_str()))
            })
    }

    /// What a sentence about the law tells: objects, conditions, the event, what it needs.
    pub(super) fn wordings(&self) -> Vec<Vec<String>> {
        let lists = self.objects.iter().chain(&self.conditions).cloned();
        lists
            .chain([self.verbs.clone(), self.without.clone()])
            .filter(|list| !list.is_empty() && !list.iter().any(|word| word == "某"))
            .collect()
    }

    /// Whether the law binds a class of the world whose members show themselves by the event.
    pub(super) fn is_of_practice(&self) -> bool {
        const PRACTICE: [&str; 16] = [
            "修士",
            "修真者",
            "修行者",
            "修炼者",
            "修仙者",
            "武者",
            "玩家",
            "法师",
            "魔法师",
            "术士",
            "mage",
            "wizard",
            "player",
            "cultivator",
            "sorcerer",
            "magician",
        ];
        matches!(&self.who, Who::Of(class) if PRACTICE.contains(&class.as_str()))
    }

    /// The class itself, where a sentence has one of it act: `那亡魂攥住她的手腕`, `电梯停在了十三楼`.
    pub(super) fn class_acts(&self, lang: Lang, text: &str) -> Option<&str> {
        let Who::Of(class) = &self.who else {
            return None;
        };
        let long = class.chars().count() >= 2;
        let begins = text.split(['，', ',', '；', ';', '。', '.']).any(|clause| {
            let clause = clause.trim_start();
            match lang {
                Lang::Zh => {
                    let bare = ["那个", "这个", "一个", "一只", "那只", "这只", "那", "这"]
                        .iter()
                        .find_map(|point| clause.strip_prefix(point))
                        .unwrap_or(clause);
                    bare.strip_prefix(class.as_str()).is_some_and(|rest| {
                        !rest.is_empty() && !rest.starts_with(['的', '们', '、', '和', '与', '某'])
                    })
                }
                Lang::En => ["the ", "a ", "an ", "that ", "this "]
                    .iter()
                    .any(|article| {
                        clause.strip_prefix(article).is_some_and(|rest| {
                            rest.strip_prefix(class.as_str())
                                .is_some_and(|rest| rest.starts_with(' '))
                        })
                    }),
            }
        });
        (begins && long).then_some(class.as_str())
    }

    /// Other words of the same objects: a sword is a blade, wine is drink.
    pub(super) fn widen(&mut self) {
        for object in &mut self.objects {
            let more = super::verbs::SORTS
                .iter()
                .find(|(sort, _)| object.iter().any(|word| sort.contains(&word.as_str())));
            if let Some((_, members)) = more {
                object.extend(members.iter().map(|word| (*word).to_owned()));
            }
        }
    }

    /// Adds a condition of which one wording must stand.
    pub(super) fn when_one_of(&mut self, words: &[&str]) {
        self.conditions
            .push(words.iter().map(|word| (*word).to_owned()).collect());
    }

    /// Adds a condition: a word, or what prose says for a time.
    pub(super) fn when(&mut self, word: &str) {
        let time = TIMES
            .iter()
            .find(|(said, _)| said.iter().any(|said| word.contains(said)));
        let told = match time {
            Some((_, told)) => told.iter().map(|told| (*told).to_owned()).collect(),
            None => vec![word.to_owned()],
        };
        if !self.conditions.contains(&told) {
            self.conditions.push(told);
        }
    }
}

/// Whether a word is a time of day and no more.
pub(super) fn is_time(word: &str) -> bool {
    TIMES.iter().any(|(said, _)| said.contains(&word))
}

/// The longest verb a Chinese text holds first: where, how long, and the kind.
pub(super) fn verb_zh(text: &str) -> Option<(usize, usize, &'static Verb)> {
    VERBS
        .iter()
        .flat_map(|verb| verb.zh.iter().map(move |word| (verb, *word)))
        .filter_map(|(verb, word)| Some((text.find(word)?, word.len(), verb)))
        .min_by_key(|(at, length, _)| (*at, std::cmp::Reverse(*length)))
}

/// The kind of an English verb, by the form a rule uses; the longest form the text begins with.
pub(super) fn verb_en(text: &str) -> Option<(usize, &'static Verb)> {
    VERBS
        .iter()
        .flat_map(|verb| verb.rule_en.iter().map(move |word| (verb, *word)))
        .filter(|(_, word)| {
            text.strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
        .map(|(verb, word)| (word.len(), verb))
        .max_by_key(|(length, _)| *length)
}
