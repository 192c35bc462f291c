//! Whether an English paragraph can show somebody who is away: where the record has them, over a
//! distance, or back.

use std::ops::Range;

use super::gone;
use crate::check::{
    prose::Mention,
    reading::{Excuse, Reading},
    rules::Scope,
    short_names::is_title,
};

/// Whether the paragraph shows them where they are, over a distance, or coming back. `recorded` is
/// what the record says of their absence.
pub(super) fn may_be_there(scene: &str, paragraph: &str, recorded: &str) -> bool {
    let told = spaced(paragraph);
    let recorded = recorded
        .split_once(':')
        .map_or(recorded, |(_, value)| value);
    let lower = recorded.to_lowercase();
    let holds = |list: &[&str]| list.iter().any(|phrase| told.contains(phrase));
    holds(AT_A_DISTANCE)
        || holds(BACK)
        || CONFINES.iter().any(|word| lower.contains(word)) && holds(IN_CONFINEMENT)
        || names_its_place(&spaced(scene), recorded)
}

/// Whether a text speaks of a letter, a telephone or a screen, of distance, or of a return.
pub(super) fn is_over_a_distance(told: &str) -> bool {
    AT_A_DISTANCE
        .iter()
        .chain(BACK)
        .any(|phrase| told.contains(phrase))
}

/// Whether a text speaks of somebody who is thought of, missed or waited for.
pub(super) fn is_in_mind(told: &str) -> bool {
    IN_MIND.iter().any(|word| told.contains(word))
}

/// Whether a word of a record names no place.
pub(super) fn is_no_place(word: &str) -> bool {
    NO_PLACES.contains(&word)
}

/// The words of a text in small letters, each between spaces.
pub(super) fn spaced(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    let words = lower.split(|char: char| !(char.is_alphanumeric() || char == '\''));
    let mut spaced = String::from(" ");
    for word in words.filter(|word| !word.is_empty()) {
        spaced.push_str(word);
        spaced.push(' ');
    }
    spaced
}

/// Whether the scene has a word of the place the record names. A place that was left is none.
fn names_its_place(scene: &str, recorded: &str) -> bool {
    let words: Vec<&str> = recorded
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.iter().enumerate().any(|(at, word)| {
        let lower = word.to_lowercase();
        let left = words[..at]
            .iter()
            .rev()
            .take(2)
            .any(|before| LEAVES.contains(&before.to_lowercase().as_str()));
        let of = words[..at]
            .iter()
            .rev()
            .take(2)
            .any(|before| matches!(*before, "of" | "in" | "at"));
        let is_place = word.starts_with(char::is_uppercase) && at > 0 && (of || !is_title(word))
            || words[..at].iter().rev().take(3).any(|before| {
                matches!(
                    *before,
                    "in" | "at" | "on" | "to" | "for" | "into" | "under" | "near"
                )
            });
        !left
            && is_place
            && word.len() > 3
            && !NO_PLACES.contains(&lower.as_str())
            && is_in(scene, &lower)
    })
}

/// Whether a text names a place as one where somebody may be: not `far from Leeds`, not `had not been near
/// the tower`.
pub(super) fn is_in(scene: &str, place: &str) -> bool {
    scene.match_indices(&format!(" {place} ")).any(|(at, _)| {
        let before: Vec<&str> = scene[..at].rsplit(' ').take(3).collect();
        !before.iter().any(|word| {
            matches!(
                *word,
                "from" | "leaving" | "left" | "past" | "any" | "near" | "about" | "around" | "for"
            )
        })
    })
}

/// Whether somebody else is there: in the paragraph or beside it, by name, or as the narrator. Who is
/// away may act elsewhere, alone.
pub(super) fn has_company(
    scope: &Scope<'_>,
    at: usize,
    paragraph: &Range<usize>,
    mention: &Mention<'_>,
) -> bool {
    let Some(scene) = scope.text.scenes.get(at) else {
        return false;
    };
    let told = spaced(&scene.narrated(paragraph.clone()));
    let in_mind = is_in_mind(&told);
    if (told_by_i(&told) || titled(scope, &told, mention.id)) && !in_mind {
        return true;
    }
    let index = scene
        .paragraphs
        .partition_point(|range| range.end <= mention.start);
    let from = index
        .checked_sub(1)
        .and_then(|last| scene.paragraphs.get(last));
    let to = scene.paragraphs.get(index + 1);
    let near = from.map_or(paragraph.start, |range| range.start)
        ..to.map_or(paragraph.end, |range| range.end);
    scope
        .mentions(at)
        .iter()
        .filter(|other| near.contains(&other.start) && other.id != mention.id)
        .filter(|other| !scene.is_quoted(other.start) && gone(scope, other.id).is_none())
        .any(|other| {
            let rest = scene.content[other.end..].trim_start_matches(['\'', '’']);
            let owner = rest.strip_prefix("s ").is_some_and(|rest| {
                rest.split(|char: char| !char.is_alphanumeric())
                    .take(2)
                    .any(|thing| ALONE.contains(&thing))
            });
            match scope.read(at, *other) {
                Reading::Acts(_) => true,
                Reading::Doubtful
                | Reading::Excused(Excuse::Mention | Excuse::State | Excuse::Past) => {
                    !in_mind && !owner && paragraph.contains(&other.start)
                }
                Reading::Excused(_) => false,
            }
        })
}

/// `the Baron` of `Baron Krail`: somebody else is spoken of by a title alone.
fn titled(scope: &Scope<'_>, told: &str, id: &str) -> bool {
    scope.people.everybody().any(|(other, person)| {
        other != id
            && gone(scope, other).is_none()
            && person.display.split_once(' ').is_some_and(|(title, _)| {
                is_title(title) && told.contains(&format!(" the {} ", title.to_lowercase()))
            })
    })
}

fn told_by_i(told: &str) -> bool {
    [" i ", " me ", " we ", " us ", " i'm ", " we're "]
        .iter()
        .any(|word| told.contains(word))
}

/// Telephone, letter, screen, far away.
const AT_A_DISTANCE: &[&str] = &[
    " phone ",
    " telephone ",
    " telephoned ",
    " phoned ",
    " receiver ",
    " on the line ",
    " the line ",
    " letter ",
    " letters ",
    " postcard ",
    " down the wire ",
    " over the wire ",
    " postcards ",
    " wired ",
    " telegram ",
    " cable ",
    " radio ",
    " screen ",
    " video ",
    " email ",
    " message ",
    " messages ",
    " voicemail ",
    " texted ",
    " wrote ",
    " writes ",
    " dispatch ",
    " hologram ",
    " the feed ",
    " transmission ",
    " comm ",
    " satellite ",
    " skype ",
    " zoom ",
    " laptop ",
    " miles away ",
    " leagues away ",
    " miles off ",
    " oceans away ",
    " far away ",
    " meanwhile ",
    " elsewhere ",
    " somewhere in ",
    " across the ocean ",
    " across the sea ",
    " other side of the world ",
    " hideout ",
    " hiding place ",
    " boathouse ",
    " far from home ",
    " film ",
    " tape ",
    " poster ",
    " posters ",
];

/// Back, or let go.
const BACK: &[&str] = &[
    " returned ",
    " came back ",
    " come back ",
    " comes back ",
    " came home ",
    " come home ",
    " home from ",
    " back from ",
    " was back ",
    " is back ",
    " you're back ",
    " welcome back ",
    " welcome home ",
    " homecoming ",
    " released ",
    " release ",
    " paroled ",
    " parole ",
    " rescued ",
    " escaped ",
    " escape ",
    " pardon ",
    " pardoned ",
    " acquitted ",
    " set free ",
    " walked free ",
    " freed ",
    " served his time ",
    " served her time ",
    " reunion ",
    " reunited ",
    " after all these years ",
    " years later ",
    " months later ",
    " weeks later ",
    " after two years ",
    " after three years ",
    " after five years ",
    " after six months ",
    " let out ",
    " thought you were ",
    " supposed to be in ",
    " supposed to be at ",
    " nobody had expected ",
    " unannounced ",
    " ransom ",
    " ransomed ",
    " exchange of prisoners ",
    " his sentence ",
    " her sentence ",
    " early from ",
    " no longer missing ",
    " was found ",
    " had been found ",
    " arrived from ",
    " arrived home ",
    " just landed ",
    " alive ",
    " dug out ",
    " made it out ",
    " found his way ",
    " found her way ",
    " had walked out ",
];

/// Records of these hold somebody.
const CONFINES: &[&str] = &[
    "prison",
    "gaol",
    "jail",
    "cell",
    "captive",
    "captur",
    "chain",
    "hostage",
    "lock",
    "asylum",
    "hospital",
    "penitentiary",
    "tower",
    "dungeon",
    "mines",
    "galleys",
    "custody",
    "arrest",
    "intern",
    "held",
    "confined",
    "kidnap",
    "abduct",
    "sanatorium",
    "convent",
    "cloister",
    "quarantine",
    "inside",
    "detention",
    "detained",
    "committed",
    "camp",
    "in the fleet",
    "marshalsea",
    "missing",
];

/// Prison, sickroom, hiding place.
const IN_CONFINEMENT: &[&str] = &[
    " cell ",
    " cells ",
    " bars ",
    " barred ",
    " prison ",
    " prisoner ",
    " prisoners ",
    " gaol ",
    " jail ",
    " dungeon ",
    " ward ",
    " wards ",
    " guard ",
    " guards ",
    " gaoler ",
    " jailer ",
    " turnkey ",
    " warden ",
    " visitor ",
    " visitors ",
    " visiting ",
    " attendant ",
    " orderly ",
    " matron ",
    " nurse ",
    " nurses ",
    " shackles ",
    " shackled ",
    " manacles ",
    " chains ",
    " chained ",
    " captor ",
    " captors ",
    " kidnapper ",
    " kidnappers ",
    " exercise yard ",
    " plank ",
    " bunk ",
    " bunks ",
    " straw ",
    " whistle went ",
    " bedside ",
    " stretcher ",
    " cot ",
    " blindfold ",
    " gag ",
    " ropes ",
    " overseer ",
    " oar ",
    " oars ",
    " aboard ",
    " deck ",
    " sentry ",
    " sentries ",
    " barracks ",
    " barbed wire ",
];

/// What may be there without its owner.
const ALONE: &[&str] = &[
    "letter",
    "letters",
    "photograph",
    "photo",
    "portrait",
    "picture",
    "name",
    "memory",
    "grave",
    "diary",
    "voice",
    "face",
    "ring",
    "note",
    "coat",
    "address",
    "words",
    "death",
    "advice",
    "gift",
    "book",
];

/// After these a place was left.
const LEAVES: &[&str] = &[
    "left",
    "from",
    "quit",
    "fled",
    "abandoned",
    "vanished",
    "disappeared",
    "missing",
];

/// Words of a record that are no place.
const NO_PLACES: &[&str] = &[
    "with",
    "from",
    "this",
    "that",
    "their",
    "until",
    "expected",
    "back",
    "spring",
    "summer",
    "autumn",
    "winter",
    "prison",
    "hospital",
    "debt",
    "days",
    "years",
    "months",
    "weeks",
    "thirty",
    "assignment",
    "leave",
    "orders",
    "business",
    "mission",
    "pilgrimage",
    "home",
    "country",
    "town",
    "city",
    "north",
    "south",
    "east",
    "west",
    "abroad",
    "court",
    "waters",
    "unknown",
    "whereabouts",
    "morning",
    "night",
    "week",
    "month",
    "year",
    "last",
    "good",
    "ever",
    "life",
    "murder",
    "theft",
    "treason",
    "fraud",
    "captive",
    "hostage",
    "prisoner",
    "secret",
    "hiding",
    "exile",
    "custody",
    "time",
    "duty",
    "tour",
    "work",
    "study",
    "school",
    "king",
    "queen",
];

/// Somebody elsewhere thinks of, writes to or waits for whoever is away.
const IN_MIND: &[&str] = &[
    " thought of ",
    " thought about ",
    " thinking of ",
    " thinking about ",
    " remembered ",
    " remember ",
    " missed ",
    " missing ",
    " wondered ",
    " hoped ",
    " dreamed ",
    " dreamt ",
    " news of ",
    " word of ",
    " worried ",
    " longed ",
    " prayed ",
    " waited for ",
    " waiting for ",
    " wished ",
    " imagined ",
    " letter ",
];
