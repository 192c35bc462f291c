//! Measuring a judge: copies of finished chapters with one known fault, copies without one, and what
//! the judge made of them. Never part of the book.

mod known;

use std::collections::BTreeMap;

pub use known::{KnownJudge, read};

use novel_model::{
    Lang,
    files::{CheckStatus, Confidence, ContractCheck, Evaluation},
};
use novel_text::{Locator, coverage, term_set};
use serde::{Deserialize, Serialize};

use crate::{
    believe::verdict::{checks, is_withdrawn},
    gate,
};

/// Share of an objective's words a paragraph has that tells it.
const TELLS: f64 = 0.3;
/// What a score must lose against the chapter as it was.
const CLEAR_LOSS: f64 = 0.5;
/// Blacklisted phrases that are planted.
const PHRASES: usize = 6;

/// A kind of fault that is planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Somebody who died acts.
    DeadActs,
    /// A hard rule of the world is broken.
    RuleBroken,
    /// A required objective does not happen.
    ObjectiveMissing,
    /// A secret is told too early.
    SecretTold,
    /// Blacklisted phrases.
    StockPhrases,
    /// An ending without a pull.
    FlatEnding,
    /// None: the chapter with a harmless change.
    Decoy,
}

impl Fault {
    /// All of them, the decoy first: it is the measure for the scores.
    pub const ALL: [Self; 7] = [
        Self::Decoy,
        Self::DeadActs,
        Self::RuleBroken,
        Self::ObjectiveMissing,
        Self::SecretTold,
        Self::StockPhrases,
        Self::FlatEnding,
    ];

    /// The word in files and answers.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::DeadActs => "dead_acts",
            Self::RuleBroken => "rule_broken",
            Self::ObjectiveMissing => "objective_missing",
            Self::SecretTold => "secret_told",
            Self::StockPhrases => "stock_phrases",
            Self::FlatEnding => "flat_ending",
            Self::Decoy => "decoy",
        }
    }

    /// Dimensions in which the fault shows.
    const fn shows_in(self) -> &'static [&'static str] {
        match self {
            Self::StockPhrases => &["style_naturalness"],
            Self::FlatEnding => &["pacing", "emotional_impact", "plot_logic"],
            Self::DeadActs => &["plot_logic", "character"],
            Self::SecretTold => &["foreshadowing", "plot_logic", "storyline_coherence"],
            Self::RuleBroken | Self::ObjectiveMissing | Self::Decoy => &[],
        }
    }
}

/// What a chapter offers for planting.
#[derive(Debug, Clone, Default)]
pub struct Ground {
    /// Its prose, scene by scene.
    pub scenes: Vec<String>,
    /// Hard rules by id.
    pub rules: Vec<(String, String)>,
    /// Required objectives by id.
    pub objectives: Vec<(String, String)>,
    /// Somebody who is dead, or may be said to be.
    pub dead: Option<String>,
    /// A secret the reader does not know yet.
    pub secret: Option<String>,
    /// Effective blacklist.
    pub blacklist: Vec<String>,
}

/// A copy with a fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Planted {
    /// The kind.
    pub fault: Fault,
    /// The scenes.
    pub scenes: Vec<String>,
    /// The passage that was put in, where there is one.
    pub passage: Option<String>,
    /// The contract that is broken, where it is one.
    pub contract: Option<String>,
}

/// Plants a fault; `None` where the chapter offers no ground for it. `turn` picks among several.
#[must_use]
pub fn plant(fault: Fault, ground: &Ground, turn: usize, lang: Lang) -> Option<Planted> {
    let mut scenes = ground.scenes.clone();
    let pick = |list: &[(String, String)]| -> Option<(String, String)> {
        (!list.is_empty()).then(|| list[turn % list.len()].clone())
    };
    let zh = lang == Lang::Zh;
    let (passage, contract) = match fault {
        Fault::Decoy => {
            let passage = if zh {
                "窗外起了一阵风，很快又停了，谁也没有在意。"
            } else {
                "A wind rose outside and died down again, and nobody paid it any attention."
            };
            (Some(append(&mut scenes, passage)?), None)
        }
        Fault::DeadActs => {
            let name = ground.dead.as_ref()?;
            let passage = if zh {
                format!(
                    "{name}早在多年前就已经死去下葬。此刻{name}却推门走了进来，坐下喝了一碗茶，与众人商议明天的行程。"
                )
            } else {
                format!(
                    "{name} had died and been buried years ago. Now {name} came in through the door, sat down over a bowl of tea and talked the next day over with them all."
                )
            };
            (Some(append(&mut scenes, &passage)?), None)
        }
        Fault::RuleBroken => {
            let (id, rule) = pick(&ground.rules)?;
            let rule = rule.trim_end_matches(['。', '.']);
            let passage = if zh {
                format!(
                    "谁都知道“{rule}”。可这一夜，众人亲眼看着这一条被当场打破，毫无缘由，也不属于任何例外，而且谁都没有觉得奇怪。"
                )
            } else {
                format!(
                    "Everybody knew it: {rule}. Yet that night they all watched it being broken, without a reason and without any exception, and nobody found it strange."
                )
            };
            (Some(append(&mut scenes, &passage)?), Some(id))
        }
        Fault::ObjectiveMissing => {
            let (id, objective) = pick(&ground.objectives)?;
            if !take_out(&mut scenes, &objective) {
                return None;
            }
            (None, Some(id))
        }
        Fault::SecretTold => {
            let secret = ground.secret.as_ref()?;
            let secret = secret.trim_end_matches(['。', '.']);
            let passage = if zh {
                format!(
                    "其实真相再清楚不过：{secret}。在场的每一个人都听得明明白白，没有谁再有疑问。"
                )
            } else {
                format!(
                    "The truth was plain enough: {secret}. Everybody in the room heard it, and nobody had a question left."
                )
            };
            (Some(append(&mut scenes, &passage)?), None)
        }
        Fault::StockPhrases => {
            let phrases: Vec<&str> = ground
                .blacklist
                .iter()
                .take(PHRASES)
                .map(String::as_str)
                .collect();
            if phrases.len() < 2 {
                return None;
            }
            let passage = if zh {
                format!(
                    "{}，一切都像从前那样，{}，谁也说不清为什么。",
                    phrases.join("，"),
                    phrases.join("，")
                )
            } else {
                format!(
                    "{}, and all was as it had been, {}, and nobody could say why.",
                    phrases.join(", "),
                    phrases.join(", ")
                )
            };
            (Some(append(&mut scenes, &passage)?), None)
        }
        Fault::FlatEnding => {
            let passage = if zh {
                "就这样，平平常常的一天过去了。什么也没有发生，什么也没有改变，大家都很满意，各自回去睡觉，没有人再想起今天的事。"
            } else {
                "And so an ordinary day went by. Nothing happened, nothing changed, everybody was content and went to bed, and no one thought of it again."
            };
            let last = scenes.last_mut()?;
            let mut paragraphs: Vec<&str> = last.split("\n\n").collect();
            paragraphs.pop()?;
            paragraphs.push(passage);
            *last = paragraphs.join("\n\n");
            (Some(passage.to_owned()), None)
        }
    };
    Some(Planted {
        fault,
        scenes,
        passage,
        contract,
    })
}

/// Puts a paragraph into the middle of the chapter.
fn append(scenes: &mut [String], passage: &str) -> Option<String> {
    let at = scenes.len() / 2;
    let scene = scenes.get_mut(at)?;
    let mut paragraphs: Vec<String> = scene.split("\n\n").map(str::to_owned).collect();
    paragraphs.insert(paragraphs.len().div_ceil(2), passage.to_owned());
    *scene = paragraphs.join("\n\n");
    Some(passage.to_owned())
}

/// Takes the paragraphs out that tell an objective; whether any was.
fn take_out(scenes: &mut Vec<String>, objective: &str) -> bool {
    let wanted = term_set(objective);
    let mut found = false;
    for scene in scenes.iter_mut() {
        let kept: Vec<&str> = scene
            .split("\n\n")
            .filter(|paragraph| {
                let tells = coverage(&wanted, &term_set(paragraph)) >= TELLS;
                found |= tells;
                !tells
            })
            .collect();
        *scene = kept.join("\n\n");
    }
    scenes.retain(|scene| !scene.trim().is_empty());
    found && !scenes.is_empty()
}

/// What a judge made of one copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Whether the planted fault was seen; for a decoy, whether a fault was claimed.
    pub caught: bool,
    /// Quotations the judge gave.
    pub quoted: u32,
    /// Those that are in the copy.
    pub located: u32,
}

/// Compares a verdict on a copy, its marks set, with the copy and with the verdict on the chapter as
/// it was.
#[must_use]
pub fn assess(planted: &Planted, evaluation: &Evaluation, usual: Option<&Evaluation>) -> Found {
    let (mut quoted, mut located) = (0, 0);
    let found = checks(evaluation).map(|check| check.evidence_found);
    let scores = evaluation.scores.by_name();
    let scores = scores.iter().map(|(_, score)| score.evidence_found);
    for found in found.chain(scores).flatten() {
        quoted += 1;
        located += u32::from(found);
    }
    let caught = if planted.fault == Fault::Decoy {
        !gate::high_violations(evaluation).is_empty()
    } else {
        is_caught(planted, evaluation, usual)
    };
    Found {
        caught,
        quoted,
        located,
    }
}

fn is_caught(planted: &Planted, evaluation: &Evaluation, usual: Option<&Evaluation>) -> bool {
    let passage = planted.passage.as_deref().map(Locator::new);
    let is_in_it = |quoted: Option<&str>| match (&passage, quoted) {
        (Some(passage), Some(quoted)) => passage.contains(quoted),
        _ => false,
    };
    let accuses = |check: &&ContractCheck| {
        check.status != CheckStatus::Pass
            && check.confidence != Some(Confidence::Low)
            && !is_withdrawn(check)
    };
    let by_contract = checks(evaluation).filter(accuses).any(|check| {
        let is_it = planted
            .contract
            .as_ref()
            .is_some_and(|id| id.eq_ignore_ascii_case(check.rule_id.trim()));
        let is_grounded = check.unproven != Some(true);
        (is_it && is_grounded) || is_in_it(check.evidence.as_deref())
    });
    if by_contract {
        return true;
    }
    let shows_in = planted.fault.shows_in();
    let now = evaluation.scores.by_name();
    now.iter()
        .filter(|(name, _)| shows_in.contains(name))
        .any(|(name, score)| {
            let before = usual.and_then(|usual| {
                let scores = usual.scores.by_name();
                scores
                    .iter()
                    .find(|(other, _)| other == name)
                    .map(|it| it.1.score)
            });
            let has_lost = before.is_some_and(|before| before - score.score >= CLEAR_LOSS);
            has_lost || (score.score <= 3.0 && is_in_it(score.evidence.as_deref()))
        })
}

/// One line of `logs/judge-probes.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// When.
    pub at: String,
    /// Which model judged.
    pub model: String,
    /// Version of the judge's prompt.
    pub prompt_version: u32,
    /// The chapter the copy was made of.
    pub chapter: u32,
    /// What was planted.
    pub fault: Fault,
    /// What came of it.
    #[serde(flatten)]
    pub found: Found,
}

/// A share and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many.
    pub of: u32,
    /// Of them.
    pub hits: u32,
    /// Lower end of the interval (95 %).
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Share {
    /// With the interval of Wilson.
    #[must_use]
    pub fn new(hits: u32, of: u32) -> Self {
        const Z: f64 = 1.96;
        if of == 0 {
            return Self {
                of,
                hits,
                low: 0.0,
                high: 1.0,
            };
        }
        let (n, p) = (f64::from(of), f64::from(hits) / f64::from(of));
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let (middle, whole) = (p + Z * Z / (2.0 * n), 1.0 + Z * Z / n);
        Self {
            of,
            hits,
            low: ((middle - spread) / whole).max(0.0),
            high: ((middle + spread) / whole).min(1.0),
        }
    }
}

/// What is known of one judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// Which model.
    pub model: String,
    /// Version of its prompt.
    pub prompt_version: u32,
    /// Planted faults it saw.
    pub recall: Share,
    /// Decoys it claimed a fault in.
    pub false_alarms: Share,
    /// Quotations that are in the text.
    pub located: Share,
    /// Planted faults it saw, by kind.
    pub by_kind: BTreeMap<&'static str, Share>,
}

/// Sums probes up by model and version of the prompt, in order.
#[must_use]
pub fn calibrations(probes: &[Probe]) -> Vec<Calibration> {
    let mut judges: BTreeMap<(&str, u32), Vec<&Probe>> = BTreeMap::new();
    for probe in probes {
        let key = (probe.model.as_str(), probe.prompt_version);
        judges.entry(key).or_default().push(probe);
    }
    let share = |probes: &[&Probe], wanted: &dyn Fn(&Probe) -> bool| {
        let of = probes.iter().filter(|probe| wanted(probe));
        let (mut all, mut hits) = (0, 0);
        for probe in of {
            all += 1;
            hits += u32::from(probe.found.caught);
        }
        Share::new(hits, all)
    };
    judges
        .into_iter()
        .map(|((model, prompt_version), probes)| {
            let quoted = probes.iter().map(|probe| probe.found.quoted).sum();
            let located = probes.iter().map(|probe| probe.found.located).sum();
            let kinds = Fault::ALL
                .into_iter()
                .filter(|fault| *fault != Fault::Decoy);
            let by_kind = kinds
                .map(|kind| (kind.word(), share(&probes, &|probe| probe.fault == kind)))
                .filter(|(_, share)| share.of > 0)
                .collect();
            Calibration {
                model: model.to_owned(),
                prompt_version,
                recall: share(&probes, &|probe| probe.fault != Fault::Decoy),
                false_alarms: share(&probes, &|probe| probe.fault == Fault::Decoy),
                located: Share::new(located, quoted),
                by_kind,
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod tests;
