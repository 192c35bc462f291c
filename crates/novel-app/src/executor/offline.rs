//! The embedded author: no key, no network, no language model.

use novel_book::config::{Config, ExecutorKind};
use novel_llm::{CancelToken, Usage};
use novel_offline::OfflineBook;
use novel_store::Store;

use super::{AgentAnswer, AgentCall, AgentError, Executor, Sign};

/// The name it goes by wherever a model is named.
pub use novel_offline::MODEL as OFFLINE_MODEL;

/// The embedded author.
pub struct Offline {
    store: Store,
    config: Config,
}

impl Offline {
    /// For one project.
    #[must_use]
    pub fn new(store: Store, config: Config) -> Self {
        Self { store, config }
    }
}

impl Executor for Offline {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Offline
    }

    fn model_for(&self, _roles: &[&str]) -> String {
        OFFLINE_MODEL.to_owned()
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        _cancel: &CancelToken,
    ) -> Result<AgentAnswer, AgentError> {
        let reader = self.store.reader()?;
        let book = OfflineBook {
            reader: call.book.map_or(&reader, |book| book),
            config: &self.config,
        };
        let text = novel_offline::answer(book, call.packet)?;
        on_sign(Sign::Text(text.clone()));
        Ok(AgentAnswer {
            raw: text.clone(),
            hints: None,
            text,
            model: OFFLINE_MODEL.to_owned(),
            usage: Usage::default(),
            attempts: 1,
        })
    }
}
