//! Checks of the outputs of a step, as they lie in staging.

use novel_book::{
    believe::{
        Hearing,
        verdict::{self, Contracts},
    },
    next::Round,
    staged::{Found, Staged},
    validate::{self, Findings},
};
use novel_model::{ChapterNo, ChapterStage, Problem, StepId, VolumeStage, layout, message};

use crate::{
    Book, StepError, quickstart, review, summary,
    texts::{self, ChapterText},
    volume,
};

/// What is wrong with the outputs of a step.
pub fn findings(view: &Book<'_>, step: StepId, hearing: Hearing) -> Result<Findings, StepError> {
    match step {
        StepId::Chapter(chapter, stage) => chapter_findings(view, chapter, stage, hearing),
        StepId::Volume(number, VolumeStage::Plan | VolumeStage::Commit) => {
            let span = volume::span(view, number)?;
            Ok(volume::check_plan(view.config(), view.reader(), number, &span)?.findings)
        }
        StepId::Volume(number, VolumeStage::Review) => Ok(volume::check_review(view, number)?),
        StepId::Quickstart(phase) => Ok(quickstart::check(view, view.reader(), phase)?),
    }
}

fn chapter_findings(
    view: &Book<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
    hearing: Hearing,
) -> Result<Findings, StepError> {
    let staged = view.staged_of(chapter)?;
    let config = view.config();
    let path = layout::staged_chapter(chapter);
    let text = staged.text.as_ref().map(|text| text.markdown.as_str());
    Ok(match (stage, text) {
        (ChapterStage::Draft | ChapterStage::Refine, None) => Findings::missing(&path),
        (ChapterStage::Draft | ChapterStage::Refine, Some(text)) => {
            let round = match view.decide()? {
                Ok(next) => next.round,
                Err(_) => Round::First,
            };
            let text = ChapterText {
                stage,
                round,
                markdown: text,
            };
            texts::settle(view, &staged, text, hearing)?.findings
        }
        (ChapterStage::Summarize, _) => {
            let line = view.contract_line(chapter)?;
            let (reader, volume) = (view.reader(), view.checkpoint.get().current_volume);
            let mut findings = validate::summary_artefacts(reader, chapter, line.as_ref()).1;
            let settled = summary::settle(reader, volume, chapter, text, Hearing::Outside)?;
            findings.warnings.extend(settled.warnings);
            if let Some(told) = text {
                let problems = summary::problems(reader, chapter, told, view.own_texts())?;
                findings.problems.extend(problems);
            }
            findings
        }
        (ChapterStage::Judge, _) => verdict_findings(view, &staged)?,
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

/// What keeps a staged verdict from being one, and what the author is told of it.
fn verdict_findings(view: &Book<'_>, staged: &Staged) -> Result<Findings, StepError> {
    let mut findings = judge_findings(staged);
    let (Found::Sound(document), Some(text)) = (&staged.evaluation, &staged.text) else {
        return Ok(findings);
    };
    let (reader, chapter) = (view.reader(), staged.chapter);
    let contracts = Contracts::load(reader, view.checkpoint.get().current_volume, chapter)?;
    let mut evaluation = document.get().clone();
    verdict::write_out(&mut evaluation, &contracts);
    verdict::mark(&mut evaluation, &text.markdown);
    let path = layout::staged_evaluation(chapter);
    findings
        .problems
        .extend(verdict::invalid(&path, &evaluation, &contracts));
    findings.warnings.extend(verdict::warnings(&evaluation));
    Ok(findings)
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
                    zh: "这是关键章，还缺第二位评审的结果"
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
