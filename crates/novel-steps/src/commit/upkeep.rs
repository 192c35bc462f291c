//! Upkeep that rides along with a commit: blacklist, style drift, unknown names.

use std::collections::BTreeSet;

use novel_book::{
    blacklist::{self, Stamp, Told},
    context::Cast,
    drift::{self, DriftAction, Measured},
    edit::Changes,
    manuscript::{self, Manuscript},
    validate::SummaryArtefacts,
};
use novel_model::{
    BookReader, BrokenFile, ChapterNo, Document, Explain, FileError, Message, Problem, Warning,
    files::{Blacklist, Evaluation, GeneratedChapter, StyleDrift, StyleProfile},
    layout, message, to_json_text,
};
use novel_text::TextMetrics;
use serde_json::{Value, json};

use crate::{Book, StepError};

/// Unregistered names from which the author is told.
const MANY_UNKNOWN: usize = 3;

/// The warning for upkeep that could not be done.
pub(super) fn skipped(failure: &StepError) -> Warning {
    let Message { en, zh } = failure.message();
    Warning::new(
        "upkeep_skipped",
        message!(en: "upkeep skipped: {en}", zh: "跳过维护：{zh}"),
    )
}

/// Takes the judge's suggestions into the blacklist.
pub(super) fn blacklist(
    book: &Book<'_>,
    reader: &dyn BookReader,
    manuscript: &Manuscript,
    evaluation: &Evaluation,
    changes: &mut Changes,
) -> Result<(), StepError> {
    let suggestions = evaluation
        .anti_ai
        .as_ref()
        .map(|anti_ai| anti_ai.blacklist_update_suggestions.as_slice())
        .unwrap_or_default();
    let Some(mut document) = Document::<Blacklist>::load(reader, &layout::blacklist())? else {
        return Ok(());
    };
    let preferred = style_profile(reader)?.preferred_expressions;
    let timestamp = book.now().to_string();
    let date = &timestamp[..timestamp.len().min(10)];
    let stamp = Stamp {
        timestamp: &timestamp,
        date,
    };
    let mut changed = false;
    let told = Told {
        chapter: manuscript.chapter.chapter_number.get(),
        text: &manuscript.markdown,
        lang: book.config().lang(),
    };
    document.edit(|list| {
        changed = blacklist::maintain(list, suggestions, &preferred, told, stamp);
    });
    let mut raw = document.raw().clone();
    let lists = ["whitelist", "update_log"];
    let is_whole = lists.iter().all(|key| raw.get(*key).is_some());
    if let Some(object) = raw.as_object_mut().filter(|_| !is_whole) {
        for key in lists {
            object.entry(key).or_insert_with(|| json!([]));
        }
        document = Document::from_value(&layout::blacklist(), raw)?;
    }
    if changed || !is_whole {
        changes.write(layout::blacklist(), document.to_text());
    }
    Ok(())
}

fn style_profile(reader: &dyn BookReader) -> Result<StyleProfile, FileError> {
    let profile = Document::<StyleProfile>::load(reader, &layout::style_profile())?;
    Ok(profile.map(Document::into_value).unwrap_or_default())
}

/// Checks the style every five chapters; `None` in between.
pub(super) fn drift(
    book: &Book<'_>,
    reader: &dyn BookReader,
    manuscript: &Manuscript,
    changes: &mut Changes,
) -> Result<Option<DriftAction>, StepError> {
    let chapter = manuscript.chapter.chapter_number;
    if !drift::is_due(chapter) {
        return Ok(None);
    }
    let mut parts = vec![manuscript::metrics(&manuscript.chapter)];
    let mut earlier = chapter.previous();
    for _ in 1..drift::WINDOW {
        let Some(number) = earlier else { break };
        // A book taken over from an older tool may have no JSON for its older chapters.
        if let Some(document) =
            Document::<GeneratedChapter>::load(reader, &layout::chapter_json(number))?
        {
            parts.push(manuscript::metrics(document.get()));
        }
        earlier = number.previous();
    }
    let total = TextMetrics::sum(&parts);
    let measured = Measured {
        avg_sentence_length: total.avg_sentence_length,
        dialogue_ratio: total.dialogue_ratio,
    };
    let path = layout::style_drift();
    let current = Document::<StyleDrift>::load(reader, &path)?;
    let action = drift::check(
        &style_profile(reader)?,
        measured,
        current.as_ref().map(Document::get),
        chapter,
        &book.now().to_string(),
        book.config().lang(),
    );
    if let DriftAction::Correct(new) | DriftAction::Clear(new) = &action {
        let text = match current {
            Some(mut document) => {
                document.edit(|old| old.clone_from(new));
                document.to_text()
            }
            None => to_json_text(new),
        };
        changes.write(path, text);
    }
    Ok(Some(action))
}

/// Records names nobody has registered and counts the ones still unregistered.
pub(super) fn unknown_entities(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    artefacts: &SummaryArtefacts,
    changes: &mut Changes,
) -> Result<Option<Warning>, StepError> {
    let found = &artefacts.crossref.get().unknown_entities;
    if found.is_empty() {
        return Ok(None);
    }
    let path = layout::unknown_entities();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let log = reader.text(&path)?.unwrap_or_default();
    for (at, line) in log
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let entry: Value = serde_json::from_str(line).map_err(|error| {
            let text = message!(en: "not JSON: {error}", zh: "不是 JSON：{error}");
            BrokenFile::new(Problem::new("json_syntax", &path, text).at_line(at + 1))
        })?;
        names.extend(
            entry
                .get("mention")
                .and_then(Value::as_str)
                .map(str::to_owned),
        );
    }
    for entity in found {
        let entry = json!({
            "chapter": chapter,
            "storyline_id": artefacts.storyline(),
            "mention": entity.mention,
            "context": entity.context,
            "suggested_type": entity.suggested_type,
        });
        changes.append(path.clone(), format!("{entry}\n"));
        names.insert(entity.mention.clone());
    }
    let cast = Cast::load(reader)?;
    names.retain(|name| cast.named(name).is_none());
    let count = names.len();
    Ok((count >= MANY_UNKNOWN).then(|| {
        let list = names.into_iter().collect::<Vec<_>>().join("、");
        Warning::new(
            "unknown_entities",
            message!(
                en: "{count} names are not registered: {list}",
                zh: "累计 {count} 个未注册实体：{list}"
            ),
        )
    }))
}
