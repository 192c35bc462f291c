//! What so many more chapters will take, from what the chapters before them took.
//!
//! A prediction interval for the sum of `ahead` chapters, by Student's distribution. A few chapters that
//! happen to be alike do not make a narrow interval: books are known to vary, and that counts as much as
//! some chapters of this one. Chapters differ in a skewed way (a revision doubles one) and grow with their
//! prompts, so the bound is the one of nineteen in twenty where nine in ten are promised, and what lies
//! far beyond the known chapters gets more room above.

/// Chapters that count; older ones were written with other prompts.
pub const WINDOW: usize = 20;

/// Chapters that show where the figure is going.
const LATEST: usize = 5;

/// How much chapters of any book differ, as a part of their mean, and for how many chapters of this book
/// that counts.
const USUAL_SPREAD: f64 = 0.4;
const USUAL_WEIGHT: usize = 4;

/// Room above for what is far beyond the known chapters, as a part of what is expected.
const GROWTH: f64 = 0.25;

/// Student's quantiles for one in forty on each side, by degrees of freedom.
const STUDENT: [(usize, f64); 14] = [
    (1, 12.706),
    (2, 4.303),
    (3, 3.182),
    (4, 2.776),
    (5, 2.571),
    (6, 2.447),
    (7, 2.365),
    (8, 2.306),
    (9, 2.262),
    (10, 2.228),
    (12, 2.179),
    (15, 2.131),
    (20, 2.086),
    (30, 2.042),
];

/// A figure with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Hardly ever less.
    pub low: f64,
    /// What is expected.
    pub expected: f64,
    /// Hardly ever more.
    pub high: f64,
}

impl Range {
    /// A figure that is known.
    #[must_use]
    pub const fn exactly(value: f64) -> Self {
        Self {
            low: value,
            expected: value,
            high: value,
        }
    }

    /// A guess: as little as `low` times the figure, as much as `high` times.
    #[must_use]
    pub fn guess(value: f64, low: f64, high: f64) -> Self {
        Self {
            low: value * low,
            expected: value,
            high: value * high,
        }
    }

    /// Both, where they may go wrong together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            low: self.low + other.low,
            expected: self.expected + other.expected,
            high: self.high + other.high,
        }
    }

    /// Whether the figure lies inside.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        // Figures that were added up in another order differ in the last digit.
        let slack = 1e-9 * self.high.abs().max(value.abs());
        value >= self.low - slack && value <= self.high + slack
    }
}

/// What `ahead` more chapters take, by what each chapter so far took, the newest last; nothing without
/// any.
#[must_use]
pub fn predict(history: &[f64], ahead: u32) -> Option<Range> {
    let window = &history[history.len().saturating_sub(WINDOW)..];
    let (count, chapters) = (float(window.len()), f64::from(ahead));
    let mean = mean(window)?;
    let expected = mean * chapters;
    let seen: f64 = window.iter().map(|value| (value - mean).powi(2)).sum();
    let usual = float(USUAL_WEIGHT) * (USUAL_SPREAD * mean).powi(2);
    let freedom = window.len() - 1 + USUAL_WEIGHT;
    let variance = (seen + usual) / float(freedom);
    // What the chapters differ, and what is not known of their mean.
    let spread = (variance * (chapters + chapters * chapters / count)).sqrt();
    let margin = student(freedom) * spread;
    let drift = drift(window, mean) * chapters;
    let growth = GROWTH * expected * chapters / (chapters + count);
    let (mut low, mut high) = (
        expected - margin + drift.min(0.0),
        expected + margin + drift.max(0.0) + growth,
    );
    if ahead == 1 {
        low = window.iter().copied().fold(low, f64::min);
        high = window.iter().copied().fold(high, f64::max);
    }
    Some(Range {
        low: low.max(0.0),
        expected,
        high,
    })
}

/// How forecasts for each chapter from those before it would have done.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hindsight {
    /// Chapters that could be forecast.
    pub chapters: u32,
    /// Those whose figure lay inside the interval.
    pub held: u32,
    /// Mean distance from the expected figure, as a part of the real one.
    pub error: f64,
}

/// Forecasts the known chapters, each from those before it.
#[must_use]
pub fn hindsight(history: &[f64]) -> Hindsight {
    let mut seen = Hindsight::default();
    let mut errors = 0.0;
    for (index, real) in history.iter().enumerate() {
        let Some(range) = predict(&history[..index], 1) else {
            continue;
        };
        seen.chapters += 1;
        seen.held += u32::from(range.holds(*real));
        if *real > 0.0 {
            errors += (range.expected - real).abs() / real;
        }
    }
    if seen.chapters > 0 {
        seen.error = errors / f64::from(seen.chapters);
    }
    seen
}

fn mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    (!values.is_empty()).then(|| sum / float(values.len()))
}

/// How far the latest chapters are from the mean of all.
fn drift(window: &[f64], overall: f64) -> f64 {
    let latest = &window[window.len().saturating_sub(LATEST)..];
    mean(latest).map_or(0.0, |latest| latest - overall)
}

fn student(freedom: usize) -> f64 {
    let known = STUDENT.iter().rev().find(|(known, _)| *known <= freedom);
    known.map_or(STUDENT[0].1, |(_, quantile)| *quantile)
}

fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
#[path = "forecast_tests.rs"]
mod tests;
