//! `novel chapter generate|show`: one chapter, drafted or looked at.

use novel_book::{
    manuscript::{self, Manuscript},
    next::NoStep,
    run::Goal,
    scenes::SceneDraft,
};
use novel_contract::write as contract;
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Lang, SceneNo, StepId, Warning,
    files::{GeneratedChapter, PipelineStage},
    layout,
};
use novel_store::{TxnKind, TxnLabel};

use crate::{
    Book, BookError, Project, Refusal, StepError, history,
    runner::{Runner, Spent, ledger::put_away},
    write::gate::start_anew,
    write::run::{FromError, RunError},
};

/// What to do about a draft that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is reused.
    Reuse,
    /// It goes to `archive/`, and another one is written.
    Replace,
}

/// A draft that was accepted, now or earlier.
#[derive(Debug)]
pub struct DraftReport {
    /// The draft.
    pub chapter: GeneratedChapter,
    /// Whether it was there already.
    pub reused: bool,
    /// What comes next.
    pub next: StepId,
    /// What it cost.
    pub spent: Spent,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// A chapter the author has not got yet: past the pending gate, not in the book.
///
/// # Errors
/// When an earlier chapter waits for the author, or the chapter is in the book.
pub(crate) fn expect_unwritten(view: &Book<'_>, chapter: ChapterNo) -> Result<(), StepError> {
    view.check_not_blocked(chapter)?;
    if chapter.get() <= view.checkpoint.get().last_completed_chapter {
        return Err(Refusal::AlreadyWritten { chapter }.into());
    }
    Ok(())
}

/// Runs the draft step of the next chapter and accepts it.
///
/// # Errors
/// When `chapter` is not the next one, or its draft cannot be written.
pub fn generate(
    runner: &Runner<'_>,
    chapter: ChapterNo,
    existing: Existing,
) -> Result<DraftReport, RunError> {
    if existing == Existing::Replace {
        throw_away(runner.project, chapter)?;
    }
    let was_there = is_drafted(runner.project, chapter)?;
    let goal = Goal::Draft(chapter);
    let report = match existing {
        Existing::Reuse => runner.run(goal, FromError::Retry),
        Existing::Replace => runner.run_again(goal, FromError::Retry),
    }?;
    let asked = report.spent.calls + report.spent.reused > 0;
    let lang = runner.project.config().lang();
    let (text, next) = runner.project.look(|view| {
        let text = view.staged_of(chapter)?.text;
        let text = text.ok_or(Refusal::NoText { chapter })?;
        Ok::<_, BookError>((text, view.decide()?))
    })?;
    Ok(DraftReport {
        chapter: Manuscript::from_markdown(chapter, &text.markdown, lang).chapter,
        reused: was_there && !asked,
        next: match next {
            Ok(next) => next.step,
            Err(_) => StepId::Chapter(chapter, ChapterStage::Judge),
        },
        spent: report.spent,
        warnings: report.warnings,
    })
}

fn is_drafted(project: &Project, chapter: ChapterNo) -> Result<bool, BookError> {
    project.look(|view| {
        let staged = view.staged_of(chapter)?;
        Ok(staged.text.is_some() && staged.bound().draft.is_some())
    })
}

/// Everything in flight goes to `archive/`. Nothing is written when nothing is in flight, or when the
/// same command was interrupted before there was another draft.
fn throw_away(project: &Project, chapter: ChapterNo) -> Result<(), BookError> {
    let writer = project.store().acquire(Some(chapter))?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    expect_unwritten(&view, chapter)?;
    let asked = StepId::Chapter(chapter, ChapterStage::Draft);
    match view.decide()? {
        Ok(next) if matches!(next.step, StepId::Chapter(other, _) if other == chapter) => {}
        Ok(next) => {
            let next = next.step;
            return Err(Refusal::NotNow { asked, next }.into());
        }
        Err(NoStep::Paused { chapter: other, .. }) if other == chapter => {}
        Err(none) => return Err(none.into()),
    }
    let scenes = reader.list(&layout::staged_scenes_dir(chapter))?;
    if view.checkpoint.get().inflight_chapter.is_none() && scenes.is_empty() {
        return Ok(());
    }
    let label = TxnLabel::new(TxnKind::Redraft { chapter }, format!("chapter-{chapter}"));
    let bound = view.staged_of(chapter)?.bound();
    if bound.draft.is_none() && writer.open_operation()?.as_ref() == Some(&label) {
        return Ok(());
    }
    // The draft that takes its place is part of the same operation.
    writer.operation(label, Some(history::staged(&reader, chapter)?))?;
    let (mut changes, _) = start_anew(&view, chapter)?;
    changes.extend(put_away::calls_of_chapter(&reader, chapter, &bound.stages)?);
    let thrown_away = TxnLabel::new(TxnKind::Checkpoint, asked.to_string());
    project.write(&writer, thrown_away, changes)?;
    Ok(())
}

/// Where the text of a chapter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The book.
    Committed,
    /// The chapter in flight, after this stage.
    Staged(Option<PipelineStage>),
    /// Single scenes that wait for the others.
    Scenes,
    /// One of several drafts that the chapter was chosen from.
    Draft,
}

/// A chapter to look at.
#[derive(Debug)]
pub struct ShownChapter {
    /// Its text; only one scene where one was asked for.
    pub chapter: GeneratedChapter,
    /// Where it comes from.
    pub source: Source,
}

/// The text of a chapter: from the book's JSON, else from staging. Writes nothing.
///
/// # Errors
/// When there is no such chapter or scene, or a file is damaged.
pub fn show(
    project: &Project,
    chapter: ChapterNo,
    scene: Option<SceneNo>,
) -> Result<ShownChapter, BookError> {
    let mut shown = project.look(|view| find(project, view, chapter))?;
    if let Some(scene) = scene {
        let scenes = &mut shown.chapter.scenes;
        scenes.retain(|found| found.scene_number == scene.get());
        if scenes.is_empty() {
            let scene = Some(scene);
            return Err(Refusal::NothingToShow { chapter, scene }.into());
        }
    }
    Ok(shown)
}

fn find(project: &Project, view: &Book<'_>, chapter: ChapterNo) -> Result<ShownChapter, BookError> {
    let reader = view.reader();
    let path = layout::chapter_json(chapter);
    if let Some(document) = Document::<GeneratedChapter>::load(reader, &path)? {
        return Ok(ShownChapter {
            chapter: document.into_value(),
            source: Source::Committed,
        });
    }
    let checkpoint = view.checkpoint.get();
    if let Some(markdown) = reader.text(&layout::staged_chapter(chapter))? {
        let lang = project.config().lang();
        let in_flight = checkpoint.inflight_chapter == Some(chapter);
        return Ok(ShownChapter {
            chapter: Manuscript::from_markdown(chapter, &markdown, lang).chapter,
            source: Source::Staged(checkpoint.pipeline_stage.filter(|_| in_flight)),
        });
    }
    let draft = SceneDraft::read(reader, chapter)?;
    let shown = draft.map(|draft| ShownChapter {
        chapter: scenes_of(&draft),
        source: Source::Scenes,
    });
    let none = Refusal::NothingToShow {
        chapter,
        scene: None,
    };
    shown
        .filter(|shown| !shown.chapter.scenes.is_empty())
        .ok_or_else(|| none.into())
}

/// The scenes that are written, under their own numbers.
fn scenes_of(draft: &SceneDraft) -> GeneratedChapter {
    let mut chapter =
        manuscript::chapter_of(draft.chapter, draft.plan.get().chapter_title.trim(), &[]);
    for planned in draft.planned() {
        if let Some(scene) = draft.written(planned.scene_number) {
            chapter.scenes.push(novel_model::files::GeneratedScene {
                scene_number: scene.scene_number.get(),
                content: scene.content.clone(),
                word_count: scene.word_count,
            });
            chapter.total_words += scene.word_count;
        }
    }
    chapter
}

impl DraftReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::DraftAnswer {
        let chapter = &self.chapter;
        contract::DraftAnswer {
            chapter: chapter.chapter_number,
            title: chapter.chapter_title.clone(),
            words: chapter.total_words,
            scenes: chapter.scenes.len(),
            path: layout::staged_chapter(chapter.chapter_number).to_string(),
            reused: self.reused,
            next: self.next.to_string(),
            spent: self.spent.answer(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}

impl ShownChapter {
    /// The text as Markdown.
    #[must_use]
    pub fn markdown(&self, lang: Lang) -> String {
        manuscript::render(&self.chapter, lang)
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::ShownChapter {
        let (source, pipeline_stage) = match self.source {
            Source::Committed => (contract::ChapterSource::Committed, None),
            Source::Staged(stage) => (contract::ChapterSource::Staged, Some(stage)),
            Source::Draft => (contract::ChapterSource::Draft, None),
            Source::Scenes => (contract::ChapterSource::Scenes, None),
        };
        contract::ShownChapter {
            chapter: self.chapter.clone(),
            source,
            pipeline_stage,
            warnings: Vec::new(),
        }
    }
}
