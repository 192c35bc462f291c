//! A book in memory, made of texts and ops.

use novel_book::{
    changelog::{self, Entry},
    config::Config,
    foreshadow, manuscript, ops,
};
use novel_model::{
    ChapterNo, ContentHash, Slug, VolumeNo,
    files::{ForeshadowPlan, Foreshadowing, StoryState},
    layout, to_json_text,
};
use serde_json::{Value, json};

use crate::memory::MemoryBook;

/// One chapter before it is written down.
#[derive(Clone)]
pub struct Chapter {
    /// Its storyline.
    pub line: String,
    /// The text of each scene.
    pub scenes: Vec<String>,
    /// What it changes.
    pub ops: Vec<Value>,
    /// What it takes for granted.
    pub claims: Vec<Value>,
    /// Its contract; null for none.
    pub contract: Value,
    /// Names in it that nobody registered.
    pub unknown: Vec<Value>,
}

impl Default for Chapter {
    fn default() -> Self {
        Self {
            line: "main".to_owned(),
            scenes: Vec::new(),
            ops: Vec::new(),
            claims: Vec::new(),
            contract: Value::Null,
            unknown: Vec::new(),
        }
    }
}

impl Chapter {
    /// A chapter of one scene.
    #[must_use]
    pub fn of(text: impl Into<String>, ops: Vec<Value>) -> Self {
        Self {
            scenes: vec![text.into()],
            ops,
            ..Self::default()
        }
    }
}

/// A book before it is written down.
#[derive(Default, Clone)]
pub struct Book {
    /// `zh-CN` or `en`.
    pub language: &'static str,
    /// Its chapters, from the first.
    pub chapters: Vec<Chapter>,
    /// Its foreshadowing plan; null for none.
    pub plan: Value,
    /// Further files: cast, storylines, places, rules.
    pub files: Vec<(String, Value)>,
    /// Chapters of a volume; one volume where it is `None`.
    pub per_volume: Option<u32>,
}

/// A chapter number.
///
/// # Panics
/// With zero.
#[must_use]
pub fn no(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

impl Book {
    /// Chapter `number`, to be changed.
    pub fn chapter(&mut self, number: u32) -> &mut Chapter {
        &mut self.chapters[number as usize - 1]
    }

    /// Adds somebody to the cast.
    pub fn character(&mut self, id: &str, name: &str, aliases: &[&str]) {
        self.files.push((
            format!("characters/active/{id}.json"),
            json!({"display_name": name, "aliases": aliases}),
        ));
    }

    /// The configuration of a book in its language.
    #[must_use]
    pub fn config(&self) -> Config {
        Config {
            language: Some(self.language.to_owned()),
            ..Config::default()
        }
    }

    /// The volume of a chapter.
    #[must_use]
    pub fn volume(&self, chapter: ChapterNo) -> VolumeNo {
        let before = self
            .per_volume
            .map_or(0, |length| (chapter.get() - 1) / length);
        VolumeNo::new(before + 1).unwrap()
    }

    /// Every chapter with its volume.
    pub fn numbered(&self) -> impl Iterator<Item = (ChapterNo, VolumeNo)> + use<> {
        let book = Self {
            per_volume: self.per_volume,
            ..Self::default()
        };
        (1..=self.chapters.len() as u32).map(move |number| (no(number), book.volume(no(number))))
    }

    /// Writes everything down, as commits do.
    #[must_use]
    pub fn write(&self) -> MemoryBook {
        self.write_to(self.chapters.len() as u32).0
    }

    /// The planned book with its chapters up to `last`, and the state before that chapter.
    ///
    /// # Panics
    /// When an op cannot be applied.
    #[must_use]
    pub fn write_to(&self, last: u32) -> (MemoryBook, Value) {
        let plan = match &self.plan {
            Value::Null => json!({"foreshadowing": []}),
            plan => plan.clone(),
        };
        let plan: ForeshadowPlan = serde_json::from_value(plan).unwrap();
        let mut book = MemoryBook::new();
        let mut state = serde_json::to_value(StoryState::initial()).unwrap();
        let mut global = Foreshadowing::default();
        let mut log = Entry::Snapshot {
            reason: "initial".to_owned(),
            state: state.clone(),
            state_hash: ContentHash::of(to_json_text(&state)),
        }
        .to_line();
        let mut unknown = String::new();
        let mut before = state.clone();
        for (number, chapter) in (1..).map(no).zip(&self.chapters) {
            if !chapter.contract.is_null() {
                book.write(
                    layout::contract(self.volume(number), number),
                    to_json_text(&chapter.contract),
                );
            }
        }
        for (number, chapter) in (1..=last).map(no).zip(&self.chapters) {
            before.clone_from(&state);
            let line: Slug = chapter.line.parse().unwrap();
            let base = changelog::version(&state);
            let previous_chapter = state["last_updated_chapter"].as_u64().unwrap();
            let outcome = ops::apply(&mut state, &chapter.ops);
            assert_eq!(outcome.dropped, [], "chapter {number}");
            changelog::stamp(&mut state, base + 1, number);
            foreshadow::record(&mut global, &plan, &outcome.foreshadowing, number, &line);
            log += &Entry::Delta {
                chapter: number,
                storyline_id: line.clone(),
                base_state_version: base,
                state_version: base + 1,
                previous_chapter,
                ops: outcome.applied,
                dropped: vec![],
                state_hash: ContentHash::of(to_json_text(&state)),
            }
            .to_line();
            let text = manuscript::chapter_of(number, "夜雨", &chapter.scenes);
            book.write(layout::chapter_json(number), to_json_text(&text));
            let crossref =
                json!({"storyline_id": chapter.line, "unknown_entities": chapter.unknown});
            book.write(layout::crossref(number), to_json_text(&crossref));
            for entity in &chapter.unknown {
                let mut entry = entity.clone();
                entry["chapter"] = json!(number);
                unknown += &format!("{entry}\n");
            }
            if !chapter.claims.is_empty() {
                let claims = json!({"chapter": number, "claims": chapter.claims});
                book.write(layout::claims(number), to_json_text(&claims));
            }
        }
        book.write(layout::state(), to_json_text(&state));
        book.write(layout::state_changelog(), log);
        book.write(layout::foreshadowing(), to_json_text(&global));
        book.write(layout::unknown_entities(), unknown);
        for (path, content) in &self.files {
            book.write(path.parse().unwrap(), to_json_text(content));
        }
        (book, before)
    }
}
