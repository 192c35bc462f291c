//! Packets of chapter steps: who works, with which fields (step 2.6), towards which files.

use novel_model::{
    BookReader, ChapterNo, ChapterStage, Format, StepId, VolumeNo,
    files::{
        ConsistencyReport, CrossReferences, Evaluation, GeneratedChapter, JudgeRole, LogicReview,
        Packet, ScenePlan, StateDelta,
    },
    layout,
};

use super::{
    BookFiles, ModelHint, Request, Revision, Work, command, fields::Fields, optional, output,
    subagent, told::Reading,
};
use crate::guides::Guide;
use novel_book::{context::ContextError, next::Round, scenes::Part};

pub(super) fn packet(
    book: BookFiles<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
    request: Request,
) -> Result<Packet, ContextError> {
    let step = request.step;
    let volume = match stage {
        ChapterStage::Review | ChapterStage::Audit => volume_of(book, chapter)?,
        _ => book.checkpoint.current_volume,
    };
    let mut fields = Fields::new(book, volume, chapter, request.mode);
    let work = match stage {
        ChapterStage::Draft => draft(&mut fields, step, chapter, request),
        ChapterStage::Summarize => summarize(&mut fields, step, chapter),
        ChapterStage::Refine => refine(&mut fields, step, chapter, request.round),
        ChapterStage::Judge => judge(&mut fields, step, chapter, request.judge),
        ChapterStage::Commit => commit(chapter),
        ChapterStage::Review => {
            let report = output(layout::logic_review(chapter), Some(LogicReview::SCHEMA));
            reviewer(&mut fields);
            Work::by_reader(
                step,
                subagent("logic-reviewer", None, ModelHint::Default),
                report,
            )
        }
        ChapterStage::Audit => {
            let report = output(
                layout::consistency(chapter),
                Some(ConsistencyReport::SCHEMA),
            );
            reviewer(&mut fields);
            fields.deterministic_report();
            fields.candidates();
            fields.truth();
            Work::by_reader(
                step,
                subagent("consistency-auditor", None, ModelHint::Default),
                report,
            )
        }
    };
    Ok(work.into_packet(step, fields.finish()?))
}

fn draft(fields: &mut Fields<'_>, step: StepId, chapter: ChapterNo, request: Request) -> Work {
    fields.load_chapter();
    fields.brief();
    match request.part {
        Part::Scene(scene) => fields.author_note_for(scene),
        Part::Whole | Part::ScenePlan | Part::Newcomers => fields.author_note(),
    }
    fields.forward_repairs();
    fields.style_profile();
    fields.style_drift();
    fields.blacklist_words();
    fields.volume_outline();
    fields.chapter_outline();
    fields.storyline_memory();
    fields.storyline();
    fields.recent_summaries();
    fields.current_state();
    fields.foreshadowing_tasks();
    fields.open_foreshadowing();
    fields.chapter_contract();
    fields.chapter_function();
    fields.world_rules();
    fields.character_contracts();
    fields.people(Reading::PointOfView);
    fields.contract_differs();
    fields.secrets();
    let endings = fields.previous_endings();
    fields.recalled_passages(&endings);
    fields.guide(Guide::WritingMethodology);
    let writer = |mode, hint| subagent("chapter-writer", Some(mode), hint);
    let whole = || output(layout::staged_chapter(chapter), None);
    let (agent, answer) = match (request.round, request.part) {
        (Round::Revision, _) => {
            fields.staged_text();
            fields.revision_instructions();
            (writer("revise", ModelHint::Strong), whole())
        }
        (Round::First | Round::Polish, Part::Whole | Part::Newcomers) => {
            (writer("draft", ModelHint::Default), whole())
        }
        (Round::First | Round::Polish, Part::ScenePlan) => {
            let path = layout::staged_scene_plan_answer(chapter);
            let answer = output(path, Some(ScenePlan::SCHEMA));
            (writer("plan-scenes", ModelHint::Default), answer)
        }
        (Round::First | Round::Polish, Part::Scene(scene)) => {
            fields.scene(scene);
            let answer = output(layout::staged_scene_answer(chapter, scene), None);
            (writer("write-scene", ModelHint::Default), answer)
        }
    };
    let mut outputs = vec![answer];
    if request.part == Part::Whole {
        // What changed, in the writer's words, for the summarizer.
        outputs.push(optional(layout::staged_hints(chapter), None));
    }
    Work::by_agent(step, agent, outputs)
}

fn summarize(fields: &mut Fields<'_>, step: StepId, chapter: ChapterNo) -> Work {
    fields.load_chapter();
    fields.awaited_text();
    fields.storyline_memory();
    fields.current_state();
    fields.foreshadowing_tasks();
    fields.open_foreshadowing();
    fields.entity_id_map();
    fields.hints();
    let mut outputs = vec![
        output(layout::staged_summary(chapter), None),
        output(layout::staged_delta(chapter), Some(StateDelta::SCHEMA)),
        output(
            layout::staged_crossref(chapter),
            Some(CrossReferences::SCHEMA),
        ),
    ];
    if let Some(storyline) = fields.storyline_id() {
        outputs.push(output(layout::staged_memory(&storyline), None));
    }
    Work::by_agent(
        step,
        subagent("summarizer", None, ModelHint::Default),
        outputs,
    )
}

fn refine(fields: &mut Fields<'_>, step: StepId, chapter: ChapterNo, round: Round) -> Work {
    fields.load_chapter();
    fields.staged_text();
    fields.style_profile();
    fields.style_drift();
    fields.blacklist();
    fields.guide(Guide::StyleGuide);
    let mode = match round {
        Round::First | Round::Revision => None,
        Round::Polish => Some("polish"),
    };
    let agent = subagent("style-refiner", mode, ModelHint::Default);
    Work::by_agent(
        step,
        agent,
        vec![output(layout::staged_chapter(chapter), None)],
    )
}

fn judge(fields: &mut Fields<'_>, step: StepId, chapter: ChapterNo, role: JudgeRole) -> Work {
    fields.load_chapter();
    let text = fields.staged_text();
    fields.chapter_outline();
    fields.character_contracts();
    fields.people(Reading::Everything);
    fields.foreshadowing_tasks();
    fields.open_foreshadowing();
    fields.chapter_function();
    fields.contract_differs();
    fields.truth();
    fields.storyline_memory();
    fields.current_state();
    let endings = fields.previous_endings();
    fields.recalled_passages(&endings);
    fields.previous_summary();
    fields.style_profile();
    let blacklist = fields.blacklist();
    fields.blacklist_lint(text.as_deref(), blacklist.as_ref());
    fields.chapter_contract();
    fields.world_rules();
    fields.storyline_rules();
    fields.cross_references();
    fields.checks();
    fields.guide(Guide::QualityRubric);
    let hint = match role {
        JudgeRole::Primary => ModelHint::Default,
        JudgeRole::Secondary => ModelHint::Strong,
    };
    let answer = output(layout::staged_evaluation(chapter), Some(Evaluation::SCHEMA));
    let mut work = Work::by_reader(step, subagent("quality-judge", None, hint), answer);
    if fields.is_key_chapter() {
        fields.two_judges();
        // Each of the two judges hands in its own verdict.
        let second = command(format!("novel submit {step} --judge secondary"));
        work.next_actions.insert(1, second);
    }
    work
}

fn commit(chapter: ChapterNo) -> Work {
    let files = [
        layout::chapter_json(chapter),
        layout::chapter_markdown(chapter),
        layout::summary(chapter),
        layout::evaluation(chapter),
    ];
    let outputs = files.iter().map(|path| output(path, None)).collect();
    Work::by_program(
        &format!("novel commit --chapter {}", chapter.get()),
        outputs,
    )
}

/// Reviewers look at a committed chapter and write nothing themselves.
fn reviewer(fields: &mut Fields<'_>) {
    fields.load_chapter();
    fields.committed_chapter();
    fields.chapter_outline();
    fields.chapter_contract();
    fields.state_around();
    fields.recent_summaries();
    fields.world_rules();
    fields.character_contracts();
    fields.storyline_rules();
}

/// The packet of the reviser: the text as it is, and what must change in it.
pub(super) fn reviser(book: BookFiles<'_>, revision: Revision<'_>) -> Result<Packet, ContextError> {
    let chapter = revision.chapter.chapter_number;
    let step = StepId::Chapter(chapter, revision.stage());
    let volume = volume_of(book, chapter)?;
    let mut fields = Fields::new(book, volume, chapter, revision.mode);
    fields.world_rules();
    if let Some(note) = revision.author {
        fields.author_says(note);
    }
    fields.revision(revision.chapter, revision.notes);
    let answer = output(layout::revision(chapter), Some(GeneratedChapter::SCHEMA));
    let agent = subagent("chapter-reviser", None, ModelHint::Strong);
    let mut work = Work::by_reader(step, agent, answer);
    let number = chapter.get();
    work.next_actions = vec![
        command(format!("novel revision show {number}")),
        command(format!("novel revision apply {number}")),
    ];
    Ok(work.into_packet(step, fields.finish()?))
}

/// The volume of a committed chapter: the newest one that has a contract for it, else the current.
fn volume_of(book: BookFiles<'_>, chapter: ChapterNo) -> Result<VolumeNo, ContextError> {
    let reader: &dyn BookReader = book.reader;
    let current = book.checkpoint.current_volume;
    let mut volume = Some(current);
    while let Some(candidate) = volume {
        if reader
            .read(&layout::contract(candidate, chapter))?
            .is_some()
        {
            return Ok(candidate);
        }
        volume = candidate.previous();
    }
    Ok(current)
}
