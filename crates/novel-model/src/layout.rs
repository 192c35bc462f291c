//! Every path of a project, built in one place.

use crate::{ChapterNo, ContentHash, RelPath, RunId, SceneNo, Slug, StepId, VolumeNo};

fn fixed(path: &str) -> RelPath {
    RelPath::trusted(path.to_owned())
}

macro_rules! fixed_paths {
    ($($(#[$doc:meta])* $name:ident = $path:literal;)+) => {
        $($(#[$doc])* #[must_use] pub fn $name() -> RelPath { fixed($path) })+
    };
}

fixed_paths! {
    /// Where the book stands.
    checkpoint = ".checkpoint.json";
    /// The single-writer lock.
    lock_dir = ".novel.lock";
    /// Holder of the lock.
    lock_info = ".novel.lock/info.json";
    /// The write-ahead journal of the transaction under way.
    journal_dir = ".novel.journal";
    /// The directories an agent's program was given, as they were, while it works on them in place.
    agent_area = ".novel.agent.json";
    /// What version control should not see.
    gitignore = ".gitignore";
    /// Configuration.
    config = "novel.toml";
    /// The author's brief.
    brief = "brief.md";
    /// Style fingerprint.
    style_profile = "style-profile.json";
    /// Active style correction.
    style_drift = "style-drift.json";
    /// Style guide for the refiner, optional.
    style_guide = "style-guide.md";
    /// Rubric for the judge, optional.
    quality_rubric = "quality-rubric.md";
    /// Writing methodology for the writer, optional.
    writing_methodology = "writing-methodology.md";
    /// Phrases that smell of AI.
    blacklist = "ai-blacklist.json";
    /// Research notes.
    research_dir = "research";
    /// What stood before the first chapter of an imported book.
    imported_front = "research/imported-front.md";
    /// Texts of the author's own, to learn the style from.
    samples_dir = "samples";
    /// World documents.
    world_dir = "world";
    /// L1 rules.
    world_rules = "world/rules.json";
    /// What really happened and who knows of it.
    truth = "world/truth.json";
    /// Places with ids, containment and travel.
    places = "world/places.json";
    /// Where things lie, in prose.
    world_geography = "world/geography.md";
    /// What happened before, in prose.
    world_history = "world/history.md";
    /// The rules in prose.
    world_rules_text = "world/rules.md";
    /// What was added to the world, and when.
    world_changelog = "world/changelog.md";
    /// Active cast.
    characters_dir = "characters/active";
    /// Retired cast.
    retired_dir = "characters/retired";
    /// Relationships.
    relationships = "characters/relationships.json";
    /// What happened to the cast, for the author.
    characters_changelog = "characters/changelog.md";
    /// All storylines.
    storylines = "storylines/storylines.json";
    /// LS rules.
    storyline_spec = "storylines/storyline-spec.json";
    /// Committed chapters.
    chapters_dir = "chapters";
    /// Which chapters are published or locked.
    marks = "chapters/marks.json";
    /// Committed summaries.
    summaries_dir = "summaries";
    /// Committed evaluations.
    evaluations_dir = "evaluations";
    /// Reviews of committed chapters.
    reviews_dir = "reviews";
    /// Findings the author lets stand.
    waivers = "reviews/waivers.json";
    /// Current state of the story world.
    state = "state/current-state.json";
    /// History of the state.
    state_changelog = "state/changelog.jsonl";
    /// State snapshots.
    state_history_dir = "state/history";
    /// Foreshadowing facts.
    foreshadowing = "foreshadowing/global.json";
    /// Names nobody has registered.
    unknown_entities = "logs/unknown-entities.jsonl";
    /// What was found out about judges.
    judge_probes = "logs/judge-probes.jsonl";
    /// What the author said when a step was done again.
    notes = "logs/notes.jsonl";
    /// Refused writes.
    audit = "logs/audit.jsonl";
    /// The operations on the book, in order, since the older ones were put away.
    operations = "logs/operations.jsonl";
    /// Older operations, compressed.
    older_operations = "logs/operations-older.jsonl.zst";
    /// Running totals, derived.
    progress = "logs/progress.json";
    /// What was read out of the imported chapters, with quotations.
    imported_reading = "logs/imported-reading.json";
    /// Answers that were paid for.
    calls_dir = "logs/calls";
    /// Logs of runs.
    runs_dir = "logs/runs";
    /// What the author told a run from elsewhere, until the run takes it.
    inbox_dir = ".novel.inbox";
    /// The author's wish that the run stops.
    inbox_stop = ".novel.inbox/stop.json";
    /// What model servers refuse.
    endpoints_dir = "logs/endpoints";
    /// The staging area.
    staging_dir = "staging";
    /// Saved instruction packets.
    manifests_dir = "staging/manifests";
    /// Staged verdicts.
    staged_evaluations_dir = "staging/evaluations";
    /// Which artefact belongs to which text.
    staged_bindings_dir = "staging/bindings";
    /// Staged storyline memories.
    staged_storylines_dir = "staging/storylines";
    /// Accepted drafts, and those they were chosen from.
    staged_drafts_dir = "staging/drafts";
    /// What the author asked for, by what it is for.
    notes_dir = "staging/notes";
    /// Chapters in single scenes.
    scenes_dir = "staging/scenes";
    /// Everything that was replaced.
    archive_dir = "archive";
    /// Overridden agent prompts.
    agents_dir = "agents";
    /// The states of the chapter files in which they were compared with the index of recall. In the cache.
    recall_stamps = "~cache/recall-stamps.bin";
    /// What outlines and contracts say of chapters, and the states of their files. In the cache.
    kept_plans = "~cache/plans.json";
    /// Chapters without a hand edit, and the states of their files. In the cache.
    unedited_chapters = "~cache/unedited.json";
}

macro_rules! chapter_paths {
    ($($(#[$doc:meta])* $name:ident = $format:literal;)+) => {
        $($(#[$doc])* #[must_use] pub fn $name(chapter: ChapterNo) -> RelPath {
            RelPath::trusted(format!($format, c = chapter))
        })+
    };
}

chapter_paths! {
    /// The truth of a chapter.
    chapter_json = "chapters/chapter_{c}.json";
    /// Its rendering.
    chapter_markdown = "chapters/chapter-{c}.md";
    /// Its revision status.
    revision = "chapters/chapter_{c}_revision.json";
    /// A reading copy of a revision candidate.
    revised_text = "chapters/chapter_{c}_revised.txt";
    /// Its logic review.
    logic_review = "reviews/chapter_{c}_logic_review.json";
    /// Its consistency report.
    consistency = "reviews/chapter_{c}_consistency.json";
    /// Its summary.
    summary = "summaries/chapter-{c}-summary.md";
    /// Its evaluation.
    evaluation = "evaluations/chapter-{c}-eval.json";
    /// Its cross-references.
    crossref = "state/chapter-{c}-crossref.json";
    /// What it takes for granted, optional.
    claims = "state/chapter-{c}-claims.json";
    /// Its log.
    chapter_log = "logs/chapter-{c}-log.json";
    /// The staged text.
    staged_chapter = "staging/chapters/chapter-{c}.md";
    /// The accepted draft, kept to measure the refinement against.
    staged_draft = "staging/drafts/chapter-{c}.md";
    /// The accepted refined text, kept to measure the polish against.
    staged_refined = "staging/drafts/chapter-{c}-refined.md";
    /// The writer's hints for the summarizer, optional.
    staged_hints = "staging/chapters/chapter-{c}-hints.md";
    /// The staged summary.
    staged_summary = "staging/summaries/chapter-{c}-summary.md";
    /// The staged state delta.
    staged_delta = "staging/state/chapter-{c}-delta.json";
    /// The staged cross-references.
    staged_crossref = "staging/state/chapter-{c}-crossref.json";
    /// The staged claims, optional.
    staged_claims = "staging/state/chapter-{c}-claims.json";
    /// The staged evaluation.
    staged_evaluation = "staging/evaluations/chapter-{c}-eval.json";
    /// The first judge's answer while the second is awaited.
    staged_primary_evaluation = "staging/evaluations/chapter-{c}-eval-primary.json";
    /// Which artefact belongs to which text.
    staged_bindings = "staging/bindings/chapter-{c}.json";
    /// What the author asked for when the chapter was begun.
    staged_note = "staging/notes/chapter-{c}.md";
    /// Directory of staged scenes.
    staged_scenes_dir = "staging/scenes/chapter-{c}";
    /// What the scenes of a chapter are to be.
    staged_scene_plan = "staging/scenes/chapter-{c}/plan.json";
    /// Where an agent that writes files leaves a plan of scenes.
    staged_scene_plan_answer = "staging/scenes/chapter-{c}/plan-answer.json";
}

/// The index of recall for the chapters from `first` on. In the cache.
#[must_use]
pub fn recall_block(first: ChapterNo) -> RelPath {
    RelPath::trusted(format!("{CACHE}recall-{first}.bin"))
}

/// How the names of files in the cache begin. The cache is no part of the project: it lies in the user's cache
/// directory.
const CACHE: &str = "~cache/";

/// Whether a file belongs to the cache.
#[must_use]
pub fn is_cached(path: &RelPath) -> bool {
    path.as_str().starts_with(CACHE)
}

/// The chapter whose text a file holds: its JSON or its Markdown.
#[must_use]
pub fn chapter_of(path: &RelPath) -> Option<ChapterNo> {
    let name = path.as_str().strip_prefix("chapters/")?;
    let json = name
        .strip_prefix("chapter_")
        .and_then(|name| name.strip_suffix(".json"));
    let markdown = || name.strip_prefix("chapter-")?.strip_suffix(".md");
    json.or_else(markdown)?.parse().ok()
}

/// A staged scene.
#[must_use]
pub fn staged_scene(chapter: ChapterNo, scene: SceneNo) -> RelPath {
    RelPath::trusted(format!(
        "staging/scenes/chapter-{chapter}/scene-{scene}.json"
    ))
}

/// What the author asked for when a scene was to be written.
#[must_use]
pub fn staged_scene_note(chapter: ChapterNo, scene: SceneNo) -> RelPath {
    RelPath::trusted(format!("staging/notes/chapter-{chapter}-scene-{scene}.md"))
}

/// One of several drafts of a chapter.
#[must_use]
pub fn staged_candidate(chapter: ChapterNo, number: u32) -> RelPath {
    RelPath::trusted(format!(
        "staging/drafts/chapter-{chapter}-draft-{number}.md"
    ))
}

/// Where an agent that writes files leaves a scene.
#[must_use]
pub fn staged_scene_answer(chapter: ChapterNo, scene: SceneNo) -> RelPath {
    RelPath::trusted(format!(
        "staging/scenes/chapter-{chapter}/scene-{scene}-answer.md"
    ))
}

/// Where a cover image may lie.
#[must_use]
pub fn covers() -> [RelPath; 3] {
    ["cover.jpg", "cover.jpeg", "cover.png"].map(fixed)
}

/// Where a file of the book is staged before it is accepted.
#[must_use]
pub fn staged(path: &RelPath) -> RelPath {
    RelPath::trusted(format!("staging/{path}"))
}

/// The state as it was at the end of a volume.
#[must_use]
pub fn state_snapshot(volume: VolumeNo) -> RelPath {
    RelPath::trusted(format!("state/history/vol-{volume}-state.json"))
}

/// The storyline memory.
#[must_use]
pub fn memory(storyline: &Slug) -> RelPath {
    RelPath::trusted(format!("storylines/{storyline}/memory.md"))
}

/// The staged storyline memory.
#[must_use]
pub fn staged_memory(storyline: &Slug) -> RelPath {
    RelPath::trusted(format!("staging/storylines/{storyline}/memory.md"))
}

/// A character's record.
#[must_use]
pub fn character(id: &Slug) -> RelPath {
    RelPath::trusted(format!("characters/active/{id}.json"))
}

/// A retired character's record.
#[must_use]
pub fn retired_character(id: &Slug) -> RelPath {
    RelPath::trusted(format!("characters/retired/{id}.json"))
}

/// A retired character's profile in prose.
#[must_use]
pub fn retired_profile(id: &Slug) -> RelPath {
    RelPath::trusted(format!("characters/retired/{id}.md"))
}

/// A character's profile in prose.
#[must_use]
pub fn character_profile(id: &Slug) -> RelPath {
    RelPath::trusted(format!("characters/active/{id}.md"))
}

/// A volume's directory.
#[must_use]
pub fn volume_dir(volume: VolumeNo) -> RelPath {
    RelPath::trusted(format!("volumes/vol-{volume}"))
}

/// A volume's staged plan.
#[must_use]
pub fn staged_volume_dir(volume: VolumeNo) -> RelPath {
    RelPath::trusted(format!("staging/volumes/vol-{volume}"))
}

/// A volume's staged review.
#[must_use]
pub fn staged_volume_review(volume: VolumeNo) -> RelPath {
    RelPath::trusted(format!("staging/volumes/vol-{volume}/review.md"))
}

/// A volume that is being planned, as far as it is planned.
#[must_use]
pub fn plan_draft(volume: VolumeNo) -> RelPath {
    RelPath::trusted(format!("staging/volumes/vol-{volume}/plan.json"))
}

/// Where an agent that writes files leaves the people of a plan. Not beside the plan, all of which
/// goes into the book.
#[must_use]
pub fn staged_newcomers_answer(volume: VolumeNo) -> RelPath {
    RelPath::trusted(format!("staging/characters/vol-{volume}-answer.json"))
}

macro_rules! volume_paths {
    ($($(#[$doc:meta])* $name:ident = $file:literal;)+) => {
        $($(#[$doc])* #[must_use] pub fn $name(volume: VolumeNo) -> RelPath {
            RelPath::trusted(format!(concat!("volumes/vol-{}/", $file), volume))
        })+
    };
}

volume_paths! {
    /// A volume's outline.
    outline = "outline.md";
    /// A volume's storyline schedule.
    schedule = "storyline-schedule.json";
    /// A volume's foreshadowing plan.
    foreshadowing_plan = "foreshadowing.json";
    /// A volume's new characters.
    new_characters = "new-characters.json";
    /// A volume's review.
    volume_review = "review.md";
    /// A volume's chapter contracts.
    contracts_dir = "chapter-contracts";
}

/// A chapter's L3 contract.
#[must_use]
pub fn contract(volume: VolumeNo, chapter: ChapterNo) -> RelPath {
    RelPath::trusted(format!(
        "volumes/vol-{volume}/chapter-contracts/chapter-{chapter}.json"
    ))
}

/// What the author wants of a step that is done again; goes when the step is done.
#[must_use]
pub fn author_note(step: StepId) -> RelPath {
    RelPath::trusted(format!("staging/notes/{}.md", step.file_stem()))
}

/// A saved instruction packet.
#[must_use]
pub fn manifest(step: StepId) -> RelPath {
    RelPath::trusted(format!("staging/manifests/{}.json", step.file_stem()))
}

/// A saved instruction packet of a key chapter's second judge.
#[must_use]
pub fn secondary_manifest(step: StepId) -> RelPath {
    RelPath::trusted(format!(
        "staging/manifests/{}-secondary.json",
        step.file_stem()
    ))
}

/// What a model server refuses of a model, by the hash of all of it.
#[must_use]
pub fn endpoint(hash: &ContentHash) -> RelPath {
    let digits: String = hash
        .as_str()
        .chars()
        .skip("blake3:".len())
        .take(16)
        .collect();
    RelPath::trusted(format!("logs/endpoints/{digits}.json"))
}

/// The log of a run.
#[must_use]
pub fn run_log(run: RunId) -> RelPath {
    RelPath::trusted(format!("{}/{run}.jsonl", runs_dir()))
}

/// A note in the inbox, by its number there.
#[must_use]
pub fn inbox_note(number: u32) -> RelPath {
    RelPath::trusted(format!("{}/tell-{number:04}.json", inbox_dir()))
}

/// Where a file of the inbox lies until it is whole.
#[must_use]
pub fn inbox_draft(path: &RelPath, process: u32) -> RelPath {
    RelPath::trusted(format!("{}/.{}.{process}", inbox_dir(), path.file_name()))
}

/// The kept answers of a step.
#[must_use]
pub fn calls_of(step: StepId) -> RelPath {
    RelPath::trusted(format!("logs/calls/{}", step.file_stem()))
}

/// A kept answer of an agent.
#[must_use]
pub fn call(step: StepId, id: &str) -> RelPath {
    RelPath::trusted(format!("logs/calls/{}/{id}.json", step.file_stem()))
}

/// An answer that is about to be kept: seen by the next process, but perhaps not durable.
#[must_use]
pub fn fresh_call(step: StepId, id: &str) -> RelPath {
    RelPath::trusted(format!("logs/calls/{}/{id}.new", step.file_stem()))
}

/// The mark that a kept answer was not usable.
#[must_use]
pub fn rejected_call(step: StepId, id: &str) -> RelPath {
    RelPath::trusted(format!(
        "logs/calls/{}/{id}.rejected.json",
        step.file_stem()
    ))
}

/// How many chapters have their used answers in one file.
const CHAPTERS_TOGETHER: u32 = 10;

/// The answers of a chapter, a volume or the set-up that were used, compressed.
#[must_use]
pub fn used_calls(step: StepId) -> RelPath {
    let whole = match step {
        StepId::Chapter(chapter, _) => format!("chapter-{chapter}"),
        StepId::Volume(volume, _) => format!("volume-{volume}"),
        StepId::Quickstart(_) => "quickstart".to_owned(),
    };
    RelPath::trusted(format!("logs/calls/{whole}.jsonl.zst"))
}

/// The used answers of ten chapters, compressed together once all ten are written.
#[must_use]
pub fn used_calls_together(chapter: ChapterNo) -> RelPath {
    let first = (chapter.get() - 1) / CHAPTERS_TOGETHER * CHAPTERS_TOGETHER + 1;
    let last = first + CHAPTERS_TOGETHER - 1;
    RelPath::trusted(format!(
        "logs/calls/chapters-{first:04}-{last:04}.jsonl.zst"
    ))
}

/// The chapters whose used answers are put into one file when `chapter` is written.
pub fn chapters_together_before(chapter: ChapterNo) -> impl Iterator<Item = ChapterNo> {
    let before = chapter.get() - 1;
    let begins = before > 0 && before.is_multiple_of(CHAPTERS_TOGETHER);
    let first = before.saturating_sub(CHAPTERS_TOGETHER - 1);
    let chapters = begins.then_some(first..=before);
    chapters.into_iter().flatten().filter_map(ChapterNo::new)
}

/// A file with replaced contents, by its number.
#[must_use]
pub fn pack(number: u32) -> RelPath {
    RelPath::trusted(format!("archive/pack-{number:04}.bin"))
}

/// Where files are kept that were edited while an operation was interrupted. Older versions kept here
/// all that an operation replaced.
#[must_use]
pub fn archived_operation(operation: u64, label: &str) -> RelPath {
    let label: String = label
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    RelPath::trusted(format!("archive/{operation:06}-{label}"))
}

/// Where files are kept that an agent's program wrote outside its boundary.
#[must_use]
pub fn foreign_writes(number: u64) -> RelPath {
    RelPath::trusted(format!("archive/foreign-writes/{number:03}"))
}

/// The place there of a file whose own name is no name of a project file; `name` is made of digits and
/// letters.
#[must_use]
pub fn odd_foreign_write(quarantine: &RelPath, name: &str) -> RelPath {
    RelPath::trusted(format!("{quarantine}/odd-names/{name}"))
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
