//! Recording a chapter's ops into the text of `foreshadowing/global.json`.
//!
//! The file holds every item the book ever had, and a chapter touches one or two. Only those are read
//! into a document and laid out anew; all other items stay as they are written.

use novel_model::{
    BrokenFile, ChapterNo, Document, RelPath, Slug, Warning,
    files::{ForeshadowPlan, Foreshadowing},
    to_json_text,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::record;
use crate::ops::ForeshadowOp;

/// How far an item is indented in the file.
const INDENT: &str = "    ";

/// The items as they are written.
#[derive(Deserialize)]
struct Written<'t> {
    #[serde(borrow)]
    foreshadowing: Vec<&'t RawValue>,
}

/// The text of the file, which says `facts`, with what a chapter did; see [`record`].
///
/// # Errors
/// With every problem of the file, not only the first.
pub fn record_in_text(
    (path, text): (&RelPath, &str),
    facts: &Foreshadowing,
    plan: &ForeshadowPlan,
    ops: &[ForeshadowOp],
    (chapter, storyline): (ChapterNo, &Slug),
) -> Result<(String, Vec<Warning>), BrokenFile> {
    let items = facts.foreshadowing.iter().enumerate();
    let touched = items.filter(|(_, item)| ops.iter().any(|op| op.id == item.id));
    let touched: Vec<usize> = touched.map(|(at, _)| at).collect();
    let recorded = |mut document: Document<Foreshadowing>| {
        let mut warnings = Vec::new();
        document.edit(|facts| warnings = record(facts, plan, ops, chapter, storyline));
        (document, warnings)
    };
    if let Some(parts) = Parts::of(text, &touched)
        && let Ok(document) = Document::parse(path, &parts.document())
    {
        let (document, warnings) = recorded(document);
        if let Some(text) = parts.with(&document) {
            return Ok((text, warnings));
        }
    }
    let (document, warnings) = recorded(Document::parse(path, text)?);
    Ok((document.to_text(), warnings))
}

/// The text of the file around the items that change.
struct Parts<'t> {
    text: &'t str,
    /// Begin and end of each, ascending.
    touched: Vec<(usize, usize)>,
    /// Where the last item of the file ends.
    end: usize,
}

impl<'t> Parts<'t> {
    /// `None` when the list of items is empty or missing.
    fn of(text: &'t str, touched: &[usize]) -> Option<Self> {
        let Written { foreshadowing } = serde_json::from_str(text).ok()?;
        let span = |item: &RawValue| {
            let begin = item.get().as_ptr() as usize - text.as_ptr() as usize;
            (begin, begin + item.get().len())
        };
        let spans = touched.iter().map(|at| foreshadowing.get(*at).copied());
        Some(Self {
            text,
            touched: spans
                .map(|item| item.map(span))
                .collect::<Option<Vec<_>>>()?,
            end: span(foreshadowing.last()?).1,
        })
    }

    /// A file with the touched items alone.
    fn document(&self) -> String {
        let items = self.touched.iter();
        let items: Vec<&str> = items.map(|(begin, end)| &self.text[*begin..*end]).collect();
        format!("{{\"foreshadowing\":[{}]}}", items.join(","))
    }

    /// The text with the items of `document` in the place of the touched ones, and its new ones at
    /// the end.
    fn with(&self, document: &Document<Foreshadowing>) -> Option<String> {
        let items = document.raw().get("foreshadowing")?.as_array()?;
        let mut items = items.iter().map(|item| {
            let laid_out = to_json_text(item);
            laid_out.trim_end().replace('\n', &format!("\n{INDENT}"))
        });
        let (mut text, mut at) = (String::with_capacity(self.text.len() + 1024), 0);
        for (begin, end) in &self.touched {
            text.push_str(&self.text[at..*begin]);
            text.push_str(&items.next()?);
            at = *end;
        }
        text.push_str(&self.text[at..self.end]);
        for new in items {
            text.push_str(",\n");
            text.push_str(INDENT);
            text.push_str(&new);
        }
        text.push_str(&self.text[self.end..]);
        Some(text)
    }
}

#[cfg(test)]
#[path = "in_text_tests.rs"]
mod tests;
