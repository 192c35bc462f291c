//! `novel advance STEP`: accept what lies in staging and move the checkpoint.

use novel_engine::{
    config::Config,
    gate::GateOutcome,
    judgement::{self, JudgedText, Verdict},
    manuscript::Manuscript,
    next::{self, Next, Round},
    staged::Staged,
};
use novel_model::{
    ChapterNo, ChapterStage, ContentHash, Document, Failure, Lang, StepId, VolumeStage, Warning,
    files::{Bindings, Checkpoint, Evaluation, OrchestratorState, PipelineStage, StageLog},
    layout, message,
};
use novel_store::{Transaction, TxnKind, TxnLabel};
use serde_json::{Value, json};

use crate::{
    Project, Refusal, View, commit, key_chapter, quickstart, staging, validate, volume,
    warnings_json,
};

/// What an accepted step led to.
#[derive(Debug)]
pub struct AdvanceReport {
    /// The new checkpoint.
    pub checkpoint: Document<Checkpoint>,
    /// What the gate says, after a judge.
    pub gate: Option<GateOutcome>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Accepts the outputs of the next step.
///
/// # Errors
/// When `step` is not the next one, or its outputs are not valid; nothing is written then.
pub fn advance(project: &Project, step: StepId) -> Result<AdvanceReport, Failure> {
    match step {
        StepId::Chapter(chapter, ChapterStage::Commit) => {
            let report = commit::commit(project, chapter, commit::CommitMode::Apply)?;
            let checkpoint = crate::read_checkpoint(&project.store().reader()?)?;
            Ok(AdvanceReport {
                checkpoint,
                gate: None,
                warnings: report.warnings,
            })
        }
        StepId::Volume(number, VolumeStage::Commit) => {
            let report = volume::commit_volume(project, number, commit::CommitMode::Apply)?;
            let checkpoint = crate::read_checkpoint(&project.store().reader()?)?;
            Ok(AdvanceReport {
                checkpoint,
                gate: None,
                warnings: report.warnings,
            })
        }
        StepId::Chapter(chapter, _) => advance_locked(project, step, Some(chapter)),
        StepId::Volume(..) | StepId::Quickstart(_) => advance_locked(project, step, None),
    }
}

fn advance_locked(
    project: &Project,
    step: StepId,
    chapter: Option<ChapterNo>,
) -> Result<AdvanceReport, Failure> {
    let writer = project.store().acquire(chapter)?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let next = expect_next(&view, step)?;
    let findings = validate::findings(project, &view, step)?.accept(step)?;
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Advance, step.to_string()));
    let mut report = match step {
        StepId::Chapter(chapter, stage) => {
            let staged = view.staged_of(chapter)?;
            accept(project, &view, &staged, stage, &next, &mut txn)?
        }
        StepId::Volume(number, VolumeStage::Review) => {
            let mut checkpoint = view.checkpoint.clone();
            volume::accept_review(&view, number, &mut checkpoint, &mut txn)?;
            AdvanceReport {
                checkpoint,
                gate: None,
                warnings: Vec::new(),
            }
        }
        StepId::Volume(..) => unchanged(&view),
        StepId::Quickstart(phase) => {
            let mut checkpoint = view.checkpoint.clone();
            quickstart::accept(&view, phase, &mut checkpoint, &mut txn)?;
            AdvanceReport {
                checkpoint,
                gate: None,
                warnings: Vec::new(),
            }
        }
    };
    report.warnings.extend(findings.warnings);
    if report.checkpoint != view.checkpoint {
        stamp_checkpoint(project, &mut report.checkpoint);
    }
    txn.write(layout::checkpoint(), report.checkpoint.to_text());
    txn.commit()?;
    Ok(report)
}

fn unchanged(view: &View<'_>) -> AdvanceReport {
    AdvanceReport {
        checkpoint: view.checkpoint.clone(),
        gate: None,
        warnings: Vec::new(),
    }
}

/// The next step, which must be `step`.
pub(crate) fn expect_next(view: &View<'_>, step: StepId) -> Result<Next, Failure> {
    if let StepId::Chapter(chapter, _) = step {
        view.enter(chapter)?;
    }
    let next = view.next()?;
    if next.step == step {
        Ok(next)
    } else {
        Err(Refusal::NotNext {
            asked: step,
            next: next.step,
        }
        .into())
    }
}

/// Writes the time into a checkpoint that changed.
pub(crate) fn stamp_checkpoint(project: &Project, checkpoint: &mut Document<Checkpoint>) {
    let now = project.now().to_string();
    checkpoint.edit(|checkpoint| checkpoint.last_checkpoint_time = Some(now));
}

fn accept(
    project: &Project,
    view: &View<'_>,
    staged: &Staged,
    stage: ChapterStage,
    next: &Next,
    txn: &mut Transaction<'_>,
) -> Result<AdvanceReport, Failure> {
    match stage {
        ChapterStage::Draft => accept_draft(project, view, staged, next.round, txn),
        ChapterStage::Summarize => Ok(accept_summary(view, staged, txn)),
        ChapterStage::Refine => Ok(accept_refined(project, view, staged, next.round, txn)),
        ChapterStage::Judge => accept_judge(project, view, staged, txn),
        ChapterStage::Commit | ChapterStage::Review | ChapterStage::Audit => Ok(unchanged(view)),
    }
}

/// A new draft makes everything that described an older text go.
fn accept_draft(
    project: &Project,
    view: &View<'_>,
    staged: &Staged,
    round: Round,
    txn: &mut Transaction<'_>,
) -> Result<AdvanceReport, Failure> {
    let manuscript = normal_form(project.config(), staged);
    let chapter = staged.chapter;
    for path in staging::descriptions(view.reader(), chapter)? {
        txn.remove(path);
    }
    txn.write(layout::staged_chapter(chapter), manuscript.markdown.clone());
    txn.write(layout::staged_draft(chapter), manuscript.markdown);
    let old = staged.bound();
    let bindings = Bindings {
        started_at: old.started_at.or_else(|| Some(project.now().to_string())),
        draft: Some(manuscript.hash),
        summarized: None,
        refined: None,
        polished: None,
        stages: old.stages,
    };
    write_bindings(staged, with_stage(bindings, "draft"), txn);

    let mut checkpoint = view.checkpoint.clone();
    let counted = checkpoint.get().pipeline_stage == Some(PipelineStage::Revising);
    let fresh = checkpoint.get().inflight_chapter.is_none();
    checkpoint.edit(|checkpoint| {
        checkpoint.pipeline_stage = Some(PipelineStage::Drafting);
        checkpoint.inflight_chapter = Some(chapter);
        match round {
            Round::Revision => {
                checkpoint.orchestrator_state = OrchestratorState::ChapterRewrite;
                checkpoint.revision_count += u32::from(!counted);
            }
            Round::First | Round::Polish => {
                if checkpoint.orchestrator_state == OrchestratorState::ErrorRetry {
                    checkpoint.orchestrator_state = OrchestratorState::Writing;
                }
                if fresh {
                    checkpoint.revision_count = 0;
                }
            }
        }
    });
    Ok(AdvanceReport {
        checkpoint,
        gate: None,
        warnings: Vec::new(),
    })
}

fn accept_summary(view: &View<'_>, staged: &Staged, txn: &mut Transaction<'_>) -> AdvanceReport {
    let mut bindings = staged.bound();
    let described = bindings
        .draft
        .clone()
        .or(staged.text.as_ref().map(|text| text.hash.clone()));
    bindings.summarized = described;
    write_bindings(staged, with_stage(bindings, "summarize"), txn);
    at_stage(view, staged.chapter, PipelineStage::Drafted)
}

fn accept_refined(
    project: &Project,
    view: &View<'_>,
    staged: &Staged,
    round: Round,
    txn: &mut Transaction<'_>,
) -> AdvanceReport {
    let manuscript = normal_form(project.config(), staged);
    let chapter = staged.chapter;
    let mut bindings = staged.bound();
    match round {
        // The verdict stays; the polished text is bound to it by this acceptance.
        Round::Polish => bindings.polished = Some(manuscript.hash),
        Round::First | Round::Revision => {
            bindings.refined = Some(manuscript.hash);
            bindings.polished = None;
            txn.remove(layout::staged_evaluation(chapter));
            txn.remove(layout::staged_primary_evaluation(chapter));
        }
    }
    txn.write(layout::staged_chapter(chapter), manuscript.markdown);
    let name = if round == Round::Polish {
        "polish"
    } else {
        "refine"
    };
    write_bindings(staged, with_stage(bindings, name), txn);
    at_stage(view, chapter, PipelineStage::Refined)
}

fn accept_judge(
    project: &Project,
    view: &View<'_>,
    staged: &Staged,
    txn: &mut Transaction<'_>,
) -> Result<AdvanceReport, Failure> {
    let chapter = staged.chapter;
    let (Some(text), Some(document)) = (&staged.text, staged.evaluation.sound()) else {
        return Ok(unchanged(view));
    };
    let mut warnings = Vec::new();
    match judged_hash(document.get()) {
        Some(judged) if *judged != text.hash => {
            return Err(Refusal::StaleVerdict {
                chapter,
                judged: judged.clone(),
                staged: text.hash.clone(),
            }
            .into());
        }
        Some(_) => {}
        None => warnings.push(next::unbound_verdict()),
    }
    let revisions = view.checkpoint.get().revision_count;
    let weights = project.config().weights();
    let mut document = document.clone();
    let judged = JudgedText {
        markdown: &text.markdown,
        hash: &text.hash,
    };
    document.edit(|evaluation| {
        judgement::verify(evaluation, judged, &weights);
        let concluded = evaluation
            .metadata
            .as_ref()
            .is_some_and(|metadata| metadata.judges.is_some());
        if !concluded {
            let verdict = Verdict {
                evaluation: evaluation.clone(),
                model: None,
            };
            *evaluation = judgement::conclude(verdict, None, &weights, revisions);
        }
    });
    let alone = document
        .get()
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.judges.as_ref())
        .is_none_or(|judges| judges.secondary.is_none());
    if alone && key_chapter::is_key(view, chapter)? {
        warnings.push(Warning::new(
            "one_judge",
            message!(
                en: "this is a key chapter; hand a second verdict in with `novel submit --judge secondary`",
                zh: "这是关键章，请用 `novel submit --judge secondary` 提交第二裁判的结果"
            ),
        ));
    }
    txn.write(layout::staged_evaluation(chapter), document.to_text());
    txn.remove(layout::staged_primary_evaluation(chapter));
    write_bindings(staged, with_stage(staged.bound(), "judge"), txn);
    let gate = next::outcome_for(document.get(), &text.hash, &weights, revisions);
    let report = at_stage(view, chapter, PipelineStage::Judged);
    Ok(AdvanceReport {
        gate: Some(gate),
        warnings,
        ..report
    })
}

/// Hash of the text an evaluation judged.
pub(crate) fn judged_hash(evaluation: &Evaluation) -> Option<&ContentHash> {
    evaluation.metadata.as_ref()?.chapter_hash.as_ref()
}

fn normal_form(config: &Config, staged: &Staged) -> Manuscript {
    let markdown = staged
        .text
        .as_ref()
        .map_or("", |text| text.markdown.as_str());
    Manuscript::from_markdown(staged.chapter, markdown, config.lang())
}

fn with_stage(mut bindings: Bindings, name: &str) -> Bindings {
    bindings.stages.push(StageLog {
        name: name.to_owned(),
        ..StageLog::default()
    });
    bindings
}

fn write_bindings(staged: &Staged, bindings: Bindings, txn: &mut Transaction<'_>) {
    let text = match &staged.bindings {
        Some(document) => {
            let mut document = document.clone();
            document.edit(|old| *old = bindings);
            document.to_text()
        }
        None => Document::new(bindings).to_text(),
    };
    txn.write(layout::staged_bindings(staged.chapter), text);
}

fn at_stage(view: &View<'_>, chapter: ChapterNo, stage: PipelineStage) -> AdvanceReport {
    let mut checkpoint = view.checkpoint.clone();
    checkpoint.edit(|checkpoint| {
        checkpoint.pipeline_stage = Some(stage);
        checkpoint.inflight_chapter = Some(chapter);
        if checkpoint.orchestrator_state == OrchestratorState::ErrorRetry {
            checkpoint.orchestrator_state = OrchestratorState::Writing;
        }
    });
    AdvanceReport {
        checkpoint,
        gate: None,
        warnings: Vec::new(),
    }
}

impl AdvanceReport {
    /// The `data` object.
    #[must_use]
    pub fn to_json(&self, lang: Lang) -> Value {
        let mut data = json!({
            "checkpoint": self.checkpoint.raw(),
            "warnings": warnings_json(&self.warnings, lang),
        });
        if let Some(gate) = &self.gate {
            data["gate"] = gate_json(gate);
        }
        data
    }
}

/// The gate's outcome in answers.
#[must_use]
pub fn gate_json(gate: &GateOutcome) -> Value {
    json!({
        "decision": gate.decision,
        "overall": gate.overall,
        "force_passed": gate.force_passed,
        "has_high_confidence_violation": gate.high_violation,
        "revisions_exhausted": gate.revisions_exhausted,
    })
}
