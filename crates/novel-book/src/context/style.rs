//! Style correction and the blacklist (step 2.7).

use novel_model::{
    BookReader, Document,
    files::{Blacklist, StyleDrift},
    layout,
};
use novel_text::{LintReport, lint};

use super::ContextError;

/// The style correction, if one is active. A closed one is history and given to nobody.
///
/// # Errors
/// When the file is there but broken.
pub fn active_drift(reader: &dyn BookReader) -> Result<Option<Document<StyleDrift>>, ContextError> {
    let drift = Document::<StyleDrift>::load(reader, &layout::style_drift())?;
    Ok(drift.filter(|drift| drift.get().active))
}

/// What the correction asks for, in file order.
#[must_use]
pub fn directives(drift: &StyleDrift) -> Vec<String> {
    drift
        .drifts
        .iter()
        .map(|drift| drift.directive.clone())
        .collect()
}

/// Exact counts of the blacklisted phrases in a chapter, whitelisted ones left out.
#[must_use]
pub fn blacklist_lint(markdown: &str, blacklist: &Blacklist) -> LintReport {
    lint(markdown, &blacklist.effective_words())
}
