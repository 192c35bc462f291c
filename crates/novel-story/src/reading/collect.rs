//! What was read so far, from the first chapter on.

use std::collections::BTreeSet;

use novel_model::{
    ChapterNo, Lang,
    files::{
        ConstraintType, ForeshadowAction, ForeshadowScope, FoundEvent, PersonRead, PlaceRead,
        Quotation, ReadingAnswer, RuleRead, StoryEnd, ThreadRead,
    },
};
use novel_text::is_named_in;

/// Quotations kept of one thing.
const MOST_QUOTATIONS: usize = 5;
/// Descriptions kept of one thing: it changes as the story goes on.
const MOST_DESCRIPTIONS: usize = 4;
/// Contracts one person gets.
const MOST_TRAITS: usize = 5;
/// People, places, rules and threads the reader is reminded of.
const MOST_SHOWN: usize = 40;

/// Everything that was located so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Collected {
    pub(super) people: Vec<Person>,
    pub(super) places: Vec<Place>,
    pub(super) rules: Vec<Rule>,
    pub(super) threads: Vec<Thread>,
    pub(super) story: StoryEnd,
    pub(super) unread: BTreeSet<ChapterNo>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Person {
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) descriptions: Vec<(ChapterNo, String)>,
    pub(super) traits: Vec<(ChapterNo, String, String)>,
    /// The other's name, and how they stand to them.
    pub(super) relations: Vec<(String, String)>,
    pub(super) quotations: Vec<Quotation>,
    /// Chapters whose text names them.
    pub(super) chapters: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    pub(super) inside: Option<String>,
    pub(super) descriptions: Vec<(ChapterNo, String)>,
    pub(super) quotations: Vec<Quotation>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    pub(super) rule: String,
    pub(super) category: String,
    pub(super) constraint_type: ConstraintType,
    pub(super) quotations: Vec<Quotation>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thread {
    pub(super) description: String,
    pub(super) scope: ForeshadowScope,
    pub(super) events: Vec<FoundEvent>,
}

impl Thread {
    pub(super) fn is_open(&self) -> bool {
        let mut events = self.events.iter();
        !events.any(|event| event.action == ForeshadowAction::Resolved)
    }
}

impl Collected {
    /// Adds what was located in a chapter or a part of it.
    pub fn add(&mut self, chapter: ChapterNo, answer: ReadingAnswer) {
        for person in answer.people {
            self.person(chapter, person);
        }
        for place in answer.places {
            self.place(chapter, place);
        }
        for rule in answer.rules {
            self.rule(chapter, rule);
        }
        for thread in answer.threads {
            self.thread(chapter, thread);
        }
        self.story = answer.ending.map_or(StoryEnd::Open, |ending| ending.story);
    }

    /// Marks a chapter no usable answer was given for.
    pub fn left_unread(&mut self, chapter: ChapterNo) {
        self.unread.insert(chapter);
    }

    /// Takes a given name for the only person whose full name begins with it.
    pub fn join_given_names(&mut self) {
        let names: Vec<String> = self.people.iter().map(|it| it.name.clone()).collect();
        let full_name = |given: &str| {
            let begins = |name: &&String| {
                let rest = name.strip_prefix(given);
                rest.is_some_and(|rest| rest.starts_with(' '))
            };
            let mut full = names.iter().filter(begins);
            full.next().filter(|_| full.next().is_none())
        };
        let (mut kept, mut given): (Vec<Person>, Vec<Person>) = (Vec::new(), Vec::new());
        for person in std::mem::take(&mut self.people) {
            match full_name(&person.name) {
                Some(_) => given.push(person),
                None => kept.push(person),
            }
        }
        for person in given {
            let name = full_name(&person.name);
            let full = kept.iter_mut().find(|it| Some(&it.name) == name);
            let Some(full) = full else {
                kept.push(person);
                continue;
            };
            let others = std::iter::once(person.name).chain(person.aliases);
            for other in others.filter(|other| *other != full.name) {
                if !full.aliases.contains(&other) {
                    full.aliases.push(other);
                }
            }
            for described in person.descriptions {
                describe(&mut full.descriptions, described);
            }
            full.traits.extend(person.traits);
            full.traits.truncate(MOST_TRAITS);
            full.relations.extend(person.relations);
            for quotation in person.quotations {
                quote(&mut full.quotations, quotation);
            }
            full.descriptions.sort_by_key(|(chapter, _)| *chapter);
            full.quotations.sort_by_key(|it| it.chapter);
        }
        self.people = kept;
    }

    /// Counts in whose chapters everybody is named; the texts of all chapters, each once.
    pub fn count(&mut self, text: &str) {
        for person in &mut self.people {
            let mut names = std::iter::once(&person.name).chain(&person.aliases);
            if names.any(|name| is_named_in(text, name)) {
                person.chapters += 1;
            }
        }
    }

    /// Chapters no usable answer was given for.
    #[must_use]
    pub fn unread(&self) -> &BTreeSet<ChapterNo> {
        &self.unread
    }

    /// Numbers of the threads that are open.
    #[must_use]
    pub fn open_threads(&self) -> Vec<u32> {
        let threads = (1..).zip(&self.threads);
        let open = threads.filter(|(_, thread)| thread.is_open());
        // The newest are what a chapter takes up.
        let mut numbers: Vec<u32> = open.map(|(number, _)| number).collect();
        numbers.drain(..numbers.len().saturating_sub(MOST_SHOWN));
        numbers
    }

    /// What the reader is reminded of: names that are known, and open threads with their numbers.
    #[must_use]
    pub fn shown(&self, lang: Lang) -> String {
        let (people, places, rules, threads, comma, open, close) = match lang {
            Lang::Zh => ("人物", "地点", "规则", "未收的线索", "、", "（", "）"),
            Lang::En => ("People", "Places", "Rules", "Open threads", ", ", " (", ")"),
        };
        let with_aliases = |name: &String, aliases: &Vec<String>| {
            if aliases.is_empty() {
                name.clone()
            } else {
                format!("{name}{open}{}{close}", aliases.join(comma))
            }
        };
        let newest = |count: usize| count.saturating_sub(MOST_SHOWN);
        let mut text = String::new();
        let mut section = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                text.push_str(&format!("## {title}\n\n{}\n\n", lines.join("\n")));
            }
        };
        let shown = self.people.iter().skip(newest(self.people.len()));
        let lines = shown.map(|it| format!("- {}", with_aliases(&it.name, &it.aliases)));
        section(people, lines.collect());
        let shown = self.places.iter().skip(newest(self.places.len()));
        let lines = shown.map(|it| format!("- {}", with_aliases(&it.name, &it.aliases)));
        section(places, lines.collect());
        let shown = self.rules.iter().skip(newest(self.rules.len()));
        section(rules, shown.map(|it| format!("- {}", it.rule)).collect());
        let open = self.open_threads();
        let lines = (1..).zip(&self.threads);
        let lines = lines.filter(|(number, _)| open.contains(number));
        let lines = lines.map(|(number, it)| format!("{number}. {}", it.description));
        section(threads, lines.collect());
        text
    }

    fn person(&mut self, chapter: ChapterNo, read: PersonRead) {
        let known = self.people.iter_mut().find(|person| {
            person.name == read.name
                || person.aliases.contains(&read.name)
                || read.aliases.contains(&person.name)
        });
        let quotation = quotation(chapter, read.evidence);
        let described = (chapter, read.description);
        let traits = read.traits.into_iter();
        let traits = traits.map(|it| (chapter, it.kind, it.rule));
        let relations = read.relations.into_iter();
        let relations = relations.map(|it| (it.to, it.description));
        match known {
            None => self.people.push(Person {
                descriptions: [described]
                    .into_iter()
                    .filter(|(_, text)| !text.is_empty())
                    .collect(),
                name: read.name,
                aliases: read.aliases,
                traits: traits.collect(),
                relations: relations.collect(),
                quotations: vec![quotation],
                chapters: 0,
            }),
            Some(person) => {
                let names = std::iter::once(read.name).chain(read.aliases);
                for name in names {
                    if name != person.name && !person.aliases.contains(&name) {
                        person.aliases.push(name);
                    }
                }
                describe(&mut person.descriptions, described);
                for found in traits {
                    let is_new = person.traits.iter().all(|(_, _, rule)| *rule != found.2);
                    if is_new && person.traits.len() < MOST_TRAITS {
                        person.traits.push(found);
                    }
                }
                for (to, how) in relations {
                    // How they stand to each other now.
                    person.relations.retain(|(other, _)| *other != to);
                    person.relations.push((to, how));
                }
                quote(&mut person.quotations, quotation);
            }
        }
    }

    fn place(&mut self, chapter: ChapterNo, read: PlaceRead) {
        let known = self.places.iter_mut().find(|place| {
            place.name == read.name
                || place.aliases.contains(&read.name)
                || read.aliases.contains(&place.name)
        });
        let quotation = quotation(chapter, read.evidence);
        let described = (chapter, read.description);
        match known {
            None => self.places.push(Place {
                descriptions: [described]
                    .into_iter()
                    .filter(|(_, text)| !text.is_empty())
                    .collect(),
                name: read.name,
                aliases: read.aliases,
                inside: read.inside,
                quotations: vec![quotation],
            }),
            Some(place) => {
                let names = std::iter::once(read.name).chain(read.aliases);
                for name in names {
                    if name != place.name && !place.aliases.contains(&name) {
                        place.aliases.push(name);
                    }
                }
                place.inside = place.inside.take().or(read.inside);
                describe(&mut place.descriptions, described);
                quote(&mut place.quotations, quotation);
            }
        }
    }

    fn rule(&mut self, chapter: ChapterNo, read: RuleRead) {
        let quotation = quotation(chapter, read.evidence);
        match self.rules.iter_mut().find(|rule| rule.rule == read.rule) {
            None => self.rules.push(Rule {
                rule: read.rule,
                category: read.category,
                constraint_type: read.constraint_type,
                quotations: vec![quotation],
            }),
            Some(rule) => quote(&mut rule.quotations, quotation),
        }
    }

    fn thread(&mut self, chapter: ChapterNo, read: ThreadRead) {
        let event = FoundEvent {
            chapter,
            action: read.action,
            evidence: read.evidence,
        };
        let numbered = read.number.and_then(|number| usize::try_from(number).ok());
        let numbered = numbered.and_then(|number| number.checked_sub(1));
        let described = |thread: &Thread| thread.description == read.description;
        let at = numbered.or_else(|| self.threads.iter().position(described));
        match at.and_then(|at| self.threads.get_mut(at)) {
            Some(thread) => {
                // A chapter does one thing to a thread; the last is what counts.
                thread.events.retain(|earlier| {
                    earlier.chapter != chapter || earlier.action == ForeshadowAction::Planted
                });
                if event.action != ForeshadowAction::Planted {
                    thread.events.push(event);
                }
            }
            None => self.threads.push(Thread {
                description: read.description,
                scope: read.scope.unwrap_or(ForeshadowScope::Medium),
                events: vec![event],
            }),
        }
    }
}

fn quotation(chapter: ChapterNo, text: String) -> Quotation {
    Quotation { chapter, text }
}

/// The first places and the newest one.
fn quote(quotations: &mut Vec<Quotation>, new: Quotation) {
    if quotations.iter().any(|old| old.text == new.text) {
        return;
    }
    if quotations.len() >= MOST_QUOTATIONS {
        quotations.pop();
    }
    quotations.push(new);
}

fn describe(descriptions: &mut Vec<(ChapterNo, String)>, new: (ChapterNo, String)) {
    if new.1.is_empty() || descriptions.iter().any(|(_, old)| *old == new.1) {
        return;
    }
    if descriptions.len() >= MOST_DESCRIPTIONS {
        descriptions.pop();
    }
    descriptions.push(new);
}
