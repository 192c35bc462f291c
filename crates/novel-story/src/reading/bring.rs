//! What was read becomes the files of the book. What the author has stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use novel_book::{brief::Brief, context::Cast};
use novel_model::{
    ChapterNo, Document, ForeshadowId, Lang, RelPath, Slug, VolumeNo,
    files::{
        Character, CharacterContract, ConstraintType, ForeshadowPlan, ForeshadowScope, FoundPerson,
        FoundThing, FoundThread, ImportedReading, NamedPlace, Places, PlannedForeshadow, Quotation,
        Relationship, Relationships, Storylines, WorldRule, WorldRules,
    },
    layout, to_json_text,
};

use super::{
    Collected,
    collect::{Person, Place, Rule, Thread},
};
use crate::plan::Files;

/// People who become members of the cast.
const MOST_CAST: usize = 30;
/// Places that become places of the world.
const MOST_PLACES: usize = 40;
/// Rules that become rules of the world.
const MOST_RULES: usize = 12;
/// Threads that are kept.
const MOST_THREADS: usize = 80;
/// In a book with more chapters, somebody who is in one of them alone is nobody of the cast.
const SHORT_BOOK: u32 = 6;

/// The book the findings come into.
pub struct Book<'a> {
    /// Its language.
    pub lang: Lang,
    /// The last imported chapter.
    pub last: ChapterNo,
    /// The volume of a chapter.
    pub volume_of: &'a dyn Fn(ChapterNo) -> VolumeNo,
    /// The people there are.
    pub cast: &'a Cast,
    /// How they stand to each other.
    pub relations: Document<Relationships>,
    /// The rules there are.
    pub rules: Document<WorldRules>,
    /// The places there are.
    pub places: Document<Places>,
    /// The lines there are.
    pub lines: Option<Document<Storylines>>,
    /// Documents of the world, the brief and plans of foreshadowing that exist.
    pub texts: &'a Files,
}

/// What comes into the book.
#[derive(Debug, Clone, PartialEq)]
pub struct Brought {
    /// The files.
    pub files: Files,
    /// What was found, and where.
    pub record: ImportedReading,
    /// People who were found and are in too few chapters, or beyond the size of a cast.
    pub left_out: usize,
}

impl Brought {
    /// Threads that are open at the end.
    #[must_use]
    pub fn open_threads(record: &ImportedReading) -> usize {
        use novel_model::files::ForeshadowAction::Resolved;
        let is_open = |thread: &&FoundThread| thread.events.iter().all(|it| it.action != Resolved);
        record.threads.iter().filter(is_open).count()
    }
}

/// Works out what comes into the book; the chapters were counted before.
#[must_use]
pub fn bring(collected: &Collected, book: &Book<'_>) -> Brought {
    let mut files = Files::new();
    let people = members(collected, book);
    let ids = person_ids(&people, book.cast);
    files.extend(cast_files(&people, &ids, book));
    let places = place_files(collected, book, &mut files);
    let rules = rule_files(collected, book, &mut files);
    let threads = thread_files(collected, book, &mut files);
    let first = people.first().map(|person| person.name.as_str());
    if let Some(name) = first {
        protagonist(name, book, &mut files);
    }
    let mut found: Vec<FoundPerson> = Vec::new();
    for person in &collected.people {
        let at = people.iter().position(|member| member.name == person.name);
        let own = at.and_then(|at| ids.get(at)).cloned();
        found.push(FoundPerson {
            id: own.or_else(|| book.cast.named(&person.name).cloned()),
            name: person.name.clone(),
            chapters: person.chapters,
            quotations: person.quotations.clone(),
        });
    }
    let left_out = found.iter().filter(|person| person.id.is_none()).count();
    // A story with an open thread may be told to its end all the same; the reader has said so.
    let record = ImportedReading {
        through: book.last,
        story: collected.story,
        people: found,
        places,
        rules,
        threads,
        unread: collected.unread.iter().copied().collect(),
    };
    files.insert(layout::imported_reading(), to_json_text(&record));
    Brought {
        files,
        record,
        left_out,
    }
}

/// Who comes into the cast, those of most chapters first. Names two of them share belong to neither.
fn members(collected: &Collected, book: &Book<'_>) -> Vec<Person> {
    let least = if book.last.get() > SHORT_BOOK { 2 } else { 1 };
    let is_known = |person: &Person| {
        let mut names = std::iter::once(&person.name).chain(&person.aliases);
        names.any(|name| book.cast.named(name).is_some())
    };
    let mut people: Vec<Person> = collected
        .people
        .iter()
        .filter(|person| person.chapters >= least && !is_known(person))
        .cloned()
        .collect();
    people.sort_by_key(|person| std::cmp::Reverse(person.chapters));
    people.truncate(MOST_CAST);
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    for person in &people {
        let own: BTreeSet<&String> = person.aliases.iter().collect();
        for name in own {
            *owners.entry(name.clone()).or_default() += 1;
        }
    }
    let names: BTreeSet<String> = people.iter().map(|it| it.name.clone()).collect();
    for person in &mut people {
        let mut seen = BTreeSet::new();
        person.aliases.retain(|alias| {
            owners.get(alias) == Some(&1) && !names.contains(alias) && seen.insert(alias.clone())
        });
    }
    people
}

/// An id made from a name where it is written in Latin letters, else a number.
fn free_id(name: &str, kind: &str, taken: &BTreeSet<String>) -> String {
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let own = words.join("-");
    let is_whole = name.is_ascii() && own.parse::<Slug>().is_ok() && own.len() <= 60;
    if is_whole && !taken.contains(&own) {
        return own;
    }
    let mut number = 1;
    loop {
        let id = format!("{kind}-{number:03}");
        if !taken.contains(&id) {
            return id;
        }
        number += 1;
    }
}

fn person_ids(people: &[Person], cast: &Cast) -> Vec<Slug> {
    let mut taken: BTreeSet<String> = cast.members().map(|(id, _)| id.to_string()).collect();
    let mut ids = Vec::new();
    for person in people {
        let id = free_id(&person.name, "person", &taken);
        taken.insert(id.clone());
        ids.extend(id.parse::<Slug>());
    }
    ids
}

fn cast_files(people: &[Person], ids: &[Slug], book: &Book<'_>) -> Files {
    let mut files = Files::new();
    let mut relations = book.relations.clone();
    let named = |name: &str| -> Option<Slug> {
        let goes_by =
            |person: &Person| person.name == name || person.aliases.iter().any(|it| it == name);
        let new = people.iter().position(goes_by).and_then(|at| ids.get(at));
        new.or_else(|| book.cast.named(name)).cloned()
    };
    for (person, id) in people.iter().zip(ids) {
        files.insert(layout::character(id), to_json_text(&record(person, id)));
        files.insert(layout::character_profile(id), profile(person, book.lang));
        for (to, description) in &person.relations {
            let Some(to) = named(to).filter(|to| to != id) else {
                continue;
            };
            relations.edit(|all| {
                let old = all
                    .relationships
                    .iter()
                    .any(|it| it.from == *id && it.to == to);
                if !old {
                    all.relationships.push(Relationship {
                        from: id.clone(),
                        to: to.clone(),
                        description: description.clone(),
                    });
                }
            });
        }
    }
    if relations != book.relations {
        files.insert(layout::relationships(), relations.to_text());
    }
    files
}

fn record(person: &Person, id: &Slug) -> Character {
    let tag: String = id
        .as_str()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|char| char.to_ascii_uppercase())
        .collect();
    let contracts = person.traits.iter().zip(1..);
    Character {
        id: Some(id.clone()),
        display_name: person.name.clone(),
        aliases: person.aliases.clone(),
        contracts: contracts
            .map(|((chapter, kind, rule), number)| CharacterContract {
                id: format!("C-{tag}-{number:03}"),
                kind: kind.clone(),
                rule: rule.clone(),
                exceptions: Vec::new(),
                valid_from_chapter: Some(chapter.get()),
                valid_until: None,
                update_requires: None,
            })
            .collect(),
    }
}

fn profile(person: &Person, lang: Lang) -> String {
    let heading = match lang {
        Lang::Zh => "原文",
        Lang::En => "In the text",
    };
    let described = described(&person.descriptions, lang);
    let quoted = quoted(&person.quotations, lang);
    let name = &person.name;
    if described.is_empty() {
        format!("# {name}\n\n## {heading}\n\n{quoted}")
    } else {
        format!("# {name}\n\n{described}\n## {heading}\n\n{quoted}")
    }
}

/// A description alone, or one line for each chapter that gives one.
fn described(descriptions: &[(ChapterNo, String)], lang: Lang) -> String {
    match descriptions {
        [(_, only)] => format!("{only}\n"),
        several => several
            .iter()
            .map(|(chapter, text)| format!("- {}{text}\n", at_chapter(*chapter, lang)))
            .collect(),
    }
}

fn quoted(quotations: &[Quotation], lang: Lang) -> String {
    let lines = quotations.iter();
    lines
        .map(|it| format!("- {}“{}”\n", at_chapter(it.chapter, lang), it.text))
        .collect()
}

fn at_chapter(chapter: ChapterNo, lang: Lang) -> String {
    let number = chapter.get();
    match lang {
        Lang::Zh => format!("第 {number} 章："),
        Lang::En => format!("chapter {number}: "),
    }
}

fn place_files(collected: &Collected, book: &Book<'_>, files: &mut Files) -> Vec<FoundThing> {
    let mut places = book.places.clone();
    let has = |places: &Places, place: &Place| {
        let mut known = places.places.iter();
        known.any(|it| it.name == place.name || it.aliases.contains(&place.name))
    };
    // Somebody may be called after a place; the name is the person's then.
    let is_person = |place: &Place| collected.people.iter().any(|it| it.name == place.name);
    let new: Vec<&Place> = collected
        .places
        .iter()
        .filter(|place| !has(places.get(), place) && !is_person(place))
        .take(MOST_PLACES)
        .collect();
    let mut taken: BTreeSet<String> = places
        .get()
        .places
        .iter()
        .map(|it| it.id.to_string())
        .collect();
    let mut names: BTreeSet<String> = places
        .get()
        .places
        .iter()
        .flat_map(|it| std::iter::once(&it.name).chain(&it.aliases))
        .chain(new.iter().map(|it| &it.name))
        .cloned()
        .collect();
    let mut found = Vec::new();
    let mut text = String::new();
    for place in &new {
        let id = free_id(&place.name, "place", &taken);
        taken.insert(id.clone());
        let Ok(slug) = id.parse::<Slug>() else {
            continue;
        };
        let aliases = place
            .aliases
            .iter()
            .filter(|name| names.insert((*name).clone()));
        let aliases: Vec<String> = aliases.cloned().collect();
        places.edit(|places| {
            places.places.push(NamedPlace {
                id: slug,
                name: place.name.clone(),
                aliases,
                inside: None,
            });
        });
        text.push_str(&place_text(place, book.lang));
        found.push(FoundThing {
            id,
            name: place.name.clone(),
            quotations: place.quotations.clone(),
        });
    }
    if found.is_empty() {
        return found;
    }
    for place in &new {
        let inside = place
            .inside
            .as_ref()
            .and_then(|name| id_of(places.get(), name));
        if let (Some(id), Some(inside)) = (id_of(places.get(), &place.name), inside) {
            put_inside(&mut places, &id, inside);
        }
    }
    places.edit(|places| places.version = places.version.max(1));
    files.insert(layout::places(), places.to_text());
    let heading = match book.lang {
        Lang::Zh => "# 地点",
        Lang::En => "# Places",
    };
    add_text(layout::world_geography(), heading, &text, book.texts, files);
    found
}

fn id_of(places: &Places, name: &str) -> Option<Slug> {
    let mut all = places.places.iter();
    let found = all.find(|it| it.name == name || it.aliases.iter().any(|alias| alias == name));
    found.map(|it| it.id.clone())
}

/// A place is in another unless that one is in it.
fn put_inside(places: &mut Document<Places>, id: &Slug, inside: Slug) {
    let mut around = Some(inside.clone());
    let mut steps = places.get().places.len();
    while let Some(at) = around {
        if at == *id || steps == 0 {
            return;
        }
        steps -= 1;
        let mut all = places.get().places.iter();
        around = all.find(|it| it.id == at).and_then(|it| it.inside.clone());
    }
    places.edit(|places| {
        let mut all = places.places.iter_mut();
        if let Some(place) = all.find(|it| it.id == *id) {
            place.inside = Some(inside);
        }
    });
}

fn place_text(place: &Place, lang: Lang) -> String {
    let described: Vec<&str> = place
        .descriptions
        .iter()
        .map(|(_, text)| text.as_str())
        .collect();
    let quotation = place.quotations.first();
    let quoted = quotation.map(|it| format!("{}“{}”", at_chapter(it.chapter, lang), it.text));
    let (colon, gap) = match lang {
        Lang::Zh => ("：", ""),
        Lang::En => (": ", " "),
    };
    let parts: Vec<String> = [described.join(gap), quoted.unwrap_or_default()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    format!("- **{}**{colon}{}\n", place.name, parts.join(gap))
}

fn rule_files(collected: &Collected, book: &Book<'_>, files: &mut Files) -> Vec<FoundThing> {
    let mut rules = book.rules.clone();
    let is_new = |rule: &&Rule| rules.get().rules.iter().all(|it| it.rule != rule.rule);
    let mut new: Vec<&Rule> = collected.rules.iter().filter(is_new).collect();
    new.sort_by_key(|rule| rule.constraint_type == ConstraintType::Soft);
    new.truncate(MOST_RULES);
    let number = |rule: &WorldRule| rule.id.strip_prefix("W-")?.parse::<u32>().ok();
    let next = 1 + rules
        .get()
        .rules
        .iter()
        .filter_map(number)
        .max()
        .unwrap_or(0);
    let (mut found, mut text) = (Vec::new(), String::new());
    for (rule, number) in new.iter().zip(next..) {
        let id = format!("W-{number:03}");
        let first = rule.quotations.first();
        rules.edit(|rules| {
            rules.rules.push(WorldRule {
                id: id.clone(),
                category: rule.category.clone(),
                rule: rule.rule.clone(),
                constraint_type: rule.constraint_type,
                exceptions: Vec::new(),
                introduced_chapter: first.map(|it| it.chapter.get()),
                last_verified: None,
            });
        });
        text.push_str(&format!(
            "## {id} {}\n\n{}\n",
            rule.rule,
            quoted(&rule.quotations, book.lang)
        ));
        found.push(FoundThing {
            id,
            name: rule.rule.clone(),
            quotations: rule.quotations.clone(),
        });
    }
    // An empty list too: the author can add to a world that is there.
    files.insert(layout::world_rules(), rules.to_text());
    if !text.is_empty() {
        let heading = match book.lang {
            Lang::Zh => "# 规则",
            Lang::En => "# Rules",
        };
        add_text(
            layout::world_rules_text(),
            heading,
            &text,
            book.texts,
            files,
        );
    }
    found
}

/// Plans of foreshadowing for the imported volumes: facts take description and range from there.
fn thread_files(collected: &Collected, book: &Book<'_>, files: &mut Files) -> Vec<FoundThread> {
    let mut threads: Vec<&Thread> = collected.threads.iter().collect();
    // Open ones matter more than those that are done.
    let mut spare = threads.len().saturating_sub(MOST_THREADS);
    threads.retain(|thread| {
        let goes = spare > 0 && !thread.is_open();
        spare -= usize::from(goes);
        !goes
    });
    threads.truncate(MOST_THREADS);
    let line = book.lines.as_ref().and_then(|lines| {
        let lines = &lines.get().storylines;
        let main = lines.iter().find(|line| line.kind == "main_arc");
        main.or(lines.first()).map(|line| line.id.clone())
    });
    let mut plans: BTreeMap<VolumeNo, ForeshadowPlan> = BTreeMap::new();
    let mut found = Vec::new();
    for (thread, number) in threads.into_iter().zip(1..) {
        let Ok(id) = format!("thread-{number:03}").parse::<ForeshadowId>() else {
            continue;
        };
        let Some(planted) = thread.events.first().map(|event| event.chapter) else {
            continue;
        };
        let plan = plans.entry((book.volume_of)(planted)).or_default();
        plan.foreshadowing.push(PlannedForeshadow {
            id: id.clone(),
            description: thread.description.clone(),
            scope: Some(thread.scope),
            planted_chapter: Some(planted),
            planted_storyline: line.clone(),
            target_resolve_range: Some(range(thread, book.last)),
        });
        found.push(FoundThread {
            id,
            description: thread.description.clone(),
            events: thread.events.clone(),
        });
    }
    for (volume, plan) in plans {
        let path = layout::foreshadowing_plan(volume);
        if !book.texts.contains_key(&path) {
            files.insert(path, to_json_text(&plan));
        }
    }
    found
}

/// When an open thread is to be resolved: nobody planned it, so it is due from the next chapter on.
fn range(thread: &Thread, last: ChapterNo) -> (u32, u32) {
    let (Some(first), Some(end)) = (thread.events.first(), thread.events.last()) else {
        return (last.get(), last.get());
    };
    if !thread.is_open() {
        return (first.chapter.get(), end.chapter.get());
    }
    let within = match thread.scope {
        ForeshadowScope::Short => 15,
        ForeshadowScope::Medium => 40,
        ForeshadowScope::Long => 120,
    };
    (last.get() + 1, last.get() + within)
}

/// Whoever is in most chapters tells the main line, and stands in an open line of the brief.
fn protagonist(name: &str, book: &Book<'_>, files: &mut Files) {
    if let Some(lines) = &book.lines {
        let mut lines = lines.clone();
        let mut told = false;
        lines.edit(|lines| {
            let mut main = lines.storylines.iter_mut();
            let main = main.find(|line| line.kind == "main_arc" && line.pov_characters.is_empty());
            if let Some(line) = main {
                line.pov_characters = vec![name.to_owned()];
                told = true;
            }
        });
        if told {
            files.insert(layout::storylines(), lines.to_text());
        }
    }
    let path = layout::brief();
    let Some(brief) = book.texts.get(&path) else {
        return;
    };
    let key = match book.lang {
        Lang::Zh => "- 主角：",
        Lang::En => "- Protagonist: ",
    };
    let open = format!("{key}…");
    if Brief::parse(brief).protagonist.is_none() && brief.lines().any(|line| line == open) {
        files.insert(path, brief.replacen(&open, &format!("{key}{name}"), 1));
    }
}

/// Adds to a document of the author's, or begins one.
fn add_text(path: RelPath, heading: &str, text: &str, texts: &Files, files: &mut Files) {
    let whole = match texts.get(&path) {
        Some(old) => format!("{}\n\n{heading}\n\n{}\n", old.trim_end(), text.trim_end()),
        None => format!("{heading}\n\n{}\n", text.trim_end()),
    };
    files.insert(path, whole);
}
