//! What an agent handed in, checked: every problem listed, not just the first.

use novel_model::{
    BookReader, ChapterNo, Document, Explain, FileError, Kind, Message, Problem, ReadError,
    RelPath, Slug, StepId, Warning, counted,
    files::{Claims, CrossReferences, Evaluation, StateDelta},
    layout, message,
};
use novel_text::{count_words, parse_chapter};
use serde_json::{Map, Value, json};

use crate::{
    config::{Config, LengthPolicy},
    manuscript::Manuscript,
    ops,
};

/// Longest storyline memory, in counted words.
pub const MAX_MEMORY_WORDS: usize = 500;
/// Longest prose of a summary, in counted words.
pub const MAX_SUMMARY_WORDS: usize = 300;

/// What a validation found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// What must be repaired.
    pub problems: Vec<Problem>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// What was measured, by name.
    pub measured: Map<String, Value>,
}

impl Findings {
    /// Findings with one problem: a file that is not there.
    #[must_use]
    pub fn missing(path: &RelPath) -> Self {
        Self {
            problems: vec![missing(path)],
            ..Self::default()
        }
    }

    /// The findings, if nothing must be repaired.
    ///
    /// # Errors
    /// With all problems.
    pub fn accept(self, step: StepId) -> Result<Self, Rejected> {
        if self.problems.is_empty() {
            Ok(self)
        } else {
            Err(Rejected {
                step,
                problems: self.problems,
            })
        }
    }
}

/// Outputs of a step that cannot be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the outputs of {step} are not valid")]
pub struct Rejected {
    /// Step whose outputs are not valid.
    pub step: StepId,
    problems: Vec<Problem>,
}

impl Rejected {
    /// A rejection with these problems.
    #[must_use]
    pub fn new(step: StepId, problems: Vec<Problem>) -> Self {
        Self { step, problems }
    }
}

impl Explain for Rejected {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "VALIDATION_FAILED"
    }

    fn message(&self) -> Message {
        let count = self.problems.len();
        let problems = counted(count, "problem");
        let Message { en, zh } = self.step.title();
        message!(
            en: "{en} cannot be used: {problems}", zh: "{zh}无法使用：{count} 个问题"
        )
    }

    fn hint(&self) -> Option<Message> {
        let step = self.step;
        Some(message!(
            en: "repair the files listed, then run `novel validate {step}`",
            zh: "请修复列出的文件，然后运行 `novel validate {step}`"
        ))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// A read error as a problem of the file it is about.
#[must_use]
pub fn read_problem(error: &ReadError) -> Problem {
    Problem {
        hint: error.hint(),
        ..Problem::new("unreadable", error.path(), error.message())
    }
}

/// A file error as problems.
#[must_use]
pub fn file_problems(error: &FileError) -> Vec<Problem> {
    match error {
        FileError::Read(error) => vec![read_problem(error)],
        FileError::Broken(broken) => broken.problems().to_vec(),
        FileError::Missing { path, hint } => {
            vec![Problem {
                hint: Some(hint.clone()),
                ..missing(path)
            }]
        }
    }
}

/// The problem of a file that is not there.
#[must_use]
pub fn missing(path: &RelPath) -> Problem {
    Problem::new(
        "missing",
        path,
        message!(en: "the file is missing", zh: "缺少该文件"),
    )
}

/// Checks a chapter's Markdown: something to read, the right heading, the configured length.
#[must_use]
pub fn chapter_text(
    path: &RelPath,
    markdown: &str,
    chapter: ChapterNo,
    config: &Config,
) -> Findings {
    let mut findings = Findings::default();
    let parsed = parse_chapter(markdown);
    let example = match config.lang() {
        novel_model::Lang::Zh => format!("# 第 {} 章 章名", chapter.get()),
        novel_model::Lang::En => format!("# Chapter {}: Title", chapter.get()),
    };
    let hint = message!(en: "the first line should read `{example}`", zh: "第一行应为 `{example}`");
    match &parsed.heading {
        None => findings.problems.push(
            Problem::new(
                "no_title",
                path,
                message!(en: "no title heading", zh: "缺少章标题"),
            )
            .at_line(1)
            .hint(hint),
        ),
        Some(heading) => match heading.number {
            Some(number) if number != chapter.get() => {
                let expected = chapter.get();
                let line = 1 + markdown
                    .lines()
                    .position(|line| line.starts_with("# "))
                    .unwrap_or(0);
                findings.problems.push(
                    Problem::new(
                        "wrong_chapter",
                        path,
                        message!(
                            en: "the heading is for chapter {number}, expected chapter {expected}",
                            zh: "标题是第 {number} 章，应为第 {expected} 章"
                        ),
                    )
                    .at_line(line)
                    .hint(hint),
                );
            }
            Some(_) => {}
            None => findings.warnings.push(Warning::new(
                "heading_without_number",
                message!(
                    en: "{path}: the heading has no chapter number; it will be added",
                    zh: "{path}：标题没有章号，将自动补上"
                ),
            )),
        },
    }
    let manuscript = Manuscript::from_parsed(chapter, &parsed, config.lang());
    if manuscript.is_empty() {
        findings.problems.push(Problem::new(
            "empty_chapter",
            path,
            message!(en: "the chapter has no text", zh: "章节没有正文"),
        ));
    }
    let words = manuscript.chapter.total_words;
    findings.measured.insert("words".into(), json!(words));
    findings
        .measured
        .insert("scenes".into(), json!(manuscript.chapter.scenes.len()));
    check_length(path, words, config, &mut findings);
    findings
}

/// What is wrong with the length of a draft, for the one time it is sent back.
#[must_use]
pub fn length_problem(
    path: &RelPath,
    text: &str,
    chapter: ChapterNo,
    config: &Config,
) -> Option<Problem> {
    let words = Manuscript::from_markdown(chapter, text, config.lang())
        .chapter
        .total_words;
    let (min, max) = (config.chapter.min_words, config.chapter.max_words);
    let said = if let Some(min) = min.filter(|min| words < *min) {
        message!(
            en: "the chapter has {words} words and must have at least {min}: tell its scenes in full, and add no event",
            zh: "本章 {words} 字，至少要有 {min} 字：把场面写足，不另加情节"
        )
    } else if let Some(max) = max.filter(|max| words > *max) {
        message!(
            en: "the chapter has {words} words and may have at most {max}: leave out what the contract does not need",
            zh: "本章 {words} 字，最多 {max} 字：删去契约不需要的内容"
        )
    } else {
        return None;
    };
    Some(Problem::new("length", path, said))
}

fn check_length(path: &RelPath, words: u64, config: &Config, findings: &mut Findings) {
    let (min, max) = (config.chapter.min_words, config.chapter.max_words);
    let text = match (
        min.filter(|min| words < *min),
        max.filter(|max| words > *max),
    ) {
        (Some(min), _) => message!(
            en: "{words} words, fewer than the configured minimum of {min}",
            zh: "{words} 字，少于配置的下限 {min} 字"
        ),
        (None, Some(max)) => message!(
            en: "{words} words, more than the configured maximum of {max}",
            zh: "{words} 字，多于配置的上限 {max} 字"
        ),
        (None, None) => return,
    };
    match config.chapter.length_policy {
        LengthPolicy::Refuse => findings.problems.push(Problem::new("length", path, text)),
        LengthPolicy::Warn => findings.warnings.push(Warning::new("length", text)),
    }
}

/// Checks a refined text against the draft it came from.
#[must_use]
pub fn refined_text(
    path: &RelPath,
    markdown: &str,
    draft: Option<&str>,
    chapter: ChapterNo,
    config: &Config,
) -> Findings {
    let mut findings = chapter_text(path, markdown, chapter, config);
    let Some(draft) = draft else { return findings };
    let (before, after) = (parse_chapter(draft), parse_chapter(markdown));
    if before.title() != after.title() {
        let (old, new) = (before.title(), after.title());
        findings.problems.push(Problem::new(
            "title_changed",
            path,
            message!(
                en: "the refinement changed the title from `{old}` to `{new}`",
                zh: "润色把标题从 `{old}` 改成了 `{new}`"
            ),
        ));
    }
    findings
}

/// The four artefacts of the summarizer, as found in staging.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryArtefacts {
    /// The summary.
    pub summary: String,
    /// The state delta.
    pub delta: Document<StateDelta>,
    /// The cross-references.
    pub crossref: Document<CrossReferences>,
    /// The storyline memory.
    pub memory: String,
    /// What the chapter takes for granted; empty when the summarizer gave none that can be read.
    pub claims: Claims,
}

impl SummaryArtefacts {
    /// The line the chapter belongs to.
    #[must_use]
    pub fn storyline(&self) -> &Slug {
        &self.delta.get().storyline_id
    }
}

/// Checks the four staged artefacts of the summarizer. They are returned when all are sound.
pub fn summary_artefacts(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    storyline: Option<&Slug>,
) -> (Option<SummaryArtefacts>, Findings) {
    let mut findings = Findings::default();
    let summary_path = layout::staged_summary(chapter);
    let summary = required_text(reader, &summary_path, &mut findings);
    let delta =
        required_document::<StateDelta>(reader, &layout::staged_delta(chapter), &mut findings);
    let crossref = required_document::<CrossReferences>(
        reader,
        &layout::staged_crossref(chapter),
        &mut findings,
    );
    let line = storyline
        .or(delta.as_ref().map(|delta| &delta.get().storyline_id))
        .cloned();
    let memory = line.as_ref().and_then(|line| {
        let path = layout::staged_memory(line);
        let memory = required_text(reader, &path, &mut findings)?;
        let words = count_words(&memory);
        if words > MAX_MEMORY_WORDS {
            findings.problems.push(Problem::new(
                "memory_too_long",
                &path,
                message!(
                    en: "the storyline memory has {words} words; at most {MAX_MEMORY_WORDS} are kept",
                    zh: "故事线记忆有 {words} 字，最多 {MAX_MEMORY_WORDS} 字"
                ),
            ));
        }
        Some(memory)
    });
    if let Some(summary) = &summary {
        check_summary(&summary_path, summary, line.as_ref(), &mut findings);
    }
    // A delta that breaks a rule beyond its schema is still looked over: one run shows all faults.
    let spoken = delta.as_ref().map(|delta| delta.get().clone()).or_else(|| {
        let text = reader.text(&layout::staged_delta(chapter)).ok().flatten()?;
        serde_json::from_str(&text).ok()
    });
    if let Some(delta) = &spoken {
        check_delta(delta, chapter, line.as_ref(), &mut findings);
    }
    if let (Some(crossref), Some(line)) = (&crossref, &line) {
        check_line(
            &layout::staged_crossref(chapter),
            &crossref.get().storyline_id,
            line,
            &mut findings,
        );
    }
    let claims = staged_claims(reader, chapter, &mut findings);
    let artefacts = match (summary, delta, crossref, memory) {
        (Some(summary), Some(delta), Some(crossref), Some(memory))
            if findings.problems.is_empty() =>
        {
            Some(SummaryArtefacts {
                summary,
                delta,
                crossref,
                memory,
                claims,
            })
        }
        _ => None,
    };
    (artefacts, findings)
}

/// The staged claims as far as they can be read: an optional file is no reason to ask again.
fn staged_claims(reader: &dyn BookReader, chapter: ChapterNo, findings: &mut Findings) -> Claims {
    let text = reader.text(&layout::staged_claims(chapter));
    if let Err(error @ ReadError::Io { .. }) = &text {
        findings.problems.push(read_problem(error));
    }
    let text = text.ok().flatten();
    let answer = text.and_then(|text| serde_json::from_str(&text).ok());
    Claims::read(chapter, &answer.unwrap_or_default())
}

fn required_text(
    reader: &dyn BookReader,
    path: &RelPath,
    findings: &mut Findings,
) -> Option<String> {
    match reader.text(path) {
        Ok(Some(text)) if !text.trim().is_empty() => return Some(text),
        Ok(Some(_)) => findings.problems.push(Problem::new(
            "empty",
            path,
            message!(en: "the file is empty", zh: "文件为空"),
        )),
        Ok(None) => findings.problems.push(missing(path)),
        Err(error) => findings.problems.push(read_problem(&error)),
    }
    None
}

fn required_document<T: novel_model::Format>(
    reader: &dyn BookReader,
    path: &RelPath,
    findings: &mut Findings,
) -> Option<Document<T>> {
    match Document::load(reader, path) {
        Ok(Some(document)) => return Some(document),
        Ok(None) => findings.problems.push(missing(path)),
        Err(error) => findings.problems.extend(file_problems(&error)),
    }
    None
}

fn check_summary(path: &RelPath, summary: &str, line: Option<&Slug>, findings: &mut Findings) {
    let marked = summary
        .lines()
        .enumerate()
        .find_map(|(at, text)| Some((at + 1, text.trim().strip_prefix("- storyline_id:")?.trim())));
    match (marked, line) {
        (Some((at, found)), Some(line)) if found != line.as_str() => findings.problems.push(
            Problem::new(
                "wrong_storyline",
                path,
                message!(
                    en: "the summary is marked `{found}`, expected `{line}`",
                    zh: "摘要标记为 `{found}`，应为 `{line}`"
                ),
            )
            .at_line(at),
        ),
        (None, Some(line)) => findings.warnings.push(Warning::new(
            "summary_without_storyline",
            message!(
                en: "{path} has no line `- storyline_id: {line}`",
                zh: "{path} 缺少 `- storyline_id: {line}` 一行"
            ),
        )),
        _ => {}
    }
    let prose: String = summary
        .lines()
        .filter(|line| !line.starts_with('#'))
        .take_while(|line| !line.trim_start().starts_with("- "))
        .collect::<Vec<_>>()
        .join("\n");
    let words = count_words(&prose);
    if words > MAX_SUMMARY_WORDS {
        findings.warnings.push(Warning::new(
            "summary_too_long",
            message!(
                en: "{path}: the prose has {words} words, more than {MAX_SUMMARY_WORDS}",
                zh: "{path}：摘要正文 {words} 字，超过 {MAX_SUMMARY_WORDS} 字"
            ),
        ));
    }
}

/// Adds a problem unless the same fault at the same place is listed already.
fn add_once(findings: &mut Findings, problem: Problem) {
    let known = findings.problems.iter().any(|other| {
        (other.code, &other.path, &other.place) == (problem.code, &problem.path, &problem.place)
    });
    if !known {
        findings.problems.push(problem);
    }
}

fn check_delta(
    delta: &StateDelta,
    chapter: ChapterNo,
    line: Option<&Slug>,
    findings: &mut Findings,
) {
    let path = layout::staged_delta(chapter);
    if delta.chapter != chapter {
        let (found, expected) = (delta.chapter.get(), chapter.get());
        add_once(
            findings,
            Problem::new(
                "wrong_chapter",
                &path,
                message!(
                    en: "the delta is for chapter {found}, expected {expected}",
                    zh: "增量属于第 {found} 章，应为第 {expected} 章"
                ),
            )
            .at("/chapter"),
        );
    }
    if let Some(line) = line {
        check_line(&path, &delta.storyline_id, line, findings);
    }
    // Tried on an empty state: only the form of an op can be judged here.
    let refused = delta.ops.iter().filter(|op| {
        let outcome = ops::apply(&mut json!({}), std::slice::from_ref(op));
        outcome
            .dropped
            .iter()
            .any(|dropped| dropped.reason != "wrong_type")
    });
    for op in refused {
        findings.warnings.push(Warning::new(
            "op_will_be_dropped",
            message!(en: "this op will be dropped at commit: {op}", zh: "提交时将丢弃该操作：{op}"),
        ));
    }
}

fn check_line(path: &RelPath, found: &Slug, expected: &Slug, findings: &mut Findings) {
    if found != expected {
        findings.problems.push(
            Problem::new(
                "wrong_storyline",
                path,
                message!(
                    en: "the storyline is `{found}`, expected `{expected}`",
                    zh: "故事线为 `{found}`，应为 `{expected}`"
                ),
            )
            .at("/storyline_id"),
        );
    }
}

/// Checks that an evaluation is about this chapter; its form is checked when it is read.
#[must_use]
pub fn evaluation(path: &RelPath, evaluation: &Evaluation, chapter: ChapterNo) -> Findings {
    let mut findings = Findings::default();
    if evaluation.chapter != chapter {
        let (found, expected) = (evaluation.chapter.get(), chapter.get());
        findings.problems.push(
            Problem::new(
                "wrong_chapter",
                path,
                message!(
                    en: "the evaluation is of chapter {found}, expected {expected}",
                    zh: "评审结果属于第 {found} 章，应为第 {expected} 章"
                ),
            )
            .at("/chapter"),
        );
    }
    findings
}
