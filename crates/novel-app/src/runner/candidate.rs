//! One of several drafts of a chapter, as a watcher sees and chooses it.

use novel_contract::write as contract;
use novel_model::files::ScoredBy;

/// One draft, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its number, from one.
    pub number: u32,
    /// Its length.
    pub words: u64,
    /// Whether the length is within the author's bounds.
    pub within_bounds: bool,
    /// Required objectives whose words are in the text, and all of them.
    pub objectives: (usize, usize),
    /// Contradictions the checker proves.
    pub contradictions: usize,
    /// Blacklisted phrases.
    pub blacklist_hits: u64,
    /// Share of the text that stands in the last chapters, 0 to 1.
    pub repetition: f64,
    /// Distance from the style profile, 0 is met.
    pub style_distance: f64,
    /// What it cost, where that is known.
    pub cost_usd: Option<f64>,
    /// The judge's score.
    pub overall: Option<f64>,
    /// Whose score it is; none without a score.
    pub scored_by: Option<ScoredBy>,
    /// Its text, to be read before the choice.
    pub text: String,
}

/// What the author says of several drafts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// Nobody is asked: the judge's choice goes on.
    Judge,
    /// The draft at this place.
    Draft(usize),
    /// The run is to stop before one is chosen.
    Stop,
}

impl Candidate {
    /// The answer of a command.
    #[must_use]
    pub fn answer(&self) -> contract::DraftCandidate {
        contract::DraftCandidate {
            number: self.number,
            words: self.words,
            within_bounds: self.within_bounds,
            objectives_named: self.objectives.0,
            objectives_required: self.objectives.1,
            contradictions: self.contradictions,
            blacklist_hits: self.blacklist_hits,
            repetition: self.repetition,
            style_distance: self.style_distance,
            cost_usd: self.cost_usd,
            overall: self.overall,
            scored_by: self.scored_by,
        }
    }
}
