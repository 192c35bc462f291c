//! A style: the template's own words, or the few that hold for any sample.

use novel_book::context::Cast;
use novel_model::files::{SpeechPattern, StyleAnswer};
use novel_story::styles::StyleChoice;

use super::Task;
use crate::OfflineError;

pub(super) fn analyze(task: Task<'_>) -> Result<StyleAnswer, OfflineError> {
    let (words, lang) = (task.words()?, task.lang());
    let choice = StyleChoice::of(task.book.reader, &task.book.config.style, lang)?;
    let template = choice
        .template
        .or_else(|| novel_story::styles::templates(lang).first());
    let mut answer = template.map(|style| style.answer()).unwrap_or_default();
    if choice.template.is_none() {
        // Nothing was read for its meaning; the measures of the samples are the program's.
        let directives = words.all("directive").iter();
        answer.writing_directives = directives.map(|text| (*text).to_owned()).collect();
        answer.preferred_expressions = Vec::new();
    }
    let cast = Cast::load(task.book.reader)?;
    answer.speech_patterns = cast
        .members()
        .enumerate()
        .map(|(at, (_, member))| SpeechPattern {
            character: member.character.display_name.trim().to_owned(),
            pattern: words.pick("speech_pattern", at).to_owned(),
        })
        .collect();
    Ok(answer)
}
