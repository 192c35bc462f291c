//! Whose hand the book is in: a control chart of the function words and the point where they change.
//!
//! The yardstick is the book itself. The spread of a word is measured between neighbouring chapters,
//! which a lasting change does not widen. A change is an alarm when it is both large, in spreads of a
//! chapter, and long enough to be sure of: a window of the book's own style is neither.

use novel_book::drift::WINDOW;
use novel_contract::report::{HandChange, HandReport, Point, WordChange};
use novel_model::Lang;
use novel_text::{FunctionWords, function_words};

use super::rounded;

/// The fewest chapters on either side of a change.
const SIDE: usize = WINDOW as usize;
/// A rarer word, to a thousand, tells nothing.
const RAREST: f64 = 0.3;
/// The mean square of the difference, in spreads of a chapter, from which a change is large. Real
/// novels stay below it on their own, see docs/story-checks.md.
const EFFECT: f64 = 0.5;
/// The mean square of the difference, weighed by the number of chapters, from which a change is sure.
const GAIN: f64 = 3.5;
/// One word counts no more than this: a new character's habit is not another hand.
const MOST_OF_A_WORD: f64 = 9.0;
/// Words named with a change.
const NAMED: usize = 5;
/// Chart limit in spreads of the distances.
const SIGMAS: f64 = 3.0;
/// What the mean of moving ranges is of a spread.
const RANGE_OF_SPREAD: f64 = 1.128;

/// The chart of a book; `None` with too few chapters.
pub(super) fn chart(chapters: &[(u32, &FunctionWords)], lang: Lang) -> Option<HandReport> {
    let scaled = Scaled::of(chapters)?;
    let change = scaled.change();
    let baseline = change.as_ref().map_or(chapters.len(), |change| change.at);
    let distances = scaled.distances(baseline);
    let own = &distances[..baseline];
    let mean = own.iter().sum::<f64>() / own.len() as f64;
    let ranges: Vec<f64> = own
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).abs())
        .collect();
    let range = ranges.iter().sum::<f64>() / ranges.len().max(1) as f64;
    let limit = mean + SIGMAS * range / RANGE_OF_SPREAD;
    let numbered = || chapters.iter().map(|(number, _)| *number).zip(&distances);
    Some(HandReport {
        chapters: numbered()
            .map(|(chapter, distance)| Point {
                chapter,
                value: Some(rounded(*distance, 2)),
            })
            .collect(),
        limit: rounded(limit, 2),
        outside: numbered()
            .filter(|(_, distance)| **distance > limit)
            .map(|(chapter, _)| chapter)
            .collect(),
        change: change.map(|change| HandChange {
            chapter: chapters[change.at].0,
            effect: rounded(change.effect, 2),
            words: scaled.changed_words(chapters, &change, lang),
        }),
    })
}

/// The rates of the chapters in spreads of a chapter.
struct Scaled {
    /// By chapter, of each word that counts.
    rates: Vec<Vec<f64>>,
    /// Which words count.
    words: Vec<usize>,
}

/// Where the rates change most.
struct Change {
    /// Index of the first chapter after it.
    at: usize,
    effect: f64,
    differences: Vec<f64>,
}

impl Scaled {
    fn of(chapters: &[(u32, &FunctionWords)]) -> Option<Self> {
        let count = chapters.len();
        let total: usize = chapters.iter().map(|(_, counted)| counted.words).sum();
        if count < 2 * SIDE || total == 0 {
            return None;
        }
        let (length, n) = (total as f64 / count as f64, count as f64);
        let (mut words, mut spreads) = (Vec::new(), Vec::new());
        for word in 0..chapters[0].1.rates.len() {
            let rate = |at: usize| chapters[at].1.rates[word];
            let mean = (0..count).map(rate).sum::<f64>() / n;
            if mean < RAREST {
                continue;
            }
            let steps = (1..count).map(|at| (rate(at) - rate(at - 1)).powi(2));
            let variance = steps.sum::<f64>() / (2.0 * (n - 1.0));
            // Chance alone spreads a count as much as its root.
            let chance = 1000.0 * mean / length;
            words.push(word);
            spreads.push(variance.max(chance).sqrt());
        }
        let scale = |counted: &FunctionWords| -> Vec<f64> {
            let scaled = words.iter().zip(&spreads);
            scaled
                .map(|(word, spread)| counted.rates[*word] / spread)
                .collect()
        };
        let rates = chapters.iter().map(|(_, counted)| scale(counted)).collect();
        (!words.is_empty()).then_some(Self { rates, words })
    }

    /// The mean of each word over some chapters.
    fn means(&self, chapters: std::ops::Range<usize>) -> Vec<f64> {
        let count = chapters.len() as f64;
        let mut means = vec![0.0; self.words.len()];
        for rates in &self.rates[chapters] {
            for (mean, rate) in means.iter_mut().zip(rates) {
                *mean += rate / count;
            }
        }
        means
    }

    /// The change that explains most, where it is large and sure.
    fn change(&self) -> Option<Change> {
        let count = self.rates.len();
        let mut sums = vec![0.0; self.words.len()];
        let whole = self.means(0..count);
        let mut best: Option<(f64, Change)> = None;
        for (at, rates) in self.rates.iter().enumerate() {
            if (SIDE..=count - SIDE).contains(&at) {
                let (before, after) = (at as f64, (count - at) as f64);
                let pairs = sums.iter().zip(&whole);
                let differences: Vec<f64> = pairs
                    .map(|(sum, mean)| (mean * count as f64 - sum) / after - sum / before)
                    .collect();
                let squares = differences
                    .iter()
                    .map(|one| one.powi(2).min(MOST_OF_A_WORD));
                // What two samples of one hand differ by chance.
                let chance = 1.0 / before + 1.0 / after;
                let effect = squares.sum::<f64>() / self.words.len() as f64 - chance;
                let gain = effect * before * after / count as f64;
                if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                    let change = Change {
                        at,
                        effect,
                        differences,
                    };
                    best = Some((gain, change));
                }
            }
            for (sum, rate) in sums.iter_mut().zip(rates) {
                *sum += rate;
            }
        }
        best.filter(|(gain, change)| *gain >= GAIN && change.effect >= EFFECT)
            .map(|(_, change)| change)
    }

    /// How far each chapter is from the mean of the first ones.
    fn distances(&self, baseline: usize) -> Vec<f64> {
        let means = self.means(0..baseline);
        let distance = |rates: &Vec<f64>| {
            let squares = rates
                .iter()
                .zip(&means)
                .map(|(rate, mean)| (rate - mean).powi(2));
            (squares.sum::<f64>() / means.len() as f64).sqrt()
        };
        self.rates.iter().map(distance).collect()
    }

    fn changed_words(
        &self,
        chapters: &[(u32, &FunctionWords)],
        change: &Change,
        lang: Lang,
    ) -> Vec<WordChange> {
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        order.sort_by(|a, b| {
            let size = |at: &usize| change.differences[*at].abs();
            size(b).total_cmp(&size(a)).then(a.cmp(b))
        });
        let mean = |word: usize, part: &[(u32, &FunctionWords)]| {
            let sum: f64 = part.iter().map(|(_, counted)| counted.rates[word]).sum();
            rounded(sum / part.len() as f64, 1)
        };
        let (before, after) = chapters.split_at(change.at);
        order
            .into_iter()
            .take(NAMED)
            .map(|at| WordChange {
                word: function_words(lang)[self.words[at]].to_owned(),
                before: mean(self.words[at], before),
                after: mean(self.words[at], after),
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
