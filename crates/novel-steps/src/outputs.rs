//! Checks of the outputs of a step, as they lie in staging.

use novel_book::{
    staged::{Found, Staged},
    validate::{self, Findings},
};
use novel_model::{ChapterNo, ChapterStage, Problem, StepId, VolumeStage, layout, message};

use crate::{Book, StepError, quickstart, review, volume};

/// What is wrong with the outputs of a step.
pub fn findings(view: &Book<'_>, step: StepId) -> Result<Findings, StepError> {
    match step {
        StepId::Chapter(chapter, stage) => chapter_findings(view, chapter, stage),
        StepId::Volume(number, VolumeStage::Plan | VolumeStage::Commit) => {
            let span = volume::span(view, number)?;
            Ok(volume::check_plan(view.config(), view.reader(), number, &span)?.findings)
        }
        StepId::Volume(number, VolumeStage::Review) => Ok(volume::check_review(view, number)?),
        StepId::Quickstart(phase) => Ok(quickstart::check(view.reader(), phase)?),
    }
}

fn chapter_findings(
    view: &Book<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
) -> Result<Findings, StepError> {
    let staged = view.staged_of(chapter)?;
    let config = view.config();
    let path = layout::staged_chapter(chapter);
    let text = staged.text.as_ref().map(|text| text.markdown.as_str());
    Ok(match (stage, text) {
        (ChapterStage::Draft | ChapterStage::Refine, None) => Findings::missing(&path),
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
                None => Findings::missing(&path),
            };
            let (_, summary) =
                validate::summary_artefacts(view.reader(), chapter, staged.storyline.sound());
            if let Found::Invalid(problems) = &staged.storyline {
                findings.problems.extend(problems.iter().cloned());
            }
            let judge = judge_findings(&staged);
            findings.problems.extend(summary.problems);
            findings.problems.extend(judge.problems);
            findings.warnings.extend(summary.warnings);
            findings
        }
        (ChapterStage::Review | ChapterStage::Audit, _) => {
            if review::is_handed_in(view, chapter, stage)? {
                Findings::default()
            } else {
                Findings::missing(&match stage {
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
        Found::Missing => Findings::missing(&layout::staged_evaluation(staged.chapter)),
        Found::Invalid(problems) => Findings {
            problems: problems.clone(),
            ..Findings::default()
        },
    }
}
