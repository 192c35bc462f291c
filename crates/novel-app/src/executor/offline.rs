//! The embedded author: no key, no network, no language model.

use std::borrow::Cow;

use novel_book::config::{Config, ExecutorKind};
use novel_llm::{CancelToken, Usage};
use novel_offline::OfflineBook;
use novel_store::Store;

use super::{AgentAnswer, AgentCall, AgentError, Executor, Sign};

/// The name it goes by wherever a model is named.
pub use novel_offline::MODEL as OFFLINE_MODEL;

/// The section of a prompt that says which of several drafts is wanted.
pub(crate) const VARIANT: &str = "variant";

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
        let mut packet = Cow::Borrowed(call.packet);
        let sections = &call.prompt.sections;
        if let Some(variant) = sections.iter().find(|section| section.name == VARIANT) {
            let inline = &mut packet.to_mut().manifest.inline;
            inline.insert(VARIANT.to_owned(), variant.text.clone().into());
        }
        let text = novel_offline::answer(book, &packet)?;
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
