//! The artefacts of the summarizer: names become ids, quotations are looked up, a memory that is too
//! long is cut.

use novel_book::{
    believe::{
        self, Hearing,
        facts::{self, Known},
    },
    context::Cast,
    edit::Changes,
    validate::MAX_MEMORY_WORDS,
};
use novel_model::{
    BookReader, ChapterNo, Document, Problem, VolumeNo, Warning,
    files::{CrossReferences, StateDelta},
    layout, message,
};
use novel_text::{count_words, sentences};

use crate::StepError;

/// Summaries of earlier chapters that a summary is held against.
const EARLIER: usize = 3;

/// What becomes of staged artefacts.
#[derive(Debug, Default)]
pub struct Settled {
    /// The artefacts in their settled form; not made yet.
    pub changes: Changes,
    /// What the summarizer is asked to mend.
    pub complaints: Vec<Problem>,
    /// What was left out, marked or cut.
    pub warnings: Vec<Warning>,
}

/// Goes through the staged artefacts of a chapter whose text is `told`. Damaged ones are left to the
/// validator.
///
/// # Errors
/// When cast, state or foreshadowing cannot be read.
pub fn settle(
    reader: &dyn BookReader,
    volume: VolumeNo,
    chapter: ChapterNo,
    told: Option<&str>,
    hearing: Hearing,
) -> Result<Settled, StepError> {
    let mut settled = Settled::default();
    let path = layout::staged_delta(chapter);
    let delta = Document::<StateDelta>::load_if_sound(reader, &path)?;
    let crossref_path = layout::staged_crossref(chapter);
    let crossref = Document::<CrossReferences>::load_if_sound(reader, &crossref_path)?;
    if let (Some(mut delta), Some(told)) = (delta, told) {
        let known = Known::load(reader, volume)?;
        let found = facts::settle(&path, &delta.get().ops, &known, told, hearing);
        let line = delta.get().storyline_id.clone();
        settled.cut_memory(reader, &line, hearing)?;
        if found.ops != delta.get().ops {
            delta.edit(|delta| delta.ops = found.ops);
            settled.changes.write(path, delta.to_text());
        }
        if let Some(mut crossref) = crossref {
            let before = crossref.get().clone();
            crossref.edit(|crossref| facts::resolve_crossref(crossref, &known, found.unknown));
            if *crossref.get() != before {
                settled.changes.write(crossref_path, crossref.to_text());
            }
        }
        settled.complaints = found.complaints;
        settled.warnings.extend(found.warnings);
    }
    Ok(settled)
}

/// What keeps the staged summary of a chapter whose text is `told` from being one. `own` are the texts of
/// the program.
///
/// # Errors
/// When the summary cannot be read.
pub fn problems(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    told: &str,
    own: &[&str],
) -> Result<Vec<Problem>, StepError> {
    let path = layout::staged_summary(chapter);
    let summary = reader.text(&path)?.unwrap_or_default();
    let mut earlier = Vec::new();
    let mut before = chapter.previous();
    while let Some(chapter) = before.filter(|_| earlier.len() < EARLIER) {
        earlier.extend(reader.text(&layout::summary(chapter))?);
        before = chapter.previous();
    }
    Ok(believe::summary::problems(
        &path, &summary, told, own, &earlier,
    ))
}

impl Settled {
    /// The answer to a re-ask may still have a memory that is too long: whole lines go, those that name
    /// nobody first.
    fn cut_memory(
        &mut self,
        reader: &dyn BookReader,
        line: &novel_model::Slug,
        hearing: Hearing,
    ) -> Result<(), StepError> {
        let path = layout::staged_memory(line);
        let Some(memory) = reader.text(&path)? else {
            return Ok(());
        };
        let words = count_words(&memory);
        if hearing != Hearing::Last || words <= MAX_MEMORY_WORDS {
            return Ok(());
        }
        let cast = Cast::load(reader)?;
        let cut = shortened(&memory, |line| !cast.named_in(line).is_empty());
        self.changes.write(path, format!("{}\n", cut.trim_end()));
        self.warnings.push(Warning::new(
            "memory_cut",
            message!(
                en: "the memory of `{line}` had {words} words twice; it was cut to {MAX_MEMORY_WORDS}",
                zh: "故事线 `{line}` 的记忆两次超长（{words} 字），已裁到 {MAX_MEMORY_WORDS} 字以内"
            ),
        ));
        Ok(())
    }
}

/// The memory with as many whole lines as fit. Lines about nobody go first, later ones before earlier
/// ones; a single line that is too long keeps its first sentences.
fn shortened(memory: &str, names_somebody: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = memory.lines().collect();
    let fits = |lines: &[&str]| count_words(&lines.join("\n")) <= MAX_MEMORY_WORDS;
    for spare_named in [true, false] {
        let mut at = lines.len();
        while at > 0 && !fits(&lines) && lines.len() > 1 {
            at -= 1;
            let line = lines[at];
            let is_fact = count_words(line) > 0 && !line.starts_with('#');
            if is_fact && !(spare_named && names_somebody(line)) {
                lines.remove(at);
            }
        }
    }
    let whole = lines.join("\n");
    if count_words(&whole) <= MAX_MEMORY_WORDS {
        return whole;
    }
    let mut kept = String::new();
    for sentence in sentences(&whole) {
        if count_words(&kept) + count_words(sentence) > MAX_MEMORY_WORDS {
            break;
        }
        kept.push_str(sentence);
    }
    if !kept.is_empty() {
        return kept;
    }
    // One sentence without an end: its beginning.
    let mut words = 0;
    whole
        .chars()
        .take_while(|char| {
            words += usize::from(char.is_alphanumeric());
            words <= MAX_MEMORY_WORDS
        })
        .collect()
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
