//! The fields of chapter agents, one method per field or pair of fields.

use std::rc::Rc;

use novel_model::{
    ChapterNo, Document, Explain, Message, QuickstartPhase, RelPath, SceneNo, Slug, StepId,
    VolumeNo,
    files::{
        Blacklist, ChapterContract, CrossReferences, Evaluation, ForwardRepair, GeneratedChapter,
        Manifest, Marks, StoryState, StorylineSchedule, StorylineSpec, StyleProfile, WorldRules,
    },
    layout, message,
};
use novel_text::DataKind;
use serde_json::{Value, json};

use super::{
    BookFiles, PacketMode,
    sources::{Need, Sources},
    told::Threads,
};
use crate::guides::Guide;
use novel_book::{
    believe::verdict::Contracts,
    context::{
        Cast, ChapterContext, ContextError, active_drift, blacklist_lint, directives,
        hard_rules_list, memories, missing, previous_summary, recent_summaries,
    },
    gate,
    scenes::{NotMergeable, SceneDraft},
};
use novel_story::check::{CheckInput, Waivers, candidates, check_chapter, state_around, to_report};

/// Phrases shown to the writer first.
const TOP_WORDS: usize = 10;

/// The fields of one chapter step. A problem in one field does not hide those of the others.
pub(super) struct Fields<'a> {
    pub(super) book: BookFiles<'a>,
    pub(super) volume: VolumeNo,
    pub(super) chapter: ChapterNo,
    pub(super) sources: Sources<'a>,
    pub(super) context: Option<ChapterContext>,
    cast: Option<Rc<Cast>>,
    pub(super) foreshadowing: Option<Threads>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        book: BookFiles<'a>,
        volume: VolumeNo,
        chapter: ChapterNo,
        mode: PacketMode,
    ) -> Self {
        let mut sources = Sources::new(book.reader, mode);
        sources.scalar("chapter", chapter.get());
        sources.scalar("volume", volume.get());
        Self {
            book,
            volume,
            chapter,
            sources,
            context: None,
            cast: None,
            foreshadowing: None,
        }
    }

    pub(super) fn finish(self) -> Result<Manifest, ContextError> {
        self.sources.finish()
    }

    /// Outline block, contract and schedule: what every agent's chapter is measured by.
    pub(super) fn load_chapter(&mut self) {
        let lang = self.book.config.lang();
        let loaded = ChapterContext::load(self.book.reader, self.volume, self.chapter, lang);
        self.context = self.sources.keep(loaded);
        if let Some(storyline) = self.storyline_id() {
            self.sources.scalar("storyline_id", storyline.as_str());
        }
    }

    /// The chapter's line, once [`Fields::load_chapter`] has found it.
    pub(super) fn storyline_id(&self) -> Option<Slug> {
        self.contract()
            .map(|contract| contract.storyline_id.clone())
    }

    pub(super) fn is_key_chapter(&self) -> bool {
        self.context
            .as_ref()
            .is_some_and(ChapterContext::is_key_chapter)
    }

    pub(super) fn two_judges(&mut self) {
        self.sources.scalar("key_chapter", true);
        self.sources.scalar("judges", 2);
    }

    /// The ids a verdict must have a check for.
    pub(super) fn checks(&mut self) {
        let loaded = Contracts::load(self.book.reader, self.volume, self.chapter);
        if let Some(contracts) = self.sources.keep(loaded) {
            let ids: Vec<&String> = contracts.ids().collect();
            self.sources.scalar("checks", json!(ids));
        }
    }

    pub(super) fn contract(&self) -> Option<&ChapterContract> {
        self.context.as_ref().map(|context| context.contract.get())
    }

    pub(super) fn brief(&mut self) {
        let need = Need::Required(template_hint());
        self.sources
            .text("project_brief", DataKind::WorldDoc, &layout::brief(), need);
    }

    /// What the author asked for when the chapter was begun.
    pub(super) fn author_note(&mut self) {
        self.author_notes(Vec::new());
    }

    /// Like [`Fields::author_note`], with what was asked for a single scene.
    pub(super) fn author_note_for(&mut self, scene: SceneNo) {
        self.author_notes(vec![layout::staged_scene_note(self.chapter, scene)]);
    }

    fn author_notes(&mut self, more: Vec<RelPath>) {
        let mut paths = Vec::new();
        if self.book.checkpoint.trial_until.is_some() {
            let trial = StepId::Quickstart(QuickstartPhase::Trial);
            paths.push(layout::author_note(trial));
        }
        paths.push(layout::staged_note(self.chapter));
        paths.extend(more);
        author_note(&mut self.sources, &paths);
    }

    /// What the author asked for, as given.
    pub(super) fn author_says(&mut self, note: &str) {
        let kind = DataKind::Reference;
        self.sources
            .computed("author_notes", kind, "novel:author", note.into());
    }

    /// What walled chapters got wrong, for the writer of a chapter after them.
    pub(super) fn forward_repairs(&mut self) {
        let chapter = self.chapter;
        forward_repairs(&mut self.sources, |repair| {
            repair.told_chapter.is_none() && repair.chapter < chapter
        });
    }

    pub(super) fn style_profile(&mut self) {
        let need = Need::Required(template_hint());
        let path = layout::style_profile();
        self.sources
            .json::<StyleProfile>("style_profile", DataKind::StyleSample, &path, need);
    }

    /// The correction and its directives, only while it is active.
    pub(super) fn style_drift(&mut self) {
        let drift = active_drift(self.book.reader);
        if let Some(drift) = self.sources.keep(drift).flatten() {
            let path = layout::style_drift();
            self.sources
                .text("style_drift", DataKind::Reference, &path, Need::Optional);
            let directives = json!(directives(drift.get()));
            self.derived(
                "style_drift_directives",
                DataKind::Reference,
                &path,
                directives,
            );
        }
    }

    /// The blacklist as a file.
    pub(super) fn blacklist(&mut self) -> Option<Document<Blacklist>> {
        let need = Need::Required(template_hint());
        self.sources.json(
            "ai_blacklist",
            DataKind::Reference,
            &layout::blacklist(),
            need,
        )
    }

    /// The phrases that count, and the first of them.
    pub(super) fn blacklist_words(&mut self) {
        let path = layout::blacklist();
        let loaded = Document::<Blacklist>::require(self.book.reader, &path, template_hint());
        if let Some(blacklist) = self.sources.keep(loaded) {
            let words = blacklist.get().effective_words();
            let top = json!(words.iter().take(TOP_WORDS).collect::<Vec<_>>());
            let kind = DataKind::Reference;
            self.derived("ai_blacklist_effective_words", kind, &path, json!(words));
            self.derived("ai_blacklist_top10", kind, &path, top);
        }
    }

    pub(super) fn blacklist_lint(
        &mut self,
        text: Option<&str>,
        blacklist: Option<&Document<Blacklist>>,
    ) {
        if let (Some(text), Some(blacklist)) = (text, blacklist) {
            let report = json!(blacklist_lint(text, blacklist.get()));
            let path = layout::staged_chapter(self.chapter);
            self.derived("blacklist_lint", DataKind::Reference, &path, report);
        }
    }

    pub(super) fn volume_outline(&mut self) {
        // A missing outline is reported with its expected form by `load_chapter`.
        let path = layout::outline(self.volume);
        let kind = DataKind::Summary;
        self.sources
            .text("current_volume_outline", kind, &path, Need::Optional);
    }

    /// The block under both of its names.
    pub(super) fn chapter_outline(&mut self) {
        if let Some(context) = &self.context {
            let (path, block) = (context.outline.path.clone(), context.outline.block.clone());
            for field in ["chapter_outline", "chapter_outline_block"] {
                self.derived(field, DataKind::Summary, &path, block.clone().into());
            }
        }
    }

    /// Where the line stands, how it hands over, what it and its neighbours remember.
    pub(super) fn storyline(&mut self) {
        let Some(context) = self.context.clone() else {
            return;
        };
        let path = layout::contract(self.volume, self.chapter);
        let written = context.contract.raw();
        let parts = [
            ("storyline_context", written.get("storyline_context")),
            (
                "concurrent_state",
                written.pointer("/storyline_context/concurrent_state"),
            ),
            ("transition_hint", written.get("transition_hint")),
        ];
        for (field, value) in parts {
            if let Some(value) = value.filter(|value| !value.is_null()) {
                self.derived(field, DataKind::Reference, &path, value.clone());
            }
        }
        let schedule = context.schedule.as_ref().map(Document::get);
        let found = memories(
            self.book.reader,
            self.chapter,
            context.contract.get(),
            schedule,
        );
        if let Some(memories) = self.sources.keep(found) {
            self.sources.list(
                "adjacent_storyline_memories",
                DataKind::Summary,
                &memories.adjacent,
            );
        }
    }

    /// What the chapter's own line remembers, if it has been on stage.
    pub(super) fn storyline_memory(&mut self) {
        if let Some(line) = self.storyline_id() {
            let path = layout::memory(&line);
            let kind = DataKind::Summary;
            self.sources
                .text("storyline_memory", kind, &path, Need::Optional);
        }
    }

    pub(super) fn recent_summaries(&mut self) {
        let found = recent_summaries(self.book.reader, self.chapter);
        let paths = self.sources.keep(found).unwrap_or_default();
        self.sources
            .list("recent_3_summaries", DataKind::Summary, &paths);
    }

    pub(super) fn previous_summary(&mut self) {
        if let Some(path) = previous_summary(self.chapter) {
            self.sources
                .text("prev_summary", DataKind::Summary, &path, Need::Optional);
        }
    }

    pub(super) fn current_state(&mut self) {
        current_state(&mut self.sources, self.book);
    }

    pub(super) fn chapter_contract(&mut self) {
        // A missing or broken contract is reported by `load_chapter`.
        let path = layout::contract(self.volume, self.chapter);
        self.sources.text(
            "chapter_contract",
            DataKind::Reference,
            &path,
            Need::Optional,
        );
    }

    /// All rules as a file, and the hard ones as a list.
    pub(super) fn world_rules(&mut self) {
        world_rules(&mut self.sources);
    }

    pub(super) fn entity_id_map(&mut self) {
        if let Some(cast) = self.cast() {
            let path = layout::characters_dir();
            let map = Value::Object(cast.entity_id_map());
            self.derived("entity_id_map", DataKind::CharacterProfile, &path, map);
            let aliases = cast.alias_map();
            if !aliases.is_empty() {
                let kind = DataKind::CharacterProfile;
                self.derived("entity_aliases", kind, &path, Value::Object(aliases));
            }
        }
    }

    pub(super) fn character_contracts(&mut self) {
        if let (Some(cast), Some(selected)) = (self.cast(), self.selected()) {
            let path = layout::characters_dir();
            let contracts = cast.contracts(&selected, self.chapter);
            self.derived(
                "character_contracts",
                DataKind::CharacterProfile,
                &path,
                contracts,
            );
        }
    }

    pub(super) fn cast(&mut self) -> Option<Rc<Cast>> {
        if self.cast.is_none() {
            let loaded = Cast::load(self.book.reader);
            self.cast = self.sources.keep(loaded).map(Rc::new);
        }
        self.cast.clone()
    }

    pub(super) fn selected(&mut self) -> Option<Vec<Slug>> {
        let cast = self.cast()?;
        let contract = self.contract()?;
        let selected = cast.select(self.book.reader, self.volume, self.chapter, contract);
        self.sources.keep(selected)
    }

    /// The rules of storylines and the volume's schedule, where they exist.
    pub(super) fn storyline_rules(&mut self) {
        let (kind, spec) = (DataKind::Reference, layout::storyline_spec());
        self.sources
            .json::<StorylineSpec>("storyline_spec", kind, &spec, Need::Optional);
        let schedule = layout::schedule(self.volume);
        let need = Need::Optional;
        self.sources
            .json::<StorylineSchedule>("storyline_schedule", kind, &schedule, need);
    }

    pub(super) fn cross_references(&mut self) {
        let need = Need::Required(earlier_step(self.chapter, "summarize"));
        let path = layout::staged_crossref(self.chapter);
        let kind = DataKind::Reference;
        self.sources
            .json::<CrossReferences>("cross_references", kind, &path, need);
    }

    /// The staged chapter.
    pub(super) fn staged_text(&mut self) -> Option<String> {
        let need = Need::Required(earlier_step(self.chapter, "draft"));
        let path = layout::staged_chapter(self.chapter);
        self.sources
            .text("chapter_content", DataKind::ChapterContent, &path, need)
    }

    /// The staged chapter, which may not be there yet where it is only named.
    pub(super) fn awaited_text(&mut self) {
        let hint = earlier_step(self.chapter, "draft");
        let path = layout::staged_chapter(self.chapter);
        let kind = DataKind::ChapterContent;
        self.sources.awaited("chapter_content", kind, &path, hint);
    }

    /// The plan of the scenes, the end of the scene before, and how long this one may be.
    pub(super) fn scene(&mut self, scene: SceneNo) {
        let path = layout::staged_scene_plan(self.chapter);
        let read = SceneDraft::read(self.book.reader, self.chapter);
        let Some(draft) = self.sources.keep(read) else {
            return;
        };
        let Some(draft) = draft else {
            let none = NotMergeable::NoPlan {
                chapter: self.chapter,
            };
            let hint = none.hint().unwrap_or_default();
            self.sources.problem(missing(&path, hint));
            return;
        };
        let kind = DataKind::Reference;
        self.sources.text("scene_plan", kind, &path, Need::Optional);
        if let (Some(tail), Some(before)) = (draft.tail_before(scene), scene.previous()) {
            let path = layout::staged_scene(self.chapter, before);
            self.derived(
                "previous_scene",
                DataKind::ChapterContent,
                &path,
                tail.into(),
            );
        }
        let budget = draft.budget(scene, &self.book.config.chapter);
        self.sources.scalar("scene", scene.get());
        self.sources.scalar("scenes", draft.planned().len());
        self.sources.scalar("scene_words", budget.scene);
        self.sources.scalar("words_left", budget.left);
    }

    pub(super) fn committed_chapter(&mut self) {
        let chapter = self.chapter.get();
        let need = Need::Required(message!(
            en: "chapter {chapter} must be in the book first: `novel commit --chapter {chapter}`",
            zh: "第 {chapter} 章须先提交：`novel commit --chapter {chapter}`"
        ));
        let path = layout::chapter_json(self.chapter);
        let kind = DataKind::ChapterContent;
        self.sources
            .json::<GeneratedChapter>("chapter_content", kind, &path, need);
    }

    /// The state right before the chapter and what the chapter changed in it, where the changelog
    /// tells.
    pub(super) fn state_around(&mut self) {
        let found = state_around(self.book.reader, self.chapter);
        if let Some(around) = self.sources.keep(found).flatten() {
            let (path, kind) = (layout::state_changelog(), DataKind::Reference);
            self.derived("state_before", kind, &path, around.before);
            self.derived("state_changes", kind, &path, around.changes.into());
        }
    }

    /// What the story checker has proved; always computed, so that it belongs to the text as it is.
    pub(super) fn deterministic_report(&mut self) {
        let (reader, lang) = (self.book.reader, self.book.config.lang());
        let checked = check_chapter(CheckInput {
            reader,
            config: self.book.config,
            chapter: self.chapter,
            volume: self.volume,
        });
        let waivers = Waivers::load(reader);
        let (checked, waivers) = (self.sources.keep(checked), self.sources.keep(waivers));
        if let (Some(findings), Some(waivers)) = (checked, waivers) {
            let report = to_report(self.chapter, &findings, &waivers, lang);
            let shown = json!({"issues": report.issues, "summary": report.summary});
            let path = layout::consistency(self.chapter);
            self.derived("deterministic_report", DataKind::Reference, &path, shown);
        }
    }

    /// Sentences that may contradict the record, for the closed question.
    pub(super) fn candidates(&mut self) {
        let found = candidates(CheckInput {
            reader: self.book.reader,
            config: self.book.config,
            chapter: self.chapter,
            volume: self.volume,
        });
        let Some(found) = self.sources.keep(found).filter(|found| !found.is_empty()) else {
            return;
        };
        let shown: Vec<Value> = found
            .iter()
            .map(|one| {
                json!({
                    "number": one.number,
                    "about": one.subject,
                    "why": one.doubt.as_str(),
                    "sentence": one.place.quotation,
                    "record": one.fact.quotation,
                })
            })
            .collect();
        let path = layout::chapter_json(self.chapter);
        self.derived("candidates", DataKind::ChapterContent, &path, shown.into());
    }

    /// A text to be revised and what must change in it, both as given.
    pub(super) fn revision(&mut self, chapter: &GeneratedChapter, notes: &str) {
        let (text, report) = (
            layout::chapter_json(self.chapter),
            layout::revision(self.chapter),
        );
        let kind = DataKind::ChapterContent;
        self.derived("chapter_content", kind, &text, json!(chapter));
        self.derived("revision_notes", DataKind::Reference, &report, notes.into());
    }

    /// What the writer noted about changes of state, if anything.
    pub(super) fn hints(&mut self) {
        let path = layout::staged_hints(self.chapter);
        self.sources
            .text("hints", DataKind::Reference, &path, Need::Optional);
    }

    /// What the staged evaluation asks for.
    pub(super) fn revision_instructions(&mut self) {
        let path = layout::staged_evaluation(self.chapter);
        let hint = earlier_step(self.chapter, "judge");
        let loaded = Document::<Evaluation>::require(self.book.reader, &path, hint);
        if let Some(evaluation) = self.sources.keep(loaded) {
            let fixes = json!(gate::revision_instructions(
                evaluation.get(),
                self.book.config.lang()
            ));
            let violations = json!(gate::forcing_violations(evaluation.get()));
            let kind = DataKind::Reference;
            self.derived("required_fixes", kind, &path, fixes);
            self.derived("high_confidence_violations", kind, &path, violations);
        }
    }

    pub(super) fn guide(&mut self, guide: Guide) {
        self.sources.guide(guide, self.book.config.lang());
    }

    /// A value derived from the file at `path`.
    pub(super) fn derived(&mut self, field: &str, kind: DataKind, path: &RelPath, value: Value) {
        self.sources.computed(field, kind, path.as_str(), value);
    }
}

/// The state of the story world; before the first chapter an empty one.
pub(super) fn current_state(sources: &mut Sources<'_>, book: BookFiles<'_>) {
    let (path, kind) = (layout::state(), DataKind::Reference);
    let fresh = book.checkpoint.last_completed_chapter == 0;
    let need = if fresh {
        Need::Optional
    } else {
        Need::Required(message!(
            en: "rebuild it from the changelog with `novel doctor --fix`",
            zh: "请用 `novel doctor --fix` 从变更日志重建"
        ))
    };
    let found = sources.json::<StoryState>("current_state", kind, &path, need);
    if fresh && found.is_none() {
        sources.computed(
            "current_state",
            kind,
            path.as_str(),
            json!(StoryState::initial()),
        );
    }
}

/// What the author asked for: the notes that are there, in a section of their own.
pub(super) fn author_note(sources: &mut Sources<'_>, paths: &[RelPath]) {
    let mut notes = Vec::new();
    for path in paths {
        let read = sources.reader().text(path);
        let note = sources.keep(read).flatten().unwrap_or_default();
        if !note.trim().is_empty() {
            notes.push(note.trim().to_owned());
        }
    }
    if !notes.is_empty() {
        let kind = DataKind::Reference;
        sources.computed(
            "author_notes",
            kind,
            "novel:author",
            notes.join("\n\n").into(),
        );
    }
}

/// What walled chapters got wrong and nobody was told to explain yet.
pub(super) fn forward_repairs(
    sources: &mut Sources<'_>,
    is_untold: impl Fn(&ForwardRepair) -> bool,
) {
    let path = layout::marks();
    let loaded = Document::<Marks>::load(sources.reader(), &path);
    let Some(marks) = sources.keep(loaded).flatten() else {
        return;
    };
    let untold = marks.get().forward_repairs.iter();
    let shown: Vec<Value> = untold
        .filter(|repair| is_untold(repair))
        .map(|repair| {
            json!({"chapter": repair.chapter, "problem": repair.issue.description,
                "evidence": repair.issue.evidence, "wanted": repair.issue.fix_instructions})
        })
        .collect();
    if !shown.is_empty() {
        let kind = DataKind::Reference;
        sources.computed("forward_repairs", kind, path.as_str(), shown.into());
    }
}

/// All world rules as a file, and the hard ones as a list.
pub(super) fn world_rules(sources: &mut Sources<'_>) {
    let (path, kind) = (layout::world_rules(), DataKind::WorldDoc);
    sources.json::<WorldRules>("world_rules", kind, &path, Need::Optional);
    let rules = hard_rules_list(sources.reader());
    if let Some(rules) = sources.keep(rules) {
        sources.computed("hard_rules_list", kind, path.as_str(), json!(rules));
    }
}

/// How to get a file that every project starts with.
pub(super) fn template_hint() -> Message {
    message!(
        en: "`novel init` writes a template of it for a new book, `novel doctor --fix` for this one; fill it in, then run the command again",
        zh: "新书由 `novel init` 生成模板，现有的书用 `novel doctor --fix` 补上；填写后重新运行命令"
    )
}

/// How to get a file that an earlier step writes.
fn earlier_step(chapter: ChapterNo, stage: &str) -> Message {
    message!(
        en: "it is the output of `chapter:{chapter}:{stage}`: see `novel instructions chapter:{chapter}:{stage}`; `novel next` tells which step is due",
        zh: "它由 `chapter:{chapter}:{stage}` 产生：见 `novel instructions chapter:{chapter}:{stage}`；`novel next` 会给出当前步骤"
    )
}
