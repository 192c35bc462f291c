//! Reports over committed chapters: numbers first, then pages for people.
//!
//! Pure over [`novel_model::BookReader`]. Invariants: the same files give the same report; every
//! number comes from the files of the book, none from a model but the judges' scores; a range
//! without chapters gives an empty report, never a division by nothing.

mod cast;
mod facts;
mod finding;
mod foreshadowing;
mod hand;
mod lines;
mod page;
mod review;
mod scores;
mod text;

use novel_contract::report::ReportAnswer;
use novel_model::{Message, message};

pub use facts::{Facts, Span};
pub use finding::Finding;
pub use foreshadowing::{due_word, scope_word, standing};
pub use novel_contract::{
    library::{Due, ForeshadowRow},
    report::{
        CastReport, Concern, DialogueReport, ForeshadowingReport, LengthReport, LineRow,
        ScoresReport, StorylinesReport, StyleReport,
    },
};
pub use page::{Page, Part};
pub use review::{MAX_ADVICE_WORDS, check_advice, compose, volume_review};
pub use scores::{WEAK_BELOW, trend};

/// How one topic of a report is computed and shown.
trait Section {
    /// The numbers.
    fn of(facts: &Facts) -> Self;
    /// The page for people; `report` is the whole it belongs to.
    fn page(&self, report: &Report) -> Page;
}

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
            Topic::Scores => self.scores.page(self),
            Topic::Length => self.length.page(self),
            Topic::Dialogue => self.dialogue.page(self),
            Topic::Storylines => self.storylines.page(self),
            Topic::Foreshadowing => self.foreshadowing.page(self),
            Topic::Cast => self.cast.page(self),
            Topic::Style => self.style.page(self),
        }
    }

    /// The numbers of these topics.
    #[must_use]
    pub fn answer(&self, topics: &[Topic]) -> ReportAnswer {
        fn asked<T: Clone>(topics: &[Topic], topic: Topic, section: &T) -> Option<T> {
            topics.contains(&topic).then(|| section.clone())
        }
        ReportAnswer {
            first: self.span.first,
            last: self.span.last,
            volume: self.span.volume,
            scores: asked(topics, Topic::Scores, &self.scores),
            length: asked(topics, Topic::Length, &self.length),
            dialogue: asked(topics, Topic::Dialogue, &self.dialogue),
            storylines: asked(topics, Topic::Storylines, &self.storylines),
            foreshadowing: asked(topics, Topic::Foreshadowing, &self.foreshadowing),
            cast: asked(topics, Topic::Cast, &self.cast),
            style: asked(topics, Topic::Style, &self.style),
            warnings: Vec::new(),
        }
    }
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
