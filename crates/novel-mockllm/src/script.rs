//! Behaviour from a file, for tests that are not written in Rust.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::{Behaviour, Request};

/// Rules in order; the first one that matches and is not used up decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Script {
    /// The rules.
    pub rules: Vec<Rule>,
}

/// One rule of a script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Text that the prompt must contain; without it every request matches.
    #[serde(default)]
    pub when: Option<String>,
    /// How often the rule is used; without it always.
    #[serde(default)]
    pub times: Option<u32>,
    /// What to do.
    pub then: Behaviour,
}

impl Script {
    /// Each behaviour once, in order, and the last one for all further requests.
    #[must_use]
    pub fn sequence(behaviours: Vec<Behaviour>) -> Self {
        let last = behaviours.len().saturating_sub(1);
        let rules = behaviours
            .into_iter()
            .enumerate()
            .map(|(number, then)| Rule {
                when: None,
                times: (number < last).then_some(1),
                then,
            })
            .collect();
        Self { rules }
    }

    /// The script as a handler; a request without a rule gets a 500 that says so.
    pub fn into_handler(self) -> impl Fn(&Request) -> Behaviour + Send + Sync + 'static {
        let rules = Mutex::new(self.rules);
        move |request| {
            let prompt = request.prompt();
            let mut rules = rules
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let rule = rules.iter_mut().find(|rule| {
                rule.times != Some(0) && rule.when.as_ref().is_none_or(|when| prompt.contains(when))
            });
            match rule {
                Some(rule) => {
                    rule.times = rule.times.map(|times| times - 1);
                    rule.then.clone()
                }
                None => Behaviour::error(500, "api_error", "the script has no rule for this"),
            }
        }
    }
}
