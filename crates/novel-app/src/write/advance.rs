//! `novel advance STEP`: accept what lies in staging and move the checkpoint.

use novel_book::{
    context::blacklist_lint,
    gate::GateOutcome,
    judgement::{self, JudgedText, Verdict},
    manuscript::Manuscript,
    next::{self, Next, Round},
    staged::Staged,
};
use novel_contract::write as contract;
use novel_model::{
    ChapterStage, ContentHash, Document, Failure, Lang, QuickstartPhase, StepId, VolumeStage,
    Warning,
    files::{
        Bindings, Blacklist, Checkpoint, Evaluation, Judges, OrchestratorState, PipelineStage,
        StageLog,
    },
    layout, message,
};
use novel_store::{Transaction, TxnKind, TxnLabel, Writer};
use serde_json::{Value, json};

use crate::{
    Project, Refusal, View, revise::review, setup::quickstart, write::commit, write::key_chapter,
    write::staging, write::validate, write::volume,
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
    let chapter = match step {
        StepId::Chapter(chapter, _) => Some(chapter),
        StepId::Volume(..) | StepId::Quickstart(_) => None,
    };
    let writer = project.store().acquire(chapter)?;
    advance_with(project, &writer, step, Work::default())
}

/// Who did a step and what was odd about it, where that is known.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// Calls of agents, in order.
    pub(crate) stages: Vec<StageLog>,
    /// Codes of warnings that belong into the chapter's log.
    pub(crate) warnings: Vec<String>,
    /// When the first of the calls was made.
    pub(crate) started_at: Option<String>,
}

/// The same under a lock that is held already.
pub(crate) fn advance_with(
    project: &Project,
    writer: &Writer,
    step: StepId,
    work: Work,
) -> Result<AdvanceReport, Failure> {
    match step {
        StepId::Chapter(chapter, ChapterStage::Commit) => {
            let report = commit::commit_with(project, writer, chapter)?;
            let checkpoint = crate::read_checkpoint(&writer.reader()?)?;
            return Ok(AdvanceReport {
                checkpoint,
                gate: None,
                warnings: report.warnings,
            });
        }
        StepId::Volume(number, VolumeStage::Commit) => {
            let report = volume::commit_with(project, writer, number)?;
            let checkpoint = crate::read_checkpoint(&writer.reader()?)?;
            return Ok(AdvanceReport {
                checkpoint,
                gate: None,
                warnings: report.warnings,
            });
        }
        StepId::Chapter(..) | StepId::Volume(..) | StepId::Quickstart(_) => {}
    }
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let (txn, report) = acceptance(project, writer, &view, step, work)?;
    txn.commit()?;
    Ok(report)
}

/// What accepting the outputs of a step changes; not made yet. Commits have their own way.
pub(crate) fn acceptance<'w>(
    project: &Project,
    writer: &'w Writer,
    view: &View<'_>,
    step: StepId,
    work: Work,
) -> Result<(Transaction<'w>, AdvanceReport), Failure> {
    // The report was taken in with all that follows from it; there is nothing left to move.
    if let StepId::Chapter(chapter, stage @ (ChapterStage::Review | ChapterStage::Audit)) = step
        && review::is_handed_in(project, view, chapter, stage)?
    {
        let txn = review::log_calls(project, writer, view, chapter, stage, work.stages)?;
        return Ok((txn, unchanged(view)));
    }
    let next = expect_next(view, step)?;
    let findings = validate::findings(project, view, step)?.accept(step)?;
    let mut txn = writer.begin(TxnLabel::new(kind_of(step), step.to_string()));
    txn.at(project.now());
    let mut report = match step {
        StepId::Chapter(chapter, stage) => {
            let staged = view.staged_of(chapter)?;
            let acceptance = Acceptance {
                project,
                view,
                staged: &staged,
                next: &next,
                work,
            };
            acceptance.of(stage, &mut txn)?
        }
        StepId::Volume(number, VolumeStage::Review) => {
            let mut checkpoint = view.checkpoint.clone();
            volume::accept_review(project, view, number, &mut checkpoint, &mut txn)?;
            AdvanceReport {
                checkpoint,
                gate: None,
                warnings: Vec::new(),
            }
        }
        StepId::Volume(..) => {
            let mut report = unchanged(view);
            report.checkpoint.edit(|checkpoint| {
                let state = checkpoint.working_state();
                checkpoint.go_to(state);
            });
            report
        }
        StepId::Quickstart(phase) => {
            let mut checkpoint = view.checkpoint.clone();
            quickstart::accept(view, phase, &mut checkpoint, &mut txn)?;
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
    Ok((txn, report))
}

/// What enters the book is an operation that can be undone; the rest only moves the checkpoint.
const fn kind_of(step: StepId) -> TxnKind {
    match step {
        StepId::Quickstart(_) | StepId::Volume(_, VolumeStage::Review) => TxnKind::Lifecycle,
        StepId::Chapter(..) | StepId::Volume(..) => TxnKind::Advance,
    }
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
    view.enter_step(step)?;
    let next = view.next()?;
    // The trial is an offer: an author who plans at once accepts the set-up without it.
    let trial = StepId::Quickstart(QuickstartPhase::Trial);
    let skips_trial = next.step == trial && step == StepId::Quickstart(QuickstartPhase::Results);
    if next.step == step {
        Ok(next)
    } else if next.unaccepted == Some(step) || skips_trial {
        Ok(Next { step, ..next })
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

/// The acceptance of one step of a chapter.
struct Acceptance<'a> {
    project: &'a Project,
    view: &'a View<'a>,
    staged: &'a Staged,
    next: &'a Next,
    work: Work,
}

impl Acceptance<'_> {
    fn of(self, stage: ChapterStage, txn: &mut Transaction<'_>) -> Result<AdvanceReport, Failure> {
        match stage {
            ChapterStage::Draft => self.draft(txn),
            ChapterStage::Summarize => Ok(self.summary(txn)),
            ChapterStage::Refine => Ok(self.refined(txn)),
            ChapterStage::Judge => self.judge(txn),
            ChapterStage::Commit | ChapterStage::Review | ChapterStage::Audit => {
                Ok(unchanged(self.view))
            }
        }
    }

    /// A new draft makes everything that described an older text go.
    fn draft(self, txn: &mut Transaction<'_>) -> Result<AdvanceReport, Failure> {
        let manuscript = self.normal_form();
        let chapter = self.staged.chapter;
        for path in staging::descriptions(self.view.reader(), chapter)? {
            txn.remove(path);
        }
        txn.write(layout::staged_chapter(chapter), manuscript.markdown.clone());
        txn.write(layout::staged_draft(chapter), manuscript.markdown);
        let old = self.staged.bound();
        let bindings = Bindings {
            started_at: old
                .started_at
                .or_else(|| self.work.started_at.clone())
                .or_else(|| Some(self.project.now().to_string())),
            draft: Some(manuscript.hash),
            summarized: None,
            refined: None,
            polished: None,
            verdict: None,
            stages: old.stages,
            warnings: old.warnings,
        };
        let round = self.next.round;
        let name = if round == Round::Revision {
            "revise"
        } else {
            "draft"
        };
        let mut checkpoint = self.view.checkpoint.clone();
        self.write_bindings(bindings, name, txn);

        let counted = checkpoint.get().pipeline_stage == Some(PipelineStage::Revising);
        let fresh = checkpoint.get().inflight_chapter.is_none();
        checkpoint.edit(|checkpoint| {
            checkpoint.pipeline_stage = Some(PipelineStage::Drafting);
            checkpoint.inflight_chapter = Some(chapter);
            if round == Round::Revision {
                checkpoint.go_to(OrchestratorState::ChapterRewrite);
                checkpoint.revision_count += u32::from(!counted);
            } else {
                leave_error_state(checkpoint);
                if fresh {
                    checkpoint.revision_count = 0;
                }
            }
        });
        Ok(AdvanceReport {
            checkpoint,
            gate: None,
            warnings: Vec::new(),
        })
    }

    fn summary(self, txn: &mut Transaction<'_>) -> AdvanceReport {
        let mut bindings = self.staged.bound();
        let text = self.staged.text.as_ref().map(|text| text.hash.clone());
        bindings.summarized = bindings.draft.clone().or(text);
        let report = self.at_stage(PipelineStage::Drafted);
        self.write_bindings(bindings, "summarize", txn);
        report
    }

    fn refined(self, txn: &mut Transaction<'_>) -> AdvanceReport {
        let manuscript = self.normal_form();
        let chapter = self.staged.chapter;
        let mut bindings = self.staged.bound();
        // Sound summary artefacts may lie there although their acceptance was interrupted.
        bindings.summarized = bindings.summarized.or_else(|| bindings.draft.clone());
        let polish = self.next.round == Round::Polish;
        if polish {
            // The verdict stays; the polished text is bound to it by this acceptance.
            bindings.polished = Some(manuscript.hash);
        } else {
            bindings.refined = Some(manuscript.hash);
            bindings.polished = None;
            bindings.verdict = None;
            txn.remove(layout::staged_evaluation(chapter));
            txn.remove(layout::staged_primary_evaluation(chapter));
        }
        txn.write(layout::staged_chapter(chapter), manuscript.markdown);
        let report = self.at_stage(PipelineStage::Refined);
        self.write_bindings(bindings, if polish { "polish" } else { "refine" }, txn);
        report
    }

    fn judge(self, txn: &mut Transaction<'_>) -> Result<AdvanceReport, Failure> {
        let chapter = self.staged.chapter;
        let (Some(text), Some(document)) = (&self.staged.text, self.staged.evaluation.sound())
        else {
            return Err(Refusal::NoText { chapter }.into());
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
        let revisions = self.view.checkpoint.get().revision_count;
        let weights = self.project.config().weights();
        let judged = JudgedText {
            markdown: &text.markdown,
            hash: &text.hash,
        };
        let hits = self.blacklist_hits(&text.markdown)?;
        let mut document = document.clone();
        document.edit(|evaluation| {
            // Only the gate itself, and the author through it, may speak for the gate.
            if let Some(metadata) = evaluation.metadata.as_mut() {
                metadata.gate = None;
            }
            judgement::verify(evaluation, judged, &weights);
            if judges_of(evaluation).is_none() {
                let verdict = Verdict {
                    evaluation: evaluation.clone(),
                    model: None,
                };
                *evaluation = judgement::conclude(verdict, None, &weights, revisions);
            }
            judgement::record_gate(evaluation, &weights, revisions);
            if hits.is_some() {
                let anti_ai = evaluation.anti_ai.get_or_insert_default();
                anti_ai.blacklist_hits = hits;
            }
        });
        let alone = judges_of(document.get()).is_none_or(|judges| judges.secondary.is_none());
        if alone && key_chapter::is_key(self.view, chapter)? {
            warnings.push(Warning::new(
                "one_judge",
                message!(
                    en: "this is a key chapter; hand a second verdict in with `novel submit --judge secondary`",
                    zh: "这是关键章，请用 `novel submit --judge secondary` 提交第二裁判的结果"
                ),
            ));
        }
        txn.remove(layout::staged_primary_evaluation(chapter));
        let evaluation = document.to_text();
        let mut bindings = self.staged.bound();
        bindings.verdict = Some(ContentHash::of(&evaluation));
        txn.write(layout::staged_evaluation(chapter), evaluation);
        let gate = next::outcome_for(document.get(), &text.hash, &weights, revisions);
        let report = self.at_stage(PipelineStage::Judged);
        self.write_bindings(bindings, "judge", txn);
        Ok(AdvanceReport {
            gate: Some(gate),
            warnings,
            ..report
        })
    }

    /// Phrases of the blacklist in the judged text, counted by the program; nothing without a list.
    fn blacklist_hits(&self, markdown: &str) -> Result<Option<Value>, Failure> {
        let blacklist = Document::<Blacklist>::load(self.view.reader(), &layout::blacklist())?;
        Ok(blacklist.map(|blacklist| {
            let report = blacklist_lint(markdown, blacklist.get());
            json!({
                "total_hits": report.total_hits,
                "hits_per_kchars": report.hits_per_kchars,
            })
        }))
    }

    fn normal_form(&self) -> Manuscript {
        let markdown = self
            .staged
            .text
            .as_ref()
            .map_or("", |text| text.markdown.as_str());
        Manuscript::from_markdown(self.staged.chapter, markdown, self.project.config().lang())
    }

    /// Records the step; who did it is known only where an executor was called.
    fn write_bindings(self, mut bindings: Bindings, step: &str, txn: &mut Transaction<'_>) {
        let mut stages = self.work.stages;
        if stages.is_empty() {
            stages.push(StageLog::default());
        }
        let named = stages.into_iter().map(|log| StageLog {
            name: step.to_owned(),
            ..log
        });
        bindings.stages.extend(named);
        bindings.warnings.extend(self.work.warnings);
        let text = match &self.staged.bindings {
            Some(document) => {
                let mut document = document.clone();
                document.edit(|old| *old = bindings);
                document.to_text()
            }
            None => Document::new(bindings).to_text(),
        };
        txn.write(layout::staged_bindings(self.staged.chapter), text);
    }

    fn at_stage(&self, stage: PipelineStage) -> AdvanceReport {
        let mut checkpoint = self.view.checkpoint.clone();
        checkpoint.edit(|checkpoint| {
            checkpoint.pipeline_stage = Some(stage);
            checkpoint.inflight_chapter = Some(self.staged.chapter);
            leave_error_state(checkpoint);
        });
        AdvanceReport {
            checkpoint,
            gate: None,
            warnings: Vec::new(),
        }
    }
}

/// A step that succeeds ends the error state.
fn leave_error_state(checkpoint: &mut Checkpoint) {
    if checkpoint.orchestrator_state == OrchestratorState::ErrorRetry {
        checkpoint.go_to(if checkpoint.revision_count > 0 {
            OrchestratorState::ChapterRewrite
        } else {
            checkpoint.chapter_state()
        });
    }
}

fn judges_of(evaluation: &Evaluation) -> Option<&Judges> {
    evaluation.metadata.as_ref()?.judges.as_ref()
}

/// Hash of the text an evaluation judged.
pub(crate) fn judged_hash(evaluation: &Evaluation) -> Option<&ContentHash> {
    evaluation.metadata.as_ref()?.chapter_hash.as_ref()
}

impl AdvanceReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::AdvanceAnswer {
        contract::AdvanceAnswer {
            checkpoint: self.checkpoint.raw().clone().into(),
            warnings: novel_contract::warnings(&self.warnings, lang),
            gate: self.gate.as_ref().map(gate_answer),
        }
    }
}

fn gate_answer(gate: &GateOutcome) -> contract::GateAnswer {
    contract::GateAnswer {
        decision: gate.decision,
        overall: gate.overall,
        force_passed: gate.force_passed,
        has_high_confidence_violation: gate.high_violation,
        revisions_exhausted: gate.revisions_exhausted,
    }
}
