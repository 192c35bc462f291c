//! What not everybody knows: the secrets of `world/truth.json`.

use novel_book::context::ContextError;
use novel_model::{BookReader, Document, files::Truth, layout};

/// A secret, as far as the rules ask.
pub(super) struct Secret {
    pub(super) id: String,
    pub(super) fact: String,
    /// Who knows it, and from which chapter on.
    pub(super) known_by: Vec<(String, u32)>,
    /// Where it stands in the file.
    pub(super) pointer: String,
}

/// The secrets of a book; none when it has no file.
pub(super) fn load(reader: &dyn BookReader) -> Result<Vec<Secret>, ContextError> {
    let truth = Document::<Truth>::load(reader, &layout::truth())?;
    let secrets = truth.map(|truth| truth.into_value().secrets);
    let secrets = secrets.unwrap_or_default().into_iter().enumerate();
    Ok(secrets
        .map(|(at, secret)| Secret {
            id: secret.id,
            fact: secret.fact,
            known_by: secret
                .known_by
                .into_iter()
                .map(|knower| (knower.character, knower.from_chapter.unwrap_or(0)))
                .collect(),
            pointer: format!("/secrets/{at}/fact"),
        })
        .collect())
}
