//! `novel validate STEP`: checks what lies in staging, writes nothing.

use novel_book::{
    staged::{Found, Staged},
    validate::{self, Findings},
};
use novel_contract::write as contract;
use novel_model::{
    ChapterNo, ChapterStage, Failure, Lang, Problem, RelPath, StepId, VolumeStage, Warning, layout,
    message,
};
use serde_json::{Map, Value};

use crate::{Project, View, revise::review, setup::quickstart, write::volume};

/// What a validation found.
#[derive(Debug)]
pub struct ValidationReport {
    /// The step.
    pub step: StepId,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// What was measured, by name.
    pub measured: Map<String, Value>,
}

/// Checks the outputs of a step, whether or not it is the next one.
///
/// # Errors
/// With every problem found.
pub fn validate(project: &Project, step: StepId) -> Result<ValidationReport, Failure> {
    project.look(|view| {
        view.enter_step(step)?;
        let findings = findings(project, view, step)?.accept(step)?;
        Ok(ValidationReport {
            step,
            warnings: findings.warnings,
            measured: findings.measured,
        })
    })
}

/// What is wrong with the outputs of a step.
pub(crate) fn findings(
    project: &Project,
    view: &View<'_>,
    step: StepId,
) -> Result<Findings, Failure> {
    match step {
        StepId::Chapter(chapter, stage) => chapter_findings(project, view, chapter, stage),
        StepId::Volume(number, VolumeStage::Plan | VolumeStage::Commit) => {
            let span = volume::span(project, view, number)?;
            Ok(volume::check_plan(project, view.reader(), number, &span)?.findings)
        }
        StepId::Volume(number, VolumeStage::Review) => Ok(volume::check_review(view, number)?),
        StepId::Quickstart(phase) => Ok(quickstart::check(view.reader(), phase)?),
    }
}

fn chapter_findings(
    project: &Project,
    view: &View<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
) -> Result<Findings, Failure> {
    let staged = view.staged_of(chapter)?;
    let config = project.config();
    let path = layout::staged_chapter(chapter);
    let text = staged.text.as_ref().map(|text| text.markdown.as_str());
    Ok(match (stage, text) {
        (ChapterStage::Draft | ChapterStage::Refine, None) => missing(&path),
        (ChapterStage::Draft, Some(text)) => validate::chapter_text(&path, text, chapter, config),
        (ChapterStage::Refine, Some(text)) => {
            validate::refined_text(&path, text, staged.draft.as_deref(), chapter, config)
        }
        (ChapterStage::Summarize, _) => {
            let line = view.contract_line(chapter)?;
            validate::summary_artefacts(view.reader(), chapter, line.as_ref()).1
        }
        (ChapterStage::Judge, _) => judge_findings(&staged),
        (ChapterStage::Commit, _) => {
            let mut findings = match text {
                Some(text) => validate::chapter_text(&path, text, chapter, config),
                None => missing(&path),
            };
            let (_, summary) =
                validate::summary_artefacts(view.reader(), chapter, staged.storyline.as_ref());
            let judge = judge_findings(&staged);
            findings.problems.extend(summary.problems);
            findings.problems.extend(judge.problems);
            findings.warnings.extend(summary.warnings);
            findings
        }
        (ChapterStage::Review | ChapterStage::Audit, _) => {
            if review::is_handed_in(project, view, chapter, stage)? {
                Findings::default()
            } else {
                missing(&match stage {
                    ChapterStage::Audit => layout::consistency(chapter),
                    _ => layout::logic_review(chapter),
                })
            }
        }
    })
}

fn judge_findings(staged: &Staged) -> Findings {
    match &staged.evaluation {
        Found::Sound(_) => Findings::default(),
        Found::Missing if staged.primary.is_some() => {
            let step = StepId::Chapter(staged.chapter, ChapterStage::Judge);
            let problem = Problem::new(
                "second_judge_awaited",
                &layout::staged_evaluation(staged.chapter),
                message!(
                    en: "this is a key chapter; the second judge's answer is awaited",
                    zh: "这是关键章，尚缺第二裁判的结果"
                ),
            );
            let hint = message!(
                en: "hand it in with `novel submit {step} FILE --judge secondary`",
                zh: "请用 `novel submit {step} FILE --judge secondary` 提交"
            );
            Findings {
                problems: vec![problem.hint(hint)],
                ..Findings::default()
            }
        }
        Found::Missing => missing(&layout::staged_evaluation(staged.chapter)),
        Found::Invalid(problems) => Findings {
            problems: problems.clone(),
            ..Findings::default()
        },
    }
}

/// Findings for a file that is not there.
pub(crate) fn missing(path: &RelPath) -> Findings {
    let problem = Problem::new(
        "missing",
        path,
        message!(en: "the file is missing", zh: "缺少该文件"),
    );
    Findings {
        problems: vec![problem],
        ..Findings::default()
    }
}

impl ValidationReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ValidateAnswer {
        contract::ValidateAnswer {
            step: self.step.to_string(),
            valid: true,
            measured: self.measured.clone(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
