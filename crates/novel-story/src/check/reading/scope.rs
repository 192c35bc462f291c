//! Parts of a scene that are not told as now: flashbacks, dreams, verses, documents.

use std::ops::Range;

use novel_model::Lang;

use super::{
    super::prose::{Scene, holds},
    en_words, zh_words,
};

/// Paragraphs that an opening of a flashback reaches when nothing ends it before.
const REACH: usize = 4;

/// Bytes of a scene that are told as past, dreamt, sung or read out.
pub(in crate::check) struct Flashbacks {
    covered: Vec<Range<usize>>,
}

impl Flashbacks {
    /// Those of a scene.
    pub(in crate::check) fn of(scene: &Scene<'_>, lang: Lang) -> Self {
        let mut covered = Vec::new();
        // Paragraphs still covered by an opening, and whether only the end of the scene ends it.
        let mut left = 0_usize;
        let mut whole = false;
        let mut announced = false;
        for (index, paragraph) in scene.paragraphs.iter().enumerate() {
            let told = scene.narrated(paragraph.clone());
            let told = match lang {
                Lang::Zh => told,
                Lang::En => told.to_lowercase(),
            };
            let text = told.trim_start_matches([' ', '　', '\t']);
            if returns(text, lang) {
                (left, whole) = (0, false);
            }
            let opened = opens(text, lang);
            if opened {
                (left, whole) = (REACH, index == 0);
            }
            let is_verse = announced || verse(text, lang);
            announced = announces(text, lang);
            if whole || left > 0 || is_verse {
                // Who stands before the word that opens it may be who remembers.
                let from = if opened && lang == Lang::Zh {
                    let raw = &scene.content[paragraph.clone()];
                    zh_words::FLASHBACK_HEAD
                        .iter()
                        .filter_map(|word| raw.find(word))
                        .min()
                        .unwrap_or_default()
                } else {
                    0
                };
                covered.push(paragraph.start + from..paragraph.end);
                left = left.saturating_sub(1);
                continue;
            }
            if let Some(from) = inner(scene, paragraph, lang) {
                covered.push(from..inner_end(scene, from..paragraph.end, lang));
            }
        }
        if lang == Lang::Zh {
            covered.extend(couplets(scene));
            covered.extend(recited(scene));
            covered.sort_by_key(|range: &Range<usize>| (range.start, range.end));
        }
        Self { covered }
    }

    /// Whether the byte lies in such a part.
    pub(in crate::check) fn covers(&self, at: usize) -> bool {
        self.covered.iter().any(|range| range.contains(&at))
    }
}

/// A paragraph that begins a flashback or a dream. `A year ago she would have laughed` goes back
/// nowhere.
fn opens(text: &str, lang: Lang) -> bool {
    let head = head(text);
    let first = text
        .split(['。', '！', '.', '!'])
        .next()
        .unwrap_or_default();
    let supposes = match lang {
        Lang::Zh => holds(first, &["会把", "定会", "就会", "一定会", "必会", "会笑"]),
        Lang::En => holds(first, &[" would have ", " might have ", " could have "]),
    };
    !supposes
        && match lang {
            Lang::Zh => {
                let named = zh_words::FLASHBACK_HEAD.iter().any(|word| {
                    head.match_indices(word)
                        .any(|(at, _)| !head[at + word.len()..].starts_with('的'))
                });
                named || ago_zh(head)
            }
            Lang::En => {
                let begun: Vec<&str> = head.split_whitespace().take(6).collect();
                holds(head, en_words::FLASHBACK_HEAD) || ago_en(&begun.join(" ")) || young_en(head)
            }
        }
}

/// A paragraph that comes back to now.
fn returns(text: &str, lang: Lang) -> bool {
    let head = head(text);
    match lang {
        Lang::Zh => holds(head, zh_words::BACK_TO_NOW),
        Lang::En => holds(head, en_words::BACK_TO_NOW),
    }
}

/// The first clause.
fn head(text: &str) -> &str {
    let end = text
        .char_indices()
        .find(|(_, char)| matches!(char, '，' | '。' | ',' | '.' | '；' | ';' | '！' | '？'))
        .map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// `三年前`, `数月之前`, `几天以前`.
pub(super) fn ago_zh(text: &str) -> bool {
    text.match_indices('前').any(|(at, _)| {
        let before = text[..at].trim_end_matches(['之', '以']);
        before
            .chars()
            .next_back()
            .is_some_and(|unit| "年月日天载代世".contains(unit))
            && before.chars().rev().nth(1).is_some_and(|number| {
                "一二三四五六七八九十百千万几数多半两个余整".contains(number)
                    || number.is_ascii_digit()
            })
    })
}

/// `ten years ago`, `three days earlier`, `the winter before`.
fn ago_en(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| {
        en_words::TIME_UNITS.contains(&pair[0])
            && matches!(pair[1], "ago" | "earlier" | "before" | "previously")
    })
}

/// `The summer Della was six`, `he was seven again`.
fn young_en(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|char: char| !(char.is_alphanumeric() || char == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(3).enumerate().any(|(at, three)| {
        let aged = crate::ledger::read_age(three[1]).is_some()
            || matches!(
                three[1],
                "boy" | "girl" | "child" | "young" | "small" | "little"
            );
        let season = words[..at]
            .iter()
            .rev()
            .take(4)
            .any(|word| en_words::TIME_UNITS.contains(word));
        matches!(three[0], "was" | "were" | "turned") && aged && (season || three[2] == "again")
    }) || matches!(words.as_slice(), ["he" | "she" | "i", "was", age]
            if crate::ledger::read_age(age).is_some_and(|age| age < 16))
}

/// `Hart called up the file`, `The deposition is brief`: what follows is on paper, on a screen, in stone.
fn presents(told: &str) -> bool {
    const VERBS: &[&str] = &[
        "opened",
        "unfolded",
        "unrolled",
        "read",
        "called",
        "pulled",
        "brought",
        "played",
        "replayed",
        "rewound",
        "replay",
        "started",
        "studied",
        "looked",
        "stared",
        "gazed",
        "drew",
        "showed",
        "begins",
        "flickered",
        "crackled",
        "hissed",
        "froze",
        "whirred",
        "bowed",
        "dialled",
        "found",
        "dialed",
        "switched",
        "clicked",
        "is",
        "says",
        "ran",
        "runs",
        "put",
    ];
    const MEDIA: &[&str] = &[
        "card",
        "log",
        "logs",
        "cards",
        "file",
        "recorder",
        "stone",
        "deposition",
        "dossier",
        "transcript",
        "footage",
        "playback",
        "video",
        "screen",
        "monitor",
        "diary",
        "journal",
        "notebook",
        "memoir",
        "letter",
        "telegram",
        "statement",
        "album",
        "postcard",
        "mosaic",
        "fresco",
        "tapestry",
        "mural",
        "engraving",
        "locket",
        "film",
        "photo",
        "snapshot",
        "chapbook",
        "pamphlet",
        "ballad",
        "playbill",
        "yearbook",
    ];
    let words: Vec<&str> = told
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(2).any(|pair| {
        matches!(pair[0], "the" | "a" | "his" | "her" | "bridge" | "that")
            && MEDIA.contains(&pair[1])
    }) && words.iter().any(|word| VERBS.contains(word))
        && !ends_viewing(told)
}

/// `put the photograph back on the shelf`: nobody looks at it any longer.
fn ends_viewing(told: &str) -> bool {
    const ENDS: &[&str] = &[
        "closed", "folded", "shut", "pocketed", "burned", "burnt", "tore", "dropped", "threw",
        "put", "set", "laid", "hung", "slid", "hid", "pushed", "handed", "gave",
    ];
    const THINGS: &[&str] = &[
        "portrait",
        "photograph",
        "painting",
        "diary",
        "album",
        "coin",
        "statue",
        "recording",
    ];
    let words: Vec<&str> = told
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(3).any(|three| {
        ENDS.contains(&three[0])
            && matches!(three[1], "the" | "his" | "her" | "it")
            && THINGS.contains(&three[2])
    })
}

/// A memory or a report that begins inside a paragraph covers the rest of it.
fn inner(scene: &Scene<'_>, paragraph: &Range<usize>, lang: Lang) -> Option<usize> {
    scene.sentences_in(paragraph.clone()).find_map(|sentence| {
        let told = scene.narrated(sentence.start..sentence.end);
        match lang {
            // What the sentence itself covers is read with the name.
            Lang::Zh => {
                (holds(&told, zh_words::MEMORY_REST) || ago_zh(&told)).then_some(sentence.end)
            }
            Lang::En => {
                let told = told.to_lowercase();
                let remembers = holds(&told, en_words::MEMORY_REST) && !ends_viewing(&told);
                let back = told.trim_start().starts_with("for ") && told.contains(" was back in ");
                (back || remembers || ago_en(&told) || young_en(&told) || presents(&told))
                    .then_some(sentence.end)
            }
        }
    })
}

/// Where a memory inside a paragraph ends: at a sentence that is back at now.
fn inner_end(scene: &Scene<'_>, range: Range<usize>, lang: Lang) -> usize {
    if lang == Lang::En {
        return range.end;
    }
    let back = scene.sentences_in(range.clone()).find(|sentence| {
        let told = scene.narrated(sentence.start..sentence.end);
        holds(head(&told), zh_words::BACK_TO_NOW)
    });
    back.map_or(range.end, |sentence| sentence.start)
}

/// A paragraph that announces a verse or a document in the next one.
fn announces(text: &str, lang: Lang) -> bool {
    let tail: String = text
        .trim_end()
        .chars()
        .rev()
        .take(24)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    tail.ends_with(['：', ':'])
        && match lang {
            Lang::Zh => holds(&tail, zh_words::DOCUMENTS),
            Lang::En => holds(&tail, en_words::DOCUMENTS),
        }
}

/// A quoted block, or at least four clauses of five or seven characters each.
fn verse(text: &str, lang: Lang) -> bool {
    if text.starts_with('>') {
        return true;
    }
    if lang == Lang::En {
        return false;
    }
    let body = text.split_once(['：', ':']).map_or(text, |(_, rest)| rest);
    let clauses: Vec<usize> = body
        .split(['，', '。', '！', '？', '；', ' ', '　', '\n', '“', '”'])
        .map(|clause| clause.chars().count())
        .filter(|length| *length > 0)
        .collect();
    clauses.len() >= 4
        && matches!(clauses.first(), Some(5 | 7))
        && clauses.iter().all(|length| Some(length) == clauses.first())
}

/// A sentence that the next one says somebody recited.
fn recited<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = Range<usize>> + 's {
    scene.sentences.windows(2).filter_map(|pair| {
        let told = scene.narrated(pair[1].start..pair[1].end);
        holds(&told, zh_words::RECITES).then_some(pair[0].start..pair[0].end)
    })
}

/// Lines of verse in running text: neighbouring sentences of two clauses of five or seven each.
fn couplets(scene: &Scene<'_>) -> Vec<Range<usize>> {
    let shapes: Vec<Option<usize>> = scene
        .sentences
        .iter()
        .map(|sentence| {
            let mut lengths = scene
                .text(*sentence)
                .split(['，', '。', '！', '？', '；', '“', '”'])
                .map(|clause| clause.chars().count())
                .filter(|length| *length > 0);
            let (first, second) = (lengths.next()?, lengths.next()?);
            (first == second && matches!(first, 5 | 7) && lengths.next().is_none()).then_some(first)
        })
        .collect();
    let sentences = scene.sentences.iter().enumerate();
    sentences
        .filter(|(at, _)| {
            let shape = shapes[*at];
            let beside = |other: Option<usize>| {
                other
                    .and_then(|other| shapes.get(other))
                    .is_some_and(|other| *other == shape)
            };
            shape.is_some() && (beside(at.checked_sub(1)) || beside(at.checked_add(1)))
        })
        .map(|(_, sentence)| sentence.start..sentence.end)
        .collect()
}
