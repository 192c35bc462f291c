//! Answers that set a book up and plan it: one object becomes several staged files, checked as a
//! whole before any of them is written.

use std::collections::BTreeMap;

use novel_book::{
    context::Cast,
    edit::{Changes, Edit, staged_files},
    validate::{Findings, Rejected},
};
use novel_model::{
    BrokenFile, Document, Format, Problem, QuickstartPhase, RelPath, StepId, VolumeNo, VolumeStage,
    Warning,
    files::{CastAnswer, PlanAnswer, PlanDraft, Storylines, StyleAnswer, WorldAnswer},
    layout, to_json_text,
};
use novel_story::{
    plan::{self, Existing, Files, Newcomers, Outlook, PlanSpan},
    styles::{self, StyleChoice},
};

use super::{Accepted, refused};
use crate::{Book, Refusal, StepError, quickstart, volume};

/// What the answer of a quick-start phase becomes.
pub(super) fn accept_phase(
    view: &Book<'_>,
    phase: QuickstartPhase,
    text: &str,
) -> Result<Accepted, StepError> {
    let step = StepId::Quickstart(phase);
    let reader = view.reader();
    let lang = view.config().lang();
    let mut draft = None;
    let files = match phase {
        QuickstartPhase::World => {
            let answer: WorldAnswer = parse(step, &layout::world_rules(), text)?;
            sound(step, plan::check_world(&answer))?;
            plan::world_files(&answer, lang)
        }
        QuickstartPhase::Characters => {
            let answer: CastAnswer = parse(step, &layout::characters_dir(), text)?;
            sound(step, plan::check_cast(&answer))?;
            let lines = Document::<Storylines>::load(reader, &layout::storylines())?;
            let since = view.checkpoint.get().next_chapter();
            plan::cast_files(&answer, since, lines.as_ref())
        }
        QuickstartPhase::Style => {
            let answer: StyleAnswer = parse(step, &layout::style_profile(), text)?;
            let config = &view.config().style;
            if let Some(problem) = styles::unknown_template(config, lang) {
                return Err(BrokenFile::new(problem).into());
            }
            let choice = StyleChoice::of(reader, config, lang)?;
            let profile = choice.profile(&answer);
            Files::from([(layout::style_profile(), to_json_text(&profile))])
        }
        QuickstartPhase::Trial => {
            let (files, planned) = trial_files(view, step, text)?;
            draft = Some(planned);
            files
        }
        QuickstartPhase::Results => {
            return Err(Refusal::NothingToSubmit { step }.into());
        }
    };
    let mut staged = staged(files);
    if let Some(draft) = draft {
        let path = layout::plan_draft(view.checkpoint.get().current_volume);
        staged.insert(path, to_json_text(&draft).into_bytes());
    }
    let findings = quickstart::check(view, &Edit::with(reader, written(&staged)), phase)?;
    let outdated = match phase {
        QuickstartPhase::Characters => earlier(view, vec![layout::characters_dir()], &staged)?,
        QuickstartPhase::Trial => {
            let volume = view.checkpoint.get().current_volume;
            earlier(view, quickstart::made(phase, volume), &staged)?
        }
        _ => Vec::new(),
    };
    finish(step, findings, staged, outdated)
}

/// What the plan of the trial becomes: files of the first volume, no line that the book lacks, and
/// the draft they were made from.
fn trial_files(view: &Book<'_>, step: StepId, text: &str) -> Result<(Files, PlanDraft), StepError> {
    let volume = view.checkpoint.get().current_volume;
    let span = PlanSpan::trial(&view.config().plan);
    let existing = Existing::load(view.reader(), volume, span.plan_first)?;
    let answer = planned(view, step, volume, &span, &existing, text)?;
    sound(step, plan::check_trial_lines(&answer, &existing, volume))?;
    let answer = completed(view, volume, &span, answer)?;
    let mut files = plan::volume_files(&answer, &existing, volume, view.config().lang());
    files.remove(&layout::storylines());
    let draft = PlanDraft {
        first_chapter: span.plan_first,
        last_chapter: span.volume_last,
        plan: answer,
        woven: false,
    };
    Ok((files, draft))
}

/// A plan as it was answered, for the chapters asked for and of the material allowed.
fn planned(
    view: &Book<'_>,
    step: StepId,
    volume: VolumeNo,
    span: &PlanSpan,
    existing: &Existing,
    text: &str,
) -> Result<PlanAnswer, StepError> {
    let path = layout::plan_draft(volume);
    let numbered = serde_json::from_str(text)
        .ok()
        .and_then(|answer| plan::numbered(answer, span.first))
        .map(|answer| to_json_text(&answer));
    let answer = Document::<PlanAnswer>::parse(&path, numbered.as_deref().unwrap_or(text))
        .map_err(|broken| refused(step, &broken))?
        .into_value();
    sound(step, plan::check_answer(&answer, span, volume))?;
    let material = view.config().plan.material;
    sound(
        step,
        plan::check_material(&answer, existing, volume, material),
    )?;
    Ok(answer)
}

/// A plan with what follows from itself and from the state of the story where it begins.
fn completed(
    view: &Book<'_>,
    volume: VolumeNo,
    span: &PlanSpan,
    answer: PlanAnswer,
) -> Result<PlanAnswer, StepError> {
    let reader = view.reader();
    let state = Outlook::load(reader, volume, span.plan_first)?.state;
    Ok(plan::completed(answer, &Cast::load(reader)?, &state))
}

/// What the plan of a volume, or the next chunk of it, becomes.
pub(super) fn accept_plan(
    view: &Book<'_>,
    step: StepId,
    number: VolumeNo,
    text: &str,
) -> Result<Accepted, StepError> {
    let span = volume::span(view, number)?;
    let path = layout::plan_draft(number);
    let existing = Existing::load(view.reader(), number, span.plan_first)?;
    let answer = planned(view, step, number, &span, &existing, text)?;
    let answer = match &span.draft {
        Some(draft) => plan::merged(draft.plan.clone(), answer),
        None => answer,
    };
    let answer = completed(view, number, &span, answer)?;
    let files = plan::volume_files(&answer, &existing, number, view.config().lang());
    let mut staged = staged(files);
    let draft = PlanDraft {
        first_chapter: span.plan_first,
        last_chapter: span.volume_last,
        plan: answer,
        woven: false,
    };
    staged.insert(path, to_json_text(&draft).into_bytes());
    let outdated = earlier(view, volume::parts(number), &staged)?;
    let mut book = Edit::with(view.reader(), written(&staged));
    for path in &outdated {
        book.remove(path.clone());
    }
    let findings = volume::check_plan(view.config(), &book, number, &span)?.findings;
    finish(step, findings, staged, outdated)
}

/// What the people of a staged plan become once the character-weaver has written them out: checked
/// together with the plan they belong to.
pub fn accept_newcomers(
    view: &Book<'_>,
    number: VolumeNo,
    text: &str,
) -> Result<(Files, Vec<Warning>), StepError> {
    let step = StepId::Volume(number, VolumeStage::Plan);
    let Some(newcomers) = Newcomers::load(view.reader(), number)? else {
        return Err(Refusal::NothingToSubmit { step }.into());
    };
    let answer: CastAnswer = parse(step, &layout::new_characters(number), text)?;
    sound(step, newcomers.check(&answer))?;
    let files = newcomers.files(&answer);
    let span = volume::span(view, number)?;
    let mut introduced = Edit::on(view.reader());
    for (path, text) in &files {
        introduced.write(path.clone(), text.clone());
    }
    let check = volume::check_plan(view.config(), &introduced, number, &span)?;
    Ok((files, check.findings.accept(step)?.warnings))
}

fn parse<T: Format + Clone>(step: StepId, path: &RelPath, text: &str) -> Result<T, Rejected> {
    let staged = layout::staged(path);
    Document::<T>::parse(&staged, text)
        .map(Document::into_value)
        .map_err(|broken| refused(step, &broken))
}

fn sound(step: StepId, problems: Vec<Problem>) -> Result<(), Rejected> {
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Rejected::new(step, problems))
    }
}

fn staged(files: Files) -> BTreeMap<RelPath, Vec<u8>> {
    files
        .into_iter()
        .map(|(path, text)| (layout::staged(&path), text.into_bytes()))
        .collect()
}

/// Files as the changes that write them.
fn written(files: &BTreeMap<RelPath, Vec<u8>>) -> Changes {
    let mut changes = Changes::default();
    for (path, bytes) in files {
        changes.write(path.clone(), bytes.clone());
    }
    changes
}

/// Staged files of an earlier answer that the new one does not have.
fn earlier(
    view: &Book<'_>,
    parts: Vec<RelPath>,
    new: &BTreeMap<RelPath, Vec<u8>>,
) -> Result<Vec<RelPath>, StepError> {
    let old = staged_files(view.reader(), &parts)?;
    let old = old.keys().map(layout::staged);
    Ok(old.filter(|path| !new.contains_key(path)).collect())
}

fn finish(
    step: StepId,
    findings: Findings,
    files: BTreeMap<RelPath, Vec<u8>>,
    outdated: Vec<RelPath>,
) -> Result<Accepted, StepError> {
    let findings = findings.accept(step)?;
    Ok(Accepted {
        files,
        outdated,
        awaiting: None,
        warnings: findings.warnings,
    })
}
