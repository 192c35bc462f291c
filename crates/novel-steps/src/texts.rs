//! The text of a chapter as it is handed in: what was said around it comes off, the program puts the
//! title on, and what is no chapter or no refinement is refused.

use novel_book::{
    believe::{
        Hearing,
        prose::{self, Person, Source, Standards},
        refine::{self, Kept},
    },
    config::ExecutorKind,
    context::Cast,
    manuscript::{self, Manuscript},
    next::Round,
    staged::Staged,
    validate::{self, Findings},
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, FileError, Lang, Warning,
    files::{Blacklist, StorylineSpec, StyleProfile, WorldRules},
    layout, message, proof,
};
use novel_text::{
    loose_heading, parse_chapter, parse_outline, without_inner_headings, without_talk,
};
use serde_json::json;

use crate::{Book, StepError};

/// Chapters and summaries before this one that are compared whatever they share.
const NEAR: u32 = 3;

/// A text that is handed in.
#[derive(Debug, Clone, Copy)]
pub struct ChapterText<'a> {
    /// Draft or refinement.
    pub stage: ChapterStage,
    /// Which time around.
    pub round: Round,
    /// The text.
    pub markdown: &'a str,
}

/// A text in normal form, and what was found about it.
#[derive(Debug)]
pub struct Settled {
    /// The text.
    pub markdown: String,
    /// What was found.
    pub findings: Findings,
}

/// Brings a text to normal form and checks it.
///
/// # Errors
/// When a file it is held against cannot be read.
pub fn settle(
    view: &Book<'_>,
    staged: &Staged,
    text: ChapterText<'_>,
    hearing: Hearing,
) -> Result<Settled, StepError> {
    let (chapter, config) = (staged.chapter, view.config());
    let (path, lang) = (layout::staged_chapter(chapter), config.lang());
    let given = given(staged, text);
    let Alone {
        markdown,
        headings,
        warnings,
    } = alone(view, staged, text, hearing)?;
    let manuscript = Manuscript::from_markdown(chapter, &markdown, lang);
    let held = standards(view, chapter, hearing)?;
    let mut findings = match (text.stage, hearing) {
        (ChapterStage::Refine, Hearing::Outside | Hearing::Taken) => {
            validate::refined_text(&path, &markdown, given, chapter, config)
        }
        _ => validate::chapter_text(&path, &markdown, chapter, config),
    };
    let said = prose_of(&manuscript);
    let mut problems = prose::problems(&path, &said, lang, &held);
    // A heading of the instructions is no heading of a scene: what follows it is no scene either.
    problems.extend(prose::guide_heading(
        &path,
        &headings.join("\n"),
        &held.headings,
    ));
    problems.extend(prose::sketched(&path, &said, headings.len()));
    if text.stage == ChapterStage::Refine
        && let Some(given) = given
    {
        let before = Manuscript::from_markdown(chapter, given, lang);
        let was = prose_of(&before);
        // What the draft was accepted with is not the refiner's fault.
        let known: Vec<&str> = prose::problems(&path, &was, lang, &held)
            .iter()
            .map(|problem| problem.code)
            .collect();
        problems.retain(|problem| !known.contains(&problem.code));
        let kept = kept(view, staged)?;
        findings.measured.insert(
            "change_ratio".to_owned(),
            json!(refine::change(&was, &said)),
        );
        let lost = refine::lost(&was, &said, &kept);
        let is_sound = lost.is_empty() && problems.is_empty() && findings.problems.is_empty();
        if hearing == Hearing::Last && !is_sound {
            return Ok(in_part(view, &before, &manuscript, &kept, warnings));
        }
        problems.extend(refine::problems(&path, &lost, kept.max_change));
    }
    findings.problems.extend(problems);
    findings.warnings.extend(warnings);
    Ok(Settled {
        markdown: manuscript.markdown,
        findings,
    })
}

/// The text in its normal form.
///
/// # Errors
/// When the outline cannot be read.
pub fn normal_form(
    view: &Book<'_>,
    staged: &Staged,
    text: ChapterText<'_>,
    hearing: Hearing,
) -> Result<Manuscript, StepError> {
    let alone = alone(view, staged, text, hearing)?;
    let lang = view.config().lang();
    Ok(Manuscript::from_markdown(
        staged.chapter,
        &alone.markdown,
        lang,
    ))
}

/// A text without what was said around it, under its heading.
struct Alone {
    markdown: String,
    /// Headings inside the prose that were taken off.
    headings: Vec<String>,
    warnings: Vec<Warning>,
}

/// Takes off what was said around a text, and puts it under its heading.
fn alone(
    view: &Book<'_>,
    staged: &Staged,
    text: ChapterText<'_>,
    hearing: Hearing,
) -> Result<Alone, StepError> {
    let untalked = without_talk(text.markdown);
    let mut headings = Vec::new();
    let mut warnings = if untalked.taken.is_empty() {
        Vec::new()
    } else {
        vec![talk_removed(&untalked.taken)]
    };
    let markdown = match hearing {
        // An outside driver gives the heading itself, as `validate` wants it.
        Hearing::Outside | Hearing::Taken => untalked.text.to_owned(),
        Hearing::First | Hearing::Last => {
            let title = match given(staged, text) {
                Some(given) => Some(parse_chapter(given).title().to_owned()),
                None => planned_title(view, staged.chapter)?,
            };
            let lang = view.config().lang();
            let (markdown, taken) = headed(staged.chapter, untalked.text, title.as_deref(), lang);
            headings = taken;
            markdown
        }
    };
    if !headings.is_empty() {
        warnings.push(headings_removed(&headings));
    }
    Ok(Alone {
        markdown,
        headings,
        warnings,
    })
}

/// The text the refiner was given; nothing for a draft.
fn given<'a>(staged: &'a Staged, text: ChapterText<'_>) -> Option<&'a str> {
    match (text.stage, text.round) {
        (ChapterStage::Refine, Round::Polish) => {
            staged.refined.as_deref().or(staged.draft.as_deref())
        }
        (ChapterStage::Refine, _) => staged.draft.as_deref(),
        _ => None,
    }
}

fn prose_of(manuscript: &Manuscript) -> String {
    let scenes: Vec<&str> = manuscript
        .chapter
        .scenes
        .iter()
        .map(|scene| scene.content.as_str())
        .collect();
    scenes.join("\n\n")
}

/// The paragraphs of a refinement that keep the story, the rest as it was given.
fn in_part(
    view: &Book<'_>,
    before: &Manuscript,
    after: &Manuscript,
    kept: &Kept,
    mut warnings: Vec<Warning>,
) -> Settled {
    let config = view.config();
    let chapter = before.chapter.chapter_number;
    let scenes = |text: &Manuscript| -> Vec<String> {
        let scenes = text.chapter.scenes.iter();
        scenes.map(|scene| scene.content.clone()).collect()
    };
    let part = refine::in_part(&scenes(before), &scenes(after), kept);
    let title = &before.chapter.chapter_title;
    let text = manuscript::chapter_of(chapter, title, &part.scenes);
    let text = Manuscript::from_chapter(text, config.lang());
    let (taken, changed) = (part.taken, part.changed);
    let percent = refine::change(&prose_of(before), &prose_of(after)) * 100.0;
    warnings.push(Warning::new(
        "refine_in_part",
        message!(
            en: "the refinement changed {percent:.1}% of the text or lost something; {taken} of \
                {changed} changed paragraphs were taken, the rest stays as it was",
            zh: "润色改动了 {percent:.1}% 或有所丢失；{changed} 个改动的段落中采用了 {taken} 个，其余保持原样"
        ),
    ));
    let path = layout::staged_chapter(chapter);
    let mut findings = validate::chapter_text(&path, &text.markdown, chapter, config);
    findings.warnings.extend(warnings);
    let share = refine::change(&prose_of(before), &prose_of(&text));
    findings
        .measured
        .insert("change_ratio".to_owned(), json!(share));
    Settled {
        markdown: text.markdown,
        findings,
    }
}

fn talk_removed(taken: &[&str]) -> Warning {
    let lines = taken.join(" / ");
    Warning::new(
        "talk_removed",
        message!(
            en: "text around the chapter was removed: {lines}",
            zh: "已去掉正文以外的文字：{lines}"
        ),
    )
}

fn headings_removed(headings: &[String]) -> Warning {
    let lines = headings.join(" / ");
    Warning::new(
        "headings_removed",
        message!(
            en: "headings inside the chapter became scene breaks: {lines}",
            zh: "正文中的小标题已改为分场：{lines}"
        ),
    )
}

/// The title the outline gives the chapter.
fn planned_title(view: &Book<'_>, chapter: ChapterNo) -> Result<Option<String>, StepError> {
    let volume = view.checkpoint.get().current_volume;
    let Some(text) = view.reader().text(&layout::outline(volume))? else {
        return Ok(None);
    };
    let outline = parse_outline(&text);
    let block = outline
        .blocks
        .iter()
        .find(|block| block.number == chapter.get());
    Ok(block
        .map(|block| block.title.trim().to_owned())
        .filter(|title| !title.is_empty()))
}

/// The text under the heading of its chapter (the planned title, else the text's own), and the headings inside
/// the text that were taken off.
fn headed(
    chapter: ChapterNo,
    text: &str,
    title: Option<&str>,
    lang: Lang,
) -> (String, Vec<String>) {
    let mut own = String::new();
    let mut body = text.trim_start();
    // A number and a title may come as two headings.
    for _ in 0..2 {
        let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
        let Some(heading) = loose_heading(first) else {
            break;
        };
        if own.is_empty() {
            own = heading.title;
        }
        body = rest.trim_start_matches(['\n', '\r']);
    }
    let title = title.filter(|title| !title.is_empty()).unwrap_or(&own);
    let body = without_inner_headings(body);
    let parsed = parse_chapter(&format!("# \n\n{}", body.text));
    let chapter = manuscript::chapter_of(chapter, title, &parsed.scenes);
    (Manuscript::from_chapter(chapter, lang).markdown, body.taken)
}

/// What a refinement of the chapter must keep.
fn kept(view: &Book<'_>, staged: &Staged) -> Result<Kept, StepError> {
    let reader = view.reader();
    let cast = Cast::load(reader)?;
    let people = cast
        .members()
        .map(|(_, member)| {
            let character = &member.character;
            let names = std::iter::once(&character.display_name).chain(&character.aliases);
            let names = names.map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        })
        .collect();
    let mut blacklist = Document::<Blacklist>::load(reader, &layout::blacklist())?
        .map(|list| list.get().effective_words())
        .unwrap_or_default();
    let style = Document::<StyleProfile>::load(reader, &layout::style_profile())?;
    blacklist.extend(
        style
            .into_iter()
            .flat_map(|style| style.get().forbidden_words.clone()),
    );
    let facts = staged
        .summary
        .sound()
        .map(|artefacts| artefacts.delta.get().ops.as_slice())
        .unwrap_or_default()
        .iter()
        .filter(|op| !proof::is_unproven(op))
        .filter_map(proof::quotation)
        .map(str::to_owned)
        .collect();
    Ok(Kept {
        people,
        blacklist,
        facts,
        max_change: view.config().refine.max_change.get(),
    })
}

/// What the text of a chapter is held against.
fn standards(
    view: &Book<'_>,
    chapter: ChapterNo,
    hearing: Hearing,
) -> Result<Standards, StepError> {
    let reader = view.reader();
    // The embedded author makes its chapters of a stock of sentences, so it says some of them again.
    let is_offline = view.config().executor == ExecutorKind::Offline;
    let compares_chapters = match hearing {
        Hearing::Outside => true,
        Hearing::First | Hearing::Last => !is_offline,
        Hearing::Taken => false,
    };
    let mut held = Standards::default();
    let guide = message!(en: "the instructions of the program", zh: "程序的说明文字");
    for text in view.own_texts() {
        held.headings.extend(prose::headings_of(text));
        held.distant.push(Source {
            name: guide.clone(),
            text: (*text).to_owned(),
        });
    }
    for path in [
        layout::style_guide(),
        layout::quality_rubric(),
        layout::writing_methodology(),
    ] {
        if let Some(text) = reader.text(&path)? {
            held.headings.extend(prose::headings_of(&text));
            held.distant.push(Source {
                name: message!(en: "{path}", zh: " {path}"),
                text,
            });
        }
    }
    // It stands in every writer's prompt, and a weak model hands it in as its chapter.
    let path = layout::brief();
    if let Some(text) = reader.text(&path)? {
        held.sources.push(Source {
            name: message!(en: "{path}", zh: " {path}"),
            text,
        });
    }
    held.sources.extend(rules(reader)?);
    let last = chapter.get() - 1;
    let first = if compares_chapters { 1 } else { chapter.get() };
    for number in (first..=last).rev().filter_map(ChapterNo::new) {
        let n = number.get();
        let near = last - n < NEAR;
        for (path, name) in [
            (
                layout::chapter_markdown(number),
                message!(en: "chapter {n}", zh: "第 {n} 章"),
            ),
            (
                layout::summary(number),
                message!(en: "the summary of chapter {n}", zh: "第 {n} 章的摘要"),
            ),
        ] {
            let Some(text) = reader.text(&path)? else {
                continue;
            };
            let source = Source { name, text };
            if near {
                held.sources.push(source);
            } else {
                held.distant.push(source);
            }
        }
    }
    let cast = Cast::load(reader)?;
    held.people = cast
        .members()
        .filter_map(|(id, member)| {
            let person = Person::new(id.as_str(), member.character.display_name.trim())?;
            let whole = person.elsewhere.concat();
            let is_alias = member.character.aliases.iter().any(|alias| {
                let letters = alias.chars().filter(char::is_ascii_alphabetic);
                letters.collect::<String>().eq_ignore_ascii_case(&whole)
            });
            (!is_alias).then_some(person)
        })
        .collect();
    Ok(held)
}

/// Rules of the world, of people and of storylines, as texts.
fn rules(reader: &dyn BookReader) -> Result<Vec<Source>, StepError> {
    let mut sources = Vec::new();
    let mut add = |name, texts: Vec<String>| {
        if !texts.is_empty() {
            let text = texts.join("\n");
            sources.push(Source { name, text });
        }
    };
    let world = Document::<WorldRules>::load(reader, &layout::world_rules())?;
    add(
        message!(en: "the rules of the world", zh: "世界规则"),
        texts_of(world, |rules| {
            rules.rules.iter().map(|rule| rule.rule.clone()).collect()
        }),
    );
    let spec = Document::<StorylineSpec>::load(reader, &layout::storyline_spec())?;
    add(
        message!(en: "the rules of storylines", zh: "故事线规则"),
        texts_of(spec, |spec| {
            spec.rules.iter().map(|rule| rule.rule.clone()).collect()
        }),
    );
    let cast = Cast::load(reader)?;
    let contracts = cast.members().flat_map(|(_, member)| {
        let contracts = member.character.contracts.iter();
        contracts.map(|contract| contract.rule.clone())
    });
    add(
        message!(en: "the contracts of the characters", zh: "角色契约"),
        contracts.collect(),
    );
    Ok(sources)
}

fn texts_of<T: novel_model::Format>(
    document: Option<Document<T>>,
    texts: impl FnOnce(&T) -> Vec<String>,
) -> Vec<String> {
    document.map_or_else(Vec::new, |document| texts(document.get()))
}

/// The quotations of the staged facts, carried over to the accepted wording.
///
/// # Errors
/// When the staged delta cannot be read.
pub fn carried_delta(
    staged: &Staged,
    before: &str,
    after: &str,
) -> Result<Option<String>, FileError> {
    let Some(artefacts) = staged.summary.sound() else {
        return Ok(None);
    };
    let mut delta = artefacts.delta.clone();
    let old = delta.get().ops.clone();
    delta.edit(|delta| novel_book::believe::facts::carry(&mut delta.ops, before, after));
    Ok((delta.get().ops != old).then(|| delta.to_text()))
}
