//! What a chapter takes for granted, as it is committed.

use novel_book::edit::Changes;
use novel_model::{files::Claims, layout, to_json_text};
use novel_text::Locator;

/// Quotations shorter than this stand anywhere.
const SHORTEST: usize = 4;

/// Writes the claims whose quotation stands in the text; a chapter without one has no file.
pub(crate) fn write(claims: &Claims, text: &str, changes: &mut Changes) {
    let locator = Locator::new(text);
    let mut kept = claims.clone();
    kept.claims.retain(|claim| {
        let quotation = claim.evidence.trim();
        quotation.chars().count() >= SHORTEST
            && (text.contains(quotation) || locator.locate(quotation).is_some())
    });
    if !kept.claims.is_empty() {
        changes.write(layout::claims(kept.chapter), to_json_text(&kept));
    }
}
