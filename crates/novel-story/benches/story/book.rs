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
use novel_story::check::{Finding, check_range};
use novel_testkit::memory::MemoryBook;
use serde_json::{Value, json};

/// A chapter before it is written down.
#[derive(Default, Clone)]
pub(crate) struct Chapter {
    pub(crate) text: String,
    pub(crate) ops: Vec<Value>,
    pub(crate) claims: Vec<Value>,
    pub(crate) contract: Option<Value>,
}

/// A book before it is written down.
#[derive(Default, Clone)]
pub(crate) struct Book {
    pub(crate) language: &'static str,
    pub(crate) chapters: Vec<Chapter>,
    pub(crate) files: Vec<(String, Value)>,
    pub(crate) plan: Vec<Value>,
}

pub(crate) fn no(number: usize) -> ChapterNo {
    ChapterNo::new(number as u32).unwrap()
}

pub(crate) fn volume() -> VolumeNo {
    VolumeNo::new(1).unwrap()
}

impl Book {
    pub(crate) fn config(&self) -> Config {
        Config {
            language: Some(self.language.to_owned()),
            ..Config::default()
        }
    }

    pub(crate) fn character(&mut self, id: &str, name: &str, aliases: &[&str]) {
        self.files.push((
            format!("characters/active/{id}.json"),
            json!({"display_name": name, "aliases": aliases}),
        ));
    }

    /// Writes everything down, as commits do.
    pub(crate) fn write(&self) -> MemoryBook {
        let mut book = MemoryBook::new();
        let line: Slug = "main".parse().unwrap();
        let plan: ForeshadowPlan =
            serde_json::from_value(json!({"foreshadowing": self.plan})).unwrap();
        let mut global = Foreshadowing::default();
        let mut state = serde_json::to_value(StoryState::initial()).unwrap();
        let mut log = Entry::Snapshot {
            reason: "initial".to_owned(),
            state: state.clone(),
            state_hash: ContentHash::of(to_json_text(&state)),
        }
        .to_line();
        for (index, chapter) in self.chapters.iter().enumerate() {
            let number = no(index + 1);
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
            let text = manuscript::chapter_of(number, "x", std::slice::from_ref(&chapter.text));
            book.write(layout::chapter_json(number), to_json_text(&text));
            if !chapter.claims.is_empty() {
                let claims = json!({"chapter": number, "claims": chapter.claims});
                book.write(layout::claims(number), to_json_text(&claims));
            }
            if let Some(contract) = &chapter.contract {
                book.write(layout::contract(volume(), number), to_json_text(contract));
            }
        }
        book.write(layout::foreshadowing(), to_json_text(&global));
        book.write(layout::state(), to_json_text(&state));
        book.write(layout::state_changelog(), log);
        for (path, content) in &self.files {
            book.write(path.parse().unwrap(), to_json_text(content));
        }
        book
    }

    /// Everything the checker finds.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let files = self.write();
        let config = self.config();
        let chapters = (1..=self.chapters.len()).map(|number| (no(number), volume()));
        check_range(&files, &config, chapters)
            .unwrap()
            .flat_map(|(_, findings)| findings.unwrap())
            .collect()
    }
}
