//! Every public file format on arbitrary bytes: an error or a document that prints and reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use novel_model::{
    Document, Format, RelPath, decode,
    files::{
        Blacklist, ChapterContract, Character, Checkpoint, Evaluation, Foreshadowing,
        GeneratedChapter, StateDelta, StoryState, StorylineSchedule, WorldRules,
    },
};

fn try_format<T: Format + PartialEq + std::fmt::Debug>(path: &RelPath, text: &str) {
    if let Ok(document) = Document::<T>::parse(path, text) {
        let printed = document.to_text();
        let again = Document::<T>::parse(path, &printed).expect("what was printed can be read");
        assert_eq!(again.get(), document.get());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(path) = "some/file.json".parse::<RelPath>() else { return };
    let Ok(text) = decode(&path, bytes.to_vec()) else { return };
    try_format::<Checkpoint>(&path, &text);
    try_format::<GeneratedChapter>(&path, &text);
    try_format::<ChapterContract>(&path, &text);
    try_format::<Character>(&path, &text);
    try_format::<Evaluation>(&path, &text);
    try_format::<StoryState>(&path, &text);
    try_format::<StateDelta>(&path, &text);
    try_format::<Foreshadowing>(&path, &text);
    try_format::<StorylineSchedule>(&path, &text);
    try_format::<WorldRules>(&path, &text);
    try_format::<Blacklist>(&path, &text);
});
