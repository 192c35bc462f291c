//! What an agent is given: the instruction packet of a step, and the prompt made from it.
//!
//! Pure: the same files give the same packet and the same prompt.

pub mod guides;
pub mod packet;
pub mod prompt;

use novel_model::Lang;

/// Guides, prompts and re-asks that are part of the program, in one language: what no chapter may repeat.
#[must_use]
pub fn own_texts(lang: Lang) -> Vec<&'static str> {
    use guides::Guide;
    let guides = [
        Guide::QualityRubric,
        Guide::StyleGuide,
        Guide::WritingMethodology,
    ];
    let prompts = prompt::Agent::ALL.iter().map(|agent| agent.built_in(lang));
    guides
        .into_iter()
        .map(|guide| guide.built_in(lang))
        .chain(prompts)
        .chain(prompt::retry_texts(lang))
        .collect()
}
