//! Models that did not answer: a fallback is asked at once while an outage is young, and the model is
//! tried again after a while.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use novel_model::{Message, message};

/// How long a model is left alone after all attempts of a call failed.
const LEFT_ALONE: Duration = Duration::from_secs(5 * 60);

/// The models that did not answer, and when.
#[derive(Debug)]
pub(super) struct Outages {
    left_alone: Duration,
    known: Mutex<BTreeMap<String, (Instant, Message)>>,
}

impl Default for Outages {
    fn default() -> Self {
        Self::lasting(LEFT_ALONE)
    }
}

impl Outages {
    fn lasting(left_alone: Duration) -> Self {
        Self {
            left_alone,
            known: Mutex::default(),
        }
    }

    /// Records that a model did not answer, and why.
    pub(super) fn begin(&self, model: &str, why: Message) {
        let now = Instant::now();
        self.known().insert(model.to_owned(), (now, why));
    }

    /// Why a model is not asked; nothing where it is to be tried.
    pub(super) fn of(&self, model: &str) -> Option<Message> {
        let mut known = self.known();
        let (since, Message { en, zh }) = known.get(model)?.clone();
        let Some(rest) = self.left_alone.checked_sub(since.elapsed()) else {
            known.remove(model);
            return None;
        };
        // Rounded up, so that nobody reads of zero seconds.
        let seconds = rest.as_secs() + 1;
        Some(message!(
            en: "no answer just now; retrying in {seconds} s ({en})",
            zh: "刚才没有应答，{seconds} 秒后重试（{zh}）"
        ))
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, (Instant, Message)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_left_alone_for_a_while_and_then_tried_again() {
        let outages = Outages::default();
        assert_eq!(outages.of("first"), None);
        outages.begin("first", message!(en: "HTTP 503", zh: "HTTP 503"));
        let why = outages.of("first").unwrap();
        assert!(
            why.en.contains("HTTP 503") && why.en.contains(" s"),
            "{why:?}"
        );
        assert_eq!(
            outages.of("second"),
            None,
            "another model is another matter"
        );
        let over = Outages::lasting(Duration::ZERO);
        over.begin("first", Message::default());
        while over.of("first").is_some() {}
        assert_eq!(over.of("first"), None);
    }
}
