//! Writes chapters the way the program does, without its disk.

use novel_book::recall::Digests;
use novel_book::{
    config::Config,
    foreshadow,
    judgement::{self, JudgedText},
    manuscript::Manuscript,
    next::Round,
    ops,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, ContentHash, Document, Lang, RelPath, StepId,
    files::{
        Checkpoint, Evaluation, ForeshadowPlan, Foreshadowing, OrchestratorState, Packet,
        StoryState, SummarizerAnswer,
    },
    layout, to_json_text,
};
use novel_offline::OfflineBook;
use novel_prompt::packet::{self, BookFiles, Request};
use novel_testkit::memory::MemoryBook;

/// A book being written.
pub(crate) struct Desk {
    pub(crate) book: MemoryBook,
    pub(crate) config: Config,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) digests: Digests,
}

/// What a chapter went through.
pub(crate) struct Written {
    pub(crate) draft: String,
    pub(crate) answer: SummarizerAnswer,
    pub(crate) refined: String,
    pub(crate) evaluation: Evaluation,
}

impl Desk {
    pub(crate) fn new(book: MemoryBook) -> Self {
        let toml = book.text(&layout::config()).unwrap().unwrap_or_default();
        let (config, warnings) = Config::parse(&toml).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        Self {
            book,
            config,
            checkpoint: Checkpoint::new(OrchestratorState::Writing),
            digests: Digests::default(),
        }
    }

    pub(crate) fn packet(&self, stage: ChapterStage, round: Round) -> Packet {
        let chapter = self.checkpoint.next_chapter();
        let book = BookFiles {
            reader: &self.book,
            config: &self.config,
            checkpoint: &self.checkpoint,
            digests: &self.digests,
        };
        let step = StepId::Chapter(chapter, stage);
        packet::build(
            book,
            Request {
                round,
                ..Request::new(step)
            },
        )
        .unwrap()
    }

    pub(crate) fn answer(&self, stage: ChapterStage, round: Round) -> String {
        let book = OfflineBook {
            reader: &self.book,
            config: &self.config,
        };
        novel_offline::answer(book, &self.packet(stage, round)).unwrap()
    }

    pub(crate) fn stage_text(&mut self, text: &str) {
        let chapter = self.checkpoint.next_chapter();
        let manuscript = Manuscript::from_markdown(chapter, text, self.config.lang());
        self.book
            .write(layout::staged_chapter(chapter), manuscript.markdown);
    }

    pub(crate) fn stage_summary(&mut self, text: &str) -> SummarizerAnswer {
        let chapter = self.checkpoint.next_chapter();
        let path = layout::staged_delta(chapter);
        let answer = Document::<SummarizerAnswer>::parse(&path, text).unwrap();
        let raw = answer.raw().clone();
        let answer = answer.into_value();
        self.book.write(path, to_json_text(&raw["delta"]));
        self.book.write(
            layout::staged_crossref(chapter),
            to_json_text(&raw["crossref"]),
        );
        self.book
            .write(layout::staged_summary(chapter), answer.summary.clone());
        let memory = layout::staged_memory(&answer.delta.storyline_id);
        self.book.write(memory, answer.memory.clone());
        answer
    }

    /// Draft, summary, refinement, verdict; nothing is committed yet.
    pub(crate) fn write_chapter(&mut self) -> Written {
        let chapter = self.checkpoint.next_chapter();
        let draft = self.answer(ChapterStage::Draft, Round::First);
        self.stage_text(&draft);
        let summary = self.answer(ChapterStage::Summarize, Round::First);
        let answer = self.stage_summary(&summary);
        let refined = self.answer(ChapterStage::Refine, Round::First);
        self.stage_text(&refined);
        let verdict = self.answer(ChapterStage::Judge, Round::First);
        let path = layout::staged_evaluation(chapter);
        let mut evaluation = Document::<Evaluation>::parse(&path, &verdict)
            .unwrap()
            .into_value();
        let markdown = self
            .book
            .text(&layout::staged_chapter(chapter))
            .unwrap()
            .unwrap();
        let judged = JudgedText {
            markdown: &markdown,
            hash: &ContentHash::of(&markdown),
        };
        judgement::verify(&mut evaluation, judged, &self.config.weights());
        self.book.write(path, to_json_text(&evaluation));
        Written {
            draft,
            answer,
            refined,
            evaluation,
        }
    }

    /// Makes the staged chapter part of the book.
    pub(crate) fn commit(&mut self, written: &Written) {
        let chapter = self.checkpoint.next_chapter();
        let line = &written.answer.delta.storyline_id;
        let state = layout::state();
        let mut raw = match self.book.text(&state).unwrap() {
            Some(text) => Document::<StoryState>::parse(&state, &text)
                .unwrap()
                .raw()
                .clone(),
            None => serde_json::to_value(StoryState::initial()).unwrap(),
        };
        let outcome = ops::apply(&mut raw, &written.answer.delta.ops);
        assert!(outcome.dropped.is_empty(), "{:?}", outcome.dropped);
        raw["state_version"] = (raw["state_version"].as_u64().unwrap() + 1).into();
        raw["last_updated_chapter"] = chapter.get().into();
        let checked = Document::<StoryState>::from_value(&state, raw).unwrap();
        self.book.write(state, checked.to_text());
        self.record_foreshadowing(&outcome.foreshadowing, chapter, line);
        let summary = layout::summary(chapter);
        self.book.write(summary, written.answer.summary.clone());
        self.book
            .write(layout::memory(line), written.answer.memory.clone());
        let staged: Vec<RelPath> = self
            .book
            .files()
            .keys()
            .filter(|path| path.is_under(&layout::staging_dir()))
            .cloned()
            .collect();
        for path in staged {
            self.book.remove(&path);
        }
        self.checkpoint.last_completed_chapter = chapter.get();
    }

    fn record_foreshadowing(
        &mut self,
        done: &[ops::ForeshadowOp],
        chapter: ChapterNo,
        line: &novel_model::Slug,
    ) {
        let path = layout::foreshadowing();
        let facts = Document::<Foreshadowing>::load(&self.book, &path).unwrap();
        let mut facts = facts.map(Document::into_value).unwrap_or_default();
        let plan = layout::foreshadowing_plan(self.checkpoint.current_volume);
        let plan = Document::<ForeshadowPlan>::load(&self.book, &plan).unwrap();
        let plan = plan.map(Document::into_value).unwrap_or_default();
        let warnings = foreshadow::record(&mut facts, &plan, done, chapter, line);
        assert!(warnings.is_empty(), "{warnings:?}");
        self.book.write(path, to_json_text(&facts));
    }

    pub(crate) fn write_and_commit(&mut self) -> Written {
        let written = self.write_chapter();
        self.commit(&written);
        written
    }
}

/// The demo book in memory, with the application's template of phrases to avoid.
pub(crate) fn demo(lang: Lang) -> MemoryBook {
    let mut book = MemoryBook::new();
    for (path, text) in novel_offline::demo_files(lang) {
        book.write(path, text);
    }
    book.write(layout::blacklist(), blacklist(lang));
    book
}

/// The application's template of phrases to avoid.
pub(crate) fn blacklist(lang: Lang) -> String {
    let lang = match lang {
        Lang::Zh => "zh",
        Lang::En => "en",
    };
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::read_to_string(format!(
        "{root}/../novel-app/assets/{lang}/ai-blacklist.json"
    ))
    .unwrap()
}
