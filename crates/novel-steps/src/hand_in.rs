//! Hand-in of an agent's answer: checked as a whole, then the files it becomes in staging.

pub mod planning;
mod recap;

use std::collections::BTreeMap;

use novel_book::{
    believe::{
        Hearing,
        verdict::{self, Contracts},
    },
    edit::{Changes, Edit},
    judgement::{self, JudgedText, Verdict, judged_hash},
    next::{Next, Round},
    staged::Staged,
    validate::{self, Findings, Rejected},
};
use novel_model::{
    BookReader, BrokenFile, ChapterNo, ChapterStage, Document, Explain, Lang, Problem, RelPath,
    Slug, StepId, VolumeStage, Warning,
    files::{Checkpoint, Claims, Evaluation, JudgeRole, PipelineStage, SummarizerAnswer},
    layout, message, to_json_text,
};
use novel_story::report;
use novel_text::unix_lines;
use serde_json::{Value, json};

use crate::{
    Book, Refusal, StepError,
    answer::{Origin, SubmitReport},
    expect_next, review, stamp_checkpoint, summary,
    texts::{self, ChapterText},
};

/// What handing an answer in changes; not made yet.
pub fn hand_in(
    view: &Book<'_>,
    step: StepId,
    answer: &[u8],
    origin: &Origin,
) -> Result<(Changes, SubmitReport), StepError> {
    if let StepId::Chapter(chapter, stage @ (ChapterStage::Review | ChapterStage::Audit)) = step {
        let text = decode(&layout::logic_review(chapter), answer)?;
        return review::hand_in(view, chapter, stage, &text);
    }
    let next = expect_next(view, step)?;
    let accepted = accept(view, &next, step, answer, origin)?;
    let mut changes = Changes::default();
    if let Some(stage) = stage_before(&next, view.checkpoint.get()) {
        let mut checkpoint = view.checkpoint.clone();
        checkpoint.edit(|checkpoint| checkpoint.pipeline_stage = Some(stage));
        stamp_checkpoint(view.now(), &mut checkpoint);
        changes.write(layout::checkpoint(), checkpoint.to_text());
    }
    let written: Vec<RelPath> = accepted.files.keys().cloned().collect();
    for path in accepted.outdated {
        changes.remove(path);
    }
    for (path, bytes) in accepted.files {
        changes.write(path, bytes);
    }
    // While the second judge is awaited there is no verdict.
    if let (Some(_), StepId::Chapter(chapter, _)) = (accepted.awaiting, step) {
        changes.remove(layout::staged_evaluation(chapter));
    }
    let report = SubmitReport {
        written,
        awaiting: accepted.awaiting,
        warnings: accepted.warnings,
    };
    Ok((changes, report))
}

/// A step that is done again (its outputs were lost or damaged) awaits its acceptance anew: the
/// stage goes back to the one before it.
fn stage_before(next: &Next, checkpoint: &Checkpoint) -> Option<PipelineStage> {
    let StepId::Chapter(_, stage) = next.step else {
        return None;
    };
    let current = checkpoint.pipeline_stage?;
    if checkpoint.inflight_chapter.is_none() || next.round != Round::First {
        return None;
    }
    let before = match stage {
        ChapterStage::Draft | ChapterStage::Summarize => PipelineStage::Drafting,
        ChapterStage::Refine => PipelineStage::Drafted,
        ChapterStage::Judge => PipelineStage::Refined,
        ChapterStage::Commit | ChapterStage::Review | ChapterStage::Audit => return None,
    };
    (position(current) > position(before)).then_some(before)
}

const fn position(stage: PipelineStage) -> u8 {
    match stage {
        PipelineStage::Drafting => 0,
        PipelineStage::Drafted => 1,
        PipelineStage::Refined => 2,
        PipelineStage::Judged | PipelineStage::Revising | PipelineStage::Committed => 3,
    }
}

/// What an answer becomes.
#[derive(Default)]
struct Accepted {
    files: BTreeMap<RelPath, Vec<u8>>,
    /// Files of an earlier answer that this one does not have.
    outdated: Vec<RelPath>,
    awaiting: Option<JudgeRole>,
    warnings: Vec<Warning>,
}

fn accept(
    view: &Book<'_>,
    next: &Next,
    step: StepId,
    answer: &[u8],
    origin: &Origin,
) -> Result<Accepted, StepError> {
    match step {
        StepId::Chapter(chapter, stage @ (ChapterStage::Draft | ChapterStage::Refine)) => {
            let text = decode(&layout::staged_chapter(chapter), answer)?;
            accept_text(
                view,
                &Next {
                    step,
                    ..next.clone()
                },
                stage,
                chapter,
                &text,
                origin,
            )
        }
        StepId::Chapter(chapter, ChapterStage::Summarize) => {
            let text = decode(&layout::staged_delta(chapter), answer)?;
            accept_summary(view, step, chapter, &text, origin)
        }
        StepId::Chapter(chapter, ChapterStage::Judge) => {
            let text = decode(&layout::staged_evaluation(chapter), answer)?;
            accept_judge(view, step, chapter, &text, origin)
        }
        StepId::Volume(number, VolumeStage::Review) => {
            let path = layout::staged_volume_review(number);
            let text = decode(&path, answer)?;
            let findings = report::check_advice(&path, &text).accept(step)?;
            Ok(Accepted {
                files: BTreeMap::from([(path, text.into_bytes())]),
                awaiting: None,
                warnings: findings.warnings,
                ..Accepted::default()
            })
        }
        StepId::Volume(number, VolumeStage::Plan) => {
            let text = decode(&layout::plan_draft(number), answer)?;
            planning::accept_plan(view, step, number, &text)
        }
        StepId::Quickstart(phase) => {
            let text = decode(&layout::staging_dir(), answer)?;
            planning::accept_phase(view, phase, &text)
        }
        StepId::Chapter(..) | StepId::Volume(..) => Err(Refusal::NothingToSubmit { step }.into()),
    }
}

/// An answer as text. It is not a project file yet, so a byte order mark and Windows line ends
/// are brought to normal form instead of refused.
fn decode(path: &RelPath, answer: &[u8]) -> Result<String, BrokenFile> {
    let bytes = answer.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(answer);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(unix_lines(text).into_owned()),
        Err(error) => {
            let offset = error.valid_up_to();
            let line = 1 + bytes[..offset]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            let problem = Problem::new(
                "not_utf8",
                path,
                message!(
                    en: "the answer is not UTF-8 at byte {offset}",
                    zh: "提交的内容在字节 {offset} 处不是 UTF-8"
                ),
            )
            .at_line(line)
            .hint(message!(en: "hand it in as UTF-8", zh: "请以 UTF-8 提交"));
            Err(BrokenFile::new(problem))
        }
    }
}

/// What is wrong with an answer, as the outputs of its step.
fn refused(step: StepId, broken: &BrokenFile) -> Rejected {
    Rejected::new(step, broken.problems().to_vec())
}

fn accept_text(
    view: &Book<'_>,
    next: &Next,
    stage: ChapterStage,
    chapter: ChapterNo,
    text: &str,
    origin: &Origin,
) -> Result<Accepted, StepError> {
    let staged = view.staged_of(chapter)?;
    let text = ChapterText {
        stage,
        round: next.round,
        markdown: text,
    };
    let settled = texts::settle(view, &staged, text, origin.hearing)?;
    let findings = settled.findings.accept(next.step)?;
    let path = layout::staged_chapter(chapter);
    Ok(Accepted {
        files: BTreeMap::from([(path, settled.markdown.into_bytes())]),
        awaiting: None,
        warnings: findings.warnings,
        ..Accepted::default()
    })
}

fn accept_summary(
    view: &Book<'_>,
    step: StepId,
    chapter: ChapterNo,
    text: &str,
    origin: &Origin,
) -> Result<Accepted, StepError> {
    let storyline = view.contract_line(chapter)?;
    let text = in_form(text, chapter, storyline.as_ref(), view.config().lang());
    let files = summary_files(step, chapter, &text)?;
    let mut book = Edit::on(view.reader());
    for (path, bytes) in &files {
        book.write(path.clone(), bytes.clone());
    }
    let staged = view.staged_of(chapter)?;
    let told = staged.text.as_ref().map(|text| text.markdown.as_str());
    let volume = view.checkpoint.get().current_volume;
    let settled = summary::settle(&book, volume, chapter, told, origin.hearing)?;
    book.extend(settled.changes);
    let (_, mut findings) = validate::summary_artefacts(&book, chapter, storyline.as_ref());
    findings.problems.extend(settled.complaints);
    if let Some(told) = told {
        let own = view.own_texts();
        let problems = summary::problems(&book, chapter, told, own)?;
        findings.problems.extend(problems);
    }
    let mut findings = findings.accept(step)?;
    findings.warnings.extend(settled.warnings);
    let mut files = files;
    for (path, bytes) in &mut files {
        if let Some(settled) = book.read(path)? {
            *bytes = settled;
        }
    }
    Ok(Accepted {
        files,
        awaiting: None,
        warnings: findings.warnings,
        ..Accepted::default()
    })
}

/// The files of a summarizer's answer: four, and the claims where it has any.
pub fn summary_files(
    step: StepId,
    chapter: ChapterNo,
    text: &str,
) -> Result<BTreeMap<RelPath, Vec<u8>>, Rejected> {
    let answer = Document::<SummarizerAnswer>::parse(&layout::staged_delta(chapter), text)
        .map_err(|broken| refused(step, &broken))?;
    let raw = answer.raw();
    let part = |key: &str| to_json_text(&raw[key]).into_bytes();
    let line = &answer.get().delta.storyline_id;
    let mut files = BTreeMap::from([
        (
            layout::staged_summary(chapter),
            with_newline(&answer.get().summary),
        ),
        (layout::staged_delta(chapter), part("delta")),
        (layout::staged_crossref(chapter), part("crossref")),
        (
            layout::staged_memory(line),
            with_newline(&answer.get().memory),
        ),
    ]);
    let claims = Claims::read(chapter, &answer.get().claims);
    if !claims.claims.is_empty() {
        let text = to_json_text(&claims).into_bytes();
        files.insert(layout::staged_claims(chapter), text);
    }
    Ok(files)
}

/// A summarizer's answer in the form of its files; what is no JSON is left to whoever reads it.
fn in_form(text: &str, chapter: ChapterNo, line: Option<&Slug>, lang: Lang) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value) if value["summary"].is_object() || value["memory"].is_array() => {
            to_json_text(&recap::written(value, chapter, line, lang))
        }
        _ => text.to_owned(),
    }
}

/// A summarizer's answer with what only the program knows: chapter, line and base version, and the form of its
/// files.
pub fn completed_summary(
    value: Value,
    chapter: ChapterNo,
    line: Option<&Slug>,
    version: u64,
    lang: Lang,
) -> Value {
    let mut value = recap::written(value, chapter, line, lang);
    if let Some(delta) = value.get_mut("delta").and_then(Value::as_object_mut) {
        delta.insert("base_state_version".to_owned(), json!(version));
        delta.insert("chapter".to_owned(), json!(chapter));
        if let Some(line) = line {
            delta.insert("storyline_id".to_owned(), json!(line));
        }
    }
    if let Some(crossref) = value.get_mut("crossref").and_then(Value::as_object_mut)
        && let Some(line) = line
    {
        crossref.insert("storyline_id".to_owned(), json!(line));
    }
    value
}

fn with_newline(text: &str) -> Vec<u8> {
    format!("{}\n", text.trim_end()).into_bytes()
}

fn accept_judge(
    view: &Book<'_>,
    step: StepId,
    chapter: ChapterNo,
    text: &str,
    origin: &Origin,
) -> Result<Accepted, StepError> {
    let path = layout::staged_evaluation(chapter);
    let mut document =
        Document::<Evaluation>::parse(&path, text).map_err(|broken| refused(step, &broken))?;
    let mut findings = validate::evaluation(&path, document.get(), chapter);
    let staged = view.staged_of(chapter)?;
    let Some(staged_text) = &staged.text else {
        return Err(Refusal::NoText { chapter }.into());
    };
    let weights = view.config().weights();
    let judged = JudgedText {
        markdown: &staged_text.markdown,
        hash: &staged_text.hash,
    };
    let mut evaluation = document.get().clone();
    // What only the program may say is not taken from a judge.
    evaluation.metadata = None;
    let volume = view.checkpoint.get().current_volume;
    let contracts = Contracts::load(view.reader(), volume, chapter)?;
    verdict::write_out(&mut evaluation, &contracts);
    judgement::verify(&mut evaluation, judged, &weights);
    findings
        .problems
        .extend(verdict::invalid(&path, &evaluation, &contracts));
    if origin.hearing == Hearing::First {
        findings
            .problems
            .extend(verdict::unlocated(&path, &evaluation));
    }
    let mut findings = findings.accept(step)?;
    findings.warnings.extend(verdict::warnings(&evaluation));
    let verdict = Verdict {
        evaluation,
        model: origin.model.clone(),
    };
    let key = view.is_key_chapter(chapter)?;
    let revisions = view.checkpoint.get().revision_count;
    match (origin.judge, key) {
        (JudgeRole::Secondary, false) => Err(Refusal::NoSecondJudge { step }.into()),
        (JudgeRole::Primary, true) => {
            let concluded = judgement::conclude(verdict, None, &weights, revisions);
            document.edit(|evaluation| *evaluation = concluded);
            let path = layout::staged_primary_evaluation(chapter);
            Ok(Accepted {
                files: BTreeMap::from([(path, document.to_text().into_bytes())]),
                awaiting: Some(JudgeRole::Secondary),
                warnings: findings.warnings,
                ..Accepted::default()
            })
        }
        (JudgeRole::Primary, false) => {
            let concluded = judgement::conclude(verdict, None, &weights, revisions);
            document.edit(|evaluation| *evaluation = concluded);
            Ok(staged_verdict(chapter, &document, findings))
        }
        (JudgeRole::Secondary, true) => {
            let (first, mut first_document) = first_verdict(&staged, step)?;
            let concluded = judgement::conclude(first, Some(verdict), &weights, revisions);
            let used_second = concluded
                .metadata
                .as_ref()
                .and_then(|metadata| metadata.judges.as_ref())
                .is_some_and(|judges| judges.used == JudgeRole::Secondary);
            let used = if used_second {
                &mut document
            } else {
                &mut first_document
            };
            used.edit(|evaluation| *evaluation = concluded);
            Ok(staged_verdict(chapter, used, findings))
        }
    }
}

fn staged_verdict(
    chapter: ChapterNo,
    document: &Document<Evaluation>,
    findings: Findings,
) -> Accepted {
    Accepted {
        files: BTreeMap::from([(
            layout::staged_evaluation(chapter),
            document.to_text().into_bytes(),
        )]),
        awaiting: None,
        warnings: findings.warnings,
        ..Accepted::default()
    }
}

/// The first judge's answer, if it is about the text that lies there now.
fn first_verdict(
    staged: &Staged,
    step: StepId,
) -> Result<(Verdict, Document<Evaluation>), StepError> {
    let (Some(document), Some(text)) = (&staged.primary, &staged.text) else {
        return Err(Refusal::NoFirstJudge { step }.into());
    };
    if let Some(judged) = judged_hash(document.get()).filter(|hash| **hash != text.hash) {
        return Err(Refusal::StaleVerdict {
            chapter: staged.chapter,
            judged: judged.clone(),
            staged: text.hash.clone(),
        }
        .into());
    }
    let model = document
        .get()
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.judges.as_ref())
        .and_then(|judges| judges.primary.model.clone());
    Ok((
        Verdict {
            evaluation: document.get().clone(),
            model,
        },
        document.clone(),
    ))
}
