//! Reports over committed chapters: numbers first, then pages for people.
//!
//! Pure over [`novel_model::BookReader`]. Invariants: the same files give the same report; every
//! number comes from the files of the book, none from a model but the judges' scores; a range
//! without chapters gives an empty report, never a division by nothing.

mod cast;
mod facts;
mod finding;
mod foreshadowing;
mod lines;
mod page;
mod plot;
mod review;
mod scores;
mod text;

use novel_model::{Message, message};
use serde::Serialize;
use serde_json::{Map, Value, json};

pub use cast::{Appearance, CastReport};
pub use facts::{Facts, Span};
pub use finding::{Concern, Finding};
pub use foreshadowing::{Due, ForeshadowingReport, ItemRow, standing};
pub use lines::{BrokenBridge, LineRow, StorylinesReport};
pub use page::{Page, Part};
pub use plot::{Canvas, Glyphs, Plot};
pub use review::{MAX_ADVICE_WORDS, check_advice, compose, volume_review};
pub use scores::{ScoreRow, ScoresReport, WEAK_BELOW, trend};
pub use text::{DialogueReport, LengthReport, StyleReport};

/// One kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Scores and their trend.
    Scores,
    /// Length of chapters.
    Length,
    /// Share of dialogue.
    Dialogue,
    /// Rhythm of the storylines, and broken bridges.
    Storylines,
    /// Foreshadowing: open, due, overdue.
    Foreshadowing,
    /// Who appears where.
    Cast,
    /// Sentences and blacklisted phrases.
    Style,
}

impl Topic {
    /// Every kind, in the order of the review.
    pub const ALL: [Self; 7] = [
        Self::Scores,
        Self::Length,
        Self::Dialogue,
        Self::Storylines,
        Self::Foreshadowing,
        Self::Cast,
        Self::Style,
    ];

    /// The word on the command line and in `--json`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Scores => "scores",
            Self::Length => "length",
            Self::Dialogue => "dialogue",
            Self::Storylines => "storylines",
            Self::Foreshadowing => "foreshadowing",
            Self::Cast => "cast",
            Self::Style => "style",
        }
    }

    /// The heading of its page.
    #[must_use]
    pub fn title(self) -> Message {
        match self {
            Self::Scores => message!(en: "Scores", zh: "评分"),
            Self::Length => message!(en: "Length", zh: "篇幅"),
            Self::Dialogue => message!(en: "Dialogue", zh: "对话"),
            Self::Storylines => message!(en: "Storylines", zh: "故事线"),
            Self::Foreshadowing => message!(en: "Foreshadowing", zh: "伏笔"),
            Self::Cast => message!(en: "Cast", zh: "人物"),
            Self::Style => message!(en: "Style", zh: "文风"),
        }
    }
}

/// All reports over one range.
#[derive(Debug, Clone)]
pub struct Report {
    /// Which chapters.
    pub span: Span,
    /// Scores and their trend.
    pub scores: ScoresReport,
    /// Length of chapters.
    pub length: LengthReport,
    /// Share of dialogue.
    pub dialogue: DialogueReport,
    /// Rhythm of the storylines.
    pub storylines: StorylinesReport,
    /// Foreshadowing.
    pub foreshadowing: ForeshadowingReport,
    /// Who appears where.
    pub cast: CastReport,
    /// Sentences and phrases.
    pub style: StyleReport,
}

impl Report {
    /// Computes all of them.
    #[must_use]
    pub fn of(facts: &Facts) -> Self {
        Self {
            span: facts.span.clone(),
            scores: ScoresReport::of(facts),
            length: LengthReport::of(facts),
            dialogue: DialogueReport::of(facts),
            storylines: StorylinesReport::of(facts),
            foreshadowing: ForeshadowingReport::of(facts),
            cast: CastReport::of(facts),
            style: StyleReport::of(facts),
        }
    }

    /// Whether there was no chapter to report on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length.chapters.is_empty()
    }

    /// The page of one kind.
    #[must_use]
    pub fn page(&self, topic: Topic) -> Page {
        match topic {
            Topic::Scores => self.scores.page(),
            Topic::Length => self.length.page(),
            Topic::Dialogue => self.dialogue.page(),
            Topic::Storylines => self.storylines.page(),
            Topic::Foreshadowing => self.foreshadowing.page(),
            Topic::Cast => self.cast.page(),
            Topic::Style => self.style.page(),
        }
    }

    /// The numbers: the range, and one object for each kind.
    #[must_use]
    pub fn to_json(&self, topics: &[Topic]) -> Value {
        let mut object = Map::new();
        object.insert("first".to_owned(), json!(self.span.first));
        object.insert("last".to_owned(), json!(self.span.last));
        object.insert("volume".to_owned(), json!(self.span.volume));
        for topic in topics {
            object.insert(topic.word().to_owned(), self.numbers(*topic));
        }
        Value::Object(object)
    }

    fn numbers(&self, topic: Topic) -> Value {
        match topic {
            Topic::Scores => json!(self.scores),
            Topic::Length => json!(self.length),
            Topic::Dialogue => json!(self.dialogue),
            Topic::Storylines => json!(self.storylines),
            Topic::Foreshadowing => json!(self.foreshadowing),
            Topic::Cast => json!(self.cast),
            Topic::Style => json!(self.style),
        }
    }
}

/// A value of one chapter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// The chapter.
    pub chapter: u32,
    /// The value, where there is one.
    pub value: Option<f64>,
}

/// Enough digits to tell values apart, few enough to be the same on every machine.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

/// The mean; nothing of nothing.
fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
