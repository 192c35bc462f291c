//! Names by which the prose may call somebody whose full name the cast has.

use std::collections::{BTreeMap, BTreeSet};

/// Parts of names that mean one person of the cast alone: `Isaura` and `Quill` of `Isaura Quill`,
/// `Reyes` of `Captain Reyes`. A family shares `Mr.`, `Mrs.` and `Lady`, so what follows them is no name
/// of one person.
pub(super) fn short_names<'n>(
    names: impl Iterator<Item = (&'n str, &'n str)>,
) -> Vec<(&'n str, &'n str)> {
    let names: Vec<(&str, &str)> = names.collect();
    let mut owners: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut parts: Vec<(&str, &str)> = Vec::new();
    let mut phrases: Vec<(&str, &str)> = Vec::new();
    for (id, name) in names.iter().copied().filter(|(_, name)| name.is_ascii()) {
        let words: Vec<&str> = name.split_whitespace().collect();
        for word in &words {
            owners.entry(word).or_default().insert(id);
        }
        let epithet = words.iter().position(|word| matches!(*word, "the" | "of"));
        let own = &words[..epithet.unwrap_or(words.len())];
        let titles = own.iter().take_while(|word| is_title(word)).count();
        let shared = own[..titles].iter().any(|title| is_shared(title));
        let proper = &own[titles..];
        let end = |count: usize| {
            own.get(count.wrapping_sub(1))
                .map(|word| word.as_ptr() as usize - name.as_ptr() as usize + word.len())
        };
        if let (Some(first), Some(all), true) = (
            proper.first(),
            end(own.len()),
            titles > 0 && proper.len() > 1,
        ) {
            // `Mora Singh` of `Lieutenant Mora Singh`, `Sir Lucius` of `Sir Lucius Dray`.
            let from = first.as_ptr() as usize - name.as_ptr() as usize;
            phrases.push((&name[from..all], id));
            let by_first = own[..titles].iter().any(|title| {
                matches!(
                    title.to_lowercase().as_str(),
                    "sir" | "lady" | "dame" | "lord"
                )
            }) && epithet.is_none()
                && !GIVEN.contains(&first.to_lowercase().as_str());
            phrases.extend(
                end(titles + 1)
                    .filter(|_| by_first)
                    .map(|end| (&name[..end], id)),
            );
        }
        // `Dr. Helen Pryor` goes by either, `Mr. Pryor` by neither.
        if words.len() < 2 || proper.is_empty() || shared && proper.len() < 2 {
            continue;
        }
        let first = proper.first().copied();
        let last = proper.last().copied().filter(|_| !shared);
        parts.extend(first.into_iter().chain(last).map(|part| (part, id)));
    }
    parts.retain(|(part, _)| {
        owners.get(part).is_some_and(|owners| owners.len() == 1)
            && part.len() >= 2
            && !NO_NAMES.contains(&part.to_lowercase().as_str())
            && part.starts_with(char::is_uppercase)
            && part.chars().all(char::is_alphabetic)
            && !is_title(part)
            && !GIVEN.contains(&part.to_lowercase().as_str())
    });
    let once = |phrase: &str| phrases.iter().filter(|(other, _)| *other == phrase).count() == 1;
    parts.extend(phrases.iter().copied().filter(|(phrase, _)| once(phrase)));
    parts.extend(transcribed(&names));
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Parts of a foreign name in Chinese letters that only one of the cast has: `比利` of `比利·科恩`.
fn transcribed<'n>(names: &[(&'n str, &'n str)]) -> Vec<(&'n str, &'n str)> {
    let pieces = |name: &'n str| name.split(POINTS).map(str::trim);
    let pointed = names.iter().filter(|(_, name)| name.contains(POINTS));
    pointed
        .flat_map(|(id, name)| pieces(name).map(move |part| (part, *id)))
        .filter(|(part, id)| {
            part.chars().count() > 1
                && !part.is_ascii()
                && names
                    .iter()
                    .all(|(other, name)| other == id || pieces(name).all(|piece| piece != *part))
        })
        .collect()
}

/// Points between the parts of a foreign name.
pub(super) const POINTS: [char; 3] = ['·', '•', '‧'];

/// Words before a name that are no part of it.
pub(super) fn is_title(word: &str) -> bool {
    const TITLES: &[&str] = &[
        "mr",
        "mrs",
        "ms",
        "miss",
        "dr",
        "sir",
        "lady",
        "lord",
        "dame",
        "master",
        "mistress",
        "madame",
        "captain",
        "major",
        "colonel",
        "general",
        "lieutenant",
        "sergeant",
        "corporal",
        "private",
        "commander",
        "admiral",
        "ensign",
        "marshal",
        "inspector",
        "superintendent",
        "detective",
        "constable",
        "officer",
        "agent",
        "sheriff",
        "deputy",
        "chief",
        "king",
        "queen",
        "prince",
        "princess",
        "duke",
        "duchess",
        "count",
        "countess",
        "baron",
        "baroness",
        "earl",
        "emperor",
        "empress",
        "chancellor",
        "steward",
        "thane",
        "jarl",
        "warlord",
        "father",
        "mother",
        "brother",
        "sister",
        "uncle",
        "aunt",
        "great-aunt",
        "cousin",
        "granny",
        "grandpa",
        "grandma",
        "grandfather",
        "grandmother",
        "old",
        "young",
        "little",
        "big",
        "professor",
        "doctor",
        "nurse",
        "matron",
        "magister",
        "archmage",
        "bishop",
        "abbot",
        "prior",
        "parson",
        "reverend",
        "rev",
        "cardinal",
        "pope",
        "saint",
        "st",
        "bosun",
        "mate",
        "widow",
        "goodman",
        "goodwife",
        "herr",
        "frau",
        "signor",
        "signora",
        "don",
        "dona",
        "legate",
        "elder",
        "judge",
        "senator",
        "president",
        "governor",
        "mayor",
        "the",
        "gaffer",
        "squire",
        "ser",
        "dom",
        "fra",
        "monsieur",
        "mademoiselle",
        "comrade",
        "skipper",
        "navigator",
        "pilot",
        "engineer",
        "ambassador",
        "envoy",
        "director",
        "trooper",
        "ranger",
        "cadet",
        "gunner",
        "mage",
        "khan",
        "sultan",
        "vizier",
        "pasha",
        "rabbi",
        "imam",
        "vicar",
        "canon",
        "deacon",
        "abbess",
        "prioress",
        "curate",
        "nan",
        "nana",
        "gran",
        "auntie",
        "papa",
        "mama",
        "tsar",
        "kaiser",
        "prefect",
        "consul",
        "tribune",
        "centurion",
        "warden",
        "keeper",
        "bailiff",
        "secretary",
        "minister",
    ];
    let word = word.trim_end_matches('.').to_lowercase();
    TITLES.contains(&word.as_str())
}

/// Titles a whole family bears.
pub(super) fn is_shared(word: &str) -> bool {
    let word = word.trim_end_matches('.').to_lowercase();
    matches!(
        word.as_str(),
        "mr" | "mrs"
            | "ms"
            | "miss"
            | "lady"
            | "lord"
            | "sir"
            | "madame"
            | "master"
            | "mistress"
            | "granny"
            | "herr"
            | "frau"
            | "signor"
            | "signora"
            | "old"
            | "young"
            | "widow"
    )
}

/// Whether a name is a word of its own: alone it may begin any sentence.
pub(super) fn is_word(name: &str) -> bool {
    COMMON.contains(&name.to_lowercase().as_str())
}

/// Names that are words of their own.
const COMMON: &[&str] = &[
    "will", "mark", "rose", "grace", "hope", "faith", "joy", "may", "june", "april", "august",
    "dawn", "summer", "autumn", "winter", "spring", "rain", "ivy", "lily", "violet", "daisy",
    "hazel", "olive", "pearl", "ruby", "jade", "amber", "sky", "star", "frost", "snow", "stone",
    "wood", "woods", "hill", "field", "fields", "brook", "rivers", "lake", "marsh", "sand", "bell",
    "cook", "baker", "smith", "black", "white", "brown", "green", "grey", "gray", "bright",
    "strange", "sharp", "swift", "long", "short", "rich", "good", "best", "moon", "sun", "storm",
    "hunter", "page", "knight", "dean", "chase", "grant", "pierce", "wade", "drew", "bill", "pat",
    "sue", "nick", "rob", "art", "rusty", "patience", "mercy", "charity", "prudence", "chance",
    "major", "miller", "fisher", "potter", "shepherd", "mason", "carter", "rook", "crane", "wren",
    "robin", "hart", "fox", "wolf", "lamb", "north", "south", "east", "west", "church", "temple",
    "cross", "day", "night", "love", "power", "price", "reed", "rush", "banks", "waters", "wells",
    "street", "house", "hall", "gate", "gates", "bridge", "ford", "glass", "silver", "gold",
    "sterling", "savage", "noble", "guy", "frank", "earnest", "curt", "gene", "rod", "basil",
    "sage", "rosemary", "heather", "holly", "ginger", "blunt", "sparrow", "fell", "drum", "penny",
    "victory", "constant", "merry", "ash", "dale", "glen", "heath", "cliff", "forest", "bush",
];

/// Words of two letters that are no name alone.
const NO_NAMES: &[&str] = &[
    "an", "do", "no", "so", "go", "me", "he", "us", "in", "on", "ma", "pa", "la", "le", "de", "du",
    "di", "da", "el", "st", "my", "to", "of", "or", "if", "is", "it", "as", "at", "be", "by", "up",
    "we", "am", "oh", "ah", "hi", "ii", "iv", "vi", "al", "bin", "von", "van", "der", "den",
];

/// Given names that many people bear: there may be another one whom the cast does not have.
const GIVEN: &[&str] = &[
    "mary",
    "john",
    "william",
    "james",
    "charles",
    "george",
    "henry",
    "thomas",
    "edward",
    "robert",
    "richard",
    "joseph",
    "anne",
    "ann",
    "anna",
    "jane",
    "elizabeth",
    "sarah",
    "margaret",
    "emma",
    "harriet",
    "catherine",
    "katherine",
    "louisa",
    "sophia",
    "charlotte",
    "lucy",
    "fanny",
    "maria",
    "martha",
    "eliza",
    "tom",
    "harry",
    "jack",
    "dick",
    "jim",
    "joe",
    "peter",
    "paul",
    "david",
    "michael",
    "arthur",
    "fred",
    "frederick",
    "walter",
    "samuel",
    "benjamin",
    "daniel",
    "simon",
    "philip",
    "stephen",
    "francis",
    "alice",
    "ellen",
    "helen",
    "julia",
    "kate",
    "nancy",
    "susan",
    "betty",
    "polly",
    "sally",
    "molly",
    "bob",
    "ben",
    "sam",
    "dan",
    "max",
    "alex",
];

#[cfg(test)]
mod tests {
    use super::short_names;

    #[test]
    fn a_part_of_a_name_means_one_person() {
        let cast = [
            ("isaura", "Isaura Quill"),
            ("reyes", "Captain Reyes"),
            ("hale", "Mrs. Hale"),
            ("mary", "Mary Stott"),
            ("ulf", "Ulf the Red"),
            ("mick", "Mick Farrell"),
            ("joe", "Jonas Farrell"),
            ("singh", "Lieutenant Mora Singh"),
            ("dray", "Sir Lucius Dray"),
        ];
        let short: Vec<&str> = short_names(cast.into_iter())
            .iter()
            .map(|(name, _)| *name)
            .collect();
        // A family shares a surname, `Mrs.` and common given names are no one's alone.
        assert_eq!(
            short,
            [
                "Isaura",
                "Jonas",
                "Lucius",
                "Lucius Dray",
                "Mick",
                "Mora",
                "Mora Singh",
                "Quill",
                "Reyes",
                "Singh",
                "Sir Lucius",
                "Stott",
                "Ulf"
            ]
        );
    }
}
