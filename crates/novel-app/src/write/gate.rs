//! The author's word where the gate waits: accept the text, or write it anew.

use novel_book::{
    edit::Changes,
    judgement,
    next::{self, NoStep},
    staged::Staged,
};
use novel_contract::write as contract;
use novel_model::{
    ChapterNo, ContentHash, Document,
    files::{AuthorDecision, Bindings, Checkpoint, OrchestratorState, PipelineStage},
    layout,
};
use novel_steps::staging;
use novel_store::{TxnKind, TxnLabel};

use crate::{
    Book, BookError, Project, Refusal, write::advance::stamp_checkpoint, write::anew::put_note,
};

/// What the author's word led to.
#[derive(Debug)]
pub struct AuthorReport {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The new checkpoint.
    pub checkpoint: Document<Checkpoint>,
}

/// The author accepts the staged text as it is; bound to exactly this text. An evaluation that nobody
/// accepted before is bound to it as well.
///
/// # Errors
/// When the gate does not wait at this chapter, and its evaluation is bound.
pub fn accept(
    project: &Project,
    chapter: ChapterNo,
    reason: Option<String>,
) -> Result<AuthorReport, BookError> {
    let writer = project.store().acquire(Some(chapter))?;
    let reader = project.at_work(&writer)?;
    let view = project.view(&reader)?;
    let staged = view.staged_of(chapter)?;
    if !waits_unbound(&view, &staged)? {
        expect_paused(&view, chapter)?;
    }
    let (Some(text), Some(evaluation)) = (&staged.text, staged.evaluation.sound()) else {
        return Err(Refusal::NotPaused { chapter }.into());
    };
    let mut evaluation = evaluation.clone();
    let weights = project.config().weights();
    let revisions = view.checkpoint.get().revision_count;
    evaluation.edit(|evaluation| {
        if !next::is_verdict_bound(&staged) {
            judgement::bind(evaluation, &text.hash);
            judgement::record_gate(evaluation, &weights, revisions);
        }
        let metadata = evaluation.metadata.get_or_insert_default();
        if let Some(gate) = metadata.gate.as_mut() {
            gate.author = Some(AuthorDecision {
                chapter_hash: text.hash.clone(),
                reason,
            });
        }
    });
    let mut changes = Changes::default();
    let text = evaluation.to_text();
    let mut bindings = staged
        .bindings
        .clone()
        .unwrap_or_else(|| Document::new(Bindings::default()));
    bindings.edit(|bindings| bindings.verdict = Some(ContentHash::of(&text)));
    changes.write(layout::staged_bindings(chapter), bindings.to_text());
    changes.write(layout::staged_evaluation(chapter), text);
    let label = TxnLabel::new(TxnKind::Gate { chapter }, format!("chapter-{chapter}"));
    project.write(&writer, label, changes)?;
    Ok(AuthorReport {
        chapter,
        checkpoint: view.checkpoint.clone(),
    })
}

/// The author throws the staged text away (it goes to `archive/`); the chapter starts anew.
///
/// # Errors
/// When neither the gate waits at this chapter nor a step of it failed twice.
pub fn rewrite(
    project: &Project,
    chapter: ChapterNo,
    note: Option<&str>,
) -> Result<AuthorReport, BookError> {
    let writer = project.store().acquire(Some(chapter))?;
    let reader = project.at_work(&writer)?;
    let view = project.view(&reader)?;
    let checkpoint = view.checkpoint.get();
    let failed = checkpoint.orchestrator_state == OrchestratorState::ErrorRetry
        && checkpoint.inflight_chapter == Some(chapter);
    if !failed {
        expect_paused(&view, chapter)?;
    }
    view.check_not_blocked(chapter)?;
    let label = TxnLabel::new(TxnKind::Redraft { chapter }, format!("chapter-{chapter}"));
    let (mut changes, checkpoint) = start_anew(&view, chapter)?;
    put_note(&writer, chapter, note, &mut changes);
    project.write(&writer, label, changes)?;
    Ok(AuthorReport {
        chapter,
        checkpoint,
    })
}

/// Everything made for a chapter goes to `archive/`; the chapter is to be begun.
pub(crate) fn start_anew(
    view: &Book<'_>,
    chapter: ChapterNo,
) -> Result<(Changes, Document<Checkpoint>), BookError> {
    let reader = view.reader();
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| {
        checkpoint.go_to(checkpoint.chapter_state());
        checkpoint.revision_count = 0;
        if checkpoint.is_during_rewrite() {
            checkpoint.pipeline_stage = Some(PipelineStage::Drafting);
        } else {
            checkpoint.pipeline_stage = checkpoint.last_chapter().map(|_| PipelineStage::Committed);
            checkpoint.inflight_chapter = None;
        }
    });
    stamp_checkpoint(view.now(), &mut checkpoint);
    let mut changes = Changes::default();
    for path in staging::everything(reader, chapter)? {
        changes.remove(path);
    }
    changes.write(layout::checkpoint(), checkpoint.to_text());
    Ok((changes, checkpoint))
}

/// Whether the chapter is judged by an evaluation that was not accepted for its text.
fn waits_unbound(view: &Book<'_>, staged: &Staged) -> Result<bool, BookError> {
    view.check_not_blocked(staged.chapter)?;
    let checkpoint = view.checkpoint.get();
    Ok(checkpoint.inflight_chapter == Some(staged.chapter)
        && checkpoint.pipeline_stage == Some(PipelineStage::Judged)
        && staged.text.is_some()
        && staged.evaluation.sound().is_some()
        && !next::is_verdict_bound(staged))
}

fn expect_paused(view: &Book<'_>, chapter: ChapterNo) -> Result<(), BookError> {
    view.check_not_blocked(chapter)?;
    match view.decide()? {
        Err(NoStep::Paused {
            chapter: paused, ..
        }) if paused == chapter => Ok(()),
        _ => Err(Refusal::NotPaused { chapter }.into()),
    }
}

impl AuthorReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::GateDecided {
        contract::GateDecided {
            chapter: self.chapter,
            checkpoint: self.checkpoint.raw().clone(),
            warnings: Vec::new(),
        }
    }
}
