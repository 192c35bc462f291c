//! A chapter that is longer than the budget of an agent is given in parts.

use novel_prompt::prompt::PromptError;
use novel_text::{estimate_tokens, in_parts};

use super::AskError;

/// Tokens below which a part says nothing any more.
const SMALLEST: u64 = 100;

/// The text in as few parts as it takes for `fits` to build a prompt of each. `fits` gets a part, its
/// number and the number of parts.
///
/// # Errors
/// When a prompt cannot be built, or is too large whatever the part.
pub(crate) fn parts_of(
    text: &str,
    fits: impl Fn(&str, (u32, u32)) -> Result<(), AskError>,
) -> Result<Vec<&str>, AskError> {
    let most = (estimate_tokens(text) / SMALLEST).max(1);
    let mut count = 1;
    loop {
        let parts = in_parts(text, count);
        let of = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let mut numbered = (1..=of).zip(&parts);
        match numbered.try_for_each(|(part, text)| fits(text, (part, of))) {
            Err(AskError::Prompt(PromptError::TooLarge { .. })) if count < most => count += 1,
            Err(error) => return Err(error),
            Ok(()) => return Ok(parts),
        }
    }
}
