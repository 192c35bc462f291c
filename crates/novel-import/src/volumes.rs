//! Volumes a book can hold.

use std::collections::BTreeMap;

use crate::{Imported, ImportedVolume};

/// Chapters of a volume, at most: its outline must stay a file the book accepts.
const LONGEST: usize = 10_000;

/// Divides volumes that are too long. Their parts keep the title.
pub(crate) fn divide_long(book: &mut Imported) {
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for chapter in &book.chapters {
        *lengths
            .entry(chapter.volume.unwrap_or_default())
            .or_default() += 1;
    }
    if lengths.values().all(|length| *length <= LONGEST) {
        return;
    }
    let mut old = std::mem::take(&mut book.volumes);
    if old.is_empty() {
        old.push(ImportedVolume {
            heading: String::new(),
            title: String::new(),
        });
    }
    // Where each of the old volumes begins among the new ones.
    let mut begins = Vec::new();
    for (number, volume) in old.into_iter().enumerate() {
        begins.push(book.volumes.len());
        let length = lengths.get(&number).copied().unwrap_or_default();
        let parts = length.div_ceil(LONGEST).max(1);
        book.volumes.extend(std::iter::repeat_n(volume, parts));
    }
    let mut counted = vec![0; begins.len()];
    for chapter in &mut book.chapters {
        let volume = chapter.volume.unwrap_or_default();
        chapter.volume = Some(begins[volume] + counted[volume] / LONGEST);
        counted[volume] += 1;
    }
}

#[cfg(test)]
#[path = "volumes_tests.rs"]
mod tests;
