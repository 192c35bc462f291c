//! Acceptance of the outputs of a step: what lies in staging is brought to normal form and bound,
//! and the checkpoint moves.

use novel_book::{
    believe::{
        Hearing,
        verdict::{self, Contracts},
    },
    context::blacklist_lint,
    edit::Changes,
    gate::GateOutcome,
    judgement::{self, JudgedText, Verdict, judged_hash},
    manuscript::Manuscript,
    next::{self, Next, Round},
    staged::Staged,
};
use novel_contract::write as contract;
use novel_model::{
    ChapterStage, ContentHash, Document, Lang, StepId, VolumeStage, Warning,
    files::{
        Bindings, Blacklist, Checkpoint, Evaluation, Judges, OrchestratorState, PipelineStage,
        ScoredBy, StageLog,
    },
    layout,
};
use serde_json::{Value, json};

use crate::{
    Book, Refusal, StepError, expect_next, outputs, quickstart, review, staging, stamp_checkpoint,
    summary,
    texts::{self, ChapterText},
    volume,
};

/// What an accepted step led to.
#[derive(Debug)]
pub struct AdvanceReport {
    /// The new checkpoint.
    pub checkpoint: Document<Checkpoint>,
    /// What the gate says, after a judge.
    pub gate: Option<GateOutcome>,
    /// Whose score the gate decided on.
    pub scored_by: Option<ScoredBy>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Who did a step and what was odd about it, where that is known.
#[derive(Debug, Default)]
pub struct Work {
    /// Calls of agents, in order.
    pub stages: Vec<StageLog>,
    /// Codes of warnings that belong into the chapter's log.
    pub warnings: Vec<String>,
    /// When the first of the calls was made.
    pub started_at: Option<String>,
}

/// What accepting the outputs of a step changes; not made yet. Commits have their own way.
pub fn acceptance(
    view: &Book<'_>,
    step: StepId,
    work: Work,
) -> Result<(Changes, AdvanceReport), StepError> {
    // The report was taken in with all that follows from it; there is nothing left to move.
    if let StepId::Chapter(chapter, stage @ (ChapterStage::Review | ChapterStage::Audit)) = step
        && review::is_handed_in(view, chapter, stage)?
    {
        let changes = review::log_calls(view, chapter, stage, work.stages)?;
        return Ok((changes, unchanged(view)));
    }
    let next = expect_next(view, step)?;
    // Where an executor was called, its answer was checked when it came.
    let hearing = if work.stages.is_empty() {
        Hearing::Outside
    } else {
        Hearing::Taken
    };
    let findings = outputs::findings(view, step, hearing)?.accept(step)?;
    let mut work = work;
    for warning in &findings.warnings {
        if !work.warnings.iter().any(|code| code == warning.code) {
            work.warnings.push(warning.code.to_owned());
        }
    }
    let mut changes = Changes::default();
    let mut report = match step {
        StepId::Chapter(chapter, stage) => {
            let staged = view.staged_of(chapter)?;
            let acceptance = Acceptance {
                view,
                staged: &staged,
                next: &next,
                work,
            };
            acceptance.of(stage, &mut changes)?
        }
        StepId::Volume(number, VolumeStage::Review) => {
            let mut checkpoint = view.checkpoint.clone();
            volume::accept_review(view, number, &mut checkpoint, &mut changes)?;
            AdvanceReport {
                checkpoint,
                gate: None,
                scored_by: None,
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
            quickstart::accept(view, phase, &mut checkpoint, &mut changes)?;
            AdvanceReport {
                checkpoint,
                gate: None,
                scored_by: None,
                warnings: Vec::new(),
            }
        }
    };
    report.warnings.extend(findings.warnings);
    if report.checkpoint != view.checkpoint {
        stamp_checkpoint(view.now(), &mut report.checkpoint);
    }
    changes.write(layout::checkpoint(), report.checkpoint.to_text());
    Ok((changes, report))
}

fn unchanged(view: &Book<'_>) -> AdvanceReport {
    AdvanceReport {
        checkpoint: view.checkpoint.clone(),
        gate: None,
        scored_by: None,
        warnings: Vec::new(),
    }
}

/// The acceptance of one step of a chapter.
struct Acceptance<'a> {
    view: &'a Book<'a>,
    staged: &'a Staged,
    next: &'a Next,
    work: Work,
}

impl Acceptance<'_> {
    fn of(self, stage: ChapterStage, changes: &mut Changes) -> Result<AdvanceReport, StepError> {
        match stage {
            ChapterStage::Draft => self.draft(changes),
            ChapterStage::Summarize => self.summary(changes),
            ChapterStage::Refine => self.refined(changes),
            ChapterStage::Judge => self.judge(changes),
            ChapterStage::Commit | ChapterStage::Review | ChapterStage::Audit => {
                Ok(unchanged(self.view))
            }
        }
    }

    /// A new draft makes everything that described an older text go.
    fn draft(self, changes: &mut Changes) -> Result<AdvanceReport, StepError> {
        let manuscript = self.normal_form(ChapterStage::Draft)?;
        let chapter = self.staged.chapter;
        changes.remove(layout::staged_refined(chapter));
        for path in staging::descriptions(self.view.reader(), chapter)? {
            changes.remove(path);
        }
        changes.write(layout::staged_chapter(chapter), manuscript.markdown.clone());
        changes.write(layout::staged_draft(chapter), manuscript.markdown);
        let old = self.staged.bound();
        let bindings = Bindings {
            started_at: old
                .started_at
                .or_else(|| self.work.started_at.clone())
                .or_else(|| Some(self.view.now().to_string())),
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
        self.write_bindings(bindings, name, changes);

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
            scored_by: None,
            warnings: Vec::new(),
        })
    }

    fn summary(self, changes: &mut Changes) -> Result<AdvanceReport, StepError> {
        let told = self.staged.text.as_ref().map(|text| text.markdown.as_str());
        let volume = self.view.checkpoint.get().current_volume;
        let reader = self.view.reader();
        let chapter = self.staged.chapter;
        let settled = summary::settle(reader, volume, chapter, told, Hearing::Outside)?;
        changes.extend(settled.changes);
        let mut bindings = self.staged.bound();
        let text = self.staged.text.as_ref().map(|text| text.hash.clone());
        bindings.summarized = bindings.draft.clone().or(text);
        let report = self.at_stage(PipelineStage::Drafted);
        self.write_bindings(bindings, "summarize", changes);
        Ok(report)
    }

    fn refined(self, changes: &mut Changes) -> Result<AdvanceReport, StepError> {
        let manuscript = self.normal_form(ChapterStage::Refine)?;
        let chapter = self.staged.chapter;
        let before = match self.next.round {
            Round::Polish => self.staged.refined.as_ref().or(self.staged.draft.as_ref()),
            Round::First | Round::Revision => self.staged.draft.as_ref(),
        };
        if let Some(before) = before
            && let Some(delta) = texts::carried_delta(self.staged, before, &manuscript.markdown)?
        {
            changes.write(layout::staged_delta(chapter), delta);
        }
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
            changes.remove(layout::staged_evaluation(chapter));
            changes.remove(layout::staged_primary_evaluation(chapter));
            changes.write(layout::staged_refined(chapter), manuscript.markdown.clone());
        }
        changes.write(layout::staged_chapter(chapter), manuscript.markdown);
        let report = self.at_stage(PipelineStage::Refined);
        self.write_bindings(bindings, if polish { "polish" } else { "refine" }, changes);
        Ok(report)
    }

    fn judge(self, changes: &mut Changes) -> Result<AdvanceReport, StepError> {
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
        let weights = self.view.config().weights();
        let judged = JudgedText {
            markdown: &text.markdown,
            hash: &text.hash,
        };
        let hits = self.blacklist_hits(&text.markdown)?;
        let mut document = document.clone();
        let volume = self.view.checkpoint.get().current_volume;
        let contracts = Contracts::load(self.view.reader(), volume, chapter)?;
        document.edit(|evaluation| {
            verdict::write_out(evaluation, &contracts);
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
        if alone && self.view.is_key_chapter(chapter)? {
            return Err(Refusal::OneVerdict { chapter }.into());
        }
        changes.remove(layout::staged_primary_evaluation(chapter));
        let evaluation = document.to_text();
        let mut bindings = self.staged.bound();
        bindings.verdict = Some(ContentHash::of(&evaluation));
        changes.write(layout::staged_evaluation(chapter), evaluation);
        let gate = next::outcome_for(document.get(), &text.hash, &weights, revisions);
        let report = self.at_stage(PipelineStage::Judged);
        self.write_bindings(bindings, "judge", changes);
        Ok(AdvanceReport {
            gate: Some(gate),
            scored_by: document.get().scored_by(),
            warnings,
            ..report
        })
    }

    /// Phrases of the blacklist in the judged text, counted by the program; nothing without a list.
    fn blacklist_hits(&self, markdown: &str) -> Result<Option<Value>, StepError> {
        let blacklist = Document::<Blacklist>::load(self.view.reader(), &layout::blacklist())?;
        Ok(blacklist.map(|blacklist| {
            let report = blacklist_lint(markdown, blacklist.get());
            json!({
                "total_hits": report.total_hits,
                "hits_per_kchars": report.hits_per_kchars,
            })
        }))
    }

    fn normal_form(&self, stage: ChapterStage) -> Result<Manuscript, StepError> {
        let markdown = self
            .staged
            .text
            .as_ref()
            .map_or("", |text| text.markdown.as_str());
        let text = ChapterText {
            stage,
            round: self.next.round,
            markdown,
        };
        texts::normal_form(self.view, self.staged, text, Hearing::Outside)
    }

    /// Records the step; who did it is known only where an executor was called.
    fn write_bindings(self, mut bindings: Bindings, step: &str, changes: &mut Changes) {
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
        changes.write(layout::staged_bindings(self.staged.chapter), text);
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
            scored_by: None,
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

impl AdvanceReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::AdvanceAnswer {
        contract::AdvanceAnswer {
            checkpoint: self.checkpoint.raw().clone(),
            warnings: novel_contract::warnings(&self.warnings, lang),
            gate: self
                .gate
                .as_ref()
                .map(|gate| gate_answer(gate, self.scored_by)),
        }
    }
}

fn gate_answer(gate: &GateOutcome, scored_by: Option<ScoredBy>) -> contract::GateAnswer {
    contract::GateAnswer {
        decision: gate.decision,
        overall: gate.overall,
        scored_by,
        force_passed: gate.force_passed,
        has_high_confidence_violation: gate.high_violation,
        revisions_exhausted: gate.revisions_exhausted,
    }
}
