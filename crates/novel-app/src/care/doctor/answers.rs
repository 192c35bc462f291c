//! Kept answers and notes about model servers: files that are written once and say themselves what they
//! should be.

use novel_model::{
    BookReader, ContentHash, Explain, Problem, RelPath, layout, message,
    seal::{self, Seal},
};

use super::{Examination, records, text_of};
use crate::runner::ledger;

/// Reports every file of the ledger that is not as it was written.
pub(super) fn examine(reader: &dyn BookReader, examination: &mut Examination) {
    let ledger = layout::calls_dir();
    for name in reader.list(&ledger).unwrap_or_default() {
        let Ok(place) = ledger.join(&name) else {
            continue;
        };
        if name.ends_with(".zst") {
            if let Err(error) = ledger::check_used(reader, &place) {
                let problems = error.problems().to_vec();
                problems
                    .into_iter()
                    .for_each(|found| examination.report(found));
            }
            continue;
        }
        for name in reader.list_ending(&place, ".json").unwrap_or_default() {
            if let Ok(path) = place.join(&name) {
                answer(reader, &path, examination);
            }
        }
    }
    let notes = layout::endpoints_dir();
    for name in reader.list_ending(&notes, ".json").unwrap_or_default() {
        let Ok(path) = notes.join(&name) else {
            continue;
        };
        let text = text_of(reader, &path);
        if text.is_some_and(|text| layout::endpoint(&ContentHash::of(&text)) != path) {
            examination.report(records::changed(&path).hint(message!(
                en: "delete the file; it is rebuilt when needed",
                zh: "删除该文件即可，需要时会重新生成"
            )));
        }
    }
}

/// An answer in a file of its own, or the mark that one is not usable.
fn answer(reader: &dyn BookReader, path: &RelPath, examination: &mut Examination) {
    let Some(text) = text_of(reader, path) else {
        return;
    };
    let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
    let is_in_place = ledger::is_in_place(path, &text);
    if is_json && is_in_place && seal::check_document(&text) != Seal::Broken {
        return;
    }
    let text = message!(
        en: "not the answer that was saved here", zh: "不是当时保存的回答"
    );
    examination.report(Problem::new("changed_outside", path, text).hint(message!(
        en: "restore it from a backup, or move the file away to ask the agent again",
        zh: "请用备份恢复，或移走该文件以重新调用"
    )));
}
