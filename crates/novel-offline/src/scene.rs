//! Paragraphs with a purpose, and how they are brought to length and rhythm.

use novel_model::Lang;
use novel_text::{TextMetrics, count_words, measure};

/// What a paragraph is for. Later ones are the first to go when a chapter is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// First and last words of the chapter, and its objectives.
    Pillar,
    /// Foreshadowing, conflict.
    Plan,
    /// The way from the last chapter and to the next one, inner change.
    Colour,
    /// Speech that only keeps people together.
    Talk,
    /// Narration that only keeps scenes together.
    Filler,
}

/// One paragraph, or a few that belong together.
#[derive(Debug, Clone)]
pub(crate) struct Paragraph {
    pub(crate) text: String,
    pub(crate) purpose: Purpose,
}

/// A chapter under construction.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scenes(pub(crate) Vec<Vec<Paragraph>>);

impl Scenes {
    /// Adds to the end of a scene.
    pub(crate) fn push(&mut self, scene: usize, purpose: Purpose, text: String) {
        if let Some(scene) = self.0.get_mut(scene).filter(|_| !text.is_empty()) {
            scene.push(Paragraph { text, purpose });
        }
    }

    /// The scenes as texts.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.0
            .iter()
            .filter(|scene| !scene.is_empty())
            .map(|scene| text(scene))
            .collect()
    }

    /// One scene as text; empty when the chapter has no room for it.
    pub(crate) fn text_of(&self, scene: usize) -> String {
        self.0
            .get(scene)
            .map(|scene| text(scene))
            .unwrap_or_default()
    }

    /// Measures of the whole.
    pub(crate) fn metrics(&self) -> TextMetrics {
        let parts: Vec<TextMetrics> = self.texts().iter().map(|text| measure(text)).collect();
        TextMetrics::sum(&parts)
    }

    /// Drops what matters least until at most `most` words are left, pillars excepted.
    pub(crate) fn shorten(&mut self, most: usize) {
        let mut words = self.metrics().words;
        while words > most {
            let last = self
                .0
                .iter()
                .enumerate()
                .flat_map(|(scene, parts)| {
                    let parts = parts.iter().enumerate();
                    parts.map(move |(at, part)| (part.purpose, scene, at))
                })
                .filter(|(purpose, ..)| *purpose != Purpose::Pillar)
                .max();
            let Some((_, scene, at)) = last else { return };
            let gone = self.0[scene].remove(at);
            words = words.saturating_sub(count_words(&gone.text));
        }
    }

    /// Brings the mean sentence length near `target` by cutting and joining sentences of narration.
    pub(crate) fn retune(&mut self, lang: Lang, target: f64, tolerance: f64) {
        const MOST_CHANGES: usize = 60;
        for _ in 0..MOST_CHANGES {
            let length = self.metrics().avg_sentence_length;
            let changed = if length > target * (1.0 + tolerance) {
                self.split_one(lang)
            } else if length < target * (1.0 - tolerance) {
                self.join_one(lang)
            } else {
                return;
            };
            if !changed {
                return;
            }
        }
    }

    /// Splits the longest sentence of the narration.
    fn split_one(&mut self, lang: Lang) -> bool {
        let candidate = self
            .fillers()
            .filter_map(|part| {
                let (length, cut) = longest_cut(&part.text, lang)?;
                Some((length, cut, part))
            })
            // The first of equals: `max_by_key` would take the last.
            .reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((_, (start, end), part)) = candidate else {
            return false;
        };
        let with = match lang {
            Lang::Zh => "。",
            // Only the end of a line ends a sentence for the measure in English.
            Lang::En => ".\n\n",
        };
        part.text.replace_range(start..end, with);
        true
    }

    /// Joins the shortest two neighbouring sentences of the narration.
    fn join_one(&mut self, lang: Lang) -> bool {
        if lang == Lang::En {
            return self.join_paragraphs();
        }
        let candidate = self
            .fillers()
            .filter_map(|part| {
                let inner = part.text.trim_end_matches('。').find('。')?;
                Some((count_words(&part.text), inner, part))
            })
            .reduce(|best, next| if next.0 < best.0 { next } else { best });
        let Some((_, at, part)) = candidate else {
            return false;
        };
        part.text.replace_range(at..at + '。'.len_utf8(), "，");
        true
    }

    fn join_paragraphs(&mut self) -> bool {
        let is_filler = |part: &Paragraph| part.purpose == Purpose::Filler;
        for scene in &mut self.0 {
            let pair = scene.windows(2).position(|pair| pair.iter().all(is_filler));
            if let Some(at) = pair {
                let second = scene.remove(at + 1);
                scene[at].text.push(' ');
                scene[at].text.push_str(&second.text);
                return true;
            }
        }
        false
    }

    fn fillers(&mut self) -> impl Iterator<Item = &mut Paragraph> {
        self.0
            .iter_mut()
            .flatten()
            .filter(|part| part.purpose == Purpose::Filler)
    }
}

fn text(scene: &[Paragraph]) -> String {
    let parts: Vec<&str> = scene.iter().map(|part| part.text.as_str()).collect();
    parts.join("\n\n")
}

/// The longest sentence of a text that can be cut, and where.
fn longest_cut(text: &str, lang: Lang) -> Option<(usize, (usize, usize))> {
    const SHORTEST_HALF: usize = 5;
    let (mark, unit): (&str, &[char]) = match lang {
        Lang::Zh => ("，", &['。', '！', '？', '\n']),
        Lang::En => (". ", &['\n']),
    };
    let mut start = 0;
    let mut best = None;
    for sentence in text.split_inclusive(unit) {
        let length = count_words(sentence);
        let cut = sentence
            .match_indices(mark)
            .map(|(at, _)| at)
            .filter(|at| {
                count_words(&sentence[..*at]) >= SHORTEST_HALF
                    && count_words(&sentence[*at..]) >= SHORTEST_HALF
            })
            .min_by_key(|at| (sentence.len() / 2).abs_diff(*at));
        if let Some(at) = cut.filter(|_| best.is_none_or(|(longest, _)| length > longest)) {
            best = Some((length, (start + at, start + at + mark.len())));
        }
        start += sentence.len();
    }
    best
}

#[cfg(test)]
#[path = "scene_tests.rs"]
mod tests;
