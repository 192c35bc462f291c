//! What the author tells a run from another terminal: `.novel.inbox/`.
//!
//! A file there is made without the lock, whole and once. The run takes it.

use novel_model::{BookReader, Problem, RelPath, layout, message};
use novel_model::{BrokenFile, FileError};
use novel_store::{Store, StoreError};
use serde_json::Value;

/// The notes that wait, in the order in which they were left.
pub(crate) fn notes(reader: &dyn BookReader) -> Result<Vec<(RelPath, String)>, FileError> {
    let directory = layout::inbox_dir();
    let mut notes = Vec::new();
    for name in reader.list(&directory)? {
        let number = name
            .strip_prefix("tell-")
            .and_then(|rest| rest.strip_suffix(".json"))
            .and_then(|number| number.parse().ok());
        let Some(number) = number else { continue };
        let path = layout::inbox_note(number);
        let Some(text) = reader.text(&path)? else {
            continue;
        };
        let value: Option<Value> = serde_json::from_str(&text).ok();
        let note = value.and_then(|value| value.get("note")?.as_str().map(str::to_owned));
        let note = note.ok_or_else(|| {
            let text =
                message!(en: "not a note of `novel tell`", zh: "不是 `novel tell` 留下的要求");
            let hint = message!(
                en: "remove the file and run `novel tell` again", zh: "删除该文件，再用 `novel tell` 说一次"
            );
            BrokenFile::new(Problem::new("not_a_note", &path, text).hint(hint))
        })?;
        notes.push((path, note));
    }
    Ok(notes)
}

/// Removes a wish to stop that was meant for an earlier run.
pub(crate) fn discard_stop(store: &Store) -> Result<(), StoreError> {
    let path = layout::inbox_stop();
    match store.reader()?.read(&path)? {
        Some(_) => store.remove_beside(&path),
        None => Ok(()),
    }
}

/// Whether the author wants the run to stop; the wish is taken.
pub(crate) fn take_stop(store: &Store) -> bool {
    let path = layout::inbox_stop();
    let is_there =
        |store: &Store| -> Result<bool, StoreError> { Ok(store.reader()?.read(&path)?.is_some()) };
    is_there(store).unwrap_or_default() && store.remove_beside(&path).is_ok()
}
