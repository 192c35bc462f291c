//! Chooses and fills wordings, deterministically.
//!
//! Whole beats come from a deck: chapter after chapter walks on through a fixed shuffle of the
//! section, so a wording returns only when the section is used up. Sections with a coprime number of
//! wordings therefore give a combination again only after the product of their sizes. Small parts are
//! drawn from a stream that starts from the hash of the chapter's plan.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{ContentHash, Lang};

use crate::{
    grammar::{Grammar, MarkKind, PARAGRAPH},
    prose,
};

/// Wordings that may be nested in each other.
const MAX_DEPTH: usize = 6;
/// Wordings of a beat section a chapter uses, about.
const BEATS_PER_CHAPTER: usize = 7;

/// A stream of numbers from a seed (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream of some text.
    pub(crate) fn of(text: &str) -> Self {
        let hash = ContentHash::of(text);
        let digits = hash.as_str().trim_start_matches("blake3:");
        let head = digits.get(..16).unwrap_or_default();
        Self(u64::from_str_radix(head, 16).unwrap_or_default())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; zero for an empty range.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or_default()
    }
}

/// Values for the slots of a wording.
pub(crate) type Slots<'a> = [(&'a str, &'a str)];

/// The author's voice in one chapter.
pub(crate) struct Voice {
    grammar: &'static Grammar,
    lang: Lang,
    book: String,
    chapter: usize,
    stream: Stream,
    light: &'static str,
    weather: &'static str,
    scene: BTreeMap<&'static str, String>,
    taken: BTreeMap<&'static str, BTreeSet<usize>>,
    uses: BTreeMap<&'static str, usize>,
    drawn: BTreeMap<&'static str, BTreeSet<usize>>,
}

impl Voice {
    /// The voice of a chapter. `book` fixes the order of all decks, `plan` the small parts.
    pub(crate) fn new(lang: Lang, book: &str, chapter: u32, plan: &str, light: Hour) -> Self {
        const WEATHER: [&str; 4] = [
            "weather_rain",
            "weather_wind",
            "weather_fog",
            "weather_still",
        ];
        let mut stream = Stream::of(&format!("{chapter}\n{plan}"));
        Self {
            grammar: Grammar::of(lang),
            lang,
            book: book.to_owned(),
            chapter: usize::try_from(chapter).unwrap_or(usize::MAX),
            light: light.section(),
            // One weather for the whole chapter.
            weather: WEATHER[stream.below(WEATHER.len())],
            stream,
            scene: BTreeMap::new(),
            taken: BTreeMap::new(),
            uses: BTreeMap::new(),
            drawn: BTreeMap::new(),
        }
    }

    /// Who and where, until it is set again. Without a second person no wording with one is chosen.
    pub(crate) fn set_scene(&mut self, pov: &str, other: Option<&str>, place: &str, title: &str) {
        self.scene = BTreeMap::from([
            ("pov", pov.to_owned()),
            ("place", place.to_owned()),
            ("title", title.to_owned()),
        ]);
        if let Some(other) = other {
            self.scene.insert("other", other.to_owned());
        }
    }

    /// Whether there is somebody to talk to.
    pub(crate) fn has_company(&self) -> bool {
        self.scene.contains_key("other")
    }

    /// The second person on stage.
    pub(crate) fn other(&self) -> Option<&str> {
        self.scene.get("other").map(String::as_str)
    }

    /// A number for the composer's own small choices.
    pub(crate) fn choose(&mut self, bound: usize) -> usize {
        self.stream.below(bound)
    }

    /// The next wording of a section, filled. Paragraphs are separated by empty lines.
    pub(crate) fn say(&mut self, section: &str, slots: &Slots<'_>) -> String {
        let grammar = self.grammar;
        let Some((name, wordings)) = grammar.section(section) else {
            return String::new();
        };
        let wording = self.deal(name, wordings);
        let paragraphs: Vec<String> = wording
            .split(PARAGRAPH)
            .map(|part| prose::tidy(&self.fill(part, slots, 0), self.lang))
            .collect();
        paragraphs.join("\n\n")
    }

    /// The next wording of the deck that fits the scene and is new in this chapter.
    fn deal(&mut self, name: &'static str, wordings: &[&'static str]) -> &'static str {
        let size = wordings.len();
        let start = self.start(name, size) + self.uses.get(name).copied().unwrap_or(0);
        let order = self.order(name, size);
        let company = self.has_company();
        let fits = |index: usize| company || !mentions_company(wordings[index]);
        let taken = self.taken.entry(name).or_default();
        let position = |step: usize| order[(start + step) % size];
        let fresh =
            (0..size).find(|step| fits(position(*step)) && !taken.contains(&position(*step)));
        let step = fresh.or_else(|| (0..size).find(|step| fits(position(*step))));
        let step = step.unwrap_or_default();
        taken.insert(position(step));
        *self.uses.entry(name).or_default() += step + 1;
        wordings[position(step)]
    }

    /// Where in the deck this chapter begins. The stride has no common divisor with the size, so
    /// that every position is reached.
    fn start(&self, name: &str, size: usize) -> usize {
        let singular = name.starts_with("opening_") || name.starts_with("ending_");
        let mut stride = if singular { 1 } else { BEATS_PER_CHAPTER };
        while greatest_common_divisor(stride, size) != 1 {
            stride += 1;
        }
        self.chapter.wrapping_mul(stride)
    }

    /// The shuffle of a section, the same in the whole book.
    fn order(&self, name: &str, size: usize) -> Vec<usize> {
        let mut stream = Stream::of(&format!("{}\n{name}", self.book));
        let mut order: Vec<usize> = (0..size).collect();
        for last in (1..size).rev() {
            order.swap(last, stream.below(last + 1));
        }
        order
    }

    fn fill(&mut self, wording: &str, slots: &Slots<'_>, depth: usize) -> String {
        let mut filled = String::with_capacity(wording.len() * 2);
        let mut rest = wording;
        while let Some(mark) = Grammar::next_mark(rest) {
            filled.push_str(mark.before);
            match mark.kind {
                MarkKind::Group(choices) => {
                    let choice = choices[self.stream.below(choices.len())];
                    filled.push_str(&self.fill(choice, slots, depth));
                }
                MarkKind::Slot(slot) => {
                    let key = slot.to_lowercase();
                    let value = self.value(&key, slots, depth);
                    if key == slot {
                        filled.push_str(&value);
                    } else {
                        filled.push_str(&prose::capitalize(&value));
                    }
                }
            }
            rest = mark.after;
        }
        filled.push_str(rest);
        filled
    }

    fn value(&mut self, key: &str, slots: &Slots<'_>, depth: usize) -> String {
        if let Some((_, value)) = slots.iter().find(|(name, _)| *name == key) {
            return (*value).to_owned();
        }
        if let Some(value) = self.scene.get(key) {
            return value.clone();
        }
        let key = match key {
            "light" => self.light,
            "weather" => self.weather,
            key => key,
        };
        let grammar = self.grammar;
        match grammar.section(key).filter(|_| depth < MAX_DEPTH) {
            Some((name, wordings)) => {
                let wording = self.draw(name, wordings);
                self.fill(wording, slots, depth + 1)
            }
            None => String::new(),
        }
    }

    /// A small part the chapter has not used yet; when all are used up, all are new again.
    fn draw(&mut self, name: &'static str, wordings: &[&'static str]) -> &'static str {
        let size = wordings.len();
        let first = self.stream.below(size);
        let drawn = self.drawn.entry(name).or_default();
        if drawn.len() >= size {
            drawn.clear();
        }
        let index = (0..size)
            .map(|step| (first + step) % size)
            .find(|index| !drawn.contains(index))
            .unwrap_or(first);
        drawn.insert(index);
        wordings[index]
    }
}

fn mentions_company(wording: &str) -> bool {
    wording.contains("{other}") || wording.contains("{Other}")
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

/// Time of day of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hour {
    /// First light.
    Dawn,
    /// Broad day.
    Day,
    /// Last light.
    Dusk,
    /// Dark.
    Night,
}

impl Hour {
    const WORDS: [(Self, &'static [&'static str]); 4] = [
        (
            Self::Dawn,
            &[
                "清晨", "黎明", "拂晓", "早晨", "晨", "dawn", "morning", "sunrise",
            ],
        ),
        (
            Self::Dusk,
            &["黄昏", "傍晚", "日暮", "暮", "dusk", "evening", "sunset"],
        ),
        (
            Self::Night,
            &["深夜", "午夜", "凌晨", "子时", "夜", "night", "midnight"],
        ),
        (
            Self::Day,
            &[
                "正午",
                "午后",
                "上午",
                "下午",
                "白天",
                "noon",
                "afternoon",
                "day",
            ],
        ),
    ];

    /// The hour a text names, if it names one; else the one given.
    pub(crate) fn in_text(text: &str, otherwise: Self) -> Self {
        let text = text.to_lowercase();
        Self::WORDS
            .into_iter()
            .find(|(_, words)| words.iter().any(|word| text.contains(word)))
            .map_or(otherwise, |(hour, _)| hour)
    }

    /// One of the four, by number.
    pub(crate) const fn numbered(number: usize) -> Self {
        match number % 4 {
            0 => Self::Dawn,
            1 => Self::Day,
            2 => Self::Dusk,
            _ => Self::Night,
        }
    }

    const fn section(self) -> &'static str {
        match self {
            Self::Dawn => "light_dawn",
            Self::Day => "light_day",
            Self::Dusk => "light_dusk",
            Self::Night => "light_night",
        }
    }
}
