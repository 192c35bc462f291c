//! What is believed of agents' answers (spec 08), and how often they are asked.

use serde::{Deserialize, Serialize};

/// How much a refinement may change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RefineConfig {
    /// Edit distance over the length of the text the refiner was given.
    pub max_change: MaxChange,
}

/// A share from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct MaxChange(f64);

impl MaxChange {
    /// The share where the author has set none.
    pub const DEFAULT: Self = Self(0.15);

    /// The share.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The share in whole percent, as an agent is told.
    #[must_use]
    pub const fn percent(self) -> u32 {
        (self.0 * 100.0).round() as u32
    }
}

impl Default for MaxChange {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<f64> for MaxChange {
    type Error = String;

    fn try_from(share: f64) -> Result<Self, Self::Error> {
        if (0.0..=1.0).contains(&share) {
            Ok(Self(share))
        } else {
            Err(format!("{share} is not a share; allowed: 0 to 1"))
        }
    }
}

/// How often agents are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LimitsConfig {
    /// Calls a chapter may take before the run stops and asks the author.
    pub calls_per_chapter: u32,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            calls_per_chapter: 20,
        }
    }
}

/// How the judge is watched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateConfig {
    /// After every so many chapters the judge is asked about a copy with a planted fault; not at all
    /// where it is left out or 0.
    pub probe_every: Option<u32>,
}
