//! The single checks, each over values read once.

use novel_book::{
    brief::Brief,
    changelog::{self, Entry},
    config::Config,
    edit::Edit,
    foreshadow, manuscript,
    next::NoStep,
    ops,
};
use novel_model::{
    BookReader, ChapterNo, Document, Explain, Format, Lang, Problem, RelPath, VolumeNo,
    files::{
        Bindings, Blacklist, ChapterContract, Character, Checkpoint, Claims, CrossReferences,
        Evaluation, ForeshadowPlan, Foreshadowing, GeneratedChapter, OrchestratorState,
        PipelineStage, Progress, ScenePlan, StagedScene, StateDelta, StoryState, StorylineSchedule,
        StorylineSpec, Storylines, StyleDrift, StyleProfile, WorldRules,
    },
    layout, message,
    seal::{self, Seal},
    to_json_text,
};
use novel_store::Store;

use super::{Examination, answers, encoding, records, text_of};
use crate::{
    BookError, Clock, Project, setup::init, write::advance::stamp_checkpoint, write::commit,
};

/// Looks everything over.
pub(super) fn examine(
    store: &Store,
    reader: &dyn BookReader,
    clock: Clock,
) -> Result<Examination, BookError> {
    let mut examination = Examination::default();
    records::load(reader, &mut examination);
    encoding::examine(reader, &mut examination);
    let config = configuration(reader, &mut examination);
    let lang = config.lang();
    let project = Project::with_config(store.clone(), config, clock);
    templates(reader, lang, &mut examination)?;
    single_files(reader, &mut examination);
    if matches!(reader.read(&layout::checkpoint()), Ok(None)) {
        examination.report(
            Problem::new(
                "missing",
                &layout::checkpoint(),
                message!(en: "the file is missing", zh: "缺少该文件"),
            )
            .hint(message!(
                en: "restore it from a backup",
                zh: "请用备份恢复"
            )),
        );
    }
    staged_files(reader, &mut examination);
    logs(reader, &mut examination);
    if let Some(checkpoint) = sound::<Checkpoint>(reader, &layout::checkpoint(), &mut examination) {
        contradiction(&project, reader, &checkpoint, &mut examination)?;
        let last = checkpoint.get().last_completed_chapter;
        volumes(reader, checkpoint.get().current_volume, &mut examination);
        chapters(reader, last, lang, &mut examination)?;
        progress(reader, last, &mut examination)?;
        records::beyond_last(reader, last, &mut examination);
    }
    state(reader, &mut examination);
    answers::examine(reader, &mut examination);
    records::compare(reader, &mut examination);
    Ok(examination)
}

fn configuration(reader: &dyn BookReader, examination: &mut Examination) -> Config {
    let text = text_of(reader, &layout::config()).unwrap_or_default();
    match Config::parse(&text) {
        Ok((config, warnings)) => {
            for warning in warnings {
                examination.report(Problem::new(
                    "unknown_key",
                    &layout::config(),
                    warning.message,
                ));
            }
            config
        }
        Err(error) => {
            error
                .problems()
                .iter()
                .cloned()
                .for_each(|problem| examination.report(problem));
            Config::default()
        }
    }
}

fn templates(
    reader: &dyn BookReader,
    lang: Lang,
    examination: &mut Examination,
) -> Result<(), BookError> {
    let brief = Brief::default().render(lang);
    let files = init::templates(lang)
        .into_iter()
        .chain([(layout::brief(), brief)]);
    for (path, text) in files {
        // A file that is there but cannot be read was reported with its encoding.
        if !matches!(reader.read(&path), Ok(None)) {
            continue;
        }
        // A log that does not tell how the book began does not tell that it was a template.
        let is_untold = examination.known.records.get(&path).is_none()
            && !examination.known.log.operations.is_empty();
        if is_untold {
            examination.report(records::lost(&path));
        } else {
            examination.proven(
                Problem::new(
                    "missing",
                    &path,
                    message!(en: "the file is missing", zh: "缺少该文件"),
                ),
                message!(en: "create it from a template", zh: "用模板新建该文件"),
                path.clone(),
                text,
            );
        }
    }
    Ok(())
}

/// A document, its problems reported.
fn sound<T: Format>(
    reader: &dyn BookReader,
    path: &RelPath,
    examination: &mut Examination,
) -> Option<Document<T>> {
    // What cannot be read as text was reported with its encoding.
    let text = text_of(reader, path)?;
    match Document::parse(path, &text) {
        Ok(document) => Some(document),
        Err(error) => {
            error
                .problems()
                .iter()
                .cloned()
                .for_each(|problem| examination.report(problem));
            None
        }
    }
}

fn single_files(reader: &dyn BookReader, examination: &mut Examination) {
    sound::<StyleProfile>(reader, &layout::style_profile(), examination);
    sound::<StyleDrift>(reader, &layout::style_drift(), examination);
    sound::<Blacklist>(reader, &layout::blacklist(), examination);
    sound::<WorldRules>(reader, &layout::world_rules(), examination);
    sound::<Storylines>(reader, &layout::storylines(), examination);
    sound::<StorylineSpec>(reader, &layout::storyline_spec(), examination);
    sound::<Foreshadowing>(reader, &layout::foreshadowing(), examination);
    let directory = layout::characters_dir();
    for name in reader.list(&directory).unwrap_or_default() {
        if let (true, Ok(path)) = (name.ends_with(".json"), directory.join(&name)) {
            sound::<Character>(reader, &path, examination);
        }
    }
}

/// Everything a pipeline step reads from staging.
fn staged_files(reader: &dyn BookReader, examination: &mut Examination) {
    let mut each = |directory: &str, check: &mut dyn FnMut(&RelPath, &mut Examination)| {
        let Ok(directory) = directory.parse::<RelPath>() else {
            return;
        };
        for name in reader.list_ending(&directory, ".json").unwrap_or_default() {
            if let Ok(path) = directory.join(&name) {
                check(&path, examination);
            }
        }
    };
    each("staging/bindings", &mut |path, examination| {
        sound::<Bindings>(reader, path, examination);
    });
    each("staging/evaluations", &mut |path, examination| {
        sound::<Evaluation>(reader, path, examination);
    });
    each("staging/state", &mut |path, examination| {
        if path.as_str().ends_with("-delta.json") {
            sound::<StateDelta>(reader, path, examination);
        } else if path.as_str().ends_with("-claims.json") {
            sound::<Claims>(reader, path, examination);
        } else {
            sound::<CrossReferences>(reader, path, examination);
        }
    });
    let scenes = layout::scenes_dir();
    for chapter in reader.list(&scenes).unwrap_or_default() {
        each(
            &format!("{scenes}/{chapter}"),
            &mut |path, examination| match path.file_name() {
                "plan.json" => drop(sound::<ScenePlan>(reader, path, examination)),
                name if name.starts_with("scene-") => {
                    drop(sound::<StagedScene>(reader, path, examination));
                }
                _ => {}
            },
        );
    }
}

/// Logs that grow line by line: a torn last line is taken off, anything else is the author's.
fn logs(reader: &dyn BookReader, examination: &mut Examination) {
    for path in [
        layout::operations(),
        layout::unknown_entities(),
        layout::audit(),
    ] {
        let Some(text) = text_of(reader, &path) else {
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        let bad = lines
            .iter()
            .position(|line| serde_json::from_str::<serde_json::Value>(line).is_err());
        let Some(index) = bad else {
            changed_lines(&path, &text, examination);
            continue;
        };
        let problem = Problem::new(
            "json_syntax",
            &path,
            message!(en: "not valid JSON", zh: "不是有效的 JSON"),
        )
        .at_line(index + 1);
        bad_line(problem, path, &lines, index, reader, examination);
    }
}

/// Lines that are JSON and not what was written. The operations log has a beginning elsewhere.
fn changed_lines(path: &RelPath, text: &str, examination: &mut Examination) {
    if *path == layout::operations() {
        return;
    }
    let mut before: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        match seal::check_line(line, before) {
            Seal::Sound(sum) => before = Some(sum),
            Seal::Unsealed if before.is_none() => {}
            Seal::Unsealed | Seal::Broken => {
                examination.report(records::changed_line(path, index + 1));
                return;
            }
        }
    }
}

/// A line that is no JSON. The last one was torn by a crash and can be taken off: `true`.
fn bad_line(
    problem: Problem,
    path: RelPath,
    lines: &[&str],
    index: usize,
    reader: &dyn BookReader,
    examination: &mut Examination,
) -> bool {
    let is_last = index + 1 == lines.len();
    let kept: String = lines[..index]
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    if is_last && path == layout::operations() {
        torn_log(problem, path, kept, reader, examination);
    } else if is_last {
        let repair = message!(en: "remove the incomplete last line", zh: "去掉残缺的最后一行");
        examination.proven(problem, repair, path, kept);
    } else {
        examination.report(problem);
    }
    is_last
}

/// The last line of the operations log is torn. It can go if the book is as the other lines say: else it told
/// of an operation that nobody knows of any more.
fn torn_log(
    problem: Problem,
    path: RelPath,
    kept: String,
    reader: &dyn BookReader,
    examination: &mut Examination,
) {
    if records::without_torn_line(reader).is_some() {
        let repair = message!(en: "remove the incomplete last line", zh: "去掉残缺的最后一行");
        examination.repairable(problem, repair, path, kept);
    } else {
        examination.report(problem.hint(message!(
            en: "restore the file from a backup; without one, delete its last line: the operation it recorded stays in effect and cannot be undone",
            zh: "请用备份恢复；若没有备份，删去最后一行：它记载的操作仍然有效，但无法撤销"
        )));
    }
}

fn volumes(reader: &dyn BookReader, current: VolumeNo, examination: &mut Examination) {
    for volume in (1..=current.get()).filter_map(VolumeNo::new) {
        sound::<StorylineSchedule>(reader, &layout::schedule(volume), examination);
        sound::<ForeshadowPlan>(reader, &layout::foreshadowing_plan(volume), examination);
        let directory = layout::contracts_dir(volume);
        for name in reader.list(&directory).unwrap_or_default() {
            if let (true, Ok(path)) = (name.ends_with(".json"), directory.join(&name)) {
                sound::<ChapterContract>(reader, &path, examination);
            }
        }
    }
}

/// A checkpoint that contradicts itself is repaired from what lies in staging.
fn contradiction(
    project: &Project,
    reader: &dyn BookReader,
    checkpoint: &Document<Checkpoint>,
    examination: &mut Examination,
) -> Result<(), BookError> {
    let view = match project.view(reader) {
        Ok(view) => view,
        // A staged text that cannot be read was reported with its encoding.
        Err(_) => return Ok(()),
    };
    let Ok(Err(error @ NoStep::Contradiction { .. })) = view.decide() else {
        return Ok(());
    };
    let coming = checkpoint.get().next_chapter();
    let begun = reader.read(&layout::staged_chapter(coming))?.is_some();
    let mut repaired = checkpoint.clone();
    repaired.edit(|checkpoint| {
        if begun {
            checkpoint.inflight_chapter = Some(coming);
            checkpoint.pipeline_stage = Some(PipelineStage::Drafting);
        } else {
            checkpoint.inflight_chapter = None;
            checkpoint.pipeline_stage = checkpoint.last_chapter().map(|_| PipelineStage::Committed);
            checkpoint.revision_count = 0;
            if checkpoint.orchestrator_state == OrchestratorState::ChapterRewrite {
                checkpoint.orchestrator_state = OrchestratorState::Writing;
            }
        }
    });
    // What the program wrote last is known: a damaged field is put back and nothing else.
    let text = repaired.to_text();
    let last = examination.known.records.get(&layout::checkpoint());
    let text = match last.is_some_and(|last| last.is(Some(text.as_bytes()))) {
        true => text,
        false => {
            stamp_checkpoint(project.now(), &mut repaired);
            repaired.to_text()
        }
    };
    let n = coming.get();
    let repair = if begun {
        message!(
            en: "resume chapter {n} from its staged text",
            zh: "从 staging 中的正文继续第 {n} 章"
        )
    } else {
        message!(en: "start chapter {n} over", zh: "重新开始第 {n} 章")
    };
    examination.repairable(
        Problem::new("contradiction", &layout::checkpoint(), error.message()),
        repair,
        layout::checkpoint(),
        text,
    );
    Ok(())
}

/// Every committed chapter has its JSON, and its Markdown is the rendering of it.
fn chapters(
    reader: &dyn BookReader,
    last: u32,
    lang: Lang,
    examination: &mut Examination,
) -> Result<(), BookError> {
    for chapter in (1..=last).filter_map(ChapterNo::new) {
        let path = layout::chapter_json(chapter);
        let markdown_path = layout::chapter_markdown(chapter);
        // What stands in the way of a file was reported with its encoding.
        let Ok(markdown) = reader.read(&markdown_path) else {
            continue;
        };
        match sound::<GeneratedChapter>(reader, &path, examination) {
            Some(document) => {
                let rendering = manuscript::render(document.get(), lang);
                if markdown.is_none() {
                    examination.proven(
                        Problem::new(
                            "missing",
                            &markdown_path,
                            message!(en: "the Markdown file is missing", zh: "缺少 Markdown 文件"),
                        ),
                        message!(en: "render it from its JSON", zh: "由 JSON 重新生成"),
                        markdown_path,
                        rendering,
                    );
                } else if markdown.as_deref() != Some(rendering.as_bytes()) {
                    let n = chapter.get();
                    examination.report(
                        Problem::new(
                            "markdown_differs",
                            &markdown_path,
                            message!(
                                en: "differs from `{path}`, which holds the text of the book",
                                zh: "与 `{path}` 不一致，正文以后者为准"
                            ),
                        )
                        .hint(message!(
                            en: "`novel adopt {n}` makes it the text; or move it away and run `novel doctor --fix` to render it from the JSON again",
                            zh: "`novel adopt {n}` 将其采纳为正文；或移走该文件并运行 `novel doctor --fix`，由 JSON 重新生成"
                        )),
                    );
                } else {
                    examination.derived.insert(markdown_path);
                }
            }
            None if matches!(reader.read(&path), Ok(None)) => {
                from_markdown(chapter, markdown, lang, examination)
            }
            None => {}
        }
        sound::<Evaluation>(reader, &layout::evaluation(chapter), examination);
    }
    Ok(())
}

/// A book taken over from an older tool has Markdown only; its JSON is made from it.
fn from_markdown(
    chapter: ChapterNo,
    markdown: Option<Vec<u8>>,
    lang: Lang,
    examination: &mut Examination,
) {
    let path = layout::chapter_json(chapter);
    let problem = Problem::new(
        "missing",
        &path,
        message!(en: "the chapter JSON is missing", zh: "缺少章节 JSON"),
    );
    match markdown.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => {
            let made = manuscript::Manuscript::from_markdown(chapter, &text, lang);
            examination.proven(
                problem,
                message!(en: "rebuild it from the Markdown", zh: "由 Markdown 生成"),
                path,
                to_json_text(&made.chapter),
            );
            // The text as its editor left it stays where an operation wrote it.
            let markdown = layout::chapter_markdown(chapter);
            if made.markdown != text && examination.known.records.get(&markdown).is_none() {
                examination.repairs.insert(markdown, made.markdown.into());
            }
        }
        None => examination.report(problem),
    }
}

fn progress(
    reader: &dyn BookReader,
    last: u32,
    examination: &mut Examination,
) -> Result<(), BookError> {
    let path = layout::progress();
    // A chapter that is put right counts as it will be.
    let mut repaired = Edit::on(reader);
    for (path, bytes) in &examination.repairs {
        repaired.write(path.clone(), bytes.clone());
    }
    let Ok(counted) = commit::count_progress(&repaired, last) else {
        return Ok(());
    };
    let stored =
        text_of(reader, &path).and_then(|text| Document::<Progress>::parse(&path, &text).ok());
    let current = match &stored {
        Some(stored) => same_totals(stored.get(), &counted),
        None => counted.chapters == 0,
    };
    if !current {
        examination.proven(
            Problem::new(
                "stale_totals",
                &path,
                message!(
                    en: "the running totals are missing or stale", zh: "累计数据缺失或过期"
                ),
            ),
            message!(en: "recount them", zh: "重新统计"),
            path,
            to_json_text(&counted),
        );
    }
    Ok(())
}

/// Sums of floating-point numbers may differ in the last place; a hand edit of the Markdown is
/// reported elsewhere.
fn same_totals(stored: &Progress, counted: &Progress) -> bool {
    stored.last_completed_chapter == counted.last_completed_chapter
        && stored.chapters == counted.chapters
        && stored.total_words == counted.total_words
        && stored.scored_chapters == counted.scored_chapters
        && (stored.score_sum - counted.score_sum).abs() < 1e-6
}

/// A lost foreshadowing file is worked out anew from what the chapters did.
fn foreshadowing(reader: &dyn BookReader, entries: &[Entry], examination: &mut Examination) {
    let path = layout::foreshadowing();
    if !matches!(reader.read(&path), Ok(None)) {
        return;
    }
    let mut plan = ForeshadowPlan::default();
    for volume in (1..=u32::from(u16::MAX)).map_while(VolumeNo::new) {
        let Some(text) = text_of(reader, &layout::foreshadowing_plan(volume)) else {
            break;
        };
        let of_volume =
            Document::<ForeshadowPlan>::parse(&layout::foreshadowing_plan(volume), &text);
        plan.foreshadowing.extend(
            of_volume
                .map(|plan| plan.into_value().foreshadowing)
                .unwrap_or_default(),
        );
    }
    let mut global = Foreshadowing::default();
    for entry in entries {
        if let Entry::Delta {
            chapter,
            storyline_id,
            ops,
            ..
        } = entry
        {
            let raw: Vec<serde_json::Value> = ops.iter().map(|op| op.op.clone()).collect();
            // Only the foreshadowing is of interest; the state they touch is thrown away.
            let events = ops::apply(&mut serde_json::json!({}), &raw).foreshadowing;
            foreshadow::record(&mut global, &plan, &events, *chapter, storyline_id);
        }
    }
    if !global.foreshadowing.is_empty() {
        examination.proven(
            Problem::new(
                "missing",
                &path,
                message!(en: "the file is missing", zh: "缺少该文件"),
            ),
            message!(en: "rebuild it from the changelog", zh: "由变更日志重建"),
            path,
            to_json_text(&global),
        );
    }
}

/// The changelog replays to the state, byte for byte.
fn state(reader: &dyn BookReader, examination: &mut Examination) {
    let log_path = layout::state_changelog();
    let path = layout::state();
    let stored = text_of(reader, &path);
    let current = sound::<StoryState>(reader, &path, examination);
    let Some(log) = text_of(reader, &log_path) else {
        return;
    };
    let mut entries: Vec<Entry> = Vec::new();
    let lines: Vec<&str> = log.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        match serde_json::from_str::<serde_json::Value>(line) {
            Ok(value) => match serde_json::from_value(value) {
                Ok(entry) => entries.push(entry),
                // Lines of an older tool; what follows them starts with a snapshot.
                Err(_) => entries.clear(),
            },
            Err(error) => {
                let problem = Problem::new(
                    "json_syntax",
                    &log_path,
                    message!(en: "not JSON: {error}", zh: "不是 JSON：{error}"),
                )
                .at_line(index + 1);
                if bad_line(
                    problem,
                    log_path.clone(),
                    &lines,
                    index,
                    reader,
                    examination,
                ) {
                    break;
                }
                return;
            }
        }
    }
    foreshadowing(reader, &entries, examination);
    match changelog::replay(&entries) {
        Err(error) => examination.report(changelog::not_replayable(&error)),
        Ok(None) => {}
        Ok(Some(replayed)) => {
            let text = to_json_text(&replayed);
            let missing = stored.is_none();
            if missing || (current.is_none() && stored.is_some()) {
                examination.proven(
                    Problem::new(
                        "state_lost",
                        &path,
                        message!(
                            en: "the state is missing or damaged", zh: "状态文件缺失或损坏"
                        ),
                    ),
                    message!(en: "rebuild it from the changelog", zh: "由变更日志重建"),
                    path,
                    text,
                );
            } else if stored.as_deref() != Some(text.as_str()) {
                examination.report(
                    Problem::new("state_edited", &path, message!(
                        en: "does not match the changelog; it was edited outside `novel`",
                        zh: "与变更日志重放的结果不一致，可能手动改过"
                    ))
                    .hint(message!(
                        en: "the next commit records the edited state as a snapshot; restore the old file if you do not want that",
                        zh: "下次提交会把修改后的状态记录为快照；若非本意，请恢复原文件"
                    )),
                );
            }
        }
    }
}
