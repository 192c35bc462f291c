//! Packets of volume and quick-start steps.

use novel_contract::report::ReportFinding;
use novel_model::{
    ChapterNo, Document, Format, QuickstartPhase, RelPath, StepId, VolumeNo, VolumeStage,
    files::{
        CastAnswer, ChapterContract, Character, Evaluation, ForeshadowPlan, Foreshadowing,
        NewCharacters, Packet, RetellAnswer, StorylineSchedule, StorylineSpec, Storylines,
        StyleProfile, Truth, WorldRules,
    },
    layout, message,
};
use novel_text::{DataKind, parse_outline};
use serde_json::{Value, json};

use super::{
    BookFiles, ModelHint, PacketMode, RetellRequest, Work, command,
    fields::{author_note, current_state, forward_repairs, template_hint, world_rules},
    known, name_part, optional, output,
    sources::{Need, Sources},
    subagent,
};
use novel_book::{
    config::StyleSource,
    context::{Cast, ContextError, Knowledge, VolumeBounds, recent_summaries},
};
use novel_story::{
    plan::{self, PlanSpan},
    report::{self, Facts, Report, Span},
    styles::{StyleChoice, unknown_template},
};

pub(super) fn volume(
    book: BookFiles<'_>,
    volume: VolumeNo,
    stage: VolumeStage,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    let step = StepId::Volume(volume, stage);
    let mut sources = Sources::new(book.reader, mode);
    sources.scalar("volume", volume.get());
    let work = match stage {
        VolumeStage::Plan => {
            plan_inputs(&mut sources, book, volume);
            author_note(&mut sources, &[layout::author_note(step)]);
            forward_repairs(&mut sources, |repair| repair.told_volume.is_none());
            let next = book.checkpoint.plan_first();
            // What was planned for the rest, when it is planned anew.
            sources.text(
                "current_volume_outline",
                DataKind::Summary,
                &layout::outline(volume),
                Need::Optional,
            );
            let span = PlanSpan::of(book.reader, volume, next, &book.config.plan);
            if let Some(span) = sources.keep(span) {
                span_fields(&mut sources, &span);
                sources.scalar("material", book.config.plan.material.word());
            }
            let mut work = plan_work(step, volume);
            work.next_actions
                .push(command(format!("novel commit --volume {}", volume.get())));
            work
        }
        VolumeStage::Commit => Work::by_program(
            &format!("novel commit --volume {}", volume.get()),
            Vec::new(),
        ),
        VolumeStage::Review => {
            review_inputs(&mut sources, book, volume);
            let review = layout::staged_volume_review(volume);
            let agent = subagent("volume-reviewer", None, ModelHint::Default);
            Work::by_agent(step, agent, vec![output(review, None)])
        }
    };
    Ok(work.into_packet(step, sources.finish()?))
}

pub(super) fn quickstart(
    book: BookFiles<'_>,
    phase: QuickstartPhase,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    let step = StepId::Quickstart(phase);
    let mut sources = Sources::new(book.reader, mode);
    sources.scalar("volume", book.checkpoint.current_volume.get());
    author_note(&mut sources, &[layout::author_note(step)]);
    let work = match phase {
        QuickstartPhase::World => {
            brief(&mut sources);
            research(&mut sources);
            let outputs = vec![
                output("staging/world/geography.md", None),
                output("staging/world/history.md", None),
                output("staging/world/rules.md", None),
                output("staging/world/rules.json", Some(WorldRules::SCHEMA)),
                output(
                    "staging/storylines/storylines.json",
                    Some(Storylines::SCHEMA),
                ),
                optional(
                    "staging/storylines/storyline-spec.json",
                    Some(StorylineSpec::SCHEMA),
                ),
            ];
            Work::by_agent(
                step,
                subagent("world-builder", Some("build"), ModelHint::Default),
                outputs,
            )
        }
        QuickstartPhase::Characters => {
            brief(&mut sources);
            world(&mut sources);
            storylines(&mut sources);
            let agent = subagent("character-weaver", None, ModelHint::Default);
            // One file per character; their ids are the agent's to choose.
            let outputs = vec![output(
                "staging/characters/active/",
                Some(Character::SCHEMA),
            )];
            Work::by_agent(step, agent, outputs)
        }
        QuickstartPhase::Style => {
            brief(&mut sources);
            let cast = layout::characters_dir();
            sources.directory("characters", DataKind::CharacterProfile, &cast, ".json");
            style_choice(&mut sources, book);
            let outputs = vec![output(
                "staging/style-profile.json",
                Some(StyleProfile::SCHEMA),
            )];
            Work::by_agent(
                step,
                subagent("style-analyzer", None, ModelHint::Default),
                outputs,
            )
        }
        QuickstartPhase::Trial => {
            let volume = book.checkpoint.current_volume;
            sources.scalar("volume", volume.get());
            plan_inputs(&mut sources, book, volume);
            span_fields(&mut sources, &PlanSpan::trial(&book.config.plan));
            sources.scalar("material", book.config.plan.material.word());
            sources.scalar("trial", true);
            plan_work(step, volume)
        }
        QuickstartPhase::Results => {
            Work::by_program("novel advance quickstart:results", Vec::new())
        }
    };
    Ok(work.into_packet(step, sources.finish()?))
}

/// The packet with which the world-builder is asked for something new, in the author's words.
pub(super) fn world_extension(
    book: BookFiles<'_>,
    request: &str,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    let step = StepId::Quickstart(QuickstartPhase::World);
    let mut sources = Sources::new(book.reader, mode);
    brief(&mut sources);
    world(&mut sources);
    storylines(&mut sources);
    sources.computed(
        "author_request",
        DataKind::Reference,
        "novel:author",
        request.into(),
    );
    let agent = subagent("world-builder", Some("extend"), ModelHint::Default);
    let outputs = vec![output(
        layout::staged(&layout::world_rules()),
        Some(WorldRules::SCHEMA),
    )];
    let work = Work::by_agent(step, agent, outputs);
    Ok(work.into_packet(step, sources.finish()?))
}

/// The packet with which the character-weaver is asked for the people a staged plan brings.
pub(super) fn newcomers(
    book: BookFiles<'_>,
    volume: VolumeNo,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    let step = StepId::Volume(volume, VolumeStage::Plan);
    let mut sources = Sources::new(book.reader, mode);
    sources.scalar("volume", volume.get());
    brief(&mut sources);
    world(&mut sources);
    storylines(&mut sources);
    cast(&mut sources);
    author_note(&mut sources, &[layout::author_note(step)]);
    let path = layout::staged(&layout::new_characters(volume));
    let need = Need::Required(message!(
        en: "the plan is made with `novel plan`",
        zh: "规划由 `novel plan` 生成"
    ));
    let kind = DataKind::CharacterProfile;
    let new = sources.json::<NewCharacters>("new_characters", kind, &path, need);
    if let Some(new) = new {
        let found = plan::chapters_with(book.reader, volume, new.get());
        let chapters = sources.keep(found).unwrap_or_default();
        let outline = layout::staged(&layout::outline(volume));
        let kind = DataKind::Summary;
        sources.computed("planned_chapters", kind, outline.as_str(), chapters.into());
    }
    let agent = subagent("character-weaver", Some("introduce"), ModelHint::Default);
    let answer = layout::staged_newcomers_answer(volume);
    let work = Work::by_agent(step, agent, vec![output(answer, Some(CastAnswer::SCHEMA))]);
    Ok(work.into_packet(step, sources.finish()?))
}

/// The packet with which the plot-architect is asked what written chapters tell. Their texts, or a part
/// of one, are staged.
pub(super) fn retelling(
    book: BookFiles<'_>,
    request: RetellRequest,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    let RetellRequest {
        volume,
        chapters: (first, last),
        part,
    } = request;
    let step = StepId::Volume(volume, VolumeStage::Plan);
    let mut sources = Sources::new(book.reader, mode);
    sources.scalar("volume", volume.get());
    world(&mut sources);
    storylines(&mut sources);
    cast(&mut sources);
    sources.text(
        "current_volume_outline",
        DataKind::Summary,
        &layout::outline(volume),
        Need::Optional,
    );
    let chapters = (first.get()..=last.get()).filter_map(ChapterNo::new);
    let texts: Vec<RelPath> = chapters.map(layout::staged_chapter).collect();
    sources.list("chapter_texts", DataKind::ChapterContent, &texts);
    foreshadowing(&mut sources);
    let plan = layout::foreshadowing_plan(volume);
    let kind = DataKind::Reference;
    sources.json::<ForeshadowPlan>("foreshadowing_plan", kind, &plan, Need::Optional);
    for (field, chapter) in [
        ("first_chapter", first),
        ("last_chapter", last),
        ("volume_last_chapter", last),
    ] {
        sources.scalar(field, chapter.get());
    }
    let agent = subagent("plot-architect", Some("retell"), ModelHint::Default);
    let answer = output(layout::plan_draft(volume), Some(RetellAnswer::SCHEMA));
    let work = Work::by_agent(step, agent, vec![answer]);
    let mut packet = work.into_packet(step, sources.finish()?);
    name_part(&mut packet, part);
    Ok(packet)
}

fn plan_work(step: StepId, volume: VolumeNo) -> Work {
    let folder = layout::staged_volume_dir(volume);
    let outputs = vec![
        output(format!("{folder}/outline.md"), None),
        output(
            format!("{folder}/storyline-schedule.json"),
            Some(StorylineSchedule::SCHEMA),
        ),
        output(
            format!("{folder}/foreshadowing.json"),
            Some(ForeshadowPlan::SCHEMA),
        ),
        output(
            format!("{folder}/new-characters.json"),
            Some(NewCharacters::SCHEMA),
        ),
        output(
            format!("{folder}/chapter-contracts/"),
            Some(ChapterContract::SCHEMA),
        ),
    ];
    let agent = subagent("plot-architect", Some("plan"), ModelHint::Default);
    Work::by_agent(step, agent, outputs)
}

/// Which chapters are to be planned, and what of the volume is planned already.
fn span_fields(sources: &mut Sources<'_>, span: &PlanSpan) {
    sources.scalar("first_chapter", span.first.get());
    sources.scalar("last_chapter", span.last.get());
    sources.scalar("volume_first_chapter", span.volume_first.get());
    sources.scalar("volume_last_chapter", span.volume_last.get());
    if let Some(draft) = &span.draft {
        let plan = json!(draft.plan);
        sources.computed(
            "planned_so_far",
            DataKind::Summary,
            "novel:planned-so-far",
            plan,
        );
    }
}

/// Where the style is to come from.
fn style_choice(sources: &mut Sources<'_>, book: BookFiles<'_>) {
    let found = StyleChoice::of(book.reader, &book.config.style, book.config.lang());
    let Some(choice) = sources.keep(found) else {
        return;
    };
    if let Some(problem) = unknown_template(&book.config.style, book.config.lang()) {
        sources.problem(problem);
    }
    sources.scalar("style_source", choice.source.word());
    if choice.source == StyleSource::Original {
        sources.list("style_samples", DataKind::StyleSample, &choice.samples);
    }
    let reference = DataKind::Reference;
    if let Some(author) = choice
        .reference
        .filter(|_| choice.source == StyleSource::Reference)
    {
        sources.computed("style_reference", reference, "novel.toml", author.into());
    }
    if let Some(template) = choice.template {
        sources.computed(
            "style_template",
            reference,
            &format!("novel:style/{}", template.name),
            json!(template),
        );
    }
    if let Some(measures) = choice.measures {
        sources.computed(
            "style_measures",
            reference,
            "novel:measures",
            json!(measures),
        );
    }
}

fn plan_inputs(sources: &mut Sources<'_>, book: BookFiles<'_>, volume: VolumeNo) {
    brief(sources);
    let profile = layout::style_profile();
    let need = Need::Required(template_hint());
    sources.json::<StyleProfile>("style_profile", DataKind::StyleSample, &profile, need);
    world(sources);
    research(sources);
    storylines(sources);
    cast(sources);
    let profiles = layout::characters_dir();
    sources.directory(
        "character_profiles",
        DataKind::CharacterProfile,
        &profiles,
        ".md",
    );
    if let Some(previous) = volume.previous() {
        let files = [
            ("previous_volume_outline", layout::outline(previous)),
            ("previous_volume_review", layout::volume_review(previous)),
        ];
        for (field, path) in files {
            sources.text(field, DataKind::Summary, &path, Need::Optional);
        }
    }
    let found = recent_summaries(book.reader, book.checkpoint.next_chapter());
    let summaries = sources.keep(found).unwrap_or_default();
    sources.list("recent_3_summaries", DataKind::Summary, &summaries);
    foreshadowing(sources);
    current_state(sources, book);
    storyline_memories(sources, book);
    people_now(sources, book);
    let truth = sources.json::<Truth>(
        "truth",
        DataKind::Reference,
        &layout::truth(),
        Need::Optional,
    );
    if truth.is_some() {
        let sound = Cast::load(book.reader).and_then(|cast| Knowledge::load(book.reader, &cast));
        sources.keep(sound);
    }
}

/// What every line remembers.
fn storyline_memories(sources: &mut Sources<'_>, book: BookFiles<'_>) {
    let found = Document::<Storylines>::load_value(book.reader, &layout::storylines());
    let lines = sources.keep(found).flatten();
    let paths: Vec<RelPath> = lines
        .iter()
        .flat_map(|lines| &lines.storylines)
        .map(|line| layout::memory(&line.id))
        .collect();
    sources.list("storyline_memories", DataKind::Summary, &paths);
}

/// Where everybody is and what they want.
fn people_now(sources: &mut Sources<'_>, book: BookFiles<'_>) {
    let lang = book.config.lang();
    let found =
        Cast::load(book.reader).and_then(|cast| known::people_now(book.reader, &cast, lang));
    let people = sources.keep(found).unwrap_or_default();
    if people.is_empty() {
        return;
    }
    let (values, lines): (Vec<Value>, Vec<String>) = people.into_iter().unzip();
    let path = layout::state();
    sources.computed_as(
        "people_now",
        DataKind::CharacterProfile,
        path.as_str(),
        values.into(),
        &lines.join("\n"),
    );
}

fn review_inputs(sources: &mut Sources<'_>, book: BookFiles<'_>, volume: VolumeNo) {
    let path = layout::outline(volume);
    let need = Need::Required(message!(
        en: "a volume without an outline cannot be reviewed; plan it with `novel start`",
        zh: "没有大纲的卷无法回顾，请用 `novel start` 规划"
    ));
    let outline = sources.text("current_volume_outline", DataKind::Summary, &path, need);
    let schedule = layout::schedule(volume);
    let kind = DataKind::Reference;
    sources.json::<StorylineSchedule>("storyline_schedule", kind, &schedule, Need::Optional);
    let plan = layout::foreshadowing_plan(volume);
    sources.json::<ForeshadowPlan>("foreshadowing_plan", kind, &plan, Need::Optional);
    storylines(sources);
    foreshadowing(sources);
    current_state(sources, book);
    if let Some(bounds) = outline.and_then(|text| VolumeBounds::of(&parse_outline(&text))) {
        let last = bounds
            .last
            .get()
            .min(book.checkpoint.last_completed_chapter);
        let chapters: Vec<ChapterNo> = (bounds.first.get()..=last)
            .filter_map(ChapterNo::new)
            .collect();
        let summaries: Vec<RelPath> = chapters
            .iter()
            .map(|chapter| layout::summary(*chapter))
            .collect();
        sources.list("summaries", DataKind::Summary, &summaries);
        chapter_scores(sources, book, &chapters);
        volume_report(sources, book, volume, bounds);
    }
}

/// The program's own reports: what the reviewer's advice starts from.
fn volume_report(
    sources: &mut Sources<'_>,
    book: BookFiles<'_>,
    volume: VolumeNo,
    bounds: VolumeBounds,
) {
    let span = Span::volume(volume, bounds, book.checkpoint.last_completed_chapter);
    let gathered = Facts::gather(book.reader, book.config, span);
    let Some(facts) = sources.keep(gathered) else {
        return;
    };
    let (report, lang) = (Report::of(&facts), book.config.lang());
    let findings: Vec<ReportFinding> = report
        .findings()
        .iter()
        .map(|finding| finding.answer(lang))
        .collect();
    let kind = DataKind::Reference;
    let text = report::volume_review(volume, &report, lang);
    sources.computed("volume_report", kind, "novel:volume-report", text.into());
    sources.computed(
        "volume_findings",
        kind,
        "novel:volume-findings",
        json!(findings),
    );
}

/// What the judges said, in short: whole evaluations would drown the reviewer.
fn chapter_scores(sources: &mut Sources<'_>, book: BookFiles<'_>, chapters: &[ChapterNo]) {
    let weights = book.config.weights();
    let mut scores: Vec<Value> = Vec::new();
    for chapter in chapters {
        let path = layout::evaluation(*chapter);
        let loaded = Document::<Evaluation>::load(book.reader, &path);
        if let Some(evaluation) = sources.keep(loaded).flatten() {
            let evaluation = evaluation.get();
            let gate = evaluation
                .metadata
                .as_ref()
                .and_then(|metadata| metadata.gate.as_ref());
            scores.push(json!({
                "chapter": chapter.get(),
                "overall": novel_book::gate::Overall::of(&evaluation.scores, &weights).value(),
                "decision": gate.map(|gate| gate.decision),
                "revisions": gate.map(|gate| gate.revisions),
            }));
        }
    }
    let directory = layout::evaluations_dir();
    sources.computed(
        "chapter_scores",
        DataKind::Reference,
        directory.as_str(),
        scores.into(),
    );
}

fn brief(sources: &mut Sources<'_>) {
    let need = Need::Required(template_hint());
    sources.text("project_brief", DataKind::WorldDoc, &layout::brief(), need);
}

fn research(sources: &mut Sources<'_>) {
    sources.directory(
        "research",
        DataKind::Research,
        &layout::research_dir(),
        ".md",
    );
}

fn world(sources: &mut Sources<'_>) {
    sources.directory(
        "world_docs",
        DataKind::WorldDoc,
        &layout::world_dir(),
        ".md",
    );
    world_rules(sources);
}

/// The cast and how its members stand to each other.
fn cast(sources: &mut Sources<'_>) {
    let kind = DataKind::CharacterProfile;
    sources.directory("characters", kind, &layout::characters_dir(), ".json");
    let relations = layout::relationships();
    sources.text("relationships", kind, &relations, Need::Optional);
}

fn storylines(sources: &mut Sources<'_>) {
    let kind = DataKind::Reference;
    let (lines, spec) = (layout::storylines(), layout::storyline_spec());
    sources.json::<Storylines>("storylines", kind, &lines, Need::Optional);
    sources.json::<StorylineSpec>("storyline_spec", kind, &spec, Need::Optional);
}

fn foreshadowing(sources: &mut Sources<'_>) {
    let path = layout::foreshadowing();
    let kind = DataKind::Reference;
    sources.json::<Foreshadowing>("foreshadowing", kind, &path, Need::Optional);
}
