//! Everything a commit will change, worked out before anything is written.

use novel_book::{
    believe::{Hearing, verdict},
    changelog::{self, Entry},
    edit::{Changes, Edit},
    foreshadow,
    manuscript::Manuscript,
    next, ops,
    post_commit::{self, Wanted},
    revision,
    staged::Staged,
    validate::SummaryArtefacts,
};
use novel_model::{
    BookReader, BrokenFile, ChapterNo, ChapterStage, ContentHash, Document, FileError, Problem,
    StepId, Warning,
    files::{
        ChapterLog, ChapterProgress, CheckStatus, Evaluation, ForeshadowPlan, Foreshadowing,
        OrchestratorState, PipelineStage, RevisionStatus, StageLog, StoryState,
    },
    layout, message, to_json_text,
};
use serde_json::Value;

use super::{Briefing, CommitReport, Consistency, derived, upkeep};
use crate::{Book, Refusal, StepError, claims, consistency, staging, stamp_checkpoint, walls};

/// A commit, ready to be written.
pub struct CommitPlan {
    /// What it changes.
    pub changes: Changes,
    /// What it does, for the author.
    pub report: CommitReport,
}

/// Why a chapter whose files are not all there and sound cannot be committed.
pub(super) fn unfinished(view: &Book<'_>, chapter: ChapterNo) -> Result<StepError, StepError> {
    let step = StepId::Chapter(chapter, ChapterStage::Commit);
    let findings = crate::outputs::findings(view, step, Hearing::Outside)?;
    Ok(match findings.accept(step) {
        Ok(_) => Refusal::NoText { chapter }.into(),
        Err(rejected) => rejected.into(),
    })
}

/// Works the commit of a ready chapter out.
pub(super) fn plan(view: &Book<'_>, staged: &Staged) -> Result<CommitPlan, StepError> {
    let chapter = staged.chapter;
    let (Some(text), Some(artefacts), Some(evaluation)) = (
        &staged.text,
        staged.summary.sound(),
        staged.evaluation.sound(),
    ) else {
        return Err(unfinished(view, chapter)?);
    };
    let reader = view.reader();
    let manuscript = Manuscript::from_markdown(chapter, &text.markdown, view.config().lang());
    let mut changes = Changes::default();
    let mut warnings = Vec::new();
    if !next::is_verdict_bound(staged) {
        warnings.push(next::unbound_verdict());
    }

    let state = plan_state(reader, chapter, artefacts, &mut changes)?;
    warnings.extend(state.outcome.warnings());
    warnings.extend(plan_foreshadowing(
        view,
        artefacts,
        &state.outcome,
        state.had_foreshadowing,
        &mut changes,
    )?);
    // Upkeep rides along; a file it cannot use is left alone and never stops a chapter.
    match upkeep::unknown_entities(reader, chapter, artefacts, &mut changes) {
        Ok(found) => warnings.extend(found),
        Err(failure) => warnings.push(upkeep::skipped(&failure)),
    }
    if let Err(failure) =
        upkeep::blacklist(view, reader, &manuscript, evaluation.get(), &mut changes)
    {
        warnings.push(upkeep::skipped(&failure));
    }
    let drift = match upkeep::drift(view, reader, &manuscript, &mut changes) {
        Ok(drift) => drift,
        Err(failure) => {
            warnings.push(upkeep::skipped(&failure));
            None
        }
    };

    changes.write(
        layout::chapter_json(chapter),
        to_json_text(&manuscript.chapter),
    );
    changes.write(
        layout::chapter_markdown(chapter),
        manuscript.markdown.clone(),
    );
    changes.write(layout::summary(chapter), artefacts.summary.clone());
    changes.write(layout::crossref(chapter), artefacts.crossref.to_text());
    claims::write(&artefacts.claims, &manuscript.markdown, &mut changes);
    changes.write(
        layout::memory(artefacts.storyline()),
        artefacts.memory.clone(),
    );
    let final_evaluation = settle_gate(view, evaluation, &text.hash);
    changes.write(layout::evaluation(chapter), final_evaluation.to_text());
    for path in staging::everything(reader, chapter)? {
        changes.remove(path);
    }
    walls::told_writer(reader, chapter, &mut changes)?;

    // A trial is no volume, so its last chapter ends none.
    let volume_end = view.checkpoint.get().trial_until.is_none()
        && view
            .volume_bounds()?
            .is_some_and(|bounds| bounds.last == chapter);
    plan_checkpoint(view, chapter, volume_end, &mut changes);

    let gate = final_evaluation
        .get()
        .metadata
        .as_ref()
        .and_then(|m| m.gate.clone());
    let progress = ChapterProgress {
        chapter,
        storyline_id: artefacts.storyline().clone(),
        words: manuscript.chapter.total_words,
        overall: final_evaluation.get().overall,
        scored_by: final_evaluation.get().scored_by(),
        gate: gate.as_ref().map(|gate| gate.decision),
        revisions: view.checkpoint.get().revision_count,
        markdown_hash: manuscript.hash.clone(),
    };
    let log = chapter_log(staged, &progress, final_evaluation.get(), &warnings);
    let totals = derived::extended_progress(view, progress, log.total_cost_usd)?;
    let briefing = drift
        .map(|drift| briefing(view, chapter, &totals.recent, final_evaluation.get(), drift))
        .transpose()?;
    if chapter.get().is_multiple_of(10) {
        warnings.push(Warning::new(
            "consistency_check_due",
            message!(
                en: "ten more chapters are written: check the consistency of the book",
                zh: "又完成十章：建议做一次一致性检查"
            ),
        ));
    }
    changes.write(layout::chapter_log(chapter), to_json_text(&log));
    changes.write(layout::progress(), to_json_text(&totals));
    let consistency = plan_consistency(view, &manuscript, &mut changes, &mut warnings)?;

    let book = Edit::with(reader, changes);
    let report = CommitReport {
        chapter,
        title: manuscript.chapter.chapter_title.clone(),
        words: manuscript.chapter.total_words,
        state_version: state.version,
        overall: final_evaluation.get().overall,
        scored_by: final_evaluation.get().scored_by(),
        gate: gate.as_ref().map(|gate| gate.decision),
        force_passed: gate.is_some_and(|gate| gate.force_passed),
        revisions: view.checkpoint.get().revision_count,
        volume_end,
        already_committed: false,
        changes: book.effects()?,
        warnings,
        briefing,
        consistency,
        later: Vec::new(),
    };
    Ok(CommitPlan {
        changes: book.into_changes(),
        report,
    })
}

/// The report of the deterministic check, and the mark that stops the book where the author's policy
/// asks for it: both are part of the commit, so nothing can be written in between.
fn plan_consistency(
    view: &Book<'_>,
    manuscript: &Manuscript,
    changes: &mut Changes,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Consistency>, StepError> {
    let reader = view.reader();
    let chapter = manuscript.chapter.chapter_number;
    let volume = view.checkpoint.get().current_volume;
    let book = Edit::with(reader, std::mem::take(changes));
    let checked = consistency::report(view.config(), &book, manuscript, volume);
    *changes = book.into_changes();
    let checked = consistency::required_by_policy(view.config(), checked, warnings)?;
    let Some(report) = checked else {
        return Ok(None);
    };
    changes.write(layout::consistency(chapter), to_json_text(&report));
    let before = Document::<RevisionStatus>::load(reader, &layout::revision(chapter))?;
    let wanted = Wanted {
        chapter,
        hash: &manuscript.hash,
        issues: &report.issues,
        notes: revision::notes(&report.issues),
        now: view.now().to_string(),
    };
    let before = before.as_ref().map(Document::get);
    let status = post_commit::consistency_revision(view.config(), before, wanted);
    if let Some(status) = &status {
        changes.write(layout::revision(chapter), to_json_text(status));
    }
    if !report.issues.is_empty() {
        warnings.push(consistency::found(&report));
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

struct NewState {
    version: u64,
    /// Whether foreshadowing was open before this chapter.
    had_foreshadowing: bool,
    outcome: ops::OpsOutcome,
}

/// Applies the delta and records it. A state the changelog does not know is recorded whole first.
fn plan_state(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    artefacts: &SummaryArtefacts,
    changes: &mut Changes,
) -> Result<NewState, StepError> {
    let path = layout::state();
    let stored = reader.text(&path)?;
    let last = last_entry(reader)?;
    let mut state = match (&stored, &last) {
        (Some(text), _) => Document::<StoryState>::parse(&path, text)?.raw().clone(),
        (None, None) => to_value(&StoryState::initial()),
        (None, Some(_)) => {
            return Err(FileError::Missing {
                path,
                hint: message!(
                    en: "run `novel doctor --fix` to rebuild it from state/changelog.jsonl",
                    zh: "运行 `novel doctor --fix`，由 state/changelog.jsonl 重建"
                ),
            }
            .into());
        }
    };
    let delta = artefacts.delta.get();
    let base = changelog::version(&state);
    if delta.base_state_version != base {
        return Err(Refusal::StateVersion {
            chapter,
            delta: delta.base_state_version,
            current: base,
        }
        .into());
    }
    let stored_hash = stored.as_ref().map(ContentHash::of);
    let known = match (&last, &stored_hash) {
        (Some(LastEntry::Ours(entry)), Some(hash)) => entry.state_hash() == hash,
        _ => false,
    };
    if !known {
        let reason = if last.is_none() {
            "initial"
        } else {
            "outside_edit"
        };
        let entry = Entry::Snapshot {
            reason: reason.to_owned(),
            state: state.clone(),
            state_hash: ContentHash::of(to_json_text(&state)),
        };
        changes.append(layout::state_changelog(), entry.to_line());
    }
    let previous_chapter = state
        .get("last_updated_chapter")
        .and_then(Value::as_u64)
        .unwrap_or_default();
    let had_foreshadowing = state
        .get("active_foreshadowing")
        .and_then(Value::as_array)
        .is_some_and(|open| !open.is_empty());
    let outcome = ops::apply(&mut state, &delta.ops);
    let version = base + 1;
    changelog::stamp(&mut state, version, chapter);
    let text = to_json_text(&state);
    let entry = Entry::Delta {
        chapter,
        storyline_id: delta.storyline_id.clone(),
        base_state_version: base,
        state_version: version,
        previous_chapter,
        ops: outcome.applied.clone(),
        dropped: outcome.dropped.clone(),
        state_hash: ContentHash::of(&text),
    };
    changes.append(layout::state_changelog(), entry.to_line());
    changes.write(path, text);
    Ok(NewState {
        version,
        had_foreshadowing,
        outcome,
    })
}

fn to_value(state: &StoryState) -> Value {
    Document::new(state.clone()).raw().clone()
}

/// The last line of the changelog.
enum LastEntry {
    Ours(Entry),
    /// Written by an older tool.
    Foreign,
}

fn last_entry(reader: &dyn BookReader) -> Result<Option<LastEntry>, StepError> {
    let path = layout::state_changelog();
    let Some(line) = reader.last_line(&path)? else {
        return Ok(None);
    };
    match serde_json::from_slice::<Value>(&line) {
        Ok(value) => Ok(Some(match serde_json::from_value(value) {
            Ok(entry) => LastEntry::Ours(entry),
            Err(_) => LastEntry::Foreign,
        })),
        Err(error) => {
            let problem = Problem::new(
                "json_syntax",
                &path,
                message!(
                    en: "the last line is not JSON: {error}",
                    zh: "最后一行不是 JSON：{error}"
                ),
            )
            .hint(message!(
                en: "run `novel doctor --fix`: it moves a torn last line to archive/",
                zh: "运行 `novel doctor --fix`：会把损坏的最后一行移入 archive/"
            ));
            Err(BrokenFile::new(problem).into())
        }
    }
}

fn plan_foreshadowing(
    view: &Book<'_>,
    artefacts: &SummaryArtefacts,
    outcome: &ops::OpsOutcome,
    had_foreshadowing: bool,
    changes: &mut Changes,
) -> Result<Vec<Warning>, StepError> {
    let reader = view.reader();
    let volume = view.checkpoint.get().current_volume;
    let path = layout::foreshadowing();
    let stored = reader.text(&path)?;
    let parse = |text: &str| Document::<Foreshadowing>::parse_shared(reader, &path, text);
    if let (true, Some(text)) = (outcome.foreshadowing.is_empty(), &stored) {
        parse(text)?;
        return Ok(Vec::new());
    }
    if stored.is_none() && had_foreshadowing {
        return Err(FileError::Missing {
            path,
            hint: message!(
                en: "the state still names open foreshadowing; run `novel doctor --fix` to rebuild the file from state/changelog.jsonl",
                zh: "状态中仍有未回收的伏笔；运行 `novel doctor --fix`，由 state/changelog.jsonl 重建该文件"
            ),
        }
        .into());
    }
    let plan = layout::foreshadowing_plan(volume);
    let plan = Document::<ForeshadowPlan>::load_value(reader, &plan)?.unwrap_or_default();
    let delta = artefacts.delta.get();
    let text = stored.unwrap_or_else(|| to_json_text(&Foreshadowing::default()));
    let by = (delta.chapter, &delta.storyline_id);
    let facts = parse(&text)?;
    let (text, warnings) =
        foreshadow::record_in_text((&path, &text), &facts, &plan, &outcome.foreshadowing, by)?;
    changes.write(path, text);
    Ok(warnings)
}

/// The gate's last word: the verdict as staged, with the count of revisions of this moment.
pub(super) fn settle_gate(
    view: &Book<'_>,
    evaluation: &Document<Evaluation>,
    text_hash: &ContentHash,
) -> Document<Evaluation> {
    let revisions = view.checkpoint.get().revision_count;
    let weights = view.config().weights();
    let outcome = next::outcome_for(evaluation.get(), text_hash, &weights, revisions);
    let mut settled = evaluation.clone();
    settled.edit(|evaluation| {
        evaluation.overall = Some(outcome.overall);
        let metadata = evaluation.metadata.get_or_insert_default();
        let author = metadata.gate.as_ref().and_then(|gate| gate.author.clone());
        metadata.gate = Some(novel_model::files::GateRecord {
            decision: outcome.decision,
            revisions,
            force_passed: outcome.force_passed,
            author,
        });
    });
    settled
}

fn plan_checkpoint(view: &Book<'_>, chapter: ChapterNo, volume_end: bool, changes: &mut Changes) {
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| {
        checkpoint.last_completed_chapter = chapter.get();
        checkpoint.pipeline_stage = Some(PipelineStage::Committed);
        checkpoint.inflight_chapter = None;
        checkpoint.revision_count = 0;
        checkpoint.go_to(if volume_end {
            OrchestratorState::VolReview
        } else {
            checkpoint.chapter_state()
        });
    });
    stamp_checkpoint(view.now(), &mut checkpoint);
    changes.write(layout::checkpoint(), checkpoint.to_text());
}

pub(super) fn chapter_log(
    staged: &Staged,
    progress: &ChapterProgress,
    evaluation: &Evaluation,
    warnings: &[Warning],
) -> ChapterLog {
    let bound = staged.bound();
    let metadata = evaluation.metadata.as_ref();
    ChapterLog {
        chapter: progress.chapter,
        storyline_id: progress.storyline_id.clone(),
        started_at: bound.started_at,
        total_duration_ms: sum(&bound.stages, |stage| stage.duration_ms),
        total_cost_usd: total_cost(&bound.stages),
        stages: bound.stages.clone(),
        gate_decision: progress.gate,
        revisions: progress.revisions,
        force_passed: metadata
            .and_then(|metadata| metadata.gate.as_ref())
            .is_some_and(|gate| gate.force_passed),
        judges: metadata.and_then(|metadata| metadata.judges.clone()),
        warnings: bound
            .warnings
            .into_iter()
            .chain(warnings.iter().map(|warning| warning.code.to_owned()))
            .collect(),
        violations: verdict::checks(evaluation)
            .filter(|check| check.status != CheckStatus::Pass)
            .cloned()
            .collect(),
        summarized: None,
    }
}

/// The sum of what was reported; nothing when nobody reported anything.
fn sum(stages: &[StageLog], part: impl Fn(&StageLog) -> Option<u64>) -> Option<u64> {
    stages
        .iter()
        .filter_map(part)
        .reduce(|a, b| a.saturating_add(b))
}

fn total_cost(stages: &[StageLog]) -> Option<f64> {
    stages
        .iter()
        .filter_map(|stage| stage.cost_usd)
        .reduce(|a, b| a + b)
}

/// Means, weak chapters and risks of the last chapters, the newest first.
fn briefing(
    view: &Book<'_>,
    chapter: ChapterNo,
    recent: &[ChapterProgress],
    evaluation: &Evaluation,
    drift: novel_book::drift::DriftAction,
) -> Result<Briefing, StepError> {
    let window = novel_book::drift::WINDOW as usize;
    let last = &recent[recent.len().saturating_sub(window)..];
    let scores: Vec<f64> = last.iter().filter_map(|chapter| chapter.overall).collect();
    let count = u32::try_from(scores.len()).unwrap_or(u32::MAX);
    let mut risks = evaluation.risk_flags.clone();
    for earlier in last.iter().rev().filter(|it| it.chapter != chapter) {
        let path = layout::evaluation(earlier.chapter);
        let found = Document::<Evaluation>::load_value(view.reader(), &path)?;
        for risk in found.into_iter().flat_map(|it| it.risk_flags) {
            if !risks.contains(&risk) {
                risks.push(risk);
            }
        }
    }
    Ok(Briefing {
        window: (last.first().map_or(chapter, |first| first.chapter), chapter),
        mean: (count > 0).then(|| scores.iter().sum::<f64>() / f64::from(count)),
        weak: last
            .iter()
            .filter(|chapter| chapter.overall.is_some_and(|score| score < 3.5))
            .map(|chapter| chapter.chapter)
            .collect(),
        risks,
        drift,
    })
}
