//! What came before, in one sentence.

use novel_text::sentences;

use crate::{
    OfflineError,
    plan::{ChapterPlan, Task},
    prose::clean,
};

/// What the reader should remember of this line: the newest of its summaries, else what the plan
/// says of it, else its memory.
pub(crate) fn recall(task: &Task<'_>, plan: &ChapterPlan) -> Result<Option<String>, OfflineError> {
    let line = plan.contract.get().storyline_id.as_str();
    let mark = format!("- storyline_id: {line}");
    let summaries = task.texts("recent_3_summaries")?;
    let summary = summaries
        .iter()
        .rev()
        .find(|summary| summary.lines().any(|text| text.trim() == mark));
    let first_event = |text: &String| first_point(text);
    let planned = plan.contract.get().storyline_context.as_ref();
    let planned = planned.and_then(|context| context.last_chapter_summary.clone());
    let memory = task.optional_text("storyline_memory")?;
    let candidates = [
        summary.and_then(first_event),
        planned,
        memory.as_ref().and_then(|memory| last_point(memory)),
    ];
    Ok(candidates
        .into_iter()
        .flatten()
        .map(|text| first_sentence(&text))
        .find(|text| !text.is_empty() && !plan.names_a_stranger(text)))
}

fn first_sentence(text: &str) -> String {
    let text = clean(text);
    let first = sentences(&text).first().copied().unwrap_or_default();
    clean(&first.replace(['“', '”', '"'], ""))
}

fn first_point(markdown: &str) -> Option<String> {
    let mut points = markdown.lines().filter_map(|line| line.strip_prefix("- "));
    points
        .next()
        .filter(|point| !point.starts_with("storyline_id"))
        .map(str::to_owned)
}

fn last_point(markdown: &str) -> Option<String> {
    let mut points = markdown.lines().rev();
    let last = points.find_map(|line| line.strip_prefix("- "))?;
    // `第 3 章：…` and `Chapter 3: …` tell where it was learnt.
    let told = last.split_once(['：', ':']).map_or(last, |(_, told)| told);
    Some(told.to_owned())
}

#[cfg(test)]
#[path = "recall_tests.rs"]
mod tests;
