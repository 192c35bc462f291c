//! The commit of a chapter that is written anew in its place: the newest chapter stays the newest, and
//! what follows from the text follows from the new one.

use novel_book::{
    edit::{Changes, Edit},
    manuscript::Manuscript,
    next,
    post_commit::{self, Wanted},
    revision,
};
use novel_model::{
    BookReader, ChapterNo, Document, Slug,
    files::{ChapterProgress, ConsistencyReport, Evaluation, Progress, StoryState},
    layout, to_json_text,
};

use super::{
    CommitPlan, CommitReport, Consistency, check_ready,
    plan::{chapter_log, settle_gate, unfinished},
};
use crate::{
    Book, StepError, consistency, read_checkpoint,
    reports::ask_again,
    rewrite::{Parts, Rewrite, Summarised},
    staging, stamp_checkpoint, walls,
};

/// Works out the commit. `then` is the book as whoever wrote the chapter saw it, `now` the book as it
/// is.
///
/// # Errors
/// When the chapter is not ready, a gate stops it, or a file cannot be read.
pub fn prepare_in_place(
    then: &Book<'_>,
    now: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<CommitPlan, StepError> {
    then.check_not_blocked(chapter)?;
    let staged = then.staged_of(chapter)?;
    check_ready(then, &staged)?;
    let (Some(text), Some(artefacts), Some(evaluation)) = (
        &staged.text,
        staged.summary.sound(),
        staged.evaluation.sound(),
    ) else {
        return Err(unfinished(then, chapter)?);
    };
    let own = read_checkpoint(now)?;
    let manuscript = Manuscript::from_markdown(chapter, &text.markdown, then.config().lang());
    let summarised = Summarised {
        artefacts: artefacts.clone(),
        stages: Vec::new(),
        put_away: Changes::default(),
    };
    let rewrite = Rewrite {
        config: then.config(),
        reader: now,
        checkpoint: &own,
        manuscript: &manuscript,
        summarised: &summarised,
        parts: Parts::Text,
    };
    let mut plan = rewrite.plan()?;
    if !next::is_verdict_bound(&staged) {
        plan.warnings.push(next::unbound_verdict());
    }
    let verdict = settle_gate(then, evaluation, &text.hash);
    let changes = &mut plan.changes;
    changes.write(layout::evaluation(chapter), verdict.to_text());
    for path in staging::everything(then.reader(), chapter)? {
        changes.remove(path);
    }
    // They are about the old text.
    for path in [
        layout::revision(chapter),
        layout::revised_text(chapter),
        layout::logic_review(chapter),
    ] {
        changes.remove(path);
    }
    let entry = progress_of(then, artefacts.storyline(), &manuscript, verdict.get());
    let log = chapter_log(&staged, &entry, verdict.get(), &plan.warnings);
    changes.write(layout::chapter_log(chapter), to_json_text(&log));
    count(now, &entry, log.total_cost_usd, changes)?;
    let found = pending(then, now, &manuscript, &mut plan)?;
    let mut checkpoint = own;
    checkpoint.edit(|checkpoint| {
        checkpoint.end_rewrite();
        if post_commit::any(then.config()) {
            ask_again(checkpoint, chapter);
        }
    });
    stamp_checkpoint(then.now(), &mut checkpoint);
    plan.changes
        .write(layout::checkpoint(), checkpoint.to_text());

    let gate = entry.gate;
    let record = verdict.get().metadata.as_ref();
    let book = Edit::with(now, plan.changes);
    let report = CommitReport {
        chapter,
        title: manuscript.chapter.chapter_title.clone(),
        words: manuscript.chapter.total_words,
        state_version: state_version(&book)?,
        overall: verdict.get().overall,
        scored_by: verdict.get().scored_by(),
        gate,
        force_passed: record
            .and_then(|metadata| metadata.gate.as_ref())
            .is_some_and(|gate| gate.force_passed),
        revisions: entry.revisions,
        volume_end: false,
        already_committed: false,
        changes: book.effects()?,
        warnings: plan.warnings,
        briefing: None,
        consistency: found,
        later: plan.later,
    };
    Ok(CommitPlan {
        changes: book.into_changes(),
        report,
    })
}

fn state_version(book: &dyn BookReader) -> Result<u64, StepError> {
    let state = Document::<StoryState>::load(book, &layout::state())?;
    Ok(state.map_or(0, |state| state.get().state_version))
}

fn progress_of(
    then: &Book<'_>,
    line: &Slug,
    manuscript: &Manuscript,
    verdict: &Evaluation,
) -> ChapterProgress {
    let gate = verdict
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.gate.as_ref());
    ChapterProgress {
        chapter: manuscript.chapter.chapter_number,
        storyline_id: line.clone(),
        words: manuscript.chapter.total_words,
        overall: verdict.overall,
        scored_by: verdict.scored_by(),
        gate: gate.map(|gate| gate.decision),
        revisions: then.checkpoint.get().revision_count,
        markdown_hash: manuscript.hash.clone(),
    }
}

/// Score, decision and cost of the chapter in the running totals; length and hash are there.
fn count(
    now: &dyn BookReader,
    entry: &ChapterProgress,
    cost: Option<f64>,
    changes: &mut Changes,
) -> Result<(), StepError> {
    let path = layout::progress();
    let old = Document::<Evaluation>::load(now, &layout::evaluation(entry.chapter))?;
    let old = old.and_then(|old| old.get().overall);
    let book = Edit::with(now, changes.clone());
    // Derived: missing, stale or damaged totals are counted anew by whoever needs them.
    let Some(mut progress) = Document::<Progress>::load_if_sound(&book, &path)? else {
        return Ok(());
    };
    progress.edit(|progress| {
        if let Some(old) = old {
            progress.scored_chapters = progress.scored_chapters.saturating_sub(1);
            progress.score_sum -= old;
        }
        if let Some(score) = entry.overall {
            progress.scored_chapters += 1;
            progress.score_sum += score;
        }
        if let Some(cost) = cost {
            progress.cost_usd = Some(progress.cost_usd.unwrap_or_default() + cost);
        }
        let recent = progress.recent.iter_mut();
        for found in recent.filter(|found| found.chapter == entry.chapter) {
            found.clone_from(entry);
        }
    });
    changes.write(path, progress.to_text());
    Ok(())
}

/// The mark that stops the book, where the policy asks for it.
fn pending(
    then: &Book<'_>,
    now: &dyn BookReader,
    manuscript: &Manuscript,
    plan: &mut crate::rewrite::Plan,
) -> Result<Option<Consistency>, StepError> {
    let chapter = manuscript.chapter.chapter_number;
    let book = Edit::with(now, plan.changes.clone());
    let written = plan.changes.get(&layout::consistency(chapter)).is_some();
    let report = Document::<ConsistencyReport>::load(&book, &layout::consistency(chapter))?;
    let Some(report) = report.filter(|_| written) else {
        return Ok(None);
    };
    let report = report.get();
    let wanted = Wanted {
        chapter,
        hash: &manuscript.hash,
        issues: &report.issues,
        notes: revision::notes(&report.issues),
        now: then.now().to_string(),
    };
    let mut status = post_commit::consistency_revision(then.config(), None, wanted);
    if status.is_some() && walls::is_walled(now, chapter)? {
        walls::repair_forward(now, chapter, &report.issues, &mut plan.changes)?;
        status = None;
    }
    if let Some(status) = &status {
        plan.changes
            .write(layout::revision(chapter), to_json_text(status));
    }
    if !report.issues.is_empty() {
        plan.warnings.push(consistency::found(report));
    }
    Ok(Some(Consistency {
        issues: report.issues.len(),
        fixable: report
            .issues
            .iter()
            .filter(|issue| revision::fix_of(issue).is_some())
            .count(),
        pending: status.is_some(),
    }))
}
